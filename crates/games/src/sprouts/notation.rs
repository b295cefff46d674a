//! The text of drawings, in the notation of D. Applegate, G. Jacobson and D. Sleator and of later
//! programs. `docs/nimber-format.md` has the grammar and the limits. The checkers of nimber files
//! read exactly the same texts.

use std::fmt::Write;

use hashbrown::HashMap;
use papamu_game::NotationError;

use super::code::{
    END, LETTERS, MOST_LETTERS, ONE, REGION_END, TWO, boundaries, is_letter, regions,
};

/// The longest text that is read. No position needs as much.
const MOST_BYTES: usize = 4096;

/// The most spots of a drawing, dead ones included: repeats make short texts of many spots.
const MOST_SPOTS: usize = 4096;

/// The largest weight of a drawing, see [`Reader::grow`].
const MOST_WEIGHT: usize = 3 * MOST_LETTERS;

/// Errors show at most this much of a text, in characters.
const MOST_SHOWN: usize = 100;

/// Reads a drawing that is not reduced yet. `!` alone is the one in which the game is over.
pub(super) fn read(text: &str) -> Result<Vec<u8>, NotationError> {
    let mut reader = Reader::new(text);
    if text.len() > MOST_BYTES {
        let problem = format!("{} bytes; at most {MOST_BYTES} are read", text.len());
        let end = (0..=MOST_BYTES).rev().find(|&place| text.is_char_boundary(place));
        return Err(reader.error(end.unwrap_or(0), &problem));
    }
    if text.is_empty() {
        return Err(reader.error(0, "nothing there; `0*4` has four spots"));
    }
    let mut letters = text.char_indices().peekable();
    while let Some((place, letter)) = letters.next() {
        if reader.is_over {
            return Err(reader.error(place, "nothing follows `!`"));
        }
        match letter {
            '0'..='3' => reader.spot(place, letter as u8 - b'0')?,
            '4'..='9' => {
                let problem = "a spot has three lives: `0` to `3` are those that are used";
                return Err(reader.error(place, problem));
            }
            'a'..='z' | 'A'..='Z' => {
                let mut name = 0;
                while letters.next_if(|&(_, letter)| letter == '\'').is_some() {
                    name += 1;
                }
                reader.letter(place, letter, name)?;
            }
            '*' => {
                let mut count = String::new();
                while let Some((_, digit)) = letters.next_if(|(_, letter)| letter.is_ascii_digit())
                {
                    count.push(digit);
                }
                reader.repeat(place, &count)?;
                // Without a separator it is unclear where the next boundary begins.
                if let Some(&(place, _)) = letters.peek().filter(|(_, next)| !is_end(*next)) {
                    return Err(reader.error(place, "a boundary ends after a repeat"));
                }
            }
            '.' => reader.end_boundary()?,
            '}' | '|' => reader.end_region()?,
            ']' | '+' => reader.end_land()?,
            '!' => {
                reader.end_land()?;
                reader.is_over = true;
            }
            letter if letter.is_whitespace() => {
                return Err(reader.error(place, "white space; a position has none"));
            }
            letter => {
                let problem = format!(
                    "`{}` is none of 0 to 3, letters, * and the ends . | }} + ] !",
                    letter.escape_default()
                );
                return Err(reader.error(place, &problem));
            }
        }
    }
    reader.end_land()?;
    Ok(reader.drawing)
}

/// Whether a character ends a boundary, and perhaps more.
fn is_end(letter: char) -> bool {
    matches!(letter, '.' | '}' | '|' | ']' | '+' | '!')
}

/// A letter with its apostrophes.
type Name = (char, u32);

/// The byte in the text and the region where a name occurs first, and the number of its
/// occurrences.
struct Met {
    place: usize,
    region: usize,
    count: u32,
    code: u8,
}

