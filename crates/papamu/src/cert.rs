//! `cert`: the content of a certificate, and smaller or denser versions of it.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use papamu_base::file::{AtomicFile, FileError, find_same};
use papamu_proof::claim::Claim;
use papamu_proof::file::{MOST_BUDGET, read_header};
use papamu_search::nimber;
use serde::Serialize;

use crate::certificate::Proof;
use crate::report::Report;
use crate::request::request;
use crate::{Error, Registry, Watch};

request! {
    /// Show what a certificate claims and how large it is; papamu-check tells whether it is right
    CertInfo, "info";
    /// The certificate
    file: Option<PathBuf>, "FILE", Always, place Word;
}

request! {
    /// Drop positions that the root does not need
    CertTrim, "trim";
    /// The certificate
    file: Option<PathBuf>, "FILE", Always, place Word;
    /// Where to write the new one; may be the same file
    new: Option<PathBuf>, "NEW", Always, place Word;
}

request! {
    /// Leave out positions that a checker proves by itself within a budget
    CertSparsify, "sparsify";
    /// The certificate
    file: Option<PathBuf>, "FILE", Always, place Word;
    /// Where to write the new one; may be the same file
    new: Option<PathBuf>, "NEW", Always, place Word;
    /// Positions that a checker may enter to prove one that is left out
    budget: Option<u64>, "N", Always, default 100, range 1..=MOST_BUDGET;
    /// Leave out all positions of size N or less, too, whose values checkers find by themselves:
    /// stones, cars, or empty squares of tic-tac-toe; `densify` does not fill them in
    database: Option<u64>, "N", Always, default 0;
}

request! {
    /// Fill in positions that were left out
    CertDensify, "densify";
    /// The certificate
    file: Option<PathBuf>, "FILE", Always, place Word;
    /// Where to write the new one; may be the same file
    new: Option<PathBuf>, "NEW", Always, place Word;
}

request! {
    /// Merge certificates of one player and claim into one of a position that leads to all their
    /// roots
    CertMerge, "merge";
    /// Where to write the new one
    new: Option<PathBuf>, "NEW", Always, place Word;
    /// Root of the new one, such as 8x7
    root: Option<String>, "POSITION", Always;
    /// The certificates, such as one for each opening
    files: Vec<PathBuf>, "FILE", Always, place Each;
}

/// What a certificate claims.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum CertInfoReport {
    /// A strategy.
    Strategy {
        /// The game.
        game: String,
        /// The position.
        root: String,
        /// What is claimed of which player, such as `white wins` or `up holds`.
        claim: String,
        /// Who wins, if somebody does.
        #[serde(skip_serializing_if = "Option::is_none")]
        winner: Option<String>,
        /// Positions with the player's move.
        records: u64,
        /// Positions that a checker may enter to prove one that is left out.
        budget: u64,
        /// The size of positions up to which a checker finds out values by itself.
        #[serde(skip_serializing_if = "is_zero")]
        database: u64,
        /// Bytes of the file.
        bytes: u64,
    },
    /// Nimbers.
    Nimbers {
        /// The game.
        game: String,
        /// The claim, with its position.
        claim: String,
        /// The number of nimbers.
        nimbers: u64,
    },
}

/// A certificate that was changed.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct CertReport {
    /// The new one.
    pub file: String,
    /// Positions before.
    pub records_before: u64,
    /// Positions now.
    pub records: u64,
    /// Positions that a checker may enter to prove one that is left out.
    pub budget: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Report for CertInfoReport {}
impl Report for CertReport {}

/// Says what a certificate claims.
pub fn cert_info(_: &Registry, request: &CertInfo, _: &dyn Watch) -> Result<CertInfoReport, Error> {
    let file = required(&request.file, "file")?;
    let read = |error| FileError::new("read", file, error);
    if nimber::file::is_one(file) {
        let fail = |error| Error::NimberFile { path: file.to_owned(), error };
        let opened = File::open(file).map_err(read)?;
        let header = nimber::file::read_header(BufReader::new(opened)).map_err(fail)?;
        return Ok(CertInfoReport::Nimbers {
            game: header.game,
            claim: header.claim.to_string(),
            nimbers: header.lemmas,
        });
    }
    let header = read_header(file)?;
    Ok(CertInfoReport::Strategy {
        game: header.game,
        root: header.root,
        claim: format!("{} {}", header.owner, header.claim),
        winner: (header.claim == Claim::Wins).then_some(header.owner),
        records: header.records,
        budget: header.budget,
        database: header.database,
        bytes: file.metadata().map_err(read)?.len(),
    })
}

/// Drops positions that the root does not need.
pub fn cert_trim(
    registry: &Registry,
    request: &CertTrim,
    watch: &dyn Watch,
) -> Result<CertReport, Error> {
    change(registry, (&request.file, &request.new), |proof| proof.trim(watch))
}

/// Leaves out positions that a checker proves by itself.
pub fn cert_sparsify(
    registry: &Registry,
    request: &CertSparsify,
    watch: &dyn Watch,
) -> Result<CertReport, Error> {
    let (budget, database) = (request.budget(), request.database());
    change(registry, (&request.file, &request.new), |proof| proof.sparsify(budget, database, watch))
}

/// Fills in positions that were left out.
pub fn cert_densify(
    registry: &Registry,
    request: &CertDensify,
    watch: &dyn Watch,
) -> Result<CertReport, Error> {
    change(registry, (&request.file, &request.new), |proof| proof.densify(watch))
}

/// Merges certificates.
pub fn cert_merge(
    registry: &Registry,
    request: &CertMerge,
    _: &dyn Watch,
) -> Result<CertReport, Error> {
    let new = required(&request.new, "new")?;
    let root = request.root.as_deref().ok_or(Error::Missing { option: "root" })?;
    let Some((first, others)) = request.files.split_first() else {
        return Err(Error::Missing { option: "files" });
    };
    // No old certificate may be overwritten.
    for old in &request.files {
        find_same([("new", Some(new)), ("files", Some(old))])?;
    }
    let target = AtomicFile::new(new)?;
    let first = load(registry, first)?;
    let mut records_before = first.records();
    let others: Vec<&Path> = others.iter().map(PathBuf::as_path).collect();
    for other in &others {
        records_before += read_header(other)?.records;
    }
    let merged = first.merge(root, &others)?;
    merged.write(&target)?;
    Ok(report(new, records_before, &*merged))
}

fn change(
    registry: &Registry,
    (file, new): (&Option<PathBuf>, &Option<PathBuf>),
    edit: impl FnOnce(&mut dyn Proof) -> Result<(), Error>,
) -> Result<CertReport, Error> {
    let (file, new) = (required(file, "file")?, required(new, "new")?);
    let target = AtomicFile::new(new)?;
    let mut proof = load(registry, file)?;
    let before = proof.records();
    edit(&mut *proof)?;
    proof.write(&target)?;
    Ok(report(new, before, &*proof))
}

fn required<'a>(path: &'a Option<PathBuf>, option: &'static str) -> Result<&'a Path, Error> {
    path.as_deref().ok_or(Error::Missing { option })
}

/// Reads a certificate of any game.
pub(crate) fn load(registry: &Registry, file: &Path) -> Result<Box<dyn Proof>, Error> {
    let header = read_header(file)?;
    registry.entry(&header.game)?.load_proof(file)
}

fn report(new: &Path, records_before: u64, proof: &dyn Proof) -> CertReport {
    CertReport {
        file: new.display().to_string(),
        records_before,
        records: proof.records(),
        budget: proof.budget(),
    }
}
