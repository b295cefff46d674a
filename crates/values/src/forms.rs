//! The store of canonical forms. Every value has one entry, so equal games have equal ids and
//! comparing for equality is comparing integers.

use std::hash::{BuildHasher, Hash};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use hashbrown::{DefaultHashBuilder, HashTable};
use papamu_game::memory::OutOfMemory;
use parking_lot::Mutex;
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

/// Why a value could not be worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Halt {
    /// The time is up.
    #[error("the time is up")]
    Time,
    /// The store is full.
    #[error("the memory for values is full")]
    Memory,
    /// A number, a sum of ups or a nimber is beyond what values can hold.
    #[error("a number, ups or a nimber got too large")]
    TooLarge,
    /// A game stands where only a number makes sense.
    #[error("a number is needed there")]
    NotANumber,
    /// A game stands where only an integer makes sense.
    #[error("an integer is needed there")]
    NotAnInteger,
    /// A tax is below zero.
    #[error("a tax is not below 0")]
    Negative,
    /// A unit is not above zero.
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

/// How far calculations may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// They end at this time.
    pub deadline: Option<Instant>,
    /// They end when the store has taken so many bytes.
    pub memory_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { deadline: None, memory_bytes: 4 << 30 }
    }
}

/// The options of one value.
type Options = [Box<[Value]>; 2];

pub(crate) struct Node {
    /// The left and the right stop; of a closed form both are its number.
    pub(crate) stops: [Dyadic; 2],
    /// The rest of a closed form.
    infinitesimal: Infinitesimal,
    /// Left's and Right's options, sorted by id; those of closed forms are worked out when they are
    /// wanted.
    options: OnceLock<Options>,
    /// The id of its negative, if it is known.
    pub(crate) negative: OnceLock<Value>,
}

/// Ups and a nimber, in one word so that what comparisons need is in one cache line.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Infinitesimal {
    ups: i32,
    /// [`NOT_SIMPLE`] if the value has no closed form.
    nimber: u32,
}

const NOT_SIMPLE: u32 = u32::MAX;

impl Node {
    /// Its closed form, if it has one.
    #[inline(always)]
    pub(crate) fn simple(&self) -> Option<Simple> {
        let Infinitesimal { ups, nimber } = self.infinitesimal;
        (nimber != NOT_SIMPLE).then_some(Simple { number: self.stops[0], ups, nimber })
    }
}

/// What an entry is found by.
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
    /// Steps taken, so that the clock is not asked at each.
    steps: AtomicU64,
}

/// Steps between two looks at the clock.
const STEPS_PER_LOOK: u64 = 1 << 10;
/// Bytes of an entry with its place in the index.
const ENTRY_BYTES: u64 = size_of::<Node>() as u64 + 8;

impl Forms {
    /// A store that has nothing but zero in it.
    pub fn new(limits: Limits) -> Result<Forms, Halt> {
        let forms = Forms {
            nodes: boxcar::Vec::new(),
            index: (0..SHARDS).map(|_| Mutex::default()).collect(),
            hasher: DefaultHashBuilder::default(),
            relations: RelationCache::new()?,
            sums: PairCache::new()?,
            limits,
            bytes: AtomicU64::new(0),
            steps: AtomicU64::new(0),
        };
        let zero = forms.simple(Simple::default())?;
        debug_assert_eq!(zero, Value::ZERO);
        Ok(forms)
    }

    /// How many values there are.
    pub fn count(&self) -> usize {
        self.nodes.count()
    }

    /// Counts a step of a calculation that may be long.
    #[inline]
    pub(crate) fn step(&self) -> Result<(), Halt> {
        let steps = self.steps.load(Ordering::Relaxed).wrapping_add(1);
        self.steps.store(steps, Ordering::Relaxed);
        if steps.is_multiple_of(STEPS_PER_LOOK) { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&self) -> Result<(), Halt> {
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

    /// The number that a value is, if it is one.
    pub fn as_number(&self, value: Value) -> Option<Dyadic> {
        self.as_simple(value).filter(|simple| simple.is_number()).map(|simple| simple.number)
    }

    /// Where play ends up when Left begins, and numbers are not played in.
    #[inline]
    pub fn left_stop(&self, value: Value) -> Dyadic {
        self.node(value).stops[0]
    }

    /// The same when Right begins.
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
                let simple = node.simple().unwrap_or_default();
                let options = self.options_of(simple)?;
                self.count_bytes(&options);
                node.options.get_or_init(|| options)
            }
        };
        Ok([&options[0], &options[1]])
    }

    /// Counts memory that others take to remember values, and a step of theirs.
    pub(crate) fn remember(&self, bytes: u64) -> Result<(), Halt> {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.step()
    }

    fn count_bytes(&self, options: &Options) {
        let bytes = (options[0].len() + options[1].len()) * size_of::<Value>();
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// The value of a closed form.
    pub fn simple(&self, simple: Simple) -> Result<Value, Halt> {
        if simple.nimber > LARGEST_NIMBER || simple.ups.abs() > MOST_UPS {
            return Err(Halt::TooLarge);
        }
        let node = || Node {
            stops: [simple.number; 2],
            infinitesimal: Infinitesimal { ups: simple.ups, nimber: simple.nimber },
            options: OnceLock::new(),
            negative: OnceLock::new(),
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

    /// So many ups.
    pub fn ups(&self, ups: i32) -> Result<Value, Halt> {
        self.simple(Simple { ups, ..Simple::default() })
    }

    /// The value with these options, which are a canonical form that is no closed one, sorted.
    pub(crate) fn general(&self, options: [&[Value]; 2]) -> Result<Value, Halt> {
        self.step()?;
        let node = || {
            let left = options[0].iter().map(|&l| self.right_stop(l)).max();
            let right = options[1].iter().map(|&r| self.left_stop(r)).min();
            let owned = options.map(Box::from);
            self.count_bytes(&owned);
            Node {
                infinitesimal: Infinitesimal { ups: 0, nimber: NOT_SIMPLE },
                stops: [left.unwrap_or_default(), right.unwrap_or_default()],
                options: OnceLock::from(owned),
                negative: OnceLock::new(),
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
            (None, Some([left, right])) => self.hash(&Key::Options([left, right])),
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
                Key::Options([left, right]) => {
                    node.simple().is_none()
                        && node.options.get().is_some_and(|[l, r]| **l == **left && **r == **right)
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

    /// The options of a closed form. With the number n moved aside:
    ///
    /// ```text
    /// *k   = {0, ..., *(k-1) | 0, ..., *(k-1)}       ^*  = {0, * | 0}
    /// ^u*k = {0 | ^(u-1) *(k xor 1)}                 -G  = {-G^R | -G^L}
    /// ```
    fn options_of(&self, simple: Simple) -> Result<Options, Halt> {
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
        Ok(options.map(Vec::into_boxed_slice))
    }

    fn options_of_number(&self, number: Dyadic) -> Result<Options, Halt> {
        let one = |number: Option<Dyadic>| {
            self.number(number.ok_or(Halt::TooLarge)?).map(|value| Box::from([value]))
        };
        let (sign, spread) = (number.numerator().signum(), number.spread());
        Ok(match (number.is_integer(), sign) {
            (true, 0) => [Box::from([]), Box::from([])],
            (true, 1) => [one(number.checked_sub(spread))?, Box::from([])],
            (true, _) => [Box::from([]), one(number.checked_add(spread))?],
            (false, _) => [one(number.checked_sub(spread))?, one(number.checked_add(spread))?],
        })
    }
}

/// Ids fit into 31 bits, so that two of them and a result fit into a word.
const MOST: u32 = 1 << 31;
