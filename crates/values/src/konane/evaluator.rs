//! From positions to values: regions, their normal forms, and the options of both players.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashMap};
use parking_lot::Mutex;

use super::bits::{Bits, Four, U256};
use super::known::Known;
use super::normal::{self, Form, Frame, Large, Normal, Small};
use super::rows_of_8;
use super::stones::{Layout, Stones};
use crate::canonical::Side;
use crate::forms::{Forms, Halt, Value};

/// The known values of regions, shared by threads.
pub struct Regions {
    forms: Forms,
    /// The layout with rows of 8 squares, for all evaluators.
    small_layout: Layout<u64>,
    small: Known,
    word: Sharded<(u32, Stones<u64>)>,
    large: Sharded<(u32, Large)>,
}

/// Values by normal form, in shards that are locked separately.
pub(crate) struct Sharded<K> {
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
    /// An empty store.
    pub fn new(forms: Forms) -> Result<Regions, Halt> {
        let small = Known::new(forms.limits().memory_bytes)?;
        Ok(Regions {
            forms,
            small_layout: Layout::new(8),
            small,
            word: Sharded::new(),
            large: Sharded::new(),
        })
    }

    /// The store of the values.
    pub fn forms(&self) -> &Forms {
        &self.forms
    }

    /// The number of known regions.
    pub fn count(&self) -> usize {
        self.small.count() + self.word.count() + self.large.count()
    }
}

/// Sets of squares for which a general store of regions is used. Regions up to 8x8 have a faster
/// one.
pub(crate) trait Remembered: Bits {
    fn known(regions: &Regions) -> &Sharded<(u32, Stones<Self>)>;
    fn layouts<'e>(evaluator: &'e mut Evaluator) -> &'e mut HashMap<u32, Layout<Self>>;
}

impl Remembered for u64 {
    fn known(regions: &Regions) -> &Sharded<(u32, Stones<u64>)> {
        &regions.word
    }

    fn layouts<'e>(evaluator: &'e mut Evaluator) -> &'e mut HashMap<u32, Layout<u64>> {
        &mut evaluator.word_layouts
    }
}

impl Remembered for U256 {
    fn known(regions: &Regions) -> &Sharded<(u32, Large)> {
        &regions.large
    }

    fn layouts<'e>(evaluator: &'e mut Evaluator) -> &'e mut HashMap<u32, Layout<U256>> {
        &mut evaluator.large_layouts
    }
}

/// Computes values on one thread.
pub struct Evaluator<'a> {
    regions: &'a Regions,
    small_layout: Layout<u64>,
    /// Layouts by the length of rows.
    word_layouts: HashMap<u32, Layout<u64>>,
    large_layouts: HashMap<u32, Layout<U256>>,
    /// The options of the regions that are being evaluated, and the components of these options.
    options: Vec<Successor>,
    components: Vec<Component>,
}

/// An option of a player.
#[derive(Clone, Copy)]
struct Successor {
    stones: Small,
    player: usize,
    /// The value of the regions that were evaluated so far.
    value: Value,
    /// The whole option on the squares of the region it comes from, if that has a short form.
    whole: Option<Component>,
    /// Whether it is split into its own, smaller regions.
    is_split: bool,
}

/// A component of an option: one region.
#[derive(Clone, Copy)]
struct Component {
    option: usize,
    exchanged: bool,
    form: Form,
    hash: u64,
}

/// The average size of an entry, including free places of the tables.
const SMALL_BYTES: u64 = 32;
const LONG_BYTES: u64 = 64;
const LARGE_BYTES: u64 = 256;

impl<'a> Evaluator<'a> {
    /// An evaluator that shares its results.
    pub fn new(regions: &'a Regions) -> Evaluator<'a> {
        Evaluator {
            regions,
            small_layout: regions.small_layout,
            word_layouts: HashMap::new(),
            large_layouts: HashMap::new(),
            options: Vec::new(),
            components: Vec::new(),
        }
    }

    /// The store of the values.
    pub fn forms(&self) -> &'a Forms {
        &self.regions.forms
    }

    /// Drops what an interrupted evaluation left behind. Called before a new position.
    pub(crate) fn forget_unfinished(&mut self) {
        self.options.clear();
        self.components.clear();
    }

    /// The value of a position with this layout.
    pub(crate) fn position<B: Remembered>(
        &mut self,
        layout: &Layout<B>,
        stones: Stones<B>,
    ) -> Result<Value, Halt> {
        let forms = &self.regions.forms;
        let mut sum = Value::ZERO;
        layout.for_each_region(stones, |region| {
            let value = if let Some(region) = normal::to_small(layout, region) {
                self.small_region(region)?
            } else if B::SIZE > u64::SIZE
                && let Some((stride, region)) = normal::to_word(layout, region)
            {
                let layout = self.layout(stride);
                self.region(&layout, region)?
            } else {
                self.region(layout, region)?
            };
            sum = forms.add(sum, value)?;
            Ok(())
        })?;
        Ok(sum)
    }

