//! Move generation, many stones at a time.
//!
//! A stone jumps over an adjacent enemy stone onto the empty square behind it, and on in the same
//! direction as often as it likes. Stones that jump in one direction never block each other, so one
//! shift gives all first jumps of a direction, the next shift all second jumps, and so on.

use super::{Board, Jump, Position};
use papamu_game::Player;

/// The four directions, in the order of [`Board::landings`].
#[derive(Clone, Copy)]
pub(super) enum Direction {
    Right,
    Left,
    Down,
    Up,
}

pub(super) const DIRECTIONS: [Direction; 4] =
    [Direction::Right, Direction::Left, Direction::Down, Direction::Up];

impl Direction {
    #[inline(always)]
    pub(super) fn opposite(self) -> Direction {
        match self {
            Direction::Right => Direction::Left,
            Direction::Left => Direction::Right,
            Direction::Down => Direction::Up,
            Direction::Up => Direction::Down,
        }
    }

    /// The distance of neighbours in this direction, in bits.
    #[inline(always)]
    pub(super) fn step(self, board: &Board) -> u32 {
        match self {
            Direction::Right | Direction::Left => 1,
            Direction::Down | Direction::Up => board.stride,
        }
    }

    /// Shifts all squares by `bits`. [`Board::landings`] masks squares that cross an edge. It also
    /// masks everything where `bits` exceeds the word: that needs a board of one or two rows, on
    /// which no vertical jump lands.
    #[inline(always)]
    pub(super) fn shift(self, squares: u64, bits: u32) -> u64 {
        match self {
            Direction::Right | Direction::Down => squares.wrapping_shl(bits),
            Direction::Left | Direction::Up => squares.wrapping_shr(bits),
        }
    }
}

/// The stones of the player to move, the enemy's, and the empty squares.
#[derive(Clone, Copy)]
pub(super) struct Sides {
    pub(super) own: u64,
    pub(super) enemy: u64,
    pub(super) empty: u64,
}

impl Sides {
    #[inline(always)]
    pub(super) fn new(board: &Board, position: &Position) -> Sides {
        let black = position.occupied & board.black;
        let white = position.occupied & board.white;
        let (own, enemy) = match position.side {
            Player::First => (black, white),
            Player::Second => (white, black),
        };
        Sides { own, enemy, empty: !position.occupied }
    }

    /// The squares on which a jump in that direction can end, if a stone stands two squares before
    /// it.
    #[inline(always)]
    pub(super) fn open(self, board: &Board, direction: Direction) -> u64 {
        let behind_enemy = direction.shift(self.enemy, direction.step(board));
        behind_enemy & self.empty & board.landings[direction as usize]
    }
}

/// The stones that may be removed, if the position is one of the first two plies.
#[inline(always)]
pub(super) fn removals(board: &Board, position: &Position) -> Option<u64> {
    let missing = board.squares & !position.occupied;
    match position.side {
        Player::First if missing == 0 => Some(board.openings),
        Player::Second if missing.is_power_of_two() && missing & board.black != 0 => {
            let beside = DIRECTIONS.into_iter().fold(0, |beside, direction| {
                beside | direction.shift(missing, direction.step(board))
            });
            // A neighbour that wraps around an edge of the packed layout of long boards has the
            // wrong row: keep it only if it shares the row or the column.
            Some(beside & board.white & same_line(board, missing))
        }
        _ => None,
    }
}

/// All squares in the row or the column of one square.
fn same_line(board: &Board, square: u64) -> u64 {
    let (row, col) = board.row_and_col(square.trailing_zeros() as u8);
    let row_bits = (u64::MAX >> (64 - board.cols)) << (row as u32 * board.stride);
    let col_bits = (0..board.rows).fold(0, |bits, row| bits | 1 << board.square(row, col));
    row_bits | col_bits
}

/// Appends all legal moves.
pub(super) fn generate(board: &Board, position: &Position, moves: &mut Vec<Jump>) {
    if let Some(stones) = removals(board, position) {
        moves.extend(bits(stones).map(|square| Jump { from: square, to: square }));
        return;
    }
    let sides = Sides::new(board, position);
    generate_in(Direction::Right, board, sides, moves);
    generate_in(Direction::Left, board, sides, moves);
    generate_in(Direction::Down, board, sides, moves);
    generate_in(Direction::Up, board, sides, moves);
}

