//! Certificates as files.

use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use hashbrown::HashMap;
use papamu_game::{Certifiable, CertificateNumber, NotationError};
use sha2::{Digest, Sha256};
use thiserror::Error;

pub use crate::header::{Header, MOST_BUDGET};
use crate::header::{MAGIC, bad};
use crate::leb128;
use crate::strategy::{Record, Strategy};

const BLOCK_RECORDS: usize = 1 << 16;
const LONGEST_LINE: usize = 4096;

/// Why a certificate cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read.
    #[error("cannot read `{path}`: {error}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// It is not a certificate, or a damaged one.
    #[error("`{path}` is not a whole certificate: {problem}", path = path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Its root is not a position.
    #[error("`{path}`: {error}", path = path.display())]
    Root {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: NotationError,
    },
}

impl<G: Certifiable> Strategy<G> {
    /// Writes the certificate.
    pub fn write_to(&self, file: &mut dyn Write) -> io::Result<()> {
        let mut records: Vec<(G::Number, Record)> =
            self.records.iter().map(|(&number, &record)| (number, record)).collect();
        records.sort_unstable();
        write(&self.header(), self.has_ranks(), records.into_iter().map(Ok), file)
    }

    /// Reads a certificate of this game.
    pub fn load(path: &Path) -> Result<Strategy<G>, FileError> {
        let format = |problem: String| FileError::Format { path: path.to_owned(), problem };
        let (header, mut file) = open(path)?;
        if header.game != G::NAME {
            return Err(format(format!("it is of {}, not of {}", header.game, G::NAME)));
        }
        if header.version < G::CERTIFICATE_VERSION {
            let version = header.version;
            return Err(format(format!("version {version} has no certificates of {}", G::NAME)));
        }
        let (game, root) = G::read(&header.root)
            .map_err(|error| FileError::Root { path: path.to_owned(), error })?;
        if header.rules != game.options().to_string() {
            let problem = format!("its rules are {}, those of its root are not", header.rules);
            return Err(format(problem));
        }
        let owner = header.player::<G>();
        let owner =
            owner.ok_or_else(|| format(format!("there is no player `{}`", header.owner)))?;
        let Header { claim, budget, database, .. } = header;
        let records = HashMap::new();
        let mut strategy = Strategy { game, root, owner, claim, budget, database, records };
        let widths = Widths::new(header.version, strategy.has_ranks());
        read_records(&mut file, widths, |number, record| match G::Number::narrow(number) {
            Some(number) => {
                strategy.records.insert(number, record);
                Ok(())
            }
            None => Err(bad(format!("{number} is not the number of a position"))),
        })
        .map_err(|error| problem_of(path, error))?;
        let found = strategy.records.len();
        if found as u64 != header.records {
            return Err(format(format!("it claims {} records, there are {found}", header.records)));
        }
        Ok(strategy)
    }
}

/// Writes a certificate of records in ascending order. The header gives their number.
pub(crate) fn write<N: CertificateNumber>(
    header: &Header,
    has_ranks: bool,
    mut records: impl Iterator<Item = io::Result<(N, Record)>>,
    file: &mut dyn Write,
) -> io::Result<()> {
    let mut file = Hashed { file, hasher: Sha256::new() };
    file.write(header.to_text().as_bytes())?;
    loop {
        let (mut bytes, mut before, mut count) = (Vec::new(), 0, 0_u32);
        for record in records.by_ref().take(BLOCK_RECORDS) {
            let (number, Record { mv, rank }) = record?;
            let number = number.widen();
            leb128::write(&mut bytes, number - before);
            leb128::write(&mut bytes, mv.into());
            if has_ranks {
                leb128::write(&mut bytes, rank.into());
            }
            before = number;
            count += 1;
        }
        if count == 0 {
            break;
        }
        let mut block = count.to_le_bytes().to_vec();
        block.extend((bytes.len() as u32).to_le_bytes());
        block.extend(bytes);
        let hash = Sha256::digest(&block);
        block.extend(hash);
        file.write(&block)?;
    }
    file.write(&[0; 4])?;
    let hash = file.hasher.clone().finalize();
    file.write(&hash)
}

/// Reads the header of a certificate, without its records.
pub fn read_header(path: &Path) -> Result<Header, FileError> {
    open(path).map(|(header, _)| header)
}

/// A file, and the hash of the bytes that went through.
struct Hashed<F> {
    file: F,
    hasher: Sha256,
}

impl<W: Write> Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.update(bytes);
        self.file.write_all(bytes)
    }
}

