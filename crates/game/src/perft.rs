//! Perft: how many sequences of moves there are to each depth. The strictest test of a move
//! generator, and the yardstick of its speed.

use rayon::prelude::*;
use thiserror::Error;

use crate::{Game, NotationError};
use papamu_base::{Progress, Stop, Stopped};

/// The largest depth that perft takes. The recursion is that deep, and no interesting game can be
/// counted anywhere near it.
pub const MAX_DEPTH: u32 = 200;

/// With fewer positions than this per thread, the last thread may work alone for long.
const TASKS_PER_THREAD: usize = 128;

/// With more threads the tree is not split further: the positions of one ply must fit into memory.
const MAX_THREADS_WITH_TASKS: usize = 64;

/// The numbers of move sequences of length 1, 2, ... `depth` from a position.
///
/// All counts come from one traversal: each inner node adds its number of moves to the count of its
/// depth, and the last level is counted without being generated. The tree is split a few plies
/// below the root, and the threads share the subtrees.
///
/// ```
/// use papamu_base::Progress;
/// use papamu_game::perft::perft;
/// use papamu_game::tiny::TicTacToe;
/// use papamu_game::Game;
///
/// let (game, start) = TicTacToe::read("start")?;
/// assert_eq!(perft(&game, &start, 4, 1, &Progress::new())?, [9, 72, 504, 3024]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn perft<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    threads: usize,
    progress: &Progress,
) -> Result<Vec<u64>, Stopped> {
    let depth = depth.min(MAX_DEPTH) as usize;
    let mut counts = vec![0; depth];
    let mut frontier = vec![position.clone()];
    let mut level = 0;
    let enough = TASKS_PER_THREAD * threads.clamp(1, MAX_THREADS_WITH_TASKS);
    while level + 1 < depth && frontier.len() < enough {
        frontier = expand(game, &frontier, progress.stop())?;
        counts[level] = frontier.len() as u64;
        level += 1;
        if frontier.is_empty() {
            return Ok(counts);
        }
    }
    if level == depth {
        return Ok(counts);
    }

    progress.add_total(frontier.len() as u64);
    let count_subtree = |root: &G::Position| {
        progress.stop().check()?;
        let mut below = vec![0; depth - level];
        count(game, &mut root.clone(), &mut below, &mut Vec::new(), progress.stop());
        // Incomplete counts are useless.
        progress.stop().check()?;
        progress.add(1);
        Ok(below)
    };
    let add = |mut sum: Vec<u64>, subtree: Vec<u64>| {
        for (total, part) in sum.iter_mut().zip(subtree) {
            *total += part;
        }
        Ok(sum)
    };
    let zero = || vec![0; depth - level];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let below = match pool {
        Ok(pool) if threads > 1 => {
            pool.install(|| frontier.par_iter().map(count_subtree).try_reduce(zero, add))
        }
        // One thread is enough, or the system grants no more.
        _ => frontier.iter().map(count_subtree).try_fold(zero(), |sum, below| add(sum, below?)),
    }?;
    counts[level..].copy_from_slice(&below);
    Ok(counts)
}

/// All positions one ply below, one for each move.
fn expand<G: Game>(
    game: &G,
    positions: &[G::Position],
    stop: &Stop,
) -> Result<Vec<G::Position>, Stopped> {
    let mut children = Vec::new();
    let mut moves = Vec::new();
    for position in positions {
        stop.check()?;
        game.moves(position, &mut moves);
        for mv in moves.drain(..) {
            let child = game.after(position, &mv);
            children.push(child);
        }
    }
    Ok(children)
}

/// Adds the moves below `position` to `counts`, one count per ply. `moves` is a stack shared by all
/// plies. A count cannot overflow: each step adds the moves of one position, and nobody waits for
/// 2^50 steps. A stop ends it early. That is no error here, because returning a `Result` made the
/// count 3 % slower.
fn count<G: Game>(
    game: &G,
    position: &mut G::Position,
    counts: &mut [u64],
    moves: &mut Vec<G::Move>,
    stop: &Stop,
) {
    let (here, below) = match counts {
        [] => return,
        [here] => {
            *here += game.count_moves(position) as u64;
            return;
        }
        [here, last] => return count_two_plies(game, position, [here, last], moves),
        [here, below @ ..] => (here, below),
    };
    if stop.is_set() {
        return;
    }
    let first = moves.len();
    game.moves(position, moves);
    *here += (moves.len() - first) as u64;
    for i in first..moves.len() {
        let mv = moves[i].clone();
        let undo = game.play(position, &mv);
        count(game, position, below, moves, stop);
        game.undo(position, &mv, undo);
    }
    moves.truncate(first);
}

