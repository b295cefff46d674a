//! What guides a search beyond the rules.

use crate::{Game, Value};

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

/// What the threats in a position show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threats {
    /// The player to move wins.
    Win,
    /// The player to move loses: after each of his moves the opponent has an immediate win.
    Loss,
    /// Neither is clear. This many of his moves leave the opponent without an immediate win.
    Safe(usize),
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

    /// Looks for threats in a position that has moves and no immediate win, for games that can tell
    /// faster than by trying all moves. `depth` is how many plies ahead it looks: with 2 it counts
    /// the safe replies, with 3 or more it also finds a move after which the opponent has none.
    fn threats(&self, position: &Self::Position, depth: u32) -> Threats {
        threats_by_moves(self, position, depth)
    }
}

/// [`Guided::threats`] for any game, by trying all moves.
pub fn threats_by_moves<G: Guided>(game: &G, position: &G::Position, depth: u32) -> Threats {
    let (mut moves, mut safe) = (Vec::new(), 0);
    game.moves(position, &mut moves);
    for mv in &moves {
        let child = game.after(position, mv);
        if game.count_moves(&child) == 0 {
            safe += usize::from(game.final_value(&child) != Value::Win);
        } else if !game.has_immediate_win(&child) {
            safe += 1;
            if depth >= 3 && threats_by_moves(game, &child, 2) == Threats::Loss {
                return Threats::Win;
            }
        }
    }
    if safe == 0 { Threats::Loss } else { Threats::Safe(safe) }
}
