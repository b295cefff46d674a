//! `papamu conjecture`: inequalities between invariants, and conditions of properties, that hold for all objects of a table.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use papamu_base::Progress;
use papamu_values::conjecture::properties::{self, CONNECTIVES, Connective, Direction};
use papamu_values::conjecture::{self as engine, Expression, OPERATORS, Operator, Side, Table};
use serde::Serialize;

use crate::failure::Failure;
use crate::fresh::RandomBoards;
use crate::memory::MemorySize;
use crate::output::{Output, grouped};
use crate::progress::watch;
use crate::signals::exit_on_signals;
use crate::table_file::Data;

/// Conjecture bounds of an invariant, or conditions of a property, by the Dalmatian heuristic
///
/// Expressions are tried in the order of their complexity: two for an operator of two arguments, one for an operator of
/// one. A bound that holds for all objects is kept if it is strictly better than all others for some object. A sufficient
/// condition of a property is kept if it covers an object with the property that no other covers, a necessary one if it
/// excludes an object without the property that no other excludes.
///
/// Conjectures over integers and binary fractions, without roots, logarithms and powers, are verified in exact arithmetic.
#[derive(Args)]
#[command(after_help = after_help())]
#[command(group = clap::ArgGroup::new("what").required(true).args(["target", "property"]))]
pub(crate) struct Conjecture {
    /// Table of objects: CSV with a line of names, or FILE.parquet; the first column names the objects
    #[arg(long, value_name = "FILE")]
    from: PathBuf,

    /// The invariant to be bounded
    #[arg(long, value_name = "NAME")]
    target: Option<String>,

    /// The property to find conditions of: a column of 0 and 1, or of true and false
    #[arg(long, value_name = "NAME")]
    property: Option<String>,

    /// Other invariants to use; all columns of numbers unless given, or of 0 and 1 for properties
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    invariants: Vec<String>,

    /// What expressions are made of, separated by spaces
    #[arg(
        long,
        value_name = "NAMES",
        default_value = BOUNDS,
        default_value_if("property", clap::builder::ArgPredicate::IsPresent, CONDITIONS),
        allow_hyphen_values = true
    )]
    operators: String,

    /// Upper bounds: target <= expression (the default)
    #[arg(long, conflicts_with_all = ["lower", "property"])]
    upper: bool,

    /// Lower bounds: target >= expression
    #[arg(long, conflicts_with = "property")]
    lower: bool,

    /// Sufficient conditions: the condition implies the property (the default)
    #[arg(long, conflicts_with_all = ["necessary", "target"])]
    sufficient: bool,

    /// Necessary conditions: the property implies the condition
    #[arg(long, conflicts_with = "target")]
    necessary: bool,

    /// A bound that is known, such as "2*black + 1" or the name of a column: list only what is better somewhere; repeatable
    #[arg(
        long,
        value_name = "EXPRESSION",
        conflicts_with = "property",
        allow_hyphen_values = true
    )]
    theory: Vec<String>,

    /// Largest complexity of expressions
    #[arg(long, default_value_t = 7, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=100))]
    complexity: u16,

    /// Seconds after which the search of a round ends
    #[arg(long, default_value_t = 10, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    time: u64,

    /// Memory for expressions
    #[arg(long, default_value = "1GiB", value_name = "SIZE")]
    memory: MemorySize,

    /// Share of objects for which an expression may be undefined
    #[arg(long, default_value_t = 0.2, value_name = "SHARE")]
    undefined: f64,

    /// Expressions may contain the target itself
    #[arg(long, conflicts_with = "property")]
    with_target: bool,

    /// List every true inequality, not only those that say more than the others
    #[arg(long, conflicts_with = "property")]
    every: bool,

    /// Another table, such as fresh positions: tell for which of its objects the conjectures fail
    #[arg(long, value_name = "FILE", group = "fresh")]
    test: Option<PathBuf>,

    /// The same with random Konane positions, such as 4x4:1000, for tables of `papamu invariants`
    #[arg(long, value_name = "SIZE:COUNT", group = "fresh")]
    test_random: Option<RandomBoards>,

    /// Which random positions
    #[arg(long, default_value_t = 1, value_name = "N", requires = "test_random")]
    seed: u64,

    /// Rounds: objects for which conjectures fail join the table, and it begins again until none fails
    #[arg(long, default_value_t = 1, value_name = "N", requires = "fresh", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

const BOUNDS: &str = "+1 -1 *2 /2 sqrt square + * max min -";
const CONDITIONS: &str = "not and or implies";

