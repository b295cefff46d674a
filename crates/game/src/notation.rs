//! Text notation that board games share: sizes, rows of squares, square names, and their errors.

use thiserror::Error;

use crate::Player;

/// What is wrong with the text of a position or a move, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotationError {
    /// The board size is not one that the game is played on.
    #[error("board size `{size}`: {problem}")]
    Size {
        /// The size as written.
        size: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A row is longer or shorter than the first one.
    #[error("row {row} `{text}` has {found} squares, but the first row has {expected}")]
    RaggedRow {
        /// Number of the row, from the top, starting with 1.
        row: usize,
        /// The row as written.
        text: String,
        /// Its length.
        found: usize,
        /// Length of the first row.
        expected: usize,
    },
    /// A row of the board is empty text.
    #[error("row {row} of `{text}` is empty: rows are joined by single `/`")]
    EmptyRow {
        /// Number of the row, from the top, starting with 1.
        row: usize,
        /// The board as written.
        text: String,
    },
    /// An unknown letter.
    #[error("unknown letter `{letter}` on {square}: a square is one of {allowed}")]
    Letter {
        /// The letter.
        letter: char,
        /// The square it stands on.
        square: String,
        /// The letters that are allowed.
        allowed: &'static str,
    },
    /// A piece where the rules allow none.
    #[error("`{letter}` on {square}: {problem}")]
    Square {
        /// The piece as written.
        letter: char,
        /// The square it stands on.
        square: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The player to move is not named.
    #[error("`{text}` does not say who moves: add a space and {allowed}")]
    MissingSide {
        /// The position as written.
        text: String,
        /// The letters of the players.
        allowed: &'static str,
    },
    /// The player to move is named by an unknown word.
    #[error("unknown side to move `{side}`: it is {allowed}")]
    Side {
        /// The word.
        side: String,
        /// The letters of the players.
        allowed: &'static str,
    },
    /// Something follows the complete position.
    #[error("unexpected `{text}` after the position")]
    Trailing {
        /// The superfluous text.
        text: String,
    },
    /// Anything else that a game finds wrong.
    #[error("position `{text}`: {problem}")]
    Position {
        /// The position, or the part of it, as written.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The text is not a legal move.
    #[error("`{text}` is not a legal move in `{position}`")]
    Move {
        /// The move as written.
        text: String,
        /// The position.
        position: String,
    },
}

/// The name of a square: column letter, then row number from the bottom. Columns after z are
/// aa, ab, and so on.
pub fn square_name(rows: usize, row: usize, col: usize) -> String {
    format!("{}{}", column_name(col), rows - row)
}

/// The letters of a column.
pub fn column_name(col: usize) -> String {
    let letter = char::from(b'a' + (col % 26) as u8);
    match col / 26 {
        0 => letter.to_string(),
        more => column_name(more - 1) + &letter.to_string(),
    }
}

/// Reads `6x6` as rows and columns; `None` if the text does not have that form.
pub fn read_size(text: &str) -> Option<(usize, usize)> {
    let number = |digits: &str| {
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        plain.then(|| digits.parse().unwrap_or(usize::MAX))
    };
    let (rows, cols) = text.split_once('x')?;
    Some((number(rows)?, number(cols)?))
}

/// A board written as rows from the top, joined by `/`, followed by the player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
    /// The letters, row by row from the top left corner.
    pub cells: Vec<char>,
    /// The word that names the player to move.
    pub side: String,
}

impl Grid {
    /// Splits the text. The error about a missing player to move names the players by `sides`.
    pub fn read(text: &str, sides: &'static str) -> Result<Grid, NotationError> {
        let mut words = text.split_whitespace();
        let board = words.next().unwrap_or("");
        if board.is_empty() {
            return Err(NotationError::Position {
                text: text.to_owned(),
                problem: "there is nothing here".to_owned(),
            });
        }
        if text.contains(|letter: char| letter.is_ascii_digit()) {
            return Err(NotationError::Size {
                size: text.trim().to_owned(),
                problem: "a size is written ROWSxCOLUMNS, such as 6x6, and stands alone".to_owned(),
            });
        }
        let mut grid = Grid::read_rows(board)?;
        let side = words.next().ok_or_else(|| NotationError::MissingSide {
            text: text.trim().to_owned(),
            allowed: sides,
        })?;
        if let Some(extra) = words.next() {
            return Err(NotationError::Trailing { text: extra.to_owned() });
        }
        grid.side = side.to_owned();
        Ok(grid)
    }

    /// Splits a board without a player to move.
    pub fn read_rows(board: &str) -> Result<Grid, NotationError> {
        let mut cells = Vec::new();
        let (mut rows, mut cols) = (0, 0);
        for line in board.split('/') {
            let found = line.chars().count();
            rows += 1;
            if found == 0 {
                return Err(NotationError::EmptyRow { row: rows, text: board.to_owned() });
            }
            if rows == 1 {
                cols = found;
            } else if found != cols {
                return Err(NotationError::RaggedRow {
                    row: rows,
                    text: line.to_owned(),
                    found,
                    expected: cols,
                });
            }
            cells.extend(line.chars());
        }
        Ok(Grid { rows, cols, cells, side: String::new() })
    }

    /// The squares of each of the two letters as bits, row by row from the top left corner; the
    /// other squares must be empty, written `.`. The board has 64 squares at most.
    pub fn planes(
        &self,
        letters: [char; 2],
        allowed: &'static str,
    ) -> Result<[u64; 2], NotationError> {
        let mut planes = [0; 2];
        for (square, &letter) in self.cells.iter().enumerate() {
            match letters.iter().position(|&known| known == letter) {
                Some(plane) => planes[plane] |= 1 << square,
                None if letter == '.' => (),
                None => {
                    let square = square_name(self.rows, square / self.cols, square % self.cols);
                    return Err(NotationError::Letter { letter, square, allowed });
                }
            }
        }
        Ok(planes)
    }

    /// The player to move, named by one of two letters.
    pub fn player(&self, names: [char; 2], allowed: &'static str) -> Result<Player, NotationError> {
        let is = |name: char| self.side.chars().eq([name]);
        match names {
            [first, _] if is(first) => Ok(Player::First),
            [_, second] if is(second) => Ok(Player::Second),
            _ => Err(NotationError::Side { side: self.side.clone(), allowed }),
        }
    }

    /// The letters of `count` squares given as planes; `empty` stands for a square in neither.
    pub fn letters(planes: [u64; 2], letters: [char; 2], empty: char, count: usize) -> Vec<char> {
        let letter = |square| match planes.map(|plane| plane >> square & 1 == 1) {
            [true, _] => letters[0],
            [_, true] => letters[1],
            _ => empty,
        };
        (0..count).map(letter).collect()
    }

    /// Writes rows of letters and the player to move.
    pub fn write(cols: usize, cells: &[char], side: char) -> String {
        let rows: Vec<String> = cells.chunks(cols).map(|row| row.iter().collect()).collect();
        format!("{} {side}", rows.join("/"))
    }

    /// Draws the board with the names of rows and columns around it.
    pub fn draw(cols: usize, cells: &[char]) -> String {
        let rows = cells.len() / cols;
        let margin = rows.to_string().len();
        let width = column_name(cols - 1).len();
        let mut lines: Vec<String> = (0..rows)
            .map(|row| {
                let squares = cells[row * cols..(row + 1) * cols].iter();
                let squares: String = squares.map(|c| format!(" {c:<width$}")).collect();
                format!("{:>margin$} {}", rows - row, squares.trim_end())
            })
            .collect();
        let names: String = (0..cols).map(|col| format!(" {:<width$}", column_name(col))).collect();
        lines.push(format!("{:margin$} {}", "", names.trim_end()));
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_after_z_have_two_letters() {
        let names: Vec<String> = [0, 25, 26, 51, 52, 63].map(column_name).to_vec();
        assert_eq!(names, ["a", "z", "aa", "az", "ba", "bl"]);
    }

    #[test]
    fn sizes_are_two_plain_numbers() {
        assert_eq!(read_size("6x5"), Some((6, 5)));
        assert_eq!(read_size("0x5"), Some((0, 5)));
        let huge = read_size("99999999999999999999999x1");
        assert_eq!(huge, Some((usize::MAX, 1)));
        for bad in ["6", "x", "6x", "x6", "6x+5", "-6x5", "6x5x4", "6 x5", ""] {
            assert_eq!(read_size(bad), None, "{bad}");
        }
    }

    #[test]
    fn drawing_names_rows_and_columns() {
        assert_eq!(Grid::draw(2, &['x', 'o', '.', 'x']), "2  x o\n1  . x\n   a b");
    }
}
