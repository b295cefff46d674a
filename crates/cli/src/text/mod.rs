//! Reports as text, one file per family of verbs. A report is data, and everything printed here
//! comes from it.

mod games;
mod profile;
mod proofs;
mod searches;
mod tables;
mod tradeoff;
mod values;

use papamu::Part;

pub(crate) use values::calc_explanation;

/// A report that people read.
pub(crate) trait Text {
    /// Its lines.
    fn lines(&self) -> Vec<String>;
}

/// The lines of a part that is ready before the rest; `count` parts came before.
pub(crate) fn part(part: Part<'_>, count: usize) -> Vec<String> {
    let (header, row) = match part {
        Part::Bench(run) => (searches::bench_header(), searches::bench_row(run)),
        Part::Compare(run) => (searches::compare_header(), searches::compare_row(run)),
        Part::CompareTables(run) => {
            (searches::compare_tables_header(), searches::compare_tables_row(run))
        }
        Part::Tradeoff(row) => (tradeoff::header(), tradeoff::row(row)),
        _ => return Vec::new(),
    };
    if count == 0 { vec![header, row] } else { vec![row] }
}
