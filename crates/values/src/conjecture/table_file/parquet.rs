//! Tables as Apache Parquet.
//!
//! Files are written with the parquet library and read without it: on some damaged files the
//! library panics, which ends a release build of the program. The reader understands what that
//! library, pandas and DuckDB write by default: flat columns, plain or with dictionaries,
//! uncompressed or with Snappy, in pages of version 1 or 2. Everything else is refused by name.
//!
//! Every length and offset that a file claims is first compared with the bytes that there are. A
//! run can claim any number of values in a few bytes, so the number of all values is limited.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::thrift::{Reader, Thing};
use super::{Rows, TableData, TableFileError, hybrid, refuse_twins};

const MAGIC: &[u8] = b"PAR1";
/// The most values in all columns together: 1 GiB of numbers.
const MOST_VALUES: u64 = 1 << 27;
/// The most bytes of all names of objects.
const MOST_TEXT_BYTES: usize = 1 << 30;
/// The largest page after decompression.
const MOST_PAGE_BYTES: usize = 1 << 28;

fn bad(problem: impl Into<String>) -> TableFileError {
    TableFileError::Parquet { problem: problem.into() }
}

/// The physical types of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bool,
    Int32,
    Int64,
    Float,
    Double,
    Text,
    Other,
}

/// A column as the schema describes it.
#[derive(Debug)]
struct Column {
    name: String,
    kind: Kind,
    is_optional: bool,
}

/// The values of a column, in the order of objects; `None` where one is missing.
#[derive(Debug)]
enum Values {
    Numbers(Vec<f64>),
    Texts(Vec<String>),
}

pub(super) fn read(file: &[u8]) -> Result<TableData, TableFileError> {
    let metadata = metadata(file).ok_or_else(|| bad("its end is damaged or missing"))?;
    let columns = schema(&metadata)?;
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    refuse_twins(&names)?;
    let damaged = || bad("its description is damaged");
    let groups = metadata.list(4).ok_or_else(damaged)?;
    let rows = |thing: &Thing| thing.int(3).and_then(|rows| u64::try_from(rows).ok());
    let all = rows(&metadata).ok_or_else(damaged)?;
    let sum = groups.iter().try_fold(0_u64, |sum, group| sum.checked_add(rows(group)?));
    if sum != Some(all) {
        return Err(damaged());
    }
    if all.checked_mul(columns.len() as u64).is_none_or(|values| values > MOST_VALUES) {
        return Err(bad(format!("it has more than {MOST_VALUES} values")));
    }
    let mut table = TableData {
        objects: Vec::new(),
        names: names[1..].to_vec(),
        columns: vec![Ok(Vec::new()); names.len() - 1],
    };
    for group in groups {
        let rows = rows(group).and_then(|rows| usize::try_from(rows).ok()).ok_or_else(damaged)?;
        if rows == 0 {
            continue;
        }
        let chunks = group.list(1).filter(|chunks| chunks.len() == columns.len());
        for (place, (column, chunk)) in columns.iter().zip(chunks.ok_or_else(damaged)?).enumerate()
        {
            let read = || Chunk::new(file, column, chunk)?.read(rows);
            match place.checked_sub(1) {
                None => read()?.name_objects(&mut table.objects)?,
                Some(place) => read_numbers(column, &mut table.columns[place], read)?,
            }
        }
    }
    Ok(table)
}

/// Adds the numbers of a chunk to a column that has held nothing but numbers so far.
fn read_numbers(
    column: &Column,
    numbers: &mut Result<Vec<f64>, String>,
    read: impl FnOnce() -> Result<Values, TableFileError>,
) -> Result<(), TableFileError> {
    let Ok(all) = numbers else { return Ok(()) };
    if matches!(column.kind, Kind::Text | Kind::Other) {
        *numbers = Err(format!("column `{}` holds no numbers", column.name));
        return Ok(());
    }
    let Values::Numbers(more) = read()? else { return Ok(()) };
    match more.iter().position(|value| value.is_infinite()) {
        Some(i) => {
            let (row, name) = (all.len() + i + 1, &column.name);
            *numbers = Err(format!("row {row}: `{}` in column `{name}` is no number", more[i]));
        }
        None => all.extend(more),
    }
    Ok(())
}

