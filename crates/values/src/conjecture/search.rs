//! The enumeration of expressions, and which of them hold for all objects.

use std::time::Instant;

use hashbrown::{DefaultHashBuilder, HashTable};
use papamu_base::Progress;

use super::accepted::{Accepted, Candidate};
use super::bounds::{Conjecture, Settings, Wrong, limit};
use super::kept::{Kept, LANES, Node};
use super::operators::{Binary, Operator, Unary};
use super::{EndedBy, InvariantTable};

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

struct Search<'a> {
    settings: &'a Settings,
    progress: &'a Progress,
    /// The number of expressions already reported to the progress.
    counted: u64,
    /// The limits that upper bounds must not fall below: the target up to rounding, padded.
    limits: Vec<f64>,
    /// A buffer for a column.
    column: Vec<f64>,
    /// The operators of one argument.
    unary: Vec<Unary>,
    objects: usize,
    kept: Kept,
    accepted: Accepted<'a>,
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
    let accepted = Accepted::new(table, settings)?;
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
        settings,
        progress,
        counted: 0,
        limits: fill(&accepted.target.iter().map(|&t| limit(t)).collect::<Vec<_>>()),
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
        accepted,
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
    let Search { accepted, tested, .. } = search;
    Ok(Found { conjectures: accepted.into_conjectures(), tested, complete, ended_by })
}

impl Search<'_> {
    /// Goes from complexity to complexity. The last two are not kept. Expressions of one argument
    /// over the next to last complexity are computed again from their subexpressions.
    fn levels(&mut self) -> (Option<usize>, Option<EndedBy>) {
        let most = self.settings.complexity;
        let mut complete = Some(0);
        let mut first_lost = most.saturating_sub(1).max(1);
        for complexity in 1..=most {
            if self.accepted.is_tight() && !self.settings.every {
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
        let accepted = self.accepted.clone();
        if self.level::<KEEP>(complexity) {
            return true;
        }
        if self.ended_by.is_some() {
            return false;
        }
        self.kept.truncate(start);
        (self.tested, self.accepted) = (tested, accepted);
        *first_lost = complexity;
        self.level::<TEST>(complexity)
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

    /// Considers an expression as a conjecture if it holds for all objects.
    fn look_at(&mut self, candidate: Candidate, column: &[f64]) {
        let sign = self.sign();
        let mut blocks = column.as_chunks::<LANES>().0.iter().zip(self.limits.as_chunks().0);
        if !blocks.any(|(values, limits)| violates(limits, |lane| sign * values[lane])) {
            self.accepted.consider(candidate, &column[..self.objects], &self.kept);
        }
    }
}

/// Whether a bound is below its limit for one of the objects; undefined values are not below.
#[inline(always)]
fn violates(limits: &[f64; LANES], bound: impl Fn(usize) -> f64) -> bool {
    (0..LANES).fold(false, |violated, lane| violated | (bound(lane) < limits[lane]))
}