/// The innermost loop, where nearly all the time goes: no recursion and no check of the stop.
#[inline(never)]
fn count_two_plies<G: Game>(
    game: &G,
    position: &mut G::Position,
    [here, last]: [&mut u64; 2],
    moves: &mut Vec<G::Move>,
) {
    let first = moves.len();
    game.moves(position, moves);
    *here += (moves.len() - first) as u64;
    let mut leaves = 0;
    for mv in moves.drain(first..) {
        let undo = game.play(position, &mv);
        leaves += game.count_moves(position) as u64;
        game.undo(position, &mv, undo);
    }
    *last += leaves;
}

/// Published or cross-checked counts of one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The line of the file where it begins, starting with 1.
    pub line: usize,
    /// The position as text.
    pub position: String,
    /// Depths with their counts, in the order of the file.
    pub counts: Vec<(u32, u64)>,
}

/// What is wrong with a perft file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FileError {
    /// A line is neither a comment nor one of the two statements.
    #[error("line {line}: `{text}` is neither `position TEXT` nor `perft DEPTH COUNT`")]
    Statement {
        /// Line number, starting with 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// A count stands before any position.
    #[error("line {line}: a count needs a position above it")]
    NoPosition {
        /// Line number, starting with 1.
        line: usize,
    },
    /// A depth that perft does not take.
    #[error("line {line}: depth {depth} is out of range, it is 1 to {MAX_DEPTH}")]
    Depth {
        /// Line number, starting with 1.
        line: usize,
        /// The depth.
        depth: u64,
    },
}

/// Reads a perft file: `position TEXT` begins a record, `perft DEPTH COUNT` states a count, `#`
/// begins a comment line.
pub fn read_file(text: &str) -> Result<Vec<Record>, FileError> {
    let mut records: Vec<Record> = Vec::new();
    for (line, text) in text.lines().enumerate().map(|(i, text)| (i + 1, text.trim())) {
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let bad = || FileError::Statement { line, text: text.to_owned() };
        match text.split_once(char::is_whitespace).ok_or_else(bad)? {
            ("position", position) => records.push(Record {
                line,
                position: position.trim().to_owned(),
                counts: Vec::new(),
            }),
            ("perft", numbers) => {
                let (depth, count) =
                    numbers.trim().split_once(char::is_whitespace).ok_or_else(bad)?;
                let [depth, count] = [depth, count.trim()].map(|number| {
                    let plain = number.bytes().all(|byte| byte.is_ascii_digit());
                    plain.then(|| number.parse::<u64>().ok()).flatten()
                });
                let (depth, count) = (depth.ok_or_else(bad)?, count.ok_or_else(bad)?);
                if !(1..=u64::from(MAX_DEPTH)).contains(&depth) {
                    return Err(FileError::Depth { line, depth });
                }
                let depth = depth as u32;
                let record = records.last_mut().ok_or(FileError::NoPosition { line })?;
                record.counts.push((depth, count));
            }
            _ => return Err(bad()),
        }
    }
    Ok(records)
}

/// A count that disagrees with the file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{position}` depth {depth}: expected {expected}, counted {counted}")]
pub struct Mismatch {
    /// The position as text.
    pub position: String,
    /// The depth.
    pub depth: u32,
    /// What the file says.
    pub expected: u64,
    /// What perft counts.
    pub counted: u64,
}

impl Record {
    /// Reads the position.
    pub fn read<G: Game>(&self) -> Result<(G, G::Position), NotationError> {
        G::read(&self.position)
    }

