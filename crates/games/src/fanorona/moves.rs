//! Moves: captures by approach and withdrawal, step after step, or a step without a capture.

use std::ops::ControlFlow;

use papamu_game::Player;

use super::board::{Board, Direction};
use super::{Path, Position, Turn};

/// How a step captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Capture {
    /// The line of enemies before the stone.
    Approach,
    /// The line of enemies behind it.
    Withdrawal,
}

impl Capture {
    pub(super) const BOTH: [Capture; 2] = [Capture::Approach, Capture::Withdrawal];
}

/// Own stones, enemies and empty points.
#[derive(Clone, Copy)]
struct Sides {
    own: u64,
    enemy: u64,
    empty: u64,
}

impl Sides {
    fn of(board: &Board, position: &Position) -> Sides {
        let [white, black] = position.stones;
        let (own, enemy) =
            if position.side == Player::First { (white, black) } else { (black, white) };
        Sides { own, enemy, empty: board.points & !(own | enemy) }
    }

    /// The stones that capture by a first step in a direction.
    #[inline(always)]
    fn capturers(&self, board: &Board, direction: Direction) -> [u64; 2] {
        let movers = self.own & board.lines(direction) & board.shift_back(self.empty, direction);
        let before = board.shift_back(self.enemy, direction);
        [movers & board.shift_back(before, direction), movers & board.shift(self.enemy, direction)]
    }

    /// The number of first steps that capture.
    fn capturing_steps(&self, board: &Board) -> u32 {
        let steps = |direction| -> u32 {
            self.capturers(board, direction).into_iter().map(u64::count_ones).sum()
        };
        Direction::ALL.into_iter().map(steps).sum()
    }

    #[inline(always)]
    fn steppers(&self, board: &Board, direction: Direction) -> u64 {
        self.own & board.lines(direction) & board.shift_back(self.empty, direction)
    }
}

/// The unbroken line of enemies that begins one step from a point.
#[inline(always)]
fn line(board: &Board, enemy: u64, from: u64, is_back: bool, direction: Direction) -> u64 {
    let next = |point| match is_back {
        true => board.shift_back(point, direction),
        false => board.shift(point, direction),
    };
    let (mut point, mut line) = (next(from), 0);
    while point & enemy != 0 {
        line |= point;
        point = next(point);
    }
    line
}

/// What a step from a point captures.
#[inline(always)]
fn captured(board: &Board, enemy: u64, from: u64, direction: Direction, how: Capture) -> u64 {
    match how {
        Capture::Approach => line(board, enemy, board.shift(from, direction), false, direction),
        Capture::Withdrawal => line(board, enemy, from, true, direction),
    }
}

/// A stone in the middle of its turn.
#[derive(Clone, Copy)]
struct Stone {
    at: u64,
    /// Where it has been, and where it is.
    visited: u64,
    last: Direction,
    captured: u64,
    path: Path,
}