impl<R: Read> Hashed<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.file.read_exact(bytes)?;
        self.hasher.update(bytes);
        Ok(())
    }

    fn number(&mut self) -> io::Result<u32> {
        let mut bytes = [0; 4];
        self.read(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = Vec::new();
        loop {
            let mut byte = [0];
            self.read(&mut byte)?;
            if byte == [b'\n'] {
                let plain = line.iter().all(|byte| (32..127).contains(byte));
                let text = String::from_utf8(line).ok().filter(|_| plain);
                return text.ok_or_else(|| bad("its header is not plain text"));
            }
            line.extend(byte);
            if line.len() > LONGEST_LINE {
                return Err(bad("a line of its header is too long"));
            }
        }
    }
}

fn problem_of(path: &Path, error: io::Error) -> FileError {
    let path = path.to_owned();
    match error.kind() {
        io::ErrorKind::InvalidData => FileError::Format { path, problem: error.to_string() },
        io::ErrorKind::UnexpectedEof => {
            FileError::Format { path, problem: "it is cut off".to_owned() }
        }
        _ => FileError::Io { path, error },
    }
}

type File = Hashed<BufReader<std::fs::File>>;

fn open(path: &Path) -> Result<(Header, File), FileError> {
    let read = || -> io::Result<(Header, File)> {
        let file = BufReader::new(std::fs::File::open(path)?);
        let mut file = Hashed { file, hasher: Sha256::new() };
        // Checked first, so that any other file need not be read to the end.
        let mut magic = [0; MAGIC.len()];
        if file.read(&mut magic).is_err() || magic != MAGIC.as_bytes() {
            return Err(bad("it does not begin with `papamu certificate`"));
        }
        let header = Header::read(|| file.line())?;
        Ok((header, file))
    };
    read().map_err(|error| problem_of(path, error))
}

/// The widths of the numbers of a record in bits.
#[derive(Clone, Copy)]
struct Widths {
    position: u32,
    mv: u32,
    /// 0 if there are no ranks.
    rank: u32,
}

impl Widths {
    fn new(version: u8, has_ranks: bool) -> Widths {
        let position = if version == 1 { 64 } else { 128 };
        Widths { position, mv: 64, rank: if has_ranks { 32 } else { 0 } }
    }

    fn longest_record(self) -> u32 {
        [self.position, self.mv, self.rank].iter().map(|bits| bits.div_ceil(7)).sum()
    }

    /// A record, and how much larger its number is than that of the one before.
    fn record(self, bytes: &mut &[u8]) -> Option<(u128, Record)> {
        let step = leb128::read(bytes, self.position)?;
        let mv = leb128::read(bytes, self.mv)?.try_into().ok()?;
        let rank = if self.rank > 0 { leb128::read(bytes, self.rank)? } else { 0 };
        Some((step, Record { mv, rank: rank.try_into().ok()? }))
    }
}

/// Reads all records, never more than a block at a time, and checks all hashes.
fn read_records(
    file: &mut File,
    widths: Widths,
    mut take: impl FnMut(u128, Record) -> io::Result<()>,
) -> io::Result<()> {
    let mut last: Option<u128> = None;
    loop {
        let count = file.number()?;
        if count == 0 {
            break;
        }
        let length = file.number()?;
        if count as usize > BLOCK_RECORDS || length > count * widths.longest_record() {
            return Err(bad(format!("a block claims {count} records in {length} bytes")));
        }
        let mut block = [count.to_le_bytes(), length.to_le_bytes()].concat();
        block.resize(8 + length as usize, 0);
        file.read(&mut block[8..])?;
        let mut hash = [0; 32];
        file.read(&mut hash)?;
        if Sha256::digest(&block)[..] != hash {
            return Err(bad("a block does not have its hash"));
        }
        let (mut rest, mut number) = (&block[8..], 0_u128);
        for _ in 0..count {
            let read = widths.record(&mut rest);
            let next = read.and_then(|(step, record)| Some((number.checked_add(step)?, record)));
            let in_range = |next: u128| next.checked_shr(widths.position).unwrap_or(0) == 0;
            let Some((next, record)) = next.filter(|(next, _)| in_range(*next)) else {
                return Err(bad("a block does not hold its records"));
            };
            number = next;
            if last.is_some_and(|last| number <= last) {
                return Err(bad("its records are not in ascending order"));
            }
            last = Some(number);
            take(number, record)?;
        }
        if !rest.is_empty() {
            return Err(bad("a block holds more than its records"));
        }
    }
    let expected = file.hasher.clone().finalize();
    let mut hash = [0; 32];
    file.read(&mut hash)?;
    if expected[..] != hash {
        return Err(bad("it does not have its hash"));
    }
    if file.file.read(&mut [0])? != 0 {
        return Err(bad("it goes on after its end"));
    }
    Ok(())
}
