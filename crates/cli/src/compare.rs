//! `papamu compare`: the algorithms and numbers of threads side by side, with published figures.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use papamu_game::Game;
use papamu_games::konane::{Konane, published};
use papamu_search::run::Options;
use papamu_search::solver::{self, Algorithm, Helpers, SolveError};
use serde::Serialize;

use crate::failure::Failure;
use crate::memory::MemorySize;
use crate::output::Output;
use crate::plot::{self, Scale, Series};
use crate::search_display::watch_search;
use crate::signals::stoppable_monitor;
use crate::target::{PositionVerb, Subject, Target};

/// Run all algorithms and numbers of threads on a position
///
/// For Konane 6x6 the figures of B. Siefke's thesis (tables 4.2 and 4.3, on a server with 32 cores)
/// are printed beside.
#[derive(Args)]
#[command(after_help = "Examples:
  papamu compare konane 6x6 --plot figures
  papamu compare konane 7x5 --threads 1,2 --skip ab --json")]
pub(crate) struct Compare {
    #[command(flatten)]
    pub(crate) target: Target,

    /// Numbers of threads for pn2 and dfpn, beside 1 [default: 1, 2, 4, 8, 12 as far as there are cores]
    #[arg(long, short, value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=255))]
    threads: Vec<u16>,

    /// Algorithms to leave out
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    skip: Vec<Algorithm>,

    /// Memory for tables and trees
    #[arg(long, default_value = "4GiB", value_name = "SIZE")]
    memory: MemorySize,

    /// Draw speedup and throughput as SVG files into DIR
    #[arg(long, value_name = "DIR")]
    plot: Option<PathBuf>,
}

#[derive(Serialize)]
struct Answer<'a> {
    game: &'a str,
    position: &'a str,
    runs: Vec<Run>,
}

#[derive(Serialize)]
struct Run {
    algorithm: String,
    threads: usize,
    value: String,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    speedup: f64,
    efficiency: f64,
    overhead: f64,
    published: Option<Published>,
}

#[derive(Serialize)]
struct Published {
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes_millions: Option<f64>,
    speedup: f64,
    efficiency: f64,
    overhead: f64,
}

impl PositionVerb for Compare {
    fn run<G: Game>(&self, subject: Subject<G>, output: &mut Output) -> Result<(), Failure> {
        let names = ["speedup.svg", "throughput.svg"];
        let plots = self.plot.as_deref().map(|directory| plot::files(directory, names));
        let plots = plots.transpose()?;
        if G::CYCLIC {
            return Err(SolveError::Cyclic.into());
        }
        if Algorithm::ALL.into_iter().all(|algorithm| self.skip.contains(&algorithm)) {
            return Err(Failure::Arguments("--skip leaves no algorithm to compare".to_owned()));
        }
        let mut runs: Vec<Run> = Vec::new();
        output.line(format!(
            "{:>5} {:>7} {:>10} {:>12} {:>8} {:>6} {:>6}   published: {:>9} {:>9} {:>8} {:>6} {:>6}",
            "algo", "threads", "seconds", "nodes (M)", "speedup", "eff.", "over.", "seconds",
            "nodes (M)", "speedup", "eff.", "over."
        ))?;
        for algorithm in Algorithm::ALL.into_iter().filter(|a| !self.skip.contains(a)) {
            let first = runs.len();
            for threads in self.threads_for(algorithm) {
                let run = self.measure(&subject, algorithm, threads, runs.get(first), output)?;
                output.line(row(&run))?;
                runs.push(run);
            }
        }
        let answer = Answer { game: G::NAME, position: &subject.text, runs };
        output.json(&answer)?;
        if let Some([speedup, throughput]) = plots {
            let draw = |label: &str, value: fn(&Run) -> f64| {
                let series = ["pn2", "dfpn"].map(|algorithm| Series {
                    label: algorithm,
                    points: answer
                        .runs
                        .iter()
                        .filter(|run| run.algorithm == algorithm)
                        .map(|run| (run.threads as f64, value(run)))
                        .collect(),
                });
                let title = format!("{label} on {} {}", answer.game, answer.position);
                plot::lines(&title, "threads", label, Scale::Linear, series.into())
            };
            speedup.write(draw("Speedup", |run| run.speedup).as_bytes())?;
            throughput.write(draw("Nodes per second", |run| run.nodes_per_second).as_bytes())?;
        }
        let values = answer.runs.iter().map(|run| &run.value);
        match values.clone().all(|value| Some(value) == values.clone().next()) {
            true => Ok(()),
            false => Err(Failure::Check("the algorithms disagree on the value".to_owned())),
        }
    }
}

