//! Every position of small games, by every search, against values by plain iteration.

use std::collections::HashMap;

use papamu_game::tiny::{Dodgem, MuTorere};
use papamu_game::{Game, Guided, Value};

use super::repetition::mutant::BELIEVES_EVERYTHING;
use crate::options::{Algorithm, Options};
use crate::run::Monitor;
use crate::solver::{Helpers, solve};

/// All positions that can be reached, with their values: those of the ends spread until nothing
/// changes any more, and what is left is a draw.
fn values<G: Game>(game: &G, start: &G::Position) -> Vec<(G::Position, Value)> {
    let mut numbers = HashMap::from([(start.clone(), 0)]);
    let mut positions = vec![start.clone()];
    let mut children: Vec<Vec<usize>> = Vec::new();
    while children.len() < positions.len() {
        let position = positions[children.len()].clone();
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        let after = moves.iter().map(|mv| {
            let mut child = position.clone();
            game.play(&mut child, mv);
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
    positions.into_iter().zip(known).map(|(p, value)| (p, value.unwrap_or(Value::Draw))).collect()
}

/// How many values a search gets wrong.
fn wrong<G: Guided>(text: &str, algorithm: Algorithm, options: &Options) -> usize {
    let (game, start) = G::read(text).expect("a start");
    let expected = values(&game, &start);
    let wrong = expected.iter().filter(|(position, value)| {
        let solution =
            solve(&game, position, algorithm, options, &Helpers::default(), &Monitor::new());
        solution.expect("solved").value != *value
    });
    wrong.count()
}

#[test]
fn try_it() {
    let started = std::time::Instant::now();
    for memory_bytes in [1 << 20, 1 << 10] {
        let options = Options { memory_bytes, ..Options::default() };
        for text in ["4", "8"] {
            println!("{text} {} {:?}", wrong::<MuTorere>(text, Algorithm::DfPn, &options), started.elapsed());
        }
        println!("dodgem {} {:?}", wrong::<Dodgem>("3x3", Algorithm::DfPn, &options), started.elapsed());
    }
    BELIEVES_EVERYTHING.set(true);
    let options = Options { memory_bytes: 1 << 20, ..Options::default() };
        for text in ["4", "8"] {
            println!("{text} {} {:?}", wrong::<MuTorere>(text, Algorithm::DfPn, &options), started.elapsed());
        }
        println!("dodgem {} {:?}", wrong::<Dodgem>("3x3", Algorithm::DfPn, &options), started.elapsed());
    BELIEVES_EVERYTHING.set(false);
}

#[test]
#[ignore = "an experiment"]
fn experiment() {
    use crate::numbers::Damping;
    use crate::init::Init;
    fn one<G: Guided>(text: &str, options: &Options, name: &str) {
        let (game, start) = G::read(text).expect("a start");
        let started = std::time::Instant::now();
        let monitor = Monitor::new();
        let done = std::sync::atomic::AtomicBool::new(false);
        let solution = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(std::sync::atomic::Ordering::Relaxed) {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                    if started.elapsed().as_secs() > 15 { monitor.stop(); }
                }
            });
            let s = solve(&game, &start, Algorithm::DfPn, options, &Helpers::default(), &monitor);
            done.store(true, std::sync::atomic::Ordering::Relaxed);
            s
        });
        println!("{} {text} {name}: {:?} nodes {} exp {} {:?}", G::NAME, solution.map(|s| s.value), monitor.nodes(), monitor.expansions(), started.elapsed());
    }
    for w in [1, 2, 8] {
        for init in [Init::Unit, Init::Mobility] {
            let options = Options { memory_bytes: 256 << 20, init, damping: Damping::new(w), ..Options::default() };
            let name = format!("w{w} {init}");
            one::<MuTorere>("12", &options, &name);
            one::<MuTorere>("16", &options, &name);
            one::<Dodgem>("4x4", &options, &name);
            one::<Dodgem>("5x5", &options, &name);
        }
    }
}
