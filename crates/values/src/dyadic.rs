//! Dyadic rationals: the numbers among the values of short games.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

/// Numerators are below two to this power, denominators at most that. It is more than any position
/// needs, and few enough bits for one word and for exact comparison in 128 bits.
const BITS: u32 = 57;

/// `numerator / 2^exponent` in lowest terms. The exponent is in the low bits.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Dyadic(i64);

const EXPONENT_BITS: u32 = 6;

/// One end of an interval of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The number at this end.
    pub at: Dyadic,
    /// Whether that number belongs to the interval.
    pub closed: bool,
}

impl Dyadic {
    /// Zero.
    pub const ZERO: Dyadic = Dyadic(0);
    /// One.
    pub const ONE: Dyadic = Dyadic(1 << EXPONENT_BITS);

    /// `numerator / 2^exponent`, unless it is too large or too fine.
    pub fn new(numerator: i128, exponent: u32) -> Option<Dyadic> {
        if numerator == 0 {
            return Some(Dyadic::ZERO);
        }
        let common = numerator.trailing_zeros().min(exponent);
        let (numerator, exponent) = (numerator >> common, exponent - common);
        if exponent > BITS || numerator.unsigned_abs() >> BITS != 0 {
            return None;
        }
        Some(Dyadic((numerator as i64) << EXPONENT_BITS | i64::from(exponent)))
    }

    /// An integer, unless it is too large.
    pub fn integer(n: i64) -> Option<Dyadic> {
        Dyadic::new(i128::from(n), 0)
    }

    /// The numerator in lowest terms.
    #[inline]
    pub fn numerator(self) -> i64 {
        self.0 >> EXPONENT_BITS
    }

    /// The binary logarithm of the denominator.
    #[inline]
    pub fn exponent(self) -> u32 {
        self.0 as u32 & ((1 << EXPONENT_BITS) - 1)
    }

    /// Whether it is an integer.
    pub fn is_integer(self) -> bool {
        self.exponent() == 0
    }

    /// The greatest integer that is not above it.
    pub fn floor(self) -> i64 {
        self.numerator() >> self.exponent()
    }

    /// The least integer that is not below it.
    pub fn ceil(self) -> i64 {
        -(-self.numerator() >> self.exponent())
    }

    /// As a floating point number.
    pub fn to_f64(self) -> f64 {
        self.numerator() as f64 / f64::from(self.exponent()).exp2()
    }

    /// The numerator over that denominator, which must be at least as fine as in lowest terms.
    fn over(self, exponent: u32) -> i128 {
        i128::from(self.numerator()) << (exponent - self.exponent())
    }

    /// The sum, unless it is too large or too fine.
    pub fn checked_add(self, other: Dyadic) -> Option<Dyadic> {
        let exponent = self.exponent().max(other.exponent());
        Dyadic::new(self.over(exponent) + other.over(exponent), exponent)
    }

    /// The difference, unless it is too large or too fine.
    pub fn checked_sub(self, other: Dyadic) -> Option<Dyadic> {
        self.checked_add(-other)
    }

    /// The product, unless it is too large or too fine.
    pub fn checked_mul(self, other: Dyadic) -> Option<Dyadic> {
        let numerator = i128::from(self.numerator()) * i128::from(other.numerator());
        Dyadic::new(numerator, self.exponent() + other.exponent())
    }

    /// Half of it, unless that is too fine.
    pub fn half(self) -> Option<Dyadic> {
        Dyadic::new(i128::from(self.numerator()), self.exponent() + 1)
    }

    /// The d of the canonical form `{n - d | n + d}` of a number that is not an integer.
    pub fn spread(self) -> Dyadic {
        Dyadic(1 << EXPONENT_BITS | i64::from(self.exponent()))
    }

    /// The simplest number of an interval (the one with the earliest birthday, J. Conway). A
    /// missing end is infinite. `None` if the interval is empty, or has only numbers that are too
    /// large or too fine.
    pub fn simplest(low: Option<Bound>, high: Option<Bound>) -> Option<Dyadic> {
        if let (Some(low), Some(high)) = (low, high) {
            match low.at.cmp(&high.at) {
                Ordering::Greater => return None,
                Ordering::Equal if !(low.closed && high.closed) => return None,
                _ => (),
            }
        }
        // Whether an end keeps the interval on one side of zero.
        let is_beyond = |bound: Bound, side: Ordering| {
            let order = bound.at.cmp(&Dyadic::ZERO);
            order == side || (order == Ordering::Equal && !bound.closed)
        };
        if let Some(low) = low.filter(|&low| is_beyond(low, Ordering::Greater)) {
            return Dyadic::simplest_positive(low, high);
        }
        if let Some(high) = high.filter(|&high| is_beyond(high, Ordering::Less)) {
            let mirrored = |bound: Bound| Bound { at: -bound.at, ..bound };
            return Dyadic::simplest_positive(mirrored(high), low.map(mirrored)).map(Neg::neg);
        }
        Some(Dyadic::ZERO)
    }

