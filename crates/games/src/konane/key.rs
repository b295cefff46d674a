//! Exact keys of 64 bits for boards of up to 64 squares.
//!
//! Occupancy and side to move are 65 bits on the largest boards. On boards with an even number of
//! rows or columns a reflection exchanges the two colours of square; together with the exchange of
//! the players it maps the jumping phase onto itself and preserves the value for the player to
//! move. So every position there is mapped to one with Black to move, and the occupancy is the
//! whole key. Boards with odd sides have no such reflection, but bit 63 to spare for the side to
//! move.
//!
//! The removals of the first two plies are no part of that symmetry. They use the codes of boards
//! with no stone or a single one, on which no jump is possible.

use papamu_game::Player;

use super::{Board, Position};

impl Board {
    /// The exact canonical key.
    #[inline]
    pub(super) fn key(&self, position: &Position) -> u64 {
        let least = |squares: u64| self.least_image(squares);
        let Some(swap) = self.colour_swap else {
            return least(position.occupied) | (position.side.index() as u64) << 63;
        };
        let missing = self.squares & !position.occupied;
        match position.side {
            Player::First if missing == 0 => 0,
            Player::First => least(position.occupied),
            Player::Second if missing.is_power_of_two() && missing & self.black != 0 => {
                least(missing)
            }
            Player::Second => least(self.image(swap, position.occupied)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use papamu_game::{Game, Value};

    use super::super::{Konane, Position};
    use super::*;

    /// On small boards, all positions that share a key are images of each other, with or without
    /// the players exchanged, and have the same value.
    #[test]
    fn keys_are_exact_on_small_boards() {
        for (rows, cols) in [(1, 1), (1, 6), (2, 3), (3, 3), (2, 5), (4, 3), (3, 4), (1, 11)] {
            let game = Konane::new(rows, cols).expect("a board");
            let board = game.board().clone();
            let squares: Vec<u8> = super::super::moves::bits(board.squares).collect();
            let mut classes: HashMap<u64, Vec<Position>> = HashMap::new();
            for subset in 0..1_u32 << squares.len() {
                let stones = squares.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1);
                let occupied = stones.fold(0, |bits, (_, square)| bits | 1 << square);
                for side in [Player::First, Player::Second] {
                    let position = Position { occupied, side };
                    if game.count_moves(&position) > 0 {
                        classes.entry(game.key(&position)).or_default().push(position);
                    }
                }
            }
            for class in classes.values() {
                let first = class[0];
                let value = value(&game, first);
                let mut expected: Vec<Position> =
                    game.symmetries().iter().map(|&s| game.image(s, &first)).collect();
                let removes = super::super::moves::removals(&board, &first).is_some();
                if let (Some(swap), false) = (board.colour_swap, removes) {
                    let swapped =
                        Position { occupied: board.image(swap, first.occupied), side: !first.side };
                    expected.extend(game.symmetries().iter().map(|&s| game.image(s, &swapped)));
                }
                expected.sort();
                expected.dedup();
                let mut class = class.clone();
                class.sort();
                assert_eq!(class, expected, "{rows}x{cols}");
                assert!(class.iter().all(|&position| self::value(&game, position) == value));
            }
        }
    }

    fn value(game: &Konane, position: Position) -> Value {
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        let children = moves.iter().map(|mv| {
            let mut child = position;
            game.play(&mut child, mv);
            -value(game, child)
        });
        children.max().unwrap_or(Value::Loss)
    }
}
