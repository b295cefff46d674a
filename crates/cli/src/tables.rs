//! Tables as oracles of searches.

use std::any::Any;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use papamu_game::{Game, Value};
use papamu_games::Konane;
use papamu_games::konane::Position;
use papamu_search::problem::Oracle;
use papamu_tables::table::Table;

use crate::build::board_name;
use crate::failure::Failure;

/// A table of the board of a search.
pub(crate) struct BoardTable {
    table: Arc<Table>,
    /// Positions that were found in it.
    hits: Arc<AtomicU64>,
}

/// The table for positions with up to some number of stones.
struct FewStones {
    table: Arc<Table>,
    most_stones: u32,
    hits: Arc<AtomicU64>,
}

impl Oracle<Konane> for FewStones {
    #[inline]
    fn value(&self, game: &Konane, position: &Position) -> Option<Value> {
        if position.occupied.count_ones() > self.most_stones || game.is_removal(position) {
            return None;
        }
        let wins = self.table.wins_by_jumps(position)?;
        self.hits.fetch_add(1, Ordering::Relaxed);
        Some(if wins { Value::Win } else { Value::Loss })
    }
}

impl BoardTable {
    /// Opens the table in a directory, which must be of the board of a game.
    pub(crate) fn open<G: Game>(game: &G, directory: &Path) -> Result<BoardTable, Failure> {
        let Some(game) = (game as &dyn Any).downcast_ref::<Konane>() else {
            let name = G::NAME;
            return Err(Failure::Arguments(format!("there are tables of konane, not of {name}")));
        };
        let table = Table::open(directory)?;
        let [of_table, of_game] = [table.game(), game].map(board_name);
        if of_table != of_game {
            return Err(Failure::Arguments(format!(
                "the table is of konane {of_table}, the position of {of_game}"
            )));
        }
        Ok(BoardTable { table: Arc::new(table), hits: Arc::default() })
    }

    /// The most stones of the positions that it knows.
    pub(crate) fn most_stones(&self) -> u32 {
        self.table.shape().most_stones()
    }

    /// How many positions searches have found in it.
    pub(crate) fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// Refuses a number of stones beyond those that it knows.
    pub(crate) fn check_stones(&self, stones: u32) -> Result<(), Failure> {
        let known = self.most_stones();
        if stones > known {
            return Err(Failure::Arguments(format!(
                "the table knows positions with up to {known} stones, not {stones}"
            )));
        }
        Ok(())
    }

    /// The table as an oracle for searches of the game with which it was opened; with a limit, for
    /// positions with at most so many stones.
    pub(crate) fn oracle<G: Game>(&self, most_stones: Option<u32>) -> Option<Box<dyn Oracle<G>>> {
        let knows = self.most_stones();
        let most_stones = most_stones.map_or(knows, |most| most.min(knows));
        let oracle: Box<dyn Oracle<Konane>> = Box::new(FewStones {
            table: Arc::clone(&self.table),
            most_stones,
            hits: Arc::clone(&self.hits),
        });
        // G is Konane, as was seen when the table was opened; only the compiler does not know it.
        let oracle = Box::new(oracle) as Box<dyn Any>;
        oracle.downcast::<Box<dyn Oracle<G>>>().ok().map(|oracle| *oracle)
    }
}
