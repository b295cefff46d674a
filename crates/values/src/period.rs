//! Periods of sequences of values.

use crate::forms::{Forms, Halt, Value};

/// A sequence repeats: from a place on, each value is the one a period before plus the saltus, a
/// number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// How many values come before.
    pub preperiod: usize,
    /// After how many values it repeats.
    pub period: usize,
    /// What is added each time.
    pub saltus: Value,
}

impl Forms {
    /// The shortest period that a sequence shows at least three times at its end, the earliest
    /// place first. That is evidence and no proof.
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
