//! Values and the calculator from the command line.

use serde_json::{Value, json};

mod common;
use common::{json as answer, papamu, place, refused, text};

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
    refused(
        &["calc", "2 + weight(1)"],
        2,
        "`2 + weight(1)`, column 5: weight(1): only all-small games have an atomic weight",
    );
}

#[test]
fn notations() {
    let latex = answer(&["calc", "{1/2^|-1}", "--notation", "latex"]);
    assert_eq!(latex["value"], r"\left\{\frac{1}{2}{\uparrow} \mid -1\right\}");
    assert_eq!([&latex["left_stop"], &latex["mean"]], [r"\frac{1}{2}", r"-\frac{1}{4}"]);
    let cgsuite = ["--notation", "cgsuite"];
    let tail = answer(&[&["family", "tail", "--n", "5"][..], &cgsuite].concat());
    assert_eq!(tail["members"][0]["value"], "{1|*}");
    let region = answer(&[&["value", "konane", "x.../.xo./...."][..], &cgsuite].concat());
    assert_eq!(region["regions"][0]["value"], "1/2");
    let sum = answer(&[&["calc", "2*3 + ^"][..], &cgsuite].concat());
    assert_eq!(sum["value"], "2+^*3");
    let found = answer(&[&["find", "--value", "1 + *", "--within", "1x2"][..], &cgsuite].concat());
    assert_eq!(found["value"], "1+*");
    refused(
        &["calc", "1", "--notation", "words"],
        2,
        "--notation: `words`: it is plain, latex or cgsuite",
    );
}

/// Options that are left out or replaced, in words and as JSON.
#[test]
fn canonical_forms_are_explained() {
    insta::assert_snapshot!(text(&["calc", "{^,*,0|1,3}", "--explain"]));
    let switch = answer(&["calc", "{1,0|-1}", "--explain"]);
    assert_eq!(
        switch["explanation"],
        json!({"value": "{1|-1}", "steps": [
            {"player": "Left", "value": "0", "fate": "dominated", "by": "1"},
            {"player": "Left", "value": "1", "fate": "kept"},
            {"player": "Right", "value": "-1", "fate": "kept"},
        ]})
    );
    let reversible = answer(&["calc", "{|5}", "--explain"]);
    assert_eq!(
        reversible["explanation"]["steps"],
        json!([{"player": "Right", "value": "5", "fate": "reversible", "through": "4", "replaced_by": []}])
    );
    assert_eq!(answer(&["calc", "1 + {1|0}", "--explain"])["explanation"], Value::Null);
    assert!(text(&["calc", "1", "--explain"]).contains("it is not written as {...|...}"));
    insta::assert_snapshot!(text(&["value", "konane", "xoxo./o.x.o/....x", "--explain"]));
    let nim = answer(&["value", "kayles", "3", "--explain"]);
    assert_eq!(nim["explanation"]["value"], nim["value"]);
}

/// Positions are drawn with their regions, for the web and for papers.
#[test]
fn positions_are_drawn() {
    let (_directory, name) = place();
    let (svg, tikz) = (name("board.svg"), name("board.tex"));
    // Two regions, walls, and a stone outside.
    let position = "..ox###x..../.......x.xo./#########...";
    text(&["value", "konane", position, "--svg", &svg, "--tikz", &tikz]);
    let [svg, tikz] = [svg, tikz].map(|file| std::fs::read_to_string(file).expect("a file"));
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{svg}");
    assert_eq!(svg.matches("<circle").count(), 6);
    insta::assert_snapshot!(tikz);
    assert_eq!(tikz.matches("circle").count(), 6);
    let start = name("start.svg");
    text(&["show", "konane", "3x5", "--svg", &start]);
    let start = std::fs::read_to_string(start).expect("a file");
    assert_eq!([start.matches("<circle").count(), start.matches("<rect").count()], [15, 15]);
    for verb in ["value", "show"] {
        refused(&[verb, "kayles", "3", "--svg", "x.svg"], 2, "--svg: kayles has no pictures");
    }
    refused(&["value", "konane", position, "--svg", "no/such/place"], 3, "no/such/place");
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
    refused(&["value", "konane", ".o?"], 2, "unknown letter `?` on c1");
    refused(&["value", "konane", ".ox/.o"], 2, "row 2 `.o` has 2 squares, but the first row has 3");
    refused(&["value", "konane", "/"], 2, "row 1 of `/` is empty");
    let long = "x".repeat(300);
    refused(&["value", "konane", &long], 2, "board size `1x300`: that is more than 256 squares");
    refused(&["value", "dodgem", "3x3"], 2, "dodgem can go on for ever");
    refused(&["value", "tic-tac-toe", "start"], 2, "tic-tac-toe has draws");
    let hopeless = "xoxoxoxo/oxoxoxox/xoxoxoxo/oxo..xox/xoxoxoxo/oxoxoxox/xoxoxoxo/oxoxoxox";
    refused(&["value", "konane", hopeless, "--timeout", "1"], 5, "the time is up");
    refused(&["value", "konane", hopeless, "--memory", "1MiB"], 4, "memory");
}

