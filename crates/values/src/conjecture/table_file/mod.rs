//! Tables of objects and numbers in files: CSV and Parquet are read, JSON lines are written as
//! well.
//!
//! Files come from anywhere. Whatever they contain, reading ends with a table or with an error that
//! names the place, takes memory in proportion to the file, and never panics.

mod csv;
#[cfg(feature = "parquet")]
mod hybrid;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod thrift;

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use thiserror::Error;

/// The formats of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Lines of values separated by commas.
    Csv,
    /// A JSON object on each line.
    Jsonl,
    /// Apache Parquet.
    Parquet,
}

impl Format {
    /// The format by the ending of a file name.
    pub fn of(path: &Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "csv" => Some(Format::Csv),
            "jsonl" | "ndjson" => Some(Format::Jsonl),
            "parquet" => Some(Format::Parquet),
            _ => None,
        }
    }
}

/// Larger files are refused: 1 GiB.
pub const MOST_BYTES: u64 = 1 << 30;

/// Why a file cannot be read as a table, or cannot be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableFileError {
    /// The system reports an error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is too large, or has no end.
    #[error("it has more than {MOST_BYTES} bytes")]
    TooLarge,
    /// A line of a CSV file is too long for a table.
    #[error("line {line} has more than {} bytes", csv::LONGEST_LINE)]
    LongLine {
        /// The line, from 1.
        line: u64,
    },
    /// It is no CSV file.
    #[error("{problem}")]
    Csv {
        /// What is wrong, and where.
        problem: String,
    },
    /// Two columns have the same name.
    #[error("line 1: there are two columns `{column}`")]
    TwoColumns {
        /// The name.
        column: String,
    },
    /// It is not a Parquet file, or one of an unsupported kind.
    #[error("this is no Parquet file that can be read: {problem}")]
    Parquet {
        /// What is wrong.
        problem: String,
    },
    /// This kind of file cannot be read, or cannot be written.
    #[error("{problem}")]
    Unsupported {
        /// What is not supported.
        problem: &'static str,
    },
}

/// A table as it is in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableData {
    /// The names of the objects.
    pub objects: Vec<String>,
    /// The names of the other columns.
    pub names: Vec<String>,
    /// Their numbers, NaN where there is none; or the first text that is not a number, and its
    /// place.
    pub columns: Vec<Result<Vec<f64>, String>>,
}

impl TableData {
    /// Reads a file, as Parquet if its name says so and as CSV otherwise.
    pub fn read(path: &Path) -> Result<TableData, TableFileError> {
        let format = Format::of(path).unwrap_or(Format::Csv);
        let file = File::open(path)?;
        // Pipes and devices have no length and are read up to the limit.
        if file.metadata()?.len() > MOST_BYTES {
            return Err(TableFileError::TooLarge);
        }
        TableData::read_from(file, format)
    }

    /// Reads from anywhere, up to [`MOST_BYTES`].
    pub fn read_from(input: impl Read, format: Format) -> Result<TableData, TableFileError> {
        let data = match format {
            Format::Csv => csv::read(input)?,
            Format::Parquet => read_parquet(input)?,
            Format::Jsonl => {
                let problem = "tables are read as CSV or Parquet, not as JSON lines";
                return Err(TableFileError::Unsupported { problem });
            }
        };
        Ok(data)
    }
}

#[cfg(feature = "parquet")]
fn read_parquet(input: impl Read) -> Result<TableData, TableFileError> {
    let mut bytes = Vec::new();
    input.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(TableFileError::TooLarge);
    }
    parquet::read(&bytes)
}

#[cfg(not(feature = "parquet"))]
const NO_PARQUET: TableFileError =
    TableFileError::Unsupported { problem: "this build knows nothing of Parquet; use CSV" };

#[cfg(not(feature = "parquet"))]
fn read_parquet(_: impl Read) -> Result<TableData, TableFileError> {
    Err(NO_PARQUET)
}

/// Two columns with the same name.
fn refuse_twins(names: &[String]) -> Result<(), TableFileError> {
    let mut seen = hashbrown::HashSet::new();
    match names.iter().find(|name| !seen.insert(name.as_str())) {
        Some(column) => Err(TableFileError::TwoColumns { column: column.clone() }),
        None => Ok(()),
    }
}

/// Rows of numbers to be written; NaN is left out.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The name of the first column: what the objects are.
    pub kind: &'a str,
    /// The names of the objects.
    pub objects: &'a [String],
    /// The names of the columns of numbers.
    pub names: &'a [&'a str],
    /// The numbers of each object.
    pub rows: &'a [Vec<f64>],
}

impl Rows<'_> {
    /// Writes them in a format.
    pub fn write(&self, format: Format, out: &mut dyn Write) -> Result<(), TableFileError> {
        match format {
            Format::Csv => csv::write(self, out),
            Format::Jsonl => self.write_jsonl(out),
            #[cfg(feature = "parquet")]
            Format::Parquet => parquet::write(self, out),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => Err(NO_PARQUET),
        }
    }

    fn write_jsonl(&self, out: &mut dyn Write) -> Result<(), TableFileError> {
        for (object, row) in self.objects.iter().zip(self.rows) {
            let mut line = serde_json::Map::new();
            line.insert(self.kind.to_owned(), object.as_str().into());
            for (name, value) in self.names.iter().zip(row) {
                // NaN is written as null.
                line.insert((*name).to_owned(), (*value).into());
            }
            writeln!(out, "{}", serde_json::Value::Object(line))?;
        }
        Ok(())
    }
}
