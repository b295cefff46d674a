//! From positions to values: regions, their normal forms, and the options of both players.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashMap};
use parking_lot::Mutex;

use super::bits::U256;
use super::known::Known;
use super::normal::{self, Form, Large, Normal, Small};
use super::stones::{Layout, Stones};
use crate::canonical::Side;
use crate::forms::{Forms, Halt, Value};

/// What is known of regions; shared by threads.
pub struct Regions {
    forms: Forms,
    small: Known,
    large: Sharded<(u32, Large)>,
}

/// Values by normal form, in parts that are locked one at a time.
struct Sharded<K> {
    shards: Vec<Mutex<HashMap<K, Value>>>,
    hasher: DefaultHashBuilder,
}

const SHARDS: usize = 64;

impl<K: std::hash::Hash + Eq> Sharded<K> {
    fn new() -> Sharded<K> {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Sharded { shards, hasher: DefaultHashBuilder::default() }
    }

    fn shard(&self, key: &K) -> &Mutex<HashMap<K, Value>> {
        &self.shards[self.hasher.hash_one(key) as usize % SHARDS]
    }

    fn get(&self, key: &K) -> Option<Value> {
        self.shard(key).lock().get(key).copied()
    }

    fn put(&self, key: K, value: Value) {
        self.shard(&key).lock().insert(key, value);
    }

    fn count(&self) -> usize {
        self.shards.iter().map(|shard| shard.lock().len()).sum()
    }
}

impl Regions {
    /// Nothing is known yet.
    pub fn new(forms: Forms) -> Regions {
        Regions { forms, small: Known::new(), large: Sharded::new() }
    }

    /// The store of the values.
    pub fn forms(&self) -> &Forms {
        &self.forms
    }

    /// How many regions are known.
    pub fn count(&self) -> usize {
        self.small.count() + self.large.count()
    }
}

/// Works out values on one thread.
pub struct Evaluator<'a> {
    regions: &'a Regions,
    small_layout: Layout<u64>,
    /// Positions seen lately, before they are split and normalised.
    recent: Vec<(Small, Value)>,
    hasher: DefaultHashBuilder,
    /// Options of the regions that are being worked on, and what those consist of.
    options: Vec<Successor>,
    parts: Vec<Part>,
}

/// What a player can move to.
struct Successor {
    stones: Small,
    /// Its place in the short memory.
    recent: usize,
    player: usize,
    /// The value, as far as its regions were looked at.
    value: Value,
}

/// A region of an option.
#[derive(Clone, Copy)]
struct Part {
    option: usize,
    exchanged: bool,
    form: Form,
    hash: u64,
}

/// The short memory stays in the nearer caches of the processor.
const RECENT: usize = 1 << 12;

impl<'a> Evaluator<'a> {
    /// An evaluator that shares what it learns.
    pub fn new(regions: &'a Regions) -> Evaluator<'a> {
        let nothing = Stones { usable: 0, black: 0, white: 0 };
        Evaluator {
            regions,
            small_layout: Layout::new(8),
            hasher: DefaultHashBuilder::default(),
            recent: vec![(nothing, Value::ZERO); RECENT],
            options: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// The value of a position in rows of that length.
    pub(crate) fn large(&mut self, layout: &Layout<U256>, stones: Large) -> Result<Value, Halt> {
        let forms = &self.regions.forms;
        let mut sum = Value::ZERO;
        layout.for_each_region(stones, |region| {
            let value = match normal::to_small(layout, region) {
                Some(region) => self.small_region(region)?,
                None => self.large_region(layout, region)?,
            };
            sum = forms.add(sum, value)?;
            Ok(())
        })?;
        Ok(sum)
    }

    fn large_region(&mut self, layout: &Layout<U256>, region: Large) -> Result<Value, Halt> {
        let Normal { form, exchanged } = normal::large(layout, region);
        let value = match self.regions.large.get(&form) {
            Some(value) => value,
            None => {
                let (stride, region) = form;
                let layout = Layout::new(stride);
                let mut options = [Side::new(), Side::new()];
                layout.for_each_option(region, |player, stones| {
                    options[player].push(self.large(&layout, stones)?);
                    Ok(())
                })?;
                let value = self.regions.forms.from_options(options)?;
                self.regions.large.put(form, value);
                value
            }
        };
        self.turned(exchanged, value)
    }

    /// The value of a region whose normal form has that value, perhaps with the colours exchanged.
    fn turned(&self, exchanged: bool, value: Value) -> Result<Value, Halt> {
        if exchanged { self.regions.forms.negative(value) } else { Ok(value) }
    }

    /// The value of a region in rows of 8 squares.
    fn small_region(&mut self, region: Small) -> Result<Value, Halt> {
        let Normal { form, exchanged } = normal::small(region);
        let value = self.form(&form, self.regions.small.hash(&form))?;
        self.turned(exchanged, value)
    }

    /// The value of a region in normal form.
    fn form(&mut self, form: &Form, hash: u64) -> Result<Value, Halt> {
        if let Some(value) = self.regions.small.get(form, hash) {
            return Ok(value);
        }
        let options = self.options(form.region())?;
        let value = self.regions.forms.from_options(options)?;
        self.regions.small.put(form, hash, value)?;
        Ok(value)
    }

    /// The options of both players in a region. All of them are split and normalised before the
    /// first is looked up, so that the tables' memory arrives meanwhile.
    fn options(&mut self, region: Small) -> Result<[Side; 2], Halt> {
        let (forms, known) = (&self.regions.forms, &self.regions.small);
        let layout = self.small_layout;
        let first_option = self.options.len();
        let first_part = self.parts.len();
        layout.for_each_option(region, |player, stones| {
            let recent = self.hasher.hash_one((stones.black, stones.white)) as usize % RECENT;
            let (last, value) = self.recent[recent];
            let is_known = last == stones;
            if !is_known {
                let option = self.options.len();
                layout.for_each_region(stones, |region| {
                    let Normal { form, exchanged } = normal::small(region);
                    let hash = known.hash(&form);
                    known.prefetch(&form, hash);
                    self.parts.push(Part { option, exchanged, form, hash });
                    Ok(())
                })?;
            }
            let value = if is_known { value } else { Value::ZERO };
            self.options.push(Successor { stones, recent, player, value });
            Ok(())
        })?;
        for i in first_part..self.parts.len() {
            let Part { option, exchanged, form, hash } = self.parts[i];
            let value = self.form(&form, hash)?;
            let value = self.turned(exchanged, value)?;
            let sum = self.options[option].value;
            self.options[option].value = forms.add(sum, value)?;
        }
        self.parts.truncate(first_part);
        let mut sides = [Side::new(), Side::new()];
        for Successor { stones, recent, player, value } in self.options.drain(first_option..) {
            self.recent[recent] = (stones, value);
            sides[player].push(value);
        }
        Ok(sides)
    }
}
