//! What is known of the classes that are finished.

use papamu_game::Entry;

use crate::indexed::codes::{Code, Codes, Counts};
use crate::indexed::plies::{Plies, PliesFile};
use crate::store::LayerFile;

/// The values of a finished class: in a file, or in memory if there are no files.
pub(crate) enum KnownCodes {
    File(LayerFile),
    Memory(Codes),
}

impl KnownCodes {
    #[inline]
    pub(crate) fn get(&self, index: u64) -> Code {
        match self {
            KnownCodes::File(file) => code_in(file.unchecked_data()[(index / 4) as usize], index),
            KnownCodes::Memory(codes) => codes.get(index),
        }
    }

    /// Counts the values of all entries.
    pub(crate) fn counts(&self, entries: u64) -> Counts {
        match self {
            KnownCodes::File(file) => Counts::of_bytes(file.unchecked_data(), entries),
            KnownCodes::Memory(codes) => codes.counts(),
        }
    }
}

/// The code of an entry in its byte.
#[inline]
pub(crate) fn code_in(byte: u8, index: u64) -> Code {
    Code::from_bits(u64::from(byte) >> (index % 4 * 2))
}

/// The distances of a finished class.
pub(crate) enum KnownPlies {
    File(PliesFile),
    Memory(Plies),
}

/// The finished classes, the first ones of the index. All blocks of their files were checked.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) codes: Vec<KnownCodes>,
    /// If distances are wanted.
    pub(crate) plies: Vec<KnownPlies>,
}

impl Known {
    /// The code of an entry, if its class is finished.
    #[inline]
    pub(crate) fn code(&self, entry: Entry) -> Option<Code> {
        Some(self.codes.get(entry.class as usize)?.get(entry.index))
    }

    /// The distance of an entry that is no draw, if its class is finished.
    #[inline]
    pub(crate) fn plies(&self, entry: Entry) -> Option<u16> {
        Some(match self.plies.get(entry.class as usize)? {
            KnownPlies::File(file) => file.unchecked(entry.index),
            KnownPlies::Memory(plies) => plies.get(entry.index),
        })
    }
}
