//! `tradeoff`: time for databases against time for the search that uses them.
//!
//! The experiment is that of M. Schadd, "Selective Search in Games of Different Complexity"
//! (Maastricht, 2011), section 4.6.2, for any game with tables of few stones.

use std::path::{Path, PathBuf};
use std::time::Duration;

use papamu_base::file::{AtomicFile, FileError};
use papamu_search::options::Algorithm;
use serde::Serialize;
use serde_json::Value;

use crate::kit::PublishedTradeoff;
use crate::plot::{self, Scale, Series};
use crate::registry::Entry;
use crate::report::Report;
use crate::request::{Readable, Request};
use crate::search_options::{search_options, searching_request};
use crate::solve::SolvePlan;
use crate::subject::GamePosition;
use crate::watch::{Limit, Limits, within_limits};
use crate::{Build, Error, ErrorKind, Part, Registry, Watch};

searching_request! {
    /// Build databases of more and more stones, and solve a board with each
    Tradeoff, "tradeoff",
        details "All databases are built before the first search. A search has the positions of \
                 all numbers of stones up to N. Threads are those of databases and searches. \
                 Where there are published figures, they are printed beside: their databases took \
                 the time of all up to N together, and their positions are those with just N.";
    /// Name of a game that has tables
    game: Option<String>, "GAME", Always, place Word;
    /// Board, such as 5x5
    board: Option<String>, "BOARD", Always, place Word;
    /// Numbers of stones, such as 0..9 or 0,2..5; 0 is no database [default: 0..5]
    pieces: Vec<Pieces>, "N,...", Always;
    /// Keep the database of N stones in DIR/N, and use those that are there already
    /// [default: a temporary directory]
    out: Option<PathBuf>, "DIR", Always;
    /// Give up a search that takes longer
    time: Option<u64>, "SECONDS", Always, range 1..=1_000_000_000;
    /// Give up a search that evaluates more positions
    nodes: Option<u64>, "N", Always, range 1..=u64::MAX;
    /// Draw the times of databases and searches as SVG
    plot: Option<PathBuf>, "FILE", Always;
}

/// Numbers of stones, written `2..9` or `4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// The least.
    pub first: u32,
    /// The greatest.
    pub last: u32,
}

impl Pieces {
    /// No board has more.
    const MOST: u32 = 64;
}

impl Readable for Pieces {
    fn read(text: &str) -> Result<Pieces, String> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) if first <= last && last <= Pieces::MOST => {
                Ok(Pieces { first, last })
            }
            _ => Err(format!("it is a range such as 0..9 or a number, up to {}", Pieces::MOST)),
        }
    }
}

/// Searches with databases of more and more stones.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct TradeoffReport {
    /// The game.
    pub game: &'static str,
    /// The board.
    pub board: String,
    /// The search.
    pub algorithm: String,
    /// Threads of databases and searches.
    pub threads: u16,
    /// The searches.
    pub rows: Vec<TradeoffRow>,
    /// The number of stones with the least time in all.
    pub best: Option<u32>,
    #[serde(skip)]
    failure: Option<Error>,
}

/// A database and a search that uses it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct TradeoffRow {
    /// The most stones of the database; 0 is none.
    pub pieces: u32,
    /// Time to build it; unknown if it was there and nobody has noted the time.
    pub build_seconds: Option<f64>,
    /// Whether it was there already.
    pub reused: bool,
    /// Its positions, up to symmetry.
    pub positions: Option<u64>,
    /// Its bytes.
    pub bytes: u64,
    /// Time of the search.
    pub solve_seconds: f64,
    /// Positions evaluated.
    pub nodes: u64,
    /// Positions whose values came from the database; unknown if the search was given up.
    pub table_hits: Option<u64>,
    /// The value that was found; none if the search was given up.
    pub value: Option<String>,
    /// Why it was given up: time, nodes or memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// Time of both, if the search was not given up.
    pub total_seconds: Option<f64>,
    /// The published figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<PublishedTradeoff>,
}

impl Report for TradeoffReport {
    fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }
}

