//! The index of databases: classes by the numbers of stones, positions up to symmetry.
//!
//! What counts is who moves, not who is White: a position and the same one with the colours
//! exchanged share an entry. So a class has both `a-b` (the mover has a stones) and `b-a`, between
//! which play goes to and fro until somebody captures. The side with fewer stones is the major key,
//! which symmetry reduces with a small table.

use std::ops::ControlFlow;

use papamu_game::ranking::{Binomials, Pairs, SquarePermutation};
use papamu_game::{Entry, Indexed, Player, PositionIndex, Symmetry, Value};

use super::board::{Board, Direction};
use super::{Fanorona, Position, moves};

/// More sets of stones than these make no small table.
const MOST_SETS: u64 = 1 << 20;

/// The index of a board.
#[derive(Clone, Debug)]
pub struct StoneIndex {
    board: Board,
    /// The classes in order: fewer stones first, and among as many the more unequal sides.
    classes: Vec<Class>,
    /// The class by the numbers of stones of both sides.
    places: Box<[[u32; SIDE]; SIDE]>,
}

/// No side has as many stones.
const SIDE: usize = 32;

/// The positions in which one side has `few` stones and the other `many`.
#[derive(Clone, Debug)]
struct Class {
    few: u32,
    many: u32,
    /// `None` if one side has no stones: all such positions are lost and share an entry.
    pairs: Option<Pairs>,
}

impl Indexed for Fanorona {
    type Index = StoneIndex;

    fn board(&self) -> String {
        format!("{}x{}", self.board.rows, self.board.cols)
    }

    fn index(&self, most_stones: u32) -> Option<StoneIndex> {
        let board = self.board.clone();
        let points = board.points.count_ones();
        // One point is empty at least, and no side can have more stones than at the start.
        let each = points / 2;
        let most_stones = most_stones.min(2 * each);
        let binomials = Binomials::new();
        if (0..=most_stones / 2).any(|few| binomials.choose(points, few) > MOST_SETS) {
            return None;
        }
        let group: Vec<SquarePermutation> =
            board.symmetries().iter().map(|&symmetry| permutation(&board, symmetry)).collect();
        let mut classes = Vec::new();
        for stones in 1..=most_stones {
            for few in stones.saturating_sub(each)..=stones / 2 {
                let many = stones - few;
                let pairs = match few {
                    0 => None,
                    few => Some(Pairs::up_to(&binomials, points, [few, many], &group)?),
                };
                classes.push(Class { few, many, pairs });
            }
        }
        let mut places = Box::new([[u32::MAX; SIDE]; SIDE]);
        for (place, Class { few, many, .. }) in (0..).zip(&classes) {
            let [few, many] = [*few, *many].map(|stones| stones as usize);
            (places[few][many], places[many][few]) = (place, place);
        }
        Some(StoneIndex { board, classes, places })
    }
}

/// A symmetry of the points, which have no gaps between rows here.
fn permutation(board: &Board, symmetry: Symmetry) -> SquarePermutation {
    let points = 0..board.points.count_ones();
    let image = |point: u32| board.compact(board.image(symmetry, board.expand(1 << point)));
    points.map(|point| image(point).trailing_zeros() as u8).collect()
}

impl StoneIndex {
    /// The place of a class in the order.
    #[inline]
    fn place(&self, stones: [u64; 2]) -> Option<u32> {
        let [one, other] = stones.map(|stones| stones.count_ones() as usize);
        let place = self.places[one % SIDE][other % SIDE];
        (place != u32::MAX).then_some(place)
    }

    /// The stones of the mover and of the other side.
    fn sides(&self, position: &Position) -> [u64; 2] {
        let [white, black] = position.stones.map(|stones| self.board.compact(stones));
        if position.side == Player::First { [white, black] } else { [black, white] }
    }

    /// The entry of the stones of the mover and of the other side.
    #[inline]
    fn entry_of(&self, [mover, other]: [u64; 2]) -> Option<Entry> {
        let has_more = mover.count_ones() > other.count_ones();
        let [first, second] = if has_more { [other, mover] } else { [mover, other] };
        let class = self.place([first, second])?;
        let index = match &self.classes[class as usize] {
            // The game is over, or was over before.
            Class { pairs: None, .. } => return (mover == 0).then_some(Entry { class, index: 0 }),
            Class { few, many, pairs: Some(pairs) } if few == many => pairs.rank([first, second]),
            Class { pairs: Some(pairs), .. } => {
                2 * pairs.rank([first, second]) + u64::from(has_more)
            }
        };
        Some(Entry { class, index })
    }

