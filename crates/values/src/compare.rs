//! The order of values. G <= H if Left, moving second, wins H - G.

use std::cmp::Ordering;

use crate::forms::{Forms, Halt, Value};

/// Who wins a game: Left, Right, the next player or the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Left, whoever begins: the value is positive.
    Left,
    /// Right, whoever begins: the value is negative.
    Right,
    /// The next player: the value is confused with zero.
    Next,
    /// The previous player: the value is zero.
    Previous,
}

impl Outcome {
    /// The usual letter: L, R, N or P.
    pub fn letter(self) -> char {
        match self {
            Outcome::Left => 'L',
            Outcome::Right => 'R',
            Outcome::Next => 'N',
            Outcome::Previous => 'P',
        }
    }
}

impl Forms {
    /// Whether `a <= b`.
    #[inline]
    pub fn is_at_most(&self, a: Value, b: Value) -> Result<bool, Halt> {
        if a == b {
            return Ok(true);
        }
        let (x, y) = (self.node(a), self.node(b));
        if let (Some(x), Some(y)) = (x.simple(), y.simple()) {
            return Ok(x.is_at_most(y));
        }
        match by_stops(x.stops, y.stops) {
            Some(holds) => Ok(holds),
            None => self.is_at_most_by_options(a, b),
        }
    }

    /// Whether no option of Left from `a` is at least `b`, and no option of Right from `b` is at
    /// most `a`.
    fn is_at_most_by_options(&self, a: Value, b: Value) -> Result<bool, Halt> {
        if let Some(holds) = self.relations.get(a, b, self.count()) {
            return Ok(holds);
        }
        self.step()?;
        let holds = 'holds: {
            for &l in self.options(a)?[0] {
                if self.is_at_most(b, l)? {
                    break 'holds false;
                }
            }
            for &r in self.options(b)?[1] {
                if self.is_at_most(r, a)? {
                    break 'holds false;
                }
            }
            true
        };
        self.relations.put(a, b, holds, self.count());
        Ok(holds)
    }

    /// The order of two values; `None` if they are confused.
    pub fn compare(&self, a: Value, b: Value) -> Result<Option<Ordering>, Halt> {
        Ok(match (self.is_at_most(a, b)?, self.is_at_most(b, a)?) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (false, false) => None,
        })
    }

    /// The outcome of a value.
    pub fn outcome(&self, value: Value) -> Result<Outcome, Halt> {
        Ok(match self.compare(value, Value::ZERO)? {
            Some(Ordering::Greater) => Outcome::Left,
            Some(Ordering::Less) => Outcome::Right,
            Some(Ordering::Equal) => Outcome::Previous,
            None => Outcome::Next,
        })
    }
}

/// What the stops say about `a <= b`: stops are monotonic, and stops that lie apart decide it.
#[inline]
pub(crate) fn by_stops<T: Ord>(
    [left_a, right_a]: [T; 2],
    [left_b, right_b]: [T; 2],
) -> Option<bool> {
    if left_a < right_b {
        Some(true)
    } else if left_a > left_b || right_a > right_b {
        Some(false)
    } else {
        None
    }
}
