//! Tables in files: what is written is read again, and any other content is read or refused.

use std::io::{Read, Write};

use papamu_values::conjecture::table_file::{Format, Rows, TableData, TableFileError};

fn csv(text: &str) -> Result<TableData, TableFileError> {
    TableData::read_from(text.as_bytes(), Format::Csv)
}

fn written(rows: &Rows, format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    rows.write(format, &mut bytes).expect("written");
    bytes
}

/// Whether a table has these rows; NaN equals NaN.
fn assert_same(data: &TableData, rows: &Rows) {
    assert_eq!(data.objects, rows.objects);
    assert_eq!(data.names, rows.names);
    for (place, column) in data.columns.iter().enumerate() {
        let column = column.as_ref().expect("numbers");
        assert_eq!(column.len(), rows.rows.len());
        for (value, row) in column.iter().zip(rows.rows) {
            assert!(value == &row[place] || (value.is_nan() && row[place].is_nan()));
        }
    }
}

fn example(count: usize) -> (Vec<String>, Vec<Vec<f64>>) {
    let objects = (0..count).map(|i| format!("object {i}, \"{}\"", i % 7)).collect();
    let number = |i: usize| if i.is_multiple_of(3) { f64::NAN } else { i as f64 / 3.0 };
    let rows = (0..count).map(|i| vec![i as f64, number(i), (i % 2) as f64, f64::NAN]).collect();
    (objects, rows)
}

const NAMES: [&str; 4] = ["all", "some", "bit", "none"];

#[test]
fn csv_is_read_again() {
    let (objects, rows) = example(500);
    let rows = Rows { kind: "name", objects: &objects, names: &NAMES, rows: &rows };
    let data = TableData::read_from(&written(&rows, Format::Csv)[..], Format::Csv);
    assert_same(&data.expect("a table"), &rows);
}

#[test]
fn json_lines_have_an_object_each() {
    let (objects, rows) = example(2);
    let rows = Rows { kind: "name", objects: &objects, names: &NAMES, rows: &rows };
    let text = String::from_utf8(written(&rows, Format::Jsonl)).expect("text");
    let first = r#"{"all":0.0,"bit":0.0,"name":"object 0, \"0\"","none":null,"some":null}"#;
    assert_eq!(text.lines().next(), Some(first));
    assert_eq!(text.lines().count(), 2);
    let error = TableData::read_from(text.as_bytes(), Format::Jsonl).expect_err("not read");
    assert_eq!(error.to_string(), "tables are read as CSV or Parquet, not as JSON lines");
}

/// Words that Rust reads as numbers are refused, and so are numbers that are too large.
#[test]
fn infinite_and_undefined_words_are_no_numbers() {
    for word in ["inf", "-inf", "infinity", "nan", "NaN", "1e999", "x"] {
        let data = csv(&format!("name,a,b\nfirst,1,2\nsecond,{word},3\n")).expect("a table");
        let problem = format!("line 3: `{word}` in column `a` is no number");
        assert_eq!(data.columns[0], Err(problem));
        assert_eq!(data.columns[1], Ok(vec![2.0, 3.0]));
    }
}

#[test]
fn two_columns_of_one_name_are_refused() {
    let error = csv("name,a,b,a\nfirst,1,2,3\n").expect_err("twins");
    assert_eq!(error.to_string(), "line 1: there are two columns `a`");
}

#[test]
fn lines_of_different_lengths_are_refused() {
    let error = csv("name,a\nfirst,1,2\n").expect_err("ragged").to_string();
    assert!(error.contains("line: 2"), "{error}");
}

/// An endless line, and endless lines.
#[test]
fn endless_input_is_refused() {
    let zeroes = TableData::read_from(std::io::repeat(0), Format::Csv).expect_err("endless");
    assert!(matches!(zeroes, TableFileError::LongLine { line: 1 }), "{zeroes}");
    struct Lines;
    impl Read for Lines {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            buffer.fill(b'\n');
            Ok(buffer.len())
        }
    }
    let lines = TableData::read_from("name,a\n".as_bytes().chain(Lines), Format::Csv);
    assert!(matches!(lines, Err(TableFileError::TooLarge)));
}

