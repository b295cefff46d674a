//! `bench`: a fixed set of searches, and a signature of their node counts.

use std::time::Instant;

use serde::Serialize;

use crate::registry::Entry;
use crate::report::Report;
use crate::request::request;
use crate::solve::SolvePlan;
use crate::{Error, Part, Registry, Watch};

request! {
    /// Solve a fixed set of positions with one thread and print the number of nodes as a signature
    Bench, "bench",
        details "The signature is the same on every run and every machine. It changes with anything \
                 that changes the order of a search.";
    /// Only the positions of this game
    game: Option<String>, "GAME", Always;
}

/// A fixed set of searches.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct BenchReport {
    /// One number that depends on the nodes of every search.
    pub signature: u64,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Time of all searches.
    pub seconds: f64,
    /// The searches.
    pub runs: Vec<BenchRun>,
}

/// A search.
#[derive(Clone, Debug, Serialize)]
pub struct BenchRun {
    /// The game.
    pub game: &'static str,
    /// The position.
    pub position: &'static str,
    /// The search.
    pub algorithm: String,
    /// Initial numbers of leaves; searches with nimbers have their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub init: Option<String>,
    /// Weight of the damped sum.
    pub damping: u32,
    /// Positions evaluated.
    pub nodes: u64,
    /// Time.
    pub seconds: f64,
}

impl Report for BenchReport {}

/// Runs the searches.
pub fn bench(
    registry: &Registry,
    request: &Bench,
    watch: &dyn Watch,
) -> Result<BenchReport, Error> {
    let entries: Vec<&dyn Entry> = match &request.game {
        Some(game) => vec![registry.entry(game)?],
        None => registry.entries().collect(),
    };
    // The signature depends on the order. Searches with nimbers come first.
    let (impartial, others): (Vec<&dyn Entry>, Vec<&dyn Entry>) =
        entries.into_iter().partition(|entry| entry.info().impartial);
    let started = Instant::now();
    let mut runs = Vec::new();
    for entry in impartial.into_iter().chain(others) {
        for case in entry.bench() {
            let plan = SolvePlan::exactly(case.algorithm, case.options);
            let solved = entry.read(case.position)?.solve(&plan, watch)?;
            let info = entry.info();
            let run = BenchRun {
                game: info.name,
                position: case.position,
                algorithm: case.algorithm.to_string(),
                init: (!info.impartial).then(|| case.options.init.to_string()),
                damping: case.options.damping.weight(),
                nodes: solved.nodes,
                seconds: solved.seconds,
            };
            watch.part(Part::Bench(&run));
            runs.push(run);
        }
    }
    if let (Some(game), true) = (&request.game, runs.is_empty()) {
        let what = "positions to search".to_owned();
        return Err(Error::NotOfferedBy { game: game.clone(), what });
    }
    Ok(BenchReport {
        signature: signature(runs.iter().map(|run| run.nodes)),
        nodes: runs.iter().map(|run| run.nodes).sum(),
        seconds: started.elapsed().as_secs_f64(),
        runs,
    })
}

/// One number that depends on every count (FNV-1a), short enough to be compared by eye.
fn signature(counts: impl Iterator<Item = u64>) -> u64 {
    let bytes = counts.flat_map(u64::to_le_bytes);
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    hash % 1_000_000_000
}
