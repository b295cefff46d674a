//! Values of Konane positions: black stones are Left's, white ones Right's.

mod bits;
pub mod boards;
mod evaluator;
pub mod families;
mod find;
pub mod invariants;
mod known;
mod normal;
mod outcome;
mod position;
mod rows_of_8;
mod stones;

pub use evaluator::{Evaluator, Regions};
pub use find::{FindError, smallest};
pub use outcome::{Outcomes, Partial, TRACTABLE_SQUARES};
pub use papamu_games::konane::{MAX_SETUP_SQUARES, Setup, Square};
pub use position::{Move, Region, moves, region_of_squares, regions};
