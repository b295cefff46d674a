//! The smallest position that has a value: on the fewest squares, with the fewest stones.

use papamu_base::Progress;
use papamu_games::konane::Setup;
use rayon::prelude::*;
use thiserror::Error;

use super::boards::{BadBoard, Boards, Colours};
use super::evaluator::{Evaluator, Regions};
use crate::forms::{Halt, Value};

/// Why no position was looked for, or the search ended.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FindError {
    /// The largest board is none, or has too many positions.
    #[error(transparent)]
    Board(#[from] BadBoard),
    /// The work ended before.
    #[error(transparent)]
    Halt(#[from] Halt),
}

/// The smallest position of that value on the boards that fit into one of so many rows and columns;
/// `None` if there is none. Of several the first in the order of [`Boards`]. The threads of the
/// current pool do it, and the progress counts positions.
pub fn smallest(
    wanted: Value,
    (rows, columns): (usize, usize),
    colours: Colours,
    regions: &Regions,
    progress: &Progress,
) -> Result<Option<Setup>, FindError> {
    // What is too large is refused before it begins.
    Boards::new(rows, columns, colours)?;
    // A board turned is the same board with other names.
    let mut sizes: Vec<(usize, usize)> = (1..=rows)
        .flat_map(|r| (1..=columns).map(move |c| (r, c)))
        .filter(|&(r, c)| r <= c || c > rows || r > columns)
        .collect();
    sizes.sort_by_key(|&(r, c)| (r * c, r));
    // All shapes of an area before the next.
    for same_area in sizes.chunk_by(|a, b| a.0 * a.1 == b.0 * b.1) {
        let mut best: Option<(usize, Setup)> = None;
        for &(rows, columns) in same_area {
            let boards = Boards::new(rows, columns, colours)?;
            let found = smallest_of(&boards, wanted, regions, progress)?;
            best = match (best, found) {
                (Some(best), Some(found)) if found.0 < best.0 => Some(found),
                (Some(best), _) => Some(best),
                (None, found) => found,
            };
        }
        if let Some((_, setup)) = best {
            return Ok(Some(setup));
        }
    }
    Ok(None)
}

/// The position of a board with that value that has the fewest stones, and how many.
fn smallest_of(
    boards: &Boards,
    wanted: Value,
    regions: &Regions,
    progress: &Progress,
) -> Result<Option<(usize, Setup)>, Halt> {
    let look = |evaluator: &mut Evaluator, index: u64| {
        progress.stop().check()?;
        progress.add(1);
        let setup = boards.get(index);
        let value = evaluator.value(&setup)?;
        Ok::<_, Halt>((value == wanted).then_some((setup.stones(), index)))
    };
    let found = (0..boards.count())
        .into_par_iter()
        .map_init(|| Evaluator::new(regions), look)
        .try_reduce(|| None, |a, b| Ok(a.into_iter().chain(b).min()))?;
    Ok(found.map(|(stones, index)| (stones, boards.get(index))))
}
