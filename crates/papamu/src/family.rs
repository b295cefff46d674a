//! `family`: values of families of patterns, compared with published ones.

use std::fmt;
use std::ops::RangeInclusive;

use serde::Serialize;

use crate::report::Report;
use crate::request::Readable;
use crate::theory::theory_request;
use crate::{Error, Registry, Watch};

theory_request! {
    /// Values of the members of a family of patterns, checked against published formulas
    Family, "family";
    /// Name of the family; `s` takes `blocks` instead of `n`
    family: Option<String>, "NAME", Always, place Word;
    /// Which members, such as 1..20 or 7
    n: Option<Members>, "RANGE", Always, default Members(1..=12);
    /// Lengths of rows of stones with single gaps between them, for the family s, such as 1,2,1;
    /// may be given several times
    blocks: Vec<Blocks>, "LENGTHS", Always;
    /// The game of the patterns [default: the first that has families]
    game: Option<String>, "GAME", Always;
}

/// Numbers of members, written `1..20` or `7`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Members(pub RangeInclusive<usize>);

impl Readable for Members {
    fn read(text: &str) -> Result<Members, String> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        match (first.parse::<usize>(), last.parse::<usize>()) {
            (Ok(first), Ok(last)) if first <= last && last <= 1000 => Ok(Members(first..=last)),
            _ => Err("a range is 1..20 or a single number, up to 1000".to_owned()),
        }
    }
}

impl fmt::Display for Members {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.0.start(), self.0.end())
    }
}

/// Lengths of rows, written `1,2,1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks(pub Vec<usize>);

impl Readable for Blocks {
    fn read(text: &str) -> Result<Blocks, String> {
        let lengths: Result<Vec<usize>, _> = text.split(',').map(str::parse).collect();
        match lengths {
            Ok(lengths) if lengths.iter().all(|&length| length > 0) => Ok(Blocks(lengths)),
            _ => Err("blocks are numbers above 0, such as 1,2,1".to_owned()),
        }
    }
}

/// The members of a family.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct FamilyReport {
    /// The family.
    pub family: String,
    /// Its members.
    pub members: Vec<FamilyMember>,
    /// How the values repeat, as far as can be seen.
    pub period: Option<FamilyPeriod>,
}

/// A member of a family.
#[derive(Debug, Serialize)]
pub struct FamilyMember {
    /// Its number, or its blocks.
    pub n: String,
    /// The position.
    pub position: String,
    /// Its value.
    pub value: String,
    /// L, R, N or P.
    pub outcome: char,
    /// The published value.
    pub published: Option<String>,
    /// Where it was published.
    pub source: Option<&'static str>,
    /// Whether both are the same.
    pub agrees: Option<bool>,
}

/// How values repeat.
#[derive(Debug, Serialize)]
pub struct FamilyPeriod {
    /// The first member whose value follows from an earlier one.
    pub from: usize,
    /// How many members earlier.
    pub period: usize,
    /// The value that is added.
    pub saltus: String,
}

impl FamilyReport {
    pub(crate) fn new(
        family: String,
        members: Vec<FamilyMember>,
        period: Option<FamilyPeriod>,
    ) -> FamilyReport {
        FamilyReport { family, members, period }
    }
}

impl Report for FamilyReport {}

/// Computes the values of a family.
pub fn family(
    registry: &Registry,
    request: &Family,
    watch: &dyn Watch,
) -> Result<FamilyReport, Error> {
    registry.with_values(request.game.as_deref())?.family(request, watch)
}

/// The families of all games: name and summary.
pub fn families(registry: &Registry) -> Vec<(&'static str, &'static str)> {
    registry.entries().flat_map(|entry| entry.families()).collect()
}