impl Compare {
    fn threads_for(&self, algorithm: Algorithm) -> Vec<usize> {
        if !algorithm.is_parallel() {
            return vec![1];
        }
        if !self.threads.is_empty() {
            // One thread is what the others are measured by.
            let mut threads: Vec<usize> =
                self.threads.iter().map(|&threads| threads.into()).chain([1]).collect();
            threads.sort_unstable();
            threads.dedup();
            return threads;
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        [1, 2, 4, 8, 12].into_iter().filter(|&threads| threads <= cores).collect()
    }

    fn measure<G: Game>(
        &self,
        subject: &Subject<G>,
        algorithm: Algorithm,
        threads: usize,
        one_thread: Option<&Run>,
        output: &Output,
    ) -> Result<Run, Failure> {
        let options = Options { memory_bytes: self.memory.bytes(), threads, ..Options::default() };
        let monitor = stoppable_monitor();
        let started = Instant::now();
        let (solution, _) = watch_search(output, &monitor, None, || {
            let helpers = Helpers::default();
            solver::solve(&subject.game, &subject.position, algorithm, &options, &helpers, &monitor)
        });
        let solution = solution.map_err(Failure::without_checkpoint)?;
        let seconds = started.elapsed().as_secs_f64();
        let (base_seconds, base_nodes) =
            one_thread.map_or((seconds, solution.nodes), |run| (run.seconds, run.nodes));
        let speedup = base_seconds / seconds;
        let name = algorithm.to_string();
        let is_published = G::NAME == Konane::NAME && subject.text == "6x6";
        Ok(Run {
            published: is_published.then(|| published(&name, threads)).flatten(),
            algorithm: name,
            threads,
            value: solution.value.to_string(),
            nodes: solution.nodes,
            seconds,
            nodes_per_second: solution.nodes as f64 / seconds,
            speedup,
            efficiency: speedup / threads as f64,
            overhead: solution.nodes as f64 / base_nodes as f64,
        })
    }
}

/// What the thesis says. Table 4.2 has the nodes, table 4.3 the scaling of two algorithms.
fn published(algorithm: &str, threads: usize) -> Option<Published> {
    let nodes = published::ALGORITHMS_6X6.iter().find(|row| row.0 == algorithm && threads == 1);
    let scaling = published::SCALING_6X6.iter().find(|row| (row.0, row.1) == (algorithm, threads));
    let nodes_millions = nodes.map(|row| row.2);
    match (scaling, nodes) {
        (Some(&(_, _, seconds, speedup, efficiency, overhead)), _) => {
            Some(Published { seconds, nodes_millions, speedup, efficiency, overhead })
        }
        (None, Some(&(_, seconds, _))) => Some(Published {
            seconds,
            nodes_millions,
            speedup: 1.0,
            efficiency: 1.0,
            overhead: 1.0,
        }),
        (None, None) => None,
    }
}

fn row(run: &Run) -> String {
    let published = run.published.as_ref().map_or(String::new(), |p| {
        let nodes = p.nodes_millions.map_or(String::new(), |nodes| format!("{nodes:.2}"));
        format!(
            "{:>9.2} {nodes:>9} {:>8.2} {:>6.2} {:>6.2}",
            p.seconds, p.speedup, p.efficiency, p.overhead
        )
    });
    format!(
        "{:>5} {:>7} {:>10.2} {:>12.3} {:>8.2} {:>6.2} {:>6.2}              {published}",
        run.algorithm,
        run.threads,
        run.seconds,
        run.nodes as f64 / 1e6,
        run.speedup,
        run.efficiency,
        run.overhead
    )
    .trim_end()
    .to_owned()
}
