//! Nimber files: what a search has learnt, for later searches, and with a claim a certificate
//! (`docs/nimber-format.md`).

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::str::FromStr;

use hashbrown::HashMap;
use papamu_game::sums::Sums;
use papamu_game::{Game, NoOptions, NotationError};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::components::MOST_NIMBER;

/// Components, by their codes, and their nimbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lemmas(Vec<(Box<[u8]>, u8)>);

impl Lemmas {
    /// An empty set.
    pub const fn new() -> Lemmas {
        Lemmas(Vec::new())
    }

    /// The number of nimbers.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The code and the nimber of each.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], u8)> {
        self.0.iter().map(|(code, nimber)| (&**code, *nimber))
    }
}

impl FromIterator<(Box<[u8]>, u8)> for Lemmas {
    fn from_iter<T: IntoIterator<Item = (Box<[u8]>, u8)>>(lemmas: T) -> Lemmas {
        Lemmas(lemmas.into_iter().collect())
    }
}

/// What a file claims about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Nothing: it is a store of nimbers.
    Nothing,
    /// The player to move wins.
    Win(String),
    /// The player to move loses.
    Loss(String),
    /// The position has that nimber.
    Nimber(u32, String),
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Nothing => f.write_str("none"),
            Claim::Win(position) => write!(f, "win {position}"),
            Claim::Loss(position) => write!(f, "loss {position}"),
            Claim::Nimber(nimber, position) => write!(f, "nimber {nimber} {position}"),
        }
    }
}

/// Why a file of nimbers cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is no such file, or damaged.
    #[error("line {line}: {problem}")]
    Format {
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// It is of another game, or of other rules.
    #[error("line {line}: these are nimbers of {found}, not of {expected}")]
    Foreign {
        /// The line, from 1.
        line: u64,
        /// The game or rules of the file.
        found: String,
        /// The expected ones.
        expected: String,
    },
}

/// The game and the rules that the nimbers of a file belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRules {
    /// Name of the game.
    pub game: String,
    /// Its [options](Game::options).
    pub rules: String,
}

impl GameRules {
    /// Those of a game.
    pub fn of<G: Game>(game: &G) -> GameRules {
        GameRules { game: G::NAME.to_owned(), rules: game.options().to_string() }
    }

    /// Whether a file with these belongs to a game. Files used to say `normal` for games without
    /// options.
    fn are(&self, expected: &GameRules) -> Result<(), FileError> {
        let foreign = |line, found: &str, expected: &str| FileError::Foreign {
            line,
            found: found.to_owned(),
            expected: expected.to_owned(),
        };
        if self.game != expected.game {
            return Err(foreign(GAME_LINE, &self.game, &expected.game));
        }
        let is_old = expected.rules == NoOptions.to_string() && self.rules == NORMAL;
        if self.rules != expected.rules && !is_old {
            let play = |rules: &str| format!("{rules} play");
            return Err(foreign(RULES_LINE, &play(&self.rules), &play(&expected.rules)));
        }
        Ok(())
    }
}

impl From<&str> for GameRules {
    /// A game of that name in normal play.
    fn from(game: &str) -> GameRules {
        GameRules { game: game.to_owned(), rules: NORMAL.to_owned() }
    }
}

const MAGIC: &str = "papamu nimbers 1";
/// The lines that name the game and the rules.
const GAME_LINE: u64 = 2;
const RULES_LINE: u64 = 3;
/// Whoever cannot move loses.
const NORMAL: &str = "normal";
/// The longest line.
const MOST_LINE_BYTES: u64 = 8192;

/// Writes nimbers of a game's components. Their order does not matter.
pub fn write(
    file: &mut dyn Write,
    game: impl Into<GameRules>,
    sums: &dyn Sums,
    claim: &Claim,
    lemmas: &Lemmas,
) -> io::Result<()> {
    let mut texts: Vec<(String, u8)> =
        lemmas.iter().map(|(code, nimber)| (sums.write(code), nimber)).collect();
    texts.sort_unstable();
    let GameRules { game, rules } = game.into();
    let mut file = Hashing { file, hash: Sha256::new() };
    writeln!(file, "{MAGIC}\ngame {game}\nrules {rules}")?;
    writeln!(file, "claim {claim}")?;
    writeln!(file, "lemmas {}", texts.len())?;
    for (text, nimber) in texts {
        writeln!(file, "{nimber} {text}")?;
    }
    let Hashing { file, hash } = file;
    writeln!(file, "sha256 {}", hex(&hash.finalize()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes and hashes.
struct Hashing<'a> {
    file: &'a mut dyn Write,
    hash: Sha256,
}

impl Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The lines of a file, with their numbers and the hash of everything before.
struct Lines<R> {
    file: R,
    line: u64,
    text: String,
    hash: Sha256,
}

impl<R: BufRead> Lines<R> {
    fn new(file: R) -> Lines<R> {
        Lines { file, line: 0, text: String::new(), hash: Sha256::new() }
    }

    fn error(&self, problem: impl Into<String>) -> FileError {
        FileError::Format { line: self.line, problem: problem.into() }
    }

    /// The next line, without its end. It is hashed once the line after it is read.
    fn next(&mut self) -> Result<&str, FileError> {
        if self.line > 0 {
            self.hash.update(self.text.as_bytes());
            self.hash.update(b"\n");
        }
        self.line += 1;
        self.text.clear();
        let mut bytes = Vec::new();
        let read = (&mut self.file).take(MOST_LINE_BYTES).read_until(b'\n', &mut bytes)?;
        if read == 0 {
            return Err(self.error("the file ends here, too early"));
        }
        if bytes.pop() != Some(b'\n') {
            return Err(self.error("the line has no end, or is longer than any such line"));
        }
        self.text = String::from_utf8(bytes).map_err(|_| self.error("this is no text"))?;
        Ok(&self.text)
    }

    /// The rest of the next line after its first word, which must be the given one.
    fn item(&mut self, word: &str) -> Result<String, FileError> {
        let rest = self.next()?.strip_prefix(word).and_then(|rest| rest.strip_prefix(' '));
        match rest.map(str::to_owned) {
            Some(rest) => Ok(rest),
            None => Err(self.error(format!("here is `{word}` and what it is"))),
        }
    }
}

/// What a file says before its lemmas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The name of the game.
    pub game: String,
    /// Options of the rules.
    pub rules: String,
    /// The claim.
    pub claim: Claim,
    /// The number of lemmas.
    pub lemmas: u64,
}

/// Whether a file begins like a nimber file.
pub fn is_one(path: &Path) -> bool {
    let mut begin = [0; MAGIC.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut begin));
    read.is_ok() && begin == *MAGIC.as_bytes()
}

