//! `papamu calc`: a calculator for values of games.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;
use papamu_values::{FUNCTIONS, Forms, ReadError};

use crate::failure::Failure;
use crate::output::{Output, Target};
use crate::signals::exit_on_signals;
use crate::theory::{Report, TheoryOptions, deep};

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

    /// Write the thermograph as SVG
    #[arg(long, value_name = "FILE", requires = "expression")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    theory: TheoryOptions,
}

fn functions() -> String {
    let line = |function: &papamu_values::Function| {
        let call = format!("{}({})", function.name, function.parameters.join(", "));
        format!("  {call:18} {}\n", function.summary)
    };
    let lines: String = FUNCTIONS.iter().map(line).collect();
    format!(
        "Functions:\n{lines}  G:H                the ordinal sum\n
Examples:
  papamu calc \"{{1|*}} + ^ - 3/4\"
  papamu calc \"norton(1/2, ^)\"
  papamu calc \"{{4||1|-3}}\" --plot thermograph.svg
  papamu calc        and then one expression per line"
    )
}

impl Calc {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        exit_on_signals("interrupted");
        let Some(text) = &self.expression else {
            return deep(|| self.interact(output));
        };
        let plot = self.plot.as_deref().map(Target::new).transpose()?;
        deep(|| {
            let report = self.report(&self.theory.forms()?, text)?;
            if let Some(plot) = plot {
                plot.write(report.plot(text).as_bytes())?;
            }
            output.json(&report)?;
            report.print(output)
        })
    }

    fn report(&self, forms: &Forms, text: &str) -> Result<Report, Failure> {
        let value = forms.read(text).map_err(|error| match error {
            ReadError::Halt(halt) => Failure::from(halt),
            error => Failure::Arguments(format!("`{text}`, {error}")),
        })?;
        Ok(Report::new(forms, value, self.theory.width)?)
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
                match self.report(&self.theory.forms()?, text) {
                    Ok(report) => {
                        output.json(&report)?;
                        output.line(format!("{}    {}", report.value, report.outcome))?;
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
