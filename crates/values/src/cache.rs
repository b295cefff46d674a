//! Caches of what was worked out about two values. They are of fixed size and forget what is
//! overwritten; threads use them without locks.

use std::sync::atomic::{AtomicU64, Ordering};

use papamu_base::AtomicWords;
use papamu_base::memory::OutOfMemory;

use crate::forms::Value;

/// Entries of each cache at most.
const MOST: usize = 1 << 22;
/// Entries at least.
const FEWEST: usize = 1 << 14;

/// Where an entry is, among as many as there are values: while those are few, less of the memory is used, so that less
/// has to be cleared by the system and more stays in the processor's caches. What was put under other circumstances is not
/// found any more, which costs no more than time.
#[inline]
fn place(word: u64, values: usize) -> usize {
    let used = values.next_power_of_two().clamp(FEWEST, MOST);
    mix(word) as usize & (used - 1)
}

/// Both ids in one word.
#[inline]
fn word(a: Value, b: Value) -> u64 {
    u64::from(a.0) << 32 | u64::from(b.0)
}

/// Spreads a word over all bits (the finaliser of MurmurHash3 by A. Appleby).
#[inline]
fn mix(mut word: u64) -> u64 {
    word ^= word >> 33;
    word = word.wrapping_mul(0xff51_afd7_ed55_8ccd);
    word ^= word >> 33;
    word = word.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    word ^ word >> 33
}

/// Whether one value is at most another.
pub(crate) struct RelationCache(AtomicWords);

/// The top bits of a word, which ids leave free.
const KNOWN: u64 = 1 << 63;
const TRUE: u64 = 1 << 31;

impl RelationCache {
    pub(crate) fn new() -> Result<RelationCache, OutOfMemory> {
        AtomicWords::lazy(MOST).map(RelationCache)
    }

    #[inline]
    pub(crate) fn get(&self, a: Value, b: Value, values: usize) -> Option<bool> {
        let word = word(a, b);
        let entry = self.0[place(word, values)].load(Ordering::Relaxed);
        (entry & !TRUE == word | KNOWN).then_some(entry & TRUE != 0)
    }

    #[inline]
    pub(crate) fn put(&self, a: Value, b: Value, holds: bool, values: usize) {
        let word = word(a, b);
        let entry = word | KNOWN | if holds { TRUE } else { 0 };
        self.0[place(word, values)].store(entry, Ordering::Relaxed);
    }
}

/// A value that two others give, such as their sum.
pub(crate) struct PairCache(AtomicWords);

impl PairCache {
    pub(crate) fn new() -> Result<PairCache, OutOfMemory> {
        AtomicWords::lazy(2 * MOST).map(PairCache)
    }

    #[inline]
    fn entry(&self, word: u64, values: usize) -> [&AtomicU64; 2] {
        let i = 2 * place(word, values);
        [&self.0[i], &self.0[i + 1]]
    }

    #[inline]
    pub(crate) fn get(&self, a: Value, b: Value, values: usize) -> Option<Value> {
        let word = word(a, b);
        let [key, result] = self.entry(word, values);
        // Whoever finds an id must find its entry in the store as well.
        let result = result.load(Ordering::Acquire);
        // Two threads may have mixed an entry up. The key is tied to the result, so that shows (R. Hyatt
        // and T. Mann, 2002).
        let fits = key.load(Ordering::Relaxed) ^ mix(result) == word | KNOWN;
        fits.then_some(Value(result as u32))
    }

    #[inline]
    pub(crate) fn put(&self, a: Value, b: Value, value: Value, values: usize) {
        let word = word(a, b);
        let [key, result] = self.entry(word, values);
        key.store((word | KNOWN) ^ mix(u64::from(value.0)), Ordering::Relaxed);
        result.store(u64::from(value.0), Ordering::Release);
    }
}
