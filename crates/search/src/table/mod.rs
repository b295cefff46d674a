//! Tables of positions with exact keys, shared by all threads.
//!
//! An entry holds the whole key, so a hit is never another position. Solved positions and working
//! numbers live in tables of their own: numbers come and go by the million, results stay.

mod line;
mod memory;

pub use line::{Line, WORDS};

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use papamu_game::Key;
use papamu_game::memory::OutOfMemory;

use crate::numbers::Numbers;
use memory::Lines;

/// A table that grows up to a fixed size. When a line is full, it forgets what took the least work
/// there; when it has forgotten as many entries as it has blocks, it grows.
///
/// It begins small because fresh memory is dear: the system clears each page when it is first
/// used, which for a gigabyte can take longer than solving 6x6 Konane several times.
pub struct Table<K> {
    blocks: Arc<Blocks>,
    /// Which line of a block belongs to this table.
    lane: usize,
    _key: std::marker::PhantomData<fn(K)>,
}

/// The memory of one table, or of two that are asked for the same keys: a block has a line for
/// each, side by side, so that both probes go to the same page and pay for one address translation.
struct Blocks {
    lines: Lines,
    /// Lines per block.
    lanes: usize,
    /// How many blocks are in use.
    used: AtomicUsize,
    /// Entries lost to full lines since the blocks grew last. In a cache line of its own: it changes
    /// often, what stands beside it is read with every probe.
    lost: Padded,
    growing: AtomicBool,
}

#[repr(align(64))]
struct Padded(AtomicUsize);

/// Blocks of a new table: half a megabyte for each lane.
const FIRST_BLOCKS: usize = 1 << 13;
const GROWTH: usize = 2;

/// Entries of a line: a key of one or two words and a word of data.
const fn entries<K: Key>() -> usize {
    if K::ONE_WORD { 3 } else { 2 }
}

impl Blocks {
    fn new(bytes: usize, lanes: usize) -> Result<Arc<Blocks>, OutOfMemory> {
        let blocks = (bytes / size_of::<Line>() / lanes).max(1);
        Ok(Arc::new(Blocks {
            lines: Lines::new(blocks * lanes)?,
            lanes,
            used: AtomicUsize::new(blocks.min(FIRST_BLOCKS)),
            lost: Padded(AtomicUsize::new(0)),
            growing: AtomicBool::new(false),
        }))
    }

    /// The number of the first line of the block that may hold a key.
    #[inline(always)]
    fn first_line<K: Key>(&self, key: K) -> usize {
        let [low, high] = key.words();
        // Both halves of a product depend on all bits of the key. It needs not be reversible: the
        // entry keeps the whole key.
        let product = u128::from(low ^ high.rotate_left(29) ^ 0x243f_6a88_85a3_08d3)
            * u128::from(0x9e37_79b9_7f4a_7c15_u64);
        let mixed = (product >> 64) as u64 ^ product as u64;
        let used = self.used.load(Ordering::Relaxed);
        let block = (u128::from(mixed) * used as u128) >> 64;
        block as usize * self.lanes
    }

    fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    fn most(&self) -> usize {
        self.lines.len() / self.lanes
    }
}

impl<K: Key> Table<K> {
    /// An empty table that takes at most so many bytes. The system provides the memory when it is
    /// first used.
    pub fn new(bytes: usize) -> Result<Table<K>, OutOfMemory> {
        Ok(Table::in_lane(Blocks::new(bytes, 1)?, 0))
    }

    /// Two empty tables for the same keys that share so many bytes.
    pub fn pair(bytes: usize) -> Result<[Table<K>; 2], OutOfMemory> {
        let blocks = Blocks::new(bytes, 2)?;
        Ok([Table::in_lane(blocks.clone(), 0), Table::in_lane(blocks, 1)])
    }

    fn in_lane(blocks: Arc<Blocks>, lane: usize) -> Table<K> {
        Table { blocks, lane, _key: std::marker::PhantomData }
    }

    #[inline(always)]
    fn line(&self, key: K) -> &Line {
        &self.blocks.lines[self.blocks.first_line(key) + self.lane]
    }

    /// Asks the processor to fetch the lines of a key that will be needed soon, of this table and
    /// of the other one of a pair.
    #[inline(always)]
    pub fn prefetch(&self, key: K) {
        let first = self.blocks.first_line(key);
        for line in &self.blocks.lines[first..first + self.blocks.lanes] {
            crate::prefetch::prefetch(line);
        }
    }

    /// The data of a key; 0 is no data.
    #[inline]
    pub fn get(&self, key: K) -> Option<Data> {
        find(self.line(key), key)
    }

    /// The data of a key in this table, or else in the other one of a pair.
    #[inline]
    pub fn get_or_in(&self, other: &Table<K>, key: K) -> Option<Data> {
        debug_assert!(Arc::ptr_eq(&self.blocks, &other.blocks), "tables of a pair");
        let first = self.blocks.first_line(key);
        let lines = &self.blocks.lines;
        find(&lines[first + self.lane], key).or_else(|| find(&lines[first + other.lane], key))
    }

