//! What the independent checker says about a certificate that was just written.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use papamu_base::file::FileError;
use papamu_base::{Progress, Stopped};
use papamu_checker::check::check;
use papamu_checker::reader::Problem;

use crate::watch::with_progress;
use crate::{Error, Watch};

/// Has a certificate checked. An error says why it is rejected.
pub(crate) fn have_checked(
    path: &Path,
    memory_bytes: usize,
    watch: &dyn Watch,
) -> Result<(), Error> {
    let failed = |error| FileError::new("read", path, error);
    let file = File::open(path).map_err(failed)?;
    // It is read twice.
    let bytes = 2 * file.metadata().map_err(failed)?.len();
    let verdict = with_progress(watch, "bytes checked", |progress| {
        progress.add_total(bytes);
        check(Watched { file, progress }, memory_bytes, |_| ())
    });
    match verdict {
        Ok(_) => Ok(()),
        Err(_) if watch.stop().is_set() => Err(Stopped.into()),
        Err(Problem::Io(error)) => Err(failed(error).into()),
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
