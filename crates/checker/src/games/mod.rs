//! The rules of the games that have certificates, as simple as possible.
//!
//! A game knows positions, their moves and their numbers, and nothing of certificates; everything
//! else is written once for all games.

mod dodgem;
mod fanorona;
mod konane;
mod mu_torere;
mod tic_tac_toe;

/// What stands on each point of the board, and the player to move, 0 or 1.
///
/// A point holds 0 if it is empty, 1 or 2 for a piece of the first or second player. In Konane,
/// where the square tells whose stone it is, every stone is 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The points, in the order in which the format numbers them.
    pub points: Vec<u8>,
    /// The player to move.
    pub side: usize,
}

/// All positions with so many points of 1 and of 2, and that player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The number of points that hold 1, and 2.
    pub pieces: [usize; 2],
    /// The player to move.
    pub side: usize,
}

/// A game on the board of a certificate.
pub trait Game {
    /// The number of points of the board.
    fn points(&self) -> usize;

    /// The numbers of positions are less than this.
    fn limit(&self) -> u128;

    /// The number of a position: the least among its images.
    fn number(&self, position: &Position) -> u128;

    /// The position of a number below the limit, if it is one of this board.
    fn position(&self, number: u128, side: usize) -> Option<Position>;

    /// The positions after all moves, in the order of the numbers of the moves.
    fn after(&self, position: &Position) -> Vec<Position>;

    /// The player who has won a position without moves; none if it is a draw.
    fn winner(&self, position: &Position) -> Option<usize>;

    /// The shapes of all positions of the board.
    fn shapes(&self) -> Vec<Shape>;

    /// The size of all positions of a shape, which no move makes larger.
    fn size(&self, pieces: [usize; 2]) -> usize;

    /// A position as people read it, of whatever number.
    fn show(&self, number: u128, side: usize) -> String;
}

/// A game on some board, and the root that says which.
pub type Root = (Box<dyn Game>, Position);

/// A game that is known by its name.
pub struct Known {
    /// The name.
    pub name: &'static str,
    /// The names of the players, the one who begins first.
    pub players: [&'static str; 2],
    /// Whether play can go in circles.
    pub circles: bool,
    /// Reads the root of a certificate.
    pub read: fn(&str) -> Result<Root, String>,
}

const KNOWN: [Known; 5] = [
    Known {
        name: "konane",
        players: ["black", "white"],
        circles: false,
        read: konane::Konane::read,
    },
    Known {
        name: "tic-tac-toe",
        players: ["x", "o"],
        circles: false,
        read: tic_tac_toe::TicTacToe::read,
    },
    Known { name: "dodgem", players: ["right", "up"], circles: true, read: dodgem::Dodgem::read },
    Known {
        name: "mu-torere",
        players: ["x", "o"],
        circles: true,
        read: mu_torere::MuTorere::read,
    },
    Known {
        name: "fanorona",
        players: ["white", "black"],
        circles: true,
        read: fanorona::Fanorona::read,
    },
];

/// The game of a name.
pub fn known(name: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.name == name)
}

impl Position {
    /// The number of points that hold 1, and 2.
    pub fn pieces(&self) -> [usize; 2] {
        [1, 2].map(|piece| self.points.iter().filter(|&&point| point == piece).count())
    }
}

/// The board and the player to move, from a text that separates them by one space.
fn split_root<'a>(root: &'a str, sides: [&str; 2]) -> Result<(&'a str, usize), String> {
    let Some((board, side)) = root.split_once(' ') else {
        return Err("the root does not say who is to move".to_owned());
    };
    match sides.iter().position(|known| *known == side) {
        Some(side) => Ok((board, side)),
        None => Err(format!("`{side}` is neither `{}` nor `{}`", sides[0], sides[1])),
    }
}

/// The points of a text: `.` is empty, the others are the letters of the players.
fn read_points(text: &str, letters: [char; 2]) -> Result<Vec<u8>, String> {
    let point = |letter: char| match letter {
        '.' => Ok(0),
        letter if letter == letters[0] => Ok(1),
        letter if letter == letters[1] => Ok(2),
        letter => Err(format!("`{letter}` cannot stand on the board")),
    };
    text.chars().map(point).collect()
}

/// The number with these digits in base 3, the lowest first.
fn to_ternary(digits: impl DoubleEndedIterator<Item = u8>) -> u128 {
    digits.rev().fold(0, |number, digit| number * 3 + u128::from(digit))
}

/// The lowest digits of a number in base 3, the lowest first.
fn from_ternary(mut number: u128, digits: usize) -> Vec<u8> {
    let mut next = || {
        let digit = (number % 3) as u8;
        number /= 3;
        digit
    };
    (0..digits).map(|_| next()).collect()
}

/// The letters of points.
fn show_points(points: &[u8], letters: [char; 2]) -> String {
    let letter = |&point: &u8| match point {
        0 => '.',
        1 => letters[0],
        _ => letters[1],
    };
    points.iter().map(letter).collect()
}

/// The images of the points of a board under those of the eight rotations and reflections of a
/// square that keep it: for each, where every point goes.
fn images_of_board(rows: usize, cols: usize) -> Vec<Vec<usize>> {
    let kinds = (0..8).map(|bits| (bits & 4 != 0, bits & 2 != 0, bits & 1 != 0));
    let kinds = kinds.filter(|(transpose, _, _)| !transpose || rows == cols);
    kinds
        .map(|(transpose, flip_rows, flip_cols)| {
            let goes = |square: usize| {
                let (row, col) = (square / cols, square % cols);
                let (row, col) = if transpose { (col, row) } else { (row, col) };
                let row = if flip_rows { rows - 1 - row } else { row };
                let col = if flip_cols { cols - 1 - col } else { col };
                row * cols + col
            };
            (0..rows * cols).map(goes).collect()
        })
        .collect()
}

/// The least number in base 3 among the images of points.
fn least_ternary(points: &[u8], images: &[Vec<usize>]) -> u128 {
    let number = |goes: &Vec<usize>| {
        let mut image = vec![0; points.len()];
        for (&point, &to) in points.iter().zip(goes) {
            image[to] = point;
        }
        to_ternary(image.into_iter())
    };
    images.iter().map(number).min().unwrap_or(0)
}
