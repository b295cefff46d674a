//! Tables of positions with exact keys, shared by all threads.
//!
//! An entry holds the whole key, so a hit is never another position. Solved positions and working
//! numbers share the lines: a position has one or the other, so a probe reads one cache line.

mod line;
mod memory;

pub use line::Line;
pub(crate) use memory::Lines;
pub(crate) use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use papamu_base::memory::OutOfMemory;
use papamu_game::Key;

use crate::numbers::Numbers;

/// A table that grows up to a fixed size. When a line is full, the entry with the least work in it
/// is replaced; results are kept longer than numbers. When half as many entries as there are lines
/// have been lost, the table grows.
///
/// It begins small because fresh memory is expensive: the system clears each page on first use,
/// which for a gigabyte can take longer than solving 6x6 Konane several times.
pub struct Table<K> {
    lines: Lines<WORDS>,
    /// The number of lines in use.
    used: AtomicUsize,
    /// Entries lost to full lines since the table last grew. It has a cache line of its own,
    /// because it changes often and its neighbours are read by every probe.
    lost: Padded,
    growing: AtomicBool,
    _key: std::marker::PhantomData<fn(K)>,
}

#[repr(align(64))]
struct Padded(AtomicUsize);

/// Words of a line.
const WORDS: usize = 6;

#[cfg(not(loom))]
const _: () = assert!(size_of::<Line<WORDS>>() == 64, "a line is a cache line");

/// Lines of a new table: a megabyte.
const FIRST_LINES: usize = 1 << 14;
const GROWTH: usize = 2;

/// Entries of a line: a key of one or two words and a word of data.
const fn entries<K: Key>() -> usize {
    if K::ONE_WORD { 3 } else { 2 }
}

impl<K: Key> Table<K> {
    /// An empty table of at most that many bytes. The system provides the memory when it is
    /// first used.
    pub fn new(bytes: usize) -> Result<Table<K>, OutOfMemory> {
        let most = (bytes / size_of::<Line<WORDS>>()).max(1);
        Ok(Table {
            lines: Lines::new(most)?,
            used: AtomicUsize::new(most.min(FIRST_LINES)),
            lost: Padded(AtomicUsize::new(0)),
            growing: AtomicBool::new(false),
            _key: std::marker::PhantomData,
        })
    }

    /// The line that may hold a key.
    #[inline(always)]
    fn line(&self, key: K) -> &Line<WORDS> {
        let mixed = mixed(key);
        let used = self.used.load(Ordering::Relaxed);
        &self.lines[((u128::from(mixed) * used as u128) >> 64) as usize]
    }

    /// Asks the processor to fetch the line of a key that will be needed soon.
    #[inline(always)]
    pub fn prefetch(&self, key: K) {
        papamu_base::prefetch(self.line(key));
    }

    /// The data of a key.
    #[inline]
    pub fn get(&self, key: K) -> Option<Data> {
        let words = self.line(key).read();
        entry_of(&words, key).map(|entry| Data(words[data_word::<K>(entry)]))
    }

    /// The data of a solved position.
    #[inline]
    pub fn get_solved(&self, key: K) -> Option<Data> {
        self.get(key).filter(|data| data.is_solved())
    }

    /// Stores data for a key. A position that another thread has solved meanwhile stays solved. If
    /// the line is full, the entry with the least work is replaced and the others age, so that old
    /// work does not block the line forever.
    pub fn put(&self, key: K, data: Data) {
        debug_assert_ne!(data.0, 0, "0 marks a free entry");
        let lost = self.line(key).update(|words| {
            let mut lost = false;
            let own = entry_of(words, key);
            if let Some(slot) = own
                && Data(words[data_word::<K>(slot)]).is_solved()
                && (!data.is_solved() || data.is_provisional())
            {
                return false;
            }
            let slot = own.unwrap_or_else(|| {
                // Free entries first: work may have aged to nothing.
                let worth = |i: usize| {
                    let data = Data(words[data_word::<K>(i)]);
                    (data.0 != 0, data.worth())
                };
                let least = (0..entries::<K>()).min_by_key(|&i| worth(i)).unwrap_or(0);
                if words[data_word::<K>(least)] != 0 {
                    lost = true;
                    for i in (0..entries::<K>()).filter(|&i| i != least) {
                        let word = &mut words[data_word::<K>(i)];
                        *word = Data(*word).aged().0;
                    }
                }
                least
            });
            set_key(words, slot, key);
            words[data_word::<K>(slot)] = data.0;
            lost
        });
        if lost
            && self.lost.0.fetch_add(1, Ordering::Relaxed) > self.used.load(Ordering::Relaxed) / 2
        {
            self.grow();
        }
    }

