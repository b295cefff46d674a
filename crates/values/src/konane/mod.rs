//! Values of Konane positions: black stones are Left's, white ones Right's.

mod bits;
mod evaluator;
pub mod families;
mod grid;
pub mod invariants;
mod known;
mod normal;
mod outcome;
mod rows_of_8;
mod stones;

pub use evaluator::{Evaluator, Regions};
pub use grid::{BadGrid, Grid, MOST_SQUARES, Square};
pub use outcome::{Outcomes, TRACTABLE_SQUARES};
