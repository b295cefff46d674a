//! Damaged tables of games with an index: it is noticed wherever it is, and nothing that reads them
//! panics or gives a wrong value.

mod common;

use std::fs;
use std::path::Path;

use common::corridor::Corridor;
use common::indexed::{DISTANCES, build, bytes, positions};
use papamu_base::{Progress, Stop};
use papamu_game::tiny::{Dodgem, MuTorere, TicTacToe};
use papamu_game::{Entry, Game, Indexed, PositionIndex, Value};
use papamu_games::Fanorona;
use papamu_tables::TableError;
use papamu_tables::indexed::verify::{check_hashes, check_logic};
use papamu_tables::indexed::{Table, TableOptions, TableOracle, class_stats};

const HEADER: usize = 4096;

/// What a table says about all positions.
type Known<G> = Vec<(<G as Game>::Position, Value, Option<u32>)>;

fn all_values<G: Indexed>(directory: &Path) -> Known<G> {
    let table = Table::<G>::open(directory).expect("a table");
    let known = |position: G::Position| {
        let value = table.value(&position).expect("whole").expect("known");
        let plies = table.plies_to_end(&position).expect("whole");
        (position, value, plies)
    };
    positions::<G>(table.index()).into_iter().map(known).collect()
}

/// Whether a table is found to be damaged: when it is opened, or else by its hashes. All other
/// ways to read it give what was written or an error.
fn is_noticed<G: Indexed>(directory: &Path, known: &Known<G>) -> bool {
    let Ok(table) = Table::<G>::open(directory) else { return true };
    let mut refused = 0;
    for (position, value, plies) in known {
        match table.value(position) {
            Ok(found) => assert_eq!(found, Some(*value)),
            Err(_) => refused += 1,
        }
        match table.plies_to_end(position) {
            Ok(found) => assert_eq!(found, *plies),
            Err(_) => refused += 1,
        }
    }
    for (position, value, _) in known.iter().step_by(known.len() / 20 + 1) {
        if let Ok(probe) = table.probe(position, 0, &Stop::new()) {
            assert_eq!(probe.value, *value);
        }
    }
    let damaged = check_hashes(&table, &Progress::new()).expect("not stopped");
    // Nobody asks for the distances of draws.
    assert!(refused == 0 || !damaged.is_empty());
    let readable = check_logic(&table, None, 1, &Progress::new());
    assert_eq!(readable.is_err(), !damaged.is_empty(), "{readable:?}");
    let sampled = check_logic(&table, Some(10), 1, &Progress::new());
    assert!(damaged.is_empty() || !matches!(sampled, Ok((_, Some(_)))), "{sampled:?}");
    assert!(class_stats(&table, &Progress::new()).is_ok() || !damaged.is_empty());
    !damaged.is_empty()
}

/// In values, distances and the list: bytes changed, cut off, added, and files that are gone.
fn all_damage<G: Indexed>(board: &str, options: TableOptions, places: usize) {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("table");
    build::<G>(board, options, &path);
    let known = all_values::<G>(&path);
    let mut random = fastrand::Rng::with_seed(9);
    for (name, whole) in bytes(&path) {
        let file = path.join(&name);
        let noticed = |content: &[u8], what: &str, at: usize| {
            fs::write(&file, content).expect("written");
            assert!(is_noticed::<G>(&path, &known), "{board}: {name}: {what} {at}");
        };
        // The magic, the version, the header, its padding, the entries, the hashes.
        let ends = [0, 8, 12, 20, HEADER - 1, HEADER, HEADER + 1];
        let mut at: Vec<usize> = ends
            .into_iter()
            .chain([1, 32, 33, 64, 65, 72].map(|from_end| whole.len() - from_end))
            .collect();
        at.extend((0..places).map(|_| random.usize(..whole.len())));
        for &at in at.iter().filter(|&&at| at < whole.len()) {
            let mut content = whole.clone();
            content[at] ^= 1 << random.u8(..8);
            noticed(&content, "changed at", at);
            noticed(&whole[..at], "cut off at", at);
        }
        noticed(&[&whole[..], b"\n"].concat(), "longer than", whole.len());
        fs::remove_file(&file).expect("removed");
        assert!(is_noticed::<G>(&path, &known), "{board}: {name} is gone");
        fs::create_dir(&file).expect("made");
        assert!(is_noticed::<G>(&path, &known), "{board}: {name} is a directory");
        fs::remove_dir(&file).expect("removed");
        fs::write(&file, &whole).expect("written");
    }
    assert!(!is_noticed::<G>(&path, &known), "{board} is whole again");
}

