//! The state that all threads of a search share: the problem, the options, the tables, the
//! counters.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use papamu_base::Stop;
use papamu_base::memory::OutOfMemory;
use papamu_game::{Guided, Key};

use crate::cycles::Basis;
use crate::numbers::Numbers;
use crate::options::{Algorithm, Options};
use crate::problem::Problem;
use crate::snapshot::Snapshot;
use crate::table::{Data, Table};

/// Reports the progress of a running search, and stops it.
#[derive(Debug, Default)]
pub struct Monitor {
    nodes: AtomicU64,
    expansions: AtomicU64,
    phi: AtomicU32,
    delta: AtomicU32,
    /// In thousandths.
    fill: AtomicU32,
    stop: Stop,
    /// Searches end when so many positions are evaluated; 0 if there is no limit.
    most_nodes: AtomicU64,
    nimbers: AtomicU64,
    earlier_nodes: AtomicU64,
}

impl Monitor {
    /// A monitor of a search that has not begun and that nobody else stops.
    pub fn new() -> Monitor {
        Monitor::default()
    }

    /// A monitor of a search that ends when this stop is set.
    pub fn with_stop(stop: &Stop) -> Monitor {
        Monitor { stop: stop.clone(), ..Monitor::default() }
    }

    /// Positions evaluated so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Positions expanded so far.
    pub fn expansions(&self) -> u64 {
        self.expansions.load(Ordering::Relaxed)
    }

    /// Counts the work of the search that this one resumes.
    pub fn add_earlier(&self, nodes: u64, expansions: u64) {
        self.add(nodes, expansions);
        self.earlier_nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// The positions evaluated by the search that this one resumes.
    pub fn earlier_nodes(&self) -> u64 {
        self.earlier_nodes.load(Ordering::Relaxed)
    }

    /// The number of known nimbers, in searches with nimbers.
    pub fn nimbers(&self) -> u64 {
        self.nimbers.load(Ordering::Relaxed)
    }

    pub(crate) fn set_nimbers(&self, nimbers: u64) {
        self.nimbers.store(nimbers, Ordering::Relaxed);
    }

    /// Counts work.
    pub(crate) fn add(&self, nodes: u64, expansions: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
        self.expansions.fetch_add(expansions, Ordering::Relaxed);
    }

    /// The numbers of the root.
    pub fn root(&self) -> Numbers {
        Numbers { phi: self.phi.load(Ordering::Relaxed), delta: self.delta.load(Ordering::Relaxed) }
    }

    /// The share of the working memory that is in use, of the table or of the tree.
    pub fn fill(&self) -> f64 {
        f64::from(self.fill.load(Ordering::Relaxed)) / 1000.0
    }

    /// Asks the search to stop soon.
    pub fn stop(&self) {
        self.stop.set();
    }

    /// Whether the search was asked to stop.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_set() || self.is_over_limit()
    }

    #[inline]
    fn is_over_limit(&self) -> bool {
        let most_nodes = self.most_nodes.load(Ordering::Relaxed);
        most_nodes != 0 && self.nodes() >= most_nodes
    }

    /// A search within the search, which ends without an answer after so many more positions.
    pub(crate) fn limited<T>(&self, nodes: u64, search: impl FnOnce() -> T) -> T {
        self.most_nodes.store(self.nodes().saturating_add(nodes), Ordering::Relaxed);
        let found = search();
        self.most_nodes.store(0, Ordering::Relaxed);
        found
    }

    pub(crate) fn set_fill(&self, share: f64) {
        self.fill.store((share * 1000.0) as u32, Ordering::Relaxed);
    }

