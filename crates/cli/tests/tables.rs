//! Strong tables from the command line: build, probe, verify, stats.

use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;

mod common;
use common::{json, papamu, refused};

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
    papamu(&["build", "konane", "3x4", "--out", &name("no/such/place")]).assert().success();
    refused(&["build", "chess", "8x8"], 2, "chess");
    refused(&["build", "kayles", "10"], 2, "kayles has no tables");
    refused(&["build", "konane", "xo.o/.x../xox. b"], 2, "a table is of a board");
    refused(&["build", "konane", "8x8"], 2, "far beyond any memory");
    refused(&["build", "konane", "6x7"], 4, "needs 330.1 GiB of memory");
    refused(
        &["build", "konane", "6x6", "--memory", "1GiB"],
        4,
        "may take 1.0 GiB; give more with --memory",
    );
    let few = |board: &str, stones: &str, code: i32, message: &str| {
        let out = name("few");
        refused(&["build", "konane", board, "--stones", stones, "--out", &out], code, message);
    };
    few("8x8", "20", 4, "with up to 20 stones needs");
    few("8x8", "64", 4, "with up to 64 stones needs");
    few("7x7", "49", 4, "with up to 49 stones needs");
    few("8x8", "0", 2, "--stones: `0`: it is a number from 1 to 64");
    refused(&["build", "konane", "4x4", "--stones", "5"], 2, "--out: ");
    refused(&["stats", "konane", "6x6", "--memory", "1GiB"], 4, "give more with --memory");
    refused(&["probe", &table, "4x4"], 2, "the table is of konane 3x4, the position of konane 4x4");
    refused(&["probe", &name("nothing"), "4x4"], 3, "there is nothing of this name");
    refused(&["verify", directory.path().to_str().expect("UTF-8")], 3, "it has no table.json");

    let layer = name("table/black-03.rows");
    let mut bytes = std::fs::read(&layer).expect("a layer");
    let middle = bytes.len() - 80;
    bytes[middle] ^= 8;
    std::fs::write(&layer, bytes).expect("written");
    refused(&["verify", &table], 1, "black-03.rows");
    let output = papamu(&["verify", &table, "--json"]).output().expect("ran");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(
        (&answer["ok"], answer["damaged"].as_array().map(Vec::len)),
        (&false.into(), Some(1))
    );
}

/// Capped tables, and searches that use tables: the same winners with fewer nodes.
#[test]
fn searches_take_tables() {
    let directory = tempfile::tempdir().expect("a directory");
    let name = |file: &str| directory.path().join(file).to_str().expect("UTF-8").to_owned();
    let (complete, few) = (name("5x5"), name("5x5-12"));
    papamu(&["build", "konane", "5x5", "--out", &complete]).assert().success();
    let built = json(&["build", "konane", "5x5", "--stones", "12", "--out", &few]);
    // Half of the 2^25 sets of stones, with either side to move.
    assert_eq!((&built["stones"], &built["positions"]), (&12.into(), &(1 << 25).into()));
    assert!(json(&["verify", &few])["entries_checked"].as_u64().is_some_and(|n| n > 4_000_000));

    let text = "x.xo./ox..o/xox../o...o/....x b";
    let [by_few, by_all] = [&few, &complete].map(|table| json(&["probe", table, text]));
    assert_eq!(by_few, by_all);
    refused(&["probe", &few, "5x5"], 2, "up to 12 stones, not 25");

    for algo in ["dfpn", "pn2", "pns"] {
        let solve = |tables: &[&str]| {
            let answer = json(&[&["solve", "konane", "5x5", "--algo", algo], tables].concat());
            (answer["winner"].clone(), answer["nodes"].as_u64().expect("nodes"))
        };
        let (winner, nodes) = solve(&[]);
        assert_eq!(solve(&["--tables", &few, "--table-stones", "0"]), (winner.clone(), nodes));
        let (with_few, fewer) = solve(&["--tables", &few]);
        let (with_all, fewest) = solve(&["--tables", &complete]);
        assert_eq!([&with_few, &with_all], [&winner, &winner]);
        assert!(nodes > fewer && fewer > fewest && fewest < 30, "{nodes} {fewer} {fewest}");
    }
    refused(&["solve", "konane", "6x5", "--tables", &few], 2, "the table is of konane 5x5");
    refused(&["solve", "konane", "5x5", "--tables", &few, "--table-stones", "13"], 2, "not 13");
    refused(
        &["solve", "domineering", "3x3", "--tables", &few],
        2,
        "--tables: domineering has no tables",
    );
    refused(&["solve", "konane", "5x5", "--algo", "reference", "--tables", &few], 2, "--tables");
    refused(
        &["solve", "konane", "5x5", "--tables", &name("no")],
        3,
        "there is nothing of this name",
    );
}

