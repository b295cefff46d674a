//! Long runs of the program: signature, checkpoints, interruption.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use predicates::prelude::*;

mod common;
use common::{json, one_line, papamu, place, process, text};

/// The node counts of all searches on a fixed set of positions. If a change is meant to alter the
/// order of a search, put the new signature here and say so in the commit message.
#[test]
fn bench_has_its_signature() {
    assert_eq!(json(&["bench"])["signature"], 720_342_153);
}

#[test]
fn algorithms_and_options_are_accepted() {
    for algorithm in ["ab", "pns", "pn2", "dfpn", "reference", "plain"] {
        let answer = json(&["solve", "konane", "5x5", "--algo", algorithm]);
        assert_eq!(answer["winner"], "black", "{algorithm}");
    }
    for init in ["unit", "mobility", "both-mobility", "ef:20,5,0.5", "ief:20,5,0.5"] {
        let answer =
            json(&["solve", "konane", "4x5", "--init", init, "--damping", "1", "--epsilon", "0"]);
        assert_eq!(answer["winner"], "white", "{init}");
    }
    for budget in ["equal", "min(x, M-x)", "logistic:1000,100"] {
        let answer = json(&[
            "solve",
            "konane",
            "5x5",
            "--algo",
            "pn2",
            "--budget",
            budget,
            "--threads",
            "2",
        ]);
        assert_eq!(answer["winner"], "black", "{budget}");
    }
    for (arguments, message) in [
        (["--init", "ef:1"], "--init: `ef:1`: it is unit, mobility, both-mobility, ef:a,b,t"),
        (["--budget", "half"], "--budget: `half`: it is logistic:a,b"),
        (["--damping", "0"], "--damping: `0`: it is a number from 1 to 1000000"),
        (["--epsilon", "-1"], "--epsilon: `-1`: it is a number from 0 to 100"),
        (["--algo", "mcts"], "--algo: `mcts`: it is ab, pns, pn2, dfpn or reference"),
    ] {
        let assert = papamu(&["solve", "konane", "4x4"]).args(arguments).assert().code(2);
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(stderr.lines().count() == 1 && stderr.contains(message), "{stderr}");
    }
    for arguments in [["--init", "unit"], ["--budget", "equal"]] {
        let assert = papamu(&["solve", "sprouts", "0*4"]).args(arguments).assert().code(2);
        let message = format!("{}: it does not apply to impartial games", arguments[0]);
        assert.stderr(predicate::str::contains(message));
    }
}

/// Games that go in circles, by every search.
#[test]
fn loops_are_solved_by_every_search() {
    for (game, position, value) in [
        ("dodgem", "3x3", "win"),
        ("dodgem", "r../.r./.uu u", "win"),
        ("mu-torere", "8", "draw"),
        ("mu-torere", "16", "draw"),
    ] {
        for algorithm in ["ab", "pns", "pn2", "dfpn", "reference"] {
            let answer = json(&["solve", game, position, "--algo", algorithm]);
            assert_eq!(answer["value"], value, "{game} {position} {algorithm}");
            assert!(answer["best_move"].is_string(), "{game} {position} {algorithm}");
        }
        for arguments in [["--look-ahead", "0"], ["--look-ahead", "3"], ["--threads", "2"]] {
            let answer = json(&[&["solve", game, position][..], &arguments].concat());
            assert_eq!(answer["value"], value, "{game} {position} {arguments:?}");
        }
    }
}

/// The help names the defaults that are used.
#[test]
fn help_has_the_defaults() {
    let help = text(&["solve", "--help"]);
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let default = papamu_search::options::Options::default().budget;
    assert!(help.contains(&format!("[default: {default}]")), "{default}");
}

/// 64 MiB are much less than 6x6 could use.
#[test]
fn little_memory_still_solves_6x6() {
    for memory in ["64MiB", "1MiB"] {
        assert_eq!(json(&["solve", "konane", "6x6", "--memory", memory])["winner"], "white");
    }
}

#[test]
fn trace_is_a_table() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("trace.csv");
    json(&["solve", "konane", "6x5", "--trace", path.to_str().expect("UTF-8")]);
    let text = std::fs::read_to_string(path).expect("the trace");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("seconds,nodes,expansions,phi,delta"));
    assert!(lines.last().is_some_and(|line| line.ends_with(",inf,0")), "{text}");
}

