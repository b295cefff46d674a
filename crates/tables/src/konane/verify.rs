//! Verifies a table: first that it is what was written, then that it is right.
//!
//! The second part uses no rows, passes or numbered squares. It takes a position, makes its moves
//! on an array of squares, and probes the table for every position after them: a position is won if
//! and only if some move leads to a lost one.

use papamu_base::{Progress, Stopped};
use papamu_game::{Game, Player};
use papamu_games::Konane;
use papamu_games::konane::Position;
use rayon::prelude::*;

use crate::error::{DamagedBlock, TableError};
use crate::konane::shape::Layout;
use crate::konane::sublayers::Ranking;
use crate::konane::table::Table;
use crate::random::mix;
use crate::store::{self, LayerFile};

/// An entry that contradicts the entries of the positions after its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongEntry {
    /// The position.
    pub position: Position,
    /// The entry: whether the player to move wins.
    pub table_says_won: bool,
}

impl WrongEntry {
    /// A description of the problem.
    pub fn describe(&self, game: &Konane) -> String {
        let position = game.write(&self.position);
        let says = if self.table_says_won { "won" } else { "lost" };
        format!(
            "the table says that {position} is {says}, which does not fit the positions after it"
        )
    }
}

/// Checks all blocks of all layers against their hashes. Returns the first damaged block of each
/// layer. Everything else was checked when the table was opened.
pub fn check_hashes(table: &Table, progress: &Progress) -> Result<Vec<DamagedBlock>, Stopped> {
    let layers: Vec<&LayerFile> = table.layers().collect();
    store::check_hashes(&layers, progress)
}

/// Recomputes stored entries: all of them, or a random sample of `sample` if there are more.
/// Returns the number of entries to check, and the first wrong one.
pub fn check_logic(
    table: &Table,
    sample: Option<u64>,
    seed: u64,
    progress: &Progress,
) -> Result<(u64, Option<WrongEntry>), TableError> {
    let (shape, places) = (table.shape(), table.places());
    let squares = shape.squares();
    let sides = shape.players();
    let check = |stones: [u32; 2], side: Player| -> Result<(), Finding> {
        progress.stop().check()?;
        let Some(says) = table.wins(stones, side)? else { return Ok(()) };
        let position = squares.position(stones, side);
        if Array::new(table, &position).has_winning_jump(table)? == says {
            return Ok(());
        }
        Err(Finding::Wrong(WrongEntry { position, table_says_won: says }))
    };
    let rows = places.rows(shape);
    let entries = |whites: Option<u32>| match whites {
        None => 1 << squares.count(Player::Second),
        Some(stones) => shape.sublayers().white_sets(stones),
    };
    let row_entries = rows.iter().map(|(_, whites)| entries(*whites)).sum::<u64>();
    let all = row_entries * sides.len() as u64;
    let (count, found) = match sample.filter(|&sample| sample < all) {
        Some(sample) => {
            progress.add_total(sample);
            let chosen = Chosen::new(table);
            let found = (0..sample).into_par_iter().find_map_first(|i| {
                progress.add(1);
                // A stream of numbers that depends only on the seed.
                let number = mix(seed ^ mix(i));
                check(chosen.stones(number), sides[(number >> 60) as usize % sides.len()]).err()
            });
            (sample, found)
        }
        None => {
            progress.add_total(all);
            let found = rows.par_iter().find_map_first(|&(black, whites)| {
                sides.iter().find_map(|&side| {
                    let mut sets = places.white_sets(whites);
                    let found = sets.find_map(|white| check([black, white], side).err());
                    progress.add(entries(whites));
                    found
                })
            });
            (all, found)
        }
    };
    match found {
        None => Ok((count, None)),
        Some(Finding::Wrong(wrong)) => Ok((count, Some(wrong))),
        Some(Finding::Unreadable(error)) => Err(error),
    }
}

/// Why a check ended early.
enum Finding {
    Wrong(WrongEntry),
    Unreadable(TableError),
}

impl<E> From<E> for Finding
where
    TableError: From<E>,
{
    fn from(error: E) -> Finding {
        Finding::Unreadable(error.into())
    }
}

/// Chooses positions of a table by random numbers.
struct Chosen {
    ranking: Ranking,
    layout: Layout,
    squares: [u32; 2],
    /// By number of stones: the number of positions with at most that many.
    up_to: Vec<u64>,
}

impl Chosen {
    fn new(table: &Table) -> Chosen {
        let shape = table.shape();
        let [black, white] =
            [Player::First, Player::Second].map(|player| shape.squares().count(player));
        let ranking = Ranking::new(black, white);
        let layers = (0..=shape.most_stones()).map(|stones| ranking.layer(stones));
        let up_to = layers
            .scan(0_u64, |sum, layer| {
                *sum = sum.saturating_add(layer);
                Some(*sum)
            })
            .collect();
        Chosen { ranking, layout: shape.layout(), squares: [black, white], up_to }
    }

    fn stones(&self, number: u64) -> [u32; 2] {
        let [black, white] = self.squares;
        let masked = |bits: u64, squares: u32| (bits & ((1 << squares) - 1)) as u32;
        let any = [masked(number, black), masked(number >> 24, white)];
        if self.layout == Layout::Rows {
            return any;
        }
        let all = self.up_to.last().copied().unwrap_or(1).max(1);
        let chosen = number % all;
        let stones = self.up_to.partition_point(|&up_to| up_to <= chosen);
        let before = if stones == 0 { 0 } else { self.up_to[stones - 1] };
        let position = self.ranking.unrank(stones as u32, chosen - before);
        position.map_or(any, |position| [position.black as u32, position.white as u32])
    }
}

/// A board as an array of squares: occupied or not.
struct Array {
    occupied: [bool; 64],
    rows: usize,
    cols: usize,
    side: Player,
}

impl Array {
    fn new(table: &Table, position: &Position) -> Array {
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
    fn has_winning_jump<'a>(&self, table: &'a Table) -> Result<bool, &'a DamagedBlock> {
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
                    if self.wins_along((row, col), (down, right), table)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    fn wins_along<'a>(
        &self,
        (row, col): (usize, usize),
        (down, right): (isize, isize),
        table: &'a Table,
    ) -> Result<bool, &'a DamagedBlock> {
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
                return Ok(false);
            }
            after[over] = false;
            after[to] = true;
            if table.wins_by_jumps(&self.position(table, &after))? == Some(false) {
                return Ok(true);
            }
            after[to] = false;
            steps += 2;
        }
        Ok(false)
    }

    fn position(&self, table: &Table, occupied: &[bool; 64]) -> Position {
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
