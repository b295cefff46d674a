//! Text notation of positions and moves, and drawings with the lines of the lattice.

use papamu_game::notation::{Grid, column_name, read_size, square_name};
use papamu_game::{NotationError, Player};

use super::moves::Capture;
use super::{Board, Fanorona, Path, Position, Turn};

const SIDE_LETTERS: [char; 2] = ['w', 'b'];
const SIDES: &str = "`w` or `b`";

pub(super) fn read(text: &str) -> Result<(Fanorona, Position), NotationError> {
    if let Some((rows, cols)) = read_size(text.trim()) {
        let game = new_game(rows, cols, text.trim())?;
        let start = game.start();
        return Ok((game, start));
    }
    let grid = Grid::read(text, SIDES)?;
    let game = new_game(grid.rows, grid.cols, &format!("{}x{}", grid.rows, grid.cols))?;
    let mut stones = [0; 2];
    for (i, &letter) in grid.cells.iter().enumerate() {
        let (row, col) = (i / grid.cols, i % grid.cols);
        let owner = match letter {
            'o' => Player::First,
            'x' => Player::Second,
            '.' => continue,
            letter => {
                let square = square_name(grid.rows, row, col);
                return Err(NotationError::Letter { letter, square, allowed: "`x`, `o` and `.`" });
            }
        };
        stones[owner.index()] |= 1 << game.board.point(row, col);
    }
    let side = grid.player(SIDE_LETTERS, SIDES)?;
    if stones[(!side).index()] == 0 && stones[side.index()] == 0 {
        let problem = "there is no stone".to_owned();
        return Err(NotationError::Position { text: text.trim().to_owned(), problem });
    }
    Ok((game, Position { stones, side }))
}

fn new_game(rows: usize, cols: usize, size: &str) -> Result<Fanorona, NotationError> {
    Fanorona::new(rows, cols).ok_or_else(|| NotationError::Size {
        size: size.to_owned(),
        problem: "rows and columns are odd, at least 3, and there are at most 45 points".to_owned(),
    })
}

fn letter(board: &Board, position: &Position, row: usize, col: usize, letters: [char; 3]) -> char {
    let has = |stones: u64| stones >> board.point(row, col) & 1 == 1;
    let [white, black] = position.stones.map(has);
    letters[if white { 0 } else { 2 - usize::from(black) }]
}

pub(super) fn write(board: &Board, position: &Position) -> String {
    let row =
        |row| (0..board.cols).map(move |col| letter(board, position, row, col, ['o', 'x', '.']));
    let rows: Vec<String> = (0..board.rows).map(|at| row(at).collect()).collect();
    format!("{} {}", rows.join("/"), SIDE_LETTERS[position.side.index()])
}

pub(super) fn write_move(board: &Board, mv: &Turn) -> String {
    let name = |point| {
        let (row, col) = board.row_and_col(point);
        square_name(board.rows, row, col)
    };
    let mut text = name(mv.from);
    if mv.path == Path::NONE {
        return text + "-" + &name(mv.to);
    }
    let mut at = 1 << mv.from;
    for (direction, how) in mv.path.steps() {
        at = board.shift(at, direction);
        text += "-";
        text += &name(at.trailing_zeros() as u8);
        text.push(if how == Capture::Approach { 'A' } else { 'W' });
    }
    text
}

/// The stones on the lattice, with coordinates.
pub(super) fn draw(board: &Board, position: &Position) -> String {
    let width = board.rows.to_string().len();
    let mut lines = Vec::new();
    for row in 0..board.rows {
        let stone = |col| letter(board, position, row, col, ['○', '●', '·']).to_string();
        let stones: Vec<String> = (0..board.cols).map(stone).collect();
        lines.push(format!("{:>width$} {}", board.rows - row, stones.join("─")));
        if row + 1 < board.rows {
            // A strong point has the diagonal that falls to the right, a weak one lies beside one
            // that rises.
            let diagonal = |col| if (row + col) % 2 == 0 { '╲' } else { '╱' };
            let between = (0..board.cols - 1).map(|col| format!("│{}", diagonal(col)));
            lines.push(format!("{:>width$} {}│", "", between.collect::<String>()));
        }
    }
    let columns: Vec<String> = (0..board.cols).map(column_name).collect();
    lines.push(format!("{:>width$} {}", "", columns.join(" ")));
    lines.join("\n")
}
