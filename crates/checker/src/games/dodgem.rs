//! Dodgem: cars go right or up and off the board. Whoever has no cars left has won, and whoever
//! has cars and no move has won, too.

use super::{
    Game, Position, Root, Shape, from_ternary, read_points, show_points, split_root, to_ternary,
};

/// A board of 3x3 to 7x7 squares.
pub(super) struct Dodgem {
    rows: usize,
}

const SIDES: [&str; 2] = ["r", "u"];

impl Dodgem {
    pub(super) fn read(root: &str) -> Result<Root, String> {
        let (board, side) = split_root(root, SIDES)?;
        let lines: Vec<&str> = board.split('/').collect();
        let rows = lines.len();
        if !(3..=7).contains(&rows) || lines.iter().any(|line| line.len() != rows) {
            return Err("the root is not a board of 3x3 to 7x7 squares".to_owned());
        }
        let dodgem = Dodgem { rows };
        let position = Position { points: read_points(&lines.concat(), ['r', 'u'])?, side };
        if !dodgem.has(Shape { pieces: position.pieces(), side }) {
            let problem = "in the root a player has too many cars, or the one to move has none";
            return Err(problem.to_owned());
        }
        Ok((Box::new(dodgem), position))
    }

    /// Whether there are positions of a shape.
    fn has(&self, Shape { pieces, side }: Shape) -> bool {
        pieces.iter().all(|&cars| cars < self.rows) && pieces[side] > 0
    }

    /// Where a car may go in an ascending order, if nothing is in its way; the number of squares
    /// stands for off the board.
    fn targets(&self, from: usize, side: usize) -> Vec<usize> {
        let (row, col, last) = (from / self.rows, from % self.rows, self.rows - 1);
        let (above, below) = (from.wrapping_sub(self.rows), from + self.rows);
        let off = self.points();
        let ways = match side {
            0 => [
                (row > 0, above),
                (true, if col < last { from + 1 } else { off }),
                (row < last, below),
            ],
            _ => [
                (true, if row > 0 { above } else { off }),
                (col > 0, from.wrapping_sub(1)),
                (col < last, from + 1),
            ],
        };
        let open = ways.into_iter().filter(|(is_there, _)| *is_there);
        let mut targets: Vec<usize> = open.map(|(_, to)| to).collect();
        targets.sort_unstable();
        targets
    }
}

impl Game for Dodgem {
    fn points(&self) -> usize {
        self.rows * self.rows
    }

    fn limit(&self) -> u128 {
        3_u128.pow(self.points() as u32)
    }

    fn number(&self, position: &Position) -> u128 {
        to_ternary(position.points.iter().copied())
    }

    fn position(&self, number: u128, side: usize) -> Option<Position> {
        let position = Position { points: from_ternary(number, self.points()), side };
        self.has(Shape { pieces: position.pieces(), side }).then_some(position)
    }

    fn after(&self, position: &Position) -> Vec<Position> {
        let side = position.side;
        if position.pieces()[1 - side] == 0 {
            return Vec::new();
        }
        let car = side as u8 + 1;
        let mut after = Vec::new();
        for from in (0..self.points()).filter(|&from| position.points[from] == car) {
            for to in self.targets(from, side) {
                let mut next = Position { side: 1 - side, ..position.clone() };
                next.points[from] = 0;
                match next.points.get_mut(to) {
                    None => after.push(next),
                    Some(target @ 0) => {
                        *target = car;
                        after.push(next);
                    }
                    Some(_) => (),
                }
            }
        }
        after
    }

    fn winner(&self, position: &Position) -> Option<usize> {
        let opponent = 1 - position.side;
        let opponent_is_off = position.pieces()[opponent] == 0;
        Some(if opponent_is_off { opponent } else { position.side })
    }

    fn shapes(&self) -> Vec<Shape> {
        let cars = |right: usize| (0..self.rows).map(move |up| [right, up]);
        let pieces = (0..self.rows).flat_map(cars);
        let shapes = pieces.flat_map(|pieces| [0, 1].map(|side| Shape { pieces, side }));
        shapes.filter(|shape| self.has(*shape)).collect()
    }

    fn size(&self, [right, up]: [usize; 2]) -> usize {
        right + up
    }

    fn show(&self, number: u128, side: usize) -> String {
        let points = from_ternary(number, self.points());
        let rows = points.chunks(self.rows).map(|row| show_points(row, ['r', 'u']));
        format!("{} {}", rows.collect::<Vec<_>>().join("/"), SIDES[side])
    }
}
