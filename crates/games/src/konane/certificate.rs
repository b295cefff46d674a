//! Numbers of positions in certificates: squares in reading order without gaps.

use super::Board;

impl Board {
    /// The place of a square in reading order.
    pub(super) fn reading_order(&self, square: u8) -> u64 {
        let (row, col) = self.row_and_col(square);
        (row * self.cols + col) as u64
    }

    /// The occupied squares as bits in reading order: the least such number of all images.
    pub(super) fn certificate_number(&self, occupied: u64) -> u64 {
        let row_bits = u64::MAX >> (64 - self.cols);
        let number = |squares: u64| {
            (0..self.rows).fold(0, |number, row| {
                number | (squares >> (row as u32 * self.stride) & row_bits) << (row * self.cols)
            })
        };
        // The order of the bits is the same with and without gaps.
        number(self.least_image(occupied))
    }

    /// The squares of a number; `None` if it is beyond the board.
    pub(super) fn squares_of_number(&self, number: u64) -> Option<u64> {
        let row_bits = u64::MAX >> (64 - self.cols);
        let squares = (0..self.rows).fold(0, |squares, row| {
            squares | (number >> (row * self.cols) & row_bits) << (row as u32 * self.stride)
        });
        let all = u64::MAX >> (64 - self.rows * self.cols);
        (number & !all == 0).then_some(squares)
    }
}

#[cfg(test)]
mod tests {
    use papamu_game::{Certifiable, Game, Player};

    use super::super::{Konane, Position};

    #[test]
    fn numbers_come_back() {
        let mut random = fastrand::Rng::with_seed(5);
        for (rows, cols) in [(1, 1), (3, 4), (6, 6), (7, 7), (8, 8), (1, 64), (4, 12), (16, 4)] {
            let game = Konane::new(rows, cols).expect("a board");
            for _ in 0..200 {
                let occupied = random.u64(..) & game.board().squares;
                let position = Position { occupied, side: Player::Second };
                let number = game.certificate_number(&position);
                let again = game.position_of_number(number, Player::Second).expect("a position");
                assert_eq!(again, game.canonical(&position));
                assert_eq!(game.certificate_number(&again), number);
                assert_eq!(number.count_ones(), occupied.count_ones());
            }
            if rows * cols < 64 {
                assert_eq!(game.position_of_number(1 << (rows * cols), Player::First), None);
            }
        }
    }
}
