//! Builds of tables of games with an index: however they are made, the same files.

mod common;

use std::fs;

use common::corridor::Corridor;
use common::indexed::{BY_PASSES, DISTANCES, build, bytes, game, positions};
use papamu_base::{Progress, Stop};
use papamu_game::tiny::{Dodgem, MuTorere, TicTacToe};
use papamu_game::{Game, Indexed};
use papamu_tables::TableError;
use papamu_tables::indexed::verify::check_logic;
use papamu_tables::indexed::{Table, TableBuild, TableOptions, TableOracle, class_stats};

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
    is_the_same::<MuTorere>("4");
    is_the_same::<MuTorere>("8");
    is_the_same::<Corridor>("all");
    is_the_same::<TicTacToe>("3x3");
}

/// A build that is stopped anywhere leaves whole files, goes on after the last of them, and ends
/// with the same table. With one thread it stops at the same point every time.
#[test]
fn builds_are_resumed() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    // Passes look at positions much more often.
    for (options, step) in [(DISTANCES, 97), (BY_PASSES, 9973)] {
        let place = tempfile::tempdir().expect("a directory");
        let [whole, path] = ["whole", "table"].map(|name| place.path().join(name));
        let partial = place.path().join("table.partial");
        build::<Corridor>("all", options, &whole);
        let whole = bytes(&whole);
        let mut files_left = Vec::new();
        for after in (0..).step_by(step) {
            let stop = Stop::new();
            let game = Corridor::that_stops(after, &stop);
            let build_parts = TableBuild::new(&game, options).expect("small");
            let progress = Progress::with_stop(&stop);
            let stopped = pool.install(|| build_parts.run(Some(&path), &progress));
            if stopped.is_ok() {
                // It looked at fewer positions.
                break;
            }
            assert!(matches!(stopped, Err(TableError::Stopped(_))), "{after}: {stopped:?}");
            assert!(!path.exists());
            let left = bytes(&partial);
            assert!(left.iter().all(|file| whole.contains(file)), "{after}");
            let report = build::<Corridor>("all", options, &path);
            assert_eq!(report.resumed_classes as usize, left.len() / 2, "{after}");
            assert!(bytes(&path) == whole, "{after}");
            files_left.push(left.len());
            fs::remove_dir_all(&path).expect("removed");
        }
        assert!(files_left.is_sorted());
        files_left.dedup();
        // Within each class, before its values and before its distances.
        let is_anywhere = files_left == (0..whole.len() - 1).collect::<Vec<_>>();
        assert!(is_anywhere || options.by_passes && files_left.len() > 5, "{files_left:?}");
    }
}

/// A build that is stopped again and again gets on.
#[test]
fn builds_get_on() {
    let place = tempfile::tempdir().expect("a directory");
    let [whole, path] = ["whole", "table"].map(|name| place.path().join(name));
    build::<Corridor>("all", DISTANCES, &whole);
    let mut stops = 0;
    let report = loop {
        // Enough for some files, not for all.
        let stop = Stop::new();
        let game = Corridor::that_stops(3000, &stop);
        let build_parts = TableBuild::new(&game, DISTANCES).expect("small");
        match build_parts.run(Some(&path), &Progress::with_stop(&stop)) {
            Ok(report) => break report,
            Err(TableError::Stopped(_)) => stops += 1,
            Err(error) => panic!("{error}"),
        }
        assert!(stops < 100, "it gets on");
    };
    assert!(stops > 1 && report.resumed_classes > 1, "{stops} {report:?}");
    assert!(bytes(&whole) == bytes(&path));
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
    assert!(matches!(few.probe(&start, 0, &Stop::new()), Err(TableError::NotInTable { .. })));
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
