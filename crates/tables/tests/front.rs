//! What front ends use: boards, requirements, refusals, probes, old tables and tables of other
//! games.

mod common;

use std::cmp::Ordering;
use std::fs;
use std::path::Path;

use common::{build, children, files, place, positions};
use papamu_base::{Progress, Stop};
use papamu_game::{Game, Value};
use papamu_games::Konane;
use papamu_tables::TableError;
use papamu_tables::konane::train::check_table;
use papamu_tables::konane::{StateCount, Table, TableBuild, board_name, read_board};

#[test]
fn boards_are_read_and_named() {
    for board in ["1x1", "6x6", "3x7", "8x8", "1x64"] {
        assert_eq!(board_name(&read_board(board).expect("a board")), board);
    }
    let error = |text: &str| read_board(text).expect_err("no board");
    assert!(matches!(error("9x9"), TableError::Notation(_)));
    assert!(matches!(error("pawn"), TableError::Notation(_)));
    let position = error("xo.o/.x../xox. b");
    assert_eq!(position.to_string(), "a table is of a board, such as 6x6, not of a position");
}

#[test]
fn needs_are_known_before_the_work() {
    let game = read_board("7x7").expect("a board");
    let error = TableBuild::complete(&game).err().expect("too large").to_string();
    assert!(error.starts_with("konane 7x7 has 2^50 positions"), "{error}");
    assert!(matches!(StateCount::new(&game), Err(TableError::TooLarge { bits: 50, .. })));

    let build = TableBuild::capped(&game, 8);
    assert_eq!(build.name(), "konane 7x7 with up to 8 stones");
    let needs = build.memory_bytes();
    build.check_memory(needs).expect("enough");
    let error = build.check_memory(needs - 1).expect_err("too little").to_string();
    assert!(error.starts_with("konane 7x7 with up to 8 stones needs "), "{error}");
    assert!(!error.contains("--"), "{error}");
    let nowhere = build.run(None, &Progress::new());
    assert!(matches!(nowhere, Err(TableError::NeedsDirectory { .. })));

    let (_keep, path) = place("table");
    build.check_directory(&path).expect("room for some megabytes");
    fs::write(&path, "in the way").expect("written");
    assert!(matches!(build.check_directory(&path), Err(TableError::Exists { .. })));
    let game = read_board("8x8").expect("a board");
    let huge = TableBuild::capped(&game, 64).check_directory(&path.with_file_name("other"));
    assert!(matches!(huge, Err(TableError::NeedsSpace { .. })));

    let count = StateCount::new(&read_board("5x5").expect("a board")).expect("small");
    count.check_memory(count.memory_bytes()).expect("enough");
    assert!(matches!(count.check_memory(1000), Err(TableError::NeedsMemory { .. })));
}

#[test]
fn tables_know_what_they_can_answer() {
    let (_keep, path) = place("table");
    build(("4x3", Some(5)), &path).expect("built");
    let table = Table::open(&path).expect("a table");
    table.check_board(&read_board("4x3").expect("a board")).expect("the same");
    let other = table.check_board(&read_board("3x4").expect("a board")).expect_err("another");
    assert_eq!(other.to_string(), "the table is of konane 4x3, the position of konane 3x4");
    table.check_stones(5).expect("known");
    let many = "the table knows positions with up to 5 stones, not 12";
    assert_eq!(table.check_stones(12).expect_err("many").to_string(), many);
    let start = table.game().start();
    let probed = table.probe(&start, 1000, &Stop::new()).expect_err("many");
    assert_eq!(probed.to_string(), many);
    assert!(matches!(check_table(&table), Err(TableError::NothingToLearn { .. })));
}

