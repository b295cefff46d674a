//! The entry point of searches with nimbers: the choice of the algorithm, the threads, and restarts
//! when the memory is full.

use std::time::Instant;

use papamu_game::sums::{ComponentLists, Sums};
use parking_lot::Mutex;

use super::components::{ComponentId, ComponentTable, Couple, Halt};
use super::depth_first::DepthFirst;
use super::dfpn::{Crowd, DfPn};
use super::file::Lemmas;
use super::look::{Looker, Prospect};
use super::pns::Pns;
use crate::numbers::Numbers;
use crate::options::{Algorithm, Options};
use crate::run::Monitor;

/// The settings of a search.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) algorithm: Algorithm,
    pub(super) threads: usize,
    pub(super) memory_bytes: usize,
    pub(super) epsilon: f32,
    /// Weight of the damped sum of proof numbers; 1 is the plain sum.
    pub(super) damping: u32,
    pub(super) weight_per_number: u32,
    pub(super) is_ordered: bool,
    /// When the search pauses.
    pub(super) deadline: Option<Instant>,
}

/// Searches of one game, and what they have learnt.
pub struct Solver<'a> {
    sums: &'a dyn Sums,
    settings: Settings,
    table: ComponentTable<'a>,
    monitor: &'a Monitor,
    /// How often the memory was full.
    restarts: u64,
}

/// A search restarts only if the nimbers fill at most this share of the memory.
const MOST_FILL: f64 = 0.75;

/// A position as the codes of its components.
#[derive(Clone, Debug)]
pub struct Position(Vec<Box<[u8]>>);

impl Position {
    /// The position that is one list of components.
    pub fn new(components: &ComponentLists, list: usize) -> Position {
        Position(components.list(list).map(Box::from).collect())
    }
}

impl<'a> Solver<'a> {
    /// A solver that knows nothing yet.
    pub fn new(
        sums: &'a dyn Sums,
        algorithm: Algorithm,
        options: &Options,
        monitor: &'a Monitor,
    ) -> Result<Solver<'a>, Halt> {
        if !matches!(algorithm, Algorithm::DfPn | Algorithm::Pns | Algorithm::AlphaBeta) {
            return Err(Halt::NoSuchSearch);
        }
        let settings = Settings {
            algorithm,
            threads: options.threads,
            memory_bytes: options.memory_bytes,
            epsilon: options.epsilon,
            damping: options.damping.weight(),
            weight_per_number: options.weight_per_number,
            is_ordered: options.is_ordered,
            deadline: None,
        };
        let table = ComponentTable::new(sums, settings.memory_bytes)?;
        Ok(Solver { sums, settings, table, monitor, restarts: 0 })
    }

    /// Sets the time at which searches pause with [`Halt::Paused`]. The next search goes on from
    /// there.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.settings.deadline = deadline;
    }

    /// The nimber of a position, if it is known.
    pub fn known_nimber(&self, position: &Position) -> Option<u32> {
        self.table.nimber_of(self.components_of(position).ok()?)
    }

    pub(super) fn monitor(&self) -> &Monitor {
        self.monitor
    }

    /// The number of known nimbers.
    pub fn nimbers(&self) -> usize {
        self.table.nimbers()
    }

    /// The number of components that were met since the last restart.
    pub fn components(&self) -> usize {
        self.table.count()
    }

    /// The number of restarts: the memory was full, and everything but the nimbers was forgotten.
    pub fn restarts(&self) -> u64 {
        self.restarts
    }

    /// Adds nimbers from elsewhere.
    pub fn learn(&mut self, lemmas: &Lemmas) -> Result<(), Halt> {
        for (code, nimber) in lemmas.iter() {
            let component = self.table.intern(code)?;
            self.table.set_nimber(component, u32::from(nimber))?;
        }
        self.monitor.set_nimbers(self.table.nimbers() as u64);
        Ok(())
    }

    /// All nimbers that are known.
    pub fn lemmas(&self) -> Lemmas {
        let known = self.table.known();
        known.map(|(component, nimber)| (self.table.code(component).into(), nimber as u8)).collect()
    }

    pub(super) fn table(&self) -> &ComponentTable<'a> {
        &self.table
    }

    pub(super) fn components_of(&self, position: &Position) -> Result<Vec<ComponentId>, Halt> {
        position.0.iter().map(|code| self.table.intern(code)).collect()
    }

    /// Whether the player to move wins a position, if that follows from what is known.
    pub fn is_known(&self, position: &Position) -> Result<Option<bool>, Halt> {
        let components = self.components_of(position)?;
        let looker = Looker { table: &self.table, settings: &self.settings };
        Ok(match looker.sum(components.into_iter(), 0) {
            Prospect::Decided(is_won) => Some(is_won),
            _ => None,
        })
    }

    /// Whether the player to move wins a position.
    pub fn solve(&mut self, position: &Position) -> Result<bool, Halt> {
        self.with_restarts(|solver| {
            let components = solver.components_of(position)?;
            loop {
                let looker = Looker { table: &solver.table, settings: &solver.settings };
                match looker.sum(components.iter().copied(), 0) {
                    Prospect::Decided(is_won) => return Ok(is_won),
                    Prospect::Couple(next) | Prospect::Sum(_, next) => {
                        solver.decide(next.component, next.heap)?;
                    }
                }
            }
        })
    }

    /// The nimber of a position, in a game that has nimbers.
    pub fn nimber(&mut self, position: &Position) -> Result<u32, Halt> {
        self.with_restarts(|solver| {
            let mut sum = 0;
            for component in solver.components_of(position)? {
                sum ^= loop {
                    let record = solver.table.record(component);
                    match record.nimber() {
                        Some(nimber) => break nimber,
                        None => solver.decide(component, record.least_possible())?,
                    }
                };
            }
            Ok(sum)
        })
    }

    /// Decides a couple with the chosen search.
    fn decide(&self, component: ComponentId, heap: u32) -> Result<(), Halt> {
        let Solver { settings, table, monitor, .. } = self;
        match settings.algorithm {
            Algorithm::Pns => Pns::new(table, settings, monitor).decide(component, heap),
            Algorithm::AlphaBeta => {
                DepthFirst::new(table, settings, monitor).decide(component, heap)
            }
            Algorithm::Pn2 | Algorithm::Reference => Err(Halt::NoSuchSearch),
            Algorithm::DfPn => {
                let crowd = Crowd::default();
                let work = || DfPn::new(table, settings, &crowd, monitor).decide(component, heap);
                if settings.threads <= 1 {
                    work()
                } else {
                    let searched = in_threads(settings.threads, table, work);
                    // One thread may have decided it before another had to stop.
                    match table.couple(component, heap) {
                        Couple::Decided(_) if searched != Err(Halt::Contradiction) => Ok(()),
                        _ => searched,
                    }
                }
            }
        }
    }

    /// Repeats the work when the memory is full, with nothing but the nimbers that were found. It
    /// gives up if there were no new ones.
    fn with_restarts<T>(
        &mut self,
        work: impl Fn(&Solver<'a>) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        loop {
            let known = self.table.nimbers();
            match work(self) {
                Err(Halt::Memory) if self.table.nimbers() > known => {
                    let lemmas = self.lemmas();
                    self.table = ComponentTable::new(self.sums, self.settings.memory_bytes)?;
                    self.restarts += 1;
                    self.learn(&lemmas)?;
                    // With so little room left there would be too many restarts.
                    if self.table.fill() > MOST_FILL {
                        return Err(Halt::Memory);
                    }
                }
                done => return done,
            }
        }
    }
}

