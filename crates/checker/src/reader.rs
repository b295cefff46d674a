//! Reads the file of a certificate from front to back, never more than a block at a time.

use std::fmt;
use std::io::{self, Read};

use sha2::{Digest, Sha256};

use crate::games;

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
    /// The check was stopped before it ended.
    Stopped,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Io(error) => write!(f, "cannot read the file: {error}"),
            Problem::Temporary(error) => write!(f, "cannot keep temporary files: {error}"),
            Problem::Format(text) | Problem::Wrong(text) => f.write_str(text),
            Problem::Stopped => f.write_str("the check was stopped"),
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The version of the format, 1 or 2.
    pub version: u8,
    /// The name of the game.
    pub game: String,
    /// The name of its rules, `standard` in version 1.
    pub rules: String,
    /// The position of which it claims something.
    pub root: String,
    /// The name of the player of whom it claims something.
    pub owner: String,
    /// The claim is only that the owner wins or draws.
    pub holds: bool,
    /// The number of positions that the checker may enter to prove one that was left out.
    pub budget: u64,
    /// The size up to which the checker finds out values by itself; 0 if there is no database.
    pub database: u64,
    /// The number of records.
    pub records: u64,
}

impl Header {
    /// Whether records have ranks: play could go in circles, and then nobody wins.
    pub fn has_ranks(&self) -> bool {
        let circles = games::known(&self.game).is_some_and(|known| known.circles);
        self.version == 2 && circles && !self.holds
    }
}

/// A record: a position with the owner to move, and the number of the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The number of the position.
    pub position: u128,
    /// The number of the move.
    pub mv: u64,
    /// The rank, 0 if there are none.
    pub rank: u32,
}

const LONGEST_LINE: usize = 4096;
const MOST_RECORDS: u32 = 1 << 16;
/// The largest budget: a longer search is too much to ask of a checker.
const MOST_BUDGET: u64 = 1_000_000;

/// The widths of the numbers of a record in bits.
#[derive(Clone, Copy)]
struct Widths {
    position: u32,
    mv: u32,
    rank: Option<u32>,
}

/// A certificate that is being read.
pub struct Reader<R> {
    file: R,
    /// The hash of everything read so far.
    hasher: Sha256,
    header: Header,
    block: std::vec::IntoIter<Record>,
    blocks_read: u64,
    records_read: u64,
    last: Option<u128>,
    widths: Widths,
    /// The hash at the end, once everything was read.
    hash: Option<[u8; 32]>,
}

impl<R: Read> Reader<R> {
    /// Reads the header of a certificate.
    pub fn new(file: R) -> Result<Reader<R>, Problem> {
        let mut reader = Reader {
            file,
            hasher: Sha256::new(),
            header: Header::default(),
            block: Vec::new().into_iter(),
            blocks_read: 0,
            records_read: 0,
            last: None,
            widths: Widths { position: 64, mv: 64, rank: None },
            hash: None,
        };
        let version = match reader.line()?.strip_prefix("papamu certificate ") {
            Some("1") => 1,
            Some("2") => 2,
            Some(version) => {
                return format(format!("version {version} is not known, only 1 and 2"));
            }
            None => return format("it does not begin with `papamu certificate 1` or `2`"),
        };
        let game = reader.item("game")?;
        let rules = if version == 1 { "standard".to_owned() } else { reader.item("rules")? };
        let root = reader.item("root")?;
        let claim = reader.item("claim")?;
        let (owner, holds) = match claim.rsplit_once(' ') {
            Some((owner, "wins")) => (owner.to_owned(), false),
            Some((owner, "holds")) if version == 2 => (owner.to_owned(), true),
            _ if version == 1 => {
                return format(format!("the claim `{claim}` is not that somebody wins"));
            }
            _ => return format(format!("the claim `{claim}` is not that somebody wins or holds")),
        };
        let budget = reader.number("budget")?;
        let database = if version == 1 { 0 } else { reader.number("database")? };
        let records = reader.number("records")?;
        reader.header =
            Header { version, game, rules, root, owner, holds, budget, database, records };
        if version == 2 {
            let rank = reader.header.has_ranks().then_some(32);
            reader.widths = Widths { position: 128, mv: 64, rank };
        }
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

    /// The file, wherever reading has got to.
    pub fn into_file(self) -> R {
        self.file
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

    /// The number of a header line that begins with that word.
    fn number(&mut self, name: &str) -> Result<u64, Problem> {
        let text = self.item(name)?;
        match text.parse::<u64>() {
            // Numbers have one spelling.
            Ok(number) if number.to_string() == text => Ok(number),
            _ => format(format!("`{text}` is not a number")),
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
        if count > MOST_RECORDS || length > count * self.widths.longest_record() {
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
        let mut position = 0_u128;
        for i in 0..count {
            let Some(Record { position: step, mv, rank }) = self.widths.record(&mut rest) else {
                return format(format!("block {block} does not hold {count} records"));
            };
            let bits = self.widths.position;
            position = match position.checked_add(step) {
                Some(next) if fits(next, bits) => next,
                _ => return format(format!("block {block} holds a position beyond {bits} bits")),
            };
            if self.last.is_some_and(|last| position <= last) || (i > 0 && step == 0) {
                return format(format!("block {block} is not in ascending order"));
            }
            self.last = Some(position);
            records.push(Record { position, mv, rank });
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

impl Widths {
    /// The most bytes of a record.
    fn longest_record(self) -> u32 {
        let widths = [Some(self.position), Some(self.mv), self.rank];
        widths.into_iter().flatten().map(|bits| bits.div_ceil(7)).sum()
    }

    /// A record with the difference of its position to the one before.
    fn record(self, bytes: &mut &[u8]) -> Option<Record> {
        let position = leb128(bytes, self.position)?;
        let mv = leb128(bytes, self.mv)? as u64;
        let rank = self.rank.map_or(Some(0), |bits| leb128(bytes, bits))? as u32;
        Some(Record { position, mv, rank })
    }
}

fn fits(number: u128, bits: u32) -> bool {
    number.checked_shr(bits).unwrap_or(0) == 0
}

/// A number in LEB128 of so many bits, in its shortest form.
fn leb128(bytes: &mut &[u8], bits: u32) -> Option<u128> {
    let mut number = 0_u128;
    for shift in (0..bits).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let low = u128::from(byte & 0x7f);
        if low << shift >> shift != low || (byte == 0 && shift > 0) {
            return None;
        }
        number |= low << shift;
        if byte < 0x80 {
            return Some(number).filter(|number| fits(*number, bits));
        }
    }
    None
}
