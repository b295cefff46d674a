//! Fanorona (Madagascar): stones on a lattice capture whole lines of enemies by moving towards them
//! or away from them, several times in a turn.
//!
//! The rules are those of M. Schadd, "Selective Search in Games of Different Complexity"
//! (Maastricht, 2011), chapter 4. White stands below and begins. Who can capture must, and chooses
//! between approach and withdrawal; he may stop after any capture. A step may not go in the
//! direction of the step just before, and no point is visited twice in a turn. Who has no move
//! loses. Play that repeats a position for ever is a draw.

mod board;
mod index;
mod moves;
mod notation;
pub mod published;

pub use board::{Board, MAX_POINTS};
pub use index::StoneIndex;

use board::Direction;
use moves::Capture;
use papamu_game::ranking::Binomials;
use papamu_game::{
    Capabilities, Certifiable, Game, Guided, NoOptions, NotationError, Numbering, Player, Survey,
    Symmetry, from_ternary, ternary_digits, to_ternary,
};

/// Fanorona on one board.
#[derive(Clone, Debug)]
pub struct Fanorona {
    board: Board,
}

/// The stones, and who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The points with white and with black stones.
    pub stones: [u64; 2],
    /// The player to move; White is [`Player::First`].
    pub side: Player,
}

/// All that a player does in one turn with one stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// Where the stone stands.
    pub from: u8,
    /// Where it arrives in the end.
    pub to: u8,
    /// The captured stones.
    pub captured: u64,
    /// The capturing steps.
    path: Path,
}

/// The capturing steps of a turn: four bits for each, after a leading 1. There is a stone to
/// capture for each step, so they fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Path(u128);

impl Path {
    /// A turn without captures.
    const NONE: Path = Path(1);

    #[inline(always)]
    fn then(self, direction: Direction, how: Capture) -> Path {
        let how = u128::from(how == Capture::Withdrawal);
        Path(self.0 << 4 | u128::from(direction.code()) << 1 | how)
    }

    /// The steps, the first one first.
    fn steps(self) -> impl Iterator<Item = (Direction, Capture)> {
        let count = (127 - self.0.leading_zeros()) / 4;
        (0..count).rev().map(move |i| {
            let step = (self.0 >> (4 * i)) as u8 & 15;
            (Direction::new(step >> 1), Capture::BOTH[usize::from(step & 1)])
        })
    }
}

impl PartialEq for Fanorona {
    /// The rest follows from the size.
    fn eq(&self, other: &Fanorona) -> bool {
        (self.board.rows, self.board.cols) == (other.board.rows, other.board.cols)
    }
}

impl Fanorona {
    /// Fanorona on a board of that many rows and columns: odd numbers from 3 on, and at most 45
    /// points.
    pub fn new(rows: usize, cols: usize) -> Option<Fanorona> {
        Some(Fanorona { board: Board::new(rows, cols)? })
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// White fills the rows below, Black those above. In the middle row they take turns, White
    /// first to the left of the empty centre and Black first to its right.
    pub fn start(&self) -> Position {
        let Board { rows, cols, .. } = self.board;
        let mut stones = [0; 2];
        for row in 0..rows {
            for col in 0..cols {
                let from_centre = col.abs_diff(cols / 2);
                let owner = match row.cmp(&(rows / 2)) {
                    std::cmp::Ordering::Less => Player::Second,
                    std::cmp::Ordering::Greater => Player::First,
                    _ if from_centre == 0 => continue,
                    _ if (from_centre % 2 == 1) == (col < cols / 2) => Player::First,
                    _ => Player::Second,
                };
                stones[owner.index()] |= 1 << self.board.point(row, col);
            }
        }
        Position { stones, side: Player::First }
    }

    /// Whether the player to move has a capture, and so must make one.
    pub fn has_capture(&self, position: &Position) -> bool {
        moves::has_capture(&self.board, position)
    }

    /// The ways to place so many stones, some of them white and some black. Exchanging the colours
    /// does for the other player to move, so these are the positions that a database without
    /// symmetries needs.
    pub fn placements(&self, stones: u64) -> u128 {
        let points = self.board.points.count_ones();
        let Ok(stones) = u32::try_from(stones) else { return 0 };
        let places = u128::from(Binomials::new().choose(points, stones));
        let colours = 1_u128.checked_shl(stones).unwrap_or(0).saturating_sub(2);
        places * colours
    }

    /// A move changes the same points forwards and backwards.
    #[inline(always)]
    fn toggle(&self, position: &mut Position, mover: Player, mv: &Turn) {
        position.stones[mover.index()] ^= 1 << mv.from | 1 << mv.to;
        position.stones[(!mover).index()] ^= mv.captured;
        position.side = !position.side;
    }
}

impl Game for Fanorona {
    const NAME: &'static str = "fanorona";
    const SUMMARY: &'static str =
        "capture whole lines by approaching them or withdrawing from them";
    const PLAYERS: [&'static str; 2] = ["white", "black"];
    const NOTATION: &'static str = "`5x9` (rows x columns, odd, 45 points at most) is the start; or rows from the top of `x` black, `o` white, `.` empty joined by `/`, a space, `w` or `b` to move";
    const EXAMPLES: &'static [&'static str] = &["3x3", "5x9", "x.x/.../o.o w"];
    const CYCLIC: bool = true;

