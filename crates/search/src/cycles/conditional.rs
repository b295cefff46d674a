//! A table of conditional disproofs: positions, and what their disproofs need.
//!
//! An entry says "n fails given K" (see [`super`]), which holds on every path, so all threads share
//! the table. Keys are exact. A line holds one entry: the key of n, a word of data, the keys of K.
//! What needs more than fits into a line is not kept, and a new entry replaces an old one: this
//! costs time and nothing else.

use papamu_base::memory::OutOfMemory;
use papamu_game::Key;

use crate::table::{Line, Lines, mixed};

/// Words of a line: two cache lines.
const WORDS: usize = 15;

#[cfg(not(loom))]
const _: () = assert!(size_of::<Line<WORDS>>() == 128, "a line is two cache lines");

/// The table.
pub(crate) struct Conditional<K> {
    lines: Lines<WORDS>,
    _key: std::marker::PhantomData<fn(K)>,
}

/// A position, and whether the attacker is to move in it.
pub(crate) type Needed<K> = (K, bool);

/// Words of a key.
const fn width<K: Key>() -> usize {
    if K::ONE_WORD { 1 } else { 2 }
}

/// The most positions that an entry can need.
const fn most_needs<K: Key>() -> usize {
    WORDS / width::<K>() - if K::ONE_WORD { 2 } else { 1 }
}

impl<K: Key> Conditional<K> {
    /// An empty table of that many bytes, or of one line if they are fewer.
    pub(crate) fn new(bytes: usize) -> Result<Conditional<K>, OutOfMemory> {
        let lines = Lines::new((bytes / size_of::<Line<WORDS>>()).max(1))?;
        Ok(Conditional { lines, _key: std::marker::PhantomData })
    }

    fn line(&self, key: K) -> &Line<WORDS> {
        let place = (u128::from(mixed(key)) * self.lines.len() as u128) >> 64;
        &self.lines[place as usize]
    }

    /// Keeps the disproof of a position with its needs, if there are not too many.
    pub(crate) fn put(&self, (key, attacker_moves): Needed<K>, needs: impl Iterator<Item = Needed<K>>) {
        let mut entry = [0; WORDS];
        set_key(&mut entry, 0, key);
        let mut attackers = u64::from(attacker_moves) << most_needs::<K>();
        let mut count = 0;
        for (needed, attacker_moves) in needs {
            if count == most_needs::<K>() {
                return;
            }
            set_key(&mut entry, place_of_need::<K>(count), needed);
            attackers |= u64::from(attacker_moves) << count;
            count += 1;
        }
        // Never 0, which marks an empty line: an unconditional result does not belong here.
        entry[width::<K>()] = attackers << 8 | count as u64;
        self.line(key).update(|words| *words = entry);
    }

    /// Whether the attacker is to move in a position, and what its disproof needs, if there is one.
    pub(crate) fn get(&self, key: K) -> Option<(bool, impl Iterator<Item = Needed<K>>)> {
        let words = self.line(key).read();
        let data = words[width::<K>()];
        let count = (data & 0xff) as usize;
        let attacker_moves = move |i: usize| data >> (8 + i) & 1 == 1;
        (count > 0 && key_at::<K>(&words, 0) == key).then(|| {
            let needs = (0..count)
                .map(move |i| (key_at(&words, place_of_need::<K>(i)), attacker_moves(i)));
            (attacker_moves(most_needs::<K>()), needs)
        })
    }
}

/// Needs follow the key and the data.
const fn place_of_need<K: Key>(need: usize) -> usize {
    width::<K>() * (need + 1) + 1
}

fn set_key<K: Key>(words: &mut [u64; WORDS], place: usize, key: K) {
    words[place..place + width::<K>()].copy_from_slice(&key.words()[..width::<K>()]);
}

fn key_at<K: Key>(words: &[u64; WORDS], place: usize) -> K {
    let mut key = [0; 2];
    key[..width::<K>()].copy_from_slice(&words[place..place + width::<K>()]);
    K::from_words(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keeps_what_fits<K: Key>(key: impl Fn(u64) -> K) {
        let table = Conditional::<K>::new(1 << 16).expect("memory");
        let all: Vec<Needed<K>> = (1..40).map(|i| (key(i), i % 3 == 0)).collect();
        let most = most_needs::<K>();
        assert!((6..=13).contains(&most));
        for count in 1..=most {
            for attacker_moves in [false, true] {
                table.put((key(0), attacker_moves), all[..count].iter().copied());
                let (moves, needs) = table.get(key(0)).expect("kept");
                assert_eq!(moves, attacker_moves);
                assert!(needs.eq(all[..count].iter().copied()));
            }
        }
        // More does not fit, and what was there before stays.
        table.put((key(0), true), all.iter().copied());
        assert_eq!(table.get(key(0)).map(|(_, needs)| needs.count()), Some(most));
        assert!(table.get(key(1)).is_none());
    }

    #[test]
    fn entries_keep_their_needs() {
        keeps_what_fits(|i| i * 11);
        keeps_what_fits(|i| u128::from(i * 11) << 60 | 5);
    }

    /// In a table of one line, the last one stays.
    #[test]
    fn entries_are_found_by_their_whole_key() {
        let table = Conditional::<u64>::new(0).expect("memory");
        assert!(table.get(0).is_none());
        for key in 0..10 {
            table.put((key, false), [(key + 1, true)].into_iter());
            let found = (0..10).filter(|&other| table.get(other).is_some());
            assert!(found.eq([key]));
        }
    }
}
