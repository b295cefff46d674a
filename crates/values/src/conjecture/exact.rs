//! Expressions in exact arithmetic, where the data is exact.
//!
//! The search uses floating-point numbers and tolerates their rounding. What it finds is checked
//! here with fractions of 128 bits before it becomes a conjecture. A number of a table counts as
//! exact if it is a multiple of 2^-20. Values of games and counts are exact. Thirds and rounded
//! decimal fractions are not.

use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, One, Signed, Zero};

use super::expression::Expression;
use super::operators::{Binary, Unary};

/// An exact number.
pub(super) type Exact = Ratio<i128>;

/// The exact value cannot be found, because of the data, of an operator such as a square root, or
/// of its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Inexact;

/// The denominator of numbers that count as exact.
const SCALE: f64 = (1 << 20) as f64;
/// Above this, not every integer is a floating-point number.
const LARGEST: f64 = (1_i64 << 53) as f64;

/// A number of a table; `None` where it is undefined.
pub(super) fn number(value: f64) -> Result<Option<Exact>, Inexact> {
    if value.is_nan() {
        return Ok(None);
    }
    let scaled = value * SCALE;
    let is_exact = value.abs() < LARGEST && scaled.fract() == 0.0;
    if is_exact { Ok(Some(Exact::new(scaled as i128, SCALE as i128))) } else { Err(Inexact) }
}

impl Expression {
    /// The exact value for these invariants; `None` where it is undefined.
    pub(super) fn exact_value(
        &self,
        invariants: &impl Fn(usize) -> f64,
    ) -> Result<Option<Exact>, Inexact> {
        match self {
            Expression::Invariant(index) => number(invariants(*index)),
            Expression::Constant(value) => number(*value),
            Expression::Unary(operator, x) => match x.exact_value(invariants)? {
                Some(x) => unary(*operator, x),
                None => Ok(None),
            },
            Expression::Binary(operator, x, y) => {
                match (x.exact_value(invariants)?, y.exact_value(invariants)?) {
                    (Some(x), Some(y)) => binary(*operator, x, y),
                    _ => Ok(None),
                }
            }
        }
    }
}

fn unary(operator: Unary, x: Exact) -> Result<Option<Exact>, Inexact> {
    let one = Exact::one();
    let two = one + one;
    let value = match operator {
        Unary::Increment => x.checked_add(&one),
        Unary::Decrement => x.checked_sub(&one),
        Unary::Double => x.checked_mul(&two),
        Unary::Half => x.checked_div(&two),
        Unary::Square => x.checked_mul(&x),
        Unary::Negation => Exact::zero().checked_sub(&x),
        Unary::Reciprocal if x.is_zero() => return Ok(None),
        Unary::Reciprocal => one.checked_div(&x),
        Unary::Floor => Some(Exact::from_integer(x.numer().div_euclid(*x.denom()))),
        Unary::Ceiling => Some(-Exact::from_integer((-x.numer()).div_euclid(*x.denom()))),
        Unary::Absolute => Some(x.abs()),
        Unary::SquareRoot | Unary::Logarithm | Unary::Logarithm10 | Unary::Exponential => None,
    };
    within(value)
}

fn binary(operator: Binary, x: Exact, y: Exact) -> Result<Option<Exact>, Inexact> {
    let value = match operator {
        Binary::Sum => x.checked_add(&y),
        Binary::Product => x.checked_mul(&y),
        Binary::Maximum => Some(x.max(y)),
        Binary::Minimum => Some(x.min(y)),
        Binary::Difference => x.checked_sub(&y),
        Binary::Quotient if y.is_zero() => return Ok(None),
        Binary::Quotient => x.checked_div(&y),
        Binary::Power => None,
    };
    within(value)
}

/// Accepts numbers of at most 126 bits, whose negations and comparisons cannot overflow.
fn within(value: Option<Exact>) -> Result<Option<Exact>, Inexact> {
    const MOST: i128 = 1 << 126;
    let is_small = |value: &Exact| {
        let numerator = *value.numer();
        (-MOST..=MOST).contains(&numerator) && *value.denom() <= MOST
    };
    value.filter(is_small).map(Some).ok_or(Inexact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_surely_exact_is() {
        assert_eq!(number(-2.75), Ok(Some(Exact::new(-11, 4))));
        assert_eq!(number(f64::NAN), Ok(None));
        for rounded in [1.0 / 3.0, 0.1, 1e17, f64::INFINITY, 2.0_f64.powi(-21)] {
            assert_eq!(number(rounded), Err(Inexact), "{rounded}");
        }
    }

    #[test]
    fn rounding_goes_down_and_up() {
        let floor = |n, d| unary(Unary::Floor, Exact::new(n, d)).map(|x| x.map(|x| x.to_integer()));
        let ceil =
            |n, d| unary(Unary::Ceiling, Exact::new(n, d)).map(|x| x.map(|x| x.to_integer()));
        assert_eq!(
            [floor(-7, 2), floor(7, 2), floor(4, 2)],
            [Ok(Some(-4)), Ok(Some(3)), Ok(Some(2))]
        );
        assert_eq!([ceil(-7, 2), ceil(7, 2), ceil(4, 2)], [Ok(Some(-3)), Ok(Some(4)), Ok(Some(2))]);
    }

    #[test]
    fn what_grows_too_large_is_not_exact() {
        let mut x = Expression::Invariant(0);
        for squares in 0..12 {
            let value = x.exact_value(&|_| 3.0);
            // 3^64 has 102 bits, 3^128 has 203.
            assert_eq!(value.is_ok(), squares <= 6, "{squares}");
            x = Expression::Unary(Unary::Square, Box::new(x));
        }
        let zero = Expression::Unary(Unary::Reciprocal, Box::new(Expression::Invariant(0)));
        assert_eq!(zero.exact_value(&|_| 0.0), Ok(None));
    }
}
