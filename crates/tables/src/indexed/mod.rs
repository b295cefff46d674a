//! Databases of any game that offers an index: win, draw or loss of every position, by retrograde
//! analysis.
//!
//! [`TableBuild`] makes a table, [`Table`] answers from it, [`TableOracle`] answers for a search,
//! [`verify`] checks a table and [`ClassStats`] counts its values.
//!
//! Classes are solved in their order, so values of moves into earlier classes are known.
//! `codes` keeps the values of a class, two bits each, and `known` those of the classes before
//! it. `look` judges a position by its moves. From what that decides, `unmoves` works
//! backwards; `passes` looks at all undecided positions again and again, for games without
//! un-moves. What neither decides is a draw. `distances` counts plies to the end.

mod build;
mod codes;
mod distances;
mod known;
mod look;
mod oracle;
mod passes;
mod plies;
mod shape;
mod stats;
mod table;
mod unmoves;
pub mod verify;

pub use build::{BuildReport, TableBuild, TableOptions};
pub use codes::Counts;
pub use oracle::TableOracle;
pub use stats::{ClassStats, Longest, class_stats};
pub use table::Table;