/// A disk that is full in the middle of a build, here a limit on the size of files: the error names
/// the file, there is no table, and the build goes on when there is room.
#[cfg(unix)]
#[test]
fn full_disks_are_reported() {
    let directory = tempfile::tempdir().expect("a directory");
    let program = assert_cmd::cargo::cargo_bin("papamu");
    for (table, arguments) in [
        ("rows", "konane 5x5"),
        ("few", "konane 6x6 --stones 9"),
        ("classes", "dodgem 4x4 --distances"),
        ("pieces", "fanorona 5x9 --pieces 4"),
    ] {
        // In blocks of 512 bytes; with the signal ignored, writing more is an error.
        let build = |limit: &str| {
            let script = format!(
                "trap '' XFSZ; ulimit -f {limit}; exec \"$0\" build {arguments} --out {table} --quiet"
            );
            let mut command = Command::new("sh");
            command.current_dir(directory.path()).arg("-c").arg(script).arg(&program);
            command.assert()
        };
        build("100")
            .code(3)
            .stderr(predicate::str::contains(format!("cannot write `{table}.partial/")));
        assert!(!directory.path().join(table).exists());
        build("unlimited").success().stdout(predicate::str::contains("were there already"));
        let path = directory.path().join(table);
        papamu(&["verify", path.to_str().expect("UTF-8")]).assert().success();
    }
}

#[cfg(unix)]
#[test]
fn unwritable_directories_are_reported() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().expect("a directory");
    let path = |file: &str| directory.path().join(file);
    std::fs::write(path("file"), "").expect("written");
    let below_a_file = path("file/table");
    refused(&["build", "konane", "3x4", "--out", below_a_file.to_str().expect("UTF-8")], 3, "file");
    std::fs::create_dir(path("locked")).expect("made");
    let locked = std::fs::Permissions::from_mode(0o555);
    std::fs::set_permissions(path("locked"), locked).expect("locked");
    // A user who may write everywhere is not stopped by permissions.
    if std::fs::write(path("locked/probe"), "").is_err() {
        let table = path("locked/table");
        refused(
            &["build", "konane", "3x4", "--out", table.to_str().expect("UTF-8")],
            3,
            "cannot make the directory",
        );
    }
}

