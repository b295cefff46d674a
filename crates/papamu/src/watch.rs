//! How a long verb is watched: its current work, its progress, and the request to stop it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use papamu_base::{Progress, Stop};
use papamu_search::numbers::INFINITE;
use papamu_search::run::Monitor;
use serde::Serialize;

use crate::{BenchRun, CompareRun, CompareTablesRun, TradeoffRow};

/// Observes progress and may stop the work.
///
/// A verb calls [`Watch::stage`] around each piece of long work. The watch may read the pulse of
/// the work from another thread while it runs, as often as it likes.
pub trait Watch: Sync {
    /// The request to stop the work. A verb that sees it ends soon with an error; its files stay.
    fn stop(&self) -> Stop {
        Stop::new()
    }

    /// Does a piece of work, which must be called once.
    fn stage(&self, stage: &Stage<'_>, work: &mut (dyn FnMut() + Send)) {
        let _ = stage;
        work();
    }

    /// Receives a part of the report that is ready before the rest.
    fn part(&self, part: Part<'_>) {
        let _ = part;
    }

    /// Receives a warning, which does not end the work.
    fn warn(&self, warning: &str) {
        let _ = warning;
    }
}

/// A watch that does nothing.
///
/// ```
/// use papamu::{Registry, Silent, Solve};
///
/// let request = Solve {
///     game: Some("konane".into()),
///     position: Some("4x4".into()),
///     ..Solve::default()
/// };
/// let report = papamu::solve(&Registry::standard(), &request, &Silent)?;
/// assert_eq!(report.winner.as_deref(), Some("white"));
/// # Ok::<(), papamu::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Watch for Silent {}

/// A watch that can only stop the work.
impl Watch for Stop {
    fn stop(&self) -> Stop {
        self.clone()
    }
}

/// Work that is about to begin.
pub struct Stage<'a> {
    /// What is counted, such as "nodes" or "positions".
    pub unit: &'a str,
    pulse: &'a (dyn Fn() -> Pulse + Sync),
}

impl Stage<'_> {
    /// The progress of the work.
    pub fn pulse(&self) -> Pulse {
        (self.pulse)()
    }
}

/// The progress of work.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Pulse {
    /// The work done.
    pub done: u64,
    /// The total work, if known.
    pub total: Option<u64>,
    /// More about a search.
    pub search: Option<SearchPulse>,
}

/// Figures of a running search.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct SearchPulse {
    /// Positions evaluated.
    pub nodes: u64,
    /// Those that were evaluated before the search was resumed.
    pub earlier_nodes: u64,
    /// Positions expanded.
    pub expansions: u64,
    /// The root's phi and delta; none if the search has no such numbers. Infinity is `None`.
    pub root: Option<[Option<u32>; 2]>,
    /// The share of the memory that is in use.
    pub fill: f64,
    /// Nimbers known.
    pub nimbers: u64,
}

impl From<&Progress> for Pulse {
    fn from(progress: &Progress) -> Pulse {
        Pulse { done: progress.done(), total: progress.total(), search: None }
    }
}

impl From<&Monitor> for Pulse {
    fn from(monitor: &Monitor) -> Pulse {
        let root = monitor.root();
        let number = |n: u32| (n != INFINITE).then_some(n);
        // Alpha-beta has no such numbers.
        let has_numbers = root.phi > 0 || root.delta > 0;
        let search = SearchPulse {
            nodes: monitor.nodes(),
            earlier_nodes: monitor.earlier_nodes(),
            expansions: monitor.expansions(),
            root: has_numbers.then(|| [number(root.phi), number(root.delta)]),
            fill: monitor.fill(),
            nimbers: monitor.nimbers(),
        };
        Pulse { done: search.nodes, total: None, search: Some(search) }
    }
}