/// The footer of a file.
fn metadata(file: &[u8]) -> Option<Thing<'_>> {
    let body = file.strip_prefix(MAGIC)?.strip_suffix(MAGIC)?;
    let (body, length) = body.split_last_chunk::<4>()?;
    let start = body.len().checked_sub(u32::from_le_bytes(*length) as usize)?;
    Reader { rest: &body[start..] }.structure()
}

/// The columns: a root and flat columns below it.
fn schema(metadata: &Thing) -> Result<Vec<Column>, TableFileError> {
    let damaged = || bad("its description is damaged");
    let elements = metadata.list(2).ok_or_else(damaged)?;
    let (root, elements) = elements.split_first().ok_or_else(damaged)?;
    if root.int(5).and_then(|count| usize::try_from(count).ok()).unwrap_or(0) < elements.len() {
        return Err(bad("a column consists of others"));
    }
    if elements.is_empty() {
        return Err(bad("there is no column"));
    }
    let column = |element: &Thing| {
        let name = element.text(4).ok_or_else(damaged)?.to_owned();
        if element.int(5).is_some_and(|children| children != 0) || element.int(3) == Some(2) {
            return Err(bad(format!("column `{name}` holds more than one value")));
        }
        // Read as plain integers they would be other numbers.
        let integer = element.field(10).and_then(|logical| logical.field(10));
        let is_wide_unsigned = |integer: &Thing| {
            integer.bool(2) == Some(false) && integer.int(1).is_none_or(|bits| bits >= 32)
        };
        if matches!(element.int(6), Some(5 | 13 | 14))
            || element.field(10).is_some_and(|logical| logical.field(5).is_some())
            || integer.is_some_and(is_wide_unsigned)
        {
            let problem = "holds decimals or unsigned numbers; write it as DOUBLE";
            return Err(bad(format!("column `{name}` {problem}")));
        }
        let kind = match element.int(1).ok_or_else(damaged)? {
            0 => Kind::Bool,
            1 => Kind::Int32,
            2 => Kind::Int64,
            4 => Kind::Float,
            5 => Kind::Double,
            6 => Kind::Text,
            _ => Kind::Other,
        };
        Ok(Column { name, kind, is_optional: element.int(3) == Some(1) })
    };
    elements.iter().map(column).collect()
}

impl Values {
    fn new(kind: Kind) -> Values {
        if kind == Kind::Text { Values::Texts(Vec::new()) } else { Values::Numbers(Vec::new()) }
    }

    fn len(&self) -> usize {
        match self {
            Values::Numbers(numbers) => numbers.len(),
            Values::Texts(texts) => texts.len(),
        }
    }

