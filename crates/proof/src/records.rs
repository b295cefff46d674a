//! Records that wait to be written: a run in ascending order for each stage, merged at the end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::Path;

use tempfile::SpooledTempFile;

/// The bytes of a record: a number and a move.
const BYTES: usize = 12;
/// Stages of up to this many bytes stay in memory.
const IN_MEMORY: usize = 1 << 20;

/// The records of one stage, which come in ascending order.
pub(crate) struct Run {
    file: SpooledTempFile,
    buffer: Vec<u8>,
    count: u64,
}

impl Run {
    pub(crate) fn new(directory: &Path) -> Run {
        let file = SpooledTempFile::new_in(IN_MEMORY, directory);
        Run { file, buffer: Vec::new(), count: 0 }
    }

    pub(crate) fn push(&mut self, number: u64, mv: u32) -> io::Result<()> {
        self.buffer.extend(number.to_le_bytes());
        self.buffer.extend(mv.to_le_bytes());
        self.count += 1;
        if self.buffer.len() >= IN_MEMORY {
            self.flush()?;
        }
        Ok(())
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.file.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    fn into_source(mut self) -> io::Result<Source> {
        self.flush()?;
        self.file.rewind()?;
        Ok(Source { file: BufReader::with_capacity(1 << 16, self.file), left: self.count })
    }
}

struct Source {
    file: BufReader<SpooledTempFile>,
    left: u64,
}

impl Source {
    fn next(&mut self) -> io::Result<Option<(u64, u32)>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let mut bytes = [0; BYTES];
        self.file.read_exact(&mut bytes)?;
        let word = |bytes: &[u8]| {
            bytes.iter().rev().fold(0_u64, |number, &byte| number << 8 | u64::from(byte))
        };
        Ok(Some((word(&bytes[..8]), word(&bytes[8..]) as u32)))
    }
}

/// The records of all stages in ascending order.
pub(crate) struct Merged {
    sources: Vec<Source>,
    heap: BinaryHeap<Reverse<(u64, u32, usize)>>,
}

impl Merged {
    pub(crate) fn new(runs: Vec<Run>) -> io::Result<Merged> {
        let sources = runs.into_iter().map(Run::into_source).collect::<io::Result<Vec<_>>>()?;
        let mut merged = Merged { sources, heap: BinaryHeap::new() };
        for source in 0..merged.sources.len() {
            merged.refill(source)?;
        }
        Ok(merged)
    }

    fn refill(&mut self, source: usize) -> io::Result<()> {
        let next = self.sources[source].next()?;
        self.heap.extend(next.map(|(number, mv)| Reverse((number, mv, source))));
        Ok(())
    }

    fn next_record(&mut self) -> io::Result<Option<(u64, u32)>> {
        let Some(Reverse((number, mv, source))) = self.heap.pop() else {
            return Ok(None);
        };
        self.refill(source)?;
        Ok(Some((number, mv)))
    }
}

impl Iterator for Merged {
    type Item = io::Result<(u64, u32)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_record().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_merged() {
        let mut runs: Vec<Run> = (0..3).map(|_| Run::new(&std::env::temp_dir())).collect();
        // The first stage does not stay in memory.
        let place = |i: u64| match (i % 7, i % 1000) {
            (0, _) => 1,
            (_, 1) => 2,
            _ => 0,
        };
        for i in 0..200_000 {
            runs[place(i)].push(i * 3, i as u32).expect("kept");
        }
        assert_eq!(runs.iter().map(Run::count).sum::<u64>(), 200_000);
        let merged = Merged::new(runs).expect("sorted");
        let records: Vec<(u64, u32)> = merged.map(|record| record.expect("read")).collect();
        assert_eq!(records.len(), 200_000);
        assert!(records.into_iter().eq((0..200_000).map(|i| (u64::from(i) * 3, i))));
    }
}
