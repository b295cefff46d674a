//! `papamu compare-tables`: what tables of few stones do for the searches.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use papamu_game::Game;
use papamu_search::run::Options;
use papamu_search::solver::{self, Algorithm, Helpers, SolveError};
use serde::Serialize;

use crate::failure::Failure;
use crate::memory::MemorySize;
use crate::output::{Output, grouped};
use crate::plot::{self, Scale, Series};
use crate::search_display::watch_search;
use crate::signals::stoppable_monitor;
use crate::tables::BoardTable;
use crate::target::{PositionVerb, Subject, Target};

/// Run the proof-number searches with tables of more and more stones
///
/// The first run of each search has no table. The others use a table for the positions with at most
/// so many stones.
#[derive(Args)]
#[command(after_help = "Examples:
  papamu compare-tables konane 6x6 --tables tables/6x6 --stones 8,12,16,20 --plot figures
  papamu compare-tables konane 7x6 --tables tables/7x6-12 --skip pns")]
pub(crate) struct CompareTables {
    #[command(flatten)]
    pub(crate) target: Target,

    /// Table of the board, made by `papamu build`
    #[arg(long, value_name = "DIR")]
    tables: PathBuf,

    /// Numbers of stones [default: every second number, and that of the table]
    #[arg(long, value_delimiter = ',', value_name = "NUMBERS")]
    stones: Vec<u32>,

    /// Algorithms to leave out, of pns, pn2 and dfpn
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    skip: Vec<Algorithm>,

    /// Threads of pn2 and dfpn
    #[arg(long, short, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=255))]
    threads: u16,

    /// Memory for the tables and trees of the searches
    #[arg(long, default_value = "4GiB", value_name = "SIZE")]
    memory: MemorySize,

    /// Draw nodes and seconds as SVG files into DIR
    #[arg(long, value_name = "DIR")]
    plot: Option<PathBuf>,
}

#[derive(Serialize)]
struct Answer<'a> {
    game: &'a str,
    position: &'a str,
    tables: String,
    threads: u16,
    runs: Vec<Run>,
}

#[derive(Serialize)]
struct Run {
    algorithm: String,
    stones: u32,
    value: String,
    nodes: u64,
    seconds: f64,
    /// Of the nodes and seconds without a table.
    nodes_share: f64,
    seconds_share: f64,
}

impl PositionVerb for CompareTables {
    fn run<G: Game>(&self, subject: Subject<G>, output: &mut Output) -> Result<(), Failure> {
        let names = ["tables-nodes.svg", "tables-seconds.svg"];
        let plots = self.plot.as_deref().map(|directory| plot::files(directory, names));
        let plots = plots.transpose()?;
        if G::CYCLIC {
            return Err(SolveError::Cyclic.into());
        }
        let searches = [Algorithm::Pns, Algorithm::Pn2, Algorithm::DfPn];
        let searches: Vec<Algorithm> =
            searches.into_iter().filter(|search| !self.skip.contains(search)).collect();
        if searches.is_empty() {
            return Err(Failure::Arguments("--skip leaves no algorithm to compare".to_owned()));
        }
        let table = BoardTable::open(&subject.game, &self.tables)?;
        let known = table.most_stones();
        let mut stones = match self.stones.is_empty() {
            true => (2..known).step_by(2).chain([known]).collect(),
            false => self.stones.clone(),
        };
        stones.push(0);
        stones.sort_unstable();
        stones.dedup();
        stones.iter().try_for_each(|&stones| table.check_stones(stones))?;
        output.line(format!(
            "{:>5} {:>6} {:>15} {:>10} {:>8} {:>8}",
            "algo", "stones", "nodes", "seconds", "nodes %", "time %"
        ))?;
        let mut runs: Vec<Run> = Vec::new();
        for &algorithm in &searches {
            let first = runs.len();
            for &stones in &stones {
                let run =
                    self.measure(&subject, algorithm, (&table, stones), runs.get(first), output)?;
                output.line(format!(
                    "{:>5} {:>6} {:>15} {:>10.3} {:>8.2} {:>8.2}",
                    run.algorithm,
                    run.stones,
                    grouped(run.nodes),
                    run.seconds,
                    run.nodes_share * 100.0,
                    run.seconds_share * 100.0
                ))?;
                runs.push(run);
            }
        }
        let answer = Answer {
            game: G::NAME,
            position: &subject.text,
            tables: self.tables.display().to_string(),
            threads: self.threads,
            runs,
        };
        output.json(&answer)?;
        if let Some([nodes, seconds]) = plots {
            let draw = |label: &str, value: fn(&Run) -> f64| {
                let series = ["pns", "pn2", "dfpn"].map(|algorithm| Series {
                    label: algorithm,
                    points: answer
                        .runs
                        .iter()
                        .filter(|run| run.algorithm == algorithm)
                        .map(|run| (f64::from(run.stones), value(run)))
                        .collect(),
                });
                let series = series.into_iter().filter(|series| !series.points.is_empty());
                let title = format!("{label} of {} {} with tables", answer.game, answer.position);
                let x = "stones of the table";
                plot::lines(&title, x, label, Scale::Logarithmic, series.collect())
            };
            nodes.write(draw("Nodes", |run| run.nodes as f64).as_bytes())?;
            seconds.write(draw("Seconds", |run| run.seconds).as_bytes())?;
        }
        let values = answer.runs.iter().map(|run| &run.value);
        match values.clone().all(|value| Some(value) == values.clone().next()) {
            true => Ok(()),
            false => Err(Failure::Check("the runs disagree on the value".to_owned())),
        }
    }
}

impl CompareTables {
    fn measure<G: Game>(
        &self,
        subject: &Subject<G>,
        algorithm: Algorithm,
        (table, stones): (&BoardTable, u32),
        without: Option<&Run>,
        output: &Output,
    ) -> Result<Run, Failure> {
        let Subject { game, position, .. } = subject;
        let threads = if algorithm.is_parallel() { self.threads } else { 1 };
        let options = Options {
            memory_bytes: self.memory.bytes(),
            threads: threads.into(),
            ..Options::default()
        };
        let oracle = match stones {
            0 => None,
            _ => table.oracle(Some(stones)),
        };
        let helpers = Helpers { oracle: oracle.as_deref(), ..Helpers::default() };
        let monitor = stoppable_monitor();
        let started = Instant::now();
        let (solution, _) = watch_search(output, &monitor, None, || {
            solver::solve(game, position, algorithm, &options, &helpers, &monitor)
        });
        let solution = solution.map_err(Failure::without_checkpoint)?;
        let seconds = started.elapsed().as_secs_f64();
        let share = |of: f64, all: fn(&Run) -> f64| match without.map(all) {
            Some(all) if all > 0.0 => of / all,
            _ => 1.0,
        };
        Ok(Run {
            algorithm: algorithm.to_string(),
            stones,
            value: solution.value.to_string(),
            nodes: solution.nodes,
            seconds,
            nodes_share: share(solution.nodes as f64, |run| run.nodes as f64),
            seconds_share: share(seconds, |run| run.seconds),
        })
    }
}
