//! Cooling, heating, overheating, the Norton product, and reduction modulo infinitesimals.

use std::cmp::Ordering;

use hashbrown::HashMap;

use crate::canonical::Side;
use crate::dyadic::Dyadic;
use crate::forms::{Forms, Halt, Value};
use crate::thermograph::Thermographs;

impl Forms {
    /// The game with every move taxed: `{cooled G^L - t | cooled G^R + t}` up to the temperature,
    /// above it the mean.
    pub fn cool(&self, value: Value, tax: Value) -> Result<Value, Halt> {
        let by = self.as_number(tax).ok_or(Halt::NotANumber)?;
        if by < Dyadic::ZERO {
            return Err(Halt::Negative);
        }
        self.cool_with(value, by, &mut Thermographs::new(self), &mut HashMap::new())
    }

    fn cool_with(
        &self,
        value: Value,
        tax: Dyadic,
        thermographs: &mut Thermographs,
        known: &mut HashMap<Value, Value>,
    ) -> Result<Value, Halt> {
        let thermograph = thermographs.of(value)?;
        if tax > thermograph.temperature {
            return self.number(thermograph.mean);
        }
        if let Some(&cooled) = known.get(&value) {
            return Ok(cooled);
        }
        self.step()?;
        let paid = [self.number(-tax)?, self.number(tax)?];
        let mut options = [Side::new(), Side::new()];
        for (player, side) in options.iter_mut().enumerate() {
            for &option in self.options(value)?[player] {
                let cooled = self.cool_with(option, tax, thermographs, known)?;
                side.push(self.add(cooled, paid[player])?);
            }
        }
        let cooled = self.from_options(options)?;
        known.insert(value, cooled);
        Ok(cooled)
    }

    /// The game with a prize for every move: numbers stay, others become `{heated G^L + t | heated
    /// G^R - t}`.
    pub fn heat(&self, value: Value, prize: Value) -> Result<Value, Halt> {
        self.step()?;
        let number = |value| Ok(self.as_number(value).is_some().then_some(value));
        self.heat_with(value, prize, &number, &mut HashMap::new())
    }

    /// The game overheated from s to t (E. Berlekamp, 1988), applied to its canonical form:
    ///
    /// ```text
    /// n                                          becomes n games s
    /// G, if it is no integer,                    becomes {overheated G^L + t | overheated G^R - t}
    /// ```
    pub fn overheat(&self, value: Value, unit: Value, prize: Value) -> Result<Value, Halt> {
        self.step()?;
        let multiple = |value| {
            let integer = self.as_number(value).filter(|number| number.is_integer());
            integer.map(|n| self.times(n.numerator(), unit)).transpose()
        };
        self.heat_with(value, prize, &multiple, &mut HashMap::new())
    }

    /// Adds a prize to every move, down to the values for which `cold` has a result.
    fn heat_with(
        &self,
        value: Value,
        prize: Value,
        cold: &dyn Fn(Value) -> Result<Option<Value>, Halt>,
        known: &mut HashMap<Value, Value>,
    ) -> Result<Value, Halt> {
        if let Some(value) = cold(value)? {
            return Ok(value);
        }
        if let Some(&heated) = known.get(&value) {
            return Ok(heated);
        }
        self.step()?;
        let prizes = [prize, self.negative(prize)?];
        let mut options = [Side::new(), Side::new()];
        for (player, side) in options.iter_mut().enumerate() {
            for &option in self.options(value)?[player] {
                let heated = self.heat_with(option, prize, cold, known)?;
                side.push(self.add(heated, prizes[player])?);
            }
        }
        let heated = self.from_options(options)?;
        known.insert(value, heated);
        Ok(heated)
    }

    /// The sum of `n` copies.
    pub fn times(&self, n: i64, value: Value) -> Result<Value, Halt> {
        self.step()?;
        let base = if n < 0 { self.negative(value)? } else { value };
        let (mut sum, mut power, mut left) = (Value::ZERO, base, n.unsigned_abs());
        while left > 0 {
            if left & 1 == 1 {
                sum = self.add(sum, power)?;
            }
            left >>= 1;
            if left > 0 {
                power = self.add(power, power)?;
            }
        }
        Ok(sum)
    }

    /// The Norton product `G . U` with a positive U: for integers a multiple, otherwise
    ///
    /// ```text
    /// {G^L . U + U + I | G^R . U - U - I}        I an incentive of U
    /// ```
    pub fn norton(&self, value: Value, unit: Value) -> Result<Value, Halt> {
        self.step()?;
        if self.compare(unit, Value::ZERO)? != Some(Ordering::Greater) {
            return Err(Halt::NotPositive);
        }
        let incentives = self.incentives(unit)?;
        self.norton_with(value, unit, &incentives, &mut HashMap::new())
    }

