//! Databases against searches.

use papamu::{TradeoffReport, TradeoffRow};

use super::Text;
use crate::output::grouped;

pub(super) fn header() -> String {
    let ours = format!(
        "{:>6} {:>10} {:>14} {:>10} {:>16} {:>10}  {:<5}",
        "stones", "build s", "bytes", "solve s", "nodes", "total s", "value"
    );
    let published = format!(
        "{:>10} {:>13} {:>11} {:>15} {:>11}",
        "build s", "positions", "solve s", "nodes", "total s"
    );
    format!("{ours}   published: {published}")
}

pub(super) fn row(row: &TradeoffRow) -> String {
    let seconds = |of: Option<f64>| of.map_or("-".to_owned(), |of| format!("{of:.3}"));
    let ours = format!(
        "{:>6} {:>10} {:>14} {:>10.3} {:>16} {:>10}",
        row.pieces,
        seconds(row.build_seconds),
        grouped(row.bytes),
        row.solve_seconds,
        grouped(row.nodes),
        seconds(row.total_seconds)
    );
    // A search that was given up says why.
    let value = match (row.value.as_deref(), row.limit) {
        (_, Some(limit)) => format!("{limit}!"),
        (value, None) => value.unwrap_or("-").to_owned(),
    };
    let published = row.published.map_or(String::new(), |of| {
        format!(
            "{:>10.3} {:>13} {:>11.3} {:>15} {:>11.3}",
            of.build_seconds,
            grouped(of.positions),
            of.solve_seconds,
            grouped(of.nodes),
            of.total_seconds
        )
    });
    format!("{ours}  {value:<7}            {published}").trim_end().to_owned()
}

impl Text for TradeoffReport {
    /// The rows are printed as they end.
    fn lines(&self) -> Vec<String> {
        let least = |best: u32| format!("the least time in all: a database of {best} stones");
        let given_up = self.rows.iter().filter(|row| row.limit.is_some()).count();
        let given_up = (given_up > 0).then(|| {
            format!("{given_up} given up (marked !): their times and nodes are those until then")
        });
        let best = self.best.map(|best| match best {
            0 => "the least time in all: without a database".to_owned(),
            best => least(best),
        });
        given_up.into_iter().chain(best).collect()
    }
}
