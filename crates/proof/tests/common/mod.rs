//! Certificates of any game for the tests of version 2.

use papamu_base::Progress;
use papamu_checker::check::{Checked, check};
use papamu_game::{Certifiable, Game, Value};
use papamu_proof::claim::Goal;
use papamu_proof::extract::{Prover, extract};
use papamu_proof::strategy::{Strategy, moves_in_order};
use papamu_search::job::Keep;
use papamu_search::options::{Algorithm, Options};
use papamu_search::problem::Problem;
use papamu_search::run::{Monitor, Store};
use papamu_search::solver::{Helpers, solve};

/// What can be claimed of a position of that value: one win, or that both hold.
pub(crate) fn goals<G: Game>(game: &G, root: &G::Position, value: Value) -> Vec<Goal> {
    let mover = game.to_move(root);
    match value {
        Value::Win => vec![Goal::wins(mover)],
        Value::Loss => vec![Goal::wins(!mover)],
        Value::Draw => vec![Goal::holds(mover), Goal::holds(!mover)],
    }
}

/// The value of a position.
pub(crate) fn value<G: Certifiable>(game: &G, root: &G::Position) -> Value {
    let (options, helpers) = (Options::default().memory(1 << 26), Helpers::default());
    let solved = solve(game, root, Algorithm::DfPn, &options, &helpers, &Monitor::new());
    solved.expect("solved").value
}

/// A strategy for a goal, extracted after a search with tables of so many bytes. A budget and a
/// database say what is left out.
pub(crate) fn strategy<G: Certifiable>(
    game: &G,
    root: &G::Position,
    goal: Goal,
    (algorithm, threads): (Algorithm, usize),
    table_bytes: usize,
    (budget, database): (u64, u64),
) -> Strategy<G> {
    let options = &Options { threads, ..Options::default().memory(1 << 28) };
    let monitor = &Monitor::new();
    let store = &Store::new(Algorithm::DfPn, table_bytes).expect("memory");
    // The tables of other searches are beside their own.
    let keep = Keep(store);
    let own = Store::new(algorithm, table_bytes.max(1 << 20)).expect("memory");
    let problem = Problem::new(game, root, goal.question(game, root));
    let outcome = match algorithm {
        Algorithm::DfPn => algorithm.answer(&problem, options, store, monitor),
        _ => algorithm.answer(&Problem { sink: Some(&keep), ..problem }, options, &own, monitor),
    };
    let won = outcome.expect("solved").won.expect("not stopped");
    assert_eq!(won, goal.owner_moves(game, root), "{}", game.write(root));
    let directory = &std::env::temp_dir();
    let oracle = None;
    let prover = Prover { game, store, oracle, options, budget, database, directory, monitor };
    let extracted = extract(&prover, root, goal, &Progress::new()).expect("a strategy");
    let records = extracted.records();
    let strategy = extracted.into_strategy().expect("kept");
    assert_eq!(records, strategy.records.len() as u64);
    strategy
}

/// All searches, on one thread and where possible on two.
pub(crate) fn searches() -> impl Iterator<Item = (Algorithm, usize)> {
    Algorithm::SEARCHES.into_iter().flat_map(|algorithm| {
        let threads: &[usize] = if algorithm.is_parallel() { &[1, 2] } else { &[1] };
        threads.iter().map(move |&threads| (algorithm, threads))
    })
}

/// Positions after random moves.
pub(crate) fn random_positions<G: Certifiable>(
    text: &str,
    count: usize,
    seed: u64,
) -> (G, Vec<G::Position>) {
    let (game, start) = G::read(text).expect("a start");
    let mut random = fastrand::Rng::with_seed(seed);
    let most_plies = if G::CYCLIC { 30 } else { 7 };
    let mut positions = Vec::new();
    for _ in 0..count {
        let mut position = start.clone();
        for _ in 0..random.usize(..most_plies) {
            let Some(mv) = random.choice(moves_in_order(&game, &position)) else { break };
            position = game.after(&position, &mv);
        }
        positions.push(position);
    }
    (game, positions)
}

pub(crate) fn bytes<G: Certifiable>(strategy: &Strategy<G>) -> Vec<u8> {
    let mut bytes = Vec::new();
    strategy.write_to(&mut bytes).expect("written");
    bytes
}

/// The verdict of the checker.
pub(crate) fn verdict(bytes: &[u8]) -> Result<Checked, String> {
    let file = std::io::Cursor::new(bytes);
    check(file, 1 << 24, |_| {}).map_err(|problem| problem.to_string())
}

/// The checker must accept a strategy, with all its records.
pub(crate) fn accepted<G: Certifiable>(strategy: &Strategy<G>) -> Checked {
    let checked = verdict(&bytes(strategy)).unwrap_or_else(|problem| {
        let header = strategy.header();
        panic!("{} {} {} {}: {problem}", header.game, header.root, header.owner, header.claim)
    });
    assert_eq!(checked.records, strategy.records.len() as u64);
    checked
}

/// Which of some files the Python checker accepts.
pub(crate) fn python_verdicts(files: &[Vec<u8>]) -> Vec<bool> {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |i: usize| directory.path().join(i.to_string());
    for (i, bytes) in files.iter().enumerate() {
        std::fs::write(path(i), bytes).expect("written");
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/check_certificate.py");
    let paths = (0..files.len()).map(path);
    let output = std::process::Command::new("python3").arg(script).args(paths).output();
    let output = output.expect("python3 is there");
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(text.lines().count(), files.len(), "{}", String::from_utf8_lossy(&output.stderr));
    text.lines().map(|line| line.contains(": ACCEPTED,")).collect()
}

/// Reads a file as the program does.
pub(crate) fn load<G: Certifiable>(bytes: &[u8]) -> Result<Strategy<G>, String> {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("written");
    Strategy::load(file.path()).map_err(|error| error.to_string())
}
