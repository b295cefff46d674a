//! The time line of a search as CSV, and its root numbers as a plot.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use papamu_base::file::{AtomicFile, FileError};
use papamu_search::numbers::INFINITE;
use papamu_search::run::Monitor;

use crate::plot::{self, Scale, Series};

/// The time between two lines.
const TICK: Duration = Duration::from_millis(100);

/// The time between the first points of a plot: short searches have one, too.
const FIRST_STEP: Duration = Duration::from_millis(1);

/// More points than these would not be seen.
const MOST_POINTS: usize = 2000;

/// The files to be written.
#[derive(Clone, Copy, Default)]
pub(crate) struct TraceFiles<'a> {
    pub(crate) lines: Option<&'a Path>,
    pub(crate) plot: Option<&'a Path>,
}

/// What records a search.
pub(crate) struct Trace {
    lines: Option<Lines>,
    plot: Option<(AtomicFile, RootPlot)>,
}

impl Trace {
    /// Creates the files that are wanted; none if there are none.
    pub(crate) fn create(files: TraceFiles<'_>, title: &str) -> Result<Option<Trace>, FileError> {
        let lines = files.lines.map(Lines::create).transpose()?;
        let plot = files.plot.map(AtomicFile::new).transpose()?;
        let plot = plot.map(|file| (file, RootPlot::new(title)));
        Ok((lines.is_some() || plot.is_some()).then_some(Trace { lines, plot }))
    }

    fn run(mut self, monitor: &Monitor, wait: &mpsc::Receiver<()>) -> Result<(), FileError> {
        let started = Instant::now();
        let mut written = Ok(());
        let mut next_line = TICK;
        let mut next_point = FIRST_STEP;
        loop {
            let next = match (&self.lines, &self.plot) {
                (Some(_), Some(_)) => next_line.min(next_point),
                (None, Some(_)) => next_point,
                _ => next_line,
            };
            let patience = next.saturating_sub(started.elapsed());
            let is_done = wait.recv_timeout(patience) != Err(RecvTimeoutError::Timeout);
            let elapsed = started.elapsed();
            if let Some(lines) = self.lines.as_mut().filter(|_| is_done || elapsed >= next_line) {
                if written.is_ok() {
                    written = lines.record(elapsed.as_secs_f64(), monitor);
                }
                next_line = elapsed + TICK;
            }
            if let Some((_, plot)) = self.plot.as_mut().filter(|_| is_done || elapsed >= next_point)
            {
                let root = monitor.root();
                plot.add(monitor.nodes(), [root.phi, root.delta]);
                next_point = elapsed + plot.step;
            }
            if is_done {
                break;
            }
        }
        if let Some(Lines { path, mut file }) = self.lines {
            written
                .and_then(|()| file.flush())
                .map_err(|error| FileError::new("write", &path, error))?;
        }
        // A search that was stopped has its plot as well.
        self.plot.map_or(Ok(()), |(file, plot)| file.write(plot.draw().as_bytes()))
    }
}

/// A file that gets a line every tenth of a second.
struct Lines {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Lines {
    fn create(path: &Path) -> Result<Lines, FileError> {
        let fail = |error| FileError::new("write", path, error);
        let mut file = BufWriter::new(File::create(path).map_err(fail)?);
        writeln!(file, "seconds,nodes,expansions,phi,delta").map_err(fail)?;
        Ok(Lines { path: path.to_owned(), file })
    }

    fn record(&mut self, seconds: f64, monitor: &Monitor) -> io::Result<()> {
        let root = monitor.root();
        let number = |n: u32| if n == INFINITE { "inf".to_owned() } else { n.to_string() };
        let (phi, delta) = (number(root.phi), number(root.delta));
        let (nodes, expansions) = (monitor.nodes(), monitor.expansions());
        writeln!(self.file, "{seconds:.3},{nodes},{expansions},{phi},{delta}")
    }
}

/// The numbers of the root over the nodes, as in figures 4.10 to 4.12 of M. Schadd, "Selective
/// Search in Games of Different Complexity" (Maastricht, 2011).
struct RootPlot {
    title: String,
    points: Vec<(u64, [u32; 2])>,
    /// The time between two points.
    step: Duration,
}

impl RootPlot {
    fn new(title: &str) -> RootPlot {
        RootPlot { title: title.to_owned(), points: Vec::new(), step: FIRST_STEP }
    }

    /// When there are too many points, every other one goes and the next ones come half as often.
    /// So a search of a second and one of a week have plots of the same detail.
    fn add(&mut self, nodes: u64, numbers: [u32; 2]) {
        if self.points.len() >= MOST_POINTS {
            let mut is_kept = false;
            self.points.retain(|_| {
                is_kept = !is_kept;
                is_kept
            });
            self.step *= 2;
        }
        self.points.push((nodes, numbers));
    }

    fn draw(&self) -> String {
        // Zero, infinity and a search that has not begun have no place on the scale.
        let series = |label: &'static str, which: usize| Series {
            label,
            points: self
                .points
                .iter()
                .map(|(nodes, numbers)| (*nodes as f64, numbers[which]))
                .filter(|(_, number)| (1..INFINITE).contains(number))
                .map(|(nodes, number)| (nodes, f64::from(number)))
                .collect(),
        };
        plot::lines(
            &self.title,
            "nodes",
            "number of the root",
            Scale::Logarithmic,
            vec![series("proof number", 0), series("disproof number", 1)],
        )
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plots_of_long_searches_keep_their_detail() {
        let mut plot = RootPlot::new("");
        for tick in 0..100_000_u32 {
            // As the thread does it: a point whenever a step has passed.
            if u128::from(tick).is_multiple_of(plot.step.as_millis()) {
                plot.add(tick.into(), [tick + 1, INFINITE]);
            }
        }
        let points = &plot.points;
        assert!((MOST_POINTS / 2..=MOST_POINTS).contains(&points.len()));
        assert_eq!(points[0].0, 0);
        let gaps = points.windows(2).map(|pair| pair[1].0 - pair[0].0);
        let step = plot.step.as_millis() as u64;
        assert!(gaps.clone().all(|gap| gap == step || gap == step / 2), "{step}");
    }

    #[cfg(feature = "plots")]
    #[test]
    fn numbers_without_a_place_on_the_scale_are_left_out() {
        let mut plot = RootPlot::new("a title");
        assert!(plot.draw().contains("a title"));
        for (nodes, numbers) in [(0, [0, 0]), (5, [1, 3]), (9, [7, 30]), (12, [0, INFINITE])] {
            plot.add(nodes, numbers);
        }
        let svg = plot.draw();
        assert!(svg.contains("disproof number"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}
