//! Kayles: a ball knocks down one pin or two neighbouring ones; who takes the last pin wins.

use crate::{Game, NotationError, Player};

/// The most pins that may stand in all.
const MAX_PINS: u32 = 250;

/// Kayles under normal play.
#[derive(Clone, Copy, Debug)]
pub struct Kayles;

/// One throw: a row of pins becomes two shorter ones, either of which may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Throw {
    row: u8,
    left: u8,
    right: u8,
}

impl Throw {
    /// Changes the rows of a position; `undo` exchanges what goes and what comes.
    fn replace(self, rows: &mut Vec<u8>, undo: bool) {
        let (mut goes, mut comes) = (vec![self.row], vec![self.left, self.right]);
        if undo {
            (goes, comes) = (comes, goes);
        }
        for row in goes.into_iter().filter(|&row| row > 0) {
            if let Some(i) = rows.iter().position(|&r| r == row) {
                rows.remove(i);
            }
        }
        rows.extend(comes.into_iter().filter(|&row| row > 0));
        rows.sort_unstable();
    }
}

impl Game for Kayles {
    const NAME: &'static str = "kayles";
    const SUMMARY: &'static str = "Knock down one pin or two neighbouring ones; last throw wins";
    const PLAYERS: [&'static str; 2] = ["first", "second"];
    const NOTATION: &'static str = "numbers of pins in each row, joined by `+`: `5+3+3`";
    const EXAMPLES: &'static [&'static str] = &["12", "5+3+3"];
    const IMPARTIAL: bool = true;

    /// The rows in ascending order, which makes equivalent positions equal.
    type Position = Vec<u8>;
    type Move = Throw;
    type Undo = ();
    type Key = Vec<u8>;

    fn read(text: &str) -> Result<(Self, Vec<u8>), NotationError> {
        let error = |text: &str, problem: &str| NotationError::Position {
            text: text.to_owned(),
            problem: problem.to_owned(),
        };
        let mut rows = Vec::new();
        for row in text.trim().split('+') {
            let number = row.trim().parse();
            rows.push(number.map_err(|_| error(row, "a row is a number of pins up to 250"))?);
        }
        if rows.iter().map(|&row| u32::from(row)).sum::<u32>() > MAX_PINS {
            return Err(error(text, "more than 250 pins in all"));
        }
        rows.retain(|&row| row > 0);
        rows.sort_unstable();
        Ok((Kayles, rows))
    }

    fn write(&self, rows: &Vec<u8>) -> String {
        let rows: Vec<String> = rows.iter().map(u8::to_string).collect();
        if rows.is_empty() { "0".to_owned() } else { rows.join("+") }
    }

    fn write_move(&self, _: &Vec<u8>, throw: &Throw) -> String {
        format!("{}:{}+{}", throw.row, throw.left, throw.right)
    }

    fn draw(&self, rows: &Vec<u8>) -> String {
        let rows: Vec<String> = rows.iter().map(|&row| "|".repeat(row.into())).collect();
        rows.join(" ")
    }

    fn to_move(&self, _: &Vec<u8>) -> Player {
        Player::First
    }

    /// Rows of one length are interchangeable, and so are left and right.
    fn moves(&self, rows: &Vec<u8>, moves: &mut Vec<Throw>) {
        for (i, &row) in rows.iter().enumerate() {
            if i > 0 && rows[i - 1] == row {
                continue;
            }
            for standing in [row.checked_sub(1), row.checked_sub(2)].into_iter().flatten() {
                moves.extend((0..=standing / 2).map(|left| Throw {
                    row,
                    left,
                    right: standing - left,
                }));
            }
        }
    }

    fn is_legal(&self, rows: &Vec<u8>, throw: &Throw) -> bool {
        let standing = u32::from(throw.left) + u32::from(throw.right);
        let fallen = u32::from(throw.row).checked_sub(standing);
        rows.contains(&throw.row) && throw.left <= throw.right && matches!(fallen, Some(1 | 2))
    }

    fn play(&self, rows: &mut Vec<u8>, throw: &Throw) {
        throw.replace(rows, false);
    }

    fn undo(&self, rows: &mut Vec<u8>, throw: &Throw, (): ()) {
        throw.replace(rows, true);
    }

    fn key(&self, rows: &Vec<u8>) -> Vec<u8> {
        rows.clone()
    }

    fn parts(&self, rows: &Vec<u8>) -> Vec<Vec<u8>> {
        rows.iter().map(|&row| vec![row]).collect()
    }
}
