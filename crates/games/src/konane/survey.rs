//! Everything that a search asks about a new position, computed for both players and all directions
//! at once.
//!
//! Four lanes hold the stones of the player to move and of the enemy, each once for jumps along
//! rows and once for jumps along columns. One vector of them serves the jumps towards higher
//! squares (right and down), another those towards lower ones (left and up).

use wide::u64x4;

use super::moves::{DIRECTIONS, Direction, Sides, can_jump, count, generate, removals};
use super::{Board, Position};

/// What a search asks about a position.
pub(super) struct Look {
    /// The number of legal moves.
    pub(super) moves: usize,
    /// Whether one of them leaves the enemy no move.
    pub(super) has_immediate_win: bool,
    /// The stones that can jump, of the player to move and of the enemy.
    pub(super) movable: [u32; 2],
}

/// Lanes: the mover along rows and columns, the enemy along rows and columns.
const MOVER: std::ops::Range<usize> = 0..2;
const ENEMY: std::ops::Range<usize> = 2..4;

/// Jumps towards higher squares, and towards lower ones.
#[derive(Clone, Copy)]
struct BothWays([u64x4; 2]);

impl BothWays {
    /// Moves squares on, by a distance for each lane.
    #[inline(always)]
    fn on(self, by: u64x4) -> BothWays {
        let [higher, lower] = self.0;
        BothWays([higher.unbounded_shl(by), lower.unbounded_shr(by)])
    }

    #[inline(always)]
    fn back(self, by: u64x4) -> BothWays {
        let [higher, lower] = self.0;
        BothWays([higher.unbounded_shr(by), lower.unbounded_shl(by)])
    }

