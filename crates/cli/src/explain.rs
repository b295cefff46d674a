//! Explanations of canonical forms, as text and JSON.

use papamu_values::{Fate, Forms, Halt, Step, Value};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::Output;
use crate::theory::Style;

/// What becomes of each option, and the value that remains.
#[derive(Serialize)]
pub(crate) struct Explained {
    steps: Vec<Choice>,
    value: String,
}

/// What becomes of an option.
#[derive(Serialize)]
struct Choice {
    player: &'static str,
    /// The move that leads to it, if it is one of the position.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    value: String,
    #[serde(flatten)]
    fate: Written,
}

#[derive(Serialize)]
#[serde(tag = "fate", rename_all = "lowercase")]
enum Written {
    Kept,
    Dominated { by: String },
    Reversible { through: String, replaced_by: Vec<String> },
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
                Fate::Kept => Written::Kept,
                Fate::Dominated { by } => Written::Dominated { by: write(by)? },
                Fate::Reversible { through, replaced_by } => Written::Reversible {
                    through: write(through)?,
                    replaced_by: replaced_by.into_iter().map(write).collect::<Result<_, _>>()?,
                },
            };
            Ok(Choice { player: ["Left", "Right"][player], name, value: write(option)?, fate })
        });
        let steps = steps.collect::<Result<_, Halt>>()?;
        Ok(Explained { steps, value: write(explanation.value)? })
    }

    pub(crate) fn print(&self, output: &mut Output) -> Result<(), Failure> {
        for Choice { player, name, value, fate } in &self.steps {
            let name = name.as_ref().map_or(String::new(), |name| format!("{name} to "));
            let fate = match fate {
                Written::Kept => "kept".to_owned(),
                Written::Dominated { by } => format!("dominated by {by}"),
                Written::Reversible { through, replaced_by } if replaced_by.is_empty() => {
                    format!("reversible through {through}, replaced by nothing")
                }
                Written::Reversible { through, replaced_by } => {
                    format!("reversible through {through}, replaced by {}", replaced_by.join(", "))
                }
            };
            output.line(format!("explain      {player} {name}{value}: {fate}"))?;
        }
        output.line(format!("explain      what is kept makes {}", self.value))
    }
}
