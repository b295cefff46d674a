//! Numbers that describe a position, for tables from which conjectures are made (section 3.3 of
//! "Auto Conjecturing and Konane", and some more).

use papamu_base::Progress;
use papamu_game::Player;
use papamu_games::konane::{Setup, Square};
use rayon::prelude::*;
use thiserror::Error;

use super::evaluator::{Evaluator, Regions};
use super::position::{Move, moves, regions};
use crate::compare::Outcome;
use crate::conjecture::InvariantTable;
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

/// All invariants of a position. NaN where one is undefined, such as the nim value of a position
/// that is not a nimber.
pub fn invariants(setup: &Setup, evaluator: &mut Evaluator) -> Result<[f64; NAMES.len()], Halt> {
    let forms = evaluator.forms();
    let value = evaluator.value(setup)?;
    let [black, white] =
        [Square::Black, Square::White].map(|stone| setup.places(stone).collect::<Vec<_>>());
    let both = [&black[..], &white].concat();
    let by_black = moves(setup, Player::First);
    let by_white = moves(setup, Player::Second);
    let regions = regions(setup);
    let in_regions: usize = regions.iter().map(|region| region.setup.stones()).sum();
    // Stones of a colour that some move captures.
    let taken = |stones: &[(usize, usize)], moves: &[Move]| {
        let is_taken = |&&(row, column): &&(usize, usize)| {
            moves.iter().any(|mv| mv.after.get(row, column) == Square::Empty)
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
        setup.count(Square::Empty) as f64,
        moves_black,
        moves_white,
        moves_black + moves_white,
        moves_black - moves_white,
        black_taken,
        white_taken,
        black_taken + white_taken,
        border_distance(setup, &black),
        border_distance(setup, &white),
        border_distance(setup, &both),
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

/// The names of all properties, in the order of [`properties`]. `second_wins` means that the value
/// is zero.
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
    setup: &Setup,
    evaluator: &mut Evaluator,
) -> Result<[bool; PROPERTIES.len()], Halt> {
    let forms = evaluator.forms();
    let value = evaluator.value(setup)?;
    let simple = forms.as_simple(value);
    let number = forms.as_number(value);
    let outcome = forms.outcome(value)?;
    let regions = regions(setup);
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
        !moves(setup, Player::First).is_empty(),
        !moves(setup, Player::Second).is_empty(),
        setup.stones() > regions.iter().map(|region| region.setup.stones()).sum(),
    ])
}

/// The nim value and the number of a value, where it has one.
fn of_value(forms: &Forms, value: Value) -> (f64, f64) {
    let simple = forms.as_simple(value);
    let nim = simple.filter(|simple| simple.is_nimber()).map(|simple| f64::from(simple.nimber));
    let number = simple.filter(|simple| simple.is_number()).map(|simple| simple.number.to_f64());
    (nim.unwrap_or(f64::NAN), number.unwrap_or(f64::NAN))
}

/// The mean distance of stones from the nearest edge of the board, in squares.
fn border_distance(setup: &Setup, stones: &[(usize, usize)]) -> f64 {
    let distance = |&(row, column): &(usize, usize)| {
        row.min(setup.rows() - 1 - row).min(column).min(setup.columns() - 1 - column)
    };
    stones.iter().map(distance).sum::<usize>() as f64 / stones.len() as f64
}

/// The names of all columns: invariants, then properties.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().chain(PROPERTIES)
}

fn all_names() -> String {
    names().collect::<Vec<_>>().join(", ")
}

/// A name that is neither an invariant nor a property.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no invariant of positions: there are {known}", known = all_names())]
pub struct UnknownInvariant(pub String);

/// The indices of invariants and properties among all [`names`].
pub fn places(wanted: &[String]) -> Result<Vec<usize>, UnknownInvariant> {
    let place = |name: &String| {
        let place = names().position(|known| known == name);
        place.ok_or_else(|| UnknownInvariant(name.clone()))
    };
    wanted.iter().map(place).collect()
}

/// All columns of a position, in the order of [`names`]; properties are 0 or 1.
pub fn row(setup: &Setup, evaluator: &mut Evaluator) -> Result<Vec<f64>, Halt> {
    let properties = properties(setup, evaluator)?.map(|is| f64::from(u8::from(is)));
    Ok([&invariants(setup, evaluator)?[..], &properties].concat())
}

/// The [`row`]s of positions, computed by the threads of the current pool. The progress counts
/// positions.
pub fn rows(
    setups: &[Setup],
    regions: &Regions,
    progress: &Progress,
) -> Result<Vec<Vec<f64>>, Halt> {
    progress.add_total(setups.len() as u64);
    let each = |evaluator: &mut Evaluator, setup: &Setup| {
        progress.stop().check()?;
        let row = row(setup, evaluator);
        progress.add(1);
        row
    };
    setups.par_iter().map_init(|| Evaluator::new(regions), each).collect()
}

/// A table of these invariants and properties of positions, for conjectures. Positions for which
/// the first one is undefined say nothing about it and are left out.
pub fn table(
    setups: &[Setup],
    wanted: &[String],
    regions: &Regions,
    progress: &Progress,
) -> Result<InvariantTable, TableError> {
    let places = places(wanted)?;
    let mut table = InvariantTable {
        invariants: wanted.to_vec(),
        objects: Vec::new(),
        columns: vec![Vec::new(); places.len()],
    };
    for (setup, row) in setups.iter().zip(rows(setups, regions, progress)?) {
        if places.first().is_some_and(|&first| row[first].is_nan()) {
            continue;
        }
        table.objects.push(setup.to_string());
        for (column, &place) in table.columns.iter_mut().zip(&places) {
            column.push(row[place]);
        }
    }
    Ok(table)
}

/// Why there is no table of invariants.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TableError {
    /// One of the names is unknown.
    #[error(transparent)]
    Unknown(#[from] UnknownInvariant),
    /// The work was cut short.
    #[error(transparent)]
    Halt(#[from] Halt),
}
