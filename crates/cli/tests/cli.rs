//! The program as users and scripts see it.

use predicates::prelude::*;
use serde_json::Value;

mod common;
use common::{json, one_line, papamu, text};

#[test]
fn perft_json() {
    let answer = json(&["perft", "konane", "8x8", "--depth", "7"]);
    assert_eq!(answer["game"], "konane");
    assert_eq!(answer["position"], "8x8");
    // Table B.1 of B. Siefke's thesis.
    assert_eq!(answer["counts"], serde_json::json!([4, 12, 28, 172, 892, 7124, 52044]));
    assert!(answer["seconds"].as_f64().expect("seconds") >= 0.0);
}

#[test]
fn perft_divide_adds_up() {
    let answer = json(&["perft", "konane", "6x6", "--depth", "6", "--divide", "--threads", "2"]);
    let parts = answer["divide"].as_array().expect("a list");
    let sum: u64 = parts.iter().map(|part| part["count"].as_u64().expect("a count")).sum();
    assert_eq!(parts.len(), 4);
    assert_eq!(answer["counts"][5], sum);
    let one = json(&["perft", "konane", "6x6", "--depth", "1", "--divide"]);
    assert_eq!(one["divide"][0], serde_json::json!({"move": "a6", "count": 1}));
}

#[test]
fn states_json() {
    let answer = json(&["states", "konane", "3x3"]);
    // Table B.2 of B. Siefke's thesis.
    let expected = [(0, 1, 1), (1, 2, 5), (2, 2, 12), (3, 1, 8), (4, 2, 8), (5, 1, 8)];
    let expected: Vec<Value> = expected
        .iter()
        .map(|(ply, unique, raw)| serde_json::json!({"ply": ply, "unique": unique, "unique_raw": raw}))
        .collect();
    assert_eq!(answer["plies"], Value::Array(expected));
    assert_eq!(answer["total"]["unique"], 9);
}

#[test]
fn solve_json() {
    let white = json(&["solve", "konane", "4x4"]);
    assert_eq!((&white["winner"], &white["value"]), (&"white".into(), &"loss".into()));
    assert!(white["nodes"].as_u64().expect("nodes") > 0);
    assert!(white["seconds"].is_f64());
    let black = json(&["solve", "konane", "5x5"]);
    assert_eq!((&black["winner"], &black["value"]), (&"black".into(), &"win".into()));
    // Every opening wins, as the strong table says.
    let openings = ["a1", "a5", "c3", "e1", "e5"];
    assert!(black["best_move"].as_str().is_some_and(|mv| openings.contains(&mv)));
    let draw = json(&["solve", "tic-tac-toe", "start"]);
    assert_eq!((&draw["winner"], &draw["value"]), (&Value::Null, &"draw".into()));
    let over = json(&["solve", "konane", "x. w"]);
    assert_eq!((&over["best_move"], &over["winner"]), (&Value::Null, &"black".into()));
}

#[test]
fn show_draws_the_board() {
    insta::assert_snapshot!(text(&["show", "konane", "xo.o/.x../xox. b"]));
    insta::assert_snapshot!(text(&["show", "kayles", "5+3+3"]));
}

/// A position is one argument or several: quotes are not needed.
#[test]
fn positions_need_no_quotes() {
    assert_eq!(
        text(&["show", "konane", "xo.o/.x../xox.", "b"]),
        text(&["show", "konane", "xo.o/.x../xox. b"])
    );
}

#[test]
fn games_are_listed() {
    let answer = json(&["games"]);
    let games = answer["games"].as_array().expect("a list");
    let names: Vec<&Value> = games.iter().map(|game| &game["name"]).collect();
    assert_eq!(
        names,
        [
            "konane",
            "sprouts",
            "fanorona",
            "tic-tac-toe",
            "kayles",
            "dodgem",
            "mu-torere",
            "domineering",
            "cram"
        ]
    );
}

