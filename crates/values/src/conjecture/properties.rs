//! Conjectures about properties: conditions that imply one, or that one implies.
//!
//! A sufficient condition is true for no object without the property. It covers the objects for
//! which it is true. A necessary condition is true for all objects with the property. It covers the
//! objects for which it is false, none of which has the property. Conditions are tried in the order
//! of complexity, and one enters if it covers an object that no earlier one covers.
//!
//! A condition is necessary for a property exactly if its negation is sufficient for the negation
//! of the property. So there is one search, for sufficient conditions. The values of a condition
//! are bits, 64 objects to a word.

use std::fmt::Write;
use std::time::{Duration, Instant};

use hashbrown::HashSet;
use papamu_base::Progress;

use super::{EndedBy, InvariantTable};

/// An operator of two conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "they are what they are called")]
pub enum Connective {
    And,
    Or,
    Implies,
    Xor,
}

/// All operators of conditions, with the names by which users choose them; `None` is negation.
pub const CONNECTIVES: &[(&str, Option<Connective>)] = &[
    ("not", None),
    ("and", Some(Connective::And)),
    ("or", Some(Connective::Or)),
    ("implies", Some(Connective::Implies)),
    ("xor", Some(Connective::Xor)),
];

impl Connective {
    fn is_commutative(self) -> bool {
        self != Connective::Implies
    }

    #[inline(always)]
    fn apply(self, x: u64, y: u64) -> u64 {
        match self {
            Connective::And => x & y,
            Connective::Or => x | y,
            Connective::Implies => !x | y,
            Connective::Xor => x ^ y,
        }
    }

    fn name(self) -> &'static str {
        CONNECTIVES.iter().find(|known| known.1 == Some(self)).map_or("", |known| known.0)
    }
}

/// A condition over properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A property, as an index.
    Property(usize),
    /// The negation.
    Not(Box<Condition>),
    /// Two conditions joined.
    Join(Connective, Box<Condition>, Box<Condition>),
}

impl Condition {
    /// The complexity: two for each operator of two conditions, one for each negation.
    pub fn complexity(&self) -> usize {
        match self {
            Condition::Property(_) => 0,
            Condition::Not(x) => 1 + x.complexity(),
            Condition::Join(_, x, y) => 2 + x.complexity() + y.complexity(),
        }
    }

    /// Whether it is true for an object with these properties.
    pub fn is_true(&self, properties: &impl Fn(usize) -> bool) -> bool {
        match self {
            Condition::Property(index) => properties(*index),
            Condition::Not(x) => !x.is_true(properties),
            Condition::Join(connective, x, y) => {
                let [x, y] = [x, y].map(|part| u64::from(part.is_true(properties)));
                connective.apply(x, y) & 1 == 1
            }
        }
    }

    /// The condition as text.
    pub fn write(&self, names: &[String]) -> String {
        let mut text = String::new();
        self.write_to(names, &mut text, true);
        text
    }

    fn write_to(&self, names: &[String], text: &mut String, is_outermost: bool) {
        match self {
            Condition::Property(index) => {
                text.push_str(names.get(*index).map_or("", String::as_str));
            }
            Condition::Not(x) => {
                text.push_str("not ");
                x.write_to(names, text, false);
            }
            Condition::Join(connective, x, y) => {
                let [open, close] = if is_outermost { ["", ""] } else { ["(", ")"] };
                text.push_str(open);
                x.write_to(names, text, false);
                // Writing into a string does not fail.
                let _ = write!(text, " {} ", connective.name());
                y.write_to(names, text, false);
                text.push_str(close);
            }
        }
    }
}

/// Which way conditions and the property imply each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The condition implies the property.
    Sufficient,
    /// The property implies the condition.
    Necessary,
}

/// The settings of a search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The property, as an index.
    pub property: usize,
    /// Sufficient or necessary conditions.
    pub direction: Direction,
    /// The operators of conditions; `None` is negation.
    pub connectives: Vec<Option<Connective>>,
    /// The largest complexity.
    pub complexity: usize,
    /// When to stop.
    pub time: Duration,
    /// Memory for conditions.
    pub memory_bytes: usize,
}

/// A condition that is sufficient, or necessary, for all objects of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conjecture {
    /// The condition.
    pub condition: Condition,
    /// The objects that it covers: those with the property for which a sufficient condition is
    /// true, or those without it that a necessary condition excludes.
    pub covers: Vec<usize>,
}

