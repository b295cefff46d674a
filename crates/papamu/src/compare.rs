//! `compare`: the algorithms and numbers of threads side by side, with published figures.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use papamu_search::options::Algorithm;
use serde::Serialize;

use crate::kit::PublishedEffort;
use crate::plot::{self, Scale, Series};
use crate::report::Report;
use crate::request::{Bytes, request};
use crate::search_options::SearchOptions;
use crate::solve::SolvePlan;
use crate::subject::GamePosition;
use crate::watch::within;
use crate::{Error, ErrorKind, Part, Registry, Watch};

request! {
    /// Run all algorithms and numbers of threads on a position
    Compare, "compare",
        details "Published figures are printed beside, where there are any.";
    /// Name of the game; `papamu games` lists them
    game: Option<String>, "GAME", Always, place Word;
    /// Position in the notation of the game; a board size such as 6x6 is the start
    position: Option<String>, "POSITION", Always, place Words;
    /// Numbers of threads for pn2 and dfpn, besides 1 [default: 1, 2, 4, 8, 12 as far as there are
    /// cores]
    threads: Vec<u16>, "N,...", Always, range 1..=255, short 't';
    /// Algorithms to leave out
    skip: Vec<Algorithm>, "NAME,...", Always;
    /// Memory for tables and trees
    memory: Option<Bytes>, "SIZE", Always, default Bytes::gib(4);
    /// Seconds after which a search is given up
    time: Option<u64>, "SECONDS", Always, default 300, range 1..=u64::MAX;
    /// Draw speedup and throughput as SVG files into DIR
    plot: Option<PathBuf>, "DIR", Always;
}

/// Searches side by side.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct CompareReport {
    /// The game.
    pub game: &'static str,
    /// The position as it was given.
    pub position: String,
    /// The searches.
    pub runs: Vec<CompareRun>,
    #[serde(skip)]
    failure: Option<Error>,
}

/// A search, compared with the same search on one thread.
#[derive(Clone, Debug, Serialize)]
pub struct CompareRun {
    /// The search.
    pub algorithm: String,
    /// Threads.
    pub threads: usize,
    /// The value that it found; none if it was given up.
    pub value: Option<String>,
    /// Positions evaluated, or expanded with nimbers.
    pub nodes: u64,
    /// Time.
    pub seconds: f64,
    /// Nodes per second.
    pub nodes_per_second: f64,
    /// How much faster than with one thread.
    pub speedup: f64,
    /// Speedup divided by threads.
    pub efficiency: f64,
    /// Nodes divided by those of one thread.
    pub overhead: f64,
    /// The published figures.
    pub published: Option<PublishedEffort>,
}

impl Report for CompareReport {
    fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }
}

/// Runs all algorithms.
pub fn compare(
    registry: &Registry,
    request: &Compare,
    watch: &dyn Watch,
) -> Result<CompareReport, Error> {
    let (game, text) = crate::position_of(&request.game, &request.position)?;
    let entry = registry.entry(game)?;
    let position = entry.read(&text)?;
    plot::check_available(request.plot.is_some())?;
    let info = entry.info();
    let algorithms: Vec<Algorithm> = Algorithm::SEARCHES
        .into_iter()
        .filter(|algorithm| !request.skip.contains(algorithm))
        .filter(|algorithm| !info.impartial || algorithm.has_nimbers())
        .collect();
    if algorithms.is_empty() {
        return Err(Error::option("skip", "it leaves no algorithm to compare"));
    }
    let names = ["speedup.svg", "throughput.svg"];
    let plots = request.plot.as_deref().map(|directory| plot::files(directory, names));
    let plots = plots.transpose()?;
    let mut runs: Vec<CompareRun> = Vec::new();
    for algorithm in algorithms {
        let first = runs.len();
        let is_parallel = algorithm.is_parallel();
        for threads in threads_for(request, is_parallel) {
            let published = entry.published();
            let published =
                published.and_then(|published| published.effort(&text, algorithm, threads));
            let one_thread = runs.get(first);
            let run = measure(&*position, request, (algorithm, threads), one_thread, watch)?;
            let run = CompareRun { published, ..run };
            watch.part(Part::Compare(&run));
            runs.push(run);
        }
    }
    let mut values: Vec<&String> = runs.iter().filter_map(|run| run.value.as_ref()).collect();
    values.dedup();
    let disagree = values.len() > 1;
    let failure = disagree.then(|| Error::Check("the algorithms disagree on the value".to_owned()));
    let report = CompareReport { game: info.name, position: text, runs, failure };
    if let Some([speedup, throughput]) = plots {
        let draw = |label: &str, value: fn(&CompareRun) -> f64| {
            let series = [Algorithm::Pn2, Algorithm::DfPn].map(|algorithm| Series {
                label: algorithm.name(),
                points: report
                    .runs
                    .iter()
                    .filter(|run| run.algorithm == algorithm.name())
                    .map(|run| (run.threads as f64, value(run)))
                    .collect(),
            });
            let title = format!("{label} on {} {}", report.game, report.position);
            plot::lines(&title, "threads", label, Scale::Linear, series.into())
        };
        speedup.write(draw("Speedup", |run| run.speedup).as_bytes())?;
        throughput.write(draw("Nodes per second", |run| run.nodes_per_second).as_bytes())?;
    }
    Ok(report)
}

fn threads_for(request: &Compare, is_parallel: bool) -> Vec<usize> {
    if !is_parallel {
        return vec![1];
    }
    if !request.threads.is_empty() {
        // The others are compared with one thread.
        let mut threads: Vec<usize> =
            request.threads.iter().map(|&threads| threads.into()).chain([1]).collect();
        threads.sort_unstable();
        threads.dedup();
        return threads;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    [1, 2, 4, 8, 12].into_iter().filter(|&threads| threads <= cores).collect()
}

fn measure(
    position: &dyn GamePosition,
    request: &Compare,
    (algorithm, threads): (Algorithm, usize),
    one_thread: Option<&CompareRun>,
    watch: &dyn Watch,
) -> Result<CompareRun, Error> {
    let plan = SolvePlan::new(SearchOptions {
        algo: Some(algorithm),
        threads: Some(threads as u16),
        memory: Some(request.memory()),
        ..SearchOptions::default()
    });
    let limit = Duration::from_secs(request.time());
    let started = Instant::now();
    let solved = match within(watch, limit, |watch| position.solve(&plan, watch)) {
        (Err(error), true) if error.kind() == ErrorKind::Stopped => None,
        (solved, _) => Some(solved?),
    };
    // With nimbers the work is in expansions.
    let is_impartial = position.game().impartial;
    let nodes = solved.as_ref().map_or(0, |solved| match is_impartial {
        true => solved.expansions.unwrap_or(0),
        false => solved.nodes,
    });
    let seconds = match &solved {
        Some(solved) => solved.seconds,
        None => started.elapsed().as_secs_f64(),
    };
    let (base_seconds, base_nodes) =
        one_thread.map_or((seconds, nodes), |run| (run.seconds, run.nodes));
    let speedup = base_seconds / seconds;
    Ok(CompareRun {
        algorithm: algorithm.to_string(),
        threads,
        value: solved.map(|solved| solved.value().to_string()),
        nodes,
        seconds,
        nodes_per_second: nodes as f64 / seconds,
        speedup,
        efficiency: speedup / threads as f64,
        overhead: nodes as f64 / base_nodes.max(1) as f64,
        published: None,
    })
}
