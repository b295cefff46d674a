//! The enumeration of expressions, and the choice of conjectures among them.

use std::time::{Duration, Instant};

use hashbrown::{DefaultHashBuilder, HashTable};
use num_traits::CheckedSub;
use papamu_base::Progress;

use super::exact::{self, Exact, Inexact};
use super::expression::Expression;
use super::kept::{Kept, LANES, Node};
use super::operators::{Binary, Operator, Unary};
use super::{EndedBy, InvariantTable};

/// The side of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// target <= expression
    Upper,
    /// target >= expression
    Lower,
}

impl Side {
    /// The sign that turns lower bounds into upper ones.
    #[inline(always)]
    fn sign(self) -> f64 {
        if self == Side::Upper { 1.0 } else { -1.0 }
    }
}

/// The settings of a search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The invariant to be bounded, as an index.
    pub target: usize,
    /// How many invariants, the first ones of the table, expressions are made of. The theory may
    /// use all.
    pub invariants: usize,
    /// Upper or lower bounds.
    pub side: Side,
    /// The operators of expressions.
    pub operators: Vec<Operator>,
    /// Whether expressions may contain the target itself.
    pub with_target: bool,
    /// Whether every true inequality is listed, not only those that add something.
    pub every: bool,
    /// Known bounds: a conjecture is better than all of them for some object.
    pub theory: Vec<Expression>,
    /// The largest complexity.
    pub complexity: usize,
    /// When to stop.
    pub time: Duration,
    /// Memory for columns.
    pub memory_bytes: usize,
    /// The share of objects for which an expression may be undefined.
    pub undefined: f64,
}

/// An inequality that holds for all objects.
#[derive(Clone, Debug, PartialEq)]
pub struct Conjecture {
    /// The bound.
    pub expression: Expression,
    /// Its value for each object.
    pub values: Vec<f64>,
    /// The objects for which it is an equality.
    pub tight: Vec<usize>,
    /// Whether that was decided without rounding.
    pub is_exact: bool,
}

/// A bound of the theory that is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Which one.
    pub bound: usize,
    /// An object for which it is wrong.
    pub object: usize,
}

impl Conjecture {
    /// The objects of a table with the same invariants for which the inequality is false.
    pub fn fails_for(&self, table: &InvariantTable, settings: &Settings) -> Vec<usize> {
        fails_for(&self.expression, table, settings)
    }
}

fn fails_for(expression: &Expression, table: &InvariantTable, settings: &Settings) -> Vec<usize> {
    let sign = settings.side.sign();
    let fails = |&object: &usize| match exact_excess(expression, table, settings, object) {
        Ok(excess) => excess.is_some_and(|excess| excess < Exact::ZERO),
        Err(Inexact) => {
            let bound = expression.value(&|index| table.columns[index][object]);
            sign * bound < limit(sign * table.columns[settings.target][object])
        }
    };
    (0..table.objects.len()).filter(fails).collect()
}

/// How far a bound is above the target, or below it for lower bounds; `None` where one of them is
/// undefined.
fn exact_excess(
    expression: &Expression,
    table: &InvariantTable,
    settings: &Settings,
    object: usize,
) -> Result<Option<Exact>, Inexact> {
    let target = exact::number(table.columns[settings.target][object])?;
    let bound = expression.exact_value(&|index| table.columns[index][object])?;
    let Some((target, bound)) = target.zip(bound) else { return Ok(None) };
    let (high, low) = if settings.side == Side::Upper { (bound, target) } else { (target, bound) };
    high.checked_sub(&low).map(Some).ok_or(Inexact)
}

/// The limit that an upper bound must not fall below: the target, up to rounding.
fn limit(target: f64) -> f64 {
    target - CLOSE * (1.0 + target.abs())
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The conjectures, the simplest first.
    pub conjectures: Vec<Conjecture>,
    /// The number of expressions that were tested.
    pub tested: u64,
    /// The largest complexity whose expressions were all tested.
    pub complete: Option<usize>,
    /// Why the search ended before the wanted complexity.
    pub ended_by: Option<EndedBy>,
}