    /// Forgets a key.
    pub(crate) fn remove(&self, key: K) {
        self.line(key).update(|words| {
            if let Some(slot) = entry_of(words, key) {
                words[data_word::<K>(slot)] = 0;
            }
        });
    }

    /// Takes more lines into use and moves the entries to their new places. Other threads go on; at
    /// worst they miss an entry that is being moved.
    #[cold]
    fn grow(&self) {
        let old = self.used.load(Ordering::Relaxed);
        let new = old.saturating_mul(GROWTH).min(self.lines.len());
        if new == old || self.growing.swap(true, Ordering::Acquire) {
            return;
        }
        self.used.store(new, Ordering::Relaxed);
        self.lost.0.store(0, Ordering::Relaxed);
        // An entry moves up or stays. Starting with the last line, none is moved twice.
        for line in self.lines[..old].iter().rev() {
            let words = line.update(|words| std::mem::replace(words, [0; WORDS]));
            for i in 0..entries::<K>() {
                let data = Data(words[data_word::<K>(i)]);
                if data.0 != 0 {
                    self.put(key_of::<K>(&words, i), data);
                }
            }
        }
        self.growing.store(false, Ordering::Release);
    }

    /// How many lines are in use.
    pub fn lines(&self) -> u64 {
        self.used.load(Ordering::Relaxed) as u64
    }

    /// The memory that these lines take.
    pub fn bytes(&self) -> usize {
        self.used.load(Ordering::Relaxed) * size_of::<Line<WORDS>>()
    }

    /// Takes that many lines of an empty table into use, as far as it has them, so that entries of
    /// a table of that size find their places again.
    pub(crate) fn set_lines(&self, lines: u64) {
        let most = self.lines.len();
        let wanted = usize::try_from(lines).unwrap_or(most).clamp(most.min(FIRST_LINES), most);
        self.used.store(wanted, Ordering::Relaxed);
    }

    /// All entries. Other threads may go on: each entry is read consistently.
    pub fn entries(&self) -> impl Iterator<Item = (K, Data)> {
        // While the table grows, entries move up, so the end is looked up again for each line.
        let in_use = self.lines.iter().enumerate().take_while(|&(i, _)| (i as u64) < self.lines());
        in_use.flat_map(|(_, line)| {
            let words = line.read();
            let all =
                (0..entries::<K>()).map(move |i| (key_of(&words, i), words[data_word::<K>(i)]));
            all.filter(|(_, data)| *data != 0).map(|(key, data)| (key, Data(data)))
        })
    }

    /// The share of all entries that are in use, estimated from a sample of the lines.
    pub fn fill(&self) -> f64 {
        const SAMPLE: usize = 1000;
        let in_use = self.used.load(Ordering::Relaxed);
        let in_use_share = in_use as f64 / self.lines.len() as f64;
        let (mut used, mut all) = (0, 0);
        for line in self.lines[..in_use].iter().step_by((in_use / SAMPLE).max(1)) {
            let words = line.read();
            used += (0..entries::<K>()).filter(|&i| words[data_word::<K>(i)] != 0).count();
            all += entries::<K>();
        }
        f64::from(used as u32) / f64::from(all as u32) * in_use_share
    }
}

