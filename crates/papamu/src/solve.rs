//! `solve`: who wins, and how to begin.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use papamu_base::file::find_same;
use papamu_game::{Game, Player, Value};
use papamu_proof::file::MOST_BUDGET;
use papamu_search::job::{Checkpointing, Job, JobError, KeptCheckpoint};
use papamu_search::line::{Line, LineEnd, Remembered};
use papamu_search::nimber::job::Wanted;
use papamu_search::options::{Algorithm, Options};
use papamu_search::problem::{self, Oracle};
use papamu_search::reference;
use papamu_search::run::Monitor;
use serde::Serialize;

use crate::certificate::{ProveRequest, goals};
use crate::certificate_files::CertificateFiles;
use crate::certified::{Proofs, check_database};
use crate::kit::{Answers, OpenTable, Registered};
use crate::plot;
use crate::registry::not_offered;
use crate::report::Report;
use crate::request::{Applicability, Request};
use crate::search_options::{SearchOptions, search_options, searching_request};
use crate::subject::{GamePosition, Held};
use crate::trace::{self, Trace, TraceFiles};
use crate::watch::{with_monitor, with_progress};
use crate::{Error, Registry, Watch};

searching_request! {
    /// Solve a position: its value under best play, and a move that keeps it
    Solve, "solve";
    /// Name of the game; `papamu games` lists them
    game: Option<String>, "GAME", Always, place Word;
    /// Position in the notation of the game; a board size such as 6x6 is the start
    position: Option<String>, "POSITION", Always, place Words;
    /// Table of the board, made by `build`, for positions that it knows; `verify` checks one that
    /// comes from elsewhere
    tables: Option<PathBuf>, "DIR", Trees;
    /// Use the table for positions with at most N stones only
    table_stones: Option<u32>, "N", Trees;
    /// Decide positions that consist of regions of at most N squares by the values of the regions,
    /// which may take a quarter of the memory in addition
    region_values: Option<u32>, "N", Trees, range 1..=64;
    /// Nimbers of an impartial game: those in FILE are used if it exists, and new ones are stored
    /// in it every minute, at the end and when stopped
    nimbers: Option<PathBuf>, "FILE", Nimbers;
    /// Write the winning strategy, which `papamu-check` checks; of a draw one for each player, that
    /// of the player not to move to a file with his name before the extension: 4x4.up.cert
    cert: Option<PathBuf>, "FILE", Searches;
    /// Leave out positions that a checker proves by entering at most N positions: the certificate
    /// is smaller, and slower to check
    cert_budget: Option<u64>, "N", Trees, default 0, range 0..=MOST_BUDGET;
    /// Leave out positions of size N or less, whose values checkers find by themselves: stones, or
    /// cars; of games that can go in circles
    cert_database: Option<u64>, "N", Trees, default 0;
    /// Write a time line of nodes and root numbers as CSV
    trace: Option<PathBuf>, "FILE", Searches;
    /// Draw the proof and disproof number of the root over the nodes as SVG
    trace_plot: Option<PathBuf>, "FILE", ProofNumbers;
    /// Keep the search in FILE, at intervals and when stopped
    checkpoint: Option<PathBuf>, "FILE", Trees;
    /// Seconds between checkpoints
    checkpoint_interval: Option<u64>, "SECONDS", Trees, default 60, range 1..=u64::MAX;
    /// Resume the search in FILE, and keep it there unless `checkpoint` names another file
    resume: Option<PathBuf>, "FILE", Trees;
}