/// Values that are computed between two looks at the clock: some milliseconds.
const UNWATCHED_VALUES: usize = 1 << 20;

/// Values this close are equal up to rounding.
const CLOSE: f64 = 1e-9;

/// The expressions of a complexity are kept.
const KEEP: u8 = 0;
/// They are tested, and no larger ones are made from them.
const TEST: u8 = 1;
/// Only the expressions of one argument made from them are tested.
const EXTEND: u8 = 2;

/// Compiles code once for each operator, so that loops over columns are branch-free.
macro_rules! for_each_of {
    ($kind:ident, $operator:expr, $constant:ident, $body:expr, $($name:ident)+) => {
        match $operator {
            $($kind::$name => {
                const $constant: $kind = $kind::$name;
                $body
            })+
        }
    };
}

macro_rules! for_unary {
    ($operator:expr, $constant:ident => $body:expr) => {
        for_each_of!(
            Unary, $operator, $constant, $body,
            Increment Decrement Double Half Square SquareRoot Negation Reciprocal Logarithm
            Logarithm10 Exponential Floor Ceiling Absolute
        )
    };
}

macro_rules! for_binary {
    ($operator:expr, $constant:ident => $body:expr) => {
        for_each_of!(
            Binary, $operator, $constant, $body,
            Sum Product Maximum Minimum Difference Quotient Power
        )
    };
}

/// An expression to test: one that may be kept, or an operator applied to such a one.
#[derive(Clone, Copy)]
struct Candidate {
    outer: Option<Unary>,
    node: Node,
}

struct Search<'a> {
    table: &'a InvariantTable,
    settings: &'a Settings,
    progress: &'a Progress,
    /// The number of expressions already reported to the progress.
    counted: u64,
    /// The target; negated for lower bounds, so that all bounds are upper ones.
    target: Vec<f64>,
    /// The limits that upper bounds must not fall below: the target up to rounding, padded.
    limits: Vec<f64>,
    /// A buffer for a column.
    column: Vec<f64>,
    /// The operators of one argument.
    unary: Vec<Unary>,
    objects: usize,
    kept: Kept,
    /// The best known bound of each object, from the theory.
    theory: Vec<f64>,
    /// The best bound of each object so far.
    best: Vec<f64>,
    conjectures: Vec<Conjecture>,
    tested: u64,
    /// Set once the time is up or the search was stopped.
    ended_by: Option<EndedBy>,
    /// The number of expressions between two looks at the clock, a power of two, minus one.
    unwatched: usize,
    /// `None` if it is too far away to be represented.
    deadline: Option<Instant>,
}

/// Searches for conjectures, unless a bound of the theory is false. The progress counts
/// expressions.
pub fn conjecture(
    table: &InvariantTable,
    settings: &Settings,
    started: Instant,
    progress: &Progress,
) -> Result<Found, Wrong> {
    let objects = table.objects.len();
    let length = objects.next_multiple_of(LANES);
    let fill = |column: &[f64]| {
        let first = column.first().copied().unwrap_or(0.0);
        let mut column = column.to_vec();
        column.resize(length, first);
        column
    };
    let sign = settings.side.sign();
    let target: Vec<f64> =
        table.columns[settings.target].iter().map(|value| sign * value).collect();
    let theory = theory(table, settings)?;
    let kept = Kept {
        nodes: Vec::new(),
        masks: Vec::new(),
        blocks: vec![Vec::new(); length / LANES],
        levels: vec![0],
        seen: HashTable::new(),
        hashes: Vec::new(),
        hasher: DefaultHashBuilder::default(),
    };
    let mut search = Search {
        table,
        settings,
        progress,
        counted: 0,
        limits: fill(&target.iter().map(|&t| limit(t)).collect::<Vec<_>>()),
        target,
        column: Vec::new(),
        unary: settings
            .operators
            .iter()
            .filter_map(|operator| match operator {
                Operator::Unary(operator) => Some(*operator),
                Operator::Binary(_) => None,
            })
            .collect(),
        objects,
        kept,
        best: theory.clone(),
        theory,
        conjectures: Vec::new(),
        tested: 0,
        ended_by: None,
        unwatched: (UNWATCHED_VALUES / length.max(1)).clamp(1, 4096).next_power_of_two() - 1,
        deadline: started.checked_add(settings.time),
    };
    if objects == 0 {
        return Ok(Found { conjectures: Vec::new(), tested: 0, complete: None, ended_by: None });
    }
    for index in 0..table.columns.len().min(settings.invariants) {
        if settings.with_target || index != settings.target {
            let column = fill(&table.columns[index]);
            let node = Node::Invariant(index as u32);
            search.look_at(Candidate { outer: None, node }, &column);
            search.kept.keep(Node::Invariant(index as u32), 1 << (index & 63), &column);
        }
    }
    let (complete, ended_by) = search.levels();
    Ok(search.finish(complete, ended_by))
}

