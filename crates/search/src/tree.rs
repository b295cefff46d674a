//! An explicit tree of proof and disproof numbers in an arena.
//!
//! The children of a node are adjacent. Freed blocks are kept by length and used again. When the
//! arena is full, the fringe of the tree is cut back: nodes whose children are all leaves become
//! leaves again and keep the numbers that their children gave them.

use hashbrown::HashMap;

use crate::cycles::Basis;
use crate::numbers::{Damping, INFINITE, Numbers};

/// Number of a node.
pub(crate) type NodeId = u32;

/// The root.
pub(crate) const ROOT: NodeId = 0;

const NONE: NodeId = u32::MAX;

/// A node, and the move that leads to it.
#[derive(Clone)]
pub(crate) struct Node<M> {
    pub(crate) mv: Option<M>,
    pub(crate) numbers: Numbers,
    parent: NodeId,
    first_child: NodeId,
    children: u16,
    /// Threads that are working below this node.
    pub(crate) visitors: u16,
}

/// The tree.
pub(crate) struct Tree<M> {
    nodes: Vec<Node<M>>,
    /// The first nodes of free blocks, by length of the block.
    free: Vec<Vec<NodeId>>,
    live: usize,
    damping: Damping,
    /// What solved nodes rest on, if it is anything.
    bases: HashMap<NodeId, Basis>,
}

impl<M: Clone> Tree<M> {
    pub(crate) fn new(damping: Damping) -> Tree<M> {
        Tree { nodes: Vec::new(), free: Vec::new(), live: 0, damping, bases: HashMap::new() }
    }

    /// Forgets everything but a root with those numbers.
    pub(crate) fn reset(&mut self, root: Numbers) {
        self.nodes.clear();
        self.bases.clear();
        self.free.iter_mut().for_each(Vec::clear);
        self.nodes.push(Node {
            mv: None,
            numbers: root,
            parent: NONE,
            first_child: NONE,
            children: 0,
            visitors: 0,
        });
        self.live = 1;
    }

