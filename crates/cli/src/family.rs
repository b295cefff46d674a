//! `papamu family`: values of families of patterns beside what was published about them.

use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::Args;
use papamu_base::Progress;
use papamu_values::konane::families::{
    Family as Pattern, Published, somewhat_solid, somewhat_solid_published,
};
use papamu_values::konane::{BadGrid, Evaluator, Grid, Regions};
use papamu_values::{Forms, Halt, ReadError, Value};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::Output;
use crate::progress::watch;
use crate::signals::exit_on_signals;
use crate::theory::{Style, TheoryOptions, deep};

/// Values of the members of a family of Konane patterns, checked against published formulas
#[derive(Args)]
#[command(after_help = families())]
pub(crate) struct Family {
    /// Name of the family; `s` takes --blocks instead of --n
    name: Name,

    /// Which members, such as 1..20 or 7
    #[arg(long, value_name = "RANGE", default_value = "1..12")]
    n: Members,

    /// Rows of stones with single gaps between them, of the family s; may be given several times
    #[arg(long, value_name = "A,B,...")]
    blocks: Vec<Blocks>,

    #[command(flatten)]
    style: Style,

    #[command(flatten)]
    theory: TheoryOptions,
}

fn families() -> String {
    let line = |family: Pattern| format!("  {:12} {}\n", family.name(), family.summary());
    let lines: String = Pattern::ALL.into_iter().map(line).collect();
    format!(
        "Families, on open ground:\n{lines}  s            somewhat solid rows S(a,b,...): rows with single gaps, the first stone white\n
Examples:
  papamu family slp --n 1..30
  papamu family tail --n 2..20 --json
  papamu family s --blocks 1,2,1 --blocks 3,5,7"
    )
}

#[derive(Clone, Copy)]
pub(crate) enum Name {
    Pattern(Pattern),
    SomewhatSolid,
}

impl FromStr for Name {
    type Err = String;

    fn from_str(text: &str) -> Result<Name, String> {
        if text == "s" {
            return Ok(Name::SomewhatSolid);
        }
        let family = Pattern::ALL.into_iter().find(|family| family.name() == text);
        family.map(Name::Pattern).ok_or_else(|| {
            let names: Vec<&str> = Pattern::ALL.into_iter().map(Pattern::name).collect();
            format!("it is {} or s", names.join(", "))
        })
    }
}

#[derive(Clone)]
pub(crate) struct Members(RangeInclusive<usize>);

impl FromStr for Members {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Members, Self::Err> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        match (first.parse::<usize>(), last.parse::<usize>()) {
            (Ok(first), Ok(last)) if first <= last && last <= 1000 => Ok(Members(first..=last)),
            _ => Err("a range is 1..20 or a single number, up to 1000"),
        }
    }
}

/// The members of a family of one number.
pub(crate) fn members(name: Name, range: &Members) -> Result<Vec<Grid>, Failure> {
    let Name::Pattern(family) = name else {
        let problem =
            "the family s has no numbered members; write its positions into a file for --file";
        return Err(Failure::Arguments(problem.to_owned()));
    };
    let member = |n: usize| {
        family.member(n).map_err(|error| Failure::Arguments(format!("member {n}: {error}")))
    };
    range.0.clone().filter(|&n| n >= family.first()).map(member).collect()
}

#[derive(Clone)]
struct Blocks(Vec<usize>);

impl FromStr for Blocks {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Blocks, Self::Err> {
        let lengths: Result<Vec<usize>, _> = text.split(',').map(str::parse).collect();
        match lengths {
            Ok(lengths) if lengths.iter().all(|&length| length > 0) => Ok(Blocks(lengths)),
            _ => Err("blocks are numbers above 0, such as 1,2,1"),
        }
    }
}

#[derive(Serialize)]
struct Answer {
    family: String,
    members: Vec<Member>,
    /// After how many members the values repeat, as far as can be seen.
    period: Option<PeriodAnswer>,
}

#[derive(Serialize)]
struct Member {
    n: String,
    position: String,
    value: String,
    outcome: char,
    published: Option<String>,
    source: Option<&'static str>,
    agrees: Option<bool>,
}

#[derive(Serialize)]
struct PeriodAnswer {
    from: usize,
    period: usize,
    saltus: String,
}

/// A member before it is valued.
struct Pending {
    n: String,
    grid: Result<Grid, BadGrid>,
    published: Option<Published>,
}

