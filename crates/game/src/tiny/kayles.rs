//! Kayles: a ball knocks down one pin or two neighbouring ones; who takes the last pin wins.

use crate::{Capabilities, Game, Guided, NoOptions, NotationError, Player};

/// Kayles under normal play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kayles;

/// Standing pins are bits, rows are runs of them, shorter rows lower and one gap between rows:
/// positions with the same rows are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rows(u128);

impl Rows {
    /// Sorts the rows and puts them together; `None` if they need more than 128 places.
    fn new(mut lengths: Vec<u32>) -> Option<Rows> {
        lengths.retain(|&length| length > 0);
        lengths.sort_unstable();
        let mut rows = 0;
        let mut place = 0_u32;
        for length in lengths {
            if place.checked_add(length)? > 128 {
                return None;
            }
            rows |= (u128::MAX >> (128 - length)) << place;
            place += length + 1;
        }
        Some(Rows(rows))
    }

    fn lengths(self) -> Vec<u32> {
        let mut lengths = Vec::new();
        let mut rest = self.0;
        while rest != 0 {
            let length = rest.trailing_ones();
            lengths.push(length);
            rest = rest.checked_shr(length + 1).unwrap_or(0);
        }
        lengths
    }
}

/// One throw: a row of pins becomes two shorter ones, either of which may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Throw {
    row: u32,
    left: u32,
    right: u32,
}

impl Game for Kayles {
    const NAME: &'static str = "kayles";
    const SUMMARY: &'static str = "Knock down one pin or two neighbouring ones; last throw wins";
    const PLAYERS: [&'static str; 2] = ["first", "second"];
    const NOTATION: &'static str = "numbers of pins in each row, joined by `+`: `5+3+3`";
    const EXAMPLES: &'static [&'static str] = &["12", "5+3+3"];
    const IMPARTIAL: bool = true;

    type Position = Rows;
    type Move = Throw;
    type Undo = Rows;
    type Key = u128;
    type Options = NoOptions;

    fn read(text: &str) -> Result<(Self, Rows), NotationError> {
        let error = |text: &str, problem: &str| NotationError::Position {
            text: text.to_owned(),
            problem: problem.to_owned(),
        };
        let mut lengths = Vec::new();
        for row in text.trim().split('+') {
            let number = row.trim().parse();
            lengths.push(number.map_err(|_| error(row, "a row is a number of pins"))?);
        }
        let rows = Rows::new(lengths);
        let rows = rows.ok_or_else(|| error(text, "more than 128 pins, or gaps between rows"))?;
        Ok((Kayles, rows))
    }

    fn write(&self, rows: &Rows) -> String {
        let rows: Vec<String> = rows.lengths().iter().map(u32::to_string).collect();
        if rows.is_empty() { "0".to_owned() } else { rows.join("+") }
    }

    fn write_move(&self, _: &Rows, throw: &Throw) -> String {
        format!("{}:{}+{}", throw.row, throw.left, throw.right)
    }

    fn draw(&self, rows: &Rows) -> String {
        let rows = rows.lengths();
        let rows: Vec<String> = rows.iter().map(|&row| "|".repeat(row as usize)).collect();
        rows.join(" ")
    }

    fn to_move(&self, _: &Rows) -> Player {
        Player::First
    }

    /// Rows of one length are interchangeable, and so are left and right.
    fn moves(&self, rows: &Rows, moves: &mut Vec<Throw>) {
        let mut lengths = rows.lengths();
        lengths.dedup();
        for row in lengths {
            for standing in [row.checked_sub(1), row.checked_sub(2)].into_iter().flatten() {
                let splits = 0..=standing / 2;
                moves.extend(splits.map(|left| Throw { row, left, right: standing - left }));
            }
        }
    }

    fn is_legal(&self, rows: &Rows, throw: &Throw) -> bool {
        let fallen = throw.left.checked_add(throw.right).and_then(|up| throw.row.checked_sub(up));
        rows.lengths().contains(&throw.row)
            && throw.left <= throw.right
            && matches!(fallen, Some(1 | 2))
    }

    fn play(&self, rows: &mut Rows, throw: &Throw) -> Rows {
        let before = *rows;
        let mut lengths = rows.lengths();
        if let Some(thrown_at) = lengths.iter_mut().find(|row| **row == throw.row) {
            *thrown_at = throw.left;
            lengths.push(throw.right);
        }
        // The pins that fall make room for the gap.
        *rows = Rows::new(lengths).unwrap_or(before);
        before
    }

    fn undo(&self, rows: &mut Rows, _: &Throw, before: Rows) {
        *rows = before;
    }

    fn key(&self, rows: &Rows) -> u128 {
        rows.0
    }
}

impl Kayles {
    /// What it has beyond its rules.
    pub const CAPABILITIES: Capabilities<Kayles> =
        Capabilities { components: Some(Kayles::components), ..Capabilities::NONE };

    /// Each row by itself.
    pub fn components(&self, rows: &Rows) -> Vec<Rows> {
        rows.lengths().into_iter().filter_map(|row| Rows::new(vec![row])).collect()
    }
}

impl Guided for Kayles {}
