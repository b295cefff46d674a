//! Strong solving: the value of every position of a board.
//!
//! Konane's stones never leave the colour of square they started on, so a position is a set of
//! black squares, a set of white squares and the side to move. [`squares`] numbers the squares of
//! each colour, [`row`] works on all white sets of one black set at a time, [`build`] goes through
//! the black sets, [`directory`] keeps the result on disk, [`strong`] answers from there and
//! [`verify`] checks it. [`stats`] counts the reachable positions in the same manner. [`ranking`] numbers sets of a given size.

pub mod build;
pub mod directory;
mod memory;
pub mod plies;
pub mod ranking;
pub mod row;
pub mod squares;
pub mod stats;
pub mod strong;
pub mod verify;
