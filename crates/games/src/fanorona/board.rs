//! The lattice: points as bits, lines as shifts, symmetries as word operations.
//!
//! Points are numbered row by row from the top left corner. After each row one number stays unused,
//! so that a step over the edge leads to a point that nobody can stand on.

use papamu_game::Symmetry;

/// The largest number of points.
pub const MAX_POINTS: usize = 45;

/// One of the eight directions: the axis, and whether numbers grow along it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Direction(u8);

impl Direction {
    pub(super) const ALL: [Direction; 8] = {
        let mut all = [Direction(0); 8];
        let mut i = 0;
        while i < 8 {
            all[i as usize] = Direction(i);
            i += 1;
        }
        all
    };

    pub(super) fn new(code: u8) -> Direction {
        Direction(code & 7)
    }

    pub(super) fn code(self) -> u8 {
        self.0
    }

    fn axis(self) -> usize {
        usize::from(self.0 >> 1)
    }

    fn is_forward(self) -> bool {
        self.0 & 1 == 0
    }

    /// Diagonals run between strong points only.
    pub(super) fn is_diagonal(self) -> bool {
        self.axis() >= 2
    }
}

/// The directions that are not diagonals.
const ALONG: u8 = 0b1111;

/// By neighbours in the order of their numbers: the directions that lead to them.
static DIRECTIONS_AROUND: [u8; 256] = {
    // Back along a diagonal, a column, the other diagonal and a row, and forward the other way
    // round.
    let codes = [5, 3, 7, 1, 0, 6, 2, 4];
    let mut directions = [0; 256];
    let mut around = 0;
    while around < 256 {
        let mut i = 0;
        while i < 8 {
            directions[around] |= ((around >> i & 1) as u8) << codes[i];
            i += 1;
        }
        around += 1;
    }
    directions
};

/// A board of odd sides.
#[derive(Clone, Debug)]
pub struct Board {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
    /// All points.
    pub points: u64,
    /// The points with diagonals: row + column is even, as in the corners.
    pub strong: u64,
    /// The distance of two neighbours on each axis: a row, a column, the two diagonals.
    steps: [u32; 4],
    /// The places of the eight neighbours of a point, counted from the first of them.
    ring: u64,
    /// By point: the points from which an enemy can be captured by a step of a stone there, or
    /// rather might be: those within two steps along a line.
    within_two: [u64; 64],
    /// For square boards: the images of the bits of each row under the reflection in the diagonal.
    transposed: Vec<[u64; 32]>,
}

impl Board {
    /// A board of at least three rows and columns, both odd, and at most [`MAX_POINTS`] points.
    pub fn new(rows: usize, cols: usize) -> Option<Board> {
        let is_side = |side: usize| side >= 3 && side % 2 == 1;
        if !is_side(rows) || !is_side(cols) || rows.saturating_mul(cols) > MAX_POINTS {
            return None;
        }
        let stride = cols + 1;
        let (mut points, mut strong) = (0, 0);
        for row in 0..rows {
            for col in 0..cols {
                let bit = 1_u64 << (row * stride + col);
                points |= bit;
                strong |= if (row + col) % 2 == 0 { bit } else { 0 };
            }
        }
        let steps = [1, stride, stride + 1, stride - 1].map(|step| step as u32);
        let row = 0b111;
        let ring = row | (row & !0b10) << stride | row << (2 * stride);
        let (within_two, transposed) = ([0; 64], Vec::new());
        let mut board = Board { rows, cols, points, strong, steps, ring, within_two, transposed };
        board.within_two = std::array::from_fn(|point| board.lines_from(point, 2));
        if rows == cols {
            board.transposed = (0..rows).map(|row| board.transposed_row(row)).collect();
        }
        Some(board)
    }

    /// The points within so many steps of a point, along lines.
    fn lines_from(&self, point: usize, steps: u32) -> u64 {
        let mut all = 0;
        for direction in Direction::ALL {
            let mut at = 1_u64 << point & self.points & self.lines(direction);
            for _ in 0..steps {
                at = self.shift(at, direction) & self.points;
                all |= at;
            }
        }
        all
    }

    fn transposed_row(&self, row: usize) -> [u64; 32] {
        std::array::from_fn(|bits| {
            let cols = (0..self.cols).filter(|col| bits >> col & 1 == 1);
            cols.fold(0, |image, col| image | self.bit(col, row))
        })
    }

