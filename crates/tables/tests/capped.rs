//! Capped tables: every position with few stones, also on boards too large for complete tables.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use papamu_base::Progress;
use papamu_base::file::FileLock;
use papamu_game::{Game, Player};
use papamu_games::Konane;
use papamu_games::konane::Position;
use papamu_search::reference;
use papamu_tables::TableError;
use papamu_tables::konane::Table;
use papamu_tables::konane::capped;
use papamu_tables::konane::places::Places;
use papamu_tables::konane::shape::Shape;
use papamu_tables::konane::squares::Squares;
use papamu_tables::konane::verify::{check_hashes, check_logic};

fn squares(board: &str) -> Squares {
    let (game, _) = Konane::read(board).expect("a board");
    Squares::new(&game)
}

fn build(board: &str, stones: u32, directory: &Path) -> Result<u32, TableError> {
    let shape = Shape::capped(&squares(board), stones);
    capped::build(&shape, directory, &Progress::new())
}

fn minimax(game: &Konane, position: &Position) -> papamu_game::Value {
    reference::solve(game, position, &Konane::CAPABILITIES, 1 << 30, &Progress::new())
        .expect("fits")
        .value
}

/// The table has all positions of small boards within its limit, and none beyond.
#[test]
fn every_position_with_few_stones() {
    let directory = tempfile::tempdir().expect("a directory");
    for (board, stones) in
        [("1x1", 1), ("1x9", 4), ("3x3", 9), ("3x3", 5), ("2x5", 10), ("4x3", 7), ("4x4", 6)]
    {
        let path = directory.path().join(format!("{board}-{stones}"));
        assert_eq!(build(board, stones, &path).expect("built"), 0);
        let table = Table::open(&path).expect("a table");
        let game = table.game();
        let squares = squares(board);
        let mut known = 0;
        for black in 0..1 << squares.count(Player::First) {
            for white in 0..1 << squares.count(Player::Second) {
                for side in [Player::First, Player::Second] {
                    let position = squares.position([black, white], side);
                    if game.is_removal(&position) {
                        known += u64::from(position.occupied.count_ones() <= stones);
                        continue;
                    }
                    let value = table.value(&position).expect("whole");
                    if position.occupied.count_ones() > stones {
                        assert_eq!(value, None);
                        continue;
                    }
                    known += 1;
                    let expected = minimax(game, &position);
                    assert_eq!(value, Some(expected), "{}", game.write(&position));
                }
            }
        }
        assert_eq!(known, table.shape().positions(), "{board}");
    }
}

/// A capped table of all stones is a complete one.
#[test]
fn capped_at_all_stones() {
    let directory = tempfile::tempdir().expect("a directory");
    for board in ["4x4", "3x5"] {
        let path = directory.path().join(board);
        build(board, 64, &path).expect("built");
        let table = Table::open(&path).expect("a table");
        let game = table.game();
        assert_eq!(table.value(&game.start()), Ok(Some(minimax(game, &game.start()))));
        assert_eq!(check_hashes(&table, &Progress::new()), Ok(Vec::new()));
        assert_eq!(check_logic(&table, None, 0, &Progress::new()).expect("read").1, None);
    }
}

/// Boards far beyond complete tables, against minimax.
#[test]
fn random_positions_of_large_boards() {
    let directory = tempfile::tempdir().expect("a directory");
    for (board, stones) in [("7x7", 6), ("8x8", 5), ("7x6", 7), ("2x32", 4), ("1x64", 5)] {
        let path = directory.path().join(board);
        build(board, stones, &path).expect("built");
        let table = Table::open(&path).expect("a table");
        let game = table.game();
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..2000 {
            // Stones close together, so that there are jumps, also over several stones.
            let board = game.board();
            let (rows, cols) = (board.rows.min(7), board.cols.min(7));
            let down = random.usize(..=board.rows - rows);
            let right = random.usize(..=board.cols - cols);
            let mut occupied = 0_u64;
            while occupied.count_ones() < stones && random.u8(..) > 12 {
                let (row, col) = (down + random.usize(..rows), right + random.usize(..cols));
                occupied |= 1 << board.square(row, col);
            }
            let side = if random.bool() { Player::First } else { Player::Second };
            let position = Position { occupied, side };
            let expected = Ok(Some(minimax(game, &position)));
            assert_eq!(table.value(&position), expected, "{}", game.write(&position));
        }
        let checked = check_logic(&table, Some(20_000), 3, &Progress::new()).expect("read");
        assert_eq!(checked, (20_000, None), "{board}");
    }
}

/// Every stored position has a bit of its own.
#[test]
fn places_are_different() {
    for (board, stones) in [("4x4", 16), ("5x5", 6), ("6x3", 5)] {
        let squares = squares(board);
        let shape = Shape::capped(&squares, stones);
        let places = Places::new(&shape).expect("small");
        let mut seen = HashSet::new();
        for (black, whites) in places.rows(&shape) {
            for white in places.white_sets(whites) {
                let place = places.find(&shape, [black, white]).expect("few stones");
                assert!(seen.insert((place.layer, place.bit)), "{black:b} {white:b}");
            }
        }
        // No layer has room for 64 bits more for each of its sublayers.
        for layer in 0..shape.layers() {
            let entries = seen.iter().filter(|place| place.0 == layer);
            let last = entries.map(|(_, bit)| *bit).max().expect("positions");
            let bits = 8 * shape.data_bytes(layer);
            assert!(last < bits && bits <= last + 64, "{layer}");
        }
    }
}

