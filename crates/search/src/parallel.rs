//! How the threads of one df-pn search keep out of each other's way.
//!
//! Every thread marks the positions it is in. To a thread that chooses a child, the delta of one
//! with others in it is raised, so that the next best child gets its turn. The marks are counters
//! chosen by a hash: positions that share one look busier than they are, which changes the order
//! of the search and nothing else.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use papamu_game::Key;

use crate::numbers::Numbers;

/// A power of two, large enough that the paths of many threads hardly ever share a counter.
const COUNTERS: usize = 1 << 16;

/// Where the threads are, and how often one of them solved a position with others below it.
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
        let [low, high] = key.words();
        let mixed = (low ^ high.rotate_left(31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &self.threads_in[(mixed >> 48) as usize % COUNTERS]
    }

    /// A thread begins to search a position.
    #[inline]
    pub(crate) fn enter<K: Key>(&self, key: K) {
        self.counter(key).fetch_add(1, Ordering::Relaxed);
    }

    /// A thread ends the search of a position. If it is solved and others are still below it, they
    /// are told to look at where they are.
    #[inline]
    pub(crate) fn leave<K: Key>(&self, key: K, solved: bool) {
        let before = self.counter(key).fetch_sub(1, Ordering::Relaxed);
        if solved && before > 1 {
            self.solved_events.fetch_add(1, Ordering::Release);
        }
    }

    /// The threads in a position.
    #[inline]
    pub(crate) fn at<K: Key>(&self, key: K) -> u32 {
        u32::from(self.counter(key).load(Ordering::Relaxed))
    }

    /// Changes whenever a position with several threads in it was solved.
    #[inline]
    pub(crate) fn solved_events(&self) -> u64 {
        self.solved_events.load(Ordering::Acquire)
    }

    /// The delta of a child of a position with those numbers, as it looks to a thread that chooses:
    /// raised for every thread that is in the child.
    ///
    /// If the position looks lost, all its children have to be refuted in the end and the threads
    /// may well take different ones: delta is raised by its own size. Otherwise one child decides,
    /// and all but the best are a gamble: only ties are broken.
    #[inline]
    pub(crate) fn virtual_delta<K: Key>(&self, key: K, delta: u32, parent: Numbers) -> u32 {
        let weight = if parent.phi >= parent.delta { delta } else { 1 };
        delta.saturating_add(self.at(key).saturating_mul(weight))
    }
}
