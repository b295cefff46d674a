//! Families of patterns, and what was published about their values.
//!
//! The formulas are those collected by I. Shehadeh, "Auto Conjecturing and Konane" (equations 4, 5,
//! 6 and 11, section 4.6), most of them from M. Ernst, "Playing Konane Mathematically" (1995).
//! Patterns are surrounded by as many empty squares as stones can ever reach: one around rows, up
//! to four around solid blocks.

use std::str::FromStr;

use papamu_game::NotationError;
use papamu_games::konane::{MAX_SETUP_SQUARES, Setup, Square};
use thiserror::Error;

use crate::forms::{Forms, Halt, Value};
use crate::read::ReadError;

/// Empty squares around rows and stairs.
const MARGIN: usize = 2;
/// Empty squares around blocks of two rows.
const DOUBLE_MARGIN: usize = 3;
/// Empty squares around blocks of any height: no army gets further (J. Conway's soldiers).
const BLOCK_MARGIN: usize = 4;

/// A family of patterns with one parameter, or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// A row of n stones that alternate, the first black.
    Row,
    /// A row of n - 1 stones, the first black, and a white one below the first.
    Tail,
    /// A row of n - 1 stones, the first white, and a white one below and before the first.
    OffsetTail,
    /// The same with the colours exchanged, as in section 5 of the paper.
    Lot,
    /// n dominoes of a black and a white stone, each a square to the right of and below the one
    /// before.
    Stairs,
    /// A solid square of n by n stones, the first black.
    Square,
    /// A solid block of 2 by n stones, the first black.
    Double,
}

/// The published value of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// The value, in the notation of values.
    pub value: String,
    /// Its source.
    pub source: &'static str,
}

impl Published {
    /// Whether a value is the published one.
    pub fn agrees(&self, forms: &Forms, value: Value) -> Result<bool, Halt> {
        match forms.read(&self.value) {
            Ok(read) => Ok(read == value),
            Err(ReadError::Halt(halt)) => Err(halt),
            // Formulas are written by this module.
            Err(ReadError::Syntax { .. } | ReadError::Undefined { .. }) => Ok(false),
        }
    }
}

/// No family has that name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no family: there are {known}", known = Family::ALL.map(Family::name).join(", "))]
pub struct UnknownFamily(pub String);

impl FromStr for Family {
    type Err = UnknownFamily;

    fn from_str(text: &str) -> Result<Family, UnknownFamily> {
        let family = Family::ALL.into_iter().find(|family| family.name() == text);
        family.ok_or_else(|| UnknownFamily(text.to_owned()))
    }
}

impl Family {
    /// All families, in the order in which they are listed.
    pub const ALL: [Family; 7] = [
        Family::Row,
        Family::Tail,
        Family::OffsetTail,
        Family::Lot,
        Family::Stairs,
        Family::Square,
        Family::Double,
    ];

    /// The name by which users call it.
    pub fn name(self) -> &'static str {
        match self {
            Family::Row => "slp",
            Family::Tail => "tail",
            Family::OffsetTail => "offset-tail",
            Family::Lot => "lot",
            Family::Stairs => "stairs",
            Family::Square => "square",
            Family::Double => "double",
        }
    }

    /// A short description.
    pub fn summary(self) -> &'static str {
        match self {
            Family::Row => "solid linear pattern: a row of n stones, the first black",
            Family::Tail => "a row of n-1 stones, the first black, with a white one below it",
            Family::OffsetTail => {
                "a row of n-1 stones, the first white, and a white one below and before it"
            }
            Family::Lot => "offset tails with the colours exchanged",
            Family::Stairs => "n dominoes, each one right of and below the one before",
            Family::Square => "a solid square of n by n stones",
            Family::Double => "a solid block of 2 by n stones",
        }
    }

    /// The least parameter.
    pub fn first(self) -> usize {
        match self {
            Family::Row | Family::Stairs | Family::Square | Family::Double => 1,
            Family::Tail | Family::OffsetTail | Family::Lot => 2,
        }
    }

    /// A member, if it fits on a board.
    pub fn member(self, n: usize) -> Result<Setup, NotationError> {
        let row = |length: usize| (0..length).map(|column| (0, column + 1));
        match self {
            Family::Row => pattern(row(n), Square::Black, MARGIN),
            Family::Tail => {
                pattern(row(n.saturating_sub(1)).chain([(1, 1)]), Square::Black, MARGIN)
            }
            // The stone below and before the first has the colour of the first.
            Family::OffsetTail => {
                pattern(row(n.saturating_sub(1)).chain([(1, 0)]), Square::White, MARGIN)
            }
            Family::Lot => pattern(row(n.saturating_sub(1)).chain([(1, 0)]), Square::Black, MARGIN),
            Family::Stairs => {
                let stairs = (0..n).flat_map(|i| [(i, i + 1), (i, i + 2)]);
                pattern(stairs, Square::Black, MARGIN)
            }
            Family::Square => pattern(block(n, n), Square::Black, BLOCK_MARGIN),
            Family::Double => pattern(block(2, n), Square::Black, DOUBLE_MARGIN),
        }
    }

    /// The published value of a member.
    pub fn published(self, n: usize) -> Option<Published> {
        let (source, value) = match self {
            Family::Row => ("equation 4", row_value(n)),
            Family::Tail => ("equation 5", tail_value(n)?),
            Family::OffsetTail => ("equation 6", offset_tail_value(n)?),
            Family::Lot => ("equation 11", lot_value(n)?),
            Family::Stairs | Family::Square | Family::Double => return None,
        };
        Some(Published { value, source })
    }
}

