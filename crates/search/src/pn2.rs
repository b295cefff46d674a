//! PN2: a proof-number search whose leaves are evaluated by a second, bounded one (L. V. Allis,
//! 1994).
//!
//! The first level is evaluated with delay: a leaf gets its second-level search when it is chosen.
//! The children of the second-level root then become first-level leaves, and the rest of that tree
//! is dropped.
//!
//! With several threads the first-level tree is shared (B. Siefke 2025, after T. Kaneko 2010). A
//! thread takes the best leaf that no other thread works on, where every thread below a child adds
//! one to its delta. The lock on the first level is held only for a walk down and up. Almost all
//! time is spent in the second-level trees, of which every thread has its own.

use std::sync::{Condvar, Mutex, PoisonError};

use papamu_game::Guided;

use crate::cycles::Basis;
use crate::cycles::path::Path;
use crate::numbers::Numbers;
use crate::options::Options;
use crate::pns::{End, Level, Pns, remember_winning_move, tree_capacity};
use crate::problem::Problem;
use crate::run::{Monitor, Outcome, Run, Store};
use crate::solver::SolveError;
use crate::tree::{NodeId, ROOT, Tree};

/// Answers the question of a problem.
pub(crate) fn solve<G: Guided>(
    problem: &Problem<G>,
    options: &Options,
    store: &Store<G::Key>,
    monitor: &Monitor,
) -> Result<Outcome<G::Move>, SolveError> {
    let run = Run::new(problem, options, store, monitor);
    let threads = options.threads.max(1);
    let search = Pn2 {
        run: &run,
        first: Mutex::new(First { tree: Tree::new(options.damping), created: 1 }),
        leaf_freed: Condvar::new(),
        capacity: tree_capacity::<G>(options.memory_bytes / 2),
        second_capacity: tree_capacity::<G>(options.memory_bytes / 4 / threads),
    };
    let numbers = problem.evaluate(problem.root, options, None);
    search.lock().tree.reset(numbers);
    if numbers.solved().is_none() {
        if let Some(snapshot) = run.tree {
            let First { tree, created } = &mut *search.lock();
            snapshot.restore(problem, tree)?;
            *created = tree.len() as u64;
        }
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // If the system grants fewer threads, those that there are do the search.
                let _ = std::thread::Builder::new().spawn_scoped(scope, || search.work());
            }
            search.work();
        });
        if let Some(snapshot) = run.tree {
            snapshot.deliver_last(&search.lock().tree);
        }
        remember_winning_move(&run, &search.lock().tree);
    }
    let (numbers, created) = {
        let first = search.lock();
        (first.tree.node(ROOT).numbers, first.created)
    };
    let mut outcome = run.outcome(numbers, run.winning_move());
    outcome.first_level_nodes = Some(created);
    Ok(outcome)
}

struct Pn2<'a, G: Guided> {
    run: &'a Run<'a, G>,
    first: Mutex<First<G::Move>>,
    /// Signalled when a thread has finished with its leaf.
    leaf_freed: Condvar,
    capacity: usize,
    second_capacity: usize,
}

struct First<M> {
    tree: Tree<M>,
    created: u64,
}

