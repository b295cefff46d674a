//! The length of a decided game: the winner ends it as fast as possible, the loser as late as
//! possible.

use std::collections::HashMap;

use papamu_base::Stop;
use papamu_game::{Game, Value};
use papamu_games::konane::Position;

use crate::error::TableError;
use crate::konane::table::Table;

/// A search for numbers of plies, which remembers what it has found.
pub struct Plies<'a> {
    table: &'a Table,
    stop: &'a Stop,
    /// The numbers of plies, by key, of positions with moves.
    known: HashMap<u64, u32>,
    budget: u64,
}

impl<'a> Plies<'a> {
    /// A search over a table that examines no more than `budget` positions.
    pub fn new(table: &'a Table, budget: u64, stop: &'a Stop) -> Plies<'a> {
        Plies { table, stop, known: HashMap::new(), budget }
    }

    /// The number of plies to the end of the game under best play, unless the budget is spent or
    /// the table does not know the position.
    pub fn to_end(&mut self, position: &Position) -> Result<Option<u32>, TableError> {
        let game = self.table.game();
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        if moves.is_empty() {
            return Ok(Some(0));
        }
        let key = game.key(position);
        if let Some(&plies) = self.known.get(&key) {
            return Ok(Some(plies));
        }
        self.stop.check()?;
        let Some(budget) = self.budget.checked_sub(1) else { return Ok(None) };
        self.budget = budget;
        let Some(value) = self.table.value(position)? else { return Ok(None) };
        let wins = value == Value::Win;
        let mut best: Option<u32> = None;
        for mv in &moves {
            let mut child = *position;
            game.play(&mut child, mv);
            if wins && self.table.value(&child)? == Some(Value::Win) {
                continue;
            }
            let Some(plies) = self.to_end(&child)? else { return Ok(None) };
            let plies = plies + 1;
            best = Some(match best {
                None => plies,
                Some(best) if wins => best.min(plies),
                Some(best) => best.max(plies),
            });
            // No win is faster.
            if wins && plies == 1 {
                break;
            }
        }
        if let Some(best) = best {
            self.known.insert(key, best);
        }
        Ok(best)
    }
}
