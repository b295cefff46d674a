//! Games that go in circles: which results a search may keep, and how it becomes sure of them.
//!
//! Infinite play is a draw. Every question is put as "does the attacker win?": the player to move
//! at the root is the attacker if he asks whether he wins, his opponent if he asks whether he
//! holds. The attacker fails if play never ends, so a search may stop where a position repeats
//! one on its path, and count that as the attacker's failure.
//!
//! *Proofs* (the attacker wins) never use a repetition. They are finite trees whose ends are won,
//! so they hold on every path and go into the transposition table for good.
//!
//! *Disproofs* may use one. Then they hold below the repeated position, and need not hold
//! elsewhere. To keep them all gives wrong results (the graph-history interaction problem); to keep
//! none of them makes searches run in circles, because most positions of a loop are disproved on
//! one path after the other. So they are kept as *provisional* and believed during the search, and
//! settled afterwards:
//!
//! - A disproof rests on the shallowest position of the path that it repeats (`Basis`). If that is
//!   no position above its own, the loop closes below it, and the disproof is final: whenever play
//!   comes back, the defender starts again, and play that goes on for ever is no loss. What rests
//!   on a provisional entry of the table is provisional, too.
//! - When a search ends with a provisional disproof of the root, a closed set of positions must
//!   show it: wherever the attacker moves, the set is not left, and the defender always has a move
//!   inside. This uses none of the disproofs but as advice which move to try, so no false one can
//!   survive it.
//!
//! A false provisional disproof can hide a win from the search, but never from the closed set: a
//! position that the attacker wins is in no closed set. There the truth comes out, by a proof that
//! spreads backwards through the set.
//!
//! | file | idea |
//! | --- | --- |
//! | `path` | the positions between the root and the current one |
//! | `repetition` | what one thread knows about a child from its path, and what that rests on |
//! | `closed` | closed sets, which settle disproofs |
//! | `components` | innermost circles of a graph |
//! | `ranked` | ranked sets, which show proofs to others |

use papamu_game::{Game, Guided};

pub(crate) mod closed;
mod components;
pub(crate) mod path;
pub(crate) mod ranked;
pub(crate) mod repetition;

pub use closed::closed_set;
pub use ranked::ranked_set;
pub(crate) use repetition::{Basis, Repetition};

/// Tells which positions others decide by themselves, with a database of their own say. A position
/// after one of them is another one.
pub type Decided<'a, G> = &'a dyn Fn(&<G as Game>::Position) -> bool;

/// A position of a strategy.
#[derive(Clone, Debug)]
pub struct Chosen<G: Guided> {
    /// The position, with the owner of the strategy to move.
    pub position: G::Position,
    /// His move.
    pub mv: G::Move,
    /// The most plies to the end of the game, in a strategy that wins; 0 in one that holds.
    pub rank: u32,
}

#[cfg(test)]
mod tests;
