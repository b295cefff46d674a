//! Numbers of plies to the end: two bytes for each entry in memory, one or two in files.

use std::io;
use std::sync::atomic::{AtomicU16, Ordering};

use papamu_base::memory::OutOfMemory;

use crate::error::DamagedBlock;
use crate::store::{LayerFile, LayerWriter};

/// The distance is not known, or the game does not end.
pub(crate) const UNKNOWN: u16 = u16::MAX;
/// The longest distance that a file can say.
pub(crate) const MOST_PLIES: u32 = UNKNOWN as u32 - 1;

/// The distances of a class while they are counted.
pub(crate) struct Plies(Vec<AtomicU16>);

impl Plies {
    /// All of them unknown.
    pub(crate) fn new(entries: u64) -> Result<Plies, OutOfMemory> {
        let mut plies = Vec::new();
        let reserved = plies.try_reserve_exact(entries as usize);
        reserved.map_err(|_| OutOfMemory { limit_bytes: entries as usize * 2 })?;
        plies.extend((0..entries).map(|_| AtomicU16::new(UNKNOWN)));
        Ok(Plies(plies))
    }

    // Relaxed, as codes are.

    #[inline]
    pub(crate) fn get(&self, index: u64) -> u16 {
        self.0[index as usize].load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn set(&self, index: u64, plies: u16) {
        self.0[index as usize].store(plies, Ordering::Relaxed);
    }

    /// Shortens a distance; whether it was longer or unknown.
    #[inline]
    pub(crate) fn shorten(&self, index: u64, plies: u16) -> bool {
        let of_entry = &self.0[index as usize];
        plies < of_entry.load(Ordering::Relaxed)
            && plies < of_entry.fetch_min(plies, Ordering::Relaxed)
    }

    /// The bytes that the longest distance takes.
    pub(crate) fn bytes_each(&self) -> u32 {
        let longest = self.0.iter().map(|plies| plies.load(Ordering::Relaxed));
        let longest = longest.filter(|&plies| plies != UNKNOWN).max().unwrap_or(0);
        if longest <= u16::from(u8::MAX) { 1 } else { 2 }
    }

    /// Writes all of them, 0 for what has no distance, up to a whole word.
    pub(crate) fn write(&self, bytes_each: u32, writer: &mut LayerWriter) -> io::Result<()> {
        let per_word = 8 / bytes_each as usize;
        let mut words = Vec::new();
        for part in self.0.chunks(1 << 16) {
            words.clear();
            words.extend(part.chunks(per_word).map(|entries| {
                entries.iter().rev().fold(0, |word, plies| {
                    let plies = match plies.load(Ordering::Relaxed) {
                        UNKNOWN => 0,
                        plies => plies,
                    };
                    // A shift by all bits of the word cannot happen: there are 4 or 8 entries.
                    word << (8 * bytes_each) | u64::from(plies)
                })
            }));
            writer.write_words(&words)?;
        }
        Ok(())
    }
}

/// The distances of a class in a file.
pub(crate) struct PliesFile {
    pub(crate) file: LayerFile,
    pub(crate) bytes_each: u32,
}

impl PliesFile {
    /// The distance of an entry, if its block is what was written.
    #[inline]
    pub(crate) fn get(&self, index: u64) -> Result<u16, &DamagedBlock> {
        let at = index * u64::from(self.bytes_each);
        let low = self.file.byte(at)?;
        let high = if self.bytes_each == 2 { self.file.byte(at + 1)? } else { 0 };
        Ok(u16::from_le_bytes([low, high]))
    }

    /// The same without a check.
    #[inline]
    pub(crate) fn unchecked(&self, index: u64) -> u16 {
        let (data, at) = (self.file.unchecked_data(), index as usize * self.bytes_each as usize);
        let high = if self.bytes_each == 2 { data[at + 1] } else { 0 };
        u16::from_le_bytes([data[at], high])
    }
}
