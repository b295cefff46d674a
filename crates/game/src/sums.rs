//! Games as searches with nimbers see them: every position is a sum of parts, and each part is known by a string of
//! bytes that is the same for all positions equivalent to it.
//!
//! A game that can make these strings faster than by way of its text has its own [`Sums`] ([`crate::Game::sums`]).

use std::ops::Range;

use thiserror::Error;

use crate::{Game, NotationError, Value};

/// Several lists of parts one after the other, in flat memory that can be used again.
#[derive(Clone, Debug, Default)]
pub struct PartLists {
    bytes: Vec<u8>,
    /// Where each part ends.
    parts: Vec<u32>,
    /// How many parts there are at the end of each list.
    lists: Vec<u32>,
}

impl PartLists {
    /// No lists.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.parts.clear();
        self.lists.clear();
    }

    /// Adds a part to the list that is being made; `write` appends its bytes.
    #[inline]
    pub fn part(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.parts.push(self.bytes.len() as u32);
    }

    /// Ends a list.
    #[inline]
    pub fn end(&mut self) {
        self.lists.push(self.parts.len() as u32);
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// The parts of a list.
    #[inline]
    pub fn list(&self, index: usize) -> impl Iterator<Item = &[u8]> {
        let start_of = |part: usize| part.checked_sub(1).map_or(0, |before| self.parts[before]);
        self.parts_in(index)
            .map(move |part| &self.bytes[start_of(part) as usize..self.parts[part] as usize])
    }

    /// All parts of all lists.
    #[inline]
    pub fn parts(&self) -> impl Iterator<Item = &[u8]> + Clone {
        let mut from = 0;
        self.parts.iter().map(move |&end| {
            let part = &self.bytes[from..end as usize];
            from = end as usize;
            part
        })
    }

    /// Which of all parts a list has.
    #[inline]
    pub fn parts_in(&self, list: usize) -> Range<usize> {
        let from = list.checked_sub(1).map_or(0, |before| self.lists[before]);
        from as usize..self.lists[list] as usize
    }

    /// All lists.
    pub fn iter(&self) -> impl Iterator<Item = impl Iterator<Item = &[u8]>> {
        (0..self.len()).map(|index| self.list(index))
    }
}

/// The graph of a game: parts and what moves make of them.
pub trait Sums: Send + Sync {
    /// The parts of a position, as one list.
    fn parts_of(&self, position: &str) -> Result<PartLists, NotationError>;

    /// What makes options, one for each thread.
    fn generator(&self) -> Box<dyn Generator + '_>;

    /// A part as people read it; [`Sums::parts_of`] gives it back.
    fn write(&self, part: &[u8]) -> String;

    /// How much play is left in a part, in some sense: it guides searches and decides nothing.
    fn weight(&self, part: &[u8]) -> u32 {
        part.len() as u32
    }

    /// Whether nimbers tell what parts are worth in sums: in impartial games if whoever cannot move loses. Otherwise every
    /// position is one part.
    fn has_nimbers(&self) -> bool;

    /// Whether there is a checker of nimbers of this game.
    fn is_certifiable(&self) -> bool {
        false
    }

    /// What the player to move gets in a position without moves.
    fn final_value(&self, position: &[u8]) -> Value {
        let _ = position;
        Value::Loss
    }
}

/// A part has more options than can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a part of the position has millions of options")]
pub struct TooMany;

/// Makes the options of parts.
pub trait Generator {
    /// Appends the options of a part, a list of parts for each. Some may occur more than once, and the parts need not be
    /// canonical.
    fn options(&mut self, part: &[u8], options: &mut PartLists) -> Result<(), TooMany>;

    /// Appends the canonical form of a part of an option: the same for all that are equivalent.
    fn canonical(&mut self, part: &[u8], form: &mut Vec<u8>) {
        form.extend_from_slice(part);
    }
}

/// Any game, its parts known by their text.
pub struct ByText<G>(pub G);

impl<G: Game> ByText<G> {
    fn list(&self, game: &G, position: &G::Position, lists: &mut PartLists) {
        if self.has_nimbers() {
            for part in game.parts(position) {
                let text = game.write(&game.canonical(&part));
                lists.part(|bytes| bytes.extend_from_slice(text.as_bytes()));
            }
        } else {
            let text = game.write(&game.canonical(position));
            lists.part(|bytes| bytes.extend_from_slice(text.as_bytes()));
        }
        lists.end();
    }

    /// Texts come from positions, so they can be read.
    fn read(part: &[u8]) -> Option<(G, G::Position)> {
        G::read(std::str::from_utf8(part).ok()?).ok()
    }
}

impl<G: Game> Sums for ByText<G> {
    fn parts_of(&self, position: &str) -> Result<PartLists, NotationError> {
        let (game, position) = G::read(position)?;
        let mut parts = PartLists::default();
        self.list(&game, &position, &mut parts);
        Ok(parts)
    }

    fn generator(&self) -> Box<dyn Generator + '_> {
        Box::new(self)
    }

    fn write(&self, part: &[u8]) -> String {
        String::from_utf8_lossy(part).into_owned()
    }

    fn has_nimbers(&self) -> bool {
        G::IMPARTIAL && !self.0.is_misere()
    }

    fn final_value(&self, position: &[u8]) -> Value {
        let read = ByText::<G>::read(position);
        read.map_or(Value::Loss, |(game, position)| game.final_value(&position))
    }
}

impl<G: Game> Generator for &ByText<G> {
    fn options(&mut self, part: &[u8], options: &mut PartLists) -> Result<(), TooMany> {
        let Some((game, mut position)) = ByText::<G>::read(part) else { return Ok(()) };
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

    /// The options of a game by text are those of the game.
    #[test]
    fn options_by_text() {
        let kayles = ByText(Kayles);
        let parts = kayles.parts_of("3+5").expect("rows");
        let parts: Vec<_> = parts.list(0).map(|part| kayles.write(part)).collect();
        assert_eq!(parts, ["3", "5"]);
        let mut options = PartLists::default();
        kayles.generator().options(b"3", &mut options).expect("few");
        let texts: Vec<Vec<String>> =
            options.iter().map(|parts| parts.map(|part| kayles.write(part)).collect()).collect();
        assert_eq!(texts, [vec!["2"], vec!["1", "1"], vec!["1"]]);
        assert!(kayles.has_nimbers() && !ByText(TicTacToe).has_nimbers());
        assert!(kayles.parts_of("no").is_err());
    }
}
