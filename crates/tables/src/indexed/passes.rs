//! Looks at all undecided positions of a class again and again, until nothing changes: the way of
//! games without un-moves.
//!
//! A thread sees at once what others decide. That changes the number of passes, not the values:
//! what is decided follows from the rules, in any order.

use std::sync::atomic::{AtomicU64, Ordering};

use papamu_base::Progress;
use papamu_game::Indexed;
use rayon::prelude::*;

use crate::error::TableError;
use crate::indexed::codes::{Code, Codes, PER_WORD};
use crate::indexed::look::{ClassWork, Look};

/// The words that a thread takes at a time: 16,384 entries.
pub(crate) const CHUNK_WORDS: usize = 512;

/// Solves a class.
pub(crate) fn solve<G: Indexed>(
    work: ClassWork<'_, G>,
    progress: &Progress,
) -> Result<Codes, TableError> {
    let codes = Codes::new(work.entries())?;
    let judge = |look: &mut Look<'_, G>, position: &G::Position| Ok((look.by_all(position)?, true));
    first_look(work, &codes, progress, judge, |_, _| ())?;
    let decided = AtomicU64::new(1);
    while decided.swap(0, Ordering::Relaxed) != 0 {
        let chunks = codes.words().par_chunks(CHUNK_WORDS).enumerate();
        chunks.try_for_each_init(
            || work.look(&codes),
            |look, (chunk, words)| {
                progress.stop().check()?;
                let mut count = 0;
                let mut position = work.reader();
                for (i, word) in words.iter().enumerate() {
                    let first = (chunk * CHUNK_WORDS + i) as u64 * PER_WORD;
                    for index in undecided(word.load(Ordering::Relaxed), first, codes.entries()) {
                        let Some(position) = position(index) else { continue };
                        let code = look.by_all(&position)?;
                        if code != Code::Draw {
                            codes.decide(index, code);
                            count += 1;
                        }
                    }
                }
                decided.fetch_add(count, Ordering::Relaxed);
                Ok::<(), TableError>(())
            },
        )?;
    }
    progress.add(work.entries());
    Ok(codes)
}

/// The undecided entries of a word.
fn undecided(word: u64, first: u64, entries: u64) -> impl Iterator<Item = u64> {
    let end = (entries - first).min(PER_WORD);
    let open = move |&i: &u64| word >> (2 * i) & 3 == Code::Draw as u64;
    (0..end).filter(open).map(move |i| first + i)
}

/// Looks at every entry of a class for the first time, and stores what that decides. `judge` says
/// also whether a position is open; `mark` gets the number of the first entry of each word, and
/// bits for those that are won, lost and open. Nobody else writes these words, so they are written
/// as a whole.
pub(crate) fn first_look<G: Indexed>(
    work: ClassWork<'_, G>,
    codes: &Codes,
    progress: &Progress,
    judge: impl Fn(&mut Look<'_, G>, &G::Position) -> Result<(Code, bool), TableError> + Sync,
    mark: impl Fn(u64, [u64; 3]) + Sync,
) -> Result<(), TableError> {
    let chunks = codes.words().par_chunks(CHUNK_WORDS).enumerate();
    chunks.try_for_each_init(
        || work.look(codes),
        |look, (chunk, words)| {
            progress.stop().check()?;
            let start = (chunk * CHUNK_WORDS) as u64 * PER_WORD;
            let mut position = work.reader();
            for (word, first) in words.iter().zip((start..).step_by(PER_WORD as usize)) {
                let (mut bits, mut won, mut lost, mut open) = (0, 0_u64, 0_u64, 0_u64);
                for i in 0..PER_WORD.min(codes.entries() - first) {
                    let (code, is_open) = match position(first + i) {
                        Some(position) => judge(look, &position)?,
                        None => (Code::Nothing, false),
                    };
                    bits |= (code as u64) << (2 * i);
                    won |= u64::from(code == Code::Win) << i;
                    lost |= u64::from(code == Code::Loss) << i;
                    open |= u64::from(is_open) << i;
                }
                word.store(bits, Ordering::Relaxed);
                mark(first, [won, lost, open]);
            }
            progress.add(codes.entries().min(start + words.len() as u64 * PER_WORD) - start);
            Ok(())
        },
    )
}
