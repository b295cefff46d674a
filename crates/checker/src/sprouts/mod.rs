//! Sprouts on lists of spots, as simple as possible: [`text`] reads and writes positions, [`moves`]
//! makes the moves, [`reduce`] removes what no move can use, and [`form`] decides whether two lands
//! are the same.

pub mod form;
pub mod moves;
pub mod reduce;
pub mod text;

/// The spots that a walk along a boundary meets, by their numbers. The walk is a cycle: the first
/// spot follows the last one.
pub type Boundary = Vec<usize>;

/// The boundaries of a region, in no order.
pub type Region = Vec<Boundary>;

/// A position, or a land of it.
///
/// A spot with three lives is a boundary of its own. No spot is met more than twice while it has a
/// life, and a spot that is met twice is met in one boundary or in two regions: boundaries that
/// meet in a spot are one boundary, because the curves join them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The number of lives that each spot has left.
    pub lives: Vec<u8>,
    /// The regions, in no order.
    pub regions: Vec<Region>,
}

impl Position {
    /// The steps to go through the position: spots, boundaries and regions. A boundary is an
    /// allocation, which takes as long as several spots.
    pub fn size(&self) -> u64 {
        let boundaries = self.regions.iter().flatten();
        let met: usize = boundaries.map(|boundary| boundary.len() + 4).sum();
        (self.lives.len() + self.regions.len() + met) as u64
    }

    /// The steps to compare each boundary with itself, place by place.
    pub fn squares(&self) -> u64 {
        let boundaries = self.regions.iter().flatten();
        boundaries.map(|boundary| boundary.len().pow(2) as u64).sum()
    }

    /// The steps to compare the boundaries of each region with each other.
    pub fn pairs(&self) -> u64 {
        self.regions.iter().map(|region| region.len().pow(2) as u64).sum()
    }
}