struct Reader<'a> {
    text: &'a str,
    drawing: Vec<u8>,
    /// The region and the boundary that are being read.
    spots: usize,
    region: Vec<u8>,
    boundary: Vec<u8>,
    /// The boundary is an isolated spot.
    is_spot: bool,
    /// Letters of the boundary and of the land.
    small: HashMap<Name, Met>,
    large: HashMap<Name, Met>,
    letters: usize,
    /// Regions read so far.
    regions: usize,
    /// The spots read so far, and their weight.
    met: usize,
    weight: usize,
    is_over: bool,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        Reader {
            text,
            drawing: Vec::new(),
            spots: 0,
            region: Vec::new(),
            boundary: Vec::new(),
            is_spot: false,
            small: HashMap::new(),
            large: HashMap::new(),
            letters: 0,
            regions: 0,
            met: 0,
            weight: 0,
            is_over: false,
        }
    }

    fn error(&self, place: usize, problem: &str) -> NotationError {
        let column = self.text[..place].chars().count() + 1;
        let mut text: String = self.text.chars().take(MOST_SHOWN).collect();
        if text.len() < self.text.len() {
            text.push_str("...");
        }
        NotationError::Position { text, problem: format!("column {column}: {problem}") }
    }

    fn spot(&mut self, place: usize, used: u8) -> Result<(), NotationError> {
        if self.is_spot || (used == 0 && !self.boundary.is_empty()) {
            return Err(self.error(place, "`0`, a spot without curves, is a boundary of its own"));
        }
        self.is_spot = used == 0;
        // Dead spots are dropped, but an isolated one is marked, for repeats.
        let spot = match used {
            0 => END,
            1 => ONE,
            2 => TWO,
            _ => REGION_END,
        };
        self.boundary.push(spot);
        self.grow(place, 1, weight_of(spot))
    }

    fn letter(&mut self, place: usize, letter: char, primes: u32) -> Result<(), NotationError> {
        if self.is_spot {
            return Err(self.error(place, "`0`, a spot without curves, is a boundary of its own"));
        }
        let names = if letter.is_ascii_lowercase() { &mut self.small } else { &mut self.large };
        let (code, is_new) = match names.get_mut(&(letter, primes)) {
            Some(met) if met.count >= 2 => {
                return Err(self.error(place, &format!("`{letter}` stands here a third time")));
            }
            // A spot met twice in one region is met twice in one boundary.
            Some(met) if letter.is_ascii_uppercase() && met.region == self.regions => {
                return Err(self.error(place, &format!("`{letter}` stands twice in one region")));
            }
            Some(met) => {
                met.count += 1;
                (met.code, false)
            }
            None if self.letters >= MOST_LETTERS => {
                return Err(self.error(place, &format!("more than {MOST_LETTERS} letters")));
            }
            None => {
                let code = LETTERS + self.letters as u8;
                self.letters += 1;
                names.insert((letter, primes), Met { place, region: self.regions, count: 1, code });
                (code, true)
            }
        };
        self.boundary.push(code);
        if is_new { self.grow(place, 1, WEIGHT_OF_LETTER) } else { Ok(()) }
    }

    fn repeat(&mut self, place: usize, count: &str) -> Result<(), NotationError> {
        let &[spot] = &self.boundary[..] else {
            return Err(self.error(place, "`*` follows a single digit, as in `0*12`"));
        };
        if is_letter(spot) && spot != REGION_END {
            return Err(self.error(place, "`*` follows a single digit, as in `0*12`"));
        }
        // Numbers have one spelling: no leading zeros.
        let number = count.parse().ok().filter(|_| !count.starts_with('0'));
        let Some(count) = number.filter(|count: &usize| (1..=MOST_SPOTS).contains(count)) else {
            let problem = format!("`*` needs a number from 1 to {MOST_SPOTS}, as in `0*12`");
            return Err(self.error(place, &problem));
        };
        self.grow(place, count - 1, weight_of(spot))?;
        self.boundary.clear();
        self.is_spot = false;
        for _ in 0..count {
            self.is_spot = spot == END;
            self.boundary.push(spot);
            self.end_boundary()?;
        }
        Ok(())
    }

    fn end_boundary(&mut self) -> Result<(), NotationError> {
        unpaired(self, &self.small, "in its boundary")?;
        self.small.clear();
        if self.is_spot {
            self.spots += 1;
        } else {
            let spots = self.boundary.iter().copied().filter(|&spot| spot != REGION_END);
            self.region.extend(spots);
            self.region.push(END);
        }
        self.is_spot = false;
        self.boundary.clear();
        Ok(())
    }

    fn end_region(&mut self) -> Result<(), NotationError> {
        self.end_boundary()?;
        let spots = std::mem::take(&mut self.spots);
        // Fits: the limit on lives allows fewer.
        self.drawing.push(spots as u8);
        self.drawing.append(&mut self.region);
        self.drawing.push(REGION_END);
        self.regions += 1;
        Ok(())
    }

    fn end_land(&mut self) -> Result<(), NotationError> {
        self.end_region()?;
        unpaired(self, &self.large, "in its land")?;
        self.large.clear();
        Ok(())
    }

    /// Adds spots, each of this weight. The weight of a drawing is twice its lives plus its
    /// letters. Every move takes a life and makes at most two letters more than it takes, so no
    /// move adds to it. A letter weighs 3, hence no drawing has more letters than there are codes
    /// for.
    fn grow(&mut self, place: usize, spots: usize, weight: usize) -> Result<(), NotationError> {
        self.met += spots;
        if self.met > MOST_SPOTS {
            return Err(self.error(place, &format!("more than {MOST_SPOTS} spots")));
        }
        self.weight += spots * weight;
        if self.weight > MOST_WEIGHT {
            let most_spots = MOST_WEIGHT / weight_of(END);
            let problem =
                format!("too large: at most {most_spots} isolated spots, or as much with curves");
            return Err(self.error(place, &problem));
        }
        Ok(())
    }
}