impl Conjecture {
    /// The objects of a table with the same properties for which the implication fails.
    pub fn fails_for(&self, table: &InvariantTable, settings: &Settings) -> Vec<usize> {
        let fails = |&object: &usize| {
            let properties = |index: usize| is_set(table.columns[index][object]);
            let pair = (self.condition.is_true(&properties), properties(settings.property));
            match settings.direction {
                Direction::Sufficient => pair == (true, false),
                Direction::Necessary => pair == (false, true),
            }
        };
        (0..table.objects.len()).filter(fails).collect()
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The conjectures, the simplest first.
    pub conjectures: Vec<Conjecture>,
    /// The number of conditions that were tested.
    pub tested: u64,
    /// The largest complexity whose conditions were all tested.
    pub complete: usize,
    /// Why the search ended before the wanted complexity.
    pub ended_by: Option<EndedBy>,
    /// The number of objects to cover.
    pub objects: usize,
    /// The number of objects that no conjecture covers.
    pub uncovered: usize,
}

/// Nonzero numbers are true.
fn is_set(value: f64) -> bool {
    value != 0.0
}

/// How a condition is made.
#[derive(Clone, Copy)]
enum Node {
    Property(u32),
    Not(u32),
    Join(Connective, u32, u32),
}

struct Search<'a> {
    settings: &'a Settings,
    progress: &'a Progress,
    deadline: Option<Instant>,
    /// The bits of the last word that stand for objects.
    last: u64,
    /// All ones for necessary conditions, which are tested in negated form.
    turn: u64,
    /// The objects to cover: a condition must not be true for others.
    wanted: Vec<u64>,
    /// The objects that some conjecture covers.
    covered: Vec<u64>,
    nodes: Vec<Node>,
    /// Which properties occur, as bits.
    masks: Vec<u64>,
    /// The words of all conditions, one after the other.
    words: Vec<u64>,
    /// Where each complexity begins.
    levels: Vec<usize>,
    /// Conditions that are kept, by properties and words.
    seen: HashSet<Box<[u64]>>,
    /// The conjectures, with the objects that they cover.
    conjectures: Vec<(Condition, Vec<u64>)>,
    tested: u64,
    counted: u64,
    /// Conditions between two looks at the clock.
    unwatched: usize,
}

/// Words that are computed between two looks at the clock: some milliseconds.
const UNWATCHED_WORDS: usize = 1 << 20;

/// Searches for conditions. The columns of the table are properties: a nonzero number is true.
pub fn conjecture(
    table: &InvariantTable,
    settings: &Settings,
    started: Instant,
    progress: &Progress,
) -> Found {
    let objects = table.objects.len();
    let bits = |column: &[f64]| -> Vec<u64> {
        let word = |chunk: &[f64]| {
            let bits = chunk.iter().zip(0..).map(|(&value, bit)| u64::from(is_set(value)) << bit);
            bits.fold(0, |word, bit| word | bit)
        };
        column.chunks(64).map(word).collect()
    };
    let turn = if settings.direction == Direction::Sufficient { 0 } else { u64::MAX };
    let mut wanted = bits(&table.columns[settings.property]);
    wanted.iter_mut().for_each(|word| *word ^= turn);
    let mut search = Search {
        settings,
        progress,
        deadline: started.checked_add(settings.time),
        last: if objects.is_multiple_of(64) { u64::MAX } else { (1 << (objects % 64)) - 1 },
        turn,
        covered: vec![0; wanted.len()],
        wanted,
        nodes: Vec::new(),
        masks: Vec::new(),
        words: Vec::new(),
        levels: vec![0],
        seen: HashSet::new(),
        conjectures: Vec::new(),
        tested: 0,
        counted: 0,
        unwatched: (UNWATCHED_WORDS / objects.div_ceil(64).max(1)).clamp(1, 4096),
    };
    if let Some(word) = search.wanted.last_mut() {
        *word &= search.last;
    }
    for (index, column) in table.columns.iter().enumerate().take(64) {
        if index != settings.property {
            search.make(Node::Property(index as u32), 1 << index, &bits(column));
        }
    }
    let (complete, ended_by) = search.levels();
    search.finish(complete, ended_by)
}

