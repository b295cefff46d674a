//! Lines of play: every move keeps the value, as an independent solver sees it.

use papamu_base::Progress;
use papamu_game::tiny::{Dodgem, MuTorere, TicTacToe};
use papamu_game::{Capabilities, Game, Guided, Question, Value};
use papamu_games::Konane;
use papamu_search::line::{Line, LineEnd, Remembered};
use papamu_search::run::Store;
use papamu_search::solver::{Helpers, Solution, solve_by};
use papamu_search::{Algorithm, Job, Monitor, Options, reference};

fn solution<G: Game>(game: &G, position: &G::Position) -> reference::Solution<G::Move> {
    let none = Capabilities::NONE;
    reference::solve(game, position, &none, 1 << 30, &Progress::new()).expect("a small board")
}

/// Random positions of a game, which are not over.
fn positions<G: Game>(text: &str, count: usize) -> (G, Vec<G::Position>) {
    let (game, start) = G::read(text).expect("a start");
    let mut random = fastrand::Rng::with_seed(11);
    let mut found = vec![start.clone()];
    while found.len() < count {
        let mut position = start.clone();
        for _ in 0..random.usize(..30) {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            match random.choice(moves) {
                Some(mv) => _ = game.play(&mut position, &mv),
                None => break,
            }
        }
        if game.count_moves(&position) > 0 {
            found.push(position);
        }
    }
    (game, found)
}

/// Checks a line from a position of that value.
fn check<G: Game>(game: &G, root: &G::Position, value: Value, line: &Line<G::Move>) {
    let (mut position, mut value) = (root.clone(), value);
    let mut seen = vec![position.clone()];
    for mv in &line.moves {
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        assert!(moves.contains(mv), "{} has no such move", game.write(&position));
        game.play(&mut position, mv);
        value = -value;
        assert_eq!(solution(game, &position).value, value, "{}", game.write(&position));
        seen.push(position.clone());
    }
    let last = seen.pop().expect("at least the root");
    match line.end {
        LineEnd::Over => assert_eq!(game.final_value(&last), value),
        LineEnd::Repeats => {
            assert!(seen.contains(&last) && value == Value::Draw, "{}", game.write(root));
        }
        _ => (),
    }
}

/// Checks the lines of all searches and of the reference solver. Returns the share of lines that
/// were forgotten.
fn lines_are_right<G: Guided>(text: &str, count: usize) -> f64 {
    let (game, positions) = positions::<G>(text, count);
    let (mut lines, mut forgotten) = (0.0, 0.0);
    for root in &positions {
        let known = solution(&game, root);
        check(&game, root, known.value, &known.line.expect("it has one"));
        for algorithm in Algorithm::SEARCHES {
            let options = Options::default().memory(1 << 24);
            let job = Job {
                game: &game,
                position: root,
                algorithm,
                options: &options,
                oracles: &[],
                checkpoint: None,
                keeps_solved: false,
            };
            let solved = job.run(&Monitor::new()).expect("a small board");
            let (value, best_move) = (solved.solution.value, solved.solution.best_move);
            assert_eq!(value, known.value);
            let stores = solved.memory.own();
            let remembered =
                Remembered { game: &game, root, oracle: None, options: &options, stores };
            let line = remembered.line(value, best_move.as_ref());
            check(&game, root, value, &line);
            lines += 1.0;
            forgotten += f64::from(line.end == LineEnd::Forgotten);
        }
    }
    forgotten / lines
}

#[test]
fn lines_keep_values() {
    for share in [
        lines_are_right::<TicTacToe>("start", 40),
        lines_are_right::<Konane>("4x4", 30),
        lines_are_right::<Dodgem>("3x3", 60),
        lines_are_right::<MuTorere>("8", 30),
    ] {
        assert!(share < 0.05, "{share}");
    }
}

/// Checks the lines of searches whose tables have room for a few positions. Returns how many lines
/// were forgotten.
fn forgetful_lines_are_right<G: Guided>(text: &str, count: usize) -> usize {
    let (game, positions) = positions::<G>(text, count);
    let (options, monitor) = (Options::default(), Monitor::new());
    let mut forgotten = 0;
    for root in &positions {
        let stores =
            [(), ()].map(|()| Store::new(Algorithm::DfPn, 1 << 10).expect("little memory"));
        let solution = solve_by(&game, root, &Helpers::default(), |problem| {
            let store = &stores[usize::from(problem.question == Question::Holds)];
            Algorithm::DfPn.answer(problem, &options, store, &monitor)
        });
        let Solution { value, best_move, .. } = solution.expect("a small board");
        let stores = stores.each_ref().map(Some);
        let remembered = Remembered { game: &game, root, oracle: None, options: &options, stores };
        let line = remembered.line(value, best_move.as_ref());
        check(&game, root, value, &line);
        forgotten += usize::from(line.end == LineEnd::Forgotten);
    }
    forgotten
}

#[test]
fn forgetful_searches_have_right_lines() {
    assert!(forgetful_lines_are_right::<Dodgem>("3x3", 40) > 0);
    assert!(forgetful_lines_are_right::<MuTorere>("8", 20) > 0);
}
