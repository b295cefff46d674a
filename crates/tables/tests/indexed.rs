//! Tables of games with an index: every value against iteration over all positions and against the
//! reference solver, however the table is built.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use papamu_base::{Progress, Stop};
use papamu_game::tiny::{Dodgem, MuTorere, TicTacToe};
use papamu_game::{Capabilities, Entry, Game, Indexed, PositionIndex, Value};
use papamu_search::reference;
use papamu_tables::TableError;
use papamu_tables::indexed::verify::{check_hashes, check_logic};
use papamu_tables::indexed::{
    BuildReport, Table, TableBuild, TableOptions, TableOracle, class_stats,
};

const DISTANCES: TableOptions =
    TableOptions { most_stones: None, distances: true, by_passes: false };

fn game<G: Game>(board: &str) -> G {
    G::read(board).expect("a board").0
}

fn build<G: Indexed>(board: &str, options: TableOptions, directory: &Path) -> BuildReport {
    let build = TableBuild::new(&game::<G>(board), options).expect("small");
    build.run(Some(directory), &Progress::new()).expect("built")
}

/// All positions of an index.
fn positions<G: Indexed>(index: &G::Index) -> Vec<G::Position> {
    let classes = 0..index.classes();
    let entries = classes
        .flat_map(|class| (0..index.entries(class)).map(move |index| Entry { class, index }));
    entries.filter_map(|entry| index.position(entry)).collect()
}

/// The values of all positions with their distances, by iteration that knows nothing of entries:
/// at each step, what follows from the steps before it.
fn by_iteration<G: Indexed>(
    game: &G,
    positions: &[G::Position],
) -> HashMap<G::Position, (Value, u32)> {
    let children = |position: &G::Position| -> Vec<G::Position> {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let after = |mv: &G::Move| {
            let mut child = position.clone();
            game.play(&mut child, mv);
            child
        };
        moves.iter().map(after).collect()
    };
    let mut known: HashMap<G::Position, (Value, u32)> = HashMap::new();
    let mut open: Vec<(G::Position, Vec<G::Position>)> = Vec::new();
    let mut seen: std::collections::HashSet<G::Position> = positions.iter().cloned().collect();
    let mut waiting = positions.to_vec();
    while let Some(position) = waiting.pop() {
        let after = children(&position);
        for child in &after {
            if seen.insert(child.clone()) {
                waiting.push(child.clone());
            }
        }
        match after.is_empty() {
            true => drop(known.insert(position.clone(), (game.final_value(&position), 0))),
            false => open.push((position, after)),
        }
    }
    for plies in 1.. {
        let mut found = Vec::new();
        open.retain(|(position, after)| {
            let is = |child: &G::Position, value| known.get(child).is_some_and(|of| of.0 == value);
            let value = if after.iter().any(|child| is(child, Value::Loss)) {
                Value::Win
            } else if after.iter().all(|child| is(child, Value::Win)) {
                Value::Loss
            } else {
                return true;
            };
            found.push((position.clone(), (value, plies)));
            false
        });
        if found.is_empty() {
            break;
        }
        known.extend(found);
    }
    known.extend(open.into_iter().map(|(position, _)| (position, (Value::Draw, 0))));
    known
}

