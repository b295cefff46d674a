//! Strong tables: correct, complete, resumable, and suspicious of everything on disk.

use std::fs;
use std::path::{Path, PathBuf};

use papamu_base::Progress;
use papamu_game::{Game, Player};
use papamu_games::Konane;
use papamu_games::konane::Position;
use papamu_search::reference;
use papamu_tables::TableError;
use papamu_tables::konane::verify::{check_hashes, check_logic};
use papamu_tables::konane::{BuildReport, Table, TableBuild, read_board};

fn build(board: &str, directory: &Path) -> Result<BuildReport, TableError> {
    let game = read_board(board).expect("a board");
    TableBuild::complete(&game).expect("small").run(Some(directory), &Progress::new())
}

/// A directory for tests, and the name of a table in it.
fn place(name: &str) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join(name);
    (directory, path)
}

fn minimax(game: &Konane, position: &Position) -> papamu_game::Value {
    reference::solve(game, position, &Konane::CAPABILITIES, 4 << 30, &Progress::new())
        .expect("fits")
        .value
}

/// A position after random moves from the start, and one with random stones.
fn random_positions(game: &Konane, random: &mut fastrand::Rng) -> [Position; 2] {
    let mut position = game.start();
    let mut moves = Vec::new();
    for _ in 0..random.usize(8..20) {
        moves.clear();
        game.moves(&position, &mut moves);
        let Some(mv) = random.choice(&moves) else { break };
        game.play(&mut position, mv);
    }
    let side = if random.bool() { Player::First } else { Player::Second };
    let occupied = random.u64(..) & game.board().squares;
    [position, Position { occupied, side }]
}

#[test]
fn values_are_those_of_minimax() {
    for (board, games) in
        [("1x9", 50), ("3x3", 100), ("4x4", 500), ("3x6", 500), ("5x5", 5000), ("6x5", 5000)]
    {
        let (_keep, path) = place(board);
        build(board, &path).expect("built");
        let table = Table::open(&path).expect("a table");
        let game = table.game();
        assert_eq!(table.value(&game.start()), Ok(Some(minimax(game, &game.start()))), "{board}");
        let mut random = fastrand::Rng::with_seed(board.len() as u64);
        for _ in 0..games {
            for position in random_positions(game, &mut random) {
                assert_eq!(
                    table.value(&position),
                    Ok(Some(minimax(game, &position))),
                    "{}",
                    game.write(&position)
                );
            }
        }
    }
}

/// The same for 6x6: random stones by minimax, half as many positions of games by df-pn. It takes 5
/// GiB of memory, 2 GiB of disk and minutes: `cargo test --release -p papamu-tables -- --ignored`.
#[test]
#[ignore = "takes 5 GiB and minutes: cargo test --release -p papamu-tables --test strong -- --ignored"]
fn values_of_6x6_are_those_of_searches() {
    use papamu_search::options::{Algorithm, Options};
    use papamu_search::run::Monitor;
    use papamu_search::solver::{Helpers, solve};

    let (_keep, path) = place("6x6");
    build("6x6", &path).expect("built");
    let table = Table::open(&path).expect("a table");
    let game = table.game();
    let options = Options { memory_bytes: 64 << 20, ..Options::default() };
    let mut random = fastrand::Rng::with_seed(66);
    for i in 0..10_000 {
        let [of_game, of_stones] = random_positions(game, &mut random);
        assert_eq!(
            table.value(&of_stones),
            Ok(Some(minimax(game, &of_stones))),
            "{}",
            game.write(&of_stones)
        );
        if i % 2 == 1 {
            continue;
        }
        let helpers = Helpers::default();
        let monitor = Monitor::new();
        let searched = solve(game, &of_game, Algorithm::DfPn, &options, &helpers, &monitor);
        let searched = searched.expect("solved").value;
        assert_eq!(table.value(&of_game), Ok(Some(searched)), "{}", game.write(&of_game));
    }
}