    /// The same for an interval of positive numbers.
    fn simplest_positive(low: Bound, high: Option<Bound>) -> Option<Dyadic> {
        (0..=BITS).find_map(|exponent| {
            // The least multiple of the unit in the interval.
            let finest = exponent.max(low.at.exponent());
            let scaled = low.at.over(finest);
            let shift = finest - exponent;
            let floor = scaled >> shift;
            let exact = floor << shift == scaled;
            let numerator = if exact && low.closed { floor } else { floor + 1 };
            let x = Dyadic::new(numerator, exponent)?;
            let below =
                high.is_none_or(|high| if high.closed { x <= high.at } else { x < high.at });
            below.then_some(x)
        })
    }
}

impl Neg for Dyadic {
    type Output = Dyadic;

    fn neg(self) -> Dyadic {
        Dyadic(-self.numerator() << EXPONENT_BITS | i64::from(self.exponent()))
    }
}

impl Ord for Dyadic {
    #[inline]
    fn cmp(&self, other: &Dyadic) -> Ordering {
        if self.exponent() == other.exponent() {
            return self.0.cmp(&other.0);
        }
        let exponent = self.exponent().max(other.exponent());
        self.over(exponent).cmp(&other.over(exponent))
    }
}

impl PartialOrd for Dyadic {
    #[inline]
    fn partial_cmp(&self, other: &Dyadic) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exponent() {
            0 => write!(f, "{}", self.numerator()),
            exponent => write!(f, "{}/{}", self.numerator(), 1_u64 << exponent),
        }
    }
}

impl fmt::Debug for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(numerator: i128, exponent: u32) -> Dyadic {
        Dyadic::new(numerator, exponent).expect("small")
    }

    #[test]
    fn text_order_and_rounding() {
        let numbers = [number(-7, 1), number(-3, 0), number(-1, 2), Dyadic::ZERO, number(6, 3)];
        assert_eq!(numbers.map(|x| x.to_string()), ["-7/2", "-3", "-1/4", "0", "3/4"]);
        assert!(numbers.is_sorted());
        assert_eq!(numbers.map(Dyadic::floor), [-4, -3, -1, 0, 0]);
        assert_eq!(numbers.map(Dyadic::ceil), [-3, -3, 0, 0, 1]);
        assert_eq!(number(3, 2).checked_add(number(1, 2)), Dyadic::integer(1));
        assert_eq!(number(3, 1).checked_mul(number(-1, 1)), Some(number(-3, 2)));
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let largest = number((1 << 57) - 1, 0);
        assert_eq!(largest.checked_add(number(1, 0)), None);
        assert_eq!(number(1, 57).half(), None);
        assert_eq!(largest.checked_add(number(1, 1)), None);
        assert!(largest > number(1, 57) && -largest < number(1, 57));
    }

    /// Against the definition: the first number of a list in order of birthdays that lies inside.
    #[test]
    fn the_simplest_number_is_born_first() {
        let mut by_birthday: Vec<Dyadic> = Vec::new();
        let mut day = vec![Dyadic::ZERO];
        for _ in 0..9 {
            by_birthday.extend(&day);
            let mut sorted = by_birthday.clone();
            sorted.sort();
            let between = sorted
                .windows(2)
                .map(|pair| pair[0].checked_add(pair[1]).and_then(Dyadic::half).expect("small"));
            let one = number(1, 0);
            let first = sorted[0].checked_sub(one).expect("small");
            let last = sorted[sorted.len() - 1].checked_add(one).expect("small");
            day = between.chain([first, last]).collect();
        }
        let ends: Vec<Option<Dyadic>> =
            (-13..=13).map(|n| Some(number(n, 2))).chain([None]).collect();
        for &low in &ends {
            for &high in &ends {
                for closed in 0..4 {
                    let low = low.map(|at| Bound { at, closed: closed & 1 > 0 });
                    let high = high.map(|at| Bound { at, closed: closed & 2 > 0 });
                    let inside = |x: &&Dyadic| {
                        low.is_none_or(|b| **x > b.at || (b.closed && **x == b.at))
                            && high.is_none_or(|b| **x < b.at || (b.closed && **x == b.at))
                    };
                    let expected = by_birthday.iter().find(inside).copied();
                    assert_eq!(Dyadic::simplest(low, high), expected, "{low:?} {high:?}");
                }
            }
        }
    }
}
