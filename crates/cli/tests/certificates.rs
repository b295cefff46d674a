//! Certificates from the command line: solve --cert, cert, probe, play.

use std::path::Path;

use papamu_checker::check::Checked;
use papamu_checker::reader::Problem;
use predicates::prelude::*;
use serde_json::Value;

mod common;
use common::{json, papamu, place, refused};

fn check(path: &Path, memory_bytes: usize) -> Result<Checked, Problem> {
    let file = std::fs::File::open(path).map_err(Problem::Io)?;
    papamu_checker::check::check(file, memory_bytes, |_| {})
}

/// The winners of table 4.4 of M. Schadd, "Selective Search in Games of Different Complexity"
/// (2011), by every search with databases.
#[test]
fn fanorona_is_certified_with_databases() {
    let (_keep, name) = place();
    let (cert, table) = (name("cert"), name("table"));
    for (board, stones, winner) in
        [("3x5", "4", "white"), ("5x3", "5", "white"), ("7x3", "4", "white"), ("3x9", "5", "white")]
    {
        let _ = std::fs::remove_dir_all(&table);
        json(&["build", "fanorona", board, "--pieces", stones, "--out", &table]);
        for algorithm in ["ab", "pns", "pn2", "dfpn"] {
            // Alpha-beta is lost on the largest of them.
            if (board, algorithm) == ("3x9", "ab") {
                continue;
            }
            let solve = ["solve", "fanorona", board, "--tables", &table, "--algo", algorithm];
            let answer = json(&[&solve[..], &["--cert", &cert, "--cert-database", "3"]].concat());
            assert_eq!(answer["winner"], winner, "{board} by {algorithm}");
            assert_eq!(answer["certified"], true, "{board} by {algorithm}");
            let checked = check(Path::new(&cert), 1 << 24).expect("accepted");
            assert_eq!(answer["certificate_records"], checked.records);
        }
    }
}

#[test]
fn every_search_certifies() {
    let (_keep, name) = place();
    let cert = name("cert");
    for options in [
        &["--algo", "dfpn"][..],
        &["--algo", "dfpn", "--threads", "2"],
        &["--algo", "pns"],
        &["--algo", "pn2"],
        &["--algo", "pn2", "--threads", "2"],
        &["--algo", "ab"],
        &["--memory", "1MiB"],
    ] {
        for board in ["5x5", "5x6"] {
            let answer =
                json(&[&["solve", "konane", board, "--cert", &cert][..], options].concat());
            let checked = check(Path::new(&cert), 1 << 24).expect("accepted");
            assert_eq!(answer["certificate_records"], checked.records, "{board} {options:?}");
        }
    }
    // A position in the middle of a game, and values from a table.
    let text = "xoxo/oxo./xoxo/o.ox/xoxo b";
    papamu(&["solve", "konane", text, "--cert", &cert]).assert().success();
    check(Path::new(&cert), 1 << 24).expect("accepted");
    let table = name("table");
    papamu(&["build", "konane", "5x4", "--out", &table]).assert().success();
    papamu(&["solve", "konane", "5x4", "--tables", &table, "--cert", &cert]).assert().success();
    check(Path::new(&cert), 1 << 24).expect("accepted");
    // Sparse certificates leave out as much with a table as without, where the table gives
    // everything but the work.
    papamu(&["build", "konane", "5x5", "--out", &name("5x5")]).assert().success();
    let dense = json(&["solve", "konane", "5x5", "--cert", &cert])["certificate_records"].as_u64();
    for tables in [&[][..], &["--tables", &name("5x5")]] {
        let solve = ["solve", "konane", "5x5", "--cert", &cert, "--cert-budget", "50"];
        let sparse = json(&[&solve[..], tables].concat())["certificate_records"].as_u64();
        let checked = check(Path::new(&cert), 1 << 24).expect("accepted");
        assert_eq!(Some(checked.records), sparse);
        assert!(sparse < dense.map(|records| records / 2), "{tables:?}: {sparse:?} of {dense:?}");
    }
}

