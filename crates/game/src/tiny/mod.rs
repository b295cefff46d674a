//! Five tiny games that keep the trait honest: two that are impartial and fall apart into sums, one
//! of them in the plane, one that is partizan and does so too, one with draws and all symmetries,
//! one with cycles.

mod cram;
mod dodgem;
mod domineering;
mod kayles;
mod rectangle;
mod tic_tac_toe;

pub use cram::Cram;
pub use dodgem::Dodgem;
pub use domineering::Domineering;
pub use kayles::Kayles;
pub use tic_tac_toe::TicTacToe;