/// Builds databases, and solves a board with each.
pub fn tradeoff(
    registry: &Registry,
    request: &Tradeoff,
    watch: &dyn Watch,
) -> Result<TradeoffReport, Error> {
    let game = request.game.as_deref().ok_or(Error::Missing { option: "game" })?;
    let board = request.board.as_deref().ok_or(Error::Missing { option: "board" })?.trim();
    let entry = registry.entry(game)?;
    let position = entry.read(board)?;
    if !entry.has_tables() {
        let (game, what) = (game.to_owned(), "tables".to_owned());
        return Err(Error::NotOfferedBy { game, what });
    }
    let search = search_options!(request);
    if search.algorithm() == Algorithm::Reference {
        return Err(Error::option("algo", "reference uses no tables"));
    }
    plot::check_available(request.plot.is_some())?;
    let plot = request.plot.as_deref().map(AtomicFile::new).transpose()?;
    let place = Place::new(request.out.as_deref())?;
    let databases = pieces(request)
        .into_iter()
        .map(|pieces| database(entry, &*position, request, board, pieces, place.path(), watch))
        .collect::<Result<Vec<Database>, Error>>()?;
    let published = entry.published().map_or(Vec::new(), |of| of.tradeoff(board));
    let mut rows: Vec<TradeoffRow> = Vec::new();
    for database in databases {
        let row = measure(&*position, request, database, watch)?;
        let published = published.iter().find(|of| of.stones == row.pieces).copied();
        let row = TradeoffRow { published, ..row };
        watch.part(Part::Tradeoff(&row));
        rows.push(row);
    }
    let mut values: Vec<&String> = rows.iter().filter_map(|row| row.value.as_ref()).collect();
    values.dedup();
    let disagree = values.len() > 1;
    let totals = rows.iter().filter_map(|row| Some((row.pieces, row.total_seconds?)));
    let report = TradeoffReport {
        game: position.game().name,
        board: board.to_owned(),
        algorithm: search.algorithm().to_string(),
        threads: request.threads(),
        best: totals.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(pieces, _)| pieces),
        rows,
        failure: disagree.then(|| Error::Check("the runs disagree on the value".to_owned())),
    };
    if let Some(plot) = plot {
        plot.write(draw(&report, &published).as_bytes())?;
    }
    Ok(report)
}

/// The numbers of stones in order, each once.
fn pieces(request: &Tradeoff) -> Vec<u32> {
    let mut pieces: Vec<u32> = match request.pieces.is_empty() {
        true => (0..=5).collect(),
        false => request.pieces.iter().flat_map(|range| range.first..=range.last).collect(),
    };
    pieces.sort_unstable();
    pieces.dedup();
    pieces
}

/// Where the databases are.
enum Place {
    Kept(PathBuf),
    Temporary(PathBuf),
}

impl Place {
    fn new(directory: Option<&Path>) -> Result<Place, Error> {
        if let Some(directory) = directory {
            plot::make_directory(directory)?;
            return Ok(Place::Kept(directory.to_owned()));
        }
        let name = format!("papamu-tradeoff-{}-{:x}", std::process::id(), fastrand::u64(..));
        let path = std::env::temp_dir().join(name);
        let made = std::fs::create_dir(&path);
        made.map_err(|error| FileError::new("make the directory", &path, error))?;
        Ok(Place::Temporary(path))
    }

