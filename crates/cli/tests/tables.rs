//! Strong tables from the command line: build, probe, verify, stats.

use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;

fn papamu(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("papamu").expect("the program");
    command.args(arguments).arg("--quiet");
    command
}

fn json(arguments: &[&str]) -> Value {
    let output = papamu(arguments).arg("--json").output().expect("ran");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

fn refused(arguments: &[&str], code: i32, message: &str) {
    papamu(arguments).assert().code(code).stderr(predicate::str::contains(message));
}

#[test]
fn tables_are_built_probed_and_verified() {
    let directory = tempfile::tempdir().expect("a directory");
    let table = directory.path().join("5x4");
    let table = table.to_str().expect("UTF-8");
    let built = json(&["build", "konane", "5x4", "--out", table]);
    assert_eq!(built["positions"], 1 << 21);
    assert!(!Path::new(&format!("{table}.partial")).exists());
    let verified = json(&["verify", table]);
    assert!(verified["entries_checked"].as_u64().is_some_and(|entries| entries > 500_000));
    assert_eq!(verified["wrong"], Value::Null);
    assert_eq!(json(&["verify", table, "--sample", "1000"])["entries_checked"], 1000);

    // The value of the start, as solved by search; every move with the value after it.
    let answer = json(&["probe", table, "5x4"]);
    assert_eq!(answer["value"], "loss");
    assert_eq!(answer["winner"], json(&["solve", "konane", "5x4"])["winner"]);
    let moves = answer["moves"].as_array().expect("moves");
    assert!(!moves.is_empty() && moves.iter().all(|mv| mv["value"] == "loss"));
    let longest = moves.iter().filter_map(|mv| mv["plies_to_end"].as_u64()).max();
    assert_eq!(answer["plies_to_end"].as_u64(), longest);

    // Winning moves come first, and agree with a search of the position after each.
    let text = "xoxo/oxo./xoxo/o.ox/xoxo b";
    let answer = json(&["probe", table, text]);
    let values: Vec<&str> = answer["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .filter_map(|mv| mv["value"].as_str())
        .collect();
    let mut sorted = values.clone();
    sorted.sort_unstable_by_key(|value| *value != "win");
    assert_eq!(values, sorted);
    assert_eq!(answer["value"], json(&["solve", "konane", text])["value"]);
}

#[test]
fn bad_requests_are_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let name = |file: &str| directory.path().join(file).to_str().expect("UTF-8").to_owned();
    let table = name("table");
    papamu(&["build", "konane", "3x4", "--out", &table]).assert().success();
    refused(&["build", "konane", "3x4", "--out", &table], 3, "exists already");
    refused(&["build", "konane", "3x4", "--out", &name("no/such/place")], 3, "no/such");
    refused(&["build", "chess", "8x8"], 2, "chess");
    refused(&["build", "kayles", "10"], 2, "strong tables of konane, not of kayles");
    refused(&["build", "konane", "xo.o/.x../xox. b"], 2, "for a board");
    refused(&["build", "konane", "8x8"], 2, "far beyond any memory");
    refused(&["build", "konane", "6x7"], 2, "of memory to build");
    refused(&["build", "konane", "6x6", "--memory", "1GiB"], 2, "--memory is 1.0 GiB");
    refused(&["stats", "konane", "6x6", "--memory", "1GiB"], 2, "give more with --memory");
    refused(&["probe", &table, "4x4"], 2, "the table is of konane 3x4, the position of 4x4");
    refused(&["probe", &name("nothing"), "4x4"], 3, "it has no table.json");
    refused(&["verify", &name("nothing")], 3, "it has no table.json");

    let layer = name("table/black-03.rows");
    let mut bytes = std::fs::read(&layer).expect("a layer");
    let middle = bytes.len() - 80;
    bytes[middle] ^= 8;
    std::fs::write(&layer, bytes).expect("written");
    refused(&["verify", &table], 3, "black-03.rows");
}

#[test]
fn stats_of_4x4_are_published() {
    let directory = tempfile::tempdir().expect("a directory");
    let plots = directory.path().to_str().expect("UTF-8");
    let answer = json(&["stats", "konane", "4x4", "--plot", plots]);
    assert_eq!(answer["differing_plies"], Value::Array(Vec::new()));
    assert_eq!(answer["total"]["unique"], 978);
    assert_eq!(answer["plies"][8]["black_wins"], 98);
    for plot in ["states.svg", "values.svg"] {
        let svg = std::fs::read_to_string(directory.path().join(plot)).expect("a plot");
        assert!(svg.contains("<svg"));
    }
    papamu(&["stats", "konane", "5x4"])
        .assert()
        .success()
        .stdout(predicate::str::contains("every figure is the published one"));
}
