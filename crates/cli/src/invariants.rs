//! `papamu invariants`: tables of numbers that describe positions.

use std::path::{Path, PathBuf};

use clap::Args;
use papamu_base::Progress;
use papamu_values::Halt;
use papamu_values::konane::invariants::{NAMES, PROPERTIES, invariants, properties};
use papamu_values::konane::{Evaluator, Grid, Regions};
use rayon::prelude::*;

use crate::boards::{Boards, Colours, size};
use crate::failure::Failure;
use crate::family::{Members, Name, members};
use crate::output::Output;
use crate::progress::watch;
use crate::signals::exit_on_signals;
use crate::table_file::{Format, parquet};
use crate::theory::TheoryOptions;

/// Invariants of Konane positions as a table, from which `papamu conjecture` makes conjectures
///
/// Positions come from a family, a file with one per line, or are all of a board up to symmetry and exchange of
/// colours. The table has a line for each position; an invariant that is not defined is left empty. It is CSV, Parquet or
/// JSON lines, as --format or the name of --output says; --json is JSON lines too.
#[derive(Args)]
#[command(after_help = "Examples:
  papamu invariants --family stairs --n 1..8 --output stairs.csv
  papamu invariants --file positions.txt --json
  papamu invariants --all 3x3 --threads 2 --output 3x3.csv
  papamu conjecture --from 3x3.csv --target nim --upper
  papamu invariants --all 3x4 --properties --output 3x4.parquet
  papamu conjecture --from 3x4.parquet --property second_wins --sufficient")]
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

    /// Add properties, which are 0 or 1: is_number, is_hot, second_wins, has_dead and others
    #[arg(long)]
    properties: bool,

    /// How the table is written; as the name of the output ends unless given, or CSV
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// Threads
    #[arg(long, short, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=255))]
    threads: u16,

    #[command(flatten)]
    theory: TheoryOptions,
}

impl Invariants {
    pub(crate) fn run(&self, path: Option<&Path>, output: &mut Output) -> Result<(), Failure> {
        exit_on_signals("interrupted");
        let format = self.format(path, output)?;
        let regions = Regions::new(self.theory.forms()?)?;
        let pool = threads(self.threads)?;
        let grids = pool.install(|| self.positions())?;
        let (names, row): (Vec<&str>, RowOf) = if self.properties {
            (names().collect(), numbers_and_properties)
        } else {
            (NAMES.to_vec(), numbers)
        };
        let rows = rows(&grids, row, &regions, &pool, output)?;
        let objects: Vec<String> = grids.iter().map(Grid::to_string).collect();
        match format {
            Format::Csv => {
                output.line(format!("position,{}", names.join(",")))?;
                for (object, row) in objects.iter().zip(&rows) {
                    let value = |value: &f64| {
                        if value.is_nan() { String::new() } else { value.to_string() }
                    };
                    let values: Vec<String> = row.iter().map(value).collect();
                    output.line(format!("{object},{}", values.join(",")))?;
                }
                Ok(())
            }
            Format::Jsonl => {
                for (object, row) in objects.iter().zip(&rows) {
                    let mut line = serde_json::Map::new();
                    line.insert("position".to_owned(), object.as_str().into());
                    for (name, value) in names.iter().zip(row) {
                        // What is not a number is null.
                        line.insert((*name).to_owned(), (*value).into());
                    }
                    output.raw(format!("{}\n", serde_json::Value::Object(line)).as_bytes())?;
                }
                Ok(())
            }
            Format::Parquet => output.raw(&parquet("position", &objects, &names, &rows)?),
        }
    }

    fn format(&self, path: Option<&Path>, output: &Output) -> Result<Format, Failure> {
        match self.format {
            Some(format) if output.is_json() && format != Format::Jsonl => {
                Err(Failure::Arguments("--json is --format jsonl; give one of them".to_owned()))
            }
            Some(format) => Ok(format),
            None if output.is_json() => Ok(Format::Jsonl),
            None => Ok(path.and_then(Format::of).unwrap_or(Format::Csv)),
        }
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

/// The names of all that is known about positions: invariants, then properties.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().chain(PROPERTIES)
}

/// What a line of a table says of a position.
pub(crate) type RowOf = fn(&Grid, &mut Evaluator) -> Result<Vec<f64>, Halt>;

fn numbers(grid: &Grid, evaluator: &mut Evaluator) -> Result<Vec<f64>, Halt> {
    Ok(invariants(grid, evaluator)?.to_vec())
}

/// All that is known, in the order of [`names`].
pub(crate) fn numbers_and_properties(
    grid: &Grid,
    evaluator: &mut Evaluator,
) -> Result<Vec<f64>, Halt> {
    let properties = properties(grid, evaluator)?.map(|is| f64::from(u8::from(is)));
    Ok([&invariants(grid, evaluator)?[..], &properties].concat())
}

/// Threads in which values may be deep.
pub(crate) fn threads(count: u16) -> Result<rayon::ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(count))
        .stack_size(1 << 28)
        .build()
        .map_err(|_| Failure::NeedsMemory("the system grants no threads".to_owned()))
}

/// The lines of a table.
pub(crate) fn rows(
    grids: &[Grid],
    row: RowOf,
    regions: &Regions,
    pool: &rayon::ThreadPool,
    output: &Output,
) -> Result<Vec<Vec<f64>>, Halt> {
    let progress = Progress::new();
    progress.add_total(grids.len() as u64);
    let each = |evaluator: &mut Evaluator, grid: &Grid| {
        let row = row(grid, evaluator);
        progress.add(1);
        row
    };
    let work = || grids.par_iter().map_init(|| Evaluator::new(regions), each).collect();
    watch(output, "positions", &progress, || pool.install(work))
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
