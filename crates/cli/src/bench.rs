//! `papamu bench`: the same work every time, and a number that says so.

use std::time::Instant;

use clap::Args;
use papamu_game::Game;
use papamu_games::Konane;
use papamu_search::init::{Init, Steps};
use papamu_search::numbers::Damping;
use papamu_search::run::Options;
use papamu_search::solver::{self, Algorithm, Helpers};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{Output, grouped};
use crate::search_display::watch_search;
use crate::signals::stoppable_monitor;

/// Solve a fixed set of positions with one thread and print the number of nodes as a signature
///
/// The signature is the same on every run and every machine. It changes with anything that changes
/// the order of a search.
#[derive(Args)]
#[command(after_help = "Examples:
  papamu bench
  papamu bench --json")]
pub(crate) struct Bench {}

#[derive(Serialize)]
struct Answer {
    signature: u64,
    nodes: u64,
    seconds: f64,
    runs: Vec<BenchRun>,
}

#[derive(Serialize)]
struct BenchRun {
    position: &'static str,
    algorithm: String,
    init: String,
    damping: u32,
    nodes: u64,
    seconds: f64,
}

/// Positions, algorithms and options: every algorithm, every way to guess first numbers, sums with
/// and without damping, openings and endgames.
fn cases() -> Vec<(&'static str, Algorithm, Options)> {
    let default = Options { memory_bytes: 64 << 20, ..Options::default() };
    let steps = Steps { a: 5, b: 2, t: 0.3 };
    let with = |init, weight| Options { init, damping: Damping::new(weight), ..default };
    vec![
        ("6x6", Algorithm::DfPn, default),
        ("7x5", Algorithm::DfPn, default),
        ("4x8", Algorithm::DfPn, default),
        ("6x5", Algorithm::DfPn, with(Init::Unit, 1)),
        ("6x5", Algorithm::DfPn, with(Init::Mobility, 1)),
        ("6x5", Algorithm::DfPn, with(Init::Ef(steps), 8)),
        ("6x5", Algorithm::DfPn, with(Init::Ief(steps), 8)),
        ("6x5", Algorithm::Pns, default),
        ("5x5", Algorithm::Pns, with(Init::Mobility, 1)),
        ("6x5", Algorithm::Pn2, default),
        ("5x5", Algorithm::Pn2, with(Init::Mobility, 1)),
        ("5x5", Algorithm::AlphaBeta, default),
        ("xoxo.o/ox.xox/xo.oxo/oxox.x/x.xoxo/oxoxox b", Algorithm::AlphaBeta, default),
        ("xoxoxox/o.oxoxo/xoxox.x/oxo.oxo/xoxoxox/o.oxoxo/xoxoxox w", Algorithm::DfPn, default),
    ]
}

impl Bench {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let started = Instant::now();
        let mut runs = Vec::new();
        output.line(format!("{:>14} {:>10}  run", "nodes", "seconds"))?;
        for (text, algorithm, options) in cases() {
            let (game, position) = Konane::read(text)?;
            let monitor = stoppable_monitor();
            let run_started = Instant::now();
            let (solution, _) = watch_search(output, &monitor, None, || {
                let helpers = Helpers::default();
                solver::solve(&game, &position, algorithm, &options, &helpers, &monitor)
            });
            let run = BenchRun {
                position: text,
                algorithm: algorithm.to_string(),
                init: options.init.to_string(),
                damping: options.damping.weight(),
                nodes: solution.map_err(Failure::without_checkpoint)?.nodes,
                seconds: run_started.elapsed().as_secs_f64(),
            };
            output.line(format!(
                "{:>14} {:>10.3}  {} {} {} damping {}",
                grouped(run.nodes),
                run.seconds,
                run.algorithm,
                run.position,
                run.init,
                run.damping
            ))?;
            runs.push(run);
        }
        let nodes = runs.iter().map(|run| run.nodes).sum();
        let answer = Answer {
            signature: signature(runs.iter().map(|run| run.nodes)),
            nodes,
            seconds: started.elapsed().as_secs_f64(),
            runs,
        };
        output.json(&answer)?;
        let rate = answer.nodes as f64 / answer.seconds / 1e6;
        output.line(format!(
            "{:>14} {:>10.3}  in all, {rate:.2} million per second",
            grouped(nodes),
            answer.seconds
        ))?;
        output.line(format!("signature {}", answer.signature))
    }
}

/// One number that depends on every count (FNV-1a), short enough to be compared by eye.
fn signature(counts: impl Iterator<Item = u64>) -> u64 {
    let bytes = counts.flat_map(u64::to_le_bytes);
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    hash % 1_000_000_000
}