fn after_help() -> String {
    let bounds: Vec<&str> = OPERATORS.iter().map(|known| known.0).collect();
    let conditions: Vec<&str> = CONNECTIVES.iter().map(|known| known.0).collect();
    format!(
        "Operators of bounds: {}
Operators of conditions: {}

Examples:
  papamu invariants --all 3x3 > t.csv; papamu conjecture --from t.csv --target nim --upper
  papamu conjecture --from stairs.csv --target moves --operators \"+ * +1 sqrt max\"
  papamu conjecture --from 3x3.csv --target moves --lower --theory capturable --time 60
  papamu conjecture --from 3x3.csv --target stones --lower --test 3x4.csv
  papamu conjecture --from 3x3.csv --target moves --upper --test-random 4x4:1000 --rounds 5
  papamu conjecture --from 3x3.parquet --property second_wins --necessary",
        bounds.join(" "),
        conditions.join(" ")
    )
}

#[derive(Serialize)]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    property: Option<String>,
    relation: &'static str,
    conjectures: Vec<ConjectureAnswer>,
    /// Objects that conditions should cover and none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    uncovered: Option<usize>,
    tested: u64,
    complete_to: Option<usize>,
    ended_by: Option<&'static str>,
    /// What each round found, if there is another table.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rounds: Vec<Round>,
    seconds: f64,
}

#[derive(Serialize)]
struct ConjectureAnswer {
    expression: String,
    complexity: usize,
    /// Whether it was verified in exact arithmetic.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<bool>,
    /// Objects for which it is an equality.
    #[serde(skip_serializing_if = "Option::is_none")]
    tight: Option<Vec<String>>,
    /// Objects with the property of which a sufficient condition is true, or without it of which a necessary one is false.
    #[serde(skip_serializing_if = "Option::is_none")]
    covers: Option<Vec<String>>,
    /// Objects of the other table for which it is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexamples: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Round {
    objects: usize,
    conjectures: usize,
    /// Objects of the other table for which some conjecture is wrong.
    counterexamples: usize,
    /// How many of them joined the table.
    added: usize,
}

/// What a round is after, and how far it goes.
enum Aim {
    Bounds(engine::Settings),
    Conditions(properties::Settings),
}

/// What a round found, with counterexamples as indices.
struct Outcome {
    conjectures: Vec<(ConjectureAnswer, Vec<usize>)>,
    uncovered: Option<usize>,
    tested: u64,
    complete: Option<usize>,
    ended_by: Option<&'static str>,
}

