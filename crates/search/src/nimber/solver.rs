//! The way into searches with nimbers: which algorithm, how many threads, and what to do when the memory is full.

use std::time::Instant;

use papamu_game::sums::{ComponentLists, Sums};
use parking_lot::Mutex;

use super::depth_first::DepthFirst;
use super::dfpn::{Crowd, DfPn};
use super::file::Lemmas;
use super::lands::{Couple, Halt, Land, Lands};
use super::look::{Looker, Prospect};
use super::pns::Pns;
use crate::numbers::Numbers;
use crate::options::{Algorithm, Options};
use crate::run::Monitor;

/// How one search works.
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
    /// The search pauses then.
    pub(super) deadline: Option<Instant>,
}

/// Searches of one game, and what they have learnt.
pub struct Solver<'a> {
    sums: &'a dyn Sums,
    settings: Settings,
    lands: Lands<'a>,
    monitor: &'a Monitor,
    /// How often the memory was full.
    restarts: u64,
}

/// A search begins again only if nimbers leave this share of the memory free.
const MOST_FILL: f64 = 0.75;

/// A position as the codes of its parts.
#[derive(Clone, Debug)]
pub struct Position(Vec<Box<[u8]>>);

impl Position {
    /// The position of one list of parts.
    pub fn new(parts: &ComponentLists, list: usize) -> Position {
        Position(parts.list(list).map(Box::from).collect())
    }
}

impl<'a> Solver<'a> {
    /// Nothing is known yet.
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
        let lands = Lands::new(sums, settings.memory_bytes)?;
        Ok(Solver { sums, settings, lands, monitor, restarts: 0 })
    }

    /// When searches pause: [`Halt::Paused`] says that they did, and the next one goes on from there.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.settings.deadline = deadline;
    }

    /// The nimber of a position, if it is known.
    pub fn known_nimber(&self, position: &Position) -> Option<u32> {
        self.lands.nimber_of(self.lands_of(position).ok()?)
    }

    pub(super) fn monitor(&self) -> &Monitor {
        self.monitor
    }

    /// How many nimbers are known.
    pub fn nimbers(&self) -> usize {
        self.lands.nimbers()
    }

    /// How many parts were met since the memory was full last.
    pub fn parts(&self) -> usize {
        self.lands.count()
    }

    /// How often the memory was full and everything but nimbers was forgotten.
    pub fn restarts(&self) -> u64 {
        self.restarts
    }

    /// Adds nimbers that are known from elsewhere.
    pub fn learn(&mut self, lemmas: &Lemmas) -> Result<(), Halt> {
        for (code, nimber) in lemmas.iter() {
            let land = self.lands.intern(code)?;
            self.lands.set_nimber(land, u32::from(nimber))?;
        }
        self.monitor.set_nimbers(self.lands.nimbers() as u64);
        Ok(())
    }

    /// All nimbers that are known.
    pub fn lemmas(&self) -> Lemmas {
        let known = self.lands.known();
        known.map(|(land, nimber)| (self.lands.code(land).into(), nimber as u8)).collect()
    }

    pub(super) fn lands(&self) -> &Lands<'a> {
        &self.lands
    }

    pub(super) fn lands_of(&self, position: &Position) -> Result<Vec<Land>, Halt> {
        position.0.iter().map(|code| self.lands.intern(code)).collect()
    }

    /// Whether the player to move wins a position, if that follows from what is known.
    pub fn is_known(&self, position: &Position) -> Result<Option<bool>, Halt> {
        let lands = self.lands_of(position)?;
        let looker = Looker { lands: &self.lands, settings: &self.settings };
        Ok(match looker.sum(lands.into_iter(), 0) {
            Prospect::Decided(is_won) => Some(is_won),
            _ => None,
        })
    }

    /// Whether the player to move wins a position.
    pub fn solve(&mut self, position: &Position) -> Result<bool, Halt> {
        self.with_restarts(|solver| {
            let lands = solver.lands_of(position)?;
            loop {
                let looker = Looker { lands: &solver.lands, settings: &solver.settings };
                match looker.sum(lands.iter().copied(), 0) {
                    Prospect::Decided(is_won) => return Ok(is_won),
                    Prospect::Couple(next) | Prospect::Sum(_, next) => {
                        solver.decide(next.land, next.heap)?;
                    }
                }
            }
        })
    }

    /// The nimber of a position, of a game that has nimbers.
    pub fn nimber(&mut self, position: &Position) -> Result<u32, Halt> {
        self.with_restarts(|solver| {
            let mut sum = 0;
            for land in solver.lands_of(position)? {
                sum ^= loop {
                    let record = solver.lands.record(land);
                    match record.nimber() {
                        Some(nimber) => break nimber,
                        None => solver.decide(land, record.least_possible())?,
                    }
                };
            }
            Ok(sum)
        })
    }

    /// Decides a couple with the chosen search.
    fn decide(&self, land: Land, heap: u32) -> Result<(), Halt> {
        let Solver { settings, lands, monitor, .. } = self;
        match settings.algorithm {
            Algorithm::Pns => Pns::new(lands, settings, monitor).decide(land, heap),
            Algorithm::AlphaBeta => DepthFirst::new(lands, settings, monitor).decide(land, heap),
            Algorithm::Pn2 | Algorithm::Reference => Err(Halt::NoSuchSearch),
            Algorithm::DfPn => {
                let crowd = Crowd::default();
                let work = || DfPn::new(lands, settings, &crowd, monitor).decide(land, heap);
                if settings.threads <= 1 {
                    work()
                } else {
                    let searched = in_threads(settings.threads, lands, work);
                    // One thread may have decided it while another could not go on.
                    match lands.couple(land, heap) {
                        Couple::Decided(_) if searched != Err(Halt::Contradiction) => Ok(()),
                        _ => searched,
                    }
                }
            }
        }
    }

    /// Does work again if the memory is full, with nothing but the nimbers that were found, as long as some were.
    fn with_restarts<T>(
        &mut self,
        work: impl Fn(&Solver<'a>) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        loop {
            let known = self.lands.nimbers();
            match work(self) {
                Err(Halt::Memory) if self.lands.nimbers() > known => {
                    let lemmas = self.lemmas();
                    self.lands = Lands::new(self.sums, self.settings.memory_bytes)?;
                    self.restarts += 1;
                    self.learn(&lemmas)?;
                    // With so little room left, every step would be one of many restarts.
                    if self.lands.fill() > MOST_FILL {
                        return Err(Halt::Memory);
                    }
                }
                done => return done,
            }
        }
    }
}