    /// Adds the values at these places of another column; where the place is `None`, a missing one.
    fn pick(&mut self, from: &Values, places: impl Iterator<Item = Option<usize>>) -> Option<()> {
        match (self, from) {
            (Values::Numbers(to), Values::Numbers(from)) => {
                for place in places {
                    to.push(match place {
                        Some(place) => *from.get(place)?,
                        None => f64::NAN,
                    });
                }
            }
            (Values::Texts(to), Values::Texts(from)) => {
                let mut bytes = to.iter().map(String::len).sum::<usize>();
                for place in places {
                    let text = match place {
                        Some(place) => from.get(place)?.clone(),
                        None => String::new(),
                    };
                    bytes += text.len();
                    if bytes > MOST_TEXT_BYTES {
                        return None;
                    }
                    to.push(text);
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// Numbers may name objects, too.
    fn name_objects(self, objects: &mut Vec<String>) -> Result<(), TableFileError> {
        match self {
            Values::Numbers(numbers) => objects.extend(numbers.iter().map(f64::to_string)),
            Values::Texts(texts) => objects.extend(texts),
        }
        if objects.iter().map(String::len).sum::<usize>() > MOST_TEXT_BYTES {
            return Err(bad("the names of objects are too long"));
        }
        Ok(())
    }
}

/// The pages of a column in a row group.
struct Chunk<'a> {
    column: &'a Column,
    is_snappy: bool,
    pages: &'a [u8],
    dictionary: Option<Values>,
}

impl<'a> Chunk<'a> {
    fn new(file: &'a [u8], column: &'a Column, chunk: &Thing) -> Result<Chunk<'a>, TableFileError> {
        let name = &column.name;
        if column.kind == Kind::Other {
            return Err(bad(format!("column `{name}` does not name objects")));
        }
        let damaged = || bad(format!("column `{name}` is damaged"));
        if chunk.field(1).is_some() {
            return Err(bad(format!("column `{name}` is in another file")));
        }
        let metadata = chunk.field(3).ok_or_else(damaged)?;
        let is_snappy = match metadata.int(4).ok_or_else(damaged)? {
            0 => false,
            1 => true,
            _ => {
                let problem = "is compressed by another method than Snappy";
                return Err(bad(format!("column `{name}` {problem}")));
            }
        };
        // Some writers give 0 if there is no dictionary.
        let dictionary = metadata.int(11).filter(|&offset| offset > 0);
        let start = match (dictionary, metadata.int(9).ok_or_else(damaged)?) {
            (Some(dictionary), data) => dictionary.min(data),
            (None, data) => data,
        };
        let start = usize::try_from(start).ok().filter(|start| *start >= MAGIC.len());
        let length = metadata.int(7).and_then(|length| usize::try_from(length).ok());
        let range = start.zip(length).and_then(|(start, length)| {
            start.checked_add(length).and_then(|end| file.get(start..end))
        });
        Ok(Chunk { column, is_snappy, pages: range.ok_or_else(damaged)?, dictionary: None })
    }

    /// As many values as the row group has rows.
    fn read(mut self, rows: usize) -> Result<Values, TableFileError> {
        let mut values = Values::new(self.column.kind);
        let mut reader = Reader { rest: self.pages };
        while values.len() < rows {
            self.page(&mut reader, rows, &mut values)?;
        }
        Ok(values)
    }

    fn damaged(&self) -> TableFileError {
        bad(format!("column `{}` is damaged", self.column.name))
    }

    fn page(
        &mut self,
        reader: &mut Reader,
        rows: usize,
        values: &mut Values,
    ) -> Result<(), TableFileError> {
        let header = reader.structure().ok_or_else(|| self.damaged())?;
        let size = |id| header.int(id).and_then(|size| usize::try_from(size).ok());
        let (unpacked, packed) = size(2).zip(size(3)).ok_or_else(|| self.damaged())?;
        let page = reader.bytes(packed).ok_or_else(|| self.damaged())?;
        if unpacked > MOST_PAGE_BYTES {
            return Err(bad(format!("a page has more than {MOST_PAGE_BYTES} bytes")));
        }
        let count = |about: &Thing| {
            let count = about.int(1).and_then(|count| usize::try_from(count).ok());
            count.ok_or_else(|| self.damaged())
        };
        let kind = header.int(1);
        match (kind, header.field(5), header.field(7), header.field(8)) {
            (Some(0), Some(about), ..) => {
                let count = count(about)?;
                self.check_count(count, rows, values)?;
                let page = self.unpacked(page, unpacked, self.is_snappy)?;
                let mut reader = Reader { rest: &page };
                let levels = if self.column.is_optional {
                    self.check_levels(about.int(3))?;
                    Some(self.levels_with_length(&mut reader, count)?)
                } else {
                    None
                };
                self.data(reader.rest, about.int(2), levels, count, values)
            }
            (Some(3), _, _, Some(about)) => {
                let count = count(about)?;
                self.check_count(count, rows, values)?;
                let length = |id| about.int(id).and_then(|length| usize::try_from(length).ok());
                let (definition, repetition) =
                    length(5).zip(length(6)).ok_or_else(|| self.damaged())?;
                let mut reader = Reader { rest: page };
                // Levels are never compressed. Repetition levels are not needed for flat columns.
                let levels = reader.bytes(repetition).and_then(|_| reader.bytes(definition));
                let levels = levels.ok_or_else(|| self.damaged())?;
                let levels = match self.column.is_optional {
                    true => Some(hybrid::read(levels, 1, count).ok_or_else(|| self.damaged())?),
                    false => None,
                };
                let unpacked = unpacked.checked_sub(definition + repetition);
                let unpacked = unpacked.ok_or_else(|| self.damaged())?;
                let is_snappy = self.is_snappy && about.bool(7) != Some(false);
                let page = self.unpacked(reader.rest, unpacked, is_snappy)?;
                self.data(&page, about.int(4), levels, count, values)
            }
            (Some(2), _, Some(about), _) => {
                if self.dictionary.is_some() || !matches!(about.int(2), Some(0 | 2)) {
                    return Err(self.damaged());
                }
                let count = count(about)?;
                let page = self.unpacked(page, unpacked, self.is_snappy)?;
                self.dictionary = Some(self.plain(&page, count)?);
                Ok(())
            }
            // Pages of other kinds are skipped.
            (Some(1), ..) => Ok(()),
            _ => Err(self.damaged()),
        }
    }

    /// No page has more values than are missing, and none is empty: so reading ends.
    fn check_count(
        &self,
        count: usize,
        rows: usize,
        values: &Values,
    ) -> Result<(), TableFileError> {
        let is_good = count > 0 && count <= rows - values.len();
        if is_good { Ok(()) } else { Err(self.damaged()) }
    }

    fn check_levels(&self, encoding: Option<i64>) -> Result<(), TableFileError> {
        if encoding == Some(RLE) { Ok(()) } else { Err(self.unsupported()) }
    }

    fn unsupported(&self) -> TableFileError {
        let problem = "is neither plain nor has a dictionary; write it with one of these encodings";
        bad(format!("column `{}` {problem}", self.column.name))
    }

    fn unpacked<'p>(
        &self,
        page: &'p [u8],
        size: usize,
        is_snappy: bool,
    ) -> Result<std::borrow::Cow<'p, [u8]>, TableFileError> {
        if !is_snappy {
            return if page.len() == size { Ok(page.into()) } else { Err(self.damaged()) };
        }
        if page.is_empty() && size == 0 {
            return Ok(page.into());
        }
        if snap::raw::decompress_len(page).ok() != Some(size) {
            return Err(self.damaged());
        }
        let bytes = snap::raw::Decoder::new().decompress_vec(page);
        bytes.map(Into::into).map_err(|_| self.damaged())
    }

