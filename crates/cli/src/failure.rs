//! Why the program ends without an answer: one line for the user, one exit code for scripts.

use std::io;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use clap::error::ErrorKind;
use papamu_game::{NotationError, perft, rules, states};
use papamu_games::UnknownGame;
use papamu_search::plain;
use thiserror::Error;

/// A reason to stop. The exit codes are part of the interface (see `papamu --help`).
#[derive(Debug, Error)]
pub(crate) enum Failure {
    #[error("{0}")]
    Arguments(String),
    /// No verb was given: the help says more than an error.
    #[error("{0}")]
    Help(clap::Error),
    #[error("{0}; see `papamu games`")]
    UnknownGame(#[from] UnknownGame),
    #[error("{0}; `papamu games` tells how positions are written")]
    Notation(#[from] NotationError),
    #[error("cannot {action} `{path}`: {error}")]
    File { action: &'static str, path: PathBuf, error: io::Error },
    #[error("cannot write the answer: {0}")]
    Write(io::Error),
    #[error("`{path}`, {error}")]
    PerftFile { path: PathBuf, error: perft::FileError },
    #[error("the positions up to ply {} do not fit into {}; give more with --memory, or stop earlier with --depth", .0.ply, bytes(.0.limit_bytes))]
    StatesMemory(#[from] states::OutOfMemory),
    #[error("{} positions do not fit into {}; give more with --memory", .0.positions, bytes(.0.limit_bytes))]
    SolveMemory(#[from] plain::OutOfMemory),
    #[error("{0}")]
    Rules(#[from] rules::Violation),
    #[error("{0}")]
    Check(String),
    /// Whoever read our output has seen enough.
    #[error("the reader of the output is gone")]
    ReaderGone,
}

fn bytes(count: usize) -> ByteSize {
    ByteSize::b(count as u64)
}

impl Failure {
    pub(crate) fn file(action: &'static str, path: &Path, error: io::Error) -> Failure {
        Failure::File { action, path: path.to_owned(), error }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Failure::ReaderGone => 0,
            Failure::Rules(_) | Failure::Check(_) => 1,
            Failure::Arguments(_)
            | Failure::Help(_)
            | Failure::UnknownGame(_)
            | Failure::Notation(_)
            | Failure::PerftFile { .. } => 2,
            Failure::File { .. } | Failure::Write(_) => 3,
            Failure::StatesMemory(_) | Failure::SolveMemory(_) => 4,
        }
    }
}

impl From<io::Error> for Failure {
    /// Errors of the output stream.
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ReaderGone,
            _ => Failure::Write(error),
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
