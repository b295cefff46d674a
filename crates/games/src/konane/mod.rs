//! Konane (Hawaiian checkers): a stone jumps, once or more in a straight line; whoever cannot jump
//! loses.
//!
//! The rules are those of B. Siefke, "Solving Konane Using Proof-Number Search and Extensions"
//! (TU Berlin, 2025). Black stones stand where row + column is even, counted from the top left
//! corner. Black removes a black stone from a corner or the centre, White removes a white stone
//! beside the gap, then both jump.

mod board;
mod certificate;
mod key;
mod moves;
mod notation;
pub mod published;
mod setup;
mod survey;
mod symmetry;
pub mod windows;

pub use board::{Board, MAX_SQUARES};
pub use setup::{MAX_SETUP_SQUARES, Setup, Square};
pub use symmetry::transpose;

use papamu_game::{
    Capabilities, Certifiable, Game, Guided, NoOptions, NotationError, Numbering, Player, Survey,
    Symmetry,
};

/// Konane on one board.
#[derive(Clone, Debug)]
pub struct Konane {
    board: Board,
    symmetries: Vec<Symmetry>,
    windows: windows::Places,
}

/// Which squares are occupied, and who moves. A stone never leaves the colour of square that it
/// started on, so the colours need not be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The occupied squares.
    pub occupied: u64,
    /// The player to move; Black is [`Player::First`].
    pub side: Player,
}

/// A move from square to square; on the first two plies the stone on `from == to` is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Jump {
    /// Where the stone stands.
    pub from: u8,
    /// Where it arrives.
    pub to: u8,
}

impl PartialEq for Konane {
    /// The rest follows from the board.
    fn eq(&self, other: &Konane) -> bool {
        (self.board.rows, self.board.cols) == (other.board.rows, other.board.cols)
    }
}

impl Konane {
    /// Konane on a board of that many rows and columns, if it has 1 to 64 squares.
    pub fn new(rows: usize, cols: usize) -> Option<Konane> {
        let board = Board::new(rows, cols)?;
        let symmetries = board.colour_preserving();
        let windows = windows::Places::new(&board);
        Some(Konane { board, symmetries, windows })
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Where the windows of the learned evaluation are.
    pub fn windows(&self) -> &windows::Places {
        &self.windows
    }

    /// The full board with Black to move.
    pub fn start(&self) -> Position {
        Position { occupied: self.board.squares, side: Player::First }
    }

    /// Whether the next move removes a stone, as in the first two plies.
    pub fn is_removal(&self, position: &Position) -> bool {
        moves::removals(&self.board, position).is_some()
    }

    /// A move changes the same squares forwards and backwards.
    #[inline(always)]
    fn toggle(&self, position: &mut Position, mv: &Jump) {
        let distance = usize::from(mv.from.abs_diff(mv.to));
        position.occupied ^= self.board.changes[distance & 63] << mv.from.min(mv.to);
        position.side = !position.side;
    }
}

impl Game for Konane {
    const NAME: &'static str = "konane";
    const SUMMARY: &'static str = "Hawaiian checkers: jump over enemy stones; who cannot, loses";
    const PLAYERS: [&'static str; 2] = ["black", "white"];
    const NOTATION: &'static str = "`6x6` (rows x columns, 64 squares at most) is the start; or rows from the top of `x` black, `o` white, `.` empty joined by `/`, a space, `b` or `w` to move";
    const EXAMPLES: &'static [&'static str] = &["4x4", "6x6", "xo.o/.x../xox. b"];

    type Position = Position;
    type Move = Jump;
    type Undo = ();
    type Key = u64;
    type Options = NoOptions;

    fn read(text: &str) -> Result<(Self, Position), NotationError> {
        notation::read(text)
    }

    fn write(&self, position: &Position) -> String {
        Setup::from((self, position)).to_string()
    }

    fn write_move(&self, _: &Position, mv: &Jump) -> String {
        notation::write_move(&self.board, mv)
    }

    fn draw(&self, position: &Position) -> String {
        notation::draw(&Setup::from((self, position)))
    }

    #[inline(always)]
    fn to_move(&self, position: &Position) -> Player {
        position.side
    }

    #[inline]
    fn moves(&self, position: &Position, moves: &mut Vec<Jump>) {
        moves::generate(&self.board, position, moves);
    }

