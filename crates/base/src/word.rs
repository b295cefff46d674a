//! A word that threads share, as protocols without locks see it: that of the system, or that of the
//! model checker, which tries all orders of events.

use std::sync::atomic::{AtomicU64, Ordering, fence};

/// A word that threads share.
pub trait Word {
    /// Reads it.
    fn load(&self, ordering: Ordering) -> u64;
    /// Writes it.
    fn store(&self, value: u64, ordering: Ordering);
    /// Replaces it, in that order, if it is `current`; whether it was. If not, nothing is ordered.
    fn replace(&self, current: u64, new: u64, ordering: Ordering) -> bool;
    /// Keeps accesses before it and after it apart.
    fn fence(ordering: Ordering);
    /// Lets others go on.
    fn wait();
}

impl Word for AtomicU64 {
    #[inline(always)]
    fn load(&self, ordering: Ordering) -> u64 {
        self.load(ordering)
    }

    #[inline(always)]
    fn store(&self, value: u64, ordering: Ordering) {
        self.store(value, ordering);
    }

    #[inline(always)]
    fn replace(&self, current: u64, new: u64, ordering: Ordering) -> bool {
        self.compare_exchange(current, new, ordering, Ordering::Relaxed).is_ok()
    }

    #[inline(always)]
    fn fence(ordering: Ordering) {
        fence(ordering);
    }

    #[inline(always)]
    fn wait() {
        std::hint::spin_loop();
    }
}

#[cfg(loom)]
impl Word for loom::sync::atomic::AtomicU64 {
    fn load(&self, ordering: Ordering) -> u64 {
        self.load(ordering)
    }

    fn store(&self, value: u64, ordering: Ordering) {
        self.store(value, ordering);
    }

    fn replace(&self, current: u64, new: u64, ordering: Ordering) -> bool {
        self.compare_exchange(current, new, ordering, Ordering::Relaxed).is_ok()
    }

    fn fence(ordering: Ordering) {
        loom::sync::atomic::fence(ordering);
    }

    fn wait() {
        loom::thread::yield_now();
    }
}
