//! Boards as people draw them: any size up to 256 squares, stones of any colour anywhere, walls,
//! and perhaps a player to move. A [`Setup`] need not be a position of the game;
//! [`Setup::position`] tells whether it is one.

use std::fmt;

use papamu_game::notation::{Grid, read_size, square_name};
use papamu_game::{NotationError, Player, Symmetry};

use super::notation::{SIDE_LETTERS, SIDES, jump_name, new_game};
use super::{Konane, Position};

/// What a square holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Square {
    /// Nothing.
    Empty,
    /// A black stone.
    Black,
    /// A white stone.
    White,
    /// It is not part of the board.
    Wall,
}

impl Square {
    /// A stone of that player: black ones are those of [`Player::First`].
    pub fn stone(player: Player) -> Square {
        match player {
            Player::First => Square::Black,
            Player::Second => Square::White,
        }
    }

    /// The other colour; walls and empty squares stay what they are.
    pub fn opponent(self) -> Square {
        match self {
            Square::Black => Square::White,
            Square::White => Square::Black,
            other => other,
        }
    }

    /// The stone there at the start of a game: black where row + column is even.
    fn home(row: usize, column: usize) -> Square {
        if (row + column).is_multiple_of(2) { Square::Black } else { Square::White }
    }

    fn letter(self) -> char {
        match self {
            Square::Empty => '.',
            Square::Black => 'x',
            Square::White => 'o',
            Square::Wall => '#',
        }
    }

    /// The letters of positions, as the game writes them.
    pub(super) fn read_strictly(letter: char) -> Option<Square> {
        match letter {
            'x' => Some(Square::Black),
            'o' => Some(Square::White),
            '.' => Some(Square::Empty),
            _ => None,
        }
    }

    /// The letters of setups, which people write in several ways.
    fn read(letter: char) -> Option<Square> {
        match letter {
            'X' | '●' => Some(Square::Black),
            'O' | '○' => Some(Square::White),
            '_' | '·' => Some(Square::Empty),
            '#' => Some(Square::Wall),
            _ => Square::read_strictly(letter),
        }
    }
}

/// The most squares of a setup.
pub const MAX_SETUP_SQUARES: usize = 256;

/// A rectangular board with anything on it.
///
/// ```
/// use papamu_games::konane::{Setup, Square};
///
/// let setup = Setup::read("xo.#/..xx")?;
/// assert_eq!(setup.get(0, 1), Square::White);
/// assert_eq!(setup.to_string(), "xo.#/..xx");
/// assert!(setup.position().is_err());
/// # Ok::<(), papamu_game::NotationError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setup {
    columns: usize,
    /// Row by row from the top.
    squares: Vec<Square>,
    side: Option<Player>,
}

impl Setup {
    /// A board of empty squares, if it has 1 to 256.
    pub fn new(rows: usize, columns: usize) -> Result<Setup, NotationError> {
        let problem = match rows.checked_mul(columns) {
            Some(0) => "a board has at least one row and one column".to_owned(),
            Some(1..=MAX_SETUP_SQUARES) => {
                let squares = vec![Square::Empty; rows * columns];
                return Ok(Setup { columns, squares, side: None });
            }
            _ => format!("that is more than {MAX_SETUP_SQUARES} squares"),
        };
        Err(NotationError::Size { size: format!("{rows}x{columns}"), problem })
    }

    /// A board full of stones that alternate, black in the top left corner.
    pub fn full(rows: usize, columns: usize) -> Result<Setup, NotationError> {
        let mut setup = Setup::new(rows, columns)?;
        for row in 0..rows {
            for column in 0..columns {
                setup.set(row, column, Square::home(row, column));
            }
        }
        Ok(setup)
    }