    #[inline]
    fn count_moves(&self, position: &Position) -> usize {
        moves::count(&self.board, position)
    }

    fn is_legal(&self, position: &Position, mv: &Jump) -> bool {
        moves::is_legal(&self.board, position, mv)
    }

    #[inline(always)]
    fn play(&self, position: &mut Position, mv: &Jump) {
        self.toggle(position, mv);
    }

    #[inline(always)]
    fn undo(&self, position: &mut Position, mv: &Jump, (): ()) {
        self.toggle(position, mv);
    }

    #[inline]
    fn has_immediate_win(&self, position: &Position) -> bool {
        survey::survey(&self.board, position).has_immediate_win
    }

    fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    #[inline]
    fn image(&self, symmetry: Symmetry, position: &Position) -> Position {
        Position { occupied: self.board.image(symmetry, position.occupied), ..*position }
    }

    fn image_of_move(&self, symmetry: Symmetry, mv: &Jump) -> Jump {
        let image = |square: u8| self.board.image(symmetry, 1 << square).trailing_zeros() as u8;
        Jump { from: image(mv.from), to: image(mv.to) }
    }

    #[inline]
    fn key(&self, position: &Position) -> u64 {
        self.board.key(position)
    }
}

impl Konane {
    /// Its capabilities beyond the rules.
    pub const CAPABILITIES: Capabilities<Konane> = Capabilities {
        null_move: Some(Konane::null_move),
        numbering: Some(Numbering::of_game()),
        ..Capabilities::NONE
    };

    /// The null move. Positions in which stones are still removed have none.
    pub fn null_move(&self, position: &Position) -> Option<Position> {
        let passed = Position { side: !position.side, ..*position };
        (!self.is_removal(position) && !self.is_removal(&passed)).then_some(passed)
    }
}

impl Guided for Konane {
    /// A weighted mean of the learned evaluation of [`windows`] and the share by which the movable
    /// stones of the player to move outnumber those of the opponent (the ratio of D. Thompson,
    /// 2005, scaled to -1..1).
    fn evaluate(&self, position: &Position) -> Option<f32> {
        let movable = |side| moves::movable(&self.board, position, side);
        Some(self.blend(position, ratio([movable(position.side), movable(!position.side)])))
    }

    #[inline]
    fn count_opponent_moves(&self, position: &Position) -> usize {
        moves::count_jumps(&self.board, &Position { side: !position.side, ..*position })
    }

    #[inline]
    fn survey(&self, position: &Position) -> Survey {
        let survey::Look { moves, has_immediate_win, movable } =
            survey::survey(&self.board, position);
        // Most new positions are decided already.
        let evaluation =
            (moves > 0 && !has_immediate_win).then(|| self.blend(position, ratio(movable)));
        Survey { moves, has_immediate_win, evaluation }
    }
}

impl Certifiable for Konane {
    const CERTIFICATE_VERSION: u8 = 1;

    type Number = u64;

    fn certificate_number(&self, position: &Position) -> u64 {
        self.board.certificate_number(position.occupied)
    }

    fn position_of_number(&self, number: u64, mover: Player) -> Option<Position> {
        Some(Position { occupied: self.board.squares_of_number(number)?, side: mover })
    }

    /// Every move takes a stone.
    fn stage_of_number(&self, number: u64) -> Option<u32> {
        Some(number.count_ones())
    }

    fn size(&self, position: &Position) -> u64 {
        position.occupied.count_ones().into()
    }

    fn move_order(&self, mv: &Jump) -> u64 {
        let [from, to] = [mv.from, mv.to].map(|square| self.board.reading_order(square));
        from * 64 + to
    }
}

/// The weight of the learned evaluation: `docs/results/guided-search.md`.
const LEARNED_SHARE: f32 = 0.25;

impl Konane {
    #[inline]
    fn blend(&self, position: &Position, ratio: f32) -> f32 {
        match windows::Weights::shipped().evaluate(&self.windows, position) {
            Some(learned) => ratio + (learned - ratio) * LEARNED_SHARE,
            None => ratio,
        }
    }
}

/// The share by which one number outweighs the other.
#[inline]
fn ratio([own, enemy]: [u32; 2]) -> f32 {
    let (own, enemy) = (own as f32, enemy as f32);
    if own + enemy == 0.0 { 0.0 } else { (own - enemy) / (own + enemy) }
}
