//! Ordinal sums.

use crate::canonical::Side;
use crate::forms::{Forms, Halt, Value};

impl Forms {
    /// `G:H`: a move in the base G ends all play in H. The base is taken in its canonical form, since
    /// ordinal sums depend on the form.
    pub fn ordinal_sum(&self, base: Value, other: Value) -> Result<Value, Halt> {
        let (base_options, other_options) = (self.options(base)?, self.options(other)?);
        let mut options = [Side::new(), Side::new()];
        for (player, side) in options.iter_mut().enumerate() {
            side.extend_from_slice(base_options[player]);
            for &option in other_options[player] {
                side.push(self.ordinal_sum(base, option)?);
            }
        }
        self.from_options(options)
    }
}
