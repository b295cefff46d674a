//! `calc`: a calculator for values of games.

use std::path::PathBuf;

use papamu_values::{Forms, ReadError, Side};
use serde::Serialize;

use crate::explain::Explained;
use crate::report::Report;
use crate::theory::{Style, TheoryLimits, ValueFacts, deep, style_and_limits, theory_request};
use crate::thermograph::Plot;
use crate::{Error, Registry, Watch};

theory_request! {
    /// Calculate with values of games: sums, negatives, switches, heating, Norton products
    Calc, "calc",
        details "Values are written as usual: 3/4, *2, ^^* (two ups and a star), v, {2|-1}, \
                 {3||2|1}, +-1 for {1|-1}. Without an expression, lines are read and answered until \
                 the input ends.";
    /// Expression to calculate, in quotes
    expression: Option<String>, "EXPRESSION", Always, place OptionalWord;
    /// Write the thermograph as SVG, or as TikZ if the name ends in .tex
    plot: Option<PathBuf>, "FILE", Always;
    /// Say which options of {...|...} are dominated or reversible, and which remain in the
    /// canonical form
    explain: bool, "", Always;
}

/// A value that was calculated.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct CalcReport {
    /// Facts about the value.
    #[serde(flatten)]
    pub facts: ValueFacts,
    /// How its options simplify to the canonical form, if wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explained>,
    /// Whether an explanation was wanted.
    #[serde(skip)]
    pub is_explained: bool,
}

impl Report for CalcReport {}

/// Calculates an expression.
pub fn calc(registry: &Registry, request: &Calc, watch: &dyn Watch) -> Result<CalcReport, Error> {
    let text = request.expression.as_deref().ok_or(Error::Missing { option: "expression" })?;
    let plot = request.plot.as_deref().map(Plot::new).transpose()?;
    let report = Calculator::new(registry, request, watch).calculate(text)?;
    if let Some(plot) = plot {
        plot.write(text, &report.facts.thermograph)?;
    }
    Ok(report)
}

/// Calculates one expression after the other, each with its own time.
pub struct Calculator {
    style: Style,
    limits: TheoryLimits,
    explain: bool,
}

impl Calculator {
    /// A calculator with the options of a request.
    pub fn new(_: &Registry, request: &Calc, watch: &dyn Watch) -> Calculator {
        let (style, limits) = style_and_limits!(request, watch);
        Calculator { style, limits, explain: request.explain }
    }

    /// Calculates an expression.
    pub fn calculate(&self, text: &str) -> Result<CalcReport, Error> {
        deep(|| self.answer(&self.limits.forms()?, text))
    }

    fn answer(&self, forms: &Forms, text: &str) -> Result<CalcReport, Error> {
        let refuse = |error: ReadError| refuse("expression", text, error);
        let value = forms.read(text).map_err(refuse)?;
        let written = if self.explain { forms.read_options(text).map_err(refuse)? } else { None };
        let explain =
            |[left, right]: [Side; 2]| Explained::new(forms, [&left, &right], &[], self.style);
        Ok(CalcReport {
            facts: ValueFacts::new(forms, value, self.style)?,
            explanation: written.map(explain).transpose()?,
            is_explained: self.explain,
        })
    }
}

/// Why an expression has no value.
pub(crate) fn refuse(option: &'static str, text: &str, error: ReadError) -> Error {
    match error {
        ReadError::Halt(halt) => halt.into(),
        error => Error::option(option, format!("`{text}`, {error}")),
    }
}

/// The functions of expressions: a call and its result.
pub fn calc_functions() -> impl Iterator<Item = (String, &'static str)> {
    papamu_values::FUNCTIONS.iter().map(|function| {
        let call = format!("{}({})", function.name, function.parameters.join(", "));
        (call, function.summary)
    })
}
