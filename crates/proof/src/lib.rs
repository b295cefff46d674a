//! Certificates: strategies that anyone can check (`docs/certificate-format.md`).
//!
//! A [`strategy`] is a set of positions with the moves of a player, who by them wins, or wins or
//! draws: his [`claim`]. [`extract`] makes one from the solved positions of a search, [`edit`]
//! trims it, leaves out positions that are easily proved or fills them in again, [`merge`] makes
//! one of several, and [`mod@file`] writes and reads it.
//!
//! ```
//! use papamu_game::{Game, Player};
//! use papamu_games::Konane;
//! use papamu_proof::claim::Goal;
//! use papamu_proof::strategy::Strategy;
//!
//! // White has no move, so Black wins without a record.
//! let (game, root) = Konane::read("x.xo/.... w")?;
//! let strategy = Strategy::new(&game, &root, Goal::wins(Player::First));
//!
//! let file = tempfile::NamedTempFile::new()?;
//! strategy.write_to(&mut file.as_file())?;
//! let again = Strategy::<Konane>::load(file.path())?;
//! assert_eq!(again.header(), strategy.header());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod circles;
pub mod claim;
pub mod edit;
pub mod extract;
pub mod file;
mod filter;
mod header;
mod leb128;
pub mod merge;
mod pile;
mod ranks;
mod records;
mod sparse;
mod stages;
pub mod strategy;
