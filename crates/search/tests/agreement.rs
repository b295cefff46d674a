//! All searches agree with each other and with reference minimax.

use std::sync::Mutex;

use papamu_base::Progress;
use papamu_game::tiny::TicTacToe;
use papamu_game::{Capabilities, Game, Guided, Value};
use papamu_games::Konane;
use papamu_games::konane::Position;
use papamu_search::budget::Budget;
use papamu_search::init::{Init, Steps};
use papamu_search::numbers::Damping;
use papamu_search::options::{Algorithm, Options};
use papamu_search::problem::{Oracle, Sink};
use papamu_search::reference::{self, Method};
use papamu_search::run::Monitor;
use papamu_search::solver::{Helpers, SolveError, solve};

const LIMIT_BYTES: usize = 1 << 30;

fn options() -> Options {
    Options { memory_bytes: 16 << 20, ..Options::default() }
}

/// Every search, on one thread and where possible on three.
fn searches() -> impl Iterator<Item = (Algorithm, usize)> {
    let all = Algorithm::SEARCHES.into_iter();
    all.flat_map(|algorithm| {
        let threads: &[usize] = if algorithm.is_parallel() { &[1, 3] } else { &[1] };
        threads.iter().map(move |&threads| (algorithm, threads))
    })
}

/// Looking further ahead decides more positions early, and changes no value.
#[test]
fn look_ahead_decides_early() {
    fn nodes<G: Guided>(text: &str) -> Vec<u64> {
        let (game, start) = G::read(text).expect("a board");
        let expected = minimax(&game, &start);
        let mut nodes = Vec::new();
        for look_ahead_plies in 0..=3 {
            let options = Options { look_ahead_plies, init: Init::Mobility, ..options() };
            for (algorithm, threads) in searches() {
                let options = options.threads(threads);
                assert_eq!(value(&game, &start, algorithm, &options), expected, "{algorithm}");
            }
            let helpers = Helpers::default();
            let solution =
                solve(&game, &start, Algorithm::DfPn, &options, &helpers, &Monitor::new());
            nodes.push(solution.expect("solved").nodes);
        }
        nodes
    }
    for nodes in [nodes::<TicTacToe>("start"), nodes::<Konane>("5x5")] {
        assert!(nodes.is_sorted_by(|less, more| less > more), "{nodes:?}");
    }
}

/// Initial numbers that exceed a table entry: a threshold must be reachable.
#[test]
fn huge_initial_numbers_do_not_stall() {
    let (game, start) = Konane::read("5x5").expect("a board");
    let steps = Steps { a: 1_000_000, b: 1_000_000, t: 0.25 };
    for damping in [1, 8] {
        let huge = Options {
            init: Init::Ief(steps),
            damping: Damping::new(damping),
            epsilon: 100.0,
            ..options()
        };
        assert_eq!(value(&game, &start, Algorithm::DfPn, &huge), Value::Win);
    }
}

/// The value by a search. Its best move must keep the value.
fn value<G: Guided>(
    game: &G,
    position: &G::Position,
    algorithm: Algorithm,
    options: &Options,
) -> Value {
    let helpers = Helpers::default();
    let solution = solve(game, position, algorithm, options, &helpers, &Monitor::new());
    let solution = solution.expect("solved");
    let Some(best) = solution.best_move else {
        assert_eq!(game.count_moves(position), 0);
        return solution.value;
    };
    let child = game.after(position, &best);
    assert_eq!(
        -minimax(game, &child),
        solution.value,
        "{algorithm}: {}",
        game.write_move(position, &best)
    );
    solution.value
}

/// The value by minimax.
fn minimax<G: Game>(game: &G, position: &G::Position) -> Value {
    let progress = Progress::new();
    let solution = reference::solve(game, position, &Capabilities::NONE, LIMIT_BYTES, &progress);
    let solution = solution.expect("fits");
    assert_eq!(solution.method, Method::Minimax);
    solution.value
}

fn check<G: Guided>(game: &G, position: &G::Position, options: &Options) {
    let expected = minimax(game, position);
    for (algorithm, threads) in searches() {
        let options = Options { threads, ..*options };
        assert_eq!(
            value(game, position, algorithm, &options),
            expected,
            "{algorithm}, {threads} threads, {options:?}: {}",
            game.write(position)
        );
    }
}

#[test]
fn start_positions_up_to_4x5() {
    for (rows, cols) in (1..=4).flat_map(|rows| (1..=5).map(move |cols| (rows, cols))) {
        for (rows, cols) in [(rows, cols), (cols, rows)] {
            let game = Konane::new(rows, cols).expect("a board");
            check(&game, &game.start(), &options());
        }
    }
}

/// A position after some random moves, so that reference minimax can follow.
fn random_position(game: &Konane, random: &mut fastrand::Rng) -> Position {
    let mut position = game.start();
    for _ in 0..random.usize(4..16) {
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        if moves.is_empty() {
            break;
        }
        game.play(&mut position, &moves[random.usize(..moves.len())]);
    }
    position
}

