//! Positions as people draw them: any size up to 256 squares, stones of any colour anywhere.

use std::fmt;

use thiserror::Error;

use super::bits::{Bits, U256};
use super::evaluator::Evaluator;
use super::normal::Large;
use super::stones::{Layout, Stones};
use crate::forms::{Halt, Value};

/// What a square holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Square {
    /// Nothing.
    Empty,
    /// A stone of Left.
    Black,
    /// A stone of Right.
    White,
    /// It is not part of the board.
    Wall,
}

/// A rectangular board.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grid {
    columns: usize,
    /// Row by row from the top.
    squares: Vec<Square>,
}

impl Square {
    /// The other colour; walls and empty squares stay what they are.
    pub fn opponent(self) -> Square {
        match self {
            Square::Black => Square::White,
            Square::White => Square::Black,
            other => other,
        }
    }
}

/// Most squares of a board.
pub const MOST_SQUARES: usize = U256::SIZE as usize;

/// Why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadGrid {
    /// There are no squares.
    #[error(
        "the board is empty: rows of `x` black, `o` white, `.` empty are joined by `/`, as in `.ox./o..x`"
    )]
    Empty,
    /// A character has no meaning.
    #[error(
        "row {row}, column {column}: `{found}` is neither `x` (black), `o` (white), `.` (empty) nor `#` (wall)"
    )]
    Square {
        /// From 1, from the top.
        row: usize,
        /// From 1.
        column: usize,
        /// The character.
        found: char,
    },
    /// Rows differ in length.
    #[error("row {row} has {found} squares and the first has {expected}")]
    Ragged {
        /// From 1, from the top.
        row: usize,
        /// Its length.
        found: usize,
        /// The length of the first.
        expected: usize,
    },
    /// There are too many squares.
    #[error("{rows}x{columns} is {} squares, more than {MOST_SQUARES}", rows * columns)]
    TooLarge {
        /// Rows of the board.
        rows: usize,
        /// Columns of the board.
        columns: usize,
    },
}

impl Grid {
    /// A board of empty squares, if it is not too large.
    pub fn new(rows: usize, columns: usize) -> Result<Grid, BadGrid> {
        if rows == 0 || columns == 0 {
            return Err(BadGrid::Empty);
        }
        if rows.checked_mul(columns).is_none_or(|squares| squares > MOST_SQUARES) {
            return Err(BadGrid::TooLarge {
                rows: rows.min(1 << 20),
                columns: columns.min(1 << 20),
            });
        }
        Ok(Grid { columns, squares: vec![Square::Empty; rows * columns] })
    }

    /// A board full of stones that alternate, black in the corner at the top left.
    pub fn full(rows: usize, columns: usize) -> Result<Grid, BadGrid> {
        let mut grid = Grid::new(rows, columns)?;
        for row in 0..rows {
            for column in 0..columns {
                let black = (row + column).is_multiple_of(2);
                grid.set(row, column, if black { Square::Black } else { Square::White });
            }
        }
        Ok(grid)
    }

    /// Reads rows from the top, joined by `/` or line breaks.
    pub fn read(text: &str) -> Result<Grid, BadGrid> {
        let rows: Vec<&str> = text.trim().split(['/', '\n']).map(str::trim).collect();
        let expected = rows[0].chars().count();
        if expected == 0 {
            return Err(BadGrid::Empty);
        }
        let mut grid = Grid::new(rows.len(), expected)?;
        for (i, row) in rows.iter().enumerate() {
            for (column, found) in row.chars().enumerate() {
                let square = match found {
                    'x' | 'X' | '●' => Square::Black,
                    'o' | 'O' | '○' => Square::White,
                    '.' | '_' | '·' => Square::Empty,
                    '#' => Square::Wall,
                    _ => return Err(BadGrid::Square { row: i + 1, column: column + 1, found }),
                };
                if column < expected {
                    grid.set(i, column, square);
                }
            }
            let found = row.chars().count();
            if found != expected {
                return Err(BadGrid::Ragged { row: i + 1, found, expected });
            }
        }
        Ok(grid)
    }

    /// Rows of the board.
    pub fn rows(&self) -> usize {
        self.squares.len() / self.columns
    }

    /// Columns of the board.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// What is on a square; beyond the board are walls.
    pub fn get(&self, row: usize, column: usize) -> Square {
        let on_board = row < self.rows() && column < self.columns;
        if on_board { self.squares[row * self.columns + column] } else { Square::Wall }
    }

    /// Puts something on a square of the board.
    pub fn set(&mut self, row: usize, column: usize, square: Square) {
        debug_assert!(row < self.rows() && column < self.columns);
        self.squares[row * self.columns + column] = square;
    }

    /// The position with the colours exchanged, which has the negative value.
    pub fn exchanged(&self) -> Grid {
        let squares = self.squares.iter().map(|square| square.opponent()).collect();
        Grid { columns: self.columns, squares }
    }

    /// Whether it is the least of its images under the symmetries of the board and the exchange of colours; if so told, among
    /// those whose colours alternate as on a full board.
    pub fn is_least_image(&self, must_alternate: bool) -> bool {
        let alternates = |grid: &Grid| {
            let is_right = |(i, &square): (usize, &Square)| {
                let is_black = (i / grid.columns + i % grid.columns).is_multiple_of(2);
                square != if is_black { Square::White } else { Square::Black }
            };
            grid.squares.iter().enumerate().all(is_right)
        };
        (0..8).all(|symmetry| {
            let image = self.image(symmetry);
            // A turned board may be another one.
            image.columns != self.columns
                || [image.exchanged(), image]
                    .iter()
                    .all(|image| self <= image || (must_alternate && !alternates(image)))
        })
    }