fn agrees<G: Indexed>(board: &str) {
    let game = game::<G>(board);
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("table");
    let report = build::<G>(board, DISTANCES, &path);
    let table = Table::<G>::open(&path).expect("a table");
    let positions = positions::<G>(table.index());
    assert_eq!(report.counts.positions(), positions.len() as u64);
    let known = by_iteration(&game, &positions);
    for position in known.keys() {
        let (value, plies) = known[position];
        let text = game.write(position);
        assert_eq!(table.value(position), Ok(Some(value)), "{text}");
        let plies = (value != Value::Draw).then_some(plies);
        assert_eq!(table.plies_to_end(position), Ok(plies), "{text}");
    }
    // The reference solver, from a few positions.
    for position in positions.iter().step_by(positions.len() / 20 + 1) {
        let solution =
            reference::solve(&game, position, &Capabilities::NONE, 1 << 30, &Progress::new());
        let value = solution.expect("small").value;
        assert_eq!(table.value(position), Ok(Some(value)), "{}", game.write(position));
        let probe = table.probe(position).expect("known");
        assert_eq!(probe.value, value);
        assert!(probe.moves.is_sorted_by_key(|mv| std::cmp::Reverse(mv.value)));
        if let Some(best) = probe.moves.first() {
            assert_eq!((best.value, best.plies_to_end), (value, probe.plies_to_end));
        }
    }
    let all = TableBuild::new(&game, DISTANCES).expect("small").entries();
    assert_eq!(check_hashes(&table, &Progress::new()), Ok(Vec::new()));
    let checked = check_logic(&table, None, 1, &Progress::new()).expect("readable");
    assert_eq!(checked, (all, None));
    let stats = class_stats(&table, &Progress::new()).expect("readable");
    let of_stats: u64 =
        stats.iter().flat_map(|class| class.counts).map(|counts| counts.positions()).sum();
    assert_eq!(of_stats, report.counts.positions());
    let longest = stats.iter().filter_map(|class| Some(class.longest.as_ref()?.plies)).max();
    let won = known.values().filter(|(value, _)| *value == Value::Win);
    assert_eq!(longest, won.map(|(_, plies)| *plies).max());
}

#[test]
fn every_value_of_dodgem() {
    agrees::<Dodgem>("3x3");
    agrees::<Dodgem>("4x4");
}

#[test]
fn every_value_of_mu_torere() {
    for board in ["4", "8", "12"] {
        agrees::<MuTorere>(board);
    }
}

#[test]
fn every_value_of_tic_tac_toe() {
    agrees::<TicTacToe>("3x3");
}

/// The bytes of all files of a table.
fn bytes(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let files = fs::read_dir(directory).expect("a directory").map(|file| {
        let file = file.expect("a file");
        (file.file_name().to_string_lossy().into_owned(), fs::read(file.path()).expect("bytes"))
    });
    let mut files: Vec<_> = files.collect();
    files.sort();
    files
}

fn is_the_same<G: Indexed>(board: &str) {
    let place = tempfile::tempdir().expect("a directory");
    let path = |name: &str| place.path().join(name);
    let with = |threads: usize, by_passes: bool| {
        let name = format!("{threads}-{by_passes}");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let options = TableOptions { by_passes, ..DISTANCES };
        pool.install(|| build::<G>(board, options, &path(&name)));
        bytes(&path(&name))
    };
    let one = with(1, false);
    for (threads, by_passes) in [(2, false), (3, false), (1, true), (3, true)] {
        assert!(with(threads, by_passes) == one, "{board} {threads} {by_passes}");
    }
    // Without distances the values are the same, and so are the counts without files.
    build::<G>(board, TableOptions::default(), &path("values"));
    let values = bytes(&path("values"));
    assert!(values.iter().filter(|(name, _)| name.ends_with(".values")).all(|of| one.contains(of)));
    let in_memory = TableBuild::new(&game::<G>(board), DISTANCES).expect("small");
    let in_memory = in_memory.run(None, &Progress::new()).expect("built").counts;
    let stats = class_stats(&Table::<G>::open(&path("values")).expect("opens"), &Progress::new());
    let wins: u64 =
        stats.expect("readable").iter().flat_map(|of| of.counts).map(|of| of.wins).sum();
    assert_eq!(in_memory.wins, wins);
    let table = Table::<G>::open(&path("values")).expect("opens");
    assert_eq!(check_logic(&table, None, 1, &Progress::new()).expect("readable").1, None);
}

/// One, two and three threads, with un-moves and in passes: the same bytes.
#[test]
fn every_way_makes_the_same_table() {
    is_the_same::<Dodgem>("3x3");
    is_the_same::<Dodgem>("4x4");
    is_the_same::<MuTorere>("8");
    is_the_same::<TicTacToe>("3x3");
}

