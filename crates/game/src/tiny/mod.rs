//! Four tiny games that keep the trait honest: one that is impartial and falls apart into sums,
//! one that is partizan and does so too, one with draws and all symmetries, one with cycles.

mod dodgem;
mod domineering;
mod kayles;
mod tic_tac_toe;

pub use dodgem::Dodgem;
pub use domineering::Domineering;
pub use kayles::Kayles;
pub use tic_tac_toe::TicTacToe;
