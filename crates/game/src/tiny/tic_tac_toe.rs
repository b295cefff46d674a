//! Tic-tac-toe: three in a row wins, a full board is a draw.

use crate::certifiable::{from_ternary, ternary_digits, to_ternary};
use crate::notation::Grid;
use crate::ranking::{Binomials, Pairs, SquarePermutations};
use crate::{
    Capabilities, Certifiable, Entry, Game, Guided, Indexed, NoOptions, NotationError, Numbering,
    Player, PositionIndex, Symmetry, Value,
};

/// Tic-tac-toe on the usual board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TicTacToe;

/// Squares are bits, row by row from the top left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    crosses: u16,
    noughts: u16,
}

const FULL: u16 = 0o777;
const LINES: [u16; 8] = [0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124];
const MARKS: [char; 2] = ['x', 'o'];
const SIDES: &str = "`x` or `o`";

impl Board {
    fn empty(self) -> u16 {
        FULL & !(self.crosses | self.noughts)
    }

    fn player(self) -> Player {
        if self.crosses.count_ones() == self.noughts.count_ones() {
            Player::First
        } else {
            Player::Second
        }
    }

    fn has_line(marks: u16) -> bool {
        LINES.iter().any(|&line| !marks & line == 0)
    }

    /// Only whoever moved last can have a line.
    fn is_won(self) -> bool {
        Board::has_line(self.crosses) || Board::has_line(self.noughts)
    }

    fn cells(self, empty: char) -> Vec<char> {
        Grid::letters([self.crosses.into(), self.noughts.into()], MARKS, empty, 9)
    }
}

fn image_of_square(symmetry: Symmetry, square: u8) -> u8 {
    let (row, col) = symmetry.apply(3, 3, (usize::from(square) / 3, usize::from(square) % 3));
    (row * 3 + col) as u8
}

impl Game for TicTacToe {
    const NAME: &'static str = "tic-tac-toe";
    const SUMMARY: &'static str = "Three in a row wins, a full board is a draw";
    const PLAYERS: [&'static str; 2] = ["x", "o"];
    const NOTATION: &'static str = "`start` or `3x3`, or rows from the top of `x`, `o`, `.` joined by `/`, a space, `x` or `o` to move";
    const EXAMPLES: &'static [&'static str] = &["start", "x../.o./..x o"];

    const DRAWS: bool = true;

    type Position = Board;
    type Move = u8;
    type Undo = ();
    type Key = u64;
    type Options = NoOptions;

    fn read(text: &str) -> Result<(Self, Board), NotationError> {
        let mut board = Board { crosses: 0, noughts: 0 };
        if ["start", "3x3"].contains(&text.trim()) {
            return Ok((TicTacToe, board));
        }
        let grid = Grid::read(text, SIDES)?;
        if (grid.rows, grid.cols) != (3, 3) {
            return Err(NotationError::Size {
                size: format!("{}x{}", grid.rows, grid.cols),
                problem: "tic-tac-toe has 3x3 squares".to_owned(),
            });
        }
        let [crosses, noughts] = grid.planes(MARKS, "`x`, `o` and `.`")?;
        (board.crosses, board.noughts) = (crosses as u16, noughts as u16);
        let problem = |problem: &str| NotationError::Position {
            text: text.trim().to_owned(),
            problem: problem.to_owned(),
        };
        let marks = (board.crosses.count_ones(), board.noughts.count_ones());
        if marks.0 != marks.1 && marks.0 != marks.1 + 1 {
            return Err(problem("x has as many marks as o, or one more"));
        }
        let previous = if board.player() == Player::First { board.crosses } else { board.noughts };
        if Board::has_line(previous) {
            return Err(problem("play ends with the first three in a row"));
        }
        if grid.player(MARKS, SIDES)? != board.player() {
            return Err(problem("the number of marks says that the other side moves"));
        }
        Ok((TicTacToe, board))
    }

    fn write(&self, board: &Board) -> String {
        Grid::write(3, &board.cells('.'), MARKS[board.player().index()])
    }

    fn write_move(&self, _: &Board, &square: &u8) -> String {
        crate::notation::square_name(3, usize::from(square) / 3, usize::from(square) % 3)
    }

    fn draw(&self, board: &Board) -> String {
        Grid::draw(3, &board.cells('·'))
    }

    fn to_move(&self, board: &Board) -> Player {
        board.player()
    }

    fn moves(&self, board: &Board, moves: &mut Vec<u8>) {
        if !board.is_won() {
            moves.extend((0..9).filter(|square| board.empty() >> square & 1 == 1));
        }
    }

    fn is_legal(&self, board: &Board, &square: &u8) -> bool {
        square < 9 && board.cells('.')[usize::from(square)] == '.' && !board.is_won()
    }