/// One life, and one letter.
const WEIGHT_OF_LETTER: usize = 3;

/// Twice the lives of a non-letter, as it is encoded while its boundary is read.
fn weight_of(spot: u8) -> usize {
    match spot {
        END => 6,
        ONE => 4,
        TWO => 2,
        _ => 0,
    }
}

/// Names the first letter that does not occur twice.
fn unpaired(
    reader: &Reader,
    letters: &HashMap<Name, Met>,
    scope: &str,
) -> Result<(), NotationError> {
    let unpaired = letters.iter().filter(|(_, met)| met.count != 2);
    match unpaired.min_by_key(|(_, met)| met.place) {
        Some((&(letter, _), met)) => {
            let problem = format!("`{letter}` stands only once {scope}: it needs a second place");
            Err(reader.error(met.place, &problem))
        }
        None => Ok(()),
    }
}

/// Writes a land.
pub(super) fn write_land(land: &[u8]) -> String {
    let mut text = String::new();
    // Letters shared by two boundaries are named for the whole land, in order of appearance.
    let mut large: Vec<u8> = Vec::new();
    for (i, region) in regions(land).enumerate() {
        if i > 0 {
            text.push('|');
        }
        let mut is_first = true;
        let mut separate = |text: &mut String| {
            if !std::mem::take(&mut is_first) {
                text.push('.');
            }
        };
        match region[0] {
            0 => {}
            1 => {
                separate(&mut text);
                text.push('0');
            }
            spots => {
                separate(&mut text);
                // Writing to a string does not fail.
                let _ = write!(text, "0*{spots}");
            }
        }
        for boundary in boundaries(region) {
            separate(&mut text);
            let mut small: Vec<u8> = Vec::new();
            for &spot in boundary {
                match spot {
                    ONE => text.push('1'),
                    TWO => text.push('2'),
                    letter => {
                        let is_small = boundary.iter().filter(|&&spot| spot == letter).count() == 2;
                        let (names, first) =
                            if is_small { (&mut small, b'a') } else { (&mut large, b'A') };
                        let index = names.iter().position(|&name| name == letter);
                        let index = index.unwrap_or_else(|| {
                            names.push(letter);
                            names.len() - 1
                        });
                        text.push(char::from(first + (index % 26) as u8));
                        text.extend(std::iter::repeat_n('\'', index / 26));
                    }
                }
            }
        }
    }
    text
}
