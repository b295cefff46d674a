//! Where answers go: text or JSON, to the terminal or into a file that appears when complete.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::failure::Failure;

/// The destination of a verb's answer.
pub(crate) struct Output {
    sink: Sink,
    json: bool,
    quiet: bool,
}

enum Sink {
    Terminal(io::Stdout),
    File { target: Target, bytes: Vec<u8> },
}

impl Output {
    /// Looks at the destination before any work is done, so that an unwritable path costs no time.
    pub(crate) fn open(path: Option<&Path>, json: bool, quiet: bool) -> Result<Output, Failure> {
        let sink = match path {
            Some(path) => Sink::File { target: Target::new(path)?, bytes: Vec::new() },
            None => Sink::Terminal(io::stdout()),
        };
        Ok(Output { sink, json, quiet })
    }

    /// Whether the user wants no progress.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Whether the user wants JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json
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
            let text = serde_json::to_string(object).map_err(io::Error::from);
            self.write(&text.map_err(Failure::Write)?)?;
        }
        Ok(())
    }

    fn write(&mut self, line: &str) -> Result<(), Failure> {
        self.raw(format!("{line}\n").as_bytes())
    }

    /// Writes bytes in whatever format the user chose.
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
            Sink::File { target, bytes } => target.write(&bytes),
        }
    }
}

/// A reader who has seen enough and is gone is no failure.
pub(crate) fn to_reader(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Write(error)),
        _ => Ok(()),
    }
}

/// A file to be written as a whole. A regular file is written under another name and renamed, so
/// that nobody ever sees half of it; a device or a pipe is written directly.
pub(crate) struct Target {
    /// The path as the user gave it.
    path: PathBuf,
    /// Where links lead.
    resolved: PathBuf,
    /// The permissions of the file that is there already.
    permissions: Option<Permissions>,
    direct: bool,
}

impl Target {
    /// Makes sure that the file can be written.
    pub(crate) fn new(path: &Path) -> Result<Target, Failure> {
        let fail = |error: io::Error| Failure::file("write", path, error);
        if path.as_os_str().to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]) {
            return Err(fail(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory")));
        }
        // Of a file that is not there yet, the directory tells whether it is the same as another.
        let in_directory = || {
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            let directory = parent.unwrap_or(Path::new(".")).canonicalize().ok()?;
            Some(directory.join(path.file_name()?))
        };
        let resolved = path.canonicalize().ok().or_else(in_directory);
        let resolved = resolved.unwrap_or_else(|| path.to_owned());
        let existing = fs::metadata(&resolved).ok();
        if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(fail(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory")));
        }
        let target = Target {
            path: path.to_owned(),
            direct: existing.as_ref().is_some_and(|file| !file.is_file()),
            permissions: existing.map(|file| file.permissions()),
            resolved,
        };
        if !target.direct {
            // Removed at once: nothing is left behind if the work is interrupted.
            drop(target.temporary().map_err(fail)?);
        }
        Ok(target)
    }

    /// Whether both are the same file.
    pub(crate) fn is_same_as(&self, other: &Target) -> bool {
        self.resolved == other.resolved
    }

    /// Where there should be room for files on the way to this one.
    pub(crate) fn directory(&self) -> PathBuf {
        match self.resolved.parent() {
            _ if self.direct => std::env::temp_dir(),
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        }
    }

    fn temporary(&self) -> io::Result<tempfile::NamedTempFile> {
        let directory = self.directory();
        fs::metadata(&directory)?;
        let name = self.resolved.file_name().unwrap_or_default();
        let mut builder = tempfile::Builder::new();
        builder.prefix(name);
        #[cfg(unix)]
        {
            // Temporary files are private by default; an answer is as readable as any new file.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(Permissions::from_mode(0o666));
        }
        // The user named the final file: the name of the temporary one would only confuse.
        builder.tempfile_in(directory).map_err(|error| io::Error::from(error.kind()))
    }

    /// Writes the whole file.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        self.write_by(|file| file.write_all(bytes))
    }

    /// Writes the whole file piece by piece.
    pub(crate) fn write_by(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let written = if self.direct { self.write_directly(write) } else { self.replace(write) };
        written.map_err(|error| Failure::file("write", &self.path, error))
    }

    fn write_directly(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        write(&mut fs::OpenOptions::new().write(true).open(&self.resolved)?)
    }

    fn replace(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut file = io::BufWriter::new(self.temporary()?);
        write(&mut file)?;
        let temporary = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Some(permissions) = &self.permissions {
            temporary.as_file().set_permissions(permissions.clone())?;
        }
        temporary.as_file().sync_all()?;
        temporary.persist(&self.resolved).map_err(|error| error.error)?;
        Ok(())
    }
}

/// Refuses files that are to be written, each with the option that names it, if two of them are the same.
pub(crate) fn check_distinct<'a>(
    files: impl IntoIterator<Item = (&'a str, Option<&'a Path>)>,
) -> Result<(), Failure> {
    let mut targets: Vec<(&str, Target)> = Vec::new();
    for (name, path) in files {
        let Some(path) = path else { continue };
        let target = Target::new(path)?;
        if let Some((other, _)) = targets.iter().find(|(_, other)| other.is_same_as(&target)) {
            return Err(Failure::Arguments(format!("{other} and {name} name the same file")));
        }
        targets.push((name, target));
    }
    Ok(())
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
