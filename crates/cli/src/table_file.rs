//! Tables of objects and numbers in files: CSV, JSON lines and Parquet.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use clap::ValueEnum;
use parquet::basic::{
    Compression, ConvertedType, Encoding, LogicalType, Repetition, Type as Physical,
};
use parquet::column::page::Page;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use crate::failure::Failure;

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Lines of values separated by commas
    Csv,
    /// A JSON object on each line
    Jsonl,
    /// Apache Parquet
    Parquet,
}

impl Format {
    /// What the name of a file ends with.
    pub(crate) fn of(path: &Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "csv" => Some(Format::Csv),
            "jsonl" | "ndjson" => Some(Format::Jsonl),
            "parquet" => Some(Format::Parquet),
            _ => None,
        }
    }
}

/// A table as it is in a file.
pub(crate) struct Data {
    /// The names of the objects.
    pub(crate) objects: Vec<String>,
    /// The names of the other columns.
    pub(crate) names: Vec<String>,
    /// Their numbers, not a number where there is none; or what is not a number, and where.
    pub(crate) columns: Vec<Result<Vec<f64>, String>>,
}

impl Data {
    /// Reads a file, as Parquet if its name says so and as CSV otherwise.
    pub(crate) fn read(file: &Path) -> Result<Data, Failure> {
        let bad = |problem: String| Failure::Arguments(format!("`{}`, {problem}", file.display()));
        match Format::of(file) {
            Some(Format::Parquet) => {
                let opened = File::open(file);
                let opened = opened.map_err(|error| Failure::file("read", file, error))?;
                read_parquet(opened).map_err(|error| bad(plain(&error)))
            }
            Some(Format::Jsonl) => {
                Err(bad("tables are read as CSV or Parquet, not as JSON lines".to_owned()))
            }
            _ => read_csv(file).map_err(|error| bad(error.to_string())),
        }
    }
}

fn read_csv(file: &Path) -> csv::Result<Data> {
    let mut reader = csv::Reader::from_path(file)?;
    let names: Vec<String> = reader.headers()?.iter().skip(1).map(str::to_owned).collect();
    let mut columns = vec![Ok(Vec::new()); names.len()];
    let mut objects = Vec::new();
    for record in reader.records() {
        let record = record?;
        let line = record.position().map_or(0, csv::Position::line);
        objects.push(record.get(0).unwrap_or_default().to_owned());
        for (place, column) in columns.iter_mut().enumerate() {
            let Ok(values) = column else { continue };
            match number(record.get(place + 1).unwrap_or_default().trim()) {
                Some(value) => values.push(value),
                None => {
                    let text = record.get(place + 1).unwrap_or_default();
                    let name = &names[place];
                    *column = Err(format!("line {line}: `{text}` in column `{name}` is no number"));
                }
            }
        }
    }
    Ok(Data { objects, names, columns })
}

/// A number or a truth value; not a number if there is nothing.
fn number(text: &str) -> Option<f64> {
    match text {
        "" => Some(f64::NAN),
        "true" | "True" | "TRUE" => Some(1.0),
        "false" | "False" | "FALSE" => Some(0.0),
        text => text.parse().ok(),
    }
}

/// What the library says, without what kind of error it calls it.
fn plain(error: &ParquetError) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("Parquet error: ").unwrap_or(&text);
    format!("this is no Parquet file that can be read: {text}")
}

/// Records that are read at once: a damaged file may claim to have any number of them.
const BATCH: usize = 4096;

