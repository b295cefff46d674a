//! Ordinal sums.

use hashbrown::HashMap;

use crate::canonical::Side;
use crate::forms::{Forms, Halt, Value};

/// Deeper games are refused: each level of the game is a level of recursion.
const DEEPEST: u64 = 10_000;

impl Forms {
    /// `G:H`: a move in the base G ends all play in H. The base is taken in its canonical form,
    /// since ordinal sums depend on the form.
    pub fn ordinal_sum(&self, base: Value, other: Value) -> Result<Value, Halt> {
        self.step()?;
        if self.birthday(other)? > DEEPEST {
            return Err(Halt::TooLarge);
        }
        self.ordinal_sum_with(base, other, &mut HashMap::new())
    }

    fn ordinal_sum_with(
        &self,
        base: Value,
        other: Value,
        known: &mut HashMap<Value, Value>,
    ) -> Result<Value, Halt> {
        if let Some(&sum) = known.get(&other) {
            return Ok(sum);
        }
        self.step()?;
        let (base_options, other_options) = (self.options(base)?, self.options(other)?);
        let mut options = [Side::new(), Side::new()];
        for (player, side) in options.iter_mut().enumerate() {
            side.extend_from_slice(base_options[player]);
            for &option in other_options[player] {
                side.push(self.ordinal_sum_with(base, option, known)?);
            }
        }
        let sum = self.from_options(options)?;
        known.insert(other, sum);
        Ok(sum)
    }
}
