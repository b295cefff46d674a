//! Retrograde analysis with un-moves: from every decided position to those before it.
//!
//! A first look decides what follows from moves out of the class alone. If that is most of it, as
//! where captures are forced, the undecided positions are then asked once, which is less work than
//! to go back from all decided ones. From then on news spread.
//!
//! A lost position makes all its predecessors wins. A won one may have been the last hope of a
//! predecessor, which is marked, and asked once for all that happened meanwhile: are all
//! its moves won? Counters of moves would make that a subtraction, but take four times the memory
//! of everything else, and would have to count moves that symmetries make one.

use std::sync::atomic::{AtomicU64, Ordering};

use papamu_base::Progress;
use papamu_game::{Indexed, PositionIndex};
use rayon::prelude::*;

use crate::error::TableError;
use crate::indexed::codes::{Code, Codes, Marks, PER_WORD};
use crate::indexed::look::ClassWork;
use crate::indexed::passes::{first_look, undecided};

/// The words of marks that a thread takes at a time: 16,384 entries.
pub(crate) const CHUNK_WORDS: usize = 256;

/// Solves a class.
pub(crate) fn solve<G: Indexed>(
    work: ClassWork<'_, G>,
    progress: &Progress,
) -> Result<Codes, TableError> {
    let codes = Codes::new(work.entries())?;
    // Decided entries whose predecessors have not heard of it, and entries to be asked.
    let (fresh, asked) = (Marks::new(work.entries())?, Marks::new(work.entries())?);
    let mark = |first: u64, decided: u64| {
        // Two words of codes share one of marks.
        let bits = decided << (first % 64);
        fresh.words()[(first / 64) as usize].fetch_or(bits, Ordering::Relaxed);
    };
    first_look(work, &codes, progress, |look, position| look.by_exits(position), mark)?;
    if fresh.count() > work.entries() / 4 {
        ask_undecided(work, &codes, &fresh, progress)?;
    }
    let mut reported = 0;
    loop {
        let spread = sweep(work, &fresh, progress, Vec::new, |before, index, position| {
            spread(work, before, &codes, (&fresh, &asked), index, position)
        })?;
        let looks = || work.look(&codes);
        let asks = sweep(work, &asked, progress, looks, |look, index, position| {
            if codes.get(index) == Code::Draw && look.all_won(position)? {
                codes.decide(index, Code::Loss);
                fresh.set(index);
            }
            Ok(())
        })?;
        progress.add(spread);
        reported += spread;
        if spread + asks == 0 {
            break;
        }
    }
    progress.add(work.entries() - reported);
    Ok(codes)
}

/// Asks all undecided entries what follows from what is decided. Only what this decides is fresh
/// then: whatever follows from the rest was found here.
fn ask_undecided<G: Indexed>(
    work: ClassWork<'_, G>,
    codes: &Codes,
    fresh: &Marks,
    progress: &Progress,
) -> Result<(), TableError> {
    fresh.words().par_iter().for_each(|word| word.store(0, Ordering::Relaxed));
    let chunks = codes.words().par_chunks(2 * CHUNK_WORDS).enumerate();
    chunks.try_for_each_init(
        || work.look(codes),
        |look, (chunk, words)| {
            progress.stop().check()?;
            let start = (chunk * 2 * CHUNK_WORDS) as u64 * PER_WORD;
            for (word, first) in words.iter().zip((start..).step_by(PER_WORD as usize)) {
                for index in undecided(word.load(Ordering::Relaxed), first, codes.entries()) {
                    let Some(position) = work.position(index) else { continue };
                    let code = look.by_all(&position)?;
                    if code != Code::Draw && codes.decide(index, code) {
                        fresh.set(index);
                    }
                }
            }
            Ok(())
        },
    )
}

/// Tells the predecessors of a decided entry. Those of a won one are asked in the next sweep, when
/// all wins of this one can be seen.
#[inline]
fn spread<G: Indexed>(
    work: ClassWork<'_, G>,
    before: &mut Vec<G::Position>,
    codes: &Codes,
    (fresh, asked): (&Marks, &Marks),
    index: u64,
    position: &G::Position,
) -> Result<(), TableError> {
    before.clear();
    work.index.predecessors(position, before);
    let is_lost = codes.get(index) == Code::Loss;
    for before in &*before {
        let entry = work.index.entry(before).filter(|entry| entry.class == work.class);
        let Some(entry) = entry else { return Err(work.wrong_index(before)) };
        if is_lost {
            if codes.decide(entry.index, Code::Win) {
                fresh.set(entry.index);
            }
        } else if codes.get(entry.index) == Code::Draw {
            asked.set(entry.index);
        }
    }
    Ok(())
}

/// Takes all marks, in the order of the entries, and does something about each. Marks that are set
/// behind it wait for the next sweep. The number of marks taken.
pub(crate) fn sweep<G: Indexed, T>(
    work: ClassWork<'_, G>,
    marks: &Marks,
    progress: &Progress,
    init: impl Fn() -> T + Sync + Send,
    act: impl Fn(&mut T, u64, &G::Position) -> Result<(), TableError> + Sync + Send,
) -> Result<u64, TableError> {
    let taken = AtomicU64::new(0);
    let chunks = marks.words().par_chunks(CHUNK_WORDS).enumerate();
    chunks.try_for_each_init(init, |with, (chunk, words)| {
        progress.stop().check()?;
        let mut count = 0;
        for (i, word) in words.iter().enumerate() {
            // Marks that are set while these are worked on are taken, too.
            while word.load(Ordering::Relaxed) != 0 {
                let mut bits = word.swap(0, Ordering::Acquire);
                count += u64::from(bits.count_ones());
                while bits != 0 {
                    let bit = u64::from(bits.trailing_zeros());
                    let index = (chunk * CHUNK_WORDS + i) as u64 * 64 + bit;
                    bits &= bits - 1;
                    if let Some(position) = work.position(index) {
                        act(with, index, &position)?;
                    }
                }
            }
        }
        taken.fetch_add(count, Ordering::Relaxed);
        Ok::<(), TableError>(())
    })?;
    Ok(taken.into_inner())
}
