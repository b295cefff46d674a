//! A search that is interrupted and resumed loses nothing.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use papamu_game::{Game, Question};
use papamu_games::Konane;
use papamu_games::konane::Position;
use papamu_search::checkpoint::{self, Header, Subject};
use papamu_search::numbers::Numbers;
use papamu_search::options::{Algorithm, Options};
use papamu_search::problem::{Problem, Sink};
use papamu_search::run::{Monitor, Store};
use papamu_search::solver::SolveError;
use papamu_search::table::Data;

/// Stops the search after this many solved positions.
struct StopAfter<'a> {
    solved: AtomicU64,
    limit: u64,
    monitor: &'a Monitor,
}

impl Sink<Konane> for StopAfter<'_> {
    fn solved(&self, _: &Konane, _: &Position, _: bool) {
        if self.solved.fetch_add(1, Ordering::Relaxed) + 1 >= self.limit {
            self.monitor.stop();
        }
    }
}

type Answer = checkpoint::Answer<<Konane as Game>::Move>;

/// Searches until this many positions are solved, from a checkpoint if there is one, and writes a
/// checkpoint. Returns the answer and the number of solved positions.
fn search(path: &Path, algorithm: Algorithm, options: &Options, limit: u64) -> (Answer, u64) {
    let (game, position) = Konane::read("6x5").expect("a board");
    let subject = Subject::new(&game, &position, algorithm, Question::Wins);
    let store = Store::new(algorithm, options.memory_bytes).expect("memory");
    let monitor = Monitor::new();
    if path.exists() {
        let header = checkpoint::read(path, &subject, &store).expect("a checkpoint");
        monitor.add_earlier(header.nodes, header.expansions);
    }
    let sink = StopAfter { solved: AtomicU64::new(0), limit, monitor: &monitor };
    let problem = Problem { sink: Some(&sink), ..Problem::new(&game, &position, Question::Wins) };
    let header = || Header {
        subject: subject.clone(),
        nodes: monitor.nodes(),
        expansions: monitor.expansions(),
        seconds: 0.0,
    };
    let interval = std::time::Duration::from_millis(20);
    let search = || algorithm.answer(&problem, options, &store, &monitor);
    let (answer, kept) = checkpoint::keep(path, interval, &store, &monitor, header, false, search);
    kept.expect("a checkpoint was written");
    (answer, sink.solved.into_inner())
}

#[test]
fn nothing_is_lost_by_interruption() {
    let directory = tempfile::tempdir().expect("a directory");
    for algorithm in Algorithm::SEARCHES {
        for threads in [1, 2] {
            let options = Options { threads, memory_bytes: 256 << 20, ..Options::default() };
            let path = directory.path().join(format!("{algorithm}{threads}"));
            let (whole, solved) = search(&path, algorithm, &options, u64::MAX);
            let whole = whole.expect("an answer");
            assert_eq!(whole.won, Some(false), "White wins 6x5");
            assert!(!path.exists(), "a finished search removes its checkpoint");

            let mut sittings = 0;
            let last = loop {
                sittings += 1;
                let (outcome, _) = search(&path, algorithm, &options, solved / 5);
                let outcome = outcome.expect("an answer");
                if outcome.won.is_some() {
                    break outcome;
                }
                assert!(sittings < 100, "{algorithm} does not get on");
            };
            assert!(sittings > 2, "{algorithm} was not interrupted");
            assert_eq!(last.won, whole.won);
            let most = match (algorithm, threads) {
                // Only a few positions that a small table forgets are lost.
                (Algorithm::Pns, _) => whole.nodes / 100 * 102,
                // Each sitting begins at the root, with other thresholds.
                (Algorithm::DfPn, 1) => whole.nodes / 100 * 108,
                // The second-level searches that were running are repeated, and several threads
                // never repeat their order.
                (Algorithm::Pn2 | Algorithm::DfPn, _) => whole.nodes * 2,
                // Alpha-beta begins with depth 1 again, with its table.
                (Algorithm::AlphaBeta, _) => whole.nodes * 5,
                (Algorithm::Reference, _) => unreachable!("it is none of the searches"),
            };
            assert!(
                last.nodes <= most,
                "{algorithm}, {threads} threads: {} nodes in {sittings} sittings, {} in one",
                last.nodes,
                whole.nodes
            );
        }
    }
}