/// The value of a position, and the effort of finding it.
#[derive(Debug, Default, Serialize)]
#[non_exhaustive]
pub struct SolveReport {
    /// The game.
    pub game: &'static str,
    /// The position as it was given.
    pub position: String,
    /// Whose turn it is.
    pub to_move: &'static str,
    /// Who wins; nobody if it is a draw.
    pub winner: Option<&'static str>,
    /// The value for the player to move: win, draw or loss.
    pub value: String,
    /// A move that keeps the value; any move if all lose.
    pub best_move: Option<String>,
    /// How play goes on from here, as far as the search remembers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    /// Why the line ends: the game is over, the position repeats, or the rest is forgotten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_ends: Option<String>,
    /// The nimber, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimber: Option<u32>,
    /// The search.
    pub algorithm: String,
    /// Threads, if the search can have several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u16>,
    /// Positions evaluated.
    pub nodes: u64,
    /// Positions expanded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expansions: Option<u64>,
    /// Nodes of the first level, of PN2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_level_nodes: Option<u64>,
    /// Positions whose values came from a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_hits: Option<u64>,
    /// Positions decided by the values of their regions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region_hits: Option<u64>,
    /// Nimbers known in the end, of impartial games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimbers_known: Option<u64>,
    /// The certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// Its positions or nimbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate_records: Option<u64>,
    /// The certificate of the other player, if the position is a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second_certificate: Option<String>,
    /// Its positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second_certificate_records: Option<u64>,
    /// Whether the independent checker has accepted certificates of the value.
    pub certified: bool,
    /// Files whose content was believed: the answer is as good as they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rests_on: Vec<String>,
    /// Time, earlier sittings included.
    pub seconds: f64,
    /// Whether the search was one with nimbers.
    #[serde(skip)]
    pub is_impartial: bool,
    #[serde(skip)]
    failure: Option<Error>,
}

impl Report for SolveReport {
    /// The answer is there even if the certificate could not be written.
    fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }
}

/// Solves a position.
pub fn solve(
    registry: &Registry,
    request: &Solve,
    watch: &dyn Watch,
) -> Result<SolveReport, Error> {
    let (game, text) = crate::position_of(&request.game, &request.position)?;
    let position = registry.read(game, &text)?;
    check_files(request)?;
    plot::check_available_for("trace_plot", request.trace_plot.is_some())?;
    let plan = SolvePlan {
        check: &|search| request.check_applies(search),
        tables: request.tables.as_deref(),
        table_stones: request.table_stones,
        region_values: request.region_values,
        nimbers: request.nimbers.as_deref(),
        cert: request.cert.as_deref(),
        cert_budget: request.cert_budget(),
        cert_database: request.cert_database(),
        trace: TraceFiles { lines: request.trace.as_deref(), plot: request.trace_plot.as_deref() },
        checkpoint: request.checkpoint.as_deref(),
        checkpoint_interval: Duration::from_secs(request.checkpoint_interval()),
        resume: request.resume.as_deref(),
        ..SolvePlan::new(search_options!(request))
    };
    let solved = position.solve(&plan, watch)?;
    Ok(solved.report(&*position, text, request.cert.as_deref()))
}

/// Refuses files that conflict with each other.
fn check_files(request: &Solve) -> Result<(), Error> {
    let Solve { checkpoint, resume, .. } = request;
    if let Some(path) = checkpoint.as_ref().filter(|path| path.exists() && checkpoint != resume) {
        let problem = format!("`{}` exists; resume it, or name another file", path.display());
        return Err(Error::option("checkpoint", problem));
    }
    if request.table_stones.is_some() && request.tables.is_none() {
        return Err(Error::option("table_stones", "there are no tables"));
    }
    if request.region_values.is_some() && request.tables.is_some() {
        return Err(Error::option("region_values", "tables know more; give one of them"));
    }
    if request.cert_budget.is_some() && request.cert.is_none() {
        return Err(Error::option("cert_budget", "there is no certificate"));
    }
    if request.cert_database.is_some() && request.cert.is_none() {
        return Err(Error::option("cert_database", "there is no certificate"));
    }
    let resumed = resume.as_deref().filter(|_| checkpoint != resume);
    find_same([
        ("trace", request.trace.as_deref()),
        ("trace_plot", request.trace_plot.as_deref()),
        ("cert", request.cert.as_deref()),
        ("nimbers", request.nimbers.as_deref()),
        ("checkpoint", checkpoint.as_deref()),
        ("resume", resumed),
    ])?;
    Ok(())
}

/// How to solve a position.
#[derive(Clone, Copy)]
pub struct SolvePlan<'a> {
    pub(crate) search: SearchOptions,
    /// A search that ignores the defaults of the game.
    pub(crate) exact: Option<(Algorithm, Options)>,
    pub(crate) check: &'a dyn Fn(&Applicability) -> Result<(), Error>,
    pub(crate) wanted: Wanted,
    pub(crate) tables: Option<&'a Path>,
    pub(crate) table_stones: Option<u32>,
    pub(crate) region_values: Option<u32>,
    pub(crate) nimbers: Option<&'a Path>,
    pub(crate) cert: Option<&'a Path>,
    pub(crate) cert_budget: u64,
    pub(crate) cert_database: u64,
    pub(crate) trace: TraceFiles<'a>,
    pub(crate) checkpoint: Option<&'a Path>,
    pub(crate) checkpoint_interval: Duration,
    pub(crate) resume: Option<&'a Path>,
}

