//! All positions of small boards.

use clap::ValueEnum;
use papamu_values::konane::{Grid, Square};

use crate::failure::Failure;

/// The colours of stones.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colours {
    /// Those of a real game: black where row + column is even, counted from the top left corner
    Game,
    /// Any stone anywhere
    Any,
}

/// More positions than this are refused.
const MOST: u64 = 100_000_000;

/// The positions of a board, by number.
pub(crate) struct Boards {
    empty: Grid,
    colours: Colours,
    count: u64,
}

impl Boards {
    pub(crate) fn new(rows: usize, columns: usize, colours: Colours) -> Result<Boards, Failure> {
        let empty = Grid::new(rows, columns);
        let empty = empty.map_err(|error| Failure::Arguments(error.to_string()))?;
        let kinds = kinds(colours);
        let count = kinds.checked_pow((rows * columns) as u32).filter(|&count| count <= MOST);
        let count = count.ok_or_else(|| {
            let problem =
                format!("{rows}x{columns} has more than {MOST} positions; give a smaller board");
            Failure::Arguments(problem)
        })?;
        Ok(Boards { empty, colours, count })
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// One of them.
    pub(crate) fn get(&self, index: u64) -> Grid {
        let kinds = kinds(self.colours);
        let mut grid = self.empty.clone();
        let mut rest = index;
        for row in 0..grid.rows() {
            for column in 0..grid.columns() {
                let square = match (rest % kinds, self.colours) {
                    (0, _) => Square::Empty,
                    (1, Colours::Any) => Square::Black,
                    (_, Colours::Any) => Square::White,
                    _ if (row + column) % 2 == 0 => Square::Black,
                    _ => Square::White,
                };
                grid.set(row, column, square);
                rest /= kinds;
            }
        }
        grid
    }
}

/// What a square may hold.
fn kinds(colours: Colours) -> u64 {
    if colours == Colours::Game { 2 } else { 3 }
}

/// Reads a size such as 3x4.
pub(crate) fn size(text: &str) -> Result<(usize, usize), Failure> {
    let bad = || Failure::Arguments(format!("`{text}` is no size of a board, such as 3x3"));
    let (rows, columns) = text.split_once('x').ok_or_else(bad)?;
    let number = |text: &str| text.parse::<usize>().ok().filter(|&n| (1..=256).contains(&n));
    number(rows).zip(number(columns)).ok_or_else(bad)
}
