//! `papamu solve`: who wins, and how to begin.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use papamu_base::Progress;
use papamu_base::memory::OutOfMemory;
use papamu_game::{Game, Player, Question, Value};
use papamu_proof::extract::{self, ExtractError, Keep, Prover};
use papamu_proof::file::MOST_BUDGET;
use papamu_proof::strategy;
use papamu_search::checkpoint;
use papamu_search::plain;
use papamu_search::problem::{Oracle, Problem, Sink};
use papamu_search::run::{Monitor, Options, Outcome, Store};
use papamu_search::solver::{self, Algorithm, Helpers};
use serde::Serialize;

use crate::failure::Failure;
use crate::impartial::{Job, NimberOptions, Wanted};
use crate::output::{Output, Target as FileTarget, check_distinct, grouped};
use crate::progress::watch;
use crate::region_values::RegionValues;
use crate::search_display::{Trace, watch_search};
use crate::search_options::{Choice, LEAST_MEMORY_BYTES, SearchOptions};
use crate::signals::stoppable_monitor;
use crate::tables::BoardTable;
use crate::target::{PositionVerb, Subject, Target};

/// Solve a position: its value under best play, and a move that keeps it
#[derive(Args)]
#[command(after_help = "Examples:
  papamu solve konane 6x6
  papamu solve konane 7x6 --threads 2 --memory 4GiB --trace 7x6.csv
  papamu solve konane 7x7 --threads 2 --checkpoint 7x7.papamu
  papamu solve konane 7x7 --threads 2 --resume 7x7.papamu
  papamu solve konane 7x6 --tables tables/7x6-10
  papamu solve konane 6x6 --cert 6x6.cert        and then: papamu-check 6x6.cert
  papamu solve konane 6x6 --algo pn2 --budget equal --init mobility --damping 1
  papamu solve konane \"xo.o/.x../xox. b\" --json
  papamu solve sprouts \"0*17\" --cert 17.nim     and then: papamu-check 17.nim
  papamu solve sprouts \"0*29\" --threads 2 --nimbers sprouts.nim
  papamu solve sprouts \"misere 0*6\"
  papamu solve kayles 40")]
pub(crate) struct Solve {
    #[command(flatten)]
    pub(crate) target: Target,

    #[command(flatten)]
    pub(crate) search: SearchOptions,

    #[command(flatten)]
    tables: TableOptions,

    #[command(flatten)]
    nimbers: NimberOptions,

    /// Write the winning strategy, which `papamu-check` checks
    #[arg(long, value_name = "FILE")]
    cert: Option<PathBuf>,

    /// Leave out of the certificate what checkers prove by entering at most N positions: smaller, and slower
    /// to check
    #[arg(long, value_name = "N", default_value_t = 0, requires = "cert", value_parser = clap::value_parser!(u64).range(..=MOST_BUDGET))]
    cert_budget: u64,

    /// Write a time line of nodes and root numbers as CSV
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,

    /// Keep the search in FILE, at intervals and when interrupted
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Seconds between checkpoints
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    checkpoint_interval: u64,

    /// Go on with the search in FILE, and keep it there unless --checkpoint names another file
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

/// Values from elsewhere, on the command line.
#[derive(Args, Clone)]
pub(crate) struct TableOptions {
    /// Table of the board, made by `papamu build`, for positions that it knows; `papamu verify` checks
    /// one that comes from elsewhere
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,

    /// Decide positions of konane that have fallen apart into regions of at most N squares by the values of these, which
    /// may take a quarter of --memory beside it
    #[arg(long, value_name = "N", conflicts_with = "tables", value_parser = clap::value_parser!(u32).range(1..=64))]
    region_values: Option<u32>,

    /// Use the table for positions with at most N stones only
    #[arg(long, value_name = "N", requires = "tables")]
    table_stones: Option<u32>,
}

#[derive(Default, Serialize)]
struct Answer<'a> {
    game: &'a str,
    position: &'a str,
    winner: Option<&'a str>,
    value: String,
    best_move: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nimber: Option<u32>,
    algorithm: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<u16>,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    expansions: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_level_nodes: Option<u64>,
    /// Positions whose values came from --tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    table_hits: Option<u64>,
    /// Positions decided by the values of their regions.
    #[serde(skip_serializing_if = "Option::is_none")]
    region_hits: Option<u64>,
    /// Nimbers known in the end, of impartial games.
    #[serde(skip_serializing_if = "Option::is_none")]
    nimbers_known: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate_records: Option<u64>,
    seconds: f64,
}

