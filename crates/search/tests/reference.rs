//! The reference solvers against results from outside: nimbers of Kayles, tic-tac-toe, Dodgem, and
//! the published winners of Domineering and Konane.

use std::path::Path;

use papamu_base::memory::{OutOfMemory, Unfinished};
use papamu_base::{Progress, Stop, Stopped};
use papamu_game::tiny::{Cram, Dodgem, Domineering, Kayles, TicTacToe};
use papamu_game::{Capabilities, Game, Value};
use papamu_games::Konane;
use papamu_search::reference::{Method, Nimbers, Solution, solve};

const LIMIT_BYTES: usize = 1 << 30;

fn solved<G: Game>(text: &str, capabilities: &Capabilities<G>) -> Solution<G::Move> {
    let (game, position) = G::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    solve(&game, &position, capabilities, LIMIT_BYTES, &Progress::new()).expect("fits into memory")
}

/// Guy and Smith, "The G-values of various games" (1956): the sequence is A002186 of the OEIS.
const KAYLES: [u32; 84] = [
    0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7, 4, 1, 2, 8, 5, 4, 7, 2,
    1, 8, 6, 7, 4, 1, 2, 3, 1, 4, 7, 2, 1, 8, 2, 7, 4, 1, 2, 8, 1, 4, 7, 2, 1, 4, 2, 7, 4, 1, 2, 8,
    1, 4, 7, 2, 1, 8, 6, 7, 4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7,
];

#[test]
fn kayles_nimbers() {
    let progress = Progress::new();
    let mut nimbers = Nimbers::new(&Kayles, &Kayles::CAPABILITIES, LIMIT_BYTES, &progress);
    for (pins, expected) in KAYLES.into_iter().enumerate() {
        let (_, row) = Kayles::read(&pins.to_string()).expect("a row");
        assert_eq!(nimbers.nimber(&row), Ok(expected), "{pins} pins");
    }
}

/// From 71 pins on, the nimbers of Kayles repeat every 12 pins.
#[test]
fn kayles_nimbers_are_periodic() {
    let progress = Progress::new();
    let mut nimbers = Nimbers::new(&Kayles, &Kayles::CAPABILITIES, LIMIT_BYTES, &progress);
    let period = [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7];
    for pins in 71..=128_usize {
        let (_, row) = Kayles::read(&pins.to_string()).expect("a row");
        assert_eq!(nimbers.nimber(&row), Ok(period[pins % 12]), "{pins} pins");
    }
}

/// The first player wins every single row, by leaving two equal ones.
#[test]
fn kayles_solutions_are_wins_that_leave_nimber_0() {
    for text in ["1", "2", "17", "60", "5+3"] {
        let solution = solved(text, &Kayles::CAPABILITIES);
        assert_eq!((solution.value, solution.method), (Value::Win, Method::Nimbers), "{text}");
        let (game, mut position) = Kayles::read(text).expect("a row");
        game.play(&mut position, &solution.best_move.expect("a winning move"));
        let after = solved(&game.write(&position), &Kayles::CAPABILITIES);
        assert_eq!((after.value, after.nimber), (Value::Loss, Some(0)), "{text}");
    }
    assert_eq!(solved("5+5", &Kayles::CAPABILITIES).value, Value::Loss);
    let empty = solved("0", &Kayles::CAPABILITIES);
    assert_eq!((empty.value, empty.best_move), (Value::Loss, None));
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let solution = solved::<TicTacToe>("start", &Capabilities::NONE);
    assert_eq!((solution.value, solution.method), (Value::Draw, Method::Minimax));
    assert_eq!(solved::<TicTacToe>("xx./oo./... x", &Capabilities::NONE).value, Value::Win);
    assert_eq!(solved::<TicTacToe>("x../.o./..x o", &Capabilities::NONE).value, Value::Draw);
    // Every answer to the corner but the centre loses.
    assert_eq!(solved::<TicTacToe>("xo./.../... x", &Capabilities::NONE).value, Value::Win);
}

/// E. Berlekamp, J. Conway, R. Guy, "Winning Ways", chapter 22: the first player wins 3x3. Larger
/// boards are reported to be draws.
#[test]
fn dodgem_is_won_on_3x3_and_drawn_on_4x4() {
    let solution = solved::<Dodgem>("3x3", &Capabilities::NONE);
    assert_eq!((solution.value, solution.method), (Value::Win, Method::Retrograde));
    assert_eq!(solved::<Dodgem>("4x4", &Capabilities::NONE).value, Value::Draw);
}