    #[inline(always)]
    fn and(self, other: BothWays) -> BothWays {
        BothWays([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }

    #[inline(always)]
    fn or(self, other: BothWays) -> BothWays {
        BothWays([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }

    #[inline(always)]
    fn both(lanes: u64x4) -> BothWays {
        BothWays([lanes, lanes])
    }

    /// The number of squares in the mover's lanes.
    #[inline(always)]
    fn count_mover(self) -> usize {
        let ways = self.0.map(|lanes| {
            let [rows, columns, ..] = lanes.to_array();
            rows.count_ones() + columns.count_ones()
        });
        (ways[0] + ways[1]) as usize
    }
}

/// Surveys a position.
#[inline]
pub(super) fn survey(board: &Board, position: &Position) -> Look {
    let sides = Sides::new(board, position);
    let Sides { own, enemy, empty } = sides;
    let one = u64x4::new(board.lane_steps);
    let two = one + one;
    let free = |lanes: [u64; 4]| u64x4::new(lanes) & u64x4::splat(empty);
    let behind_enemy = BothWays::both(u64x4::new([enemy, enemy, own, own])).on(one);
    let open = behind_enemy.and(BothWays(board.lane_landings.map(free)));
    let first = BothWays::both(u64x4::new([own, own, enemy, enemy])).on(two).and(open);
    let second = first.on(two).and(open);
    let third = second.on(two).and(open);

    let [higher, lower] = first.back(two).0;
    let stones = (higher | lower).to_array();
    let movable = [MOVER, ENEMY].map(|lanes| {
        let [rows, columns] = [stones[lanes.start], stones[lanes.start + 1]];
        (rows | columns).count_ones()
    });
    if removals(board, position).is_some() {
        let moves = count(board, position);
        return Look { moves, has_immediate_win: wins_by_removal(board, position), movable };
    }
    let mut moves = first.count_mover() + second.count_mover();
    let mut arriving = third;
    loop {
        // Three jumps in one move are rare, more are rarer.
        let more = arriving.count_mover();
        if more == 0 {
            break;
        }
        moves += more;
        arriving = arriving.on(two).and(open);
    }
    let has_immediate_win = match targets(board, &first) {
        None => wins_in_any(board, sides, &ANY),
        Some(targets) => {
            is_promising([one, two], &targets, [first, second, third])
                && wins_in_any(board, sides, &targets)
        }
    };
    Look { moves, has_immediate_win, movable }
}

/// Tries each removal: White's removal follows Black's, and jumps follow White's.
#[cold]
fn wins_by_removal(board: &Board, position: &Position) -> bool {
    let mut moves = Vec::new();
    generate(board, position, &mut moves);
    moves.iter().any(|mv| {
        let occupied = position.occupied & !(1 << mv.from);
        count(board, &Position { occupied, side: !position.side }) == 0
    })
}

/// A jump of the enemy. A move that leaves him none must capture the stone that jumps, move the
/// stone that it jumps over, or occupy its landing square.
#[derive(Clone, Copy)]
struct Target {
    from: u64,
    over: u64,
    to: u64,
}

/// Excludes no move.
const ANY: [Target; 2] = [Target { from: u64::MAX, over: u64::MAX, to: u64::MAX }; 2];

/// Two jumps of the enemy that lie far apart: few moves prevent both, and only those are tried.
/// `None` if he has no jump.
#[inline(always)]
fn targets(board: &Board, first: &BothWays) -> Option<[Target; 2]> {
    let [[_, _, right, down], [_, _, left, up]] = first.0.map(u64x4::to_array);
    let landings = [right, down, left, up];
    let nonempty = landings
        .iter()
        .enumerate()
        .fold(0_u32, |mask, (i, landings)| mask | u32::from(*landings != 0) << i);
    if nonempty == 0 {
        return None;
    }
    let target = |way: u32, to: u64| {
        let back = board.lane_backs[way as usize & 3];
        let over = to.rotate_right(back);
        Target { from: over.rotate_right(back), over, to }
    };
    let lowest = nonempty.trailing_zeros();
    let highest = 31 - nonempty.leading_zeros();
    let landings = |way: u32| landings[way as usize & 3];
    Some([
        target(lowest, landings(lowest) & landings(lowest).wrapping_neg()),
        target(highest, 1 << (63 - landings(highest).leading_zeros())),
    ])
}

/// Whether some jump may prevent both targets, tested without trying single moves. Most positions
/// have none.
#[inline(always)]
fn is_promising(
    [one, two]: [u64x4; 2],
    targets: &[Target; 2],
    [first, second, third]: [BothWays; 3],
) -> bool {
    // A target for each half of the lanes.
    let lanes = |part: fn(&Target) -> u64| {
        let [a, b] = [part(&targets[0]), part(&targets[1])];
        BothWays::both(u64x4::new([a, a, b, b]))
    };
    let (to, over) = (lanes(|target| target.to), lanes(|target| target.over).on(two));
    let taken = lanes(|target| target.from).on(one);
    let by_one = to.or(over).or(taken);
    let by_two = to.or(over.on(two)).or(taken).or(taken.on(two));
    let both = |prevents: BothWays| {
        prevents.0.map(|lanes| {
            let [rows0, columns0, rows1, columns1] = lanes.to_array();
            u64x4::new([rows0 & rows1, columns0 & columns1, 0, 0])
        })
    };
    let promising =
        first.and(BothWays(both(by_one))).or(second.and(BothWays(both(by_two)))).or(third);
    let [higher, lower] = promising.0;
    let [rows, columns, ..] = (higher | lower).to_array();
    rows | columns != 0
}

/// Whether some jump leaves the enemy none. Only jumps that prevent both targets are tried.
fn wins_in_any(board: &Board, sides: Sides, targets: &[Target; 2]) -> bool {
    DIRECTIONS.into_iter().any(|direction| wins_in(direction, board, sides, targets))
}

/// The same for the jumps of one direction.
fn wins_in(direction: Direction, board: &Board, sides: Sides, targets: &[Target; 2]) -> bool {
    let open = sides.open(board, direction);
    let step = direction.step(board);
    let back = |square: u64, bits: u32| direction.opposite().shift(square, bits);
    let mut arriving = direction.shift(sides.own, 2 * step) & open;
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
