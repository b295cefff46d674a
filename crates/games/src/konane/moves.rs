//! Move generation, many stones at a time.
//!
//! A stone jumps over an adjacent enemy stone onto the empty square behind it, and on in the same
//! direction as often as it likes. Stones that jump in one direction never get in each other's way,
//! so all first jumps of a direction come out of one shift, all second jumps of the next, and so on.

use super::{Board, Jump, Position};
use papamu_game::Player;

/// The four directions, in the order of [`Board::landings`].
#[derive(Clone, Copy)]
enum Direction {
    Right,
    Left,
    Down,
    Up,
}

const DIRECTIONS: [Direction; 4] =
    [Direction::Right, Direction::Left, Direction::Down, Direction::Up];

impl Direction {
    #[inline(always)]
    fn opposite(self) -> Direction {
        match self {
            Direction::Right => Direction::Left,
            Direction::Left => Direction::Right,
            Direction::Down => Direction::Up,
            Direction::Up => Direction::Down,
        }
    }

    /// The distance of neighbours in this direction, in bits.
    #[inline(always)]
    fn step(self, board: &Board) -> u32 {
        match self {
            Direction::Right | Direction::Left => 1,
            Direction::Down | Direction::Up => board.stride,
        }
    }

    /// Moves all squares by so many bits. Squares that cross an edge are cut off by
    /// [`Board::landings`]; so is everything where `bits` exceeds the word, since that needs a
    /// board of one or two rows, on which no vertical jump lands.
    #[inline(always)]
    fn shift(self, squares: u64, bits: u32) -> u64 {
        match self {
            Direction::Right | Direction::Down => squares.wrapping_shl(bits),
            Direction::Left | Direction::Up => squares.wrapping_shr(bits),
        }
    }
}

/// The stones of the player to move, the enemy's, and the empty squares.
#[derive(Clone, Copy)]
struct Sides {
    own: u64,
    enemy: u64,
    empty: u64,
}

impl Sides {
    #[inline(always)]
    fn new(board: &Board, position: &Position) -> Sides {
        let black = position.occupied & board.black;
        let white = position.occupied & board.white;
        let (own, enemy) = match position.side {
            Player::First => (black, white),
            Player::Second => (white, black),
        };
        Sides { own, enemy, empty: !position.occupied }
    }

    /// The same stones seen by the other player.
    #[inline(always)]
    fn reversed(self) -> Sides {
        Sides { own: self.enemy, enemy: self.own, empty: self.empty }
    }

    /// The squares on which a jump in that direction can end, if a stone stands two before it.
    #[inline(always)]
    fn open(self, board: &Board, direction: Direction) -> u64 {
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

/// The jumps of one direction. Inlined once for each, so that the shifts are plain instructions:
/// a loop over the directions costs perft a sixth of its speed.
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
    Jumps::new(board, Sides::new(board, position)).count(board)
}

/// Whether some move leaves the opponent without a jump.
#[inline]
pub(super) fn wins_at_once(board: &Board, position: &Position) -> bool {
    if removals(board, position).is_some() {
        // White's first removal follows Black's, and jumps follow White's: look at each.
        let mut moves = Vec::new();
        generate(board, position, &mut moves);
        return moves.iter().any(|mv| {
            let occupied = position.occupied & !(1 << mv.from);
            count(board, &Position { occupied, side: !position.side }) == 0
        });
    }
    let sides = Sides::new(board, position);
    let enemy = Jumps::new(board, sides.reversed());
    wins(board, sides, &Jumps::new(board, sides), &enemy)
}

/// The open squares and the first landings of all stones of one side, by direction.
struct Jumps {
    open: [u64; 4],
    first: [u64; 4],
}

impl Jumps {
    #[inline(always)]
    fn new(board: &Board, sides: Sides) -> Jumps {
        let open = DIRECTIONS.map(|direction| sides.open(board, direction));
        let first = DIRECTIONS.map(|direction| {
            direction.shift(sides.own, 2 * direction.step(board)) & open[direction as usize]
        });
        Jumps { open, first }
    }

