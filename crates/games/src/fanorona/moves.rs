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

/// Stones by axis and by direction on it, in the order of [`Direction::ALL`].
type ByDirection = [[u64; 2]; 4];

impl Sides {
    #[inline(always)]
    fn of(board: &Board, position: &Position) -> Sides {
        let [white, black] = position.stones;
        let (own, enemy) =
            if position.side == Player::First { (white, black) } else { (black, white) };
        Sides { own, enemy, empty: board.points & !(own | enemy) }
    }

    /// The stones that can step, on lines to empty points.
    #[inline(always)]
    fn steppers(&self, board: &Board) -> ByDirection {
        let own = [self.own, self.own, self.own & board.strong, self.own & board.strong];
        let [forward, backward] = board.shifts(self.empty);
        array(|axis| [own[axis] & backward[axis], own[axis] & forward[axis]])
    }

    /// The stones that capture by a first step: by approach and by withdrawal.
    #[inline(always)]
    fn capturers(&self, board: &Board) -> [ByDirection; 2] {
        let steppers = self.steppers(board);
        let [one_forward, one_backward] = board.shifts(self.enemy);
        let [two_forward, two_backward] = board.double_shifts(self.enemy);
        let [approach, withdrawal]: [ByDirection; 2] = [
            array(|axis| [two_backward[axis], two_forward[axis]]),
            array(|axis| [one_forward[axis], one_backward[axis]]),
        ];
        let both =
            |there: ByDirection| array(|axis| array(|way| steppers[axis][way] & there[axis][way]));
        [both(approach), both(withdrawal)]
    }

    /// The number of first steps that capture.
    fn capturing_steps(&self, board: &Board) -> u32 {
        let [approach, withdrawal] = self.capturers(board);
        let stones = approach.as_flattened().iter().chain(withdrawal.as_flattened());
        stones.map(|stones| stones.count_ones()).sum()
    }

    #[inline(always)]
    fn has_capture(&self, board: &Board) -> bool {
        let any = |stones: ByDirection| stones.as_flattened().iter().fold(0, |any, &of| any | of);
        let [approach, withdrawal] = self.capturers(board);
        any(approach) | any(withdrawal) != 0
    }

    /// The stones that capture by a first step, and the points to which they step.
    #[inline(always)]
    fn threats(&self, board: &Board) -> (u64, u64) {
        let [approach, withdrawal] = self.capturers(board);
        let (mut capturers, mut landings) = (0, 0);
        for direction in Direction::ALL {
            let [approach, withdrawal] =
                [approach, withdrawal].map(|of| of.as_flattened()[usize::from(direction.code())]);
            capturers |= approach | withdrawal;
            landings |= board.shift(approach | withdrawal, direction);
        }
        (capturers, landings)
    }

    /// Whether there is a move at all.
    #[inline(always)]
    fn can_move(&self, board: &Board) -> bool {
        board.neighbours(self.own) & self.empty != 0
    }
}