    /// Levels, preceded by their length in bytes.
    fn levels_with_length(
        &self,
        reader: &mut Reader,
        count: usize,
    ) -> Result<Vec<u32>, TableFileError> {
        let levels = length_and_bytes(reader).and_then(|bytes| hybrid::read(bytes, 1, count));
        levels.ok_or_else(|| self.damaged())
    }

    /// Adds the values of a page at the places whose level is 1, and missing values elsewhere.
    fn data(
        &self,
        page: &[u8],
        encoding: Option<i64>,
        levels: Option<Vec<u32>>,
        count: usize,
        values: &mut Values,
    ) -> Result<(), TableFileError> {
        let is_there = |i: usize| levels.as_ref().is_none_or(|levels| levels[i] == 1);
        let present = (0..count).filter(|&i| is_there(i)).count();
        let mut next = 0..present;
        let mut ordinals = (0..count).map(|i| if is_there(i) { next.next() } else { None });
        let added = match (encoding, &self.dictionary) {
            (Some(PLAIN), _) => values.pick(&self.plain(page, present)?, ordinals),
            (Some(RLE), _) if self.column.kind == Kind::Bool => {
                let bits = length_and_bytes(&mut Reader { rest: page });
                let bits = bits.and_then(|bits| hybrid::read(bits, 1, present));
                let bits = bits.ok_or_else(|| self.damaged())?;
                let numbers = Values::Numbers(bits.into_iter().map(f64::from).collect());
                values.pick(&numbers, ordinals)
            }
            (Some(PLAIN_DICTIONARY | RLE_DICTIONARY), Some(dictionary)) => {
                // A page without values may lack the bit width as well.
                let places = match page.split_first() {
                    _ if present == 0 => Some(Vec::new()),
                    Some((&bits, rest)) => hybrid::read(rest, u32::from(bits), present),
                    None => None,
                };
                let places = places.ok_or_else(|| self.damaged())?;
                values.pick(dictionary, ordinals.by_ref().map(|i| Some(places[i?] as usize)))
            }
            (Some(PLAIN_DICTIONARY | RLE_DICTIONARY), None) => None,
            _ => return Err(self.unsupported()),
        };
        added.ok_or_else(|| self.damaged())
    }

