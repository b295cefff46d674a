//! `train`: weights of the learned evaluation, from tables and searches.

use std::path::PathBuf;

use serde::Serialize;

use crate::report::Report;
use crate::request::request;
use crate::{Error, Registry, Watch};

request! {
    /// Learn to evaluate positions from strong tables
    Train, "train",
        details "The positions come from random games and from the searches of the start, their \
                 winners from the table. The program comes with weights made in this way; new ones \
                 take their place when it is built again.";
    /// Complete table of a board, made by `build`; may be given several times
    tables: Vec<PathBuf>, "DIR", Always;
    /// Where to write the weights
    out: Option<PathBuf>, "FILE", Always;
    /// Positions from random games on each board
    positions: Option<u32>, "N", Always, default 4_000_000, range 1..=50_000_000;
    /// How often to learn from each position
    rounds: Option<u32>, "N", Always, default 6, range 1..=1000;
    /// Seed of the games and the order
    seed: Option<u64>, "N", Always, default 1;
}

/// Weights that were learned.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct TrainReport {
    /// The file.
    pub weights: String,
    /// Seed of the games and the order.
    pub seed: u64,
    /// Positions from random games.
    pub from_games: u64,
    /// Positions from searches.
    pub from_searches: u64,
    /// Positions learned from.
    pub trained: u64,
    /// Positions held back.
    pub tested: u64,
    /// Weights.
    pub classes: u64,
    /// Weights that occur in the positions.
    pub classes_seen: u64,
    /// The share of positions held back whose winner is predicted right.
    pub accuracy: f64,
    /// The mean logarithmic loss on positions held back.
    pub log_loss: f64,
    /// Bytes of the file.
    pub bytes: u64,
    /// Time.
    pub seconds: f64,
}

impl Report for TrainReport {}

/// Learns weights.
pub fn train(
    registry: &Registry,
    request: &Train,
    watch: &dyn Watch,
) -> Result<TrainReport, Error> {
    let table = request.tables.first().ok_or(Error::Missing { option: "tables" })?;
    if request.out.is_none() {
        return Err(Error::Missing { option: "out" });
    }
    registry.entry(&papamu_tables::game_of(table)?)?.train(request, watch)
}
