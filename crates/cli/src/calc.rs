//! `papamu calc`: a calculator for values of games.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;
use papamu_values::{FUNCTIONS, Forms, ReadError, Side};
use serde::Serialize;

use crate::explain::Explained;
use crate::failure::Failure;
use crate::output::Output;
use crate::signals::exit_on_signals;
use crate::theory::{Report, Style, TheoryOptions, deep};
use crate::thermograph::Plot;

/// Calculate with values of games: sums, negatives, switches, heating, Norton products
///
/// Values are written as usual: 3/4, *2, ^^* (two ups and a star), v, {2|-1}, {3||2|1}, +-1 for {1|-1}.
/// Without an expression, lines are read and answered until the input ends.
#[derive(Args)]
#[command(after_help = functions())]
pub(crate) struct Calc {
    /// What to calculate, in quotes
    #[arg(allow_hyphen_values = true)]
    expression: Option<String>,

    /// Write the thermograph as SVG, or as TikZ if the name ends in .tex
    #[arg(long, value_name = "FILE", requires = "expression")]
    plot: Option<PathBuf>,

    /// Say which options of {...|...} are dominated or reversible, and which make the canonical form
    #[arg(long)]
    explain: bool,

    #[command(flatten)]
    style: Style,

    #[command(flatten)]
    theory: TheoryOptions,
}

#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    report: Report,
    /// With --explain.
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Explained>,
}

fn functions() -> String {
    let line = |function: &papamu_values::Function| {
        let call = format!("{}({})", function.name, function.parameters.join(", "));
        format!("  {call:20} {}\n", function.summary)
    };
    let lines: String = FUNCTIONS.iter().map(line).collect();
    format!(
        "Functions:\n{lines}  G:H                  the ordinal sum\n
Examples:
  papamu calc \"{{1|*}} + ^ - 3/4\"
  papamu calc \"norton(1/2, ^)\"
  papamu calc \"{{4||1|-3}}\" --plot thermograph.svg
  papamu calc \"{{^,*,0|1,3}}\" --explain
  papamu calc \"{{1|*}} + ^3\" --notation latex
  papamu calc        and then one expression per line"
    )
}

impl Calc {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        exit_on_signals("interrupted");
        let Some(text) = &self.expression else {
            return deep(|| self.interact(output));
        };
        let plot = self.plot.as_deref().map(Plot::new).transpose()?;
        deep(|| {
            let answer = self.answer(&self.theory.forms()?, text)?;
            if let Some(plot) = plot {
                plot.write(text, &answer.report.thermograph)?;
            }
            output.json(&answer)?;
            answer.report.print(output)?;
            self.print_explanation(&answer, output)
        })
    }

    fn answer(&self, forms: &Forms, text: &str) -> Result<Answer, Failure> {
        let refuse = |error: ReadError| match error {
            ReadError::Halt(halt) => Failure::from(halt),
            error => Failure::Arguments(format!("`{text}`, {error}")),
        };
        let value = forms.read(text).map_err(refuse)?;
        let written = if self.explain { forms.read_options(text).map_err(refuse)? } else { None };
        let explain =
            |[left, right]: [Side; 2]| Explained::new(forms, [&left, &right], &[], self.style);
        Ok(Answer {
            report: Report::new(forms, value, self.style)?,
            explanation: written.map(explain).transpose()?,
        })
    }

    fn print_explanation(&self, answer: &Answer, output: &mut Output) -> Result<(), Failure> {
        match &answer.explanation {
            Some(explanation) => explanation.print(output),
            None if self.explain => {
                output.line("explain      nothing: it is not written as {...|...}")
            }
            None => Ok(()),
        }
    }

    /// Answers line by line. A bad line is answered too.
    fn interact(&self, output: &mut Output) -> Result<(), Failure> {
        let stdin = io::stdin();
        let prompt = || {
            if stdin.is_terminal() {
                // If the terminal is gone, reading ends as well.
                let _ = write!(io::stderr(), "> ").and_then(|()| io::stderr().flush());
            }
        };
        prompt();
        for line in stdin.lock().lines() {
            let line = line.map_err(|error| Failure::Arguments(format!("cannot read: {error}")))?;
            let text = line.trim();
            if !text.is_empty() {
                // Each line has its own time.
                match self.answer(&self.theory.forms()?, text) {
                    Ok(answer) => {
                        output.json(&answer)?;
                        let Report { value, outcome, .. } = &answer.report;
                        output.line(format!("{value}    {outcome}"))?;
                        self.print_explanation(&answer, output)?;
                    }
                    Err(error) => {
                        output.json(&serde_json::json!({ "error": error.to_string() }))?;
                        output.line(format!("error: {error}"))?;
                    }
                }
            }
            prompt();
        }
        Ok(())
    }
}
