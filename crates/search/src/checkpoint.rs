//! Searches that survive interruption: their tables and trees in a file, written while they run.
//!
//! The format is specified in `docs/checkpoint-format.md`.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use papamu_base::file::{AtomicFile, FileError};
use papamu_base::memory::OutOfMemory;
use papamu_game::{Guided, Key, Question};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::options::Algorithm;
use crate::run::{Monitor, Outcome, Store};
use crate::snapshot::{self, Snapshot};
use crate::solver::SolveError;
use crate::table::{Data, Table};

const MAGIC: &[u8; 8] = b"PAPAMUCP";
const VERSION: u32 = 3;
/// The oldest version that is read. It had two tables, of solved positions and of working numbers,
/// and counted blocks with a line of each.
const TWO_TABLES: u32 = 2;
const HASH_BYTES: u64 = 32;
/// The longest header. A damaged length must not make the reader allocate gigabytes.
const LONGEST_HEADER: u32 = 1 << 16;
const CHUNK_ENTRIES: usize = 1 << 14;
/// Fast. Tables hardly compress better with more effort.
const COMPRESSION_LEVEL: i32 = 1;

/// What a checkpoint belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// Name of the game.
    pub game: String,
    /// The position in full.
    pub position: String,
    /// Name of the algorithm.
    pub algorithm: String,
    /// `wins` or `holds`.
    pub question: String,
    /// Words of a key.
    pub key_words: u32,
    /// Options of the rules. Old files have none; their position implies the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
}

impl Subject {
    /// The subject of a search for that question.
    pub fn new<G: Guided>(
        game: &G,
        position: &G::Position,
        algorithm: Algorithm,
        question: Question,
    ) -> Subject {
        Subject {
            game: G::NAME.to_owned(),
            position: game.write(position),
            algorithm: algorithm.to_string(),
            question: match question {
                Question::Wins => "wins",
                Question::Holds => "holds",
            }
            .to_owned(),
            key_words: if G::Key::ONE_WORD { 1 } else { 2 },
            rules: Some(game.options().to_string()),
        }
    }

    /// Whether a checkpoint of this subject fits a search of that one.
    pub(crate) fn is_of(&self, expected: &Subject) -> bool {
        self.difference(expected).is_none()
    }

    /// The first field in which the subject of a checkpoint differs from the expected one.
    fn difference(&self, expected: &Subject) -> Option<Difference> {
        let key_words = [self.key_words, expected.key_words].map(|words| words.to_string());
        let rules = self.rules.as_ref().or(expected.rules.as_ref());
        let pairs = [
            ("game", Some(&self.game), Some(&expected.game)),
            ("rules", rules, expected.rules.as_ref()),
            ("position", Some(&self.position), Some(&expected.position)),
            ("algorithm", Some(&self.algorithm), Some(&expected.algorithm)),
            ("question", Some(&self.question), Some(&expected.question)),
            ("key size", Some(&key_words[0]), Some(&key_words[1])),
        ];
        let (part, found, expected) = pairs.into_iter().find(|(_, a, b)| a != b)?;
        let text = |text: Option<&String>| text.cloned().unwrap_or_default();
        Some(Difference { part, found: text(found), expected: text(expected) })
    }
}

/// Where two subjects differ.
struct Difference {
    part: &'static str,
    found: String,
    expected: String,
}

/// The header of a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// What it belongs to.
    #[serde(flatten)]
    pub subject: Subject,
    /// Positions evaluated so far.
    pub nodes: u64,
    /// Positions expanded so far.
    pub expansions: u64,
    /// Time spent so far.
    pub seconds: f64,
}