fn read_parquet(file: File) -> ParquetResult<Data> {
    let reader = SerializedFileReader::new(file)?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let is_flat = |column: &parquet::schema::types::ColumnDescriptor| {
        column.max_rep_level() == 0 && column.max_def_level() <= 1
    };
    if let Some(column) = schema.columns().iter().find(|column| !is_flat(column)) {
        let problem = format!("column `{}` holds more than one value", column.name());
        return Err(ParquetError::General(problem));
    }
    let mut names: Vec<String> =
        schema.columns().iter().map(|column| column.name().to_owned()).collect();
    if names.is_empty() {
        return Err(ParquetError::General("there is no column".to_owned()));
    }
    names.remove(0);
    let mut objects: Vec<String> = Vec::new();
    let mut columns = vec![Ok(Vec::new()); names.len()];
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group)?;
        (0..=names.len()).try_for_each(|place| check(group.as_ref(), place))?;
        objects.extend(texts(group.get_column_reader(0)?)?);
        for (place, column) in columns.iter_mut().enumerate() {
            let Ok(values) = column else { continue };
            match numbers(group.get_column_reader(place + 1)?)? {
                Some(more) => values.extend(more),
                None => *column = Err(format!("column `{}` holds no numbers", names[place])),
            }
        }
    }
    let is_whole = |column: &Result<Vec<f64>, String>| {
        column.as_ref().map_or(true, |values| values.len() == objects.len())
    };
    if !columns.iter().all(is_whole) {
        return Err(ParquetError::General("columns are of different lengths".to_owned()));
    }
    Ok(Data { objects, names, columns })
}

/// Refuses what damaged files say that the library takes for granted: columns begin and end somewhere, and pages that
/// refer to a dictionary come after one.
fn check(group: &dyn RowGroupReader, place: usize) -> ParquetResult<()> {
    let damaged = || ParquetError::General(format!("column {} is damaged", place + 1));
    let column = group.metadata().column(place);
    // Read as plain integers they would be other numbers.
    if matches!(
        column.column_descr().converted_type(),
        ConvertedType::DECIMAL | ConvertedType::UINT_32 | ConvertedType::UINT_64
    ) {
        let problem = "holds decimals or unsigned numbers; write it as DOUBLE";
        return Err(ParquetError::General(format!("column {} {problem}", place + 1)));
    }
    let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
    if start < 0 || column.compressed_size() < 0 {
        return Err(damaged());
    }
    let mut has_dictionary = false;
    for page in group.get_column_page_reader(place)? {
        let page = page?;
        let needs_dictionary =
            matches!(page.encoding(), Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY);
        match page {
            Page::DictionaryPage { .. } => has_dictionary = true,
            _ if needs_dictionary && !has_dictionary => return Err(damaged()),
            _ => {}
        }
    }
    Ok(())
}

/// All values of a column, none where there is none.
fn values<T: DataType>(mut reader: ColumnReaderImpl<T>) -> ParquetResult<Vec<Option<T::T>>> {
    let mut all = Vec::new();
    loop {
        let (mut levels, mut some) = (Vec::new(), Vec::new());
        let (records, count, _) = reader.read_records(BATCH, Some(&mut levels), None, &mut some)?;
        if records == 0 {
            return Ok(all);
        }
        let mut some = some.into_iter();
        if count == records {
            all.extend(some.map(Some));
        } else {
            all.extend(levels.iter().map(|&level| if level > 0 { some.next() } else { None }));
        }
    }
}

/// A column of names; numbers name objects as well.
fn texts(reader: ColumnReader) -> ParquetResult<Vec<String>> {
    if let ColumnReader::ByteArrayColumnReader(reader) = reader {
        let text = |bytes: Option<ByteArray>| match bytes {
            Some(bytes) => bytes.as_utf8().map(str::to_owned),
            None => Ok(String::new()),
        };
        return values(reader)?.into_iter().map(text).collect();
    }
    let numbers = numbers(reader)?;
    let numbers = numbers.ok_or_else(|| {
        ParquetError::General("the first column does not name objects".to_owned())
    })?;
    Ok(numbers.iter().map(f64::to_string).collect())
}

/// A column of numbers of any kind, if it is one.
fn numbers(reader: ColumnReader) -> ParquetResult<Option<Vec<f64>>> {
    fn all<T: DataType>(
        reader: ColumnReaderImpl<T>,
        number: impl Fn(T::T) -> f64,
    ) -> ParquetResult<Option<Vec<f64>>> {
        let values = values(reader)?.into_iter();
        Ok(Some(values.map(|value| value.map_or(f64::NAN, &number)).collect()))
    }
    match reader {
        ColumnReader::BoolColumnReader(reader) => all(reader, |value| f64::from(u8::from(value))),
        ColumnReader::Int32ColumnReader(reader) => all(reader, f64::from),
        ColumnReader::Int64ColumnReader(reader) => all(reader, |value| value as f64),
        ColumnReader::FloatColumnReader(reader) => all(reader, f64::from),
        ColumnReader::DoubleColumnReader(reader) => all(reader, |value| value),
        _ => Ok(None),
    }
}

