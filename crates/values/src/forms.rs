//! The store of canonical forms. Every value has one entry, so equal games have equal ids and
//! testing equality means comparing integers.

use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Instant;

use hashbrown::{DefaultHashBuilder, HashTable};
use once_cell::race::OnceBox;
use papamu_base::memory::OutOfMemory;
use papamu_base::{Stop, Stopped};
use parking_lot::Mutex;
use smallvec::SmallVec;
use thiserror::Error;

use crate::cache::{PairCache, RelationCache};
use crate::dyadic::Dyadic;
use crate::simple::{LARGEST_NIMBER, MOST_UPS, Simple};

/// The value of a game: its canonical form in a [`Forms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub(crate) u32);

impl Value {
    /// The value of the game without moves, in every store.
    pub const ZERO: Value = Value(0);
}

/// Why a value could not be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Halt {
    /// The time is up.
    #[error("the time is up")]
    Time,
    /// The calculation was stopped.
    #[error("stopped before the work was done")]
    Stopped,
    /// The store is full.
    #[error("the memory for values is full")]
    Memory,
    /// A number, a multiple of up or a nimber is beyond the limits of values.
    #[error("a number, ups or a nimber got too large")]
    TooLarge,
    /// A game was given where a number is needed.
    #[error("a number is needed there")]
    NotANumber,
    /// A game was given where an integer is needed.
    #[error("an integer is needed there")]
    NotAnInteger,
    /// A tax is negative.
    #[error("a tax is not below 0")]
    Negative,
    /// A unit is not positive.
    #[error("the unit of a Norton product is above 0")]
    NotPositive,
    /// A value has no atomic weight, because it is not all-small.
    #[error("only all-small games have an atomic weight")]
    NotAllSmall,
}

impl From<OutOfMemory> for Halt {
    fn from(_: OutOfMemory) -> Halt {
        Halt::Memory
    }
}

impl From<Stopped> for Halt {
    fn from(_: Stopped) -> Halt {
        Halt::Stopped
    }
}

impl Halt {
    /// Whether the calculation was cut short: with more time or memory, or without a stop, it would
    /// succeed.
    pub fn is_unfinished(self) -> bool {
        matches!(self, Halt::Time | Halt::Stopped | Halt::Memory)
    }
}

/// The limits of calculations.
#[derive(Clone, Debug)]
pub struct Limits {
    /// They end at this time.
    pub deadline: Option<Instant>,
    /// They end when this is set.
    pub stop: Stop,
    /// They end when the store takes more than this many bytes.
    pub memory_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { deadline: None, stop: Stop::new(), memory_bytes: 4 << 30 }
    }
}

/// The options of one value: Left's, then Right's, both sorted by id. Most lists are short.
pub(crate) struct Options {
    left: u32,
    values: SmallVec<[Value; 4]>,
}

impl Options {
    fn new([left, right]: [&[Value]; 2]) -> Options {
        let values = left.iter().chain(right).copied().collect();
        Options { left: left.len() as u32, values }
    }

    fn sides(&self) -> [&[Value]; 2] {
        self.values.split_at(self.left as usize).into()
    }

    fn bytes(&self) -> u64 {
        let spilled = if self.values.spilled() { size_of_val(&self.values[..]) } else { 0 };
        (size_of::<Options>() + spilled) as u64
    }
}

/// One entry. Nodes are read at random all the time, so they are as small as possible.
pub(crate) struct Node {
    /// The left and the right stop. Those of a closed form are its number.
    pub(crate) stops: [Dyadic; 2],
    /// The multiple of up of a closed form.
    ups: i16,
    /// [`NOT_SIMPLE`] if the value has no closed form.
    nimber: u16,
    /// The id of its negative, or [`UNKNOWN`].
    negative: AtomicU32,
    /// The options of a closed form are made when they are first needed.
    options: OnceBox<Options>,
}

const NOT_SIMPLE: u16 = u16::MAX;
const UNKNOWN: u32 = u32::MAX;
const _: () = assert!(MOST_UPS <= i16::MAX as i32 && LARGEST_NIMBER < NOT_SIMPLE as u32);

impl Node {
    /// Its closed form, if it has one.
    #[inline(always)]
    pub(crate) fn simple(&self) -> Option<Simple> {
        let Node { stops, ups, nimber, .. } = self;
        (*nimber != NOT_SIMPLE).then_some(Simple {
            number: stops[0],
            ups: i32::from(*ups),
            nimber: u32::from(*nimber),
        })
    }

    /// Its negative, if that is known.
    pub(crate) fn negative(&self) -> Option<Value> {
        // Acquire: the entry of the negative must be visible, too.
        let negative = self.negative.load(Ordering::Acquire);
        (negative != UNKNOWN).then_some(Value(negative))
    }

    pub(crate) fn set_negative(&self, negative: Value) {
        self.negative.store(negative.0, Ordering::Release);
    }
}

