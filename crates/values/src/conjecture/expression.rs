//! Expressions as trees, and as text that [`Expression::read`] reads again.

use super::operators::{Binary, Unary};

/// An expression over invariants.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// An invariant, as an index.
    Invariant(usize),
    /// A number, as users write it. Conjectures contain none.
    Constant(f64),
    /// An operator of one argument.
    Unary(Unary, Box<Expression>),
    /// An operator of two arguments.
    Binary(Binary, Box<Expression>, Box<Expression>),
}

impl Expression {
    /// The complexity: two for each operator of two arguments, one for each of one.
    pub fn complexity(&self) -> usize {
        match self {
            Expression::Invariant(_) | Expression::Constant(_) => 0,
            Expression::Unary(_, x) => 1 + x.complexity(),
            Expression::Binary(_, x, y) => 2 + x.complexity() + y.complexity(),
        }
    }

    /// The invariants that occur, from left to right.
    pub fn invariants(&self) -> Vec<usize> {
        match self {
            Expression::Invariant(index) => vec![*index],
            Expression::Constant(_) => Vec::new(),
            Expression::Unary(_, x) => x.invariants(),
            Expression::Binary(_, x, y) => [x.invariants(), y.invariants()].concat(),
        }
    }

    /// The value for these invariants; NaN where it is undefined.
    pub fn value(&self, invariants: &impl Fn(usize) -> f64) -> f64 {
        match self {
            Expression::Invariant(index) => invariants(*index),
            Expression::Constant(value) => *value,
            Expression::Unary(operator, x) => operator.apply(x.value(invariants)),
            Expression::Binary(operator, x, y) => {
                operator.apply(x.value(invariants), y.value(invariants))
            }
        }
    }

    /// The expression as text, with just enough brackets to read the same tree from it.
    pub fn write(&self, names: &[String]) -> String {
        match self {
            Expression::Invariant(index) => names.get(*index).cloned().unwrap_or_default(),
            Expression::Constant(value) => value.to_string(),
            Expression::Unary(operator, x) => {
                let text = x.write(names);
                match operator {
                    Unary::Increment => format!("({text} + 1)"),
                    Unary::Decrement => format!("({text} - 1)"),
                    Unary::Double => format!("2*{}", x.bracketed(names)),
                    Unary::Half => format!("{text}/2"),
                    Unary::Square => format!("({text})^2"),
                    Unary::Negation => format!("-{}", x.bracketed(names)),
                    Unary::Reciprocal => format!("1/({text})"),
                    function => format!("{}({text})", function.name()),
                }
            }
            Expression::Binary(operator, x, y) => {
                let (left, right) = (x.write(names), y.write(names));
                match operator {
                    Binary::Sum => format!("({left} + {right})"),
                    Binary::Product => format!("{left}*{}", y.bracketed(names)),
                    Binary::Difference => format!("({left} - {right})"),
                    Binary::Quotient => format!("({left})/({right})"),
                    Binary::Power => format!("({left})^({right})"),
                    function => format!("{}({left}, {right})", function.name()),
                }
            }
        }
    }

    /// The expression as text that can follow a sign or a factor.
    fn bracketed(&self, names: &[String]) -> String {
        let text = self.write(names);
        let is_product = matches!(
            self,
            Expression::Unary(Unary::Double | Unary::Half | Unary::Negation | Unary::Reciprocal, _)
                | Expression::Binary(Binary::Product | Binary::Quotient, ..)
        );
        if is_product { format!("({text})") } else { text }
    }
}
