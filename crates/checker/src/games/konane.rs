//! Konane: stones jump over enemy stones, and who cannot move has lost.

use super::{Game, Position, Root, Shape, images_of_board, split_root};

/// A board of up to 64 squares. Black has the squares of even row + column.
pub(super) struct Konane {
    rows: usize,
    cols: usize,
    /// For each symmetry that keeps the colours, the image of every square.
    symmetries: Vec<Vec<usize>>,
}

/// A move from a square to a square, and the position after it.
type Move = (usize, usize, Position);

const SIDES: [&str; 2] = ["b", "w"];

impl Konane {
    pub(super) fn read(root: &str) -> Result<Root, String> {
        let (board, side) = split_root(root, SIDES)?;
        let lines: Vec<&str> = board.split('/').collect();
        let (rows, cols) = (lines.len(), lines[0].len());
        if cols == 0 || rows * cols > 64 || lines.iter().any(|line| line.len() != cols) {
            return Err("the root is not a board of up to 64 squares".to_owned());
        }
        let mut points = Vec::new();
        for (row, line) in lines.iter().enumerate() {
            for (col, letter) in line.chars().enumerate() {
                let own_letter = ['x', 'o'][(row + col) % 2];
                if letter != '.' && letter != own_letter {
                    let (row, col) = (row + 1, col + 1);
                    return Err(format!("`{letter}` cannot stand in row {row}, column {col}"));
                }
                points.push(u8::from(letter != '.'));
            }
        }
        let mut symmetries = images_of_board(rows, cols);
        let mut konane = Konane { rows, cols, symmetries: Vec::new() };
        let keeps_colour = |(from, &to): (usize, &usize)| konane.colour(from) == konane.colour(to);
        symmetries.retain(|goes| goes.iter().enumerate().all(keeps_colour));
        konane.symmetries = symmetries;
        Ok((Box::new(konane), Position { points, side }))
    }

    fn colour(&self, square: usize) -> usize {
        (square / self.cols + square % self.cols) % 2
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

    fn removals(&self, position: &Position, squares: Vec<usize>) -> Vec<Move> {
        let own = squares.into_iter().filter(|&square| self.colour(square) == position.side);
        own.map(|square| {
            let mut after = Position { side: 1 - position.side, ..position.clone() };
            after.points[square] = 0;
            (square, square, after)
        })
        .collect()
    }

    fn jumps(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        let occupied = |square: usize| position.points[square] != 0;
        for from in 0..position.points.len() {
            if !occupied(from) || self.colour(from) != position.side {
                continue;
            }
            for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                let square = |steps: isize| {
                    let row = (from / self.cols).checked_add_signed(down * steps)?;
                    let col = (from % self.cols).checked_add_signed(right * steps)?;
                    (row < self.rows && col < self.cols).then_some(row * self.cols + col)
                };
                let mut after = Position { side: 1 - position.side, ..position.clone() };
                after.points[from] = 0;
                let mut steps = 2;
                while let (Some(over), Some(to)) = (square(steps - 1), square(steps)) {
                    if !occupied(over) || occupied(to) {
                        break;
                    }
                    after.points[over] = 0;
                    let mut landed = after.clone();
                    landed.points[to] = 1;
                    moves.push((from, to, landed));
                    steps += 2;
                }
            }
        }
        moves
    }
}

impl Game for Konane {
    fn points(&self) -> usize {
        self.rows * self.cols
    }

    fn limit(&self) -> u128 {
        1 << self.points()
    }

    fn number(&self, position: &Position) -> u128 {
        let images = self.symmetries.iter().map(|goes| {
            let stones = position.points.iter().zip(goes).filter(|(point, _)| **point != 0);
            stones.fold(0_u64, |bits, (_, to)| bits | 1 << to)
        });
        images.min().unwrap_or(0).into()
    }

    fn position(&self, number: u128, side: usize) -> Option<Position> {
        let points = (0..self.points()).map(|square| (number >> square & 1) as u8).collect();
        Some(Position { points, side })
    }

    fn after(&self, position: &Position) -> Vec<Position> {
        let all = 0..position.points.len();
        let empty: Vec<usize> =
            all.clone().filter(|&square| position.points[square] == 0).collect();
        let mut moves = match (position.side, &empty[..]) {
            (0, []) => self.removals(position, self.openings()),
            (1, &[gap]) if self.colour(gap) == 0 => {
                let beside = |square: &usize| self.distance(*square, gap) == 1;
                self.removals(position, all.filter(beside).collect())
            }
            _ => self.jumps(position),
        };
        moves.sort_by_key(|(from, to, _)| (*from, *to));
        moves.into_iter().map(|(_, _, after)| after).collect()
    }

    fn winner(&self, position: &Position) -> Option<usize> {
        Some(1 - position.side)
    }

    fn shapes(&self) -> Vec<Shape> {
        let stones = 0..=self.points();
        stones.flat_map(|stones| [0, 1].map(|side| Shape { pieces: [stones, 0], side })).collect()
    }

    fn size(&self, [stones, _]: [usize; 2]) -> usize {
        stones
    }

    fn show(&self, number: u128, side: usize) -> String {
        let letter = |square: usize| match (number >> square & 1, self.colour(square)) {
            (0, _) => '.',
            (_, 0) => 'x',
            _ => 'o',
        };
        let rows = (0..self.rows)
            .map(|row| (row * self.cols..(row + 1) * self.cols).map(letter).collect::<String>());
        format!("{} {}", rows.collect::<Vec<_>>().join("/"), SIDES[side])
    }
}