impl Family {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        exit_on_signals("interrupted");
        let pending = self.pending()?;
        let progress = Progress::new();
        progress.add_total(pending.len() as u64);
        let work = || deep(|| self.answer(pending, &progress));
        let answer = watch(output, "members", &progress, work)?;
        output.json(&answer)?;
        let width = |text: fn(&Member) -> &str| {
            answer.members.iter().map(|member| text(member).len()).max().unwrap_or(0).min(40)
        };
        let (n_width, value_width) = (width(|m| &m.n), width(|m| &m.value));
        for member in &answer.members {
            let Member { n, value, outcome, .. } = member;
            let published = match (&member.published, member.source, member.agrees) {
                (Some(_), Some(source), Some(true)) => format!("  as in {source}"),
                (Some(published), Some(source), _) => {
                    format!("  {source} says {published}: wrong")
                }
                _ => String::new(),
            };
            output.line(format!("{n:>n_width$}  {outcome}  {value:value_width$}{published}"))?;
        }
        if let Some(PeriodAnswer { from, period, saltus }) = &answer.period {
            let plus = if saltus == "0" { String::new() } else { format!(" plus {saltus}") };
            output.line(format!(
                "from {from} on, every value is that of {period} before{plus}, as far as this goes"
            ))?;
        }
        Ok(())
    }

    fn pending(&self) -> Result<Vec<Pending>, Failure> {
        match self.name {
            Name::Pattern(_) if !self.blocks.is_empty() => {
                Err(Failure::Arguments("--blocks is for the family s".to_owned()))
            }
            Name::SomewhatSolid if self.blocks.is_empty() => Err(Failure::Arguments(
                "the family s needs --blocks, such as --blocks 1,2,1".to_owned(),
            )),
            Name::Pattern(family) => {
                let members = self.n.0.clone().filter(|&n| n >= family.first());
                Ok(members
                    .map(|n| Pending {
                        n: n.to_string(),
                        grid: family.member(n),
                        published: family.published(n),
                    })
                    .collect())
            }
            Name::SomewhatSolid => Ok(self
                .blocks
                .iter()
                .map(|Blocks(lengths)| Pending {
                    n: lengths.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
                    grid: somewhat_solid(lengths),
                    published: somewhat_solid_published(lengths),
                })
                .collect()),
        }
    }

    fn answer(&self, pending: Vec<Pending>, progress: &Progress) -> Result<Answer, Failure> {
        let regions = Regions::new(self.theory.forms()?)?;
        let forms = regions.forms();
        let mut evaluator = Evaluator::new(&regions);
        let (mut members, mut values) = (Vec::new(), Vec::new());
        for Pending { n, grid, published } in pending {
            let grid = grid.map_err(|error| Failure::Arguments(format!("member {n}: {error}")))?;
            let value = grid.value(&mut evaluator)?;
            values.push(value);
            members.push(Member {
                position: grid.to_string(),
                value: self.style.write(forms, value)?,
                outcome: forms.outcome(value)?.letter(),
                agrees: published.as_ref().map(|p| agrees(forms, p, value)).transpose()?,
                source: published.as_ref().map(|p| p.source),
                published: published.map(|p| p.value),
                n,
            });
            progress.add(1);
        }
        let (family, period) = match self.name {
            Name::Pattern(family) => {
                let first = family.first().max(*self.n.0.start());
                (family.name().to_owned(), period(forms, &values, first, self.style)?)
            }
            Name::SomewhatSolid => ("s".to_owned(), None),
        };
        Ok(Answer { family, members, period })
    }
}

/// Whether a value is the published one.
fn agrees(forms: &Forms, published: &Published, value: Value) -> Result<bool, Halt> {
    match forms.read(&published.value) {
        Ok(read) => Ok(read == value),
        Err(ReadError::Halt(halt)) => Err(halt),
        // Formulas are written by this program.
        Err(ReadError::Syntax { .. } | ReadError::Undefined { .. }) => Ok(false),
    }
}

fn period(
    forms: &Forms,
    values: &[Value],
    first: usize,
    style: Style,
) -> Result<Option<PeriodAnswer>, Halt> {
    let Some(period) = forms.period(values)? else { return Ok(None) };
    let saltus = style.write(forms, period.saltus)?;
    Ok(Some(PeriodAnswer { from: first + period.preperiod, period: period.period, saltus }))
}
