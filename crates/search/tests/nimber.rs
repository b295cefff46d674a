//! Searches with nimbers against published figures, brute force and the reference solvers.

use std::time::{Duration, Instant};

use papamu_base::Progress;
use papamu_game::sums::Sums;
use papamu_game::tiny::{Cram, Domineering, Kayles};
use papamu_game::{Capabilities, Ending, Game, Value};
use papamu_games::{Konane, Sprouts};
use papamu_search::nimber::{Halt, Position, Solver};
use papamu_search::numbers::Damping;
use papamu_search::options::{Algorithm, Options};
use papamu_search::reference::{self, Method};
use papamu_search::run::Monitor;

mod published;
use published::{CRAM, DAWSON, KAYLES};

const LIMIT_BYTES: usize = 1 << 30;

/// A search and how it works.
#[derive(Clone, Copy, Debug)]
struct Search {
    algorithm: Algorithm,
    options: Options,
}

impl Search {
    fn solver<'a>(&self, sums: &'a dyn Sums, monitor: &'a Monitor) -> Solver<'a> {
        Solver::new(sums, self.algorithm, &self.options, monitor).expect("memory")
    }
}

/// One algorithm. There are many searches here, and each is short.
fn by(algorithm: Algorithm) -> Search {
    Search { algorithm, options: Options { memory_bytes: 256 << 20, ..Options::with_nimbers() } }
}

/// Every search, and df-pn with the thresholds as they were published and on two threads.
fn all() -> [Search; 5] {
    let dfpn = by(Algorithm::DfPn);
    let with = |options| Search { options, ..dfpn };
    [
        dfpn,
        with(Options { threads: 2, ..dfpn.options }),
        with(Options {
            is_ordered: false,
            damping: Damping::new(1),
            epsilon: 0.0,
            weight_per_number: 0,
            ..dfpn.options
        }),
        by(Algorithm::Pns),
        by(Algorithm::AlphaBeta),
    ]
}

fn position(sums: &dyn Sums, text: &str) -> Position {
    Position::new(&sums.read(text).expect("a position"), 0)
}

/// Whether the player to move wins.
fn is_won(sums: &dyn Sums, text: &str, search: &Search) -> bool {
    let monitor = Monitor::new();
    let mut solver = search.solver(sums, &monitor);
    let position = position(sums, text);
    let is_won = solver.solve(&position).unwrap_or_else(|halt| panic!("{text}: {halt}"));
    assert_eq!(solver.is_known(&position), Ok(Some(is_won)), "{text} {search:?}");
    is_won
}

fn nimber(sums: &dyn Sums, text: &str, search: &Search) -> u32 {
    let monitor = Monitor::new();
    let mut solver = search.solver(sums, &monitor);
    let position = position(sums, text);
    let nimber = solver.nimber(&position).unwrap_or_else(|halt| panic!("{text}: {halt}"));
    assert_eq!(solver.known_nimber(&position), Some(nimber), "{text} {search:?}");
    assert_eq!(solver.is_known(&position), Ok(Some(nimber != 0)), "{text} {search:?}");
    nimber
}

/// A position after some random moves.
fn random_position<G: Game>(game: &G, start: &G::Position, random: &mut fastrand::Rng) -> String {
    let mut position = start.clone();
    for _ in 0..random.usize(..12) {
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        if moves.is_empty() {
            break;
        }
        game.play(&mut position, &moves[random.usize(..moves.len())]);
    }
    game.write(&position)
}

#[test]
fn outcomes_of_sprouts_as_published() {
    let sums = Sprouts::new(Ending::Normal).sums();
    assert!(!is_won(&*sums, "!", &by(Algorithm::DfPn)));
    let starts = published::sprouts();
    for start in starts.iter().filter(|start| matches!(start.spots, 1..=14 | 16 | 17)) {
        let text = format!("0*{}", start.spots);
        assert_eq!(is_won(&*sums, &text, &by(Algorithm::DfPn)), start.is_won, "{text}");
    }
    for (algorithm, most_spots) in [(Algorithm::Pns, 9), (Algorithm::AlphaBeta, 5)] {
        assert!(!is_won(&*sums, "!", &by(algorithm)));
        for start in &starts[..most_spots] {
            let text = format!("0*{}", start.spots);
            assert_eq!(is_won(&*sums, &text, &by(algorithm)), start.is_won, "{text}");
        }
    }
}

#[test]
fn nimbers_of_sprouts_as_conjectured() {
    let sums = Sprouts::new(Ending::Normal).sums();
    assert_eq!(nimber(&*sums, "!", &by(Algorithm::DfPn)), 0);
    for start in &published::sprouts()[..10] {
        let text = format!("0*{}", start.spots);
        assert_eq!(nimber(&*sums, &text, &by(Algorithm::DfPn)), start.nimber, "{text}");
    }
}

#[test]
fn outcomes_of_misere_sprouts_as_published() {
    let sums = Sprouts::new(Ending::Misere).sums();
    assert!(is_won(&*sums, "misere !", &by(Algorithm::DfPn)));
    for start in &published::sprouts()[..9] {
        let text = format!("misere 0*{}", start.spots);
        let is_won = is_won(&*sums, &text, &by(Algorithm::DfPn));
        assert_eq!(Some(is_won), start.is_won_in_misere, "{text}");
    }
}

