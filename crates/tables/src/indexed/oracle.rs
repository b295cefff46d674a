//! A table that answers for a search.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use papamu_base::Stop;
use papamu_game::{Indexed, PositionIndex, Value};

use crate::error::{DamagedBlock, TableError};
use crate::indexed::table::Table;

/// A table as the oracle of searches of its board. A search cannot handle errors: at a damaged
/// block the oracle gives no answer and stops the search. The caller then checks for
/// [`damage`](TableOracle::damage).
pub struct TableOracle<G: Indexed> {
    table: Arc<Table<G>>,
    /// The classes before this one are used.
    end_class: u32,
    hits: AtomicU64,
    stop: Stop,
    damage: OnceLock<DamagedBlock>,
}

impl<G: Indexed> TableOracle<G> {
    /// The oracle for searches of a game that end when `stop` is set, for positions with at most
    /// `most_stones` stones if that is given.
    pub fn new(
        table: Arc<Table<G>>,
        game: &G,
        most_stones: Option<u32>,
        stop: &Stop,
    ) -> Result<TableOracle<G>, TableError> {
        table.check_board(game)?;
        let known = table.most_stones();
        if let Some(stones) = most_stones.filter(|&stones| stones > known) {
            return Err(TableError::TooManyStones { stones, most_stones: known });
        }
        let (index, most_stones) = (table.index(), most_stones.unwrap_or(known));
        let beyond = (0..index.classes()).find(|&class| index.stones(class) > most_stones);
        let end_class = beyond.unwrap_or(index.classes());
        let (hits, damage) = (AtomicU64::new(0), OnceLock::new());
        Ok(TableOracle { table, end_class, hits, stop: stop.clone(), damage })
    }

    /// The value of a position for the player to move, if the table knows it.
    #[inline]
    pub fn value(&self, position: &G::Position) -> Option<Value> {
        let entry = self.table.index().entry(position)?;
        if entry.class >= self.end_class {
            return None;
        }
        match self.table.code(entry) {
            Ok(code) => {
                let value = code.value()?;
                self.hits.fetch_add(1, Ordering::Relaxed);
                Some(value)
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

    /// The number of positions that were found in the table.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// The first damaged block that a probe met. The result of the search is void then.
    pub fn damage(&self) -> Option<&DamagedBlock> {
        self.damage.get()
    }
}
