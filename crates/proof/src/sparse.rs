//! The search of sparse certificates, as checkers do it.

use papamu_game::Certifiable;

use crate::claim::Goal;
use crate::strategy::moves_in_order;

/// How deep checkers search, in plies. A line that goes in circles has no other end.
const DEEPEST: u32 = 200;

/// The search from a position that was left out.
pub(crate) struct Search<'a, G: Certifiable> {
    game: &'a G,
    goal: Goal,
    /// The number of positions that may still be entered.
    left: u64,
    /// The owner's moves that prove the position, if they are wanted.
    moves: Option<Vec<(G::Position, G::Move)>>,
}

impl<'a, G: Certifiable> Search<'a, G> {
    pub(crate) fn new(game: &'a G, goal: Goal, budget: u64) -> Search<'a, G> {
        Search { game, goal, left: budget, moves: None }
    }

    /// Whether it proves a position within the budget.
    pub(crate) fn proves(mut self, position: &G::Position) -> bool {
        self.is_good(position, 0) == Some(true)
    }

    /// The owner's first good move, if it is found within the budget.
    pub(crate) fn first_move(mut self, position: &G::Position) -> Option<G::Move> {
        self.left = self.left.checked_sub(1)?;
        for mv in moves_in_order(self.game, position) {
            if self.is_good(&self.game.after(position, &mv), 1)? {
                return Some(mv);
            }
        }
        None
    }

    /// All positions with the owner to move that prove a position, and his moves.
    pub(crate) fn proof(mut self, position: &G::Position) -> Option<Vec<(G::Position, G::Move)>> {
        self.moves = Some(Vec::new());
        let is_good = self.is_good(position, 0)?;
        self.moves.filter(|_| is_good)
    }

    /// Whether a position is good for the owner; `None` if that is beyond the budget.
    fn is_good(&mut self, position: &G::Position, depth: u32) -> Option<bool> {
        self.left = self.left.checked_sub(1)?;
        if depth > DEEPEST {
            return None;
        }
        let moves = moves_in_order(self.game, position);
        if moves.is_empty() {
            return Some(self.goal.is_good_end(self.game, position));
        }
        let owner_moves = self.goal.owner_moves(self.game, position);
        let before = self.moves.as_ref().map_or(0, Vec::len);
        for mv in moves {
            let is_good = self.is_good(&self.game.after(position, &mv), depth + 1)?;
            if let Some(moves) = &mut self.moves {
                match is_good {
                    true if owner_moves => moves.push((position.clone(), mv)),
                    true => (),
                    false => moves.truncate(before),
                }
            }
            if is_good == owner_moves {
                return Some(owner_moves);
            }
        }
        Some(!owner_moves)
    }
}