    /// Remembers data for a key. If the line is full, the entry with the least work goes; the
    /// others age, so that work done long ago does not block the line for ever.
    pub fn put(&self, key: K, data: Data) {
        debug_assert_ne!(data.0, 0, "0 marks a free entry");
        let lost = self.line(key).update(|words| {
            let mut lost = false;
            let own = entry_of(words, key);
            let slot = own.unwrap_or_else(|| {
                // Free entries first: work may have aged to nothing.
                let worth = |i: usize| {
                    let data = Data(words[data_word::<K>(i)]);
                    (data.0 != 0, data.work_code())
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
        let blocks = &*self.blocks;
        if lost
            && blocks.lost.0.fetch_add(1, Ordering::Relaxed) > blocks.used.load(Ordering::Relaxed)
        {
            self.grow();
        }
    }

    /// Takes more blocks into use and moves the entries to their new places. Other threads go on:
    /// at worst they miss an entry on its way.
    #[cold]
    fn grow(&self) {
        let blocks = &*self.blocks;
        let old = blocks.used.load(Ordering::Relaxed);
        let new = old.saturating_mul(GROWTH).min(blocks.lines.len() / blocks.lanes);
        if new == old || blocks.growing.swap(true, Ordering::Acquire) {
            return;
        }
        blocks.used.store(new, Ordering::Relaxed);
        blocks.lost.0.store(0, Ordering::Relaxed);
        let lanes: Vec<Table<K>> =
            (0..blocks.lanes).map(|lane| Table::in_lane(self.blocks.clone(), lane)).collect();
        // An entry moves up or stays, so nothing is moved twice if the last line goes first.
        for (i, line) in blocks.lines[..old * blocks.lanes].iter().enumerate().rev() {
            let table = &lanes[i % blocks.lanes];
            let words = line.update(|words| std::mem::replace(words, [0; WORDS]));
            for i in 0..entries::<K>() {
                let data = Data(words[data_word::<K>(i)]);
                if data.0 != 0 {
                    table.put(key_of::<K>(&words, i), data);
                }
            }
        }
        blocks.growing.store(false, Ordering::Release);
    }

    /// How many blocks are in use.
    pub fn blocks(&self) -> u64 {
        self.blocks.used() as u64
    }

    /// Takes that many blocks of an empty table into use, as far as there are so many: entries that
    /// come from a table of that size find their places again.
    pub(crate) fn set_blocks(&self, blocks: u64) {
        let most = self.blocks.most();
        let wanted = usize::try_from(blocks).unwrap_or(most).clamp(most.min(FIRST_BLOCKS), most);
        self.blocks.used.store(wanted, Ordering::Relaxed);
    }

    /// Forgets a key.
    pub fn remove(&self, key: K) {
        self.line(key).update(|words| {
            if let Some(entry) = entry_of(words, key) {
                words[data_word::<K>(entry)] = 0;
            }
        });
    }

    /// All entries. Other threads may go on: each entry is read whole.
    pub fn entries(&self) -> impl Iterator<Item = (K, Data)> {
        // While the table grows, entries move up: the end is looked up again for each block.
        let blocks = &*self.blocks;
        let in_use = (0..blocks.most()).take_while(|&block| block < blocks.used());
        in_use.flat_map(|block| {
            let words = blocks.lines[block * blocks.lanes + self.lane].read();
            let all =
                (0..entries::<K>()).map(move |i| (key_of(&words, i), words[data_word::<K>(i)]));
            all.filter(|(_, data)| *data != 0).map(|(key, data)| (key, Data(data)))
        })
    }

    /// The share of all possible entries that are in use, estimated from some of the lines.
    pub fn fill(&self) -> f64 {
        const SAMPLE: usize = 1000;
        let blocks = &*self.blocks;
        let in_use_share = blocks.used() as f64 / blocks.most() as f64;
        let step = (blocks.used() / SAMPLE).max(1);
        let (mut used, mut all) = (0, 0);
        for block in (0..blocks.used()).step_by(step) {
            let words = blocks.lines[block * blocks.lanes + self.lane].read();
            used += (0..entries::<K>()).filter(|&i| words[data_word::<K>(i)] != 0).count();
            all += entries::<K>();
        }
        f64::from(used as u32) / f64::from(all as u32) * in_use_share
    }
}

#[inline(always)]
fn find<K: Key>(line: &Line, key: K) -> Option<Data> {
    let words = line.read();
    entry_of(&words, key).map(|entry| Data(words[data_word::<K>(entry)]))
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

/// What a table knows about a position: its numbers and the work they took.
///
/// 24 bits phi, 24 bits delta, 16 bits work; a solved position has 0 in one of the first two.
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

    /// The word as it is stored.
    pub fn to_word(self) -> u64 {
        self.0
    }

    /// A word that was stored; `None` for 0, which marks a free entry.
    pub fn from_word(word: u64) -> Option<Data> {
        (word != 0).then_some(Data(word))
    }

    /// Packs anything else of up to 48 bits that are not all 0, and the work it took.
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

    /// The same with an eighth of the work taken away, or one.
    fn aged(self) -> Data {
        if self.0 == 0 {
            return self;
        }
        let lost = (self.work() / 8).max(1);
        Data(self.0 & !0xffff | work_code(self.work().saturating_sub(lost)))
    }
}

/// The upper half of a floating point number keeps the order of sizes in 16 bits.
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
        table.remove(key(7));
        assert_eq!(table.get(key(7)), None);
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
        // But not for ever.
        for key in 10..1000 {
            table.put(key, Data::new(Numbers::unsolved(1, 1), 100));
        }
        assert!(table.get(1).is_none());
    }
}