/// A build that is stopped again and again gets on, and ends with the same table.
#[test]
fn builds_are_resumed() {
    let place = tempfile::tempdir().expect("a directory");
    let (whole, parts) = (place.path().join("whole"), place.path().join("parts"));
    build::<Dodgem>("4x4", DISTANCES, &whole);
    let build_parts = TableBuild::new(&game::<Dodgem>("4x4"), DISTANCES).expect("small");
    let mut stops = 0;
    let report = loop {
        let stop = Stop::new();
        let progress = Progress::with_stop(&stop);
        let partial = place.path().join("parts.partial");
        let has = fs::read_dir(&partial).map_or(0, |files| files.count());
        // Stops as soon as there are more files than before.
        let report = std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                while !stop.is_set() && fs::read_dir(&partial).map_or(0, |of| of.count()) < has + 4
                {
                    std::thread::yield_now();
                }
                stop.set();
            });
            let report = build_parts.run(Some(&parts), &progress);
            stop.set();
            watcher.join().expect("ended");
            report
        });
        match report {
            Ok(report) => break report,
            Err(TableError::Stopped(_)) => stops += 1,
            Err(error) => panic!("{error}"),
        }
        assert!(stops < 1000, "it gets on");
    };
    assert!(stops > 0 && report.resumed_classes > 0, "{stops} {report:?}");
    assert!(bytes(&whole) == bytes(&parts));
}

/// What a killed build leaves behind: half a file, a stray, a layer that was changed.
#[test]
fn leftovers_are_checked() {
    let place = tempfile::tempdir().expect("a directory");
    let (whole, parts) = (place.path().join("whole"), place.path().join("parts"));
    build::<Dodgem>("3x3", DISTANCES, &whole);
    let partial = place.path().join("parts.partial");
    fs::create_dir(&partial).expect("made");
    for (name, content) in bytes(&whole) {
        fs::write(partial.join(name), content).expect("written");
    }
    let cut = partial.join("class-05.values");
    let content = fs::read(&cut).expect("bytes");
    fs::write(&cut, &content[..content.len() / 2]).expect("written");
    let changed = partial.join("class-06.distances");
    let mut content = fs::read(&changed).expect("bytes");
    content[4100] ^= 1;
    fs::write(&changed, content).expect("written");
    fs::write(partial.join(".class-07.values.1.papamu-tmp"), "x").expect("written");
    let report = build::<Dodgem>("3x3", DISTANCES, &parts);
    assert_eq!(report.resumed_classes, 5);
    assert!(bytes(&whole) == bytes(&parts));
    let again = TableBuild::new(&game::<Dodgem>("3x3"), DISTANCES).expect("small");
    let refused = again.check_directory(&parts).expect_err("it exists");
    assert!(matches!(refused, TableError::Exists { .. }), "{refused}");
}

/// Tables of few cars answer for positions with few cars.
#[test]
fn tables_of_few_stones() {
    let place = tempfile::tempdir().expect("a directory");
    let (few, all) = (place.path().join("few"), place.path().join("all"));
    build::<Dodgem>("4x4", TableOptions { most_stones: Some(4), ..DISTANCES }, &few);
    build::<Dodgem>("4x4", DISTANCES, &all);
    let [few, all] = [few, all].map(|path| Table::<Dodgem>::open(&path).expect("a table"));
    assert_eq!((few.most_stones(), all.most_stones()), (4, 6));
    for position in positions::<Dodgem>(few.index()) {
        assert_eq!(few.value(&position), all.value(&position));
        assert_eq!(few.plies_to_end(&position), all.plies_to_end(&position));
    }
    let (game, start) = Dodgem::read("4x4").expect("a board");
    assert_eq!(few.value(&start), Ok(None));
    assert!(matches!(few.probe(&start), Err(TableError::NotInTable { .. })));
    let all = std::sync::Arc::new(all);
    let oracle = |stones| TableOracle::new(all.clone(), &game, stones, &Stop::new());
    assert_eq!(oracle(Some(5)).expect("fits").value(&start), None);
    let whole = oracle(None).expect("fits");
    assert_eq!((whole.value(&start), whole.hits()), (all.value(&start).expect("whole"), 1));
    assert!(matches!(oracle(Some(7)), Err(TableError::TooManyStones { .. })));
    let (other, _) = Dodgem::read("5x5").expect("a board");
    let refused = TableOracle::new(all.clone(), &other, None, &Stop::new());
    assert!(matches!(refused, Err(TableError::OtherBoard { .. })));
    let none = TableOptions { most_stones: Some(5), ..TableOptions::default() };
    let refused = TableBuild::new(&TicTacToe, none);
    assert!(matches!(refused, Err(TableError::NoIndex { .. })));
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
