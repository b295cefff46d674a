//! Jobs: interrupted ones are resumed, files in use stay, and hostile checkpoints decide nothing.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use papamu_base::file::{FileLock, LockError};
use papamu_game::tiny::{Dodgem, MuTorere, TicTacToe};
use papamu_game::{Game, Guided, Question, RunKey, Value};
use papamu_games::{Konane, Sprouts};
use papamu_search::checkpoint::{self, CheckpointError, Header, Subject};
use papamu_search::job::{Checkpointing, Job, JobError, Solved};
use papamu_search::numbers::Numbers;
use papamu_search::options::{Algorithm, Options};
use papamu_search::problem::Oracle;
use papamu_search::run::{Monitor, Store};
use papamu_search::table::Data;

const MEMORY_BYTES: usize = 64 << 20;

fn options() -> Options {
    Options { memory_bytes: MEMORY_BYTES, ..Options::default() }
}

/// Knows no value, counts the questions, and stops the search after a while.
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

/// A sitting in which the oracle sees this many positions.
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

/// Several sittings give the same value as one, and leave nothing behind.
fn sittings_give_the_value<G: Guided>(text: &str, value: Value) {
    let directory = tempfile::tempdir().expect("a directory");
    for algorithm in Algorithm::SEARCHES {
        for keeps_solved in [false, true] {
            let file = directory.path().join("kept");
            let (whole, asked) = sitting::<G>(text, algorithm, &file, u64::MAX, keeps_solved);
            let whole = whole.expect("an answer");
            assert_eq!((whole.solution.value, whole.resumed), (value, false), "{algorithm}");
            let last =
                if value == Value::Win || !G::DRAWS { Question::Wins } else { Question::Holds };
            let has_solved = keeps_solved || algorithm == Algorithm::DfPn;
            assert_eq!(whole.memory.solved(last).is_some(), has_solved, "{algorithm}");
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
    sittings_give_the_value::<Konane>("6x5", Value::Loss);
}

/// Both questions of a game with draws can be interrupted.
#[test]
fn both_questions_are_resumed() {
    sittings_give_the_value::<TicTacToe>("start", Value::Draw);
}

/// Provisional results are kept as such.
#[test]
fn games_that_go_in_circles_are_resumed() {
    sittings_give_the_value::<Dodgem>("3x3", Value::Win);
    sittings_give_the_value::<MuTorere>("12", Value::Draw);
}

/// A job that is not interrupted.
fn job<'a>(
    (game, position): &'a (Konane, <Konane as Game>::Position),
    algorithm: Algorithm,
    options: &'a Options,
    file: &'a Path,
    resume_from: Option<&'a Path>,
) -> Job<'a, Konane> {
    let interval = Duration::from_secs(60);
    let checkpoint = Some(Checkpointing { file, resume_from, interval });
    Job { game, position, algorithm, options, oracles: &[], checkpoint, keeps_solved: false }
}

/// A second run neither uses nor removes the files of the first.
#[test]
fn files_in_use_are_left_alone() {
    let directory = tempfile::tempdir().expect("a directory");
    let [first, second] = ["first", "second"].map(|name| directory.path().join(name));
    let (stopped, _) = sitting::<Konane>("6x5", Algorithm::DfPn, &first, 1000, false);
    assert!(matches!(stopped, Err(JobError::Stopped { .. })));
    let (options, start) = (options(), Konane::read("6x5").expect("a board"));
    let job = |file, resume_from| job(&start, Algorithm::DfPn, &options, file, resume_from);
    let run = |file, resume_from| job(file, resume_from).run(&Monitor::new());
    let lock = FileLock::new(&first).expect("free");
    for (file, resume_from) in [
        (&*first, None),
        (&*first, Some(&*first)),
        // It would read a file that another job is about to remove.
        (&*second, Some(&*first)),
    ] {
        let busy = run(file, resume_from);
        assert!(matches!(busy, Err(JobError::Lock(LockError::Busy { .. }))));
        assert!(first.exists() && !second.exists());
    }
    drop(lock);
    // A new search does not replace the file of an old one.
    assert!(matches!(run(&first, None), Err(JobError::Exists { path }) if path == first));
    let solved = run(&second, Some(&first)).expect("an answer");
    assert_eq!((solved.solution.value, solved.resumed), (Value::Loss, true));
    assert_eq!(names(directory.path()), ["first"], "what was read is left");
}

