//! A limit on the work that a nimber file may cause.
//!
//! A line of a few hundred bytes can name a land with thousands of moves, or with hundreds of spots
//! that look alike. So the work is counted, and a file that causes too much of it is rejected.

use std::fmt;

/// The steps that any file may take: one or two seconds.
const BASE: u64 = 250_000_000;

/// The steps added per square of the number of lemmas. Certificates of starts with up to 29 spots
/// take less than a ninth of the limit.
const PER_SQUARE_OF_LEMMAS: u64 = 4000;

/// Counts steps. A step, such as a look at one spot, takes some nanoseconds: 4 in certificates of
/// starts, 7 in the worst file that was found.
#[derive(Clone, Debug)]
pub struct Steps {
    taken: u64,
    most: u64,
}

/// The work is more than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManySteps {
    most: u64,
}

impl fmt::Display for TooManySteps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the check takes more than {} steps, too many for such a file", self.most)
    }
}

impl Steps {
    /// A limit on the steps.
    pub fn up_to(most: u64) -> Steps {
        Steps { taken: 0, most }
    }

    /// Sets the limit for a file with this number of lemmas.
    pub fn allow_lemmas(&mut self, lemmas: u64) {
        let square = lemmas.saturating_mul(lemmas);
        self.most = BASE.saturating_add(PER_SQUARE_OF_LEMMAS.saturating_mul(square));
    }

    /// The number of steps taken.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// Takes steps, unless that exceeds the limit.
    pub fn take(&mut self, steps: u64) -> Result<(), TooManySteps> {
        self.taken = self.taken.saturating_add(steps);
        if self.taken > self.most { Err(TooManySteps { most: self.most }) } else { Ok(()) }
    }
}
