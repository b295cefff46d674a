//! Figures from outside the code, kept in `data/konane`.

use std::path::Path;

/// The lines of a Konane data file, without comments and heading, split at commas.
pub(crate) fn lines(name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/konane").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// The same, all fields being numbers.
#[allow(dead_code, reason = "each test file uses its own part of this module")]
pub(crate) fn numbers<const N: usize>(name: &str) -> Vec<[u64; N]> {
    let number = |field: &String| field.parse().expect("a number");
    let row = |fields: Vec<String>| {
        let numbers: Vec<u64> = fields.iter().map(number).collect();
        numbers.try_into().expect("the right number of fields")
    };
    lines(name).into_iter().map(row).collect()
}
