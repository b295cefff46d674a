//! `conjecture`: inequalities between invariants, and conditions of properties, that hold for all
//! objects of a table.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use papamu_base::Progress;
use papamu_base::file::FileError;
use papamu_values::conjecture::properties::{self, CONNECTIVES, Connective, Direction};
use papamu_values::conjecture::table_file::{TableData, TableFileError};
use papamu_values::conjecture::{
    self as engine, Expression, InvariantTable, OPERATORS, Operator, Side,
};
use serde::Serialize;

use crate::report::Report;
use crate::request::{Bytes, Readable, request};
use crate::watch::with_progress;
use crate::winners::BoardSize;
use crate::{Error, Registry, Watch};

request! {
    /// Conjecture bounds of an invariant, or conditions of a property, by the Dalmatian heuristic
    Conjecture, "conjecture",
        details "Expressions are tried in the order of their complexity: two for an operator of two \
                 arguments, one for an operator of one. A bound that holds for all objects is kept if \
                 it is strictly better than all others for some object. A sufficient condition of a \
                 property is kept if it covers an object with the property that no other covers, a \
                 necessary one if it excludes an object without the property that no other excludes.\n\n\
                 Conjectures over integers and binary fractions, without roots, logarithms and \
                 powers, are verified in exact arithmetic.";
    /// Table of objects: CSV with a line of names, or FILE.parquet; the first column names the
    /// objects
    from: Option<PathBuf>, "FILE", Always;
    /// The invariant to be bounded
    target: Option<String>, "NAME", Always;
    /// The property to find conditions of: a column of 0 and 1, or of true and false
    property: Option<String>, "NAME", Always;
    /// Other invariants to use; all columns of numbers unless given, or of 0 and 1 for properties
    invariants: Vec<String>, "NAME,...", Always;
    /// Operators of expressions, separated by spaces
    /// [default: +1 -1 *2 /2 sqrt square + * max min -; for conditions: not and or implies]
    operators: Option<String>, "NAMES", Always;
    /// Upper bounds: target <= expression (the default)
    upper: bool, "", Always;
    /// Lower bounds: target >= expression
    lower: bool, "", Always;
    /// Sufficient conditions: the condition implies the property (the default)
    sufficient: bool, "", Always;
    /// Necessary conditions: the property implies the condition
    necessary: bool, "", Always;
    /// A known bound, such as "2*black + 1" or the name of a column: list only conjectures that are
    /// better somewhere; may be given several times
    theory: Vec<String>, "EXPRESSION", Always;
    /// Largest complexity of expressions
    complexity: Option<u16>, "N", Always, default 7, range 0..=100;
    /// Seconds after which the search of a round ends
    time: Option<u64>, "SECONDS", Always, default 10, range 1..=u64::MAX;
    /// Memory for expressions
    memory: Option<Bytes>, "SIZE", Always, default Bytes::gib(1);
    /// Share of objects for which an expression may be undefined
    undefined: Option<f64>, "SHARE", Always, default 0.2, range 0.0..=1.0;
    /// Expressions may contain the target itself
    with_target: bool, "", Always;
    /// List every true inequality, not only those that say more than the others
    every: bool, "", Always;
    /// Another table, such as fresh positions: tell for which of its objects the conjectures fail
    test: Option<PathBuf>, "FILE", Always;
    /// The same with random positions, such as 4x4:1000, for tables of `invariants`
    test_random: Option<RandomBoards>, "SIZE:COUNT", Always;
    /// Seed of the random positions [default: 1]
    seed: Option<u64>, "N", Always;
    /// Rounds: objects for which conjectures fail join the table, and the search begins again until
    /// none fails [default: 1]
    rounds: Option<u32>, "N", Always, range 1..=u32::MAX;
    /// The game of random positions [default: the first that has values of its own]
    game: Option<String>, "GAME", Always;
}

const BOUNDS: &str = "+1 -1 *2 /2 sqrt square + * max min -";
const CONDITIONS: &str = "not and or implies";

/// The operators of bounds, and those of conditions.
pub fn conjecture_operators() -> [Vec<&'static str>; 2] {
    [
        OPERATORS.iter().map(|known| known.0).collect(),
        CONNECTIVES.iter().map(|known| known.0).collect(),
    ]
}

/// A number of random positions of a board, written `4x4:1000`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomBoards {
    /// The board.
    pub size: BoardSize,
    /// The number of positions.
    pub count: usize,
}

/// More random positions than this are refused.
const MOST_RANDOM: usize = 1_000_000;

impl Readable for RandomBoards {
    fn read(text: &str) -> Result<RandomBoards, String> {
        let (board, count) =
            text.split_once(':').ok_or("it is a size and a count, such as 4x4:1000")?;
        let size = BoardSize::read(board)?;
        let count = count.parse().ok().filter(|count| (1..=MOST_RANDOM).contains(count));
        let count =
            count.ok_or_else(|| format!("the count is a number from 1 to {MOST_RANDOM}"))?;
        Ok(RandomBoards { size, count })
    }
}

impl fmt::Display for RandomBoards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.size, self.count)
    }
}

