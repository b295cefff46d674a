//! Text notation of Konane positions and moves. Boards are read and written as [`Setup`]s.

use papamu_game::NotationError;
use papamu_game::notation::{Grid, read_size, square_name};

use super::setup::{Setup, Square};
use super::{Board, Jump, Konane, Position};

pub(super) const SIDE_LETTERS: [char; 2] = ['b', 'w'];
pub(super) const SIDES: &str = "`b` or `w`";

pub(super) fn read(text: &str) -> Result<(Konane, Position), NotationError> {
    if let Some((rows, cols)) = read_size(text.trim()) {
        let game = new_game(rows, cols, text.trim())?;
        let start = game.start();
        return Ok((game, start));
    }
    let grid = Grid::read(text, SIDES)?;
    // A board that is too large is refused before its letters are read.
    new_game(grid.rows, grid.cols, &format!("{}x{}", grid.rows, grid.cols))?;
    let setup = Setup::of_grid(&grid, Square::read_strictly, "`x`, `o` and `.`")?;
    let (game, occupied) = setup.occupied()?;
    let side = grid.player(SIDE_LETTERS, SIDES)?;
    Ok((game, Position { occupied, side }))
}

pub(super) fn new_game(rows: usize, cols: usize, size: &str) -> Result<Konane, NotationError> {
    Konane::new(rows, cols).ok_or_else(|| {
        let problem = if rows == 0 || cols == 0 {
            "a board has at least one row and one column"
        } else {
            "a board has at most 64 squares"
        };
        NotationError::Size { size: size.to_owned(), problem: problem.to_owned() }
    })
}

pub(super) fn draw(setup: &Setup) -> String {
    let letter = |square| match square {
        Square::Empty => '·',
        Square::Black => '●',
        Square::White => '○',
        Square::Wall => '#',
    };
    Grid::draw(setup.columns(), &setup.letters(letter))
}

pub(super) fn write_move(board: &Board, mv: &Jump) -> String {
    let [from, to] = [mv.from, mv.to].map(|square| board.row_and_col(square));
    jump_name(board.rows, from, to)
}

/// The name of a move from square to square. A removal, whose squares are the same, has the name of
/// its square.
pub(super) fn jump_name(rows: usize, from: (usize, usize), to: (usize, usize)) -> String {
    let name = |(row, col)| square_name(rows, row, col);
    if from == to { name(from) } else { format!("{}-{}", name(from), name(to)) }
}
