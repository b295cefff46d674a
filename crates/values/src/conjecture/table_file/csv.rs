//! Tables as CSV: a line of names, then a line for each object with its name first.

use std::cell::Cell;
use std::io::{self, Read, Write};

use super::{MOST_BYTES, Rows, TableData, TableFileError, refuse_twins};

/// Longer lines are refused: an endless line would fill the memory.
pub(super) const LONGEST_LINE: u64 = 1 << 24;

/// Why a reader stops.
#[derive(Clone, Copy, Debug)]
enum Beyond {
    Bytes,
    Line(u64),
}

/// Counts bytes and lines, and fails beyond the limits.
struct Limited<'a, R> {
    input: R,
    /// The limit that was exceeded: an I/O error says too little.
    beyond: &'a Cell<Option<Beyond>>,
    bytes: u64,
    line: u64,
    line_bytes: u64,
}

impl<R> Limited<'_, R> {
    fn refuse<T>(&self, beyond: Beyond) -> io::Result<T> {
        self.beyond.set(Some(beyond));
        Err(io::Error::other("beyond the limits"))
    }
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.bytes += count as u64;
        if self.bytes > MOST_BYTES {
            return self.refuse(Beyond::Bytes);
        }
        let mut lines = buffer[..count].split(|&byte| byte == b'\n');
        self.line_bytes += lines.next().map_or(0, <[u8]>::len) as u64;
        for rest in lines {
            self.line += 1;
            self.line_bytes = rest.len() as u64;
        }
        if self.line_bytes > LONGEST_LINE {
            return self.refuse(Beyond::Line(self.line));
        }
        Ok(count)
    }
}

pub(super) fn read(input: impl Read) -> Result<TableData, TableFileError> {
    let beyond = Cell::new(None);
    let input = Limited { input, beyond: &beyond, bytes: 0, line: 1, line_bytes: 0 };
    let bad = |error| match beyond.get() {
        Some(Beyond::Bytes) => TableFileError::TooLarge,
        Some(Beyond::Line(line)) => TableFileError::LongLine { line },
        None => bad(error),
    };
    let mut reader = ::csv::Reader::from_reader(input);
    let names: Vec<String> = reader.headers().map_err(bad)?.iter().map(str::to_owned).collect();
    refuse_twins(&names)?;
    let names = names.get(1..).unwrap_or_default().to_vec();
    let mut columns = vec![Ok(Vec::new()); names.len()];
    let mut objects = Vec::new();
    for record in reader.records() {
        let record = record.map_err(bad)?;
        let line = record.position().map_or(0, ::csv::Position::line);
        objects.push(record.get(0).unwrap_or_default().to_owned());
        for (place, column) in columns.iter_mut().enumerate() {
            let Ok(values) = column else { continue };
            let text = record.get(place + 1).unwrap_or_default().trim();
            match number(text) {
                Some(value) => values.push(value),
                None => {
                    let name = &names[place];
                    *column = Err(format!("line {line}: `{text}` in column `{name}` is no number"));
                }
            }
        }
    }
    Ok(TableData { objects, names, columns })
}

/// A number or a truth value; NaN if the field is empty. Words such as `inf` and `nan`, and numbers
/// that are too large, are refused.
fn number(text: &str) -> Option<f64> {
    match text {
        "" => Some(f64::NAN),
        "true" | "True" | "TRUE" => Some(1.0),
        "false" | "False" | "FALSE" => Some(0.0),
        text => text.parse().ok().filter(|value: &f64| value.is_finite()),
    }
}

fn bad(error: ::csv::Error) -> TableFileError {
    let problem = error.to_string();
    match error.into_kind() {
        ::csv::ErrorKind::Io(error) => TableFileError::Io(error),
        _ => TableFileError::Csv { problem },
    }
}

pub(super) fn write(rows: &Rows, out: &mut dyn Write) -> Result<(), TableFileError> {
    let mut writer = ::csv::Writer::from_writer(out);
    let mut write = |first: &str, rest: &mut dyn Iterator<Item = String>| {
        writer.write_record(std::iter::once(first.to_owned()).chain(rest)).map_err(bad)
    };
    write(rows.kind, &mut rows.names.iter().map(|&name| name.to_owned()))?;
    for (object, row) in rows.objects.iter().zip(rows.rows) {
        let text = |value: &f64| if value.is_nan() { String::new() } else { value.to_string() };
        write(object, &mut row.iter().map(text))?;
    }
    writer.flush()?;
    Ok(())
}