#[test]
fn root_numbers_are_drawn() {
    let (_keep, name) = place();
    for (game, position, algo) in
        [("konane", "6x5", "pn2"), ("fanorona", "7x3", "dfpn"), ("sprouts", "0*7", "pns")]
    {
        let path = name(game);
        json(&["solve", game, position, "--algo", algo, "--trace-plot", &path]);
        let svg = std::fs::read_to_string(path).expect("the plot");
        assert!(svg.starts_with("<svg") && svg.contains("disproof number"), "{svg}");
        assert!(svg.contains(&format!("Root numbers of {game} by {algo}")), "{svg}");
    }
    let with_ab = ["solve", "konane", "4x4", "--algo", "ab", "--trace-plot", "file"];
    one_line(&with_ab, 2, "--trace-plot: it applies to pns, pn2 and dfpn, not to ab");
}

/// Runs a search of 8x5 with checkpoints until the file exists, and ends it with that signal. Unit
/// initial numbers and no damping make it last much longer than until the first checkpoint on any
/// machine.
fn interrupted(checkpoint: &Path, signal: &str) {
    let slowly = ["--init", "unit", "--damping", "1", "--checkpoint-interval", "1"];
    let mut child = process(&["solve", "konane", "8x5"])
        .args(slowly)
        .arg("--checkpoint")
        .arg(checkpoint)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("started");
    while !checkpoint.exists() {
        assert_eq!(child.try_wait().expect("a status"), None, "ended before the first checkpoint");
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    Command::new("kill").args([signal, &id]).status().expect("kill");
    let status = child.wait().expect("ended");
    if signal != "-KILL" {
        assert_eq!(status.code(), Some(5));
    }
}

#[cfg(unix)]
#[test]
fn searches_resume_after_any_signal() {
    let directory = tempfile::tempdir().expect("a directory");
    for signal in ["-KILL", "-INT", "-TERM"] {
        let path = directory.path().join("8x5.papamu");
        interrupted(&path, signal);
        let name = path.to_str().expect("UTF-8");

        // Another board, another algorithm: refused, and the file stays.
        for (board, algorithm, part) in [("5x8", "dfpn", "position"), ("8x5", "pns", "algorithm")] {
            papamu(&["solve", "konane", board, "--algo", algorithm, "--resume", name])
                .assert()
                .code(2)
                .stderr(predicate::str::contains(format!("its {part} is")));
        }
        let answer = json(&["solve", "konane", "8x5", "--resume", name]);
        assert_eq!(answer["winner"], "white", "{signal}");
        // A finished search needs no checkpoint.
        assert!(!path.exists());
    }
}

#[test]
fn damaged_checkpoints_are_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("8x5.papamu");
    interrupted(&path, "-KILL");
    let good = std::fs::read(&path).expect("the checkpoint");
    let refused = |bytes: &[u8], message: &str| {
        std::fs::write(&path, bytes).expect("written");
        papamu(&["solve", "konane", "8x5", "--resume"])
            .arg(&path)
            .assert()
            .code(3)
            .stderr(predicate::str::contains(message));
    };
    refused(b"", "is not a papamu checkpoint");
    refused(b"PNG or whatever", "is not a papamu checkpoint");
    refused(&good[..10], "it is cut off");
    refused(&good[..good.len() - 1], "its hash is wrong");
    refused(&good[..good.len() / 2], "its hash is wrong");
    for place in [13, 40, good.len() / 2, good.len() - 5] {
        let mut flipped = good.clone();
        flipped[place] ^= 1;
        refused(&flipped, "its hash is wrong");
    }
    let mut newer = good.clone();
    newer[8] = 4;
    refused(&newer, "format version 4");
    // An unwritable place is noticed before the search begins.
    papamu(&["solve", "konane", "8x5", "--checkpoint", "no-such-dir/x"])
        .assert()
        .code(3)
        .stderr(predicate::str::contains("no-such-dir/x"));
    papamu(&["solve", "konane", "8x5", "--resume", "no-such-file"]).assert().code(3);
}

