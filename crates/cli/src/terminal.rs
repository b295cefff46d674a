//! Shows the progress of long work on stderr: a bar on a terminal, plain lines otherwise. Parts of
//! an answer that are ready before the rest are printed as they come.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use papamu::{Part, Pulse, SearchPulse, Stage, Watch};
use papamu_base::Stop;

use crate::failure::Failure;
use crate::output::{Output, grouped};
use crate::text;

/// Work shorter than this stays silent.
const PATIENCE: Duration = Duration::from_secs(1);
const BAR_INTERVAL: Duration = Duration::from_millis(100);
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Watches verbs for a user in front of a terminal.
pub(crate) struct Terminal<'a> {
    output: Mutex<&'a mut Output>,
    is_quiet: bool,
    stop: Stop,
    /// Parts printed so far.
    parts: Mutex<Parts>,
}

#[derive(Default)]
struct Parts {
    count: usize,
    failure: Option<Failure>,
}

impl<'a> Terminal<'a> {
    pub(crate) fn new(output: &'a mut Output, is_quiet: bool, stop: Stop) -> Terminal<'a> {
        Terminal { output: Mutex::new(output), is_quiet, stop, parts: Mutex::default() }
    }

    /// Where the answer goes.
    pub(crate) fn output(&mut self) -> &mut Output {
        self.output.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a part could not be printed.
    pub(crate) fn take_failure(&mut self) -> Result<(), Failure> {
        let parts = self.parts.get_mut().unwrap_or_else(PoisonError::into_inner);
        parts.failure.take().map_or(Ok(()), Err)
    }
}

impl Watch for Terminal<'_> {
    fn stop(&self) -> Stop {
        self.stop.clone()
    }

    fn stage(&self, stage: &Stage<'_>, work: &mut (dyn FnMut() + Send)) {
        if self.is_quiet {
            return work();
        }
        let (finished, wait) = mpsc::channel::<()>();
        thread::scope(|scope| {
            // Without a thread, the answer comes without progress.
            let _ = thread::Builder::new().spawn_scoped(scope, move || show(stage, &wait));
            work();
            drop(finished);
        });
    }

    fn part(&self, part: Part<'_>) {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        if output.is_json() || parts.failure.is_some() {
            return;
        }
        for line in text::part(part, parts.count) {
            if let Err(failure) = output.line(&line) {
                parts.failure = Some(failure);
                return;
            }
        }
        parts.count += 1;
    }

    fn warn(&self, warning: &str) {
        // If stderr cannot be written, there is nobody to tell.
        let _ = writeln!(io::stderr(), "papamu: {warning}");
    }
}

fn show(stage: &Stage<'_>, wait: &mpsc::Receiver<()>) {
    let started = Instant::now();
    if wait.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
        return;
    }
    let is_terminal = io::stderr().is_terminal();
    let interval = if is_terminal { BAR_INTERVAL } else { LINE_INTERVAL };
    let bar = is_terminal.then(|| new_bar(&stage.pulse(), stage.unit));
    // Time and work at the last measurement of the speed.
    let mut last: (Duration, u64) = (Duration::ZERO, 0);
    loop {
        let (pulse, elapsed) = (stage.pulse(), started.elapsed());
        let text = match &pulse.search {
            Some(search) => search_text(search, elapsed, &mut last),
            None => work_text(&pulse, stage.unit, elapsed),
        };
        match &bar {
            Some(bar) if pulse.search.is_some() => {
                bar.set_message(text);
                bar.tick();
            }
            Some(bar) => {
                pulse.total.into_iter().for_each(|total| bar.set_length(total));
                bar.set_position(pulse.done);
            }
            None => {
                if writeln!(io::stderr(), "{text}").is_err() {
                    break;
                }
            }
        }
        if wait.recv_timeout(interval) != Err(RecvTimeoutError::Timeout) {
            break;
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

fn new_bar(pulse: &Pulse, unit: &str) -> ProgressBar {
    let bar = ProgressBar::no_length();
    let template = match (&pulse.search, pulse.total) {
        (Some(_), _) => "{spinner} {msg}",
        (None, Some(_)) => "{bar:40} {human_pos}/{human_len} {msg}, {elapsed}, {eta} left",
        (None, None) => "{spinner} {human_pos} {msg}, {per_sec}, {elapsed}",
    };
    // The templates are constant. If one is wrong, the default style still shows the counts.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_message(unit.to_owned());
    bar
}

fn work_text(pulse: &Pulse, unit: &str, elapsed: Duration) -> String {
    let done = grouped(pulse.done);
    let of = pulse.total.map_or(String::new(), |total| format!("/{}", grouped(total)));
    format!("{done}{of} {unit}, {:.0} s", elapsed.as_secs_f64())
}

fn search_text(search: &SearchPulse, elapsed: Duration, last: &mut (Duration, u64)) -> String {
    let has_nimbers = search.nimbers > 0;
    let work = if has_nimbers { search.expansions } else { search.nodes };
    let before = last.1.max(search.earlier_nodes);
    let rate = work.saturating_sub(before) as f64 / (elapsed - last.0).as_secs_f64();
    *last = (elapsed, work);
    let number = |n: Option<u32>| n.map_or("inf".to_owned(), |n| n.to_string());
    let root = search
        .root
        .map_or(String::new(), |[phi, delta]| format!("root {}/{}, ", number(phi), number(delta)));
    let done = match search.nimbers {
        0 => format!("{} nodes, {:.2} million per second", grouped(work), rate / 1e6),
        nimbers => format!(
            "{} expansions, {} per second, {} nimbers",
            grouped(work),
            grouped(rate as u64),
            grouped(nimbers)
        ),
    };
    let (fill, seconds) = (search.fill * 100.0, elapsed.as_secs_f64());
    format!("{root}{done}, memory {fill:.1} % full, {seconds:.0} s")
}
