//! An index that threads search and fill without locks: open addressing with slots of one word.
//!
//! A thread that finds a free slot reserves it before it makes the entry, and other threads wait at
//! that slot. So no entry is made twice, and none is visible before it is complete.
//!
//! The entries of [`papamu_base::entry`] are different: they replace each other, so they have
//! versions that a reader checks twice. A slot is filled once, and one look at it is enough.

use std::sync::atomic::Ordering;

use papamu_base::Word;

/// An empty slot.
pub const EMPTY: u64 = 0;
/// A slot that a thread is filling.
pub const BUSY: u64 = u64::MAX;

/// Finds an entry by linear probing from a slot on, or fills the first empty slot. There must be an
/// empty slot, and the number of slots must be a power of two. `matching` returns the result for
/// the entry of a slot if it is the right one. `make` makes an entry: the word of its slot, and the
/// result. What it wrote before is visible to whoever finds the entry. An error leaves the slot
/// empty.
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
