//! Thermographs: the value of a game when every move costs the same tax.
//!
//! The walls of G at the tax t are (J. Conway, 1976)
//!
//! ```text
//! left(t) = max over Left's options of right_of_option(t) - t
//! right(t) = min over Right's options of left_of_option(t) + t
//! ```
//!
//! up to the tax at which they meet, the temperature; above it both are the mean. All corners have
//! dyadic coordinates, because walls have slopes 0, 1 and -1.

use std::cmp::Ordering;
use std::rc::Rc;

use hashbrown::HashMap;

use crate::dyadic::Dyadic;
use crate::forms::{Forms, Halt, Value};

/// A wall: corners by ascending tax, the first at tax 0. Above the last corner it is a straight
/// line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wall {
    /// Tax and value of the corners.
    pub corners: Vec<(Dyadic, Dyadic)>,
    /// The slope above the last corner.
    slope: i64,
}

/// Both walls of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thermograph {
    /// The left wall: what Left gets when he begins.
    pub left: Wall,
    /// The right wall: what Left gets when Right begins.
    pub right: Wall,
    /// The mean: the place of the mast.
    pub mean: Dyadic,
    /// The temperature: where the mast begins. For a number it is negative: -1 for integers,
    /// otherwise minus the distance to its options.
    pub temperature: Dyadic,
}

impl Wall {
    fn mast(at: Dyadic) -> Wall {
        Wall { corners: vec![(Dyadic::ZERO, at)], slope: 0 }
    }

    /// The value at a tax that is not negative.
    pub fn at(&self, tax: Dyadic) -> Result<Dyadic, Halt> {
        let index = self.corners.partition_point(|corner| corner.0 <= tax).max(1);
        let (from, value) = self.corners[index - 1];
        let run = tax.checked_sub(from).ok_or(Halt::TooLarge)?;
        let slope = match self.corners.get(index) {
            // Between two corners the value is constant, or changes as much as the tax.
            Some(&(_, next)) => match next.cmp(&value) {
                Ordering::Less => -1,
                Ordering::Equal => 0,
                Ordering::Greater => 1,
            },
            None => self.slope,
        };
        let rise = Dyadic::integer(slope).and_then(|slope| run.checked_mul(slope));
        rise.and_then(|rise| value.checked_add(rise)).ok_or(Halt::TooLarge)
    }

    /// A wall with the corners of both walls and their crossings, and with `pick` of both values at
    /// each.
    fn combine(&self, other: &Wall, pick: fn(Dyadic, Dyadic) -> Dyadic) -> Result<Wall, Halt> {
        let taxes = self.taxes_with_crossings(other)?;
        let mut corners = Vec::with_capacity(taxes.len());
        for &tax in &taxes {
            corners.push((tax, pick(self.at(tax)?, other.at(tax)?)));
        }
        // One unit further shows which of the two continues.
        let last = taxes.last().copied().unwrap_or_default();
        let beyond = last.checked_add(Dyadic::ONE).ok_or(Halt::TooLarge)?;
        let (a, b) = (self.at(beyond)?, other.at(beyond)?);
        let slope = if pick(a, b) == a { self.slope } else { other.slope };
        Ok(Wall { corners, slope }.simplified())
    }