    /// Reads rows from the top, joined by `/` or line breaks: `x`, `X` or `●` is a black stone,
    /// `o`, `O` or `○` a white one, `.`, `_` or `·` is empty, `#` a wall. A space and `b` or `w`
    /// after the board name the player to move.
    pub fn read(text: &str) -> Result<Setup, NotationError> {
        let text = text.trim();
        let bad = |problem: &str| NotationError::Position {
            text: text.to_owned(),
            problem: problem.to_owned(),
        };
        if text.is_empty() {
            return Err(bad("there is nothing here"));
        }
        if read_size(text).is_some() {
            return Err(bad("this is a board before stones are removed; write its rows instead"));
        }
        let mut rows: Vec<&str> = text.split(['/', '\n']).map(str::trim).collect();
        let last = rows.pop().unwrap_or_default();
        let has_own_line = |word: &str| SIDE_LETTERS.iter().any(|side| word.chars().eq([*side]));
        let side = if text.ends_with(&format!("\n{last}")) && has_own_line(last) {
            last
        } else {
            let (row, side) = last.split_once(char::is_whitespace).unwrap_or((last, ""));
            rows.push(row);
            side.trim()
        };
        let mut grid = Grid::read_rows(&rows.join("/"))?;
        let mut setup = Setup::of_grid(&grid, Square::read, "`x`, `o`, `.` and `#`")?;
        if !side.is_empty() {
            grid.side = side.to_owned();
            setup.side = Some(grid.player(SIDE_LETTERS, SIDES)?);
        }
        Ok(setup)
    }

    /// The board with the squares of these letters.
    pub(super) fn of_grid(
        grid: &Grid,
        square: fn(char) -> Option<Square>,
        allowed: &'static str,
    ) -> Result<Setup, NotationError> {
        let mut setup = Setup::new(grid.rows, grid.cols)?;
        for (i, &letter) in grid.cells.iter().enumerate() {
            setup.squares[i] = square(letter).ok_or_else(|| {
                let square = setup.name(i / grid.cols, i % grid.cols);
                NotationError::Letter { letter, square, allowed }
            })?;
        }
        Ok(setup)
    }

    /// The game and the position of this setup, if it is one: a board of at most 64 squares without
    /// walls, with every stone on a square of its colour and a player to move.
    pub fn position(&self) -> Result<(Konane, Position), NotationError> {
        let (game, occupied) = self.occupied()?;
        let side = self
            .side
            .ok_or_else(|| NotationError::MissingSide { text: self.to_string(), allowed: SIDES })?;
        Ok((game, Position { occupied, side }))
    }

    /// The game and the occupied squares, if the stones are where the rules allow them.
    pub(super) fn occupied(&self) -> Result<(Konane, u64), NotationError> {
        let (rows, columns) = (self.rows(), self.columns);
        let game = new_game(rows, columns, &format!("{rows}x{columns}"))?;
        let mut occupied = 0;
        // All black stones are checked before the white ones.
        for (square, problem) in [
            (Square::Wall, "positions have no walls"),
            (
                Square::Black,
                "this is a square of white stones, and stones never change colour of square",
            ),
            (
                Square::White,
                "this is a square of black stones, and stones never change colour of square",
            ),
        ] {
            for (row, column) in self.places(square) {
                if square != Square::home(row, column) {
                    return Err(NotationError::Square {
                        letter: square.letter(),
                        square: self.name(row, column),
                        problem: problem.to_owned(),
                    });
                }
                occupied |= 1 << game.board().square(row, column);
            }
        }
        Ok((game, occupied))
    }

    /// Rows of the board.
    pub fn rows(&self) -> usize {
        self.squares.len() / self.columns
    }

    /// Columns of the board.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The player to move, if one is named; black stones are those of [`Player::First`].
    pub fn side(&self) -> Option<Player> {
        self.side
    }

    /// The same board with another player to move, or with none.
    pub fn with_side(self, side: Option<Player>) -> Setup {
        Setup { side, ..self }
    }

    /// The content of a square. Squares beyond the board are walls.
    pub fn get(&self, row: usize, column: usize) -> Square {
        let on_board = row < self.rows() && column < self.columns;
        if on_board { self.squares[row * self.columns + column] } else { Square::Wall }
    }

    /// Puts something on a square of the board.
    pub fn set(&mut self, row: usize, column: usize, square: Square) {
        debug_assert!(row < self.rows() && column < self.columns);
        self.squares[row * self.columns + column] = square;
    }

    /// All squares, row by row from the top.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// The same board with other squares: `square` gives each, numbered row by row from the top.
    pub fn map(&self, square: impl Fn(usize) -> Square) -> Setup {
        Setup { squares: (0..self.squares.len()).map(square).collect(), ..*self }
    }

