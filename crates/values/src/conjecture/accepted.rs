//! Which of the expressions that hold for all objects are conjectures: the Dalmatian heuristic.

use super::InvariantTable;
use super::bounds::{CLOSE, Conjecture, Settings, Wrong, exact_excess, theory};
use super::exact::{Exact, Inexact};
use super::expression::Expression;
use super::kept::{Kept, Node};
use super::operators::Unary;

/// An expression to test: one that may be kept, or an operator applied to such a one.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) outer: Option<Unary>,
    pub(super) node: Node,
}

/// The conjectures so far.
#[derive(Clone)]
pub(super) struct Accepted<'a> {
    table: &'a InvariantTable,
    settings: &'a Settings,
    /// The target; negated for lower bounds, so that all bounds are upper ones.
    pub(super) target: Vec<f64>,
    /// The best known bound of each object, from the theory.
    theory: Vec<f64>,
    /// The best bound of each object so far.
    best: Vec<f64>,
    conjectures: Vec<Conjecture>,
}

impl<'a> Accepted<'a> {
    /// None yet, unless a bound of the theory is wrong.
    pub(super) fn new(
        table: &'a InvariantTable,
        settings: &'a Settings,
    ) -> Result<Accepted<'a>, Wrong> {
        let sign = settings.side.sign();
        let target = table.columns[settings.target].iter().map(|value| sign * value).collect();
        let theory = theory(table, settings)?;
        let best = theory.clone();
        Ok(Accepted { table, settings, target, theory, best, conjectures: Vec::new() })
    }

    fn sign(&self) -> f64 {
        self.settings.side.sign()
    }

    /// Whether every object has a tight bound.
    pub(super) fn is_tight(&self) -> bool {
        self.best.iter().zip(&self.target).all(|(best, target)| best - target <= CLOSE)
    }

    /// Makes an expression that holds for all objects a conjecture if it is defined for enough of
    /// them and says something new.
    pub(super) fn consider(&mut self, candidate: Candidate, values: &[f64], kept: &Kept) {
        let (sign, objects) = (self.sign(), values.len());
        let undefined = values.iter().filter(|value| value.is_nan()).count();
        if undefined as f64 > self.settings.undefined * objects as f64 || undefined == objects {
            return;
        }
        // With `every`, true inequalities that add nothing are listed as well, unless the theory
        // implies them.
        let bar = if self.settings.every { &self.theory } else { &self.best };
        let is_better = values.iter().zip(bar).any(|(value, bar)| sign * value < bar - CLOSE);
        // The target does not bound itself.
        let Candidate { outer, node } = candidate;
        let target = self.settings.target;
        let is_bare = outer.is_none() && matches!(node, Node::Invariant(i) if i as usize == target);
        let is_target = is_bare || (!self.settings.every && kept.is_of_one(node, target));
        if is_target || !is_better {
            return;
        }
        let inner = kept.expression(node);
        let expression = match outer {
            Some(outer) => Expression::Unary(outer, Box::new(inner)),
            None => inner,
        };
        let (tight, is_exact) = match self.exactly_tight(&expression) {
            // It was true only up to rounding.
            Ok(None) => return,
            Ok(Some(tight)) => (tight, true),
            Err(Inexact) => (self.tight(values), false),
        };
        for (best, value) in self.best.iter_mut().zip(values) {
            // An undefined value is not below anything.
            *best = best.min(sign * value);
        }
        let values = values.to_vec();
        self.conjectures.push(Conjecture { expression, values, tight, is_exact });
        if !self.settings.every {
            let conjectures = std::mem::take(&mut self.conjectures);
            let is_best = |conjecture: &Conjecture| {
                (0..objects).any(|object| self.is_best(conjecture, object))
            };
            self.conjectures = conjectures.into_iter().filter(is_best).collect();
        }
    }

    /// The objects for which a bound with these values is an equality up to rounding.
    fn tight(&self, values: &[f64]) -> Vec<usize> {
        let is_tight = |&object: &usize| {
            let value = values[object];
            (self.sign() * value - self.target[object]).abs() <= CLOSE * (1.0 + value.abs())
        };
        (0..values.len()).filter(is_tight).collect()
    }

    /// The objects for which a bound is an equality; `None` if it is false for some object.
    fn exactly_tight(&self, expression: &Expression) -> Result<Option<Vec<usize>>, Inexact> {
        let mut tight = Vec::new();
        let mut inexact = None;
        for object in 0..self.target.len() {
            match exact_excess(expression, self.table, self.settings, object) {
                // One exact failure is enough.
                Ok(Some(excess)) if excess < Exact::ZERO => return Ok(None),
                Ok(Some(excess)) if excess == Exact::ZERO => tight.push(object),
                Ok(_) => (),
                Err(error) => inexact = Some(error),
            }
        }
        inexact.map_or(Ok(Some(tight)), Err)
    }

    /// Whether the conjecture is best for an object and better than the theory.
    fn is_best(&self, conjecture: &Conjecture, object: usize) -> bool {
        let value = self.sign() * conjecture.values[object];
        value <= self.best[object] + CLOSE && value < self.theory[object] - CLOSE
    }

    /// The conjectures without those that the others make redundant, of which the most complex go
    /// first: each object keeps one that is best for it.
    pub(super) fn into_conjectures(mut self) -> Vec<Conjecture> {
        if !self.settings.every {
            let objects = self.target.len();
            // The number of conjectures that are best for each object.
            let mut best = vec![0_usize; objects];
            for conjecture in &self.conjectures {
                for (object, best) in best.iter_mut().enumerate() {
                    *best += usize::from(self.is_best(conjecture, object));
                }
            }
            for i in (0..self.conjectures.len()).rev() {
                let is_best = |&object: &usize| self.is_best(&self.conjectures[i], object);
                let objects: Vec<usize> = (0..objects).filter(is_best).collect();
                if objects.iter().all(|&object| best[object] > 1) {
                    objects.iter().for_each(|&object| best[object] -= 1);
                    self.conjectures.remove(i);
                }
            }
        }
        self.conjectures
    }
}
