//! The progress of a long computation, which other threads may read, and the request to stop it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use thiserror::Error;

/// A request to stop work soon. All clones share one flag.
///
/// ```
/// use papamu_base::Stop;
///
/// let stop = Stop::new();
/// let worker = stop.clone();
/// assert!(worker.check().is_ok());
/// stop.set();
/// assert!(worker.check().is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

/// The work was stopped before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("stopped before the work was done")]
pub struct Stopped;

impl Stop {
    /// A request that is not made yet.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Asks all work that shares it to end soon.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether work should end.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// An error once work should end, for use with `?`.
    #[inline]
    pub fn check(&self) -> Result<(), Stopped> {
        if self.is_set() { Err(Stopped) } else { Ok(()) }
    }
}

/// Counters that the working threads raise and a display thread reads.
///
/// Libraries only count. The program chooses when and how to show the counts.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    total: AtomicU64,
    stop: Stop,
}

impl Progress {
    /// No work done, an unknown total, and no request to stop.
    pub fn new() -> Progress {
        Progress::default()
    }

    /// The same, for work that ends when `stop` is set.
    pub fn with_stop(stop: &Stop) -> Progress {
        Progress { stop: stop.clone(), ..Progress::default() }
    }

    /// The request to stop the work.
    #[inline]
    pub fn stop(&self) -> &Stop {
        &self.stop
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

    /// The total work, if known.
    pub fn total(&self) -> Option<u64> {
        match self.total.load(Ordering::Relaxed) {
            0 => None,
            total => Some(total),
        }
    }
}
