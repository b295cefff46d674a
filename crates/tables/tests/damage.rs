//! Damaged tables: no flipped bit ever leads to a wrong value.

mod common;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use common::{Kind, build, files, place, positions};
use papamu_base::Stop;
use papamu_game::{Player, Value};
use papamu_games::konane::Position;
use papamu_tables::TableError;
use papamu_tables::konane::squares::Squares;
use papamu_tables::konane::{Table, TableOracle};

const HEADER: usize = 4096;
const BLOCK: usize = 1 << 20;

/// The place of the entries of a layer in its file.
fn data(bytes: &[u8]) -> std::ops::Range<usize> {
    let header_length = u32::from_le_bytes(bytes[12..16].try_into().expect("4 bytes")) as usize;
    let header: serde_json::Value =
        serde_json::from_slice(&bytes[16..16 + header_length]).expect("JSON");
    HEADER..HEADER + header["data_bytes"].as_u64().expect("a number") as usize
}

fn flip(file: &Path, at: usize, bit: u8) {
    let mut bytes = fs::read(file).expect("read");
    bytes[at] ^= 1 << bit;
    fs::write(file, bytes).expect("written");
}

/// The result of probing everything.
#[derive(Default)]
struct Answers {
    wrong: u64,
    refused: u64,
}

fn ask(table: &Table, known: &[(Position, Value)]) -> Answers {
    let mut answers = Answers::default();
    for (position, value) in known {
        match table.value(position) {
            Ok(found) => answers.wrong += u64::from(found != Some(*value)),
            Err(_) => answers.refused += 1,
        }
    }
    answers
}

fn all_values(directory: &Path) -> Vec<(Position, Value)> {
    let table = Table::open(directory).expect("a table");
    let value = |position: &Position| table.value(position).expect("whole").expect("known");
    let positions = positions(&table).into_iter();
    positions.map(|position| (position, value(&position))).collect()
}

/// In headers, entries, hashes and the list, of complete and of capped tables.
#[test]
fn no_flipped_bit_gives_a_wrong_value() {
    let kinds: [Kind; 4] = [("3x4", None), ("3x3", None), ("4x3", Some(7)), ("3x5", Some(5))];
    for kind in kinds {
        let (_keep, path) = place("table");
        build(kind, &path).expect("built");
        let known = all_values(&path);
        let mut random = fastrand::Rng::with_seed(9);
        for file in files(&path) {
            let whole = fs::read(&file).expect("read");
            let is_list = file.extension().is_some_and(|extension| extension == "json");
            let entries = if is_list { 0..0 } else { data(&whole) };
            let mut places: Vec<usize> = match is_list {
                true => (0..40).map(|_| random.usize(..whole.len())).collect(),
                // The magic, the header, its padding; the hash of the block and of the layer.
                false => vec![3, 9, 20, 90, 2000, HEADER - 1, entries.end + 5, whole.len() - 1],
            };
            if !is_list && !entries.is_empty() {
                places.extend([entries.start, entries.end - 1]);
                places.extend((0..6).map(|_| random.usize(entries.clone())));
            }
            for at in places.into_iter().filter(|&at| at < whole.len()) {
                flip(&file, at, random.u8(..8));
                let context = format!("{kind:?}, byte {at} of {}", file.display());
                match Table::open(&path) {
                    Err(_) => assert!(!entries.contains(&at), "{context}: read too early"),
                    Ok(table) => {
                        assert!(entries.contains(&at), "{context}: not noticed");
                        let answers = ask(&table, &known);
                        assert_eq!(answers.wrong, 0, "{context}: wrong values");
                        assert!(answers.refused > 0, "{context}: not noticed");
                    }
                }
                fs::write(&file, &whole).expect("written");
            }
        }
        let table = Table::open(&path).expect("a table");
        let answers = ask(&table, &known);
        assert_eq!((answers.wrong, answers.refused), (0, 0), "{kind:?}");
    }
}

