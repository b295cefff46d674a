//! `papamu verify`: whether a table is what was written, and whether that is right.

use std::path::PathBuf;

use clap::Args;
use papamu_base::Progress;
use papamu_game::Game;
use papamu_tables::table::Table;
use papamu_tables::verify::{check_hashes, check_logic};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{Output, grouped};
use crate::progress::watch;
use crate::signals::exit_on_signals;

/// Check a table: its checksums, then its entries by an independent move generator
#[derive(Args)]
#[command(after_help = "Examples:
  papamu verify tables/5x5
  papamu verify tables/6x6 --sample 10000000")]
pub(crate) struct Verify {
    /// Directory of the table
    table: PathBuf,

    /// Recompute so many entries chosen at random [default: all]
    #[arg(long, value_name = "N")]
    sample: Option<u64>,

    /// Chooses the entries of the sample
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Serialize)]
struct Answer {
    table: String,
    ok: bool,
    entries_checked: u64,
    /// Files that are not what was written, with the place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damaged: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wrong: Option<String>,
}

impl Verify {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let table = Table::open(&self.table)?;
        exit_on_signals("interrupted");
        let bytes = Progress::new();
        let damaged = watch(output, "bytes", &bytes, || check_hashes(&table, &bytes));
        let damaged: Vec<String> = damaged.iter().map(ToString::to_string).collect();
        let mut answer = Answer {
            table: self.table.display().to_string(),
            ok: damaged.is_empty(),
            entries_checked: 0,
            damaged,
            wrong: None,
        };
        if !answer.ok {
            output.json(&answer)?;
            return Err(Failure::Check(answer.damaged.join("; ")));
        }
        let entries = Progress::new();
        let (checked, wrong) = watch(output, "entries", &entries, || {
            check_logic(&table, self.sample, self.seed, &entries)
        });
        let wrong = wrong.map(|wrong| {
            let position = table.game().write(&wrong.position);
            let says = if wrong.table_says_won { "won" } else { "lost" };
            format!("the table says that {position} is {says}, which does not fit the positions after it")
        });
        answer.ok = wrong.is_none();
        answer.entries_checked = if answer.ok { checked } else { entries.done() };
        answer.wrong = wrong.clone();
        output.json(&answer)?;
        match wrong {
            Some(wrong) => Err(Failure::Check(wrong)),
            None => output.line(format!(
                "{}: all checksums and {} entries are right",
                answer.table,
                grouped(checked)
            )),
        }
    }
}