#[inline(always)]
fn array<T, const N: usize>(of: impl FnMut(usize) -> T) -> [T; N] {
    std::array::from_fn(of)
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

/// What is remembered of the steps of a turn: all, or nothing.
trait Trail: Copy {
    const START: Self;
    fn then(self, direction: Direction, how: Capture) -> Self;
}

impl Trail for Path {
    const START: Path = Path::NONE;

    #[inline(always)]
    fn then(self, direction: Direction, how: Capture) -> Path {
        Path::then(self, direction, how)
    }
}

impl Trail for () {
    const START: () = ();

    #[inline(always)]
    fn then(self, _: Direction, _: Capture) {}
}

/// A stone in the middle of its turn.
#[derive(Clone, Copy)]
struct Stone<T> {
    at: u64,
    /// Where it has been, and where it is.
    visited: u64,
    last: Direction,
    captured: u64,
    trail: T,
}

/// Calls `found` with the stone after each step with which its turn may end, until it breaks: the
/// longest turns first, which capture most.
#[inline(always)]
fn captures<T: Trail, B>(
    board: &Board,
    sides: &Sides,
    found: &mut impl FnMut(u64, &Stone<T>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let capturers = sides.capturers(board);
    for direction in Direction::ALL {
        for (capturers, how) in capturers.iter().zip(Capture::BOTH) {
            let mut stones = capturers.as_flattened()[usize::from(direction.code())];
            while stones != 0 {
                let from = stones & stones.wrapping_neg();
                stones ^= from;
                let captured = captured(board, sides.enemy, from, direction, how);
                let at = board.shift(from, direction);
                let trail = T::START.then(direction, how);
                let stone = Stone { at, visited: from | at, last: direction, captured, trail };
                if may_go_on(board, sides, &stone) {
                    go_on(board, sides, from, &stone, found)?;
                }
                found(from, &stone)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Whether there are enemies near enough to capture. Most turns end for want of them.
#[inline(always)]
fn may_go_on<T>(board: &Board, sides: &Sides, stone: &Stone<T>) -> bool {
    sides.enemy & !stone.captured & board.within_two(stone.at) != 0
}

/// Further steps: not in the direction of the last one, and never to a point twice.
fn go_on<T: Trail, B>(
    board: &Board,
    sides: &Sides,
    from: u64,
    stone: &Stone<T>,
    found: &mut impl FnMut(u64, &Stone<T>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let enemy = sides.enemy & !stone.captured;
    let free = (sides.empty | stone.captured) & !stone.visited;
    let mut directions = board.directions_to(stone.at, free) & !(1 << stone.last.code());
    while directions != 0 {
        let direction = Direction::new(directions.trailing_zeros() as u8);
        directions &= directions - 1;
        let at = board.shift(stone.at, direction);
        for how in Capture::BOTH {
            let captured = captured(board, enemy, stone.at, direction, how);
            if captured != 0 {
                let next = Stone {
                    at,
                    visited: stone.visited | at,
                    last: direction,
                    captured: stone.captured | captured,
                    trail: stone.trail.then(direction, how),
                };
                if may_go_on(board, sides, &next) {
                    go_on(board, sides, from, &next, found)?;
                }
                found(from, &next)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// What captures say about a position.
pub(super) enum Tried<B> {
    /// One of them broke.
    Broke(B),
    /// All went on.
    All,
    /// There is none, but there are steps.
    Quiet,
    /// There is no move.
    NoMove,
}

/// Plays captures until `found` breaks. It is called with the stones of the player to move then and
/// of the one who has captured.
#[inline(always)]
pub(super) fn try_captures<B>(
    board: &Board,
    position: &Position,
    mut found: impl FnMut(u64, u64) -> ControlFlow<B>,
) -> Tried<B> {
    let sides = Sides::of(board, position);
    let mut has_captures = false;
    let flow = captures(board, &sides, &mut |from, stone: &Stone<()>| {
        has_captures = true;
        found(sides.enemy & !stone.captured, sides.own ^ from ^ stone.at)
    });
    match flow {
        ControlFlow::Break(with) => Tried::Broke(with),
        ControlFlow::Continue(()) if has_captures => Tried::All,
        ControlFlow::Continue(()) if sides.can_move(board) => Tried::Quiet,
        ControlFlow::Continue(()) => Tried::NoMove,
    }
}

/// Makes the steps of a position without captures until `found` breaks. It is called with the
/// stones of the player to move then and of the one who has stepped.
#[inline(always)]
pub(super) fn try_steps<B>(
    board: &Board,
    position: &Position,
    mut found: impl FnMut(u64, u64) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let sides = Sides::of(board, position);
    steps(board, &sides, |from, to| found(sides.enemy, sides.own ^ from ^ to))
}

/// Calls `found` with all steps, from where to where, until it breaks.
#[inline(always)]
fn steps<B>(
    board: &Board,
    sides: &Sides,
    mut found: impl FnMut(u64, u64) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let steppers = sides.steppers(board);
    for direction in Direction::ALL {
        let mut stones = steppers.as_flattened()[usize::from(direction.code())];
        while stones != 0 {
            let from = stones & stones.wrapping_neg();
            stones ^= from;
            found(from, board.shift(from, direction))?;
        }
    }
    ControlFlow::Continue(())
}

/// Takes the last step back, of the player who is not to move: calls `found` with the position
/// before it, if there was no capture then.
#[inline(always)]
pub(super) fn take_back_steps(board: &Board, position: &Position, mut found: impl FnMut(Position)) {
    let mover = !position.side;
    let sides = Sides::of(board, &Position { side: mover, ..*position });
    let (capturers, all_landings) = sides.threats(board);
    let mut stones = sides.own;
    while stones != 0 {
        let at = stones & stones.wrapping_neg();
        stones ^= at;
        // Where the others can land with a capture now. One that goes back blocks one point only.
        let landings = match capturers & at {
            0 => all_landings,
            _ => Sides { own: sides.own ^ at, ..sides }.threats(board).1,
        };
        let mut from = board.neighbours(at) & sides.empty;
        if landings != 0 {
            from &= if landings.is_power_of_two() { landings } else { 0 };
        }
        while from != 0 {
            let to = from & from.wrapping_neg();
            from ^= to;
            let own = sides.own ^ at ^ to;
            let before = Sides { own, empty: sides.empty ^ at ^ to, ..sides };
            if !before.has_capture(board) {
                let mut before = Position { side: mover, ..*position };
                before.stones[mover.index()] = own;
                found(before);
            }
        }
    }
}

fn point(bit: u64) -> u8 {
    bit.trailing_zeros() as u8
}

/// Appends all moves.
pub(super) fn generate(board: &Board, position: &Position, moves: &mut Vec<Turn>) {
    let sides = Sides::of(board, position);
    let before = moves.len();
    let _ = captures(board, &sides, &mut |from, stone: &Stone<Path>| {
        let &Stone { at, captured, trail: path, .. } = stone;
        moves.push(Turn { from: point(from), to: point(at), captured, path });
        ControlFlow::<()>::Continue(())
    });
    if moves.len() > before {
        return;
    }
    let _ = steps(board, &sides, |from, to| {
        moves.push(Turn { from: point(from), to: point(to), captured: 0, path: Path::NONE });
        ControlFlow::<()>::Continue(())
    });
}

/// The number of moves.
pub(super) fn count(board: &Board, position: &Position) -> usize {
    let sides = Sides::of(board, position);
    let mut count = 0;
    let _ = captures(board, &sides, &mut |_, _: &Stone<()>| {
        count += 1;
        ControlFlow::<()>::Continue(())
    });
    if count > 0 {
        return count;
    }
    let steppers = sides.steppers(board);
    steppers.as_flattened().iter().map(|stones| stones.count_ones() as usize).sum()
}

/// Whether the player to move has a capture.
#[inline]
pub(super) fn has_capture(board: &Board, position: &Position) -> bool {
    Sides::of(board, position).has_capture(board)
}

/// Whether the player to move wins at once: nothing is left to the opponent, or no step.
pub(super) fn has_immediate_win(board: &Board, position: &Position) -> bool {
    survey(board, position).1
}

/// The number of moves, and whether one of them wins at once.
pub(super) fn survey(board: &Board, position: &Position) -> (usize, bool) {
    let sides = Sides::of(board, position);
    let (mut count, mut wins) = (0, false);
    let mut look = |from: u64, to: u64, captured: u64| {
        let enemy = sides.enemy & !captured;
        let empty = (sides.empty | captured | from) & !to;
        count += 1;
        wins |= board.neighbours(enemy) & empty == 0;
        ControlFlow::<()>::Continue(())
    };
    let mut has_captures = false;
    let _ = captures(board, &sides, &mut |from, stone: &Stone<()>| {
        has_captures = true;
        look(from, stone.at, stone.captured)
    });
    if !has_captures {
        let _ = steps(board, &sides, |from, to| look(from, to, 0));
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
