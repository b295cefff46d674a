//! Explanations of canonical forms.

use papamu_values::{Fate, Forms, Halt, Step, Value};
use serde::Serialize;

use crate::theory::Style;

/// The fate of each option, and the value that remains.
#[derive(Clone, Debug, Serialize)]
pub struct Explained {
    /// The fate of each option.
    pub steps: Vec<ExplainedStep>,
    /// The value that remains.
    pub value: String,
}

/// The fate of an option.
#[derive(Clone, Debug, Serialize)]
pub struct ExplainedStep {
    /// Left or Right.
    pub player: &'static str,
    /// The move that leads to it, if it is one of the position.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The value of the option.
    pub value: String,
    /// Its fate.
    #[serde(flatten)]
    pub fate: ExplainedFate,
}

/// The fate of an option.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "fate", rename_all = "lowercase")]
pub enum ExplainedFate {
    /// It is part of the canonical form.
    Kept,
    /// Another one is at least as good.
    Dominated {
        /// The other one.
        by: String,
    },
    /// The opponent has an answer that leaves him no worse off than before.
    Reversible {
        /// The position after the answer.
        through: String,
        /// Its options, which take the place of this one.
        replaced_by: Vec<String>,
    },
}

impl Explained {
    /// Explains the canonical form of these options; those of positions are named by moves.
    pub(crate) fn new(
        forms: &Forms,
        options: [&[Value]; 2],
        names: &[Vec<String>],
        style: Style,
    ) -> Result<Explained, Halt> {
        let write = |value: Value| style.write(forms, value);
        let explanation = forms.explain(options)?;
        let steps = explanation.steps.into_iter().map(|Step { player, given, option, fate }| {
            let name = names.get(player).zip(given).and_then(|(side, i)| side.get(i)).cloned();
            let fate = match fate {
                Fate::Kept => ExplainedFate::Kept,
                Fate::Dominated { by } => ExplainedFate::Dominated { by: write(by)? },
                Fate::Reversible { through, replaced_by } => ExplainedFate::Reversible {
                    through: write(through)?,
                    replaced_by: replaced_by.into_iter().map(write).collect::<Result<_, _>>()?,
                },
            };
            Ok(ExplainedStep {
                player: ["Left", "Right"][player],
                name,
                value: write(option)?,
                fate,
            })
        });
        let steps = steps.collect::<Result<_, Halt>>()?;
        Ok(Explained { steps, value: write(explanation.value)? })
    }
}
