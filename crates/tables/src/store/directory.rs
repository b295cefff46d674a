//! The directory of a table: its list of layers, and how it comes to be. The format is specified in
//! `docs/table-format.md`.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use fs4::fs_std::FileExt;
use papamu_base::memory::OutOfMemory;
use papamu_game::{Game, Player};
use papamu_games::Konane;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::konane::shape::{Layout, Shape};
use crate::store::layer_file::{Blocks, VERSION};

const FORMAT: &str = "papamu table";
const MANIFEST: &str = "table.json";

/// Why a table cannot be built or used.
#[derive(Debug, Error)]
pub enum TableError {
    /// A file cannot be read or written.
    #[error("cannot {action} `{path}`: {error}", path = path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// There is something where the table should be made.
    #[error("`{path}` exists already; choose another name, or remove it first", path = path.display())]
    Exists {
        /// The directory.
        path: PathBuf,
    },
    /// The directory holds no table.
    #[error("`{path}` is not a table of papamu: {problem}", path = path.display())]
    NotATable {
        /// The directory or file.
        path: PathBuf,
        /// What is missing.
        problem: String,
    },
    /// The table was written by another version.
    #[error("`{path}` has format version {version}, this program reads {VERSION}; build the table again, or use the program that built it", path = path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// A file was changed or cut off.
    #[error("`{path}` is damaged: {problem}", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        problem: String,
    },
    /// The table is of another board.
    #[error("`{path}` is of {found}, not of {expected}; remove it, or choose another name", path = path.display())]
    Foreign {
        /// The file or directory.
        path: PathBuf,
        /// What it is of.
        found: String,
        /// What was wanted.
        expected: String,
    },
    /// Another program builds the same table.
    #[error("another build is at work in `{path}`", path = path.display())]
    Busy {
        /// The directory.
        path: PathBuf,
    },
    /// The memory does not suffice.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

pub(crate) fn io_error<'a>(
    action: &'static str,
    path: &'a Path,
) -> impl Fn(io::Error) -> TableError + 'a {
    move |error| TableError::Io { action, path: path.to_owned(), error }
}

/// The list of all layers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    format: String,
    version: u32,
    game: String,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) layout: Layout,
    /// The most stones of its positions.
    pub(crate) stones: u32,
    pub(crate) layers: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) file: String,
    pub(crate) hash: String,
}

/// The name of a directory while its table is in the making.
fn partial_name(directory: &Path) -> PathBuf {
    let mut name = directory.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    directory.with_file_name(name)
}

/// The bytes of the layers that an interrupted build of a table has left.
pub fn partial_bytes(directory: &Path) -> u64 {
    let files = fs::read_dir(partial_name(directory)).into_iter().flatten();
    files.filter_map(|file| file.ok()?.metadata().ok()).map(|data| data.len()).sum()
}

/// A table in the making: a directory that gets its name when all layers are there.
pub(crate) struct Partial<'a> {
    shape: &'a Shape,
    directory: &'a Path,
    partial: PathBuf,
    /// Held while the table is in the making.
    lock: File,
}

/// The file by which a build keeps others out of its directory.
const LOCK: &str = "lock";

