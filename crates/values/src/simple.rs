//! Sums of a number, ups and a nimber: `3/4 + ^^ + *2`. They are closed under addition, and most
//! values of real positions are among them.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

use crate::dyadic::Dyadic;
use crate::notation::Notation;

/// `number + ups * ^ + *nimber`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Simple {
    /// The number.
    pub number: Dyadic,
    /// The multiple of up; downs are negative.
    pub ups: i32,
    /// The nimber.
    pub nimber: u32,
}

impl Simple {
    /// A number without ups or nimber.
    pub fn number(number: Dyadic) -> Simple {
        Simple { number, ups: 0, nimber: 0 }
    }

    /// Whether it is a number.
    #[inline]
    pub fn is_number(self) -> bool {
        self.ups == 0 && self.nimber == 0
    }

    /// Whether it is an integer.
    pub fn is_integer(self) -> bool {
        self.is_number() && self.number.is_integer()
    }

    /// Whether it is a nimber, zero included.
    pub fn is_nimber(self) -> bool {
        self.number == Dyadic::ZERO && self.ups == 0
    }

    /// The sum, unless it is too large.
    pub fn checked_add(self, other: Simple) -> Option<Simple> {
        Some(Simple {
            number: self.number.checked_add(other.number)?,
            ups: self.ups.checked_add(other.ups).filter(|ups| ups.abs() <= MOST_UPS)?,
            nimber: self.nimber ^ other.nimber,
        })
    }

    /// Whether it is at most the other.
    ///
    /// The number decides. If the numbers are equal: an up is positive but confused with `*`, two
    /// ups are above every nimber, and different nimbers are confused.
    #[inline]
    pub fn is_at_most(self, other: Simple) -> bool {
        match self.number.cmp(&other.number) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal => {
                let nimber = self.nimber ^ other.nimber;
                match other.ups - self.ups {
                    0 => nimber == 0,
                    1 => nimber != 1,
                    ups => ups > 1,
                }
            }
        }
    }
}

/// The largest multiple of up: its options are as many levels deep.
pub const MOST_UPS: i32 = 10_000;
/// The largest nimber: it has as many options.
pub const LARGEST_NIMBER: u32 = 1023;

impl Neg for Simple {
    type Output = Simple;

    fn neg(self) -> Simple {
        Simple { number: -self.number, ups: -self.ups, nimber: self.nimber }
    }
}

impl fmt::Display for Simple {
    /// As usual: `3/4`, `^^*`, `v3*2`, `1^`, `0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Notation::Plain.simple(*self))
    }
}