/// Why a checkpoint cannot be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be opened, read or written.
    #[error("checkpoint `{path}`: {error}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// The file is something else.
    #[error("`{path}` is not a papamu checkpoint", path = path.display())]
    NotACheckpoint {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by another version.
    #[error("checkpoint `{path}` has format version {version}, this program reads {TWO_TABLES} to {VERSION}", path = path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// The file was changed or cut off.
    #[error("checkpoint `{path}` is damaged: {problem}", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// Positions of the game have other keys in every run.
    #[error("searches of {game} cannot be kept: its positions have other keys in every run")]
    UnstableKeys {
        /// The game.
        game: String,
    },
    /// The tree is too large for the memory of the search.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The checkpoint belongs to another search.
    #[error("checkpoint `{path}` is of another search: its {part} is `{found}`, not `{expected}`", path = path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What differs.
        part: &'static str,
        /// What the checkpoint has.
        found: String,
        /// What the search has.
        expected: String,
    },
}

impl From<FileError> for CheckpointError {
    fn from(FileError { path, error, .. }: FileError) -> CheckpointError {
        CheckpointError::Io { path, error }
    }
}

/// Makes sure that a checkpoint can be written, and removes the temporary files of killed programs.
pub(crate) fn check_writable(path: &Path) -> Result<(), CheckpointError> {
    AtomicFile::new(path)?;
    Ok(())
}

/// Writes the tables of a search. The old file is replaced once the new one is complete.
pub fn write<K: Key>(
    path: &Path,
    header: &Header,
    store: &Store<K>,
) -> Result<(), CheckpointError> {
    check_stable::<K>(&header.subject)?;
    AtomicFile::new(path)?.write_by(|file| {
        let mut file = Hashing { inner: file, hasher: blake3::Hasher::new() };
        let json = serde_json::to_vec(header)?;
        file.write_all(MAGIC)?;
        file.write_all(&VERSION.to_le_bytes())?;
        file.write_all(&(json.len() as u32).to_le_bytes())?;
        file.write_all(&json)?;
        let mut body = zstd::Encoder::new(file, COMPRESSION_LEVEL)?;
        write_table(&mut body, &store.table)?;
        write_tree(&mut body, store.tree.as_ref().map(Snapshot::words).as_deref())?;
        let Hashing { inner, hasher } = body.finish()?;
        inner.write_all(hasher.finalize().as_bytes())
    })?;
    Ok(())
}

/// Keys of one run mean nothing in another.
fn check_stable<K: Key>(subject: &Subject) -> Result<(), CheckpointError> {
    match K::STABLE {
        true => Ok(()),
        false => Err(CheckpointError::UnstableKeys { game: subject.game.clone() }),
    }
}

/// Writes the size of the table, then chunks of entries, each preceded by its number of entries. An
/// empty chunk ends the table. The number of all entries is not known beforehand, because the table
/// may change meanwhile.
fn write_table<K: Key>(file: &mut impl Write, table: &Table<K>) -> io::Result<()> {
    file.write_all(&table.lines().to_le_bytes())?;
    let mut entries = table.entries().peekable();
    while entries.peek().is_some() {
        let chunk: Vec<(K, Data)> = entries.by_ref().take(CHUNK_ENTRIES).collect();
        file.write_all(&(chunk.len() as u64).to_le_bytes())?;
        for (key, data) in chunk {
            let [low, high] = key.words();
            file.write_all(&low.to_le_bytes())?;
            if !K::ONE_WORD {
                file.write_all(&high.to_le_bytes())?;
            }
            file.write_all(&data.to_word().to_le_bytes())?;
        }
    }
    file.write_all(&0_u64.to_le_bytes())
}

/// The same for the words of a tree.
fn write_tree(file: &mut impl Write, words: Option<&[u64]>) -> io::Result<()> {
    for chunk in words.unwrap_or(&[]).chunks(CHUNK_ENTRIES) {
        file.write_all(&(chunk.len() as u64).to_le_bytes())?;
        for word in chunk {
            file.write_all(&word.to_le_bytes())?;
        }
    }
    file.write_all(&0_u64.to_le_bytes())
}

/// Reads the header of a checkpoint, without checking the rest.
pub fn peek(path: &Path) -> Result<Header, CheckpointError> {
    let (mut file, _) = open(path)?;
    Ok(read_header(path, &mut file, u64::MAX)?.0)
}

