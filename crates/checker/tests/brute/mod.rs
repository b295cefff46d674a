//! Nimbers by brute force, for tests: the mex over all options, with nothing left out.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use papamu_checker::sprouts::{Position, text};

/// Lands by their names, which are their forms as text.
pub(crate) type Sum = Vec<String>;

pub(crate) fn sum(mut position: Position) -> Sum {
    position.reduce();
    let forms = position.lands().into_iter().map(|land| text::write(&land.form()));
    let mut sum: Sum = forms.collect();
    sum.sort();
    sum
}

pub(crate) fn read(position: &str) -> Position {
    text::read(position).expect("a position")
}

/// The different options of a position.
pub(crate) fn options(position: &str) -> BTreeSet<Sum> {
    let mut position = read(position);
    position.reduce();
    let mut options = BTreeSet::new();
    let _ = position.moves(|after| {
        options.insert(sum(after));
        ControlFlow::Continue(())
    });
    options
}

/// The mex.
pub(crate) fn mex(nimbers: &BTreeSet<u8>) -> u8 {
    (0..=255).find(|nimber| !nimbers.contains(nimber)).expect("fewer options")
}

/// The nimbers of lands and of everything reachable from them.
#[derive(Default)]
pub(crate) struct Nimbers(pub(crate) BTreeMap<String, u8>);

impl Nimbers {
    pub(crate) fn of(&mut self, sum: &Sum) -> u8 {
        sum.iter().map(|land| self.of_land(land)).fold(0, |all, nimber| all ^ nimber)
    }

    fn of_land(&mut self, land: &str) -> u8 {
        if let Some(nimber) = self.0.get(land) {
            return *nimber;
        }
        let nimber = mex(&options(land).iter().map(|option| self.of(option)).collect());
        self.0.insert(land.to_owned(), nimber);
        nimber
    }
}
