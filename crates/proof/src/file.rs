//! Certificates as files.

use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use hashbrown::HashMap;
use papamu_game::{Certifiable, NotationError, Player};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::strategy::Strategy;

const MAGIC: &str = "papamu certificate 1";
const BLOCK_RECORDS: usize = 1 << 16;
const LONGEST_LINE: usize = 4096;

/// The largest budget that checkers accept.
pub const MOST_BUDGET: u64 = 1_000_000;

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

/// The header: what a certificate claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The name of the game.
    pub game: String,
    /// The root as text.
    pub root: String,
    /// The name of the winner.
    pub winner: String,
    /// See [`Strategy::budget`].
    pub budget: u64,
    /// The number of records.
    pub records: u64,
}

impl Header {
    fn to_text(&self) -> String {
        let Header { game, root, winner, budget, records } = self;
        format!(
            "{MAGIC}\ngame {game}\nroot {root}\nclaim {winner} wins\nbudget {budget}\nrecords {records}\nend\n"
        )
    }
}

impl<G: Certifiable> Strategy<G> {
    /// The header of the strategy's certificate.
    pub fn header(&self) -> Header {
        Header {
            game: G::NAME.to_owned(),
            root: self.game.write(&self.root),
            winner: G::PLAYERS[self.winner.index()].to_owned(),
            budget: self.budget,
            records: self.records.len() as u64,
        }
    }

    /// Writes the certificate.
    pub fn write_to(&self, file: &mut dyn Write) -> io::Result<()> {
        let mut records: Vec<(u64, u32)> = self.records.iter().map(|(&n, &mv)| (n, mv)).collect();
        records.sort_unstable();
        write(&self.header(), records.into_iter().map(Ok), file)
    }

    /// Reads a certificate of this game.
    pub fn load(path: &Path) -> Result<Strategy<G>, FileError> {
        let format = |problem: String| FileError::Format { path: path.to_owned(), problem };
        let (header, mut file) = open(path)?;
        if header.game != G::NAME {
            return Err(format(format!("it is of {}, not of {}", header.game, G::NAME)));
        }
        let (game, root) = G::read(&header.root)
            .map_err(|error| FileError::Root { path: path.to_owned(), error })?;
        let winner = [Player::First, Player::Second]
            .into_iter()
            .find(|player| G::PLAYERS[player.index()] == header.winner);
        let winner =
            winner.ok_or_else(|| format(format!("there is no player `{}`", header.winner)))?;
        let mut records = HashMap::new();
        read_records(&mut file, |number, mv| {
            records.insert(number, mv);
        })
        .map_err(|error| problem_of(path, error))?;
        if records.len() as u64 != header.records {
            let found = records.len();
            return Err(format(format!("it claims {} records, there are {found}", header.records)));
        }
        Ok(Strategy { game, root, winner, budget: header.budget, records })
    }
}

/// Writes a certificate of records in ascending order. The header gives their number.
pub(crate) fn write(
    header: &Header,
    mut records: impl Iterator<Item = io::Result<(u64, u32)>>,
    file: &mut dyn Write,
) -> io::Result<()> {
    let mut file = Hashed { file, hasher: Sha256::new() };
    file.write(header.to_text().as_bytes())?;
    loop {
        let (mut bytes, mut before, mut count) = (Vec::new(), 0, 0_u32);
        for record in records.by_ref().take(BLOCK_RECORDS) {
            let (number, mv) = record?;
            leb128(&mut bytes, number - before);
            leb128(&mut bytes, mv.into());
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

fn bad(problem: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem.into())
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
        let mut magic = [0; MAGIC.len() - 1];
        if file.read(&mut magic).is_err() || magic != MAGIC.as_bytes()[..MAGIC.len() - 1] {
            return Err(bad("it does not begin with `papamu certificate`"));
        }
        let version = file.line()?;
        if version != "1" {
            return Err(bad(format!("its version is {version}, this program reads 1")));
        }
        let mut item = |name: &str| -> io::Result<String> {
            let line = file.line()?;
            let item = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
            item.map(str::to_owned).ok_or_else(|| bad(format!("its header lacks `{name}`")))
        };
        let (game, root, claim) = (item("game")?, item("root")?, item("claim")?);
        let winner = claim.strip_suffix(" wins").ok_or_else(|| bad("its claim is not a win"))?;
        let number = |text: String| match text.parse::<u64>() {
            // Numbers have one spelling.
            Ok(number) if number.to_string() == text => Ok(number),
            _ => Err(bad(format!("`{text}` is no number"))),
        };
        let (budget, records) = (number(item("budget")?)?, number(item("records")?)?);
        if budget > MOST_BUDGET {
            return Err(bad(format!("its budget is larger than {MOST_BUDGET}")));
        }
        let winner = winner.to_owned();
        if file.line()? != "end" {
            return Err(bad("its header does not end"));
        }
        Ok((Header { game, root, winner, budget, records }, file))
    };
    read().map_err(|error| problem_of(path, error))
}

/// Reads all records and checks all hashes.
fn read_records(file: &mut File, mut take: impl FnMut(u64, u32)) -> io::Result<()> {
    let mut last: Option<u64> = None;
    loop {
        let count = file.number()?;
        if count == 0 {
            break;
        }
        let length = file.number()?;
        if count as usize > BLOCK_RECORDS || length > count * 20 {
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
        let (mut rest, mut number) = (&block[8..], 0_u64);
        for _ in 0..count {
            let (step, mv) = (read_leb128(&mut rest), read_leb128(&mut rest));
            let next = step.and_then(|step| number.checked_add(step));
            let mv = mv.and_then(|mv| u32::try_from(mv).ok());
            let (Some(next), Some(mv)) = (next, mv) else {
                return Err(bad("a block does not hold its records"));
            };
            number = next;
            if last.is_some_and(|last| number <= last) {
                return Err(bad("its records are not in ascending order"));
            }
            last = Some(number);
            take(number, mv);
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

fn leb128(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_leb128(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7f);
        // It must be in its shortest form, and within 64 bits.
        if bits << shift >> shift != bits || (byte == 0 && shift > 0) {
            return None;
        }
        number |= bits << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}