impl<G: Guided> Pn2<'_, G> {
    fn lock(&self) -> std::sync::MutexGuard<'_, First<G::Move>> {
        // A thread that panics ends the program. Until then the tree is valid.
        self.first.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes one leaf after the other until the root is solved.
    fn work(&self) {
        let mut pns = Pns::new(self.run);
        let mut first = self.lock();
        loop {
            let root = first.tree.node(ROOT).numbers;
            self.run.monitor.set_root(root);
            self.run.monitor.set_fill(first.tree.len() as f64 / self.capacity as f64);
            if root.solved().is_some() || self.run.monitor.is_stopped() {
                break;
            }
            if let Some(snapshot) = self.run.tree.filter(|snapshot| snapshot.is_wanted()) {
                snapshot.deliver(&first.tree);
            }
            let taken = self.take_leaf(&mut first.tree);
            let Some((way, (leaf, position))) =
                taken.as_ref().and_then(|way| Some((way, way.last()?)))
            else {
                // All leaves are taken. The timeout lets a stopped search end.
                let wait = std::time::Duration::from_millis(10);
                let waited = self.leaf_freed.wait_timeout(first, wait);
                first = waited.unwrap_or_else(PoisonError::into_inner).0;
                continue;
            };
            let numbers = first.tree.node(*leaf).numbers;
            let capacity = self.second_capacity;
            let budget = self.run.options.budget.nodes(first.tree.len(), capacity);
            drop(first);
            pns.tree.reset(numbers);
            let end = pns.search(position, &self.path_to(way), budget, Level::Second);
            first = self.lock();
            if end != End::Stopped {
                self.give_back(&mut first, way, &pns.tree);
            }
            self.leaf_freed.notify_all();
        }
        drop(first);
        self.leaf_freed.notify_all();
    }

    /// The path to the most-proving leaf that no other thread works on. Its nodes are marked.
    fn take_leaf(&self, tree: &mut Tree<G::Move>) -> Option<Way<G>> {
        let leaf = best_free_leaf(tree, ROOT)?;
        let mut ids = vec![leaf];
        while let Some(parent) = ids.last().and_then(|&id| tree.parent(id)) {
            ids.push(parent);
        }
        let mut position = self.run.problem.root.clone();
        let mut way = Vec::with_capacity(ids.len());
        for id in ids.into_iter().rev() {
            tree.node_mut(id).visitors += 1;
            if let Some(mv) = &tree.node(id).mv {
                self.run.problem.game.play(&mut position, mv);
            }
            way.push((id, position.clone()));
        }
        Some(way)
    }

    /// The path to the last node of a way, without that node.
    fn path_to(&self, way: &Way<G>) -> Path<G::Key> {
        let mut path = Path::default();
        if G::CYCLIC {
            let problem = self.run.problem;
            for (_, position) in way.iter().rev().skip(1).rev() {
                path.push(problem.game.key(position), problem.attacker_moves(position));
            }
        }
        path
    }

    /// Adds the result of a second-level search to the first level.
    fn give_back(&self, first: &mut First<G::Move>, way: &Way<G>, second: &Tree<G::Move>) {
        let First { tree, created } = first;
        for (id, _) in way {
            tree.node_mut(*id).visitors -= 1;
        }
        let numbers = second.node(ROOT).numbers;
        if let Some(&(leaf, _)) = way.last() {
            tree.set_solved(leaf, numbers, second.basis(ROOT));
            if numbers.solved().is_none() {
                let children: Vec<(G::Move, Numbers, Basis)> = second
                    .children(ROOT)
                    .filter_map(|child| {
                        let node = second.node(child);
                        Some((node.mv.clone()?, node.numbers, second.basis(child)))
                    })
                    .collect();
                tree.attach(leaf, &children);
                *created += children.len() as u64;
            }
        }
        for (place, (id, position)) in way.iter().enumerate().rev() {
            if !tree.is_leaf(*id) {
                let numbers = tree.combined(*id);
                tree.node_mut(*id).numbers = numbers;
                if numbers.solved().is_some() {
                    let basis = tree.basis_of_result(*id, numbers).above(place);
                    tree.set_solved(*id, numbers, basis);
                }
            }
            let numbers = tree.node(*id).numbers;
            if numbers.solved().is_some() {
                let key = self.run.problem.game.key(position);
                self.run.store_solved(position, key, numbers, 1, tree.basis(*id));
                if tree.node(*id).visitors == 0 && *id != ROOT {
                    tree.cut_below(*id);
                }
            }
        }
        if tree.len() > self.capacity {
            tree.cut_fringe(ROOT);
        }
    }
}

/// The nodes on the path from the root to a leaf, with their positions.
type Way<G> = Vec<(NodeId, <G as papamu_game::Game>::Position)>;

/// The most-proving leaf, by virtual delta, among those that no thread works on.
fn best_free_leaf<M: Clone>(tree: &Tree<M>, id: NodeId) -> Option<NodeId> {
    if tree.is_leaf(id) {
        return (tree.node(id).visitors == 0).then_some(id);
    }
    let mut children: Vec<NodeId> =
        tree.children(id).filter(|&child| tree.node(child).numbers.solved().is_none()).collect();
    children.sort_by_key(|&child| {
        let node = tree.node(child);
        node.numbers.delta.saturating_add(u32::from(node.visitors))
    });
    children.into_iter().find_map(|child| best_free_leaf(tree, child))
}
