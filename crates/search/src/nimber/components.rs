//! The components of positions that searches with nimbers have met, shared by all threads.
//!
//! A component is numbered when it is first met. Everything that a search asks about it fits into
//! one cache line: its nimber, the nimbers that it cannot have, the numbers of the couples
//! component + *n that are being searched, and the place of its options. Options are made once, as
//! lists of component numbers, so most of the work of a search is on integers.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use hashbrown::HashMap;
use papamu_base::AtomicWords;
use papamu_game::Value;
use papamu_game::sums::{Sums, TooManyOptions};
use parking_lot::Mutex;

use super::codes::{Codes, Place, Wanted};
use super::lists::Lists;
use super::maker::Maker;
use crate::numbers::Numbers;

/// The number of a component.
pub(super) type ComponentId = u32;

/// Marks the last component of an option.
const LAST: u32 = 1 << 31;
/// An option without components.
const NOTHING: u32 = u32::MAX;
/// The options were not made yet.
const UNMADE: u32 = 0;

/// Why a search cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Halt {
    /// It was asked to stop.
    #[error("interrupted")]
    Stopped,
    /// Its time slice is over; it may be resumed.
    #[error("paused")]
    Paused,
    /// The memory is full.
    #[error("the memory is full")]
    Memory,
    /// A component has more options than can be made.
    #[error("a component of a position that came up has millions of options")]
    TooManyOptions,
    /// A nimber is larger than can be stored.
    #[error("a nimber above {MOST_NIMBER} came up")]
    NimberTooLarge,
    /// A component has two nimbers: some nimbers from a file are false.
    #[error("the nimbers that are known contradict each other")]
    Contradiction,
    /// The algorithm has no version with nimbers.
    #[error("there is no such search with nimbers")]
    NoSuchSearch,
}

impl From<TooManyOptions> for Halt {
    fn from(_: TooManyOptions) -> Halt {
        Halt::TooManyOptions
    }
}

/// The largest nimber that is stored.
pub const MOST_NIMBER: u32 = 63;
/// One bit for each nimber that a component is known not to have.
const EXCLUDED_BITS: u32 = MOST_NIMBER + 1;

/// The words of a record.
const WORDS: usize = 8;

/// All that is known about a component, in one cache line.
///
/// ```text
/// 0     where its code is
/// 1     bit n is set if the nimber is not n
/// 2-5   numbers of the couples with *0 to *3
/// 6     its weight, and above it where its options are
/// 7     one more than the nimber, 0 if that is unknown; above it how many threads search it
/// ```
#[derive(Clone, Copy)]
pub(super) struct Record<'a>(&'a [AtomicU64; WORDS]);

const CODE: usize = 0;
const EXCLUDED: usize = 1;
const COUPLES: std::ops::Range<usize> = 2..6;
const WEIGHT_AND_OPTIONS: usize = 6;
const NIMBER_AND_THREADS: usize = 7;
const HALF: u32 = 32;

/// The largest number of an undecided couple.
pub(super) const LARGEST: u32 = (1 << 31) - 1;

/// What is known about the couple of a component and a heap of Nim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Couple {
    /// Whether the player to move wins.
    Decided(bool),
    /// Its numbers, if it was searched before and they were not forgotten.
    Open(Option<Numbers>),
}

impl Record<'_> {
    /// The nimber, if it is known.
    #[inline(always)]
    pub(super) fn nimber(self) -> Option<u32> {
        (self.0[NIMBER_AND_THREADS].load(Ordering::Relaxed) as u32 & 0xff).checked_sub(1)
    }

    #[inline(always)]
    pub(super) fn weight(self) -> u32 {
        self.0[WEIGHT_AND_OPTIONS].load(Ordering::Relaxed) as u32
    }

    /// Bit n is set if the nimber is not n.
    #[inline(always)]
    fn excluded(self) -> u64 {
        self.0[EXCLUDED].load(Ordering::Relaxed)
    }

    /// The least nimber that is not excluded.
    #[inline]
    pub(super) fn least_possible(self) -> u32 {
        self.excluded().trailing_ones()
    }

    /// Whether the player to move wins the component with *n, if that is known.
    #[inline(always)]
    pub(super) fn is_won(self, n: u32) -> Option<bool> {
        match self.nimber() {
            Some(nimber) => Some(nimber != n),
            None => (n < EXCLUDED_BITS && self.excluded() >> n & 1 != 0).then_some(true),
        }
    }

    /// The number of threads in the component.
    #[inline(always)]
    pub(super) fn threads(self) -> u32 {
        (self.0[NIMBER_AND_THREADS].load(Ordering::Relaxed) >> HALF) as u32
    }

    pub(super) fn enter(self) {
        self.0[NIMBER_AND_THREADS].fetch_add(1 << HALF, Ordering::Relaxed);
    }

    pub(super) fn leave(self) {
        self.0[NIMBER_AND_THREADS].fetch_sub(1 << HALF, Ordering::Relaxed);
    }
}