    /// Counts again, to depth `max_depth` at most, and returns how many counts were compared and
    /// which of them disagree.
    pub fn check<G: Game>(
        &self,
        game: &G,
        position: &G::Position,
        max_depth: u32,
        threads: usize,
        progress: &Progress,
    ) -> Result<(usize, Vec<Mismatch>), Stopped> {
        let wanted = self.counts.iter().filter(|(depth, _)| *depth <= max_depth);
        let deepest = wanted.clone().map(|(depth, _)| *depth).max().unwrap_or(0);
        let counts = perft(game, position, deepest, threads, progress)?;
        let mismatches = wanted
            .clone()
            .map(|&(depth, expected)| Mismatch {
                position: self.position.clone(),
                depth,
                expected,
                counted: counts[depth as usize - 1],
            })
            .filter(|mismatch| mismatch.expected != mismatch.counted)
            .collect();
        Ok((wanted.count(), mismatches))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiny::{Dodgem, TicTacToe};

    /// Sequences of moves in tic-tac-toe, which ends at three in a row: 9!/(9-n)! minus the
    /// continuations of finished games.
    const TIC_TAC_TOE: [u64; 9] = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872];

    #[test]
    fn counts_do_not_depend_on_threads_or_depth() {
        let (game, start) = TicTacToe::read("start").expect("start position");
        for depth in 0..=9 {
            for threads in [1, 2, 3] {
                let counts = perft(&game, &start, depth, threads, &Progress::new());
                let counts = counts.expect("not stopped");
                assert_eq!(counts, TIC_TAC_TOE[..depth as usize]);
            }
        }
    }

    #[test]
    fn counts_after_the_end_are_zero() {
        let (game, start) = TicTacToe::read("start").expect("start position");
        let counts = perft(&game, &start, 12, 1, &Progress::new()).expect("not stopped");
        assert_eq!(counts[..9], TIC_TAC_TOE);
        assert_eq!(counts[9..], [0, 0, 0]);
    }

    #[test]
    fn stopped_counts_end() {
        let (game, start) = Dodgem::read("7x7").expect("start position");
        for threads in [1, 2] {
            let stop = Stop::new();
            let progress = Progress::with_stop(&stop);
            // No machine counts to this depth.
            let run = || perft(&game, &start, MAX_DEPTH, threads, &progress);
            std::thread::scope(|scope| {
                let counts = scope.spawn(run);
                while progress.total().is_none() {
                    std::thread::yield_now();
                }
                stop.set();
                assert_eq!(counts.join().expect("no panic"), Err(Stopped), "{threads} threads");
            });
        }
    }

    /// This holds even if there is little to count, and for files as well.
    #[test]
    fn counts_that_are_stopped_beforehand_do_not_begin() {
        let (game, start) = TicTacToe::read("start").expect("start position");
        let stop = Stop::new();
        stop.set();
        let progress = Progress::with_stop(&stop);
        for depth in [1, 2, 3, 5, 9] {
            for threads in [1, 2] {
                assert_eq!(perft(&game, &start, depth, threads, &progress), Err(Stopped));
            }
        }
        let file = read_file("position start\nperft 2 72\n").expect("well-formed");
        assert_eq!(file[0].check(&game, &start, MAX_DEPTH, 1, &progress), Err(Stopped));
        assert_eq!(progress.done(), 0);
    }

    #[test]
    fn file_errors_name_the_line() {
        let no_position = read_file("# counts\nperft 1 9\n");
        assert_eq!(no_position, Err(FileError::NoPosition { line: 2 }));
        let bad_depth = read_file("position start\nperft 0 1");
        assert_eq!(bad_depth, Err(FileError::Depth { line: 2, depth: 0 }));
        for bad in
            ["perft", "perft 1", "perft x 1", "perft 1 -1", "perft +1 1", "perft 1 1,", "foo 1 2"]
        {
            let text = format!("position start\n\n{bad}");
            assert!(matches!(read_file(&text), Err(FileError::Statement { line: 3, .. })), "{bad}");
        }
    }

    #[test]
    fn a_wrong_count_is_found() {
        let file = read_file("position start\nperft 1 9\nperft 2 71\n").expect("well-formed");
        let (game, start) = file[0].read::<TicTacToe>().expect("start position");
        let checked = file[0].check(&game, &start, MAX_DEPTH, 1, &Progress::new());
        let (compared, mismatches) = checked.expect("not stopped");
        assert_eq!(compared, 2);
        let [wrong] = &mismatches[..] else {
            panic!("one mismatch, not {mismatches:?}");
        };
        assert_eq!((wrong.depth, wrong.expected, wrong.counted), (2, 71, 72));
    }
}
