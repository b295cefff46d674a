//! The file of a layer: a header, entries in hashed blocks, the hashes. The format is specified in
//! `docs/table-format.md`.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::konane::shape::Layout;
use crate::store::directory::{TableError, io_error};

const MAGIC: &[u8; 8] = b"PAPAMUST";
pub(crate) const VERSION: u32 = 2;
pub(crate) const HEADER_BYTES: usize = 4096;
const BLOCK_BYTES: usize = 1 << 20;
const HASH_BYTES: usize = 32;

/// The header of a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) game: String,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) layout: Layout,
    pub(crate) player: String,
    /// Black stones in rows, all stones in sublayers.
    pub(crate) stones: u32,
    pub(crate) data_bytes: u64,
}

impl Header {
    /// The board, as users write it.
    fn board(&self) -> String {
        format!("{} {}x{}", self.game, self.rows, self.cols)
    }

    fn blocks(&self) -> u64 {
        self.data_bytes.div_ceil(BLOCK_BYTES as u64)
    }

    /// The length of the whole file.
    pub(crate) fn file_bytes(&self) -> u64 {
        let hashes = (self.blocks() + 1) * HASH_BYTES as u64;
        self.data_bytes.saturating_add(HEADER_BYTES as u64 + hashes)
    }

    /// The first bytes of the file.
    fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let json = serde_json::to_vec(self)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((json.len() as u32).to_le_bytes());
        bytes.extend(json);
        if bytes.len() > HEADER_BYTES {
            return Err(io::Error::other("the header is too long"));
        }
        bytes.resize(HEADER_BYTES, 0);
        Ok(bytes)
    }

    /// Reads the first bytes of a file.
    fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Header, TableError> {
        let not_ours = |problem: &str| TableError::NotATable {
            path: path.to_owned(),
            problem: problem.to_owned(),
        };
        let damaged = |problem: String| TableError::Damaged { path: path.to_owned(), problem };
        let number = |at: usize| {
            let bytes = bytes.get(at..at + 4)?;
            Some(u32::from_le_bytes(bytes.try_into().ok()?))
        };
        if bytes.get(..8) != Some(MAGIC) {
            return Err(not_ours("it does not begin with PAPAMUST"));
        }
        let (Some(version), Some(length)) = (number(8), number(12)) else {
            return Err(damaged("it is cut off in its header".to_owned()));
        };
        if version != VERSION {
            return Err(TableError::Version { path: path.to_owned(), version });
        }
        let json = bytes.get(16..16_usize.saturating_add(length as usize));
        let json = json.ok_or_else(|| damaged("it is cut off in its header".to_owned()))?;
        serde_json::from_slice(json).map_err(|error| damaged(format!("its header: {error}")))
    }

    /// Refuses the beginning of a file of anything but this layer.
    fn check(&self, path: &Path, bytes: &[u8]) -> Result<(), TableError> {
        let found = Header::from_bytes(path, bytes)?;
        if found.board() != self.board() {
            let (found, expected) = (found.board(), self.board());
            return Err(TableError::Foreign { path: path.to_owned(), found, expected });
        }
        if found != *self {
            let problem = "its header does not fit its name".to_owned();
            return Err(TableError::Damaged { path: path.to_owned(), problem });
        }
        Ok(())
    }

    /// Refuses a file that is not of this layer or not whole; does not look at the entries, only at
    /// the list of their hashes.
    pub(crate) fn check_file(&self, path: &Path, bytes: &[u8]) -> Result<(), TableError> {
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

    /// Checks everything in the file against its hashes; says where the first damage is.
    pub(crate) fn check_hashes(&self, path: &Path, bytes: &[u8]) -> Result<(), TableError> {
        let damaged = |problem: String| TableError::Damaged { path: path.to_owned(), problem };
        self.check_file(path, bytes)?;
        let data = &bytes[HEADER_BYTES..HEADER_BYTES + self.data_bytes as usize];
        let hashes = &bytes[HEADER_BYTES + data.len()..];
        let blocks = data.chunks(BLOCK_BYTES).zip(hashes.chunks(HASH_BYTES));
        for (i, (block, hash)) in blocks.enumerate() {
            if blake3::hash(block).as_bytes() != hash {
                let start = HEADER_BYTES + i * BLOCK_BYTES;
                let end = start + block.len();
                return Err(damaged(format!("the bytes {start} to {end} do not have their hash")));
            }
        }
        Ok(())
    }

    /// The entries of a file that has been checked.
    pub(crate) fn read(&self, path: &Path) -> Result<Vec<u8>, TableError> {
        // One byte more than there should be is enough to see that there are too many.
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(io_error("read", path))?;
        let read = file.take(self.file_bytes().saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(io_error("read", path))?;
        self.check_hashes(path, &bytes)?;
        bytes.truncate(HEADER_BYTES + self.data_bytes as usize);
        bytes.drain(..HEADER_BYTES);
        Ok(bytes)
    }

    /// Writes a file; it appears when it is complete.
    pub(crate) fn write(
        &self,
        path: &Path,
        entries: impl FnOnce(&mut Blocks) -> io::Result<()>,
    ) -> Result<(), TableError> {
        let temporary = path.with_extension("new");
        let write = || -> io::Result<()> {
            let mut file = BufWriter::with_capacity(BLOCK_BYTES, File::create(&temporary)?);
            let first = self.to_bytes()?;
            file.write_all(&first)?;
            let mut blocks = Blocks {
                inner: file,
                hasher: blake3::Hasher::new(),
                in_block: 0,
                hashes: Vec::new(),
            };
            entries(&mut blocks)?;
            let written = blocks.hashes.len() as u64 * BLOCK_BYTES as u64 + blocks.in_block as u64;
            if written != self.data_bytes {
                let expected = self.data_bytes;
                return Err(io::Error::other(format!(
                    "{written} bytes of entries, not {expected}"
                )));
            }
            if blocks.in_block > 0 {
                blocks.end_block();
            }
            let Blocks { inner: mut file, hashes, .. } = blocks;
            file.write_all(hashes.as_flattened())?;
            file.write_all(layer_hash(&first, hashes.as_flattened()).as_bytes())?;
            file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            fs::rename(&temporary, path)
        };
        write().map_err(io_error("write", path))
    }

    /// The hash at the end of a file.
    pub(crate) fn stored_hash(&self, path: &Path) -> Result<String, TableError> {
        let mut hash = [0; HASH_BYTES];
        let mut read = || -> io::Result<()> {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(self.file_bytes() - HASH_BYTES as u64))?;
            file.read_exact(&mut hash)
        };
        read().map_err(io_error("read", path))?;
        Ok(blake3::Hash::from_bytes(hash).to_hex().to_string())
    }
}

/// Writes entries in blocks and hashes each.
pub(crate) struct Blocks {
    inner: BufWriter<File>,
    hasher: blake3::Hasher,
    in_block: usize,
    hashes: Vec<[u8; HASH_BYTES]>,
}

impl Blocks {
    /// Words, the lowest byte of each first.
    pub(crate) fn write_words(&mut self, words: &[u64]) -> io::Result<()> {
        let mut bytes = Vec::new();
        for words in words.chunks(BLOCK_BYTES / 8) {
            bytes.clear();
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
            self.write(&bytes)?;
        }
        Ok(())
    }

    fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        self.inner.write_all(bytes)?;
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK_BYTES - self.in_block));
            self.hasher.update(now);
            self.in_block += now.len();
            if self.in_block == BLOCK_BYTES {
                self.end_block();
            }
            bytes = later;
        }
        Ok(())
    }

    fn end_block(&mut self) {
        self.hashes.push(*self.hasher.finalize().as_bytes());
        self.hasher.reset();
        self.in_block = 0;
    }
}

/// The hash of a layer: of its header and of the hashes of its blocks.
fn layer_hash(header: &[u8], hashes: &[u8]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(header);
    hasher.update(hashes);
    hasher.finalize()
}