/// Winner and nimber of a position by every search.
fn check_nimber(sums: &dyn Sums, text: &str, expected: u32) {
    for search in all() {
        assert_eq!(nimber(sums, text, &search), expected, "{text} {search:?}");
        assert_eq!(is_won(sums, text, &search), expected != 0, "{text} {search:?}");
    }
}

/// Positions in the middle of the game, and sums of two of them.
#[test]
fn random_positions_of_sprouts() {
    let mut random = fastrand::Rng::with_seed(7);
    let game = Sprouts::new(Ending::Normal);
    let (sums, progress) = (game.sums(), Progress::new());
    let mut nimbers =
        reference::Nimbers::new(&game, &Sprouts::CAPABILITIES, LIMIT_BYTES, &progress);
    let mut found = [0; 64];
    for i in 0..2000 {
        let mut text = |most_spots| {
            let start = format!("0*{}", random.usize(1..=most_spots));
            let (_, start) = Sprouts::read(&start).expect("a start");
            random_position(&game, &start, &mut random)
        };
        let mut position = text(5);
        if i % 4 == 0 && position != "!" {
            let other = text(4);
            if other != "!" {
                position = format!("{position}+{other}");
            }
        }
        let (_, drawing) = Sprouts::read(&position).expect("a position");
        let expected = nimbers.nimber(&drawing).expect("fits into memory");
        check_nimber(&*sums, &position, expected);
        found[expected as usize] += 1;
    }
    assert!(found[..4].iter().all(|&count| count > 50), "{found:?}");
}

#[test]
fn kayles_as_published() {
    let sums = Kayles::CAPABILITIES.sums(&Kayles);
    for (pins, nimber) in KAYLES.into_iter().enumerate() {
        check_nimber(&*sums, &pins.to_string(), nimber);
    }
    for rows in [&[3, 4, 5][..], &[7, 7], &[11, 2, 40, 1], &[9, 9, 9], &[40, 37, 33], &[1, 2, 3]] {
        let text: Vec<String> = rows.iter().map(usize::to_string).collect();
        let nimber = rows.iter().fold(0, |sum, &pins| sum ^ KAYLES[pins]);
        check_nimber(&*sums, &text.join("+"), nimber);
    }
}

#[test]
fn cram_as_published() {
    let (cram, _) = Cram::read("1x1").expect("a board");
    let sums = Cram::CAPABILITIES.sums(&cram);
    for (cols, nimber) in DAWSON.into_iter().enumerate().skip(1) {
        check_nimber(&*sums, &format!("1x{cols}"), nimber);
    }
    for (rows, cols, nimber) in CRAM.into_iter().filter(|(rows, cols, _)| rows * cols <= 16) {
        check_nimber(&*sums, &format!("{rows}x{cols}"), nimber);
        check_nimber(&*sums, &format!("{cols}x{rows}"), nimber);
    }
    for cols in 1..=7 {
        check_nimber(&*sums, &format!("2x{cols}"), cols % 2);
    }
}

/// The winner of a position by every search, against minimax. The components of a position are the
/// same from its text and without it.
fn check_winner<G: Game>(game: &G, position: &G::Position, capabilities: &Capabilities<G>) {
    let solution = reference::solve(game, position, capabilities, LIMIT_BYTES, &Progress::new())
        .expect("fits");
    assert_eq!(solution.method, Method::Minimax);
    let value = solution.value;
    let (sums, text) = (capabilities.sums(game), game.write(position));
    let [read, made] = [sums.read(&text).expect("a position"), sums.components(position)];
    assert!(read.list(0).eq(made.list(0)), "{text}");
    for search in all() {
        assert_eq!(is_won(&*sums, &text, &search), value == Value::Win, "{text} {search:?}");
    }
}

/// All positions after this many moves.
fn after<G: Game>(game: &G, position: &G::Position, plies: usize) -> Vec<G::Position> {
    let mut layer = vec![position.clone()];
    for _ in 0..plies {
        let mut next = Vec::new();
        for position in layer {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            for mv in moves {
                let child = game.after(&position, &mv);
                next.push(child);
            }
        }
        layer = next;
    }
    layer
}

/// Games without nimbers are searched as trees.
#[test]
fn partizan_games() {
    for (rows, cols) in (1..=4).flat_map(|rows| (1..=4).map(move |cols| (rows, cols))) {
        let size = format!("{rows}x{cols}");
        let (game, start) = Konane::read(&size).expect("a board");
        check_winner(&game, &start, &Konane::CAPABILITIES);
        let (game, start) = Domineering::read(&size).expect("a board");
        check_winner(&game, &start, &Domineering::CAPABILITIES);
    }
    let (game, start) = Konane::read("4x4").expect("a board");
    let positions = after(&game, &start, 2);
    assert_eq!(positions.len(), 12);
    positions.iter().for_each(|position| check_winner(&game, position, &Konane::CAPABILITIES));
}

