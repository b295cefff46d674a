//! Values and the calculator from the command line.

use serde_json::{Value, json};

mod common;
use common::{json as answer, papamu, refused, text};

#[test]
fn calculator() {
    let switch = answer(&["calc", "{1|*} + ^ - 3/4"]);
    assert_eq!(switch["value"], "{1/4^|-3/4^*}");
    assert_eq!([&switch["outcome"], &switch["mean"], &switch["temperature"]], ["N", "-1/4", "1/2"]);
    assert_eq!(answer(&["calc", "-^^*"])["value"], "vv*");
    assert_eq!(answer(&["calc", "norton(3, ^)"])["atomic_weight"], "3");
    assert_eq!(answer(&["calc", "{4|0}"])["incentives"], json!(["{4|0}"]));
    insta::assert_snapshot!(text(&["calc", "{4||1|-3}"]));
    refused(&["calc", "{1|"], 2, "column 4: expected a value, found the end");
    refused(&["calc", "1/3"], 2, "column 3: a denominator is a power of two");
    refused(&["calc", "weight(1)"], 2, "only all-small games have an atomic weight");
}

/// Lines are answered one by one, and a bad one does not end it.
#[test]
fn calculator_reads_lines() {
    let input = "1 + 1\n\n{1|\n*2 + *3\n";
    let output =
        papamu(&["calc"]).write_stdin(input).assert().success().get_output().stdout.clone();
    let output = String::from_utf8(output).expect("UTF-8");
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!([lines[0], lines[2]], ["2    L", "*    N"]);
    assert!(lines.len() == 3 && lines[1].starts_with("error: `{1|`"), "{output}");
}

#[test]
fn values_of_positions() {
    let position = answer(&["value", "konane", ".ox./o..x/.... b"]);
    assert_eq!(position["value"], "{1|-1}");
    assert_eq!(
        position["left_moves"][0],
        json!({"move": "c3-a3", "value": "1", "wins": true, "best": true})
    );
    // Two regions, and a stone that can never matter.
    let sum = answer(&["value", "konane", "..ox###x..../.......x.xo./#########..."]);
    let regions = sum["regions"].as_array().expect("a list");
    assert_eq!(regions.len(), 2, "{sum}");
    insta::assert_snapshot!(text(&["value", "konane", "x.../.xo./...."]));
    assert_eq!(answer(&["value", "kayles", "12"])["value"], "*4");
    // The board of the old games, 14x17, with stones far apart.
    let row = ".".repeat(17);
    let mut rows = vec![row.clone(); 14];
    rows[2].replace_range(3..5, "ox");
    rows[11].replace_range(9..11, "ox");
    assert_eq!(answer(&["value", "konane", &rows.join("/")])["value"], "0");
}

#[test]
fn bad_positions_and_limits() {
    refused(&["value", "konane", "6x6"], 2, "before stones are removed");
    refused(&["value", "konane", ".o?"], 2, "row 1, column 3: `?`");
    refused(&["value", "konane", ".ox/.o"], 2, "row 2 has 2 squares and the first has 3");
    refused(&["value", "konane", "/"], 2, "the board is empty");
    let long = "x".repeat(300);
    refused(&["value", "konane", &long], 2, "1x300 is 300 squares, more than 256");
    refused(&["value", "dodgem", "3x3"], 2, "dodgem can go on for ever");
    let hopeless = "xoxoxoxo/oxoxoxox/xoxoxoxo/oxo..xox/xoxoxoxo/oxoxoxox/xoxoxoxo/oxoxoxox";
    refused(&["value", "konane", hopeless, "--timeout", "1"], 5, "the time is up");
    refused(&["value", "konane", hopeless, "--memory", "1MiB"], 4, "memory");
}

#[test]
fn thermographs_are_drawn() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("thermograph.svg");
    let name = file.to_str().expect("UTF-8");
    text(&["calc", "{4||1|-3}", "--plot", name]);
    let plot = std::fs::read_to_string(&file).expect("a file");
    assert!(plot.starts_with("<svg") && plot.contains("Left begins"), "{plot}");
}

/// Members beside published formulas; a formula that is wrong is called so.
#[test]
fn families_are_checked() {
    let tails = answer(&["family", "tail", "--n", "2..11"]);
    let members = tails["members"].as_array().expect("a list");
    let wrong: Vec<&Value> =
        members.iter().filter(|m| m["agrees"] == false).map(|m| &m["n"]).collect();
    assert_eq!(wrong, ["6", "10"]);
    assert_eq!(members[4]["value"], "{0|-1}");
    let rows = answer(&["family", "slp", "--n", "3..14"]);
    let members = rows["members"].as_array().expect("a list");
    assert!(members.len() == 12 && members.iter().all(|m| m["agrees"] == true));
    // Every fourth value is the same, or two less.
    assert_eq!(answer(&["family", "lot", "--n", "4..20"])["period"], Value::Null);
    let blocks = answer(&["family", "s", "--blocks", "1,2,1", "--blocks", "3,5,1"]);
    assert_eq!(blocks["members"][0]["value"], "*2");
    assert_eq!(blocks["members"][1]["agrees"], true);
    insta::assert_snapshot!(text(&["family", "stairs", "--n", "1..7"]));
    refused(&["family", "nothing"], 2, "it is slp, tail");
    refused(&["family", "slp", "--n", "9..2"], 2, "a range is 1..20");
    refused(&["family", "slp", "--n", "300"], 2, "more than 256");
    refused(&["family", "s"], 2, "needs --blocks");
    refused(&["family", "slp", "--blocks", "1,2"], 2, "--blocks is for the family s");
}