/// Calls `found` with the stone after each step with which its turn may end, until it breaks: the
/// longest turns first, which capture most.
#[inline]
fn captures<B>(
    board: &Board,
    sides: &Sides,
    found: &mut impl FnMut(u64, &Stone) -> ControlFlow<B>,
) -> ControlFlow<B> {
    for direction in Direction::ALL {
        for (mut stones, how) in sides.capturers(board, direction).into_iter().zip(Capture::BOTH) {
            while stones != 0 {
                let from = stones & stones.wrapping_neg();
                stones ^= from;
                let captured = captured(board, sides.enemy, from, direction, how);
                let at = board.shift(from, direction);
                let path = Path::NONE.then(direction, how);
                let stone = Stone { at, visited: from | at, last: direction, captured, path };
                go_on(board, sides, from, &stone, found)?;
                found(from, &stone)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Further steps: not in the direction of the last one, and never to a point twice.
fn go_on<B>(
    board: &Board,
    sides: &Sides,
    from: u64,
    stone: &Stone,
    found: &mut impl FnMut(u64, &Stone) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let enemy = sides.enemy & !stone.captured;
    let free = (sides.empty | stone.captured) & !stone.visited;
    // Most turns end here.
    if enemy == 0 || board.neighbours(stone.at) & free == 0 {
        return ControlFlow::Continue(());
    }
    for direction in Direction::ALL {
        let at = board.shift(stone.at & board.lines(direction), direction) & free;
        if at == 0 || direction == stone.last {
            continue;
        }
        for how in Capture::BOTH {
            let captured = captured(board, enemy, stone.at, direction, how);
            if captured != 0 {
                let next = Stone {
                    at,
                    visited: stone.visited | at,
                    last: direction,
                    captured: stone.captured | captured,
                    path: stone.path.then(direction, how),
                };
                go_on(board, sides, from, &next, found)?;
                found(from, &next)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Plays captures until `found` breaks. It is called with the stones of the player to move then and
/// of the one who has captured. Returns whether there are captures, and what it broke with.
#[inline]
pub(super) fn try_captures<B>(
    board: &Board,
    position: &Position,
    mut found: impl FnMut(u64, u64) -> ControlFlow<B>,
) -> (bool, ControlFlow<B>) {
    let sides = Sides::of(board, position);
    let mut has_captures = false;
    let flow = captures(board, &sides, &mut |from, stone| {
        has_captures = true;
        found(sides.enemy & !stone.captured, sides.own ^ from ^ stone.at)
    });
    (has_captures, flow)
}

fn point(bit: u64) -> u8 {
    bit.trailing_zeros() as u8
}

/// Appends all moves.
pub(super) fn generate(board: &Board, position: &Position, moves: &mut Vec<Turn>) {
    let sides = Sides::of(board, position);
    let before = moves.len();
    let _ = captures(board, &sides, &mut |from, stone| {
        let &Stone { at, captured, path, .. } = stone;
        moves.push(Turn { from: point(from), to: point(at), captured, path });
        ControlFlow::<()>::Continue(())
    });
    if moves.len() > before {
        return;
    }
    for direction in Direction::ALL {
        let mut stones = sides.steppers(board, direction);
        while stones != 0 {
            let from = stones & stones.wrapping_neg();
            stones ^= from;
            let to = board.shift(from, direction);
            moves.push(Turn { from: point(from), to: point(to), captured: 0, path: Path::NONE });
        }
    }
}

/// The number of moves.
pub(super) fn count(board: &Board, position: &Position) -> usize {
    let sides = Sides::of(board, position);
    let mut count = 0;
    let _ = captures(board, &sides, &mut |_, _| {
        count += 1;
        ControlFlow::<()>::Continue(())
    });
    if count > 0 {
        return count;
    }
    let steps =
        Direction::ALL.map(|direction| sides.steppers(board, direction).count_ones() as usize);
    steps.iter().sum()
}

/// Whether the player to move has a capture.
#[inline]
pub(super) fn has_capture(board: &Board, position: &Position) -> bool {
    let sides = Sides::of(board, position);
    Direction::ALL.iter().any(|&direction| sides.capturers(board, direction) != [0, 0])
}

/// Whether the player to move wins at once: nothing is left to the opponent, or no step.
pub(super) fn has_immediate_win(board: &Board, position: &Position) -> bool {
    survey(board, position).1
}

/// The number of moves, and whether one of them wins at once. The number may be too small if one
/// does.
pub(super) fn survey(board: &Board, position: &Position) -> (usize, bool) {
    let sides = Sides::of(board, position);
    let ends = |from: u64, to: u64, captured: u64| {
        let enemy = sides.enemy & !captured;
        let empty = (sides.empty | captured | from) & !to;
        board.neighbours(enemy) & empty == 0
    };
    let mut count = 0;
    let flow = captures(board, &sides, &mut |from, stone| {
        count += 1;
        match ends(from, stone.at, stone.captured) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    if count > 0 {
        return (count, flow.is_break());
    }
    let mut wins = false;
    for direction in Direction::ALL {
        let mut stones = sides.steppers(board, direction);
        while stones != 0 {
            let from = stones & stones.wrapping_neg();
            stones ^= from;
            count += 1;
            wins |= ends(from, board.shift(from, direction), 0);
        }
    }
    (count, wins)
}

/// How much a capturing step counts, against a stone.
const WEIGHT_OF_STEP: f32 = 0.5;

/// How well the player to move stands: stones, and capturing steps as if each side could move.
#[inline]
pub(super) fn evaluate(board: &Board, position: &Position) -> f32 {
    let sides = Sides::of(board, position);
    let others = Sides { own: sides.enemy, enemy: sides.own, empty: sides.empty };
    let stones = sides.own.count_ones() as f32 - sides.enemy.count_ones() as f32;
    let steps = sides.capturing_steps(board) as f32 - others.capturing_steps(board) as f32;
    stones + WEIGHT_OF_STEP * steps
}

/// Whether a move is legal, step by step as the rules say.
pub(super) fn is_legal(board: &Board, position: &Position, mv: &Turn) -> bool {
    let Sides { own, mut enemy, mut empty } = Sides::of(board, position);
    let bit = |point: u8| 1_u64.checked_shl(point.into()).unwrap_or(0) & board.points;
    let (from, to) = (bit(mv.from), bit(mv.to));
    if from & own == 0 {
        return false;
    }
    if mv.path == Path::NONE {
        let is_neighbour = board.neighbours(from) & to & empty != 0;
        return mv.captured == 0 && is_neighbour && !has_capture(board, position);
    }
    let (mut at, mut visited, mut last, mut all) = (from, from, None, 0);
    for (direction, how) in mv.path.steps() {
        let next = board.shift(at & board.lines(direction), direction) & empty & !visited;
        let captured = captured(board, enemy, at, direction, how);
        if next == 0 || captured == 0 || last == Some(direction) {
            return false;
        }
        (at, visited, last, all) = (next, visited | next, Some(direction), all | captured);
        enemy &= !captured;
        empty |= captured;
    }
    at == to && all == mv.captured
}
