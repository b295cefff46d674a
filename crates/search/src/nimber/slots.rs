//! An index that threads search and fill without locks: open addressing with slots of one word.
//!
//! Whoever finds a free slot on the way takes it before the entry is made, and everybody else who
//! comes by waits there. So no entry is made twice, and none is seen before it is complete.

use std::sync::atomic::{AtomicU64, Ordering};

/// Nothing in a slot.
pub const EMPTY: u64 = 0;
/// Somebody is about to fill a slot.
pub const BUSY: u64 = u64::MAX;

/// A word that threads share: the model checker has its own.
pub trait Word {
    /// Reads it.
    fn load(&self, ordering: Ordering) -> u64;
    /// Writes it.
    fn store(&self, value: u64, ordering: Ordering);
    /// Writes it if it has a certain value; whether it had.
    fn replace(&self, current: u64, new: u64) -> bool;
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
    fn replace(&self, current: u64, new: u64) -> bool {
        self.compare_exchange(current, new, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    fn wait() {
        std::hint::spin_loop();
    }
}

/// Finds an entry from a slot on, the last slot being followed by the first, or fills the first
/// slot that is empty, of which there must be one. The number of slots is a power of two.
/// `matching` tells what is wanted of the entry of a slot if it is the right one; `make` makes one,
/// its slot and what is wanted. What it wrote before can be read by whoever finds the entry. An
/// error leaves the slot empty.
#[inline]
pub fn find_or_fill<W: Word, T, E>(
    slots: &[W],
    from: usize,
    matching: impl Fn(u64) -> Option<T>,
    make: impl FnOnce() -> Result<(u64, T), E>,
) -> Result<T, E> {
    let mask = slots.len() - 1;
    let mut at = from;
    loop {
        match slots[at].load(Ordering::Acquire) {
            EMPTY => {
                if slots[at].replace(EMPTY, BUSY) {
                    let (slot, made) = match make() {
                        Ok((slot, made)) => (slot, Ok(made)),
                        Err(error) => (EMPTY, Err(error)),
                    };
                    slots[at].store(slot, Ordering::Release);
                    return made;
                }
            }
            BUSY => W::wait(),
            slot => match matching(slot) {
                Some(found) => return Ok(found),
                None => at = (at + 1) & mask,
            },
        }
    }
}
