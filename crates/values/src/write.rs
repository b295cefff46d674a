//! Values as text: `{*|v}`, `^^*`, `3/4`, `*2`, `{2|-1}`.

use std::cmp::Ordering;

use crate::forms::{Forms, Halt, Value};

/// Deeper forms have no text of reasonable length.
const MOST_LEVELS: u32 = 200;

impl Forms {
    /// The value as text that [`Forms::read`] understands. Options are in an order that depends on
    /// nothing but the value. Forms can be large: what would take more than so many characters becomes
    /// `...`, which cannot be read again.
    pub fn write(&self, value: Value, most_chars: usize) -> Result<String, Halt> {
        let mut text = String::new();
        let mut left = most_chars;
        self.write_to(value, &mut text, &mut left, MOST_LEVELS)?;
        Ok(text)
    }

    fn write_to(
        &self,
        value: Value,
        text: &mut String,
        left: &mut usize,
        levels: u32,
    ) -> Result<(), Halt> {
        if let Some(simple) = self.as_simple(value) {
            let simple = simple.to_string();
            *left = left.saturating_sub(simple.len());
            text.push_str(&simple);
            return Ok(());
        }
        if *left == 0 || levels == 0 {
            text.push_str("...");
            return Ok(());
        }
        *left -= 1;
        text.push('{');
        for (player, side) in self.options(value)?.into_iter().enumerate() {
            for (i, option) in self.sorted(side, MOST_LEVELS)?.into_iter().enumerate() {
                if i > 0 {
                    text.push(',');
                }
                self.write_to(option, text, left, levels - 1)?;
            }
            text.push(if player == 0 { '|' } else { '}' });
        }
        Ok(())
    }

    fn sorted(&self, side: &[Value], levels: u32) -> Result<Vec<Value>, Halt> {
        let mut sorted = side.to_vec();
        let mut result = Ok(());
        sorted.sort_by(|&a, &b| {
            self.text_order(a, b, levels).unwrap_or_else(|halt| {
                result = Err(halt);
                Ordering::Equal
            })
        });
        result.map(|()| sorted)
    }

    /// An order of values that does not depend on when they were first met: closed forms first, those of
    /// more value to Left before the others, then by stops, then by options.
    fn text_order(&self, a: Value, b: Value, levels: u32) -> Result<Ordering, Halt> {
        if a == b || levels == 0 {
            return Ok(Ordering::Equal);
        }
        let order = match (self.as_simple(a), self.as_simple(b)) {
            (Some(a), Some(b)) => {
                let key = |simple: crate::Simple| (simple.number, simple.ups);
                return Ok(key(b).cmp(&key(a)).then(a.nimber.cmp(&b.nimber)));
            }
            (Some(_), None) => return Ok(Ordering::Less),
            (None, Some(_)) => return Ok(Ordering::Greater),
            (None, None) => self.node(b).stops.cmp(&self.node(a).stops),
        };
        if order != Ordering::Equal {
            return Ok(order);
        }
        for (a, b) in self.options(a)?.into_iter().zip(self.options(b)?) {
            let order = self.order_of_sides(a, b, levels - 1)?;
            if order != Ordering::Equal {
                return Ok(order);
            }
        }
        Ok(Ordering::Equal)
    }

    fn order_of_sides(&self, a: &[Value], b: &[Value], levels: u32) -> Result<Ordering, Halt> {
        if a.len() != b.len() {
            return Ok(a.len().cmp(&b.len()));
        }
        for (a, b) in self.sorted(a, levels)?.into_iter().zip(self.sorted(b, levels)?) {
            let order = self.text_order(a, b, levels)?;
            if order != Ordering::Equal {
                return Ok(order);
            }
        }
        Ok(Ordering::Equal)
    }
}
