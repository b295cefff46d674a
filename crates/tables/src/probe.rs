//! Probes a table: the value of a position and of all its moves, best first.

use std::cmp::Reverse;

use papamu_game::{Game, Value};

use crate::error::TableError;

/// What a table knows about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe<M> {
    /// The value for the player to move.
    pub value: Value,
    /// The number of plies to the end under best play, if that was found and play ends.
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
    /// The number of plies to the end, counted from before the move, if that was found.
    pub plies_to_end: Option<u32>,
}

impl<M> ProbedMove<M> {
    /// Winning moves come first, the fastest before the others; then draws; then losing ones, the
    /// slowest first. Those whose plies are not known come after the others of their value.
    fn sort_key(&self) -> (Reverse<Value>, i64) {
        let sign = if self.value == Value::Win { 1 } else { -1 };
        (Reverse(self.value), self.plies_to_end.map_or(i64::MAX, |plies| sign * i64::from(plies)))
    }
}

/// Looks up a position and all its moves. `value` must know them all; `plies` finds numbers of
/// plies to the end, and is told n if it may spend the n-th part of the work that is left.
pub(crate) fn probe<G: Game>(
    game: &G,
    position: &G::Position,
    value: impl Fn(&G::Position) -> Result<Value, TableError>,
    mut plies: impl FnMut(&G::Position, u64) -> Result<Option<u32>, TableError>,
) -> Result<Probe<G::Move>, TableError> {
    let of_position = value(position)?;
    let plies_to_end = plies(position, 2)?;
    let mut list = Vec::new();
    game.moves(position, &mut list);
    let mut moves = Vec::with_capacity(list.len());
    for (left, mv) in (1..=list.len() as u64).rev().zip(list) {
        let child = game.after(position, &mv);
        let plies_to_end = plies(&child, left)?.map(|plies| plies + 1);
        moves.push(ProbedMove { mv, value: -value(&child)?, plies_to_end });
    }
    moves.sort_by_key(ProbedMove::sort_key);
    Ok(Probe { value: of_position, plies_to_end, moves })
}
