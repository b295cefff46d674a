//! The files of certificates: one for a win, two for a draw.

use std::path::{Path, PathBuf};

use papamu_base::file::{AtomicFile, find_same};
use papamu_proof::file::read_header;

use crate::Error;
use crate::kit::Registered;
use crate::solve::SolvePlan;

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
            ("trace", plan.trace.lines),
            ("trace_plot", plan.trace.plot),
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