/// Temporary files of a killed program are removed by the next one.
#[test]
fn stale_temporary_files_are_removed() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("kept");
    std::fs::write(directory.path().join(".kept.abcdef.papamu-tmp"), b"half").expect("written");
    sitting::<Konane>("4x4", Algorithm::DfPn, &file, u64::MAX, false).0.expect("an answer");
    assert_eq!(names(directory.path()), [""; 0]);
}

/// Checkpoints of the previous version, interrupted early.
const OLD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/konane-6x5");

#[test]
fn checkpoints_of_version_3_are_resumed() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("kept");
    for algorithm in Algorithm::SEARCHES {
        let old = PathBuf::from(format!("{OLD}-{algorithm}-v3.checkpoint"));
        let header = checkpoint::peek(&old).expect("a checkpoint");
        assert_eq!(header.subject.rules, None);
        std::fs::copy(&old, &file).expect("copied");
        let (solved, _) = sitting::<Konane>("6x5", algorithm, &file, u64::MAX, false);
        let Solved { solution, seconds, resumed, .. } = solved.expect("an answer");
        assert_eq!((solution.value, resumed), (Value::Loss, true), "{algorithm}");
        assert!(solution.nodes > header.nodes && seconds > header.seconds, "{algorithm}");
    }
}

/// The header and the words of the body of a checkpoint.
fn unpack(path: &Path) -> (Header, Vec<u64>) {
    let bytes = std::fs::read(path).expect("a checkpoint");
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four")) as usize;
    let body = &bytes[16 + length..bytes.len() - 32];
    let body = zstd::decode_all(body).expect("compressed");
    let words = body.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word));
    (checkpoint::peek(path).expect("a header"), words.collect())
}

/// A checkpoint with arbitrary content and the right hash.
fn pack(path: &Path, header: &Header, words: &[u64]) {
    let header = serde_json::to_vec(header).expect("JSON");
    let body: Vec<u8> = words.iter().copied().flat_map(u64::to_le_bytes).collect();
    let body = zstd::encode_all(&body[..], 1).expect("compressed");
    let (version, length) = (3_u32.to_le_bytes(), (header.len() as u32).to_le_bytes());
    let mut bytes = [&b"PAPAMUCP"[..], &version, &length, &header, &body].concat();
    bytes.extend(blake3::hash(&bytes).as_bytes());
    std::fs::write(path, bytes).expect("written");
}

/// The table of a checkpoint says that the root is won. It is lost.
#[test]
fn a_solved_root_in_a_table_decides_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("kept");
    let (game, start) = Konane::read("6x5").expect("a board");
    for algorithm in [Algorithm::AlphaBeta, Algorithm::DfPn] {
        let (stopped, _) = sitting::<Konane>("6x5", algorithm, &file, 500, true);
        assert!(matches!(stopped, Err(JobError::Stopped { .. })));
        let (header, words) = unpack(&file);
        let won = Data::new(Numbers::WON, 1 << 30).to_word();
        // The lines in use; then a chunk of one entry before all others.
        let words = [&words[..1], &[1, game.key(&start), won], &words[1..]].concat();
        pack(&file, &header, &words);
        let (solved, _) = sitting::<Konane>("6x5", algorithm, &file, u64::MAX, true);
        let solved = solved.expect("an answer");
        assert_eq!((solved.solution.value, solved.resumed), (Value::Loss, true), "{algorithm}");
        let store = solved.memory.solved(Question::Wins).expect("wanted");
        let known = store.table.get_solved(game.key(&start));
        assert_eq!(known.map(Data::numbers), Some(Numbers::LOST), "{algorithm}");
        solved.checkpoint.expect("kept").remove().expect("removed");
    }
}