#[test]
fn all_damage_is_noticed() {
    all_damage::<MuTorere>("8", DISTANCES, 200);
    all_damage::<Dodgem>("3x3", DISTANCES, 5);
    all_damage::<Dodgem>("3x3", TableOptions::default(), 5);
    all_damage::<TicTacToe>("3x3", DISTANCES, 5);
    all_damage::<Corridor>("all", DISTANCES, 5);
    all_damage::<Fanorona>("3x3", TableOptions { most_stones: Some(3), ..DISTANCES }, 0);
}

/// Every byte of the list and of the entries of a small table.
#[test]
fn every_byte_counts() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("table");
    build::<MuTorere>("4", DISTANCES, &path);
    let known = all_values::<MuTorere>(&path);
    for (name, whole) in bytes(&path) {
        let file = path.join(&name);
        for at in 0..whole.len() {
            let mut content = whole.clone();
            content[at] ^= 1 << (at % 8);
            fs::write(&file, content).expect("written");
            assert!(is_noticed::<MuTorere>(&path, &known), "{name}: changed at {at}");
            fs::write(&file, &whole[..at]).expect("written");
            assert!(is_noticed::<MuTorere>(&path, &known), "{name}: cut off at {at}");
        }
        fs::write(&file, &whole).expect("written");
    }
}

/// Lists that fit their hash, but not the table: refused, whatever they say.
#[test]
fn false_lists_are_refused() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("table");
    build::<Dodgem>("3x3", DISTANCES, &path);
    let list = path.join("table.json");
    let text = fs::read_to_string(&list).expect("a list");
    let json = text.lines().next().expect("a line");
    for (is, says) in [
        ("\"3x3\"", "\"4x4\""),
        ("\"3x3\"", "\"7x7\""),
        ("\"3x3\"", "\"0x0\""),
        ("\"3x3\"", "\"\""),
        ("\"stones\":4", "\"stones\":3"),
        ("\"stones\":4", "\"stones\":0"),
        ("\"stones\":4", "\"stones\":5"),
        ("\"stones\":4", "\"stones\":4294967295"),
        ("\"standard\"", "\"other\""),
        ("\"version\":3", "\"version\":2"),
        ("\"version\":3", "\"version\":4"),
        ("\"dodgem\"", "\"konane\""),
        ("\"bits\":2", "\"bits\":0"),
        ("\"bits\":2", "\"bits\":8"),
        ("\"bits\":8", "\"bits\":16"),
        ("\"bits\":8", "\"bits\":4294967295"),
        ("\"bits\":8", "\"bits\":null"),
        ("class-00.values", "class-01.values"),
        ("class-00.values", "../table/class-00.values"),
        ("class-01.distances", "class-01.values"),
        ("\"layers\":[", "\"layers\":[],\"others\":["),
    ] {
        let json = json.replacen(is, says, 1);
        assert!(!text.starts_with(&json), "{is}");
        let hash = blake3::hash(json.as_bytes()).to_hex();
        fs::write(&list, format!("{json}\n{hash}\n")).expect("written");
        assert!(Table::<Dodgem>::open(&path).is_err(), "{says} for {is}");
    }
    fs::write(&list, &text).expect("written");
    assert!(Table::<Dodgem>::open(&path).is_ok());
}

