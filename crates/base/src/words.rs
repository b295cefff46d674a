//! Large blocks of words. The system provides and clears the memory page by page when it is first
//! used, in huge pages where it has them: with small ones, a random access spends more time on
//! address translation than on the data.

use std::ops::Deref;
use std::sync::atomic::AtomicU64;

use memmap2::{MmapMut, MmapOptions};
use zerocopy::FromBytes;

use crate::memory::OutOfMemory;

fn zeroed(words: usize) -> Result<MmapMut, OutOfMemory> {
    let map = map(words, &MmapOptions::new())?;
    use_huge_pages(&map, 0, map.len());
    Ok(map)
}

fn map(words: usize, options: &MmapOptions) -> Result<MmapMut, OutOfMemory> {
    let bytes = words.saturating_mul(size_of::<u64>()).max(1);
    let map = options.clone().len(bytes).map_anon();
    map.map_err(|_| OutOfMemory { limit_bytes: bytes })
}

fn use_huge_pages(map: &MmapMut, from: usize, bytes: usize) {
    #[cfg(target_os = "linux")]
    // Only a hint.
    let _ = map.advise_range(memmap2::Advice::HugePage, from, bytes);
    #[cfg(not(target_os = "linux"))]
    let _ = (map, from, bytes);
}

/// A block of words.
pub struct Words {
    map: MmapMut,
    len: usize,
}

impl Words {
    /// Words that are all zero.
    pub fn new(len: usize) -> Result<Words, OutOfMemory> {
        Ok(Words { map: zeroed(len)?, len })
    }

    /// All words.
    #[inline]
    pub fn as_slice(&self) -> &[u64] {
        // A map is aligned to pages and has the right length; the fallback cannot be reached.
        <[u64]>::ref_from_bytes(&self.map[..self.len * 8]).unwrap_or(&[])
    }

    /// All words.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [u64] {
        <[u64]>::mut_from_bytes(&mut self.map[..self.len * 8]).unwrap_or(&mut [])
    }
}

/// A block of words that threads share.
pub struct AtomicWords {
    map: MmapMut,
    len: usize,
}

impl AtomicWords {
    /// Words that are all zero.
    pub fn new(len: usize) -> Result<AtomicWords, OutOfMemory> {
        Ok(AtomicWords { map: zeroed(len)?, len })
    }

    /// Words that are all zero and take memory when they are first written, in small pages:
    /// clearing a huge page that is hardly used takes as long as thousands of accesses.
    pub fn lazy(len: usize) -> Result<AtomicWords, OutOfMemory> {
        Ok(AtomicWords { map: map(len, MmapOptions::new().no_reserve_swap())?, len })
    }

    /// The same with `len` words, or with half of them, a quarter and so on if the system has no
    /// address space for more.
    pub fn reserve(mut len: usize) -> Result<AtomicWords, OutOfMemory> {
        loop {
            match AtomicWords::lazy(len) {
                Err(_) if len > 1 => len /= 2,
                words => return words,
            }
        }
    }

    /// Announces that `words` words from `from` on will be accessed at random.
    pub fn use_range(&self, from: usize, words: usize) {
        if words >= HUGE_PAGES_FROM {
            use_huge_pages(&self.map, from * size_of::<u64>(), words * size_of::<u64>());
        }
    }
}

/// A range of fewer words (4 MiB) stays in small pages.
const HUGE_PAGES_FROM: usize = 1 << 19;

impl Deref for AtomicWords {
    type Target = [AtomicU64];

    #[inline(always)]
    #[allow(unsafe_code, reason = "the system hands out bytes")]
    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: the map has room for `len` words, is aligned to pages, lives as long as `self`
        // and was zeroed by the system, and every bit pattern is a valid word. Nothing else refers
        // to the map, and words are changed through their atomics only.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn words_begin_as_zero_and_keep_what_is_written() {
        let mut words = Words::new(1000).expect("memory");
        assert!(words.as_slice().iter().all(|&word| word == 0) && words.as_slice().len() == 1000);
        words.as_mut_slice()[999] = 7;
        assert_eq!(words.as_slice()[999], 7);
        assert!(Words::new(0).expect("memory").as_slice().is_empty());

        let words = AtomicWords::new(1000).expect("memory");
        words[999].store(7, Ordering::Relaxed);
        assert_eq!(words.iter().map(|word| word.load(Ordering::Relaxed)).sum::<u64>(), 7);
    }
}
