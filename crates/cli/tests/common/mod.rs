//! The program, run by tests.

// Each test file is a program of its own and needs only some of these.
#![allow(dead_code)]

use std::process;

use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;

/// The program with these arguments, as a process. It shows no progress.
pub(crate) fn process(arguments: &[&str]) -> process::Command {
    let mut command = process::Command::new(assert_cmd::cargo::cargo_bin!("papamu"));
    command.arg("--quiet").args(arguments);
    command
}

/// The same, run to its end.
pub(crate) fn papamu(arguments: &[&str]) -> Command {
    Command::from(process(arguments))
}

/// Its stdout.
pub(crate) fn text(arguments: &[&str]) -> String {
    let output = papamu(arguments).assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("UTF-8")
}

/// One JSON object on stdout and nothing else.
pub(crate) fn json(arguments: &[&str]) -> Value {
    let output = text(&[arguments, &["--json"]].concat());
    assert_eq!(output.lines().count(), 1, "{output}");
    let value: Value = serde_json::from_str(&output).expect("JSON");
    assert!(value.is_object());
    value
}

/// It fails with an exit code and says why.
pub(crate) fn refused(arguments: &[&str], code: i32, message: &str) {
    papamu(arguments).assert().code(code).stderr(predicate::str::contains(message));
}

/// It fails with an exit code and one line that says why, all on stderr.
pub(crate) fn one_line(arguments: &[&str], code: i32, message: &str) {
    let assert = papamu(arguments).assert().code(code).stdout("");
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert_eq!(stderr.lines().count(), 1, "{arguments:?}: {stderr}");
    assert!(stderr.starts_with("papamu: "), "{arguments:?}: {stderr}");
    assert!(stderr.contains(message), "{arguments:?}: {stderr}");
    assert!(stderr.chars().count() < 400, "{arguments:?}: {stderr}");
}

/// A directory, and names of files in it.
pub(crate) fn place() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().to_owned();
    let name = move |file: &str| path.join(file).to_str().expect("UTF-8").to_owned();
    (directory, name)
}