/// Opens a file that begins like a checkpoint. Returns its version as well.
fn open(path: &Path) -> Result<(BufReader<File>, u32), CheckpointError> {
    let io_error = |error| CheckpointError::Io { path: path.to_owned(), error };
    let not_ours = || CheckpointError::NotACheckpoint { path: path.to_owned() };
    // Opening a pipe would wait for its other end.
    if !fs::metadata(path).map_err(io_error)?.is_file() {
        return Err(not_ours());
    }
    let mut file = BufReader::new(File::open(path).map_err(io_error)?);
    let mut magic = [0; 8];
    let is_ours = file.read_exact(&mut magic).is_ok() && magic == *MAGIC;
    if !is_ours {
        return Err(not_ours());
    }
    let version = read_u32(&mut file).map_err(|_| CheckpointError::Damaged {
        path: path.to_owned(),
        problem: "it is cut off".to_owned(),
    })?;
    if !(TWO_TABLES..=VERSION).contains(&version) {
        return Err(CheckpointError::Version { path: path.to_owned(), version });
    }
    Ok((file, version))
}

/// Reads the header, which ends before `end`. Returns its length as well.
fn read_header(
    path: &Path,
    file: &mut BufReader<File>,
    end: u64,
) -> Result<(Header, u64), CheckpointError> {
    let damaged = |problem: String| CheckpointError::Damaged { path: path.to_owned(), problem };
    let mut read = || -> io::Result<Option<Vec<u8>>> {
        file.seek(SeekFrom::Start(12))?;
        let length = read_u32(file)?;
        if length > LONGEST_HEADER || u64::from(length) + 16 > end {
            return Ok(None);
        }
        let mut json = vec![0; length as usize];
        file.read_exact(&mut json)?;
        Ok(Some(json))
    };
    let json = read().map_err(|error| damaged(format!("its header: {error}")))?;
    let json = json.ok_or_else(|| damaged("its header is too long".to_owned()))?;
    let header =
        serde_json::from_slice(&json).map_err(|error| damaged(format!("its header: {error}")))?;
    Ok((header, json.len() as u64))
}

/// Reads a checkpoint of that subject into the tables and returns its header.
///
/// The content of the checkpoint is believed. The caller should drop its entry of the root, so that
/// at least the root's answer follows from its children.
pub fn read<K: Key>(
    path: &Path,
    subject: &Subject,
    store: &Store<K>,
) -> Result<Header, CheckpointError> {
    let io_error = |error| CheckpointError::Io { path: path.to_owned(), error };
    let damaged = |problem: &str| CheckpointError::Damaged {
        path: path.to_owned(),
        problem: problem.to_owned(),
    };
    check_stable::<K>(subject)?;
    let (mut file, version) = open(path)?;
    let length = file.get_ref().metadata().map_err(io_error)?.len();
    let body_end = length.checked_sub(HASH_BYTES).ok_or_else(|| damaged("it is cut off"))?;
    check_hash(&mut file, body_end)
        .map_err(io_error)?
        .ok_or_else(|| damaged("its hash is wrong"))?;

    // The hash is right, so the content is what was written. It may still be hostile.
    let (header, header_length) = read_header(path, &mut file, body_end)?;
    if let Some(Difference { part, found, expected }) = header.subject.difference(subject) {
        let path = path.to_owned();
        return Err(CheckpointError::Foreign { path, part, found, expected });
    }
    let body = file.take(body_end - 16 - header_length);
    let mut body =
        BufReader::new(zstd::Decoder::with_buffer(BufReader::new(body)).map_err(io_error)?);
    let tables = if version == TWO_TABLES { 2 } else { 1 };
    for i in 0..tables {
        let failed = |error| damaged(&format!("its tables: {error}"));
        let lines = read_u64(&mut body).map_err(failed)?;
        if i == 0 {
            store.table.set_lines(lines.saturating_mul(tables));
        }
        read_table(&mut body, &store.table).map_err(failed)?;
    }
    let most_nodes = store.tree.as_ref().map_or(0, Snapshot::most_nodes);
    let limit_bytes = store.tree.as_ref().map_or(0, Snapshot::memory_bytes);
    let words = read_tree(&mut body, most_nodes)
        .map_err(|error| damaged(&format!("its tree: {error}")))?
        .ok_or(OutOfMemory { limit_bytes })?;
    if snapshot::is_solved(&words) {
        return Err(damaged("its tree says that the search is over"));
    }
    if let Some(tree) = &store.tree {
        tree.set_words(words);
    }
    Ok(header)
}

