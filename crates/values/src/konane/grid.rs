//! Positions as people draw them: any size up to 256 squares, stones of any colour anywhere.

use std::fmt;

use thiserror::Error;

use super::bits::{Bits, U256};
use super::evaluator::Evaluator;
use super::normal::Large;
use super::stones::{Layout, Stones};
use crate::forms::{Halt, Value};

/// What a square holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    columns: usize,
    /// Row by row from the top.
    squares: Vec<Square>,
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

    fn stones(&self) -> (Layout<U256>, Large) {
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
        evaluator.large(&layout, stones)
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