    fn norton_with(
        &self,
        value: Value,
        unit: Value,
        incentives: &Side,
        known: &mut HashMap<Value, Value>,
    ) -> Result<Value, Halt> {
        if let Some(number) = self.as_number(value).filter(|number| number.is_integer()) {
            return self.times(number.numerator(), unit);
        }
        if let Some(&product) = known.get(&value) {
            return Ok(product);
        }
        self.step()?;
        let mut options = [Side::new(), Side::new()];
        for (player, side) in options.iter_mut().enumerate() {
            for &option in self.options(value)?[player] {
                let product = self.norton_with(option, unit, incentives, known)?;
                for &incentive in incentives {
                    let gain = self.add(unit, incentive)?;
                    side.push(if player == 0 {
                        self.add(product, gain)?
                    } else {
                        self.subtract(product, gain)?
                    });
                }
            }
        }
        let product = self.from_options(options)?;
        known.insert(value, product);
        Ok(product)
    }

    /// The incentives `G^L - G` and `G - G^R`, without dominated ones.
    pub fn incentives(&self, value: Value) -> Result<Side, Halt> {
        self.step()?;
        let [left, right] = self.options(value)?;
        let mut incentives = Side::new();
        for &option in left {
            incentives.push(self.subtract(option, value)?);
        }
        for &option in right {
            incentives.push(self.subtract(value, option)?);
        }
        incentives.sort_unstable();
        incentives.dedup();
        self.remove_dominated(&mut incentives, 0)?;
        Ok(incentives)
    }

    /// The reduced canonical form: the simplest game that differs from this one by an infinitesimal
    /// (J. Grossman, A. Siegel, 2009). No option is dominated or reversible modulo infinitesimals.
    pub fn reduced(&self, value: Value) -> Result<Value, Halt> {
        self.step()?;
        // Numberish: infinitesimally close to a number.
        if self.left_stop(value) == self.right_stop(value) {
            return self.number(self.left_stop(value));
        }
        let mut options = [Side::new(), Side::new()];
        for (player, side) in options.iter_mut().enumerate() {
            for &option in self.options(value)?[player] {
                side.push(self.reduced(option)?);
            }
        }
        loop {
            for (player, side) in options.iter_mut().enumerate() {
                self.remove_nearly_dominated(side, player)?;
            }
            let game = self.from_options(options.clone())?;
            let mut changed = false;
            for player in 0..2 {
                changed |= self.bypass_nearly_reversible(&mut options, game, player)?;
            }
            if !changed {
                return self.from_options(options);
            }
        }
    }

    /// Whether `a` is at most `b` up to an infinitesimal: the left stop of a - b is not above 0.
    fn is_nearly_at_most(&self, a: Value, b: Value) -> Result<bool, Halt> {
        let difference = self.subtract(a, b)?;
        Ok(self.left_stop(difference) <= Dyadic::ZERO)
    }

    fn is_nearly_no_better(&self, a: Value, b: Value, player: usize) -> Result<bool, Halt> {
        if player == 0 { self.is_nearly_at_most(a, b) } else { self.is_nearly_at_most(b, a) }
    }

    fn remove_nearly_dominated(&self, options: &mut Side, player: usize) -> Result<(), Halt> {
        let mut i = 0;
        while i < options.len() {
            self.step()?;
            let mut is_dominated = false;
            for j in (0..options.len()).filter(|&j| j != i) {
                if self.is_nearly_no_better(options[i], options[j], player)? {
                    is_dominated = true;
                    break;
                }
            }
            if is_dominated {
                options.remove(i);
            } else {
                i += 1;
            }
        }
        Ok(())
    }

    fn bypass_nearly_reversible(
        &self,
        options: &mut [Side; 2],
        game: Value,
        player: usize,
    ) -> Result<bool, Halt> {
        for i in 0..options[player].len() {
            let option = options[player][i];
            // Options that are numbers are not bypassed.
            if self.as_number(option).is_some() {
                continue;
            }
            for &answer in self.options(option)?[1 - player] {
                self.step()?;
                if self.is_nearly_no_better(answer, game, player)? {
                    options[player].remove(i);
                    let next = self.options(answer)?[player];
                    options[player].extend_from_slice(next);
                    options[player].sort_unstable();
                    options[player].dedup();
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