    type Position = Position;
    type Move = Turn;
    type Undo = ();
    type Key = u128;
    type Options = NoOptions;

    fn read(text: &str) -> Result<(Self, Position), NotationError> {
        notation::read(text)
    }

    fn write(&self, position: &Position) -> String {
        notation::write(&self.board, position)
    }

    fn write_move(&self, _: &Position, mv: &Turn) -> String {
        notation::write_move(&self.board, mv)
    }

    fn draw(&self, position: &Position) -> String {
        notation::draw(&self.board, position)
    }

    #[inline(always)]
    fn to_move(&self, position: &Position) -> Player {
        position.side
    }

    #[inline]
    fn moves(&self, position: &Position, moves: &mut Vec<Turn>) {
        moves::generate(&self.board, position, moves);
    }

    #[inline]
    fn count_moves(&self, position: &Position) -> usize {
        moves::count(&self.board, position)
    }

    fn is_legal(&self, position: &Position, mv: &Turn) -> bool {
        moves::is_legal(&self.board, position, mv)
    }

    #[inline(always)]
    fn play(&self, position: &mut Position, mv: &Turn) {
        self.toggle(position, position.side, mv);
    }

    #[inline(always)]
    fn undo(&self, position: &mut Position, mv: &Turn, (): ()) {
        self.toggle(position, !position.side, mv);
    }

    #[inline]
    fn has_immediate_win(&self, position: &Position) -> bool {
        moves::has_immediate_win(&self.board, position)
    }

    fn symmetries(&self) -> &[Symmetry] {
        self.board.symmetries()
    }

    #[inline]
    fn image(&self, symmetry: Symmetry, position: &Position) -> Position {
        let stones = position.stones.map(|stones| self.board.image(symmetry, stones));
        Position { stones, ..*position }
    }

    fn image_of_move(&self, symmetry: Symmetry, mv: &Turn) -> Turn {
        let image = |points| self.board.image(symmetry, points);
        let point = |point: u8| image(1 << point).trailing_zeros() as u8;
        let mut path = Path::NONE;
        for (direction, how) in mv.path.steps() {
            path = path.then(self.board.image_of_direction(symmetry, direction), how);
        }
        Turn { from: point(mv.from), to: point(mv.to), captured: image(mv.captured), path }
    }

    /// No point has the number 63, so the side fits in.
    #[inline]
    fn key(&self, position: &Position) -> u128 {
        let Position { stones: [white, black], side } = self.canonical(position);
        u128::from(black) << 64 | u128::from(white) | (side.index() as u128) << 63
    }
}

impl Guided for Fanorona {
    fn evaluate(&self, position: &Position) -> Option<f32> {
        Some(moves::evaluate(&self.board, position))
    }

    #[inline]
    fn count_opponent_moves(&self, position: &Position) -> usize {
        moves::count(&self.board, &Position { side: !position.side, ..*position })
    }

    #[inline]
    fn survey(&self, position: &Position) -> Survey {
        let (moves, has_immediate_win) = moves::survey(&self.board, position);
        let evaluation =
            (moves > 0 && !has_immediate_win).then(|| moves::evaluate(&self.board, position));
        Survey { moves, has_immediate_win, evaluation }
    }
}

impl Fanorona {
    /// What it has beyond its rules.
    pub const CAPABILITIES: Capabilities<Fanorona> =
        Capabilities { numbering: Some(Numbering::of_game()), ..Capabilities::NONE };
}

impl Certifiable for Fanorona {
    /// 45 points have 3^45 positions, more than 2^64.
    type Number = u128;

    fn certificate_number(&self, position: &Position) -> u128 {
        let number = |symmetry: &Symmetry| {
            let stones = self.image(*symmetry, position).stones;
            let stones = stones.map(|stones| self.board.compact(stones));
            to_ternary(ternary_digits(stones, self.board.points.count_ones()))
        };
        self.symmetries().iter().map(number).min().unwrap_or_default()
    }

    fn position_of_number(&self, number: u128, mover: Player) -> Option<Position> {
        let points = self.board.points.count_ones();
        let stones = from_ternary(number, points)?.map(|stones| self.board.expand(stones));
        let most = points / 2;
        let fit = stones.iter().all(|stones| stones.count_ones() <= most) && stones != [0, 0];
        fit.then_some(Position { stones, side: mover })
    }

    /// Stones never come back.
    fn size(&self, position: &Position) -> u64 {
        (position.stones[0] | position.stones[1]).count_ones().into()
    }

    /// By the points of the stone, then by what it captures.
    fn move_order(&self, mv: &Turn) -> u64 {
        let point = |point: u8| u64::from(self.board.compact(1 << point).trailing_zeros());
        point(mv.from) << 54 | point(mv.to) << 48 | self.board.compact(mv.captured)
    }
}
