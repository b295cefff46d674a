//! The values of small regions by normal form: a hash table for several threads. It is read without
//! locks and with one access to memory, which can be prefetched.

use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use hashbrown::DefaultHashBuilder;
use papamu_base::entry::{self, Lookup};
use papamu_base::{AtomicWords, prefetch};
use parking_lot::Mutex;

use super::normal::{Form, Small};
use crate::forms::{Halt, Value};

/// Values of regions. Entries of short forms have two words.
pub(super) struct Known {
    short: Shards<1, 2>,
    long: Shards<3, 4>,
    hasher: DefaultHashBuilder,
}

impl Known {
    /// An empty store within a memory limit.
    pub(super) fn new(memory_bytes: u64) -> Result<Known, Halt> {
        let hasher = DefaultHashBuilder::default();
        let (short, long) = (Shards::new(memory_bytes)?, Shards::new(memory_bytes)?);
        Ok(Known { short, long, hasher })
    }

    #[inline]
    pub(super) fn hash(&self, form: &Form) -> u64 {
        match form {
            Form::Short(word) => self.hasher.hash_one(word),
            Form::Long(Small { usable, black, white }) => {
                self.hasher.hash_one([*usable, *black, *white])
            }
        }
    }

    /// Prefetches an entry.
    #[inline]
    pub(super) fn prefetch(&self, form: &Form, hash: u64) {
        match form {
            Form::Short(_) => self.short.of(hash).prefetch(hash),
            Form::Long(_) => self.long.of(hash).prefetch(hash),
        }
    }

    #[inline]
    pub(super) fn get(&self, form: &Form, hash: u64) -> Option<Value> {
        match form {
            Form::Short(word) => self.short.of(hash).get(&[*word], hash),
            Form::Long(Small { usable, black, white }) => {
                self.long.of(hash).get(&[*usable, *black, *white], hash)
            }
        }
    }

    pub(super) fn put(&self, form: &Form, hash: u64, value: Value) -> Result<(), Halt> {
        match form {
            Form::Short(word) => {
                let rehash = |key: &[u64; 1]| self.hasher.hash_one(key[0]);
                self.short.of(hash).put([*word], value, hash, rehash)
            }
            Form::Long(Small { usable, black, white }) => {
                let rehash = |key: &[u64; 3]| self.hasher.hash_one(key);
                self.long.of(hash).put([*usable, *black, *white], value, hash, rehash)
            }
        }
    }

    pub(super) fn count(&self) -> usize {
        let short: usize = self.short.0.iter().map(|shard| *shard.count.lock()).sum();
        short + self.long.0.iter().map(|shard| *shard.count.lock()).sum::<usize>()
    }
}

/// Shards, each written by one thread at a time. The high bits of a hash choose the shard, the low
/// bits the place in it.
struct Shards<const KEY: usize, const WORDS: usize>(Vec<Shard<KEY, WORDS>>);

/// Few, so that each is large enough for huge pages.
const SHARDS: usize = 4;

impl<const KEY: usize, const WORDS: usize> Shards<KEY, WORDS> {
    fn new(memory_bytes: u64) -> Result<Shards<KEY, WORDS>, Halt> {
        let bytes = usize::try_from(memory_bytes).unwrap_or(usize::MAX) / SHARDS;
        let shards = (0..SHARDS).map(|_| Shard::new(bytes)).collect::<Result<_, _>>()?;
        Ok(Shards(shards))
    }

    #[inline]
    fn of(&self, hash: u64) -> &Shard<KEY, WORDS> {
        &self.0[(hash >> 60) as usize % SHARDS]
    }
}

/// Linear probing: an entry is at its home or, if that is taken, at a place after it. An entry is
/// the words of a key and a state with the value (see [`entry`]).
///
/// A full table grows in place, because fresh memory is expensive. Other threads may read
/// meanwhile. They miss the entries that are being moved, which only costs time.
struct Shard<const KEY: usize, const WORDS: usize> {
    words: AtomicWords,
    /// The number of entries, empty ones included: a power of two.
    size: AtomicUsize,
    /// The number of entries that are not empty. A writer holds this lock.
    count: Mutex<usize>,
}

/// The entries of a new shard.
const FEWEST: usize = 64;

impl<const KEY: usize, const WORDS: usize> Shard<KEY, WORDS> {
    fn new(bytes: usize) -> Result<Shard<KEY, WORDS>, Halt> {
        let words = AtomicWords::reserve((bytes / size_of::<u64>()).max(FEWEST * WORDS))?;
        if words.len() < FEWEST * WORDS {
            return Err(Halt::Memory);
        }
        Ok(Shard { words, size: AtomicUsize::new(FEWEST), count: Mutex::new(0) })
    }

    #[inline]
    fn entries(&self) -> &[[AtomicU64; WORDS]] {
        self.words.as_chunks().0
    }

    #[inline]
    fn prefetch(&self, hash: u64) {
        let mask = self.size.load(Ordering::Relaxed) - 1;
        if let Some(entry) = self.entries().get(hash as usize & mask) {
            prefetch(entry);
        }
    }

