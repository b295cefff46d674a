//! The games of papamu, and the registry that names them.

pub mod konane;
mod registry;
pub mod sprouts;

pub use konane::Konane;
pub use registry::{GAMES, Info, UnknownGame, Visitor, visit};
pub use sprouts::Sprouts;