/// Work that takes longer than a second shows its progress.
#[test]
fn long_work_shows_progress() {
    let hopeless = "xoxoxoxo/oxoxoxox/xoxoxoxo/oxo..xox/xoxoxoxo/oxoxoxox/xoxoxoxo/oxoxoxox";
    let mut command = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("papamu"));
    command.args(["value", "konane", hopeless, "--timeout", "4"]);
    let progress = predicates::str::is_match("(?m)^[0-9,]+ regions, [0-9]+ s$").expect("a pattern");
    command.assert().code(5).stderr(progress);
}

#[test]
fn thermographs_are_drawn() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("thermograph.svg");
    let name = file.to_str().expect("UTF-8");
    text(&["calc", "{4||1|-3}", "--plot", name]);
    let plot = std::fs::read_to_string(&file).expect("a file");
    assert!(plot.starts_with("<svg") && plot.contains("Left begins"), "{plot}");
    let (_directory, name) = place();
    for expression in ["{4||1|-3}", "1/2"] {
        text(&["calc", expression, "--plot", &name("thermograph.tex")]);
        let plot = std::fs::read_to_string(name("thermograph.tex")).expect("a file");
        insta::assert_snapshot!(plot);
    }
}

/// Members next to published formulas. A wrong formula is called wrong.
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
    refused(&["family", "nothing"], 2, "there are slp, tail");
    refused(&["family", "slp", "--n", "9..2"], 2, "a range is 1..20");
    refused(&["family", "slp", "--n", "300"], 2, "more than 256");
    refused(&["family", "s"], 2, "--blocks: the family s needs them");
    refused(&["family", "slp", "--blocks", "1,2"], 2, "--blocks: they are for the family s");
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
    refused(&["invariants", "--all", "three"], 2, "--all: `three`: a size is");
    refused(&["invariants", "--family", "s"], 2, "no numbered members");
    refused(&["invariants"], 2, "--family, --file or --all is missing");
    // One stone, or two of one colour, or of both, or none.
    assert_eq!(text(&["invariants", "--all", "1x2", "--colours", "any"]).lines().count(), 5);
    // A wall at the beginning of a line is no comment.
    std::fs::write(&list, "#xo./....\n").expect("a file");
    assert_eq!(text(&["invariants", "--file", &list]).lines().count(), 2);
    std::fs::write(&list, "..ox\n..?\n").expect("a file");
    refused(&["invariants", "--file", &list], 2, "line 2: unknown letter `?` on c1");
}

/// A known bound: only improvements are listed, and a false bound is refused.
#[test]
fn conjectures_beyond_a_theory() {
    let directory = tempfile::tempdir().expect("a directory");
    let name = |file: &str| directory.path().join(file).to_str().expect("UTF-8").to_owned();
    // Table 1 of "Auto Conjecturing and Konane".
    let table = name("table_1.csv");
    let rows = "position,black,white,moves\nxox/...,2,1,0\nxo./.xo,2,2,1\n.ox/xo.,2,2,2\n";
    std::fs::write(&table, rows).expect("a file");
    let arguments =
        ["conjecture", "--from", &table, "--target", "white", "--operators", "+ * +1 sqrt max"];
    let expressions = |more: &[&str]| -> Vec<Value> {
        let found = answer(&[&arguments[..], more].concat());
        let conjectures = found["conjectures"].as_array().expect("a list").clone();
        assert!(conjectures.iter().all(|c| c["exact"].is_boolean()));
        conjectures.into_iter().map(|c| c["expression"].clone()).collect()
    };
    // (moves + 1) is tight where black is not.
    assert_eq!(expressions(&[]), ["black", "(moves + 1)"]);
    assert_eq!(expressions(&["--theory", "black"]), ["(moves + 1)"]);
    assert_eq!(expressions(&["--theory", "black", "--theory", "moves + 1"]).len(), 0);
    // A column that is known need not be one that bounds are made of.
    assert_eq!(expressions(&["--invariants", "moves", "--theory", "black"]), ["(moves + 1)"]);
    let theory = |text: &str, message: &str| {
        refused(&[&arguments[..], &["--theory", text]].concat(), 2, message);
    };
    theory("black - 1", "--theory: `black - 1` is wrong for `xo./.xo`");
    theory("2*blck", "--theory: `2*blck`, column 3: `blck` is no invariant");
    theory("max(black", "column 10: expected `,`, found the end");
}

