//! The notation of positions; `docs/nimber-format.md` has its grammar and its limits.

use std::collections::BTreeMap;

use super::{Boundary, Position, Region};

/// The longest text that is read, in bytes.
pub const LONGEST_TEXT: usize = 4096;
/// The most spots of a position, dead ones included: repeats make short texts of many spots.
const MOST_SPOTS: usize = 4096;
/// The largest weight of all spots together.
const MOST_WEIGHT: usize = 756;
/// The weight of each life of a spot that is met once.
const WEIGHT_OF_LIFE: usize = 2;
/// The weight of a letter.
const WEIGHT_OF_LETTER: usize = 3;

/// A letter of the text: its spot, its first place, and its regions.
struct Letter {
    spot: usize,
    place: usize,
    regions: Vec<usize>,
}

/// The state of the reader.
#[derive(Default)]
struct Reader {
    position: Position,
    weight: usize,
    region: Region,
    boundary: Boundary,
    /// Lower-case letters of the boundary.
    near: BTreeMap<String, Letter>,
    /// Upper-case letters of the land.
    far: BTreeMap<String, Letter>,
    /// A repeat is complete: the boundary must end here.
    complete: bool,
}

/// Reads a position without reducing it. An error names the place, counted from 1.
pub fn read(text: &str) -> Result<Position, String> {
    if text.len() > LONGEST_TEXT {
        return Err(format!("the position is longer than {LONGEST_TEXT} bytes"));
    }
    if text.is_empty() {
        return Err("the position is empty".to_owned());
    }
    let bytes: Vec<(u8, usize)> = text.bytes().zip(1..).collect();
    let mut reader = Reader::default();
    let mut rest = &bytes[..];
    while let [(byte, place), tail @ ..] = rest {
        rest = tail;
        match byte {
            b'0'..=b'3' => {
                reader.digit(byte - b'0', *place)?;
                if let [(b'*', place), tail @ ..] = rest {
                    let digits = tail.iter().take_while(|(byte, _)| byte.is_ascii_digit()).count();
                    let (number, tail) = tail.split_at(digits);
                    rest = tail;
                    reader.repeat(number, *place)?;
                }
            }
            b'4'..=b'9' => {
                return Err(format!("a digit above 3 at {place}: a spot has three lives"));
            }
            b'a'..=b'z' | b'A'..=b'Z' => {
                let primes = rest.iter().take_while(|(byte, _)| *byte == b'\'').count();
                let name = format!("{}{}", char::from(*byte), "'".repeat(primes));
                rest = &rest[primes..];
                reader.letter(name, *place)?;
            }
            b'.' => reader.end_boundary()?,
            b'}' | b'|' => reader.end_region()?,
            b']' | b'+' => reader.end_land()?,
            b'!' => {
                if let [(_, place), ..] = rest {
                    return Err(format!("the position goes on after its end at {place}"));
                }
            }
            b'*' => return Err(format!("`*` at {place} does not follow a digit")),
            space if space.is_ascii_whitespace() => {
                return Err(format!("white space at {place}: a position has none"));
            }
            32..127 => return Err(format!("`{}` at {place} is not known", char::from(*byte))),
            _ => return Err(format!("what stands at {place} is not known")),
        }
    }
    reader.end_land()?;
    Ok(reader.position)
}

impl Reader {
    /// The next spot of the boundary.
    fn meet(&mut self, spot: usize, place: usize) -> Result<(), String> {
        let isolated = |spot: &usize| self.position.lives[*spot] == 3;
        if self.complete {
            return Err(format!("a boundary that is repeated goes on at {place}"));
        }
        if self.boundary.first().is_some_and(|first| isolated(first) || isolated(&spot)) {
            return Err(format!("an isolated spot `0` stands beside another spot at {place}"));
        }
        self.boundary.push(spot);
        Ok(())
    }

    fn new_spot(&mut self, lives: u8, weight: usize, place: usize) -> Result<usize, String> {
        if self.position.lives.len() == MOST_SPOTS {
            return Err(format!("more than {MOST_SPOTS} spots at {place}"));
        }
        self.weight += weight;
        if self.weight > MOST_WEIGHT {
            let most = MOST_WEIGHT / (3 * WEIGHT_OF_LIFE);
            return Err(format!("too large at {place}: heavier than {most} isolated spots"));
        }
        self.position.lives.push(lives);
        Ok(self.position.lives.len() - 1)
    }

    fn digit(&mut self, digit: u8, place: usize) -> Result<(), String> {
        let lives = 3 - digit;
        let spot = self.new_spot(lives, WEIGHT_OF_LIFE * usize::from(lives), place)?;
        self.meet(spot, place)
    }

