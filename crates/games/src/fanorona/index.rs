//! The index of databases: classes by the numbers of stones, positions up to symmetry.
//!
//! What counts is who moves, not who is White: a position and the same one with the colours
//! exchanged share an entry. So a class has both `a-b` (the mover has a stones) and `b-a`, between
//! which play goes to and fro until somebody captures. The side with fewer stones is the major key,
//! which symmetry reduces with a small table.

use std::ops::ControlFlow;

use papamu_game::ranking::{Binomials, Group, Pairs};
use papamu_game::{ByExits, Entry, Indexed, Player, PositionIndex, Value};

use super::board::Board;
use super::moves::{self, Tried};
use super::{Fanorona, Position};

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
    /// The numbers of each pair: who moves counts if one side has more stones.
    movers: u64,
    /// `None` if one side has no stones: all such positions are lost and share an entry.
    pairs: Option<Pairs<Board>>,
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
        let mut classes = Vec::new();
        for stones in 1..=most_stones {
            for few in stones.saturating_sub(each)..=stones / 2 {
                let many = stones - few;
                let pairs = match few {
                    0 => None,
                    few => {
                        Some(Pairs::up_to(&binomials, board.points, [few, many], board.clone())?)
                    }
                };
                let movers = if few == many { 1 } else { 2 };
                classes.push(Class { few, many, movers, pairs });
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

/// Symmetries by bits: a reflection that exchanges the first row and the last, a half turn, and, on
/// square boards, a reflection in the diagonal. Whether to do the first two is decided without
/// branches, which nobody could predict.
impl Group for Board {
    fn order(&self) -> u8 {
        self.symmetries().len() as u8
    }

    #[inline(always)]
    fn image(&self, by: u8, set: u64) -> u64 {
        let choose = |bit: u8, image: u64, set: u64| if by & bit != 0 { image } else { set };
        let set = if by & 4 != 0 { self.transposed(set) } else { set };
        let set = choose(1, self.flip_rows(set), set);
        choose(2, self.half_turn(set), set)
    }
}

impl StoneIndex {
    /// The place of a class in the order.
    #[inline]
    fn place(&self, stones: [u64; 2]) -> Option<u32> {
        let [one, other] = stones.map(|stones| stones.count_ones() as usize);
        let place = self.places[one % SIDE][other % SIDE];
        (place != u32::MAX).then_some(place)
    }

    /// The entry of the stones of the mover and of the other side.
    #[inline]
    fn entry_of(&self, mover: u64, other: u64) -> Option<Entry> {
        let class = self.place([mover, other])?;
        let index = match &self.classes[class as usize] {
            // The game is over, or was over before.
            Class { pairs: None, .. } => return (mover == 0).then_some(Entry { class, index: 0 }),
            Class { movers, pairs: Some(pairs), .. } => number(pairs, *movers, mover, other),
        };
        Some(Entry { class, index })
    }
}

/// The number of the stones of the mover and of the other side among the entries of their class.
#[inline]
fn number(pairs: &Pairs<Board>, movers: u64, mover: u64, other: u64) -> u64 {
    let has_more = mover.count_ones() > other.count_ones();
    let pair = if has_more { [other, mover] } else { [mover, other] };
    pairs.rank(pair) * movers + u64::from(has_more)
}

/// The stones of the mover and of the other side.
#[inline(always)]
fn own_and_other(position: &Position) -> [u64; 2] {
    let [white, black] = position.stones;
    if position.side == Player::First { [white, black] } else { [black, white] }
}

/// The position with White to move.
fn representative(mover: u64, other: u64) -> Position {
    Position { stones: [mover, other], side: Player::First }
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

    /// The stones of the mover first.
    fn movers(&self, class: u32) -> Option<[String; 2]> {
        let Class { few, many, .. } = self.classes[class as usize];
        Some([format!("{few}-{many}"), format!("{many}-{few}")])
    }

    #[inline]
    fn mover(&self, entry: Entry) -> usize {
        let Class { movers, .. } = self.classes[entry.class as usize];
        (entry.index & (movers - 1)) as usize
    }

    fn stones(&self, class: u32) -> u32 {
        let Class { few, many, .. } = self.classes[class as usize];
        few + many
    }

    fn entries(&self, class: u32) -> u64 {
        match &self.classes[class as usize] {
            Class { pairs: None, .. } => 1,
            Class { movers, pairs: Some(pairs), .. } => pairs.len().saturating_mul(*movers),
        }
    }

    #[inline]
    fn entry(&self, position: &Position) -> Option<Entry> {
        let [own, other] = own_and_other(position);
        self.entry_of(own, other)
    }

    #[inline]
    fn class(&self, position: &Position) -> Option<u32> {
        self.place(position.stones)
    }

    #[inline]
    fn position(&self, entry: Entry) -> Option<Position> {
        self.classes.get(entry.class as usize)?;
        self.reader(entry.class)(entry.index)
    }

    #[inline]
    fn reader(&self, class: u32) -> impl FnMut(u64) -> Option<Position> {
        let Class { many, movers, ref pairs, .. } = self.classes[class as usize];
        let mut pair = pairs.as_ref().map(Pairs::reader);
        move |index| {
            let Some(pair) = &mut pair else {
                // Any points would do.
                let other = self.board.expand((1_u64 << many) - 1);
                return (index == 0).then(|| representative(0, other));
            };
            let has_more = index & (movers - 1) == 1;
            let [few, many] = pair(index >> (movers - 1))?;
            Some(if has_more { representative(many, few) } else { representative(few, many) })
        }
    }

    /// Captures are forced and lead out of the class, other moves never do.
    #[inline]
    fn value_by_exits(
        &self,
        position: &Position,
        mut value: impl FnMut(Entry) -> Option<Value>,
    ) -> Option<ByExits> {
        let mut all_won = true;
        let tried = moves::try_captures(&self.board, position, |mover, other| {
            match self.entry_of(mover, other).and_then(&mut value) {
                Some(Value::Loss) => ControlFlow::Break(Some(Value::Win)),
                Some(Value::Draw) => {
                    all_won = false;
                    ControlFlow::Continue(())
                }
                Some(Value::Win) => ControlFlow::Continue(()),
                None => ControlFlow::Break(None),
            }
        });
        Some(match tried {
            Tried::Broke(value) => ByExits::Known(value?),
            Tried::All => ByExits::Known(if all_won { Value::Loss } else { Value::Draw }),
            Tried::Quiet => ByExits::Open,
            Tried::NoMove => ByExits::Known(Value::Loss),
        })
    }

    #[inline]
    fn successors<B>(
        &self,
        position: &Position,
        mut each: impl FnMut(u64) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>> {
        let Class { movers, ref pairs, .. } = self.classes[self.place(position.stones)? as usize];
        let pairs = pairs.as_ref()?;
        let [own, other] = own_and_other(position);
        // The side that does not step now is the next to move.
        let other_has_more = other.count_ones() > own.count_ones();
        if other_has_more {
            return Some(moves::try_steps(&self.board, position, |mover, other| {
                each(pairs.rank([other, mover]) * movers + 1)
            }));
        }
        let row = pairs.row_of(other);
        Some(moves::try_steps(&self.board, position, |_, other| {
            each(pairs.rank_in(row, other) * movers)
        }))
    }

    fn has_unmoves(&self) -> bool {
        true
    }

    /// Captures lead out of the class, so the last move was a step without one, and there was no
    /// capture.
    #[inline]
    fn predecessors(&self, position: &Position, predecessors: &mut Vec<Position>) {
        // Only a capture takes the last stone.
        if position.stones[position.side.index()] != 0 {
            moves::take_back_steps(&self.board, position, |before| predecessors.push(before));
        }
    }
}
