//! Where answers go: text or JSON, to the terminal or into a file that appears when complete.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use tempfile::NamedTempFile;

use crate::failure::Failure;

/// The destination of a verb's answer.
pub(crate) struct Output {
    sink: Sink,
    json: bool,
    quiet: bool,
}

enum Sink {
    Terminal(io::Stdout),
    File(AtomicFile),
}

impl Output {
    /// Opens the destination before any work is done, so that an unwritable path costs no time.
    pub(crate) fn open(path: Option<&Path>, json: bool, quiet: bool) -> Result<Output, Failure> {
        let sink = match path {
            Some(path) => Sink::File(AtomicFile::create(path)?),
            None => Sink::Terminal(io::stdout()),
        };
        Ok(Output { sink, json, quiet })
    }

    /// Whether the user wants no progress.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Writes a line of text; nothing if the user wants JSON.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        if !self.json {
            self.write(text.as_ref())?;
        }
        Ok(())
    }

    /// Writes the JSON object; nothing if the user wants text.
    pub(crate) fn json(&mut self, object: &impl Serialize) -> Result<(), Failure> {
        if self.json {
            let text = serde_json::to_string(object).map_err(io::Error::from)?;
            self.write(&text)?;
        }
        Ok(())
    }

    /// Writes a line whatever the user wants.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), Failure> {
        match &mut self.sink {
            Sink::Terminal(stdout) => Ok(writeln!(stdout, "{text}")?),
            Sink::File(file) => file.write(format!("{text}\n").as_bytes()),
        }
    }

    /// Completes the answer.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self.sink {
            Sink::Terminal(mut stdout) => Ok(stdout.flush()?),
            Sink::File(file) => file.persist(),
        }
    }
}

/// A file that is written under another name and renamed when complete: nobody ever sees half of it.
pub(crate) struct AtomicFile {
    path: PathBuf,
    temporary: NamedTempFile,
}

impl AtomicFile {
    pub(crate) fn create(path: &Path) -> Result<AtomicFile, Failure> {
        if path.is_dir() {
            let error = io::Error::new(io::ErrorKind::IsADirectory, "it is a directory");
            return Err(Failure::file("write", path, error));
        }
        let directory = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let temporary = tempfile::Builder::new()
            .prefix(".papamu-")
            .permissions_of_new_files()
            .tempfile_in(directory)
            .map_err(|error| Failure::file("write", path, without_temporary_name(error)))?;
        Ok(AtomicFile { path: path.to_owned(), temporary })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.temporary.write_all(bytes);
        written.map_err(|error| Failure::file("write", &self.path, error))
    }

    pub(crate) fn persist(self) -> Result<(), Failure> {
        let AtomicFile { path, temporary } = self;
        temporary
            .as_file()
            .sync_all()
            .and_then(|()| temporary.persist(&path).map(drop).map_err(|error| error.error))
            .map_err(|error| Failure::file("write", &path, error))
    }
}

/// The user named the final file, so the name of the temporary one would only confuse.
fn without_temporary_name(error: io::Error) -> io::Error {
    let cause = error.get_ref().and_then(|cause| cause.source());
    match cause.and_then(|cause| cause.downcast_ref::<io::Error>()?.raw_os_error()) {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error,
    }
}

/// Temporary files are private by default; an answer is as readable as any new file.
trait NewFilePermissions {
    fn permissions_of_new_files(&mut self) -> &mut Self;
}

impl NewFilePermissions for tempfile::Builder<'_, '_> {
    #[cfg(unix)]
    fn permissions_of_new_files(&mut self) -> &mut Self {
        use std::os::unix::fs::PermissionsExt;
        self.permissions(std::fs::Permissions::from_mode(0o666))
    }

    #[cfg(not(unix))]
    fn permissions_of_new_files(&mut self) -> &mut Self {
        self
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
