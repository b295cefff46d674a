//! The plain solvers against results from outside: nimbers of Kayles, tic-tac-toe, Dodgem, and the
//! published winners of Domineering and Konane.

use std::path::Path;

use papamu_base::Progress;
use papamu_game::tiny::{Dodgem, Domineering, Kayles, TicTacToe};
use papamu_game::{Game, Value};
use papamu_games::Konane;
use papamu_search::reference::{Method, Nimbers, Solution, solve};

const LIMIT_BYTES: usize = 1 << 30;

fn solved<G: Game>(text: &str) -> Solution<G::Move> {
    let (game, position) = G::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    solve(&game, &position, LIMIT_BYTES, &Progress::new()).expect("fits into memory")
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
    let mut nimbers = Nimbers::new(&Kayles, LIMIT_BYTES, &progress);
    for (pins, expected) in KAYLES.into_iter().enumerate() {
        let (_, row) = Kayles::read(&pins.to_string()).expect("a row");
        assert_eq!(nimbers.nimber(&row), Ok(expected), "{pins} pins");
    }
}

/// From 71 pins on, the nimbers of Kayles repeat every 12 pins.
#[test]
fn kayles_nimbers_are_periodic() {
    let progress = Progress::new();
    let mut nimbers = Nimbers::new(&Kayles, LIMIT_BYTES, &progress);
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
        let solution = solved::<Kayles>(text);
        assert_eq!((solution.value, solution.method), (Value::Win, Method::Nimbers), "{text}");
        let (game, mut position) = Kayles::read(text).expect("a row");
        game.play(&mut position, &solution.best_move.expect("a winning move"));
        let after = solved::<Kayles>(&game.write(&position));
        assert_eq!((after.value, after.nimber), (Value::Loss, Some(0)), "{text}");
    }
    assert_eq!(solved::<Kayles>("5+5").value, Value::Loss);
    let empty = solved::<Kayles>("0");
    assert_eq!((empty.value, empty.best_move), (Value::Loss, None));
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let solution = solved::<TicTacToe>("start");
    assert_eq!((solution.value, solution.method), (Value::Draw, Method::Minimax));
    assert_eq!(solved::<TicTacToe>("xx./oo./... x").value, Value::Win);
    assert_eq!(solved::<TicTacToe>("x../.o./..x o").value, Value::Draw);
    // An answer to the corner that is not the centre loses.
    assert_eq!(solved::<TicTacToe>("xo./.../... x").value, Value::Win);
}

/// E. Berlekamp, J. Conway, R. Guy, "Winning Ways", chapter 22: the first player wins 3x3. Larger
/// boards are reported to be draws.
#[test]
fn dodgem_is_won_on_3x3_and_drawn_on_4x4() {
    let solution = solved::<Dodgem>("3x3");
    assert_eq!((solution.value, solution.method), (Value::Win, Method::Retrograde));
    assert_eq!(solved::<Dodgem>("4x4").value, Value::Draw);
}

/// Following the best moves of a won position ends the game, although play could go in circles.
#[test]
fn best_moves_of_dodgem_make_progress() {
    let (game, mut position) = Dodgem::read("3x3").expect("start");
    for ply in 0.. {
        let solution = solved::<Dodgem>(&game.write(&position));
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

/// D. Breuker, J. Uiterwijk, J. van den Herik, "Solving 8x8 Domineering" (2000): who begins wins the
/// small square boards, but loses 5x5. On square boards it does not matter which player begins.
#[test]
fn domineering_on_square_boards() {
    for (size, expected) in
        [(1, Value::Loss), (2, Value::Win), (3, Value::Win), (4, Value::Win), (5, Value::Loss)]
    {
        let (game, vertical) = Domineering::read(&format!("{size}x{size}")).expect("a board");
        let horizontal = game.turned(&vertical).expect("a position");
        for start in [vertical, horizontal] {
            let solution = solve(&game, &start, LIMIT_BYTES, &Progress::new()).expect("fits");
            assert_eq!((solution.value, solution.method), (expected, Method::Minimax), "{size}");
        }
    }
}

/// B. Siefke (2025), figure 4.3.
#[test]
fn konane_winners_up_to_5x5() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/konane/winners.csv");
    let text = std::fs::read_to_string(path).expect("the published winners");
    let mut boards = 0;
    for line in text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())) {
        let [rows, cols, winner] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let value = solved::<Konane>(&format!("{rows}x{cols}")).value;
        let expected = if winner == "black" { Value::Win } else { Value::Loss };
        assert_eq!(value, expected, "{rows}x{cols}");
        boards += 1;
    }
    assert_eq!(boards, 25);
}

#[test]
fn memory_limit_is_an_error() {
    let game = Konane::new(5, 5).expect("a board");
    let error = solve(&game, &game.start(), 10_000, &Progress::new()).expect_err("too small");
    assert_eq!(error.limit_bytes, 10_000);
    let (game, start) = Dodgem::read("4x4").expect("start");
    let error = solve(&game, &start, 10_000, &Progress::new()).expect_err("too small");
    assert_eq!(error.limit_bytes, 10_000);
}