#[test]
fn tables_verify() {
    for board in ["1x1", "2x3", "3x3", "1x12", "4x4", "3x5"] {
        let (_keep, path) = place(board);
        build(board, &path).expect("built");
        let table = Table::open(&path).expect("a table");
        assert_eq!(check_hashes(&table, &Progress::new()), Ok(Vec::new()));
        let (all, wrong) = check_logic(&table, None, 0, &Progress::new()).expect("read");
        assert_eq!(wrong, None, "{board}");
        // A sample larger than the table is the whole table.
        for sample in [all / 2, all * 2] {
            let checked = check_logic(&table, Some(sample), 5, &Progress::new()).expect("read");
            assert_eq!(checked, (sample.min(all), None), "{board}");
        }
    }
}

/// A build that finds some layers continues and makes the same files.
#[test]
fn interrupted_builds_go_on() {
    for board in ["4x5", "5x5", "2x7", "1x13"] {
        let (_keep, path) = place("whole");
        build(board, &path).expect("built");
        let files: Vec<PathBuf> =
            fs::read_dir(&path).expect("files").map(|file| file.expect("a file").path()).collect();
        let layers = files.iter().filter(|file| file.to_string_lossy().contains("black")).count();
        for finished in [0, 1, layers / 2, layers] {
            let again = path.with_file_name(format!("again-{finished}"));
            let partial = path.with_file_name(format!("again-{finished}.partial"));
            fs::create_dir(&partial).expect("a directory");
            for stones in 0..finished {
                for player in ["black", "white"] {
                    let name = format!("{player}-{stones:02}.rows");
                    if path.join(&name).exists() {
                        fs::copy(path.join(&name), partial.join(&name)).expect("copied");
                    }
                }
            }
            // A file that was being written when the build was interrupted.
            fs::write(partial.join("black-03.new"), b"PAPA").expect("written");
            let built = build(board, &again).expect("built");
            assert_eq!(built.resumed_layers as usize, finished.min(layers - 1));
            assert!(!partial.exists());
            for file in &files {
                let name = file.file_name().expect("a name");
                let same =
                    fs::read(file).expect("read") == fs::read(again.join(name)).expect("read");
                assert!(same, "{board}, {name:?} after {finished} layers");
            }
        }
    }
}

#[test]
fn existing_directories_are_left_alone() {
    let (_keep, path) = place("table");
    build("3x3", &path).expect("built");
    assert!(matches!(build("3x4", &path), Err(TableError::Exists { .. })));
    // The layers of another board in the partial directory.
    let other = path.with_file_name("other");
    fs::rename(&path, path.with_file_name("other.partial")).expect("renamed");
    assert!(matches!(build("3x4", &other), Err(TableError::Foreign { .. })));
}

/// A single flipped bit anywhere is found, in the file in which it is.
#[test]
fn every_flipped_bit_is_found() {
    let (_keep, path) = place("table");
    build("3x3", &path).expect("built");
    let mut random = fastrand::Rng::with_seed(3);
    for file in fs::read_dir(&path).expect("files") {
        let file = file.expect("a file").path();
        let whole = fs::read(&file).expect("read");
        // Every byte of the list, and many of the layers: their headers end with zeroes.
        let list = file.extension().is_some_and(|extension| extension == "json");
        let padding = |at: &usize| (300..=4090).contains(at) && !list;
        for at in (0..whole.len()).filter(|at| !padding(at) || at % 251 == 0) {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << random.u8(..8);
            fs::write(&file, &bytes).expect("written");
            let error = match Table::open(&path) {
                Ok(table) => {
                    let damaged = check_hashes(&table, &Progress::new()).expect("not stopped");
                    damaged.into_iter().next().map(TableError::from)
                }
                Err(error) => Some(error),
            };
            let error = error.unwrap_or_else(|| panic!("byte {at} of {}", file.display()));
            let name = file.file_name().expect("a name").to_string_lossy();
            let named = error.to_string().contains(&*name);
            // A changed list may name a board or files that are not there.
            assert!(named || name == "table.json", "byte {at}: {error}");
        }
        fs::write(&file, &whole).expect("written");
    }
    let table = Table::open(&path).expect("a table");
    assert_eq!(check_hashes(&table, &Progress::new()), Ok(Vec::new()));
}

