//! The trait of two-player games, and tools that work with every game.
//!
//! A game plugs in by implementing [`Game`], which is its rules. Perft ([`perft`]), state counts
//! ([`states`]), self-play ([`self_play`]) and the checker of rules ([`rules`]) then work with it,
//! and so do all searches built on this crate. The [`tiny`] games are examples of the trait at its
//! smallest.
//!
//! ```
//! use papamu_game::tiny::TicTacToe;
//! use papamu_game::{Game, Player};
//!
//! let (game, mut position) = TicTacToe::read("x.o/.x./o.. x")?;
//! let winning = game.read_move(&position, "c1")?;
//! assert!(game.has_immediate_win(&position));
//! game.play(&mut position, &winning);
//! assert_eq!(game.to_move(&position), Player::Second);
//! assert_eq!(game.count_moves(&position), 0);
//! # Ok::<(), papamu_game::NotationError>(())
//! ```

mod capabilities;
mod certifiable;
mod game;
mod guided;
mod indexed;
mod key;
pub mod notation;
mod options;
pub mod perft;
mod player;
pub mod ranking;
pub mod rules;
pub mod self_play;
pub mod states;
pub mod sums;
mod symmetry;
pub mod tiny;
mod value;

pub use capabilities::{
    Capabilities, Components, MakeIndex, MakeSums, NullMove, Numbering, index_of_game,
};
pub use certifiable::{Certifiable, CertificateNumber, from_ternary, ternary_digits, to_ternary};
pub use game::Game;
pub use guided::{Guided, Survey, Threats, threats_by_moves};
pub use indexed::{ByExits, Entry, Indexed, PositionIndex};
pub use key::{Key, RunKey};
pub use notation::NotationError;
pub use options::{Ending, NoOptions, RuleOptions, UnknownOptions};
pub use player::Player;
pub use symmetry::Symmetry;
pub use value::{Question, Value};