/// The best known bound of each object, with the sign of upper bounds.
fn theory(table: &InvariantTable, settings: &Settings) -> Result<Vec<f64>, Wrong> {
    let sign = settings.side.sign();
    let mut best = vec![f64::INFINITY; table.objects.len()];
    for (bound, expression) in settings.theory.iter().enumerate() {
        if let Some(&object) = fails_for(expression, table, settings).first() {
            return Err(Wrong { bound, object });
        }
        for (object, best) in best.iter_mut().enumerate() {
            // An undefined value is not below anything.
            *best = best.min(sign * expression.value(&|index| table.columns[index][object]));
        }
    }
    Ok(best)
}

impl Search<'_> {
    /// Goes from complexity to complexity. The last two are not kept. Expressions of one argument
    /// over the next to last complexity are computed again from their subexpressions.
    fn levels(&mut self) -> (Option<usize>, Option<EndedBy>) {
        let most = self.settings.complexity;
        let mut complete = Some(0);
        let mut first_lost = most.saturating_sub(1).max(1);
        for complexity in 1..=most {
            if self.is_tight() && !self.settings.every {
                return (complete, Some(EndedBy::Tight));
            }
            if complexity > first_lost + 1 {
                return (complete, Some(EndedBy::Memory));
            }
            self.kept.levels.push(self.kept.nodes.len());
            let in_time = if complexity < first_lost {
                self.kept_level(complexity, &mut first_lost)
            } else if complexity == first_lost {
                self.level::<TEST>(complexity)
            } else {
                self.level::<EXTEND>(complexity - 1) && self.binary_level(complexity)
            };
            if !in_time {
                return (complete, self.ended_by);
            }
            complete = Some(complexity);
        }
        (complete, None)
    }

    /// All expressions of a complexity whose outermost operator has two arguments.
    fn binary_level(&mut self, complexity: usize) -> bool {
        let settings = self.settings;
        settings.operators.iter().all(|operator| match operator {
            Operator::Unary(_) => true,
            Operator::Binary(operator) => self.binary::<TEST>(*operator, complexity),
        })
    }

    /// Whether the time is up, the search was stopped, or the memory is full.
    fn must_end<const MODE: u8>(&mut self) -> bool {
        self.progress.add(self.tested.saturating_sub(self.counted));
        self.counted = self.counted.max(self.tested);
        if self.progress.stop().is_set() {
            self.ended_by = Some(EndedBy::Stopped);
        } else if self.deadline.is_some_and(|end| Instant::now() >= end) {
            self.ended_by = Some(EndedBy::Time);
        }
        self.ended_by.is_some() || (MODE == KEEP && self.kept.bytes() > self.settings.memory_bytes)
    }

    /// All expressions of a complexity, kept if all of them fit into memory and otherwise only
    /// tested. Returns false if the time is up.
    fn kept_level(&mut self, complexity: usize, first_lost: &mut usize) -> bool {
        let (start, tested) = (self.kept.nodes.len(), self.tested);
        let conjectures = self.conjectures.clone();
        let best = self.best.clone();
        if self.level::<KEEP>(complexity) {
            return true;
        }
        if self.ended_by.is_some() {
            return false;
        }
        self.kept.truncate(start);
        (self.tested, self.conjectures, self.best) = (tested, conjectures, best);
        *first_lost = complexity;
        self.level::<TEST>(complexity)
    }

    fn is_tight(&self) -> bool {
        self.best.iter().zip(&self.target).all(|(best, target)| best - target <= CLOSE)
    }

    /// All expressions of a complexity. Returns false if the search must end before.
    fn level<const MODE: u8>(&mut self, complexity: usize) -> bool {
        if self.must_end::<MODE>() {
            return false;
        }
        for i in 0..self.settings.operators.len() {
            let in_time = match self.settings.operators[i] {
                Operator::Unary(operator) => self.unary::<MODE>(operator, complexity),
                Operator::Binary(operator) => self.binary::<MODE>(operator, complexity),
            };
            if !in_time {
                return false;
            }
        }
        true
    }

    fn unary<const MODE: u8>(&mut self, operator: Unary, complexity: usize) -> bool {
        for_unary!(operator, O => self.unary_by::<MODE>(operator, complexity, |x| O.apply(x)))
    }

    #[inline(always)]
    fn unary_by<const MODE: u8>(
        &mut self,
        operator: Unary,
        complexity: usize,
        apply: impl Fn(f64) -> f64,
    ) -> bool {
        for x in self.kept.level(complexity - 1) {
            let node = Node::Unary(operator, x as u32);
            let mask = self.kept.masks[x];
            self.make::<MODE>(node, mask, x, x, |x, _| apply(x));
            if x & self.unwatched == 0 && self.must_end::<MODE>() {
                return false;
            }
        }
        true
    }

    /// Tests an expression made of two kept ones, and keeps it unless it is of the last complexity.
    #[inline(always)]
    fn make<const MODE: u8>(
        &mut self,
        node: Node,
        mask: u64,
        x: usize,
        y: usize,
        apply: impl Fn(f64, f64) -> f64,
    ) {
        if MODE == EXTEND {
            return self.extend(node, x, y, apply);
        }
        self.tested += 1;
        if MODE == TEST && !self.holds(x, y, &apply) {
            return;
        }
        let mut column = std::mem::take(&mut self.column);
        self.kept.column(x, y, apply, &mut column);
        self.look_at(Candidate { outer: None, node }, &column);
        if MODE == KEEP {
            self.kept.keep(node, mask, &column);
        }
        self.column = column;
    }

    /// Tests all operators of one argument on an expression made of two kept ones.
    #[inline(always)]
    fn extend(&mut self, node: Node, x: usize, y: usize, apply: impl Fn(f64, f64) -> f64) {
        for i in 0..self.unary.len() {
            let outer = self.unary[i];
            self.tested += 1;
            let holds = for_unary!(outer, O => self.holds(x, y, |x, y| O.apply(apply(x, y))));
            if holds {
                let mut column = std::mem::take(&mut self.column);
                self.kept.column(x, y, |x, y| outer.apply(apply(x, y)), &mut column);
                self.look_at(Candidate { outer: Some(outer), node }, &column);
                self.column = column;
            }
        }
    }

    /// Whether an expression made of two kept ones is nowhere below the target. It is evaluated up
    /// to the first object for which it fails.
    #[inline(always)]
    fn holds(&self, x: usize, y: usize, apply: impl Fn(f64, f64) -> f64) -> bool {
        let sign = self.sign();
        self.kept.blocks.iter().zip(self.limits.as_chunks().0).all(|(block, limits)| {
            !violates(limits, |lane| sign * apply(block[x][lane], block[y][lane]))
        })
    }

    fn binary<const MODE: u8>(&mut self, operator: Binary, complexity: usize) -> bool {
        for_binary!(operator, O => self.binary_by::<MODE>(operator, complexity, |x, y| O.apply(x, y)))
    }

    #[inline(always)]
    fn binary_by<const MODE: u8>(
        &mut self,
        operator: Binary,
        complexity: usize,
        apply: impl Fn(f64, f64) -> f64,
    ) -> bool {
        let Some(rest) = complexity.checked_sub(2) else { return true };
        for first in 0..=rest {
            for x in self.kept.level(first) {
                if self.must_end::<MODE>() {
                    return false;
                }
                let mut seconds = self.kept.level(rest - first);
                if operator.is_commutative() {
                    // A commutative operator needs each pair once.
                    seconds.start = seconds.start.max(x + 1);
                }
                let mask = self.kept.masks[x];
                for y in seconds {
                    if self.kept.masks[y] & mask != 0 {
                        continue;
                    }
                    let node = Node::Binary(operator, x as u32, y as u32);
                    let mask = mask | self.kept.masks[y];
                    self.make::<MODE>(node, mask, x, y, &apply);
                    if y & self.unwatched == self.unwatched && self.must_end::<MODE>() {
                        return false;
                    }
                }
            }
        }
        true
    }

    #[inline(always)]
    fn sign(&self) -> f64 {
        self.settings.side.sign()
    }

    /// Makes an expression a conjecture if it holds for all objects, is defined for enough of them
    /// and adds something.
    fn look_at(&mut self, candidate: Candidate, column: &[f64]) {
        let sign = self.sign();
        let mut blocks = column.as_chunks::<LANES>().0.iter().zip(self.limits.as_chunks().0);
        if blocks.any(|(values, limits)| violates(limits, |lane| sign * values[lane])) {
            return;
        }
        let values = &column[..self.objects];
        let undefined = values.iter().filter(|value| value.is_nan()).count();
        if undefined as f64 > self.settings.undefined * self.objects as f64
            || undefined == self.objects
        {
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
        let is_target = is_bare || (!self.settings.every && self.kept.is_of_one(node, target));
        if is_target || !is_better {
            return;
        }
        let inner = self.kept.expression(node);
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
                (0..self.objects).any(|object| self.is_best(conjecture, object))
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
        (0..self.objects).filter(is_tight).collect()
    }

    /// The objects for which a bound is an equality; `None` if it is false for some object.
    fn exactly_tight(&self, expression: &Expression) -> Result<Option<Vec<usize>>, Inexact> {
        let mut tight = Vec::new();
        let mut inexact = None;
        for object in 0..self.objects {
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

    /// Drops conjectures that the others make redundant, the most complex first. Each object keeps
    /// one that is best for it.
    fn finish(mut self, complete: Option<usize>, ended_by: Option<EndedBy>) -> Found {
        if !self.settings.every {
            // The number of conjectures that are best for each object.
            let mut best = vec![0_usize; self.objects];
            for conjecture in &self.conjectures {
                for (object, best) in best.iter_mut().enumerate() {
                    *best += usize::from(self.is_best(conjecture, object));
                }
            }
            for i in (0..self.conjectures.len()).rev() {
                let is_best = |&object: &usize| self.is_best(&self.conjectures[i], object);
                let objects: Vec<usize> = (0..self.objects).filter(is_best).collect();
                if objects.iter().all(|&object| best[object] > 1) {
                    objects.iter().for_each(|&object| best[object] -= 1);
                    self.conjectures.remove(i);
                }
            }
        }
        let Search { conjectures, tested, .. } = self;
        Found { conjectures, tested, complete, ended_by }
    }
}

/// Whether a bound is below its limit for one of the objects; undefined values are not below.
#[inline(always)]
fn violates(limits: &[f64; LANES], bound: impl Fn(usize) -> f64) -> bool {
    (0..LANES).fold(false, |violated, lane| violated | (bound(lane) < limits[lane]))
}