    /// `k*n`: the boundary is one digit and becomes n of them.
    fn repeat(&mut self, number: &[(u8, usize)], place: usize) -> Result<(), String> {
        let &[spot] = &self.boundary[..] else {
            return Err(format!("the repeat at {place} is of more than one spot"));
        };
        let digits: String = number.iter().map(|(byte, _)| char::from(*byte)).collect();
        let times = match digits.as_bytes() {
            [] => return Err(format!("the repeat at {place} has no number")),
            [b'0', ..] => return Err(format!("the number of the repeat at {place} begins with 0")),
            // Digits that overflow are too large for a position, too.
            _ => digits.parse::<usize>().unwrap_or(usize::MAX),
        };
        let lives = self.position.lives[spot];
        for _ in 1..times {
            let another = self.new_spot(lives, WEIGHT_OF_LIFE * usize::from(lives), place)?;
            self.region.push(vec![another]);
        }
        self.complete = true;
        Ok(())
    }

    fn letter(&mut self, name: String, place: usize) -> Result<(), String> {
        let shared = name.starts_with(|letter: char| letter.is_ascii_uppercase());
        let letters = if shared { &self.far } else { &self.near };
        let spot = match letters.get(&name) {
            Some(letter) => letter.spot,
            None => self.new_spot(1, WEIGHT_OF_LETTER, place)?,
        };
        self.meet(spot, place)?;
        let region = self.position.regions.len();
        let letters = if shared { &mut self.far } else { &mut self.near };
        let first = Letter { spot, place, regions: Vec::new() };
        letters.entry(name).or_insert(first).regions.push(region);
        Ok(())
    }

    fn end_boundary(&mut self) -> Result<(), String> {
        for (name, letter) in std::mem::take(&mut self.near) {
            if letter.regions.len() != 2 {
                let place = letter.place;
                return Err(format!("`{name}` at {place} does not stand twice in its boundary"));
            }
        }
        if !self.boundary.is_empty() {
            self.region.push(std::mem::take(&mut self.boundary));
        }
        self.complete = false;
        Ok(())
    }

    fn end_region(&mut self) -> Result<(), String> {
        self.end_boundary()?;
        if !self.region.is_empty() {
            self.position.regions.push(std::mem::take(&mut self.region));
        }
        Ok(())
    }

    fn end_land(&mut self) -> Result<(), String> {
        self.end_region()?;
        for (name, letter) in std::mem::take(&mut self.far) {
            let place = letter.place;
            match letter.regions[..] {
                [one, other] if one != other => {}
                [_, _] => return Err(format!("`{name}` at {place} stands twice in one region")),
                _ => return Err(format!("`{name}` at {place} does not stand twice in its land")),
            }
        }
        Ok(())
    }
}

/// Writes a land. Letters are named in the order in which they are met. Dead spots are omitted.
pub fn write(land: &Position) -> String {
    let mut text = String::new();
    let mut met = vec![0; land.lives.len()];
    for &spot in land.regions.iter().flatten().flatten() {
        met[spot] += 1;
    }
    let mut far = Vec::new();
    for (i, region) in land.regions.iter().enumerate() {
        if i > 0 {
            text.push('|');
        }
        let isolated =
            |boundary: &Boundary| matches!(boundary[..], [spot] if land.lives[spot] == 3);
        let mut rest = &region[..];
        while let [boundary, ..] = rest {
            if rest.len() < region.len() {
                text.push('.');
            }
            let run = rest.iter().take_while(|boundary| isolated(boundary)).count();
            if run > 1 {
                text.push_str(&format!("0*{run}"));
                rest = &rest[run..];
                continue;
            }
            rest = &rest[1..];
            let mut near = Vec::new();
            for &spot in boundary {
                if met[spot] < 2 {
                    text.push(char::from(b'3' - land.lives[spot]));
                } else if boundary.iter().filter(|other| **other == spot).count() == 2 {
                    push_name(&mut text, b'a', &mut near, spot);
                } else {
                    push_name(&mut text, b'A', &mut far, spot);
                }
            }
        }
    }
    if text.is_empty() { "!".to_owned() } else { text }
}

/// The name of a letter: `a` to `z`, then the same with one apostrophe, and so on.
fn push_name(text: &mut String, first: u8, named: &mut Vec<usize>, spot: usize) {
    let number = named.iter().position(|known| *known == spot).unwrap_or_else(|| {
        named.push(spot);
        named.len() - 1
    });
    text.push(char::from(first + (number % 26) as u8));
    text.extend(std::iter::repeat_n('\'', number / 26));
}