/// A layer of many blocks: the damaged one is named, the others answer.
#[test]
fn only_the_damaged_block_is_refused() {
    let (_keep, path) = place("6x5");
    build(("6x5", None), &path).expect("built");
    let squares = Squares::new(Table::open(&path).expect("a table").game());
    let mut random = fastrand::Rng::with_seed(4);
    let mut seven_blacks = || loop {
        let [black, white] = [(); 2].map(|()| random.u32(..1 << 15));
        if black.count_ones() == 7 {
            return squares.position([black, white], Player::First);
        }
    };
    let positions: Vec<Position> = (0..20_000).map(|_| seven_blacks()).collect();
    let table = Table::open(&path).expect("a table");
    let values: Vec<Value> = positions
        .iter()
        .map(|position| table.value(position).expect("whole").expect("known"))
        .collect();
    drop(table);

    let file = path.join("black-07.rows");
    let blocks = data(&fs::read(&file).expect("read")).len().div_ceil(BLOCK);
    assert!(blocks > 4);
    flip(&file, HEADER + 2 * BLOCK + 777, 3);
    let table = Table::open(&path).expect("only blocks are damaged");
    let mut refused = 0;
    for (position, value) in positions.iter().zip(values) {
        match table.value(position) {
            Ok(found) => assert_eq!(found, Some(value)),
            Err(damage) => {
                assert_eq!((&damage.path, damage.block), (&file, 2));
                let message = damage.to_string();
                assert!(message.contains("black-07.rows") && message.contains("block 2"));
                refused += 1;
            }
        }
    }
    let share = positions.len() / blocks;
    assert!((share / 2..share * 2).contains(&refused), "{refused} refused");
}

/// Threads that probe a fresh table together all get the right values, or all an error.
#[test]
fn threads_check_blocks_together() {
    let (_keep, path) = place("4x4");
    build(("4x4", None), &path).expect("built");
    let known = all_values(&path);
    let ask_on_threads = || {
        let table = Table::open(&path).expect("a table");
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| ask(&table, &known))).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("no panic"))
                .map(|answers| (answers.wrong, answers.refused))
                .collect::<Vec<_>>()
        })
    };
    assert_eq!(ask_on_threads(), vec![(0, 0); 4]);
    flip(&path.join("black-04.rows"), HEADER + 100, 0);
    let answers = ask_on_threads();
    assert!(answers.iter().all(|answer| *answer == answers[0] && answer.0 == 0 && answer.1 > 0));
}

/// A search gets no answer from a damaged block, is stopped, and its owner learns why.
#[test]
fn oracles_report_damage() {
    let (_keep, path) = place("4x4");
    build(("4x4", None), &path).expect("built");
    let known = all_values(&path);
    let oracle = |stones, stop: &Stop| {
        let table = Arc::new(Table::open(&path)?);
        let game = table.game().clone();
        TableOracle::new(table, &game, stones, stop)
    };
    let stop = Stop::new();
    let whole = oracle(Some(10), &stop).expect("a table");
    let game = whole.table().game();
    let mut answered = 0;
    for (position, value) in &known {
        let knows = position.occupied.count_ones() <= 10;
        assert_eq!(whole.value(game, position), knows.then_some(*value));
        answered += u64::from(knows);
    }
    assert_eq!((whole.hits(), whole.damage(), stop.is_set()), (answered, None, false));
    let refused = oracle(Some(17), &stop).err().expect("a board has 16 squares");
    assert!(matches!(refused, TableError::TooManyStones { stones: 17, most_stones: 16 }));

    let file = path.join("black-04.rows");
    flip(&file, HEADER + 100, 5);
    let damaged = oracle(None, &stop).expect("only a block is damaged");
    assert_eq!((damaged.damage(), stop.is_set()), (None, false));
    let mut silent = 0;
    for (position, value) in &known {
        match damaged.value(game, position) {
            Some(found) => assert_eq!(found, *value),
            None => silent += 1,
        }
    }
    let damage = damaged.damage().expect("noticed");
    assert_eq!((&damage.path, damage.block, damage.start), (&file, 0, 4096));
    assert!(stop.is_set() && silent > 0);
}

/// The lists of tables, which contain the hashes of all layers, are those of earlier versions of
/// the program: what it writes has not changed, to the byte.
#[test]
fn files_keep_their_bytes() {
    for (kind, hash) in [
        (("3x4", None), "75aef07c4620ade98e99fb378fb98a6b613c4a85c8048565fa045ef980a16cd7"),
        (("5x5", Some(8)), "f45d9f8a1fb807ce82836c91c2868db9b6c8b92b760441e4be4986f08728c919"),
    ] {
        let (_keep, path) = place("table");
        build(kind, &path).expect("built");
        let list = fs::read_to_string(path.join("table.json")).expect("a list");
        assert_eq!(list.lines().nth(1), Some(hash), "{kind:?}");
    }
}