    #[inline]
    fn get(&self, key: &[u64; KEY], hash: u64) -> Option<Value> {
        let mask = self.size.load(Ordering::Acquire) - 1;
        let entries = self.entries();
        for i in 0..=mask {
            let entry = entries.get((hash as usize).wrapping_add(i) & mask)?;
            match entry::look_up(&entry[..KEY], &entry[KEY], key) {
                Lookup::Found(value) => return Some(Value(value)),
                Lookup::Nothing => return None,
                Lookup::Other => (),
            }
        }
        None
    }

    fn put(
        &self,
        key: [u64; KEY],
        value: Value,
        hash: u64,
        rehash: impl Fn(&[u64; KEY]) -> u64,
    ) -> Result<(), Halt> {
        let mut count = self.count.lock();
        let mut size = self.size.load(Ordering::Relaxed);
        if (*count + 1) * 4 > size * 3 {
            if 2 * size > self.entries().len() {
                return Err(Halt::Memory);
            }
            self.words.use_range(size * WORDS, size * WORDS);
            self.spread(size, rehash);
            size *= 2;
            self.size.store(size, Ordering::Release);
        }
        *count += usize::from(self.insert(size - 1, &key, value.0, hash));
        Ok(())
    }

    /// Moves the entries of a table to their places in one of twice the size.
    fn spread(&self, size: usize, rehash: impl Fn(&[u64; KEY]) -> u64) {
        let entries = self.entries();
        let is_empty = |entry: &[AtomicU64; WORDS]| entry::value(&entry[KEY]).is_none();
        // The walk begins at an empty place and wraps around. So entries move only to places that
        // were already left, and moved entries have no gaps before them. An entry that wraps around
        // the end may be lost, which only costs time.
        let start = entries.iter().position(is_empty).unwrap_or(0);
        for i in (start..size).chain(0..start) {
            if let Some(value) = entry::value(&entries[i][KEY]) {
                let key = std::array::from_fn(|k| entries[i][k].load(Ordering::Relaxed));
                entry::clear(&entries[i][KEY]);
                self.insert(2 * size - 1, &key, value, rehash(&key));
            }
        }
    }

    /// Inserts an entry into a table that is not full. Returns whether it is new.
    fn insert(&self, mask: usize, key: &[u64; KEY], value: u32, hash: u64) -> bool {
        for i in 0..=mask {
            let entry = &self.entries()[(hash as usize).wrapping_add(i) & mask];
            match entry::look_up(&entry[..KEY], &entry[KEY], key) {
                // There is no other writer: the caller holds the lock.
                Lookup::Nothing => return entry::write(&entry[..KEY], &entry[KEY], key, value),
                Lookup::Found(_) => return false,
                Lookup::Other => (),
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_found() {
        let known = Known::new(1 << 26).expect("memory");
        let forms = |i: u64| {
            let region = Small { usable: i + 1, black: i * i, white: !i };
            [Form::Short(i * i + 1), Form::Long(region)]
        };
        for i in (0..20_000).chain(0..100) {
            for (j, form) in forms(i).iter().enumerate() {
                known.put(form, known.hash(form), Value(2 * i as u32 + j as u32)).expect("memory");
            }
        }
        assert_eq!(known.count(), 40_000);
        for i in 0..40_000 {
            for (j, form) in forms(i).iter().enumerate() {
                let value = known.get(form, known.hash(form));
                assert_eq!(value, (i < 20_000).then_some(Value(2 * i as u32 + j as u32)));
            }
        }
    }

    /// Threads read while others write and tables grow: a value that is found is the one that was
    /// put.
    #[test]
    fn threads_find_nothing_wrong() {
        let known = Known::new(1 << 26).expect("memory");
        let form =
            |i: u64| [Form::Short(i + 1), Form::Long(Small { usable: i + 1, black: i, white: !i })];
        let work = &|seed: u64| {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut found = 0;
            for _ in 0..200_000 {
                let i = random.u64(0..50_000);
                for (j, form) in form(i).iter().enumerate() {
                    let (hash, expected) = (known.hash(form), Value(2 * i as u32 + j as u32));
                    match known.get(form, hash) {
                        Some(value) => {
                            assert_eq!(value, expected);
                            found += 1;
                        }
                        None => known.put(form, hash, expected).expect("memory"),
                    }
                }
            }
            found
        };
        let found: u64 = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|seed| scope.spawn(move || work(seed))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
        });
        // Each is missed about once, and a few more times while tables grow.
        assert!(found > 4 * 400_000 - 3 * 100_000, "{found}");
    }

    /// A full table reports it.
    #[test]
    fn a_full_table_is_an_error() {
        let known = Known::new(1 << 14).expect("memory");
        let form = |i: u64| Form::Short(i + 1);
        let full =
            (0..100_000).find(|&i| known.put(&form(i), known.hash(&form(i)), Value(1)).is_err());
        assert!(full.is_some_and(|full| known.count() as u64 == full));
    }
}
