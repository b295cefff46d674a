//! The file of a layer: a header, entries in hashed blocks, the hashes.
//!
//! A layer is mapped into memory. Its header and its list of hashes are checked when it is opened,
//! each block when it is first read: no entry is ever returned from a block that is not what was
//! written. A bitmap remembers the good blocks, so a later read of the same block costs only one
//! more load, of a word that stays in the cache.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::Mmap;
use papamu_base::Stop;
use papamu_base::file::FileError;
use serde::{Deserialize, Serialize};

use crate::error::{DamagedBlock, TableError};
use crate::store::{Subject, VERSIONS};

const MAGIC: &[u8; 8] = b"PAPAMUST";
const HEADER_BYTES: usize = 4096;
pub(crate) const BLOCK_BYTES: usize = 1 << 20;
pub(crate) const HASH_BYTES: usize = 32;
/// The binary logarithm of the bits of a block.
const BLOCK_SHIFT: u32 = (BLOCK_BYTES * 8).trailing_zeros();

/// The header of a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LayerHeader {
    #[serde(flatten)]
    pub(crate) subject: Subject,
    #[serde(flatten)]
    pub(crate) part: LayerPart,
    pub(crate) data_bytes: u64,
}

/// The part of a table that a layer is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum LayerPart {
    /// The positions of a player to move with so many stones, a bit for each.
    Stones {
        player: String,
        #[serde(rename = "stones")]
        layer: u32,
    },
    /// The entries of a class.
    Class {
        class: u32,
        name: String,
        /// What the entries are: values or distances.
        holds: String,
        bits: u32,
        entries: u64,
    },
}

impl LayerPart {
    /// The bits of an entry, where files say so.
    pub(crate) fn bits(&self) -> Option<u32> {
        match self {
            LayerPart::Stones { .. } => None,
            LayerPart::Class { bits, .. } => Some(*bits),
        }
    }
}

impl LayerHeader {
    /// The name of the file.
    pub(crate) fn file_name(&self) -> String {
        match &self.part {
            LayerPart::Stones { player, layer } => {
                format!("{player}-{layer:02}.{}", self.subject.layout)
            }
            LayerPart::Class { class, holds, .. } => format!("class-{class:02}.{holds}"),
        }
    }

    /// The length of the whole file.
    pub(crate) fn file_bytes(&self) -> u64 {
        let blocks = self.data_bytes.div_ceil(BLOCK_BYTES as u64);
        let hashes = (blocks + 1) * HASH_BYTES as u64;
        self.data_bytes.saturating_add(HEADER_BYTES as u64 + hashes)
    }

    /// The first bytes of the file.
    pub(crate) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let json = serde_json::to_vec(self)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.subject.version().to_le_bytes());
        bytes.extend((json.len() as u32).to_le_bytes());
        bytes.extend(json);
        if bytes.len() > HEADER_BYTES {
            return Err(io::Error::other("the header is too long"));
        }
        bytes.resize(HEADER_BYTES, 0);
        Ok(bytes)
    }

    /// Reads the first bytes of a file.
    fn from_bytes(path: &Path, bytes: &[u8]) -> Result<LayerHeader, TableError> {
        let damaged = |problem: String| TableError::Damaged { path: path.to_owned(), problem };
        let number = |at: usize| {
            let bytes = bytes.get(at..at + 4)?;
            Some(u32::from_le_bytes(bytes.try_into().ok()?))
        };
        if bytes.get(..8) != Some(MAGIC) {
            let problem = "it does not begin with PAPAMUST".to_owned();
            return Err(TableError::NotATable { path: path.to_owned(), problem });
        }
        let (Some(version), Some(length)) = (number(8), number(12)) else {
            return Err(damaged("it is cut off in its header".to_owned()));
        };
        if !VERSIONS.contains(&version) {
            return Err(TableError::Version { path: path.to_owned(), version });
        }
        let json = bytes.get(16..16_usize.saturating_add(length as usize));
        let json = json.ok_or_else(|| damaged("it is cut off in its header".to_owned()))?;
        let header: LayerHeader = serde_json::from_slice(json)
            .map_err(|error| damaged(format!("its header: {error}")))?;
        match header.subject.version() == version {
            true => Ok(header),
            false => Err(damaged("its version is that of another kind of table".to_owned())),
        }
    }

    /// Refuses the beginning of a file that is not this layer.
    fn check(&self, path: &Path, bytes: &[u8]) -> Result<(), TableError> {
        let found = LayerHeader::from_bytes(path, bytes)?;
        let [of, expected] = [&found, self].map(|header| header.subject.to_string());
        if of != expected {
            return Err(TableError::Foreign { path: path.to_owned(), found: of, expected });
        }
        if found != *self {
            let problem = "its header does not fit its name".to_owned();
            return Err(TableError::Damaged { path: path.to_owned(), problem });
        }
        Ok(())
    }

    /// Refuses a file that is not this layer or not complete. It checks the list of hashes, not the
    /// entries.
    fn check_file(&self, path: &Path, bytes: &[u8]) -> Result<(), TableError> {
        self.check(path, bytes)?;
        if bytes.len() as u64 != self.file_bytes() {
            let (has, should) = (bytes.len(), self.file_bytes());
            let problem = format!("it has {has} bytes and should have {should}");
            return Err(TableError::Damaged { path: path.to_owned(), problem });
        }
        let (hashes, hash) = bytes.split_at(bytes.len() - HASH_BYTES);
        let hashes = &hashes[HEADER_BYTES + self.data_bytes as usize..];
        if layer_hash(&bytes[..HEADER_BYTES], hashes).as_bytes() != hash {
            let problem = "its header or its list of hashes does not have its hash".to_owned();
            return Err(TableError::Damaged { path: path.to_owned(), problem });
        }
        Ok(())
    }
}