#[test]
fn files_that_are_too_large_are_refused_before_they_are_read() {
    let file = tempfile::Builder::new().suffix(".csv").tempfile().expect("a file");
    file.as_file().set_len((1 << 30) + 1).expect("a sparse file");
    let error = TableData::read(file.path()).expect_err("too large");
    assert_eq!(error.to_string(), "it has more than 1073741824 bytes");
    let mut file = tempfile::Builder::new().suffix(".txt").tempfile().expect("a file");
    file.write_all(b"name,a\nx,1\n").expect("written");
    assert_eq!(TableData::read(file.path()).expect("as CSV").columns, [Ok(vec![1.0])]);
    assert!(matches!(TableData::read(std::path::Path::new("/")), Err(TableFileError::Io(_))));
}

#[cfg(feature = "parquet")]
mod parquet {
    use std::sync::Arc;

    use ::parquet::basic::{Compression, Encoding};
    use ::parquet::data_type::{
        BoolType, ByteArray, ByteArrayType, DoubleType, FloatType, Int32Type, Int64Type,
    };
    use ::parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
    use ::parquet::file::writer::SerializedFileWriter;
    use ::parquet::schema::parser::parse_message_type;

    use super::*;

    fn read(bytes: &[u8]) -> Result<TableData, TableFileError> {
        TableData::read_from(bytes, Format::Parquet)
    }

    #[test]
    fn parquet_is_read_again() {
        for count in [0, 1, 7, 8, 5000] {
            let (objects, rows) = example(count);
            let rows = Rows { kind: "name", objects: &objects, names: &NAMES, rows: &rows };
            let data = read(&written(&rows, Format::Parquet)).expect("a table");
            assert_same(&data, &rows);
        }
    }

