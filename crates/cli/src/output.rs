//! Where answers go: text or JSON, to the terminal or into a file that appears when complete.

use std::io::{self, Write};
use std::path::Path;

use papamu_base::file::AtomicFile;

use crate::failure::Failure;

/// The destination of a verb's answer.
pub(crate) struct Output {
    sink: Sink,
    is_json: bool,
}

enum Sink {
    Terminal(io::Stdout),
    File { file: AtomicFile, bytes: Vec<u8> },
}

impl Output {
    /// Checks the destination before any work is done, so that an unwritable path costs no time.
    pub(crate) fn open(path: Option<&Path>, is_json: bool) -> Result<Output, Failure> {
        let sink = match path {
            Some(path) => Sink::File { file: AtomicFile::new(path)?, bytes: Vec::new() },
            None => Sink::Terminal(io::stdout()),
        };
        Ok(Output { sink, is_json })
    }

    /// Whether the user wants JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.is_json
    }

    /// The file that is written, if it is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.sink {
            Sink::Terminal(_) => None,
            Sink::File { file, .. } => Some(file.path()),
        }
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.raw(format!("{text}\n").as_bytes())
    }

    /// Writes bytes.
    pub(crate) fn raw(&mut self, more: &[u8]) -> Result<(), Failure> {
        match &mut self.sink {
            Sink::Terminal(stdout) => to_reader(stdout.write_all(more)),
            Sink::File { bytes, .. } => {
                bytes.extend_from_slice(more);
                Ok(())
            }
        }
    }

    /// Completes the answer.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self.sink {
            Sink::Terminal(mut stdout) => to_reader(stdout.flush()),
            Sink::File { file, bytes } => Ok(file.write(&bytes)?),
        }
    }
}

/// A closed pipe is no failure: its reader has seen enough.
pub(crate) fn to_reader(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Write(error)),
        _ => Ok(()),
    }
}

/// A number with its digits in groups of three.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_are_grouped_by_three() {
        let texts = [0, 999, 1000, 123_456, 6_862_224_804].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "123,456", "6,862,224,804"]);
    }
}
