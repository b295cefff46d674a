//! From a search to a strategy.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use papamu_base::Progress;
use papamu_base::memory::OutOfMemory;
use papamu_game::Certifiable;
use papamu_search::options::Options;
use papamu_search::problem::Oracle;
use papamu_search::run::{Monitor, Store};
use papamu_search::solver::SolveError;
use thiserror::Error;

use crate::claim::Goal;
use crate::records::{Merged, Run};
use crate::strategy::{BadStrategy, Strategy};
use crate::{circles, file, stages};

/// Why there is no strategy.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// A record does not fit the rules.
    #[error(transparent)]
    Bad(#[from] BadStrategy),
    /// The search for a move was stopped.
    #[error("the search was stopped")]
    Stopped,
    /// Positions that do not fit into memory cannot be written to a file.
    #[error("cannot keep positions in a temporary file in `{directory}`: {error}", directory = directory.display())]
    Temporary {
        /// The directory.
        directory: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// The positions of the strategy do not fit into memory.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// A search for a move failed.
    #[error(transparent)]
    Search(SolveError),
    /// The tables are wrong: the position is not as good as claimed.
    #[error("`{position}` should be won, or held, and is not")]
    NotWon {
        /// The position.
        position: String,
    },
    /// The tables are wrong: they say that a position is won, and that all positions after it are.
    #[error("the values of `{position}` and of the positions after it contradict each other")]
    Contradiction {
        /// The position.
        position: String,
    },
}

impl From<SolveError> for ExtractError {
    fn from(error: SolveError) -> ExtractError {
        match error {
            SolveError::Stopped => ExtractError::Stopped,
            SolveError::OutOfMemory(error) => ExtractError::OutOfMemory(error),
            error => ExtractError::Search(error),
        }
    }
}

/// The tables of a search, and the means to search again.
pub struct Prover<'a, G: Certifiable> {
    /// The rules.
    pub game: &'a G,
    /// The tables of a df-pn search of the same claim: whether the same player wins.
    pub store: &'a Store<G::Key>,
    /// Values that need no search.
    pub oracle: Option<&'a dyn Oracle<G>>,
    /// The options of searches, and the number of positions that are examined at once.
    pub options: &'a Options,
    /// Positions that the checkers' search proves by entering at most this many positions are left
    /// out.
    pub budget: u64,
    /// Positions of this size or less are left out, too, of games that can go in circles: checkers
    /// find out their values. 0 for none.
    pub database: u64,
    /// The directory for positions that do not fit into memory.
    pub directory: &'a Path,
    /// Counts and stops the searches.
    pub monitor: &'a Monitor,
}

/// A strategy that is ready to be written, in temporary files if it is large.
pub struct Extracted<G: Certifiable> {
    /// The strategy, with all its records or none of them.
    pub(crate) strategy: Strategy<G>,
    /// The records, if the strategy has none.
    pub(crate) runs: Vec<Run<G::Number>>,
}

impl<G: Certifiable> Extracted<G> {
    /// The number of positions.
    pub fn records(&self) -> u64 {
        self.strategy.records.len() as u64 + self.runs.iter().map(Run::count).sum::<u64>()
    }

    /// Writes the certificate.
    pub fn write_to(self, file: &mut dyn Write) -> io::Result<()> {
        if self.runs.is_empty() {
            return self.strategy.write_to(file);
        }
        let header = file::Header { records: self.records(), ..self.strategy.header() };
        file::write(&header, self.strategy.has_ranks(), Merged::new(self.runs)?, file)
    }

    /// The strategy in memory.
    pub fn into_strategy(self) -> io::Result<Strategy<G>> {
        if self.runs.is_empty() {
            return Ok(self.strategy);
        }
        let records = Merged::new(self.runs)?.collect::<io::Result<_>>()?;
        Ok(Strategy { records, ..self.strategy })
    }
}

/// Extracts a strategy that achieves a goal in a solved position.
pub fn extract<G: Certifiable>(
    prover: &Prover<G>,
    root: &G::Position,
    goal: Goal,
    progress: &Progress,
) -> Result<Extracted<G>, ExtractError> {
    if G::CYCLIC {
        circles::extract(prover, root, goal, progress)
    } else {
        stages::extract(prover, root, goal, progress)
    }
}
