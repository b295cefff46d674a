//! External merge sort: any number of numbers in ascending order, without repetitions. Sorted runs
//! that do not fit into memory are kept in temporary files and merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};

/// Collects numbers.
pub struct Sorter {
    numbers: Vec<u64>,
    most: usize,
    /// The runs, with the number of numbers in each.
    files: Vec<(File, u64)>,
}

impl Sorter {
    /// `most` is the largest number of numbers in memory.
    pub fn new(most: usize) -> Sorter {
        Sorter { numbers: Vec::new(), most: most.max(1), files: Vec::new() }
    }

    /// Adds a number.
    pub fn push(&mut self, number: u64) -> io::Result<()> {
        self.numbers.push(number);
        if self.numbers.len() < self.most {
            return Ok(());
        }
        self.numbers.sort_unstable();
        self.numbers.dedup();
        // A run that was mostly repetitions stays in memory.
        if self.numbers.len() > self.most / 2 {
            let mut file = BufWriter::new(tempfile::tempfile()?);
            let count = self.numbers.len() as u64;
            for number in self.numbers.drain(..) {
                file.write_all(&number.to_le_bytes())?;
            }
            let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.rewind()?;
            self.files.push((file, count));
        }
        Ok(())
    }

    /// All numbers in order.
    pub fn finish(mut self) -> io::Result<Sorted> {
        self.numbers.sort_unstable();
        self.numbers.dedup();
        let files = self.files.into_iter();
        let mut sources: Vec<Source> =
            files.map(|(file, left)| Source::File { file: BufReader::new(file), left }).collect();
        sources.push(Source::Memory(self.numbers.into_iter()));
        let mut sorted = Sorted { sources, heap: BinaryHeap::new(), last: None };
        for source in 0..sorted.sources.len() {
            sorted.refill(source)?;
        }
        Ok(sorted)
    }
}

enum Source {
    File { file: BufReader<File>, left: u64 },
    Memory(std::vec::IntoIter<u64>),
}

/// Numbers in ascending order, each once.
pub struct Sorted {
    sources: Vec<Source>,
    /// The next number of each run.
    heap: BinaryHeap<Reverse<(u64, usize)>>,
    last: Option<u64>,
}

impl Sorted {
    fn refill(&mut self, source: usize) -> io::Result<()> {
        let next = match &mut self.sources[source] {
            Source::Memory(numbers) => numbers.next(),
            Source::File { left: 0, .. } => None,
            Source::File { file, left } => {
                let mut bytes = [0; 8];
                file.read_exact(&mut bytes)?;
                *left -= 1;
                Some(u64::from_le_bytes(bytes))
            }
        };
        self.heap.extend(next.map(|number| Reverse((number, source))));
        Ok(())
    }

    /// The next number.
    pub fn next_number(&mut self) -> io::Result<Option<u64>> {
        while let Some(Reverse((number, source))) = self.heap.pop() {
            self.refill(source)?;
            if self.last != Some(number) {
                self.last = Some(number);
                return Ok(Some(number));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_with_and_without_files() {
        let numbers: Vec<u64> = (0..10_000_u64).map(|i| i * i * 7919 % 3001).collect();
        let mut expected = numbers.clone();
        expected.sort_unstable();
        expected.dedup();
        for most in [1, 10, 1000, 1_000_000] {
            let mut sorter = Sorter::new(most);
            for &number in numbers.iter().take(if most == 1 { 50 } else { numbers.len() }) {
                sorter.push(number).expect("kept");
            }
            let mut sorted = sorter.finish().expect("sorted");
            let mut all = Vec::new();
            while let Some(number) = sorted.next_number().expect("read") {
                all.push(number);
            }
            if most > 1 {
                assert_eq!(all, expected);
            } else {
                assert!(all.is_sorted_by(|a, b| a < b) && all.len() <= 50);
            }
        }
    }
}
