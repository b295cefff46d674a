//! Figures from outside the code: nimbers of Cram and Kayles, and who wins Sprouts.

// Each test file is a program of its own and needs only some of these.
#![allow(dead_code)]

use std::path::Path;

/// Dawson's Kayles, rows of pins of which two neighbouring ones are taken, which is Cram in one
/// row: R. Guy and C. Smith, "The G-values of various games" (1956), A002187 of the OEIS after the
/// first term here.
pub(crate) const DAWSON: [u32; 35] = [
    0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0, 1, 1, 3, 0, 2, 1, 1, 0, 4, 5,
    2, 7, 4,
];

/// Rows, columns and nimbers of Cram: M. Schneider, "Das Spiel Juvavum" (2009), and J. Lemoine and
/// S. Viennot, "Nimbers are inevitable" (2012).
pub(crate) const CRAM: [(usize, usize, u32); 7] =
    [(2, 2, 0), (3, 3, 0), (3, 4, 1), (3, 5, 1), (4, 4, 0), (4, 5, 2), (5, 5, 0)];

/// Kayles: R. Guy and C. Smith, "The G-values of various games" (1956), A002186 of the OEIS.
pub(crate) const KAYLES: [u32; 41] = [
    0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7, 4, 1, 2, 8, 5, 4, 7, 2,
    1, 8, 6, 7, 4, 1, 2, 3, 1,
];

/// Sprouts from the start.
pub(crate) struct Start {
    pub(crate) spots: usize,
    /// Whether the first player wins.
    pub(crate) is_won: bool,
    pub(crate) nimber: u32,
    pub(crate) is_won_in_misere: Option<bool>,
}

/// The lines of `tests/data/sprouts-outcomes.csv`.
pub(crate) fn sprouts() -> Vec<Start> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sprouts-outcomes.csv");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let outcome = |field: &str| match field {
        "W" => Some(true),
        "L" => Some(false),
        "" => None,
        _ => panic!("`{field}` is no outcome"),
    };
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let start = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let [spots, is_won, nimber, misere] = fields[..] else { panic!("`{line}`") };
        Start {
            spots: spots.parse().expect("a number"),
            is_won: outcome(is_won).expect("an outcome"),
            nimber: nimber.parse().expect("a nimber"),
            is_won_in_misere: outcome(misere),
        }
    };
    lines.map(start).collect()
}
