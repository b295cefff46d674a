//! `papamu conjecture`: inequalities between invariants that hold for all objects of a table.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use papamu_values::conjecture::{self as engine, OPERATORS, Operator, Settings, Side, Table};
use serde::Serialize;

use crate::failure::Failure;
use crate::memory::MemorySize;
use crate::output::{Output, grouped};
use crate::signals::exit_on_signals;

/// Conjecture bounds of an invariant by the Dalmatian heuristic
///
/// Expressions are tried in the order of their complexity: two for an operator of two arguments, one for an operator of
/// one. A bound that holds for all objects is kept if it is strictly better than all others for some object.
#[derive(Args)]
#[command(after_help = operators())]
pub(crate) struct Conjecture {
    /// Table of objects: CSV with a line of names, the first column names the objects
    #[arg(long, value_name = "FILE")]
    from: PathBuf,

    /// The invariant to be bounded
    #[arg(long, value_name = "NAME")]
    target: String,

    /// Other invariants to use; all columns of numbers unless given
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    invariants: Vec<String>,

    /// What expressions are made of, separated by spaces
    #[arg(
        long,
        value_name = "NAMES",
        default_value = "+1 -1 *2 /2 sqrt square + * max min -",
        allow_hyphen_values = true
    )]
    operators: Operators,

    /// Upper bounds: target <= expression (the default)
    #[arg(long, conflicts_with = "lower")]
    upper: bool,

    /// Lower bounds: target >= expression
    #[arg(long)]
    lower: bool,

    /// Largest complexity of expressions
    #[arg(long, default_value_t = 7, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=100))]
    complexity: u16,

    /// Seconds after which the search ends
    #[arg(long, default_value_t = 10, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    time: u64,

    /// Memory for expressions
    #[arg(long, default_value = "1GiB", value_name = "SIZE")]
    memory: MemorySize,

    /// Share of objects for which an expression may be undefined
    #[arg(long, default_value_t = 0.2, value_name = "SHARE")]
    undefined: f64,

    /// Expressions may contain the target itself
    #[arg(long)]
    with_target: bool,

    /// List every true inequality, not only those that say more than the others
    #[arg(long)]
    every: bool,

    /// Another table, such as fresh positions: tell for which of its objects the conjectures fail
    #[arg(long, value_name = "FILE")]
    test: Option<PathBuf>,
}

fn operators() -> String {
    let names: Vec<&str> = OPERATORS.iter().map(|known| known.0).collect();
    format!(
        "Operators: {}

Examples:
  papamu conjecture --from stairs.csv --target moves --operators \"+ * +1 sqrt max\"
  papamu conjecture --from 3x3.csv --target moves --lower --time 60
  papamu conjecture --from 3x3.csv --target stones --lower --test 3x4.csv",
        names.join(" ")
    )
}

#[derive(Clone)]
struct Operators(Vec<Operator>);

impl std::str::FromStr for Operators {
    type Err = String;

    fn from_str(text: &str) -> Result<Operators, String> {
        text.split_whitespace().map(str::parse).collect::<Result<_, _>>().map(Operators)
    }
}

#[derive(Serialize)]
struct Answer {
    target: String,
    relation: &'static str,
    conjectures: Vec<ConjectureAnswer>,
    tested: u64,
    complete_to: Option<usize>,
    ended_by: Option<&'static str>,
    seconds: f64,
}

#[derive(Serialize)]
struct ConjectureAnswer {
    expression: String,
    complexity: usize,
    /// Objects for which it is an equality.
    tight: Vec<String>,
    /// Objects of the other table for which it is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexamples: Option<Vec<String>>,
}

