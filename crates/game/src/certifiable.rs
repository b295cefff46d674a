//! Numbers of positions in certificates.

use crate::{Guided, Player};

/// A game whose solutions can be certified (`docs/certificate-format.md`).
pub trait Certifiable: Guided {
    /// The number of a position: the same for all positions that are images of each other.
    fn certificate_number(&self, position: &Self::Position) -> u64;

    /// The position with that number and that player to move, if there is one.
    fn position_of_number(&self, number: u64, mover: Player) -> Option<Self::Position>;

    /// A measure of how far a position of that number is from its end. It decreases with every
    /// move.
    fn stage_of_number(&self, number: u64) -> u32;

    /// The number by which the moves of a position are sorted.
    fn move_order(&self, mv: &Self::Move) -> u64;
}