impl<'a> Answer<'a> {
    /// The value of a position and a move that keeps it; nothing yet of how they were found.
    fn new<G: Game>(
        subject: &'a Subject<G>,
        value: Value,
        best_move: Option<&G::Move>,
    ) -> Answer<'a> {
        let Subject { game, position, text } = subject;
        Answer {
            game: G::NAME,
            position: text,
            winner: winner(game, position, value),
            value: value.to_string(),
            best_move: best_move.map(|mv| game.write_move(position, mv)),
            ..Answer::default()
        }
    }
}

impl Solve {
    /// Solves, once it is clear that no file gets in the way of another.
    pub(crate) fn run(&self, answer: Option<&Path>, output: &mut Output) -> Result<(), Failure> {
        let checkpoint = self.checkpoint.as_deref();
        if let Some(path) =
            checkpoint.filter(|path| path.exists() && self.checkpoint != self.resume)
        {
            return Err(Failure::Arguments(format!(
                "`{}` exists; go on with it by --resume, or name another file",
                path.display()
            )));
        }
        let resumed = self.resume.as_deref();
        check_distinct([
            ("--output", answer),
            ("--trace", self.trace.as_deref()),
            ("--cert", self.cert.as_deref()),
            ("--nimbers", self.nimbers.nimbers.as_deref()),
            ("--checkpoint", checkpoint),
            // A file that is missing is named by whoever reads it.
            ("--resume", resumed.filter(|path| self.checkpoint != self.resume && path.is_file())),
        ])?;
        self.target.run(self, output)
    }
}

impl PositionVerb for Solve {
    fn run<G: Game>(&self, subject: Subject<G>, output: &mut Output) -> Result<(), Failure> {
        let choice = self.search.choice::<G>();
        let helped = self.trace.is_some()
            || self.checkpoint.is_some()
            || self.resume.is_some()
            || self.tables.tables.is_some()
            || self.tables.region_values.is_some()
            || self.nimbers.nimbers.is_some()
            || self.nimbers.unordered
            || self.cert.is_some();
        if helped && matches!(choice, Choice::Plain) {
            let problem = "the plain solver has no --cert, --trace, --checkpoint, --resume, --tables, --region-values, --nimbers and --unordered";
            return Err(Failure::Arguments(problem.to_owned()));
        }
        if !G::IMPARTIAL && (self.nimbers.nimbers.is_some() || self.nimbers.unordered) {
            let problem = "--nimbers and --unordered are for impartial games";
            return Err(Failure::Arguments(problem.to_owned()));
        }
        // The answer is printed even if the certificate cannot be written.
        let (answer, value, failure) = match choice {
            Choice::Plain => {
                let (answer, value) = self.plain(&subject, output)?;
                (answer, value, None)
            }
            Choice::Search(algorithm) if G::IMPARTIAL => {
                self.with_nimbers(&subject, algorithm, output)?
            }
            Choice::Search(algorithm) => self.search(&subject, algorithm, output)?,
        };
        output.json(&answer)?;
        let Subject { game, position, text } = &subject;
        let mover = G::PLAYERS[game.to_move(position).index()];
        output.line(match answer.winner {
            Some(winner) => format!("{winner} wins {} {text} with {mover} to move", G::NAME),
            None => format!("{} {text} with {mover} to move is a draw", G::NAME),
        })?;
        if let Some(nimber) = answer.nimber {
            output.line(format!("nimber     {nimber}"))?;
        }
        output.line(match &answer.best_move {
            Some(mv) if value == Value::Loss => format!("any move   {mv} and all others lose"),
            Some(mv) => format!("best move  {mv}"),
            None if value == Value::Win => {
                "best move  forgotten for lack of memory; give more with --memory".to_owned()
            }
            None => "the game is over".to_owned(),
        })?;
        let (nodes, seconds) = (grouped(answer.nodes), answer.seconds);
        let hits = match (answer.table_hits, answer.region_hits) {
            (Some(hits), _) => format!(", {} values from the table", grouped(hits)),
            (_, Some(hits)) => format!(", {} values from regions", grouped(hits)),
            _ => String::new(),
        };
        let algorithm = &answer.algorithm;
        output.line(match (answer.nimbers_known, answer.expansions) {
            (None, Some(expansions)) if G::IMPARTIAL => {
                format!("effort     {} expansions, {seconds:.3} s, {algorithm}", grouped(expansions))
            }
            (Some(nimbers), Some(expansions)) => format!(
                "effort     {} expansions, {} nimbers known, {seconds:.3} s, {algorithm} with nimbers",
                grouped(expansions),
                grouped(nimbers)
            ),
            _ => format!("effort     {nodes} positions, {seconds:.3} s, {algorithm}{hits}"),
        })?;
        if let (Some(file), Some(records)) = (&answer.certificate, answer.certificate_records) {
            let what =
                if G::IMPARTIAL { "nimbers that prove it" } else { "positions with their moves" };
            output.line(format!("proof      {file}, {} {what}", grouped(records)))?;
        }
        failure.map_or(Ok(()), Err)
    }
}

