//! Why the program ends without the answer that was wanted: one line for the user, one exit code
//! for scripts.

use std::io;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use clap::error::ErrorKind;
use papamu_base::memory::OutOfMemory;
use papamu_game::{NotationError, perft};
use papamu_games::UnknownGame;
use papamu_proof::extract::ExtractError;
use papamu_proof::file::FileError;
use papamu_proof::strategy::BadStrategy;
use papamu_search::checkpoint::CheckpointError;
use papamu_search::nimber;
use papamu_search::solver::SolveError;
use papamu_tables::directory::TableError;
use papamu_values::{Halt, NoValue};
use thiserror::Error;

/// A reason to stop. The exit codes are part of the interface (see `papamu --help`).
#[derive(Debug, Error)]
pub(crate) enum Failure {
    #[error("{0}; `papamu solve --algo plain` does")]
    Cyclic(SolveError),
    #[error("interrupted")]
    Interrupted,
    #[error(
        "stopped before the position was solved; with --checkpoint FILE the work would be kept"
    )]
    Stopped,
    #[error("stopped before the position was solved; go on with --resume `{}`", path.display())]
    Kept { path: PathBuf },
    #[error("stopped before the position was solved; go on with --nimbers `{}`", path.display())]
    NimbersKept { path: PathBuf },
    #[error(
        "stopped before the position was solved; with --nimbers FILE what was found would be kept"
    )]
    NimbersLost,
    #[error("{0}")]
    Nimbers(#[from] nimber::Halt),
    #[error("cannot use the nimbers in `{}`: {error}", path.display())]
    NimberFile { path: PathBuf, error: nimber::file::FileError },
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("{0}")]
    BadTree(SolveError),
    #[error(transparent)]
    Table(TableError),
    #[error(transparent)]
    Certificate(#[from] FileError),
    #[error("the certificate is wrong: {0}")]
    Strategy(BadStrategy),
    /// What is to be done needs more memory than is allowed.
    #[error("{0}")]
    NeedsMemory(String),
    /// A check found something wrong; the answer says what.
    #[error("{0}")]
    Check(String),
    #[error("{0}")]
    Arguments(String),
    /// No verb was given: the help says more than an error.
    #[error("{0}")]
    Help(clap::Error),
    #[error("{0}; see `papamu games`")]
    UnknownGame(#[from] UnknownGame),
    #[error("{0}; `papamu games` tells how positions are written")]
    Notation(#[from] NotationError),
    #[error("`{path}`, {error}")]
    PerftFile { path: PathBuf, error: perft::FileError },
    #[error("`{path}`, line {line}: {error}")]
    PerftPosition { path: PathBuf, line: usize, error: NotationError },
    #[error("cannot {action} `{path}`: {error}")]
    File { action: &'static str, path: PathBuf, error: io::Error },
    /// A value is too much work, or does not exist.
    #[error("no value: {0}")]
    Halt(#[from] Halt),
    #[error("cannot write the answer: {0}")]
    Write(io::Error),
    #[error("the positions to remember do not fit into {}; give more with --memory, or less if the system does not grant it", ByteSize::b(.0.limit_bytes as u64))]
    Memory(#[from] OutOfMemory),
}

/// The exit code of work that was interrupted.
pub(crate) const INTERRUPTED: u8 = 5;

impl Failure {
    pub(crate) fn file(action: &'static str, path: &Path, error: io::Error) -> Failure {
        Failure::File { action, path: path.to_owned(), error }
    }

    /// Why there is no value, for verbs that keep no checkpoints.
    pub(crate) fn without_checkpoint(error: SolveError) -> Failure {
        match error {
            SolveError::Stopped => Failure::Interrupted,
            error => Failure::from(error),
        }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Failure::Check(_) => 1,
            Failure::Arguments(_)
            | Failure::Help(_)
            | Failure::Cyclic(_)
            | Failure::UnknownGame(_)
            | Failure::Notation(_)
            | Failure::PerftFile { .. }
            | Failure::PerftPosition { .. } => 2,
            Failure::Checkpoint(CheckpointError::Foreign { .. }) => 2,
            Failure::Checkpoint(CheckpointError::Memory(_)) => 4,
            Failure::File { .. }
            | Failure::Write(_)
            | Failure::Checkpoint(_)
            | Failure::BadTree(_)
            | Failure::Certificate(_)
            | Failure::NimberFile { .. }
            | Failure::Strategy(_)
            | Failure::Table(_) => 3,
            Failure::NimbersKept { .. }
            | Failure::NimbersLost
            | Failure::Nimbers(nimber::Halt::Stopped | nimber::Halt::Paused) => INTERRUPTED,
            Failure::Memory(_)
            | Failure::NeedsMemory(_)
            | Failure::Nimbers(nimber::Halt::Memory)
            | Failure::Halt(Halt::Memory) => 4,
            Failure::Halt(Halt::Time) => INTERRUPTED,
            Failure::Halt(_) | Failure::Nimbers(_) => 2,
            Failure::Stopped | Failure::Interrupted | Failure::Kept { .. } => INTERRUPTED,
        }
    }

    /// The message in one line of bearable length: users' texts may hold anything.
    pub(crate) fn one_line(&self) -> String {
        const LONGEST: usize = 300;
        let escaped = self.to_string();
        let escaped = escaped.chars().flat_map(|letter| {
            let keep = !letter.is_control();
            let escape = (!keep).then(|| letter.escape_default()).into_iter().flatten();
            keep.then_some(letter).into_iter().chain(escape)
        });
        let line: Vec<char> = escaped.collect();
        if line.len() <= LONGEST {
            return line.into_iter().collect();
        }
        let half = LONGEST / 2;
        let (start, end) = (line[..half].iter(), line[line.len() - half..].iter());
        start.chain(&['.', '.', '.']).chain(end).collect()
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        match error {
            SolveError::OutOfMemory(error) => Failure::Memory(error),
            SolveError::BadTree(_) => Failure::BadTree(error),
            SolveError::Stopped => Failure::Stopped,
            SolveError::Cyclic => Failure::Cyclic(error),
        }
    }
}

impl From<clap::Error> for Failure {
    /// What clap says in a paragraph, in one line.
    fn from(error: clap::Error) -> Failure {
        if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
            return Failure::Help(error);
        }
        let text = error.to_string();
        let lines = text.lines().map(str::trim);
        let message: Vec<&str> = lines
            .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
            .filter(|line| !line.is_empty())
            .collect();
        let message = message.join(" ");
        let message = message.strip_prefix("error: ").unwrap_or(&message);
        let message = message.replace(" tip: ", "; ");
        Failure::Arguments(format!("{message}; see `papamu --help`"))
    }
}

impl From<NoValue> for Failure {
    fn from(error: NoValue) -> Failure {
        match error {
            NoValue::Halt(halt) => Failure::Halt(halt),
            error => Failure::Arguments(format!("no value: {error}")),
        }
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        match error {
            TableError::Memory(error) => Failure::Memory(error),
            error => Failure::Table(error),
        }
    }
}

impl From<BadStrategy> for Failure {
    fn from(error: BadStrategy) -> Failure {
        match error {
            BadStrategy::NoCertificates(_) => Failure::Arguments(error.to_string()),
            error => Failure::Strategy(error),
        }
    }
}

impl From<ExtractError> for Failure {
    fn from(error: ExtractError) -> Failure {
        match error {
            ExtractError::Bad(error) => Failure::from(error),
            ExtractError::Stopped => Failure::Interrupted,
            ExtractError::Temporary { directory, error } => {
                Failure::file("keep positions in", &directory, error)
            }
            // Tables or certificates that come from elsewhere may be wrong.
            error @ ExtractError::NotWon { .. } => Failure::Check(error.to_string()),
        }
    }
}