/// Every verb works with the examples of every game, or with a smaller board.
#[test]
fn every_verb_takes_every_game() {
    for game in json(&["games"])["games"].as_array().expect("a list") {
        let name = game["name"].as_str().expect("a name");
        for example in game["examples"].as_array().expect("a list") {
            let example = example.as_str().expect("a position");
            let board = match example {
                "6x6" => "4x5",
                "5x9" => "3x5",
                _ => example,
            };
            json(&["solve", name, board]);
            json(&["show", name, board]);
            json(&["perft", name, board, "--depth", "3"]);
            json(&["states", name, board, "--depth", "5"]);
            json(&["check-game", name, board, "--games", "3"]);
        }
    }
}

#[test]
fn check_game_reports_what_it_checked() {
    let answer = json(&["check-game", "konane", "4x5", "--games", "20", "--seed", "5"]);
    assert_eq!((&answer["games"], &answer["seed"]), (&20.into(), &5.into()));
    assert!(answer["positions"].as_u64().expect("a count") > 100);
    // The same seed plays the same games.
    let again = json(&["check-game", "konane", "4x5", "--games", "20", "--seed", "5"]);
    assert_eq!(answer["moves"], again["moves"]);
}

#[test]
fn perft_file_is_checked() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("konane.perft");
    let path = path.to_str().expect("UTF-8");
    std::fs::write(path, "position 8x8\nperft 5 892\n").expect("written");
    assert!(text(&["perft", "konane", "--check", path]).contains("all 1 counts of 1 positions"));
    std::fs::write(path, "position 8x8\nperft 5 893\n").expect("written");
    papamu(&["perft", "konane", "--check", path])
        .assert()
        .code(1)
        .stdout(predicate::str::contains("`8x8` depth 5: expected 893, counted 892"));
    std::fs::write(path, "position 8x8\nperft five 893\n").expect("written");
    papamu(&["perft", "konane", "--check", path])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("line 2: `perft five 893`"));
}

#[test]
fn perft_files_without_counts_are_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("konane.perft");
    let path = path.to_str().expect("UTF-8");
    for (text, message) in [
        ("", "has no counts"),
        ("position 8x8\n", "has no counts"),
        ("position 8x8\nperft 9 4633660\n", "has no counts"),
        ("position 8x8\nperft 1 4\n\nposition 9x9\nperft 1 1\n", "line 4: board size `9x9`"),
        ("position 8x8\nperft 99999999999 4\n", "line 2: depth 99999999999 is out of range"),
    ] {
        std::fs::write(path, text).expect("written");
        let assert = papamu(&["perft", "konane", "--check", path, "--depth", "8"]).assert().code(2);
        assert.stderr(predicate::str::contains(message));
    }
}

/// A failed check is an answer: it reaches the file, and its exit code survives a reader who left.
#[test]
fn failed_checks_are_reported() {
    let directory = tempfile::tempdir().expect("a directory");
    let (file, report) = (directory.path().join("k.perft"), directory.path().join("report.json"));
    std::fs::write(&file, "position 8x8\nperft 2 13\n").expect("written");
    let arguments = ["perft", "konane", "--json", "--check", file.to_str().expect("UTF-8")];
    papamu(&arguments).arg("--output").arg(&report).assert().code(1);
    let report = std::fs::read_to_string(report).expect("the report");
    assert!(report.contains("expected 13, counted 12"), "{report}");
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("papamu"))
        .args(arguments)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("started");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("ended").code(), Some(1));
}

#[cfg(unix)]
mod streams {
    use super::papamu;
    use std::fs::{self, File};
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn full() -> File {
        File::options().write(true).open("/dev/full").expect("/dev/full")
    }