/// The memory estimate of a build grows with the stones, up to all of them.
#[test]
fn estimates_grow() {
    for board in ["4x4", "6x6", "7x7", "8x8"] {
        let squares = squares(board);
        let bytes = |stones: u32| capped::memory_bytes(&Shape::capped(&squares, stones));
        for stones in 1..=64 {
            // The last layer needs only one side to move, which may save a little.
            assert!(bytes(stones) >= bytes(stones - 1) / 2, "{board} {stones}");
            let layer = Shape::capped(&squares, stones).data_bytes(stones / 2);
            assert!(bytes(stones) >= layer, "{board} {stones}");
        }
    }
}

/// A layer that is damaged during an interruption is made again, with all later ones.
#[test]
fn damaged_layers_are_made_again() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("table");
    build("5x6", 7, &path).expect("built");
    let whole = fs::read(path.join("black-05.sublayers")).expect("read");
    let mut flipped = whole.clone();
    flipped[5000] ^= 1;
    let longer = [&whole[..], b"more"].concat();
    for (i, damaged) in [&flipped[..], &whole[..5000], &longer, b""].into_iter().enumerate() {
        let again = directory.path().join(format!("again-{i}"));
        let partial = directory.path().join(format!("again-{i}.partial"));
        fs::create_dir(&partial).expect("a directory");
        for layer in 0..7 {
            let name = format!("black-{layer:02}.sublayers");
            fs::copy(path.join(&name), partial.join(&name)).expect("copied");
        }
        // A file left by an earlier build of another kind.
        fs::write(partial.join("black-09.new"), "stray").expect("written");
        fs::write(partial.join("black-05.sublayers"), damaged).expect("written");
        if damaged.is_empty() {
            assert!(matches!(build("5x6", 7, &again), Err(TableError::NotATable { .. })));
            continue;
        }
        assert_eq!(build("5x6", 7, &again).expect("built"), 5);
        let names = |path: &Path| {
            let files = fs::read_dir(path).expect("files");
            files.map(|file| file.expect("a file").file_name()).collect::<HashSet<_>>()
        };
        assert_eq!(names(&again), names(&path));
        for name in names(&path) {
            let read = |path: &Path| fs::read(path.join(&name)).expect("read");
            assert!(read(&again) == read(&path), "{name:?}");
        }
    }
}

/// Two builds do not disturb each other.
#[test]
fn only_one_build_at_a_time() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("table");
    let lock = FileLock::new(&path).expect("free");
    assert!(matches!(build("4x4", 3, &path), Err(TableError::Busy { .. })));
    drop(lock);
    build("4x4", 3, &path).expect("built");
}

#[test]
fn interrupted_builds_go_on() {
    let directory = tempfile::tempdir().expect("a directory");
    for (board, stones) in [("5x5", 7), ("4x6", 8)] {
        let path = directory.path().join(board);
        build(board, stones, &path).expect("built");
        for finished in [1, 4, stones + 1] {
            let again = directory.path().join(format!("{board}-{finished}"));
            let partial = directory.path().join(format!("{board}-{finished}.partial"));
            fs::create_dir(&partial).expect("a directory");
            for layer in 0..finished {
                for player in ["black", "white"] {
                    let name = format!("{player}-{layer:02}.sublayers");
                    if path.join(&name).exists() {
                        fs::copy(path.join(&name), partial.join(&name)).expect("copied");
                    }
                }
            }
            let resumed = build(board, stones, &again).expect("built");
            assert_eq!(resumed, finished.min(stones));
            for file in fs::read_dir(&path).expect("files") {
                let file = file.expect("a file").path();
                let name = file.file_name().expect("a name");
                let same =
                    fs::read(&file).expect("read") == fs::read(again.join(name)).expect("read");
                assert!(same, "{board}, {name:?} after {finished} layers");
            }
        }
    }
}

/// A table that claims to be larger than its files is refused before memory is allocated.
#[test]
fn claims_beyond_the_files_are_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("table");
    build("8x8", 2, &path).expect("built");
    let list = path.join("table.json");
    let text = fs::read_to_string(&list).expect("read");
    let json = text.lines().next().expect("a line");
    for (stones, problem) in [(40, "lacks layers"), (65, "no such board"), (1, "more layers")] {
        let json = json.replace("\"stones\":2", &format!("\"stones\":{stones}"));
        let hash = blake3::hash(json.as_bytes()).to_hex();
        fs::write(&list, format!("{json}\n{hash}\n")).expect("written");
        let error = Table::open(&path).err().expect("refused").to_string();
        assert!(error.contains(problem), "{error}");
    }
}
