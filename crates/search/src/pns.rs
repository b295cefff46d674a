//! Proof-number search on an explicit tree (L. V. Allis, 1994), with solved subtrees freed and a
//! table of solved positions.

use papamu_base::memory::OutOfMemory;
use papamu_game::Guided;

use crate::cycles::path::Path;
use crate::cycles::{Basis, Repetition};
use crate::numbers::Numbers;
use crate::options::Options;
use crate::problem::Problem;
use crate::run::{Counter, Monitor, Outcome, Run, Store};
use crate::solver::SolveError;
use crate::tree::{Node, NodeId, ROOT, Tree};

/// Answers the question of a problem.
pub(crate) fn solve<G: Guided>(
    problem: &Problem<G>,
    options: &Options,
    store: &Store<G::Key>,
    monitor: &Monitor,
) -> Result<Outcome<G::Move>, SolveError> {
    let run = Run::new(problem, options, store, monitor);
    let numbers = problem.evaluate(problem.root, options, None);
    let capacity = tree_capacity::<G>(options.memory_bytes / 4 * 3);
    let mut pns = Pns::new(&run);
    let numbers = match numbers.solved() {
        Some(_) => numbers,
        None => {
            pns.tree.reset(numbers);
            if let Some(snapshot) = run.tree {
                snapshot.restore(problem, &mut pns.tree)?;
            }
            let end = pns.search(problem.root, &Path::default(), capacity, Level::First);
            if let Some(snapshot) = run.tree {
                snapshot.deliver_last(&pns.tree);
            }
            if end == End::Budget {
                return Err(OutOfMemory { limit_bytes: options.memory_bytes }.into());
            }
            remember_winning_move(&run, &pns.tree);
            pns.tree.node(ROOT).numbers
        }
    };
    drop(pns);
    Ok(run.outcome(numbers, run.winning_move()))
}

/// Records which child of the root is lost, if one is.
pub(crate) fn remember_winning_move<G: Guided>(run: &Run<G>, tree: &Tree<G::Move>) {
    let lost = tree.children(ROOT).find(|&id| tree.node(id).numbers == Numbers::LOST);
    if let Some(mv) = lost.and_then(|id| tree.node(id).mv.clone()) {
        let _ = run.winning.set(mv);
    }
}

/// The number of nodes that fit into memory. An arena that grows exists twice for a moment.
pub(crate) fn tree_capacity<G: Guided>(bytes: usize) -> usize {
    (bytes / size_of::<Node<G::Move>>() / 3).clamp(1000, u32::MAX as usize / 2)
}

/// Why a search of the tree ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Solved,
    /// The tree has reached its budget.
    Budget,
    /// The run was told to stop.
    Stopped,
}

/// Whether the tree is the whole search or a leaf of PN2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    First,
    Second,
}

/// One thread's proof-number search, whose memory is used again from call to call.
pub(crate) struct Pns<'a, G: Guided> {
    run: &'a Run<'a, G>,
    counter: Counter<'a>,
    pub(crate) tree: Tree<G::Move>,
    moves: Vec<G::Move>,
    children: Vec<(G::Move, Numbers, Basis)>,
    repetition: Repetition<G>,
    /// The moves from the root to the current node, with their undo information.
    path: Vec<(G::Move, G::Undo)>,
}

