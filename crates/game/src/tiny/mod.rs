//! Six tiny games that keep the trait honest: two that are impartial and fall apart into sums, one
//! of them in the plane, one that is partizan and does so too, one with draws and all symmetries,
//! two with cycles.

mod cram;
mod dodgem;
mod domineering;
mod kayles;
mod mu_torere;
mod rectangle;
mod tic_tac_toe;

pub use cram::Cram;
pub use dodgem::{CarIndex, Dodgem};
pub use domineering::Domineering;
pub use kayles::Kayles;
pub use mu_torere::{MuTorere, StarIndex};
pub use tic_tac_toe::{MarkIndex, TicTacToe};