/// The hash of a layer: of its header and of the hashes of its blocks.
pub(crate) fn layer_hash(header: &[u8], hashes: &[u8]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(header);
    hasher.update(hashes);
    hasher.finalize()
}

/// The file of a layer, open for reading.
pub(crate) struct LayerFile {
    map: Mmap,
    path: PathBuf,
    data_bytes: usize,
    /// One bit for each block that is known to be good.
    good: Box<[AtomicU64]>,
    /// The result of checking each block that was read.
    checked: Box<[OnceLock<Result<(), DamagedBlock>>]>,
}

impl LayerFile {
    /// Opens a file that must be that layer. Its blocks are not read yet.
    pub(crate) fn open(path: &Path, header: &LayerHeader) -> Result<LayerFile, TableError> {
        let map = map(path)?;
        header.check_file(path, &map)?;
        let data_bytes = header.data_bytes as usize;
        let blocks = data_bytes.div_ceil(BLOCK_BYTES);
        Ok(LayerFile {
            map,
            path: path.to_owned(),
            data_bytes,
            good: (0..blocks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect(),
            checked: (0..blocks).map(|_| OnceLock::new()).collect(),
        })
    }

    /// The hash of the layer, in hexadecimal digits.
    pub(crate) fn hash(&self) -> String {
        let hash = self.map.last_chunk().copied().unwrap_or_default();
        blake3::Hash::from_bytes(hash).to_hex().to_string()
    }

    /// The number of blocks.
    pub(crate) fn blocks(&self) -> usize {
        self.checked.len()
    }

    /// The place of a block in the file.
    fn range(&self, block: usize) -> std::ops::Range<usize> {
        let end = HEADER_BYTES + self.data_bytes;
        let start = HEADER_BYTES + block * BLOCK_BYTES;
        start..end.min(start + BLOCK_BYTES)
    }

    /// The bytes of a block.
    pub(crate) fn block_bytes(&self, block: usize) -> u64 {
        self.range(block).len() as u64
    }

    /// A bit of the entries, if its block is what was written.
    #[inline]
    pub(crate) fn bit(&self, bit: u64) -> Result<bool, &DamagedBlock> {
        let block = (bit >> BLOCK_SHIFT) as usize;
        // Relaxed: the bit guards no other memory, it only saves hashing the block again.
        if self.good[block / 64].load(Ordering::Relaxed) >> (block % 64) & 1 == 0 {
            self.check_block(block)?;
        }
        let byte = self.map[HEADER_BYTES + (bit / 8) as usize];
        Ok(byte >> (bit % 8) & 1 == 1)
    }

    /// A byte of the entries, if its block is what was written.
    #[inline]
    pub(crate) fn byte(&self, at: u64) -> Result<u8, &DamagedBlock> {
        let block = (at >> (BLOCK_SHIFT - 3)) as usize;
        // Relaxed: as in `bit`.
        if self.good[block / 64].load(Ordering::Relaxed) >> (block % 64) & 1 == 0 {
            self.check_block(block)?;
        }
        Ok(self.map[HEADER_BYTES + at as usize])
    }

    /// All entries, whether they were checked or not.
    #[inline]
    pub(crate) fn unchecked_data(&self) -> &[u8] {
        &self.map[HEADER_BYTES..HEADER_BYTES + self.data_bytes]
    }

    /// Whether a block is what was written. It is hashed once.
    #[cold]
    pub(crate) fn check_block(&self, block: usize) -> Result<(), &DamagedBlock> {
        let checked = self.checked[block].get_or_init(|| {
            let range = self.range(block);
            let hashes = &self.map[HEADER_BYTES + self.data_bytes..];
            let hash = &hashes[block * HASH_BYTES..(block + 1) * HASH_BYTES];
            if blake3::hash(&self.map[range.clone()]).as_bytes() == hash {
                return Ok(());
            }
            let (start, end) = (range.start as u64, range.end as u64);
            Err(DamagedBlock { path: self.path.clone(), block, start, end })
        });
        if checked.is_ok() {
            self.good[block / 64].fetch_or(1 << (block % 64), Ordering::Relaxed);
        }
        checked.as_ref().copied()
    }

    /// All entries, if every block is what was written.
    pub(crate) fn data(&self, stop: &Stop) -> Result<&[u8], TableError> {
        for block in 0..self.blocks() {
            stop.check()?;
            self.check_block(block)?;
        }
        Ok(self.unchecked_data())
    }
}

#[allow(unsafe_code, reason = "mapping a file is only as safe as the file is left alone")]
fn map(path: &Path) -> Result<Mmap, TableError> {
    let fail = |error| FileError::new("read", path, error);
    if !path.metadata().map_err(fail)?.is_file() {
        let problem = "it is not a file".to_owned();
        return Err(TableError::NotATable { path: path.to_owned(), problem });
    }
    let file = File::open(path).map_err(fail)?;
    // SAFETY: the map is read as bytes, of which every value is valid, and only through indices
    // that are checked against its length. A finished table is never changed by this program; its
    // files are replaced by renaming, which leaves the mapped ones as they are. Whoever changes
    // or cuts off the file of an open table by other means gets other bits or a bus error.
    Ok(unsafe { Mmap::map(&file) }.map_err(fail)?)
}