impl<'a, G: Guided> Pns<'a, G> {
    pub(crate) fn new(run: &'a Run<'a, G>) -> Pns<'a, G> {
        Pns {
            run,
            counter: run.counter(),
            tree: Tree::new(run.options.damping),
            moves: Vec::new(),
            children: Vec::new(),
            repetition: Repetition::new(),
            path: Vec::new(),
        }
    }

    /// Continues from the root of the tree until it is solved or the tree has `budget` nodes. That
    /// path leads to the root. When a first-level tree is full, its fringe is cut back and the
    /// search goes on.
    pub(crate) fn search(
        &mut self,
        root: &G::Position,
        path: &Path<G::Key>,
        budget: usize,
        level: Level,
    ) -> End {
        let game = self.run.problem.game;
        self.path.clear();
        let mut position = root.clone();
        self.repetition.start_from(path);
        if self.is_known(ROOT, &position) {
            return End::Solved;
        }
        self.enter(&position);
        let mut current = ROOT;
        loop {
            if self.tree.node(ROOT).numbers.solved().is_some() {
                return End::Solved;
            }
            if self.run.monitor.is_stopped() {
                return End::Stopped;
            }
            if self.tree.len() >= budget {
                if level == Level::Second {
                    return End::Budget;
                }
                // A restored tree may be several times too large.
                while self.tree.len() >= budget {
                    let before = self.tree.len();
                    self.tree.cut_fringe(current);
                    if self.tree.len() == before {
                        return End::Budget;
                    }
                }
            }
            let mut is_known = false;
            while !self.tree.is_leaf(current) {
                current = self.tree.best_child(current);
                if let Some(mv) = self.tree.node(current).mv.clone() {
                    let undo = game.play(&mut position, &mv);
                    self.path.push((mv, undo));
                }
                is_known = self.is_known(current, &position);
                if !is_known {
                    self.enter(&position);
                }
            }
            if is_known {
                current = self.go_up(current, &mut position);
            } else {
                self.expand(current, &mut position);
            }
            current = self.update(current, &mut position);
            if level == Level::First {
                self.run.monitor.set_root(self.tree.node(ROOT).numbers);
                self.run.monitor.set_fill(self.tree.len() as f64 / budget as f64);
                if let Some(snapshot) = self.run.tree.filter(|snapshot| snapshot.is_wanted()) {
                    snapshot.deliver(&self.tree);
                }
            }
        }
    }

    fn enter(&mut self, position: &G::Position) {
        if G::CYCLIC {
            let problem = self.run.problem;
            self.repetition.enter(problem, position, problem.game.key(position));
        }
    }

    /// Whether a leaf is known by now. Games that go in circles have many paths to one position,
    /// and a leaf is often chosen long after another one with its position was solved.
    fn is_known(&mut self, leaf: NodeId, position: &G::Position) -> bool {
        if !G::CYCLIC || !self.tree.is_leaf(leaf) {
            return false;
        }
        let key = self.run.problem.game.key(position);
        let entry = self.run.table.get_solved(key);
        let numbers = self.repetition.known(key, entry, self.tree.node(leaf).numbers);
        if numbers.solved().is_some() {
            self.tree.set_solved(leaf, numbers, self.repetition.result());
        }
        numbers.solved().is_some()
    }

    /// Takes back the move to a node; its parent.
    fn go_up(&mut self, id: NodeId, position: &mut G::Position) -> NodeId {
        if let Some((mv, undo)) = self.path.pop() {
            self.run.problem.game.undo(position, &mv, undo);
        }
        self.tree.parent(id).unwrap_or(ROOT)
    }

    /// Evaluates the children of a leaf. A lost child wins the leaf, and the other children do not
    /// matter.
    fn expand(&mut self, leaf: NodeId, position: &mut G::Position) {
        let Run { problem, options, .. } = self.run;
        let game = problem.game;
        game.moves(position, &mut self.moves);
        let parent = if options.init.wants_parent() { game.evaluate(position) } else { None };
        self.children.clear();
        for mv in self.moves.drain(..) {
            let undo = game.play(position, &mv);
            let mut numbers = problem.evaluate(position, options, parent);
            let mut basis = Basis::NOTHING;
            if numbers.solved().is_none() {
                let key = game.key(position);
                numbers = self.repetition.known(key, self.run.table.get_solved(key), numbers);
                basis = self.repetition.result();
            }
            game.undo(position, &mv, undo);
            self.children.push((mv, numbers, basis));
            if numbers.solved() == Some(false) {
                break;
            }
        }
        self.counter.expanded(self.children.len());
        self.tree.attach(leaf, &self.children);
    }

    /// Updates the numbers from a node upwards, as far as they change, and moves there.
    fn update(&mut self, mut id: NodeId, position: &mut G::Position) -> NodeId {
        loop {
            let before = self.tree.node(id).numbers;
            let numbers = self.tree.combined(id);
            if numbers.solved().is_some() {
                self.repetition.set_result(self.tree.basis_of_result(id, numbers));
                let basis = self.repetition.leave();
                let key = self.run.problem.game.key(position);
                self.run.store_solved(position, key, numbers, 1, basis);
                self.tree.set_solved(id, numbers, basis);
                if id == ROOT {
                    return id;
                }
                self.tree.cut_below(id);
            } else {
                self.tree.node_mut(id).numbers = numbers;
                if numbers == before || id == ROOT {
                    return id;
                }
                self.repetition.leave();
            }
            id = self.go_up(id, position);
        }
    }
}
