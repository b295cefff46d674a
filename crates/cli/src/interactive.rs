//! Verbs that are more than a request and a report: games and calculations line by line, tables in
//! several formats, completions.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::Path;

use clap::{ArgMatches, Command};
use papamu::{
    CalcReport, Calculator, Error, PlaySession, Registry, Report, TableFormat, Turn, Watch,
    calc_functions,
};
use serde_json::json;

use crate::failure::Failure;
use crate::output::{Output, to_reader};
use crate::terminal::Terminal;
use crate::text;
use crate::verbs::{Verb, print};

/// Longer lines are refused: nobody types them.
const LONGEST_LINE: u64 = 1 << 16;

/// The next line of the input; `None` at its end. A line that is too long is an error.
fn next_line(input: &mut impl BufRead) -> Result<Option<String>, Failure> {
    let mut bytes = Vec::new();
    let read = input.take(LONGEST_LINE).read_until(b'\n', &mut bytes);
    let read = read.map_err(|error| Failure::Arguments(format!("cannot read: {error}")))?;
    if read as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') {
        let problem = format!("a line of the input is longer than {LONGEST_LINE} bytes");
        return Err(Failure::Arguments(problem));
    }
    Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

/// Writes a prompt, which is no part of the answer.
fn prompt(text: &str) -> Result<(), Failure> {
    let mut stderr = io::stderr();
    to_reader(write!(stderr, "{text}> ").and_then(|()| stderr.flush()))
}

/// The functions of `papamu calc`, for its help.
pub(crate) fn calc_help() -> String {
    let lines: String =
        calc_functions().map(|(call, summary)| format!("  {call:20} {summary}\n")).collect();
    format!("Functions:\n{lines}  G:H                  the ordinal sum\n\n")
}

/// `papamu calc`: one expression, or one per line.
pub(crate) fn calc(
    registry: &Registry,
    request: &papamu::Calc,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    if request.expression.is_some() {
        let report = papamu::calc(registry, request, terminal);
        let report = report.map_err(|error| Failure::of::<papamu::Calc>(&error))?;
        return print::<papamu::Calc, _>(&report, terminal);
    }
    if request.plot.is_some() {
        return Err(Failure::Arguments("--plot: there is no expression".to_owned()));
    }
    let calculator = Calculator::new(registry, request, terminal);
    let stdin = io::stdin();
    let mut input = stdin.lock();
    loop {
        if stdin.is_terminal() {
            prompt("")?;
        }
        let Some(line) = next_line(&mut input)? else { return Ok(()) };
        let text = line.trim();
        if text.is_empty() {
            continue;
        }
        // A bad line is answered too.
        let answer = calculator.calculate(text).map_err(|error| match error {
            // The error is in the line, not in an argument.
            Error::Option { problem, .. } => Failure::Arguments(problem),
            error => Failure::of::<papamu::Calc>(&error),
        });
        if terminal.stop().is_set() {
            return answer.map(|_| ());
        }
        answer_line(&answer, terminal.output())?;
    }
}

fn answer_line(answer: &Result<CalcReport, Failure>, output: &mut Output) -> Result<(), Failure> {
    match (answer, output.is_json()) {
        (Ok(report), true) => {
            let json = serde_json::to_string(report);
            output.line(&json.map_err(|error| Failure::Write(error.into()))?)
        }
        (Ok(report), false) => {
            output.line(&format!("{}    {}", report.facts.value, report.facts.outcome))?;
            text::calc_explanation(report).iter().try_for_each(|line| output.line(line))
        }
        (Err(failure), true) => output.line(&json!({ "error": failure.one_line() }).to_string()),
        (Err(failure), false) => output.line(&format!("error: {}", failure.one_line())),
    }
}

