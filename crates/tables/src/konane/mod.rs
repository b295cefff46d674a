//! Konane: the value of every position of a board, by rows of bits.
//!
//! Stones never leave the colour of square they started on, so a position is a set of black squares,
//! a set of white squares and the side to move. [`squares`] numbers the squares of each colour,
//! [`classes`] finds the sets that are the same under symmetry, [`sublayers`] numbers positions by
//! their stones.
//!
//! A complete table has all positions: [`row`] works on all white sets of one black set at a time,
//! [`plan`] goes through the black sets and [`complete`] keeps the result. A capped table, of
//! [`capped`], has the positions with up to some number of stones. [`shape`] says of which files a
//! table consists, [`places`] where in them a position is; [`table`] answers from them and
//! [`verify`] checks them. [`stats`] counts reachable positions by rows, and [`train`] learns from
//! what a table knows.

pub mod capped;
pub mod classes;
pub mod complete;
pub mod places;
pub mod plan;
pub mod plies;
pub mod row;
pub mod shape;
pub mod squares;
pub mod stats;
pub mod sublayers;
pub mod table;
pub mod train;
pub mod verify;
