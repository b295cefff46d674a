//! The two players.

use std::ops::Not;

/// One of the two players, in the order in which they move from the start of the game.
///
/// The game names the players: First is Black in Konane, White in Fanorona.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// The player who begins.
    First,
    /// The player who answers.
    Second,
}

impl Player {
    /// 0 for [`Player::First`], 1 for [`Player::Second`].
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Player {
    type Output = Player;

    fn not(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }
}