/// The jumps of one direction. Inlined once per direction, so that the shifts are plain
/// instructions: a loop over the directions costs perft a sixth of its speed.
#[inline(always)]
fn generate_in(direction: Direction, board: &Board, sides: Sides, moves: &mut Vec<Jump>) {
    let open = sides.open(board, direction);
    let two = 2 * direction.step(board);
    let mut arriving = direction.shift(sides.own, two) & open;
    let mut length = two as u8;
    while arriving != 0 {
        moves.extend(bits(arriving).map(|to| Jump {
            from: match direction {
                Direction::Right | Direction::Down => to - length,
                Direction::Left | Direction::Up => to + length,
            },
            to,
        }));
        arriving = direction.shift(arriving, two) & open;
        length += two as u8;
    }
}

/// The number of legal moves.
#[inline]
pub(super) fn count(board: &Board, position: &Position) -> usize {
    if let Some(stones) = removals(board, position) {
        return stones.count_ones() as usize;
    }
    count_jumps(board, position)
}

/// The number of jumps, whatever the phase of the game.
#[inline]
pub(super) fn count_jumps(board: &Board, position: &Position) -> usize {
    let sides = Sides::new(board, position);
    let of = |direction: Direction| {
        let two = 2 * direction.step(board);
        let open = sides.open(board, direction);
        // Two jumps without a branch between them: longer ones are rare.
        let first = direction.shift(sides.own, two) & open;
        let second = direction.shift(first, two) & open;
        let mut arriving = direction.shift(second, two) & open;
        let mut count = first.count_ones() + second.count_ones();
        while arriving != 0 {
            count += arriving.count_ones();
            arriving = direction.shift(arriving, two) & open;
        }
        count
    };
    let counts =
        of(Direction::Right) + of(Direction::Left) + of(Direction::Down) + of(Direction::Up);
    counts as usize
}

/// Whether any stone can jump.
#[inline(always)]
pub(super) fn can_jump(board: &Board, sides: Sides) -> bool {
    let first = |direction: Direction| {
        direction.shift(sides.own, 2 * direction.step(board)) & sides.open(board, direction)
    };
    first(Direction::Right) | first(Direction::Left) | first(Direction::Down) | first(Direction::Up)
        != 0
}

/// The number of stones of `side` that can jump.
pub(super) fn movable(board: &Board, position: &Position, side: Player) -> u32 {
    let sides = Sides::new(board, &Position { side, ..*position });
    let stones = DIRECTIONS.into_iter().fold(0, |stones, direction| {
        let two = 2 * direction.step(board);
        let first = direction.shift(sides.own, two) & sides.open(board, direction);
        stones | direction.opposite().shift(first, two)
    });
    stones.count_ones()
}

/// Whether one move is legal, checked square by square.
pub(super) fn is_legal(board: &Board, position: &Position, mv: &Jump) -> bool {
    let stands = |square: u64| position.occupied & square != 0;
    let on_board = |square: u8| square < 64 && board.squares >> square & 1 == 1;
    if !on_board(mv.from) || !on_board(mv.to) {
        return false;
    }
    let ((from_row, from_col), (to_row, to_col)) =
        (board.row_and_col(mv.from), board.row_and_col(mv.to));
    if let Some(stones) = removals(board, position) {
        return mv.from == mv.to && stones >> mv.from & 1 == 1;
    }
    let (rows, cols) = (from_row.abs_diff(to_row), from_col.abs_diff(to_col));
    if rows.min(cols) != 0 || rows.max(cols) == 0 || rows.max(cols) % 2 != 0 {
        return false;
    }
    let own = if position.side == Player::First { board.black } else { board.white };
    let between = |i: usize| {
        let along = |from: usize, to: usize| if from <= to { from + i } else { from - i };
        let (row, col) = (
            if rows > 0 { along(from_row, to_row) } else { from_row },
            if cols > 0 { along(from_col, to_col) } else { from_col },
        );
        1_u64 << board.square(row, col)
    };
    let path_is_free = (1..=rows.max(cols)).all(|i| stands(between(i)) == (i % 2 == 1));
    stands(1 << mv.from) && own >> mv.from & 1 == 1 && path_is_free
}

/// The indices of the set bits, from the lowest.
#[inline(always)]
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let lowest = set.trailing_zeros() as u8;
        set &= set - 1;
        Some(lowest)
    })
}
