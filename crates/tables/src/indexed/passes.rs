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
    first_look(work, &codes, progress, |look, position| look.by_all(position), |_, _| ())?;
    let decided = AtomicU64::new(1);
    while decided.swap(0, Ordering::Relaxed) != 0 {
        let chunks = codes.words().par_chunks(CHUNK_WORDS).enumerate();
        chunks.try_for_each_init(
            || work.look(&codes),
            |look, (chunk, words)| {
                progress.stop().check()?;
                let mut count = 0;
                for (i, word) in words.iter().enumerate() {
                    let first = (chunk * CHUNK_WORDS + i) as u64 * PER_WORD;
                    for index in undecided(word.load(Ordering::Relaxed), first, codes.entries()) {
                        let Some(position) = work.position(index) else { continue };
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
pub(crate) fn undecided(word: u64, first: u64, entries: u64) -> impl Iterator<Item = u64> {
    let end = (entries - first).min(PER_WORD);
    let open = move |&i: &u64| word >> (2 * i) & 3 == Code::Draw as u64;
    (0..end).filter(open).map(move |i| first + i)
}

/// Looks at every entry of a class for the first time, and stores what that decides. Nobody else
/// writes these words, so they are written as a whole.
pub(crate) fn first_look<G: Indexed>(
    work: ClassWork<'_, G>,
    codes: &Codes,
    progress: &Progress,
    judge: impl Fn(&mut Look<'_, G>, &G::Position) -> Result<Code, TableError> + Sync,
    on_decided: impl Fn(u64, u64) + Sync,
) -> Result<(), TableError> {
    let chunks = codes.words().par_chunks(CHUNK_WORDS).enumerate();
    chunks.try_for_each_init(
        || work.look(codes),
        |look, (chunk, words)| {
            progress.stop().check()?;
            let start = (chunk * CHUNK_WORDS) as u64 * PER_WORD;
            for (word, first) in words.iter().zip((start..).step_by(PER_WORD as usize)) {
                let (mut bits, mut decided) = (0, 0_u64);
                for i in 0..PER_WORD.min(codes.entries() - first) {
                    let code = match work.position(first + i) {
                        Some(position) => judge(look, &position)?,
                        None => Code::Nothing,
                    };
                    bits |= (code as u64) << (2 * i);
                    decided |= u64::from(matches!(code, Code::Loss | Code::Win)) << i;
                }
                word.store(bits, Ordering::Relaxed);
                on_decided(first, decided);
            }
            progress.add(codes.entries().min(start + words.len() as u64 * PER_WORD) - start);
            Ok(())
        },
    )
}
