//! Verifies a table: first that it is what was written, then that it is right.
//!
//! The second part uses no un-moves. It plays the moves of each position and looks at the entries
//! after them: a win needs a lost one, a loss has only won ones, a draw neither. Where play goes in
//! circles that is not enough, since a circle of wins and losses may rest on nothing but itself.
//! With distances, each win and loss must also have the right one, which falls along every line.
//! Without, every win and loss must follow from the ends of the game, pass by pass.

use std::sync::atomic::{AtomicU64, Ordering};

use papamu_base::{Progress, Stopped};
use papamu_game::{Entry, Game, Indexed, PositionIndex};
use rayon::prelude::*;

use crate::error::{DamagedBlock, TableError};
use crate::indexed::codes::{Code, Marks};
use crate::indexed::table::Table;
use crate::random::mix;
use crate::store;

/// The entries that a thread takes at a time.
const CHUNK: u64 = 1 << 14;

/// Checks all blocks of all files against their hashes. Returns the first damaged block of each
/// file. Everything else was checked when the table was opened.
pub fn check_hashes<G: Indexed>(
    table: &Table<G>,
    progress: &Progress,
) -> Result<Vec<DamagedBlock>, Stopped> {
    store::check_hashes(&table.files(), progress)
}

/// Recomputes entries: all of them, or a random sample of `sample` if there are more. Returns the
/// number of entries to check, and what is wrong with the first wrong one.
///
/// A sample cannot tell whether wins and losses follow from ends of the game, unless the table has
/// distances.
pub fn check_logic<G: Indexed>(
    table: &Table<G>,
    sample: Option<u64>,
    seed: u64,
    progress: &Progress,
) -> Result<(u64, Option<String>), TableError> {
    let all = table.shape.entries();
    let first_wrong = |found: Option<Finding>| match found {
        None => Ok(None),
        Some(Finding::Wrong(problem)) => Ok(Some(problem)),
        Some(Finding::Unreadable(error)) => Err(error),
    };
    if let Some(sample) = sample.filter(|&sample| sample < all) {
        progress.add_total(sample);
        let found = (0..sample).into_par_iter().find_map_first(|i| {
            progress.add(1);
            // A stream of numbers that depends only on the seed.
            let number = mix(seed ^ mix(i));
            let mut index = ((u128::from(number) * u128::from(all)) >> 64) as u64;
            let mut class = 0;
            while index >= table.index().entries(class) {
                index -= table.index().entries(class);
                class += 1;
            }
            Judge::new(table).check(Entry { class, index }, progress).err()
        });
        return Ok((sample, first_wrong(found)?));
    }
    progress.add_total(all);
    for class in table.shape.classes() {
        let entries = table.index().entries(class);
        let found = (0..entries.div_ceil(CHUNK)).into_par_iter().find_map_first(|chunk| {
            let mut judge = Judge::new(table);
            let end = entries.min((chunk + 1) * CHUNK);
            let mut range = chunk * CHUNK..end;
            let found = range.find_map(|index| judge.check(Entry { class, index }, progress).err());
            progress.add(end - chunk * CHUNK);
            found
        });
        let found = match found {
            None if G::CYCLIC && !table.has_distances() => grounded(table, class, progress).err(),
            found => found,
        };
        if found.is_some() {
            return Ok((all, first_wrong(found)?));
        }
    }
    Ok((all, None))
}

/// Why a check ended early.
enum Finding {
    Wrong(String),
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

/// Judges entries by their moves, by one thread.
struct Judge<'a, G: Indexed> {
    table: &'a Table<G>,
    moves: Vec<<G as Game>::Move>,
}