fn read_u32(file: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    file.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

fn read_u64(file: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    file.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// Whether the last bytes are the hash of the first `end` bytes.
fn check_hash(file: &mut BufReader<File>, end: u64) -> io::Result<Option<()>> {
    file.seek(SeekFrom::Start(0))?;
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut file.by_ref().take(end), &mut hasher)?;
    let mut hash = [0; HASH_BYTES as usize];
    file.read_exact(&mut hash)?;
    Ok((hasher.finalize() == hash).then_some(()))
}

fn read_table<K: Key>(body: &mut impl Read, table: &Table<K>) -> io::Result<()> {
    loop {
        let chunk = read_u64(body)?;
        if chunk == 0 {
            return Ok(());
        }
        for _ in 0..chunk {
            let low = read_u64(body)?;
            let high = if K::ONE_WORD { 0 } else { read_u64(body)? };
            if let Some(data) = Data::from_word(read_u64(body)?) {
                table.put(K::from_words([low, high]), data);
            }
        }
    }
}

/// `None` if there are more nodes than the limit.
fn read_tree(body: &mut impl Read, most_nodes: usize) -> io::Result<Option<Vec<u64>>> {
    let mut words = Vec::new();
    loop {
        let chunk = read_u64(body)?;
        if chunk == 0 {
            return Ok(Some(words));
        }
        for _ in 0..chunk {
            if words.len() == most_nodes {
                return Ok(None);
            }
            words.push(read_u64(body)?);
        }
    }
}

/// Passes bytes on and hashes them.
struct Hashing<W> {
    inner: W,
    hasher: blake3::Hasher,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// The answer of a search.
pub type Answer<M> = Result<Outcome<M>, SolveError>;

/// Searches while another thread writes a checkpoint at every interval, and once more at the end if
/// the search was stopped or ran out of memory. A search that has its answer removes its
/// checkpoint, unless its solved positions are still needed: then the checkpoint is written once
/// more.
pub fn keep<K: Key, M>(
    path: &Path,
    interval: Duration,
    store: &Store<K>,
    monitor: &Monitor,
    header: impl Fn() -> Header + Sync,
    wanted_after: bool,
    search: impl FnOnce() -> Answer<M>,
) -> (Answer<M>, Result<(), CheckpointError>) {
    let (finished, wait) = mpsc::channel::<()>();
    if let Some(tree) = &store.tree {
        tree.keep();
    }
    let (answer, mut kept) = thread::scope(|scope| {
        let header = &header;
        let writer = thread::Builder::new().spawn_scoped(scope, move || {
            while wait.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                if let Some(tree) = &store.tree {
                    tree.request();
                }
                if let Err(error) = write(path, &header(), store) {
                    // A long run that cannot be saved must not go on unnoticed.
                    monitor.stop();
                    return Err(error);
                }
            }
            Ok(())
        });
        let answer = search();
        if let Some(tree) = &store.tree {
            tree.end();
        }
        drop(finished);
        let kept = match writer {
            Ok(writer) => writer.join().unwrap_or(Ok(())),
            Err(error) => Err(CheckpointError::Io { path: path.to_owned(), error }),
        };
        (answer, kept)
    });
    if kept.is_ok() {
        match &answer {
            Ok(Outcome { won: Some(_), .. }) if !wanted_after => {
                // A file that stays is harmless.
                let _ = fs::remove_file(path);
            }
            Ok(_) | Err(SolveError::OutOfMemory(_)) => kept = write(path, &header(), store),
            // A checkpoint that could not be read is left alone.
            Err(_) => (),
        }
    }
    (answer, kept)
}
