//! Probes a table: the value of a position and of all its moves, best first.

use std::cmp::Reverse;

use papamu_base::Stop;
use papamu_game::{Game, Value};
use papamu_games::konane::{Jump, Position};

use crate::error::TableError;
use crate::konane::plies::Plies;
use crate::konane::table::Table;

/// What a table knows about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The value for the player to move.
    pub value: Value,
    /// The number of plies to the end under best play, unless the budget was spent.
    pub plies_to_end: Option<u32>,
    /// All moves, the best first.
    pub moves: Vec<ProbedMove>,
}

/// A move and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbedMove {
    /// The move.
    pub mv: Jump,
    /// The value for the player who makes it.
    pub value: Value,
    /// The number of plies to the end, counted from before the move, unless the budget was spent.
    pub plies_to_end: Option<u32>,
}

impl ProbedMove {
    /// Winning moves come first, the fastest before the others; then losing ones, the slowest
    /// first.
    fn sort_key(&self) -> (Reverse<Value>, i64) {
        let plies = i64::from(self.plies_to_end.unwrap_or(u32::MAX));
        (Reverse(self.value), if self.value == Value::Win { plies } else { -plies })
    }
}

impl Table {
    /// The value of a position of the board and of all its moves. Numbers of plies need a search,
    /// which gives up after `plies_budget` positions.
    pub fn probe(
        &self,
        position: &Position,
        plies_budget: u64,
        stop: &Stop,
    ) -> Result<Probe, TableError> {
        let game = self.game();
        let value = |position: &Position| -> Result<Value, TableError> {
            let stones = position.occupied.count_ones();
            let most_stones = self.most_stones();
            self.value(position)?.ok_or(TableError::TooManyStones { stones, most_stones })
        };
        let of_position = value(position)?;
        let mut plies = Plies::new(self, plies_budget, stop);
        let mut jumps = Vec::new();
        game.moves(position, &mut jumps);
        let mut moves = Vec::with_capacity(jumps.len());
        for mv in jumps {
            let mut child = *position;
            game.play(&mut child, &mv);
            let plies_to_end = plies.to_end(&child)?.map(|plies| plies + 1);
            moves.push(ProbedMove { mv, value: -value(&child)?, plies_to_end });
        }
        moves.sort_by_key(ProbedMove::sort_key);
        Ok(Probe { value: of_position, plies_to_end: plies.to_end(position)?, moves })
    }
}
