//! Negatives and sums.

use crate::canonical::Side;
use crate::forms::{Forms, Halt, Value};

impl Forms {
    /// The negative: the same game with the players exchanged.
    pub fn negative(&self, value: Value) -> Result<Value, Halt> {
        let node = self.node(value);
        if let Some(negative) = node.negative() {
            return Ok(negative);
        }
        let negative = match node.simple() {
            Some(simple) => self.simple(-simple)?,
            None => {
                let [left, right] = self.options(value)?;
                let negated = |side: &[Value]| -> Result<Side, Halt> {
                    let mut negated =
                        side.iter().map(|&v| self.negative(v)).collect::<Result<Side, Halt>>()?;
                    negated.sort_unstable();
                    Ok(negated)
                };
                self.general([&negated(right)?, &negated(left)?])?
            }
        };
        node.set_negative(negative);
        self.node(negative).set_negative(value);
        Ok(negative)
    }

    /// The disjunctive sum: each move is made in one of the two games.
    pub fn add(&self, a: Value, b: Value) -> Result<Value, Halt> {
        if a == Value::ZERO || b == Value::ZERO {
            return Ok(if a == Value::ZERO { b } else { a });
        }
        let simple = (self.as_simple(a), self.as_simple(b));
        if let (Some(x), Some(y)) = simple {
            return self.simple(x.checked_add(y).ok_or(Halt::TooLarge)?);
        }
        let (a, b) = (a.min(b), a.max(b));
        if let Some(sum) = self.sums.get(a, b, self.count()) {
            return Ok(sum);
        }
        self.step()?;
        let sum = match simple {
            (Some(x), _) | (_, Some(x)) if x.is_number() => {
                let (number, game) = if self.as_number(a).is_some() { (a, b) } else { (b, a) };
                self.translate(game, number)?
            }
            _ if self.node(a).negative() == Some(b) => Value::ZERO,
            _ => {
                let mut options = [Side::new(), Side::new()];
                for (player, side) in options.iter_mut().enumerate() {
                    for &option in self.options(a)?[player] {
                        side.push(self.add(option, b)?);
                    }
                    for &option in self.options(b)?[player] {
                        side.push(self.add(a, option)?);
                    }
                }
                self.from_options(options)?
            }
        };
        self.sums.put(a, b, sum, self.count());
        Ok(sum)
    }

    /// Number translation: beside a game that is not a number, a move in a number is never best. So
    /// the number is added to all options, and the form stays canonical.
    fn translate(&self, game: Value, number: Value) -> Result<Value, Halt> {
        let moved = |side: &[Value]| -> Result<Side, Halt> {
            let mut moved =
                side.iter().map(|&v| self.add(v, number)).collect::<Result<Side, Halt>>()?;
            moved.sort_unstable();
            Ok(moved)
        };
        let [left, right] = self.options(game)?;
        self.general([&moved(left)?, &moved(right)?])
    }

    /// `a - b`.
    pub fn subtract(&self, a: Value, b: Value) -> Result<Value, Halt> {
        self.add(a, self.negative(b)?)
    }

    /// The sum of many values.
    pub fn sum(&self, values: impl IntoIterator<Item = Value>) -> Result<Value, Halt> {
        values.into_iter().try_fold(Value::ZERO, |sum, value| {
            self.step()?;
            self.add(sum, value)
        })
    }
}
