//! Limits and interruptions: little memory, small files, endless inputs, time, signals. The program
//! ends by itself, with the exit code for it.
#![cfg(unix)]

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

mod common;
use common::{json, one_line, papamu, place, process};

/// Far more than any of these needs, so that a hanging test ends.
const LONG: Duration = Duration::from_secs(180);

/// Runs the program under a limit of the shell.
fn limited(limit: &str, arguments: &[&str], stdin: &str) -> Output {
    let mut command = assert_cmd::Command::new("sh");
    command
        .args(["-c", &format!("ulimit {limit}; exec \"$0\" \"$@\" <{stdin}")])
        .arg(assert_cmd::cargo::cargo_bin!("papamu"))
        .arg("--quiet")
        .args(arguments)
        .timeout(LONG);
    command.output().expect("ran")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Whatever the system grants: an answer, or the exit code for too little memory.
#[test]
fn little_memory_is_no_crash() {
    let (_keep, name) = place();
    for mebibytes in [50, 100, 200, 400, 1024] {
        let table = name(&format!("table-{mebibytes}"));
        for arguments in [
            &["solve", "sprouts", "0*14"][..],
            &["solve", "konane", "6x6"],
            &["solve", "konane", "5x5", "--algo", "pn2", "--threads", "2"],
            &["states", "konane", "5x5"],
            &["value", "konane", ".ox./o..x/...."],
            &["build", "konane", "5x5"],
            &["build", "konane", "4x4", "--out", &table],
        ] {
            let output = limited(&format!("-v {}", mebibytes * 1024), arguments, "/dev/null");
            let code = output.status.code();
            let said = stderr(&output);
            assert!(
                code == Some(0) || code == Some(4),
                "{mebibytes} {arguments:?}: {code:?} {said}"
            );
        }
    }
}

#[test]
fn inputs_without_end_are_refused() {
    for (arguments, code, message) in [
        (&["conjecture", "--from", "/dev/zero", "--target", "x"][..], 2, "/dev/zero"),
        (&["calc"], 2, "longer than"),
        (&["play", "kayles", "9"], 2, "longer than"),
        (&["perft", "konane", "--check", "/dev/zero"], 2, "/dev/zero"),
        (&["cert", "info", "/dev/zero"], 3, "/dev/zero"),
        (&["solve", "sprouts", "0*4", "--nimbers", "/dev/zero"], 3, "/dev/zero"),
        (&["probe", "/dev/zero", "4x4"], 3, "/dev/zero"),
        (&["invariants", "--file", "/dev/zero"], 2, "/dev/zero"),
    ] {
        let output = limited("-v 2097152", arguments, "/dev/zero");
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(message) && said.lines().count() == 1, "{arguments:?}: {said}");
    }
}

/// A file that may not grow is a write error.
#[test]
fn small_files_are_errors_of_writing() {
    let (_keep, name) = place();
    let (cert, table, store) = (name("cert"), name("table"), name("store"));
    for (arguments, file) in [
        (&["solve", "konane", "5x6", "--cert", &cert][..], &cert),
        (&["solve", "sprouts", "0*9", "--nimbers", &store], &store),
        (&["build", "konane", "5x5", "--out", &table], &table),
        (&["states", "konane", "4x4", "--plot", &cert], &cert),
        (&["invariants", "--all", "3x3", "--output", &cert], &cert),
    ] {
        let output = limited("-f 1", arguments, "/dev/null");
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {said}");
        assert!(said.contains(file.as_str()) && !Path::new(file).exists(), "{arguments:?}: {said}");
    }
}

#[test]
fn calculations_end_with_their_time() {
    let mut command = papamu(&["calc", "--timeout", "1", "norton(*1000,1/2)"]);
    let assert = command.timeout(LONG).assert().code(5).stdout("");
    assert.stderr(predicates::str::contains("the time is up"));
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(status.expect("kill").success());
}

/// Ctrl-C, once the program has said how far it is.
#[test]
fn long_work_ends_when_interrupted() {
    for arguments in [
        &["perft", "konane", "8x8", "--depth", "40"][..],
        &["perft", "konane", "8x8", "--depth", "40", "--threads", "2"],
        &["perft", "konane", "8x8", "--depth", "40", "--divide"],
        &["states", "konane", "8x8"],
        &["check-game", "konane", "8x8", "--games", "1000000000"],
        &["solve", "konane", "7x7", "--algo", "reference"],
        &["compare", "konane", "8x8", "--skip", "ab"],
    ] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("papamu"))
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("started");
        let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut progress = String::new();
        stderr.read_line(&mut progress).expect("UTF-8");
        signal(&child, "-INT");
        let mut message = String::new();
        stderr.read_to_string(&mut message).expect("UTF-8");
        assert_eq!(child.wait().expect("ended").code(), Some(5), "{arguments:?}: {message}");
        let last = message.lines().last().unwrap_or_default();
        assert_eq!(last, "papamu: stopped before the work was done", "{arguments:?}: {message}");
    }
}

