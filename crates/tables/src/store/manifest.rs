//! The list of all layers of a table, with their hashes and its own.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use papamu_base::file::{AtomicFile, FileError};
use serde::{Deserialize, Serialize};

use crate::error::TableError;
use crate::store::{Subject, VERSIONS};

const FORMAT: &str = "papamu table";
/// The name of its file.
pub(crate) const MANIFEST: &str = "table.json";

/// The list of all layers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    format: String,
    version: u32,
    #[serde(flatten)]
    pub(crate) subject: Subject,
    /// The most stones of its positions.
    pub(crate) stones: u32,
    pub(crate) layers: Vec<ManifestEntry>,
}

/// A layer in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ManifestEntry {
    pub(crate) file: String,
    pub(crate) hash: String,
    /// The bits of an entry, of tables of classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) bits: Option<u32>,
}

/// The fields that every version of the list begins with.
#[derive(Deserialize)]
struct Kind {
    format: String,
    version: u32,
}

impl Manifest {
    pub(crate) fn new(subject: &Subject, stones: u32, layers: Vec<ManifestEntry>) -> Manifest {
        let format = FORMAT.to_owned();
        Manifest { format, version: subject.version(), subject: subject.clone(), stones, layers }
    }

    /// Writes the list into a directory.
    pub(crate) fn write(&self, directory: &Path) -> Result<(), TableError> {
        let path = directory.join(MANIFEST);
        let json = serde_json::to_string(self)
            .map_err(|error| FileError::new("write", &path, error.into()))?;
        let hash = blake3::hash(json.as_bytes()).to_hex();
        Ok(AtomicFile::new(&path)?.write(format!("{json}\n{hash}\n").as_bytes())?)
    }

    /// Reads the list of the layers of a table.
    pub(crate) fn read(directory: &Path) -> Result<Manifest, TableError> {
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
        // A list of thousands of layers is shorter.
        const LONGEST: u64 = 1 << 20;
        let mut text = String::new();
        let file = File::open(&path).map_err(|error| FileError::new("read", &path, error))?;
        file.take(LONGEST).read_to_string(&mut text).map_err(|error| damaged(error.to_string()))?;
        let Some((json, hash)) = text.split_once('\n') else {
            return Err(damaged("it is cut off".to_owned()));
        };
        let kind: Kind = serde_json::from_str(json).map_err(|error| damaged(error.to_string()))?;
        let something_else = || {
            let problem = "it is of something else".to_owned();
            TableError::NotATable { path: path.clone(), problem }
        };
        if !kind.format.starts_with("papamu ") {
            return Err(something_else());
        }
        if !VERSIONS.contains(&kind.version) {
            return Err(TableError::Version { path, version: kind.version });
        }
        if hash.strip_suffix('\n') != Some(blake3::hash(json.as_bytes()).to_hex().as_str()) {
            return Err(damaged("it does not have its hash".to_owned()));
        }
        if kind.format != FORMAT {
            return Err(something_else());
        }
        let manifest: Manifest =
            serde_json::from_str(json).map_err(|error| damaged(error.to_string()))?;
        match manifest.subject.version() == manifest.version {
            true => Ok(manifest),
            false => Err(damaged("its version is that of another kind of table".to_owned())),
        }
    }
}
