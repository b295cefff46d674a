//! Searches with nimbers against published figures, brute force and plain minimax.

use std::time::{Duration, Instant};

use papamu_base::Progress;
use papamu_game::sums::Sums;
use papamu_game::tiny::{Cram, Domineering, Kayles};
use papamu_game::{Game, Value};
use papamu_games::{Konane, Sprouts};
use papamu_search::nimber::{Algorithm, Halt, Position, Settings, Solver};
use papamu_search::reference;
use papamu_search::run::Monitor;

mod published;
use published::{CRAM, DAWSON, KAYLES};

const LIMIT_BYTES: usize = 1 << 30;

/// Settings of one algorithm; there are many searches here, each of which is short.
fn by(algorithm: Algorithm) -> Settings {
    Settings { algorithm, memory_bytes: 256 << 20, ..Settings::default() }
}

/// Every search, and df-pn with the thresholds as they were published and on two threads.
fn all() -> [Settings; 5] {
    [
        by(Algorithm::DfPn),
        Settings { threads: 2, ..by(Algorithm::DfPn) },
        Settings {
            is_ordered: false,
            damping: 1,
            epsilon: 0.0,
            lives_per_number: 0,
            ..by(Algorithm::DfPn)
        },
        by(Algorithm::Pns),
        by(Algorithm::DepthFirst),
    ]
}

fn position(sums: &dyn Sums, text: &str) -> Position {
    Position::new(&sums.read(text).expect("a position"), 0)
}

/// Whether the player to move wins.
fn is_won(sums: &dyn Sums, text: &str, settings: &Settings) -> bool {
    let monitor = Monitor::new();
    let mut solver = Solver::new(sums, settings.clone(), &monitor).expect("memory");
    let position = position(sums, text);
    let is_won = solver.solve(&position).unwrap_or_else(|halt| panic!("{text}: {halt}"));
    assert_eq!(solver.is_known(&position), Ok(Some(is_won)), "{text} {settings:?}");
    is_won
}

fn nimber(sums: &dyn Sums, text: &str, settings: &Settings) -> u32 {
    let monitor = Monitor::new();
    let mut solver = Solver::new(sums, settings.clone(), &monitor).expect("memory");
    let position = position(sums, text);
    let nimber = solver.nimber(&position).unwrap_or_else(|halt| panic!("{text}: {halt}"));
    assert_eq!(solver.known_nimber(&position), Some(nimber), "{text} {settings:?}");
    assert_eq!(solver.is_known(&position), Ok(Some(nimber != 0)), "{text} {settings:?}");
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
    let sums = Sprouts::new(false).sums();
    assert!(!is_won(&*sums, "!", &by(Algorithm::DfPn)));
    let starts = published::sprouts();
    for start in starts.iter().filter(|start| matches!(start.spots, 1..=14 | 16 | 17)) {
        let text = format!("0*{}", start.spots);
        assert_eq!(is_won(&*sums, &text, &by(Algorithm::DfPn)), start.is_won, "{text}");
    }
    for (algorithm, most_spots) in [(Algorithm::Pns, 9), (Algorithm::DepthFirst, 5)] {
        assert!(!is_won(&*sums, "!", &by(algorithm)));
        for start in &starts[..most_spots] {
            let text = format!("0*{}", start.spots);
            assert_eq!(is_won(&*sums, &text, &by(algorithm)), start.is_won, "{text}");
        }
    }
}

#[test]
fn nimbers_of_sprouts_as_conjectured() {
    let sums = Sprouts::new(false).sums();
    assert_eq!(nimber(&*sums, "!", &by(Algorithm::DfPn)), 0);
    for start in &published::sprouts()[..10] {
        let text = format!("0*{}", start.spots);
        assert_eq!(nimber(&*sums, &text, &by(Algorithm::DfPn)), start.nimber, "{text}");
    }
}

#[test]
fn outcomes_of_misere_sprouts_as_published() {
    let sums = Sprouts::new(true).sums();
    assert!(is_won(&*sums, "misere !", &by(Algorithm::DfPn)));
    for start in &published::sprouts()[..9] {
        let text = format!("misere 0*{}", start.spots);
        let is_won = is_won(&*sums, &text, &by(Algorithm::DfPn));
        assert_eq!(Some(is_won), start.is_won_in_misere, "{text}");
    }
}

/// Winner and nimber of a position by every search.
fn check_nimber(sums: &dyn Sums, text: &str, expected: u32) {
    for settings in all() {
        assert_eq!(nimber(sums, text, &settings), expected, "{text} {settings:?}");
        assert_eq!(is_won(sums, text, &settings), expected != 0, "{text} {settings:?}");
    }
}