    /// The number of jumps, multiple ones included.
    #[inline(always)]
    fn count(&self, board: &Board) -> usize {
        let of = |direction: Direction| {
            let two = 2 * direction.step(board);
            let (open, first) = (self.open[direction as usize], self.first[direction as usize]);
            // Two jumps without a branch between them: longer ones are rare.
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

    /// The number of stones that can jump.
    #[inline(always)]
    fn movable(&self, board: &Board) -> u32 {
        let from = |direction: Direction| {
            let first = self.first[direction as usize];
            direction.opposite().shift(first, 2 * direction.step(board))
        };
        let stones = from(Direction::Right)
            | from(Direction::Left)
            | from(Direction::Down)
            | from(Direction::Up);
        stones.count_ones()
    }
}

/// Number of moves, whether one of them wins at once, and the movable stones of both sides.
#[inline]
pub(super) fn survey(board: &Board, position: &Position) -> (usize, bool, [u32; 2]) {
    let sides = Sides::new(board, position);
    let (own, enemy) = (Jumps::new(board, sides), Jumps::new(board, sides.reversed()));
    let movable = [own.movable(board), enemy.movable(board)];
    if removals(board, position).is_some() {
        let moves = count(board, position);
        return (moves, moves > 0 && wins_at_once(board, position), movable);
    }
    (own.count(board), wins(board, sides, &own, &enemy), movable)
}

/// Whether some jump leaves the enemy none.
///
/// Most positions have no jump that prevents both targets. To find that out takes no branch that
/// depends on the position; only what remains is looked at move by move.
#[inline(always)]
fn wins(board: &Board, sides: Sides, own: &Jumps, enemy: &Jumps) -> bool {
    let targets = targets(board, enemy);
    let promising = |direction: Direction| {
        let step = direction.step(board);
        let (open, first) = (own.open[direction as usize], own.first[direction as usize]);
        let second = direction.shift(first, 2 * step) & open;
        let third = direction.shift(second, 2 * step) & open;
        let prevents = |jumps: u32| {
            let by = |target: &Target| {
                let over = direction.shift(target.over, 2 * jumps * step);
                let taken = direction.shift(target.from, step);
                let earlier = direction.shift(taken, 2 * step);
                target.to | over | taken | if jumps > 1 { earlier } else { 0 }
            };
            by(&targets[0]) & by(&targets[1])
        };
        first & prevents(1) | second & prevents(2) | third
    };
    let any = promising(Direction::Right)
        | promising(Direction::Left)
        | promising(Direction::Down)
        | promising(Direction::Up);
    any != 0
        && (wins_in(Direction::Right, board, sides, own, &targets)
            || wins_in(Direction::Left, board, sides, own, &targets)
            || wins_in(Direction::Down, board, sides, own, &targets)
            || wins_in(Direction::Up, board, sides, own, &targets))
}

/// A jump of the enemy: a move that leaves him none must take its stone, move away the stone it
/// jumps over, or occupy its landing square.
#[derive(Clone, Copy)]
struct Target {
    from: u64,
    over: u64,
    to: u64,
}

/// Two jumps of the enemy that lie far apart: few moves prevent both, and only those are tried. If
/// he has no jump, no move is ruled out.
#[inline(always)]
fn targets(board: &Board, enemy: &Jumps) -> [Target; 2] {
    let mut targets = [Target { from: u64::MAX, over: u64::MAX, to: u64::MAX }; 2];
    let mut aim = |target: usize, direction: Direction| {
        let landings = enemy.first[direction as usize];
        let to = if target == 0 {
            landings & landings.wrapping_neg()
        } else {
            (1 << 63_u64) >> (landings.leading_zeros() & 63)
        };
        let (back, step) = (direction.opposite(), direction.step(board));
        let aimed = Target { from: back.shift(to, 2 * step), over: back.shift(to, step), to };
        let old = targets[target];
        let choose = |new: u64, old: u64| if landings != 0 { new } else { old };
        targets[target] = Target {
            from: choose(aimed.from, old.from),
            over: choose(aimed.over, old.over),
            to: choose(aimed.to, old.to),
        };
    };
    aim(0, Direction::Up);
    aim(0, Direction::Down);
    aim(0, Direction::Left);
    aim(0, Direction::Right);
    aim(1, Direction::Right);
    aim(1, Direction::Left);
    aim(1, Direction::Down);
    aim(1, Direction::Up);
    targets
}

/// The same for the jumps of one direction.
#[inline(always)]
fn wins_in(
    direction: Direction,
    board: &Board,
    sides: Sides,
    own_jumps: &Jumps,
    targets: &[Target; 2],
) -> bool {
    let open = own_jumps.open[direction as usize];
    let step = direction.step(board);
    let back = |square: u64, bits: u32| direction.opposite().shift(square, bits);
    let mut arriving = own_jumps.first[direction as usize];
    let mut over = targets.map(|target| direction.shift(target.over, 2 * step));
    let mut taken = targets.map(|target| direction.shift(target.from, step));
    let mut jumps = 1;
    while arriving != 0 {
        let prevents = |i: usize| targets[i].to | over[i] | taken[i];
        let mut rest = arriving & prevents(0) & prevents(1);
        while rest != 0 {
            let to = rest & rest.wrapping_neg();
            rest ^= to;
            let captured = (0..jumps).fold(0, |taken, i| taken | back(to, (2 * i + 1) * step));
            let from = back(to, 2 * jumps * step);
            let (own, enemy) = (sides.own ^ from ^ to, sides.enemy ^ captured);
            if !can_jump(board, Sides { own: enemy, enemy: own, empty: !(own | enemy) }) {
                return true;
            }
        }
        arriving = direction.shift(arriving, 2 * step) & open;
        over = over.map(|over| direction.shift(over, 2 * step));
        taken = taken.map(|taken| taken | direction.shift(taken, 2 * step));
        jumps += 1;
    }
    false
}

/// Whether any stone can jump.
#[inline(always)]
fn can_jump(board: &Board, sides: Sides) -> bool {
    let first = |direction: Direction| {
        direction.shift(sides.own, 2 * direction.step(board)) & sides.open(board, direction)
    };
    first(Direction::Right) | first(Direction::Left) | first(Direction::Down) | first(Direction::Up)
        != 0
}

/// The number of stones of `side` that can jump.
pub(super) fn movable(board: &Board, position: &Position, side: Player) -> u32 {
    Jumps::new(board, Sides::new(board, &Position { side, ..*position })).movable(board)
}

/// Whether one move is legal, walking from square to square.
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

/// The numbers of the set bits, from the lowest.
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
