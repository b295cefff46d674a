//! The geometry of a Konane board: how squares become bits, and the masks that follow.

use papamu_game::Symmetry;

/// The most squares a board may have.
pub const MAX_SQUARES: usize = 64;

/// The fixed data of a board with up to 64 squares.
///
/// Square (row, col), counted from the top left corner, is bit `row * stride + col`. Boards that
/// fit into 8x8 have a stride of 8, so that flips and transpositions are a handful of word
/// operations; longer ones are packed without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
    /// Distance of vertically adjacent squares in bits.
    pub stride: u32,
    /// All squares.
    pub squares: u64,
    /// The squares of black stones: row + col is even.
    pub black: u64,
    /// The squares of white stones.
    pub white: u64,
    /// The landing squares of jumps right, left, down, up.
    pub landings: [u64; 4],
    /// The distance of neighbours in bits along rows and columns, once for each player.
    pub(super) lane_steps: [u64; 4],
    /// The landings of jumps towards higher squares and towards lower ones, in the same lanes.
    pub(super) lane_landings: [[u64; 4]; 2],
    /// The rotation to the right, in bits, that steps back from a jump right, down, left, up.
    pub(super) lane_backs: [u32; 4],
    /// A reflection that exchanges the two colours of square, if the board has one.
    pub colour_swap: Option<Symmetry>,
    /// Black stones that may be removed to open the game: corners and centre.
    pub openings: u64,
    /// The squares that a move changes, by the distance of its two squares in bits: the stone
    /// leaves, the jumped stones vanish, the stone arrives. Distance 0 is a removal. The pattern
    /// starts with the lower of the two squares and reads the same from the higher one.
    pub changes: [u64; 64],
}

impl Board {
    /// The board of that many rows and columns, if it has at least one and at most 64 squares.
    pub fn new(rows: usize, cols: usize) -> Option<Board> {
        let squares = rows.checked_mul(cols)?;
        if squares == 0 || squares > MAX_SQUARES {
            return None;
        }
        let stride = if rows <= 8 && cols <= 8 { 8 } else { cols };
        let select = |wanted: &dyn Fn(usize, usize) -> bool| {
            let all = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
            all.filter(|&(row, col)| wanted(row, col))
                .fold(0_u64, |bits, (row, col)| bits | 1 << (row * stride + col))
        };
        let black = select(&|row, col| (row + col) % 2 == 0);
        let corners =
            select(&|row, col| (row == 0 || row == rows - 1) && (col == 0 || col == cols - 1));
        let is_middle = |i: usize, length: usize| i == (length - 1) / 2 || i == length / 2;
        let centre = select(&|row, col| is_middle(row, rows) && is_middle(col, cols));
        let landings = [
            select(&|_, col| col >= 2),
            select(&|_, col| col + 2 < cols),
            select(&|row, _| row >= 2),
            select(&|row, _| row + 2 < rows),
        ];
        let [right, left, down, up] = landings;
        let step = stride as u32;
        let mut board = Board {
            rows,
            cols,
            stride: stride as u32,
            squares: select(&|_, _| true),
            black,
            white: select(&|row, col| (row + col) % 2 == 1),
            landings,
            lane_steps: [1, stride as u64, 1, stride as u64],
            lane_landings: [[right, down, right, down], [left, up, left, up]],
            lane_backs: [1, step, 63, 64 - step],
            colour_swap: match (rows % 2, cols % 2) {
                (_, 0) => Some(Symmetry::FlipHorizontal),
                (0, _) => Some(Symmetry::FlipVertical),
                _ => None,
            },
            openings: black & (corners | centre),
            changes: [0; 64],
        };
        board.changes[0] = 1;
        board.set_changes(1, cols);
        board.set_changes(stride, rows);
        Some(board)
    }

    /// Fills in the changes of jumps along a line of `length` squares, `step` bits apart.
    fn set_changes(&mut self, step: usize, length: usize) {
        let mut jumped = 0;
        for jumps in 1..=length.saturating_sub(1) / 2 {
            jumped |= 1 << ((2 * jumps - 1) * step);
            self.changes[2 * jumps * step] = 1 | jumped | 1 << (2 * jumps * step);
        }
    }

    /// The bit number of a square.
    pub fn square(&self, row: usize, col: usize) -> u8 {
        (row * self.stride as usize + col) as u8
    }

    /// Row and column of a square.
    pub fn row_and_col(&self, square: u8) -> (usize, usize) {
        let (square, stride) = (usize::from(square), self.stride as usize);
        (square / stride, square % stride)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_1_to_64_squares() {
        for (rows, cols) in [(0, 5), (5, 0), (9, 9), (1, 65), (13, 5), (usize::MAX, 2)] {
            assert_eq!(Board::new(rows, cols), None, "{rows}x{cols}");
        }
        for rows in 1..=64 {
            for cols in 1..=64 / rows {
                let board = Board::new(rows, cols).expect("fits");
                assert_eq!(board.squares.count_ones() as usize, rows * cols);
                assert_eq!(board.black ^ board.white, board.squares);
            }
        }
    }

    #[test]
    fn squares_are_numbered_row_by_row() {
        let board = Board::new(5, 7).expect("fits");
        assert_eq!(board.row_and_col(board.square(3, 6)), (3, 6));
        let long = Board::new(3, 16).expect("fits");
        assert_eq!(long.row_and_col(long.square(2, 15)), (2, 15));
        assert_eq!(long.square(2, 15), 47);
    }
}
