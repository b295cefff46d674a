//! What games are like, and what databases are worth.

use serde_json::Value;

mod common;
use common::{json, one_line, place, text};

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// A seed gives the same games with any number of threads.
#[test]
fn profiles_depend_on_their_seed() {
    let profile = |more: &[&str]| {
        let mut report = json(&[&["profile", "fanorona", "3x5", "--games", "200"], more].concat());
        report["seconds"].take();
        report
    };
    let report = profile(&[]);
    assert_eq!(report, profile(&["--threads", "1"]));
    assert_ne!(report, profile(&["--seed", "2"]));
    let ends = report["ends"].as_object().expect("ends");
    assert_eq!(ends.values().filter_map(Value::as_u64).sum::<u64>(), 200);
    assert!(number(&report["branching"]) > 1.0 && number(&report["length"]) > 1.0);
    let deeper = profile(&["--depth", "3"]);
    assert_ne!(report["length"], deeper["length"]);
    let short = profile(&["--most-plies", "2"]);
    assert_eq!((&short["ends"]["unfinished"], &short["length"]), (&200.into(), &2.0.into()));
}

/// With larger databases games become shorter, as in table 4.1 of the thesis.
#[test]
fn published_profiles_stand_beside() {
    let (_keep, name) = place();
    let plots = name("plots");
    let report = json(&["profile", "fanorona", "5x9", "--games", "300", "--plot", &plots]);
    let sizes = report["sizes"].as_array().expect("sizes");
    let lengths: Vec<f64> = sizes.iter().map(|of| number(&of["database"]["length"])).collect();
    assert!(lengths.is_sorted_by(|one, next| one >= next), "{lengths:?}");
    // The players were others, but before the endgame play is much the same.
    let of_ten = sizes.iter().find(|of| of["size"] == 10).expect("ten stones");
    let [ours, published] = ["database", "published"].map(|whose| number(&of_ten[whose]["length"]));
    assert_eq!(published, 15.44);
    assert!((ours - published).abs() < 2.0, "{ours}");
    for plot in ["captures", "branching", "sizes", "databases"] {
        let svg = std::fs::read_to_string(format!("{plots}/{plot}.svg")).expect("a plot");
        assert!(svg.contains("fanorona 5x9"), "{plot}");
    }
    let shown = text(&["profile", "fanorona", "5x9", "--games", "9"]);
    assert!(shown.contains("published") && shown.contains("45.96"), "{shown}");
    let shown = text(&["profile", "sprouts", "0*3", "--games", "9", "--plot", &plots]);
    assert!(shown.contains("won by second"), "{shown}");
}

#[test]
fn databases_are_weighed() {
    let (_keep, name) = place();
    let (tables, plot) = (name("tables"), name("plot.svg"));
    let run = |more: &[&str]| {
        let always = ["tradeoff", "fanorona", "5x5", "--out", &tables, "--plot", &plot];
        json(&[&always[..], more].concat())
    };
    let report = run(&["--pieces", "4..5"]);
    let rows = report["rows"].as_array().expect("rows");
    for (row, pieces) in rows.iter().zip([4, 5]) {
        assert_eq!((&row["pieces"], &row["value"]), (&pieces.into(), &"draw".into()));
        assert_eq!((&row["reused"], row.get("limit")), (&false.into(), None));
        let total = number(&row["build_seconds"]) + number(&row["solve_seconds"]);
        assert!((number(&row["total_seconds"]) - total).abs() < 1e-6);
        assert!(row["bytes"].as_u64().is_some_and(|bytes| bytes > 10_000));
    }
    assert_eq!(rows[1]["published"]["nodes"], 1_509_329);
    // All databases up to five stones together.
    assert_eq!(rows[1]["published"]["build_seconds"], 68.84);
    assert!(std::fs::read_to_string(&plot).expect("a plot").contains("in all, published"));

    // A search is the one of `solve`.
    let five = format!("{tables}/5");
    let solved = json(&["solve", "fanorona", "5x5", "--tables", &five]);
    assert_eq!(rows[1]["nodes"], solved["nodes"]);
    assert_eq!(rows[1]["table_hits"], solved["table_hits"]);

    // Tables that are there are used, and limits are told.
    let again = run(&["--pieces", "5", "--nodes", "1000"]);
    let row = &again["rows"][0];
    assert_eq!((&row["reused"], &row["build_seconds"]), (&true.into(), &rows[1]["build_seconds"]));
    if row["value"].is_null() {
        assert_eq!((&row["limit"], &row["total_seconds"]), (&"nodes".into(), &Value::Null));
    }
    let slow = ["--pieces", "2", "--algo", "pn2", "--init", "unit", "--time", "1"];
    let slow = run(&slow);
    assert_eq!((&slow["rows"][0]["limit"], &slow["best"]), (&"time".into(), &Value::Null));
}

#[test]
fn bad_requests_are_refused() {
    let tradeoff = |more: &[&str], message: &str| {
        one_line(&[&["tradeoff"], more].concat(), 2, message);
    };
    tradeoff(&["kayles", "9"], "kayles has no tables");
    tradeoff(&["fanorona", "x.x/.../o.o w"], "a table is of a board");
    tradeoff(&["fanorona", "3x3", "--pieces", "9"], "3x3 has up to 8 stones, not 9");
    tradeoff(&["fanorona", "3x3", "--pieces", "4..2"], "--pieces: `4..2`: it is a range");
    tradeoff(&["fanorona", "3x3", "--algo", "reference"], "--algo: reference uses no tables");
    tradeoff(
        &["fanorona", "3x3", "--algo", "pns", "--budget", "equal"],
        "--budget: it applies to pn2",
    );
    one_line(&["profile", "chess", "8x8"], 2, "chess");
    one_line(&["profile", "kayles", "9", "--games", "0"], 2, "--games: `0`: it is a number from 1");
}
