//! Games that go in circles: which results a search may keep.
//!
//! Infinite play is a draw. Every question is put as "does the attacker win?": the player to move
//! at the root is the attacker if he asks whether he wins, his opponent if he asks whether he
//! holds. The attacker fails if play never ends, so a search may stop where a position repeats
//! one on its path and count that as the attacker's failure.
//!
//! *Proofs* (the attacker wins) never use a repetition. They are finite trees whose ends are won,
//! so they hold on every path and go into the transposition table.
//!
//! *Disproofs* may use one, and then they are not facts about the position alone: elsewhere, the
//! repeated position is not on the path, and nobody knows that the attacker fails there. To
//! forget this gives wrong results (the graph-history interaction problem, A. Kishimoto and M.
//! Müller, 2004). So a disproof carries its *needs*, the positions that it takes for granted:
//!
//! ```text
//! n fails given K:   from n on, the defender can avoid every loss until play reaches a position
//!                    of K, if it ever does
//! ```
//!
//! This is a fact about n and K, whatever the path. Four rules give all such facts:
//!
//! 1. k fails given {k}. (A repetition of k on the path.)
//! 2. With the attacker to move, n fails given the union of what all its children need; with the
//!    defender to move, given what one child needs.
//! 3. If n fails given K, it fails given K without n: whenever play returns to n the defender
//!    starts again, and play that goes on for ever is no loss.
//! 4. If n fails given K and k of K fails given L, then n fails given K without k, and L: where
//!    play reaches k, the defender goes on as he would from there. If L has members that in turn
//!    rest on K, the defender goes round, which again is no loss.
//!
//! A disproof without needs is unconditional and goes into the transposition table. By rule 3 the
//! first position of every loop becomes unconditional when its own search ends, if nothing above
//! it is needed. By rule 4 the rest of the loop follows when it is next looked up. The others are
//! kept in a table of their own ([`Conditional`]), and count wherever all they need is on the path
//! or disproved. That includes later visits of the same loop, which would otherwise be searched
//! again and again.
//!
//! | file | idea |
//! | --- | --- |
//! | [`path`] | the positions on the way to the current one, and which of them a result needs |
//! | [`conditional`] | disproofs and what they need, shared by all threads |
//! | [`repetition`] | both put together: what one thread knows about a child from its path |

pub(crate) mod conditional;
pub(crate) mod path;
pub(crate) mod repetition;

pub(crate) use conditional::Conditional;
pub(crate) use repetition::Repetition;

#[cfg(test)]
mod tests;
