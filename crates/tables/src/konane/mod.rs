//! Konane: the value of every position of a board, by rows of bits.
//!
//! [`TableBuild`] makes a table, [`Table`] answers from it, [`TableOracle`] answers for a search;
//! [`verify`] checks a table, [`StateCount`] counts reachable positions and [`train`] learns from
//! the values of a table.
//!
//! Stones never leave squares of their colour, so a position is a set of black squares, a set of
//! white squares and the side to move. [`squares`] numbers the squares of each colour, [`classes`]
//! finds sets that are the same under symmetry, and [`sublayers`] numbers positions by their
//! stones.
//!
//! A complete table has all positions: [`row`] works on all white sets of one black set at a time,
//! [`plan`] goes through the black sets and [`complete`] stores the result. A capped table, of
//! [`capped`], has the positions with up to some number of stones. [`shape`] lists the files of a
//! table, [`places`] finds a position in them.

mod build;
pub mod capped;
pub mod classes;
pub mod complete;
mod oracle;
pub mod places;
pub mod plan;
pub mod row;
pub mod shape;
pub mod squares;
mod stats;
pub mod sublayers;
mod table;
pub mod train;
pub mod verify;

use papamu_game::Game;
use papamu_games::Konane;

pub use build::{BuildReport, TableBuild};
pub use oracle::TableOracle;
pub use stats::{PlyStats, StateCount};
pub use table::Table;

use crate::error::TableError;

/// A board as users write it, such as `6x6`.
pub fn board_name(game: &Konane) -> String {
    format!("{}x{}", game.board().rows, game.board().cols)
}

/// Reads a board such as `6x6`. A position other than the start is refused.
pub fn read_board(text: &str) -> Result<Konane, TableError> {
    let (game, position) = Konane::read(text)?;
    match position == game.start() {
        true => Ok(game),
        false => Err(TableError::NotABoard { example: "6x6" }),
    }
}

/// Refuses work that exceeds its memory limit.
fn check_memory(work: String, needs_bytes: u64, limit_bytes: u64) -> Result<(), TableError> {
    match needs_bytes > limit_bytes {
        true => Err(TableError::NeedsMemory { work, needs_bytes, limit_bytes }),
        false => Ok(()),
    }
}
