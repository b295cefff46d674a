//! What guides a search beyond the rules.

use crate::Game;

/// What a search asks about a new position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Survey {
    /// [`Game::count_moves`]
    pub moves: usize,
    /// [`Game::has_immediate_win`]
    pub has_immediate_win: bool,
    /// [`Guided::evaluate`]; may be left out for positions without moves and for those with an
    /// immediate win.
    pub evaluation: Option<f32>,
}

/// A game that can be searched, with its knowledge of good play.
///
/// The empty implementation is right for a game that knows nothing: `impl Guided for MyGame {}`.
/// It is a trait and not an entry of a table because searches call it for every position.
pub trait Guided: Game {
    /// An estimate of how well the player to move stands, if the game has one: higher is better,
    /// 0 is even.
    fn evaluate(&self, position: &Self::Position) -> Option<f32> {
        let _ = position;
        None
    }

    /// The number of moves that the opponent would have after a null move, as far as the game can
    /// tell; 0 if it cannot. For heuristics only.
    fn count_opponent_moves(&self, position: &Self::Position) -> usize {
        let _ = position;
        0
    }

    /// Everything that a search asks about a new position, for games that can compute it all at
    /// once.
    fn survey(&self, position: &Self::Position) -> Survey {
        let moves = self.count_moves(position);
        Survey {
            moves,
            has_immediate_win: moves > 0 && self.has_immediate_win(position),
            evaluation: self.evaluate(position),
        }
    }
}
