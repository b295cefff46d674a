//! The length of a decided game, by search over a table that knows values only: the winner ends it
//! as fast as possible, the loser as late as possible.
//!
//! The question is always whether the game ends within a limit, which grows until the answer is
//! yes. A limit ends lines that go in circles, and what was found out about a position, a least and
//! a largest number of plies, does not depend on the way to it.

use std::collections::HashMap;

use papamu_base::Stop;
use papamu_game::{Game, Value};

use crate::error::TableError;

/// No game is followed further than this, so that the stack is deep enough.
const MOST_PLIES: u32 = 2_000;

/// What is known about the number of plies to the end.
#[derive(Clone, Copy)]
struct Bounds {
    least: u32,
    most: u32,
}

impl Bounds {
    /// Of a position with moves.
    const UNKNOWN: Bounds = Bounds { least: 1, most: u32::MAX };
    const OVER: Bounds = Bounds { least: 0, most: 0 };
    const NEVER: Bounds = Bounds { least: u32::MAX, most: u32::MAX };

    /// Whether they answer whether the game ends within a limit.
    fn decide(self, limit: u32) -> bool {
        self.most <= limit || self.least > limit
    }

    /// One ply earlier.
    fn one_more(self) -> Bounds {
        Bounds { least: self.least.saturating_add(1), most: self.most.saturating_add(1) }
    }

    /// Of the shorter of two games.
    fn min(self, other: Bounds) -> Bounds {
        Bounds { least: self.least.min(other.least), most: self.most.min(other.most) }
    }

    /// Of the longer of two games.
    fn max(self, other: Bounds) -> Bounds {
        Bounds { least: self.least.max(other.least), most: self.most.max(other.most) }
    }
}

/// A search for numbers of plies, which remembers what it has found.
pub(crate) struct PliesSearch<'a, G: Game, V> {
    game: &'a G,
    /// The value of a position for the player to move, if the table knows it.
    value: V,
    stop: &'a Stop,
    /// By key, of positions with moves.
    known: HashMap<G::Key, Bounds>,
    /// How many more positions may be examined.
    budget: u64,
    /// How much of it is left for later questions.
    later: u64,
}

impl<'a, G: Game, V: Fn(&G::Position) -> Result<Option<Value>, TableError>> PliesSearch<'a, G, V> {
    /// A search that examines no more than `budget` positions in all.
    pub(crate) fn new(game: &'a G, value: V, budget: u64, stop: &'a Stop) -> Self {
        PliesSearch { game, value, stop, known: HashMap::new(), budget, later: 0 }
    }

    /// The number of plies to the end of the game under best play. Nothing if it does not end, if
    /// the table does not know the position, or if that took more than the n-th part of what is
    /// left of the budget.
    pub(crate) fn find(
        &mut self,
        position: &G::Position,
        n: u64,
    ) -> Result<Option<u32>, TableError> {
        let value = match (self.value)(position)? {
            None | Some(Value::Draw) => return Ok(None),
            Some(value) => value,
        };
        self.later = self.budget - self.budget / n;
        let mut limit = 0;
        while limit <= MOST_PLIES {
            let Some(bounds) = self.within(position, value, limit)? else { break };
            if bounds.most <= limit {
                return Ok(Some(limit));
            }
            limit = bounds.least;
        }
        Ok(None)
    }

    /// Bounds that say whether the game ends within a limit, unless the budget is spent. The value
    /// is that of the position, no draw.
    fn within(
        &mut self,
        position: &G::Position,
        value: Value,
        limit: u32,
    ) -> Result<Option<Bounds>, TableError> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        if moves.is_empty() {
            return Ok(Some(Bounds::OVER));
        }
        let key = self.game.key(position);
        let bounds = self.known.get(&key).copied().unwrap_or(Bounds::UNKNOWN);
        if bounds.decide(limit) {
            return Ok(Some(bounds));
        }
        self.stop.check()?;
        if self.budget <= self.later {
            return Ok(None);
        }
        self.budget -= 1;
        let wins = value == Value::Win;
        let mut found = if wins { Bounds::NEVER } else { Bounds::OVER };
        for mv in &moves {
            let child = self.game.after(position, mv);
            match (self.value)(&child)? {
                Some(of_child) if of_child == -value => (),
                // A winner may have worse moves, a loser has no better ones.
                Some(_) if wins => continue,
                _ => return Ok(None),
            }
            let Some(after) = self.within(&child, -value, limit - 1)? else { return Ok(None) };
            let through = after.one_more();
            found = if wins { found.min(through) } else { found.max(through) };
            // One fast win, or one line that is too long, is enough; but other moves may be better.
            if wins && found.most <= limit {
                found.least = 0;
                break;
            }
            if !wins && found.least > limit {
                found.most = u32::MAX;
                break;
            }
        }
        let bounds =
            Bounds { least: bounds.least.max(found.least), most: bounds.most.min(found.most) };
        self.known.insert(key, bounds);
        Ok(Some(bounds))
    }
}