    /// The taxes of all corners of both walls, and of their crossings.
    fn taxes_with_crossings(&self, other: &Wall) -> Result<Vec<Dyadic>, Halt> {
        let mut taxes: Vec<Dyadic> =
            self.corners.iter().chain(&other.corners).map(|corner| corner.0).collect();
        taxes.sort();
        taxes.dedup();
        let difference = |tax| self.at(tax)?.checked_sub(other.at(tax)?).ok_or(Halt::TooLarge);
        let mut crossings = Vec::new();
        for (i, &tax) in taxes.iter().enumerate() {
            let here = difference(tax)?;
            // The slope of the difference, from a point on the same segment.
            let step = match taxes.get(i + 1) {
                Some(&next) => next.checked_sub(tax).ok_or(Halt::TooLarge)?,
                None => Dyadic::ONE,
            };
            let there = difference(tax.checked_add(step).ok_or(Halt::TooLarge)?)?;
            let change = there.checked_sub(here).ok_or(Halt::TooLarge)?;
            let slope = match change.cmp(&Dyadic::ZERO) {
                Ordering::Equal => continue,
                // The binary logarithm of its absolute value, which is 1 or 2.
                _ if change == step || change == -step => 0,
                _ => 1,
            };
            if (change > Dyadic::ZERO) == (here > Dyadic::ZERO) || here == Dyadic::ZERO {
                continue;
            }
            let distance = if here > Dyadic::ZERO { here } else { -here };
            let distance =
                if slope == 1 { distance.half().ok_or(Halt::TooLarge)? } else { distance };
            if taxes.get(i + 1).is_none() || distance < step {
                crossings.push(tax.checked_add(distance).ok_or(Halt::TooLarge)?);
            }
        }
        taxes.extend(crossings);
        taxes.sort();
        Ok(taxes)
    }

    /// The wall with the tax subtracted or added.
    fn taxed(&self, sign: i64) -> Result<Wall, Halt> {
        let mut corners = Vec::with_capacity(self.corners.len());
        for &(tax, value) in &self.corners {
            let tax_paid = if sign > 0 { tax } else { -tax };
            corners.push((tax, value.checked_add(tax_paid).ok_or(Halt::TooLarge)?));
        }
        Ok(Wall { corners, slope: self.slope + sign })
    }

    /// The part below a tax, with a mast above it.
    fn cut(&self, temperature: Dyadic, mean: Dyadic) -> Wall {
        let below = self.corners.iter().filter(|corner| corner.0 < temperature);
        let corners = below.copied().chain([(temperature, mean)]).collect();
        Wall { corners, slope: 0 }.simplified()
    }

    /// Removes corners at which the slope does not change.
    fn simplified(mut self) -> Wall {
        let mut i = 1;
        while i < self.corners.len() {
            let direction = |from: (Dyadic, Dyadic), to: (Dyadic, Dyadic)| to.1.cmp(&from.1) as i64;
            let before = direction(self.corners[i - 1], self.corners[i]);
            let after = match self.corners.get(i + 1) {
                Some(&next) => direction(self.corners[i], next),
                None => self.slope,
            };
            if before == after {
                self.corners.remove(i);
            } else {
                i += 1;
            }
        }
        self
    }
}

/// Thermographs of values, each computed once.
pub struct Thermographs<'a> {
    forms: &'a Forms,
    known: HashMap<Value, Rc<Thermograph>>,
}

