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

/// Published outcomes of the starts of Clobber (J. Claessen, Combinatorial Game Theory in Clobber,
/// Maastricht University, 2011): the player to move wins these boards or loses them.
#[test]
fn all_algorithms_solve() {
    for (board, winner) in [("2x2", "black"), ("2x3", "white"), ("3x3", "black"), ("3x4", "black")]
    {
        for algorithm in ["reference", "ab", "pns", "pn2", "dfpn"] {
            let text = answer(&["solve", "clobber", board, "--algo", algorithm]);
            assert!(
                text.starts_with(&format!("{winner} wins clobber {board}")),
                "{algorithm}: {text}"
            );
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
    assert!(shown.contains("moves       4: a2-b2 b1-b2 b1-c1"), "{shown}");
    let counts = answer(&["perft", "clobber", "2x2", "--depth", "2", "--json"]);
    assert!(counts.contains("\"counts\":[4,8]"), "{counts}");
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
