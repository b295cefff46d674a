//! Three tiny games that keep the trait honest: one that is impartial and falls apart into sums,
//! one with draws and all symmetries, one with cycles.

mod dodgem;
mod kayles;
mod tic_tac_toe;

pub use dodgem::Dodgem;
pub use kayles::Kayles;
pub use tic_tac_toe::TicTacToe;
