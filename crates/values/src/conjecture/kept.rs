//! The expressions from which larger ones are made, with their values for all objects.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};
use zerocopy::IntoBytes;

use super::expression::Expression;
use super::operators::{Binary, Unary};

/// Objects that are processed together. Columns are padded with copies of their first value.
pub(super) const LANES: usize = 8;

/// How an expression is made.
#[derive(Clone, Copy)]
pub(super) enum Node {
    Invariant(u32),
    Unary(Unary, u32),
    Binary(Binary, u32, u32),
}

/// Expressions that are kept.
pub(super) struct Kept {
    pub(super) nodes: Vec<Node>,
    /// Which invariants occur, as bits.
    pub(super) masks: Vec<u64>,
    /// The values for the first eight objects of all expressions, then those for the next eight,
    /// and so on. Most expressions fail among the first eight, so usually only those are read,
    /// sequentially.
    pub(super) blocks: Vec<Vec<[f64; LANES]>>,
    /// Where each complexity begins.
    pub(super) levels: Vec<usize>,
    /// Expressions by their columns and invariants.
    pub(super) seen: HashTable<u32>,
    pub(super) hashes: Vec<u64>,
    pub(super) hasher: DefaultHashBuilder,
}

impl Kept {
    /// The column of an expression made of two others.
    pub(super) fn column(
        &self,
        x: usize,
        y: usize,
        apply: impl Fn(f64, f64) -> f64,
        column: &mut Vec<f64>,
    ) {
        column.clear();
        for block in &self.blocks {
            column.extend(block[x].iter().zip(&block[y]).map(|(&x, &y)| apply(x, y)));
        }
    }

    pub(super) fn level(&self, complexity: usize) -> std::ops::Range<usize> {
        let end = self.levels.get(complexity + 1).copied().unwrap_or(self.nodes.len());
        self.levels.get(complexity).map_or(0..0, |&start| start..end)
    }

    /// Keeps an expression whose column has not been seen with its invariants.
    pub(super) fn keep(&mut self, node: Node, mask: u64, column: &[f64]) {
        let Kept { blocks, masks, seen, hasher, .. } = self;
        let chunks = || column.as_chunks::<LANES>().0;
        let hash = hasher.hash_one((mask, column.as_bytes()));
        // Bit by bit: undefined values are equal to each other, and the two zeros differ, which
        // costs at most a column.
        let is_same = |&other: &u32| {
            let other = other as usize;
            masks[other] == mask
                && blocks
                    .iter()
                    .zip(chunks())
                    .all(|(block, values)| block[other].as_bytes() == values.as_bytes())
        };
        if seen.find(hash, is_same).is_some() {
            return;
        }
        let hashes = &mut self.hashes;
        hashes.push(hash);
        seen.insert_unique(hash, self.nodes.len() as u32, |&other| hashes[other as usize]);
        self.nodes.push(node);
        self.masks.push(mask);
        for (block, values) in self.blocks.iter_mut().zip(chunks()) {
            block.push(*values);
        }
    }

    pub(super) fn expression(&self, node: Node) -> Expression {
        let inner = |index: u32| Box::new(self.expression(self.nodes[index as usize]));
        match node {
            Node::Invariant(index) => Expression::Invariant(index as usize),
            Node::Unary(operator, x) => Expression::Unary(operator, inner(x)),
            Node::Binary(operator, x, y) => Expression::Binary(operator, inner(x), inner(y)),
        }
    }

    /// Whether an expression contains that invariant and no other.
    pub(super) fn is_of_one(&self, node: Node, invariant: usize) -> bool {
        match node {
            Node::Invariant(index) => index as usize == invariant,
            Node::Unary(_, x) => self.is_of_one(self.nodes[x as usize], invariant),
            // Each invariant occurs at most once.
            Node::Binary(..) => false,
        }
    }

    /// Drops the expressions from that one on.
    pub(super) fn truncate(&mut self, count: usize) {
        self.nodes.truncate(count);
        self.masks.truncate(count);
        self.hashes.truncate(count);
        self.blocks.iter_mut().for_each(|block| block.truncate(count));
        self.seen.retain(|&mut index| (index as usize) < count);
    }

    pub(super) fn bytes(&self) -> usize {
        // Includes the set of hashes and the growth of vectors.
        2 * self.nodes.len() * (self.blocks.len() * LANES * 8 + 64)
    }
}
