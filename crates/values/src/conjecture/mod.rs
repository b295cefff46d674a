//! Automatic conjecturing by the Dalmatian heuristic (S. Fajtlowicz; C. Larson and N. Van Cleemput,
//! 2016).
//!
//! Objects have invariants, and one invariant is to be bounded by expressions of the others.
//! Expressions are tried in the order of their complexity: two for an operator of two arguments,
//! one for an operator of one. Each invariant occurs at most once in an expression. An expression
//! that holds for all objects enters if it is strictly better than all before on some object, and
//! leaves when it is best nowhere.
//!
//! An expression is a column of values, one for each object, computed from the columns of its
//! subexpressions. A column that was seen before with the same invariants is not kept: whatever is
//! made from it is no better than what was made before. Columns of the last complexity are not
//! stored. They are evaluated only up to the first object for which they fail.

mod accepted;
mod bounds;
mod exact;
mod expression;
mod kept;
mod operators;
pub mod properties;
mod read;
mod search;
pub mod table_file;

pub use bounds::{Conjecture, Settings, Side, Wrong};
pub use expression::Expression;
pub use operators::{Binary, OPERATORS, Operator, Unary};
pub use read::BadExpression;
pub use search::{Found, conjecture};

use std::fmt;

/// Why a search ended before the wanted complexity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedBy {
    /// Every object has a tight bound.
    Tight,
    /// Every object is covered by a condition.
    Covered,
    /// There is no object to cover.
    NothingToCover,
    /// The memory for expressions is full.
    Memory,
    /// The time is up.
    Time,
    /// The search was stopped.
    Stopped,
}

impl fmt::Display for EndedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EndedBy::Tight => "every object has a tight bound",
            EndedBy::Covered => "every object is covered",
            EndedBy::NothingToCover => "no object is to be covered",
            EndedBy::Memory => "the memory for expressions is full",
            EndedBy::Time => "the time is up",
            EndedBy::Stopped => "stopped",
        })
    }
}

/// Objects with their invariants.
#[derive(Clone, Debug, Default)]
pub struct InvariantTable {
    /// The names of the invariants.
    pub invariants: Vec<String>,
    /// The names of the objects.
    pub objects: Vec<String>,
    /// For each invariant its values, one for each object; NaN where it is undefined.
    pub columns: Vec<Vec<f64>>,
}

impl InvariantTable {
    /// Adds the objects of a table with the same invariants.
    pub fn add(&mut self, other: &InvariantTable, objects: &[usize]) {
        self.objects.extend(objects.iter().map(|&object| other.objects[object].clone()));
        for (column, values) in self.columns.iter_mut().zip(&other.columns) {
            column.extend(objects.iter().map(|&object| values[object]));
        }
    }
}