/// Damage is noticed where it is read; a wrong entry under a right hash, by its logic.
#[test]
fn damage_is_noticed() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("table");
    build::<MuTorere>("8", DISTANCES, &path);
    let file = path.join("class-00.values");
    let whole = fs::read(&file).expect("bytes");
    let mut damaged = whole.clone();
    damaged[4100] ^= 1;
    fs::write(&file, &damaged).expect("written");
    let (game, start) = MuTorere::read("8").expect("a board");
    let table = Table::<MuTorere>::open(&path).expect("its header is whole");
    assert!(table.value(&start).is_err());
    assert_eq!(check_hashes(&table, &Progress::new()).expect("not stopped").len(), 1);
    let (table, stop) = (std::sync::Arc::new(table), Stop::new());
    let oracle = TableOracle::new(table, &game, None, &stop).expect("the board");
    assert_eq!(oracle.value(&start), None);
    assert!(oracle.damage().is_some() && stop.is_set());
    for cut in [0, 100, 4100, whole.len() - 1] {
        fs::write(&file, &whole[..cut]).expect("written");
        assert!(Table::<MuTorere>::open(&path).is_err(), "{cut}");
    }
    fs::remove_file(&file).expect("removed");
    assert!(Table::<MuTorere>::open(&path).is_err());
    assert!(matches!(Table::<Dodgem>::open(&path), Err(TableError::Foreign { .. })));
    assert!(papamu_tables::konane::Table::open(&path).is_err());
}

/// Writes another code into an entry, with hashes that fit.
fn forge(directory: &Path, file: &str, index: u64, code: u8) {
    let (path, list) = (directory.join(file), directory.join("table.json"));
    let mut content = fs::read(&path).expect("bytes");
    let old = content[content.len() - 32..].to_vec();
    let byte = &mut content[4096 + (index / 4) as usize];
    *byte = *byte & !(3 << (index % 4 * 2)) | code << (index % 4 * 2);
    // One block, its hash, and the hash of the header and of that hash.
    let hashes = content.len() - 64;
    let block = *blake3::hash(&content[4096..hashes]).as_bytes();
    content[hashes..hashes + 32].copy_from_slice(&block);
    let whole = blake3::hash(&[&content[..4096], &block].concat());
    content[hashes + 32..].copy_from_slice(whole.as_bytes());
    fs::write(&path, content).expect("written");
    let old: String = old.iter().map(|byte| format!("{byte:02x}")).collect();
    let text = fs::read_to_string(&list).expect("a list").replace(&old, whole.to_hex().as_str());
    let json = text.lines().next().expect("a line");
    let hash = blake3::hash(json.as_bytes()).to_hex();
    fs::write(&list, format!("{json}\n{hash}\n")).expect("written");
}

/// Wrong entries under right hashes are found: single ones by the positions after them, and a draw
/// that is called decided everywhere, which fits its own moves, since play need not end.
#[test]
fn wrong_entries_are_found() {
    let place = tempfile::tempdir().expect("a directory");
    let verify = |path: &Path| {
        let table = Table::<MuTorere>::open(path).expect("its hashes fit");
        check_logic(&table, None, 1, &Progress::new()).expect("readable").1
    };
    for (name, options) in [("values", TableOptions::default()), ("distances", DISTANCES)] {
        let path = place.path().join(name);
        build::<MuTorere>("8", options, &path);
        assert_eq!(verify(&path), None);
        let table = Table::<MuTorere>::open(&path).expect("a table");
        let index = table.index();
        let draws: Vec<u64> = (0..index.entries(0))
            .filter(|&i| {
                let position = index.position(Entry { class: 0, index: i });
                position.is_some_and(|of| table.value(&of) == Ok(Some(Value::Draw)))
            })
            .collect();
        forge(&path, "class-00.values", draws[0], 2);
        assert!(verify(&path).is_some_and(|wrong| wrong.contains("does not fit")), "{name}");
        forge(&path, "class-00.values", draws[0], 0);
        assert_eq!(verify(&path), None);
        // All draws of x are called wins and those of o losses.
        for &draw in &draws {
            forge(&path, "class-00.values", draw, 2 - (draw % 2) as u8);
        }
        let wrong = verify(&path).expect("found");
        let says = if name == "values" { "need not end" } else { "does not fit" };
        assert!(wrong.contains(says), "{name}: {wrong}");
    }
}