    fn code(arguments: &[&str], stdout_is_full: bool) -> Option<i32> {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("papamu"));
        command.args(arguments).stdout(std::process::Stdio::null()).stderr(full());
        if stdout_is_full {
            command.stdout(full());
        }
        command.status().expect("started").code()
    }

    #[test]
    fn full_disks_are_no_panic() {
        assert_eq!(code(&["solve", "konane", "9x9"], false), Some(2));
        assert_eq!(code(&["solve", "konane", "4x4"], true), Some(3));
        assert_eq!(code(&["--help"], true), Some(3));
    }

    #[test]
    fn links_and_permissions_of_output_files_are_kept() {
        let directory = tempfile::tempdir().expect("a directory");
        let (real, link) = (directory.path().join("real"), directory.path().join("link"));
        fs::write(&real, "old").expect("written");
        fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).expect("permissions");
        symlink(&real, &link).expect("linked");
        papamu(&["solve", "konane", "4x4", "--output"]).arg(&link).assert().success();
        assert!(fs::symlink_metadata(&link).expect("link").is_symlink());
        assert!(fs::read_to_string(&real).expect("real").starts_with("white wins"));
        assert_eq!(fs::metadata(&real).expect("real").permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(directory.path()).expect("directory").count(), 2);
    }

    #[test]
    fn devices_are_written_not_replaced() {
        papamu(&["solve", "konane", "4x4", "--output", "/dev/null"]).assert().success();
        assert!(!fs::metadata("/dev/null").expect("/dev/null").is_file());
    }
}

#[test]
fn completions_name_the_verbs() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(text(&["completions", shell]).contains("check-game"));
    }
}

#[test]
fn output_goes_to_a_file_when_complete() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("answer.json");
    let name = path.to_str().expect("UTF-8");
    assert_eq!(text(&["solve", "konane", "4x4", "--json", "--output", name]), "");
    let answer = std::fs::read_to_string(&path).expect("the file");
    assert!(answer.starts_with("{\"game\":\"konane\""), "{answer}");
    // Nothing else is left behind, and a failure leaves no file.
    let failed = directory.path().join("failed.json");
    let name = failed.to_str().expect("UTF-8");
    papamu(&["solve", "konane", "5x5", "--algo", "plain", "--memory", "1KiB", "--output", name])
        .assert()
        .code(4);
    assert_eq!(std::fs::read_dir(directory.path()).expect("a directory").count(), 1);
}

#[test]
fn plot_is_an_svg() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("states.svg");
    let name = path.to_str().expect("UTF-8");
    text(&["states", "konane", "4x4", "--plot", name]);
    let svg = std::fs::read_to_string(&path).expect("the file");
    assert!(svg.starts_with("<svg") && svg.contains("without symmetry"), "{svg}");
}

