//! The program of a crate outside the workspace answers every verb for its game.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn papamu(arguments: &[&str], input: &str) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_own-game"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    program.stdin.take().expect("its input").write_all(input.as_bytes()).expect("written");
    program.wait_with_output().expect("it ends")
}

fn answer(arguments: &[&str]) -> String {
    let output = papamu(arguments, "");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).expect("text")
}

/// Whether the player to move wins, solved on a board of letters: rows of `cols` letters one after
/// the other. The player to move has the `own` stones.
fn wins(board: &mut Vec<u8>, cols: usize, own: u8, enemy: u8) -> bool {
    for from in 0..board.len() {
        let (row, col) = (from / cols, from % cols);
        let neighbours = [
            (col > 0).then(|| from - 1),
            (col + 1 < cols).then_some(from + 1),
            (row > 0).then(|| from - cols),
            Some(from + cols).filter(|&to| to < board.len()),
        ];
        for to in neighbours.into_iter().flatten() {
            if board[from] == own && board[to] == enemy {
                (board[from], board[to]) = (b'.', own);
                let is_winning = !wins(board, cols, enemy, own);
                (board[from], board[to]) = (own, enemy);
                if is_winning {
                    return true;
                }
            }
        }
    }
    false
}

#[test]
fn all_algorithms_solve() {
    for (rows, cols) in [(1, 2), (2, 2), (2, 3), (3, 3), (2, 5), (3, 4)] {
        let letter = |i: usize| if (i / cols + i % cols).is_multiple_of(2) { b'x' } else { b'o' };
        let mut start: Vec<u8> = (0..rows * cols).map(letter).collect();
        let winner = if wins(&mut start, cols, b'x', b'o') { "black" } else { "white" };
        let board = format!("{rows}x{cols}");
        for algorithm in ["reference", "ab", "pns", "pn2", "dfpn"] {
            let text = answer(&["solve", "clobber", &board, "--algo", algorithm]);
            let expected = format!("{winner} wins clobber {board}");
            assert!(text.starts_with(&expected), "{algorithm}: {text}");
        }
    }
}

#[test]
fn the_laws_hold() {
    assert!(answer(&["check-game", "clobber", "3x4", "--games", "50"]).contains("all laws hold"));
}

#[test]
fn positions_are_shown_and_counted() {
    let shown = answer(&["show", "clobber", "xo./.xo x"]);
    assert!(shown.contains("moves       3: a2-b2 b1-b2 b1-c1"), "{shown}");
    let counts = answer(&["perft", "clobber", "2x2", "--depth", "2", "--json"]);
    assert!(counts.contains("\"counts\":[4,4]"), "{counts}");
}

/// A row of two is a star; two of them cancel.
#[test]
fn positions_have_values() {
    let star = answer(&["value", "clobber", "xo x"]);
    assert!(star.starts_with("value        *\n"), "{star}");
    let sum = answer(&["value", "clobber", "xo.xo x"]);
    assert!(sum.starts_with("value        0\n"), "{sum}");
    assert!(answer(&["value", "clobber", "xxo x"]).starts_with("value        ^\n"));
}

#[test]
fn the_program_plays_and_wins() {
    let output = papamu(&["play", "clobber", "2x3"], "moves\nquit\n");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("The program plays white"), "{text}");
}

#[test]
fn the_bench_has_a_signature() {
    let text = answer(&["bench", "--game", "clobber"]);
    assert!(text.contains("signature "), "{text}");
}
