//! Values as text: `{*|v}`, `^^*`, `3/4`, `*2`, `{2|-1}`, or the same in another notation.

use std::cmp::Ordering;

use crate::forms::{Forms, Halt, Value};
use crate::notation::{Brackets, Notation};

/// Deeper forms have no text of reasonable length.
const MOST_LEVELS: u32 = 200;

impl Forms {
    /// The value as text that [`Forms::read`] understands. The order of options depends only on the
    /// value. A form that would take more than `most_chars` characters becomes `...`, which cannot
    /// be read again.
    pub fn write(&self, value: Value, most_chars: usize) -> Result<String, Halt> {
        self.write_in(Notation::Plain, value, most_chars)
    }

    /// The same in any notation.
    pub fn write_in(
        &self,
        notation: Notation,
        value: Value,
        most_chars: usize,
    ) -> Result<String, Halt> {
        let mut text = Text { forms: self, notation, written: String::new(), left: most_chars };
        text.value(value, MOST_LEVELS)?;
        Ok(text.written)
    }

    /// Insertion sort: a comparison may fail with an error, and the sorts of the library may panic
    /// if the order is inconsistent.
    fn sorted(&self, side: &[Value], levels: u32) -> Result<Vec<Value>, Halt> {
        let mut sorted: Vec<Value> = Vec::with_capacity(side.len());
        for &value in side {
            let (mut low, mut high) = (0, sorted.len());
            while low < high {
                let middle = low.midpoint(high);
                match self.text_order(sorted[middle], value, levels)? {
                    Ordering::Greater => high = middle,
                    Ordering::Less | Ordering::Equal => low = middle + 1,
                }
            }
            sorted.insert(low, value);
        }
        Ok(sorted)
    }

    /// An order of values that does not depend on when they were first met: closed forms first,
    /// better ones for Left before worse ones, then by stops, then by options.
    fn text_order(&self, a: Value, b: Value, levels: u32) -> Result<Ordering, Halt> {
        if a == b || levels == 0 {
            return Ok(Ordering::Equal);
        }
        self.step()?;
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

/// A value that is being written.
struct Text<'a> {
    forms: &'a Forms,
    notation: Notation,
    written: String,
    /// The number of characters that may follow.
    left: usize,
}

impl Text<'_> {
    fn push(&mut self, piece: &str) {
        self.left = self.left.saturating_sub(piece.len());
        self.written.push_str(piece);
    }

    fn value(&mut self, value: Value, levels: u32) -> Result<(), Halt> {
        self.forms.step()?;
        if let Some(simple) = self.forms.as_simple(value) {
            self.push(&self.notation.simple(simple));
            return Ok(());
        }
        let Brackets { open, bar, close, omitted } = self.notation.brackets();
        if self.left == 0 || levels == 0 {
            self.written.push_str(omitted);
            return Ok(());
        }
        self.push(open);
        let [left, right] = self.forms.options(value)?;
        self.options(left, levels - 1)?;
        self.written.push_str(bar);
        self.options(right, levels - 1)?;
        self.written.push_str(close);
        Ok(())
    }

    fn options(&mut self, side: &[Value], levels: u32) -> Result<(), Halt> {
        for (i, option) in self.forms.sorted(side, MOST_LEVELS)?.into_iter().enumerate() {
            if i > 0 {
                self.written.push(',');
            }
            self.value(option, levels)?;
        }
        Ok(())
    }
}
