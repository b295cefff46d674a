//! Numbers of positions in certificates.

use std::fmt::{Debug, Display};
use std::hash::Hash;

use crate::{Guided, Player};

/// The type of the numbers of a game: 64 bits or 128. Most games need 64, and then files and
/// tables of numbers take half the memory.
pub trait CertificateNumber:
    Copy + Ord + Hash + Debug + Display + Default + Send + Sync + 'static
{
    /// The bytes of a number.
    const BYTES: usize;

    /// The number with 128 bits.
    fn widen(self) -> u128;

    /// The number with as many bits as this type has, if they are enough.
    fn narrow(number: u128) -> Option<Self>;

    /// All bits in one word, for hashes.
    fn fold(self) -> u64;
}

impl CertificateNumber for u64 {
    const BYTES: usize = 8;

    #[inline(always)]
    fn widen(self) -> u128 {
        self.into()
    }

    #[inline(always)]
    fn narrow(number: u128) -> Option<u64> {
        number.try_into().ok()
    }

    #[inline(always)]
    fn fold(self) -> u64 {
        self
    }
}

impl CertificateNumber for u128 {
    const BYTES: usize = 16;

    #[inline(always)]
    fn widen(self) -> u128 {
        self
    }

    #[inline(always)]
    fn narrow(number: u128) -> Option<u128> {
        Some(number)
    }

    #[inline(always)]
    fn fold(self) -> u64 {
        self as u64 ^ ((self >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// A game whose solutions can be certified (`docs/certificate-format.md`).
pub trait Certifiable: Guided {
    /// The version of the format in which its certificates are written if it can express them.
    const CERTIFICATE_VERSION: u8 = 2;

    /// Numbers of positions.
    type Number: CertificateNumber;

    /// The number of a position: the same for all positions that are images of each other.
    fn certificate_number(&self, position: &Self::Position) -> Self::Number;

    /// The position with that number and that player to move, if there is one.
    fn position_of_number(&self, number: Self::Number, mover: Player) -> Option<Self::Position>;

    /// A measure of how far a position of that number is from its end. It decreases with every
    /// move; games that can go in circles have none.
    fn stage_of_number(&self, number: Self::Number) -> Option<u32> {
        let _ = number;
        None
    }

    /// The size of a position, which no move makes larger.
    fn size(&self, position: &Self::Position) -> u64;

    /// The number by which the moves of a position are sorted.
    fn move_order(&self, mv: &Self::Move) -> u64;
}

/// The number with these digits in base 3, the lowest first.
pub fn to_ternary(digits: impl DoubleEndedIterator<Item = u8>) -> u128 {
    digits.rev().fold(0, |number, digit| number * 3 + u128::from(digit))
}

/// The sets of digits 1 and of digits 2 of a number in base 3, the lowest digit first; `None` if it
/// has more than that many digits.
pub fn from_ternary(mut number: u128, digits: u32) -> Option<[u64; 2]> {
    let mut sets = [0, 0];
    for place in 0..digits {
        match number % 3 {
            0 => (),
            digit => sets[digit as usize - 1] |= 1 << place,
        }
        number /= 3;
    }
    (number == 0).then_some(sets)
}

/// The digits in base 3 of two sets of places, the lowest first.
pub fn ternary_digits(sets: [u64; 2], digits: u32) -> impl DoubleEndedIterator<Item = u8> {
    (0..digits).map(move |place| (sets[0] >> place & 1) as u8 + 2 * (sets[1] >> place & 1) as u8)
}