/// A hash of a key. It need not be invertible: entries keep the whole key.
#[inline(always)]
pub(crate) fn mixed<K: Key>(key: K) -> u64 {
    let [low, high] = key.words();
    // Both halves of a product depend on all bits of the key. To fold the words of a key into one
    // before that would send positions to one line in which two stones stand elsewhere.
    let product =
        u128::from(low ^ 0x243f_6a88_85a3_08d3) * u128::from(high ^ 0x9e37_79b9_7f4a_7c15);
    (product >> 64) as u64 ^ product as u64
}

#[inline(always)]
fn entry_of<K: Key>(words: &[u64; WORDS], key: K) -> Option<usize> {
    (0..entries::<K>()).find(|&i| is_entry_of(words, i, key))
}

#[inline(always)]
fn data_word<K: Key>(entry: usize) -> usize {
    if K::ONE_WORD { 2 * entry + 1 } else { 3 * entry + 2 }
}

#[inline(always)]
fn is_entry_of<K: Key>(words: &[u64; WORDS], entry: usize, key: K) -> bool {
    let [low, high] = key.words();
    let data = data_word::<K>(entry);
    words[data] != 0
        && if K::ONE_WORD {
            words[data - 1] == low
        } else {
            words[data - 2] == low && words[data - 1] == high
        }
}

fn key_of<K: Key>(words: &[u64; WORDS], entry: usize) -> K {
    let data = data_word::<K>(entry);
    if K::ONE_WORD {
        K::from_words([words[data - 1], 0])
    } else {
        K::from_words([words[data - 2], words[data - 1]])
    }
}

#[inline(always)]
fn set_key<K: Key>(words: &mut [u64; WORDS], entry: usize, key: K) {
    let [low, high] = key.words();
    let data = data_word::<K>(entry);
    if K::ONE_WORD {
        words[data - 1] = low;
    } else {
        (words[data - 2], words[data - 1]) = (low, high);
    }
}

/// What a table knows about a position: its numbers and their work.
///
/// 24 bits phi, 24 bits delta, 16 bits work; a solved position has 0 in one of the first two, and 1
/// in the other, or 2 if the result is provisional.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data(u64);

impl Data {
    /// Packs numbers and work.
    #[inline]
    pub fn new(numbers: Numbers, work: u64) -> Data {
        let (phi, delta) = match numbers.solved() {
            Some(true) => (0, 1),
            Some(false) => (1, 0),
            None => (numbers.phi, numbers.delta),
        };
        Data(u64::from(phi) << 40 | u64::from(delta) << 16 | work_code(work))
    }

    /// A result that may be false: a disproof that rests on the path on which it was found.
    pub(crate) fn provisional(numbers: Numbers, work: u64) -> Data {
        let (phi, delta) = if numbers.solved() == Some(true) { (0, 2) } else { (2, 0) };
        Data(phi << 40 | delta << 16 | work_code(work))
    }

    /// Whether it is a result that may be false.
    #[inline]
    pub(crate) fn is_provisional(self) -> bool {
        matches!((self.0 >> 40, self.0 >> 16 & 0xff_ffff), (0, 2) | (2, 0))
    }

    /// The word as it is stored.
    pub fn to_word(self) -> u64 {
        self.0
    }

    /// A word that was stored; `None` for 0, which marks a free entry.
    pub fn from_word(word: u64) -> Option<Data> {
        (word != 0).then_some(Data(word))
    }

    /// Packs other data of up to 48 bits, neither half of which is 0, and its work.
    pub(crate) fn from_parts(payload: u64, work: u64) -> Data {
        Data(payload << 16 | work_code(work))
    }

    /// What was packed by [`Data::from_parts`].
    pub(crate) fn payload(self) -> u64 {
        self.0 >> 16
    }

    /// The numbers.
    #[inline]
    pub fn numbers(self) -> Numbers {
        let (phi, delta) = ((self.0 >> 40) as u32, (self.0 >> 16) as u32 & 0xff_ffff);
        match (phi, delta) {
            (0, _) => Numbers::WON,
            (_, 0) => Numbers::LOST,
            _ => Numbers { phi, delta },
        }
    }