/// A second search with the same checkpoint is refused, and the first one's file survives.
#[test]
fn checkpoints_belong_to_one_search() {
    let (_keep, name) = place();
    let file = name("8x5.papamu");
    let slowly = ["--init", "unit", "--damping", "1", "--checkpoint-interval", "1"];
    let mut first = process(&["solve", "konane", "8x5", "--checkpoint", &file])
        .args(slowly)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("started");
    while !Path::new(&file).exists() {
        assert_eq!(first.try_wait().expect("a status"), None, "ended before the first checkpoint");
        std::thread::sleep(Duration::from_millis(20));
    }
    one_line(&["solve", "konane", "8x5", "--checkpoint", &file], 2, "--checkpoint: ");
    for options in [&["--resume", &file][..], &["--resume", &file, "--checkpoint", &file]] {
        one_line(&[&["solve", "konane", "8x5"], options].concat(), 2, "is in use by another run");
    }
    signal(&first, "-INT");
    assert_eq!(first.wait().expect("ended").code(), Some(5));
    assert!(File::open(&file).is_ok());
    assert_eq!(json(&["solve", "konane", "8x5", "--resume", &file])["winner"], "white");
    assert!(!Path::new(&file).exists());
}

/// The files of a directory with their contents.
fn files(directory: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let paths = std::fs::read_dir(directory).expect("a directory").map(|file| {
        let path = file.expect("a file").path();
        let content = std::fs::read(&path).expect("read");
        (path.strip_prefix(directory).expect("inside").to_owned(), content)
    });
    let mut files: Vec<_> = paths.collect();
    files.sort();
    files
}

/// Ctrl-C in a build of a table of classes: the finished ones stay, and the next build goes on.
#[test]
fn interrupted_builds_of_classes_go_on() {
    let (_keep, name) = place();
    let [whole, table, partial] = ["whole", "table", "table.partial"].map(name);
    // The classes of few cars take no time, those of five cars seconds.
    let build = |out| {
        ["build", "dodgem", "5x5", "--stones", "5", "--distances", "--threads", "1", "--out", out]
    };
    let arguments = build(&table);
    let mut child =
        process(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started");
    while !Path::new(&partial).join("class-04.values").exists() {
        assert_eq!(child.try_wait().expect("a status"), None, "ended before it was interrupted");
        std::thread::sleep(Duration::from_millis(2));
    }
    signal(&child, "-INT");
    assert_eq!(child.wait().expect("ended").code(), Some(5));
    assert!(!Path::new(&table).exists());
    let left = files(&partial);
    assert!(left.len() > 8, "the finished classes stay");
    let resumed = json(&arguments)["resumed_layers"].as_u64();
    assert!(resumed.is_some_and(|classes| classes >= 4), "{resumed:?}");
    json(&build(&whole));
    let whole = files(&whole);
    assert!(files(&table) == whole && left.iter().all(|file| whole.contains(file)));
}

/// A build that is killed in the middle of a class goes on after the last finished one.
#[test]
fn killed_builds_go_on() {
    let (_keep, name) = place();
    let [table, partial] = ["table", "table.partial"].map(name);
    // The last class, two stones against three, takes most of the time.
    let arguments =
        ["build", "fanorona", "5x9", "--pieces", "5", "--threads", "1", "--out", &table];
    let mut child =
        process(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started");
    while !Path::new(&partial).join("class-09.values").exists() {
        assert_eq!(child.try_wait().expect("a status"), None, "ended before it was killed");
        std::thread::sleep(Duration::from_millis(2));
    }
    signal(&child, "-KILL");
    assert!(!child.wait().expect("ended").success() && !Path::new(&table).exists());
    let left = files(&partial);
    let answer = json(&arguments);
    let fields = ["resumed_layers", "wins", "draws", "losses"].map(|of| answer[of].as_u64());
    assert_eq!(fields, [10, 5_327_415, 1_767_365, 2_624_785].map(Some));
    let is_class = |path: &Path| path.extension().is_some_and(|kind| kind == "values");
    let whole = files(&table);
    let mut finished = left.iter().filter(|(path, _)| is_class(path)).peekable();
    assert!(finished.peek().is_some() && finished.all(|file| whole.contains(file)));
}
