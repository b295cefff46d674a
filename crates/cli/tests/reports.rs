//! Reports as JSON: each is one object of the recorded shape, and the text has the same facts.
//!
//! The shapes are in `tests/schemas`, one file per verb: the names of all fields with their types;
//! a `?` marks optional ones. After an intended change, run the tests with
//! `PAPAMU_UPDATE_SCHEMAS=1` and review the difference.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

mod common;
use common::{papamu, place, text};

/// The shape of a value: the type of a scalar, the fields of an object, the shape of all elements
/// of a list.
fn shape(value: &Value) -> Value {
    match value {
        Value::Null => json!("null"),
        Value::Bool(_) => json!("boolean"),
        Value::Number(number) if number.is_f64() => json!("number"),
        Value::Number(_) => json!("integer"),
        Value::String(_) => json!("string"),
        Value::Array(elements) => {
            Value::Array(elements.iter().map(shape).reduce(either).into_iter().collect())
        }
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), shape(value))).collect()
        }
    }
}

/// The common shape of two values.
fn either(one: Value, other: Value) -> Value {
    match (one, other) {
        (one, other) if one == other => one,
        (Value::Array(one), Value::Array(other)) => {
            let elements = one.into_iter().chain(other).reduce(either);
            Value::Array(elements.into_iter().collect())
        }
        (Value::Object(one), Value::Object(other)) => Value::Object(either_fields(one, other)),
        (one, other) => {
            let alternatives = |shape: Value| match shape {
                Value::Object(mut fields) if fields.contains_key("any of") => {
                    match fields.remove("any of") {
                        Some(Value::Array(shapes)) => shapes,
                        _ => Vec::new(),
                    }
                }
                shape => vec![shape],
            };
            let mut shapes = alternatives(one);
            for shape in alternatives(other) {
                let same_kind = |known: &&mut Value| {
                    **known == shape
                        || (known.is_object() && shape.is_object())
                        || (known.is_array() && shape.is_array())
                };
                match shapes.iter_mut().find(same_kind) {
                    Some(known) => *known = either(known.take(), shape),
                    None => shapes.push(shape),
                }
            }
            shapes.sort_by_key(Value::to_string);
            json!({ "any of": shapes })
        }
    }
}

fn either_fields(one: Map<String, Value>, mut other: Map<String, Value>) -> Map<String, Value> {
    let mut fields = Map::new();
    let optional = |name: &str| format!("{}?", name.trim_end_matches('?'));
    for (name, shape) in one {
        let bare = name.trim_end_matches('?');
        let twin = other.remove(bare).map(|shape| (bare.to_owned(), shape));
        let twin = twin.or_else(|| other.remove(&optional(bare)).map(|of| (optional(bare), of)));
        match twin {
            Some((other_name, other)) => {
                let name = if name == other_name { name } else { optional(&name) };
                fields.insert(name, either(shape, other));
            }
            None => _ = fields.insert(optional(&name), shape),
        }
    }
    fields.extend(other.into_iter().map(|(name, shape)| (optional(&name), shape)));
    fields
}

/// Compares the shape of reports with the recorded one, or records it.
fn recorded(verb: &str, reports: &[Value]) {
    let found = reports.iter().map(shape).reduce(either).expect("a report");
    let text = serde_json::to_string_pretty(&found).expect("JSON") + "\n";
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/schemas");
    let path = directory.join(format!("{verb}.json"));
    if std::env::var_os("PAPAMU_UPDATE_SCHEMAS").is_some() {
        std::fs::create_dir_all(&directory).expect("made");
        std::fs::write(&path, text).expect("written");
        return;
    }
    let expected = std::fs::read_to_string(&path).expect("a recorded shape");
    assert_eq!(expected, text, "the shape of the reports of {verb} has changed");
}

/// The report of a run that may find something wrong: exactly one object.
fn report(arguments: &[&str], stdin: &str) -> Value {
    let mut command = papamu(&[arguments, &["--json"]].concat());
    let output = command.write_stdin(stdin).output().expect("ran");
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 1 | 4)), "{arguments:?}: {said}");
    assert_eq!(stdout.lines().count(), 1, "{arguments:?}: {stdout}{said}");
    let value: Value = serde_json::from_str(&stdout).expect("JSON");
    assert!(value.is_object(), "{arguments:?}: {stdout}");
    value
}

