//! Searches with nimbers: outcomes of impartial games whose positions fall apart (J. Lemoine and S. Viennot, 2012; T. Cizek,
//! M. Balko and M. Schmid, 2025).
//!
//! A couple is a part of a position and a heap of Nim, P + *n. The nimber of P is n exactly if whoever moves in the couple
//! loses. A couple is won by a move to a lost one: to an option of P with the same heap, or by taking from the heap. Of an
//! option with several parts the nimbers of all but one are worked out first, by trying *0, *1 and so on; these join the
//! heap, and what is left is a couple again.
//!
//! Games without nimbers, partizan or misere, have one part in every position and no heap: the same searches then
//! work on their plain trees.

mod codes;
mod depth_first;
mod dfpn;
pub mod file;
pub mod job;
mod lands;
mod lists;
mod look;
mod maker;
mod needed;
mod pns;
mod recent;
pub mod slots;
mod solver;

pub use job::{NimberJob, NimberJobError, NimberSolved, NimberStore, Wanted};
pub use lands::{Halt, MOST_NIMBER};
pub use needed::Proof;
pub use solver::{Position, Solver};
