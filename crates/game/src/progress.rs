//! How far a long computation has come, for whoever watches it from another thread.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counters that the working threads raise and a display thread reads.
///
/// Libraries only count; when and how to show it is the program's choice.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    total: AtomicU64,
}

impl Progress {
    /// Nothing done yet, the amount of work unknown.
    pub fn new() -> Progress {
        Progress::default()
    }

    /// Announces more work.
    pub fn add_total(&self, amount: u64) {
        self.total.fetch_add(amount, Ordering::Relaxed);
    }

    /// Counts finished work.
    pub fn add(&self, amount: u64) {
        self.done.fetch_add(amount, Ordering::Relaxed);
    }

    /// Work finished so far.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// All the work there is, if known.
    pub fn total(&self) -> Option<u64> {
        match self.total.load(Ordering::Relaxed) {
            0 => None,
            total => Some(total),
        }
    }
}
