//! Copies of the tree of a running search, for checkpoints.
//!
//! The writer of checkpoints asks for a copy, and the search makes it at its next opportunity. A
//! copy is one word for each node in preorder: 24 bits phi, 24 bits delta, 16 bits number of
//! children. Moves are not recorded, since the children of a node stand in the order in which the
//! game generates its moves.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use papamu_game::Guided;
use thiserror::Error;

use crate::cycles::Basis;
use crate::numbers::Numbers;
use crate::problem::Problem;
use crate::table::Data;
use crate::tree::{Node, NodeId, ROOT, Tree};

/// Where a search leaves copies of its tree.
#[derive(Debug)]
pub struct Snapshot {
    memory_bytes: usize,
    /// Whether copies are kept at all.
    kept: AtomicBool,
    wanted: AtomicBool,
    state: Mutex<State>,
    delivered: Condvar,
}

#[derive(Debug, Default)]
struct State {
    words: Vec<u64>,
    /// The search is over: there will be no further copy.
    ended: bool,
}

/// The words are not a tree of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("its tree does not fit the game")]
pub struct BadTree;

impl Snapshot {
    /// An empty snapshot of a search with this much memory.
    pub(crate) fn new(memory_bytes: usize) -> Snapshot {
        Snapshot {
            memory_bytes,
            kept: AtomicBool::new(false),
            wanted: AtomicBool::new(false),
            state: Mutex::default(),
            delivered: Condvar::new(),
        }
    }

    /// The most nodes of a tree that fits into memory.
    pub(crate) fn most_nodes(&self) -> usize {
        self.memory_bytes / size_of::<Node<()>>()
    }

    /// The memory of the search.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.memory_bytes
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the search leave a copy when it is stopped.
    pub(crate) fn keep(&self) {
        self.kept.store(true, Ordering::Relaxed);
    }

    /// Waits for a copy of the tree as it is now; the last one if the search is over.
    pub(crate) fn request(&self) {
        let mut state = self.lock();
        self.wanted.store(true, Ordering::Relaxed);
        while self.is_wanted() && !state.ended {
            state = self.delivered.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The latest copy.
    pub(crate) fn words(&self) -> Vec<u64> {
        self.lock().words.clone()
    }

    /// Gives the search a tree to resume with.
    pub(crate) fn set_words(&self, words: Vec<u64>) {
        self.lock().words = words;
    }

    /// Whether a copy is wanted.
    #[inline]
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    /// Makes a copy.
    pub(crate) fn deliver<M: Clone>(&self, tree: &Tree<M>) {
        let words = copy(tree);
        let mut state = self.lock();
        state.words = words;
        self.wanted.store(false, Ordering::Relaxed);
        self.delivered.notify_all();
    }

    /// Makes the last copy, if copies are kept. Nobody has to wait for another one: what follows,
    /// in games that go in circles, happens in the table.
    pub(crate) fn deliver_last<M: Clone>(&self, tree: &Tree<M>) {
        if self.kept.load(Ordering::Relaxed) {
            self.deliver(tree);
        }
        self.end();
    }

    /// The search is over: waiting ends.
    pub(crate) fn end(&self) {
        self.lock().ended = true;
        self.delivered.notify_all();
    }

    /// Rebuilds the copied tree, if there is one, in an empty tree with the root of the problem.
    pub(crate) fn restore<G: Guided>(
        &self,
        problem: &Problem<G>,
        tree: &mut Tree<G::Move>,
    ) -> Result<(), BadTree> {
        let words = std::mem::take(&mut self.lock().words);
        if words.is_empty() {
            return Ok(());
        }
        let mut rest = words.iter().copied();
        let root = problem.root.clone();
        // Nodes that still need their numbers and children, the next in preorder on top.
        let mut open: Vec<(NodeId, G::Position)> = vec![(ROOT, root)];
        let mut moves = Vec::new();
        while let Some((id, position)) = open.pop() {
            let word = rest.next().ok_or(BadTree)?;
            let (numbers, children) = from_word(word).ok_or(BadTree)?;
            tree.node_mut(id).numbers = numbers;
            if children == 0 {
                if numbers.solved().is_none() && problem.game.count_moves(&position) == 0 {
                    return Err(BadTree);
                }
                continue;
            }
            problem.game.moves(&position, &mut moves);
            if moves.len() != children {
                return Err(BadTree);
            }
            let leaves: Vec<(G::Move, Numbers, Basis)> =
                moves.drain(..).map(|mv| (mv, Numbers::unsolved(1, 1), Basis::NOTHING)).collect();
            tree.attach(id, &leaves);
            let ids = tree.children(id);
            for (child, (mv, ..)) in ids.zip(&leaves).rev() {
                let after = problem.game.after(&position, mv);
                open.push((child, after));
            }
        }
        if rest.next().is_none() && tree.is_consistent() { Ok(()) } else { Err(BadTree) }
    }
}

/// The words of a tree. A tree whose root is solved gives none: the root's answer has to follow
/// from its children, which a copy would not have.
fn copy<M: Clone>(tree: &Tree<M>) -> Vec<u64> {
    if tree.node(ROOT).numbers.solved().is_some() {
        return Vec::new();
    }
    let mut words = Vec::with_capacity(tree.len());
    let mut open = vec![ROOT];
    while let Some(id) = open.pop() {
        let children = tree.children(id);
        let mut numbers = tree.node(id).numbers;
        if tree.basis(id) != Basis::NOTHING {
            // Nobody could tell from the file what it rests on.
            numbers = Numbers::unsolved(1, 1);
        }
        // A solved node needs no children. Those that other threads still work on are not copied.
        let children = if numbers.solved().is_some() { 0..0 } else { children };
        words.push(Data::new(numbers, 0).to_word() | children.len() as u64);
        open.extend(children.rev());
    }
    words
}

/// Whether these are the words of a tree whose root is solved.
pub(crate) fn is_solved(words: &[u64]) -> bool {
    let root = words.first().and_then(|&word| from_word(word));
    root.is_some_and(|(numbers, _)| numbers.solved().is_some())
}

/// The numbers and the number of children. The low 16 bits replace the work, which must read as 0.
fn from_word(word: u64) -> Option<(Numbers, usize)> {
    let numbers = Data::from_word(word & !0xffff)?.numbers();
    Some((numbers, (word & 0xffff) as usize))
}
