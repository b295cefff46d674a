//! Games as searches with nimbers see them: every position is a sum of components, and each
//! component is identified by a string of bytes that is the same for all positions equivalent to
//! it.
//!
//! [`ByText`] does this for any game. A game that can make these strings faster than from its text
//! has its own [`SumsOf`].

use std::ops::Range;

use thiserror::Error;

use crate::{Capabilities, Game, NotationError, Value};

/// A sequence of lists of components, in flat memory that can be reused.
#[derive(Clone, Debug, Default)]
pub struct ComponentLists {
    bytes: Vec<u8>,
    /// Where each component ends.
    components: Vec<u32>,
    /// How many components there are at the end of each list.
    lists: Vec<u32>,
}

impl ComponentLists {
    /// Removes all lists.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.components.clear();
        self.lists.clear();
    }

    /// Adds a component to the list that is being made; `write` appends its bytes.
    #[inline]
    pub fn component(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.components.push(self.bytes.len() as u32);
    }

    /// Ends a list.
    #[inline]
    pub fn end(&mut self) {
        self.lists.push(self.components.len() as u32);
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// The components of a list.
    #[inline]
    pub fn list(&self, index: usize) -> impl Iterator<Item = &[u8]> {
        let start_of =
            |place: usize| place.checked_sub(1).map_or(0, |before| self.components[before]);
        self.components_in(index).map(move |place| {
            &self.bytes[start_of(place) as usize..self.components[place] as usize]
        })
    }

    /// All components of all lists.
    #[inline]
    pub fn components(&self) -> impl Iterator<Item = &[u8]> + Clone {
        let mut from = 0;
        self.components.iter().map(move |&end| {
            let component = &self.bytes[from..end as usize];
            from = end as usize;
            component
        })
    }

    /// The indices of a list's components among all components.
    #[inline]
    pub fn components_in(&self, list: usize) -> Range<usize> {
        let from = list.checked_sub(1).map_or(0, |before| self.lists[before]);
        from as usize..self.lists[list] as usize
    }

    /// All lists.
    pub fn iter(&self) -> impl Iterator<Item = impl Iterator<Item = &[u8]>> {
        (0..self.len()).map(|index| self.list(index))
    }
}

/// The graph of a game: components and their options.
pub trait Sums: Send + Sync {
    /// Reads the components of a position, as one list.
    fn read(&self, position: &str) -> Result<ComponentLists, NotationError>;

    /// A generator of options, one for each thread.
    fn generator(&self) -> Box<dyn Generator + '_>;

    /// A component as text, which [`Sums::read`] reads back.
    fn write(&self, component: &[u8]) -> String;

    /// An estimate of how much play is left in a component. It guides searches and proves nothing.
    fn weight(&self, component: &[u8]) -> u32 {
        component.len() as u32
    }

    /// Whether components have nimbers: in impartial games, if whoever cannot move loses. Otherwise
    /// every position is one component.
    fn has_nimbers(&self) -> bool;

    /// Whether nimbers of this game can be checked.
    fn is_certifiable(&self) -> bool {
        false
    }

    /// The value of a position without moves, for the player to move.
    fn final_value(&self, position: &[u8]) -> Value {
        let _ = position;
        Value::Loss
    }
}

/// The graph of a game whose positions are known.
pub trait SumsOf<G: Game>: Sums {
    /// The components of a position, as one list.
    fn components(&self, position: &G::Position) -> ComponentLists;
}

/// A component has more options than can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a component of the position has millions of options")]
pub struct TooManyOptions;

/// Makes the options of components.
pub trait Generator {
    /// Appends the options of a component, a list of components for each. Some may occur more than
    /// once, and the components need not be canonical.
    fn options(
        &mut self,
        component: &[u8],
        options: &mut ComponentLists,
    ) -> Result<(), TooManyOptions>;

    /// Appends the canonical form of a component of an option. Equivalent components have the same
    /// form.
    fn canonical(&mut self, component: &[u8], form: &mut Vec<u8>) {
        form.extend_from_slice(component);
    }
}

/// Any game, with components identified by their text.
pub struct ByText<G: Game> {
    game: G,
    capabilities: Capabilities<G>,
}

impl<G: Game> ByText<G> {
    /// The graph of a game whose sums are those of its capabilities.
    pub fn new(game: G, capabilities: Capabilities<G>) -> ByText<G> {
        ByText { game, capabilities }
    }

    fn list(&self, game: &G, position: &G::Position, lists: &mut ComponentLists) {
        let components = match self.has_nimbers() {
            true => self.capabilities.components(game, position),
            false => vec![position.clone()],
        };
        for component in components {
            let text = game.write(&game.canonical(&component));
            lists.component(|bytes| bytes.extend_from_slice(text.as_bytes()));
        }
        lists.end();
    }

    /// Texts come from positions, so they can be read.
    fn read_text(component: &[u8]) -> Option<(G, G::Position)> {
        G::read(std::str::from_utf8(component).ok()?).ok()
    }
}

impl<G: Game> Sums for ByText<G> {
    fn read(&self, position: &str) -> Result<ComponentLists, NotationError> {
        let (game, position) = G::read(position)?;
        let mut components = ComponentLists::default();
        self.list(&game, &position, &mut components);
        Ok(components)
    }

    fn generator(&self) -> Box<dyn Generator + '_> {
        Box::new(self)
    }

    fn write(&self, component: &[u8]) -> String {
        String::from_utf8_lossy(component).into_owned()
    }

    fn has_nimbers(&self) -> bool {
        G::IMPARTIAL && !self.game.is_misere()
    }

    fn final_value(&self, position: &[u8]) -> Value {
        let read = ByText::<G>::read_text(position);
        read.map_or(Value::Loss, |(game, position)| game.final_value(&position))
    }
}

impl<G: Game> SumsOf<G> for ByText<G> {
    fn components(&self, position: &G::Position) -> ComponentLists {
        let mut components = ComponentLists::default();
        self.list(&self.game, position, &mut components);
        components
    }
}

impl<G: Game> Generator for &ByText<G> {
    fn options(
        &mut self,
        component: &[u8],
        options: &mut ComponentLists,
    ) -> Result<(), TooManyOptions> {
        let Some((game, mut position)) = ByText::<G>::read_text(component) else { return Ok(()) };
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        for mv in moves {
            let undo = game.play(&mut position, &mv);
            self.list(&game, &position, options);
            game.undo(&mut position, &mv, undo);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiny::{Kayles, TicTacToe};

    const CAPABILITIES: Capabilities<Kayles> =
        Capabilities { components: Some(Kayles::components), ..Capabilities::NONE };

    /// The options of a game by text are those of the game.
    #[test]
    fn options_by_text() {
        let kayles = ByText::new(Kayles, CAPABILITIES);
        let components = kayles.read("3+5").expect("rows");
        let components: Vec<_> = components.list(0).map(|code| kayles.write(code)).collect();
        assert_eq!(components, ["3", "5"]);
        let mut options = ComponentLists::default();
        kayles.generator().options(b"3", &mut options).expect("few");
        let texts: Vec<Vec<String>> =
            options.iter().map(|codes| codes.map(|code| kayles.write(code)).collect()).collect();
        assert_eq!(texts, [vec!["2"], vec!["1", "1"], vec!["1"]]);
        assert!(
            kayles.has_nimbers() && !ByText::new(TicTacToe, Capabilities::default()).has_nimbers()
        );
        assert!(kayles.read("no").is_err());
    }
}
