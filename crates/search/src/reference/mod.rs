//! Reference solvers: exact, and without any technique but memory. Each kind of game has its own:
//! minimax where play ends, nimbers where both players have the same moves, retrograde analysis
//! where play can cycle.

mod minimax;
mod nimber;
mod retrograde;

use papamu_base::Progress;
use papamu_base::memory::Unfinished;
use papamu_game::{Capabilities, Game, Value};

use crate::line::Line;

pub use nimber::Nimbers;

/// The result of a reference solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<M> {
    /// The value for the player to move.
    pub value: Value,
    /// A move that keeps the value; `None` if there is no move.
    pub best_move: Option<M>,
    /// How play goes on, unless the solver knows no positions but only their components.
    pub line: Option<Line<M>>,
    /// The number of positions that were examined.
    pub nodes: u64,
    /// The nimber, of impartial games.
    pub nimber: Option<u32>,
    /// The reference solver that was used.
    pub method: Method,
}

impl Method {
    /// The name by which users know it.
    pub fn name(self) -> &'static str {
        match self {
            Method::Minimax => "minimax",
            Method::Nimbers => "nimbers",
            Method::Retrograde => "retrograde",
        }
    }
}

/// The reference solvers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Depth-first minimax that remembers values.
    Minimax,
    /// Nimbers of the components of impartial positions.
    Nimbers,
    /// All reachable positions, solved backwards from the ends of the game.
    Retrograde,
}

/// Solves a position. `progress` counts the positions examined.
pub fn solve<G: Game>(
    game: &G,
    position: &G::Position,
    capabilities: &Capabilities<G>,
    limit_bytes: usize,
    progress: &Progress,
) -> Result<Solution<G::Move>, Unfinished> {
    if G::CYCLIC {
        retrograde::solve(game, position, limit_bytes, progress)
    } else if G::IMPARTIAL && !game.is_misere() {
        nimber::solve(game, position, capabilities, limit_bytes, progress)
    } else {
        minimax::solve(game, position, limit_bytes, progress)
    }
}