/// All components met so far.
pub(super) struct ComponentTable<'a> {
    sums: &'a dyn Sums,
    codes: Codes,
    records: AtomicWords,
    count: AtomicU32,
    /// Numbers of couples with larger heaps, which records have no room for. They are few.
    high_couples: Mutex<HashMap<(ComponentId, u32), u64>>,
    options: Lists,
    nimbers: AtomicUsize,
    bytes: AtomicUsize,
    memory_bytes: usize,
    is_halted: AtomicBool,
}

impl<'a> ComponentTable<'a> {
    pub(super) fn new(sums: &'a dyn Sums, memory_bytes: usize) -> Result<ComponentTable<'a>, Halt> {
        let table = ComponentTable {
            sums,
            codes: Codes::new(memory_bytes).map_err(|_| Halt::Memory)?,
            records: AtomicWords::reserve(memory_bytes / size_of::<u64>())
                .map_err(|_| Halt::Memory)?,
            count: AtomicU32::new(0),
            high_couples: Mutex::default(),
            options: Lists::default(),
            nimbers: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
            memory_bytes,
            is_halted: AtomicBool::new(false),
        };
        // Number 0 marks options that are not made yet.
        table.options.push(Box::default());
        Ok(table)
    }

    pub(super) fn sums(&self) -> &'a dyn Sums {
        self.sums
    }

    /// The couple of a component and *n.
    #[inline(always)]
    pub(super) fn couple(&self, component: ComponentId, n: u32) -> Couple {
        let record = self.record(component);
        if let Some(is_won) = record.is_won(n) {
            return Couple::Decided(is_won);
        }
        let word = match record.0[COUPLES].get(n as usize) {
            Some(word) => word.load(Ordering::Relaxed),
            None => self.high_couples.lock().get(&(component, n)).copied().unwrap_or(0),
        };
        let numbers = Numbers { phi: (word >> HALF) as u32, delta: word as u32 };
        Couple::Open((word != 0).then_some(numbers))
    }

    #[inline]
    pub(super) fn set_numbers(&self, component: ComponentId, n: u32, numbers: Numbers) {
        let word = u64::from(numbers.phi) << HALF | u64::from(numbers.delta);
        match self.record(component).0[COUPLES].get(n as usize) {
            Some(couple) => couple.store(word, Ordering::Relaxed),
            None => drop(self.high_couples.lock().insert((component, n), word)),
        }
    }