/// The best move keeps the value and the number of plies, and no move does better.
#[test]
fn probes_put_the_best_move_first() {
    let (_keep, path) = place("table");
    build(("4x4", None), &path).expect("built");
    let table = Table::open(&path).expect("a table");
    let stop = Stop::new();
    for position in positions(&table).into_iter().step_by(97).chain([table.game().start()]) {
        let probe = table.probe(&position, 1_000_000, &stop).expect("known");
        assert_eq!(Ok(Some(probe.value)), table.value(&position));
        assert_eq!(probe.moves.len(), children(&table, &position).len());
        let Some(best) = probe.moves.first() else {
            assert_eq!((probe.value, probe.plies_to_end), (Value::Loss, Some(0)));
            continue;
        };
        assert_eq!((best.value, best.plies_to_end), (probe.value, probe.plies_to_end));
        for pair in probe.moves.windows(2) {
            let order = match (pair[0].value, pair[1].value) {
                (Value::Win, Value::Win) => pair[0].plies_to_end.cmp(&pair[1].plies_to_end),
                (Value::Loss, Value::Loss) => pair[1].plies_to_end.cmp(&pair[0].plies_to_end),
                (first, second) => second.cmp(&first),
            };
            assert_ne!(order, Ordering::Greater);
        }
        // No budget, no plies; the values are the same.
        let quick = table.probe(&position, 0, &stop).expect("known");
        assert_eq!((quick.value, quick.plies_to_end), (probe.value, None));
    }
}

/// Replaces the JSON in all headers and in the list, with the right hashes: the specified format,
/// written by independent code.
fn rewrite(directory: &Path, change: impl Fn(&str) -> String) {
    let list = directory.join("table.json");
    let text = fs::read_to_string(&list).expect("read");
    let mut json = change(text.lines().next().expect("a line"));
    for file in files(directory).into_iter().filter(|file| *file != list) {
        let mut bytes = fs::read(&file).expect("read");
        let length = u32::from_le_bytes(bytes[12..16].try_into().expect("4 bytes")) as usize;
        let header = change(std::str::from_utf8(&bytes[16..16 + length]).expect("text"));
        bytes[12..16].copy_from_slice(&(header.len() as u32).to_le_bytes());
        bytes[16..4096].fill(0);
        bytes[16..16 + header.len()].copy_from_slice(header.as_bytes());
        let header: serde_json::Value = serde_json::from_str(&header).expect("JSON");
        let data = header["data_bytes"].as_u64().expect("a number") as usize;
        let end = bytes.len() - 32;
        let hash = blake3::hash(&[&bytes[..4096], &bytes[4096 + data..end]].concat());
        let old = blake3::Hash::from_slice(&bytes[end..]).expect("a hash").to_hex();
        json = json.replace(&*old, &hash.to_hex());
        bytes[end..].copy_from_slice(hash.as_bytes());
        fs::write(&file, &bytes).expect("written");
    }
    fs::write(&list, format!("{json}\n{}\n", blake3::hash(json.as_bytes()).to_hex()))
        .expect("written");
}

/// Files without rules have the standard rules.
#[test]
fn tables_without_rules_are_read() {
    for kind in [("3x4", None), ("3x3", Some(4))] {
        let (_keep, path) = place("table");
        build(kind, &path).expect("built");
        let rules = r#""rules":"standard","#;
        let text = fs::read_to_string(path.join("table.json")).expect("read");
        assert!(text.contains(rules), "{text}");
        let table = Table::open(&path).expect("a table");
        let positions = positions(&table);
        let values: Vec<_> =
            positions.iter().map(|position| table.value(position).expect("whole")).collect();
        drop(table);
        rewrite(&path, |json| json.replace(rules, ""));
        assert!(!fs::read_to_string(path.join("table.json")).expect("read").contains("rules"));
        let table = Table::open(&path).expect("a table");
        for (position, value) in positions.iter().zip(values) {
            assert_eq!(table.value(position), Ok(value), "{}", table.game().write(position));
        }
    }
}

#[test]
fn tables_of_other_games_and_rules_are_refused() {
    let (_keep, path) = place("table");
    build(("3x3", None), &path).expect("built");
    rewrite(&path, |json| json.replace("standard", "misere"));
    let error = Table::open(&path).err().expect("refused").to_string();
    assert!(error.ends_with("is of konane 3x3 under the rules `misere`, not of konane"), "{error}");
    rewrite(&path, |json| json.replace("misere", "standard").replace(Konane::NAME, "kayles"));
    let error = Table::open(&path).err().expect("refused").to_string();
    assert!(error.ends_with("is of kayles 3x3, not of konane"), "{error}");
    rewrite(&path, |json| json.replace("kayles", Konane::NAME).replace("rows\",\"", "heaps\",\""));
    assert!(Table::open(&path).is_err());
}