impl<'a> Partial<'a> {
    /// Begins a table, or goes on with one.
    pub(crate) fn open(shape: &'a Shape, directory: &'a Path) -> Result<Partial<'a>, TableError> {
        if directory.symlink_metadata().is_ok() {
            return Err(TableError::Exists { path: directory.to_owned() });
        }
        let partial = partial_name(directory);
        fs::create_dir_all(&partial).map_err(io_error("make the directory", &partial))?;
        let path = partial.join(LOCK);
        let lock = File::create(&path).map_err(io_error("write", &path))?;
        if !FileExt::try_lock_exclusive(&lock).map_err(io_error("lock", &path))? {
            return Err(TableError::Busy { path: partial });
        }
        Ok(Partial { shape, directory, partial, lock })
    }

    fn path(&self, player: Player, layer: u32) -> PathBuf {
        self.partial.join(self.shape.file_name(player, layer))
    }

    /// How many layers are complete and undamaged, from the first one on; at most all but one, because
    /// making the last one again is as good as having nothing to do.
    pub(crate) fn finished_layers(&self) -> Result<u32, TableError> {
        for layer in 0..self.shape.layers() {
            for &player in self.shape.players() {
                if !self.path(player, layer).exists() {
                    return Ok(layer);
                }
                match self.read(player, layer) {
                    Ok(_) => {}
                    Err(TableError::Damaged { .. }) => return Ok(layer),
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(self.shape.layers() - 1)
    }

    /// The entries of a layer.
    pub(crate) fn read(&self, player: Player, layer: u32) -> Result<Vec<u8>, TableError> {
        self.shape.header(player, layer).read(&self.path(player, layer))
    }

    /// Writes the entries of a layer.
    pub(crate) fn write(
        &self,
        player: Player,
        layer: u32,
        entries: impl FnOnce(&mut Blocks) -> io::Result<()>,
    ) -> Result<(), TableError> {
        self.shape.header(player, layer).write(&self.path(player, layer), entries)
    }

    /// Writes the list and gives the directory its name.
    pub(crate) fn finish(self) -> Result<(), TableError> {
        self.write_manifest()?;
        self.remove_strays()?;
        // The names of the files are on disk before the name of the directory.
        let sync = |path: &Path| File::open(path).and_then(|directory| directory.sync_all());
        sync(&self.partial).map_err(io_error("write", &self.partial))?;
        let renamed = fs::rename(&self.partial, self.directory);
        renamed.map_err(io_error("make the directory", self.directory))
    }

    /// Removes what is not part of the table: the lock, and what earlier builds left.
    fn remove_strays(&self) -> Result<(), TableError> {
        let Partial { shape, partial, lock, .. } = self;
        let _ = FileExt::unlock(lock);
        let mut names: Vec<String> =
            shape.files().iter().map(|&(player, layer)| shape.file_name(player, layer)).collect();
        names.push(MANIFEST.to_owned());
        for file in fs::read_dir(partial).map_err(io_error("read", partial))? {
            let file = file.map_err(io_error("read", partial))?;
            if !names.iter().any(|name| file.file_name() == name.as_str()) {
                fs::remove_file(file.path()).map_err(io_error("remove", &file.path()))?;
            }
        }
        Ok(())
    }

    fn write_manifest(&self) -> Result<(), TableError> {
        let board = self.shape.squares().game().board();
        let mut layers = Vec::new();
        for (player, layer) in self.shape.files() {
            let hash = self.shape.header(player, layer).stored_hash(&self.path(player, layer))?;
            layers.push(Entry { file: self.shape.file_name(player, layer), hash });
        }
        let manifest = Manifest {
            format: FORMAT.to_owned(),
            version: VERSION,
            game: Konane::NAME.to_owned(),
            rows: board.rows,
            cols: board.cols,
            layout: self.shape.layout(),
            stones: self.shape.most_stones(),
            layers,
        };
        let path = self.partial.join(MANIFEST);
        let write = || -> io::Result<()> {
            let json = serde_json::to_string(&manifest)?;
            let hash = blake3::hash(json.as_bytes()).to_hex();
            let mut file = File::create(&path)?;
            file.write_all(format!("{json}\n{hash}\n").as_bytes())?;
            file.sync_all()
        };
        write().map_err(io_error("write", &path))
    }
}

/// What every version of the list begins with.
#[derive(Deserialize)]
struct Kind {
    format: String,
    version: u32,
    game: String,
}

/// Reads the list of the layers of a table.
pub(crate) fn read_manifest(directory: &Path) -> Result<Manifest, TableError> {
    let path = directory.join(MANIFEST);
    let damaged = |problem: String| TableError::Damaged { path: path.clone(), problem };
    if !directory.exists() {
        let problem = "there is nothing of this name".to_owned();
        return Err(TableError::NotATable { path: directory.to_owned(), problem });
    }
    if !path.is_file() {
        let problem = format!("it has no {MANIFEST}");
        return Err(TableError::NotATable { path: directory.to_owned(), problem });
    }
    // A list of 128 layers is far shorter.
    const LONGEST: u64 = 1 << 20;
    let mut text = String::new();
    let file = File::open(&path).map_err(io_error("read", &path))?;
    file.take(LONGEST).read_to_string(&mut text).map_err(|error| damaged(error.to_string()))?;
    let (json, hash) = text.split_once('\n').ok_or_else(|| damaged("it is cut off".to_owned()))?;
    let kind: Kind = serde_json::from_str(json).map_err(|error| damaged(error.to_string()))?;
    if kind.game != Konane::NAME || !kind.format.starts_with("papamu ") {
        let problem = "it is of something else".to_owned();
        return Err(TableError::NotATable { path, problem });
    }
    if kind.version != VERSION {
        return Err(TableError::Version { path, version: kind.version });
    }
    if hash.strip_suffix('\n') != Some(blake3::hash(json.as_bytes()).to_hex().as_str()) {
        return Err(damaged("it does not have its hash".to_owned()));
    }
    let manifest: Manifest =
        serde_json::from_str(json).map_err(|error| damaged(error.to_string()))?;
    if manifest.format != FORMAT {
        let problem = "it is of something else".to_owned();
        return Err(TableError::NotATable { path, problem });
    }
    Ok(manifest)
}
