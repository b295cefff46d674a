//! The operators of expressions.

use std::fmt;
use std::str::FromStr;

/// An operator of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "they are what they are called")]
pub enum Unary {
    Increment,
    Decrement,
    Double,
    Half,
    Square,
    SquareRoot,
    Negation,
    Reciprocal,
    Logarithm,
    Logarithm10,
    Exponential,
    Floor,
    Ceiling,
    Absolute,
}

/// An operator of two arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "they are what they are called")]
pub enum Binary {
    Sum,
    Product,
    Maximum,
    Minimum,
    Difference,
    Quotient,
    Power,
}

/// Any operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// An operator of one argument.
    Unary(Unary),
    /// An operator of two arguments.
    Binary(Binary),
}

/// All operators, with the names by which users choose them.
pub const OPERATORS: &[(&str, Operator)] = &[
    ("+1", Operator::Unary(Unary::Increment)),
    ("-1", Operator::Unary(Unary::Decrement)),
    ("*2", Operator::Unary(Unary::Double)),
    ("/2", Operator::Unary(Unary::Half)),
    ("square", Operator::Unary(Unary::Square)),
    ("sqrt", Operator::Unary(Unary::SquareRoot)),
    ("neg", Operator::Unary(Unary::Negation)),
    ("1/", Operator::Unary(Unary::Reciprocal)),
    ("ln", Operator::Unary(Unary::Logarithm)),
    ("log10", Operator::Unary(Unary::Logarithm10)),
    ("exp", Operator::Unary(Unary::Exponential)),
    ("floor", Operator::Unary(Unary::Floor)),
    ("ceil", Operator::Unary(Unary::Ceiling)),
    ("abs", Operator::Unary(Unary::Absolute)),
    ("+", Operator::Binary(Binary::Sum)),
    ("*", Operator::Binary(Binary::Product)),
    ("max", Operator::Binary(Binary::Maximum)),
    ("min", Operator::Binary(Binary::Minimum)),
    ("-", Operator::Binary(Binary::Difference)),
    ("/", Operator::Binary(Binary::Quotient)),
    ("^", Operator::Binary(Binary::Power)),
];

impl FromStr for Operator {
    type Err = String;

    fn from_str(text: &str) -> Result<Operator, String> {
        let known = OPERATORS.iter().find(|(name, _)| *name == text);
        known.map(|known| known.1).ok_or_else(|| {
            let names: Vec<&str> = OPERATORS.iter().map(|known| known.0).collect();
            format!("`{text}` is no operator: there are {}", names.join(" "))
        })
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = OPERATORS.iter().find(|(_, operator)| operator == self);
        f.write_str(known.map_or("", |known| known.0))
    }
}

impl Unary {
    /// The value; NaN where it is undefined.
    #[inline(always)]
    pub fn apply(self, x: f64) -> f64 {
        match self {
            Unary::Increment => x + 1.0,
            Unary::Decrement => x - 1.0,
            Unary::Double => x * 2.0,
            Unary::Half => x * 0.5,
            Unary::Square => x * x,
            Unary::SquareRoot => x.sqrt(),
            Unary::Negation => -x,
            Unary::Reciprocal => finite(1.0 / x),
            Unary::Logarithm => finite(x.ln()),
            Unary::Logarithm10 => finite(x.log10()),
            Unary::Exponential => finite(x.exp()),
            Unary::Floor => x.floor(),
            Unary::Ceiling => x.ceil(),
            Unary::Absolute => x.abs(),
        }
    }

    /// The name by which users choose it.
    pub(super) fn name(self) -> String {
        Operator::Unary(self).to_string()
    }
}

impl Binary {
    /// Whether the operator is commutative.
    pub fn is_commutative(self) -> bool {
        matches!(self, Binary::Sum | Binary::Product | Binary::Maximum | Binary::Minimum)
    }

    /// The value; NaN where it is undefined.
    #[inline(always)]
    pub fn apply(self, x: f64, y: f64) -> f64 {
        match self {
            Binary::Sum => x + y,
            Binary::Product => x * y,
            Binary::Maximum => {
                if x > y || x.is_nan() {
                    x
                } else {
                    y
                }
            }
            Binary::Minimum => {
                if x < y || x.is_nan() {
                    x
                } else {
                    y
                }
            }
            Binary::Difference => x - y,
            Binary::Quotient => finite(x / y),
            Binary::Power => finite(x.powf(y)),
        }
    }

    /// The name by which users choose it.
    pub(super) fn name(self) -> String {
        Operator::Binary(self).to_string()
    }
}

/// Infinities count as undefined.
#[inline(always)]
fn finite(x: f64) -> f64 {
    if x.is_finite() { x } else { f64::NAN }
}