/// Tables of invariants, and conjectures from them that are tested on another table.
#[test]
fn invariants_and_conjectures() {
    let directory = tempfile::tempdir().expect("a directory");
    let name = |file: &str| directory.path().join(file).to_str().expect("UTF-8").to_owned();
    let (small, large, list) = (name("3x3.csv"), name("3x4.csv"), name("positions"));
    text(&["invariants", "--all", "3x3", "--output", &small]);
    text(&["invariants", "--all", "3x4", "--threads", "2", "--output", &large]);
    // Two colours on 3x3 up to symmetry (Burnside: 102), and a line of names.
    let table = std::fs::read_to_string(&small).expect("a table");
    assert_eq!(table.lines().count(), 103);
    // The switch of the design notes: a move each, temperature 1, no number.
    std::fs::write(&list, "# a switch\n.ox./o..x/....\n\n").expect("a file");
    let lines = text(&["invariants", "--file", &list, "--json"]);
    let row: Value = serde_json::from_str(&lines).expect("JSON");
    assert_eq!([&row["moves_black"], &row["moves_white"], &row["temperature"]], [1.0, 1.0, 1.0]);
    assert_eq!([&row["number"], &row["nim"]], [&Value::Null, &Value::Null]);

    let arguments =
        ["conjecture", "--from", &small, "--target", "moves", "--lower", "--complexity", "4"];
    let found = answer(
        &[&arguments[..], &["--invariants", "black,white,capturable", "--test", &large]].concat(),
    );
    assert_eq!(found["relation"], ">=");
    let first = &found["conjectures"][0];
    assert_eq!(
        [&first["expression"], &first["counterexamples"]],
        [&json!("capturable"), &json!([])]
    );
    assert_eq!(found["complete_to"], 4);

    refused(
        &["conjecture", "--from", &small, "--target", "beauty"],
        2,
        "there is no invariant `beauty`",
    );
    refused(
        &["conjecture", "--from", &small, "--target", "moves", "--operators", "+ !"],
        2,
        "`!` is no operator",
    );
    refused(&["conjecture", "--from", &list, "--target", "moves"], 2, "there is no invariant");
    refused(&["invariants", "--all", "9x9"], 2, "more than 100000000 positions");
    refused(&["invariants", "--all", "three"], 2, "is no size");
    refused(&["invariants", "--family", "s"], 2, "no numbered members");
    refused(&["invariants"], 2, "required");
    // One stone, or two of one colour, or of both, or none.
    assert_eq!(text(&["invariants", "--all", "1x2", "--colours", "any"]).lines().count(), 5);
    // A wall at the beginning of a line is no comment.
    std::fs::write(&list, "#xo./....\n").expect("a file");
    assert_eq!(text(&["invariants", "--file", &list]).lines().count(), 2);
    std::fs::write(&list, "..ox\n..?\n").expect("a file");
    refused(&["invariants", "--file", &list], 2, "line 2: row 1, column 3");
}

/// The smallest positions of values, on boards of any shape.
#[test]
fn positions_are_found() {
    let one = answer(&["find", "--value", "1", "--within", "2x4"]);
    // A stone that can jump once: three squares in a row, and nothing smaller has a jump.
    assert_eq!([&one["size"], &one["stones"]], [&json!("1x3"), &json!(2)]);
    let star = answer(&["find", "--value", "*", "--within", "3x4", "--threads", "2"]);
    assert_eq!([&star["position"], &star["size"]], [".ox.", "1x4"]);
    // In a real game White has the middle of three squares only.
    assert_eq!(answer(&["find", "--value", "-1", "--within", "1x4"])["size"], "1x4");
    assert_eq!(
        answer(&["find", "--value", "-1", "--within", "1x4", "--colours", "any"])["size"],
        "1x3"
    );
    let any = answer(&["find", "--value", "1/2", "--within", "3x3", "--colours", "any"]);
    let position = any["position"].as_str().expect("found");
    assert_eq!(answer(&["value", "konane", position])["value"], "1/2");
    assert_eq!(answer(&["find", "--value", "5", "--within", "2x2"])["position"], Value::Null);
    refused(&["find", "--value", "1", "--within", "9x9"], 2, "more than 100000000 positions");
    refused(&["find", "--value", "1/", "--within", "2x2"], 2, "column 3");
}
