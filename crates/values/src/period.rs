//! Periods of sequences of values.

use crate::forms::{Forms, Halt, Value};

/// A periodic sequence: from some place on, each value is the value one period earlier plus the
/// saltus, a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The number of values before the period.
    pub preperiod: usize,
    /// The length of the period.
    pub period: usize,
    /// The saltus.
    pub saltus: Value,
}

impl Forms {
    /// The shortest period that occurs at least three times at the end of a sequence, beginning as
    /// early as possible. That is evidence, not a proof.
    pub fn period(&self, values: &[Value]) -> Result<Option<Period>, Halt> {
        for period in 1..=values.len() / 3 {
            let difference = |i: usize| {
                self.step()?;
                self.subtract(values[i], values[i - period])
            };
            let saltus = difference(values.len() - 1)?;
            if self.as_number(saltus).is_none() {
                continue;
            }
            let mut preperiod = values.len() - period;
            while preperiod > 0 && difference(preperiod - 1 + period)? == saltus {
                preperiod -= 1;
            }
            if values.len() - preperiod >= 3 * period {
                return Ok(Some(Period { preperiod, period, saltus }));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    #[test]
    fn periods_are_found() {
        let forms = Forms::new(Limits::default()).expect("memory");
        let period = |texts: &[&str]| {
            let values: Vec<Value> =
                texts.iter().map(|text| forms.read(text).expect("a value")).collect();
            let found = forms.period(&values).expect("small")?;
            Some((found.preperiod, found.period, forms.write(found.saltus, 100).expect("small")))
        };
        let found = |preperiod, period, saltus: &str| Some((preperiod, period, saltus.to_owned()));
        assert_eq!(period(&["*", "0", "*", "0", "*", "0"]), found(0, 2, "0"));
        assert_eq!(period(&["^", "7", "0", "1*", "1", "2*", "2", "3*"]), found(2, 2, "1"));
        assert_eq!(period(&["0", "-1", "-2", "-3"]), found(0, 1, "-1"));
        assert_eq!(period(&["1", "1", "1"]), found(0, 1, "0"));
        assert_eq!(period(&["*", "*2", "*4", "*"]), None);
        assert_eq!(period(&[]), None);
    }
}
