//! The time line of a search as CSV.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use papamu_base::file::FileError;
use papamu_search::numbers::INFINITE;
use papamu_search::run::Monitor;

/// The time between two lines.
const TICK: Duration = Duration::from_millis(100);

/// A file that gets a line every tenth of a second.
pub(crate) struct Trace {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Trace {
    pub(crate) fn create(path: &Path) -> Result<Trace, FileError> {
        let fail = |error| FileError::new("write", path, error);
        let mut file = BufWriter::new(File::create(path).map_err(fail)?);
        writeln!(file, "seconds,nodes,expansions,phi,delta").map_err(fail)?;
        Ok(Trace { path: path.to_owned(), file })
    }

    fn record(&mut self, seconds: f64, monitor: &Monitor) -> io::Result<()> {
        let root = monitor.root();
        let number = |n: u32| if n == INFINITE { "inf".to_owned() } else { n.to_string() };
        let (phi, delta) = (number(root.phi), number(root.delta));
        let (nodes, expansions) = (monitor.nodes(), monitor.expansions());
        writeln!(self.file, "{seconds:.3},{nodes},{expansions},{phi},{delta}")
    }

    fn run(mut self, monitor: &Monitor, wait: &mpsc::Receiver<()>) -> Result<(), FileError> {
        let started = Instant::now();
        let mut written = Ok(());
        loop {
            let is_done = wait.recv_timeout(TICK) != Err(RecvTimeoutError::Timeout);
            if written.is_ok() {
                written = self.record(started.elapsed().as_secs_f64(), monitor);
            }
            if is_done {
                break;
            }
        }
        written
            .and_then(|()| self.file.flush())
            .map_err(|error| FileError::new("write", &self.path, error))
    }
}

/// Searches while another thread records the time line, if one is wanted. The second result is that
/// of the recording.
pub(crate) fn record<R>(
    trace: Option<Trace>,
    monitor: &Monitor,
    search: impl FnOnce() -> R,
) -> (R, Result<(), FileError>) {
    let Some(trace) = trace else { return (search(), Ok(())) };
    let (finished, wait) = mpsc::channel::<()>();
    thread::scope(|scope| {
        // Without a thread, the answer comes without a time line.
        let recorder =
            thread::Builder::new().spawn_scoped(scope, move || trace.run(monitor, &wait));
        let answer = search();
        drop(finished);
        let recorded = recorder.map_or(Ok(()), |recorder| recorder.join().unwrap_or(Ok(())));
        (answer, recorded)
    })
}