/// A part of a report that is ready before the rest.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Part<'a> {
    /// A search of `bench`.
    Bench(&'a BenchRun),
    /// A search of `compare`.
    Compare(&'a CompareRun),
    /// A search of `compare_tables`.
    CompareTables(&'a CompareTablesRun),
    /// A search of `tradeoff`.
    Tradeoff(&'a TradeoffRow),
}

/// Does work that counts its progress.
pub(crate) fn with_progress<R: Send>(
    watch: &dyn Watch,
    unit: &str,
    work: impl FnOnce(&Progress) -> R + Send,
) -> R {
    let progress = Progress::with_stop(&watch.stop());
    with_pulse(watch, unit, &|| Pulse::from(&progress), || work(&progress))
}

/// Does a search.
pub(crate) fn with_monitor<R: Send>(
    watch: &dyn Watch,
    monitor: &Monitor,
    work: impl FnOnce() -> R + Send,
) -> R {
    with_pulse(watch, "nodes", &|| Pulse::from(monitor), work)
}

/// Does work that has a pulse of its own.
pub(crate) fn with_pulse<R: Send>(
    watch: &dyn Watch,
    unit: &str,
    pulse: &(dyn Fn() -> Pulse + Sync),
    work: impl FnOnce() -> R + Send,
) -> R {
    let (mut work, mut answer) = (Some(work), None);
    watch.stage(&Stage { unit, pulse }, &mut || {
        if let Some(work) = work.take() {
            answer = Some(work());
        }
    });
    match (answer, work) {
        (Some(answer), _) => answer,
        // The watch forgot to call it.
        (None, Some(work)) => work(),
        (None, None) => unreachable!("work that was begun has an answer"),
    }
}

/// A watch that also stops work when its time is up.
struct Limited<'a> {
    watch: &'a dyn Watch,
    stop: Stop,
}

impl Watch for Limited<'_> {
    fn stop(&self) -> Stop {
        self.stop.clone()
    }

    fn stage(&self, stage: &Stage<'_>, work: &mut (dyn FnMut() + Send)) {
        self.watch.stage(stage, work);
    }

    fn part(&self, part: Part<'_>) {
        self.watch.part(part);
    }

    fn warn(&self, warning: &str) {
        self.watch.warn(warning);
    }
}

/// The time between two checks of the clock.
const TICK: Duration = Duration::from_millis(20);

/// Does work within a time limit. Returns whether the limit stopped it as well.
pub(crate) fn within<R>(
    watch: &dyn Watch,
    limit: Duration,
    work: impl FnOnce(&dyn Watch) -> R,
) -> (R, bool) {
    let limited = Limited { watch, stop: Stop::new() };
    let (finished, wait) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let (outer, stop, started) = (watch.stop(), &limited.stop, Instant::now());
        let clock = move || {
            while wait.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                let is_up = started.elapsed() >= limit;
                if is_up || outer.is_set() {
                    stop.set();
                    return is_up && !outer.is_set();
                }
            }
            false
        };
        // Without a thread, the answer comes without a limit.
        let clock = thread::Builder::new().spawn_scoped(scope, clock);
        let answer = work(&limited);
        drop(finished);
        (answer, clock.is_ok_and(|clock| clock.join().unwrap_or(false)))
    })
}

/// What a piece of work may take.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    pub(crate) time: Option<Duration>,
    /// In units of its progress; it ends soon after.
    pub(crate) work: Option<u64>,
}

/// A limit that ended a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    Time,
    Work,
}

/// A piece of work that had limits.
pub(crate) struct LimitedRun<R> {
    pub(crate) answer: R,
    /// The limit that stopped it.
    pub(crate) exceeded: Option<Limit>,
    /// The work of its longest stage, in units of its progress.
    pub(crate) work: u64,
    pub(crate) seconds: f64,
}

/// A watch that also stops work that has done enough.
struct Counted<'a> {
    watch: &'a dyn Watch,
    stop: Stop,
    limit: u64,
    work: AtomicU64,
    is_over: AtomicBool,
}

impl Watch for Counted<'_> {
    fn stop(&self) -> Stop {
        self.stop.clone()
    }

    fn stage(&self, stage: &Stage<'_>, work: &mut (dyn FnMut() + Send)) {
        let (finished, wait) = mpsc::channel::<()>();
        thread::scope(|scope| {
            let count = move || {
                while wait.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    if stage.pulse().done >= self.limit {
                        self.is_over.store(true, Ordering::Relaxed);
                        self.stop.set();
                        return;
                    }
                }
            };
            // Without a thread, the answer comes without a limit.
            let _ = thread::Builder::new().spawn_scoped(scope, count);
            self.watch.stage(stage, work);
            drop(finished);
        });
        self.work.fetch_max(stage.pulse().done, Ordering::Relaxed);
    }

    fn part(&self, part: Part<'_>) {
        self.watch.part(part);
    }

    fn warn(&self, warning: &str) {
        self.watch.warn(warning);
    }
}

/// Does work within limits of time and of work.
pub(crate) fn within_limits<R>(
    watch: &dyn Watch,
    limits: Limits,
    work: impl FnOnce(&dyn Watch) -> R,
) -> LimitedRun<R> {
    let started = Instant::now();
    let time = limits.time.unwrap_or(Duration::MAX);
    let ((answer, is_over, done), is_late) = within(watch, time, |watch| {
        let counted = Counted {
            watch,
            stop: watch.stop(),
            limit: limits.work.unwrap_or(u64::MAX),
            work: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
        };
        let answer = work(&counted);
        (answer, counted.is_over.into_inner(), counted.work.into_inner())
    });
    let exceeded = match (is_over, is_late) {
        (true, _) => Some(Limit::Work),
        (false, true) => Some(Limit::Time),
        (false, false) => None,
    };
    LimitedRun { answer, exceeded, work: done, seconds: started.elapsed().as_secs_f64() }
}
