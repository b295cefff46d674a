//! `verify`: whether a table is undamaged, and whether its entries are right.

use std::path::PathBuf;

use serde::Serialize;

use crate::report::Report;
use crate::request::request;
use crate::{Error, Registry, Watch};

request! {
    /// Check a table: its checksums, then its entries by an independent move generator
    Verify, "verify";
    /// Directory of the table
    table: Option<PathBuf>, "DIR", Always, place Word;
    /// Recompute N entries chosen at random [default: all]
    sample: Option<u64>, "N", Always;
    /// Seed of the sample
    seed: Option<u64>, "N", Always, default 1;
}

/// What a check of a table found.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct VerifyReport {
    /// The table.
    pub table: String,
    /// Whether nothing is wrong.
    pub ok: bool,
    /// Entries that were recomputed.
    pub entries_checked: u64,
    /// Damaged files, with the place of the damage.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub damaged: Vec<String>,
    /// An entry that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong: Option<String>,
    #[serde(skip)]
    failure: Option<Error>,
}

impl VerifyReport {
    pub(crate) fn new(
        table: String,
        entries_checked: u64,
        damaged: Vec<String>,
        wrong: Option<String>,
    ) -> VerifyReport {
        let ok = damaged.is_empty() && wrong.is_none();
        let problem = wrong.clone().unwrap_or_else(|| damaged.join("; "));
        let failure = (!ok).then_some(Error::Check(problem));
        VerifyReport { table, ok, entries_checked, damaged, wrong, failure }
    }
}

impl Report for VerifyReport {
    fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }
}

/// Checks a table.
pub fn verify(
    registry: &Registry,
    request: &Verify,
    watch: &dyn Watch,
) -> Result<VerifyReport, Error> {
    let table = request.table.as_deref().ok_or(Error::Missing { option: "table" })?;
    registry.entry(&papamu_tables::game_of(table)?)?.verify(request, watch)
}
