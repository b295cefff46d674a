//! Large blocks of words, used again and again.

use memmap2::MmapMut;
use papamu_game::memory::OutOfMemory;
use zerocopy::FromBytes;

/// So many words. The system provides and clears the memory when it is first used, in huge pages
/// where it has them.
pub(crate) struct Words {
    map: MmapMut,
    len: usize,
}

impl Words {
    pub(crate) fn new(len: usize) -> Result<Words, OutOfMemory> {
        let bytes = len.saturating_mul(size_of::<u64>()).max(1);
        let map = MmapMut::map_anon(bytes).map_err(|_| OutOfMemory { limit_bytes: bytes })?;
        #[cfg(target_os = "linux")]
        // Only a hint.
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Words { map, len })
    }

    pub(crate) fn as_slice(&self) -> &[u64] {
        // A map is aligned to pages and has the right length; the fallback cannot be reached.
        <[u64]>::ref_from_bytes(&self.map[..self.len * 8]).unwrap_or(&[])
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [u64] {
        <[u64]>::mut_from_bytes(&mut self.map[..self.len * 8]).unwrap_or(&mut [])
    }
}
