//! Atomic weights of all-small games, far star, birthdays.

use hashbrown::HashMap;

use crate::canonical::Side;
use crate::dyadic::{Bound, Dyadic};
use crate::forms::{Forms, Halt, Value};
use crate::simple::{LARGEST_NIMBER, Simple};

impl Forms {
    /// The birthday of a value: one more than the latest birthday of its options.
    pub fn birthday(&self, value: Value) -> Result<u64, Halt> {
        self.step()?;
        self.birthday_with(value, &mut HashMap::new())
    }

    fn birthday_with(&self, value: Value, known: &mut HashMap<Value, u64>) -> Result<u64, Halt> {
        if let Some(number) = self.as_number(value) {
            // The absolute value rounded up, plus one day for each binary place.
            let size = number.floor().unsigned_abs().max(number.ceil().unsigned_abs());
            return Ok(size + u64::from(number.exponent()));
        }
        if let Some(&birthday) = known.get(&value) {
            return Ok(birthday);
        }
        self.step()?;
        let mut birthday = 0;
        for side in self.options(value)? {
            for &option in side {
                birthday = birthday.max(1 + self.birthday_with(option, known)?);
            }
        }
        known.insert(value, birthday);
        Ok(birthday)
    }

    /// Whether the value is all-small: in every follower both players can move or neither can.
    pub fn is_all_small(&self, value: Value) -> Result<bool, Halt> {
        self.step()?;
        self.is_all_small_with(value, &mut HashMap::new())
    }

    fn is_all_small_with(
        &self,
        value: Value,
        known: &mut HashMap<Value, bool>,
    ) -> Result<bool, Halt> {
        if let Some(simple) = self.as_simple(value) {
            return Ok(simple.number == Dyadic::ZERO);
        }
        if let Some(&is) = known.get(&value) {
            return Ok(is);
        }
        self.step()?;
        let mut is = true;
        for side in self.options(value)? {
            for &option in side {
                is = is && self.is_all_small_with(option, known)?;
            }
        }
        known.insert(value, is);
        Ok(is)
    }

    /// The largest nimber in the form of a value.
    fn largest_nimber(&self, value: Value, known: &mut HashMap<Value, u32>) -> Result<u32, Halt> {
        if let Some(simple) = self.as_simple(value) {
            return Ok(simple.nimber | 1);
        }
        if let Some(&largest) = known.get(&value) {
            return Ok(largest);
        }
        self.step()?;
        let mut largest = 0;
        for side in self.options(value)? {
            for &option in side {
                largest = largest.max(self.largest_nimber(option, known)?);
            }
        }
        known.insert(value, largest);
        Ok(largest)
    }

    /// The nimber that acts as far star for a value: a power of two above all nimbers in it.
    pub fn far_star(&self, value: Value) -> Result<Value, Halt> {
        self.step()?;
        let largest = self.largest_nimber(value, &mut HashMap::new())?;
        // One level more, because sums may need it.
        let nimber = (largest + 1).next_power_of_two() * 2;
        if nimber > LARGEST_NIMBER {
            return Err(Halt::TooLarge);
        }
        self.simple(Simple { nimber, ..Simple::default() })
    }

    /// The atomic weight of an all-small value, `None` for others (J. Conway; Winning Ways, chapter
    /// 8).
    ///
    /// `{weight(G^L) - 2 | weight(G^R) + 2}`, unless that is an integer: then G is compared with
    /// far star. Above it the weight is the largest integer that fits, below it the smallest,
    /// otherwise 0.
    pub fn atomic_weight(&self, value: Value) -> Result<Option<Value>, Halt> {
        if !self.is_all_small(value)? {
            return Ok(None);
        }
        self.weight(value, &mut HashMap::new()).map(Some)
    }

    fn weight(&self, value: Value, known: &mut HashMap<Value, Value>) -> Result<Value, Halt> {
        if let Some(simple) = self.as_simple(value) {
            return self.integer(i64::from(simple.ups));
        }
        if let Some(&weight) = known.get(&value) {
            return Ok(weight);
        }
        self.step()?;
        let two = [self.integer(-2)?, self.integer(2)?];
        let mut options = [Side::new(), Side::new()];
        for (player, side) in options.iter_mut().enumerate() {
            for &option in self.options(value)?[player] {
                let weight = self.weight(option, known)?;
                side.push(self.add(weight, two[player])?);
            }
        }
        let plain = self.from_options(options.clone())?;
        let is_integer = self.as_number(plain).is_some_and(Dyadic::is_integer);
        let weight = if is_integer { self.eccentric(value, &options)? } else { plain };
        known.insert(value, weight);
        Ok(weight)
    }

    /// The weight of a game whose options leave room for integers.
    fn eccentric(&self, value: Value, options: &[Side; 2]) -> Result<Value, Halt> {
        let far_star = self.far_star(value)?;
        let above = self.is_at_most(far_star, value)?;
        let below = self.is_at_most(value, far_star)?;
        if !above && !below {
            return Ok(Value::ZERO);
        }
        let player = usize::from(above);
        let stops = options[player].iter().map(|&o| self.node(o).stops[1 - player]);
        let stop = if above { stops.min() } else { stops.max() };
        let Some(Bound { at, closed }) = self.bound(&options[player], stop, player)? else {
            return Ok(Value::ZERO);
        };
        let inside = i64::from(at.is_integer() && !closed);
        self.integer(if above { at.floor() - inside } else { at.ceil() + inside })
    }
}
