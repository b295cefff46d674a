//! Files that appear when they are complete, and files that only one program at a time may use.
//!
//! A new file is written under a temporary name in the same directory and renamed at the end, so no
//! reader ever sees half of it. A program that is killed leaves its temporary file behind. Every
//! temporary file is locked while it is written, so the next writer of the same path recognises
//! stale ones and removes them.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use thiserror::Error;

/// A file cannot be used as it should.
#[derive(Debug, Error)]
#[error("cannot {action} `{path}`: {error}", path = path.display())]
pub struct FileError {
    /// What was tried, such as "write".
    pub action: &'static str,
    /// The file.
    pub path: PathBuf,
    /// What happened.
    pub error: io::Error,
}

impl FileError {
    /// That action of that file failed.
    pub fn new(action: &'static str, path: &Path, error: io::Error) -> FileError {
        FileError { action, path: path.to_owned(), error }
    }
}

/// A file to be written as a whole. A regular file is written under another name and renamed; a
/// device or a pipe is written directly.
///
/// ```
/// use papamu_base::file::AtomicFile;
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("answer.txt");
/// AtomicFile::new(&path)?.write(b"42\n")?;
/// assert_eq!(std::fs::read(&path)?, b"42\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    /// The path as it was given.
    path: PathBuf,
    /// The path with links resolved.
    resolved: PathBuf,
    /// The permissions of the file that is there already.
    permissions: Option<Permissions>,
    is_direct: bool,
}