    /// The work, rounded to seven bits.
    pub fn work(self) -> u64 {
        f32::from_bits((self.work_code() as u32) << 16) as u64
    }

    #[inline]
    fn work_code(self) -> u64 {
        self.0 & 0xffff
    }

    /// Whether the position is solved. No other packed data looks like that.
    #[inline]
    pub fn is_solved(self) -> bool {
        self.0 >> 40 == 0 || self.0 >> 16 & 0xff_ffff == 0
    }

    /// The value of keeping an entry: its work, and eight times that for results. The numbers above
    /// a result are easily found again with its help.
    #[inline]
    fn worth(self) -> u64 {
        // The exponent begins at bit 7.
        self.work_code() + if self.is_solved() { 3 << 7 } else { 0 }
    }

    /// The same data with an eighth of its work removed, and at least 1.
    fn aged(self) -> Data {
        if self.0 == 0 {
            return self;
        }
        let lost = (self.work() / 8).max(1);
        Data(self.0 & !0xffff | work_code(self.work().saturating_sub(lost)))
    }
}

/// The upper half of a floating-point number keeps the order of sizes in 16 bits.
#[inline]
fn work_code(work: u64) -> u64 {
    u64::from((work as f32).to_bits() >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_keeps_numbers() {
        for numbers in [
            Numbers::WON,
            Numbers::LOST,
            Numbers::unsolved(1, 1),
            Numbers::unsolved(u32::MAX, 7),
            Numbers::unsolved(7, u32::MAX),
        ] {
            for work in [0, 1, 1000, u64::MAX] {
                assert_eq!(Data::new(numbers, work).numbers(), numbers);
            }
        }
        assert!(
            Data::new(Numbers::WON, 100).work_code() < Data::new(Numbers::WON, 101).work_code()
        );
    }

    /// Positions that differ in a stone of each side go to different lines.
    #[test]
    fn both_words_of_a_key_count() {
        let keys = (0..64).flat_map(|i| (0..64).map(move |j| 1_u128 << i | 1_u128 << (64 + j)));
        let places: std::collections::HashSet<u64> = keys.map(|key| mixed(key) >> 32).collect();
        assert!(places.len() > 4090, "{} places of 4096 keys", places.len());
    }

    fn distinguishes<K: Key>(key: impl Fn(u64) -> K) {
        let table = Table::<K>::new(1 << 16).expect("memory");
        for i in 0..300 {
            table.put(key(i), Data::new(Numbers::unsolved(i as u32 + 1, 5), 10));
        }
        let mut found = 0;
        for i in 0..1000 {
            if let Some(data) = table.get(key(i)) {
                assert_eq!(data.numbers().phi, i as u32 + 1);
                found += 1;
            }
        }
        assert!(found > 250, "{found}");
        // A solved position stays solved.
        table.put(key(7), Data::new(Numbers::WON, 1));
        table.put(key(7), Data::new(Numbers::unsolved(3, 4), 1000));
        assert_eq!(table.get_solved(key(7)).map(Data::numbers), Some(Numbers::WON));
        table.put(key(8), Data::new(Numbers::unsolved(3, 4), 1000));
        assert_eq!(table.get_solved(key(8)), None);
    }

    #[test]
    fn entries_are_found_by_their_whole_key() {
        distinguishes(|i| i);
        distinguishes(|i| u128::from(i) << 70 | 3);
    }

    /// In a table of one line, the entry with the most work survives.
    #[test]
    fn least_work_goes_first() {
        let table = Table::<u64>::new(64).expect("memory");
        table.put(1, Data::new(Numbers::unsolved(1, 1), 1_000_000));
        for key in 2..10 {
            table.put(key, Data::new(Numbers::unsolved(1, 1), 1));
        }
        assert!(table.get(1).is_some());
        // But not forever.
        for key in 10..1000 {
            table.put(key, Data::new(Numbers::unsolved(1, 1), 100));
        }
        assert!(table.get(1).is_none());
    }
}
