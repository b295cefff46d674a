//! An index that threads search and fill without locks: open addressing with slots of one word.
//!
//! Whoever finds a free slot on the way takes it before the entry is made, and everybody else who
//! comes by waits there. So no entry is made twice, and none is seen before it is complete.
//!
//! The entries of [`papamu_base::entry`] are something else: they replace each other, and so have
//! versions that a reader looks at twice. A slot is filled once, and one look at it is enough.

use std::sync::atomic::Ordering;

use papamu_base::Word;

/// Nothing in a slot.
pub const EMPTY: u64 = 0;
/// Somebody is about to fill a slot.
pub const BUSY: u64 = u64::MAX;

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
                if slots[at].replace(EMPTY, BUSY, Ordering::Relaxed) {
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