/// Weights learned from a table: better than guessing, and the same every time.
#[test]
fn evaluations_are_learned() {
    let directory = tempfile::tempdir().expect("a directory");
    let name = |file: &str| directory.path().join(file).to_str().expect("UTF-8").to_owned();
    let table = name("5x5");
    papamu(&["build", "konane", "5x5", "--out", &table]).assert().success();
    let train = |out: &str, seed: &str| {
        let out = name(out);
        let options = ["--positions", "20000", "--rounds", "2", "--seed", seed];
        let answer = json(&[&["train", "--tables", &table, "--out", &out][..], &options].concat());
        (answer, std::fs::read(out).expect("written"))
    };
    let (answer, weights) = train("first", "1");
    assert!(answer["accuracy"].as_f64().is_some_and(|accuracy| accuracy > 0.7), "{answer}");
    assert!(answer["from_searches"].as_u64().is_some_and(|positions| positions > 1000));
    assert_eq!(answer["bytes"], weights.len());
    assert!(train("again", "1").1 == weights, "the same seed, the same weights");
    assert!(train("other", "2").1 != weights, "another seed, other weights");
    papamu(&["build", "konane", "3x4", "--out", &name("3x4")]).assert().success();
    refused(
        &["train", "--tables", &name("3x4"), "--out", &name("w")],
        2,
        "nothing can be learned from",
    );
    refused(&["train", "--tables", &name("none"), "--out", &name("w")], 3, "nothing of this name");
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

/// Tables of games with an index, by all verbs.
#[test]
fn indexed_games_have_tables() {
    let directory = tempfile::tempdir().expect("a directory");
    let name = |file: &str| directory.path().join(file).to_str().expect("UTF-8").to_owned();
    let [table, few, plain] = ["4x4", "4x4-4", "plain"].map(&name);
    let built = json(&["build", "dodgem", "4x4", "--distances", "--out", &table]);
    let counts = ["positions", "wins", "draws", "losses"].map(|field| built[field].as_u64());
    assert_eq!(counts, [554_592, 293_702, 56_820, 204_070].map(Some));
    let again = json(&["build", "dodgem", "4x4", "--threads", "1"]);
    assert_eq!(again["wins"], built["wins"]);
    assert_eq!(json(&["verify", &table])["entries_checked"], 555_984);
    assert_eq!(json(&["verify", &table, "--sample", "1000"])["entries_checked"], 1000);

    // A draw, as a search finds, too; every drawn and lost move with the plies to its end.
    let answer = json(&["probe", &table, "4x4"]);
    assert_eq!((&answer["value"], &answer["winner"]), (&"draw".into(), &Value::Null));
    let moves = answer["moves"].as_array().expect("moves");
    assert_eq!((&moves[0]["value"], &moves[3]["value"]), (&"draw".into(), &"loss".into()));
    assert_eq!((&moves[0]["plies_to_end"], &moves[3]["plies_to_end"]), (&Value::Null, &38.into()));
    let longest = json(&["stats", "dodgem", "4x4", "--tables", &table]);
    let last = longest["classes"].as_array().and_then(|classes| classes.last()).expect("classes");
    assert_eq!((&last["class"], &last["sides"][0]["wins"]), (&"3-3".into(), &83_756.into()));
    let position = last["longest_win"]["position"].as_str().expect("a position");
    assert_eq!(json(&["probe", &table, position])["plies_to_end"], last["longest_win"]["plies"]);
    papamu(&["stats", "dodgem", "4x4", "--tables", &table])
        .assert()
        .success()
        .stdout(predicate::str::contains("longest win  41 plies"));

    let solve =
        |tables: &[&str]| json(&[&["solve", "dodgem", "4x4", "--algo", "dfpn"], tables].concat());
    let by_table = solve(&["--tables", &table]);
    assert_eq!((&by_table["value"], &by_table["nodes"]), (&"draw".into(), &0.into()));
    json(&["build", "dodgem", "4x4", "--stones", "4", "--out", &few]);
    let by_few = solve(&["--tables", &few]);
    assert_eq!(by_few["value"], "draw");
    assert!(by_few["table_hits"].as_u64().is_some_and(|hits| hits > 0));
    refused(&["probe", &few, "4x4"], 2, "does not know the position");
    refused(&["solve", "dodgem", "5x5", "--tables", &few], 2, "the table is of dodgem 4x4");
    refused(
        &["solve", "mu-torere", "8", "--tables", &few],
        3,
        "is of dodgem 4x4, not of mu-torere",
    );

    assert_eq!(json(&["build", "tic-tac-toe", "--out", &plain])["positions"], 765);
    assert_eq!(json(&["probe", &plain, "start"])["value"], "draw");
    assert_eq!(json(&["build", "mu-torere", "16"])["draws"], 15_582);
    refused(&["build", "tic-tac-toe", "--stones", "3"], 2, "no index of its positions");
    refused(&["build", "dodgem"], 2, "<BOARD> is missing");
    refused(&["build", "dodgem", "r../.r./.uu u"], 2, "a table is of a board");
    refused(&["build", "dodgem", "7x7"], 4, "needs 131.5 TiB of memory");
    refused(&["build", "konane", "4x4", "--distances"], 2, "--distances");
    refused(&["stats", "konane", "4x4", "--tables", &table], 2, "--tables");
    let advice = "--tables: values are counted in a table; make one with `build dodgem 4x4 --out";
    refused(&["stats", "dodgem", "4x4"], 2, advice);
    refused(&["stats", "dodgem"], 2, "<BOARD> is missing");
    refused(&["train", "--tables", &table, "--out", &name("w")], 2, "dodgem has no evaluation");

    let class = name("4x4/class-03.values");
    let mut bytes = std::fs::read(&class).expect("a class");
    bytes[4100] ^= 8;
    std::fs::write(&class, bytes).expect("written");
    refused(&["verify", &table], 1, "class-03.values");
}

/// Databases of Fanorona, by all verbs. One stone against one or three is never symmetric, so these
/// counts are as published.
#[test]
fn fanorona_has_databases() {
    let directory = tempfile::tempdir().expect("a directory");
    let name = |file: &str| directory.path().join(file).to_str().expect("UTF-8").to_owned();
    let table = name("table");
    papamu(&["build", "--help"]).assert().stdout(predicate::str::contains("[alias: --pieces]"));
    let build = ["build", "fanorona", "5x9", "--pieces", "4", "--distances", "--out", &table];
    let built = json(&build);
    let counts = ["stones", "positions", "wins", "draws", "losses"].map(|of| built[of].as_u64());
    assert_eq!(counts, [4, 545_590, 292_718, 99_074, 153_798].map(Some));
    refused(&["build", "fanorona", "5x9", "--pieces", "0"], 2, "--stones: `0`");

    let stats = json(&["stats", &table]);
    assert_eq!((&stats["game"], &stats["board"]), (&"fanorona".into(), &"5x9".into()));
    let classes = stats["classes"].as_array().expect("classes");
    let class = |name: &str| classes.iter().find(|class| class["class"] == name).expect("a class");
    let side = |side: &Value| {
        let counts = ["wins", "draws", "losses"].map(|of| side[of].as_u64());
        (side["to_move"].as_str().expect("stones").to_owned(), counts)
    };
    let equal = &class("1-1")["sides"];
    assert_eq!(side(&equal[0]), ("1-1".to_owned(), [158, 334, 26].map(Some)));
    assert_eq!(equal[1], Value::Null);
    let unequal = &class("1-3")["sides"];
    assert_eq!(side(&unequal[0]), ("1-3".to_owned(), [4188, 15_875, 129_487].map(Some)));
    assert_eq!(side(&unequal[1]), ("3-1".to_owned(), [149_458, 91, 1].map(Some)));
    papamu(&["stats", &table])
        .assert()
        .success()
        .stdout(predicate::str::is_match("1-3 +3-1 +149,458 +91 +1").expect("a pattern"));

    // Of the longest win: the best move first, and no better one after it.
    let longest = &class("2-2")["longest_win"];
    let answer = json(&["probe", &table, longest["position"].as_str().expect("a position")]);
    assert_eq!((&answer["value"], &answer["plies_to_end"]), (&"win".into(), &longest["plies"]));
    let moves = answer["moves"].as_array().expect("moves");
    let values: Vec<&str> = moves.iter().filter_map(|mv| mv["value"].as_str()).collect();
    let order = |value: &&str| ["win", "draw", "loss"].iter().position(|of| of == value);
    assert!(values.len() == moves.len() && values.is_sorted_by_key(order), "{values:?}");
    let plies = longest["plies"].as_u64().expect("a number");
    assert_eq!((values[0], moves[0]["plies_to_end"].as_u64()), ("win", Some(plies)));

    assert_eq!(json(&["verify", &table])["entries_checked"], 673_786);

    // A class that is cut short, of another table, or gone.
    json(&["build", "fanorona", "3x3", "--pieces", "4", "--out", &name("foreign")]);
    let file = name("table/class-06.values");
    let whole = std::fs::read(&file).expect("a class");
    let foreign = std::fs::read(name("foreign/class-06.values")).expect("a class");
    for bytes in [Some(&whole[..whole.len() / 2]), Some(&foreign[..]), None] {
        match bytes {
            Some(bytes) => std::fs::write(&file, bytes).expect("written"),
            None => std::fs::remove_file(&file).expect("removed"),
        }
        for verb in ["verify", "stats"] {
            refused(&[verb, &table], 3, "class-06.values");
        }
        refused(&["probe", &table, longest["position"].as_str().expect("a position")], 3, "06");
    }
    std::fs::write(&file, &whole).expect("written");
    papamu(&["verify", &table, "--sample", "100"]).assert().success();
    refused(&["stats", &name("nothing")], 2, "unknown game");
    refused(&["stats", directory.path().to_str().expect("UTF-8")], 3, "it has no table.json");
}
