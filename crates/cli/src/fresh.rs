//! Random positions on which conjectures are tested.

use std::str::FromStr;

use papamu_values::conjecture::Table;
use papamu_values::konane::{Grid, Regions, Square};
use papamu_values::{Forms, Limits};

use crate::boards::size;
use crate::failure::Failure;
use crate::invariants::{names, numbers_and_properties, rows, threads};
use crate::output::Output;

/// How many random positions of which board.
#[derive(Clone, Debug)]
pub(crate) struct RandomBoards {
    rows: usize,
    columns: usize,
    count: usize,
}

/// More positions than this are refused.
const MOST: usize = 1_000_000;
/// Memory for the values of positions.
const MEMORY_BYTES: u64 = 4 << 30;

impl FromStr for RandomBoards {
    type Err = String;

    fn from_str(text: &str) -> Result<RandomBoards, String> {
        let (board, count) =
            text.split_once(':').ok_or("it is a size and a count, such as 4x4:1000")?;
        let (rows, columns) = size(board).map_err(|failure| failure.to_string())?;
        // Boards that are too large are refused here, before any work is done.
        Grid::new(rows, columns).map_err(|error| error.to_string())?;
        let count = count.parse().ok().filter(|count| (1..=MOST).contains(count));
        let count = count.ok_or_else(|| format!("the count is a number from 1 to {MOST}"))?;
        Ok(RandomBoards { rows, columns, count })
    }
}

impl RandomBoards {
    /// A table of positions with these invariants, of which the first is defined.
    pub(crate) fn table(
        &self,
        invariants: &[String],
        seed: u64,
        output: &Output,
    ) -> Result<Table, Failure> {
        let place = |name: &String| {
            names().position(|known| known == name).ok_or_else(|| {
                let problem = format!(
                    "--test-random cannot work out `{name}`: `papamu invariants --properties` shows what it can; \
                     choose invariants with --invariants, or give a table with --test"
                );
                Failure::Arguments(problem)
            })
        };
        let places: Vec<usize> = invariants.iter().map(place).collect::<Result<_, _>>()?;
        let mut random = fastrand::Rng::with_seed(seed);
        let grids = (0..self.count)
            .map(|_| self.grid(&mut random))
            .collect::<Result<Vec<Grid>, Failure>>()?;
        let limits = Limits { deadline: None, memory_bytes: MEMORY_BYTES };
        let regions = Regions::new(Forms::new(limits)?)?;
        let all = rows(&grids, numbers_and_properties, &regions, &threads(1)?, output)?;
        let mut table = Table {
            invariants: invariants.to_vec(),
            objects: Vec::new(),
            columns: vec![Vec::new(); places.len()],
        };
        for (grid, row) in grids.iter().zip(&all) {
            // A position without the first says nothing about it.
            if row[places[0]].is_nan() {
                continue;
            }
            table.objects.push(grid.to_string());
            for (column, &place) in table.columns.iter_mut().zip(&places) {
                column.push(row[place]);
            }
        }
        Ok(table)
    }

    /// Each square is taken or empty with equal chances, with the colours of a real game.
    fn grid(&self, random: &mut fastrand::Rng) -> Result<Grid, Failure> {
        let grid = Grid::full(self.rows, self.columns);
        let mut grid = grid.map_err(|error| Failure::Arguments(error.to_string()))?;
        for row in 0..self.rows {
            for column in 0..self.columns {
                if random.bool() {
                    grid.set(row, column, Square::Empty);
                }
            }
        }
        Ok(grid)
    }
}