/// `papamu play`.
pub(crate) fn play(
    registry: &Registry,
    request: &papamu::Play,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let of = |error: Error| Failure::of::<papamu::Play>(&error);
    let mut session = papamu::play(registry, request, terminal).map_err(of)?;
    let [program, opponent] = session.players();
    say(terminal, &format!("The program plays {program}; you play {opponent}."))?;
    let mut input = io::stdin().lock();
    loop {
        match session.turn() {
            Turn::Over(winner) => {
                say(terminal, &session.position().draw())?;
                let end = winner.map_or("a draw".to_owned(), |winner| format!("{winner} wins"));
                say(terminal, &format!("the game is over: {end}"))?;
                break;
            }
            Turn::Program => {
                let mv = session.answer(terminal).map_err(of)?;
                say(terminal, &format!("{program} plays {mv}"))?;
            }
            Turn::Opponent => {
                say(terminal, &session.position().draw())?;
                if !reply(&mut session, opponent, &mut input, terminal)? {
                    break;
                }
            }
        }
    }
    let report = session.report();
    if terminal.output().is_json() {
        let json = serde_json::to_string(&report);
        let json = json.map_err(|error| Failure::Write(error.into()))?;
        terminal.output().line(&json)?;
    }
    report.failure().map_or(Ok(()), |error| Err(Failure::found::<papamu::Play>(error)))
}

/// Prints a message for the player; with JSON only the end of the game is printed.
fn say(terminal: &mut Terminal<'_>, text: &str) -> Result<(), Failure> {
    let output = terminal.output();
    if output.is_json() { Ok(()) } else { output.line(text) }
}

/// Asks for a move until there is one. Returns whether the game goes on.
fn reply(
    session: &mut PlaySession,
    player: &str,
    input: &mut impl BufRead,
    terminal: &mut Terminal<'_>,
) -> Result<bool, Failure> {
    loop {
        prompt(player)?;
        let Some(line) = next_line(input)? else { return Ok(false) };
        match line.trim() {
            "" => continue,
            "quit" | "q" => return Ok(false),
            "moves" => {
                let moves = session.position().moves().join(" ");
                say(terminal, &moves)?;
            }
            "undo" => {
                if !session.undo() {
                    say(terminal, "there is nothing to take back")?;
                }
                return Ok(true);
            }
            text => match session.play(text) {
                Ok(()) => return Ok(true),
                Err(_) => to_reader(writeln!(
                    io::stderr(),
                    "`{text}` is not a move here; type a move, moves, undo or quit"
                ))?,
            },
        }
    }
}

/// `papamu invariants`: a table in the format that was asked for.
pub(crate) fn invariants(
    registry: &Registry,
    request: &papamu::Invariants,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let output = terminal.output();
    let format = match (request.format, output.is_json()) {
        (Some(format), true) if format != TableFormat::Jsonl => {
            let problem = "--json is --format jsonl; give one of them";
            return Err(Failure::Arguments(problem.to_owned()));
        }
        (Some(format), _) => format,
        (None, true) => TableFormat::Jsonl,
        (None, false) => output.path().and_then(TableFormat::of).unwrap_or(TableFormat::Csv),
    };
    let of = |error: Error| Failure::of::<papamu::Invariants>(&error);
    let table = papamu::invariants(registry, request, terminal).map_err(of)?;
    terminal.output().raw(&table.write(format).map_err(of)?)
}

/// `papamu completions`.
pub(crate) struct Completions;

impl Verb for Completions {
    fn name(&self) -> &'static str {
        "completions"
    }

    fn command(&self) -> Command {
        Command::new(self.name())
            .about("Print a completion script for a shell")
            .arg(
                clap::Arg::new("shell")
                    .required(true)
                    .help("The shell")
                    .value_parser(clap::value_parser!(clap_complete::Shell)),
            )
            .after_help(
                "Example:
  papamu completions bash > ~/.local/share/bash-completion/completions/papamu",
            )
    }

    fn check_files(&self, _: &ArgMatches, _: Option<&Path>) -> Result<(), Failure> {
        Ok(())
    }

    fn run(
        &self,
        _: &Registry,
        matches: &ArgMatches,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure> {
        let Some(&shell) = matches.get_one::<clap_complete::Shell>("shell") else { return Ok(()) };
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut crate::command(), "papamu", &mut script);
        let script = String::from_utf8_lossy(&script);
        let output = terminal.output();
        if output.is_json() {
            let json = json!({ "shell": shell.to_string(), "script": script });
            return output.line(&json.to_string());
        }
        output.line(script.trim_end())
    }
}