impl SolvePlan<'_> {
    pub(crate) fn new(search: SearchOptions) -> SolvePlan<'static> {
        SolvePlan {
            search,
            exact: None,
            check: &|_| Ok(()),
            wanted: Wanted::Winner,
            tables: None,
            table_stones: None,
            region_values: None,
            nimbers: None,
            cert: None,
            cert_budget: 0,
            cert_database: 0,
            trace: TraceFiles::default(),
            checkpoint: None,
            checkpoint_interval: Duration::from_secs(60),
            resume: None,
        }
    }

    /// A search with just these options.
    pub(crate) fn exactly(algorithm: Algorithm, options: Options) -> SolvePlan<'static> {
        let exact = Some((algorithm, options));
        SolvePlan { exact, ..SolvePlan::new(SearchOptions::default()) }
    }
}

/// A solved position.
#[derive(Debug, Default)]
pub struct Solved {
    pub(crate) value: Option<Value>,
    pub(crate) best_move: Option<String>,
    pub(crate) line: Option<WrittenLine>,
    pub(crate) nimber: Option<u32>,
    pub(crate) method: String,
    pub(crate) threads: Option<u16>,
    pub(crate) nodes: u64,
    pub(crate) expansions: Option<u64>,
    pub(crate) first_level_nodes: Option<u64>,
    pub(crate) table_hits: Option<u64>,
    pub(crate) region_hits: Option<u64>,
    pub(crate) nimbers_known: Option<u64>,
    pub(crate) certificate_records: Option<u64>,
    pub(crate) second_certificate: Option<(PathBuf, u64)>,
    pub(crate) certified: bool,
    pub(crate) rests_on: Vec<String>,
    pub(crate) seconds: f64,
    pub(crate) failure: Option<Error>,
}

/// The texts of the moves of a line, and how it ends.
#[derive(Debug)]
pub(crate) struct WrittenLine {
    moves: Vec<String>,
    end: LineEnd,
}

impl WrittenLine {
    fn new<G: Game>(game: &G, root: &G::Position, line: &Line<G::Move>) -> WrittenLine {
        let mut position = root.clone();
        let moves = line.moves.iter().map(|mv| {
            let text = game.write_move(&position, mv);
            game.play(&mut position, mv);
            text
        });
        WrittenLine { moves: moves.collect(), end: line.end }
    }
}

impl Solved {
    /// The value for the player to move.
    pub(crate) fn value(&self) -> Value {
        self.value.unwrap_or(Value::Draw)
    }

    fn report(self, position: &dyn GamePosition, text: String, cert: Option<&Path>) -> SolveReport {
        let value = self.value();
        let cert = cert.filter(|_| self.certificate_records.is_some());
        let line_ends = self.line.as_ref().map(|line| line.end.to_string());
        SolveReport {
            game: position.game().name,
            position: text,
            to_move: position.mover_name(),
            winner: winner(position, value),
            value: value.to_string(),
            best_move: self.best_move,
            line: self.line.map(|line| line.moves).unwrap_or_default(),
            line_ends,
            nimber: self.nimber,
            algorithm: self.method,
            threads: self.threads,
            nodes: self.nodes,
            expansions: self.expansions,
            first_level_nodes: self.first_level_nodes,
            table_hits: self.table_hits,
            region_hits: self.region_hits,
            nimbers_known: self.nimbers_known,
            certificate: cert.map(|cert| cert.display().to_string()),
            certificate_records: self.certificate_records,
            second_certificate_records: self
                .second_certificate
                .as_ref()
                .map(|(_, records)| *records),
            second_certificate: self.second_certificate.map(|(file, _)| file.display().to_string()),
            certified: self.certified,
            rests_on: self.rests_on,
            seconds: self.seconds,
            is_impartial: position.game().impartial,
            failure: self.failure,
        }
    }
}

