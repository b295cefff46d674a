//! Writing the file of a layer, block by block.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use papamu_base::Stop;
use papamu_base::file::AtomicFile;

use crate::error::TableError;
use crate::store::layer_file::{BLOCK_BYTES, HASH_BYTES, LayerHeader, layer_hash};

/// Takes the entries of a layer and hashes each block.
pub(crate) struct LayerWriter<'a> {
    inner: &'a mut dyn Write,
    hasher: blake3::Hasher,
    in_block: usize,
    hashes: Vec<[u8; HASH_BYTES]>,
    stop: &'a Stop,
}

impl LayerHeader {
    /// Writes a file. It appears when it is complete, and not at all if the work is stopped.
    pub(crate) fn write(
        &self,
        path: &Path,
        stop: &Stop,
        entries: impl FnOnce(&mut LayerWriter) -> io::Result<()>,
    ) -> Result<(), TableError> {
        let written = AtomicFile::new(path)?.write_by(|file| {
            let first = self.to_bytes()?;
            // The buffer holds a whole block: rows of small boards are much shorter.
            let mut file = BufWriter::with_capacity(BLOCK_BYTES, file);
            file.write_all(&first)?;
            let mut writer = LayerWriter::new(&mut file, stop);
            entries(&mut writer)?;
            let hashes = writer.finish(self.data_bytes)?;
            file.write_all(hashes.as_flattened())?;
            file.write_all(layer_hash(&first, hashes.as_flattened()).as_bytes())?;
            file.flush()
        });
        // A stop takes precedence: it is why the writer failed.
        stop.check()?;
        Ok(written?)
    }
}

impl<'a> LayerWriter<'a> {
    fn new(inner: &'a mut dyn Write, stop: &'a Stop) -> LayerWriter<'a> {
        LayerWriter { inner, hasher: blake3::Hasher::new(), in_block: 0, hashes: Vec::new(), stop }
    }

    /// Writes words, the lowest byte of each first.
    pub(crate) fn write_words(&mut self, words: &[u64]) -> io::Result<()> {
        let mut bytes = Vec::new();
        for words in words.chunks(BLOCK_BYTES / 8) {
            self.stop.check().map_err(io::Error::other)?;
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

    /// The hashes of all blocks. The blocks must have the expected number of bytes.
    fn finish(mut self, expected: u64) -> io::Result<Vec<[u8; HASH_BYTES]>> {
        let written = self.hashes.len() as u64 * BLOCK_BYTES as u64 + self.in_block as u64;
        if written != expected {
            return Err(io::Error::other(format!("{written} bytes of entries, not {expected}")));
        }
        if self.in_block > 0 {
            self.end_block();
        }
        Ok(self.hashes)
    }
}