/// Positions in the middle of the game, and sums of two of them.
#[test]
fn random_positions_of_sprouts() {
    let mut random = fastrand::Rng::with_seed(7);
    let game = Sprouts::new(false);
    let (sums, progress) = (game.sums(), Progress::new());
    let mut nimbers = plain::Nimbers::new(&game, LIMIT_BYTES, &progress);
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
    let sums = Kayles.sums();
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
    let sums = cram.sums();
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

/// The winner of a position by every search, against plain minimax.
fn check_winner<G: Game>(game: &G, position: &G::Position) {
    let value =
        reference::solve(game, position, LIMIT_BYTES, &Progress::new()).expect("fits").value;
    let (sums, text) = (game.sums(), game.write(position));
    for settings in all() {
        assert_eq!(is_won(&*sums, &text, &settings), value == Value::Win, "{text} {settings:?}");
    }
}

/// All positions after so many moves.
fn after<G: Game>(game: &G, position: &G::Position, plies: usize) -> Vec<G::Position> {
    let mut layer = vec![position.clone()];
    for _ in 0..plies {
        let mut next = Vec::new();
        for position in layer {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            for mv in moves {
                let mut child = position.clone();
                game.play(&mut child, &mv);
                next.push(child);
            }
        }
        layer = next;
    }
    layer
}

/// Games without nimbers are searched as plain trees.
#[test]
fn partizan_games() {
    for (rows, cols) in (1..=4).flat_map(|rows| (1..=4).map(move |cols| (rows, cols))) {
        let size = format!("{rows}x{cols}");
        let (game, start) = Konane::read(&size).expect("a board");
        check_winner(&game, &start);
        let (game, start) = Domineering::read(&size).expect("a board");
        check_winner(&game, &start);
    }
    let (game, start) = Konane::read("4x4").expect("a board");
    let positions = after(&game, &start, 2);
    assert_eq!(positions.len(), 12);
    positions.iter().for_each(|position| check_winner(&game, position));
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
        check_winner(&game, &position);
        won += usize::from(is_won(&*game.sums(), &text, &by(Algorithm::DfPn)));
    }
    assert!((20..=180).contains(&won), "{won}");
}

/// When the memory is full everything but nimbers is forgotten, and the search begins again with these. With ever less memory there
/// first are restarts, and then no answer; a wrong one there never is.
#[test]
fn little_memory() {
    let sums = Sprouts::new(false).sums();
    let position = position(&*sums, "0*8");
    for settings in all() {
        let (mut restarts, mut full) = (0, 0);
        // Depth first it takes much more.
        let most_bytes =
            if settings.algorithm == Algorithm::DepthFirst { 256 << 10 } else { 4 << 20 };
        let fewer_bytes = |bytes: &usize| (*bytes > 0).then_some(bytes / 4 * 3);
        for memory_bytes in std::iter::successors(Some(most_bytes), fewer_bytes) {
            let monitor = Monitor::new();
            let settings = Settings { memory_bytes, ..settings.clone() };
            let mut solver = Solver::new(&*sums, settings.clone(), &monitor).expect("memory");
            match solver.solve(&position) {
                Ok(is_won) => {
                    assert!(!is_won, "{settings:?}");
                    restarts += solver.restarts();
                }
                Err(halt) => {
                    assert_eq!(halt, Halt::Memory, "{settings:?}");
                    assert!(memory_bytes < 4 << 20);
                    full += 1;
                }
            }
        }
        assert!(full > 10, "{settings:?}");
        assert!(restarts > 0 || settings.algorithm == Algorithm::DepthFirst, "{settings:?}");
    }
}

#[test]
fn searches_are_stopped() {
    let sums = Sprouts::new(false).sums();
    for settings in all() {
        let monitor = Monitor::new();
        let mut solver = Solver::new(&*sums, settings.clone(), &monitor).expect("memory");
        let position = position(&*sums, "0*24");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                monitor.stop();
            });
            assert_eq!(solver.solve(&position), Err(Halt::Stopped), "{settings:?}");
        });
        assert_eq!(solver.nimber(&position), Err(Halt::Stopped), "{settings:?}");
    }
}

/// A search that has paused goes on where it was.
#[test]
fn searches_pause_and_go_on() {
    let sums = Sprouts::new(false).sums();
    for settings in all() {
        let is_fast = settings.algorithm != Algorithm::DepthFirst;
        let text = if is_fast { "0*8" } else { "0*5" };
        let (position, expected) = (position(&*sums, text), !is_fast);
        let monitor = Monitor::new();
        let settings = Settings { deadline: Some(Instant::now()), ..settings };
        let mut solver = Solver::new(&*sums, settings.clone(), &monitor).expect("memory");
        let mut pauses = 0;
        let is_won = loop {
            match solver.solve(&position) {
                Ok(is_won) => break is_won,
                Err(halt) => assert_eq!(halt, Halt::Paused, "{settings:?}"),
            }
            pauses += 1;
            let time = match settings.algorithm {
                // Its numbers outlive the search.
                Algorithm::DfPn => Duration::ZERO,
                _ => Duration::from_millis(pauses),
            };
            solver.set_deadline(Some(Instant::now() + time));
            assert!(pauses < 10_000, "{settings:?}");
        };
        assert_eq!(is_won, expected, "{settings:?}");
        assert!(pauses > 0, "{settings:?}");
    }
}

#[test]
fn one_thread_is_deterministic() {
    let sums = Sprouts::new(false).sums();
    for settings in all().into_iter().filter(|settings| settings.threads == 1) {
        let is_fast = settings.algorithm != Algorithm::DepthFirst;
        let position = position(&*sums, if is_fast { "0*9" } else { "0*5" });
        let run = || {
            let monitor = Monitor::new();
            let mut solver = Solver::new(&*sums, settings.clone(), &monitor).expect("memory");
            assert_eq!(solver.nimber(&position), Ok(1));
            (monitor.expansions(), monitor.nodes(), solver.nimbers(), solver.parts())
        };
        assert_eq!(run(), run(), "{settings:?}");
    }
}