    const SCHEMA: &str = "message table {
        required binary name (UTF8);
        required double double;
        optional float float;
        optional int32 int32;
        required int64 int64;
        optional boolean boolean;
        optional binary text (UTF8);
    }";

    /// A file of the library, in two groups of rows.
    fn file(properties: WriterPropertiesBuilder, rows: usize) -> Vec<u8> {
        let schema = Arc::new(parse_message_type(SCHEMA).expect("a schema"));
        let properties = Arc::new(properties.build());
        let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties).expect("a file");
        for _ in 0..2 {
            let mut group = writer.next_row_group().expect("a group");
            let levels: Vec<i16> = (0..rows).map(|i| i16::from(i % 3 != 0)).collect();
            let some = || (0..rows).filter(|i| i % 3 != 0);
            macro_rules! column {
                ($type:ty, $values:expr, $levels:expr) => {{
                    let mut column = group.next_column().expect("a column").expect("a column");
                    let values: Vec<_> = $values.collect();
                    column.typed::<$type>().write_batch(&values, $levels, None).expect("values");
                    column.close().expect("closed");
                }};
            }
            let text = |i: usize| ByteArray::from(format!("o{}", i % 5).as_str());
            column!(ByteArrayType, (0..rows).map(text), None);
            column!(DoubleType, (0..rows).map(|i| i as f64 / 4.0), None);
            column!(FloatType, some().map(|i| i as f32 / 2.0), Some(&levels));
            column!(Int32Type, some().map(|i| -(i as i32)), Some(&levels));
            column!(Int64Type, (0..rows).map(|i| (i as i64) << 33), None);
            column!(BoolType, some().map(|i| i % 2 == 0), Some(&levels));
            column!(ByteArrayType, some().map(text), Some(&levels));
            group.close().expect("closed");
        }
        writer.into_inner().expect("bytes")
    }

    fn kinds() -> Vec<WriterPropertiesBuilder> {
        let mut kinds = Vec::new();
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY] {
                for dictionary in [true, false] {
                    let mut kind = WriterProperties::builder()
                        .set_writer_version(version)
                        .set_compression(compression)
                        .set_data_page_row_count_limit(50)
                        .set_write_batch_size(16)
                        .set_dictionary_enabled(dictionary);
                    if !dictionary {
                        // Otherwise version 2 chooses delta encodings.
                        kind = kind.set_encoding(Encoding::PLAIN);
                    }
                    kinds.push(kind);
                }
            }
        }
        kinds
    }

    /// Files of the library in all encodings and versions that are read.
    #[test]
    fn files_of_the_library_are_read() {
        for (i, kind) in kinds().into_iter().enumerate() {
            let data = read(&file(kind, 200)).unwrap_or_else(|error| panic!("{i}: {error}"));
            let names = ["double", "float", "int32", "int64", "boolean", "text"];
            assert_eq!(data.names, names);
            for object in 0..400 {
                let i = object % 200;
                assert_eq!(data.objects[object], format!("o{}", i % 5));
                let value = |place: usize| data.columns[place].as_ref().expect("numbers")[object];
                let present = |value: f64| if i % 3 == 0 { None } else { Some(value) };
                let defined = |value: f64| (!value.is_nan()).then_some(value);
                assert_eq!(value(0), i as f64 / 4.0);
                assert_eq!(defined(value(1)), present(i as f64 / 2.0));
                assert_eq!(defined(value(2)), present(-(i as f64)));
                assert_eq!(value(3), ((i as i64) << 33) as f64);
                assert_eq!(defined(value(4)), present(f64::from(i % 2 == 0)));
            }
            assert_eq!(data.columns[5], Err("column `text` holds no numbers".to_owned()));
        }
    }

    /// Any bit may be wrong, and the end may be missing: nothing panics.
    #[test]
    fn damaged_files_are_refused_or_read() {
        let (mut refused, mut all) = (0, 0);
        let (objects, rows) = example(20);
        let rows = Rows { kind: "name", objects: &objects, names: &NAMES, rows: &rows };
        let own = written(&rows, Format::Parquet);
        let mut files: Vec<Vec<u8>> = kinds().into_iter().map(|kind| file(kind, 7)).collect();
        files.push(own);
        for bytes in files {
            for place in 0..bytes.len() {
                assert!(read(&bytes[..place]).is_err(), "{place} bytes");
                for bit in 0..8 {
                    let mut damaged = bytes.clone();
                    damaged[place] ^= 1 << bit;
                    refused += usize::from(read(&damaged).is_err());
                    all += 1;
                }
                let mut damaged = bytes.clone();
                damaged[place] ^= 0xff;
                let _ = read(&damaged);
            }
        }
        assert!(all > 100_000 && refused > all / 20, "{refused} of {all}");
    }

    /// A file that claims an absurd number of values is refused before they are allocated.
    #[test]
    fn claims_are_not_believed() {
        let mut random = fastrand::Rng::with_seed(11);
        let bytes = file(kinds().swap_remove(0), 50);
        let footer = bytes.len() / 2;
        for _ in 0..50_000 {
            let mut damaged = bytes.clone();
            for _ in 0..random.usize(1..6) {
                let place = random.usize(footer..bytes.len() - 8);
                damaged[place] = random.u8(..);
            }
            let _ = read(&damaged);
        }
    }

    #[test]
    fn what_is_not_read_is_named() {
        let error = |bytes: &[u8]| read(bytes).expect_err("refused").to_string();
        let prefix = "this is no Parquet file that can be read: ";
        assert_eq!(error(b""), format!("{prefix}its end is damaged or missing"));
        assert_eq!(error(b"PAR1PAR1"), format!("{prefix}its end is damaged or missing"));
        let delta = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_writer_version(WriterVersion::PARQUET_2_0);
        assert!(error(&file(delta, 50)).contains("is neither plain nor has a dictionary"));
        for (schema, problem) in [
            (
                "required binary n (UTF8); repeated double a;",
                "column `a` holds more than one value",
            ),
            ("required binary n (UTF8); required int32 a (UINT_32);", "column `a` holds decimals"),
            ("required binary n (UTF8); required int64 a (DECIMAL(9,2));", "`a` holds decimals"),
            (
                "required binary n (UTF8); required group g { required double a; }",
                "a column consists of others",
            ),
            ("required binary n (UTF8); required double n;", "two columns `n`"),
        ] {
            let schema = parse_message_type(&format!("message m {{ {schema} }}")).expect(schema);
            let writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::default());
            let bytes = writer.expect("a file").into_inner().expect("bytes");
            assert!(error(&bytes).contains(problem), "{}", error(&bytes));
        }
    }
}