/// A table of random positions.
pub struct RandomTable<'a> {
    /// The board.
    pub size: BoardSize,
    /// The number of positions.
    pub count: usize,
    /// The seed.
    pub seed: u64,
    /// The invariants. The first must be defined.
    pub names: &'a [String],
}

/// Conjectures.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct ConjectureReport {
    /// The invariant that is bounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The property that has conditions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// The relation between it and an expression.
    pub relation: &'static str,
    /// The conjectures.
    pub conjectures: Vec<Conjectured>,
    /// Objects that no condition covers, although one should.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncovered: Option<usize>,
    /// Expressions that were tried.
    pub tested: u64,
    /// All expressions up to this complexity were tried.
    pub complete_to: Option<usize>,
    /// Why the search ended early.
    pub ended_by: Option<String>,
    /// The results of each round, if there is another table.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<ConjectureRound>,
    /// Time.
    pub seconds: f64,
    /// Rounds that were allowed.
    #[serde(skip)]
    pub most_rounds: u32,
}

/// A conjecture.
#[derive(Debug, Serialize)]
pub struct Conjectured {
    /// The bound, or the condition.
    pub expression: String,
    /// Its complexity.
    pub complexity: usize,
    /// Whether it was verified in exact arithmetic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<bool>,
    /// Objects for which it is an equality.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tight: Option<Vec<String>>,
    /// Objects with the property for which a sufficient condition is true, or without it for which
    /// a necessary one is false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub covers: Option<Vec<String>>,
    /// Objects of the other table for which it is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexamples: Option<Vec<String>>,
}

/// The results of a round.
#[derive(Debug, Serialize)]
pub struct ConjectureRound {
    /// Objects of the table.
    pub objects: usize,
    /// Conjectures.
    pub conjectures: usize,
    /// Objects of the other table for which some conjecture is wrong.
    pub counterexamples: usize,
    /// How many of them joined the table.
    pub added: usize,
}

impl Report for ConjectureReport {}

/// The aim of a round, with its settings.
enum Aim {
    Bounds(engine::Settings),
    Conditions(properties::Settings),
}

/// The results of a round, with counterexamples as indices.
struct Outcome {
    conjectures: Vec<(Conjectured, Vec<usize>)>,
    uncovered: Option<usize>,
    tested: u64,
    complete: Option<usize>,
    ended_by: Option<String>,
}

