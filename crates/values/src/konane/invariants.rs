//! Numbers that describe a position, for tables from which conjectures are made (section 3.3 of "Auto
//! Conjecturing and Konane", and some more).

use super::evaluator::Evaluator;
use super::grid::{Grid, Square};
use crate::compare::Outcome;
use crate::dyadic::Dyadic;
use crate::forms::{Forms, Halt, Value};
use crate::thermograph::Thermographs;

/// The names of all invariants, in the order of [`invariants`].
pub const NAMES: [&str; 25] = [
    "black",
    "white",
    "stones",
    "empty",
    "moves_black",
    "moves_white",
    "moves",
    "mobility",
    "capturable_black",
    "capturable_white",
    "capturable",
    "border_black",
    "border_white",
    "border",
    "height_black",
    "height_white",
    "height",
    "width_black",
    "width_white",
    "width",
    "regions",
    "dead",
    "nim",
    "number",
    "temperature",
];

/// All invariants of a position; not a number where one is not defined, such as the nim value of a position that is no
/// nimber.
pub fn invariants(grid: &Grid, evaluator: &mut Evaluator) -> Result<[f64; NAMES.len()], Halt> {
    let forms = evaluator.forms();
    let value = grid.value(evaluator)?;
    let stones = |colours: &[Square]| -> Vec<(usize, usize)> {
        let all = (0..grid.rows()).flat_map(|row| (0..grid.columns()).map(move |c| (row, c)));
        all.filter(|&(row, column)| colours.contains(&grid.get(row, column))).collect()
    };
    let black = stones(&[Square::Black]);
    let white = stones(&[Square::White]);
    let both = stones(&[Square::Black, Square::White]);
    let by_black = grid.moves(Square::Black);
    let by_white = grid.moves(Square::White);
    let regions = grid.regions();
    let in_regions: usize = regions
        .iter()
        .map(|(_, region)| region.count(Square::Black) + region.count(Square::White))
        .sum();
    // Stones of a colour that some move takes.
    let taken = |stones: &[(usize, usize)], moves: &[(String, Grid)]| {
        let is_taken = |&&(row, column): &&(usize, usize)| {
            moves.iter().any(|(_, after)| after.get(row, column) == Square::Empty)
        };
        stones.iter().filter(is_taken).count() as f64
    };
    let (black_taken, white_taken) = (taken(&black, &by_white), taken(&white, &by_black));
    let (moves_black, moves_white) = (by_black.len() as f64, by_white.len() as f64);
    let extent = |stones: &[(usize, usize)], place: fn(&(usize, usize)) -> usize| {
        let places = || stones.iter().map(place);
        match (places().min(), places().max()) {
            (Some(least), Some(most)) => (most - least) as f64,
            _ => f64::NAN,
        }
    };
    let (row, column) = (|stone: &(usize, usize)| stone.0, |stone: &(usize, usize)| stone.1);
    let (nim, number) = of_value(forms, value);
    Ok([
        black.len() as f64,
        white.len() as f64,
        both.len() as f64,
        grid.count(Square::Empty) as f64,
        moves_black,
        moves_white,
        moves_black + moves_white,
        moves_black - moves_white,
        black_taken,
        white_taken,
        black_taken + white_taken,
        border_distance(grid, &black),
        border_distance(grid, &white),
        border_distance(grid, &both),
        extent(&black, row),
        extent(&white, row),
        extent(&both, row),
        extent(&black, column),
        extent(&white, column),
        extent(&both, column),
        regions.len() as f64,
        (both.len() - in_regions) as f64,
        nim,
        number,
        Thermographs::new(forms).of(value)?.temperature.to_f64(),
    ])
}

/// The names of all properties, in the order of [`properties`]. That the value is zero is `second_wins`.
pub const PROPERTIES: [&str; 12] = [
    "is_number",
    "is_integer",
    "is_nimber",
    "is_all_small",
    "is_hot",
    "left_wins",
    "right_wins",
    "first_wins",
    "second_wins",
    "has_moves_black",
    "has_moves_white",
    "has_dead",
];

/// Which properties a position has.
pub fn properties(
    grid: &Grid,
    evaluator: &mut Evaluator,
) -> Result<[bool; PROPERTIES.len()], Halt> {
    let forms = evaluator.forms();
    let value = grid.value(evaluator)?;
    let simple = forms.as_simple(value);
    let number = forms.as_number(value);
    let outcome = forms.outcome(value)?;
    let regions = grid.regions();
    let stones = |grid: &Grid| grid.count(Square::Black) + grid.count(Square::White);
    Ok([
        number.is_some(),
        number.is_some_and(Dyadic::is_integer),
        simple.is_some_and(|simple| simple.is_nimber()),
        forms.is_all_small(value)?,
        Thermographs::new(forms).of(value)?.temperature.to_f64() > 0.0,
        outcome == Outcome::Left,
        outcome == Outcome::Right,
        outcome == Outcome::Next,
        outcome == Outcome::Previous,
        !grid.moves(Square::Black).is_empty(),
        !grid.moves(Square::White).is_empty(),
        stones(grid) > regions.iter().map(|(_, region)| stones(region)).sum(),
    ])
}

/// The nim value and the number that a value is, if it is one.
fn of_value(forms: &Forms, value: Value) -> (f64, f64) {
    let simple = forms.as_simple(value);
    let nim = simple.filter(|simple| simple.is_nimber()).map(|simple| f64::from(simple.nimber));
    let number = simple.filter(|simple| simple.is_number()).map(|simple| simple.number.to_f64());
    (nim.unwrap_or(f64::NAN), number.unwrap_or(f64::NAN))
}

/// How many squares stones are from the nearest edge of the board, on average.
fn border_distance(grid: &Grid, stones: &[(usize, usize)]) -> f64 {
    let distance = |&(row, column): &(usize, usize)| {
        row.min(grid.rows() - 1 - row).min(column).min(grid.columns() - 1 - column)
    };
    stones.iter().map(distance).sum::<usize>() as f64 / stones.len() as f64
}