/// A search without an answer leaves its checkpoint. It is rewritten if the memory was full.
#[test]
fn only_an_answer_removes_the_checkpoint() {
    use papamu_base::memory::OutOfMemory;
    use papamu_search::snapshot::BadTree;

    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("kept");
    let options = Options { memory_bytes: 64 << 20, ..Options::default() };
    let (game, position) = Konane::read("6x5").expect("a board");
    let subject = Subject::new(&game, &position, Algorithm::Pns, Question::Wins);
    let store = Store::<u64>::new(Algorithm::Pns, options.memory_bytes).expect("memory");
    let keep = |error: SolveError, nodes: u64| {
        let header = || Header { subject: subject.clone(), nodes, expansions: 0, seconds: 0.0 };
        let search = || -> Answer { Err(error) };
        let interval = std::time::Duration::from_secs(60);
        let (_, kept) =
            checkpoint::keep(&path, interval, &store, &Monitor::new(), header, false, search);
        kept.expect("no trouble");
        checkpoint::peek(&path).expect("a checkpoint").nodes
    };
    assert_eq!(keep(OutOfMemory { limit_bytes: 1 }.into(), 5), 5);
    // A damaged checkpoint is not replaced by an empty one.
    assert_eq!(keep(BadTree.into(), 9), 5);
}

/// A table comes back from a checkpoint with all its entries.
#[test]
fn tables_come_back_whole() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("tables");
    let (game, position) = Konane::read("6x6").expect("a board");
    let problem = Problem::new(&game, &position, Question::Wins);
    let subject = Subject::new(&game, &position, Algorithm::DfPn, Question::Wins);
    let store = Store::new(Algorithm::DfPn, 256 << 20).expect("memory");
    let options = Options { memory_bytes: 256 << 20, ..Options::default() };
    Algorithm::DfPn.answer(&problem, &options, &store, &Monitor::new()).expect("an answer");
    let header = Header { subject: subject.clone(), nodes: 0, expansions: 0, seconds: 0.0 };
    checkpoint::write(&path, &header, &store).expect("written");
    let again = Store::new(Algorithm::DfPn, 256 << 20).expect("memory");
    checkpoint::read(&path, &subject, &again).expect("read");
    let [old, new] = [store, again].map(|store| {
        let entries = store.table.entries();
        let mut entries: Vec<(u64, u64)> =
            entries.map(|(key, data)| (key, data.to_word())).collect();
        entries.sort_unstable();
        entries
    });
    assert!(old.len() > 1000);
    let differ = old.iter().zip(&new).find(|(a, b)| a != b);
    assert!(old == new, "{} entries, {} came back: {differ:x?}", old.len(), new.len());
}

/// Version 2 had two tables. Solved and unsolved positions both come back.
#[test]
fn version_2_is_read() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("old");
    let (game, position) = Konane::read("6x6").expect("a board");
    let subject = Subject::new(&game, &position, Algorithm::DfPn, Question::Wins);
    let header = Header { subject: subject.clone(), nodes: 7, expansions: 3, seconds: 1.0 };
    let header = serde_json::to_vec(&header).expect("JSON");
    let solved = Data::new(Numbers::LOST, 5).to_word();
    let working = Data::new(Numbers::unsolved(3, 4), 9).to_word();
    // Blocks, a chunk of one entry, the end; twice, and no tree.
    let words = [1 << 13, 1, 11, solved, 0, 1 << 13, 1, 12, working, 0, 0];
    let body: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
    let body = zstd::encode_all(&body[..], 1).expect("compressed");
    let length = (header.len() as u32).to_le_bytes();
    let version = 2_u32.to_le_bytes();
    let mut bytes = [&b"PAPAMUCP"[..], &version, &length, &header, &body].concat();
    bytes.extend(blake3::hash(&bytes).as_bytes());
    std::fs::write(&path, bytes).expect("written");
    let store = Store::<u64>::new(Algorithm::DfPn, 64 << 20).expect("memory");
    assert_eq!(checkpoint::read(&path, &subject, &store).expect("read").nodes, 7);
    assert_eq!(store.table.lines(), 1 << 14);
    assert_eq!(store.table.get(11).map(Data::numbers), Some(Numbers::LOST));
    assert_eq!(store.table.get(12).map(Data::numbers), Some(Numbers::unsolved(3, 4)));
}

/// A tree whose nodes do not have the moves of their positions is refused, not searched.
#[test]
fn trees_of_other_games_are_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("tree");
    let options = Options { memory_bytes: 64 << 20, ..Options::default() };
    let (stopped, _) = search(&path, Algorithm::Pns, &options, 100);
    assert_eq!(stopped.expect("an answer").won, None);
    // The checkpoint of 6x5 in a search of 5x8: the hash is right, the tree is not.
    let (game, position) = Konane::read("6x5").expect("a board");
    let subject = Subject::new(&game, &position, Algorithm::Pns, Question::Wins);
    let store = Store::<u64>::new(Algorithm::Pns, options.memory_bytes).expect("memory");
    checkpoint::read(&path, &subject, &store).expect("a checkpoint");
    let (other, start) = Konane::read("5x8").expect("a board");
    let problem = Problem::new(&other, &start, Question::Wins);
    let answer = Algorithm::Pns.answer(&problem, &options, &store, &Monitor::new());
    assert!(matches!(answer, Err(SolveError::BadTree(_))), "{answer:?}");
}