/// Bad input: exit code, and one line that names the offending part.
#[test]
fn bad_input_gets_one_clear_line() {
    let long = "x".repeat(100_000);
    let cases: &[(&[&str], i32, &str)] = &[
        (&["solve", "chess", "4x4"], 2, "unknown game `chess`"),
        (&["solve", "konane", "0x5"], 2, "board size `0x5`: a board has at least one"),
        (&["solve", "konane", "5x0"], 2, "board size `5x0`: a board has at least one"),
        (&["solve", "konane", "9x9"], 2, "board size `9x9`: a board has at most 64"),
        (&["solve", "konane", "1x65"], 2, "board size `1x65`: a board has at most 64"),
        (&["solve", "konane", "99999999999999999999x1"], 2, "at most 64 squares"),
        (&["solve", "konane", "4294967297x4294967297"], 2, "at most 64 squares"),
        (&["show", "konane", "ox/xo b"], 2, "`x` on b2: this is a square of white stones"),
        (&["show", "konane", "xx/ox b"], 2, "`x` on b2"),
        (&["show", "konane", "xo/x b"], 2, "row 2 `x` has 1 squares, but the first row has 2"),
        (&["show", "konane", "xo//ox b"], 2, "row 2 of `xo//ox` is empty"),
        (&["show", "konane", "xz/ox b"], 2, "unknown letter `z` on b2"),
        (&["show", "konane", "xo/ox"], 2, "`xo/ox` does not say who moves"),
        (&["show", "konane", "xo/ox red"], 2, "unknown side to move `red`"),
        (&["show", "konane", "xo/ox b w"], 2, "unexpected `w` after the position"),
        (&["show", "konane", ""], 2, "there is nothing here"),
        (&["show", "konane", &long], 2, "does not say who moves"),
        (&["show", "tic-tac-toe", "xxx/.../... o"], 2, "x has as many marks as o"),
        (&["show", "tic-tac-toe", "xxx/ooo/... x"], 2, "play ends with the first"),
        (&["show", "tic-tac-toe", "x../.../... x"], 2, "the other side moves"),
        (&["show", "tic-tac-toe", "x./.. x"], 2, "`2x2`"),
        (&["show", "kayles", "5+-3"], 2, "`-3`"),
        (&["show", "kayles", "64+64"], 2, "more than 128 pins"),
        (&["show", "kayles", "4294967295+4294967295"], 2, "more than 128 pins"),
        (&["show", "dodgem", "2x2"], 2, "`2x2`"),
        (&["show", "dodgem", "rrr/rrr/rrr u"], 2, "fewer cars than rows"),
        (&["show", "domineering", "9x8"], 2, "`9x8`"),
        (&["show", "domineering", "../.o v"], 2, "unknown letter `o` on b1"),
        (&["perft", "konane", "8x8", "--depth", "99999999999999999999"], 2, "--depth: `999"),
        (
            &["perft", "konane", "8x8", "--depth", "201"],
            2,
            "--depth: `201`: it is a number from 1 to 200",
        ),
        (
            &["perft", "konane", "8x8", "--depth", "0"],
            2,
            "--depth: `0`: it is a number from 1 to 200",
        ),
        (&["perft", "konane", "8x8", "--threads", "0"], 2, "--threads: `0`"),
        (&["perft", "konane"], 2, "<POSITION>"),
        (&["perft", "konane", "--check", "no-such-file"], 3, "cannot read `no-such-file`"),
        (&["states", "konane", "4x4", "--plot", "no-such-dir/a.svg"], 3, "no-such-dir/a.svg"),
        (&["states", "konane", "6x6", "--memory", "1MiB"], 4, "do not fit into 1.0 MiB"),
        (&["states", "konane", "6x6", "--memory", "much"], 2, "--memory: `much`"),
        (
            &["solve", "konane", "6x6", "--algo", "reference", "--memory", "1MiB"],
            4,
            "give more with --memory",
        ),
        (&["solve", "konane", "4x4", "--output", "no-such-dir/a"], 3, "no-such-dir/a"),
        (&["solve", "konane", "4x4", "--output", "."], 3, "it is a directory"),
        (&["sovle", "konane", "4x4"], 2, "'solve'"),
        (&["solve", "ko\nnane", "4x4"], 2, "unknown game `ko\\nnane`"),
        (&["show", "kayles", "5+\n3x"], 2, "3x"),
        (&["show", "dodgem", "rrr/rrr/rrr\nu"], 2, "rrr\\nu"),
        (&["show", "konane", "\u{1b}[31mx b"], 2, "\\u{1b}"),
        (&["perft", "konane", "8x8", "10"], 2, "board size `8x8 10`"),
        (&["solve", "konane", "6x6 w"], 2, "board size `6x6 w`"),
        (&["solve", "konane", "6X6"], 2, "such as 6x6"),
        (&["solve", "konane", "6"], 2, "such as 6x6"),
        (&["perft", "konane", "8x8", "--depth", "-3"], 2, "--depth: `-3`"),
        (&["check-game", "konane", "4x4", "--games", "0"], 2, "--games: `0`"),
        (&["solve", "konane", "4x4", "--memory", "0"], 2, "--memory: `0`: a size is"),
        (&["solve", "konane", "4x4", "--output", "new-file/"], 3, "it is a directory"),
        (&["states", "konane", "4x4", "--plot", "a.svg", "--output", "a.svg"], 2, "same file"),
    ];
    for (arguments, code, message) in cases {
        one_line(arguments, *code, message);
    }
}

#[test]
fn no_verb_prints_the_help() {
    let mut bare = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("papamu"));
    bare.assert().code(2).stderr(predicate::str::contains("Usage: papamu"));
    papamu(&["--help"]).assert().success().stdout(predicate::str::contains("Exit codes"));
    papamu(&["--version"]).assert().success().stdout(predicate::str::starts_with("papamu "));
}
