//! `states`: counts the different positions at each ply.

use std::path::PathBuf;

use papamu_base::file::AtomicFile;
use papamu_game::states::PlyCount;
use serde::Serialize;

use crate::plot::{self, Scale, Series};
use crate::report::Report;
use crate::request::{Bytes, request};
use crate::watch::with_progress;
use crate::{Error, Registry, Watch};

request! {
    /// Count the positions that are new at each ply, with and without symmetry
    States, "states";
    /// Name of the game; `papamu games` lists them
    game: Option<String>, "GAME", Always, place Word;
    /// Position in the notation of the game; a board size such as 6x6 is the start
    position: Option<String>, "POSITION", Always, place Words;
    /// Last ply to count [default: until no position is new]
    depth: Option<u32>, "N", Always, short 'd';
    /// Memory for the positions to remember
    memory: Option<Bytes>, "SIZE", Always, default Bytes::gib(4);
    /// Draw the counts as SVG
    plot: Option<PathBuf>, "FILE", Always;
}

/// How many positions are new at each ply.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct StatesReport {
    /// The game.
    pub game: &'static str,
    /// The position as it was given.
    pub position: String,
    /// The plies, starting with the position itself.
    pub plies: Vec<StatesPly>,
    /// All plies together.
    pub total: StatesTotal,
}

/// Positions that are new at a ply.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct StatesPly {
    /// Moves from the position.
    pub ply: u32,
    /// Up to symmetry.
    pub unique: u64,
    /// All.
    pub unique_raw: u64,
}

/// Positions of all plies.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct StatesTotal {
    /// Up to symmetry.
    pub unique: u64,
    /// All.
    pub unique_raw: u64,
}

impl Report for StatesReport {}

/// Counts positions.
pub fn states(
    registry: &Registry,
    request: &States,
    watch: &dyn Watch,
) -> Result<StatesReport, Error> {
    let (game, text) = crate::position_of(&request.game, &request.position)?;
    let position = registry.read(game, &text)?;
    plot::check_available(request.plot.is_some())?;
    let file = request.plot.as_deref().map(AtomicFile::new).transpose()?;
    let mut plies = Vec::new();
    with_progress(watch, "positions expanded", |progress| {
        let limit_bytes = request.memory().bytes();
        position.states(request.depth, limit_bytes, progress, &mut |count| {
            let PlyCount { ply, unique, unique_raw } = count;
            plies.push(StatesPly { ply, unique, unique_raw });
        })
    })?;
    let total = StatesTotal {
        unique: plies.iter().map(|ply| ply.unique).sum(),
        unique_raw: plies.iter().map(|ply| ply.unique_raw).sum(),
    };
    let report = StatesReport { game: position.game().name, position: text, plies, total };
    if let Some(file) = file {
        file.write(draw(&report).as_bytes())?;
    }
    Ok(report)
}

/// The counterpart of figure 4.1 of B. Siefke's thesis.
fn draw(report: &StatesReport) -> String {
    let series = |label: &'static str, count: fn(&StatesPly) -> u64| Series {
        label,
        points: report.plies.iter().map(|ply| (f64::from(ply.ply), count(ply) as f64)).collect(),
    };
    plot::lines(
        &format!("New positions of {} {} at each ply", report.game, report.position),
        "ply",
        "positions",
        Scale::Logarithmic,
        vec![
            series("with symmetry", |ply| ply.unique),
            series("without symmetry", |ply| ply.unique_raw),
        ],
    )
}
