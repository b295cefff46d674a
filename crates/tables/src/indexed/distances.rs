//! The number of plies to the end of every decided position of a class: the winner ends the game as
//! fast as possible, the loser as late as possible.
//!
//! Distances are found in ascending order. A win is one ply longer than the shortest loss after its
//! moves, a loss one longer than the longest win. Moves out of the class may end in any number of
//! plies, so a position can be known to be longer than the others at hand; it then waits.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use papamu_base::Progress;
use papamu_game::{Indexed, PositionIndex};
use rayon::prelude::*;

use crate::error::TableError;
use crate::indexed::codes::{Code, Marks};
use crate::indexed::known::KnownCodes;
use crate::indexed::look::ClassWork;
use crate::indexed::plies::{MOST_PLIES, Plies, UNKNOWN};
use crate::indexed::unmoves::sweep;

/// The entries that a thread takes at a time.
const CHUNK: usize = 1 << 14;

/// Counts plies with un-moves: each distance tells the predecessors of its positions.
pub(crate) fn by_unmoves<G: Indexed>(
    work: ClassWork<'_, G>,
    codes: &KnownCodes,
    progress: &Progress,
) -> Result<Plies, TableError> {
    let plies = Plies::new(work.entries())?;
    let (mut now, mut later) = (Marks::new(work.entries())?, Marks::new(work.entries())?);
    for_all_decided(work, codes, progress, |count, index, position, code| {
        let known = count.by_moves(position, code, |_| None)?;
        if let Some(known) = known {
            plies.set(index, known);
            now.set(index);
        }
        Ok(())
    })?;
    progress.add(work.entries());
    let mut level = 0;
    loop {
        let next = AtomicUsize::new(usize::MAX);
        let later_marks = &later;
        let plies = &plies;
        let put_off = |index: u64| {
            next.fetch_min(plies.get(index).into(), Ordering::Relaxed);
            later_marks.set(index);
        };
        let init = || (Count::new(work), Vec::new());
        sweep(work, &now, progress, init, |(count, before), index, position| {
            if plies.get(index) > level {
                put_off(index);
                return Ok(false);
            }
            before.clear();
            work.index.predecessors(position, before);
            let is_lost = codes.get(index) == Code::Loss;
            for before in &*before {
                let entry = work.index.entry(before).filter(|entry| entry.class == work.class);
                let Some(entry) = entry else { return Err(work.wrong_index(before)) };
                let was_found = if is_lost {
                    plies.shorten(entry.index, level + 1)
                } else if codes.get(entry.index) == Code::Loss && plies.get(entry.index) == UNKNOWN
                {
                    let up_to = |index| Some(plies.get(index)).filter(|&plies| plies <= level);
                    let known = count.by_moves(before, Code::Loss, up_to)?;
                    known.is_some_and(|known| plies.shorten(entry.index, known))
                } else {
                    false
                };
                if was_found {
                    put_off(entry.index);
                }
            }
            Ok(false)
        })?;
        std::mem::swap(&mut now, &mut later);
        match u16::try_from(next.into_inner()) {
            Ok(next) if u32::from(next) < MOST_PLIES => level = next,
            Ok(_) => return Err(too_long(work)),
            Err(_) => break,
        }
    }
    progress.add(work.entries());
    Ok(plies)
}

/// Counts plies in passes over all decided positions, one for each distance.
pub(crate) fn by_passes<G: Indexed>(
    work: ClassWork<'_, G>,
    codes: &KnownCodes,
    progress: &Progress,
) -> Result<Plies, TableError> {
    let plies = Plies::new(work.entries())?;
    let mut level = 0;
    loop {
        let unknown = AtomicU64::new(0);
        for_all_decided(work, codes, progress, |count, index, position, code| {
            if plies.get(index) != UNKNOWN {
                return Ok(());
            }
            let below = |index| {
                let counts = code == Code::Loss || codes.get(index) == Code::Loss;
                Some(plies.get(index)).filter(|&plies| counts && plies < level)
            };
            match count.by_moves(position, code, below)? {
                // A win may have a faster way that is not known yet.
                Some(known) if code == Code::Loss || known <= level => plies.set(index, known),
                _ => {
                    unknown.fetch_add(1, Ordering::Relaxed);
                }
            }
            Ok(())
        })?;
        if unknown.into_inner() == 0 {
            break;
        }
        level += 1;
        if u32::from(level) == MOST_PLIES {
            return Err(too_long(work));
        }
    }
    progress.add(2 * work.entries());
    Ok(plies)
}

fn too_long<G: Indexed>(work: ClassWork<'_, G>) -> TableError {
    let board = format!("{} {}", G::NAME, work.game.board());
    TableError::TooLong { board, most: MOST_PLIES }
}

/// Does something about every decided entry of a class.
fn for_all_decided<G: Indexed>(
    work: ClassWork<'_, G>,
    codes: &KnownCodes,
    progress: &Progress,
    act: impl Fn(&mut Count<'_, G>, u64, &G::Position, Code) -> Result<(), TableError> + Sync,
) -> Result<(), TableError> {
    let chunks = work.entries().div_ceil(CHUNK as u64);
    (0..chunks).into_par_iter().try_for_each_init(
        || Count::new(work),
        |count, chunk| {
            progress.stop().check()?;
            let start = chunk * CHUNK as u64;
            let mut position = work.reader();
            for index in start..work.entries().min(start + CHUNK as u64) {
                let code = codes.get(index);
                if !matches!(code, Code::Loss | Code::Win) {
                    continue;
                }
                if let Some(position) = position(index) {
                    act(count, index, &position, code)?;
                }
            }
            Ok(())
        },
    )
}

/// Counts by the moves of positions, by one thread.
struct Count<'a, G: Indexed> {
    work: ClassWork<'a, G>,
    moves: Vec<G::Move>,
}

impl<'a, G: Indexed> Count<'a, G> {
    fn new(work: ClassWork<'a, G>) -> Count<'a, G> {
        Count { work, moves: Vec::new() }
    }

    /// The distance of a position of that value, if what is known says so. `inside` knows distances
    /// of entries of the class; of a won position, those of lost entries.
    fn by_moves(
        &mut self,
        position: &G::Position,
        code: Code,
        inside: impl Fn(u64) -> Option<u16>,
    ) -> Result<Option<u16>, TableError> {
        let work = self.work;
        self.moves.clear();
        work.game.moves(position, &mut self.moves);
        if self.moves.is_empty() {
            return Ok(Some(0));
        }
        let mut best: Option<u16> = None;
        for mv in &self.moves {
            let child = work.game.after(position, mv);
            let entry = work.index.entry(&child).ok_or_else(|| work.wrong_index(position))?;
            let plies = if entry.class == work.class {
                inside(entry.index)
            } else {
                let known = work.known.code(entry);
                let counts = code == Code::Loss || known == Some(Code::Loss);
                work.known.plies(entry).filter(|_| counts)
            };
            best = match (code, plies) {
                (Code::Win, None) => best,
                (Code::Win, Some(plies)) => Some(best.map_or(plies, |best| best.min(plies))),
                (_, Some(plies)) => Some(best.map_or(plies, |best| best.max(plies))),
                (_, None) => return Ok(None),
            };
        }
        match best {
            Some(best) if u32::from(best) >= MOST_PLIES => Err(too_long(work)),
            best => Ok(best.map(|best| best + 1)),
        }
    }
}