/// Following the best moves of a won position ends the game, although play could cycle.
#[test]
fn best_moves_of_dodgem_make_progress() {
    let (game, mut position) = Dodgem::read("3x3").expect("start");
    for ply in 0.. {
        let solution = solved::<Dodgem>(&game.write(&position), &Capabilities::NONE);
        let expected = if ply % 2 == 0 { Value::Win } else { Value::Loss };
        assert_eq!(solution.value, expected);
        let Some(mv) = solution.best_move else {
            assert!(ply > 5);
            break;
        };
        assert!(ply < 40, "no progress");
        game.play(&mut position, &mv);
    }
}

/// D. Breuker, J. Uiterwijk, J. van den Herik, "Solving 8x8 Domineering" (2000): the first player
/// wins the small square boards, but loses 5x5. On square boards it does not matter which player
/// begins.
#[test]
fn domineering_on_square_boards() {
    for (size, expected) in
        [(1, Value::Loss), (2, Value::Win), (3, Value::Win), (4, Value::Win), (5, Value::Loss)]
    {
        let (game, vertical) = Domineering::read(&format!("{size}x{size}")).expect("a board");
        let horizontal = game.null_move(&vertical).expect("a position");
        for start in [vertical, horizontal] {
            let capabilities = Domineering::CAPABILITIES;
            let solution = solve(&game, &start, &capabilities, LIMIT_BYTES, &Progress::new());
            let solution = solution.expect("fits");
            assert_eq!((solution.value, solution.method), (expected, Method::Minimax), "{size}");
        }
    }
}

/// B. Siefke (2025), figure 4.3.
#[test]
fn konane_winners_up_to_5x5() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/konane-winners.csv");
    let text = std::fs::read_to_string(path).expect("the published winners");
    let mut boards = 0;
    for line in text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())) {
        let [rows, cols, winner] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let value = solved(&format!("{rows}x{cols}"), &Konane::CAPABILITIES).value;
        let expected = if winner == "black" { Value::Win } else { Value::Loss };
        assert_eq!(value, expected, "{rows}x{cols}");
        boards += 1;
    }
    assert_eq!(boards, 25);
}

#[test]
fn memory_limit_is_an_error() {
    fn runs_out<G: Game>(text: &str, capabilities: &Capabilities<G>, limit_bytes: usize) {
        let (game, start) = G::read(text).expect("a position");
        let error = solve(&game, &start, capabilities, limit_bytes, &Progress::new());
        let expected = Unfinished::OutOfMemory(OutOfMemory { limit_bytes });
        assert_eq!(error, Err(expected), "{} {text}", G::NAME);
    }
    runs_out("5x5", &Konane::CAPABILITIES, 10_000);
    runs_out::<Dodgem>("4x4", &Capabilities::NONE, 10_000);
    runs_out("128", &Kayles::CAPABILITIES, 1000);
}

/// Without components the nimbers are the same, and more positions are looked into.
#[test]
fn components_are_a_shortcut() {
    for text in ["11", "5+3+3", "7+7"] {
        let [sum, whole] = [Kayles::CAPABILITIES, Capabilities::NONE]
            .map(|capabilities| solved(text, &capabilities));
        assert_eq!((sum.value, sum.nimber), (whole.value, whole.nimber), "{text}");
        assert!(sum.nodes < whole.nodes, "{text}: {} and {}", sum.nodes, whole.nodes);
    }
}

/// A solver that is stopped by another thread while it works, and one that is stopped before it
/// begins.
fn is_stopped<G: Game>(text: &str, capabilities: &Capabilities<G>) {
    let (game, start) = G::read(text).expect("a position");
    let stop = Stop::new();
    let progress = Progress::with_stop(&stop);
    let run = |progress| solve(&game, &start, capabilities, usize::MAX, progress);
    std::thread::scope(|scope| {
        // Years of work.
        let solution = scope.spawn(|| run(&progress));
        while progress.done() == 0 {
            std::thread::yield_now();
        }
        stop.set();
        let solution = solution.join().expect("no panic");
        assert_eq!(solution, Err(Unfinished::Stopped(Stopped)), "{} {text}", G::NAME);
    });
    let never_begun = Progress::with_stop(&stop);
    assert_eq!(run(&never_begun), Err(Unfinished::Stopped(Stopped)), "{} {text}", G::NAME);
    assert!(never_begun.done() <= 1, "{} {text}", G::NAME);
}

#[test]
fn minimax_ends_when_it_is_stopped() {
    is_stopped("8x8", &Konane::CAPABILITIES);
    is_stopped("8x8", &Domineering::CAPABILITIES);
}

#[test]
fn nimbers_end_when_they_are_stopped() {
    is_stopped("8x8", &Cram::CAPABILITIES);
}

#[test]
fn retrograde_analysis_ends_when_it_is_stopped() {
    is_stopped::<Dodgem>("7x7", &Capabilities::NONE);
}
