//! Jobs: what is stopped goes on, what is in use stays, and hostile checkpoints decide nothing.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use papamu_game::tiny::TicTacToe;
use papamu_game::{Guided, Value};
use papamu_games::Konane;
use papamu_search::job::{Checkpointing, Job, JobError, Solved};
use papamu_search::options::{Algorithm, Options};
use papamu_search::problem::Oracle;
use papamu_search::run::Monitor;

const MEMORY_BYTES: usize = 64 << 20;

fn options() -> Options {
    Options { memory_bytes: MEMORY_BYTES, ..Options::default() }
}

/// Knows nothing, counts how often it is asked, and stops the search after a while.
struct StopAfter<'a> {
    asked: AtomicU64,
    limit: u64,
    monitor: &'a Monitor,
}

impl<G: Guided> Oracle<G> for StopAfter<'_> {
    fn value(&self, _: &G, _: &G::Position) -> Option<Value> {
        if self.asked.fetch_add(1, Ordering::Relaxed) + 1 >= self.limit {
            self.monitor.stop();
        }
        None
    }
}

/// A sitting of so many positions that the oracle sees.
fn sitting<G: Guided>(
    text: &str,
    algorithm: Algorithm,
    file: &Path,
    limit: u64,
    keeps_solved: bool,
) -> (Result<Solved<G>, JobError>, u64) {
    let (game, position) = G::read(text).expect("a position");
    let monitor = Monitor::new();
    let oracle = StopAfter { asked: AtomicU64::new(0), limit, monitor: &monitor };
    let solved = Job {
        game: &game,
        position: &position,
        algorithm,
        options: &options(),
        oracles: &[&oracle],
        checkpoint: Some(Checkpointing {
            file,
            resume_from: file.exists().then_some(file),
            interval: Duration::from_millis(20),
        }),
        keeps_solved,
    }
    .run(&monitor);
    (solved, oracle.asked.into_inner())
}

fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).expect("a directory").flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// In several sittings the value is the same as in one, and nothing is left behind.
fn sittings_give_the_value<G: Guided>(text: &str, value: Value) {
    let directory = tempfile::tempdir().expect("a directory");
    for algorithm in Algorithm::SEARCHES {
        for keeps_solved in [false, true] {
            let file = directory.path().join("kept");
            let (whole, asked) = sitting::<G>(text, algorithm, &file, u64::MAX, keeps_solved);
            let whole = whole.expect("an answer");
            assert_eq!((whole.solution.value, whole.resumed), (value, false), "{algorithm}");
            assert_eq!(whole.store.is_some(), keeps_solved);
            assert_eq!(file.exists(), keeps_solved, "{algorithm}");
            if let Some(checkpoint) = whole.checkpoint {
                checkpoint.remove().expect("removed");
            }
            let mut sittings = 0;
            let last = loop {
                sittings += 1;
                match sitting::<G>(text, algorithm, &file, asked / 3 + 1, keeps_solved).0 {
                    Ok(solved) => break solved,
                    Err(JobError::Stopped { kept_in }) => assert_eq!(kept_in, Some(file.clone())),
                    Err(error) => panic!("{algorithm}: {error}"),
                }
                assert!(sittings < 100, "{algorithm} does not get on");
            };
            assert!(sittings > 1, "{algorithm} was not interrupted");
            assert_eq!((last.solution.value, last.resumed), (value, true), "{algorithm}");
            assert!(last.seconds > 0.0);
            if let Some(checkpoint) = last.checkpoint {
                checkpoint.remove().expect("removed");
            }
            assert_eq!(names(directory.path()), [""; 0]);
        }
    }
}

#[test]
fn interrupted_jobs_give_the_same_value() {
    // White, who moves second, wins it.
    sittings_give_the_value::<Konane>("5x6", Value::Loss);
}

/// Both questions of a game with draws can be interrupted.
#[test]
fn both_questions_are_resumed() {
    sittings_give_the_value::<TicTacToe>("start", Value::Draw);
}