#[test]
fn reports_keep_their_shape() {
    let (_keep, name) = place();
    let file = |file: &str| name(file);
    let (table, cert, nimbers) = (file("5x5"), file("5x5.cert"), file("spots.nim"));
    let [trace, small, values, counts] = ["trace", "small.cert", "values.csv", "counts"].map(file);
    let (weights, spots, wrong) = (file("weights"), file("spots.cert"), file("wrong"));
    let held = file("held.cert");
    std::fs::write(&counts, "position 8x8\nperft 3 28\n").expect("written");
    std::fs::write(&wrong, "position 8x8\nperft 3 29\n").expect("written");
    text(&["invariants", "--all", "2x3", "--output", &values]);

    let hopeless = "xoxox/oxoxo/x..ox/oxoxo/xoxox/.....";
    let cases: &[(&str, &[&[&str]])] = &[
        (
            "build",
            &[
                &["build", "konane", "5x5", "--out", &table],
                &["build", "konane", "4x4"],
                &["build", "konane", "4x4", "--stones", "4", "--out", &file("4x4")],
                &["build", "dodgem", "3x3", "--distances", "--out", &file("dodgem")],
                &["build", "tic-tac-toe", "--out", &file("tic-tac-toe")],
            ],
        ),
        (
            "solve",
            &[
                &["solve", "konane", "5x5", "--cert", &cert, "--trace", &trace],
                &[
                    "solve",
                    "konane",
                    "5x5",
                    "--algo",
                    "pn2",
                    "--tables",
                    &table,
                    "--table-stones",
                    "6",
                ],
                &["solve", "konane", "4x4", "--algo", "ab", "--region-values", "9"],
                &["solve", "konane", "4x4", "--algo", "reference"],
                &["solve", "konane", "x. w"],
                &["solve", "tic-tac-toe", "start"],
                &["solve", "tic-tac-toe", "start", "--cert", &held],
                &["solve", "sprouts", "0*6", "--nimbers", &nimbers, "--cert", &spots],
                &["solve", "sprouts", "0*6", "--nimbers", &nimbers],
                &["solve", "sprouts", "misere 0*3", "--algo", "pns"],
            ],
        ),
        (
            "nimber",
            &[
                &["nimber", "sprouts", "0*5", "--cert", &spots],
                &["nimber", "sprouts", "0*6", "--nimbers", &nimbers],
                &["nimber", "kayles", "9", "--algo", "reference"],
            ],
        ),
        (
            "probe",
            &[&["probe", &table, "5x5"], &["probe", &cert, "5x5"], &["probe", &held, "start"]],
        ),
        ("verify", &[&["verify", &table, "--sample", "100"]]),
        (
            "cert-info",
            &[&["cert", "info", &cert], &["cert", "info", &held], &["cert", "info", &spots]],
        ),
        ("cert-trim", &[&["cert", "trim", &cert, &small]]),
        ("cert-sparsify", &[&["cert", "sparsify", &cert, &small, "--budget", "9"]]),
        ("cert-densify", &[&["cert", "densify", &small, &small]]),
        ("cert-merge", &[&["cert", "merge", &small, "--root", "5x5", &cert]]),
        ("play", &[&["play", "--cert", &cert], &["play", "kayles", "1"]]),
        (
            "stats",
            &[
                &["stats", "konane", "4x4"],
                &["stats", "konane", "3x3"],
                &["stats", "dodgem", "3x3", "--tables", &file("dodgem")],
                &["stats", "tic-tac-toe", "--tables", &file("tic-tac-toe")],
            ],
        ),
        (
            "value",
            &[
                &["value", "konane", ".ox./o..x/....", "--explain"],
                &["value", "konane", "..ox###x..../.......x.xo./#########..."],
                &["value", "kayles", "12"],
                &["value", "domineering", "3x3"],
            ],
        ),
        // Nothing is found, but all fields are there.
        ("value-partial", &[&["value", "konane", hopeless, "--memory", "1MiB"]]),
        (
            "calc",
            &[&["calc", "{^,*,0|1,3}", "--explain"], &["calc", "{4||1|-3}"], &["calc", "3/4"]],
        ),
        (
            "family",
            &[
                &["family", "tail", "--n", "2..11"],
                &["family", "stairs", "--n", "1..7"],
                &["family", "slp", "--n", "3..14"],
                &["family", "s", "--blocks", "1,2,1"],
            ],
        ),
        (
            "find",
            &[
                &["find", "--value", "1", "--within", "2x4"],
                &["find", "--value", "5", "--within", "2x2"],
            ],
        ),
        (
            "conjecture",
            &[
                &["conjecture", "--from", &values, "--target", "moves", "--complexity", "3"],
                &[
                    "conjecture",
                    "--from",
                    &values,
                    "--target",
                    "moves",
                    "--complexity",
                    "3",
                    "--test-random",
                    "3x3:50",
                    "--rounds",
                    "3",
                ],
            ],
        ),
        ("show", &[&["show", "kayles", "5+3"], &["show", "konane", "x. w"]]),
        (
            "perft",
            &[
                &["perft", "konane", "4x4", "--depth", "3", "--divide"],
                &["perft", "konane", "4x4"],
                &["perft", "konane", "--check", &counts],
                &["perft", "konane", "--check", &wrong],
            ],
        ),
        ("states", &[&["states", "konane", "3x3"]]),
        (
            "profile",
            &[
                &["profile", "fanorona", "5x9", "--games", "9"],
                &["profile", "tic-tac-toe", "start", "--depth", "9", "--games", "1"],
                &["profile", "kayles", "9", "--games", "3"],
            ],
        ),
        ("check-game", &[&["check-game", "konane", "4x4", "--games", "3"]]),
        (
            "compare",
            &[
                &["compare", "konane", "4x4", "--threads", "1,2"],
                &["compare", "konane", "6x6", "--threads", "1", "--skip", "ab,pns,pn2"],
                &["compare", "kayles", "12", "--threads", "1"],
            ],
        ),
        (
            "compare-tables",
            &[&["compare-tables", "konane", "5x5", "--tables", &table, "--stones", "6"]],
        ),
        (
            "tradeoff",
            &[
                // It needs many more nodes.
                &[
                    "tradeoff", "fanorona", "5x5", "--pieces", "2", "--algo", "pn2", "--init",
                    "unit", "--nodes", "100000",
                ],
                &["tradeoff", "dodgem", "3x3", "--pieces", "0..4"],
            ],
        ),
        (
            "winners",
            &[&["winners", "konane", "--max", "2x2"], &["winners", "domineering", "--max", "2x2"]],
        ),
        ("bench", &[&["bench", "--game", "sprouts"]]),
        (
            "train",
            &[&[
                "train",
                "--tables",
                &table,
                "--out",
                &weights,
                "--positions",
                "1000",
                "--rounds",
                "1",
            ]],
        ),
        ("games", &[&["games"]]),
        ("completions", &[&["completions", "bash"]]),
    ];
    for (verb, runs) in cases {
        let reports: Vec<Value> = runs.iter().map(|run| report(run, "quit\n")).collect();
        recorded(verb, &reports);
    }
    // A table is one object per line.
    let lines = text(&["invariants", "--all", "2x3", "--properties", "--json"]);
    let rows: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(rows.len() > 10 && rows.iter().all(Value::is_object));
    recorded("invariants", &rows);
}