    fn play(&self, board: &mut Board, &square: &u8) {
        match board.player() {
            Player::First => board.crosses |= 1 << square,
            Player::Second => board.noughts |= 1 << square,
        }
    }

    fn undo(&self, board: &mut Board, &square: &u8, (): ()) {
        board.crosses &= !(1 << square);
        board.noughts &= !(1 << square);
    }

    fn final_value(&self, board: &Board) -> Value {
        if board.is_won() { Value::Loss } else { Value::Draw }
    }

    fn symmetries(&self) -> &[Symmetry] {
        &Symmetry::ALL
    }

    fn image(&self, symmetry: Symmetry, board: &Board) -> Board {
        let image = |marks: u16| {
            let squares = (0..9).filter(|square| marks >> square & 1 == 1);
            squares.fold(0, |image, square| image | 1 << image_of_square(symmetry, square))
        };
        Board { crosses: image(board.crosses), noughts: image(board.noughts) }
    }

    fn image_of_move(&self, symmetry: Symmetry, &square: &u8) -> u8 {
        image_of_square(symmetry, square)
    }

    fn key(&self, board: &Board) -> u64 {
        let Board { crosses, noughts } = self.canonical(board);
        u64::from(crosses) << 9 | u64::from(noughts)
    }
}

impl Guided for TicTacToe {}

/// The boards up to symmetry, in classes by the number of empty squares.
#[derive(Clone, Debug)]
pub struct MarkIndex(Vec<Pairs>);

impl Indexed for TicTacToe {
    type Index = MarkIndex;

    fn board(&self) -> String {
        "3x3".to_owned()
    }

    /// Play adds marks, so there is no index of few of them.
    fn index(&self, most_stones: u32) -> Option<MarkIndex> {
        let binomials = Binomials::new();
        let group: SquarePermutations = Symmetry::ALL
            .map(|symmetry| (0..9).map(|square| image_of_square(symmetry, square)).collect())
            .to_vec();
        let of_marks = |marks: u32| {
            Pairs::up_to(&binomials, (1 << 9) - 1, [marks.div_ceil(2), marks / 2], group.clone())
        };
        let classes = (0..=9).rev().map(of_marks).collect::<Option<_>>()?;
        (most_stones >= 9).then_some(MarkIndex(classes))
    }
}

impl PositionIndex<TicTacToe> for MarkIndex {
    fn layout(&self) -> &'static str {
        "crosses, noughts"
    }

    fn classes(&self) -> u32 {
        self.0.len() as u32
    }

    fn class_name(&self, class: u32) -> String {
        format!("{class} empty")
    }

    fn stones(&self, _: u32) -> u32 {
        9
    }

    fn entries(&self, class: u32) -> u64 {
        self.0[class as usize].len()
    }

    fn entry(&self, board: &Board) -> Option<Entry> {
        let class = board.empty().count_ones();
        let marks = [board.crosses.into(), board.noughts.into()];
        Some(Entry { class, index: self.0[class as usize].rank(marks) })
    }

    fn position(&self, entry: Entry) -> Option<Board> {
        let [crosses, noughts] = self.0.get(entry.class as usize)?.unrank(entry.index)?;
        let board = Board { crosses: crosses as u16, noughts: noughts as u16 };
        let mover = if board.player() == Player::First { board.crosses } else { board.noughts };
        (!Board::has_line(mover)).then_some(board)
    }

    /// Every move leads to another class.
    fn has_unmoves(&self) -> bool {
        true
    }
}

impl TicTacToe {
    /// What it has beyond its rules.
    pub const CAPABILITIES: Capabilities<TicTacToe> =
        Capabilities { numbering: Some(Numbering::of_game()), ..Capabilities::NONE };
}

impl Certifiable for TicTacToe {
    type Number = u64;

    fn certificate_number(&self, board: &Board) -> u64 {
        let number = |board: Board| {
            let marks = [board.crosses.into(), board.noughts.into()];
            to_ternary(ternary_digits(marks, 9)) as u64
        };
        let images = Symmetry::ALL.iter().map(|&symmetry| number(self.image(symmetry, board)));
        images.fold(number(*board), u64::min)
    }

    fn position_of_number(&self, number: u64, mover: Player) -> Option<Board> {
        let [crosses, noughts] = from_ternary(number.into(), 9)?.map(|marks| marks as u16);
        let more = crosses.count_ones().checked_sub(noughts.count_ones())?;
        (more as usize == mover.index()).then_some(Board { crosses, noughts })
    }

    /// Every move takes a square.
    fn stage_of_number(&self, number: u64) -> Option<u32> {
        let [crosses, noughts] = from_ternary(number.into(), 9)?;
        Some(9 - crosses.count_ones() - noughts.count_ones())
    }

    fn size(&self, board: &Board) -> u64 {
        board.empty().count_ones().into()
    }

    fn move_order(&self, &square: &u8) -> u64 {
        square.into()
    }
}
