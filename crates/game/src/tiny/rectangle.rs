//! Rectangles of squares on which dominoes are laid: what Domineering and Cram share.

use crate::notation::{Grid, read_size, square_name};
use crate::{NotationError, Symmetry};

const MOST_SQUARES: usize = 64;
const COVERED: [char; 2] = ['#', '#'];

/// The symmetries that every rectangle has.
pub(super) const REFLECTIONS: [Symmetry; 4] =
    [Symmetry::Identity, Symmetry::FlipHorizontal, Symmetry::FlipVertical, Symmetry::Rotate180];

/// A board of up to 64 squares. Sets of squares are bits, row by row from the top left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rectangle {
    rows: u8,
    cols: u8,
}

/// How a domino lies.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// Along a column.
    Upright,
    /// Along a row.
    Across,
}

/// The two squares that a domino covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Domino(u64);

impl Domino {
    pub(super) fn squares(self) -> u64 {
        self.0
    }
}

/// The lowest bits, one or more of them.
fn ones(count: u8) -> u64 {
    u64::MAX >> (64 - count)
}

impl Rectangle {
    fn new(game: &str, rows: usize, cols: usize, size: String) -> Result<Rectangle, NotationError> {
        let squares = rows.checked_mul(cols);
        if squares.is_none_or(|squares| squares == 0 || squares > MOST_SQUARES) {
            let problem = format!("{game} is played on 1 to {MOST_SQUARES} squares");
            return Err(NotationError::Size { size, problem });
        }
        Ok(Rectangle { rows: rows as u8, cols: cols as u8 })
    }

    /// Reads a bare size; `None` if the text is something else.
    pub(super) fn read_size(game: &str, text: &str) -> Option<Result<Rectangle, NotationError>> {
        let (rows, cols) = read_size(text.trim())?;
        Some(Rectangle::new(game, rows, cols, text.trim().to_owned()))
    }

    /// The board of a grid, and its covered squares.
    pub(super) fn of_grid(game: &str, grid: &Grid) -> Result<(Rectangle, u64), NotationError> {
        let size = format!("{}x{}", grid.rows, grid.cols);
        let board = Rectangle::new(game, grid.rows, grid.cols, size)?;
        let [covered, _] = grid.planes(COVERED, "`.` and `#`")?;
        Ok((board, covered))
    }

    pub(super) fn is_square(self) -> bool {
        self.rows == self.cols
    }

    fn rows(self) -> usize {
        self.rows.into()
    }

    pub(super) fn cols(self) -> usize {
        self.cols.into()
    }

    fn count(self) -> u8 {
        self.rows * self.cols
    }

    /// The squares that are not in a set.
    pub(super) fn others(self, squares: u64) -> u64 {
        !squares & ones(self.count())
    }

    /// The left column.
    fn left_edge(self) -> u64 {
        (0..self.rows).fold(0, |edge, row| edge | 1 << (row * self.cols))
    }

    /// The free squares that have a free square below, or to the right.
    pub(super) fn places(self, way: Way, free: u64) -> u64 {
        free & match way {
            // On a board of one row the neighbour is 64 squares away at most.
            Way::Upright => free.checked_shr(self.cols.into()).unwrap_or(0),
            Way::Across => (free & !self.left_edge()) >> 1,
        }
    }

    /// The dominoes for which there is room.
    pub(super) fn dominoes(self, way: Way, free: u64) -> impl Iterator<Item = Domino> {
        let step = match way {
            Way::Upright => self.cols,
            Way::Across => 1,
        };
        let mut places = self.places(way, free);
        std::iter::from_fn(move || {
            let square = (places != 0).then(|| places.trailing_zeros())?;
            places &= places - 1;
            Some(Domino((1 | 1 << step) << square))
        })
    }

    /// Whether a domino lies that way and on free squares, decided square by square.
    pub(super) fn fits(self, way: Way, free: u64, domino: Domino) -> bool {
        if domino.0.count_ones() != 2 {
            return false;
        }
        let cells = self.cells(self.others(free), '.');
        let ends = self.ends(domino);
        let [(top, left), (bottom, right)] = ends;
        let apart = match way {
            Way::Upright => (1, 0),
            Way::Across => (0, 1),
        };
        (bottom - top, right.abs_diff(left)) == apart
            && ends.iter().all(|(row, col)| cells.get(row * self.cols() + col) == Some(&'.'))
    }

    /// The connected sets of free squares, without those that are alone: no domino will ever lie
    /// there.
    pub(super) fn components(self, mut free: u64) -> impl Iterator<Item = u64> {
        let components = std::iter::from_fn(move || {
            let component = (free != 0).then(|| self.component(free))?;
            free ^= component;
            Some(component)
        });
        components.filter(|component| component.count_ones() > 1)
    }

    /// The free squares that dominoes could connect with the lowest of these.
    fn component(self, free: u64) -> u64 {
        let left = self.left_edge();
        let cols = u32::from(self.cols);
        let mut component = free & free.wrapping_neg();
        loop {
            let vertically =
                component.checked_shl(cols).unwrap_or(0) | component.checked_shr(cols).unwrap_or(0);
            let horizontally = component << 1 & !left | (component & !left) >> 1;
            let more = free & (component | vertically | horizontally);
            if more == component {
                return component;
            }
            component = more;
        }
    }

