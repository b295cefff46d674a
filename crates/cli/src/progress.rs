//! Shows on stderr how far long work has come: a bar on a terminal, plain lines otherwise.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use papamu_base::Progress;
use papamu_values::konane::Regions;

use crate::output::{Output, grouped};

/// What tells how far work has come.
pub(crate) trait Gauge: Sync {
    /// Work finished so far.
    fn done(&self) -> u64;

    /// All the work there is, if known.
    fn total(&self) -> Option<u64> {
        None
    }
}

impl Gauge for Progress {
    fn done(&self) -> u64 {
        self.done()
    }

    fn total(&self) -> Option<u64> {
        self.total()
    }
}

/// Regions whose values are known.
impl Gauge for Regions {
    fn done(&self) -> u64 {
        self.count() as u64
    }
}

/// Work shorter than this stays silent.
const PATIENCE: Duration = Duration::from_secs(1);
const BAR_INTERVAL: Duration = Duration::from_millis(100);
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Does the work while another thread shows its progress; `unit` names what is counted.
pub(crate) fn watch<R: Send>(
    output: &Output,
    unit: &str,
    progress: &impl Gauge,
    work: impl FnOnce() -> R + Send,
) -> R {
    if output.is_quiet() {
        return work();
    }
    let (finished, wait) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let show = move || {
            let started = Instant::now();
            if wait.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            if io::stderr().is_terminal() {
                show_bar(unit, progress, &wait);
            } else {
                print_lines(unit, progress, started, &wait);
            }
        };
        // A system that grants no thread gets its answer without progress.
        let _ = thread::Builder::new().spawn_scoped(scope, show);
        let answer = work();
        drop(finished);
        answer
    })
}

fn show_bar(unit: &str, progress: &impl Gauge, wait: &mpsc::Receiver<()>) {
    let bar = ProgressBar::no_length();
    let template = match progress.total() {
        Some(_) => "{bar:40} {human_pos}/{human_len} {msg}, {elapsed}, {eta} left",
        None => "{spinner} {human_pos} {msg}, {per_sec}, {elapsed}",
    };
    // The templates are constant; should one be wrong, the default style still shows the counts.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_message(unit.to_owned());
    loop {
        if let Some(total) = progress.total() {
            bar.set_length(total);
        }
        bar.set_position(progress.done());
        if wait.recv_timeout(BAR_INTERVAL) != Err(RecvTimeoutError::Timeout) {
            break;
        }
    }
    bar.finish_and_clear();
}

fn print_lines(unit: &str, progress: &impl Gauge, started: Instant, wait: &mpsc::Receiver<()>) {
    loop {
        let done = grouped(progress.done());
        let of = progress.total().map_or(String::new(), |total| format!("/{}", grouped(total)));
        let seconds = started.elapsed().as_secs_f64();
        if writeln!(io::stderr(), "{done}{of} {unit}, {seconds:.0} s").is_err() {
            break;
        }
        if wait.recv_timeout(LINE_INTERVAL) != Err(RecvTimeoutError::Timeout) {
            break;
        }
    }
}
