//! Entries of tables that threads share. An entry is a key of some words and a value. Readers take
//! no lock and never see a key with the value of another one.
//!
//! The state of an entry is a word of its own:
//!
//! ```text
//! bits 63..33  version, one more with every change
//! bit  32      somebody is writing
//! bits 31..0   the value plus one, 0 if there is none
//! ```
//!
//! A writer removes the value under a new version, changes the key and stores the new value. A
//! reader loads the state, compares the key and loads the state again. If the state is the same,
//! the key and the value belong together. Only 2^31 changes between the two loads could deceive the
//! reader. `tests/entry_protocol.rs` tries every interleaving.
//!
//! This is for caches, whose entries replace each other and where a thread that would have to wait
//! does without. The index of codes of searches with nimbers has a protocol of its own: an entry is
//! made once and stays, so it needs no version and no second look, but no thread may go on without
//! it.

use std::sync::atomic::Ordering;

use crate::Word;

const WRITING: u64 = 1 << 32;
const VERSION: u64 = 1 << 33;

/// What an entry holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The value of the key.
    Found(u32),
    /// Another key, or the entry changed meanwhile.
    Other,
    /// Nothing, or a thread is writing.
    Nothing,
}

/// Looks for a key. A thread that finds its value sees everything that the writer saw.
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

/// Replaces the content of an entry by a key and a value below `u32::MAX`. Returns false, and does
/// nothing, if another thread is writing.
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

/// Removes the value. No other thread may write meanwhile.
#[inline(always)]
pub fn clear<W: Word>(state: &W) {
    state.store(without_value(state.load(Ordering::Relaxed)), Ordering::Relaxed);
}

/// The next version, without a value.
#[inline(always)]
fn without_value(state: u64) -> u64 {
    (state & !(VERSION - 1)).wrapping_add(VERSION)
}

/// The value of an entry, for the only thread that may write.
#[inline(always)]
pub fn value<W: Word>(state: &W) -> Option<u32> {
    (state.load(Ordering::Relaxed) as u32).checked_sub(1)
}