    fn path(&self) -> &Path {
        match self {
            Place::Kept(path) | Place::Temporary(path) => path,
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Place::Temporary(path) = self {
            // What stays, the system removes some day.
            let _ = std::fs::remove_dir_all(path);
        }
    }
}

/// A database, and what it took.
#[derive(Default)]
struct Database {
    pieces: u32,
    /// None without stones.
    directory: Option<PathBuf>,
    seconds: Option<f64>,
    positions: Option<u64>,
    bytes: u64,
    is_reused: bool,
}

/// Builds the database of so many stones, or finds it.
fn database(
    entry: &dyn Entry,
    position: &dyn GamePosition,
    request: &Tradeoff,
    board: &str,
    pieces: u32,
    place: &Path,
    watch: &dyn Watch,
) -> Result<Database, Error> {
    if pieces == 0 {
        let (seconds, positions) = (Some(0.0), Some(0));
        return Ok(Database { seconds, positions, ..Database::default() });
    }
    let directory = place.join(pieces.to_string());
    // The answer of `build` is kept beside the table, for its time.
    let note = place.join(format!("{pieces}.json"));
    let is_reused = directory.exists();
    if !is_reused {
        let build = Build {
            game: request.game.clone(),
            board: Some(board.to_owned()),
            out: Some(directory.clone()),
            stones: Some(pieces),
            memory: Some(request.memory()),
            threads: Some(request.threads()),
            ..Build::default()
        };
        let built = entry.build(&build, watch)?;
        let text = serde_json::to_string(&built).unwrap_or_default();
        AtomicFile::new(&note)?.write(text.as_bytes())?;
    }
    let known = position.table_stones(&directory).map_err(|error| error.asked_by("out"))?;
    if known < pieces {
        let what = match is_reused {
            true => format!("`{}`", directory.display()),
            false => board.to_owned(),
        };
        let problem = format!("{what} has up to {known} stones, not {pieces}");
        return Err(Error::option("pieces", problem));
    }
    let noted = std::fs::read_to_string(&note).unwrap_or_default();
    let noted: Value = serde_json::from_str(&noted).unwrap_or_default();
    // A build that was interrupted before took longer than its last part.
    let is_whole = noted["resumed_layers"] == 0;
    Ok(Database {
        pieces,
        seconds: noted["seconds"].as_f64().filter(|_| is_whole),
        positions: noted["positions"].as_u64(),
        bytes: bytes_of(&directory)?,
        directory: Some(directory),
        is_reused,
    })
}

/// The bytes of all files of a table.
fn bytes_of(directory: &Path) -> Result<u64, Error> {
    let fail = |error| FileError::new("read", directory, error);
    let mut bytes = 0;
    for file in std::fs::read_dir(directory).map_err(fail)? {
        bytes += file.and_then(|file| file.metadata()).map_err(fail)?.len();
    }
    Ok(bytes)
}

fn measure(
    position: &dyn GamePosition,
    request: &Tradeoff,
    database: Database,
    watch: &dyn Watch,
) -> Result<TradeoffRow, Error> {
    let plan = SolvePlan {
        check: &|search| request.check_applies(search),
        tables: database.directory.as_deref(),
        table_stones: database.directory.as_ref().map(|_| database.pieces),
        ..SolvePlan::new(search_options!(request))
    };
    let limits = Limits { time: request.time.map(Duration::from_secs), work: request.nodes };
    let run = within_limits(watch, limits, |watch| position.solve(&plan, watch));
    let (solved, limit) = match (run.answer, run.exceeded) {
        (Ok(solved), _) => (Some(solved), None),
        (Err(error), Some(limit)) if error.kind() == ErrorKind::Stopped => {
            (None, Some(if limit == Limit::Time { "time" } else { "nodes" }))
        }
        (Err(error), _) if error.kind() == ErrorKind::Memory => (None, Some("memory")),
        (Err(error), _) => return Err(error),
    };
    let solve_seconds = solved.as_ref().map_or(run.seconds, |solved| solved.seconds);
    let build_seconds = database.seconds;
    Ok(TradeoffRow {
        pieces: database.pieces,
        build_seconds,
        reused: database.is_reused,
        positions: database.positions,
        bytes: database.bytes,
        solve_seconds,
        nodes: solved.as_ref().map_or(run.work, |solved| solved.nodes),
        table_hits: solved.as_ref().map(|solved| solved.table_hits.unwrap_or(0)),
        total_seconds: build_seconds.filter(|_| limit.is_none()).map(|of| of + solve_seconds),
        value: solved.map(|solved| solved.value().to_string()),
        limit,
        published: None,
    })
}

/// The counterpart of figure 4.9 of the thesis, in milliseconds as there.
fn draw(report: &TradeoffReport, published: &[PublishedTradeoff]) -> String {
    let series = |label: &'static str, seconds: fn(&TradeoffRow) -> Option<f64>| Series {
        label,
        points: report
            .rows
            .iter()
            .filter_map(|row| Some((f64::from(row.pieces), seconds(row)? * 1000.0)))
            .filter(|point| point.1 > 0.0)
            .collect(),
    };
    let mut lines = vec![
        series("in all", |row| row.total_seconds),
        series("databases", |row| row.build_seconds),
        series("search", |row| row.value.is_some().then_some(row.solve_seconds)),
    ];
    if !published.is_empty() {
        let point = |of: &PublishedTradeoff| (f64::from(of.stones), of.total_seconds * 1000.0);
        lines.push(Series {
            label: "in all, published",
            points: published.iter().map(point).collect(),
        });
    }
    plot::lines(
        &format!("Databases and {} on {} {}", report.algorithm, report.game, report.board),
        "stones of the database",
        "milliseconds",
        Scale::Logarithmic,
        lines,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_stones_are_ranges_or_single() {
        let read = |texts: &[&str]| {
            let pieces_of = |text: &&str| Pieces::read(text).expect("a range");
            let request =
                Tradeoff { pieces: texts.iter().map(pieces_of).collect(), ..Tradeoff::default() };
            pieces(&request)
        };
        assert_eq!(read(&["2..4", "0", "3..5"]), [0, 2, 3, 4, 5]);
        assert_eq!(read(&[]), [0, 1, 2, 3, 4, 5]);
        for wrong in ["", "4..2", "a..3", "-1", "0..65", "1..2..3"] {
            assert!(Pieces::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_temporary_directory_goes() {
        let place = Place::new(None).expect("a directory");
        let path = place.path().to_owned();
        std::fs::write(path.join("file"), "text").expect("written");
        drop(place);
        assert!(!path.exists());
    }
}
