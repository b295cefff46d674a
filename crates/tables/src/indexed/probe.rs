//! Probes a table: the value of a position and of all its moves, best first.

use std::cmp::Reverse;

use papamu_game::{Indexed, Value};

use crate::error::TableError;
use crate::indexed::table::Table;

/// What a table knows about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe<M> {
    /// The value for the player to move.
    pub value: Value,
    /// The number of plies to the end under best play, if the table knows it and play ends.
    pub plies_to_end: Option<u32>,
    /// All moves, the best first.
    pub moves: Vec<ProbedMove<M>>,
}

/// A move and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbedMove<M> {
    /// The move.
    pub mv: M,
    /// The value for the player who makes it.
    pub value: Value,
    /// The number of plies to the end, counted from before the move, if the table knows it.
    pub plies_to_end: Option<u32>,
}

impl<M> ProbedMove<M> {
    /// Winning moves come first, the fastest before the others; then draws; then losing ones, the
    /// slowest first.
    fn sort_key(&self) -> (Reverse<Value>, i64) {
        let plies = self.plies_to_end.map_or(0, i64::from);
        (Reverse(self.value), if self.value == Value::Win { plies } else { -plies })
    }
}

impl<G: Indexed> Table<G> {
    /// The value of a position of the board and of all its moves.
    pub fn probe(&self, position: &G::Position) -> Result<Probe<G::Move>, TableError> {
        let game = self.game();
        let value = |position: &G::Position| -> Result<Value, TableError> {
            self.value(position)?.ok_or_else(|| TableError::NotInTable {
                table: self.shape.board_name(),
                position: game.write(position),
            })
        };
        let mut list = Vec::new();
        game.moves(position, &mut list);
        let of_position = value(position)?;
        let mut moves = Vec::with_capacity(list.len());
        for mv in list {
            let mut child = position.clone();
            game.play(&mut child, &mv);
            let plies_to_end = self.plies_to_end(&child)?.map(|plies| plies + 1);
            moves.push(ProbedMove { mv, value: -value(&child)?, plies_to_end });
        }
        moves.sort_by_key(ProbedMove::sort_key);
        Ok(Probe { value: of_position, plies_to_end: self.plies_to_end(position)?, moves })
    }
}