impl<'a, G: Indexed> Judge<'a, G> {
    fn new(table: &'a Table<G>) -> Judge<'a, G> {
        Judge { table, moves: Vec::new() }
    }

    /// Compares an entry with those after its moves.
    fn check(&mut self, entry: Entry, progress: &Progress) -> Result<(), Finding> {
        progress.stop().check()?;
        let (table, index) = (self.table, self.table.index());
        let says = table.code(entry)?;
        let Some(position) = index.position(entry) else {
            return match says {
                Code::Nothing => Ok(()),
                _ => Err(Finding::Wrong(format!(
                    "the table has a value for entry {} of the class {}, which is no position",
                    entry.index,
                    index.class_name(entry.class)
                ))),
            };
        };
        let wrong = |says: String| {
            let position = table.game().write(&position);
            Finding::Wrong(format!(
                "the table says that {position} {says}, which does not fit the positions after it"
            ))
        };
        let (right, plies) = self.by_moves(&position)?;
        if says != right {
            return Err(wrong(match says.value() {
                Some(value) => format!("is a {value}"),
                None => "is no position".to_owned(),
            }));
        }
        match table.plies_of(entry)? {
            Some(says) if says != plies => Err(wrong(format!("ends after {says} plies"))),
            _ => Ok(()),
        }
    }

    /// The code and the distance that follow from those after the moves of a position; 0 is the
    /// distance of draws.
    fn by_moves(&mut self, position: &G::Position) -> Result<(Code, u16), Finding> {
        let (mut shortest, mut longest, mut drawn) = (None, 0, false);
        let (table, game) = (self.table, self.table.game());
        self.moves.clear();
        game.moves(position, &mut self.moves);
        if self.moves.is_empty() {
            return Ok((game.final_value(position).into(), 0));
        }
        for mv in &self.moves {
            let child = game.after(position, mv);
            let entry = table.index().entry(&child);
            let entry = entry.ok_or_else(|| TableError::WrongIndex {
                game: G::NAME,
                position: game.write(position),
            })?;
            let plies = table.plies_of(entry)?.map_or(0, |plies| plies.saturating_add(1));
            match table.code(entry)? {
                Code::Loss => shortest = Some(shortest.unwrap_or(plies).min(plies)),
                Code::Win => longest = longest.max(plies),
                Code::Draw => drawn = true,
                Code::Nothing => {
                    let child = game.write(&child);
                    return Err(Finding::Wrong(format!("the table has no value for {child}")));
                }
            }
        }
        Ok(match shortest {
            Some(shortest) => (Code::Win, shortest),
            None if drawn => (Code::Draw, 0),
            None => (Code::Loss, longest),
        })
    }
}

/// Checks that all wins and losses of a class follow from ends of the game and from earlier
/// classes: pass by pass, each is marked once what it rests on is.
fn grounded<G: Indexed>(table: &Table<G>, class: u32, progress: &Progress) -> Result<(), Finding> {
    let index = table.index();
    let entries = index.entries(class);
    let marks = Marks::new(entries)?;
    let is_marked = |entry: Entry| {
        entry.class < class
            || marks.words()[(entry.index / 64) as usize].load(Ordering::Relaxed)
                >> (entry.index % 64)
                & 1
                == 1
    };
    let rests = |position: &G::Position, code: Code, moves: &mut Vec<G::Move>| {
        moves.clear();
        table.game().moves(position, moves);
        for mv in &*moves {
            let child = table.game().after(position, mv);
            let Some(entry) = index.entry(&child) else { continue };
            let is_lost = table.code(entry)? == Code::Loss;
            match (code, is_marked(entry)) {
                (Code::Win, true) if is_lost => return Ok(true),
                (Code::Loss, false) => return Ok(false),
                _ => (),
            }
        }
        Ok::<bool, TableError>(code == Code::Loss || moves.is_empty())
    };
    loop {
        let (new, open) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
        (0..entries.div_ceil(CHUNK)).into_par_iter().try_for_each_init(
            Vec::new,
            |moves, chunk| {
                progress.stop().check()?;
                for i in chunk * CHUNK..entries.min((chunk + 1) * CHUNK) {
                    let entry = Entry { class, index: i };
                    let code = table.code(entry)?;
                    if !matches!(code, Code::Win | Code::Loss) || is_marked(entry) {
                        continue;
                    }
                    let Some(position) = index.position(entry) else { continue };
                    if rests(&position, code, moves)? {
                        marks.set(i);
                        new.fetch_add(1, Ordering::Relaxed);
                    } else {
                        open.fetch_min(i, Ordering::Relaxed);
                    }
                }
                Ok::<(), TableError>(())
            },
        )?;
        match (new.into_inner(), open.into_inner()) {
            (_, u64::MAX) => return Ok(()),
            (0, first) => {
                let position = index.position(Entry { class, index: first });
                let position = position.map(|position| table.game().write(&position));
                return Err(Finding::Wrong(format!(
                    "the table says that {} is decided, but play need not end",
                    position.unwrap_or_default()
                )));
            }
            _ => (),
        }
    }
}