/// A win has one certificate and a draw two, by every search.
#[test]
fn draws_and_circles_are_certified() {
    let (_keep, name) = place();
    let (cert, second) = (name("some.cert"), |player: &str| name(&format!("some.{player}.cert")));
    for options in [
        &["--algo", "dfpn"][..],
        &["--algo", "dfpn", "--threads", "2"],
        &["--algo", "dfpn", "--cert-budget", "20"],
        &["--algo", "pns"],
        &["--algo", "pn2", "--threads", "2"],
        &["--algo", "ab"],
        &["--memory", "1MiB"],
    ] {
        for (game, position, player) in [
            ("tic-tac-toe", "start", "o"),
            ("tic-tac-toe", "x../.o./..x o", "x"),
            ("mu-torere", "8", "o"),
            ("dodgem", "3x3", "up"),
            ("dodgem", "r../.r./.uu u", "right"),
        ] {
            let solve = ["solve", game, position, "--cert", &cert];
            let answer = json(&[&solve[..], options].concat());
            let checked = check(Path::new(&cert), 1 << 24).expect("accepted");
            assert_eq!(answer["certificate_records"], checked.records, "{position} {options:?}");
            assert_eq!(answer["certified"], true);
            assert!(answer["rests_on"].is_null());
            let second = second(player);
            if answer["value"] == "draw" {
                let checked = check(Path::new(&second), 1 << 24).expect("accepted");
                assert_eq!(answer["second_certificate"], second);
                assert_eq!(answer["second_certificate_records"], checked.records);
                let claim = json(&["cert", "info", &second])["claim"].clone();
                assert_eq!(claim, format!("{player} holds"));
                std::fs::remove_file(&second).expect("removed");
            } else {
                assert_eq!(json(&["cert", "info", &cert])["winner"], answer["winner"]);
                assert!(answer["second_certificate"].is_null() && !Path::new(&second).exists());
            }
        }
    }
    // The name of the second file is not the user's choice, so other files are left alone.
    std::fs::write(second("o"), "my notes").expect("written");
    let solve = ["solve", "mu-torere", "8", "--cert", &cert];
    refused(&solve, 2, "is something else; name another FILE");
    let trace = second("o");
    std::fs::remove_file(&trace).expect("removed");
    refused(&[&solve[..], &["--trace", &trace]].concat(), 2, "the same file");
}

/// Strategies that hold and strategies with ranks are changed, merged, looked up and played.
#[test]
fn certificates_of_circles_are_changed_and_answer() {
    let (_keep, name) = place();
    let [win, held, sparse, dense] = ["win.cert", "held.cert", "sparse", "dense"].map(&name);
    papamu(&["solve", "dodgem", "3x3", "--cert", &win]).assert().success();
    papamu(&["solve", "mu-torere", "8", "--cert", &held]).assert().success();
    for cert in [&win, &held] {
        let records = json(&["cert", "info", cert])["records"].as_u64().expect("a number");
        let sparsify = ["cert", "sparsify", cert, &sparse, "--budget", "9", "--database", "2"];
        assert!(json(&sparsify)["records"].as_u64() <= Some(records));
        check(Path::new(&sparse), 1 << 24).expect("accepted");
        papamu(&["cert", "densify", &sparse, &dense]).assert().success();
        check(Path::new(&dense), 1 << 24).expect("accepted");
        assert_eq!(json(&["cert", "trim", cert, &dense])["records"], records);
        check(Path::new(&dense), 1 << 24).expect("accepted");
    }
    let root = json(&["probe", &win, "3x3"]);
    assert_eq!((&root["value"], &root["winner"]), (&"win".into(), &"right".into()));
    let root = json(&["probe", &held, "8"]);
    assert_eq!((&root["value"], &root["holder"]), (&"win or draw".into(), &"x".into()));
    assert!(root["winner"].is_null());
    // The program wins whatever the opponent does: here always the last move of the list. What the
    // sparse certificate leaves out is found by searches.
    for cert in [&win, &sparse_win(&win, &sparse)] {
        let mut moves: Vec<String> = Vec::new();
        let winner = loop {
            let input: String = moves.iter().map(|mv| format!("{mv}\n")).collect();
            let output = papamu(&["play", "--cert", cert, "--json"]).write_stdin(input).output();
            let game: Value = serde_json::from_slice(&output.expect("ran").stdout).expect("JSON");
            if game["winner"].is_string() || moves.len() > 99 {
                break game["winner"].clone();
            }
            let shown = json(&["show", "dodgem", game["position"].as_str().expect("a position")]);
            let last = shown["moves"].as_array().and_then(|moves| moves.last()).expect("a move");
            moves.push(last.as_str().expect("text").to_owned());
        };
        assert_eq!(winner, "right");
    }
    // Claims of two kinds do not add up.
    let up = name("up.cert");
    papamu(&["solve", "dodgem", "r../.r./.uu u", "--cert", &up]).assert().success();
    refused(&["cert", "merge", &dense, "--root", "3x3", &win, &up], 3, "different");
}

