//! `compare-tables`: how much tables of few stones help the searches.

use std::path::PathBuf;

use papamu_search::options::Algorithm;
use serde::Serialize;

use crate::plot::{self, Scale, Series};
use crate::report::Report;
use crate::request::{Bytes, request};
use crate::search_options::SearchOptions;
use crate::solve::SolvePlan;
use crate::subject::GamePosition;
use crate::{Error, Part, Registry, Watch};

request! {
    /// Run the proof-number searches with tables of more and more stones
    CompareTables, "compare-tables",
        details "The first run of each search has no table. The others use a table for the positions \
                 with at most that number of stones.";
    /// Name of a game that has tables
    game: Option<String>, "GAME", Always, place Word;
    /// Position in the notation of the game; a board size such as 6x6 is the start
    position: Option<String>, "POSITION", Always, place Words;
    /// Table of the board, made by `build`
    tables: Option<PathBuf>, "DIR", Always;
    /// Numbers of stones [default: every second number, and that of the table]
    stones: Vec<u32>, "N,...", Always;
    /// Algorithms to leave out, of pns, pn2 and dfpn
    skip: Vec<Algorithm>, "NAME,...", Always;
    /// Threads of pn2 and dfpn
    threads: Option<u16>, "N", Always, default 1, range 1..=255, short 't';
    /// Memory for the tables and trees of the searches
    memory: Option<Bytes>, "SIZE", Always, default Bytes::gib(4);
    /// Draw nodes and seconds as SVG files into DIR
    plot: Option<PathBuf>, "DIR", Always;
}

/// Searches with tables of more and more stones.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct CompareTablesReport {
    /// The game.
    pub game: &'static str,
    /// The position as it was given.
    pub position: String,
    /// The table.
    pub tables: String,
    /// Threads of pn2 and dfpn.
    pub threads: u16,
    /// The searches.
    pub runs: Vec<CompareTablesRun>,
    #[serde(skip)]
    failure: Option<Error>,
}

/// A search with a table.
#[derive(Clone, Debug, Serialize)]
pub struct CompareTablesRun {
    /// The search.
    pub algorithm: String,
    /// The table is used for positions with at most this many stones; for none if it is 0.
    pub stones: u32,
    /// The value that was found.
    pub value: String,
    /// Positions evaluated.
    pub nodes: u64,
    /// Time.
    pub seconds: f64,
    /// Nodes, as a share of those without a table.
    pub nodes_share: f64,
    /// Time, as a share of that without a table.
    pub seconds_share: f64,
}

impl Report for CompareTablesReport {
    fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }
}

/// The searches that are compared.
const SEARCHES: [Algorithm; 3] = [Algorithm::Pns, Algorithm::Pn2, Algorithm::DfPn];

/// Runs searches with a table.
pub fn compare_tables(
    registry: &Registry,
    request: &CompareTables,
    watch: &dyn Watch,
) -> Result<CompareTablesReport, Error> {
    let (game, text) = crate::position_of(&request.game, &request.position)?;
    let tables = request.tables.as_deref().ok_or(Error::Missing { option: "tables" })?;
    let position = registry.read(game, &text)?;
    plot::check_available(request.plot.is_some())?;
    let searches: Vec<Algorithm> =
        SEARCHES.into_iter().filter(|search| !request.skip.contains(search)).collect();
    if searches.is_empty() {
        return Err(Error::option("skip", "it leaves no algorithm to compare"));
    }
    let known = position.table_stones(tables)?;
    let mut stones = match request.stones.is_empty() {
        true => (2..known).step_by(2).chain([known]).collect(),
        false => request.stones.clone(),
    };
    stones.push(0);
    stones.sort_unstable();
    stones.dedup();
    if let Some(&most) = stones.last().filter(|&&most| most > known) {
        let problem = format!("the table knows positions with up to {known} stones, not {most}");
        return Err(Error::option("stones", problem));
    }
    let names = ["tables-nodes.svg", "tables-seconds.svg"];
    let plots = request.plot.as_deref().map(|directory| plot::files(directory, names));
    let plots = plots.transpose()?;
    let mut runs: Vec<CompareTablesRun> = Vec::new();
    for &algorithm in &searches {
        let first = runs.len();
        for &stones in &stones {
            let without = runs.get(first);
            let run = measure(&*position, request, (algorithm, stones), without, watch)?;
            watch.part(Part::CompareTables(&run));
            runs.push(run);
        }
    }
    let first_value = runs.first().map(|run| run.value.clone());
    let disagree = runs.iter().any(|run| Some(&run.value) != first_value.as_ref());
    let report = CompareTablesReport {
        game: position.game().name,
        position: text,
        tables: tables.display().to_string(),
        threads: request.threads(),
        runs,
        failure: disagree.then(|| Error::Check("the runs disagree on the value".to_owned())),
    };
    if let Some([nodes, seconds]) = plots {
        nodes.write(draw(&report, "Nodes", |run| run.nodes as f64).as_bytes())?;
        seconds.write(draw(&report, "Seconds", |run| run.seconds).as_bytes())?;
    }
    Ok(report)
}

fn draw(report: &CompareTablesReport, label: &str, value: fn(&CompareTablesRun) -> f64) -> String {
    let series = SEARCHES.map(|algorithm| Series {
        label: algorithm.name(),
        points: report
            .runs
            .iter()
            .filter(|run| run.algorithm == algorithm.name())
            .map(|run| (f64::from(run.stones), value(run)))
            .collect(),
    });
    let series = series.into_iter().filter(|series| !series.points.is_empty());
    let title = format!("{label} of {} {} with tables", report.game, report.position);
    plot::lines(&title, "stones of the table", label, Scale::Logarithmic, series.collect())
}

fn measure(
    position: &dyn GamePosition,
    request: &CompareTables,
    (algorithm, stones): (Algorithm, u32),
    without: Option<&CompareTablesRun>,
    watch: &dyn Watch,
) -> Result<CompareTablesRun, Error> {
    let search = SearchOptions {
        algo: Some(algorithm),
        threads: algorithm.is_parallel().then(|| request.threads()),
        memory: Some(request.memory()),
        ..SearchOptions::default()
    };
    let plan = SolvePlan::new(search);
    let plan = match stones {
        0 => plan,
        _ => SolvePlan { tables: request.tables.as_deref(), table_stones: Some(stones), ..plan },
    };
    let solved = position.solve(&plan, watch)?;
    let share = |of: f64, all: fn(&CompareTablesRun) -> f64| match without.map(all) {
        Some(all) if all > 0.0 => of / all,
        _ => 1.0,
    };
    Ok(CompareTablesRun {
        algorithm: algorithm.to_string(),
        stones,
        value: solved.value().to_string(),
        nodes: solved.nodes,
        seconds: solved.seconds,
        nodes_share: share(solved.nodes as f64, |run| run.nodes as f64),
        seconds_share: share(solved.seconds, |run| run.seconds),
    })
}