    pub(crate) fn set_root(&self, numbers: Numbers) {
        self.phi.store(numbers.phi, Ordering::Relaxed);
        self.delta.store(numbers.delta, Ordering::Relaxed);
    }
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Outcome<M> {
    /// The answer to the question; `None` if the search was stopped.
    pub won: Option<bool>,
    /// A winning move, if the answer is yes and there is one.
    pub winning_move: Option<M>,
    /// Positions evaluated.
    pub nodes: u64,
    /// Positions expanded.
    pub expansions: u64,
    /// Nodes of the first level, in PN2.
    pub first_level_nodes: Option<u64>,
}

/// The memory of a search, which outlives it: another search of the same question may go on with
/// it.
pub struct Store<K> {
    /// Solved positions, and working numbers of df-pn or bounds of alpha-beta.
    pub table: Table<K>,
    /// The tree, of searches that have one.
    pub tree: Option<Snapshot>,
}

impl<K: Key> Store<K> {
    /// An empty memory for an algorithm, which takes its share of all the memory.
    pub fn new(algorithm: Algorithm, memory_bytes: usize) -> Result<Store<K>, OutOfMemory> {
        match algorithm {
            Algorithm::DfPn | Algorithm::AlphaBeta | Algorithm::Reference => {
                Ok(Store { table: Table::new(memory_bytes)?, tree: None })
            }
            // The rest is for the trees.
            Algorithm::Pns | Algorithm::Pn2 => Ok(Store {
                table: Table::new(memory_bytes / 4)?,
                tree: Some(Snapshot::new(memory_bytes)),
            }),
        }
    }
}

/// The shared state of a search.
pub(crate) struct Run<'a, G: Guided> {
    pub(crate) problem: &'a Problem<'a, G>,
    pub(crate) options: &'a Options,
    pub(crate) monitor: &'a Monitor,
    pub(crate) table: &'a Table<G::Key>,
    pub(crate) tree: Option<&'a Snapshot>,
    /// The winning move at the root, once it is found.
    pub(crate) winning: OnceLock<G::Move>,
}

impl<'a, G: Guided> Run<'a, G> {
    pub(crate) fn new(
        problem: &'a Problem<'a, G>,
        options: &'a Options,
        store: &'a Store<G::Key>,
        monitor: &'a Monitor,
    ) -> Run<'a, G> {
        let Store { table, tree } = store;
        Run { problem, options, monitor, table, tree: tree.as_ref(), winning: OnceLock::new() }
    }

    pub(crate) fn counter(&self) -> Counter<'a> {
        Counter { monitor: self.monitor, nodes: 0, expansions: 0, flushed: 0 }
    }

    /// Stores a solved position and tells the sink.
    pub(crate) fn store_solved(
        &self,
        position: &G::Position,
        key: G::Key,
        numbers: Numbers,
        work: u64,
        basis: Basis,
    ) {
        let Some(won) = numbers.solved() else { return };
        if G::CYCLIC && basis != Basis::NOTHING {
            self.table.put(key, Data::provisional(numbers, work));
        } else {
            self.problem.report(position, won);
            self.table.put(key, Data::new(numbers, work));
        }
    }

    /// The outcome once all threads are done.
    pub(crate) fn outcome(
        &self,
        numbers: Numbers,
        winning_move: Option<G::Move>,
    ) -> Outcome<G::Move> {
        self.monitor.set_root(numbers);
        Outcome {
            won: numbers.solved(),
            winning_move,
            nodes: self.monitor.nodes(),
            expansions: self.monitor.expansions(),
            first_level_nodes: None,
        }
    }

    /// A move to a position that is known to be lost, if there is one.
    pub(crate) fn winning_move(&self) -> Option<G::Move> {
        if let Some(mv) = self.winning.get() {
            return Some(mv.clone());
        }
        let Problem { game, root, .. } = *self.problem;
        let mut moves = Vec::new();
        game.moves(root, &mut moves);
        moves.into_iter().find(|mv| {
            let child = game.after(root, mv);
            let numbers = self.problem.evaluate(&child, self.options, None);
            let known = || self.table.get_solved(game.key(&child)).map(Data::numbers);
            numbers.solved().or_else(|| known().and_then(Numbers::solved)) == Some(false)
        })
    }
}

/// One thread's share of the counters, added to the totals at intervals.
pub(crate) struct Counter<'a> {
    monitor: &'a Monitor,
    nodes: u64,
    expansions: u64,
    /// Nodes already added to the totals.
    flushed: u64,
}

impl Counter<'_> {
    /// Counts an expansion and the positions that it evaluated.
    #[inline]
    pub(crate) fn expanded(&mut self, nodes: usize) {
        self.nodes += nodes as u64;
        self.expansions += 1;
        if self.expansions == 256 {
            self.flush();
        }
    }

    /// Positions that this thread has evaluated in all.
    #[inline]
    pub(crate) fn nodes_in_all(&self) -> u64 {
        self.flushed + self.nodes
    }

    fn flush(&mut self) {
        self.flushed += self.nodes;
        self.monitor.add(self.nodes, self.expansions);
        (self.nodes, self.expansions) = (0, 0);
    }
}

impl Drop for Counter<'_> {
    fn drop(&mut self) {
        self.flush();
    }
}