#[test]
fn random_positions_of_5x5_and_6x5() {
    let mut random = fastrand::Rng::with_seed(5);
    for (rows, cols, count, earliest) in [(5, 5, 1000, 0), (6, 5, 1000, 9)] {
        let game = Konane::new(rows, cols).expect("a board");
        let mut checked = 0;
        while checked < count {
            let position = random_position(&game, &mut random);
            let missing = (game.board().squares & !position.occupied).count_ones();
            if missing >= earliest {
                check(&game, &position, &options());
                checked += 1;
            }
        }
    }
}

/// Any initial numbers, any sum and any slack are sound.
#[test]
fn options_do_not_change_values() {
    let steps = Steps { a: 20, b: 5, t: 0.3 };
    let inits = [Init::Unit, Init::Mobility, Init::BothMobility, Init::Ef(steps), Init::Ief(steps)];
    let budgets = [Budget::default(), Budget::Equal, Budget::Remaining];
    let mut random = fastrand::Rng::with_seed(9);
    let game = Konane::new(5, 4).expect("a board");
    for init in inits {
        for weight in [1, 2, 16, 1000] {
            for (epsilon, budget) in [0.0, 0.15, 2.0].into_iter().zip(budgets) {
                let damping = Damping::new(weight);
                let options = Options { init, damping, epsilon, budget, ..options() };
                check(&game, &random_position(&game, &mut random), &options);
            }
        }
    }
}

/// Tables of a few lines: nearly everything is forgotten immediately, and the answer is still
/// right.
#[test]
fn tiny_tables_do_not_change_values() {
    let tiny = Options { memory_bytes: 4096, ..options() };
    let mut random = fastrand::Rng::with_seed(11);
    let game = Konane::new(5, 5).expect("a board");
    for _ in 0..30 {
        let mut position = random_position(&game, &mut random);
        while (game.board().squares & !position.occupied).count_ones() < 9 {
            position = random_position(&game, &mut random);
        }
        check(&game, &position, &tiny);
    }
}

/// A game with draws needs two questions.
#[test]
fn tic_tac_toe_positions() {
    let (game, start) = TicTacToe::read("start").expect("start");
    let mut random = fastrand::Rng::with_seed(3);
    check(&game, &start, &options());
    for _ in 0..200 {
        let mut position = start;
        for _ in 0..random.usize(1..8) {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            if moves.is_empty() {
                break;
            }
            game.play(&mut position, &moves[random.usize(..moves.len())]);
        }
        check(&game, &position, &options());
    }
}

/// One thread visits the same nodes every time.
#[test]
fn one_thread_is_deterministic() {
    let game = Konane::new(6, 5).expect("a board");
    for algorithm in Algorithm::SEARCHES {
        let nodes = || {
            let helpers = Helpers::default();
            let monitor = Monitor::new();
            let solution = solve(&game, &game.start(), algorithm, &options(), &helpers, &monitor)
                .expect("solved");
            (solution.nodes, solution.expansions)
        };
        assert_eq!(nodes(), nodes(), "{algorithm}");
    }
}

/// Values of positions with few stones, as an endgame table would give them.
struct FewStones;

impl Oracle<Konane> for FewStones {
    fn value(&self, game: &Konane, position: &Position) -> Option<Value> {
        let few = position.occupied.count_ones() <= 16;
        few.then(|| minimax(game, position))
    }
}

/// Remembers what it is told.
#[derive(Default)]
struct Listener(Mutex<Vec<(Position, bool)>>);

impl Sink<Konane> for Listener {
    fn solved(&self, _: &Konane, position: &Position, won: bool) {
        self.0.lock().expect("no panic").push((*position, won));
    }
}

#[test]
fn oracles_decide_leaves_and_sinks_hear_the_truth() {
    let game = Konane::new(5, 5).expect("a board");
    for (algorithm, threads) in searches() {
        let options = Options { threads, ..options() };
        let listener = Listener::default();
        let nodes = |oracle: Option<&dyn Oracle<Konane>>| {
            let helpers = Helpers { oracle, sink: Some(&listener) };
            let solution =
                solve(&game, &game.start(), algorithm, &options, &helpers, &Monitor::new());
            let solution = solution.expect("solved");
            assert_eq!(solution.value, Value::Win, "{algorithm}");
            solution.nodes
        };
        let alone = nodes(None);
        let helped = nodes(Some(&FewStones));
        assert!(threads > 1 || helped < alone, "{algorithm}: {helped} nodes, {alone} alone");
        let heard = listener.0.lock().expect("no panic");
        assert!(heard.len() > 10, "{algorithm}");
        for (position, won) in heard.iter().take(300) {
            let value = minimax(&game, position);
            assert_eq!(*won, value == Value::Win, "{algorithm}: {}", game.write(position));
        }
    }
}

/// The reference solver has a value for every position, and answers no questions about one.
#[test]
fn the_reference_solver_is_no_search() {
    let game = Konane::new(4, 4).expect("a board");
    let (helpers, monitor) = (Helpers::default(), Monitor::new());
    let solution =
        solve(&game, &game.start(), Algorithm::Reference, &options(), &helpers, &monitor);
    assert_eq!(solution.err(), Some(SolveError::NoQuestions));
    assert!(!Algorithm::SEARCHES.contains(&Algorithm::Reference));
}