/// One thread's share of the counters, added to the totals at intervals.
pub(super) struct Counts<'a> {
    monitor: &'a Monitor,
    deadline: Option<Instant>,
    expansions: u64,
    nodes: u64,
}

/// Expansions and options between two updates of the totals, which also check for a stop.
const EXPANSIONS_PER_LOOK: u64 = 64;
const OPTIONS_PER_LOOK: u64 = 1 << 13;

impl<'a> Counts<'a> {
    pub(super) fn new(monitor: &'a Monitor, settings: &Settings) -> Counts<'a> {
        Counts { monitor, deadline: settings.deadline, expansions: 0, nodes: 0 }
    }

    /// Counts an expansion and its options. Returns an error if the search has to stop.
    pub(super) fn expanded(&mut self, table: &ComponentTable, options: usize) -> Result<(), Halt> {
        self.expansions += 1;
        self.nodes += options as u64;
        if self.expansions >= EXPANSIONS_PER_LOOK || self.nodes >= OPTIONS_PER_LOOK {
            self.flush();
            self.monitor.set_nimbers(table.nimbers() as u64);
            self.monitor.set_fill(table.fill());
            if self.monitor.is_stopped() || table.is_halted() {
                return Err(Halt::Stopped);
            }
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(Halt::Paused);
            }
        }
        Ok(())
    }

    /// Reports the numbers of the root.
    pub(super) fn root(&self, numbers: Numbers) {
        self.monitor.set_root(numbers);
    }

    fn flush(&mut self) {
        self.monitor.add(self.nodes, self.expansions);
        (self.nodes, self.expansions) = (0, 0);
    }
}

impl Drop for Counts<'_> {
    fn drop(&mut self) {
        self.flush();
    }
}

/// Runs the same work on several threads. When one of them cannot go on, all stop.
fn in_threads(
    threads: usize,
    table: &ComponentTable,
    work: impl Fn() -> Result<(), Halt> + Sync,
) -> Result<(), Halt> {
    let failed: Mutex<Option<Halt>> = Mutex::new(None);
    table.set_halted(false);
    std::thread::scope(|scope| {
        let run = || {
            if let Err(halt) = work() {
                // The other threads stop because of this one, so its reason counts.
                failed.lock().get_or_insert(halt);
                table.set_halted(true);
            }
        };
        for _ in 1..threads {
            // If the system grants fewer threads, those that there are do the work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
    failed.into_inner().map_or(Ok(()), Err)
}
