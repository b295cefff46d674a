//! What a two-player game is, and what can be done with any game that says so.
//!
//! A game plugs in by implementing [`Game`]. Perft ([`perft`]), state counts ([`states`]) and the
//! checker of rules ([`rules`]) then work with it, and so do all searches built on this crate.
//! The [`tiny`] games are examples of the trait at its smallest.

mod game;
mod key;
pub mod memory;
pub mod notation;
pub mod perft;
mod player;
mod prefetch;
mod progress;
pub mod rules;
pub mod states;
pub mod sums;
mod symmetry;
pub mod tiny;
mod value;
mod words;

pub use game::{Game, Survey};
pub use key::Key;
pub use notation::NotationError;
pub use player::Player;
pub use prefetch::prefetch;
pub use progress::Progress;
pub use symmetry::Symmetry;
pub use value::{Question, Value};
pub use words::{AtomicWords, Words};
