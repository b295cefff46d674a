//! Tic-tac-toe: three in a row win, a full board is a draw.

use super::{
    Game, Position, Root, Shape, from_ternary, images_of_board, least_ternary, read_points,
    show_points, split_root,
};

/// The board of 3x3 squares.
pub(super) struct TicTacToe {
    /// For each symmetry, the image of every square.
    symmetries: Vec<Vec<usize>>,
}

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

impl TicTacToe {
    pub(super) fn read(root: &str) -> Result<Root, String> {
        let (board, side) = split_root(root, ["x", "o"])?;
        let lines: Vec<&str> = board.split('/').collect();
        if lines.len() != 3 || lines.iter().any(|line| line.len() != 3) {
            return Err("the root is not a board of 3x3 squares".to_owned());
        }
        let points = read_points(&lines.concat(), ['x', 'o'])?;
        let position = Position { points, side };
        if side_to_move(position.pieces()) != Some(side) {
            return Err("the marks of the root say that the other player moves".to_owned());
        }
        if has_line(&position, side) {
            return Err("the root goes on after three in a row".to_owned());
        }
        Ok((Box::new(TicTacToe { symmetries: images_of_board(3, 3) }), position))
    }
}

/// The player whose turn it is with so many marks of x and of o, if there are such positions.
fn side_to_move([x, o]: [usize; 2]) -> Option<usize> {
    x.checked_sub(o).filter(|&more| more <= 1)
}

fn has_line(position: &Position, player: usize) -> bool {
    let own = |square: &usize| usize::from(position.points[*square]) == player + 1;
    LINES.iter().any(|line| line.iter().all(own))
}

impl Game for TicTacToe {
    fn points(&self) -> usize {
        9
    }

    fn limit(&self) -> u128 {
        3_u128.pow(9)
    }

    fn number(&self, position: &Position) -> u128 {
        least_ternary(&position.points, &self.symmetries)
    }

    fn position(&self, number: u128, side: usize) -> Option<Position> {
        let position = Position { points: from_ternary(number, 9), side };
        (side_to_move(position.pieces()) == Some(side)).then_some(position)
    }

    fn after(&self, position: &Position) -> Vec<Position> {
        if has_line(position, 0) || has_line(position, 1) {
            return Vec::new();
        }
        let empty = (0..9).filter(|&square| position.points[square] == 0);
        empty
            .map(|square| {
                let mut after = Position { side: 1 - position.side, ..position.clone() };
                after.points[square] = position.side as u8 + 1;
                after
            })
            .collect()
    }

    fn winner(&self, position: &Position) -> Option<usize> {
        [1 - position.side, position.side].into_iter().find(|&player| has_line(position, player))
    }

    fn shapes(&self) -> Vec<Shape> {
        let pieces = (0..=9).map(|marks: usize| [marks.div_ceil(2), marks / 2]);
        pieces.map(|pieces| Shape { pieces, side: pieces[0] - pieces[1] }).collect()
    }

    fn size(&self, [x, o]: [usize; 2]) -> usize {
        9 - x - o
    }

    fn show(&self, number: u128, side: usize) -> String {
        let points = from_ternary(number, 9);
        let rows = points.chunks(3).map(|row| show_points(row, ['x', 'o']));
        format!("{} {}", rows.collect::<Vec<_>>().join("/"), ["x", "o"][side])
    }
}