    /// The board reflected top to bottom (1), left to right (2) and across the diagonal (4).
    fn image(&self, symmetry: u32) -> Grid {
        let (rows, columns) = (self.rows(), self.columns);
        let (new_rows, new_columns) =
            if symmetry & 4 > 0 { (columns, rows) } else { (rows, columns) };
        let square = |i: usize| {
            let (row, column) = (i / new_columns, i % new_columns);
            let (row, column) = if symmetry & 4 > 0 { (column, row) } else { (row, column) };
            let row = if symmetry & 1 > 0 { rows - 1 - row } else { row };
            let column = if symmetry & 2 > 0 { columns - 1 - column } else { column };
            self.get(row, column)
        };
        Grid { columns: new_columns, squares: (0..new_rows * new_columns).map(square).collect() }
    }

    /// How many squares hold that.
    pub fn count(&self, square: Square) -> usize {
        self.squares.iter().filter(|&&other| other == square).count()
    }

    /// The name of a square: columns are letters from the left, rows are numbers from the bottom.
    pub fn name(&self, row: usize, column: usize) -> String {
        let mut letters = Vec::new();
        let mut rest = column + 1;
        while rest > 0 {
            letters.push((b'a' + ((rest - 1) % 26) as u8) as char);
            rest = (rest - 1) / 26;
        }
        let letters: String = letters.iter().rev().collect();
        format!("{letters}{}", self.rows() - row)
    }

    /// The moves of Black or White, named, with what they leave.
    pub fn moves(&self, player: Square) -> Vec<(String, Grid)> {
        let (layout, stones) = self.stones();
        let mut moves = Vec::new();
        let wanted = usize::from(player == Square::White);
        let own = |stones: Large| if wanted == 0 { stones.black } else { stones.white };
        let name = |set: U256| {
            let square = set.first() as usize;
            self.name(square / self.columns, square % self.columns)
        };
        let result = layout.for_each_option(stones, |mover, after| {
            if mover == wanted {
                let (before, now) = (own(stones), own(after));
                let text = format!("{}-{}", name(before & !now), name(now & !before));
                moves.push((text, self.with(after)));
            }
            Ok(())
        });
        debug_assert_eq!(result, Ok(()));
        moves
    }

    /// The independent regions, each on a board of its own with walls around, and the place of its first
    /// square. Stones that can never matter are in none of them.
    pub fn regions(&self) -> Vec<(String, Grid)> {
        let (layout, stones) = self.stones();
        let mut regions = Vec::new();
        let result = layout.for_each_region(stones, |region| {
            let rows = || region.usable.squares().map(|square| square as usize / self.columns);
            let columns = || region.usable.squares().map(|square| square as usize % self.columns);
            let (top, left) = (rows().min().unwrap_or(0), columns().min().unwrap_or(0));
            let (bottom, right) = (rows().max().unwrap_or(0), columns().max().unwrap_or(0));
            let whole = self.with(region);
            let squares = (top..=bottom)
                .flat_map(|row| (left..=right).map(move |column| (row, column)))
                .map(|(row, column)| whole.get(row, column))
                .collect();
            let grid = Grid { columns: right - left + 1, squares };
            regions.push((self.name(top, left), grid));
            Ok(())
        });
        debug_assert_eq!(result, Ok(()));
        regions
    }

    /// Which of the regions each square belongs to, row by row.
    pub fn region_of_squares(&self) -> Vec<Option<usize>> {
        let (layout, stones) = self.stones();
        let mut regions = vec![None; self.squares.len()];
        let mut count = 0;
        let result = layout.for_each_region(stones, |region| {
            region.usable.squares().for_each(|square| regions[square as usize] = Some(count));
            count += 1;
            Ok(())
        });
        debug_assert_eq!(result, Ok(()));
        regions
    }

    /// The same board with other stones.
    fn with(&self, stones: Large) -> Grid {
        let square = |i: usize| {
            let is_in = |set: U256| !(set & U256::square(i as u32)).is_empty();
            match (is_in(stones.usable), is_in(stones.black), is_in(stones.white)) {
                (false, ..) => Square::Wall,
                (_, true, _) => Square::Black,
                (_, _, true) => Square::White,
                _ => Square::Empty,
            }
        };
        Grid { columns: self.columns, squares: (0..self.squares.len()).map(square).collect() }
    }

    pub(super) fn stones(&self) -> (Layout<U256>, Large) {
        let set = |keep: &dyn Fn(Square) -> bool| {
            let squares = self.squares.iter().enumerate().filter(|(_, square)| keep(**square));
            squares.fold(U256::default(), |set, (i, _)| set | U256::square(i as u32))
        };
        let stones = Stones {
            usable: set(&|square| square != Square::Wall),
            black: set(&|square| square == Square::Black),
            white: set(&|square| square == Square::White),
        };
        (Layout::new(self.columns as u32), stones)
    }

    /// The value of the position: whoever cannot jump loses, Left has the black stones.
    pub fn value(&self, evaluator: &mut Evaluator) -> Result<Value, Halt> {
        let (layout, stones) = self.stones();
        evaluator.forget_unfinished();
        evaluator.position(&layout, stones)
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, row) in self.squares.chunks(self.columns).enumerate() {
            if i > 0 {
                f.write_str("/")?;
            }
            for square in row {
                f.write_str(match square {
                    Square::Empty => ".",
                    Square::Black => "x",
                    Square::White => "o",
                    Square::Wall => "#",
                })?;
            }
        }
        Ok(())
    }
}
