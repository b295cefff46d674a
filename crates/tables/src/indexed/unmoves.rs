//! Retrograde analysis with un-moves: from every decided position to those before it.
//!
//! A first look decides what follows from moves out of the class alone. From then on news spread.
//!
//! A lost position makes all its predecessors wins. A won one may have been the last hope of a
//! predecessor, which is marked, and asked once for all that happened meanwhile: are all
//! its moves won? If the first look decides much, as where captures are forced, it is less work to
//! ask all positions that it leaves open than to go back from all its wins; and as long as many are
//! lost, or many of the open ones decided, to ask the open ones again than to go back from those.
//! Counters of moves would make that a subtraction, but take four times the memory of everything
//! else, and would have to count moves that symmetries make one.

use std::sync::atomic::{AtomicU64, Ordering};

use papamu_base::Progress;
use papamu_game::{Indexed, PositionIndex};
use rayon::prelude::*;

use crate::error::TableError;
use crate::indexed::codes::{Code, Codes, Marks};
use crate::indexed::look::ClassWork;
use crate::indexed::passes::first_look;

/// The words of marks that a thread takes at a time: 16,384 entries.
pub(crate) const CHUNK_WORDS: usize = 256;

/// To go back from an entry takes about as long as to ask so many.
const ASKS_PER_SPREAD: u64 = 3;

/// Solves a class.
pub(crate) fn solve<G: Indexed>(
    work: ClassWork<'_, G>,
    progress: &Progress,
) -> Result<Codes, TableError> {
    let codes = Codes::new(work.entries())?;
    // Decided entries whose predecessors have not heard of it, and entries to be asked.
    let (fresh, asked) = (Marks::new(work.entries())?, Marks::new(work.entries())?);
    let counts = [const { AtomicU64::new(0) }; 3];
    let mark = |first: u64, bits: [u64; 3]| {
        for (count, bits) in counts.iter().zip(bits) {
            count.fetch_add(bits.count_ones().into(), Ordering::Relaxed);
        }
        let [_, lost, open] = bits;
        fresh.set_from(first, lost);
        asked.set_from(first, open);
    };
    first_look(work, &codes, progress, |look, position| look.by_exits(position), mark)?;
    let [won, lost, mut open] = counts.map(AtomicU64::into_inner);
    if won + lost <= work.entries() / 4 {
        asked.clear();
        codes.mark_wins(&fresh);
    } else if lost > open / ASKS_PER_SPREAD {
        loop {
            fresh.clear();
            let decided = ask_open(work, &codes, (&fresh, &asked), progress)?;
            open -= decided;
            if decided <= open / ASKS_PER_SPREAD {
                break;
            }
        }
        asked.clear();
    }
    let mut reported = 0;
    loop {
        let [spread, _] = sweep(work, &fresh, progress, Vec::new, |before, index, position| {
            spread(work, before, &codes, (&fresh, &asked), index, position)?;
            Ok(false)
        })?;
        let looks = || work.look(&codes);
        let [asks, _] = sweep(work, &asked, progress, looks, |look, index, position| {
            if codes.get(index) == Code::Draw && look.all_won(position)? {
                codes.decide(index, Code::Loss);
                fresh.set(index);
            }
            Ok(false)
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

/// Asks all open entries what follows from what is decided. Only what this decides is fresh then:
/// whatever follows from the rest was found here. What stays open is still to be asked. The number
/// of entries that were decided.
fn ask_open<G: Indexed>(
    work: ClassWork<'_, G>,
    codes: &Codes,
    (fresh, asked): (&Marks, &Marks),
    progress: &Progress,
) -> Result<u64, TableError> {
    let looks = || work.look(codes);
    let [asks, kept] = sweep(work, asked, progress, looks, |look, index, position| {
        let code = look.by_inner(position)?;
        if code != Code::Draw {
            codes.decide(index, code);
            fresh.set(index);
        }
        Ok(code == Code::Draw)
    })?;
    Ok(asks - kept)
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

/// Takes all marks, in the order of the entries, and does something about each, which says whether
/// to put the mark back. Marks that are set behind it wait for the next sweep. The numbers of marks
/// taken and put back.
pub(crate) fn sweep<G: Indexed, T>(
    work: ClassWork<'_, G>,
    marks: &Marks,
    progress: &Progress,
    init: impl Fn() -> T + Sync + Send,
    act: impl Fn(&mut T, u64, &G::Position) -> Result<bool, TableError> + Sync + Send,
) -> Result<[u64; 2], TableError> {
    let [taken, put_back] = [const { AtomicU64::new(0) }; 2];
    let chunks = marks.words().par_chunks(CHUNK_WORDS).enumerate();
    chunks.try_for_each_init(init, |with, (chunk, words)| {
        progress.stop().check()?;
        let (mut count, mut kept_count) = (0, 0);
        let mut position = work.reader();
        for (i, word) in words.iter().enumerate() {
            let mut kept = 0;
            // Marks that are set while these are worked on are taken, too.
            while word.load(Ordering::Relaxed) != 0 {
                let mut bits = word.swap(0, Ordering::Acquire);
                count += u64::from(bits.count_ones());
                while bits != 0 {
                    let bit = u64::from(bits.trailing_zeros());
                    let index = (chunk * CHUNK_WORDS + i) as u64 * 64 + bit;
                    bits &= bits - 1;
                    if let Some(position) = position(index) {
                        kept |= u64::from(act(with, index, &position)?) << bit;
                    }
                }
            }
            if kept != 0 {
                word.fetch_or(kept, Ordering::Release);
                kept_count += u64::from(kept.count_ones());
            }
        }
        taken.fetch_add(count, Ordering::Relaxed);
        put_back.fetch_add(kept_count, Ordering::Relaxed);
        Ok::<(), TableError>(())
    })?;
    Ok([taken, put_back].map(AtomicU64::into_inner))
}
