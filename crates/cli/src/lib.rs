//! The command line of papamu: arguments, progress on a terminal, reports as text or JSON, exit
//! codes. The library `papamu` implements the verbs.
//!
//! A program with games of its own has all verbs for them:
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! fn main() -> ExitCode {
//!     papamu_cli::run(papamu::Registry::standard())
//! }
//! ```

mod args;
mod failure;
mod interactive;
mod output;
mod signals;
mod terminal;
mod text;
mod verbs;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Arg, ArgAction, Command};
use papamu::Registry;

use failure::Failure;
use output::Output;
use signals::Signals;
use terminal::Terminal;
use verbs::VERBS;

const ABOUT: &str = "Solves two-player games, exactly";
const DETAILS: &str = "Solves two-player games, exactly

A position is given in the notation of its game; `papamu games` lists the games and how their \
positions are written. A bare board size such as 6x6 is the start position.";
const EXAMPLES: &str = "Examples:
  papamu solve konane 5x5
  papamu solve sprouts \"0*17\"
  papamu show konane \"xo.o/.x../xox. b\"
  papamu perft konane 8x8 --depth 10 --threads 2
  papamu states konane 5x5 --plot states.svg

Exit codes: 0 done; 1 a check found something wrong; 2 bad arguments or position;
3 a file cannot be read or written; 4 the memory limit is too small; 5 interrupted.";

/// All arguments.
pub(crate) fn command() -> Command {
    let global = |arg: Arg| arg.global(true).display_order(1000);
    Command::new("papamu")
        .version(env!("CARGO_PKG_VERSION"))
        .about(ABOUT)
        .long_about(DETAILS)
        .after_help(EXAMPLES)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .arg(global(
            Arg::new("json")
                .long("json")
                .action(ArgAction::SetTrue)
                .help("Print one JSON object instead of text"),
        ))
        .arg(global(
            Arg::new("output")
                .long("output")
                .short('o')
                .value_name("FILE")
                .value_parser(clap::value_parser!(std::path::PathBuf))
                .help(
                    "Write the answer to FILE instead of the terminal; the file appears only when \
                     complete",
                ),
        ))
        .arg(global(
            Arg::new("quiet")
                .long("quiet")
                .short('q')
                .action(ArgAction::SetTrue)
                .help("Show no progress"),
        ))
        .subcommands(VERBS.iter().map(|verb| verb.command()))
}

/// The whole program, with these games.
pub fn run(registry: Registry) -> ExitCode {
    let result = match command().try_get_matches() {
        Ok(matches) => answer(&registry, &matches),
        Err(error) if error.use_stderr() => Err(Failure::from(error)),
        Err(help) => output::to_reader(help.print()),
    };
    let Err(failure) = result else {
        return ExitCode::SUCCESS;
    };
    // If stderr cannot be written, the exit code must do.
    let _ = match &failure {
        Failure::Help(help) => help.print(),
        failure => writeln!(io::stderr(), "papamu: {}", failure.one_line()),
    };
    ExitCode::from(failure.exit_code())
}

fn answer(registry: &Registry, matches: &clap::ArgMatches) -> Result<(), Failure> {
    let Some((name, matches)) = matches.subcommand() else { return Ok(()) };
    let verb = VERBS.iter().find(|verb| verb.name() == name);
    let Some(verb) = verb else { return Ok(()) };
    let path = matches.get_one::<std::path::PathBuf>("output");
    let is_json = matches.get_flag("json");
    let signals = Signals::new();
    verb.check_files(matches, path.map(std::path::PathBuf::as_path))?;
    let mut output = Output::open(path.map(std::path::PathBuf::as_path), is_json)?;
    let mut terminal = Terminal::new(&mut output, matches.get_flag("quiet"), signals.stop());
    match verb.run(registry, matches, &mut terminal) {
        Ok(()) => output.finish(),
        // An answer with a failure is written nevertheless.
        Err(failure) if failure.has_answer() => output.finish().and(Err(failure)),
        Err(failure) => Err(failure),
    }
}
