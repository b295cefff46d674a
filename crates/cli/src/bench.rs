//! `papamu bench`: the same work every time, and a number that says so.

use std::time::Instant;

use clap::Args;
use papamu_game::Game;
use papamu_games::{Konane, Sprouts};
use papamu_search::init::{Init, Steps};
use papamu_search::nimber::{self, Position, Settings, Solver};
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
    game: &'static str,
    position: &'static str,
    algorithm: String,
    /// First numbers of leaves; searches with nimbers have their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    init: Option<String>,
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

/// Searches with nimbers: every algorithm, normal and misere play.
fn nimber_cases() -> Vec<(&'static str, Settings)> {
    let default = Settings { memory_bytes: 256 << 20, ..Settings::default() };
    let with = |algorithm| Settings { algorithm, ..default.clone() };
    vec![
        ("0*11", default.clone()),
        ("0*8", default.clone()),
        ("0*9", Settings { damping: 1, epsilon: 0.0, is_ordered: false, ..default.clone() }),
        ("misere 0*7", default.clone()),
        ("0*9", with(nimber::Algorithm::Pns)),
        ("0*5", with(nimber::Algorithm::DepthFirst)),
    ]
}

impl Bench {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let started = Instant::now();
        let mut runs = Vec::new();
        output.line(format!("{:>14} {:>10}  run", "nodes", "seconds"))?;
        for (text, settings) in nimber_cases() {
            let sums = Sprouts::read(text)?.0.sums();
            let position = Position::new(&sums.parts_of(text)?, 0);
            let monitor = stoppable_monitor();
            let run_started = Instant::now();
            let (solved, _) = watch_search(output, &monitor, None, || {
                Solver::new(&*sums, settings.clone(), &monitor)?.solve(&position)
            });
            solved.map_err(|halt| match halt {
                nimber::Halt::Stopped => Failure::Interrupted,
                halt => halt.into(),
            })?;
            let run = BenchRun {
                game: Sprouts::NAME,
                position: text,
                algorithm: settings.algorithm.name().to_owned(),
                init: None,
                damping: settings.damping,
                nodes: monitor.nodes(),
                seconds: run_started.elapsed().as_secs_f64(),
            };
            run.print(output)?;
            runs.push(run);
        }
        for (text, algorithm, options) in cases() {
            let (game, position) = Konane::read(text)?;
            let monitor = stoppable_monitor();
            let run_started = Instant::now();
            let (solution, _) = watch_search(output, &monitor, None, || {
                let helpers = Helpers::default();
                solver::solve(&game, &position, algorithm, &options, &helpers, &monitor)
            });
            let run = BenchRun {
                game: Konane::NAME,
                position: text,
                algorithm: algorithm.to_string(),
                init: Some(options.init.to_string()),
                damping: options.damping.weight(),
                nodes: solution.map_err(Failure::without_checkpoint)?.nodes,
                seconds: run_started.elapsed().as_secs_f64(),
            };
            run.print(output)?;
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

impl BenchRun {
    fn print(&self, output: &mut Output) -> Result<(), Failure> {
        let BenchRun { game, position, algorithm, damping, nodes, seconds, .. } = self;
        let init = self.init.as_deref().unwrap_or("nimbers");
        let nodes = grouped(*nodes);
        output.line(format!(
            "{nodes:>14} {seconds:>10.3}  {algorithm} {game} {position} {init} damping {damping}"
        ))
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
