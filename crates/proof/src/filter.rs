//! An approximate set of the positions that a strategy needs: a Bloom filter (B. Bloom, 1970).
//!
//! It helps to choose among winning moves and decides nothing, so it may err now and then. It takes
//! a few bits for a position where a set would take a hundred.

use papamu_game::CertificateNumber;

/// A set of numbers that may contain false positives.
pub(crate) struct Filter {
    words: Vec<u64>,
}

impl Filter {
    /// A filter that takes eight bytes times this.
    pub(crate) fn new(words: usize) -> Filter {
        Filter { words: vec![0; words.max(1)] }
    }

    /// The word of a number, and its two bits there.
    #[inline]
    fn place(&self, number: impl CertificateNumber) -> (usize, u64) {
        let product = u128::from(number.fold() ^ 0x243f_6a88_85a3_08d3) * 0x9e37_79b9_7f4a_7c15;
        let mixed = (product >> 64) as u64 ^ product as u64;
        let word = (u128::from(mixed) * self.words.len() as u128) >> 64;
        (word as usize, 1 << (mixed & 63) | 1 << (mixed >> 6 & 63))
    }

    pub(crate) fn insert(&mut self, number: impl CertificateNumber) {
        let (word, bits) = self.place(number);
        self.words[word] |= bits;
    }

    pub(crate) fn may_hold(&self, number: impl CertificateNumber) -> bool {
        let (word, bits) = self.place(number);
        self.words[word] & bits == bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_hold_what_was_put_in_and_little_else() {
        let mut filter = Filter::new(1000);
        (0..5000_u64).for_each(|number| filter.insert(number * 3));
        assert!((0..5000_u64).all(|number| filter.may_hold(number * 3)));
        let wrong = (0..15_000_u64).filter(|n| n % 3 != 0 && filter.may_hold(*n)).count();
        assert!(wrong < 1000, "{wrong} of 10,000");
    }
}
