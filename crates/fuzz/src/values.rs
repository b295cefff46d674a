//! Expressions of values, and tables of invariants.

use std::time::{Duration, Instant};

use papamu_values::conjecture::table_file::{Format, Rows, TableData};
use papamu_values::{Forms, Limits, Notation};

/// Expressions whose value takes longer are skipped.
const LONGEST: Duration = Duration::from_millis(100);
const MOST_CHARS: usize = 4000;

/// A value survives writing and reading, in both notations that can be read.
pub fn value_expressions_roundtrip(data: &[u8]) -> bool {
    let text = String::from_utf8_lossy(data);
    let limits = Limits {
        deadline: Some(Instant::now() + LONGEST),
        memory_bytes: 64 << 20,
        ..Limits::default()
    };
    let forms = Forms::new(limits).expect("memory");
    let Ok(value) = forms.read(&text) else { return false };
    for notation in [Notation::Plain, Notation::Cgsuite] {
        let Ok(written) = forms.write_in(notation, value, MOST_CHARS) else { return false };
        if written.contains("...") {
            continue;
        }
        match forms.read(&written) {
            Ok(again) => assert_eq!(again, value, "{text} is written {written}"),
            Err(papamu_values::ReadError::Halt(_)) => return false,
            Err(problem) => panic!("{text} is written {written}: {problem}"),
        }
    }
    true
}

/// A table survives writing and reading, in both formats that can be read.
pub fn invariant_table_is_refused_or_read(data: &[u8]) -> bool {
    let [kind, file @ ..] = data else { return false };
    // An input that begins with `=` is a Parquet file, any other a CSV file.
    let format = if *kind == b'=' { Format::Parquet } else { Format::Csv };
    let file = if format == Format::Parquet { file } else { data };
    let Ok(table) = TableData::read_from(file, format) else { return false };
    assert_eq!(table.names.len(), table.columns.len());
    let columns: Result<Vec<&Vec<f64>>, _> = table.columns.iter().map(Result::as_ref).collect();
    let Ok(columns) = columns else { return false };
    assert!(columns.iter().all(|column| column.len() == table.objects.len()));
    let rows: Vec<Vec<f64>> = (0..table.objects.len())
        .map(|row| columns.iter().map(|column| column[row]).collect())
        .collect();
    let names: Vec<&str> = table.names.iter().map(String::as_str).collect();
    let rows = Rows { kind: "object", objects: &table.objects, names: &names, rows: &rows };
    for format in [Format::Csv, Format::Parquet] {
        let mut written = Vec::new();
        rows.write(format, &mut written).expect("written to memory");
        let again = TableData::read_from(&written[..], format).expect("what was written");
        assert_eq!((&again.objects, &again.names), (&table.objects, &table.names), "{format:?}");
        for (column, same) in columns.iter().zip(&again.columns) {
            let same = same.as_ref().expect("numbers");
            let is_same = |(a, b): (&f64, &f64)| a == b || (a.is_nan() && b.is_nan());
            assert!(
                column.len() == same.len() && column.iter().zip(same).all(is_same),
                "{format:?}"
            );
        }
    }
    true
}