    /// The number of nodes in the tree.
    pub(crate) fn len(&self) -> usize {
        self.live
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node<M> {
        &self.nodes[id as usize]
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node<M> {
        &mut self.nodes[id as usize]
    }

    pub(crate) fn is_leaf(&self, id: NodeId) -> bool {
        self.node(id).first_child == NONE
    }

    pub(crate) fn parent(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.node(id).parent;
        (parent != NONE).then_some(parent)
    }

    pub(crate) fn children(&self, id: NodeId) -> std::ops::Range<NodeId> {
        let node = self.node(id);
        if node.first_child == NONE {
            0..0
        } else {
            node.first_child..node.first_child + NodeId::from(node.children)
        }
    }

    /// The child with the least delta: it leads to the most-proving node.
    pub(crate) fn best_child(&self, id: NodeId) -> NodeId {
        let children = self.children(id);
        children.min_by_key(|&child| self.node(child).numbers.delta).unwrap_or(id)
    }

    /// Gives a leaf its children.
    pub(crate) fn attach(&mut self, id: NodeId, children: &[(M, Numbers, Basis)]) {
        let first = match self.free.get_mut(children.len()).and_then(Vec::pop) {
            Some(first) => first,
            None => {
                let first = self.nodes.len() as NodeId;
                let filler = self.nodes[0].clone();
                self.nodes.resize(self.nodes.len() + children.len(), filler);
                first
            }
        };
        for (i, (mv, numbers, basis)) in children.iter().enumerate() {
            self.set_basis(first + i as NodeId, *basis);
            self.nodes[first as usize + i] = Node {
                mv: Some(mv.clone()),
                numbers: *numbers,
                parent: id,
                first_child: NONE,
                children: 0,
                visitors: 0,
            };
        }
        self.live += children.len();
        let node = self.node_mut(id);
        node.first_child = first;
        node.children = children.len() as u16;
    }

    /// Solves a node.
    pub(crate) fn set_solved(&mut self, id: NodeId, numbers: Numbers, basis: Basis) {
        self.node_mut(id).numbers = numbers;
        self.set_basis(id, basis);
    }

    fn set_basis(&mut self, id: NodeId, basis: Basis) {
        if basis != Basis::NOTHING {
            self.bases.insert(id, basis);
        } else if !self.bases.is_empty() {
            self.bases.remove(&id);
        }
    }

    /// What a solved node rests on.
    pub(crate) fn basis(&self, id: NodeId) -> Basis {
        self.bases.get(&id).copied().unwrap_or(Basis::NOTHING)
    }

    /// What the result rests on that the children of a node give it: a won node on the strongest of
    /// its lost children, a lost one on all children.
    pub(crate) fn basis_of_result(&self, id: NodeId, numbers: Numbers) -> Basis {
        if self.bases.is_empty() {
            return Basis::NOTHING;
        }
        let children = self.children(id);
        let basis = if numbers == Numbers::WON {
            let lost = children.filter(|&child| self.node(child).numbers == Numbers::LOST);
            lost.map(|child| self.basis(child)).max()
        } else {
            children.map(|child| self.basis(child)).min()
        };
        basis.unwrap_or(Basis::NOTHING)
    }

    /// Whether every node that its children decide is solved.
    pub(crate) fn is_consistent(&self) -> bool {
        let mut open = vec![ROOT];
        while let Some(id) = open.pop() {
            let unsolved = self.node(id).numbers.solved().is_none();
            if unsolved && !self.is_leaf(id) && self.combined(id).solved().is_some() {
                return false;
            }
            open.extend(self.children(id));
        }
        true
    }

    /// The numbers of a node from those of its children.
    pub(crate) fn combined(&self, id: NodeId) -> Numbers {
        let children = self.children(id).map(|child| self.node(child).numbers);
        combine(self.damping, children)
    }

    /// Frees everything below a node. No thread may be at work there.
    pub(crate) fn cut_below(&mut self, id: NodeId) {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let children = self.children(id);
            if children.is_empty() {
                continue;
            }
            open.extend(children.clone());
            if !self.bases.is_empty() {
                for child in children.clone() {
                    self.bases.remove(&child);
                }
            }
            let length = children.len();
            self.live -= length;
            if self.free.len() <= length {
                self.free.resize(length + 1, Vec::new());
            }
            self.free[length].push(children.start);
            self.node_mut(id).first_child = NONE;
        }
    }

    /// Turns nodes whose children are all leaves into leaves, except above `keep` and where threads
    /// are at work.
    pub(crate) fn cut_fringe(&mut self, keep: NodeId) {
        let mut kept = vec![keep];
        while let Some(parent) = kept.last().and_then(|&id| self.parent(id)) {
            kept.push(parent);
        }
        let mut open = vec![ROOT];
        while let Some(id) = open.pop() {
            let children = self.children(id);
            if children.is_empty() {
                continue;
            }
            let fringe = children.clone().all(|child| self.is_leaf(child));
            if fringe && !kept.contains(&id) && self.node(id).visitors == 0 {
                self.cut_below(id);
            } else {
                open.extend(children);
            }
        }
    }
}

/// The numbers of a position from those of its children.
pub(crate) fn combine(damping: Damping, children: impl Iterator<Item = Numbers>) -> Numbers {
    let (mut phi, mut max, mut sum) = (INFINITE, 0, 0);
    for child in children {
        match child.solved() {
            Some(false) => return Numbers::WON,
            Some(true) => continue,
            None => (),
        }
        phi = phi.min(child.delta);
        max = max.max(child.phi);
        sum += child.phi;
    }
    if phi == INFINITE { Numbers::LOST } else { Numbers::unsolved(phi, damping.delta(max, sum)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freed_blocks_are_used_again() {
        let mut tree: Tree<u8> = Tree::new(Damping::NONE);
        tree.reset(Numbers::unsolved(1, 1));
        let leaves = |moves: std::ops::Range<u8>| -> Vec<_> {
            moves.map(|mv| (mv, Numbers::unsolved(1, 2), Basis::NOTHING)).collect()
        };
        tree.attach(ROOT, &leaves(1..3));
        let child = tree.best_child(ROOT);
        tree.attach(child, &leaves(3..6));
        assert_eq!((tree.len(), tree.nodes.len()), (6, 6));
        assert_eq!(tree.combined(child), Numbers { phi: 2, delta: 3 });
        tree.cut_below(child);
        assert_eq!(tree.len(), 3);
        tree.attach(child + 1, &leaves(6..9));
        assert_eq!((tree.len(), tree.nodes.len()), (6, 6));
        tree.cut_fringe(ROOT);
        assert_eq!(tree.len(), 3);
        assert!(tree.is_leaf(child + 1));
    }

    #[test]
    fn solved_children_decide() {
        let leaf = Numbers::unsolved(3, 5);
        let numbers = |children: &[Numbers]| combine(Damping::NONE, children.iter().copied());
        assert_eq!(numbers(&[leaf, Numbers::LOST]), Numbers::WON);
        assert_eq!(numbers(&[Numbers::WON, Numbers::WON]), Numbers::LOST);
        assert_eq!(numbers(&[leaf, Numbers::WON, leaf]), Numbers { phi: 5, delta: 6 });
    }
}
