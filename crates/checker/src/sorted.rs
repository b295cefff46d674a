//! External merge sort: any number of needed positions in ascending order, without repetitions.
//! Sorted runs that do not fit into memory are kept in temporary files and merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};

/// A position that is needed: its number, and the rank below which its own has to be.
///
/// It is a number of 64 bits where that is all there is to it, so that eight bytes are enough.
pub trait Needed: Copy + Ord {
    /// A number, and the rank of the position that needs it. The number must fit.
    fn new(number: u128, below: u64) -> Self;
    /// The number.
    fn number(self) -> u128;
    /// The bound of the rank.
    fn below(self) -> u64;
    /// Writes it to a temporary file.
    fn write(self, file: &mut impl Write) -> io::Result<()>;
    /// Reads it again.
    fn read(file: &mut impl Read) -> io::Result<Self>;
}

/// Without ranks.
impl Needed for u64 {
    fn new(number: u128, _: u64) -> u64 {
        number as u64
    }

    fn number(self) -> u128 {
        self.into()
    }

    fn below(self) -> u64 {
        u64::MAX
    }

    fn write(self, file: &mut impl Write) -> io::Result<()> {
        file.write_all(&self.to_le_bytes())
    }

    fn read(file: &mut impl Read) -> io::Result<u64> {
        let mut bytes = [0; 8];
        file.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
}

/// With ranks, or with numbers that are longer. The least bound comes first.
impl Needed for (u128, u64) {
    fn new(number: u128, below: u64) -> (u128, u64) {
        (number, below)
    }

    fn number(self) -> u128 {
        self.0
    }

    fn below(self) -> u64 {
        self.1
    }

    fn write(self, file: &mut impl Write) -> io::Result<()> {
        file.write_all(&self.0.to_le_bytes())?;
        self.1.write(file)
    }

    fn read(file: &mut impl Read) -> io::Result<(u128, u64)> {
        let mut bytes = [0; 16];
        file.read_exact(&mut bytes)?;
        Ok((u128::from_le_bytes(bytes), u64::read(file)?))
    }
}

/// Collects positions.
pub struct Sorter<T> {
    needed: Vec<T>,
    most: usize,
    /// The runs, with the number of positions in each.
    files: Vec<(File, u64)>,
}

impl<T: Needed> Sorter<T> {
    /// `memory_bytes` limits the memory for positions.
    pub fn new(memory_bytes: usize) -> Sorter<T> {
        let most = (memory_bytes / size_of::<T>()).max(1);
        Sorter { needed: Vec::new(), most, files: Vec::new() }
    }

    /// Adds a position.
    pub fn push(&mut self, needed: T) -> io::Result<()> {
        self.needed.push(needed);
        if self.needed.len() < self.most {
            return Ok(());
        }
        self.sort();
        // A run that was mostly repetitions stays in memory.
        if self.needed.len() > self.most / 2 {
            let mut file = BufWriter::new(tempfile::tempfile()?);
            let count = self.needed.len() as u64;
            for needed in self.needed.drain(..) {
                needed.write(&mut file)?;
            }
            let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.rewind()?;
            self.files.push((file, count));
        }
        Ok(())
    }

    /// Of positions with one number, the first has the least bound and stays.
    fn sort(&mut self) {
        self.needed.sort_unstable();
        self.needed.dedup_by_key(|needed| needed.number());
    }

    /// All positions in order.
    pub fn finish(mut self) -> io::Result<Sorted<T>> {
        self.sort();
        let files = self.files.into_iter();
        let mut sources: Vec<Source<T>> =
            files.map(|(file, left)| Source::File { file: BufReader::new(file), left }).collect();
        sources.push(Source::Memory(self.needed.into_iter()));
        let mut sorted = Sorted { sources, heap: BinaryHeap::new(), last: None };
        for source in 0..sorted.sources.len() {
            sorted.refill(source)?;
        }
        Ok(sorted)
    }
}

enum Source<T> {
    File { file: BufReader<File>, left: u64 },
    Memory(std::vec::IntoIter<T>),
}

/// Positions in ascending order, each once.
pub struct Sorted<T> {
    sources: Vec<Source<T>>,
    /// The next position of each run.
    heap: BinaryHeap<Reverse<(T, usize)>>,
    last: Option<u128>,
}

impl<T: Needed> Sorted<T> {
    fn refill(&mut self, source: usize) -> io::Result<()> {
        let next = match &mut self.sources[source] {
            Source::Memory(needed) => needed.next(),
            Source::File { left: 0, .. } => None,
            Source::File { file, left } => {
                *left -= 1;
                Some(T::read(file)?)
            }
        };
        self.heap.extend(next.map(|needed| Reverse((needed, source))));
        Ok(())
    }

    /// The next position, with the least of its bounds.
    pub fn next_needed(&mut self) -> io::Result<Option<T>> {
        while let Some(Reverse((needed, source))) = self.heap.pop() {
            self.refill(source)?;
            if self.last != Some(needed.number()) {
                self.last = Some(needed.number());
                return Ok(Some(needed));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted<T: Needed>(all: impl Iterator<Item = T>, most: usize) -> Vec<T> {
        let mut sorter = Sorter::new(most * size_of::<T>());
        all.for_each(|needed| sorter.push(needed).expect("kept"));
        let mut sorted = sorter.finish().expect("sorted");
        std::iter::from_fn(|| sorted.next_needed().expect("read")).collect()
    }

    #[test]
    fn sorts_with_and_without_files() {
        let numbers: Vec<u64> = (0..10_000_u64).map(|i| i * i * 7919 % 3001).collect();
        let mut expected = numbers.clone();
        expected.sort_unstable();
        expected.dedup();
        for most in [10, 1000, 1_000_000] {
            assert_eq!(sorted(numbers.iter().copied(), most), expected);
        }
        let all = sorted(numbers.iter().copied().take(50), 1);
        assert!(all.is_sorted_by(|a, b| a < b) && all.len() <= 50);
    }

    /// Of each number, the least bound is kept.
    #[test]
    fn keeps_the_least_bound() {
        let wide = |i: u64| (u128::from(i * 7919 % 301) << 90, i * i % 1009 + 1);
        let mut expected = std::collections::BTreeMap::new();
        for (number, below) in (0..5000).map(wide) {
            let least = expected.entry(number).or_insert(below);
            *least = below.min(*least);
        }
        let expected: Vec<(u128, u64)> = expected.into_iter().collect();
        for most in [10, 1000, 1_000_000] {
            assert_eq!(sorted((0..5000).map(wide), most), expected);
        }
    }
}
