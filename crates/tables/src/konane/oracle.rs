//! A table that answers for a search.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use papamu_base::Stop;
use papamu_game::Value;
use papamu_games::Konane;
use papamu_games::konane::Position;

use crate::error::{DamagedBlock, TableError};
use crate::konane::table::Table;

/// A table as the oracle of searches of its board. A search cannot handle errors: at a damaged
/// block the oracle gives no answer and stops the search. The caller then checks for
/// [`damage`](TableOracle::damage).
pub struct TableOracle {
    table: Arc<Table>,
    most_stones: u32,
    hits: AtomicU64,
    stop: Stop,
    damage: OnceLock<DamagedBlock>,
}

impl TableOracle {
    /// The oracle for searches of a game that end when `stop` is set, for positions with at most
    /// `most_stones` stones if that is given.
    pub fn new(
        table: Arc<Table>,
        game: &Konane,
        most_stones: Option<u32>,
        stop: &Stop,
    ) -> Result<TableOracle, TableError> {
        table.check_board(game)?;
        let most_stones = most_stones.unwrap_or(table.most_stones());
        table.check_stones(most_stones)?;
        let (hits, damage) = (AtomicU64::new(0), OnceLock::new());
        Ok(TableOracle { table, most_stones, hits, stop: stop.clone(), damage })
    }

    /// The value of a position for the player to move, if the table knows it.
    #[inline]
    pub fn value(&self, game: &Konane, position: &Position) -> Option<Value> {
        if position.occupied.count_ones() > self.most_stones || game.is_removal(position) {
            return None;
        }
        match self.table.wins_by_jumps(position) {
            Ok(wins) => {
                let wins = wins?;
                self.hits.fetch_add(1, Ordering::Relaxed);
                Some(if wins { Value::Win } else { Value::Loss })
            }
            Err(damage) => {
                self.report(damage);
                None
            }
        }
    }

    #[cold]
    fn report(&self, damage: &DamagedBlock) {
        self.damage.get_or_init(|| damage.clone());
        self.stop.set();
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The most stones of the positions that it answers for.
    pub fn most_stones(&self) -> u32 {
        self.most_stones
    }

    /// The number of positions that were found in the table.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// The first damaged block that a probe met. The result of the search is void then.
    pub fn damage(&self) -> Option<&DamagedBlock> {
        self.damage.get()
    }
}
