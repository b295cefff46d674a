//! Keeps the threads of a df-pn search apart.
//!
//! Every thread marks the positions that it is in. When a thread chooses a child, it raises the
//! delta of children in which other threads are, so that the next best child gets its turn. The
//! marks are counters chosen by a hash. Positions that share a counter look busier than they are,
//! which changes only the order of the search.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use papamu_game::Key;

use crate::numbers::Numbers;
use crate::table::mixed;

/// A power of two, large enough that the paths of many threads hardly ever share a counter.
const COUNTERS: usize = 1 << 16;

/// The positions of the threads, and how often one of them solved a position with others below it.
pub(crate) struct Crowd {
    threads_in: Vec<AtomicU8>,
    solved_events: AtomicU64,
}

impl Crowd {
    pub(crate) fn new() -> Crowd {
        Crowd {
            threads_in: (0..COUNTERS).map(|_| AtomicU8::new(0)).collect(),
            solved_events: AtomicU64::new(0),
        }
    }

    #[inline]
    fn counter<K: Key>(&self, key: K) -> &AtomicU8 {
        &self.threads_in[(mixed(key) >> 48) as usize % COUNTERS]
    }

    /// A thread begins to search a position.
    #[inline]
    pub(crate) fn enter<K: Key>(&self, key: K) {
        self.counter(key).fetch_add(1, Ordering::Relaxed);
    }

    /// A thread ends the search of a position. If the position is solved and other threads are
    /// still below it, they are told to check their paths.
    #[inline]
    pub(crate) fn leave<K: Key>(&self, key: K, solved: bool) {
        let before = self.counter(key).fetch_sub(1, Ordering::Relaxed);
        if solved && before > 1 {
            self.solved_events.fetch_add(1, Ordering::Release);
        }
    }

    /// The number of threads in a position.
    #[inline]
    pub(crate) fn at<K: Key>(&self, key: K) -> u32 {
        u32::from(self.counter(key).load(Ordering::Relaxed))
    }

    /// Changes whenever a position with several threads in it is solved.
    #[inline]
    pub(crate) fn solved_events(&self) -> u64 {
        self.solved_events.load(Ordering::Acquire)
    }

    /// The delta of a child as a choosing thread sees it: raised for every thread in the child.
    /// `parent` has the numbers of the position.
    ///
    /// If the position looks lost, all its children have to be refuted in the end, so threads may
    /// well take different ones: each thread raises delta by its own size. Otherwise one child
    /// decides and all but the best are a gamble, so only ties are broken.
    #[inline]
    pub(crate) fn virtual_delta<K: Key>(&self, key: K, delta: u32, parent: Numbers) -> u32 {
        let weight = if parent.phi >= parent.delta { delta } else { 1 };
        delta.saturating_add(self.at(key).saturating_mul(weight))
    }
}