    /// Plain values, one after the other.
    fn plain(&self, bytes: &[u8], count: usize) -> Result<Values, TableFileError> {
        let numbers = match self.column.kind {
            Kind::Text => return self.texts(bytes, count),
            Kind::Other => None,
            Kind::Bool => (count.div_ceil(8) <= bytes.len()).then(|| {
                (0..count).map(|i| f64::from(bytes[i / 8] >> (i % 8) & 1)).collect::<Vec<f64>>()
            }),
            Kind::Int32 => fixed(bytes, count, |word| f64::from(i32::from_le_bytes(word))),
            Kind::Int64 => fixed(bytes, count, |word| i64::from_le_bytes(word) as f64),
            Kind::Float => fixed(bytes, count, |word| f64::from(f32::from_le_bytes(word))),
            Kind::Double => fixed(bytes, count, f64::from_le_bytes),
        };
        numbers.map(Values::Numbers).ok_or_else(|| self.damaged())
    }

    fn texts(&self, bytes: &[u8], count: usize) -> Result<Values, TableFileError> {
        let mut reader = Reader { rest: bytes };
        let mut texts = Vec::new();
        for _ in 0..count {
            let text = length_and_bytes(&mut reader).ok_or_else(|| self.damaged())?;
            let text = std::str::from_utf8(text);
            let text =
                text.map_err(|_| bad(format!("column `{}` is no text", self.column.name)))?;
            texts.push(text.to_owned());
        }
        Ok(Values::Texts(texts))
    }
}

const PLAIN: i64 = 0;
const PLAIN_DICTIONARY: i64 = 2;
const RLE: i64 = 3;
const RLE_DICTIONARY: i64 = 8;

/// The bytes after a length of four bytes.
fn length_and_bytes<'a>(reader: &mut Reader<'a>) -> Option<&'a [u8]> {
    let length = reader.bytes(4)?.try_into().ok().map(u32::from_le_bytes)?;
    reader.bytes(length as usize)
}

/// Numbers of a fixed size.
fn fixed<const N: usize>(
    bytes: &[u8],
    count: usize,
    number: impl Fn([u8; N]) -> f64,
) -> Option<Vec<f64>> {
    let words = bytes.as_chunks::<N>().0.get(..count)?;
    Some(words.iter().map(|&word| number(word)).collect())
}

/// A column of names and columns of numbers, some of which may be undefined.
pub(super) fn write(rows: &Rows, out: &mut dyn Write) -> Result<(), TableFileError> {
    let bytes = written(rows).map_err(|error| std::io::Error::other(error.to_string()))?;
    out.write_all(&bytes)?;
    Ok(())
}

fn written(rows: &Rows) -> ParquetResult<Vec<u8>> {
    let text = Type::primitive_type_builder(rows.kind, Physical::BYTE_ARRAY)
        .with_logical_type(Some(LogicalType::String))
        .with_repetition(Repetition::REQUIRED)
        .build()?;
    let mut fields = vec![Arc::new(text)];
    for name in rows.names {
        let number = Type::primitive_type_builder(name, Physical::DOUBLE);
        fields.push(Arc::new(number.with_repetition(Repetition::OPTIONAL).build()?));
    }
    let schema = Type::group_type_builder("positions").with_fields(fields).build()?;
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    if let Some(mut column) = group.next_column()? {
        let texts: Vec<ByteArray> = rows.objects.iter().map(|name| name.as_str().into()).collect();
        column.typed::<ByteArrayType>().write_batch(&texts, None, None)?;
        column.close()?;
    }
    let mut place = 0;
    while let Some(mut column) = group.next_column()? {
        let value = |row: &Vec<f64>| row.get(place).copied();
        let values: Option<Vec<f64>> = rows.rows.iter().map(value).collect();
        let values =
            values.ok_or_else(|| ParquetError::General("a row is too short".to_owned()))?;
        let levels: Vec<i16> = values.iter().map(|value| i16::from(!value.is_nan())).collect();
        let numbers: Vec<f64> = values.into_iter().filter(|value| !value.is_nan()).collect();
        column.typed::<DoubleType>().write_batch(&numbers, Some(&levels), None)?;
        column.close()?;
        place += 1;
    }
    group.close()?;
    writer.into_inner()
}