/// No user file is overwritten or removed by mistake.
#[test]
fn files_are_not_mixed_up() {
    let directory = tempfile::tempdir().expect("a directory");
    let notes = directory.path().join("notes.txt");
    std::fs::write(&notes, "my notes").expect("written");
    let notes = notes.to_str().expect("UTF-8");
    let refused = |arguments: &[&str], message: &str| {
        papamu(&["solve", "konane", "4x4"])
            .args(arguments)
            .assert()
            .code(2)
            .stderr(predicate::str::contains(message));
        assert_eq!(std::fs::read_to_string(notes).expect("still there"), "my notes");
    };
    refused(&["--checkpoint", notes], "exists; resume it");
    refused(&["--trace", notes, "--output", notes], "--output and --trace name the same file");
    let new = directory.path().join("new");
    let new = new.to_str().expect("UTF-8");
    refused(&["--trace", new, "--checkpoint", new], "name the same file");
    refused(&["--algo", "reference", "--trace", new], "--trace: it applies to");
    papamu(&["solve", "konane", "4x4", "--resume", notes]).assert().code(3);
    assert_eq!(std::fs::read_to_string(notes).expect("still there"), "my notes");
}

/// A game with draws needs two questions, and a checkpoint belongs to one of them.
#[test]
fn either_question_resumes() {
    use papamu_game::tiny::TicTacToe;
    use papamu_game::{Game, Question};
    use papamu_search::checkpoint::{Header, Subject, write};
    use papamu_search::options::Algorithm;
    use papamu_search::run::Store;

    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("game.papamu");
    let text = TicTacToe::EXAMPLES[0];
    let (game, position) = TicTacToe::read(text).expect("a position");
    for question in [Question::Wins, Question::Holds] {
        let store: Store<<TicTacToe as Game>::Key> =
            Store::new(Algorithm::DfPn, 1 << 20).expect("memory");
        let subject = Subject::new(&game, &position, Algorithm::DfPn, question);
        let header = Header { subject, nodes: 7, expansions: 3, seconds: 100.0 };
        write(&path, &header, &store).expect("written");
        let name = path.to_str().expect("UTF-8");
        let answer = json(&["solve", TicTacToe::NAME, text, "--algo", "dfpn", "--resume", name]);
        assert_eq!(answer["value"], "draw");
        assert!(answer["seconds"].as_f64().is_some_and(|seconds| seconds >= 100.0));
        assert!(!path.exists());
    }
}

/// B. Siefke (2025), figure 4.3, for the boards up to 6x6; the narrow ones beyond it have no
/// published winner here, but must be solved.
#[test]
fn winners_as_published() {
    let directory = tempfile::tempdir().expect("a directory");
    let plot = directory.path().join("winners.svg");
    let answer =
        json(&["winners", "konane", "--max", "6x6", "--plot", plot.to_str().expect("UTF-8")]);
    let boards = answer["boards"].as_array().expect("a list");
    assert_eq!(boards.len(), 36);
    for board in boards {
        assert_eq!(board["winner"], board["published"], "{board}");
    }
    assert!(std::fs::read_to_string(plot).expect("the plot").contains("<title>6x6: white</title>"));
    for max in ["1x30", "2x16", "3x12", "4x10"] {
        let answer = json(&["winners", "konane", "--max", max]);
        assert_eq!(answer["disagreements"], 0);
    }
    papamu(&["winners", "kayles", "--max", "2x2"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("--max: kayles has no board"));
}

/// A rotation by a quarter turn only changes the side of the black corner. The thesis found the
/// same winner for both orientations of every board it solved.
#[test]
fn larger_boards() {
    for (board, winner) in [("5x7", "black"), ("7x5", "black"), ("5x8", "white"), ("6x7", "white")]
    {
        assert_eq!(
            json(&["solve", "konane", board, "--threads", "2"])["winner"],
            winner,
            "{board}"
        );
    }
}

#[test]
fn compare_shows_the_published_figures() {
    let directory = tempfile::tempdir().expect("a directory");
    let plots = directory.path().to_str().expect("UTF-8");
    let answer =
        json(&["compare", "konane", "6x6", "--skip", "ab", "--threads", "1,2", "--plot", plots]);
    let runs = answer["runs"].as_array().expect("a list");
    assert_eq!(runs.len(), 5);
    for run in runs {
        assert_eq!(run["value"], "loss");
        assert!(run["published"]["seconds"].as_f64().expect("seconds") > 10.0);
    }
    // Fewer nodes than the thesis with every algorithm.
    for (name, millions) in [("pns", 136.83), ("pn2", 385.93), ("dfpn", 4.0)] {
        let run = runs.iter().find(|run| run["algorithm"] == name).expect("a run");
        assert!(run["nodes"].as_f64().expect("nodes") < millions * 1e6, "{run}");
    }
    assert!(directory.path().join("speedup.svg").exists());
    assert!(directory.path().join("throughput.svg").exists());
}
