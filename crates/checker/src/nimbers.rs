//! Reads a nimber file line by line (`docs/nimber-format.md`).

use std::fmt;
use std::io::{BufRead, Read};

use sha2::{Digest, Sha256};

use crate::reader::Problem;
use crate::sprouts::text::LONGEST_TEXT;

/// A position and the words before it.
const LONGEST_LINE: usize = LONGEST_TEXT + 64;

/// The line of the claim.
pub const CLAIM_LINE: u64 = 4;

/// What a file claims about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Nothing.
    None,
    /// The player to move wins.
    Win(String),
    /// The player to move loses.
    Loss(String),
    /// The position has this nimber.
    Nimber(u8, String),
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::None => f.write_str("none"),
            Claim::Win(position) => write!(f, "win sprouts {position}"),
            Claim::Loss(position) => write!(f, "loss sprouts {position}"),
            Claim::Nimber(nimber, position) => write!(f, "nimber {nimber} sprouts {position}"),
        }
    }
}

/// The header: everything before the lemmas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The claim.
    pub claim: Claim,
    /// The number of lemmas.
    pub lemmas: u64,
}

/// A lemma: the nimber of a land.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lemma {
    /// The line of the lemma.
    pub line: u64,
    /// The nimber.
    pub nimber: u8,
    /// The land, in the notation of the game.
    pub land: String,
}

/// A file that is being read.
pub struct Reader<R> {
    file: R,
    /// The hash of everything before the current line.
    hasher: Sha256,
    /// The current line, with its end.
    bytes: Vec<u8>,
    /// The number of the current line.
    line: u64,
    header: Header,
    lemmas_read: u64,
    last: Option<String>,
    finished: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    pub fn new(file: R) -> Result<Reader<R>, Problem> {
        let header = Header { claim: Claim::None, lemmas: 0 };
        let mut reader = Reader {
            file,
            hasher: Sha256::new(),
            bytes: Vec::new(),
            line: 0,
            header,
            lemmas_read: 0,
            last: None,
            finished: false,
        };
        let version = reader.item("papamu nimbers")?;
        if version != "1" {
            return reader.format(format!("version {version} is not known, only 1"));
        }
        let game = reader.item("game")?;
        if game != "sprouts" {
            return reader.format(format!("the game `{game}` has no nimbers here"));
        }
        let rules = reader.item("rules")?;
        if rules != "normal" {
            return reader.format(format!("the rules `{rules}` are not known, only `normal`"));
        }
        let claim = reader.item("claim")?;
        let Some(claim) = read_claim(&claim) else {
            return reader.format(format!("`{claim}` is not a claim"));
        };
        let lemmas = reader.item("lemmas")?;
        let Some(lemmas) = number(&lemmas) else {
            return reader.format(format!("`{lemmas}` is not a number"));
        };
        reader.header = Header { claim, lemmas };
        Ok(reader)
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The next lemma; `None` after the last one, once the checksum was found right.
    pub fn next_lemma(&mut self) -> Result<Option<Lemma>, Problem> {
        if self.finished {
            return Ok(None);
        }
        if self.lemmas_read == self.header.lemmas {
            self.finish()?;
            return Ok(None);
        }
        let text = self.next_line()?;
        let lemma = text.split_once(' ').and_then(|(nimber, land)| {
            let nimber = number(nimber).and_then(|nimber| u8::try_from(nimber).ok())?;
            Some(Lemma { line: self.line, nimber, land: land.to_owned() })
        });
        let Some(lemma) = lemma else {
            return self.format("it is not a nimber up to 255 and a land");
        };
        if let Some(last) = &self.last {
            if lemma.land == *last {
                return self.format("the land of the line before it again");
            }
            if lemma.land < *last {
                return self.format("it is not in ascending order");
            }
        }
        self.lemmas_read += 1;
        self.last = Some(lemma.land.clone());
        Ok(Some(lemma))
    }

    fn finish(&mut self) -> Result<(), Problem> {
        let claimed = self.item("sha256")?;
        let hash = self.hasher.clone().finalize();
        let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        if claimed != hash {
            return self.format("the file is damaged: it does not have its hash");
        }
        if self.file.read(&mut [0])? != 0 {
            return self.format("the file goes on after its end");
        }
        self.finished = true;
        Ok(())
    }

    /// A problem with the current line.
    fn format<T>(&self, text: impl fmt::Display) -> Result<T, Problem> {
        Err(Problem::Format(format!("line {}: {text}", self.line)))
    }

    fn next_line(&mut self) -> Result<String, Problem> {
        self.hasher.update(&self.bytes);
        self.bytes.clear();
        self.line += 1;
        let mut start = self.file.by_ref().take(LONGEST_LINE as u64 + 1);
        start.read_until(b'\n', &mut self.bytes)?;
        match self.bytes.split_last() {
            Some((b'\n', text)) if text.iter().all(|byte| (32..127).contains(byte)) => {
                Ok(text.iter().map(|byte| char::from(*byte)).collect())
            }
            Some((b'\n', _)) => self.format("it is not plain text"),
            _ if self.bytes.len() > LONGEST_LINE => self.format("it is too long"),
            _ => self.format("the file is cut off"),
        }
    }

    /// The rest of the next line after these words.
    fn item(&mut self, words: &str) -> Result<String, Problem> {
        let line = self.next_line()?;
        match line.strip_prefix(words).and_then(|rest| rest.strip_prefix(' ')) {
            Some(rest) => Ok(rest.to_owned()),
            None => self.format(format!("`{words} ...` should be here")),
        }
    }
}

fn read_claim(text: &str) -> Option<Claim> {
    if text == "none" {
        return Some(Claim::None);
    }
    let (word, rest) = text.split_once(' ')?;
    match word {
        "win" => Some(Claim::Win(rest.to_owned())),
        "loss" => Some(Claim::Loss(rest.to_owned())),
        "nimber" => {
            let (nimber, position) = rest.split_once(' ')?;
            let nimber = u8::try_from(number(nimber)?).ok()?;
            Some(Claim::Nimber(nimber, position.to_owned()))
        }
        _ => None,
    }
}

/// A number in its only spelling.
fn number(text: &str) -> Option<u64> {
    text.parse::<u64>().ok().filter(|number| number.to_string() == text)
}
