//! Tables as oracles of searches.

use std::any::Any;
use std::path::Path;

use papamu_game::{Game, Value};
use papamu_games::Konane;
use papamu_games::konane::Position;
use papamu_search::problem::Oracle;
use papamu_tables::table::Table;

use crate::build::board_name;
use crate::failure::Failure;

/// A table of the board, for positions with up to some number of stones.
struct FewStones {
    table: Table,
    most_stones: u32,
}

impl Oracle<Konane> for FewStones {
    #[inline]
    fn value(&self, game: &Konane, position: &Position) -> Option<Value> {
        if position.occupied.count_ones() > self.most_stones || game.is_removal(position) {
            return None;
        }
        let wins = self.table.wins_by_jumps(position)?;
        Some(if wins { Value::Win } else { Value::Loss })
    }
}

/// The table in a directory as an oracle for a game; with a limit, for positions with at most so
/// many stones.
pub(crate) fn oracle<G: Game>(
    game: &G,
    directory: &Path,
    most_stones: Option<u32>,
) -> Result<Box<dyn Oracle<G>>, Failure> {
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
    let knows = table.shape().most_stones();
    let most_stones = most_stones.map_or(knows, |most| most.min(knows));
    let oracle: Box<dyn Oracle<Konane>> = Box::new(FewStones { table, most_stones });
    // G is Konane, as was seen above; only the compiler does not know it.
    let oracle = Box::new(oracle) as Box<dyn Any>;
    match oracle.downcast::<Box<dyn Oracle<G>>>() {
        Ok(oracle) => Ok(*oracle),
        Err(_) => Err(Failure::Arguments("the table is of another game".to_owned())),
    }
}

/// The most stones of the positions that a table knows.
pub(crate) fn most_stones(directory: &Path) -> Result<u32, Failure> {
    Ok(Table::open(directory)?.shape().most_stones())
}
