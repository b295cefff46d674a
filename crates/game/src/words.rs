//! Large blocks of words. The system provides and clears the memory page by page when it is first used,
//! in huge pages where it has them: with small ones a random access waits longer for the address than for
//! the data.

use std::ops::Deref;
use std::sync::atomic::AtomicU64;

use memmap2::MmapMut;
use zerocopy::FromBytes;

use crate::memory::OutOfMemory;

fn zeroed(words: usize) -> Result<MmapMut, OutOfMemory> {
    let bytes = words.saturating_mul(size_of::<u64>()).max(1);
    let map = MmapMut::map_anon(bytes).map_err(|_| OutOfMemory { limit_bytes: bytes })?;
    #[cfg(target_os = "linux")]
    // Only a hint.
    let _ = map.advise(memmap2::Advice::HugePage);
    Ok(map)
}

/// So many words.
pub struct Words {
    map: MmapMut,
    len: usize,
}

impl Words {
    /// Words that are all zero.
    pub fn new(len: usize) -> Result<Words, OutOfMemory> {
        Ok(Words { map: zeroed(len)?, len })
    }

    /// All of them.
    #[inline]
    pub fn as_slice(&self) -> &[u64] {
        // A map is aligned to pages and has the right length; the fallback cannot be reached.
        <[u64]>::ref_from_bytes(&self.map[..self.len * 8]).unwrap_or(&[])
    }

    /// All of them.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [u64] {
        <[u64]>::mut_from_bytes(&mut self.map[..self.len * 8]).unwrap_or(&mut [])
    }
}

/// So many words that threads share.
pub struct AtomicWords {
    map: MmapMut,
    len: usize,
}

impl AtomicWords {
    /// Words that are all zero.
    pub fn new(len: usize) -> Result<AtomicWords, OutOfMemory> {
        Ok(AtomicWords { map: zeroed(len)?, len })
    }
}

impl Deref for AtomicWords {
    type Target = [AtomicU64];

    #[inline(always)]
    #[allow(unsafe_code, reason = "the system hands out bytes")]
    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: the map has room for `len` words, is aligned to pages, lives as long as `self` and was
        // zeroed by the system, and every bit pattern is a valid word. Nothing else refers to the map, and
        // words are changed through their atomics only.
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
