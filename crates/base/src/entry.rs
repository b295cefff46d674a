//! Entries of tables that threads share: a key of some words and a value, read without a lock and
//! never mixed up.
//!
//! The state of an entry is a word of its own:
//!
//! ```text
//! bits 63..33  version, one more with every change
//! bit  32      somebody is writing
//! bits 31..0   the value plus one, 0 if there is none
//! ```
//!
//! A writer takes the value away, changes the key and puts the new value in its place, each time
//! under a new version. A reader takes the state, compares the key and takes the state again: if it
//! is the same, the key and the value belong together. It would take 2^31 changes between both
//! looks to deceive it. `tests/entry_protocol.rs` tries all orders of events.
//!
//! This is for caches, whose entries replace each other and where a thread that would have to wait
//! does without. The index of codes of searches with nimbers has a protocol of its own: there an
//! entry is made once and stays, so that it needs no version and no second look, but nobody may go
//! on without it.

use std::sync::atomic::Ordering;

use crate::Word;

const WRITING: u64 = 1 << 32;
const VERSION: u64 = 1 << 33;

/// What an entry holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The value of the key.
    Found(u32),
    /// Something else, or it was changed meanwhile.
    Other,
    /// Nothing, or somebody is writing.
    Nothing,
}

/// Looks for a key. Whoever finds its value sees all that the writer of it saw.
#[inline(always)]
pub fn look_up<W: Word>(key: &[W], state: &W, wanted: &[u64]) -> Lookup {
    let before = state.load(Ordering::Acquire);
    let Some(value) = (before as u32).checked_sub(1) else { return Lookup::Nothing };
    if key.iter().zip(wanted).any(|(word, wanted)| word.load(Ordering::Relaxed) != *wanted) {
        return Lookup::Other;
    }
    // The key is read before the state is read again.
    W::fence(Ordering::Acquire);
    let is_same = state.load(Ordering::Relaxed) == before;
    if is_same { Lookup::Found(value) } else { Lookup::Other }
}

/// Puts a key and a value, below `u32::MAX`, in the place of whatever is there. False if somebody
/// else is writing: then nothing was done.
#[inline(always)]
pub fn write<W: Word>(key: &[W], state: &W, new: &[u64], value: u32) -> bool {
    let before = state.load(Ordering::Relaxed);
    let writing = without_value(before) | WRITING;
    if before & WRITING != 0 || !state.replace(before, writing, Ordering::Acquire) {
        return false;
    }
    // A reader that sees any of the new words also sees this state, or a later one.
    W::fence(Ordering::Release);
    for (word, &new) in key.iter().zip(new) {
        word.store(new, Ordering::Relaxed);
    }
    state.store(writing ^ WRITING | (u64::from(value) + 1), Ordering::Release);
    true
}

/// Takes the value away. Nobody else may write meanwhile.
#[inline(always)]
pub fn clear<W: Word>(state: &W) {
    state.store(without_value(state.load(Ordering::Relaxed)), Ordering::Relaxed);
}

/// The next version, without a value.
#[inline(always)]
fn without_value(state: u64) -> u64 {
    (state & !(VERSION - 1)).wrapping_add(VERSION)
}

/// The value of an entry, for a thread that alone may write.
#[inline(always)]
pub fn value<W: Word>(state: &W) -> Option<u32> {
    (state.load(Ordering::Relaxed) as u32).checked_sub(1)
}