impl Solve {
    fn plain<'a, G: Game>(
        &self,
        subject: &'a Subject<G>,
        output: &Output,
    ) -> Result<(Answer<'a>, Value), Failure> {
        let Subject { game, position, .. } = subject;
        let progress = Progress::new();
        let started = Instant::now();
        let limit = self.search.memory.bytes();
        let solution =
            watch(output, "nodes", &progress, || plain::solve(game, position, limit, &progress))?;
        let answer = Answer {
            nimber: solution.nimber,
            algorithm: match solution.method {
                plain::Method::Minimax => "minimax",
                plain::Method::Nimbers => "nimbers",
                plain::Method::Retrograde => "retrograde",
            }
            .to_owned(),
            nodes: solution.nodes,
            seconds: started.elapsed().as_secs_f64(),
            ..Answer::new(subject, solution.value, solution.best_move.as_ref())
        };
        Ok((answer, solution.value))
    }

    /// Solves a position of an impartial game.
    fn with_nimbers<'a, G: Game>(
        &self,
        subject: &'a Subject<G>,
        algorithm: Algorithm,
        output: &Output,
    ) -> Result<(Answer<'a>, Value, Option<Failure>), Failure> {
        let other = self.checkpoint.is_some()
            || self.resume.is_some()
            || self.tables.tables.is_some()
            || self.tables.region_values.is_some()
            || self.cert_budget > 0;
        if self.search.threads > 1 && algorithm != Algorithm::DfPn {
            let problem = "only dfpn has several --threads with nimbers";
            return Err(Failure::Arguments(problem.to_owned()));
        }
        if other {
            let problem = "impartial games keep their nimbers with --nimbers FILE; they have no --checkpoint, --resume, --tables, --region-values and --cert-budget";
            return Err(Failure::Arguments(problem.to_owned()));
        }
        let job = Job {
            subject,
            settings: self.search.nimber_settings(algorithm, !self.nimbers.unordered)?,
            nimbers: self.nimbers.nimbers.as_deref(),
            cert: self.cert.as_deref(),
            trace: self.trace.as_deref(),
        };
        let (found, failure) = job.run(Wanted::Winner, output)?;
        let certificate = self.cert.as_ref().filter(|_| found.lemmas.is_some());
        let answer = Answer {
            nimber: found.nimber,
            algorithm: algorithm.to_string(),
            threads: (algorithm == Algorithm::DfPn).then_some(self.search.threads),
            nodes: found.nodes,
            expansions: Some(found.expansions),
            nimbers_known: found.nimbers,
            certificate: certificate.map(|cert| cert.display().to_string()),
            certificate_records: found.lemmas,
            seconds: found.seconds,
            ..Answer::new(subject, found.value, found.best_move.as_ref())
        };
        Ok((answer, found.value, failure))
    }

    fn search<'a, G: Game>(
        &self,
        subject: &'a Subject<G>,
        algorithm: Algorithm,
        output: &Output,
    ) -> Result<(Answer<'a>, Value, Option<Failure>), Failure> {
        let Subject { game, position, .. } = subject;
        let options = self.search.options();
        let table = self.tables.tables.as_ref().map(|path| BoardTable::open(game, path));
        let table = table.transpose()?;
        if let (Some(table), Some(stones)) = (&table, self.tables.table_stones) {
            table.check_stones(stones)?;
        }
        let table_oracle = table.as_ref().and_then(|table| table.oracle(self.tables.table_stones));
        let regions = self.tables.region_values.map(|_| self.search.regions()).transpose()?;
        let region_values = regions.as_ref().zip(self.tables.region_values);
        let region_values = region_values
            .map(|(regions, most_squares)| RegionValues::new(game, regions, most_squares))
            .transpose()?;
        let oracle = match &region_values {
            Some(values) => Some(values as &dyn Oracle<G>),
            None => table_oracle.as_deref(),
        };
        let helpers = Helpers { oracle, ..Helpers::default() };
        // Only now: what cannot be solved leaves an earlier trace alone.
        let trace = self.trace.as_deref().map(Trace::create).transpose()?;
        let cert = self.cert.as_deref().map(FileTarget::new).transpose()?;
        if cert.is_some() {
            strategy::number(game, position)?;
        }
        let monitor = stoppable_monitor();
        if options.memory_bytes < LEAST_MEMORY_BYTES {
            return Err(OutOfMemory { limit_bytes: options.memory_bytes }.into());
        }
        let started = Instant::now();
        let mut memory = Memory { started, earlier_seconds: 0.0, proof: None };
        let (solution, trace) = watch_search(output, &monitor, trace, || {
            solver::solve_by(game, position, &helpers, |problem| {
                self.answer(problem, algorithm, &options, &monitor, &mut memory)
            })
        });
        trace?;
        let solution = solution?;
        let seconds = memory.earlier_seconds + started.elapsed().as_secs_f64();
        let certified = match (cert, memory.proof) {
            (Some(cert), Some(store)) => {
                let prover = Prover {
                    game,
                    store: &store,
                    oracle,
                    options: &options,
                    budget: self.cert_budget,
                    directory: &cert.directory(),
                    monitor: &monitor,
                };
                let mover = game.to_move(position);
                let winner = if solution.value == Value::Win { mover } else { !mover };
                self.certify(&prover, position, winner, &cert, output).map(Some)
            }
            _ => Ok(None),
        };
        let (records, failure) = match certified {
            Ok(records) => (records, None),
            Err(failure) => (None, Some(failure)),
        };
        let answer = Answer {
            algorithm: algorithm.to_string(),
            threads: algorithm.is_parallel().then_some(self.search.threads),
            nodes: solution.nodes,
            expansions: Some(solution.expansions),
            first_level_nodes: solution.first_level_nodes,
            table_hits: table.map(|table| table.hits()),
            region_hits: region_values.as_ref().map(RegionValues::hits),
            certificate: self
                .cert
                .as_ref()
                .map(|cert| cert.display().to_string())
                .filter(|_| records.is_some()),
            certificate_records: records,
            seconds,
            ..Answer::new(subject, solution.value, solution.best_move.as_ref())
        };
        Ok((answer, solution.value, failure))
    }

    /// Writes the strategy of the winner; how many records it has.
    fn certify<G: Game>(
        &self,
        prover: &Prover<G>,
        root: &G::Position,
        winner: Player,
        target: &FileTarget,
        output: &Output,
    ) -> Result<u64, Failure> {
        let progress = Progress::new();
        let strategy = watch(output, "positions", &progress, || {
            extract::extract(prover, root, winner, &progress)
        });
        let kept = self.checkpoint.as_ref().or(self.resume.as_ref());
        let strategy = strategy.map_err(|error| match (error, kept) {
            (ExtractError::Stopped, Some(path)) => Failure::Kept { path: path.clone() },
            (error, _) => Failure::from(error),
        })?;
        let records = strategy.records();
        target.write_by(|file| strategy.write_to(file))?;
        if let Some(path) = kept {
            // Nothing is lost if it stays.
            let _ = std::fs::remove_file(path);
        }
        Ok(records)
    }
}

