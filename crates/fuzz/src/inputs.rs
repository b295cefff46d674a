//! Inputs: examples of the corpus, changes of them, and noise.

use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};

use fastrand::Rng;

use crate::Property;

/// Longer inputs find nothing that shorter ones do not.
const LONGEST: usize = 1 << 14;

/// At least one in this number of inputs should be read.
const LEAST_SHARE: u32 = 20;

/// The examples of a property, in the order of their names.
pub fn corpus(property: &Property) -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(property.name);
    let Ok(files) = std::fs::read_dir(directory) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read(path).ok()).collect()
}

/// Endless inputs, the same for the same seed. The unchanged examples come first.
pub struct Inputs {
    corpus: Vec<Vec<u8>>,
    random: Rng,
    made: usize,
}

impl Inputs {
    /// Inputs of a property.
    pub fn new(property: &Property, seed: u64) -> Inputs {
        Inputs { corpus: corpus(property), random: Rng::with_seed(seed), made: 0 }
    }

    fn noise(&mut self) -> Vec<u8> {
        let length = self.random.usize(..64);
        (0..length).map(|_| self.random.u8(..)).collect()
    }

    /// A piece of an example.
    fn piece(&mut self) -> Vec<u8> {
        let Some(example) = self.random.choice(&self.corpus) else { return self.noise() };
        let start = self.random.usize(..=example.len());
        let end = example.len().min(start + self.random.usize(..32));
        example[start..end].to_vec()
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let at = self.random.usize(..=input.len());
        let end = input.len().min(at + 1 + self.random.usize(..8));
        match self.random.u8(..8) {
            0 if at < input.len() => input[at] ^= 1 << self.random.u8(..8),
            1 if at < input.len() => input[at] = self.random.u8(..),
            2 if at < input.len() => input[at] = *self.random.choice(b"0129 .\nxo-/").unwrap_or(&0),
            3 if at < input.len() => drop(input.drain(at..end)),
            4 => {
                let copied = input[at..end].to_vec();
                let to = self.random.usize(..=input.len());
                input.splice(to..to, copied);
            }
            5 => input.truncate(at),
            6 => input.insert(at, self.random.u8(..)),
            _ => {
                let piece = self.piece();
                input.splice(at..end, piece);
            }
        }
    }
}

impl Iterator for Inputs {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        self.made += 1;
        if let Some(example) = self.corpus.get(self.made - 1) {
            return Some(example.clone());
        }
        let example = self.random.choice(&self.corpus).cloned();
        let mut input = match example {
            Some(example) if self.random.u8(..8) > 0 => example,
            _ => return Some(self.noise()),
        };
        self.change(&mut input);
        while self.random.bool() {
            self.change(&mut input);
        }
        input.truncate(LONGEST);
        Some(input)
    }
}

/// Tries the inputs that the tests try.
///
/// # Panics
///
/// If an input breaks the property; the message names it. Also if hardly any input is read: then
/// the property holds only because it is not tested.
pub fn try_all(property: &Property) {
    assert!(!corpus(property).is_empty(), "{} has no corpus", property.name);
    let mut read = 0;
    for input in Inputs::new(property, 1).take(property.runs as usize) {
        let check = AssertUnwindSafe(|| (property.check)(&input));
        match panic::catch_unwind(check) {
            Ok(is_read) => read += u32::from(is_read),
            Err(panic) => {
                eprintln!("{} is broken by b\"{}\"", property.name, input.escape_ascii());
                panic::resume_unwind(panic);
            }
        }
    }
    println!("{}: {read} of {} were read", property.name, property.runs);
    assert!(read >= property.runs / LEAST_SHARE, "{read} of {} were read", property.runs);
}