/// Who wins a position of that value.
pub(crate) fn winner(position: &dyn GamePosition, value: Value) -> Option<&'static str> {
    let mover: Player = position.to_move();
    let winner = match value {
        Value::Win => Some(mover),
        Value::Loss => Some(!mover),
        Value::Draw => None,
    };
    winner.map(|player| position.game().players[player.index()])
}

/// Solves a position by the requested search. This is the only place that distinguishes kinds of
/// games.
pub(crate) fn solve_held<G: Registered>(
    held: &Held<G>,
    plan: &SolvePlan<'_>,
    watch: &dyn Watch,
) -> Result<Solved, Error> {
    let (algorithm, options) = match plan.exact {
        Some(exact) => exact,
        None => plan.search.options(&held.kit, plan.check, plan.cert.is_some())?,
    };
    if plan.wanted == Wanted::Nimber && (!G::IMPARTIAL || held.game.is_misere()) {
        return Err(not_offered::<G>(if G::IMPARTIAL {
            "nimbers in misere play"
        } else {
            "nimbers"
        }));
    }
    match algorithm {
        Algorithm::Reference => by_reference(held, &options, watch),
        _ if G::IMPARTIAL => crate::with_nimbers::solve(held, algorithm, &options, plan, watch),
        _ => by_search(held, algorithm, &options, plan, watch),
    }
}

fn by_reference<G: Registered>(
    held: &Held<G>,
    options: &Options,
    watch: &dyn Watch,
) -> Result<Solved, Error> {
    let Held { kit, game, position } = held;
    let started = Instant::now();
    let solution = with_progress(watch, "nodes", |progress| {
        let limit_bytes = options.memory_bytes;
        reference::solve(game, position, &kit.capabilities, limit_bytes, progress)
    })?;
    Ok(Solved {
        value: Some(solution.value),
        best_move: solution.best_move.map(|mv| game.write_move(position, &mv)),
        line: solution.line.map(|line| WrittenLine::new(game, position, &line)),
        nimber: solution.nimber,
        method: solution.method.name().to_owned(),
        nodes: solution.nodes,
        seconds: started.elapsed().as_secs_f64(),
        ..Solved::default()
    })
}

/// The oracles of a search.
struct Oracles<'a, G: Registered> {
    table: Option<&'a dyn Answers<G>>,
    regions: Option<&'a dyn Answers<G>>,
}

impl<'a, G: Registered> Oracles<'a, G> {
    fn list(&self) -> Vec<&'a dyn Oracle<G>> {
        let answers = [self.table, self.regions].into_iter().flatten();
        answers.map(|answers| answers as &dyn Oracle<G>).collect()
    }
}