/// Reads what a file says before its lemmas.
pub fn read_header(file: impl BufRead) -> Result<Header, FileError> {
    header(&mut Lines::new(file))
}

fn header<R: BufRead>(lines: &mut Lines<R>) -> Result<Header, FileError> {
    if lines.next()? != MAGIC {
        return Err(lines.error(format!("a file of nimbers begins with `{MAGIC}`")));
    }
    let game = lines.item("game")?;
    let rules = lines.item("rules")?;
    let text = lines.item("claim")?;
    let Some(claim) = read_claim(&text) else {
        return Err(lines.error("a claim is none, win, loss or nimber N, and a position"));
    };
    let count = lines.item("lemmas")?;
    let Some(lemmas) = number(&count) else {
        return Err(lines.error("here is the number of lemmas"));
    };
    Ok(Header { game, rules, claim, lemmas })
}

/// Reads the nimbers of a game. The checksum finds damage. Whether the nimbers are right is up to
/// checkers.
pub fn read(
    file: impl BufRead,
    game: impl Into<GameRules>,
    sums: &dyn Sums,
) -> Result<(Claim, Lemmas), FileError> {
    let mut lines = Lines::new(file);
    let Header { game: found, rules, claim, lemmas: count } = header(&mut lines)?;
    GameRules { game: found, rules }.are(&game.into())?;
    let mut lemmas = Vec::new();
    let mut nimbers: HashMap<Box<[u8]>, u8> = HashMap::new();
    let mut before = String::new();
    for i in 0..count {
        let line = lines.next()?;
        let lemma = line.split_once(' ').and_then(|(nimber, text)| {
            let nimber = number::<u8>(nimber).filter(|&n| u32::from(n) <= MOST_NIMBER)?;
            Some((nimber, text.to_owned()))
        });
        let Some((nimber, text)) = lemma else {
            return Err(lines.error("a lemma is a nimber and a component of a position"));
        };
        if i > 0 && text <= before {
            return Err(lines.error("lemmas are sorted by their positions, each once"));
        }
        let code = one_component(sums, &text).map_err(|problem| lines.error(problem))?;
        // A component may be written in several ways.
        match nimbers.insert(code.clone(), nimber) {
            None => lemmas.push((code, nimber)),
            Some(other) if other == nimber => {}
            Some(_) => return Err(lines.error("the component had another nimber before")),
        }
        before = text;
    }
    let checksum = lines.item("sha256")?;
    if checksum != hex(&lines.hash.clone().finalize()) {
        return Err(lines.error("the checksum is that of another file: this one is damaged"));
    }
    if !lines.file.fill_buf()?.is_empty() {
        lines.line += 1;
        return Err(lines.error("nothing follows the checksum"));
    }
    Ok((claim, Lemmas(lemmas)))
}

fn read_claim(text: &str) -> Option<Claim> {
    if text == "none" {
        return Some(Claim::Nothing);
    }
    let (kind, rest) = text.split_once(' ')?;
    Some(match kind {
        "win" => Claim::Win(rest.to_owned()),
        "loss" => Claim::Loss(rest.to_owned()),
        "nimber" => {
            let (nimber, position) = rest.split_once(' ')?;
            Claim::Nimber(number(nimber)?, position.to_owned())
        }
        _ => return None,
    })
}

/// A number in its only spelling.
fn number<T: FromStr + ToString>(text: &str) -> Option<T> {
    text.parse().ok().filter(|number: &T| number.to_string() == text)
}

/// The code of a text that must be a single component.
fn one_component(sums: &dyn Sums, text: &str) -> Result<Box<[u8]>, String> {
    let components = sums.read(text).map_err(|error: NotationError| error.to_string())?;
    let mut components = components.list(0);
    match (components.next(), components.next()) {
        (Some(component), None) => Ok(component.into()),
        _ => Err(format!("`{text}` is not one component of a position")),
    }
}
