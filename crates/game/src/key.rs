//! Exact keys of positions, of a width that tables can store.

use std::fmt::Debug;
use std::hash::Hash;

/// An exact key: one word of 64 bits or two. Games with longer positions hand out numbers
/// ([`RunKey`]).
pub trait Key: Copy + Eq + Ord + Hash + Debug + Default + Send + Sync + 'static {
    /// Whether the second word is always 0.
    const ONE_WORD: bool;
    /// Whether the key of a position is the same in every run, so that it may be written to files.
    const STABLE: bool = true;

    /// The key as words, the low one first.
    fn words(self) -> [u64; 2];

    /// The key of those words.
    fn from_words(words: [u64; 2]) -> Self;
}

impl Key for u64 {
    const ONE_WORD: bool = true;

    #[inline(always)]
    fn words(self) -> [u64; 2] {
        [self, 0]
    }

    #[inline(always)]
    fn from_words([low, _]: [u64; 2]) -> u64 {
        low
    }
}

impl Key for u128 {
    const ONE_WORD: bool = false;

    #[inline(always)]
    fn words(self) -> [u64; 2] {
        [self as u64, (self >> 64) as u64]
    }

    #[inline(always)]
    fn from_words([low, high]: [u64; 2]) -> u128 {
        u128::from(high) << 64 | u128::from(low)
    }
}

/// A number that a position gets when it is first met: exact, and valid for one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunKey(pub u64);

impl Key for RunKey {
    const ONE_WORD: bool = true;
    const STABLE: bool = false;

    #[inline(always)]
    fn words(self) -> [u64; 2] {
        [self.0, 0]
    }

    #[inline(always)]
    fn from_words([low, _]: [u64; 2]) -> RunKey {
        RunKey(low)
    }
}
