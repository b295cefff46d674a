//! Databases of positions: the value of every position of a board.
//!
//! [`konane`] is the bit-parallel engine of one game. [`store`] keeps tables on disk and [`ranking`]
//! numbers sets; both know no game.

pub mod konane;
mod random;
pub mod ranking;
pub mod store;
