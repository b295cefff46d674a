//! The place of each position's entry in a table.

use papamu_base::memory::OutOfMemory;
use papamu_game::Player;

use crate::konane::classes::Classes;
use crate::konane::shape::{Layout, Shape};
use crate::ranking::{Binomials, SetRanks};

/// The places of the entries of a table.
#[derive(Clone, Debug)]
pub struct Places {
    layout: Layout,
    classes: Classes,
    row_bits: u64,
    white_ranks: SetRanks,
    /// The first bit of each sublayer, by stones and white stones.
    bases: Vec<Vec<u64>>,
    /// The number of white sets of each size.
    white_sets: Vec<u64>,
}

/// The place of an entry: its layer, and its bit in the data of the layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the layer.
    pub layer: u32,
    /// The number of the bit, from the lowest bit of the first byte.
    pub bit: u64,
}

impl Places {
    /// The places of a table's entries. This takes memory and time for every black set.
    pub fn new(shape: &Shape) -> Result<Places, OutOfMemory> {
        let squares = shape.squares();
        let whites = squares.count(Player::Second);
        let binomials = Binomials::new();
        let sublayers = shape.sublayers();
        let base = |stones| (0..=stones).map(|white| sublayers.base(stones, white)).collect();
        Ok(Places {
            layout: shape.layout(),
            classes: Classes::new(squares, shape.most_stones())?,
            row_bits: 8 * shape.row_bytes() as u64,
            white_ranks: SetRanks::new(&binomials, whites),
            bases: match shape.layout() {
                Layout::Rows => Vec::new(),
                Layout::Sublayers => (0..shape.layers()).map(base).collect(),
            },
            white_sets: (0..=whites).map(|size| binomials.choose(whites, size)).collect(),
        })
    }

    /// The memory that the places of a table take.
    pub fn memory_bytes(shape: &Shape) -> u64 {
        let blacks = shape.squares().count(Player::First);
        let binomials = Binomials::new();
        let sets = (0..=shape.most_stones()).map(|size| binomials.choose(blacks, size));
        sets.fold(0, u64::saturating_add).saturating_mul(4)
    }

    /// The classes of black sets.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// The numbers of the white sets.
    pub fn white_ranks(&self) -> &SetRanks {
        &self.white_ranks
    }

    /// The place of a position, if the table has it; `shape` must be that of the table.
    #[inline]
    pub fn find(&self, shape: &Shape, [black, white]: [u32; 2]) -> Option<Place> {
        let (blacks, whites) = (black.count_ones(), white.count_ones());
        if blacks + whites > shape.most_stones() {
            return None;
        }
        let (class, by) = self.classes.find(black);
        let white = shape.squares().symmetries()[by][1].image(white);
        Some(match self.layout {
            Layout::Rows => {
                Place { layer: blacks, bit: class as u64 * self.row_bits + u64::from(white) }
            }
            Layout::Sublayers => {
                let stones = blacks + whites;
                let row = class as u64 * self.white_sets[whites as usize];
                let base = self.bases[stones as usize][whites as usize];
                let bit = base + row + u64::from(self.white_ranks.rank(white));
                Place { layer: stones, bit }
            }
        })
    }

    /// The black sets that represent their classes, each with the number of white stones of its
    /// row; `None` if the row has all numbers.
    pub fn rows(&self, shape: &Shape) -> Vec<(u32, Option<u32>)> {
        let sets = (0..=shape.squares().count(Player::First).min(shape.most_stones()))
            .flat_map(|size| self.classes.least_sets(size));
        match self.layout {
            Layout::Rows => sets.map(|set| (set, None)).collect(),
            Layout::Sublayers => sets
                .flat_map(|set| {
                    let most = shape.most_stones() - set.count_ones();
                    let whites = shape.squares().count(Player::Second);
                    (0..=most.min(whites)).map(move |stones| (set, Some(stones)))
                })
                .collect(),
        }
    }

    /// The white sets of a row.
    pub fn white_sets(&self, stones: Option<u32>) -> impl Iterator<Item = u32> + use<> {
        let all = match stones {
            None => 0..1_u64 << self.white_ranks.squares(),
            Some(_) => 0..0,
        };
        let some = stones.map(|stones| self.white_ranks.sets(stones));
        all.map(|set| set as u32).chain(some.into_iter().flatten())
    }
}
