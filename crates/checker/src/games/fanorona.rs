//! Fanorona: stones capture lines of enemies by moving towards them or away from them. Who cannot
//! move has lost.

use super::{
    Game, Position, Root, Shape, from_ternary, images_of_board, least_ternary, read_points,
    show_points, split_root,
};

/// A board of odd sides with at most 45 points.
pub(super) struct Fanorona {
    rows: usize,
    cols: usize,
    /// For each symmetry, the image of every point.
    symmetries: Vec<Vec<usize>>,
}

const SIDES: [&str; 2] = ["w", "b"];
/// White stones are 1, black ones 2.
const LETTERS: [char; 2] = ['o', 'x'];
const MOST_POINTS: usize = 45;

/// The eight ways, as steps of rows and columns.
const WAYS: [(isize, isize); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// What a turn does: the stone goes from a point to another, and takes stones.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    from: usize,
    to: usize,
    /// The bits of the points whose stones are taken.
    captured: u64,
}

impl Fanorona {
    pub(super) fn read(root: &str) -> Result<Root, String> {
        let (board, side) = split_root(root, SIDES)?;
        let lines: Vec<&str> = board.split('/').collect();
        let (rows, cols) = (lines.len(), lines[0].len());
        let is_side = |side: usize| side >= 3 && side % 2 == 1;
        if !is_side(rows) || !is_side(cols) || lines.iter().any(|line| line.len() != cols) {
            return Err("the root is not a board of odd sides, at least 3".to_owned());
        }
        if rows * cols > MOST_POINTS {
            return Err(format!("the root has more than {MOST_POINTS} points"));
        }
        let fanorona = Fanorona { rows, cols, symmetries: images_of_board(rows, cols) };
        let position = Position { points: read_points(&lines.concat(), LETTERS)?, side };
        if !fanorona.has(position.pieces()) {
            let problem = "in the root a player has more stones than at the start, or nobody any";
            return Err(problem.to_owned());
        }
        Ok((Box::new(fanorona), position))
    }

    /// Whether there are positions with so many stones: both sides begin with half of the points.
    fn has(&self, pieces: [usize; 2]) -> bool {
        pieces != [0, 0] && pieces.iter().all(|&stones| stones <= self.points() / 2)
    }

    /// The point one step from another, on a line of the lattice: diagonals run between points
    /// whose row and column are both even or both odd.
    fn step(&self, point: usize, (down, right): (isize, isize)) -> Option<usize> {
        let (row, col) = (point / self.cols, point % self.cols);
        if down != 0 && right != 0 && (row + col) % 2 == 1 {
            return None;
        }
        let row = row.checked_add_signed(down).filter(|row| *row < self.rows)?;
        let col = col.checked_add_signed(right).filter(|col| *col < self.cols)?;
        Some(row * self.cols + col)
    }

    /// The unbroken line of enemies that begins one step from a point.
    fn line(&self, points: &[u8], enemy: u8, from: usize, way: (isize, isize)) -> Vec<usize> {
        let mut line = Vec::new();
        let mut next = self.step(from, way);
        while let Some(point) = next.filter(|&point| points[point] == enemy) {
            line.push(point);
            next = self.step(point, way);
        }
        line
    }

    /// All ways to go on capturing with the stone that has come to the last visited point.
    fn captures(
        &self,
        points: &[u8],
        visited: &[usize],
        last: Option<(isize, isize)>,
        captured: u64,
        turns: &mut Vec<Turn>,
    ) {
        let (from, at) = (visited[0], visited[visited.len() - 1]);
        let enemy = 3 - points[at];
        for way in WAYS.into_iter().filter(|way| Some(*way) != last) {
            let to = self.step(at, way).filter(|to| points[*to] == 0 && !visited.contains(to));
            let Some(to) = to else { continue };
            let back = (-way.0, -way.1);
            for line in [self.line(points, enemy, to, way), self.line(points, enemy, at, back)] {
                if line.is_empty() {
                    continue;
                }
                let mut after = points.to_vec();
                after.swap(at, to);
                line.iter().for_each(|&taken| after[taken] = 0);
                let captured = line.iter().fold(captured, |all, &taken| all | 1 << taken);
                turns.push(Turn { from, to, captured });
                let visited = [visited, &[to]].concat();
                self.captures(&after, &visited, Some(way), captured, turns);
            }
        }
    }
}

impl Game for Fanorona {
    fn points(&self) -> usize {
        self.rows * self.cols
    }

    fn limit(&self) -> u128 {
        3_u128.pow(self.points() as u32)
    }

    fn number(&self, position: &Position) -> u128 {
        least_ternary(&position.points, &self.symmetries)
    }

    fn position(&self, number: u128, side: usize) -> Option<Position> {
        let position = Position { points: from_ternary(number, self.points()), side };
        self.has(position.pieces()).then_some(position)
    }

    fn after(&self, position: &Position) -> Vec<Position> {
        let Position { points, side } = position;
        let own = side + 1;
        let stones: Vec<usize> =
            (0..points.len()).filter(|&point| usize::from(points[point]) == own).collect();
        let mut turns = Vec::new();
        for &stone in &stones {
            self.captures(points, &[stone], None, 0, &mut turns);
        }
        if turns.is_empty() {
            for from in stones {
                let steps = WAYS.iter().filter_map(|&way| self.step(from, way));
                let free = steps.filter(|&to| points[to] == 0);
                turns.extend(free.map(|to| Turn { from, to, captured: 0 }));
            }
        }
        turns.sort();
        let play = |Turn { from, to, captured }: Turn| {
            let mut after = Position { side: 1 - side, ..position.clone() };
            (0..points.len()).filter(|i| captured >> i & 1 == 1).for_each(|i| after.points[i] = 0);
            after.points.swap(from, to);
            after
        };
        turns.into_iter().map(play).collect()
    }

    fn winner(&self, position: &Position) -> Option<usize> {
        Some(1 - position.side)
    }

    fn shapes(&self) -> Vec<Shape> {
        let most = self.points() / 2;
        let pieces = (0..=most).flat_map(|white| (0..=most).map(move |black| [white, black]));
        let shapes = pieces.flat_map(|pieces| [0, 1].map(|side| Shape { pieces, side }));
        shapes.filter(|shape| self.has(shape.pieces)).collect()
    }

    fn size(&self, [white, black]: [usize; 2]) -> usize {
        white + black
    }

    fn show(&self, number: u128, side: usize) -> String {
        let points = from_ternary(number, self.points());
        let rows = points.chunks(self.cols).map(|row| show_points(row, LETTERS));
        format!("{} {}", rows.collect::<Vec<_>>().join("/"), SIDES[side])
    }
}