impl Search<'_> {
    fn levels(&mut self) -> (usize, Option<EndedBy>) {
        for complexity in 1..=self.settings.complexity {
            if self.covered == self.wanted {
                let is_any = self.wanted.iter().any(|&word| word != 0);
                let reason = if is_any { EndedBy::Covered } else { EndedBy::NothingToCover };
                return (complexity - 1, Some(reason));
            }
            self.levels.push(self.nodes.len());
            if let Err(reason) = self.goes_on() {
                return (complexity - 1, Some(reason));
            }
            for i in 0..self.settings.connectives.len() {
                let done = match self.settings.connectives[i] {
                    None => self.negations(complexity),
                    Some(connective) => self.joins(connective, complexity),
                };
                if let Err(reason) = done {
                    return (complexity - 1, Some(reason));
                }
            }
        }
        (self.settings.complexity, None)
    }

    fn level(&self, complexity: usize) -> std::ops::Range<usize> {
        let end = self.levels.get(complexity + 1).copied().unwrap_or(self.nodes.len());
        self.levels.get(complexity).map_or(0..0, |&start| start..end)
    }

    fn words(&self, index: usize) -> &[u64] {
        let length = self.wanted.len();
        &self.words[index * length..(index + 1) * length]
    }

    /// Counts, and returns why it is time to stop.
    fn goes_on(&mut self) -> Result<(), EndedBy> {
        self.progress.add(self.tested - self.counted);
        self.counted = self.tested;
        // The words, the same words in the set, and the growth of sets and vectors.
        let bytes = 2 * self.nodes.len() * (2 * 8 * self.wanted.len() + 64);
        match () {
            () if self.progress.stop().is_set() => Err(EndedBy::Stopped),
            () if self.deadline.is_some_and(|end| Instant::now() >= end) => Err(EndedBy::Time),
            () if bytes > self.settings.memory_bytes => Err(EndedBy::Memory),
            () => Ok(()),
        }
    }

    fn negations(&mut self, complexity: usize) -> Result<(), EndedBy> {
        for x in self.level(complexity - 1) {
            if x % self.unwatched == 0 {
                self.goes_on()?;
            }
            let words: Vec<u64> = self.words(x).iter().map(|word| !word).collect();
            self.make(Node::Not(x as u32), self.masks[x], &words);
        }
        Ok(())
    }

    fn joins(&mut self, connective: Connective, complexity: usize) -> Result<(), EndedBy> {
        let Some(rest) = complexity.checked_sub(2) else { return Ok(()) };
        let mut words = Vec::new();
        for first in 0..=rest {
            for x in self.level(first) {
                self.goes_on()?;
                let mut seconds = self.level(rest - first);
                if connective.is_commutative() {
                    // A commutative operator needs each pair once.
                    seconds.start = seconds.start.max(x + 1);
                }
                for y in seconds {
                    if y % self.unwatched == 0 {
                        self.goes_on()?;
                    }
                    if self.masks[x] & self.masks[y] != 0 {
                        continue;
                    }
                    words.clear();
                    let pairs = self.words(x).iter().zip(self.words(y));
                    words.extend(pairs.map(|(&x, &y)| connective.apply(x, y)));
                    let node = Node::Join(connective, x as u32, y as u32);
                    self.make(node, self.masks[x] | self.masks[y], &words);
                }
            }
        }
        Ok(())
    }

    /// Tests a condition, and keeps it if its words are new for its properties.
    fn make(&mut self, node: Node, mask: u64, words: &[u64]) {
        self.tested += 1;
        let last = words.len().saturating_sub(1);
        let valid = |i: usize| if i == last { self.last } else { u64::MAX };
        let covers = |i: usize| (words[i] ^ self.turn) & valid(i);
        let is_true = (0..words.len()).all(|i| covers(i) & !self.wanted[i] == 0);
        if is_true && (0..words.len()).any(|i| covers(i) & !self.covered[i] != 0) {
            let covers: Vec<u64> = (0..words.len()).map(covers).collect();
            self.covered.iter_mut().zip(&covers).for_each(|(covered, word)| *covered |= word);
            self.conjectures.push((self.condition(node), covers));
        }
        let key = words.iter().enumerate().map(|(i, word)| word & valid(i)).chain([mask]);
        if self.seen.insert(key.collect()) {
            self.nodes.push(node);
            self.masks.push(mask);
            self.words.extend(words);
        }
    }

    fn condition(&self, node: Node) -> Condition {
        let inner = |index: u32| Box::new(self.condition(self.nodes[index as usize]));
        match node {
            Node::Property(index) => Condition::Property(index as usize),
            Node::Not(x) => Condition::Not(inner(x)),
            Node::Join(connective, x, y) => Condition::Join(connective, inner(x), inner(y)),
        }
    }

    /// Drops conjectures that the others make redundant, the most complex first.
    fn finish(mut self, complete: usize, ended_by: Option<EndedBy>) -> Found {
        let objects = |words: &[u64]| -> Vec<usize> {
            let is_in = |&object: &usize| words[object / 64] >> (object % 64) & 1 == 1;
            (0..64 * words.len()).filter(is_in).collect()
        };
        // The number of conjectures that cover each object.
        let mut covering = vec![0_usize; 64 * self.wanted.len()];
        for (_, covers) in &self.conjectures {
            objects(covers).into_iter().for_each(|object| covering[object] += 1);
        }
        for i in (0..self.conjectures.len()).rev() {
            let covers = objects(&self.conjectures[i].1);
            if covers.iter().all(|&object| covering[object] > 1) {
                covers.iter().for_each(|&object| covering[object] -= 1);
                self.conjectures.remove(i);
            }
        }
        let count = |words: &[u64]| words.iter().map(|word| word.count_ones() as usize).sum();
        let (wanted, covered): (usize, usize) = (count(&self.wanted), count(&self.covered));
        let conjectures = self.conjectures.into_iter();
        Found {
            conjectures: conjectures
                .map(|(condition, covers)| Conjecture { condition, covers: objects(&covers) })
                .collect(),
            tested: self.tested,
            complete,
            ended_by,
            objects: wanted,
            uncovered: wanted - covered,
        }
    }
}
