//! The eight symmetries of the square. Each board has some of them.

use std::fmt;

/// A symmetry of a rectangular board. Rotations are clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symmetry {
    /// Every square stays.
    Identity,
    /// Left and right change places.
    FlipHorizontal,
    /// Top and bottom change places.
    FlipVertical,
    /// Half a turn.
    Rotate180,
    /// Reflection in the diagonal from the top left corner; square boards only.
    FlipDiagonal,
    /// Reflection in the diagonal from the top right corner; square boards only.
    FlipAntidiagonal,
    /// A quarter turn; square boards only.
    Rotate90,
    /// Three quarters of a turn; square boards only.
    Rotate270,
}

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::Identity,
        Symmetry::FlipHorizontal,
        Symmetry::FlipVertical,
        Symmetry::Rotate180,
        Symmetry::FlipDiagonal,
        Symmetry::FlipAntidiagonal,
        Symmetry::Rotate90,
        Symmetry::Rotate270,
    ];

    /// Whether rows become columns: the image of a board of 2x3 squares is one of 3x2.
    pub fn exchanges_rows_and_columns(self) -> bool {
        use Symmetry::{FlipAntidiagonal, FlipDiagonal, Rotate90, Rotate270};
        matches!(self, FlipDiagonal | FlipAntidiagonal | Rotate90 | Rotate270)
    }

    /// Where the square (`row`, `col`) of a board of `rows` x `cols` squares goes. If rows become
    /// columns, that is a square of a board of `cols` x `rows`.
    pub fn apply(self, rows: usize, cols: usize, (row, col): (usize, usize)) -> (usize, usize) {
        let (last_row, last_col) = (rows - 1, cols - 1);
        match self {
            Symmetry::Identity => (row, col),
            Symmetry::FlipHorizontal => (row, last_col - col),
            Symmetry::FlipVertical => (last_row - row, col),
            Symmetry::Rotate180 => (last_row - row, last_col - col),
            Symmetry::FlipDiagonal => (col, row),
            Symmetry::FlipAntidiagonal => (last_col - col, last_row - row),
            Symmetry::Rotate90 => (col, last_row - row),
            Symmetry::Rotate270 => (last_col - col, row),
        }
    }

    /// The inverse symmetry.
    pub fn inverse(self) -> Symmetry {
        match self {
            Symmetry::Rotate90 => Symmetry::Rotate270,
            Symmetry::Rotate270 => Symmetry::Rotate90,
            involution => involution,
        }
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Symmetry::Identity => "identity",
            Symmetry::FlipHorizontal => "flip-horizontal",
            Symmetry::FlipVertical => "flip-vertical",
            Symmetry::Rotate180 => "rotate-180",
            Symmetry::FlipDiagonal => "flip-diagonal",
            Symmetry::FlipAntidiagonal => "flip-antidiagonal",
            Symmetry::Rotate90 => "rotate-90",
            Symmetry::Rotate270 => "rotate-270",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_takes_every_square_back() {
        for symmetry in Symmetry::ALL {
            for row in 0..5 {
                for col in 0..5 {
                    let there = symmetry.apply(5, 5, (row, col));
                    assert_eq!(symmetry.inverse().apply(5, 5, there), (row, col));
                }
            }
        }
    }

    #[test]
    fn rotations_compose() {
        for row in 0..4 {
            for col in 0..4 {
                let quarter = Symmetry::Rotate90.apply(4, 4, (row, col));
                let half = Symmetry::Rotate90.apply(4, 4, quarter);
                assert_eq!(half, Symmetry::Rotate180.apply(4, 4, (row, col)));
            }
        }
        assert_eq!(Symmetry::Rotate90.apply(3, 3, (0, 0)), (0, 2));
    }
}