/// A sparse form of a certificate, which leaves small positions to readers.
fn sparse_win(cert: &str, sparse: &str) -> String {
    papamu(&["cert", "sparsify", cert, sparse, "--budget", "3", "--database", "2"])
        .assert()
        .success();
    sparse.to_owned()
}

#[test]
fn certificates_are_changed_and_answer() {
    let (_keep, name) = place();
    let (cert, sparse) = (name("5x6.cert"), name("sparse.cert"));
    papamu(&["solve", "konane", "5x6", "--cert", &cert]).assert().success();
    let info = json(&["cert", "info", &cert]);
    assert_eq!((&info["winner"], &info["budget"]), (&"white".into(), &0.into()));
    assert_eq!(info["bytes"], std::fs::metadata(&cert).expect("a file").len());
    let changed = json(&["cert", "sparsify", &cert, "--budget", "50", &sparse]);
    assert!(changed["records"].as_u64() < info["records"].as_u64());
    assert_eq!(json(&["cert", "info", &sparse])["budget"], 50);
    check(Path::new(&sparse), 1 << 24).expect("accepted");
    papamu(&["cert", "densify", &sparse, &sparse]).assert().success();
    papamu(&["cert", "trim", &sparse, &sparse]).assert().success();
    assert_eq!(check(Path::new(&sparse), 1 << 24).expect("accepted").searched, 0);

    // The loser's moves, each with the answer; then the winner's move.
    let root = json(&["probe", &cert, "5x6"]);
    assert_eq!((&root["value"], &root["winner"]), (&"loss".into(), &"white".into()));
    let moves = root["moves"].as_array().expect("moves");
    assert!(!moves.is_empty() && moves.iter().all(|mv| mv["answer"].is_string()));
    let after = json(&["probe", &cert, ".oxoxo/oxoxox/xoxoxo/oxoxox/xoxoxo w"]);
    assert_eq!((&after["value"], &after["moves"][0]["value"]), (&"win".into(), &"win".into()));
    refused(&["probe", &cert, "5x5"], 2, "another board");
    refused(&["probe", &cert, "x...../....../....../o...../...... w"], 2, "does not cover");

    // A game to the end: always the first move of the list.
    let mut moves: Vec<String> = Vec::new();
    let game = loop {
        let input: String = moves.iter().map(|mv| format!("{mv}\n")).collect();
        let output = papamu(&["play", "--cert", &cert, "--json"]).write_stdin(input).output();
        let output = output.expect("ran");
        assert!(output.status.success());
        let game: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        if game["winner"].is_string() {
            break game;
        }
        let position = game["position"].as_str().expect("a position");
        let shown = json(&["show", "konane", position]);
        moves.push(shown["moves"][0].as_str().expect("a move").to_owned());
    };
    assert_eq!(game["winner"], "white");
    assert!(moves.len() > 3);
    // Nonsense, listing and undo are not moves.
    papamu(&["play", "--cert", &cert])
        .write_stdin("what\nundo\nmoves\na5\nundo\nquit\n")
        .assert()
        .success()
        .stderr(predicate::str::contains("`what` is not a move here"))
        .stdout(predicate::str::contains("white plays"));
}

