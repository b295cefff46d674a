//! Why a verb has no answer.

use std::path::PathBuf;

use bytesize::ByteSize;
use papamu_base::Stopped;
use papamu_base::file::{FileError, LockError, SameFile};
use papamu_base::memory::{OutOfMemory, Unfinished};
use papamu_game::NotationError;
use papamu_proof::extract::ExtractError;
use papamu_proof::strategy::BadStrategy;
use papamu_search::checkpoint::CheckpointError;
use papamu_search::job::JobError;
use papamu_search::nimber;
use papamu_search::nimber::job::NimberJobError;
use papamu_search::solver::SolveError;
use papamu_tables::TableError;
use papamu_values::{Halt, NoValue};
use thiserror::Error;

/// Why a verb has no answer, or only part of it.
///
/// The texts name the offending input and do not depend on a front end: an option has its name in
/// the request.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// No game has that name.
    #[error("unknown game `{name}`: there are {}", known.join(", "))]
    UnknownGame {
        /// The name.
        name: String,
        /// The names of all games.
        known: Vec<String>,
    },
    /// A position or a move cannot be read.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A verb has no such option.
    #[error("{verb} has no option `{name}`: there are {}", known.join(", "))]
    NoSuchOption {
        /// The verb.
        verb: &'static str,
        /// The name.
        name: String,
        /// The names of all options.
        known: Vec<&'static str>,
    },
    /// A required option is missing.
    #[error("`{option}` is missing")]
    Missing {
        /// Its name.
        option: &'static str,
    },
    /// An option is not what it should be, or does not apply.
    #[error("`{option}`: {problem}")]
    Option {
        /// Its name.
        option: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// The game cannot do that.
    #[error("{game} has no {what}")]
    NotOfferedBy {
        /// The name of the game.
        game: String,
        /// The missing part.
        what: String,
    },
    /// Two options name the same file.
    #[error(transparent)]
    SameFile(#[from] SameFile),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file is in use.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The content of a file is not what it should be.
    #[error("`{}`, {problem}", path.display())]
    Input {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and where.
        problem: String,
    },
    /// A search cannot begin or go on.
    #[error(transparent)]
    Job(#[from] JobError),
    /// A search cannot go on.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A search with nimbers cannot begin or go on.
    #[error(transparent)]
    NimberJob(#[from] NimberJobError),
    /// A search with nimbers cannot go on.
    #[error(transparent)]
    Nimber(#[from] nimber::Halt),
    /// A file of nimbers cannot be read.
    #[error("nimbers in `{}`: {error}", path.display())]
    NimberFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: nimber::file::FileError,
    },
    /// A table cannot be built or used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A certificate cannot be read.
    #[error(transparent)]
    Certificate(#[from] papamu_proof::file::FileError),
    /// A certificate is wrong.
    #[error("the certificate is wrong: {0}")]
    Strategy(#[from] BadStrategy),
    /// A certificate cannot be made.
    #[error(transparent)]
    Extract(#[from] ExtractError),
    /// A value is too much work, or does not exist.
    #[error("no value: {0}")]
    Halt(#[from] Halt),
    /// A position has no value.
    #[error("no value: {0}")]
    NoValue(NoValue),
    /// The positions outgrew the memory.
    #[error(
        "the positions to remember do not fit into {}",
        ByteSize::b(.0.limit_bytes as u64)
    )]
    OutOfMemory(#[from] OutOfMemory),
    /// The work needs more memory than it may have.
    #[error("{what} needs {} of memory; {} are allowed", ByteSize::b(*needs_bytes), ByteSize::b(*limit_bytes))]
    NeedsMemory {
        /// The work.
        what: String,
        /// The memory that it needs.
        needs_bytes: u64,
        /// The memory that it may have.
        limit_bytes: u64,
    },
    /// The system grants no threads.
    #[error("the system grants no threads")]
    NoThreads,
    /// The work was stopped, and nothing of it is kept.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The work was stopped. It can be resumed from a file.
    #[error("stopped before the work was done; `{}` has what was found", path.display())]
    Kept {
        /// The file.
        path: PathBuf,
        /// The option that resumes it.
        option: &'static str,
    },
    /// The work was stopped; with that option it would have been kept.
    #[error("stopped before the work was done; with `{option}` it would be kept")]
    Lost {
        /// The option.
        option: &'static str,
    },
    /// A check found something wrong; the report says what.
    #[error("{0}")]
    Check(String),
}

/// Kinds of errors, by what to do about them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A check found something wrong.
    Check,
    /// The request is wrong.
    Request,
    /// A file cannot be read or written, or is damaged.
    File,
    /// There is not enough memory.
    Memory,
    /// The work was stopped, or its time was up.
    Stopped,
}

impl Error {
    /// That option is not what it should be.
    pub(crate) fn option(option: &'static str, problem: impl Into<String>) -> Error {
        Error::Option { option, problem: problem.into() }
    }

    /// Names the option that asks for something that the game does not have.
    pub(crate) fn asked_by(self, option: &'static str) -> Error {
        match self {
            Error::NotOfferedBy { .. }
            | Error::NimberJob(
                NimberJobError::NoNimbers { .. } | NimberJobError::NotCertifiable { .. },
            ) => Error::option(option, self.to_string()),
            error => error,
        }
    }

    /// What kind of error it is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::Check(_)
            | Error::Extract(ExtractError::NotWon { .. } | ExtractError::Contradiction { .. }) => {
                ErrorKind::Check
            }
            Error::UnknownGame { .. }
            | Error::Notation(_)
            | Error::NoSuchOption { .. }
            | Error::Missing { .. }
            | Error::Option { .. }
            | Error::NotOfferedBy { .. }
            | Error::SameFile(_)
            | Error::Input { .. }
            | Error::NoValue(_) => ErrorKind::Request,
            Error::File(_)
            | Error::NimberFile { .. }
            | Error::Certificate(_)
            | Error::Strategy(_) => ErrorKind::File,
            Error::OutOfMemory(_)
            | Error::NeedsMemory { .. }
            | Error::NoThreads
            | Error::Halt(Halt::Memory) => ErrorKind::Memory,
            Error::Stopped(_)
            | Error::Kept { .. }
            | Error::Lost { .. }
            | Error::Halt(Halt::Time | Halt::Stopped) => ErrorKind::Stopped,
            Error::Halt(_) => ErrorKind::Request,
            Error::Extract(ExtractError::Stopped) => ErrorKind::Stopped,
            Error::Extract(ExtractError::OutOfMemory(_)) => ErrorKind::Memory,
            Error::Extract(ExtractError::Search(error)) => of_solve(error),
            Error::Extract(_) => ErrorKind::File,
            Error::Lock(error) => of_lock(error),
            Error::Solve(error) => of_solve(error),
            Error::Nimber(halt) => of_halt(*halt),
            Error::Job(error) => of_job(error),
            Error::NimberJob(error) => of_nimber_job(error),
            Error::Table(error) => of_table(error),
        }
    }
}

fn of_lock(error: &LockError) -> ErrorKind {
    match error {
        LockError::Busy { .. } => ErrorKind::Request,
        LockError::File(_) => ErrorKind::File,
    }
}

fn of_solve(error: &SolveError) -> ErrorKind {
    match error {
        SolveError::OutOfMemory(_) => ErrorKind::Memory,
        SolveError::BadTree(_) => ErrorKind::File,
        SolveError::Stopped => ErrorKind::Stopped,
        _ => ErrorKind::Request,
    }
}

fn of_job(error: &JobError) -> ErrorKind {
    match error {
        JobError::Stopped { .. } => ErrorKind::Stopped,
        JobError::Solve(error) => of_solve(error),
        JobError::Checkpoint(CheckpointError::Foreign { .. }) | JobError::Exists { .. } => {
            ErrorKind::Request
        }
        JobError::Checkpoint(CheckpointError::Memory(_)) => ErrorKind::Memory,
        JobError::Checkpoint(CheckpointError::UnstableKeys { .. }) => ErrorKind::Request,
        JobError::Lock(error) => of_lock(error),
        _ => ErrorKind::File,
    }
}

fn of_halt(halt: nimber::Halt) -> ErrorKind {
    match halt {
        nimber::Halt::Stopped | nimber::Halt::Paused => ErrorKind::Stopped,
        nimber::Halt::Memory => ErrorKind::Memory,
        nimber::Halt::TooManyOptions
        | nimber::Halt::NimberTooLarge
        | nimber::Halt::Contradiction
        | nimber::Halt::NoSuchSearch => ErrorKind::Request,
    }
}

fn of_nimber_job(error: &NimberJobError) -> ErrorKind {
    match error {
        NimberJobError::Stopped { .. } => ErrorKind::Stopped,
        NimberJobError::Halt(halt) => of_halt(*halt),
        NimberJobError::NoNimbers { .. }
        | NimberJobError::NotCertifiable { .. }
        | NimberJobError::IsCertificate { .. } => ErrorKind::Request,
        NimberJobError::Contradiction { .. } | NimberJobError::FalseLemma { .. } => {
            ErrorKind::Check
        }
        NimberJobError::Lock(error) => of_lock(error),
        _ => ErrorKind::File,
    }
}

fn of_table(error: &TableError) -> ErrorKind {
    match error {
        TableError::OutOfMemory(_) | TableError::NeedsMemory { .. } => ErrorKind::Memory,
        TableError::Stopped(_) => ErrorKind::Stopped,
        TableError::TooLarge { .. }
        | TableError::Notation(_)
        | TableError::NotABoard { .. }
        | TableError::OtherBoard { .. }
        | TableError::TooManyStones { .. }
        | TableError::NeedsDirectory { .. }
        | TableError::NothingToLearn { .. }
        | TableError::NoIndex { .. }
        | TableError::NotInTable { .. }
        | TableError::TooLong { .. }
        | TableError::WrongIndex { .. } => ErrorKind::Request,
        _ => ErrorKind::File,
    }
}

impl From<Unfinished> for Error {
    fn from(error: Unfinished) -> Error {
        match error {
            Unfinished::OutOfMemory(error) => error.into(),
            Unfinished::Stopped(error) => error.into(),
        }
    }
}

impl From<NoValue> for Error {
    fn from(error: NoValue) -> Error {
        match error {
            NoValue::Halt(halt) => halt.into(),
            error => Error::NoValue(error),
        }
    }
}