impl Conjecture {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        exit_on_signals("interrupted");
        let (mut table, invariants) = self.table(&self.from, None)?;
        let fresh = match (&self.test, &self.test_random) {
            (Some(file), _) => Some(self.table(file, Some(&table.invariants))?.0),
            (_, Some(boards)) => Some(boards.table(&table.invariants, self.seed, output)?),
            _ => None,
        };
        let aim = self.aim(&table, invariants)?;
        let started = Instant::now();
        let progress = Progress::new();
        let mut rounds = Vec::new();
        let mut tested = 0;
        let outcome = loop {
            let find = || self.round(&aim, &table, fresh.as_ref(), &progress);
            let outcome = watch(output, "expressions", &progress, find)?;
            tested += outcome.tested;
            let Some(fresh) = &fresh else { break outcome };
            let mut wrong: Vec<usize> =
                outcome.conjectures.iter().flat_map(|(_, wrong)| wrong).copied().collect();
            wrong.sort_unstable();
            wrong.dedup();
            let is_last = wrong.is_empty() || rounds.len() + 1 >= self.rounds as usize;
            rounds.push(Round {
                objects: table.objects.len(),
                conjectures: outcome.conjectures.len(),
                counterexamples: wrong.len(),
                added: if is_last { 0 } else { wrong.len() },
            });
            if is_last {
                break outcome;
            }
            table.add(fresh, &wrong);
        };
        let answer = Answer {
            target: self.target.clone(),
            property: self.property.clone(),
            relation: self.relation(),
            conjectures: outcome
                .conjectures
                .into_iter()
                .map(|(conjecture, _)| conjecture)
                .collect(),
            uncovered: outcome.uncovered,
            tested,
            complete_to: outcome.complete,
            ended_by: outcome.ended_by,
            rounds,
            seconds: started.elapsed().as_secs_f64(),
        };
        output.json(&answer)?;
        self.print(&answer, output)
    }

    fn relation(&self) -> &'static str {
        match (&self.property, self.necessary, self.lower) {
            (Some(_), true, _) => "implies",
            (Some(_), false, _) => "if",
            (None, _, true) => ">=",
            (None, _, false) => "<=",
        }
    }

    /// The column that conjectures are about.
    fn subject(&self) -> &String {
        // One of them is required.
        self.target.as_ref().or(self.property.as_ref()).unwrap_or(const { &String::new() })
    }

    fn aim(&self, table: &Table, invariants: usize) -> Result<Aim, Failure> {
        if !(0.0..=1.0).contains(&self.undefined) {
            return Err(Failure::Arguments("--undefined is a share from 0 to 1".to_owned()));
        }
        let operators = self.operators.split_whitespace();
        let (complexity, time) = (usize::from(self.complexity), Duration::from_secs(self.time));
        let memory_bytes = self.memory.bytes();
        if self.property.is_some() {
            let direction =
                if self.necessary { Direction::Necessary } else { Direction::Sufficient };
            let connectives =
                operators.map(connective).collect::<Result<_, _>>().map_err(Failure::Arguments)?;
            return Ok(Aim::Conditions(properties::Settings {
                property: 0,
                direction,
                connectives,
                complexity,
                time,
                memory_bytes,
            }));
        }
        let operators = operators.map(str::parse::<Operator>).collect::<Result<_, _>>();
        Ok(Aim::Bounds(engine::Settings {
            target: 0,
            invariants,
            side: if self.lower { Side::Lower } else { Side::Upper },
            operators: operators.map_err(Failure::Arguments)?,
            with_target: self.with_target,
            every: self.every,
            theory: self.known(&table.invariants)?,
            complexity,
            time,
            memory_bytes,
            undefined: self.undefined,
        }))
    }

    /// The theory over invariants of these names.
    fn known(&self, names: &[String]) -> Result<Vec<Expression>, Failure> {
        let read = |text: &String| {
            Expression::read(text, names)
                .map_err(|error| Failure::Arguments(format!("--theory `{text}`, {error}")))
        };
        self.theory.iter().map(read).collect()
    }

    /// Looks for conjectures, and for objects of another table for which they fail.
    fn round(
        &self,
        aim: &Aim,
        table: &Table,
        fresh: Option<&Table>,
        progress: &Progress,
    ) -> Result<Outcome, Failure> {
        let names = |objects: &[usize], table: &Table| -> Vec<String> {
            objects.iter().map(|&object| table.objects[object].clone()).collect()
        };
        let tested_on = |wrong: Option<Vec<usize>>, mut answer: ConjectureAnswer| {
            answer.counterexamples =
                fresh.zip(wrong.as_ref()).map(|(fresh, wrong)| names(wrong, fresh));
            (answer, wrong.unwrap_or_default())
        };
        match aim {
            Aim::Bounds(settings) => {
                let found = engine::conjecture(table, settings, Instant::now(), progress);
                let found = found.map_err(|wrong| {
                    Failure::Arguments(format!(
                        "--theory `{}` is wrong for `{}`",
                        self.theory[wrong.bound], table.objects[wrong.object]
                    ))
                })?;
                let conjectures = found.conjectures.iter().map(|conjecture| {
                    let answer = ConjectureAnswer {
                        expression: conjecture.expression.write(&table.invariants),
                        complexity: conjecture.expression.complexity(),
                        exact: Some(conjecture.is_exact),
                        tight: Some(names(&conjecture.tight, table)),
                        covers: None,
                        counterexamples: None,
                    };
                    tested_on(fresh.map(|fresh| conjecture.fails_for(fresh, settings)), answer)
                });
                Ok(Outcome {
                    conjectures: conjectures.collect(),
                    uncovered: None,
                    tested: found.tested,
                    complete: found.complete,
                    ended_by: found.ended_by,
                })
            }
            Aim::Conditions(settings) => {
                let found = properties::conjecture(table, settings, Instant::now(), progress);
                let conjectures = found.conjectures.iter().map(|conjecture| {
                    let answer = ConjectureAnswer {
                        expression: conjecture.condition.write(&table.invariants),
                        complexity: conjecture.condition.complexity(),
                        exact: None,
                        tight: None,
                        covers: Some(names(&conjecture.covers, table)),
                        counterexamples: None,
                    };
                    tested_on(fresh.map(|fresh| conjecture.fails_for(fresh, settings)), answer)
                });
                Ok(Outcome {
                    conjectures: conjectures.collect(),
                    uncovered: Some(found.uncovered),
                    tested: found.tested,
                    complete: Some(found.complete),
                    ended_by: found.ended_by,
                })
            }
        }
    }

    fn print(&self, answer: &Answer, output: &mut Output) -> Result<(), Failure> {
        let such_as = |what: &str, objects: Option<&Vec<String>>| match objects.map(Vec::as_slice) {
            Some([first, ..]) => {
                format!("    {what} {}, such as {first}", objects.map_or(0, Vec::len))
            }
            _ => String::new(),
        };
        let verb = if self.necessary { "excludes" } else { "covers" };
        for conjecture in &answer.conjectures {
            let tight = such_as("tight for", conjecture.tight.as_ref());
            let covers = such_as(verb, conjecture.covers.as_ref());
            let inexact = if conjecture.exact == Some(false) { "    up to rounding" } else { "" };
            let (subject, relation) = (self.subject(), answer.relation);
            let expression = &conjecture.expression;
            output.line(format!("{subject} {relation} {expression}{tight}{covers}{inexact}"))?;
            let wrong = such_as("wrong for", conjecture.counterexamples.as_ref());
            if !wrong.is_empty() {
                output.line(wrong)?;
            }
        }
        if let Some(uncovered) = answer.uncovered.filter(|&uncovered| uncovered > 0) {
            output.line(format!("{uncovered} objects are left over"))?;
        }
        for (round, number) in answer.rounds.iter().zip(1..).filter(|_| self.rounds > 1) {
            output.line(format!(
                "round {number}: {} objects, {} conjectures, {} counterexamples, {} added",
                round.objects, round.conjectures, round.counterexamples, round.added
            ))?;
        }
        let rate = answer.tested as f64 / answer.seconds.max(1e-9) / 1e6;
        output.line(format!(
            "{} expressions in {:.2} s, {rate:.1} million per second",
            grouped(answer.tested),
            answer.seconds
        ))?;
        if let Some(reason) = answer.ended_by {
            output.line(format!("ended early: {reason}"))?;
        }
        Ok(())
    }

    /// Reads a table with the subject first, and with these columns if they are given. Those that only the theory uses
    /// are last: tells how many come before them.
    fn table(&self, file: &Path, wanted: Option<&[String]>) -> Result<(Table, usize), Failure> {
        let bad = |problem: String| Failure::Arguments(format!("`{}`, {problem}", file.display()));
        let mut data = Data::read(file)?;
        let place = |name: &String| {
            data.names.iter().position(|other| other == name).ok_or_else(|| {
                bad(format!("there is no invariant `{name}`: there are {}", data.names.join(", ")))
            })
        };
        let subject = place(self.subject())?;
        let mut places = vec![subject];
        let chosen = wanted.unwrap_or(&self.invariants);
        if chosen.is_empty() {
            let is_usable =
                |&place: &usize| self.property.is_none() || is_property(&data.columns[place]);
            let others = (0..data.names.len()).filter(|&other| other != subject);
            places.extend(others.filter(is_usable));
        } else {
            for name in chosen {
                let place = place(name)?;
                if !places.contains(&place) {
                    places.push(place);
                }
            }
        }
        if places.len() > 64 && wanted.is_none() {
            return Err(bad(format!(
                "{} invariants are too many: choose up to 64 with --invariants",
                places.len()
            )));
        }
        let invariants = places.len();
        for place in self.known(&data.names)?.iter().flat_map(Expression::invariants) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let mut columns = Vec::new();
        for &place in &places {
            let name = &data.names[place];
            let column = std::mem::replace(&mut data.columns[place], Ok(Vec::new()));
            let column = column
                .map_err(|problem| bad(format!("{problem}; choose others with --invariants")))?;
            let is_subject = place == subject;
            let is_truth = |value: &&f64| is_truth(**value) || (is_subject && value.is_nan());
            if self.property.is_some() && !column.iter().all(|value| is_truth(&value)) {
                return Err(bad(format!("`{name}` is no property: it is not 0 or 1 everywhere")));
            }
            columns.push(column);
        }
        // An object without the subject says nothing about it.
        let kept: Vec<usize> =
            (0..data.objects.len()).filter(|&object| !columns[0][object].is_nan()).collect();
        let all = Table {
            invariants: places.iter().map(|&place| data.names[place].clone()).collect(),
            objects: data.objects,
            columns,
        };
        let mut table = Table {
            invariants: all.invariants.clone(),
            objects: Vec::new(),
            columns: vec![Vec::new(); places.len()],
        };
        table.add(&all, &kept);
        if table.objects.is_empty() {
            return Err(bad(format!("no object has a value of `{}`", self.subject())));
        }
        Ok((table, invariants))
    }
}

fn is_truth(value: f64) -> bool {
    value == 0.0 || value == 1.0
}

/// Whether a column is 0 or 1 everywhere.
fn is_property(column: &Result<Vec<f64>, String>) -> bool {
    column.as_ref().is_ok_and(|values| values.iter().all(|&value| is_truth(value)))
}

fn connective(text: &str) -> Result<Option<Connective>, String> {
    let known = CONNECTIVES.iter().find(|(name, _)| *name == text);
    known.map(|known| known.1).ok_or_else(|| {
        let names: Vec<&str> = CONNECTIVES.iter().map(|known| known.0).collect();
        format!("`{text}` is no operator of conditions: there are {}", names.join(" "))
    })
}
