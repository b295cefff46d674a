//! Shows what a running search does: root numbers, nodes, speed; and writes its time line.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use papamu_search::numbers::INFINITE;
use papamu_search::run::Monitor;

use crate::failure::Failure;
use crate::output::{Output, grouped};

const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(100);
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// The time line of a search as CSV.
pub(crate) struct Trace {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Trace {
    pub(crate) fn create(path: &Path) -> Result<Trace, Failure> {
        let fail = |error| Failure::file("write", path, error);
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
}

/// Searches while another thread shows and records the progress. The second result is what
/// became of the trace.
pub(crate) fn watch_search<R: Send>(
    output: &Output,
    monitor: &Monitor,
    trace: Option<Trace>,
    search: impl FnOnce() -> R + Send,
) -> (R, Result<(), Failure>) {
    let (finished, wait) = mpsc::channel::<()>();
    let quiet = output.is_quiet();
    thread::scope(|scope| {
        let show = move || Display::new(monitor, quiet).run(trace, &wait);
        // A system that grants no thread gets its answer without progress.
        let display = thread::Builder::new().spawn_scoped(scope, show);
        let answer = search();
        drop(finished);
        let shown = display.map_or(Ok(()), |display| display.join().unwrap_or(Ok(())));
        (answer, shown)
    })
}

struct Display<'a> {
    monitor: &'a Monitor,
    started: Instant,
    quiet: bool,
    bar: Option<ProgressBar>,
    next_line: Duration,
    /// When and with how many nodes, or expansions with nimbers, the speed was measured last.
    last: (Duration, u64),
}

impl<'a> Display<'a> {
    fn new(monitor: &'a Monitor, quiet: bool) -> Display<'a> {
        Display {
            monitor,
            started: Instant::now(),
            quiet,
            bar: None,
            next_line: PATIENCE,
            last: (Duration::ZERO, monitor.nodes()),
        }
    }

    fn run(&mut self, mut trace: Option<Trace>, wait: &mpsc::Receiver<()>) -> Result<(), Failure> {
        let mut written = Ok(());
        loop {
            let done = wait.recv_timeout(TICK) != Err(RecvTimeoutError::Timeout);
            let elapsed = self.started.elapsed();
            if let (Some(trace), Ok(())) = (&mut trace, &written) {
                written = trace.record(elapsed.as_secs_f64(), self.monitor);
            }
            if done {
                break;
            }
            if !self.quiet && elapsed >= PATIENCE {
                self.show(elapsed);
            }
        }
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        match trace {
            Some(mut trace) => written
                .and_then(|()| trace.file.flush())
                .map_err(|error| Failure::file("write", &trace.path, error)),
            None => Ok(()),
        }
    }

    fn show(&mut self, elapsed: Duration) {
        let terminal = io::stderr().is_terminal();
        if !terminal && elapsed < self.next_line {
            return;
        }
        let seconds = elapsed.as_secs_f64();
        let nimbers = self.monitor.nimbers();
        let nodes = if nimbers > 0 { self.monitor.expansions() } else { self.monitor.nodes() };
        let (phi, delta) = (self.monitor.root().phi, self.monitor.root().delta);
        let (last, last_nodes) = self.last;
        let last_nodes = last_nodes.max(self.monitor.earlier_nodes());
        let rate = nodes.saturating_sub(last_nodes) as f64 / (elapsed - last).as_secs_f64();
        self.last = (elapsed, nodes);
        let nodes = grouped(nodes);
        let fill = self.monitor.fill() * 100.0;
        // Alpha-beta has no such numbers.
        let root = if phi + delta > 0 { format!("root {phi}/{delta}, ") } else { String::new() };
        let work = match nimbers {
            0 => format!("{nodes} nodes, {:.2} million per second", rate / 1e6),
            n => {
                let (rate, nimbers) = (grouped(rate as u64), grouped(n));
                format!("{nodes} expansions, {rate} per second, {nimbers} nimbers")
            }
        };
        let text = format!("{root}{work}, memory {fill:.1} % full, {seconds:.0} s");
        if terminal {
            let bar = self.bar.get_or_insert_with(|| {
                let bar = ProgressBar::new_spinner();
                if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                    bar.set_style(style);
                }
                bar
            });
            bar.set_message(text);
            bar.tick();
        } else {
            self.next_line = elapsed + LINE_INTERVAL;
            let _ = writeln!(io::stderr(), "{text}");
        }
    }
}