#[test]
fn random_positions_of_misere_sprouts() {
    let mut random = fastrand::Rng::with_seed(8);
    let mut won = 0;
    for _ in 0..200 {
        let start = format!("misere 0*{}", random.usize(1..=4));
        let (game, start) = Sprouts::read(&start).expect("a start");
        let text = random_position(&game, &start, &mut random);
        let (game, position) = Sprouts::read(&text).expect("a position");
        check_winner(&game, &position, &Sprouts::CAPABILITIES);
        won += usize::from(is_won(&*game.sums(), &text, &by(Algorithm::DfPn)));
    }
    assert!((20..=180).contains(&won), "{won}");
}

/// When the memory is full, everything but the nimbers is forgotten and the search restarts with
/// them. With less and less memory there are first restarts and then no answer, but never a wrong
/// one.
#[test]
fn little_memory() {
    let sums = Sprouts::new(Ending::Normal).sums();
    let position = position(&*sums, "0*8");
    for search in all() {
        let (mut restarts, mut full) = (0, 0);
        // Depth-first search takes much more.
        let most_bytes = if search.algorithm == Algorithm::AlphaBeta { 256 << 10 } else { 4 << 20 };
        let fewer_bytes = |bytes: &usize| (*bytes > 0).then_some(bytes / 4 * 3);
        for memory_bytes in std::iter::successors(Some(most_bytes), fewer_bytes) {
            let monitor = Monitor::new();
            let options = Options { memory_bytes, ..search.options };
            let search = Search { options, ..search };
            let mut solver = search.solver(&*sums, &monitor);
            match solver.solve(&position) {
                Ok(is_won) => {
                    assert!(!is_won, "{search:?}");
                    restarts += solver.restarts();
                }
                Err(halt) => {
                    assert_eq!(halt, Halt::Memory, "{search:?}");
                    assert!(memory_bytes < 4 << 20);
                    full += 1;
                }
            }
        }
        assert!(full > 10, "{search:?}");
        assert!(restarts > 0 || search.algorithm == Algorithm::AlphaBeta, "{search:?}");
    }
}

#[test]
fn searches_are_stopped() {
    let sums = Sprouts::new(Ending::Normal).sums();
    for search in all() {
        let monitor = Monitor::new();
        let mut solver = search.solver(&*sums, &monitor);
        let position = position(&*sums, "0*24");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                monitor.stop();
            });
            assert_eq!(solver.solve(&position), Err(Halt::Stopped), "{search:?}");
        });
        assert_eq!(solver.nimber(&position), Err(Halt::Stopped), "{search:?}");
    }
}

/// A paused search continues where it was.
#[test]
fn searches_pause_and_go_on() {
    let sums = Sprouts::new(Ending::Normal).sums();
    for search in all() {
        let is_fast = search.algorithm != Algorithm::AlphaBeta;
        let text = if is_fast { "0*8" } else { "0*5" };
        let (position, expected) = (position(&*sums, text), !is_fast);
        let monitor = Monitor::new();
        let mut solver = search.solver(&*sums, &monitor);
        solver.set_deadline(Some(Instant::now()));
        let mut pauses = 0;
        let is_won = loop {
            match solver.solve(&position) {
                Ok(is_won) => break is_won,
                Err(halt) => assert_eq!(halt, Halt::Paused, "{search:?}"),
            }
            pauses += 1;
            let time = match search.algorithm {
                // The numbers outlive the search.
                Algorithm::DfPn => Duration::ZERO,
                _ => Duration::from_millis(pauses),
            };
            solver.set_deadline(Some(Instant::now() + time));
            assert!(pauses < 10_000, "{search:?}");
        };
        assert_eq!(is_won, expected, "{search:?}");
        assert!(pauses > 0, "{search:?}");
    }
}

#[test]
fn one_thread_is_deterministic() {
    let sums = Sprouts::new(Ending::Normal).sums();
    for search in all().into_iter().filter(|search| search.options.threads == 1) {
        let is_fast = search.algorithm != Algorithm::AlphaBeta;
        let position = position(&*sums, if is_fast { "0*9" } else { "0*5" });
        let run = || {
            let monitor = Monitor::new();
            let mut solver = search.solver(&*sums, &monitor);
            assert_eq!(solver.nimber(&position), Ok(1));
            (monitor.expansions(), monitor.nodes(), solver.nimbers(), solver.components())
        };
        assert_eq!(run(), run(), "{search:?}");
    }
}

/// Two algorithms work only on whole positions.
#[test]
fn searches_that_know_no_nimbers_are_refused() {
    let (sums, monitor) = (Sprouts::new(Ending::Normal).sums(), Monitor::new());
    for algorithm in Algorithm::ALL {
        let solver = Solver::new(&*sums, algorithm, &by(algorithm).options, &monitor);
        match algorithm {
            Algorithm::Reference | Algorithm::Pn2 => {
                assert_eq!(solver.err(), Some(Halt::NoSuchSearch), "{algorithm}");
            }
            _ => assert!(solver.is_ok() && algorithm.has_nimbers(), "{algorithm}"),
        }
    }
}