/// Certificates of all openings make one of the board, even with different budgets.
#[test]
fn openings_are_merged() {
    let (_keep, name) = place();
    let [centre, corner, board] = ["centre", "corner", "board"].map(&name);
    // White wins 5x4 whichever stone Black removes: in the centre, or in a corner on the left.
    let openings = [
        (&centre, "xoxo/oxox/xo.o/oxox/xoxo w", "0"),
        (&corner, ".oxo/oxox/xoxo/oxox/xoxo w", "10"),
    ];
    let mut records = 0;
    for (file, opening, budget) in openings {
        let arguments = ["solve", "konane", opening, "--cert", file, "--cert-budget", budget];
        records += json(&arguments)["certificate_records"].as_u64().expect("a number");
    }
    let merged = json(&["cert", "merge", &board, "--root", "5x4", &centre, &corner]);
    assert_eq!(merged["records_before"], records);
    let checked = check(Path::new(&board), 1 << 24).expect("accepted");
    assert_eq!(merged["records"], checked.records);
    assert!(checked.records > 0 && checked.records <= records);

    let merge = |root: &'static str, files: &[&String]| {
        let arguments = ["cert", "merge", &board, "--root", root].map(str::to_owned);
        let files = files.iter().map(|file| (*file).clone());
        arguments.into_iter().chain(files).collect::<Vec<_>>()
    };
    let refuse = |arguments: Vec<String>, message: &str| {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        papamu(&arguments).assert().failure().stderr(predicate::str::contains(message));
    };
    refuse(merge("5x4", &[&centre]), "is needed and not there");
    refuse(merge("4x5", &[&centre, &corner]), "another board");
    let black = name("black");
    json(&["solve", "konane", "xo.o/oxox/xoxo/oxox/xoxo b", "--cert", &black]);
    refuse(merge("5x4", &[&centre, &black]), "different winners");
}

#[test]
fn bad_requests_are_refused() {
    let (_keep, name) = place();
    let cert = name("cert");
    refused(
        &["solve", "kayles", "9", "--algo", "dfpn", "--cert", &cert],
        2,
        "--cert: there are no certificates of nimbers of kayles",
    );
    refused(
        &["solve", "domineering", "3x3", "--cert", &cert],
        2,
        "--cert: domineering has no certificates",
    );
    refused(&["solve", "konane", "4x4", "--algo", "reference", "--cert", &cert], 2, "--cert");
    refused(&["solve", "konane", "4x4", "--cert", &name("no/such/place")], 3, "no/such");
    refused(&["solve", "konane", "4x4", "--cert", &cert, "--trace", &cert], 2, "the same file");
    // Files that are not there yet, named in two ways.
    let (_keep, place) = place();
    let same = |arguments: &[&str]| {
        let mut command = papamu(arguments);
        command.current_dir(place(""));
        command.assert().code(2).stderr(predicate::str::contains("same file"));
    };
    same(&["solve", "konane", "4x4", "--cert", "new", "--output", "./new"]);
    same(&["solve", "konane", "4x4", "--cert", "new", "--checkpoint", "./new"]);
    papamu(&["solve", "konane", "4x4", "--cert", &place("old")]).assert().success();
    same(&["cert", "trim", "old", "new", "--output", "./new"]);
    assert!(!Path::new(&cert).exists() && !Path::new(&place("new")).exists());
    // The answer is there even if the certificate is not, and so is the checkpoint.
    let kept = place("kept");
    papamu(&["solve", "konane", "4x4", "--cert", "/dev/full", "--checkpoint", &kept])
        .assert()
        .code(3)
        .stdout(predicate::str::contains("white wins konane 4x4"))
        .stderr(predicate::str::contains("/dev/full"));
    papamu(&["solve", "konane", "4x4", "--cert", &place("good"), "--resume", &kept])
        .assert()
        .success();
    check(Path::new(&place("good")), 1 << 20).expect("accepted");
    assert!(!Path::new(&kept).exists());
    refused(&["cert", "info", &name("none")], 3, "cannot read");
    std::fs::write(name("other"), "GIF89a and much more than that").expect("written");
    refused(&["cert", "info", &name("other")], 3, "does not begin with `papamu certificate`");
    refused(&["probe", &name("other"), "4x4"], 3, "does not begin with `papamu certificate`");
    papamu(&["solve", "konane", "4x4", "--cert", &cert]).assert().success();
    refused(&["cert", "sparsify", &cert, &cert, "--budget", "0"], 2, "--budget: `0`");
    let whole = std::fs::read(&cert).expect("read");
    for at in [100, whole.len() - 40, whole.len() - 1] {
        std::fs::write(&cert, &whole[..at]).expect("written");
        refused(&["cert", "densify", &cert, &name("new")], 3, "cut off");
        let mut bad = whole.clone();
        bad[at] ^= 1;
        std::fs::write(&cert, bad).expect("written");
        refused(&["cert", "densify", &cert, &name("new")], 3, "");
    }
}
