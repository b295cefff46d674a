//! What bounds are looked for, and for which objects a bound is true.

use std::time::Duration;

use num_traits::CheckedSub;

use super::InvariantTable;
use super::exact::{self, Exact, Inexact};
use super::expression::Expression;
use super::operators::Operator;

/// Values this close are equal up to rounding.
pub(super) const CLOSE: f64 = 1e-9;

/// The side of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// target <= expression
    Upper,
    /// target >= expression
    Lower,
}

impl Side {
    /// The sign that turns lower bounds into upper ones.
    #[inline(always)]
    pub(super) fn sign(self) -> f64 {
        if self == Side::Upper { 1.0 } else { -1.0 }
    }
}

/// The settings of a search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The invariant to be bounded, as an index.
    pub target: usize,
    /// How many invariants, the first ones of the table, expressions are made of. The theory may
    /// use all.
    pub invariants: usize,
    /// Upper or lower bounds.
    pub side: Side,
    /// The operators of expressions.
    pub operators: Vec<Operator>,
    /// Whether expressions may contain the target itself.
    pub with_target: bool,
    /// Whether every true inequality is listed, not only those that add something.
    pub every: bool,
    /// Known bounds: a conjecture is better than all of them for some object.
    pub theory: Vec<Expression>,
    /// The largest complexity.
    pub complexity: usize,
    /// When to stop.
    pub time: Duration,
    /// Memory for columns.
    pub memory_bytes: usize,
    /// The share of objects for which an expression may be undefined.
    pub undefined: f64,
}

/// An inequality that holds for all objects.
#[derive(Clone, Debug, PartialEq)]
pub struct Conjecture {
    /// The bound.
    pub expression: Expression,
    /// Its value for each object.
    pub values: Vec<f64>,
    /// The objects for which it is an equality.
    pub tight: Vec<usize>,
    /// Whether that was decided without rounding.
    pub is_exact: bool,
}

/// A bound of the theory that is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Which one.
    pub bound: usize,
    /// An object for which it is wrong.
    pub object: usize,
}

impl Conjecture {
    /// The objects of a table with the same invariants for which the inequality is false.
    pub fn fails_for(&self, table: &InvariantTable, settings: &Settings) -> Vec<usize> {
        fails_for(&self.expression, table, settings)
    }
}

fn fails_for(expression: &Expression, table: &InvariantTable, settings: &Settings) -> Vec<usize> {
    let sign = settings.side.sign();
    let fails = |&object: &usize| match exact_excess(expression, table, settings, object) {
        Ok(excess) => excess.is_some_and(|excess| excess < Exact::ZERO),
        Err(Inexact) => {
            let bound = expression.value(&|index| table.columns[index][object]);
            sign * bound < limit(sign * table.columns[settings.target][object])
        }
    };
    (0..table.objects.len()).filter(fails).collect()
}

/// How far a bound is above the target, or below it for lower bounds; `None` where one of them is
/// undefined.
pub(super) fn exact_excess(
    expression: &Expression,
    table: &InvariantTable,
    settings: &Settings,
    object: usize,
) -> Result<Option<Exact>, Inexact> {
    let target = exact::number(table.columns[settings.target][object])?;
    let bound = expression.exact_value(&|index| table.columns[index][object])?;
    let Some((target, bound)) = target.zip(bound) else { return Ok(None) };
    let (high, low) = if settings.side == Side::Upper { (bound, target) } else { (target, bound) };
    high.checked_sub(&low).map(Some).ok_or(Inexact)
}

/// The limit that an upper bound must not fall below: the target, up to rounding.
pub(super) fn limit(target: f64) -> f64 {
    target - CLOSE * (1.0 + target.abs())
}

/// The best known bound of each object, with the sign of upper bounds.
pub(super) fn theory(table: &InvariantTable, settings: &Settings) -> Result<Vec<f64>, Wrong> {
    let sign = settings.side.sign();
    let mut best = vec![f64::INFINITY; table.objects.len()];
    for (bound, expression) in settings.theory.iter().enumerate() {
        if let Some(&object) = fails_for(expression, table, settings).first() {
            return Err(Wrong { bound, object });
        }
        for (object, best) in best.iter_mut().enumerate() {
            // An undefined value is not below anything.
            *best = best.min(sign * expression.value(&|index| table.columns[index][object]));
        }
    }
    Ok(best)
}
