//! The games of papamu, one folder each: rules, notation, symmetry, evaluation.
//!
//! ```
//! use papamu_game::Game;
//! use papamu_games::Konane;
//!
//! let (konane, start) = Konane::read("6x6")?;
//! assert_eq!(konane.count_moves(&start), 4);
//! # Ok::<(), papamu_game::NotationError>(())
//! ```

pub mod fanorona;
pub mod konane;
pub mod sprouts;

pub use fanorona::Fanorona;
pub use konane::Konane;
pub use sprouts::Sprouts;
