//! Certificates that a search writes, and what the independent checker says about them.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use papamu_base::file::FileError;
use papamu_base::{Progress, Stopped};
use papamu_checker::check::check_while;
use papamu_checker::database::Database;
use papamu_checker::games::known;
use papamu_checker::reader::Problem;
use papamu_search::job::Memory;
use papamu_search::run::Monitor;

use crate::certificate::ProveRequest;
use crate::certificate_files::CertificateFiles;
use crate::kit::{Certificates, Registered};
use crate::watch::with_progress;
use crate::{Error, Watch};

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

    /// Has the independent checker look at all of them, if it knows the rules of the game: it has
    /// its own, and a game that others register may not be among them.
    pub(crate) fn have_checked<G: Registered>(&mut self, memory_bytes: usize, watch: &dyn Watch) {
        if known(G::NAME).is_none() {
            return;
        }
        let memory_bytes = memory_bytes.min(CHECKER_BYTES);
        let mut files = self.records.iter();
        self.failure =
            files.try_for_each(|(file, _)| have_checked(file, memory_bytes, watch)).err();
        self.is_accepted = self.failure.is_none();
    }
}

/// Whether certificates can leave out positions up to that size, which the checker then has to find
/// out by itself.
pub(crate) fn check_database<G: Registered>(
    game: &G,
    root: &G::Position,
    largest: u64,
) -> Result<(), Error> {
    let refuse = |problem: String| Err(Error::option("cert_database", problem));
    if !G::CYCLIC {
        let later = "play cannot go in circles; `cert sparsify --database` does it afterwards";
        return refuse(later.to_owned());
    }
    let Some(known) = known(G::NAME) else { return Ok(()) };
    let plan = (known.read)(&game.write(root))
        .and_then(|(rules, _)| Database::plan(&*rules, largest).map_err(|no| no.to_string()));
    plan.map(|_| ()).or_else(refuse)
}

/// Has a certificate checked. An error says why it is rejected, or why nobody knows.
fn have_checked(path: &Path, memory_bytes: usize, watch: &dyn Watch) -> Result<(), Error> {
    let failed = |error| FileError::new("read", path, error);
    let file = File::open(path).map_err(failed)?;
    // It is read twice.
    let bytes = 2 * file.metadata().map_err(failed)?.len();
    let verdict = with_progress(watch, "bytes checked", |progress| {
        progress.add_total(bytes);
        let go_on = || !progress.stop().is_set();
        check_while(Watched { file, progress }, memory_bytes, |_| (), &go_on)
    });
    match verdict {
        Ok(_) => Ok(()),
        Err(_) if watch.stop().is_set() => Err(Stopped.into()),
        Err(Problem::Io(error)) => Err(failed(error).into()),
        Err(Problem::Temporary(error)) => Err(FileError::new("check", path, error).into()),
        Err(problem) => {
            let path = path.display();
            Err(Error::Check(format!("the checker rejects the certificate `{path}`: {problem}")))
        }
    }
}

/// A file that counts the bytes that are read, and ends with an error when the work is stopped.
struct Watched<'a> {
    file: File,
    progress: &'a Progress,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.progress.stop().check().map_err(io::Error::other)?;
        let read = self.file.read(buffer)?;
        self.progress.add(read as u64);
        Ok(read)
    }
}

impl Seek for Watched<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