impl Conjecture {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        exit_on_signals("interrupted");
        let table = self.table(&self.from)?;
        let fresh = self.test.as_deref().map(|file| self.table(file)).transpose()?;
        if !(0.0..=1.0).contains(&self.undefined) {
            return Err(Failure::Arguments("--undefined is a share from 0 to 1".to_owned()));
        }
        let settings = Settings {
            target: 0,
            side: if self.lower { Side::Lower } else { Side::Upper },
            operators: self.operators.0.clone(),
            with_target: self.with_target,
            every: self.every,
            complexity: usize::from(self.complexity),
            time: Duration::from_secs(self.time),
            memory_bytes: self.memory.bytes(),
            undefined: self.undefined,
        };
        let started = Instant::now();
        let found = engine::conjecture(&table, &settings, started);
        let seconds = started.elapsed().as_secs_f64();
        let relation = if self.lower { ">=" } else { "<=" };
        let mut conjectures = Vec::new();
        for conjecture in &found.conjectures {
            let counterexamples = fresh.as_ref().map(|fresh| {
                let wrong = conjecture.fails_for(fresh, &settings);
                wrong.into_iter().map(|object| fresh.objects[object].clone()).collect()
            });
            let tight = conjecture.tight.iter().map(|&object| table.objects[object].clone());
            conjectures.push(ConjectureAnswer {
                expression: conjecture.expression.write(&table.invariants),
                complexity: conjecture.expression.complexity(),
                tight: tight.collect(),
                counterexamples,
            });
        }
        let answer = Answer {
            target: self.target.clone(),
            relation,
            conjectures,
            tested: found.tested,
            complete_to: found.complete,
            ended_by: found.ended_by,
            seconds,
        };
        output.json(&answer)?;
        for conjecture in &answer.conjectures {
            let tight = match conjecture.tight.len() {
                0 => String::new(),
                count => format!("    tight for {count}, such as {}", conjecture.tight[0]),
            };
            output
                .line(format!("{} {relation} {}{tight}", answer.target, conjecture.expression))?;
            if let Some(wrong) =
                conjecture.counterexamples.as_ref().filter(|wrong| !wrong.is_empty())
            {
                output.line(format!("    wrong for {}, such as {}", wrong.len(), wrong[0]))?;
            }
        }
        let rate = answer.tested as f64 / seconds.max(1e-9) / 1e6;
        output.line(format!(
            "{} expressions in {seconds:.2} s, {rate:.1} million per second",
            grouped(answer.tested)
        ))?;
        if let Some(reason) = answer.ended_by {
            output.line(format!("ended early: {reason}"))?;
        }
        Ok(())
    }

    /// Reads a table with the target first.
    fn table(&self, file: &Path) -> Result<Table, Failure> {
        let bad = |problem: String| Failure::Arguments(format!("`{}`, {problem}", file.display()));
        let mut reader = csv::Reader::from_path(file).map_err(|error| bad(error.to_string()))?;
        let names: Vec<String> = reader
            .headers()
            .map_err(|error| bad(error.to_string()))?
            .iter()
            .map(str::to_owned)
            .collect();
        let place = |name: &String| {
            names.iter().skip(1).position(|other| other == name).map(|place| place + 1).ok_or_else(
                || {
                    bad(format!(
                        "there is no invariant `{name}`: there are {}",
                        names.get(1..).unwrap_or_default().join(", ")
                    ))
                },
            )
        };
        let target = place(&self.target)?;
        let mut places = vec![target];
        if self.invariants.is_empty() {
            places.extend((1..names.len()).filter(|&other| other != target));
        } else {
            for name in self.invariants.iter().filter(|name| **name != self.target) {
                places.push(place(name)?);
            }
        }
        if places.len() > 64 {
            return Err(bad(format!(
                "{} invariants are too many: choose up to 64 with --invariants",
                places.len()
            )));
        }
        let mut table = Table {
            invariants: places.iter().map(|&place| names[place].clone()).collect(),
            objects: Vec::new(),
            columns: vec![Vec::new(); places.len()],
        };
        for record in reader.records() {
            let record = record.map_err(|error| bad(error.to_string()))?;
            let line = record.position().map_or(0, csv::Position::line);
            let number = |place: usize| match record.get(place).unwrap_or_default().trim() {
                "" => Ok(f64::NAN),
                text => text.parse::<f64>().map_err(|_| {
                    bad(format!("line {line}: `{text}` in column `{}` is no number", names[place]))
                }),
            };
            let values =
                places.iter().map(|&place| number(place)).collect::<Result<Vec<f64>, _>>()?;
            // An object without the target says nothing about it.
            if values[0].is_nan() {
                continue;
            }
            table.objects.push(record.get(0).unwrap_or_default().to_owned());
            table.columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
        }
        if table.objects.is_empty() {
            return Err(bad(format!("no object has a value of `{}`", self.target)));
        }
        Ok(table)
    }
}
