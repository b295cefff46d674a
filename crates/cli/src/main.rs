//! The `papamu` program: one file per verb over the libraries.

mod bench;
mod boards;
mod build;
mod calc;
mod cert;
mod check_game;
mod compare;
mod compare_tables;
mod completions;
mod conjecture;
mod drawing;
mod explain;
mod failure;
mod family;
mod find;
mod fresh;
mod games;
mod impartial;
mod invariants;
mod memory;
mod nimber;
mod output;
mod partial;
mod perft;
mod play;
mod plot;
mod probe;
mod progress;
mod region_values;
mod search_display;
mod search_options;
mod show;
mod signals;
mod solve;
mod states;
mod stats;
mod table_file;
mod tables;
mod target;
mod theory;
mod thermograph;
mod train;
mod value;
mod verify;
mod winners;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;
use output::Output;

/// Solves two-player games, exactly
///
/// A position is given in the notation of its game; `papamu games` lists the games and how their
/// positions are written. A bare board size such as 6x6 is the start position.
#[derive(Parser)]
#[command(
    name = "papamu",
    version,
    after_help = "Examples:
  papamu solve konane 5x5
  papamu solve sprouts \"0*17\"
  papamu show konane \"xo.o/.x../xox. b\"
  papamu perft konane 8x8 --depth 10 --threads 2
  papamu states konane 5x5 --plot states.svg

Exit codes: 0 done; 1 a check found something wrong; 2 bad arguments or position;
3 a file cannot be read or written; 4 the memory limit is too small; 5 interrupted."
)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,

    /// Print one JSON object instead of text
    #[arg(long, global = true)]
    json: bool,

    /// Write the answer to FILE instead of the terminal; the file appears only when complete
    #[arg(long, short, global = true, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Show no progress
    #[arg(long, short, global = true)]
    quiet: bool,
}

#[derive(Subcommand)]
enum Verb {
    Solve(solve::Solve),
    Nimber(nimber::Nimber),
    Build(build::Build),
    Probe(probe::Probe),
    Verify(verify::Verify),
    Cert(cert::Cert),
    Play(play::Play),
    Stats(stats::Stats),
    Value(value::Value),
    Calc(calc::Calc),
    Family(family::Family),
    Find(find::Find),
    Invariants(invariants::Invariants),
    Conjecture(conjecture::Conjecture),
    Show(show::Show),
    Perft(perft::Perft),
    States(states::States),
    CheckGame(check_game::CheckGame),
    Compare(compare::Compare),
    CompareTables(compare_tables::CompareTables),
    Winners(winners::Winners),
    Bench(bench::Bench),
    Train(train::Train),
    Games(games::Games),
    Completions(completions::Completions),
}

fn run(cli: Cli) -> Result<(), Failure> {
    let mut output = Output::open(cli.output.as_deref(), cli.json, cli.quiet)?;
    let result = match cli.verb {
        Verb::Solve(verb) => verb.run(cli.output.as_deref(), &mut output),
        Verb::Nimber(verb) => verb.run(cli.output.as_deref(), &mut output),
        Verb::Build(verb) => verb.run(&mut output),
        Verb::Probe(verb) => verb.run(&mut output),
        Verb::Verify(verb) => verb.run(&mut output),
        Verb::Cert(verb) => verb.run(cli.output.as_deref(), &mut output),
        Verb::Play(verb) => verb.run(&mut output),
        Verb::Stats(verb) => verb.run(&mut output),
        Verb::Value(verb) => verb.run(&mut output),
        Verb::Calc(verb) => verb.run(&mut output),
        Verb::Family(verb) => verb.run(&mut output),
        Verb::Find(verb) => verb.run(&mut output),
        Verb::Invariants(verb) => verb.run(cli.output.as_deref(), &mut output),
        Verb::Conjecture(verb) => verb.run(&mut output),
        Verb::Show(verb) => verb.target.run(&verb, &mut output),
        Verb::Perft(verb) => verb.run(&mut output),
        Verb::States(verb) => verb.run(cli.output.as_deref(), &mut output),
        Verb::CheckGame(verb) => verb.target.run(&verb, &mut output),
        Verb::Compare(verb) => verb.target.run(&verb, &mut output),
        Verb::CompareTables(verb) => verb.target.run(&verb, &mut output),
        Verb::Winners(verb) => verb.run(&mut output),
        Verb::Bench(verb) => verb.run(&mut output),
        Verb::Train(verb) => verb.run(&mut output),
        Verb::Games(verb) => verb.run(&mut output),
        Verb::Completions(verb) => verb.run(&mut output),
    };
    match result {
        Ok(()) => output.finish(),
        // A failed check is an answer too.
        Err(verdict @ Failure::Check(_)) => output.finish().and(Err(verdict)),
        Err(failure) => Err(failure),
    }
}

fn main() -> ExitCode {
    let result = match Cli::try_parse() {
        Ok(cli) => run(cli),
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
