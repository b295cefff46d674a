//! The files of certificates: one for a win, two for a draw.

use std::path::{Path, PathBuf};

use papamu_base::file::{AtomicFile, find_same};
use papamu_proof::file::read_header;
use papamu_search::job::Memory;
use papamu_search::run::Monitor;

use crate::accepted::have_checked;
use crate::certificate::ProveRequest;
use crate::kit::{Certificates, Registered};
use crate::solve::SolvePlan;
use crate::{Error, Watch};

/// The files of certificates, which can be written before any work is done for them.
pub(crate) struct CertificateFiles {
    first: AtomicFile,
    /// Of a draw.
    second: Option<AtomicFile>,
}

impl CertificateFiles {
    pub(crate) fn new<G: Registered>(
        first: &Path,
        game: &G,
        position: &G::Position,
        plan: &SolvePlan<'_>,
    ) -> Result<CertificateFiles, Error> {
        let path = second_file(first, G::PLAYERS[(!game.to_move(position)).index()]);
        let first = AtomicFile::new(first)?;
        if !G::DRAWS {
            return Ok(CertificateFiles { first, second: None });
        }
        find_same([
            ("the second certificate", Some(&*path)),
            ("trace", plan.trace),
            ("checkpoint", plan.checkpoint),
            ("resume", plan.resume.filter(|_| plan.checkpoint != plan.resume)),
        ])?;
        // Nobody has named this file, so only an older certificate is replaced.
        if path.exists() && read_header(&path).is_err() {
            let path = path.display();
            let problem = format!(
                "`{path}`, the file of a second certificate, is something else; name another FILE"
            );
            return Err(Error::option("cert", problem));
        }
        Ok(CertificateFiles { first, second: Some(AtomicFile::new(&path)?) })
    }

    pub(crate) fn list(&self) -> impl Iterator<Item = &AtomicFile> {
        std::iter::once(&self.first).chain(&self.second)
    }
}

/// Memory for the checker, as much as it takes on its own.
const CHECKER_BYTES: usize = 1 << 30;

/// Certificates that were written.
#[derive(Default)]
pub(crate) struct Proofs {
    /// The files, and how many records they have.
    pub(crate) records: Vec<(PathBuf, u64)>,
    /// Whether the checker has accepted all of them.
    pub(crate) is_accepted: bool,
    /// Why not all of them are there and accepted.
    pub(crate) failure: Option<Error>,
}

impl Proofs {
    /// Writes one certificate after the other until one fails.
    pub(crate) fn write<'a, G: Registered>(
        &mut self,
        certificates: &dyn Certificates<G>,
        requests: impl Iterator<Item = ProveRequest<'a, G>>,
        files: &CertificateFiles,
        memory: &Memory<G::Key>,
        monitor: &Monitor,
        watch: &dyn Watch,
    ) {
        for (request, file) in requests.zip(files.list()) {
            let store = memory.solved(request.goal.question(request.game, request.root));
            match certificates.prove(&request, store, file, monitor, watch) {
                Ok(count) => self.records.push((file.path().to_owned(), count)),
                Err(error) => {
                    self.failure = Some(error);
                    return;
                }
            }
        }
    }

    /// Has the independent checker look at all of them.
    pub(crate) fn have_checked(&mut self, memory_bytes: usize, watch: &dyn Watch) {
        let memory_bytes = memory_bytes.min(CHECKER_BYTES);
        let mut files = self.records.iter();
        self.failure =
            files.try_for_each(|(file, _)| have_checked(file, memory_bytes, watch)).err();
        self.is_accepted = self.failure.is_none();
    }
}

/// The file of the second certificate of a draw: the name of its player comes before the extension,
/// as in `4x4.up.cert`.
fn second_file(first: &Path, player: &str) -> PathBuf {
    match first.extension() {
        Some(extension) => {
            let mut name = std::ffi::OsString::from(player);
            name.push(".");
            name.push(extension);
            first.with_extension(name)
        }
        None => first.with_extension(player),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_files_have_names_of_their_own() {
        for (first, second) in [
            ("4x4.cert", "4x4.up.cert"),
            ("some/where/4x4.cert", "some/where/4x4.up.cert"),
            ("4x4", "4x4.up"),
            ("a.b/4x4", "a.b/4x4.up"),
        ] {
            assert_eq!(second_file(Path::new(first), "up"), Path::new(second));
        }
    }
}
