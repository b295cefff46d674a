//! Databases of positions: the value of every position of a board, on disk.
//!
//! ```
//! use papamu_base::{Progress, Stop};
//! use papamu_game::{Game, Value};
//! use papamu_tables::konane::{Table, TableBuild, read_board};
//!
//! let game = read_board("3x4")?;
//! let place = tempfile::tempdir()?;
//! let directory = place.path().join("3x4");
//! TableBuild::complete(&game)?.run(Some(&directory), &Progress::new())?;
//!
//! let table = Table::open(&directory)?;
//! assert_eq!(table.value(&game.start()), Ok(Some(Value::Loss)));
//! let probe = table.probe(&game.start(), 1_000_000, &Stop::new())?;
//! for mv in &probe.moves {
//!     println!("{} {}", game.write_move(&game.start(), &mv.mv), mv.value);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`indexed`] is retrograde analysis of any game that numbers its positions, [`konane`] the
//! bit-parallel engine of one game. They share the store (layers in hashed blocks, their list, the
//! directory in the making) and [`ranking`], which numbers sets.
//!
//! A table on disk is checked as it is read: its list and the headers when it is opened, each block
//! of entries when it is first probed. An answer is what was written, or the error
//! [`DamagedBlock`]. Whether what was written is right is a question for
//! [`verify`](konane::verify). Long work counts its progress and ends soon after a stop with
//! [`TableError::Stopped`]; finished layers stay.

mod error;
pub mod indexed;
pub mod konane;
mod plies;
mod probe;
mod random;
mod store;

pub use error::{DamagedBlock, TableError};
pub use papamu_game::ranking;
pub use probe::{Probe, ProbedMove};

/// The name of the game that a table is of.
pub fn game_of(directory: &std::path::Path) -> Result<String, TableError> {
    Ok(store::Manifest::read(directory)?.subject.game)
}