impl Solve {
    /// Answers a question, with a checkpoint if the user wants one.
    fn answer<G: Game>(
        &self,
        problem: &Problem<G>,
        algorithm: Algorithm,
        options: &Options,
        monitor: &Monitor,
        memory: &mut Memory<G::Key>,
    ) -> Result<Outcome<G::Move>, Failure> {
        // The tables of df-pn serve the certificate as well; other searches fill some beside their own.
        let beside = self.cert.is_some() && algorithm != Algorithm::DfPn;
        let share = if beside { options.memory_bytes / 2 } else { options.memory_bytes };
        let options = &Options { memory_bytes: share, ..*options };
        let store = Store::new(algorithm, share)?;
        let proof = beside.then(|| Store::new(Algorithm::DfPn, share)).transpose()?;
        let keep = proof.as_ref().map(Keep);
        let sink = keep.as_ref().map(|keep| keep as &dyn Sink<G>);
        let problem = &Problem { sink, ..*problem };
        let outcome = self.kept_answer(problem, algorithm, options, &store, monitor, memory)?;
        if self.cert.is_some() {
            memory.proof = Some(proof.unwrap_or(store));
        }
        Ok(outcome)
    }

    fn kept_answer<G: Game>(
        &self,
        problem: &Problem<G>,
        algorithm: Algorithm,
        options: &Options,
        store: &Store<G::Key>,
        monitor: &Monitor,
        memory: &mut Memory<G::Key>,
    ) -> Result<Outcome<G::Move>, Failure> {
        let subject =
            checkpoint::Subject::new(problem.game, problem.root, algorithm, problem.question);
        // The question whether a draw can be held is asked when it is clear that there is no win. By
        // then the checkpoint of the first question is gone, or was never there.
        let is_second = problem.question == Question::Holds;
        if let Some(path) = self.resume.as_ref().filter(|path| !is_second || path.exists()) {
            let second =
                checkpoint::Subject::new(problem.game, problem.root, algorithm, Question::Holds);
            if G::DRAWS && !is_second && checkpoint::peek(path)?.subject == second {
                return Ok(Outcome {
                    won: Some(false),
                    winning_move: None,
                    nodes: 0,
                    expansions: 0,
                    first_level_nodes: None,
                });
            }
            let header = checkpoint::read(path, &subject, store)?;
            monitor.add_earlier(header.nodes, header.expansions);
            memory.earlier_seconds = header.seconds;
        }
        let (started, seconds_before) = (memory.started, memory.earlier_seconds);
        let search = || algorithm.answer(problem, options, store, monitor);
        let Some(path) = self.checkpoint.as_ref().or(self.resume.as_ref()) else {
            return Ok(search()?);
        };
        let header = || checkpoint::Header {
            subject: subject.clone(),
            nodes: monitor.nodes(),
            expansions: monitor.expansions(),
            seconds: seconds_before + started.elapsed().as_secs_f64(),
        };
        let interval = Duration::from_secs(self.checkpoint_interval);
        let (outcome, kept) =
            checkpoint::keep(path, interval, store, monitor, header, self.cert.is_some(), search);
        kept?;
        let outcome = outcome?;
        match outcome.won {
            Some(_) => Ok(outcome),
            None => Err(Failure::Kept { path: path.clone() }),
        }
    }
}

/// What outlives the search for an answer.
struct Memory<K> {
    started: Instant,
    /// What earlier sittings took.
    earlier_seconds: f64,
    /// Solved positions, for the certificate.
    proof: Option<Store<K>>,
}

/// Who wins a position of that value.
pub(crate) fn winner<G: Game>(
    game: &G,
    position: &G::Position,
    value: Value,
) -> Option<&'static str> {
    let mover: Player = game.to_move(position);
    let winner = match value {
        Value::Win => Some(mover),
        Value::Loss => Some(!mover),
        Value::Draw => None,
    };
    winner.map(|player| G::PLAYERS[player.index()])
}
