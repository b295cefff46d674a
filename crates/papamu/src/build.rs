//! `build`: the value of every position of a board, or of those with few stones.

use std::path::PathBuf;

use papamu_tables::TableError;
use serde::Serialize;

use crate::report::Report;
use crate::request::{Bytes, request};
use crate::{Error, Registry, Watch};

request! {
    /// Compute the value of every position of a board, reachable or not, with either side to move
    Build, "build",
        details "The table is a directory that `probe`, `verify` and `solve` read. A build that was \
                 interrupted resumes after its last finished part when it is started again. Boards \
                 that are too large for all their positions can have a table of those with few stones.";
    /// Name of a game that has tables
    game: Option<String>, "GAME", Always, place Word;
    /// Board, such as 6x6
    board: Option<String>, "BOARD", Always, place OptionalWord;
    /// Directory to create; without it only the counts are kept
    out: Option<PathBuf>, "DIR", Always;
    /// Only the positions with at most N stones
    stones: Option<u32>, "N", Always, range 1..=64, alias "pieces";
    /// Keep the number of plies to the end of every won and lost position, too, of games whose
    /// tables are of an index
    distances: bool, "", Always;
    /// Memory for the layers in use
    memory: Option<Bytes>, "SIZE", Always, default Bytes::gib(12);
    /// Threads [default: all cores]
    threads: Option<u16>, "N", Always, range 1..=1024, short 't';
}

/// A table that was built.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct BuildReport {
    /// The game.
    pub game: &'static str,
    /// The board.
    pub board: String,
    /// The most stones of its positions, if limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stones: Option<u32>,
    /// How many positions it has.
    pub positions: u64,
    /// Those that the player to move wins, by player; unknown if the build was resumed.
    #[serde(flatten)]
    pub wins: Option<BuildWins>,
    /// The values of all positions, of games with an index.
    #[serde(flatten)]
    pub values: Option<BuildValues>,
    /// Layers or classes that were there already.
    pub resumed_layers: u32,
    /// The table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// Its size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory_bytes: Option<u64>,
    /// Memory that it took to build.
    pub memory_bytes: u64,
    /// Time.
    pub seconds: f64,
    /// The names of the players.
    #[serde(skip)]
    pub players: [&'static str; 2],
}

/// Positions that the player to move wins.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BuildWins {
    /// With the first player to move.
    #[serde(rename = "black_to_move_wins")]
    pub first: u64,
    /// With the second player to move.
    #[serde(rename = "white_to_move_wins")]
    pub second: u64,
}

/// Positions by their values for the player to move.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BuildValues {
    /// Won positions.
    pub wins: u64,
    /// Drawn positions.
    pub draws: u64,
    /// Lost positions.
    pub losses: u64,
}

impl Report for BuildReport {}

/// Builds a table.
pub fn build(
    registry: &Registry,
    request: &Build,
    watch: &dyn Watch,
) -> Result<BuildReport, Error> {
    let game = request.game.as_deref().ok_or(Error::Missing { option: "game" })?;
    registry.entry(game)?.build(request, watch).map_err(|error| match error {
        Error::Table(error @ TableError::NeedsDirectory { .. }) => {
            Error::option("out", error.to_string())
        }
        error => error,
    })
}

/// A pool of that many threads, or one for every core.
pub(crate) fn pool(threads: Option<u16>) -> Result<rayon::ThreadPool, Error> {
    // More threads than cores only slow each other down.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.map_or(cores, |threads| usize::from(threads).min(cores));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|_| Error::NoThreads)
}