#[test]
fn other_things_than_tables_are_refused() {
    let (_keep, path) = place("table");
    assert!(matches!(Table::open(&path), Err(TableError::NotATable { .. })));
    build("4x4", &path).expect("built");
    let layer = path.join("black-03.rows");
    let whole = fs::read(&layer).expect("read");
    let refused = |bytes: &[u8], expected: &str| {
        fs::write(&layer, bytes).expect("written");
        let error = Table::open(&path).err().expect("refused").to_string();
        assert!(error.contains(expected), "{error}");
    };
    refused(&whole[..whole.len() - 1], "bytes and should have");
    refused(&whole[..1000], "bytes and should have");
    refused(&whole[..20], "cut off in its header");
    refused(b"", "does not begin with PAPAMUST");
    refused(b"GIF89a and the rest of a picture", "does not begin with PAPAMUST");
    let mut newer = whole.clone();
    newer[8] = 4;
    refused(&newer, "has format version 4, this program reads 2 and 3");
    newer[8] = 3;
    refused(&newer, "its version is that of another kind of table");
    refused(&fs::read(path.join("black-02.rows")).expect("read"), "does not fit its name");
    let (_other_keep, other) = place("other");
    build("4x5", &other).expect("built");
    refused(
        &fs::read(other.join("black-03.rows")).expect("read"),
        "is of konane 4x5, not of konane 4x4",
    );
    fs::remove_file(&layer).expect("removed");
    assert!(matches!(Table::open(&path), Err(TableError::File(_))));
}

/// A table whose hashes are all right but whose content is wrong: the specified format, written by
/// independent code.
#[test]
fn wrong_entries_are_found() {
    let (_keep, path) = place("table");
    build("3x4", &path).expect("built");
    let file = path.join("black-03.rows");
    let old = fs::read(&file).expect("read");
    let header_length = u32::from_le_bytes(old[12..16].try_into().expect("4 bytes")) as usize;
    let header: serde_json::Value =
        serde_json::from_slice(&old[16..16 + header_length]).expect("JSON");
    let number = |name: &str| header[name].as_u64().expect("a number") as usize;
    let data = number("data_bytes");
    let mut bytes = old.clone();
    bytes[4096 + data / 2] ^= 4;
    let hash = *blake3::hash(&bytes[4096..4096 + data]).as_bytes();
    bytes[4096 + data..4096 + data + 32].copy_from_slice(&hash);
    let whole = blake3::hash(&[&bytes[..4096], &hash[..]].concat());
    bytes[4096 + data + 32..].copy_from_slice(whole.as_bytes());
    fs::write(&file, &bytes).expect("written");
    let list = path.join("table.json");
    let text = fs::read_to_string(&list).expect("read");
    let old_hash = blake3::Hash::from_slice(&old[old.len() - 32..]).expect("a hash").to_hex();
    let json = text.lines().next().expect("a line").replace(&*old_hash, &whole.to_hex());
    fs::write(&list, format!("{json}\n{}\n", blake3::hash(json.as_bytes()).to_hex()))
        .expect("written");

    let table = Table::open(&path).expect("a table");
    assert_eq!(check_hashes(&table, &Progress::new()), Ok(Vec::new()), "all hashes are right");
    let (_, wrong) = check_logic(&table, None, 0, &Progress::new()).expect("read");
    let wrong = wrong.expect("the entry is wrong");
    let game = table.game();
    // The entry itself, or one that leads to it.
    let mut moves = Vec::new();
    game.moves(&wrong.position, &mut moves);
    let children = moves.iter().map(|mv| {
        let mut child = wrong.position;
        game.play(&mut child, mv);
        child
    });
    let mut near = std::iter::once(wrong.position).chain(children);
    assert!(near.any(|position| table.value(&position) != Ok(Some(minimax(game, &position)))));
    let (all, _) = check_logic(&table, None, 0, &Progress::new()).expect("read");
    let finds = |seed: u64| {
        check_logic(&table, Some(all - 1), seed, &Progress::new()).expect("read").1.is_some()
    };
    assert!((0..20).any(finds), "samples of nearly the size of the table find it");
}
