//! Expressions as trees.

use super::operators::{Binary, Unary};

/// An expression over invariants.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// An invariant, as an index.
    Invariant(usize),
    /// An operator of one argument.
    Unary(Unary, Box<Expression>),
    /// An operator of two.
    Binary(Binary, Box<Expression>, Box<Expression>),
}

impl Expression {
    /// Two for each operator of two arguments, one for each of one.
    pub fn complexity(&self) -> usize {
        match self {
            Expression::Invariant(_) => 0,
            Expression::Unary(_, x) => 1 + x.complexity(),
            Expression::Binary(_, x, y) => 2 + x.complexity() + y.complexity(),
        }
    }

    /// Its value where the invariants have these; not a number where it is not defined.
    pub fn value(&self, invariants: &impl Fn(usize) -> f64) -> f64 {
        match self {
            Expression::Invariant(index) => invariants(*index),
            Expression::Unary(operator, x) => operator.apply(x.value(invariants)),
            Expression::Binary(operator, x, y) => {
                operator.apply(x.value(invariants), y.value(invariants))
            }
        }
    }

    /// The expression as text.
    pub fn write(&self, names: &[String]) -> String {
        match self {
            Expression::Invariant(index) => names.get(*index).cloned().unwrap_or_default(),
            Expression::Unary(operator, x) => operator.write(&x.write(names)),
            Expression::Binary(operator, x, y) => operator.write(&x.write(names), &y.write(names)),
        }
    }
}
