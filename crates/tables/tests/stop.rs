//! Long work ends soon after a stop, and finished layers stay.

mod common;

use std::fs;

use common::{Kind, build, files, place, table_build};
use papamu_base::{Progress, Stop, Stopped};
use papamu_tables::TableError;
use papamu_tables::konane::train::Samples;
use papamu_tables::konane::verify::{check_hashes, check_logic};
use papamu_tables::konane::{StateCount, Table, read_board};

/// Starts some work and stops it in the middle.
fn stopped_after<T: Send>(part: f64, work: impl FnOnce(&Progress) -> T + Send) -> T {
    let stop = Stop::new();
    let progress = Progress::with_stop(&stop);
    std::thread::scope(|scope| {
        let work = scope.spawn(|| work(&progress));
        while !work.is_finished() {
            let total = progress.total().unwrap_or(u64::MAX);
            if progress.done() as f64 >= part * total as f64 {
                stop.set();
            }
            std::thread::yield_now();
        }
        work.join().expect("no panic")
    })
}

fn already_stopped() -> Progress {
    let stop = Stop::new();
    stop.set();
    Progress::with_stop(&stop)
}

#[test]
fn stopped_builds_keep_their_layers_and_go_on() {
    let kinds: [Kind; 3] = [("6x5", None), ("5x5", None), ("7x7", Some(7))];
    for kind in kinds {
        let (_keep, path) = place("table");
        let whole = path.with_file_name("whole");
        build(kind, &whole).expect("built");
        let stopped = stopped_after(0.5, |progress| table_build(kind).run(Some(&path), progress));
        assert!(matches!(stopped, Err(TableError::Stopped(Stopped))), "{kind:?}");
        assert!(!path.exists());
        let partial = path.with_file_name("table.partial");
        let finished = files(&partial);
        assert!(!finished.is_empty(), "{kind:?}");
        for file in &finished {
            // There are only whole layers.
            let same = whole.join(file.file_name().expect("a name"));
            assert!(fs::read(file).expect("read") == fs::read(same).expect("read"), "{file:?}");
        }
        // Stopped again before anything was done.
        let again = table_build(kind).run(Some(&path), &already_stopped());
        assert!(matches!(again, Err(TableError::Stopped(Stopped))));
        assert_eq!(files(&partial), finished);
        let report = build(kind, &path).expect("built");
        assert!(report.resumed_layers > 0 && report.wins.is_none(), "{kind:?}");
        for file in files(&whole) {
            let same = path.join(file.file_name().expect("a name"));
            assert!(fs::read(&file).expect("read") == fs::read(same).expect("read"), "{file:?}");
        }
        // Neither the lock nor anything else is left beside the tables.
        assert_eq!(files(path.parent().expect("a directory")), [path, whole]);
    }
}

#[test]
fn all_long_work_can_be_stopped() {
    let (_keep, path) = place("5x5");
    build(("5x5", None), &path).expect("built");
    let table = Table::open(&path).expect("a table");
    assert_eq!(check_hashes(&table, &already_stopped()), Err(Stopped));
    for sample in [None, Some(1000)] {
        let checked = check_logic(&table, sample, 1, &already_stopped());
        assert!(matches!(checked, Err(TableError::Stopped(Stopped))));
    }
    let checked = stopped_after(0.1, |progress| check_logic(&table, None, 1, progress));
    assert!(matches!(checked, Err(TableError::Stopped(Stopped))));

    let count = StateCount::new(&read_board("6x5").expect("a board")).expect("small");
    for part in [0.1, 0.7] {
        let counted = stopped_after(part, |progress| count.run(progress));
        assert!(matches!(counted, Err(TableError::Stopped(Stopped))), "{part}");
    }

    let mut samples = Samples::new();
    let played = samples.add_games(&table, 1000, 1, &already_stopped());
    assert!(matches!(played, Err(TableError::Stopped(Stopped))));
    samples.add_games(&table, 1000, 1, &Progress::new()).expect("played");
    assert_eq!(samples.train(5, 1, &already_stopped()).err(), Some(Stopped));
    assert!(samples.train(5, 1, &Progress::new()).is_ok());

    let stop = Stop::new();
    stop.set();
    let probed = table.probe(&table.game().start(), 1_000_000, &stop);
    assert!(matches!(probed, Err(TableError::Stopped(Stopped))));
}