    /// The symmetries of the lattice: all eight if it is square.
    pub(super) fn symmetries(&self) -> &'static [Symmetry] {
        if self.rows == self.cols { &Symmetry::ALL } else { &Symmetry::ALL[..4] }
    }

    fn bit(&self, row: usize, col: usize) -> u64 {
        1 << self.point(row, col)
    }

    /// The number of a point.
    pub fn point(&self, row: usize, col: usize) -> u8 {
        (row * (self.cols + 1) + col) as u8
    }

    /// The row and the column of a point.
    pub fn row_and_col(&self, point: u8) -> (usize, usize) {
        (usize::from(point) / (self.cols + 1), usize::from(point) % (self.cols + 1))
    }

    /// The same points numbered without gaps.
    #[inline]
    pub(super) fn compact(&self, points: u64) -> u64 {
        papamu_base::pext(points, self.points, || {
            let rows = (0..self.rows).map(|row| (points >> (row * (self.cols + 1)), row));
            let row = (1 << self.cols) - 1;
            rows.fold(0, |compact, (points, at)| compact | (points & row) << (at * self.cols))
        })
    }

    /// Points that were numbered without gaps.
    #[inline]
    pub(super) fn expand(&self, compact: u64) -> u64 {
        let row = (1 << self.cols) - 1;
        (0..self.rows).fold(0, |points, at| {
            points | (compact >> (at * self.cols) & row) << (at * (self.cols + 1))
        })
    }

    /// The points one step further.
    #[inline(always)]
    pub(super) fn shift(&self, points: u64, direction: Direction) -> u64 {
        let step = self.steps[direction.axis()];
        if direction.is_forward() { points << step } else { points >> step }
    }

    /// The points one step back.
    #[inline(always)]
    pub(super) fn shift_back(&self, points: u64, direction: Direction) -> u64 {
        let step = self.steps[direction.axis()];
        if direction.is_forward() { points >> step } else { points << step }
    }

    /// The points one step further on each axis, forwards and backwards: processors shift by
    /// several distances at once.
    #[inline(always)]
    pub(super) fn shifts(&self, points: u64) -> [[u64; 4]; 2] {
        [self.steps.map(|step| points << step), self.steps.map(|step| points >> step)]
    }

    /// The points two steps further on each axis, forwards and backwards.
    #[inline(always)]
    pub(super) fn double_shifts(&self, points: u64) -> [[u64; 4]; 2] {
        [self.steps.map(|step| points << (2 * step)), self.steps.map(|step| points >> (2 * step))]
    }

    /// The points within two steps of a point, along lines.
    #[inline(always)]
    pub(super) fn within_two(&self, point: u64) -> u64 {
        self.within_two[point.trailing_zeros() as usize % 64]
    }

    /// The points that have a line in a direction.
    #[inline(always)]
    pub(super) fn lines(&self, direction: Direction) -> u64 {
        if direction.is_diagonal() { self.strong } else { self.points }
    }

    /// The directions from a point to neighbours in a set, along the lines, as bits.
    #[inline(always)]
    pub(super) fn directions_to(&self, point: u64, set: u64) -> u8 {
        // Off the board there are only numbers that no point has, also beyond the last and before
        // the first number.
        let first = point.trailing_zeros().wrapping_sub(self.steps[2]);
        let around = set.rotate_right(first & 63);
        let around = papamu_base::pext(around, self.ring, || self.on_ring(around));
        let all = DIRECTIONS_AROUND[(around & 0xff) as usize];
        if point & self.strong != 0 { all } else { all & ALONG }
    }

    /// The eight bits on the ring side by side.
    fn on_ring(&self, around: u64) -> u64 {
        let stride = self.steps[1];
        let places = [0, 1, 2, stride, stride + 2, 2 * stride, 2 * stride + 1, 2 * stride + 2];
        places.iter().rev().fold(0, |on_ring, place| on_ring << 1 | around >> place & 1)
    }

    /// The neighbours of some points, along the lines.
    #[inline(always)]
    pub(super) fn neighbours(&self, points: u64) -> u64 {
        let [row, col, fall, rise] = self.steps;
        let strong = points & self.strong;
        let along = points << row | points >> row | points << col | points >> col;
        let across = strong << fall | strong >> fall | strong << rise | strong >> rise;
        (along | across) & self.points
    }

    /// The image of some points. A board that is not square has no images that exchange rows and
    /// columns.
    #[inline]
    pub(super) fn image(&self, symmetry: Symmetry, points: u64) -> u64 {
        match symmetry {
            Symmetry::Identity => points,
            Symmetry::FlipVertical => self.flip_rows(points),
            Symmetry::Rotate180 => self.half_turn(points),
            Symmetry::FlipHorizontal => self.half_turn(self.flip_rows(points)),
            Symmetry::FlipDiagonal => self.transpose(points),
            Symmetry::FlipAntidiagonal => self.half_turn(self.transpose(points)),
            // Reflections one after the other.
            Symmetry::Rotate90 => self.transpose(self.flip_rows(points)),
            Symmetry::Rotate270 => self.flip_rows(self.transpose(points)),
        }
    }

    /// The image under the reflection in the diagonal, out of the way of other images.
    #[cold]
    pub(super) fn transposed(&self, points: u64) -> u64 {
        self.transpose(points)
    }

    /// The image of a direction.
    pub(super) fn image_of_direction(&self, symmetry: Symmetry, direction: Direction) -> Direction {
        // All directions lead from the centre to other points.
        let centre = self.bit(self.rows / 2, self.cols / 2);
        let image = self.image(symmetry, self.shift(centre, direction));
        let leads_there = |to: &Direction| self.shift(centre, *to) == image;
        Direction::ALL.into_iter().find(leads_there).unwrap_or(direction)
    }

    /// The last point becomes the first.
    #[inline(always)]
    pub(super) fn half_turn(&self, points: u64) -> u64 {
        points.reverse_bits() >> self.points.leading_zeros()
    }

    #[inline(always)]
    pub(super) fn flip_rows(&self, points: u64) -> u64 {
        let stride = self.cols + 1;
        let row = (1_u64 << self.cols) - 1;
        let (mut low, mut high) = (0, (self.rows - 1) * stride);
        let mut image = points & row << (self.rows / 2 * stride);
        while low < high {
            image |= (points >> low & row) << high | (points >> high & row) << low;
            low += stride;
            high -= stride;
        }
        image
    }

    #[inline]
    fn transpose(&self, points: u64) -> u64 {
        let rows = self.transposed.iter().enumerate();
        rows.fold(0, |image, (row, images)| {
            image
                | images[(points >> (row * (self.cols + 1))) as usize & ((1 << self.cols) - 1) & 31]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_lead_to_neighbours() {
        for (rows, cols) in [(3, 3), (3, 5), (5, 9), (9, 5), (3, 15), (15, 3), (7, 5), (3, 13)] {
            let board = Board::new(rows, cols).expect("a board");
            for point in (0..64).filter(|point| board.points >> point & 1 == 1) {
                let point = 1 << point;
                for set in [board.points, board.strong, board.points & !board.strong, point] {
                    let leads = |direction: &&Direction| {
                        board.shift(point & board.lines(**direction), **direction) & set != 0
                    };
                    let there = Direction::ALL.iter().filter(leads);
                    let expected = there.fold(0, |all, direction| all | 1 << direction.code());
                    let found = board.directions_to(point, set);
                    assert_eq!(found, expected, "{rows}x{cols} {point:b}");
                    let by_instruction = papamu_base::pext(set, board.ring, || board.on_ring(set));
                    assert_eq!(by_instruction, board.on_ring(set));
                }
            }
        }
    }

    #[test]
    fn images_are_those_of_the_points() {
        for (rows, cols) in
            [(3, 3), (3, 5), (5, 3), (5, 5), (5, 9), (9, 5), (3, 15), (15, 3), (7, 5)]
        {
            let board = Board::new(rows, cols).expect("a board");
            for &symmetry in board.symmetries() {
                for row in 0..rows {
                    for col in 0..cols {
                        let (to_row, to_col) = symmetry.apply(rows, cols, (row, col));
                        let image = board.image(symmetry, board.bit(row, col));
                        assert_eq!(image, board.bit(to_row, to_col), "{symmetry:?} {rows}x{cols}");
                        let others = board.points ^ board.bit(row, col);
                        assert_eq!(board.image(symmetry, others), board.points ^ image);
                    }
                }
                assert_eq!(board.image(symmetry, board.strong), board.strong);
            }
        }
    }

    #[test]
    fn sides_are_odd_and_boards_small() {
        for (rows, cols) in [(1, 9), (4, 5), (5, 4), (7, 7), (5, 11), (0, 3), (usize::MAX, 3)] {
            assert!(Board::new(rows, cols).is_none(), "{rows}x{cols}");
        }
        let board = Board::new(5, 9).expect("the usual board");
        assert_eq!((board.points.count_ones(), board.strong.count_ones()), (45, 23));
        // The corner has three neighbours, a weak point at the edge has three, the centre eight.
        for (row, col, neighbours) in [(0, 0, 3), (0, 1, 3), (2, 4, 8), (2, 3, 4), (4, 8, 3)] {
            assert_eq!(board.neighbours(board.bit(row, col)).count_ones(), neighbours);
        }
    }
}