    /// The squares seen through a symmetry that the board has.
    pub(super) fn image(self, symmetry: Symmetry, squares: u64) -> u64 {
        let turned = |squares: u64| squares.reverse_bits() >> (64 - self.count());
        let flipped = |squares: u64| {
            let last = self.rows - 1;
            let row = |row: u8| squares >> (row * self.cols) & ones(self.cols);
            (0..self.rows).fold(0, |image, r| image | row(r) << ((last - r) * self.cols))
        };
        // Boards that are not square lack the last four.
        let exchanged = || self.exchanged(squares).unwrap_or(squares);
        match symmetry {
            Symmetry::Identity => squares,
            Symmetry::FlipHorizontal => flipped(turned(squares)),
            Symmetry::FlipVertical => flipped(squares),
            Symmetry::Rotate180 => turned(squares),
            Symmetry::FlipDiagonal => exchanged(),
            Symmetry::FlipAntidiagonal => turned(exchanged()),
            Symmetry::Rotate90 => flipped(turned(exchanged())),
            Symmetry::Rotate270 => flipped(exchanged()),
        }
    }

    /// The squares moved up and to the left as far as the board goes.
    pub(super) fn in_corner(self, mut squares: u64) -> u64 {
        if squares == 0 {
            return 0;
        }
        let cols = u32::from(self.cols);
        squares >>= squares.trailing_zeros() / cols * cols;
        let left = self.left_edge();
        while squares & left == 0 {
            squares >>= 1;
        }
        squares
    }

    /// Rows and columns exchanged; `None` if the board has no room for that.
    pub(super) fn exchanged(self, mut squares: u64) -> Option<u64> {
        let mut image = 0;
        while squares != 0 {
            let (row, col) = self.coordinates(squares.trailing_zeros());
            if col >= self.rows() || row >= self.cols() {
                return None;
            }
            image |= 1 << (col * self.cols() + row);
            squares &= squares - 1;
        }
        Some(image)
    }

    fn coordinates(self, square: u32) -> (usize, usize) {
        let square = square as usize;
        (square / self.cols(), square % self.cols())
    }

    fn ends(self, domino: Domino) -> [(usize, usize); 2] {
        [domino.0.trailing_zeros(), 63 - domino.0.leading_zeros()].map(|s| self.coordinates(s))
    }

    pub(super) fn write_domino(self, domino: Domino) -> String {
        self.ends(domino).map(|(row, col)| square_name(self.rows(), row, col)).join("-")
    }

    pub(super) fn image_of_domino(self, symmetry: Symmetry, domino: Domino) -> Domino {
        Domino(self.image(symmetry, domino.0))
    }

    /// The letters of the squares; `free` stands for those that are not covered.
    pub(super) fn cells(self, covered: u64, free: char) -> Vec<char> {
        Grid::letters([covered, 0], COVERED, free, self.count().into())
    }

    pub(super) fn draw(self, covered: u64) -> String {
        Grid::draw(self.cols(), &self.cells(covered, '·'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(rows: usize, cols: usize) -> Rectangle {
        Rectangle::new("a game", rows, cols, String::new()).expect("a board")
    }

    /// The words agree with the squares one by one.
    #[test]
    fn images_are_those_of_the_symmetries() {
        for (rows, cols) in [(1, 1), (3, 3), (8, 8), (4, 5), (2, 32), (64, 1), (1, 64)] {
            let board = board(rows, cols);
            let symmetries = if board.is_square() { 8 } else { 4 };
            for &symmetry in &Symmetry::ALL[..symmetries] {
                for square in 0..rows * cols {
                    let (row, col) = symmetry.apply(rows, cols, (square / cols, square % cols));
                    let image = board.image(symmetry, 1 << square);
                    assert_eq!(image, 1 << (row * cols + col), "{rows}x{cols} {symmetry} {square}");
                }
            }
        }
    }

    #[test]
    fn corners_are_reached_from_everywhere() {
        for (rows, cols) in [(1, 1), (3, 3), (8, 8), (4, 5), (2, 32), (64, 1), (1, 64)] {
            let board = board(rows, cols);
            assert_eq!(board.in_corner(0), 0);
            for square in 0..rows * cols {
                assert_eq!(board.in_corner(1 << square), 1, "{rows}x{cols} {square}");
            }
            let all = board.others(0);
            assert_eq!(board.in_corner(all), all);
        }
        // A shape whose top row and left column meet outside of it.
        assert_eq!(board(3, 4).in_corner(0b0110_1000_0000), 0b0011_0100);
    }

    #[test]
    fn rows_and_columns_are_exchanged_if_there_is_room() {
        let board = board(2, 4);
        assert_eq!(board.exchanged(0b0000_0011), Some(0b0001_0001));
        assert_eq!(board.exchanged(0b0001_0011), Some(0b0001_0011));
        assert_eq!(board.exchanged(0b0000_0111), None);
    }
}