/// The tree of a checkpoint says that the root is won.
#[test]
fn a_tree_with_a_solved_root_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("kept");
    for algorithm in [Algorithm::Pns, Algorithm::Pn2] {
        let (stopped, _) = sitting::<Konane>("6x5", algorithm, &file, 500, false);
        assert!(matches!(stopped, Err(JobError::Stopped { .. })));
        let (header, words) = unpack(&file);
        // No table; a tree of one node without children; the end.
        let won = Data::new(Numbers::WON, 0).to_word() & !0xffff;
        pack(&file, &header, &[words[0], 0, 1, won, 0]);
        let (refused, _) = sitting::<Konane>("6x5", algorithm, &file, u64::MAX, false);
        let Err(JobError::Checkpoint(error)) = refused else { panic!("{algorithm}") };
        assert!(error.to_string().contains("its tree says that the search is over"), "{error}");
        std::fs::remove_file(&file).expect("it stays");
    }
}

/// Files say which rules they are of.
#[test]
fn checkpoints_of_other_rules_are_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("kept");
    let (stopped, _) = sitting::<Konane>("6x5", Algorithm::DfPn, &file, 500, false);
    assert!(matches!(stopped, Err(JobError::Stopped { .. })));
    let (mut header, words) = unpack(&file);
    let (game, _) = Konane::read("6x5").expect("a board");
    assert_eq!(header.subject.rules, Some(game.options().to_string()));
    header.subject.rules = Some("misere".to_owned());
    pack(&file, &header, &words);
    let (refused, _) = sitting::<Konane>("6x5", Algorithm::DfPn, &file, u64::MAX, false);
    let Err(JobError::Checkpoint(CheckpointError::Foreign { part, found, .. })) = refused else {
        panic!("refused");
    };
    assert_eq!((part, &*found), ("rules", "misere"));
}

/// Keys that differ from run to run mean nothing in a file.
#[test]
fn keys_of_one_run_are_not_written() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("kept");
    let (game, position) = Sprouts::read("0*3").expect("a start");
    let checkpoint =
        Checkpointing { file: &file, resume_from: None, interval: Duration::from_secs(1) };
    let refused = Job {
        game: &game,
        position: &position,
        algorithm: Algorithm::DfPn,
        options: &options(),
        oracles: &[],
        checkpoint: Some(checkpoint),
        keeps_solved: false,
    }
    .run(&Monitor::new());
    let unstable = |error: &CheckpointError| matches!(error, CheckpointError::UnstableKeys { game } if game == "sprouts");
    assert!(matches!(refused, Err(JobError::Checkpoint(error)) if unstable(&error)));
    let subject = Subject::new(&game, &position, Algorithm::DfPn, Question::Wins);
    let store = Store::<RunKey>::new(Algorithm::DfPn, 1 << 20).expect("memory");
    assert!(unstable(&checkpoint::read(&file, &subject, &store).expect_err("refused")));
    let header = Header { subject, nodes: 0, expansions: 0, seconds: 0.0 };
    assert!(unstable(&checkpoint::write(&file, &header, &store).expect_err("refused")));
    assert_eq!(names(directory.path()), [""; 0]);
}

/// The first oracle that knows a position answers.
#[test]
fn oracles_are_asked_in_turn() {
    struct Says(Option<Value>, AtomicU64);
    impl Oracle<Konane> for Says {
        fn value(&self, _: &Konane, _: &<Konane as Game>::Position) -> Option<Value> {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0
        }
    }
    let (game, position) = Konane::read("6x5").expect("a board");
    let [unsure, sure, never] =
        [None, Some(Value::Win), Some(Value::Loss)].map(|value| Says(value, AtomicU64::new(0)));
    let solved = Job {
        game: &game,
        position: &position,
        algorithm: Algorithm::DfPn,
        options: &options(),
        oracles: &[&unsure, &sure, &never],
        checkpoint: None,
        keeps_solved: false,
    }
    .run(&Monitor::new())
    .expect("an answer");
    assert_eq!(solved.solution.value, Value::Win);
    let [unsure, sure, never] = [unsure, sure, never].map(|oracle| oracle.1.into_inner());
    assert!(unsure == sure && sure > 0 && never == 0);
}

/// The signature of df-pn: a job adds no nodes.
#[test]
fn nodes_of_6x6() {
    let (game, position) = Konane::read("6x6").expect("a board");
    let solved = Job {
        game: &game,
        position: &position,
        algorithm: Algorithm::DfPn,
        options: &Options::default(),
        oracles: &[],
        checkpoint: None,
        keeps_solved: false,
    }
    .run(&Monitor::new())
    .expect("an answer");
    assert_eq!((solved.solution.value, solved.solution.nodes), (Value::Loss, 721_217));
}
