//! Text notation of Konane positions and moves.

use super::{Board, Jump, Konane, Position};
use papamu_game::NotationError;
use papamu_game::notation::{Grid, read_size, square_name};

const STONES: [char; 2] = ['x', 'o'];
const SIDE_LETTERS: [char; 2] = ['b', 'w'];
const SIDES: &str = "`b` or `w`";

pub(super) fn read(text: &str) -> Result<(Konane, Position), NotationError> {
    if let Some((rows, cols)) = read_size(text.trim()) {
        let game = new_game(rows, cols, text.trim())?;
        let start = game.start();
        return Ok((game, start));
    }
    let grid = Grid::read(text, SIDES)?;
    let game = new_game(grid.rows, grid.cols, &format!("{}x{}", grid.rows, grid.cols))?;
    let board = &game.board;
    let [black, white] = grid.planes(STONES, "`x`, `o` and `.`")?.map(|plane| spread(board, plane));
    for (stones, home, letter, colour) in
        [(black, board.black, 'x', "white"), (white, board.white, 'o', "black")]
    {
        if let Some(square) = super::moves::bits(stones & !home).next() {
            let problem = format!(
                "this is a square of {colour} stones, and stones never change colour of square"
            );
            return Err(NotationError::Square { letter, square: name(board, square), problem });
        }
    }
    let side = grid.player(SIDE_LETTERS, SIDES)?;
    Ok((game, Position { occupied: black | white, side }))
}

fn new_game(rows: usize, cols: usize, size: &str) -> Result<Konane, NotationError> {
    Konane::new(rows, cols).ok_or_else(|| {
        let problem = if rows == 0 || cols == 0 {
            "a board has at least one row and one column"
        } else {
            "a board has at most 64 squares"
        };
        NotationError::Size { size: size.to_owned(), problem: problem.to_owned() }
    })
}

/// Squares numbered without gaps, put where the board has them.
fn spread(board: &Board, plane: u64) -> u64 {
    let square = |i: u8| board.square(usize::from(i) / board.cols, usize::from(i) % board.cols);
    super::moves::bits(plane).fold(0, |bits, i| bits | 1 << square(i))
}

fn cells(board: &Board, position: &Position, stones: [char; 2], empty: char) -> Vec<char> {
    let squares = (0..board.rows).flat_map(|row| (0..board.cols).map(move |col| (row, col)));
    squares
        .map(|(row, col)| {
            let bit = 1 << board.square(row, col);
            match (position.occupied & bit != 0, board.black & bit != 0) {
                (true, true) => stones[0],
                (true, false) => stones[1],
                _ => empty,
            }
        })
        .collect()
}

pub(super) fn write(board: &Board, position: &Position) -> String {
    let side = SIDE_LETTERS[position.side.index()];
    Grid::write(board.cols, &cells(board, position, STONES, '.'), side)
}

pub(super) fn draw(board: &Board, position: &Position) -> String {
    Grid::draw(board.cols, &cells(board, position, ['●', '○'], '·'))
}

pub(super) fn write_move(board: &Board, mv: &Jump) -> String {
    if mv.from == mv.to {
        name(board, mv.from)
    } else {
        format!("{}-{}", name(board, mv.from), name(board, mv.to))
    }
}

fn name(board: &Board, square: u8) -> String {
    let (row, col) = board.row_and_col(square);
    square_name(board.rows, row, col)
}
