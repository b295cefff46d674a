//! Every position of small games, by every search, against values by plain iteration.

use std::collections::HashMap;

use papamu_game::tiny::{Dodgem, MuTorere};
use papamu_game::{Game, Guided, Player, Question, Value};

use crate::options::{Algorithm, Options};
use crate::problem::Problem;
use crate::run::{Monitor, Store};
use crate::solver::mutant::BELIEVES_EVERYTHING;

/// All positions that can be reached, with their values: those of the ends spread until nothing
/// changes any more, and what is left is a draw.
fn values<G: Game>(text: &str) -> (G, Vec<(G::Position, Value)>) {
    let (game, start) = G::read(text).expect("a start");
    let mut numbers = HashMap::from([(start.clone(), 0)]);
    let mut positions = vec![start];
    let mut children: Vec<Vec<usize>> = Vec::new();
    while children.len() < positions.len() {
        let position = positions[children.len()].clone();
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        let after = moves.iter().map(|mv| {
            let child = game.after(&position, mv);
            *numbers.entry(child.clone()).or_insert_with(|| {
                positions.push(child);
                positions.len() - 1
            })
        });
        children.push(after.collect());
    }
    let mut known: Vec<Option<Value>> = positions
        .iter()
        .zip(&children)
        .map(|(position, children)| children.is_empty().then(|| game.final_value(position)))
        .collect();
    loop {
        let mut changed = false;
        for i in 0..positions.len() {
            if known[i].is_some() {
                continue;
            }
            let is = |child: &usize, value| known[*child] == Some(value);
            if children[i].iter().any(|child| is(child, Value::Loss)) {
                known[i] = Some(Value::Win);
            } else if children[i].iter().all(|child| is(child, Value::Win)) {
                known[i] = Some(Value::Loss);
            }
            changed |= known[i].is_some();
        }
        if !changed {
            break;
        }
    }
    let values = known.into_iter().map(|value| value.unwrap_or(Value::Draw));
    (game, positions.into_iter().zip(values).collect())
}

/// Whether searches of several positions share a table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tables {
    /// One for each attacker, whose disproofs the searches of other positions believe.
    Shared,
    /// A new one for each position.
    Fresh,
}

/// How many of the answers of a search are wrong.
fn wrong<G: Guided>(
    (game, values): &(G, Vec<(G::Position, Value)>),
    algorithm: Algorithm,
    options: &Options,
    tables: Tables,
    table_bytes: usize,
) -> usize {
    let store = || Store::new(algorithm, table_bytes).expect("memory");
    let mut wrong = 0;
    for attacker in [Player::First, Player::Second] {
        let mut shared = store();
        for (position, value) in values {
            let attacker_moves = game.to_move(position) == attacker;
            let question = if attacker_moves { Question::Wins } else { Question::Holds };
            let problem = Problem::new(game, position, question);
            if tables == Tables::Fresh {
                shared = store();
            } else {
                // A tree is of one position.
                shared.tree = store().tree;
            }
            let outcome = algorithm.answer(&problem, options, &shared, &Monitor::new());
            let won = outcome.expect("no error").won.expect("not stopped");
            wrong += usize::from(won != question.answer(*value));
        }
    }
    wrong
}

/// Every search, on one thread and where possible on two.
fn searches() -> impl Iterator<Item = (Algorithm, Options)> {
    Algorithm::SEARCHES.into_iter().flat_map(|algorithm| {
        let threads: &[usize] = if algorithm.is_parallel() { &[1, 2] } else { &[1] };
        let options = Options::default().memory(64 << 20);
        threads.iter().map(move |&threads| (algorithm, options.threads(threads)))
    })
}

fn all_right<G: Guided>(
    positions: &(G, Vec<(G::Position, Value)>),
    tables: Tables,
    table_bytes: usize,
) {
    for (algorithm, options) in searches() {
        let wrong = wrong(positions, algorithm, &options, tables, table_bytes);
        let threads = options.threads;
        assert_eq!(wrong, 0, "{} {algorithm}, {threads} threads, {table_bytes} bytes", G::NAME);
    }
}

