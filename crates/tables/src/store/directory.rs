//! Creates the directory of a table, under another name until all layers are there.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use papamu_base::Stop;
use papamu_base::file::{FileError, FileLock, LockError};

use crate::error::TableError;
use crate::store::layer_writer::LayerWriter;
use crate::store::manifest::{MANIFEST, Manifest, ManifestEntry};
use crate::store::{LayerFile, LayerHeader, Subject};

/// The contents of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableContents {
    pub(crate) subject: Subject,
    /// The most stones of its positions.
    pub(crate) stones: u32,
    /// All layers, in the order of the list.
    pub(crate) layers: Vec<LayerHeader>,
}

impl TableContents {
    /// The size of all layers on disk.
    pub(crate) fn disk_bytes(&self) -> u64 {
        self.layers.iter().fold(0, |sum, header| sum.saturating_add(header.file_bytes()))
    }
}

/// The name of a directory while its table is being built.
fn partial_name(directory: &Path) -> PathBuf {
    let mut name = directory.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    directory.with_file_name(name)
}

/// The bytes of the layers that an interrupted build has left.
pub(crate) fn partial_bytes(directory: &Path) -> u64 {
    let files = fs::read_dir(partial_name(directory)).into_iter().flatten();
    files.filter_map(|file| file.ok()?.metadata().ok()).map(|data| data.len()).sum()
}

/// A table that is being built: its directory gets its final name when all layers are there.
pub(crate) struct NewTable<'a> {
    directory: &'a Path,
    partial: PathBuf,
    stop: &'a Stop,
    /// Held during the build.
    _lock: FileLock,
}

impl<'a> NewTable<'a> {
    /// Begins a table, or resumes one.
    pub(crate) fn open(directory: &'a Path, stop: &'a Stop) -> Result<NewTable<'a>, TableError> {
        let exists = || match directory.symlink_metadata() {
            Ok(_) => Err(TableError::Exists { path: directory.to_owned() }),
            Err(_) => Ok(()),
        };
        exists()?;
        let partial = partial_name(directory);
        let fail = |error| FileError::new("make the directory", &partial, error);
        fs::create_dir_all(&partial).map_err(fail)?;
        let lock = FileLock::new(directory).map_err(|error| match error {
            LockError::Busy { .. } => TableError::Busy { path: partial.clone() },
            LockError::File(error) => error.into(),
        })?;
        // Another build may have finished before the lock was free.
        exists()?;
        fs::create_dir_all(&partial).map_err(fail)?;
        Ok(NewTable { directory, partial, stop, _lock: lock })
    }

    fn path(&self, header: &LayerHeader) -> PathBuf {
        self.partial.join(header.file_name())
    }

    /// Whether a layer is there and undamaged.
    pub(crate) fn is_finished(&self, header: &LayerHeader) -> Result<bool, TableError> {
        if !self.path(header).exists() {
            return Ok(false);
        }
        let read = || self.read(header)?.data(self.stop).map(|_| true);
        match read() {
            Err(TableError::Damaged { .. } | TableError::DamagedBlock(_)) => Ok(false),
            finished => finished,
        }
    }

    /// Opens a finished layer.
    pub(crate) fn read(&self, header: &LayerHeader) -> Result<LayerFile, TableError> {
        LayerFile::open(&self.path(header), header)
    }

    /// Writes the entries of a layer.
    pub(crate) fn write(
        &self,
        header: &LayerHeader,
        entries: impl FnOnce(&mut LayerWriter) -> io::Result<()>,
    ) -> Result<(), TableError> {
        header.write(&self.path(header), self.stop, entries)
    }

    /// Writes the list and renames the directory, if it has all layers.
    pub(crate) fn finish(self, contents: &TableContents) -> Result<(), TableError> {
        let entry = |header: &LayerHeader| -> Result<ManifestEntry, TableError> {
            let (file, bits) = (header.file_name(), header.part.bits());
            Ok(ManifestEntry { file, hash: self.read(header)?.hash(), bits })
        };
        let layers = contents.layers.iter().map(entry).collect::<Result<Vec<_>, _>>()?;
        Manifest::new(&contents.subject, contents.stones, layers).write(&self.partial)?;
        self.remove_strays(contents)?;
        // The names of the files must be on disk before the directory is renamed.
        let sync = |path: &Path| File::open(path).and_then(|directory| directory.sync_all());
        sync(&self.partial).map_err(|error| FileError::new("write", &self.partial, error))?;
        let renamed = fs::rename(&self.partial, self.directory);
        renamed.map_err(|error| FileError::new("make the directory", self.directory, error))?;
        Ok(())
    }

    /// Removes files that are not part of the table, left by earlier builds.
    fn remove_strays(&self, contents: &TableContents) -> Result<(), TableError> {
        let fail = |error| FileError::new("read", &self.partial, error);
        let mut names: Vec<String> = contents.layers.iter().map(LayerHeader::file_name).collect();
        names.push(MANIFEST.to_owned());
        for file in fs::read_dir(&self.partial).map_err(fail)? {
            let file = file.map_err(fail)?;
            if !names.iter().any(|name| file.file_name() == name.as_str()) {
                let path = file.path();
                fs::remove_file(&path).map_err(|error| FileError::new("remove", &path, error))?;
            }
        }
        Ok(())
    }
}
