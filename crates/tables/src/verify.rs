//! Checking a strong table: first that it is what was written, then that it is right.
//!
//! The second part knows nothing of rows, passes and numbered squares. It takes a position, makes
//! its moves on a plain array of squares, and asks the table about every position after them: one is
//! won if and only if some move leads to a lost one.

use papamu_game::{Player, Progress};
use papamu_games::konane::Position;
use rayon::prelude::*;

use crate::directory::{TableError, check_layer, file_name, header, players};
use crate::strong::StrongTable;

/// An entry that contradicts the entries after its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The position.
    pub position: Position,
    /// What the table says: the player to move wins.
    pub table_says_won: bool,
}

/// Checks all files against their hashes.
pub fn check_hashes(table: &StrongTable, progress: &Progress) -> Result<(), TableError> {
    let squares = table.squares();
    let last = squares.count(Player::First);
    let all: Vec<(Player, u32)> = players(squares)
        .iter()
        .flat_map(|&player| (0..=last).map(move |stones| (player, stones)))
        .collect();
    let bytes = |&(player, stones): &(Player, u32)| table.layer(player, stones).len() as u64;
    progress.add_total(all.iter().map(bytes).sum());
    all.par_iter().try_for_each(|&(player, stones)| {
        let path = table.directory().join(file_name(player, stones));
        let expected = header(squares, table.stored(), player, stones);
        check_layer(&path, table.layer(player, stones), &expected)?;
        progress.add(bytes(&(player, stones)));
        Ok(())
    })
}

/// Recomputes stored entries: all, or so many chosen at random from a seed. The number of entries
/// checked, and the first that is wrong.
pub fn check_logic(
    table: &StrongTable,
    sample: Option<u64>,
    seed: u64,
    progress: &Progress,
) -> (u64, Option<Wrong>) {
    let squares = table.squares();
    let [blacks, whites] = [Player::First, Player::Second].map(|player| squares.count(player));
    let sides = players(squares);
    let check = |black: u32, white: u32, side: Player| {
        let says = table.wins([black, white], side);
        let position = squares.position([black, white], side);
        let right = Array::new(table, &position).has_winning_jump(table) == says;
        (!right).then_some(Wrong { position, table_says_won: says })
    };
    match sample {
        Some(sample) => {
            progress.add_total(sample);
            let wrong = (0..sample).into_par_iter().find_map_any(|i| {
                progress.add(1);
                // A stream of numbers that depends on the seed and on nothing else.
                let number = mix(seed ^ mix(i));
                let black = (number as u32) & ((1 << blacks) - 1);
                let white = ((number >> 24) as u32) & ((1 << whites) - 1);
                check(black, white, sides[(number >> 60) as usize % sides.len()])
            });
            (sample, wrong)
        }
        None => {
            let sets: Vec<u32> =
                (0..1 << blacks).filter(|&set| table.stored().has_row(set)).collect();
            let row = 1_u64 << whites;
            let entries = sets.len() as u64 * sides.len() as u64 * row;
            progress.add_total(entries);
            let wrong = sets.par_iter().find_map_any(|&black| {
                sides.iter().find_map(|&side| {
                    let wrong = (0..1 << whites).find_map(|white| check(black, white, side));
                    progress.add(row);
                    wrong
                })
            });
            (entries, wrong)
        }
    }
}

/// SplitMix64 (G. Steele, D. Lea, C. Flood, 2014).
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// A board as an array of squares: occupied or not.
struct Array {
    occupied: [bool; 64],
    rows: usize,
    cols: usize,
    side: Player,
}

impl Array {
    fn new(table: &StrongTable, position: &Position) -> Array {
        let board = table.game().board();
        let mut occupied = [false; 64];
        for row in 0..board.rows {
            for col in 0..board.cols {
                occupied[row * board.cols + col] =
                    position.occupied >> board.square(row, col) & 1 == 1;
            }
        }
        Array { occupied, rows: board.rows, cols: board.cols, side: position.side }
    }

    /// Whether some jump leads to a position that the table calls lost.
    fn has_winning_jump(&mut self, table: &StrongTable) -> bool {
        let own = match self.side {
            Player::First => 0,
            Player::Second => 1,
        };
        for row in 0..self.rows {
            for col in 0..self.cols {
                if (row + col) % 2 != own || !self.occupied[row * self.cols + col] {
                    continue;
                }
                for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                    if self.wins_along((row, col), (down, right), table) {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn wins_along(
        &self,
        (row, col): (usize, usize),
        (down, right): (isize, isize),
        table: &StrongTable,
    ) -> bool {
        let at = |steps: isize| {
            let row = row.checked_add_signed(down * steps)?;
            let col = col.checked_add_signed(right * steps)?;
            (row < self.rows && col < self.cols).then_some(row * self.cols + col)
        };
        let mut after = self.occupied;
        after[row * self.cols + col] = false;
        let mut steps = 2;
        while let (Some(over), Some(to)) = (at(steps - 1), at(steps)) {
            if !self.occupied[over] || self.occupied[to] {
                return false;
            }
            after[over] = false;
            after[to] = true;
            if !table.wins_by_jumps(&self.position(table, &after)) {
                return true;
            }
            after[to] = false;
            steps += 2;
        }
        false
    }

    fn position(&self, table: &StrongTable, occupied: &[bool; 64]) -> Position {
        let board = table.game().board();
        let mut bits = 0;
        for row in 0..self.rows {
            for col in 0..self.cols {
                if occupied[row * self.cols + col] {
                    bits |= 1 << board.square(row, col);
                }
            }
        }
        Position { occupied: bits, side: !self.side }
    }
}
