//! Reads the file of a certificate from front to back, never more than a block at a time.

use std::fmt;
use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// Why a file is not a certificate that can be checked.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// It cannot be read at all.
    Io(io::Error),
    /// Temporary files cannot be written or read.
    Temporary(io::Error),
    /// It does not follow the format.
    Format(String),
    /// It claims something false.
    Wrong(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Io(error) => write!(f, "cannot read the file: {error}"),
            Problem::Temporary(error) => write!(f, "cannot keep temporary files: {error}"),
            Problem::Format(text) | Problem::Wrong(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Problem {}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Problem {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Problem::Format("the file is cut off".to_owned()),
            _ => Problem::Io(error),
        }
    }
}

fn format<T>(text: impl Into<String>) -> Result<T, Problem> {
    Err(Problem::Format(text.into()))
}

/// The header: what a certificate claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The name of the game.
    pub game: String,
    /// The position that is won.
    pub root: String,
    /// The name of the player who wins it.
    pub winner: String,
    /// The number of positions that the checker may enter to prove one that was left out.
    pub budget: u64,
    /// The number of records.
    pub records: u64,
}

/// A record: a position with the winner to move, and the number of the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The number of the position.
    pub position: u64,
    /// The number of the move.
    pub mv: u64,
}

const LONGEST_LINE: usize = 4096;
const MOST_RECORDS: u32 = 1 << 16;
/// The largest budget: a longer search is too much to ask of a checker.
const MOST_BUDGET: u64 = 1_000_000;
/// The most bytes of a record: two numbers of at most ten bytes each.
const LONGEST_RECORD: u32 = 20;

/// A certificate that is being read.
pub struct Reader<R> {
    file: R,
    /// The hash of everything read so far.
    hasher: Sha256,
    header: Header,
    block: std::vec::IntoIter<Record>,
    blocks_read: u64,
    records_read: u64,
    last: Option<u64>,
    /// The hash at the end, once everything was read.
    hash: Option<[u8; 32]>,
}

impl<R: Read> Reader<R> {
    /// Reads the header of a certificate.
    pub fn new(file: R) -> Result<Reader<R>, Problem> {
        let header = Header {
            game: String::new(),
            root: String::new(),
            winner: String::new(),
            budget: 0,
            records: 0,
        };
        let mut reader = Reader {
            file,
            hasher: Sha256::new(),
            header,
            block: Vec::new().into_iter(),
            blocks_read: 0,
            records_read: 0,
            last: None,
            hash: None,
        };
        match reader.line()?.strip_prefix("papamu certificate ") {
            Some("1") => {}
            Some(version) => return format(format!("version {version} is not known, only 1")),
            None => return format("it does not begin with `papamu certificate 1`"),
        }
        let game = reader.item("game")?;
        let root = reader.item("root")?;
        let claim = reader.item("claim")?;
        let Some(winner) = claim.strip_suffix(" wins") else {
            return format(format!("the claim `{claim}` is not that somebody wins"));
        };
        let winner = winner.to_owned();
        let [budget, records] = ["budget", "records"].map(|name| reader.item(name));
        let number = |text: String| match text.parse::<u64>() {
            // Numbers have one spelling.
            Ok(number) if number.to_string() == text => Ok(number),
            _ => format(format!("`{text}` is not a number")),
        };
        reader.header =
            Header { game, root, winner, budget: number(budget?)?, records: number(records?)? };
        if reader.line()? != "end" {
            return format("the header does not end with `end`");
        }
        if reader.header.budget > MOST_BUDGET {
            return format(format!("the budget is larger than {MOST_BUDGET}"));
        }
        Ok(reader)
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The hash at the end of the file, once everything was read.
    pub fn hash(&self) -> Option<[u8; 32]> {
        self.hash
    }

    fn read(&mut self, bytes: &mut [u8]) -> Result<(), Problem> {
        self.file.read_exact(bytes)?;
        self.hasher.update(bytes);
        Ok(())
    }

    fn line(&mut self) -> Result<String, Problem> {
        let mut line = Vec::new();
        loop {
            let mut byte = [0];
            self.read(&mut byte)?;
            if byte == [b'\n'] {
                break;
            }
            line.extend(byte);
            if line.len() > LONGEST_LINE {
                return format("a line of the header is too long");
            }
        }
        match String::from_utf8(line) {
            Ok(line) if line.bytes().all(|byte| (32..127).contains(&byte)) => Ok(line),
            _ => format("the header is not plain text"),
        }
    }

    /// The rest of a header line that begins with that word.
    fn item(&mut self, name: &str) -> Result<String, Problem> {
        let line = self.line()?;
        match line.split_once(' ') {
            Some((word, rest)) if word == name => Ok(rest.to_owned()),
            _ => format(format!("the header says `{line}` where `{name} ...` should be")),
        }
    }

    /// The next record; `None` after the last one, once all hashes were found right.
    pub fn next_record(&mut self) -> Result<Option<Record>, Problem> {
        loop {
            if let Some(record) = self.block.next() {
                return Ok(Some(record));
            }
            if self.hash.is_some() {
                return Ok(None);
            }
            self.read_block()?;
        }
    }

    fn read_block(&mut self) -> Result<(), Problem> {
        let mut word = [0; 4];
        self.read(&mut word)?;
        let count = u32::from_le_bytes(word);
        if count == 0 {
            return self.finish();
        }
        self.blocks_read += 1;
        let block = self.blocks_read;
        let mut block_hasher = Sha256::new();
        block_hasher.update(word);
        self.read(&mut word)?;
        block_hasher.update(word);
        let length = u32::from_le_bytes(word);
        if count > MOST_RECORDS || length > count * LONGEST_RECORD {
            return format(format!("block {block} claims {count} records in {length} bytes"));
        }
        let mut bytes = vec![0; length as usize];
        self.read(&mut bytes)?;
        block_hasher.update(&bytes);
        let mut hash = [0; 32];
        self.read(&mut hash)?;
        if block_hasher.finalize()[..] != hash {
            return format(format!("block {block} is damaged: it does not have its hash"));
        }
        let mut rest = &bytes[..];
        let mut records = Vec::with_capacity(count as usize);
        let mut position = 0_u64;
        for i in 0..count {
            let (Some(step), Some(mv)) = (number(&mut rest), number(&mut rest)) else {
                return format(format!("block {block} does not hold {count} records"));
            };
            let Some(next) = position.checked_add(step) else {
                return format(format!("block {block} holds a position beyond 64 bits"));
            };
            position = next;
            if self.last.is_some_and(|last| position <= last) || (i > 0 && step == 0) {
                return format(format!("block {block} is not in ascending order"));
            }
            self.last = Some(position);
            records.push(Record { position, mv });
        }
        if !rest.is_empty() {
            return format(format!("block {block} holds more than {count} records"));
        }
        self.records_read += u64::from(count);
        self.block = records.into_iter();
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Problem> {
        let expected = self.hasher.clone().finalize();
        let mut hash = [0; 32];
        self.read(&mut hash)?;
        if expected[..] != hash {
            return format("the file is damaged: it does not have its hash");
        }
        if self.file.read(&mut [0])? != 0 {
            return format("the file goes on after its end");
        }
        let (claimed, found) = (self.header.records, self.records_read);
        if claimed != found {
            return format(format!("the header claims {claimed} records, there are {found}"));
        }
        self.hash = Some(hash);
        Ok(())
    }
}

/// A number in LEB128, in its shortest form.
fn number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7f);
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
