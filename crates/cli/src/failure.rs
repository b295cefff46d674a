//! Why the program ends without the wanted answer: one line for the user, one exit code for
//! scripts.

use std::io;

use clap::error::ErrorKind as ClapErrorKind;
use papamu::request::Request;
use papamu::{Error, ErrorKind};
use papamu_base::file::{FileError, SameFile};

use crate::args;

/// A reason to stop. The exit codes are part of the interface (see `papamu --help`).
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error of the library, and the exit code.
    Verb(String, u8),
    /// An error that comes with an answer, which is printed.
    Found(String, u8),
    /// The arguments are wrong.
    Arguments(String),
    /// No verb was given: the help says more than an error.
    Help(clap::Error),
    /// The answer cannot be written.
    Write(io::Error),
}

/// Exit codes that are used elsewhere, too.
pub(crate) const MEMORY: u8 = 4;
pub(crate) const INTERRUPTED: u8 = 5;

impl Failure {
    /// The failure for an error of the library.
    pub(crate) fn of<R: Request>(error: &Error) -> Failure {
        Failure::Verb(message::<R>(error), exit_code(error))
    }

    /// The failure for an error that comes with an answer.
    pub(crate) fn found<R: Request>(error: &Error) -> Failure {
        Failure::Found(message::<R>(error), exit_code(error))
    }

    /// Whether there is an answer nevertheless.
    pub(crate) fn has_answer(&self) -> bool {
        matches!(self, Failure::Found(..))
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Failure::Verb(_, code) | Failure::Found(_, code) => *code,
            Failure::Arguments(_) | Failure::Help(_) => 2,
            Failure::Write(_) => 3,
        }
    }

    /// The message in one line of limited length: users' texts may contain anything.
    pub(crate) fn one_line(&self) -> String {
        const LONGEST: usize = 300;
        let text = match self {
            Failure::Verb(text, _) | Failure::Found(text, _) | Failure::Arguments(text) => {
                text.clone()
            }
            Failure::Help(help) => help.to_string(),
            Failure::Write(error) => format!("cannot write the answer: {error}"),
        };
        let escaped = text.chars().flat_map(|letter| {
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

fn exit_code(error: &Error) -> u8 {
    match error.kind() {
        ErrorKind::Check => 1,
        ErrorKind::Request => 2,
        ErrorKind::File => 3,
        ErrorKind::Memory => MEMORY,
        ErrorKind::Stopped => INTERRUPTED,
        _ => 1,
    }
}

/// The message of the library, with the flags that help.
fn message<R: Request>(error: &Error) -> String {
    let flag = args::flag::<R>;
    match error {
        Error::Option { option, problem } => format!("{}: {problem}", flag(option)),
        Error::Missing { option } => {
            format!("{} is missing; see `papamu --help`", flag(option))
        }
        Error::SameFile(SameFile { first, second }) => {
            format!("{} and {} name the same file", flag(first), flag(second))
        }
        Error::Lost { option } => {
            let lost = "stopped before the work was done";
            let can_keep = R::OPTIONS.iter().any(|of| of.about.name == *option);
            if can_keep {
                format!("{lost}; with {} FILE it would be kept", flag(option))
            } else {
                lost.to_owned()
            }
        }
        Error::Kept { path, option } => format!(
            "stopped before the position was solved; go on with {} `{}`",
            flag(option),
            path.display()
        ),
        Error::UnknownGame { .. } => format!("{error}; see `papamu games`"),
        Error::Notation(_) => format!("{error}; `papamu games` tells how positions are written"),
        _ if error.kind() == ErrorKind::Memory => {
            format!("{error}; give more with --memory, or less if the system does not grant it")
        }
        _ => error.to_string(),
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        let error = Error::from(error);
        Failure::Verb(error.to_string(), exit_code(&error))
    }
}

impl From<clap::Error> for Failure {
    /// The paragraph of clap in one line.
    fn from(error: clap::Error) -> Failure {
        if error.kind() == ClapErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
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
