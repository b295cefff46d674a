//! Konane on an array of squares, as simple as possible.

use crate::check::Rules;

/// The board of a certificate, and the winner.
#[derive(Clone, Debug)]
pub struct Konane {
    rows: usize,
    cols: usize,
    /// The colour of the winner: 0 black, 1 white.
    winner: usize,
    root: Position,
    /// For each symmetry, the image of every square.
    symmetries: Vec<Vec<usize>>,
}

/// The occupied squares, in reading order, and the colour of the player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Position {
    occupied: Vec<bool>,
    side: usize,
}

const NAMES: [&str; 2] = ["black", "white"];

impl Konane {
    /// Reads the root of a certificate.
    pub fn new(root: &str, winner: &str) -> Result<Konane, String> {
        let Some(winner) = NAMES.iter().position(|name| *name == winner) else {
            return Err(format!("there is no player `{winner}` in konane"));
        };
        let Some((board, side)) = root.split_once(' ') else {
            return Err("the root does not say who is to move".to_owned());
        };
        let side = match side {
            "b" => 0,
            "w" => 1,
            _ => return Err(format!("`{side}` is neither `b` nor `w`")),
        };
        let lines: Vec<&str> = board.split('/').collect();
        let (rows, cols) = (lines.len(), lines[0].len());
        if cols == 0 || rows * cols > 64 || lines.iter().any(|line| line.len() != cols) {
            return Err("the root is not a board of up to 64 squares".to_owned());
        }
        let mut occupied = Vec::new();
        for (row, line) in lines.iter().enumerate() {
            for (col, letter) in line.chars().enumerate() {
                let own_letter = ['x', 'o'][(row + col) % 2];
                if letter != '.' && letter != own_letter {
                    let (row, col) = (row + 1, col + 1);
                    return Err(format!("`{letter}` cannot stand in row {row}, column {col}"));
                }
                occupied.push(letter != '.');
            }
        }
        let root = Position { occupied, side };
        Ok(Konane { rows, cols, winner, root, symmetries: symmetries(rows, cols) })
    }

    /// The number of a position: the least among its images.
    fn number(&self, position: &Position) -> u64 {
        let images = self.symmetries.iter().map(|goes| {
            let stones = position.occupied.iter().zip(goes).filter(|(occupied, _)| **occupied);
            stones.fold(0_u64, |bits, (_, to)| bits | 1 << to)
        });
        images.min().unwrap_or(0)
    }

    /// The position with that number and that side to move.
    fn position(&self, number: u64, side: usize) -> Result<Position, String> {
        let squares = self.rows * self.cols;
        if squares < 64 && number >> squares != 0 {
            return Err(format!("{number} is not a position of this board"));
        }
        let occupied = (0..squares).map(|square| number >> square & 1 == 1).collect();
        Ok(Position { occupied, side })
    }

    fn colour(&self, square: usize) -> usize {
        (square / self.cols + square % self.cols) % 2
    }

    /// All moves as (from, to, position after it), in ascending order of (from, to).
    fn moves(&self, position: &Position) -> Vec<(usize, usize, Position)> {
        let empty: Vec<usize> =
            (0..position.occupied.len()).filter(|&square| !position.occupied[square]).collect();
        let mut moves = match (position.side, &empty[..]) {
            (0, []) => self.removals(position, self.openings()),
            (1, &[gap]) if self.colour(gap) == 0 => {
                let beside = |square: &usize| self.distance(*square, gap) == 1;
                self.removals(position, (0..position.occupied.len()).filter(beside).collect())
            }
            _ => self.jumps(position),
        };
        moves.sort_by_key(|(from, to, _)| (*from, *to));
        moves
    }

    fn distance(&self, a: usize, b: usize) -> usize {
        (a / self.cols).abs_diff(b / self.cols) + (a % self.cols).abs_diff(b % self.cols)
    }

    /// The squares from which Black may remove the first stone: corners and centre.
    fn openings(&self) -> Vec<usize> {
        let middle = |i: usize, length: usize| i == (length - 1) / 2 || i == length / 2;
        let end = |i: usize, length: usize| i == 0 || i == length - 1;
        let all = 0..self.rows * self.cols;
        all.filter(|&square| {
            let (row, col) = (square / self.cols, square % self.cols);
            let corner = end(row, self.rows) && end(col, self.cols);
            let centre = middle(row, self.rows) && middle(col, self.cols);
            self.colour(square) == 0 && (corner || centre)
        })
        .collect()
    }