    /// The value of a position in rows of 8 squares, unless it has a region of more than
    /// `most_squares` squares.
    pub fn of_small_regions(
        &mut self,
        squares: u64,
        [black, white]: [u64; 2],
        most_squares: u32,
    ) -> Result<Option<Value>, Halt> {
        self.forget_unfinished();
        let layout = self.small_layout;
        let stones = Stones { usable: squares, black, white };
        let (possible, _) = rows_of_8::possible(stones, &[0; 4]);
        let possible = Four::new(possible);
        // All regions are measured first, so that no value is computed in vain.
        let mut largest = 0;
        layout.for_each_region_of(possible, stones, |region| {
            largest = largest.max(region.usable.count_ones());
            Ok(())
        })?;
        if largest > most_squares {
            return Ok(None);
        }
        let mut sum = Value::ZERO;
        layout.for_each_region_of(possible, stones, |region| {
            sum = self.regions.forms.add(sum, self.small_region(region)?)?;
            Ok(())
        })?;
        Ok(Some(sum))
    }

    fn layout<B: Remembered>(&mut self, stride: u32) -> Layout<B> {
        *B::layouts(self).entry(stride).or_insert_with(|| Layout::new(stride))
    }

    /// The value of a region that is higher or wider than 8 squares.
    fn region<B: Remembered>(
        &mut self,
        layout: &Layout<B>,
        region: Stones<B>,
    ) -> Result<Value, Halt> {
        let Normal { form, exchanged } = normal::large(layout, region);
        let value = match B::known(self.regions).get(&form) {
            Some(value) => value,
            None => {
                let (stride, region) = form;
                self.regions.forms.remember(LARGE_BYTES)?;
                let layout = self.layout(stride);
                let mut options = [Side::new(), Side::new()];
                layout.for_each_option(region, |player, stones| {
                    options[player].push(self.position(&layout, stones)?);
                    Ok(())
                })?;
                let value = self.regions.forms.from_options(options)?;
                B::known(self.regions).put(form, value);
                value
            }
        };
        self.negated_if(exchanged, value)
    }

    /// The value of a region from that of its normal form, negated if the colours were exchanged.
    fn negated_if(&self, exchanged: bool, value: Value) -> Result<Value, Halt> {
        if exchanged { self.regions.forms.negative(value) } else { Ok(value) }
    }

    /// The value of a region in rows of 8 squares.
    fn small_region(&mut self, region: Small) -> Result<Value, Halt> {
        let Normal { form, exchanged } = normal::small(region);
        let value = self.form(&form, self.regions.small.hash(&form))?;
        self.negated_if(exchanged, value)
    }

    /// The value of a region in normal form.
    fn form(&mut self, form: &Form, hash: u64) -> Result<Value, Halt> {
        if let Some(value) = self.regions.small.get(form, hash) {
            return Ok(value);
        }
        let bytes = if matches!(form, Form::Short(_)) { SMALL_BYTES } else { LONG_BYTES };
        self.regions.forms.remember(bytes)?;
        let mut options = [Side::new(), Side::new()];
        self.options(form, &mut options)?;
        let value = self.regions.forms.from_options(options)?;
        self.regions.small.put(form, hash, value)?;
        Ok(value)
    }

    /// The options of both players in a region. All of them are normalised before the first is
    /// looked up, so that the memory of the tables arrives meanwhile.
    ///
    /// An option is first looked up on the squares of the region it comes from. Three of four
    /// options keep all of these squares, and most are known. Sums are stored that way as well.
    /// Only an option that is not found is split.
    fn options(&mut self, form: &Form, sides: &mut [Side; 2]) -> Result<(), Halt> {
        let (forms, known) = (&self.regions.forms, &self.regions.small);
        let layout = self.small_layout;
        let region = form.region();
        let frame = Frame::of(form, region);
        let first_option = self.options.len();
        let first_component = self.components.len();
        let component = |option, Normal { form, exchanged }: Normal<Form>| {
            let hash = known.hash(&form);
            known.prefetch(&form, hash);
            Component { option, exchanged, form, hash }
        };
        layout.for_each_option(region, |player, stones| {
            let option = self.options.len();
            let whole = frame
                .as_ref()
                .map(|frame| component(option, frame.normal(stones.black, stones.white)));
            let (value, is_split) = (Value::ZERO, false);
            self.options.push(Successor { stones, player, value, whole, is_split });
            Ok(())
        })?;
        let (possible, _) = rows_of_8::possible(region, &[0; 4]);
        for option in first_option..self.options.len() {
            let Successor { stones, whole, .. } = self.options[option];
            if let Some(Component { form, hash, exchanged, .. }) = whole
                && let Some(value) = known.get(&form, hash)
            {
                self.options[option].value = self.negated_if(exchanged, value)?;
                continue;
            }
            let (still_possible, is_same) = rows_of_8::possible(stones, &possible);
            match whole {
                Some(whole) if is_same => self.components.push(whole),
                _ => {
                    self.options[option].is_split = true;
                    layout.for_each_region_of(Four::new(still_possible), stones, |region| {
                        self.components.push(component(option, normal::small(region)));
                        Ok(())
                    })?;
                }
            }
        }
        for i in first_component..self.components.len() {
            let Component { option, exchanged, form, hash } = self.components[i];
            let value = self.form(&form, hash)?;
            let value = self.negated_if(exchanged, value)?;
            let sum = self.options[option].value;
            self.options[option].value = forms.add(sum, value)?;
        }
        self.components.truncate(first_component);
        for i in first_option..self.options.len() {
            let Successor { player, value, whole, is_split, .. } = self.options[i];
            sides[player].push(value);
            if let (Some(Component { form, hash, exchanged, .. }), true) = (whole, is_split) {
                forms.remember(SMALL_BYTES)?;
                known.put(&form, hash, self.negated_if(exchanged, value)?)?;
            }
        }
        self.options.truncate(first_option);
        Ok(())
    }
}
