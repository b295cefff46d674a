//! Searches with nimbers: outcomes of impartial games whose positions are sums (J. Lemoine and S.
//! Viennot, 2012; T. Cizek, M. Balko and M. Schmid, 2025).
//!
//! A couple is a component of a position and a heap of Nim, P + *n. The nimber of P is n exactly if
//! the player to move loses the couple. A couple is won by a move to a lost one: to an option of P
//! with the same heap, or by taking from the heap. An option may have several components. Then the
//! nimbers of all but one are found first, by trying *0, *1 and so on. They are added to the heap,
//! and a couple remains.
//!
//! In games without nimbers, partizan or misere, every position is one component without a heap.
//! The same searches then work on ordinary game trees.

mod codes;
mod components;
mod depth_first;
mod dfpn;
pub mod file;
pub mod job;
mod lists;
mod look;
mod maker;
mod needed;
mod pns;
mod recent;
pub mod slots;
mod solver;

pub use components::{Halt, MOST_NIMBER};
pub use job::{NimberJob, NimberJobError, NimberSolved, NimberStore, Wanted};
pub use needed::Proof;
pub use solver::{Position, Solver};
