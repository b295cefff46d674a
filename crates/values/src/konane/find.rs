//! Finds the smallest position with a given value: on the fewest squares, with the fewest stones.

use papamu_base::Progress;
use papamu_games::konane::Setup;
use rayon::prelude::*;
use thiserror::Error;

use super::boards::{BadBoard, Boards, Colours};
use super::evaluator::{Evaluator, Regions};
use crate::forms::{Halt, Value};

/// Why the search ended without an answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FindError {
    /// The largest board does not exist, or has too many positions.
    #[error(transparent)]
    Board(#[from] BadBoard),
    /// The work was cut short.
    #[error(transparent)]
    Halt(#[from] Halt),
}

/// The smallest position with that value on boards of at most this many rows and columns; `None` if
/// there is none. Ties are broken by the order of [`Boards`]. The threads of the current pool do
/// the work, and the progress counts positions.
pub fn smallest(
    wanted: Value,
    (rows, columns): (usize, usize),
    colours: Colours,
    regions: &Regions,
    progress: &Progress,
) -> Result<Option<Setup>, FindError> {
    // A size that is too large is refused at the start.
    Boards::new(rows, columns, colours)?;
    // A rotated board is the same board with other names of squares.
    let mut sizes: Vec<(usize, usize)> = (1..=rows)
        .flat_map(|r| (1..=columns).map(move |c| (r, c)))
        .filter(|&(r, c)| r <= c || c > rows || r > columns)
        .collect();
    sizes.sort_by_key(|&(r, c)| (r * c, r));
    // All shapes with the same area come before the next area.
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

/// The position of a board with that value and the fewest stones, and its number of stones.
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
