//! The symmetries of a Konane board, as word operations.
//!
//! A symmetry is one of the game's only if it maps black squares to black ones: flips across an
//! odd number of lines, the half turn if rows + columns is even, the diagonals of square boards,
//! the quarter turns of odd square boards.

use super::Board;
use papamu_game::Symmetry;

impl Board {
    /// The symmetries under which black squares stay black.
    pub(super) fn colour_preserving(&self) -> Vec<Symmetry> {
        let (rows_odd, cols_odd) = (self.rows % 2 == 1, self.cols % 2 == 1);
        let square = self.rows == self.cols;
        let keeps_colour = |symmetry: &Symmetry| match symmetry {
            Symmetry::Identity => true,
            Symmetry::FlipHorizontal => cols_odd,
            Symmetry::FlipVertical => rows_odd,
            Symmetry::Rotate180 => rows_odd == cols_odd,
            Symmetry::FlipDiagonal | Symmetry::FlipAntidiagonal => square,
            Symmetry::Rotate90 | Symmetry::Rotate270 => square && rows_odd,
        };
        Symmetry::ALL.into_iter().filter(keeps_colour).collect()
    }

    /// The image of a set of squares.
    #[inline]
    pub(super) fn image(&self, symmetry: Symmetry, squares: u64) -> u64 {
        match symmetry {
            Symmetry::Identity => squares,
            Symmetry::FlipHorizontal => self.flip_horizontal(squares),
            Symmetry::FlipVertical => self.flip_vertical(squares),
            Symmetry::Rotate180 => self.rotate_180(squares),
            Symmetry::FlipDiagonal => transpose(squares),
            Symmetry::FlipAntidiagonal => self.rotate_180(transpose(squares)),
            Symmetry::Rotate90 => self.flip_horizontal(transpose(squares)),
            Symmetry::Rotate270 => transpose(self.flip_horizontal(squares)),
        }
    }

    /// The least of all images under [`Board::colour_preserving`]. Written out by group: the
    /// images share most of their work, and keys are needed for every position of a search.
    #[inline]
    pub(super) fn least_image(&self, squares: u64) -> u64 {
        let with_half_turn = |squares: u64| squares.min(self.rotate_180(squares));
        match (self.rows % 2 == 1, self.cols % 2 == 1, self.rows == self.cols) {
            (false, false, false) => with_half_turn(squares),
            (false, false, true) => with_half_turn(squares).min(with_half_turn(transpose(squares))),
            (true, false, _) => squares.min(self.flip_vertical(squares)),
            (false, true, _) => squares.min(self.flip_horizontal(squares)),
            (true, true, false) => {
                with_half_turn(squares).min(with_half_turn(self.flip_vertical(squares)))
            }
            (true, true, true) => {
                let transposed = transpose(squares);
                with_half_turn(squares)
                    .min(with_half_turn(self.flip_vertical(squares)))
                    .min(with_half_turn(transposed))
                    .min(with_half_turn(self.flip_vertical(transposed)))
            }
        }
    }

    /// Reversing the word is a half turn of the board; the shift drops the unused high bits.
    #[inline]
    fn rotate_180(&self, squares: u64) -> u64 {
        let last = (self.rows as u32 - 1) * self.stride + self.cols as u32 - 1;
        squares.reverse_bits() >> (63 - last)
    }

    /// Rows are bytes on small boards; on long ones the shorter side is walked line by line.
    #[inline]
    fn flip_vertical(&self, squares: u64) -> u64 {
        if self.stride == 8 {
            squares.swap_bytes() >> (8 * (8 - self.rows))
        } else if self.rows <= self.cols {
            let row_bits = u64::MAX >> (64 - self.cols);
            (0..self.rows as u32).fold(0, |image, row| {
                let line = squares >> (row * self.stride) & row_bits;
                image | line << ((self.rows as u32 - 1 - row) * self.stride)
            })
        } else {
            self.rotate_180(self.flip_horizontal(squares))
        }
    }

    #[inline]
    fn flip_horizontal(&self, squares: u64) -> u64 {
        if self.stride == 8 || self.rows <= self.cols {
            return self.rotate_180(self.flip_vertical(squares));
        }
        let col_bits = (0..self.rows).fold(0, |bits, row| bits | 1 << self.square(row, 0));
        (0..self.cols)
            .fold(0, |image, col| image | (squares >> col & col_bits) << (self.cols - 1 - col))
    }
}

/// Exchanges rows and columns of a board of 8x8 squares, in three rounds of swapped blocks.
#[inline]
pub fn transpose(mut squares: u64) -> u64 {
    for (shift, mask) in
        [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let swapped = (squares ^ squares >> shift) & mask;
        squares ^= swapped ^ swapped << shift;
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The word operations agree with moving square by square, on every board.
    #[test]
    fn images_agree_with_moving_each_square() {
        for rows in 1..=64 {
            for cols in 1..=64 / rows {
                let board = Board::new(rows, cols).expect("fits");
                for symmetry in board.colour_preserving() {
                    for square in super::super::moves::bits(board.squares) {
                        let (row, col) = symmetry.apply(rows, cols, board.row_and_col(square));
                        assert_eq!(
                            board.image(symmetry, 1 << square),
                            1 << board.square(row, col),
                            "{rows}x{cols} {symmetry} of square {square}"
                        );
                    }
                    assert_eq!(board.image(symmetry, board.black), board.black);
                    assert_eq!(board.image(symmetry, board.openings), board.openings);
                }
            }
        }
    }

    #[test]
    fn least_image_is_the_least_of_all_images() {
        for rows in 1..=64 {
            for cols in 1..=64 / rows {
                let board = Board::new(rows, cols).expect("fits");
                let mut squares = 0x0123_4567_89ab_cdef_u64;
                for _ in 0..20 {
                    squares = squares.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ squares >> 29;
                    let squares = squares & board.squares;
                    let images = board.colour_preserving().into_iter();
                    let least = images.map(|symmetry| board.image(symmetry, squares)).min();
                    assert_eq!(Some(board.least_image(squares)), least, "{rows}x{cols}");
                }
            }
        }
    }

    #[test]
    fn transposing_exchanges_rows_and_columns() {
        for i in 0..64 {
            assert_eq!(transpose(1 << i), 1 << (i % 8 * 8 + i / 8));
        }
    }

    #[test]
    fn number_of_symmetries() {
        let order = |rows, cols| Board::new(rows, cols).expect("fits").colour_preserving().len();
        assert_eq!(order(5, 5), 8);
        assert_eq!(order(6, 6), 4);
        assert_eq!(order(5, 7), 4);
        assert_eq!(order(6, 4), 2);
        assert_eq!(order(5, 6), 2);
        assert_eq!(order(1, 1), 8);
    }
}
