//! `perft`: counts sequences of moves.

use std::path::{Path, PathBuf};
use std::time::Instant;

use papamu_base::Progress;
use papamu_game::perft::{self, MAX_DEPTH, Mismatch, Record};
use serde::Serialize;

use crate::report::Report;
use crate::request::request;
use crate::subject::GamePosition;
use crate::watch::with_progress;
use crate::{Error, Registry, Watch};

request! {
    /// Count the sequences of moves from a position, depth by depth
    Perft, "perft";
    /// Name of the game; `papamu games` lists them
    game: Option<String>, "GAME", Always, place Word;
    /// Position in the notation of the game; a board size such as 6x6 is the start
    position: Option<String>, "POSITION", Always, place OptionalWords;
    /// Length of the longest sequences [default: 6, or all of a file]
    depth: Option<u32>, "N", Always, range 1..=MAX_DEPTH, short 'd';
    /// Threads to count with
    threads: Option<u16>, "N", Always, default 1, range 1..=1024, short 't';
    /// Count the sequences that begin with each move, too
    divide: bool, "", Always;
    /// Compare with the counts of a perft file (`position TEXT` and `perft DEPTH COUNT` lines)
    /// instead
    check: Option<PathBuf>, "FILE", Always;
}

const DEFAULT_DEPTH: u32 = 6;

/// Counts of move sequences, or their comparison with a file.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum PerftReport {
    /// Counts.
    Counted(PerftCounts),
    /// A comparison.
    Checked(PerftCheck),
}

/// Counts of move sequences.
#[derive(Debug, Serialize)]
pub struct PerftCounts {
    /// The game.
    pub game: &'static str,
    /// The position as it was given.
    pub position: String,
    /// Sequences of length 1, 2, ...
    pub counts: Vec<u64>,
    /// Sequences of full length by their first move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub divide: Vec<Divided>,
    /// Threads.
    pub threads: u16,
    /// Time.
    pub seconds: f64,
    /// Sequences of full length per second.
    pub leaves_per_second: f64,
}

/// Sequences that begin with a move.
#[derive(Debug, Serialize)]
pub struct Divided {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The number of sequences.
    pub count: u64,
}

/// The result of a comparison with a file.
#[derive(Debug, Serialize)]
pub struct PerftCheck {
    /// The game.
    pub game: &'static str,
    /// The file.
    pub file: String,
    /// Positions of the file.
    pub positions: usize,
    /// Counts compared.
    pub counts: usize,
    /// Those that disagree.
    pub mismatches: Vec<String>,
    #[serde(skip)]
    failure: Option<Error>,
}

impl Report for PerftReport {
    fn failure(&self) -> Option<&Error> {
        match self {
            PerftReport::Counted(_) => None,
            PerftReport::Checked(check) => check.failure.as_ref(),
        }
    }
}

/// Counts sequences of moves.
pub fn perft(
    registry: &Registry,
    request: &Perft,
    watch: &dyn Watch,
) -> Result<PerftReport, Error> {
    match (&request.check, &request.position) {
        (Some(_), Some(_)) => {
            Err(Error::option("check", "the positions are those of the file; give no other"))
        }
        (Some(_), None) if request.divide => {
            Err(Error::option("divide", "the counts of a file are not divided"))
        }
        (Some(path), None) => check(registry, request, path, watch).map(PerftReport::Checked),
        (None, _) => count(registry, request, watch).map(PerftReport::Counted),
    }
}

fn count(registry: &Registry, request: &Perft, watch: &dyn Watch) -> Result<PerftCounts, Error> {
    let (game, text) = crate::position_of(&request.game, &request.position)?;
    let position = registry.read(game, &text)?;
    let depth = request.depth.unwrap_or(DEFAULT_DEPTH);
    let threads = request.threads();
    let started = Instant::now();
    let (counts, divide) = with_progress(watch, "subtrees", |progress| {
        if request.divide {
            divided(&*position, depth, threads.into(), progress)
        } else {
            Ok((position.perft(depth, threads.into(), progress)?, Vec::new()))
        }
    })?;
    let seconds = started.elapsed().as_secs_f64();
    let leaves = counts.last().copied().unwrap_or(0);
    Ok(PerftCounts {
        game: position.game().name,
        position: text,
        counts,
        divide,
        threads,
        seconds,
        leaves_per_second: leaves as f64 / seconds,
    })
}

/// The counts, and the sequences of full length that begin with each move.
fn divided(
    position: &dyn GamePosition,
    depth: u32,
    threads: usize,
    progress: &Progress,
) -> Result<(Vec<u64>, Vec<Divided>), Error> {
    let moves = position.moves();
    let mut counts = vec![0; depth as usize];
    counts[0] = moves.len() as u64;
    let mut divided = Vec::new();
    for mv in moves {
        let below = position.play(&mv)?.perft(depth - 1, threads, progress)?;
        for (count, below) in counts[1..].iter_mut().zip(&below) {
            *count += below;
        }
        divided.push(Divided { mv, count: below.last().copied().unwrap_or(1) });
    }
    Ok((counts, divided))
}

fn check(
    registry: &Registry,
    request: &Perft,
    path: &Path,
    watch: &dyn Watch,
) -> Result<PerftCheck, Error> {
    let game = request.game.as_deref().ok_or(Error::Missing { option: "game" })?;
    let entry = registry.entry(game)?;
    let bad = |problem: String| Error::Input { path: path.to_owned(), problem };
    let text = crate::text_file::read(path)?;
    let records = perft::read_file(&text).map_err(|error| bad(error.to_string()))?;
    let read = |record: Record| match entry.read(&record.position) {
        Ok(position) => Ok((record, position)),
        Err(error) => Err(bad(format!("line {}: {error}", record.line))),
    };
    let records = records.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let max_depth = request.depth.unwrap_or(MAX_DEPTH);
    let threads = request.threads().into();
    let checked = with_progress(watch, "subtrees", |progress| {
        let check = |(record, position): &(Record, Box<dyn GamePosition>)| {
            position.check_perft(record, max_depth, threads, progress)
        };
        records.iter().map(check).collect::<Result<Vec<(usize, Vec<Mismatch>)>, _>>()
    })?;
    let mismatches = checked.iter().flat_map(|(_, mismatches)| mismatches);
    let mismatches: Vec<String> = mismatches.map(ToString::to_string).collect();
    let counts = checked.iter().map(|(counts, _)| counts).sum();
    if counts == 0 {
        return Err(bad("it has no counts of that depth".to_owned()));
    }
    let failure = match mismatches.len() {
        0 => None,
        wrong => Some(Error::Check(format!("{wrong} of {counts} counts disagree"))),
    };
    Ok(PerftCheck {
        game: entry.info().name,
        file: path.display().to_string(),
        positions: records.len(),
        counts,
        mismatches,
        failure,
    })
}