impl<'a> Thermographs<'a> {
    /// An empty store.
    pub fn new(forms: &'a Forms) -> Thermographs<'a> {
        Thermographs { forms, known: HashMap::new() }
    }

    /// The thermograph of a value.
    pub fn of(&mut self, value: Value) -> Result<Rc<Thermograph>, Halt> {
        if let Some(known) = self.known.get(&value) {
            return Ok(known.clone());
        }
        self.forms.step()?;
        let thermograph = match self.forms.as_simple(value) {
            Some(simple) => {
                let mean = simple.number;
                let temperature = if simple.is_number() { -mean.spread() } else { Dyadic::ZERO };
                let wall = Wall::mast(mean);
                Thermograph { left: wall.clone(), right: wall, mean, temperature }
            }
            None => self.of_options(value)?,
        };
        let thermograph = Rc::new(thermograph);
        self.known.insert(value, thermograph.clone());
        Ok(thermograph)
    }

    fn of_options(&mut self, value: Value) -> Result<Thermograph, Halt> {
        let [lefts, rights] = self.forms.options(value)?;
        let mut left: Option<Wall> = None;
        for &option in lefts {
            self.forms.step()?;
            let wall = self.of(option)?.right.taxed(-1)?;
            left = Some(match left {
                Some(best) => best.combine(&wall, Ord::max)?,
                None => wall,
            });
        }
        let mut right: Option<Wall> = None;
        for &option in rights {
            self.forms.step()?;
            let wall = self.of(option)?.left.taxed(1)?;
            right = Some(match right {
                Some(best) => best.combine(&wall, Ord::min)?,
                None => wall,
            });
        }
        // A value that is no number has options of both players.
        let (Some(left), Some(right)) = (left, right) else { return Err(Halt::TooLarge) };
        // The least tax at which they meet: they approach each other monotonically.
        let mut meeting = None;
        for tax in left.taxes_with_crossings(&right)? {
            if left.at(tax)? <= right.at(tax)? {
                meeting = Some(tax);
                break;
            }
        }
        let temperature = meeting.ok_or(Halt::TooLarge)?;
        let mean = left.at(temperature)?;
        let (left, right) = (left.cut(temperature, mean), right.cut(temperature, mean));
        Ok(Thermograph { left, right, mean, temperature })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn numbers(text: &str) -> (String, String) {
        let forms = Forms::new(Limits::default()).expect("memory");
        let value = forms.read(text).expect(text);
        let thermograph = Thermographs::new(&forms).of(value).expect("small");
        (thermograph.mean.to_string(), thermograph.temperature.to_string())
    }

    /// Examples of Winning Ways, chapter 6, and switches, whose mean and temperature are half the
    /// sum and half the difference.
    #[test]
    fn means_and_temperatures() {
        for (text, mean, temperature) in [
            ("3", "3", "-1"),
            ("3/4", "3/4", "-1/4"),
            ("*", "0", "0"),
            ("^^*", "0", "0"),
            ("{4|0}", "2", "2"),
            ("{5|-2}", "3/2", "7/2"),
            ("{2|-1} + 3", "7/2", "3/2"),
            ("{{4|2}|{-1|-1}}", "1", "2"),
            ("{4|0} + {3|-3}", "2", "3"),
            ("{{7|5}|{4|1}}", "17/4", "7/4"),
            ("{10||3|-5}", "9/2", "11/2"),
            ("{0||0|-9}", "0", "0"),
            ("{1|*}", "1/2", "1/2"),
        ] {
            assert_eq!(numbers(text), (mean.to_owned(), temperature.to_owned()), "{text}");
        }
    }

    #[test]
    fn walls_of_a_game_with_a_threat() {
        let forms = Forms::new(Limits::default()).expect("memory");
        let value = forms.read("{10||3|-5}").expect("a value");
        let thermograph = Thermographs::new(&forms).of(value).expect("small");
        let text = |wall: &Wall| {
            let corners = wall.corners.iter().map(|(tax, value)| format!("{tax}:{value}"));
            corners.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(text(&thermograph.left), "0:10 11/2:9/2");
        assert_eq!(text(&thermograph.right), "0:3 4:3 11/2:9/2");
        assert_eq!(
            thermograph.right.at(Dyadic::integer(5).expect("small")),
            Ok(Dyadic::integer(4).expect("small"))
        );
    }

    /// Means add up, and a sum is never hotter than its hottest component.
    #[test]
    fn means_are_additive() {
        let forms = Forms::new(Limits::default()).expect("memory");
        let texts = [
            "{4|0}",
            "{10||3|-5}",
            "{3|1||0}",
            "^",
            "1/2",
            "{2|*}",
            "{{7|5}|{4|1}}",
            "{1||||0|||-2||-2|-8}",
        ];
        let mut thermographs = Thermographs::new(&forms);
        for a in texts.map(|text| forms.read(text).expect(text)) {
            for b in texts.map(|text| forms.read(text).expect(text)) {
                let sum = thermographs.of(forms.add(a, b).expect("small")).expect("small");
                let (a, b) =
                    (thermographs.of(a).expect("small"), thermographs.of(b).expect("small"));
                assert_eq!(Some(sum.mean), a.mean.checked_add(b.mean));
                assert!(sum.temperature <= a.temperature.max(b.temperature));
            }
        }
    }
}