fn by_search<G: Registered>(
    held: &Held<G>,
    algorithm: Algorithm,
    options: &Options,
    plan: &SolvePlan<'_>,
    watch: &dyn Watch,
) -> Result<Solved, Error> {
    let Held { kit, game, position } = held;
    let monitor = Monitor::with_stop(&watch.stop());
    let table = plan.tables.map(|path| open_table(held, path)).transpose();
    let table = table.map_err(|error| error.asked_by("tables"))?;
    let table = table
        .as_deref()
        .map(|table| table.oracle(game, plan.table_stones, &watch.stop()))
        .transpose()?;
    let regions = plan.region_values.map(|most_squares| {
        let values = kit.values.as_deref().ok_or_else(|| not_offered::<G>("values of regions"))?;
        values.oracle(game, most_squares, options.memory_bytes as u64 / 4)
    });
    let regions = regions.transpose().map_err(|error| error.asked_by("region_values"))?;
    let oracles = Oracles { table: table.as_deref(), regions: regions.as_deref() };
    let certificates = plan
        .cert
        .map(|_| kit.certificates.as_deref().ok_or_else(|| not_offered::<G>("certificates")));
    let certificates = certificates.transpose().map_err(|error| error.asked_by("cert"))?;
    if plan.cert_database > 0 {
        check_database(game, position, plan.cert_database)?;
    }
    // Created only now: a position that cannot be solved leaves an earlier trace alone.
    let title = format!("Root numbers of {} by {algorithm}", G::NAME);
    let trace = Trace::create(plan.trace, &title)?;
    let cert =
        plan.cert.map(|cert| CertificateFiles::new::<G>(cert, game, position, plan)).transpose()?;
    let oracle_list = oracles.list();
    let kept = plan.checkpoint.or(plan.resume);
    let job = Job {
        game,
        position,
        algorithm,
        options,
        oracles: &oracle_list,
        checkpoint: kept.map(|file| Checkpointing {
            file,
            resume_from: plan.resume,
            interval: plan.checkpoint_interval,
        }),
        keeps_solved: cert.is_some(),
    };
    let (solved, traced) =
        with_monitor(watch, &monitor, || trace::record(trace, &monitor, || job.run(&monitor)));
    // A damaged table stops the search.
    if let Some(damage) = table.as_deref().and_then(Answers::damage) {
        return Err(damage);
    }
    let solved = solved.map_err(stopped)?;
    traced?;
    let solution = solved.solution;
    if solution.value == Value::Win && solution.best_move.is_none() && plan.tables.is_some() {
        return Err(Error::Check(format!(
            "the table says that `{}` is won, and that no move wins",
            game.write(position)
        )));
    }
    let [table_hits, region_hits] =
        [oracles.table, oracles.regions].map(|oracle| oracle.map(Answers::hits));
    let first = problem::Oracles(&oracle_list);
    let remembered = Remembered {
        game,
        root: position,
        oracle: (!oracle_list.is_empty()).then_some(&first as &dyn Oracle<G>),
        options,
        stores: solved.memory.own(),
    };
    // In a lost position any move will do, and the line begins with the one that resists most.
    let best_move = solution.best_move.filter(|_| solution.value != Value::Loss);
    let line = remembered.line(solution.value, best_move.as_ref());
    let request = |goal| ProveRequest {
        game,
        root: position,
        goal,
        oracles: &oracle_list,
        options,
        budget: plan.cert_budget,
        database: plan.cert_database,
        kept,
    };
    let mut proofs = Proofs::default();
    if let (Some(certificates), Some(files)) = (certificates, &cert) {
        let requests = goals(game, position, solution.value).into_iter().map(request);
        proofs.write(certificates, requests, files, &solved.memory, &monitor, watch);
        // A damaged table stops this, too.
        if let Some(damage) = table.as_deref().and_then(Answers::damage) {
            proofs.failure = Some(damage);
        }
        drop(solved.memory);
        if proofs.failure.is_none() {
            // A checkpoint that stays is harmless.
            let _ = solved.checkpoint.map(KeptCheckpoint::remove);
            proofs.have_checked::<G>(options.memory_bytes, watch);
        }
    }
    let Proofs { records, is_accepted: certified, failure } = proofs;
    let mut records = records.into_iter();
    let resumed = plan.resume.filter(|_| solved.resumed);
    // A certificate that was accepted needs no other file.
    let rests_on = [plan.tables, resumed].into_iter().flatten().filter(|_| !certified);
    Ok(Solved {
        value: Some(solution.value),
        best_move: best_move
            .or(line.moves.first().cloned())
            .map(|mv| game.write_move(position, &mv)),
        line: Some(WrittenLine::new(game, position, &line)),
        method: algorithm.to_string(),
        threads: algorithm.is_parallel().then_some(options.threads as u16),
        nodes: solution.nodes,
        expansions: Some(solution.expansions),
        first_level_nodes: solution.first_level_nodes,
        table_hits,
        region_hits,
        certificate_records: records.next().map(|(_, count)| count),
        second_certificate: records.next(),
        certified,
        rests_on: rests_on.map(|path| path.display().to_string()).collect(),
        seconds: solved.seconds,
        failure,
        ..Solved::default()
    })
}

/// The error of a stopped job names the file that keeps it.
fn stopped(error: JobError) -> Error {
    match error {
        JobError::Stopped { kept_in: Some(path) } => Error::Kept { path, option: "resume" },
        JobError::Stopped { kept_in: None } => Error::Lost { option: "checkpoint" },
        error => error.into(),
    }
}

/// Opens a table of the board of a position.
pub(crate) fn open_table<G: Registered>(
    held: &Held<G>,
    path: &Path,
) -> Result<Box<dyn OpenTable<G>>, Error> {
    let tables = held.kit.tables.as_deref().ok_or_else(|| not_offered::<G>("tables"))?;
    let table = tables.open(path)?;
    table.check_board(&held.game)?;
    Ok(table)
}
