//! The choice of a search, and its options.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::budget::Budget;
use crate::init::{Init, Ramp};
use crate::numbers::Damping;

/// The searches. Impartial games are searched with nimbers by algorithms of the same names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// The reference solver of the game's kind: minimax, nimbers or retrograde analysis.
    Reference,
    /// Alpha-beta with iterative deepening; with nimbers, depth first without numbers.
    AlphaBeta,
    /// Proof-number search.
    Pns,
    /// Two levels of proof-number search.
    Pn2,
    /// Depth-first proof-number search.
    DfPn,
}

/// No search has that name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("it is ab, pns, pn2, dfpn or reference")]
pub struct UnknownAlgorithm;

impl Algorithm {
    /// The searches proper: all but the reference solver.
    pub const SEARCHES: [Algorithm; 4] =
        [Algorithm::AlphaBeta, Algorithm::Pns, Algorithm::Pn2, Algorithm::DfPn];

    /// All of them.
    pub const ALL: [Algorithm; 5] = [
        Algorithm::Reference,
        Algorithm::AlphaBeta,
        Algorithm::Pns,
        Algorithm::Pn2,
        Algorithm::DfPn,
    ];

    /// Whether it works with several threads.
    pub fn is_parallel(self) -> bool {
        matches!(self, Algorithm::Pn2 | Algorithm::DfPn)
    }

    /// Whether it searches with nimbers, too.
    pub fn has_nimbers(self) -> bool {
        self != Algorithm::Pn2
    }

    /// The name by which users call it.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Reference => "reference",
            Algorithm::AlphaBeta => "ab",
            Algorithm::Pns => "pns",
            Algorithm::Pn2 => "pn2",
            Algorithm::DfPn => "dfpn",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(text: &str) -> Result<Algorithm, UnknownAlgorithm> {
        // The former name of the reference solver.
        let text = if text == "plain" { "reference" } else { text };
        let known = Algorithm::ALL.into_iter().find(|algorithm| algorithm.name() == text);
        known.ok_or(UnknownAlgorithm)
    }
}

/// The options of all searches. Each algorithm uses those that apply to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Initial proof and disproof numbers of leaves.
    pub init: Init,
    /// How the phi of all children are combined into one delta.
    pub damping: Damping,
    /// Slack of df-pn's thresholds, as a share.
    pub epsilon: f32,
    /// Size of the second-level trees of PN2.
    pub budget: Budget,
    /// How many plies ahead new positions are looked at, 0 to 3: 1 finds immediate wins, 2 also
    /// counts the moves after which the opponent has none, 3 also finds moves after which the
    /// opponent cannot stop one.
    pub look_ahead_plies: u32,
    /// The memory for all tables and trees.
    pub memory_bytes: usize,
    /// Threads of df-pn and PN2.
    pub threads: usize,
    /// With nimbers: the initial disproof number is 1 plus the weight of a component divided by
    /// this number; if it is 0, the initial number is 1.
    pub weight_per_number: u32,
    /// With nimbers: among options with the same number, those with the least play left come first.
    pub is_ordered: bool,
}

impl Default for Options {
    /// The best over several boards of Konane: `docs/results/search-options.md`.
    fn default() -> Options {
        Options {
            init: Init::Ramp(Ramp { a: 30, b: 15, slope: 2.0 }),
            damping: Damping::new(8),
            epsilon: 0.15,
            budget: Budget::default(),
            look_ahead_plies: 1,
            memory_bytes: 1 << 30,
            threads: 1,
            weight_per_number: 8,
            is_ordered: true,
        }
    }
}

impl Options {
    /// The same options with another size of memory.
    pub fn memory(self, bytes: usize) -> Options {
        Options { memory_bytes: bytes, ..self }
    }

    /// The same options with another number of threads.
    pub fn threads(self, threads: usize) -> Options {
        Options { threads, ..self }
    }

    /// Those of games that go in circles. Loops make heavily damped searches dive.
    pub fn with_cycles() -> Options {
        Options { init: Init::Mobility, damping: Damping::new(2), ..Options::default() }
    }

    /// The defaults of searches with nimbers, the best over several starts of Sprouts:
    /// `docs/results/sprouts.md`.
    pub fn with_nimbers() -> Options {
        Options { epsilon: 0.25, damping: Damping::new(4), ..Options::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn algorithms_are_read_as_they_are_written() {
        for algorithm in Algorithm::ALL {
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
        assert_eq!("plain".parse(), Ok(Algorithm::Reference));
        assert_eq!("minimax".parse::<Algorithm>(), Err(UnknownAlgorithm));
    }
}