/// Every n-th position.
fn some<G: Game>(
    (game, values): (G, Vec<(G::Position, Value)>),
    n: usize,
) -> (G, Vec<(G::Position, Value)>) {
    (game, values.into_iter().step_by(n).collect())
}

#[test]
fn all_positions_of_small_games_are_right() {
    for tables in [Tables::Shared, Tables::Fresh] {
        all_right(&values::<MuTorere>("4"), tables, 1 << 20);
        all_right(&values::<MuTorere>("8"), tables, 1 << 20);
        all_right(&values::<Dodgem>("3x3"), tables, 1 << 20);
    }
    assert!(super::closed::UNCLEAR.load(std::sync::atomic::Ordering::Relaxed) > 0);
}

/// However far new positions are looked ahead.
#[test]
fn look_ahead_changes_no_value() {
    let stars = values::<MuTorere>("8");
    let cars = some(values::<Dodgem>("3x3"), 3);
    for (algorithm, options) in searches() {
        for look_ahead_plies in 0..=3 {
            let options = Options { look_ahead_plies, ..options };
            let wrong = wrong(&stars, algorithm, &options, Tables::Shared, 1 << 20)
                + wrong(&cars, algorithm, &options, Tables::Shared, 1 << 20);
            assert_eq!(wrong, 0, "{algorithm} with {look_ahead_plies} plies");
        }
    }
}

/// With four lines a table forgets nearly everything, provisional or not.
#[test]
fn tables_of_a_few_lines_are_enough() {
    all_right(&values::<MuTorere>("4"), Tables::Fresh, 256);
    all_right(&some(values::<MuTorere>("8"), 20), Tables::Fresh, 256);
    all_right(&some(values::<Dodgem>("3x3"), 50), Tables::Fresh, 256);
}

/// The same for all positions, with sixteen lines.
#[test]
#[ignore = "takes minutes: cargo test -p papamu-search --lib --release -- --ignored few_lines"]
fn few_lines_are_enough_everywhere() {
    for (algorithm, options) in searches() {
        let stars = wrong(&values::<MuTorere>("8"), algorithm, &options, Tables::Fresh, 1 << 10);
        println!("mu-torere 8 by {algorithm}");
        let cars = wrong(&values::<Dodgem>("3x3"), algorithm, &options, Tables::Fresh, 1 << 10);
        println!("dodgem 3x3 by {algorithm}");
        assert_eq!((stars, cars), (0, 0), "{algorithm}");
    }
}

/// On 4x4, where loops are long.
#[test]
fn positions_of_dodgem_on_4x4_are_right() {
    all_right(&some(values::<Dodgem>("4x4"), 40), Tables::Shared, 64 << 20);
}

/// The same for all of them.
#[test]
#[ignore = "takes minutes: cargo test -p papamu-search --lib --release -- --ignored all_positions"]
fn all_positions_of_dodgem_on_4x4_are_right() {
    let values = values::<Dodgem>("4x4");
    assert_eq!(values.1.len(), 393_900);
    all_right(&values, Tables::Shared, 64 << 20);
}

/// A search that takes every disproof for final is found out.
#[test]
fn disproofs_that_rest_on_the_path_must_not_be_believed() {
    let values = values::<Dodgem>("3x3");
    let options = Options::default();
    BELIEVES_EVERYTHING.set(true);
    let wrong = [Algorithm::AlphaBeta, Algorithm::DfPn]
        .map(|algorithm| wrong(&values, algorithm, &options, Tables::Fresh, 1 << 20));
    BELIEVES_EVERYTHING.set(false);
    assert!(wrong.iter().all(|&wrong| wrong > 0), "{wrong:?}");
}
