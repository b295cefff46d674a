//! Records that wait to be written: a run in ascending order for each stage, merged at the end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, BufReader, Read, Seek, Write};
use std::marker::PhantomData;
use std::path::Path;

use papamu_game::CertificateNumber;
use tempfile::SpooledTempFile;

use crate::strategy::Record;

/// The bytes of a move.
const MOVE_BYTES: usize = 4;
/// Stages of up to this many bytes stay in memory.
const IN_MEMORY: usize = 1 << 20;

/// The records of one stage, which come in ascending order. They have no ranks, because games with
/// stages do not go in circles.
pub(crate) struct Run<N> {
    file: SpooledTempFile,
    buffer: Vec<u8>,
    count: u64,
    numbers: PhantomData<N>,
}

impl<N: CertificateNumber> Run<N> {
    pub(crate) fn new(directory: &Path) -> Run<N> {
        let file = SpooledTempFile::new_in(IN_MEMORY, directory);
        Run { file, buffer: Vec::new(), count: 0, numbers: PhantomData }
    }

    pub(crate) fn push(&mut self, number: N, mv: u32) -> io::Result<()> {
        self.buffer.extend(&number.widen().to_le_bytes()[..N::BYTES]);
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
    fn next<N: CertificateNumber>(&mut self) -> io::Result<Option<(N, u32)>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let (mut number, mut mv) = ([0; size_of::<u128>()], [0; MOVE_BYTES]);
        self.file.read_exact(&mut number[..N::BYTES])?;
        self.file.read_exact(&mut mv)?;
        let number = N::narrow(u128::from_le_bytes(number));
        Ok(number.map(|number| (number, u32::from_le_bytes(mv))))
    }
}

/// The records of all stages in ascending order.
pub(crate) struct Merged<N> {
    sources: Vec<Source>,
    heap: BinaryHeap<Reverse<(N, u32, usize)>>,
}

impl<N: CertificateNumber> Merged<N> {
    pub(crate) fn new(runs: Vec<Run<N>>) -> io::Result<Merged<N>> {
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

    fn next_record(&mut self) -> io::Result<Option<(N, Record)>> {
        let Some(Reverse((number, mv, source))) = self.heap.pop() else {
            return Ok(None);
        };
        self.refill(source)?;
        Ok(Some((number, Record::unranked(mv))))
    }
}

impl<N: CertificateNumber> Iterator for Merged<N> {
    type Item = io::Result<(N, Record)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_record().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_merged() {
        check(|i| i * 3);
        check(|i| u128::from(i) << 64);
    }

    fn check<N: CertificateNumber>(number: impl Fn(u64) -> N) {
        let mut runs: Vec<Run<N>> = (0..3).map(|_| Run::new(&std::env::temp_dir())).collect();
        // The first stage does not stay in memory.
        let place = |i: u64| match (i % 7, i % 1000) {
            (0, _) => 1,
            (_, 1) => 2,
            _ => 0,
        };
        for i in 0..200_000 {
            runs[place(i)].push(number(i), i as u32).expect("kept");
        }
        assert_eq!(runs.iter().map(Run::count).sum::<u64>(), 200_000);
        let merged = Merged::new(runs).expect("sorted");
        let records: Vec<(N, Record)> = merged.map(|record| record.expect("read")).collect();
        assert_eq!(records.len(), 200_000);
        let expected = (0..200_000).map(|i| (number(i.into()), Record::unranked(i)));
        assert!(records.into_iter().eq(expected));
    }
}