    fn representative(&self, [mover, other]: [u64; 2]) -> Position {
        let stones = [mover, other].map(|stones| self.board.expand(stones));
        Position { stones, side: Player::First }
    }
}

impl PositionIndex<Fanorona> for StoneIndex {
    fn layout(&self) -> &'static str {
        "fewer, more, whether the mover has more"
    }

    fn classes(&self) -> u32 {
        self.classes.len() as u32
    }

    fn class_name(&self, class: u32) -> String {
        let Class { few, many, .. } = self.classes[class as usize];
        format!("{few}-{many}")
    }

    fn stones(&self, class: u32) -> u32 {
        let Class { few, many, .. } = self.classes[class as usize];
        few + many
    }

    fn entries(&self, class: u32) -> u64 {
        match &self.classes[class as usize] {
            Class { pairs: None, .. } => 1,
            Class { few, many, pairs: Some(pairs) } if few == many => pairs.len(),
            Class { pairs: Some(pairs), .. } => pairs.len().saturating_mul(2),
        }
    }

    #[inline]
    fn entry(&self, position: &Position) -> Option<Entry> {
        self.entry_of(self.sides(position))
    }

    #[inline]
    fn class(&self, position: &Position) -> Option<u32> {
        self.place(position.stones)
    }

    #[inline]
    fn position(&self, entry: Entry) -> Option<Position> {
        let Class { few, many, pairs } = self.classes.get(entry.class as usize)?;
        let Some(pairs) = pairs else {
            let other = (1_u64 << many) - 1;
            return (entry.index == 0).then(|| self.representative([0, other]));
        };
        let [first, second] = match few == many {
            true => pairs.unrank(entry.index)?,
            false => pairs.unrank(entry.index / 2)?,
        };
        let has_more = few != many && entry.index % 2 == 1;
        Some(self.representative(if has_more { [second, first] } else { [first, second] }))
    }

    /// Captures are forced and lead out of the class, other moves never do.
    #[inline]
    fn value_by_exits(
        &self,
        position: &Position,
        value: &mut dyn FnMut(Entry) -> Option<Value>,
    ) -> Option<Value> {
        let mut all_won = true;
        let (has_captures, flow) = moves::try_captures(&self.board, position, |mover, other| {
            let entry = self.entry_of([mover, other].map(|stones| self.board.compact(stones)));
            match entry.and_then(&mut *value) {
                Some(Value::Loss) => ControlFlow::Break(Some(Value::Win)),
                Some(Value::Draw) => {
                    all_won = false;
                    ControlFlow::Continue(())
                }
                Some(Value::Win) => ControlFlow::Continue(()),
                None => ControlFlow::Break(None),
            }
        });
        match flow {
            ControlFlow::Break(value) => value,
            // A stone that cannot move at all is rare, and the moves tell.
            ControlFlow::Continue(()) if !has_captures => {
                let is_over = moves::count(&self.board, position) == 0;
                Some(if is_over { Value::Loss } else { Value::Draw })
            }
            ControlFlow::Continue(()) => Some(if all_won { Value::Loss } else { Value::Draw }),
        }
    }

    fn has_unmoves(&self) -> bool {
        true
    }

    /// Captures lead out of the class, so the last move was a step without one, and there was no
    /// capture.
    #[inline]
    fn predecessors(&self, position: &Position, predecessors: &mut Vec<Position>) {
        let mover = !position.side;
        // Only a capture takes the last stone.
        if position.stones[position.side.index()] == 0 {
            return;
        }
        let stones = position.stones[mover.index()];
        let empty = self.board.points & !(position.stones[0] | position.stones[1]);
        for direction in Direction::ALL {
            let lines = self.board.lines(direction);
            let mut steppers = stones & lines & self.board.shift_back(empty, direction);
            while steppers != 0 {
                let at = steppers & steppers.wrapping_neg();
                steppers ^= at;
                let mut before = Position { side: mover, ..*position };
                before.stones[mover.index()] ^= at | self.board.shift(at, direction);
                if !moves::has_capture(&self.board, &before) {
                    predecessors.push(before);
                }
            }
        }
    }
}
