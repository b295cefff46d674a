//! Sprouts on lists of spots, as plainly as it can be said: [`text`] reads and writes positions,
//! [`moves`] makes the moves, [`reduce`] takes away what no move can use, and [`form`] tells whether
//! two lands are the same.

pub mod form;
pub mod moves;
pub mod reduce;
pub mod text;

/// The spots that a walk along a boundary meets, by their numbers. The walk is a cycle: the first spot
/// follows the last one.
pub type Boundary = Vec<usize>;

/// The boundaries of a region, in no order.
pub type Region = Vec<Boundary>;

/// A position, or a land of it.
///
/// A spot with three lives is a boundary of its own. No spot is met more than twice while it has a life,
/// and a spot that is met twice is met in one boundary or in two regions: boundaries that meet in a spot
/// are one boundary, because the curves join them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// How many lives each spot has left.
    pub lives: Vec<u8>,
    /// The regions, in no order.
    pub regions: Vec<Region>,
}
