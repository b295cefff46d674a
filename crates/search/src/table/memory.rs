//! The memory of a table. The system zeroes it page by page on first use, in huge pages where it
//! has them (a probe hits a random page; with small pages each probe misses the TLB).

use std::ops::Deref;

use memmap2::MmapMut;
use papamu_base::memory::OutOfMemory;

use super::Line;

/// This many lines, all empty.
pub(crate) struct Lines<const WORDS: usize> {
    map: MmapMut,
    count: usize,
}

impl<const WORDS: usize> Lines<WORDS> {
    pub(crate) fn new(count: usize) -> Result<Lines<WORDS>, OutOfMemory> {
        let bytes = count.saturating_mul(size_of::<Line<WORDS>>());
        let map = MmapMut::map_anon(bytes).map_err(|_| OutOfMemory { limit_bytes: bytes })?;
        #[cfg(target_os = "linux")]
        // Only a hint: the table works without huge pages, too.
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Lines { map, count })
    }
}

impl<const WORDS: usize> Deref for Lines<WORDS> {
    type Target = [Line<WORDS>];

    #[inline(always)]
    #[allow(unsafe_code, reason = "the system hands out bytes, the table needs lines")]
    fn deref(&self) -> &[Line<WORDS>] {
        // SAFETY: the map has `count` times the size of a line, is aligned to pages and so to
        // lines, and lives as long as `self`. It was zeroed by the system, and every bit pattern
        // is a valid line: it is made of atomic integers. Nothing else refers to the map, and
        // lines are changed through their atomics only.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.count) }
    }
}
