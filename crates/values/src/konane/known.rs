//! The values of small regions by normal form: a hash table for several threads that answers with one
//! access to memory, which can be asked for in advance.

use std::hash::BuildHasher;

use hashbrown::DefaultHashBuilder;
use papamu_game::{Words, prefetch};
use parking_lot::RwLock;

use super::normal::{Form, Small};
use crate::forms::{Halt, Value};

/// Values of regions: those with short forms have entries of two words.
pub(super) struct Known {
    short: Shards<2>,
    long: Shards<4>,
    hasher: DefaultHashBuilder,
}

impl Known {
    pub(super) fn new() -> Known {
        let hasher = DefaultHashBuilder::default();
        Known { short: Shards::new(), long: Shards::new(), hasher }
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

    /// Asks for the memory of an entry.
    #[inline]
    pub(super) fn prefetch(&self, form: &Form, hash: u64) {
        match form {
            Form::Short(_) => self.short.of(hash).read().prefetch(hash),
            Form::Long(_) => self.long.of(hash).read().prefetch(hash),
        }
    }

    #[inline]
    pub(super) fn get(&self, form: &Form, hash: u64) -> Option<Value> {
        match form {
            Form::Short(word) => self.short.of(hash).read().get(&[*word], hash),
            Form::Long(Small { usable, black, white }) => {
                self.long.of(hash).read().get(&[*usable, *black, *white], hash)
            }
        }
    }

    pub(super) fn put(&self, form: &Form, hash: u64, value: Value) -> Result<(), Halt> {
        let value = u64::from(value.0);
        match form {
            Form::Short(word) => {
                let rehash = |entry: &[u64; 2]| self.hasher.hash_one(entry[0]);
                self.short.of(hash).write().put([*word, value], hash, rehash)
            }
            Form::Long(Small { usable, black, white }) => {
                let rehash = |&[usable, black, white, _]: &[u64; 4]| {
                    self.hasher.hash_one([usable, black, white])
                };
                self.long.of(hash).write().put([*usable, *black, *white, value], hash, rehash)
            }
        }
    }

    pub(super) fn count(&self) -> usize {
        let short: usize = self.short.0.iter().map(|shard| shard.read().count).sum();
        short + self.long.0.iter().map(|shard| shard.read().count).sum::<usize>()
    }
}

/// Parts that are locked one at a time. The high bits of a hash choose the part, the low ones the place
/// in it.
struct Shards<const WORDS: usize>(Vec<RwLock<Shard<WORDS>>>);

const SHARDS: usize = 16;

impl<const WORDS: usize> Shards<WORDS> {
    fn new() -> Shards<WORDS> {
        Shards((0..SHARDS).map(|_| RwLock::new(Shard { words: None, count: 0 })).collect())
    }

    #[inline]
    fn of(&self, hash: u64) -> &RwLock<Shard<WORDS>> {
        &self.0[(hash >> 60) as usize % SHARDS]
    }
}

/// Open addressing: an entry is at its place or, if that is taken, at one that follows. An entry is a key and
/// a value; it is empty if its first word is zero.
struct Shard<const WORDS: usize> {
    words: Option<Words>,
    count: usize,
}

/// Entries of a shard at first.
const FEWEST: usize = 64;

impl<const WORDS: usize> Shard<WORDS> {
    #[inline]
    fn entries(&self) -> &[[u64; WORDS]] {
        self.words.as_ref().map_or(&[], |words| words.as_slice().as_chunks().0)
    }

    #[inline]
    fn entries_mut(&mut self) -> &mut [[u64; WORDS]] {
        self.words.as_mut().map_or(&mut [], |words| words.as_mut_slice().as_chunks_mut().0)
    }

    /// The places where an entry may be, in order; there are none without entries.
    #[inline]
    fn places(count: usize, hash: u64) -> impl Iterator<Item = usize> {
        let mask = count.wrapping_sub(1);
        (0..count).map(move |i| (hash as usize).wrapping_add(i) & mask)
    }

    #[inline]
    fn prefetch(&self, hash: u64) {
        let entries = self.entries();
        if let Some(place) = Self::places(entries.len(), hash).next() {
            prefetch(&entries[place]);
        }
    }

    #[inline]
    fn get(&self, key: &[u64], hash: u64) -> Option<Value> {
        let entries = self.entries();
        for place in Self::places(entries.len(), hash) {
            let entry = &entries[place];
            if entry[..WORDS - 1] == *key {
                return Some(Value(entry[WORDS - 1] as u32));
            }
            if entry[0] == 0 {
                return None;
            }
        }
        None
    }

    fn put(
        &mut self,
        entry: [u64; WORDS],
        hash: u64,
        rehash: impl Fn(&[u64; WORDS]) -> u64,
    ) -> Result<(), Halt> {
        let size = self.entries().len();
        if (self.count + 1) * 4 > size * 3 {
            let words = Words::new((size * 2).max(FEWEST) * WORDS)?;
            let old = std::mem::replace(self, Shard { words: Some(words), count: 0 });
            for entry in old.entries().iter().filter(|entry| entry[0] != 0) {
                self.insert(*entry, rehash(entry));
            }
        }
        self.insert(entry, hash);
        Ok(())
    }

    /// Puts an entry into a table that is not full.
    fn insert(&mut self, entry: [u64; WORDS], hash: u64) {
        let entries = self.entries_mut();
        let free = |&place: &usize| {
            entries[place][0] == 0 || entries[place][..WORDS - 1] == entry[..WORDS - 1]
        };
        if let Some(place) = Self::places(entries.len(), hash).find(free) {
            let is_new = entries[place][0] == 0;
            entries[place] = entry;
            self.count += usize::from(is_new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_found() {
        let known = Known::new();
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
}
