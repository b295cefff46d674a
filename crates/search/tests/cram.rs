//! Nimbers of Cram with the reference solver, against published ones.

use papamu_base::Progress;
use papamu_game::tiny::Cram;
use papamu_game::{Game, Value};
use papamu_search::reference::{Method, solve};

mod published;
use published::{CRAM, DAWSON};

const LIMIT_BYTES: usize = 1 << 30;

fn nimber(rows: usize, cols: usize) -> u32 {
    let (game, start) = Cram::read(&format!("{rows}x{cols}")).expect("a board");
    let solution = solve(&game, &start, &Cram::CAPABILITIES, LIMIT_BYTES, &Progress::new());
    let solution = solution.expect("fits into memory");
    assert_eq!(solution.method, Method::Nimbers);
    let nimber = solution.nimber.expect("an impartial game");
    assert_eq!(solution.value == Value::Loss, nimber == 0);
    nimber
}

#[test]
fn one_row_is_dawsons_kayles() {
    for (squares, expected) in DAWSON.into_iter().enumerate().skip(1) {
        assert_eq!(nimber(1, squares), expected, "{squares} in a row");
        assert_eq!(nimber(squares, 1), expected, "{squares} in a column");
    }
    // The nimbers repeat every 34 squares but for a few early ones.
    for squares in 52..=64 {
        assert_eq!(nimber(1, squares), DAWSON[squares - 34], "{squares} in a row");
    }
}

#[test]
fn rectangles_have_published_nimbers() {
    for (rows, cols, expected) in CRAM {
        assert_eq!(nimber(rows, cols), expected, "{rows}x{cols}");
        assert_eq!(nimber(cols, rows), expected, "{cols}x{rows}");
    }
    for cols in 1..=10 {
        assert_eq!(nimber(2, cols), cols as u32 % 2, "2x{cols}");
    }
}

/// If both sides are even, the second player copies every domino through the centre. With one odd
/// side the first player takes the centre first.
#[test]
fn half_turns_win() {
    for (rows, cols) in [(2, 4), (4, 4), (2, 6), (4, 6)] {
        assert_eq!(nimber(rows, cols), 0, "{rows}x{cols}");
    }
    for (rows, cols) in [(1, 2), (2, 3), (3, 4), (2, 5), (4, 5), (3, 6), (2, 7)] {
        assert_ne!(nimber(rows, cols), 0, "{rows}x{cols}");
    }
}