/// The bytes of a Parquet file: a column of names and columns of numbers, some of which may be undefined.
pub(crate) fn parquet(
    objects_name: &str,
    objects: &[String],
    names: &[&str],
    rows: &[Vec<f64>],
) -> Result<Vec<u8>, Failure> {
    let failed = |error: ParquetError| Failure::Write(std::io::Error::other(plain(&error)));
    write_parquet(objects_name, objects, names, rows).map_err(failed)
}

fn write_parquet(
    objects_name: &str,
    objects: &[String],
    names: &[&str],
    rows: &[Vec<f64>],
) -> ParquetResult<Vec<u8>> {
    let text = Type::primitive_type_builder(objects_name, Physical::BYTE_ARRAY)
        .with_logical_type(Some(LogicalType::String))
        .with_repetition(Repetition::REQUIRED)
        .build()?;
    let mut fields = vec![Arc::new(text)];
    for name in names {
        let number = Type::primitive_type_builder(name, Physical::DOUBLE);
        fields.push(Arc::new(number.with_repetition(Repetition::OPTIONAL).build()?));
    }
    let schema = Type::group_type_builder("positions").with_fields(fields).build()?;
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    if let Some(mut column) = group.next_column()? {
        let texts: Vec<ByteArray> = objects.iter().map(|name| name.as_str().into()).collect();
        column.typed::<ByteArrayType>().write_batch(&texts, None, None)?;
        column.close()?;
    }
    let mut place = 0;
    while let Some(mut column) = group.next_column()? {
        let values = || rows.iter().map(|row| row[place]);
        let levels: Vec<i16> = values().map(|value| i16::from(!value.is_nan())).collect();
        let numbers: Vec<f64> = values().filter(|value| !value.is_nan()).collect();
        column.typed::<DoubleType>().write_batch(&numbers, Some(&levels), None)?;
        column.close()?;
        place += 1;
    }
    group.close()?;
    writer.into_inner()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn opened(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(bytes).expect("written");
        file
    }

    fn example() -> (Vec<String>, Vec<Vec<f64>>, Vec<u8>) {
        let objects: Vec<String> = (0..5000).map(|i| format!("object {i}")).collect();
        let number = |i: usize| if i.is_multiple_of(3) { f64::NAN } else { i as f64 / 3.0 };
        let rows: Vec<Vec<f64>> = (0..5000).map(|i| vec![i as f64, number(i)]).collect();
        let bytes = parquet("name", &objects, &["all", "some"], &rows).expect("bytes");
        (objects, rows, bytes)
    }

    #[test]
    fn parquet_is_read_again() {
        let (objects, rows, bytes) = example();
        let data = read_parquet(opened(&bytes)).expect("a table");
        assert_eq!(
            (data.objects, data.names),
            (objects, vec!["all".to_owned(), "some".to_owned()])
        );
        for (place, column) in data.columns.iter().enumerate() {
            let column = column.as_ref().expect("numbers");
            let same = |(value, row): (&f64, &Vec<f64>)| value.to_bits() == row[place].to_bits();
            assert!(column.iter().zip(&rows).all(same));
        }
    }

    /// Any byte may be wrong, and the end may be missing.
    #[test]
    fn damaged_files_are_refused_or_read() {
        let objects: Vec<String> = (0..20).map(|i| format!("object {i}")).collect();
        let rows: Vec<Vec<f64>> = (0..20).map(|i| vec![f64::from(i) / 3.0, f64::NAN]).collect();
        let bytes = parquet("name", &objects, &["all", "none"], &rows).expect("bytes");
        for place in 0..bytes.len() {
            assert!(read_parquet(opened(&bytes[..place])).is_err(), "{place} bytes");
            for flip in [0x01, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[place] ^= flip;
                let _ = read_parquet(opened(&damaged));
            }
        }
    }
}