impl AtomicFile {
    /// Makes sure that the file can be written, before any work is done for it.
    pub fn new(path: &Path) -> Result<AtomicFile, FileError> {
        let fail = |error: io::Error| FileError::new("write", path, error);
        let is_directory = || io::Error::new(io::ErrorKind::IsADirectory, "it is a directory");
        if path.as_os_str().to_string_lossy().ends_with(['/', MAIN_SEPARATOR]) {
            return Err(fail(is_directory()));
        }
        let resolved = resolve(path);
        let existing = fs::metadata(&resolved).ok();
        if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(fail(is_directory()));
        }
        let file = AtomicFile {
            path: path.to_owned(),
            is_direct: existing.as_ref().is_some_and(|file| !file.is_file()),
            permissions: existing.map(|file| file.permissions()),
            resolved,
        };
        if !file.is_direct {
            remove_stale(&file.resolved);
            // Removed at once: nothing is left behind if the work is interrupted.
            drop(file.temporary().map_err(fail)?);
        }
        Ok(file)
    }

    /// The path as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether both are the same file.
    pub fn is_same_as(&self, other: &AtomicFile) -> bool {
        self.resolved == other.resolved
    }

    /// The directory for intermediate files of this one.
    pub fn directory(&self) -> PathBuf {
        if self.is_direct { std::env::temp_dir() } else { parent(&self.resolved).to_owned() }
    }

    fn temporary(&self) -> io::Result<tempfile::NamedTempFile> {
        let directory = self.directory();
        fs::metadata(&directory)?;
        let mut builder = tempfile::Builder::new();
        let prefix = temporary_prefix(&self.resolved);
        builder.prefix(&prefix).suffix(TEMPORARY_SUFFIX);
        #[cfg(unix)]
        {
            // Temporary files are private by default; an answer is as readable as any new file.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(Permissions::from_mode(0o666));
        }
        loop {
            // The user named the final file: the name of the temporary one would only confuse.
            let file = builder.tempfile_in(&directory);
            let file = file.map_err(|error| io::Error::from(error.kind()))?;
            // A file system without locks keeps stale files, which are harmless.
            let _ = file.as_file().try_lock();
            // Another writer may have removed it as stale before it was locked.
            if is_at(file.as_file(), file.path()) {
                return Ok(file);
            }
        }
    }

    /// Writes the whole file.
    pub fn write(&self, bytes: &[u8]) -> Result<(), FileError> {
        self.write_by(|file| file.write_all(bytes))
    }

    /// Writes the whole file piece by piece.
    pub fn write_by(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), FileError> {
        let written = if self.is_direct { self.write_directly(write) } else { self.replace(write) };
        written.map_err(|error| FileError::new("write", &self.path, error))
    }

    fn write_directly(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        write(&mut OpenOptions::new().write(true).open(&self.resolved)?)
    }

    fn replace(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut file = BufWriter::new(self.temporary()?);
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

/// The path with links resolved. If the file does not exist yet, the links of its directory are
/// resolved.
fn resolve(path: &Path) -> PathBuf {
    let in_directory = || Some(parent(path).canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(in_directory).unwrap_or_else(|| path.to_owned())
}

/// The directory of a file.
fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

const TEMPORARY_SUFFIX: &str = ".papamu-tmp";

/// The prefix of temporary files of a path: hidden, and named after it.
fn temporary_prefix(path: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    prefix
}

/// Removes the temporary files of a path that no program is writing.
fn remove_stale(path: &Path) {
    let prefix = temporary_prefix(path);
    let entries = fs::read_dir(parent(path)).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        let is_ours = name.starts_with(prefix.as_encoded_bytes())
            && name.ends_with(TEMPORARY_SUFFIX.as_bytes())
            && entry.file_type().is_ok_and(|kind| kind.is_file());
        // A program that is writing it holds the lock.
        if is_ours && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            // A file that stays is harmless.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Two options name the same file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{first} and {second} name the same file")]
pub struct SameFile {
    /// The name of the first.
    pub first: String,
    /// The name of the second.
    pub second: String,
}

/// Refuses two names of the same file, among files that are written or must stay unchanged.
pub fn find_same<'a>(
    files: impl IntoIterator<Item = (&'a str, Option<&'a Path>)>,
) -> Result<(), SameFile> {
    let mut places: Vec<(&str, PathBuf)> = Vec::new();
    for (name, path) in files {
        let Some(path) = path else { continue };
        let place = resolve(path);
        // A device may be read and written under several names.
        let is_device = fs::metadata(&place).is_ok_and(|file| !file.is_file() && !file.is_dir());
        if is_device {
            continue;
        }
        if let Some((other, _)) = places.iter().find(|(_, other)| *other == place) {
            return Err(SameFile { first: (*other).to_owned(), second: name.to_owned() });
        }
        places.push((name, place));
    }
    Ok(())
}

/// Keeps other programs from using a file, which need not exist. The lock is on a hidden file
/// beside it, because the file itself may be replaced.
#[derive(Debug)]
pub struct FileLock {
    path: PathBuf,
    /// Holds the lock until it is dropped.
    _file: File,
}

/// Why a file cannot be locked.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another program uses the file.
    #[error("`{path}` is in use by another run", path = path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The lock cannot be made.
    #[error(transparent)]
    File(#[from] FileError),
}

impl FileLock {
    /// Locks a file. Fails if another program has locked it.
    pub fn new(path: &Path) -> Result<FileLock, LockError> {
        let resolved = resolve(path);
        let mut name = temporary_prefix(&resolved);
        name.push("papamu-lock");
        let lock = resolved.with_file_name(name);
        let fail = |error| FileError::new("lock", path, error);
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        loop {
            let file = options.open(&lock).map_err(fail)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(LockError::Busy { path: path.to_owned() });
                }
                Err(TryLockError::Error(error)) => return Err(fail(error).into()),
            }
            // The previous holder may have removed the file that is locked now.
            if is_at(&file, &lock) {
                return Ok(FileLock { path: lock, _file: file });
            }
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Removed while it is locked, so no other program holds it. A file that stays is harmless.
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether an open file is the one that has that name.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |data: fs::Metadata| (data.dev(), data.ino());
        match (file.metadata(), fs::metadata(path)) {
            (Ok(open), Ok(named)) => identity(open) == identity(named),
            _ => false,
        }
    }
    #[cfg(not(unix))]
    {
        // Open files cannot be removed there.
        let _ = (file, path);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).expect("a directory").flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn only_complete_files_appear() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("out");
        let file = AtomicFile::new(&path).expect("writable");
        assert!(names(directory.path()).is_empty());
        let failed = file.write_by(|file| {
            file.write_all(b"half")?;
            Err(io::Error::other("no more"))
        });
        assert_eq!(failed.expect_err("failed").action, "write");
        assert!(names(directory.path()).is_empty());
        file.write(b"whole").expect("written");
        assert_eq!(fs::read(&path).expect("read"), b"whole");
        assert!(AtomicFile::new(directory.path()).is_err());
        assert!(AtomicFile::new(&directory.path().join("no/such/file")).is_err());
    }

    /// The temporary file of a killed program is removed; a file that is being written is not.
    #[test]
    fn stale_temporary_files_are_removed() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("out");
        let [stale, busy, other, foreign] =
            [".out.aaaa.papamu-tmp", ".out.bbbb.papamu-tmp", ".other.cc.papamu-tmp", ".out.dddd"]
                .map(|name| directory.path().join(name));
        for path in [&stale, &busy, &other, &foreign] {
            fs::write(path, b"half").expect("written");
        }
        let writer = File::open(&busy).expect("open");
        writer.try_lock().expect("free");
        AtomicFile::new(&path).expect("writable").write(b"whole").expect("written");
        assert!(!stale.exists() && busy.exists() && other.exists() && foreign.exists());
    }

    #[test]
    fn one_file_under_two_names_is_found() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a");
        let same = directory.path().join(".").join("a");
        let found = find_same([("--out", Some(&*path)), ("--plot", None), ("FILE", Some(&*same))]);
        assert_eq!(found.expect_err("same").to_string(), "--out and FILE name the same file");
        let other = directory.path().join("b");
        assert_eq!(find_same([("--out", Some(&*path)), ("FILE", Some(&*other))]), Ok(()));
    }

    #[test]
    fn a_locked_file_is_busy_until_it_is_free() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("run");
        let lock = FileLock::new(&path).expect("free");
        assert!(matches!(FileLock::new(&path), Err(LockError::Busy { .. })));
        drop(lock);
        let again = FileLock::new(&path).expect("free again");
        drop(again);
        assert!(names(directory.path()).is_empty());
    }
}
