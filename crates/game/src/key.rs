//! Exact keys of positions, of a width that tables can store.

use std::fmt::Debug;
use std::hash::Hash;

/// An exact key: one word of 64 bits or two. Games whose positions are longer hand out numbers.
pub trait Key: Copy + Eq + Ord + Hash + Debug + Default + Send + Sync + 'static {
    /// Whether the second word is always 0.
    const ONE_WORD: bool;

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
