//! `papamu find`: the smallest position that has a value.

use clap::Args;
use papamu_base::Progress;
use papamu_values::konane::{Evaluator, Grid, Regions, Square};
use papamu_values::{ReadError, Value};
use rayon::prelude::*;
use serde::Serialize;

use crate::boards::{Boards, Colours, size};
use crate::failure::Failure;
use crate::output::Output;
use crate::progress::watch;
use crate::signals::exit_on_signals;
use crate::theory::{Style, TheoryOptions, deep};

/// Find the smallest Konane position of a value: on the fewest squares, with the fewest stones
#[derive(Args)]
#[command(after_help = "Examples:
  papamu find --value \"*2\" --within 4x4
  papamu find --value \"1/4\" --within 4x4 --colours any
  papamu find --value \"^\" --within 3x4 --json")]
pub(crate) struct Find {
    /// The value, as an expression of `papamu calc`
    #[arg(long, allow_hyphen_values = true)]
    value: String,

    /// The largest board; all boards that fit into it are searched
    #[arg(long, value_name = "SIZE")]
    within: String,

    /// Colours of the stones
    #[arg(long, value_enum, default_value_t = Colours::Game)]
    colours: Colours,

    /// Threads
    #[arg(long, short, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=255))]
    threads: u16,

    #[command(flatten)]
    style: Style,

    #[command(flatten)]
    theory: TheoryOptions,
}

#[derive(Serialize)]
struct Answer {
    value: String,
    /// None if no board within the largest has the value.
    position: Option<String>,
    size: Option<String>,
    stones: Option<usize>,
    /// Positions that were looked at.
    positions: u64,
}

impl Find {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        exit_on_signals("interrupted");
        let (rows, columns) = size(&self.within)?;
        // Refuses what is too large before it begins.
        Boards::new(rows, columns, self.colours)?;
        let regions = Regions::new(self.theory.forms()?)?;
        let forms = regions.forms();
        let wanted = deep(|| {
            forms.read(&self.value).map_err(|error| match error {
                ReadError::Halt(halt) => Failure::from(halt),
                error => Failure::Arguments(format!("`{}`, {error}", self.value)),
            })
        })?;
        // A board turned is the same board with other names.
        let mut sizes: Vec<(usize, usize)> = (1..=rows)
            .flat_map(|r| (1..=columns).map(move |c| (r, c)))
            .filter(|&(r, c)| r <= c || c > rows || r > columns)
            .collect();
        sizes.sort_by_key(|&(r, c)| (r * c, r));
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(self.threads))
            .stack_size(1 << 28)
            .build()
            .map_err(|_| Failure::NeedsMemory("the system grants no threads".to_owned()))?;
        let progress = Progress::new();
        let found = watch(output, "positions", &progress, || {
            pool.install(|| {
                // All shapes of an area before the next.
                for same_area in sizes.chunk_by(|a, b| a.0 * a.1 == b.0 * b.1) {
                    let mut best: Option<(usize, Grid)> = None;
                    for &(rows, columns) in same_area {
                        let boards = Boards::new(rows, columns, self.colours)?;
                        let found = smallest(&boards, wanted, &regions, &progress)?;
                        best = match (best, found) {
                            (Some(best), Some(found)) if found.0 < best.0 => Some(found),
                            (Some(best), _) => Some(best),
                            (None, found) => found,
                        };
                    }
                    if best.is_some() {
                        return Ok::<_, Failure>(best.map(|best| best.1));
                    }
                }
                Ok(None)
            })
        })?;
        let stones = |grid: &Grid| grid.count(Square::Black) + grid.count(Square::White);
        let answer = Answer {
            value: self.style.write(forms, wanted)?,
            position: found.as_ref().map(ToString::to_string),
            size: found.as_ref().map(|grid| format!("{}x{}", grid.rows(), grid.columns())),
            stones: found.as_ref().map(stones),
            positions: progress.done(),
        };
        output.json(&answer)?;
        match (&answer.position, &answer.size, answer.stones) {
            (Some(position), Some(size), Some(stones)) => {
                output.line(format!("{position} = {}: {size}, {stones} stones", answer.value))
            }
            _ => output
                .line(format!("no position within {} has the value {}", self.within, answer.value)),
        }
    }
}

/// The position of a board with that value that has the fewest stones, and how many; of several the first.
fn smallest(
    boards: &Boards,
    wanted: Value,
    regions: &Regions,
    progress: &Progress,
) -> Result<Option<(usize, Grid)>, Failure> {
    let found = (0..boards.count())
        .into_par_iter()
        .map_init(
            || Evaluator::new(regions),
            |evaluator, index| {
                progress.add(1);
                let grid = boards.get(index);
                let value = grid.value(evaluator)?;
                let stones = grid.count(Square::Black) + grid.count(Square::White);
                Ok::<_, Failure>((value == wanted).then_some((stones, index)))
            },
        )
        .try_reduce(|| None, |a, b| Ok(a.into_iter().chain(b).min()))?;
    Ok(found.map(|(stones, index)| (stones, boards.get(index))))
}
