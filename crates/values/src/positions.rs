//! Values of the positions of any game in which play ends, whoever cannot move loses, and either
//! player may be to move in every position. The first player is Left. The values of impartial games
//! are nimbers.

use hashbrown::HashMap;
use papamu_base::Progress;
use papamu_base::memory::make_room;
use papamu_game::{Capabilities, Game, Player, Value as Ending};
use thiserror::Error;

use crate::canonical::Side;
use crate::forms::{Forms, Halt, Value};

/// Why a position has no value, or why it could not be computed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NoValue {
    /// The work was cut short.
    #[error(transparent)]
    Halt(#[from] Halt),
    /// In some position only one player can be to move.
    #[error("`{position}` cannot be had with the other player to move")]
    OneSided {
        /// The position.
        position: String,
    },
    /// A player who cannot move does not lose.
    #[error("whoever cannot move in `{position}` does not lose")]
    NotNormal {
        /// The position.
        position: String,
    },
}

/// Moves with the positions that they lead to.
pub type Successors<G> = Vec<(<G as Game>::Move, <G as Game>::Position)>;

/// Values of the positions of a game, remembered by canonical position.
pub struct Positions<'a, G: Game> {
    game: &'a G,
    capabilities: &'a Capabilities<G>,
    forms: &'a Forms,
    /// Components that are not sums, with Left to move.
    known: HashMap<G::Position, Value>,
    progress: &'a Progress,
}

impl<'a, G: Game> Positions<'a, G> {
    /// An empty memory. `progress` counts the positions examined.
    pub fn new(
        game: &'a G,
        capabilities: &'a Capabilities<G>,
        forms: &'a Forms,
        progress: &'a Progress,
    ) -> Positions<'a, G> {
        Positions { game, capabilities, forms, known: HashMap::new(), progress }
    }

    /// The store of the values.
    pub fn forms(&self) -> &'a Forms {
        self.forms
    }

    /// The value of a position, whoever is to move.
    pub fn value(&mut self, position: &G::Position) -> Result<Value, NoValue> {
        let mut sum = Value::ZERO;
        for component in self.capabilities.components(self.game, position) {
            sum = self.forms.add(sum, self.value_of_component(component)?)?;
        }
        Ok(sum)
    }

    /// The moves of Left and of Right, with the positions that they lead to.
    pub fn moves(&self, position: &G::Position) -> Result<[Successors<G>; 2], NoValue> {
        let [left, right] = self.both(position)?;
        Ok([self.moves_of(&left)?, self.moves_of(&right)?])
    }

    /// The position with Left and with Right to move, by a null move. Impartial games need none.
    fn both(&self, position: &G::Position) -> Result<[G::Position; 2], NoValue> {
        if G::IMPARTIAL {
            return Ok([position.clone(), position.clone()]);
        }
        let passed = self
            .capabilities
            .pass(self.game, position)
            .ok_or_else(|| NoValue::OneSided { position: self.game.write(position) })?;
        Ok(match self.game.to_move(position) {
            Player::First => [position.clone(), passed],
            Player::Second => [passed, position.clone()],
        })
    }

    fn moves_of(&self, position: &G::Position) -> Result<Successors<G>, NoValue> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        if moves.is_empty() && self.game.final_value(position) != Ending::Loss {
            return Err(NoValue::NotNormal { position: self.game.write(position) });
        }
        let after = |mv: G::Move| {
            let after = self.game.after(position, &mv);
            (mv, after)
        };
        Ok(moves.into_iter().map(after).collect())
    }

    fn value_of_component(&mut self, component: G::Position) -> Result<Value, NoValue> {
        let [left, _] = self.both(&component)?;
        let key = self.game.canonical(&left);
        if let Some(&value) = self.known.get(&key) {
            return Ok(value);
        }
        self.progress.add(1);
        self.progress.stop().check().map_err(Halt::from)?;
        self.forms.remember(2 * size_of::<(G::Position, Value)>() as u64)?;
        let mut options = [Side::new(), Side::new()];
        for (side, moves) in options.iter_mut().zip(self.moves(&key)?) {
            for (_, after) in moves {
                side.push(self.value(&after)?);
            }
        }
        let value = self.forms.from_options(options)?;
        let limit_bytes = usize::try_from(self.forms.limits().memory_bytes).unwrap_or(usize::MAX);
        make_room(&mut self.known, 0, limit_bytes).map_err(Halt::from)?;
        self.known.insert(key, value);
        Ok(value)
    }
}