/// Counterexamples join the objects until none is left: then the conjectures hold for both tables.
#[test]
fn counterexamples_feed_the_next_round() {
    let directory = tempfile::tempdir().expect("a directory");
    let name = |file: &str| directory.path().join(file).to_str().expect("UTF-8").to_owned();
    let (small, large) = (name("2x3.csv"), name("3x4.csv"));
    text(&["invariants", "--all", "2x3", "--output", &small]);
    text(&["invariants", "--all", "3x4", "--output", &large]);
    let arguments = |test: [&'static str; 2], rounds: &'static str| -> Vec<String> {
        let fixed =
            ["conjecture", "--from", &small, "--target", "moves", "--upper", "--complexity", "4"];
        let rest = ["--invariants", "black,white,empty", test[0], test[1], "--rounds", rounds];
        fixed.iter().chain(&rest).map(|&word| word.to_owned()).collect()
    };
    let run = |words: Vec<String>| {
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        let place = words.iter().position(|&word| word == "LARGE");
        place.into_iter().for_each(|place| words[place] = &large);
        answer(&words)
    };
    let once = run(arguments(["--test", "LARGE"], "1"));
    assert!(once["rounds"][0]["counterexamples"].as_u64() > Some(0), "{once}");
    assert_eq!(once["rounds"][0]["added"], 0);
    for test in [["--test", "LARGE"], ["--test-random", "3x4:500"]] {
        let fed = run(arguments(test, "20"));
        let rounds = fed["rounds"].as_array().expect("a list");
        assert!(rounds.len() > 1 && rounds.len() < 20, "{fed}");
        for pair in rounds.windows(2) {
            let sum = pair[0]["objects"].as_u64().zip(pair[0]["added"].as_u64());
            assert_eq!(pair[1]["objects"].as_u64(), sum.map(|(objects, added)| objects + added));
        }
        assert_eq!(rounds.last().map(|round| &round["counterexamples"]), Some(&json!(0)));
        let conjectures = fed["conjectures"].as_array().expect("a list");
        assert!(conjectures.iter().all(|c| c["counterexamples"] == json!([])));
    }
    let other = name("other.csv");
    std::fs::write(&other, "name,beauty,size\na,1,2\n").expect("a file");
    let arguments = ["conjecture", "--from", &other, "--target", "size"];
    let random = |boards: &'static str, message: &str| {
        refused(&[&arguments[..], &["--test-random", boards]].concat(), 2, message);
    };
    random("3x3:10", "--test-random: `size` is no invariant");
    random("3x3", "such as 4x4:1000");
    random("3x3:0", "a number from 1 to");
    random("17x17:1", "more than 256");
    refused(
        &[&arguments[..], &["--rounds", "3"]].concat(),
        2,
        "--rounds: there is no table to test on",
    );
}

/// Conditions of properties, on all positions of a board.
#[test]
fn conditions_of_properties() {
    let directory = tempfile::tempdir().expect("a directory");
    let name = |file: &str| directory.path().join(file).to_str().expect("UTF-8").to_owned();
    let table = name("3x3.csv");
    text(&["invariants", "--all", "3x3", "--properties", "--output", &table]);
    let arguments = ["conjecture", "--from", &table, "--property", "second_wins"];
    // Without any moves the second player wins.
    let moves = [&arguments[..], &["--invariants", "has_moves_black,has_moves_white"]].concat();
    let found = answer(&[&moves[..], &["--sufficient"]].concat());
    let first = &found["conjectures"][0];
    assert_eq!(found["relation"], "if");
    assert_eq!(first["expression"], "not (has_moves_black or has_moves_white)");
    // White's only move may be a bad one, as in .../.xo/x..; Black, who has the corners, has no
    // such position on 3x3.
    let found = answer(&[&moves[..], &["--necessary"]].concat());
    assert_eq!(found["relation"], "implies");
    let first = &found["conjectures"][0];
    assert_eq!(first["expression"], "has_moves_black implies has_moves_white");
    let lines = std::fs::read_to_string(&table).expect("a table");
    let only_black =
        lines.lines().filter(|line| line.ends_with(",1,0,0") || line.ends_with(",1,0,1"));
    assert_eq!(first["covers"].as_array().map(Vec::len), Some(only_black.count()));
    // One of four outcomes holds: a position without the other three has the fourth.
    let others = [&arguments[..], &["--invariants", "left_wins,right_wins,first_wins"]].concat();
    let found = answer(&others);
    assert_eq!(found["uncovered"], 0);
    let found = answer(&[&arguments[..], &["--test-random", "3x4:200", "--rounds", "9"]].concat());
    let rounds = found["rounds"].as_array().expect("a list");
    assert_eq!(rounds.last().map(|round| &round["counterexamples"]), Some(&json!(0)));

    let by = |more: &[&str], message: &str| {
        refused(&[&["conjecture", "--from", &table], more].concat(), 2, message);
    };
    by(&["--property", "moves"], "`moves` is no property");
    by(&["--property", "is_hot", "--invariants", "moves"], "`moves` is no property");
    by(&["--property", "is_hot", "--operators", "nand"], "`nand` is no operator of conditions");
    by(&["--property", "is_hot", "--upper"], "--upper: it is for bounds");
    by(&["--target", "moves", "--sufficient"], "--sufficient: it is for conditions");
    by(&[], "--target or --property is missing");
    let words = name("words.csv");
    std::fs::write(&words, "name,p,q\na,true,false\nb,false,false\nc,true,\n").expect("a file");
    let found = answer(&["conjecture", "--from", &words, "--property", "p", "--invariants", "p"]);
    assert_eq!(found["uncovered"], 2);
    refused(
        &["conjecture", "--from", &words, "--property", "p", "--invariants", "q"],
        2,
        "`q` is no property",
    );
}