/// Makes conjectures.
pub fn conjecture(
    registry: &Registry,
    request: &Conjecture,
    watch: &dyn Watch,
) -> Result<ConjectureReport, Error> {
    request.check()?;
    let from = request.from.as_deref().ok_or(Error::Missing { option: "from" })?;
    let (mut table, invariants) = request.table(from, None)?;
    let fresh = match (&request.test, &request.test_random) {
        (Some(file), _) => Some(request.table(file, Some(&table.invariants))?.0),
        (_, Some(boards)) => {
            let entry = registry.with_values(request.game.as_deref())?;
            let random = RandomTable {
                size: boards.size,
                count: boards.count,
                seed: request.seed.unwrap_or(1),
                names: &table.invariants,
            };
            Some(entry.random_table(&random, watch)?)
        }
        _ => None,
    };
    let aim = request.aim(&table, invariants)?;
    let most_rounds = request.rounds.unwrap_or(1);
    let started = Instant::now();
    let mut rounds = Vec::new();
    let mut tested = 0;
    let outcome = loop {
        let outcome = with_progress(watch, "expressions", |progress| {
            request.round(&aim, &table, fresh.as_ref(), progress)
        })?;
        watch.stop().check()?;
        tested += outcome.tested;
        let Some(fresh) = &fresh else { break outcome };
        let mut wrong: Vec<usize> =
            outcome.conjectures.iter().flat_map(|(_, wrong)| wrong).copied().collect();
        wrong.sort_unstable();
        wrong.dedup();
        let is_last = wrong.is_empty() || rounds.len() + 1 >= most_rounds as usize;
        rounds.push(ConjectureRound {
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
    let conjectures = outcome.conjectures.into_iter().map(|(conjecture, _)| conjecture);
    Ok(ConjectureReport {
        target: request.target.clone(),
        property: request.property.clone(),
        relation: request.relation(),
        conjectures: conjectures.collect(),
        uncovered: outcome.uncovered,
        tested,
        complete_to: outcome.complete,
        ended_by: outcome.ended_by,
        rounds,
        seconds: started.elapsed().as_secs_f64(),
        most_rounds,
    })
}

impl Conjecture {
    /// Refuses options that exclude each other.
    fn check(&self) -> Result<(), Error> {
        let is_property = match (&self.target, &self.property) {
            (Some(_), Some(_)) => {
                return Err(Error::option("property", "there is a target; give one of them"));
            }
            (None, None) => return Err(Error::Missing { option: "target or property" }),
            (_, property) => property.is_some(),
        };
        let of_bounds = [
            ("upper", self.upper),
            ("lower", self.lower),
            ("theory", !self.theory.is_empty()),
            ("with_target", self.with_target),
            ("every", self.every),
        ];
        let of_conditions = [("sufficient", self.sufficient), ("necessary", self.necessary)];
        if let Some((option, _)) = of_bounds.iter().find(|(_, is_given)| *is_given && is_property) {
            return Err(Error::option(option, "it is for bounds of a target"));
        }
        let condition = of_conditions.iter().find(|(_, is_given)| *is_given && !is_property);
        if let Some((option, _)) = condition {
            return Err(Error::option(option, "it is for conditions of a property"));
        }
        if self.upper && self.lower || self.sufficient && self.necessary {
            let option = if is_property { "necessary" } else { "lower" };
            return Err(Error::option(option, "give one of the two"));
        }
        if self.test.is_some() && self.test_random.is_some() {
            return Err(Error::option("test_random", "there is a table to test on already"));
        }
        if self.seed.is_some() && self.test_random.is_none() {
            return Err(Error::option("seed", "there are no random positions"));
        }
        if self.rounds.is_some() && self.test.is_none() && self.test_random.is_none() {
            return Err(Error::option("rounds", "there is no table to test on"));
        }
        Ok(())
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

    fn aim(&self, table: &InvariantTable, invariants: usize) -> Result<Aim, Error> {
        let default = if self.property.is_some() { CONDITIONS } else { BOUNDS };
        let operators = self.operators.as_deref().unwrap_or(default).split_whitespace();
        let complexity = usize::from(self.complexity());
        let time = Duration::from_secs(self.time());
        let memory_bytes = self.memory().bytes();
        let bad = |problem: String| Error::option("operators", problem);
        if self.property.is_some() {
            let direction =
                if self.necessary { Direction::Necessary } else { Direction::Sufficient };
            let connectives = operators.map(connective).collect::<Result<_, _>>().map_err(bad)?;
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
            operators: operators.map_err(bad)?,
            with_target: self.with_target,
            every: self.every,
            theory: self.known(&table.invariants)?,
            complexity,
            time,
            memory_bytes,
            undefined: self.undefined(),
        }))
    }

    /// The theory over invariants of these names.
    fn known(&self, names: &[String]) -> Result<Vec<Expression>, Error> {
        let read = |text: &String| {
            Expression::read(text, names)
                .map_err(|error| Error::option("theory", format!("`{text}`, {error}")))
        };
        self.theory.iter().map(read).collect()
    }

    /// Looks for conjectures, and for objects of another table for which they fail.
    fn round(
        &self,
        aim: &Aim,
        table: &InvariantTable,
        fresh: Option<&InvariantTable>,
        progress: &Progress,
    ) -> Result<Outcome, Error> {
        let names = |objects: &[usize], table: &InvariantTable| -> Vec<String> {
            objects.iter().map(|&object| table.objects[object].clone()).collect()
        };
        let tested_on = |wrong: Option<Vec<usize>>, mut answer: Conjectured| {
            answer.counterexamples =
                fresh.zip(wrong.as_ref()).map(|(fresh, wrong)| names(wrong, fresh));
            (answer, wrong.unwrap_or_default())
        };
        match aim {
            Aim::Bounds(settings) => {
                let found = engine::conjecture(table, settings, Instant::now(), progress);
                let found = found.map_err(|wrong| {
                    Error::option(
                        "theory",
                        format!(
                            "`{}` is wrong for `{}`",
                            self.theory[wrong.bound], table.objects[wrong.object]
                        ),
                    )
                })?;
                let conjectures = found.conjectures.iter().map(|conjecture| {
                    let answer = Conjectured {
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
                    ended_by: found.ended_by.map(|ended| ended.to_string()),
                })
            }
            Aim::Conditions(settings) => {
                let found = properties::conjecture(table, settings, Instant::now(), progress);
                let conjectures = found.conjectures.iter().map(|conjecture| {
                    let answer = Conjectured {
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
                    ended_by: found.ended_by.map(|ended| ended.to_string()),
                })
            }
        }
    }

    /// Reads a table with the subject first, and with these columns if they are given. Columns that
    /// only the theory uses come last. Returns how many come before them.
    fn table(
        &self,
        file: &Path,
        wanted: Option<&[String]>,
    ) -> Result<(InvariantTable, usize), Error> {
        let bad = |problem: String| Error::Input { path: file.to_owned(), problem };
        let mut data = read_table(file)?;
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
                "{} invariants are too many: choose up to 64 of them",
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
            let column =
                column.map_err(|problem| bad(format!("{problem}; choose other invariants")))?;
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
        let all = InvariantTable {
            invariants: places.iter().map(|&place| data.names[place].clone()).collect(),
            objects: data.objects,
            columns,
        };
        let mut table = InvariantTable {
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

/// Reads a table, as Parquet if its name says so and as CSV otherwise.
fn read_table(file: &Path) -> Result<TableData, Error> {
    TableData::read(file).map_err(|error| match error {
        TableFileError::Io(error) => FileError::new("read", file, error).into(),
        error => Error::Input { path: file.to_owned(), problem: error.to_string() },
    })
}
