//! Numbers all positions with a given number of stones (B. Siefke 2025, section 3.9.1).
//!
//! A layer holds all positions with T stones. It consists of sublayers by the number w of white
//! stones. In a sublayer the number of a position is that of its black set times the number of
//! white sets, plus that of its white set.

use crate::ranking::Binomials;

/// The starts of the sublayers of a board: positions with the same number of stones, by the number
/// of white ones.
#[derive(Clone, Debug)]
pub struct Sublayers {
    /// The number of black sets of each size.
    black_sets: Vec<u64>,
    white_sets: Vec<u64>,
    /// Every sublayer begins at a multiple of this.
    unit: u64,
}

impl Sublayers {
    /// Sublayers with these numbers of black and white sets of each size, each beginning at a
    /// multiple of `unit`.
    pub fn new(black_sets: Vec<u64>, white_sets: Vec<u64>, unit: u64) -> Sublayers {
        Sublayers { black_sets, white_sets, unit: unit.max(1) }
    }

    /// The number of black sets of a size.
    pub fn black_sets(&self, size: u32) -> u64 {
        self.black_sets.get(size as usize).copied().unwrap_or(0)
    }

    /// The number of white sets of a size.
    #[inline]
    pub fn white_sets(&self, size: u32) -> u64 {
        self.white_sets.get(size as usize).copied().unwrap_or(0)
    }

    /// The number of positions with that number of stones, `white` of them white.
    pub fn positions(&self, stones: u32, white: u32) -> u64 {
        self.black_sets(stones - white).saturating_mul(self.white_sets(white))
    }

    /// The start of the sublayer with `white` white stones. For one more than all stones it is the
    /// end of the layer.
    pub fn base(&self, stones: u32, white: u32) -> u64 {
        let lengths = (0..white).map(|white| self.positions(stones, white));
        lengths.fold(0, |sum, len| {
            sum.saturating_add(len).checked_next_multiple_of(self.unit).unwrap_or(u64::MAX)
        })
    }
}

/// The numbering of all positions of a board with a given number of stones.
#[derive(Clone, Debug)]
pub struct Ranking {
    binomials: Binomials,
    black_squares: u32,
    white_squares: u32,
    sublayers: Sublayers,
}

/// A set of black and a set of white squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stones {
    /// The black squares that are occupied.
    pub black: u64,
    /// The white ones.
    pub white: u64,
}

impl Ranking {
    /// The numbering for a board with these numbers of squares of each colour.
    pub fn new(black_squares: u32, white_squares: u32) -> Ranking {
        let binomials = Binomials::new();
        let [black, white] = [black_squares, white_squares]
            .map(|squares| (0..=squares).map(|size| binomials.choose(squares, size)).collect());
        let sublayers = Sublayers::new(black, white, 1);
        Ranking { binomials, black_squares, white_squares, sublayers }
    }

    /// The number of positions with that number of stones.
    pub fn layer(&self, stones: u32) -> u64 {
        self.sublayers.base(stones, stones + 1)
    }

    /// The start of the sublayer with `white` white stones.
    pub fn base(&self, stones: u32, white: u32) -> u64 {
        self.sublayers.base(stones, white)
    }

    /// The number of a position in its layer.
    pub fn rank(&self, position: Stones) -> u64 {
        let (black, white) = (position.black.count_ones(), position.white.count_ones());
        self.base(black + white, white)
            + self.binomials.rank(position.black) * self.sublayers.white_sets(white)
            + self.binomials.rank(position.white)
    }

    /// The position with that number in a layer.
    pub fn unrank(&self, stones: u32, mut rank: u64) -> Option<Stones> {
        for white in 0..=stones {
            let size = self.sublayers.positions(stones, white);
            if rank < size {
                let white_sets = self.sublayers.white_sets(white);
                return Some(Stones {
                    black: self.binomials.unrank(
                        self.black_squares,
                        stones - white,
                        rank / white_sets,
                    )?,
                    white: self.binomials.unrank(self.white_squares, white, rank % white_sets)?,
                });
            }
            rank -= size;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figure 3.3 of the thesis: layer 4 of 4x4 has 1820 positions, in sublayers of
    /// C(8, 4 - w) C(8, w).
    #[test]
    fn layer_of_figure_3_3() {
        let ranking = Ranking::new(8, 8);
        assert_eq!(ranking.layer(4), 1820);
        let bases: Vec<u64> = (0..=4).map(|white| ranking.base(4, white)).collect();
        assert_eq!(bases, [0, 70, 70 + 448, 70 + 448 + 784, 70 + 448 + 784 + 448]);
        // Three white stones and a black one.
        let position = Stones { black: 1 << 5, white: 0b111 << 2 };
        assert_eq!(ranking.rank(position), 1302 + 5 * 56 + ranking.binomials.rank(0b11100));
    }

    #[test]
    fn every_position_has_its_number() {
        for (black_squares, white_squares) in [(3, 2), (5, 4), (6, 6)] {
            let ranking = Ranking::new(black_squares, white_squares);
            let mut positions = 0;
            for stones in 0..=black_squares + white_squares {
                let layer = ranking.layer(stones);
                for rank in 0..layer {
                    let position = ranking.unrank(stones, rank).expect("within the layer");
                    assert_eq!(position.black.count_ones() + position.white.count_ones(), stones);
                    assert_eq!(ranking.rank(position), rank);
                }
                assert_eq!(ranking.unrank(stones, layer), None);
                positions += layer;
            }
            assert_eq!(positions, 1 << (black_squares + white_squares));
        }
    }
}
