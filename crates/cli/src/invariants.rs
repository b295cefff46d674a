//! `papamu invariants`: tables of numbers that describe positions.

use std::path::{Path, PathBuf};

use clap::Args;
use papamu_game::Progress;
use papamu_values::konane::invariants::{NAMES, invariants};
use papamu_values::konane::{Evaluator, Grid, Regions};
use rayon::prelude::*;

use crate::boards::{Boards, Colours, size};
use crate::failure::Failure;
use crate::family::{Members, Name, members};
use crate::output::Output;
use crate::progress::watch;
use crate::signals::exit_on_signals;
use crate::theory::TheoryOptions;

/// Invariants of Konane positions as a table, from which `papamu conjecture` makes conjectures
///
/// Positions come from a family, a file with one per line, or are all of a board up to symmetry and exchange of
/// colours. The table is CSV with a line for each position; an invariant that is not defined is left empty. With --json
/// each position is a JSON object on a line of its own.
#[derive(Args)]
#[command(after_help = "Examples:
  papamu invariants --family stairs --n 1..8 --output stairs.csv
  papamu invariants --file positions.txt --json
  papamu invariants --all 3x3 --threads 2 --output 3x3.csv
  papamu conjecture --from 3x3.csv --target moves --lower")]
pub(crate) struct Invariants {
    /// Members of a family; `papamu family --help` lists the families
    #[arg(long, value_name = "NAME", group = "source", required = true)]
    family: Option<Name>,

    /// Which members, such as 1..20 or 7
    #[arg(long, value_name = "RANGE", default_value = "1..12", requires = "family")]
    n: Members,

    /// Positions of a file, one per line; empty lines and those that begin with # and a space are skipped
    #[arg(long, value_name = "FILE", group = "source")]
    file: Option<PathBuf>,

    /// All positions of a board, such as 3x3
    #[arg(long, value_name = "SIZE", group = "source")]
    all: Option<String>,

    /// Colours of --all
    #[arg(long, value_enum, default_value_t = Colours::Game, requires = "all")]
    colours: Colours,

    /// Threads
    #[arg(long, short, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=255))]
    threads: u16,

    #[command(flatten)]
    theory: TheoryOptions,
}

impl Invariants {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        exit_on_signals("interrupted");
        let regions = Regions::new(self.theory.forms()?);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(self.threads))
            .stack_size(1 << 28)
            .build()
            .map_err(|_| Failure::NeedsMemory("the system grants no threads".to_owned()))?;
        let grids = pool.install(|| self.positions())?;
        let progress = Progress::new();
        progress.add_total(grids.len() as u64);
        let rows = watch(output, "positions", &progress, || {
            pool.install(|| {
                grids
                    .par_iter()
                    .map_init(
                        || Evaluator::new(&regions),
                        |evaluator, grid| {
                            let row = invariants(grid, evaluator);
                            progress.add(1);
                            row
                        },
                    )
                    .collect::<Result<Vec<_>, _>>()
            })
        })?;
        output.line(format!("position,{}", NAMES.join(",")))?;
        for (grid, row) in grids.iter().zip(rows) {
            let value =
                |value: &f64| if value.is_nan() { String::new() } else { value.to_string() };
            let values: Vec<String> = row.iter().map(value).collect();
            output.line(format!("{grid},{}", values.join(",")))?;
            let mut object = serde_json::Map::new();
            object.insert("position".to_owned(), grid.to_string().into());
            for (name, value) in NAMES.iter().zip(row) {
                // What is not a number is null.
                object.insert((*name).to_owned(), value.into());
            }
            output.json(&object)?;
        }
        Ok(())
    }

    fn positions(&self) -> Result<Vec<Grid>, Failure> {
        if let Some(family) = self.family {
            return members(family, &self.n);
        }
        if let Some(file) = &self.file {
            return read(file);
        }
        all(self.all.as_deref().unwrap_or_default(), self.colours)
    }
}

fn read(file: &Path) -> Result<Vec<Grid>, Failure> {
    let text = std::fs::read_to_string(file);
    let text = text.map_err(|error| Failure::file("read", file, error))?;
    let lines = text.lines().zip(1..).map(|(line, number)| (line.trim(), number));
    // A wall is no comment.
    let is_comment = |line: &str| line == "#" || line.starts_with("# ");
    let lines = lines.filter(|(line, _)| !line.is_empty() && !is_comment(line));
    lines
        .map(|(line, number)| {
            Grid::read(line).map_err(|error| {
                Failure::Arguments(format!("`{}`, line {number}: {error}", file.display()))
            })
        })
        .collect()
}

/// All positions of a board, one of each set of images.
fn all(text: &str, colours: Colours) -> Result<Vec<Grid>, Failure> {
    let (rows, columns) = size(text)?;
    let boards = Boards::new(rows, columns, colours)?;
    let positions = (0..boards.count()).into_par_iter().map(|index| boards.get(index));
    let must_alternate = colours == Colours::Game;
    Ok(positions.filter(|grid| grid.is_least_image(must_alternate)).collect())
}
