//! Caches of results about pairs of values. They have a fixed size and overwrite old entries.
//! Threads use them without locks.

use std::sync::atomic::{AtomicU64, Ordering};

use papamu_base::AtomicWords;
use papamu_base::entry::{self, Lookup};
use papamu_base::memory::OutOfMemory;

use crate::forms::Value;

/// The most entries of a cache.
const MOST: usize = 1 << 22;
/// The fewest entries that are in use.
const FEWEST: usize = 1 << 14;

/// The place of an entry. Only as many places are used as there are values: while those are few,
/// the system clears less memory and more of it stays in the processor's caches. An entry from a
/// time with fewer values may no longer be found, which only costs time.
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

/// Mixes all bits of a word (the finaliser of MurmurHash3 by A. Appleby).
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

/// The result of an operation on two values, such as their sum. Each entry is two words: both ids,
/// and a state with the result (see [`entry`]).
pub(crate) struct PairCache(AtomicWords);

impl PairCache {
    pub(crate) fn new() -> Result<PairCache, OutOfMemory> {
        AtomicWords::lazy(2 * MOST).map(PairCache)
    }

    #[inline]
    fn entry(&self, word: u64, values: usize) -> (&[AtomicU64], &AtomicU64) {
        let i = 2 * place(word, values);
        (&self.0[i..=i], &self.0[i + 1])
    }

    #[inline]
    pub(crate) fn get(&self, a: Value, b: Value, values: usize) -> Option<Value> {
        let word = word(a, b);
        let (key, state) = self.entry(word, values);
        match entry::look_up(key, state, &[word]) {
            Lookup::Found(value) => Some(Value(value)),
            Lookup::Other | Lookup::Nothing => None,
        }
    }

    /// If two threads write to one entry at the same time, only one of them succeeds.
    #[inline]
    pub(crate) fn put(&self, a: Value, b: Value, value: Value, values: usize) {
        let word = word(a, b);
        let (key, state) = self.entry(word, values);
        entry::write(key, state, &[word], value.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Threads put and get in few places: a value that is found is the one that was put.
    #[test]
    fn threads_find_nothing_wrong() {
        let cache = PairCache::new().expect("memory");
        let work = |seed: u64| {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut found = 0;
            for _ in 0..200_000 {
                let (a, b) = (random.u32(0..200), random.u32(0..200));
                let expected = Value(a * 1000 + b);
                match cache.get(Value(a), Value(b), 1) {
                    Some(value) => {
                        assert_eq!(value, expected);
                        found += 1;
                    }
                    None => cache.put(Value(a), Value(b), expected, 1),
                }
            }
            found
        };
        let found: u64 = std::thread::scope(|scope| {
            let work = &work;
            let threads: Vec<_> = (0..4).map(|seed| scope.spawn(move || work(seed))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
        });
        assert!(found > 100_000, "{found}");
    }
}