/// The number or the words of a fact as they are printed.
fn printed(fact: &Value) -> String {
    match fact {
        Value::String(words) => words.clone(),
        Value::Number(number) => {
            let digits: Vec<char> = number.to_string().chars().collect();
            let groups: Vec<String> =
                digits.rchunks(3).rev().map(|of| of.iter().collect()).collect();
            groups.join(",")
        }
        other => panic!("{other} is no single fact"),
    }
}

/// Text and JSON are two ways to write one report.
#[test]
fn texts_have_the_facts_of_reports() {
    let (_keep, name) = place();
    let (table, cert) = (name("4x4"), name("cert"));
    text(&["build", "konane", "4x4", "--out", &table]);
    text(&["solve", "konane", "5x5", "--cert", &cert]);
    let cases: &[(&[&str], &[&str])] = &[
        (&["solve", "konane", "5x5"], &["/winner", "/best_move", "/nodes", "/algorithm"]),
        (&["solve", "sprouts", "0*6"], &["/winner", "/expansions", "/nimbers_known"]),
        (&["nimber", "sprouts", "0*5"], &["/nimber", "/expansions"]),
        (&["build", "konane", "4x4"], &["/positions", "/black_to_move_wins"]),
        (&["build", "dodgem", "4x4"], &["/positions", "/wins", "/draws", "/losses"]),
        (&["probe", &table, "4x4"], &["/winner", "/moves/0/move"]),
        (&["verify", &table], &["/entries_checked"]),
        (&["cert", "info", &cert], &["/winner", "/records", "/root"]),
        (&["stats", "konane", "4x4"], &["/total/unique", "/plies/8/black_wins"]),
        (&["value", "konane", ".ox./o..x/...."], &["/value", "/mean", "/left_moves/0/move"]),
        (&["calc", "{4||1|-3}"], &["/value", "/mean", "/temperature", "/left_stop"]),
        (&["family", "tail", "--n", "2..6"], &["/members/0/value", "/members/4/value"]),
        (&["find", "--value", "1", "--within", "2x4"], &["/position"]),
        (&["show", "konane", "4x4"], &["/canonical", "/moves/0", "/to_move"]),
        (&["perft", "konane", "8x8", "--depth", "5"], &["/counts/4"]),
        (&["states", "konane", "4x4"], &["/total/unique", "/total/unique_raw"]),
        (
            &["profile", "tic-tac-toe", "start", "--games", "9"],
            &["/games", "/index_entries", "/unit", "/plies/0/games"],
        ),
        (&["tradeoff", "dodgem", "3x3", "--pieces", "4"], &["/rows/0/nodes", "/rows/0/value"]),
        (&["check-game", "konane", "4x4", "--games", "9"], &["/games", "/positions", "/moves"]),
        (&["bench", "--game", "sprouts"], &["/runs/0/nodes"]),
        (&["games"], &["/games/0/name", "/games/1/name"]),
    ];
    for (arguments, facts) in cases {
        let report = report(arguments, "");
        let shown = text(arguments);
        for fact in *facts {
            let value = report.pointer(fact).unwrap_or_else(|| panic!("{fact} of {report}"));
            assert!(shown.contains(&printed(value)), "{arguments:?} {fact} {value}: {shown}");
        }
    }
}
