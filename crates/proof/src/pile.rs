//! External merge sort: any number of numbers in ascending order, without repetitions. Sorted runs
//! that do not fit into memory are kept in a temporary file and merged. All runs share one file,
//! because extraction has a pile open for every stage and systems limit the number of open files.
//!
//! The checker has its own sorter, because it shares no code with what it checks.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use papamu_game::CertificateNumber;

/// The numbers of a run that are in memory while runs are merged.
const BUFFER: u64 = 1 << 12;

/// Collects numbers.
pub(crate) struct Pile<N> {
    /// The directory of the temporary file.
    directory: PathBuf,
    numbers: Vec<N>,
    /// The most numbers in memory.
    most: usize,
    file: Option<BufWriter<File>>,
    /// The end of each run, in numbers.
    ends: Vec<u64>,
}

impl<N: CertificateNumber> Pile<N> {
    pub(crate) fn new(most: usize, directory: &Path) -> Pile<N> {
        let directory = directory.to_owned();
        Pile { directory, numbers: Vec::new(), most: most.max(2), file: None, ends: Vec::new() }
    }

    pub(crate) fn push(&mut self, number: N) -> io::Result<()> {
        self.numbers.push(number);
        if self.numbers.len() < self.most {
            return Ok(());
        }
        self.sort();
        // A run that was mostly repetitions stays in memory.
        if self.numbers.len() <= self.most / 2 {
            return Ok(());
        }
        let file = match &mut self.file {
            Some(file) => file,
            None => self
                .file
                .insert(BufWriter::with_capacity(1 << 20, tempfile::tempfile_in(&self.directory)?)),
        };
        let before = self.ends.last().copied().unwrap_or(0);
        self.ends.push(before + self.numbers.len() as u64);
        for number in self.numbers.drain(..) {
            file.write_all(&number.widen().to_le_bytes()[..N::BYTES])?;
        }
        Ok(())
    }

    fn sort(&mut self) {
        self.numbers.sort_unstable();
        self.numbers.dedup();
    }

    /// All numbers in order.
    pub(crate) fn into_sorted(mut self) -> io::Result<Sorted<N>> {
        self.sort();
        let file = self.file.map(|file| file.into_inner().map_err(io::IntoInnerError::into_error));
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let mut runs: Vec<SortedRun<N>> = starts
            .zip(&self.ends)
            .map(|(next, &end)| SortedRun { buffer: Vec::new().into_iter(), next, end })
            .collect();
        runs.push(SortedRun { buffer: self.numbers.into_iter(), next: 0, end: 0 });
        let mut sorted =
            Sorted { file: file.transpose()?, runs, heap: BinaryHeap::new(), last: None };
        for run in 0..sorted.runs.len() {
            sorted.refill(run)?;
        }
        Ok(sorted)
    }
}

/// A run: numbers in ascending order, some in memory and the others in a range of the file.
struct SortedRun<N> {
    buffer: std::vec::IntoIter<N>,
    next: u64,
    end: u64,
}

/// Numbers in ascending order, without repetitions.
pub(crate) struct Sorted<N> {
    file: Option<File>,
    runs: Vec<SortedRun<N>>,
    /// The next number of each run.
    heap: BinaryHeap<Reverse<(N, usize)>>,
    last: Option<N>,
}

impl<N: CertificateNumber> Sorted<N> {
    /// Pushes the next number of a run onto the heap.
    fn refill(&mut self, index: usize) -> io::Result<()> {
        let run = &mut self.runs[index];
        if let (true, true, Some(file)) =
            (run.buffer.len() == 0, run.next < run.end, &mut self.file)
        {
            let count = (run.end - run.next).min(BUFFER);
            let mut bytes = vec![0; count as usize * N::BYTES];
            file.seek(SeekFrom::Start(run.next * N::BYTES as u64))?;
            file.read_exact(&mut bytes)?;
            let number = |bytes: &[u8]| {
                N::narrow(
                    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte)),
                )
            };
            let numbers: Vec<N> = bytes.chunks_exact(N::BYTES).filter_map(number).collect();
            run.buffer = numbers.into_iter();
            run.next += count;
        }
        self.heap.extend(run.buffer.next().map(|number| Reverse((number, index))));
        Ok(())
    }

    /// The next number.
    pub(crate) fn next_number(&mut self) -> io::Result<Option<N>> {
        while let Some(Reverse((number, run))) = self.heap.pop() {
            self.refill(run)?;
            if self.last != Some(number) {
                self.last = Some(number);
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Up to this many of the next numbers.
    pub(crate) fn next_numbers(&mut self, most: usize) -> io::Result<Vec<N>> {
        let mut numbers = Vec::new();
        while numbers.len() < most {
            let Some(number) = self.next_number()? else { break };
            numbers.push(number);
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piles_are_sorted_with_and_without_files() {
        check(|number| number);
        check(|number| u128::from(number) << 70 | 5);
    }

    fn check<N: CertificateNumber>(of: impl Fn(u64) -> N) {
        let mut random = fastrand::Rng::with_seed(3);
        for (count, most) in [(0, 10), (5, 10), (1000, 3), (50_000, 1000), (50_000, 20_000)] {
            let numbers: Vec<N> = (0..count).map(|_| of(random.u64(..40_000))).collect();
            let mut pile = Pile::new(most, &std::env::temp_dir());
            numbers.iter().for_each(|&number| pile.push(number).expect("kept"));
            assert_eq!(pile.file.is_some(), count as usize > most, "{count} {most}");
            let mut expected = numbers;
            expected.sort_unstable();
            expected.dedup();
            let mut sorted = pile.into_sorted().expect("sorted");
            assert_eq!(sorted.next_numbers(100_000).expect("read"), expected);
        }
    }
}