/// The key of an entry.
enum Key<'a> {
    Simple(Simple),
    Options([&'a [Value]; 2]),
}

const SHARDS: usize = 64;

/// Canonical forms, shared by threads.
pub struct Forms {
    nodes: boxcar::Vec<Node>,
    index: Vec<Mutex<HashTable<Value>>>,
    hasher: DefaultHashBuilder,
    pub(crate) relations: RelationCache,
    pub(crate) sums: PairCache,
    limits: Limits,
    /// Bytes of nodes and options.
    bytes: AtomicU64,
    /// The number of steps, so that not every step reads the clock.
    steps: AtomicU64,
}

/// Steps between two looks at the clock.
const STEPS_PER_LOOK: u64 = 1 << 10;
/// The next step reads the clock.
const LOOK_NEXT: u64 = u64::MAX;
/// The bytes of an entry with its place in the index.
const ENTRY_BYTES: u64 = size_of::<Node>() as u64 + 8;

impl Forms {
    /// A store that contains only zero.
    pub fn new(limits: Limits) -> Result<Forms, Halt> {
        let forms = Forms {
            nodes: boxcar::Vec::new(),
            index: (0..SHARDS).map(|_| Mutex::default()).collect(),
            hasher: DefaultHashBuilder::default(),
            relations: RelationCache::new()?,
            sums: PairCache::new()?,
            limits,
            bytes: AtomicU64::new(0),
            steps: AtomicU64::new(LOOK_NEXT),
        };
        let zero = forms.simple(Simple::default())?;
        debug_assert_eq!(zero, Value::ZERO);
        Ok(forms)
    }

    /// The limits of calculations.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The number of values.
    pub fn count(&self) -> usize {
        self.nodes.count()
    }

    /// Counts a step of a calculation that may be long. Every recursion and every loop whose length
    /// depends on the input takes one, so that all of them notice the limits.
    #[inline]
    pub(crate) fn step(&self) -> Result<(), Halt> {
        let steps = self.steps.load(Ordering::Relaxed).wrapping_add(1);
        self.steps.store(steps, Ordering::Relaxed);
        let must_look = steps.is_multiple_of(STEPS_PER_LOOK) || self.limits.stop.is_set();
        if must_look { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&self) -> Result<(), Halt> {
        let within = self.within_limits();
        if within.is_err() {
            // A caller that goes on nevertheless is told again at the next step.
            self.steps.store(LOOK_NEXT, Ordering::Relaxed);
        }
        within
    }

    fn within_limits(&self) -> Result<(), Halt> {
        self.limits.stop.check()?;
        if self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Halt::Time);
        }
        if self.bytes.load(Ordering::Relaxed) > self.limits.memory_bytes {
            return Err(Halt::Memory);
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn node(&self, value: Value) -> &Node {
        &self.nodes[value.0 as usize]
    }

    /// The closed form of a value, if it has one.
    #[inline]
    pub fn as_simple(&self, value: Value) -> Option<Simple> {
        self.node(value).simple()
    }

    /// The number that a value equals, if it is one.
    pub fn as_number(&self, value: Value) -> Option<Dyadic> {
        self.as_simple(value).filter(|simple| simple.is_number()).map(|simple| simple.number)
    }

    /// The left stop: the number at which play ends when Left begins.
    #[inline]
    pub fn left_stop(&self, value: Value) -> Dyadic {
        self.node(value).stops[0]
    }

    /// The right stop: the same when Right begins.
    #[inline]
    pub fn right_stop(&self, value: Value) -> Dyadic {
        self.node(value).stops[1]
    }

    /// Left's and Right's options in canonical form.
    pub fn options(&self, value: Value) -> Result<[&[Value]; 2], Halt> {
        let node = self.node(value);
        let options = match node.options.get() {
            Some(options) => options,
            None => {
                let options = self.options_of(node.simple().unwrap_or_default())?;
                let options = Options::new([&options[0], &options[1]]);
                self.bytes.fetch_add(options.bytes(), Ordering::Relaxed);
                node.options.get_or_init(|| Box::new(options))
            }
        };
        Ok(options.sides())
    }

    /// Counts memory that others take to store values, and a step.
    pub(crate) fn remember(&self, bytes: u64) -> Result<(), Halt> {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.step()
    }

    /// The value of a closed form.
    pub fn simple(&self, simple: Simple) -> Result<Value, Halt> {
        if simple.nimber > LARGEST_NIMBER || simple.ups.abs() > MOST_UPS {
            return Err(Halt::TooLarge);
        }
        let node = || Node {
            stops: [simple.number; 2],
            // Within the limits above.
            ups: simple.ups as i16,
            nimber: simple.nimber as u16,
            negative: AtomicU32::new(UNKNOWN),
            options: OnceBox::new(),
        };
        self.intern(&Key::Simple(simple), node)
    }

    /// The value of a number.
    pub fn number(&self, number: Dyadic) -> Result<Value, Halt> {
        self.simple(Simple::number(number))
    }

    /// The value of an integer.
    pub fn integer(&self, n: i64) -> Result<Value, Halt> {
        self.number(Dyadic::integer(n).ok_or(Halt::TooLarge)?)
    }

    /// The value of a heap of Nim.
    pub fn nimber(&self, nimber: u32) -> Result<Value, Halt> {
        self.simple(Simple { nimber, ..Simple::default() })
    }

    /// A multiple of up.
    pub fn ups(&self, ups: i32) -> Result<Value, Halt> {
        self.simple(Simple { ups, ..Simple::default() })
    }

    /// The value with these options, which are sorted and a canonical form without a closed form.
    pub(crate) fn general(&self, options: [&[Value]; 2]) -> Result<Value, Halt> {
        self.step()?;
        let node = || {
            let left = options[0].iter().map(|&l| self.right_stop(l)).max();
            let right = options[1].iter().map(|&r| self.left_stop(r)).min();
            let options = Options::new(options);
            self.bytes.fetch_add(options.bytes(), Ordering::Relaxed);
            Node {
                stops: [left.unwrap_or_default(), right.unwrap_or_default()],
                ups: 0,
                nimber: NOT_SIMPLE,
                negative: AtomicU32::new(UNKNOWN),
                options: OnceBox::with_value(Box::new(options)),
            }
        };
        self.intern(&Key::Options(options), node)
    }

    fn hash(&self, key: &Key) -> u64 {
        match key {
            Key::Simple(simple) => self.hasher.hash_one(simple),
            Key::Options(options) => self.hasher.hash_one(options),
        }
    }

    fn hash_of(&self, value: Value) -> u64 {
        let node = self.node(value);
        match (node.simple(), node.options.get()) {
            (None, Some(options)) => self.hash(&Key::Options(options.sides())),
            (simple, _) => self.hash(&Key::Simple(simple.unwrap_or_default())),
        }
    }

    fn intern(&self, key: &Key, node: impl FnOnce() -> Node) -> Result<Value, Halt> {
        let hash = self.hash(key);
        let mut shard = self.index[hash as usize % SHARDS].lock();
        let is_it = |value: &Value| {
            let node = self.node(*value);
            match key {
                Key::Simple(simple) => node.simple() == Some(*simple),
                Key::Options(key) => {
                    node.simple().is_none()
                        && node.options.get().is_some_and(|options| options.sides() == *key)
                }
            }
        };
        // The low bits have chosen the shard.
        let hash = hash >> 6 ^ hash << 58;
        if let Some(&value) = shard.find(hash, is_it) {
            return Ok(value);
        }
        let value = self.nodes.push(node());
        let value = Value(u32::try_from(value).ok().filter(|&id| id < MOST).ok_or(Halt::Memory)?);
        self.bytes.fetch_add(ENTRY_BYTES, Ordering::Relaxed);
        let rehash = |value: &Value| {
            let hash = self.hash_of(*value);
            hash >> 6 ^ hash << 58
        };
        shard.insert_unique(hash, value, rehash);
        Ok(value)
    }

    /// The options of a closed form. A number beside it is left out here, and added to every
    /// option:
    ///
    /// ```text
    /// *k   = {0, ..., *(k-1) | 0, ..., *(k-1)}       ^*  = {0, * | 0}
    /// ^u*k = {0 | ^(u-1) *(k xor 1)}                 -G  = {-G^R | -G^L}
    /// ```
    fn options_of(&self, simple: Simple) -> Result<[Vec<Value>; 2], Halt> {
        let Simple { number, ups, nimber } = simple;
        let at = |ups, nimber| self.simple(Simple { number, ups, nimber });
        let mut options: [Vec<Value>; 2] = match (ups, nimber) {
            (0, 0) => return self.options_of_number(number),
            (0, nimber) => {
                let lower = (0..nimber).map(|n| at(0, n)).collect::<Result<Vec<_>, _>>()?;
                [lower.clone(), lower]
            }
            (1, 1) => [vec![at(0, 0)?, at(0, 1)?], vec![at(0, 0)?]],
            (-1, 1) => [vec![at(0, 0)?], vec![at(0, 0)?, at(0, 1)?]],
            (ups, nimber) => {
                let zero = vec![at(0, 0)?];
                let other = vec![at(ups - ups.signum(), nimber ^ 1)?];
                if ups > 0 { [zero, other] } else { [other, zero] }
            }
        };
        options.iter_mut().for_each(|side| side.sort_unstable());
        Ok(options)
    }

    fn options_of_number(&self, number: Dyadic) -> Result<[Vec<Value>; 2], Halt> {
        let one = |number: Option<Dyadic>| {
            self.number(number.ok_or(Halt::TooLarge)?).map(|value| vec![value])
        };
        let (sign, spread) = (number.numerator().signum(), number.spread());
        Ok(match (number.is_integer(), sign) {
            (true, 0) => [vec![], vec![]],
            (true, 1) => [one(number.checked_sub(spread))?, vec![]],
            (true, _) => [vec![], one(number.checked_add(spread))?],
            (false, _) => [one(number.checked_sub(spread))?, one(number.checked_add(spread))?],
        })
    }
}

/// Ids fit into 31 bits, so two of them and a result fit into a word.
const MOST: u32 = 1 << 31;