/// Parquet holds the same data as CSV, and a damaged file is refused.
#[test]
fn tables_as_parquet() {
    let directory = tempfile::tempdir().expect("a directory");
    let name = |file: &str| directory.path().join(file).to_str().expect("UTF-8").to_owned();
    let (lines, columns, bare) = (name("t.csv"), name("t.parquet"), name("t"));
    let invariants = ["invariants", "--all", "3x3", "--properties", "--output"];
    text(&[&invariants[..], &[&lines]].concat());
    text(&[&invariants[..], &[&columns]].concat());
    text(&[&invariants[..], &[&bare, "--format", "parquet"]].concat());
    let bytes = std::fs::read(&columns).expect("a file");
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    assert_eq!(std::fs::read(&bare).expect("a file"), bytes);
    let conjectures = |file: &str| {
        let mut found = answer(&[
            "conjecture",
            "--from",
            file,
            "--target",
            "nim",
            "--upper",
            "--complexity",
            "3",
        ]);
        found["seconds"] = Value::Null;
        found
    };
    assert_eq!(conjectures(&columns), conjectures(&lines));
    assert!(conjectures(&lines)["conjectures"].as_array().is_some_and(|found| !found.is_empty()));
    std::fs::write(&columns, &bytes[..bytes.len() / 2]).expect("a file");
    refused(&["conjecture", "--from", &columns, "--target", "nim"], 2, "no Parquet file");
    let missing = name("missing.parquet");
    refused(&["conjecture", "--from", &missing, "--target", "nim"], 3, "cannot read");
    // JSON lines by name, by format and by --json.
    let by_name = name("t.jsonl");
    text(&[&invariants[..], &[&by_name]].concat());
    let by_name = std::fs::read_to_string(&by_name).expect("a file");
    assert_eq!(by_name, text(&["invariants", "--all", "3x3", "--properties", "--json"]));
    refused(&["invariants", "--all", "3x3", "--json", "--format", "csv"], 2, "give one of them");
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

/// When the time ends, what is known goes to stdout, and the exit code says that it is incomplete.
#[test]
fn without_the_value_there_are_bounds_and_the_winner() {
    let board = "xoxox/oxoxo/x..ox/oxoxo/xoxox/.....";
    let arguments = ["value", "konane", board, "--timeout", "1", "--json"];
    let output = papamu(&arguments).assert().code(5).get_output().stdout.clone();
    let answer: Value = serde_json::from_slice(&output).expect("JSON");
    assert_eq!(answer["value"], Value::Null);
    assert_eq!(answer["lower_bound"], "-12");
    assert_eq!(answer["upper_bound"], "11");
}

#[test]
fn other_games_have_values() {
    let value = |game: &str, position: &str| answer(&["value", game, position])["value"].clone();
    assert_eq!(value("domineering", "3x3"), "{1|-1}");
    assert_eq!(value("domineering", "../.# h"), "*");
    assert_eq!(value("kayles", "12"), "*4");
}

/// Values of regions decide positions and change nothing else.
#[test]
fn searches_use_values_of_regions() {
    for board in ["4x4", "5x5", "6x5"] {
        let alone = answer(&["solve", "konane", board]);
        let helped = answer(&["solve", "konane", board, "--region-values", "16"]);
        assert_eq!(helped["winner"], alone["winner"], "{board}");
        assert!(helped["region_hits"].as_u64().is_some_and(|hits| hits > 0), "{helped}");
    }
    refused(
        &["solve", "kayles", "5", "--region-values", "9"],
        2,
        "--region-values: it does not apply to impartial games",
    );
    refused(
        &["solve", "dodgem", "3x3", "--region-values", "9"],
        2,
        "--region-values: dodgem has no values of regions",
    );
    refused(&["solve", "konane", "1x40", "--region-values", "9"], 2, "boards of up to 8x8");
}