fn block(rows: usize, columns: usize) -> impl Iterator<Item = (usize, usize)> + Clone {
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column + 1)))
}

/// Stones on these rows and columns, surrounded by empty squares. Colours alternate as on a full
/// board. The square in row 0 and column 1 has the given colour.
fn pattern(
    stones: impl Iterator<Item = (usize, usize)> + Clone,
    first: Square,
    margin: usize,
) -> Result<Setup, NotationError> {
    let height = 1 + stones.clone().map(|(row, _)| row).max().unwrap_or(0);
    let width = 1 + stones.clone().map(|(_, column)| column).max().unwrap_or(0);
    let one_row = stones.clone().all(|(row, _)| row == 0);
    // A single row is never left.
    let above = if one_row { 0 } else { margin };
    let mut setup = Setup::new(height.saturating_add(2 * above), width.saturating_add(2 * margin))?;
    for (row, column) in stones {
        let is_first = (row + column) % 2 == 1;
        let square = if is_first { first } else { first.opponent() };
        setup.set(row + above, column + margin, square);
    }
    Ok(setup)
}

/// Rows of stones with single gaps between them, coloured as on a full board, the first white: S(a,
/// b, ...) of section 4.6.
pub fn somewhat_solid(lengths: &[usize]) -> Result<Setup, NotationError> {
    let mut stones = Vec::new();
    let mut column = 1_usize;
    for &length in lengths {
        if length > MAX_SETUP_SQUARES {
            return Setup::new(1, length);
        }
        stones.extend((column..column + length).map(|column| (0, column)));
        column += length + 1;
    }
    pattern(stones.into_iter(), Square::White, MARGIN)
}

/// The published value of S(2a + 1, 2b + 1, 2c + 1): a + b + c.
pub fn somewhat_solid_published(lengths: &[usize]) -> Option<Published> {
    let all_odd = lengths.len() == 3 && lengths.iter().all(|length| length % 2 == 1);
    let value = lengths.iter().try_fold(0_usize, |sum, length| sum.checked_add(length / 2))?;
    all_odd.then(|| Published { value: value.to_string(), source: "section 4.6" })
}

fn row_value(n: usize) -> String {
    match n % 4 {
        0 => "0".to_owned(),
        2 => "*".to_owned(),
        _ => (-((n / 2) as i64)).to_string(),
    }
}

fn tail_value(n: usize) -> Option<String> {
    let j = (n / 4) as i64;
    Some(match (n, n % 4) {
        (0 | 1, _) => return None,
        (2 | 3, _) => "*".to_owned(),
        (4, _) => "{*|v}".to_owned(),
        (_, 0) => format!("{{*|{}}}", 2 - 2 * j),
        (_, 1) => format!("{{{}|*}}", 2 * j - 1),
        (_, 2) => format!("{{*|{}}}", 1 - 2 * j),
        _ => format!("{{{}|0}}", 2 * j),
    })
}

fn offset_tail_value(n: usize) -> Option<String> {
    Some(match (n, n % 4) {
        (0 | 1, _) => return None,
        (3, _) => "v".to_owned(),
        (_, 1) => "*".to_owned(),
        (_, 3) => "0".to_owned(),
        _ => (n / 2 - 1).to_string(),
    })
}

/// Equation 11 as printed, which omits its third member `^`.
fn lot_value(n: usize) -> Option<String> {
    Some(match (n, n % 4) {
        (0 | 1, _) => return None,
        (_, 1) => "*".to_owned(),
        (_, 3) => "0".to_owned(),
        _ => (1 - (n / 2) as i64).to_string(),
    })
}
