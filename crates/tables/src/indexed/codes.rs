//! The values of a class while it is solved: two bits for each entry, shared by all threads.

use std::ops::AddAssign;
use std::sync::atomic::Ordering;

use papamu_base::memory::OutOfMemory;
use papamu_base::{AtomicWords, pext};
use papamu_game::Value;
use rayon::prelude::*;

/// What is known about an entry. An entry is decided by setting bits that were clear, which threads
/// can do at the same time: nobody decides it in two ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Code {
    /// Not decided yet; in the end, a draw.
    Draw = 0,
    Loss = 1,
    Win = 2,
    /// The entry stands for no position.
    Nothing = 3,
}

impl Code {
    /// The code in the low two bits.
    #[inline]
    pub(crate) fn from_bits(bits: u64) -> Code {
        match bits & 3 {
            0 => Code::Draw,
            1 => Code::Loss,
            2 => Code::Win,
            _ => Code::Nothing,
        }
    }

    /// The value of a position.
    #[inline]
    pub(crate) fn value(self) -> Option<Value> {
        match self {
            Code::Draw => Some(Value::Draw),
            Code::Loss => Some(Value::Loss),
            Code::Win => Some(Value::Win),
            Code::Nothing => None,
        }
    }
}

impl From<Value> for Code {
    fn from(value: Value) -> Code {
        match value {
            Value::Loss => Code::Loss,
            Value::Draw => Code::Draw,
            Value::Win => Code::Win,
        }
    }
}

/// The bits of an entry.
pub(crate) const BITS: u32 = 2;
/// The entries of a word.
pub(crate) const PER_WORD: u64 = 32;
/// The low bit of each entry.
const LOW_BITS: u64 = 0x5555_5555_5555_5555;

/// The low bits of all entries side by side.
fn every_second(word: u64) -> u64 {
    (0..PER_WORD).fold(0, |bits, i| bits | (word >> (2 * i) & 1) << i)
}

/// The values of a class.
pub(crate) struct Codes {
    words: AtomicWords,
    entries: u64,
}

impl Codes {
    /// All of them undecided.
    pub(crate) fn new(entries: u64) -> Result<Codes, OutOfMemory> {
        Ok(Codes { words: AtomicWords::new(entries.div_ceil(PER_WORD) as usize)?, entries })
    }

    pub(crate) fn entries(&self) -> u64 {
        self.entries
    }

    /// The words, the entries in ascending order from the low bits of the first one on.
    pub(crate) fn words(&self) -> &AtomicWords {
        &self.words
    }

    // All accesses are relaxed: codes guard no other memory, and a thread that must see what
    // others decided learns of it by a mark, or begins after all have ended.

    #[inline]
    pub(crate) fn get(&self, index: u64) -> Code {
        let word = self.words[(index / PER_WORD) as usize].load(Ordering::Relaxed);
        Code::from_bits(word >> (index % PER_WORD * 2))
    }

    /// Decides an entry; whether it was undecided.
    #[inline]
    pub(crate) fn decide(&self, index: u64, code: Code) -> bool {
        let (word, shift) = (&self.words[(index / PER_WORD) as usize], index % PER_WORD * 2);
        // Most have been decided before, which a load finds out without owning the cache line.
        if word.load(Ordering::Relaxed) >> shift & 3 != 0 {
            return false;
        }
        word.fetch_or((code as u64) << shift, Ordering::Relaxed) >> shift & 3 == 0
    }

    /// Marks all wins.
    pub(crate) fn mark_wins(&self, marks: &Marks) {
        self.words.par_iter().enumerate().for_each(|(i, word)| {
            let word = word.load(Ordering::Relaxed);
            let wins = word >> 1 & !word & LOW_BITS;
            marks.set_from(i as u64 * PER_WORD, pext(wins, LOW_BITS, || every_second(wins)));
        });
    }

    /// Counts the values of all entries.
    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for (word, first) in self.words.iter().zip((0..).step_by(PER_WORD as usize)) {
            counts.add_word(word.load(Ordering::Relaxed), self.entries - first);
        }
        counts
    }
}

/// Numbers of positions by their values for the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won positions.
    pub wins: u64,
    /// Drawn positions.
    pub draws: u64,
    /// Lost positions.
    pub losses: u64,
}

impl Counts {
    /// All positions.
    pub fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// One more position.
    pub(crate) fn add_value(&mut self, value: Value) {
        match value {
            Value::Win => self.wins += 1,
            Value::Draw => self.draws += 1,
            Value::Loss => self.losses += 1,
        }
    }

    /// The entries of a word, of which there are so many.
    fn add_word(&mut self, word: u64, entries: u64) {
        let valid = match entries >= PER_WORD {
            true => LOW_BITS,
            false => LOW_BITS & ((1 << (2 * entries)) - 1),
        };
        let (low, high) = (word & valid, word >> 1 & valid);
        self.wins += u64::from((high & !low).count_ones());
        self.losses += u64::from((low & !high).count_ones());
        self.draws += u64::from((valid & !low & !high).count_ones());
    }

    /// Counts entries in the bytes of a file.
    pub(crate) fn of_bytes(bytes: &[u8], entries: u64) -> Counts {
        let mut counts = Counts::default();
        let words = bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
        for (word, first) in words.zip((0..).step_by(PER_WORD as usize)) {
            counts.add_word(word, entries - first);
        }
        counts
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// A bit for each entry of a class: work that is waiting. Going through it in the order of the
/// entries stays in the caches, since moves of one side lead to nearby entries; a queue would not,
/// and would take 64 times the memory.
pub(crate) struct Marks(AtomicWords);

impl Marks {
    pub(crate) fn new(entries: u64) -> Result<Marks, OutOfMemory> {
        Ok(Marks(AtomicWords::new(entries.div_ceil(64) as usize)?))
    }

    pub(crate) fn words(&self) -> &AtomicWords {
        &self.0
    }

    /// Marks 32 entries from a multiple of 32 on, where there are bits.
    #[inline]
    pub(crate) fn set_from(&self, first: u64, bits: u64) {
        // Two words of codes share one of marks.
        self.0[(first / 64) as usize].fetch_or(bits << (first % 64), Ordering::Release);
    }

    /// Takes all marks away.
    pub(crate) fn clear(&self) {
        self.0.par_iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }

    /// Marks an entry. What was written before is seen by whoever takes the mark.
    #[inline]
    pub(crate) fn set(&self, index: u64) {
        let (word, bit) = (&self.0[(index / 64) as usize], 1 << (index % 64));
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_decided_once() {
        let codes = Codes::new(70).expect("memory");
        assert!(codes.decide(69, Code::Win) && !codes.decide(69, Code::Win));
        assert!(codes.decide(0, Code::Loss) && codes.decide(33, Code::Nothing));
        assert_eq!(
            [69, 0, 33, 1].map(|i| codes.get(i)),
            [Code::Win, Code::Loss, Code::Nothing, Code::Draw]
        );
        let counts = Counts { wins: 1, losses: 1, draws: 67 };
        assert_eq!(codes.counts(), counts);
        let bytes: Vec<u8> = codes
            .words()
            .iter()
            .flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes())
            .collect();
        assert_eq!(Counts::of_bytes(&bytes, 70), counts);
    }
}