    /// The rows and columns of the squares with that content.
    pub fn places(&self, square: Square) -> impl Iterator<Item = (usize, usize)> {
        let all = self.squares.iter().enumerate().filter(move |(_, other)| **other == square);
        all.map(|(i, _)| (i / self.columns, i % self.columns))
    }

    /// The number of squares with that content.
    pub fn count(&self, square: Square) -> usize {
        self.places(square).count()
    }

    /// The number of stones.
    pub fn stones(&self) -> usize {
        self.count(Square::Black) + self.count(Square::White)
    }

    /// The name of a square: columns are letters from the left, rows are numbers from the bottom.
    pub fn name(&self, row: usize, column: usize) -> String {
        square_name(self.rows(), row, column)
    }

    /// The name of a jump from square to square, given as rows and columns.
    pub fn jump_name(&self, from: (usize, usize), to: (usize, usize)) -> String {
        jump_name(self.rows(), from, to)
    }

    /// The part of the board between two corners, these included.
    pub fn part(&self, top_left: (usize, usize), bottom_right: (usize, usize)) -> Setup {
        let columns = top_left.1..=bottom_right.1;
        let squares = (top_left.0..=bottom_right.0)
            .flat_map(|row| columns.clone().map(move |column| self.get(row, column)))
            .collect();
        Setup { columns: bottom_right.1 + 1 - top_left.1, squares, side: self.side }
    }

    /// The position with the colours exchanged, and the other player to move.
    pub fn exchanged(&self) -> Setup {
        let squares = self.squares.iter().map(|square| square.opponent()).collect();
        Setup { squares, side: self.side.map(|side| !side), ..*self }
    }

    /// The image under a symmetry; some turn a board of 2x3 squares into one of 3x2.
    pub fn image(&self, symmetry: Symmetry) -> Setup {
        let (rows, columns) = (self.rows(), self.columns);
        let (new_rows, new_columns) =
            if symmetry.exchanges_rows_and_columns() { (columns, rows) } else { (rows, columns) };
        let back = symmetry.inverse();
        let square = |i: usize| {
            let place = (i / new_columns, i % new_columns);
            let (row, column) = back.apply(new_rows, new_columns, place);
            self.get(row, column)
        };
        let squares = (0..self.squares.len()).map(square).collect();
        Setup { columns: new_columns, squares, side: self.side }
    }

    /// Whether every stone is on a square of its colour: black where row + column is even.
    pub fn alternates(&self) -> bool {
        let is_home =
            |square| self.places(square).all(|(row, col)| square == Square::home(row, col));
        is_home(Square::Black) && is_home(Square::White)
    }

    /// Whether it is the least of its images under the symmetries of the board and the exchange of
    /// colours. With `must_alternate`, only images count whose colours alternate as on a full
    /// board. The player to move does not matter.
    pub fn is_least_image(&self, must_alternate: bool) -> bool {
        Symmetry::ALL.iter().all(|&symmetry| {
            let image = self.image(symmetry);
            // A rotated board may have another shape.
            image.columns != self.columns
                || [image.exchanged(), image].iter().all(|image| {
                    self.squares <= image.squares || (must_alternate && !image.alternates())
                })
        })
    }

    /// The letters of all squares.
    pub(super) fn letters(&self, letter: impl Fn(Square) -> char) -> Vec<char> {
        self.squares.iter().map(|&square| letter(square)).collect()
    }
}

impl From<(&Konane, &Position)> for Setup {
    fn from((game, position): (&Konane, &Position)) -> Setup {
        let board = game.board();
        let square = |row, column| match position.occupied >> board.square(row, column) & 1 {
            0 => Square::Empty,
            _ => Square::home(row, column),
        };
        let squares = (0..board.rows)
            .flat_map(|row| (0..board.cols).map(move |column| square(row, column)))
            .collect();
        Setup { columns: board.cols, squares, side: Some(position.side) }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, row) in self.squares.chunks(self.columns).enumerate() {
            if i > 0 {
                f.write_str("/")?;
            }
            f.write_str(&row.iter().map(|square| square.letter()).collect::<String>())?;
        }
        match self.side {
            Some(side) => write!(f, " {}", SIDE_LETTERS[side.index()]),
            None => Ok(()),
        }
    }
}
