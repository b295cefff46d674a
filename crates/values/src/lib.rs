//! Combinatorial game theory: exact values of games under normal play, in which both players have
//! moves of their own and whoever cannot move loses.
//!
//! [`Forms`] is a store of canonical forms; a [`Value`] is one of them. Left is the player who is
//! better off above zero; in Konane that is Black.

mod atomic;
mod cache;
mod canonical;
mod compare;
pub mod conjecture;
mod dyadic;
mod explain;
mod forms;
mod functions;
mod heat;
pub mod konane;
mod notation;
mod ordinal;
mod period;
mod positions;
mod read;
mod simple;
mod sum;
mod thermograph;
mod write;

pub use canonical::Side;
pub use compare::Outcome;
pub use dyadic::{Bound, Dyadic};
pub use explain::{Explanation, Fate, Step};
pub use forms::{Forms, Halt, Limits, Value};
pub use functions::{FUNCTIONS, Function};
pub use notation::Notation;
pub use period::Period;
pub use positions::{NoValue, Positions, Successors};
pub use read::ReadError;
pub use simple::{LARGEST_NIMBER, MOST_UPS, Simple};
pub use thermograph::{Thermograph, Thermographs, Wall};