    #[inline(always)]
    pub(super) fn record(&self, component: ComponentId) -> Record<'_> {
        Record(&self.records.as_chunks().0[component as usize])
    }

    /// The number of known components.
    pub(super) fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed) as usize
    }

    /// The number of known nimbers.
    pub(super) fn nimbers(&self) -> usize {
        self.nimbers.load(Ordering::Relaxed)
    }

    /// Whether all threads have to stop because one of them cannot go on.
    pub(super) fn is_halted(&self) -> bool {
        self.is_halted.load(Ordering::Relaxed)
    }

    pub(super) fn set_halted(&self, is_halted: bool) {
        self.is_halted.store(is_halted, Ordering::Relaxed);
    }

    /// The share of the memory that is in use.
    pub(super) fn fill(&self) -> f64 {
        self.bytes.load(Ordering::Relaxed) as f64 / self.memory_bytes as f64
    }

    /// The nimber of a sum, if all of its components have one.
    pub(super) fn nimber_of(
        &self,
        components: impl IntoIterator<Item = ComponentId>,
    ) -> Option<u32> {
        components
            .into_iter()
            .try_fold(0, |sum, component| Some(sum ^ self.record(component).nimber()?))
    }

    /// The number of a component.
    pub(super) fn intern(&self, code: &[u8]) -> Result<ComponentId, Halt> {
        let mut wanted = [self.wanted(code, 0)];
        self.find(code, &mut wanted)?;
        Ok(wanted[0].id)
    }

    /// A code whose number is wanted: all bytes from `from` on.
    pub(super) fn wanted(&self, bytes: &[u8], from: usize) -> Wanted {
        self.codes.wanted(bytes, from)
    }

    /// Finds the numbers of components whose codes are among the given bytes.
    pub(super) fn find(&self, bytes: &[u8], wanted: &mut [Wanted]) -> Result<(), Halt> {
        self.codes.find_or_add(bytes, wanted, |code, place| self.number(code, place))
    }

    /// Numbers a new component.
    fn number(&self, code: &[u8], Place(place): Place) -> Result<ComponentId, Halt> {
        let component = self.count.fetch_add(1, Ordering::Relaxed);
        if component >= LAST - 1 || component as usize >= self.records.len() / WORDS {
            self.count.fetch_sub(1, Ordering::Relaxed);
            return Err(Halt::Memory);
        }
        if component.is_power_of_two() {
            let first = component as usize * WORDS;
            self.records.use_range(first, first.min(self.records.len() - first));
        }
        let record = self.record(component);
        record.0[CODE].store(place, Ordering::Relaxed);
        record.0[WEIGHT_AND_OPTIONS].store(self.sums.weight(code).into(), Ordering::Relaxed);
        self.bytes.fetch_add(WORDS * size_of::<u64>() + Codes::bytes_of(code), Ordering::Relaxed);
        Ok(component)
    }

    /// The code of a component.
    pub(super) fn code(&self, component: ComponentId) -> Vec<u8> {
        self.codes.code(Place(self.record(component).0[CODE].load(Ordering::Relaxed)))
    }

    /// The options of a component, if they were made.
    #[inline]
    pub(super) fn options(&self, component: ComponentId) -> Option<Options<'_>> {
        let index =
            (self.record(component).0[WEIGHT_AND_OPTIONS].load(Ordering::Acquire) >> HALF) as u32;
        (index != UNMADE).then(|| Options(self.options.get(index as usize)))
    }

    /// Makes the options of a component.
    pub(super) fn expand(
        &self,
        component: ComponentId,
        maker: &mut Maker,
    ) -> Result<Options<'_>, Halt> {
        if let Some(options) = self.options(component) {
            return Ok(options);
        }
        let code = self.code(component);
        let options = maker.options(self, &code)?;
        let bytes = size_of_val(&options[..]) + size_of::<Box<[u32]>>() + 16;
        let index = self.options.push(options).ok_or(Halt::Memory)?;
        let word = &self.record(component).0[WEIGHT_AND_OPTIONS];
        // Another thread may have made them meanwhile.
        let made = word.load(Ordering::Relaxed) & u64::from(u32::MAX) | (index as u64) << HALF;
        word.store(made, Ordering::Release);
        self.take(bytes)?;
        Ok(Options(self.options.get(index)))
    }

    /// Counts memory that is taken.
    pub(super) fn take(&self, bytes: usize) -> Result<(), Halt> {
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        if before + bytes > self.memory_bytes { Err(Halt::Memory) } else { Ok(()) }
    }

    /// Counts memory that is given back.
    pub(super) fn give_back(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// All components with known nimbers at this moment.
    pub(super) fn known(&self) -> impl Iterator<Item = (ComponentId, u32)> {
        let count = self.count() as ComponentId;
        (0..count).filter_map(|component| Some((component, self.record(component).nimber()?)))
    }

    /// Records whether the player to move wins a component with *n. Returns whether that is new.
    pub(super) fn decide(
        &self,
        component: ComponentId,
        n: u32,
        is_won: bool,
    ) -> Result<bool, Halt> {
        let record = self.record(component);
        if is_won {
            if n >= EXCLUDED_BITS {
                return Err(Halt::NimberTooLarge);
            }
            let before = record.0[EXCLUDED].fetch_or(1 << n, Ordering::Relaxed);
            return Ok(before >> n & 1 == 0);
        }
        self.set_nimber(component, n)
    }

    /// Records a nimber. Returns whether it is new.
    pub(super) fn set_nimber(&self, component: ComponentId, nimber: u32) -> Result<bool, Halt> {
        if nimber > MOST_NIMBER {
            return Err(Halt::NimberTooLarge);
        }
        let new = u64::from(nimber) + 1;
        let word = &self.record(component).0[NIMBER_AND_THREADS];
        let before = word.fetch_or(new, Ordering::Relaxed) & 0xff;
        // Every thread finds the same nimber, unless a nimber from a file is false.
        if before != 0 && before != new {
            return Err(Halt::Contradiction);
        }
        let is_news = before == 0;
        self.nimbers.fetch_add(usize::from(is_news), Ordering::Relaxed);
        Ok(is_news)
    }

    /// The value of a position without moves, in games without nimbers.
    pub(super) fn final_value(&self, component: ComponentId) -> Value {
        self.sums.final_value(&self.code(component))
    }
}

/// The options of a component, one after the other.
#[derive(Clone, Copy)]
pub(super) struct Options<'a>(&'a [u32]);

impl<'a> Options<'a> {
    /// Joins lists that have that many components in all.
    pub(super) fn join<'p>(
        lists: impl Iterator<Item = &'p [ComponentId]>,
        components: usize,
    ) -> Box<[u32]> {
        let mut options = Vec::with_capacity(components);
        for components in lists {
            options.extend_from_slice(components);
            match options.last_mut() {
                Some(last) if !components.is_empty() => *last |= LAST,
                _ => options.push(NOTHING),
            }
        }
        options.into_boxed_slice()
    }

    pub(super) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The number of options.
    pub(super) fn count(self) -> usize {
        self.0.iter().filter(|&&word| word & LAST != 0).count()
    }

    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = Components<'a>> {
        self.0.split_inclusive(|&word| word & LAST != 0).map(Components)
    }
}

/// The components of an option.
#[derive(Clone, Copy)]
pub(super) struct Components<'a>(&'a [u32]);

impl Components<'_> {
    #[inline(always)]
    pub(super) fn iter(self) -> impl Iterator<Item = ComponentId> {
        self.0.iter().filter(|&&word| word != NOTHING).map(|&word| word & !LAST)
    }
}