/// One thread's share of the counters, added up now and then.
pub(super) struct Counts<'a> {
    monitor: &'a Monitor,
    deadline: Option<Instant>,
    expansions: u64,
    nodes: u64,
}

/// Expansions and options between two times that counters are added up and stops are heard of.
const EXPANSIONS_PER_LOOK: u64 = 64;
const OPTIONS_PER_LOOK: u64 = 1 << 13;

impl<'a> Counts<'a> {
    pub(super) fn new(monitor: &'a Monitor, settings: &Settings) -> Counts<'a> {
        Counts { monitor, deadline: settings.deadline, expansions: 0, nodes: 0 }
    }

    /// Counts an expansion with so many options; an error if the search has to stop.
    pub(super) fn expanded(&mut self, lands: &Lands, options: usize) -> Result<(), Halt> {
        self.expansions += 1;
        self.nodes += options as u64;
        if self.expansions >= EXPANSIONS_PER_LOOK || self.nodes >= OPTIONS_PER_LOOK {
            self.flush();
            self.monitor.set_nimbers(lands.nimbers() as u64);
            self.monitor.set_fill(lands.fill());
            if self.monitor.is_stopped() || lands.is_halted() {
                return Err(Halt::Stopped);
            }
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(Halt::Paused);
            }
        }
        Ok(())
    }

    /// The numbers of the root have changed.
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

/// Does the same work on several threads; when one cannot go on, all stop.
fn in_threads(
    threads: usize,
    lands: &Lands,
    work: impl Fn() -> Result<(), Halt> + Sync,
) -> Result<(), Halt> {
    let failed: Mutex<Option<Halt>> = Mutex::new(None);
    lands.set_halted(false);
    std::thread::scope(|scope| {
        let run = || {
            if let Err(halt) = work() {
                // The others stop because this one did.
                failed.lock().get_or_insert(halt);
                lands.set_halted(true);
            }
        };
        for _ in 1..threads {
            // A system that grants fewer threads gets its answer from those.
            let _ = std::thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
    failed.into_inner().map_or(Ok(()), Err)
}