    fn removals(&self, position: &Position, squares: Vec<usize>) -> Vec<(usize, usize, Position)> {
        let own = squares.into_iter().filter(|&square| self.colour(square) == position.side);
        own.map(|square| {
            let mut after = Position { side: 1 - position.side, ..position.clone() };
            after.occupied[square] = false;
            (square, square, after)
        })
        .collect()
    }

    fn jumps(&self, position: &Position) -> Vec<(usize, usize, Position)> {
        let mut moves = Vec::new();
        for from in 0..position.occupied.len() {
            if !position.occupied[from] || self.colour(from) != position.side {
                continue;
            }
            for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                let square = |steps: isize| {
                    let row = (from / self.cols).checked_add_signed(down * steps)?;
                    let col = (from % self.cols).checked_add_signed(right * steps)?;
                    (row < self.rows && col < self.cols).then_some(row * self.cols + col)
                };
                let mut after = Position { side: 1 - position.side, ..position.clone() };
                after.occupied[from] = false;
                let mut steps = 2;
                while let (Some(over), Some(to)) = (square(steps - 1), square(steps)) {
                    if !position.occupied[over] || position.occupied[to] {
                        break;
                    }
                    after.occupied[over] = false;
                    let mut landed = after.clone();
                    landed.occupied[to] = true;
                    moves.push((from, to, landed));
                    steps += 2;
                }
            }
        }
        moves
    }

    /// The search of sparse certificates; `left` is the number of positions that it may still
    /// enter.
    fn wins(&self, position: &Position, left: &mut u64) -> Option<bool> {
        *left = left.checked_sub(1)?;
        let winners_turn = position.side == self.winner;
        for (_, _, after) in self.moves(position) {
            if self.wins(&after, left)? == winners_turn {
                return Some(winners_turn);
            }
        }
        Some(!winners_turn)
    }
}

impl Rules for Konane {
    fn needed_by_root(&self) -> Vec<u64> {
        if self.root.side == self.winner {
            return vec![self.number(&self.root)];
        }
        self.moves(&self.root).iter().map(|(_, _, after)| self.number(after)).collect()
    }

    fn needed_after(&self, number: u64, mv: u64) -> Result<Vec<u64>, String> {
        let position = self.position(number, self.winner)?;
        if self.number(&position) != number {
            return Err("it is not the least of its images".to_owned());
        }
        let moves = self.moves(&position);
        let chosen = usize::try_from(mv).ok().and_then(|mv| moves.get(mv));
        let Some((_, _, after)) = chosen else {
            return Err(format!("it has {} moves, move {mv} is not one of them", moves.len()));
        };
        Ok(self.moves(after).iter().map(|(_, _, reply)| self.number(reply)).collect())
    }

    fn prove(&self, number: u64, budget: u64) -> bool {
        let mut left = budget;
        match self.position(number, self.winner) {
            Ok(position) => self.wins(&position, &mut left) == Some(true),
            Err(_) => false,
        }
    }

    fn show(&self, number: u64) -> String {
        let letter = |square: usize| match (number >> square & 1, self.colour(square)) {
            (0, _) => '.',
            (_, 0) => 'x',
            _ => 'o',
        };
        let rows = (0..self.rows)
            .map(|row| (row * self.cols..(row + 1) * self.cols).map(letter).collect::<String>());
        let side = ["b", "w"][self.winner];
        format!("{} {side}", rows.collect::<Vec<_>>().join("/"))
    }
}

/// The images of the squares under the rotations and reflections that keep the board and the
/// colours.
fn symmetries(rows: usize, cols: usize) -> Vec<Vec<usize>> {
    let mut symmetries = Vec::new();
    for (transpose, flip_rows, flip_cols) in
        (0..8).map(|bits| (bits & 4 != 0, bits & 2 != 0, bits & 1 != 0))
    {
        if transpose && rows != cols {
            continue;
        }
        let goes = |square: usize| {
            let (row, col) = (square / cols, square % cols);
            let (row, col) = if transpose { (col, row) } else { (row, col) };
            let row = if flip_rows { rows - 1 - row } else { row };
            let col = if flip_cols { cols - 1 - col } else { col };
            (row, col)
        };
        let keeps_colours = (0..rows * cols).all(|square| {
            let (row, col) = goes(square);
            (row + col) % 2 == (square / cols + square % cols) % 2
        });
        if keeps_colours {
            let number = |(row, col): (usize, usize)| row * cols + col;
            symmetries.push((0..rows * cols).map(|square| number(goes(square))).collect());
        }
    }
    symmetries
}
