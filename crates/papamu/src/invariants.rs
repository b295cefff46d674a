//! `invariants`: tables of numbers that describe positions.

use std::path::PathBuf;

pub use papamu_values::conjecture::table_file::Format as TableFormat;
use papamu_values::conjecture::table_file::Rows;
use serde::Serialize;

use crate::family::Members;
use crate::find::StoneColours;
use crate::report::Report;
use crate::request::{Bytes, Readable, request};
use crate::winners::BoardSize;
use crate::{Error, Registry, Watch};

request! {
    /// Invariants of positions as a table, from which `conjecture` makes conjectures
    Invariants, "invariants",
        details "Positions come from a family, from a file with one per line, or are all positions of \
                 a board up to symmetry and exchange of colours. The table has a line for each \
                 position; an invariant that is not defined is left empty.";
    /// Members of a family
    family: Option<String>, "NAME", Always;
    /// Which members, such as 1..20 or 7
    n: Option<Members>, "RANGE", Always;
    /// Positions of a file, one per line; empty lines and those that begin with # and a space are
    /// skipped
    file: Option<PathBuf>, "FILE", Always;
    /// All positions of a board, such as 3x3
    all: Option<BoardSize>, "SIZE", Always;
    /// Colours of the stones of all positions: game or any [default: game]
    colours: Option<StoneColours>, "COLOURS", Always;
    /// Add properties, which are 0 or 1: is_number, is_hot, second_wins, has_dead and others
    properties: bool, "", Always;
    /// Format of the table: csv, jsonl or parquet [default: as the name of the output ends, or csv]
    format: Option<TableFormat>, "FORMAT", Always;
    /// Threads
    threads: Option<u16>, "N", Always, default 1, range 1..=255, short 't';
    /// Give up after this many seconds
    timeout: Option<u64>, "SECONDS", Always, range 1..=u64::MAX;
    /// Memory for values
    memory: Option<Bytes>, "SIZE", Always, default Bytes::gib(4);
    /// The game [default: the first that has values of its own]
    game: Option<String>, "GAME", Always;
}

impl Readable for TableFormat {
    fn read(text: &str) -> Result<TableFormat, String> {
        match text {
            "csv" => Ok(TableFormat::Csv),
            "jsonl" => Ok(TableFormat::Jsonl),
            "parquet" => Ok(TableFormat::Parquet),
            _ => Err("it is csv, jsonl or parquet".to_owned()),
        }
    }
}

/// A table of invariants.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct InvariantsReport {
    /// The names of the columns after the first, which is `position`.
    pub names: Vec<&'static str>,
    /// The positions.
    pub objects: Vec<String>,
    /// The invariants of each position, in the order of the names; NaN if undefined.
    pub rows: Vec<Vec<f64>>,
}

impl Report for InvariantsReport {}

impl InvariantsReport {
    pub(crate) fn new(
        names: Vec<&'static str>,
        objects: Vec<String>,
        rows: Vec<Vec<f64>>,
    ) -> InvariantsReport {
        InvariantsReport { names, objects, rows }
    }

    /// The bytes of a file.
    pub fn write(&self, format: TableFormat) -> Result<Vec<u8>, Error> {
        let InvariantsReport { names, objects, rows } = self;
        let mut bytes = Vec::new();
        Rows { kind: "position", objects, names, rows }
            .write(format, &mut bytes)
            .map_err(|error| Error::option("format", error.to_string()))?;
        Ok(bytes)
    }
}

/// Computes a table of invariants.
pub fn invariants(
    registry: &Registry,
    request: &Invariants,
    watch: &dyn Watch,
) -> Result<InvariantsReport, Error> {
    let sources =
        [request.family.is_some(), request.file.is_some(), request.all.is_some()].map(usize::from);
    match sources.iter().sum::<usize>() {
        0 => return Err(Error::Missing { option: "family, file or all" }),
        1 => {}
        _ => return Err(Error::option("all", "positions come from one of family, file and all")),
    }
    if request.n.is_some() && request.family.is_none() {
        return Err(Error::option("n", "there is no family"));
    }
    if request.colours.is_some() && request.all.is_none() {
        return Err(Error::option("colours", "the positions have theirs"));
    }
    registry.with_values(request.game.as_deref())?.invariants(request, watch)
}
