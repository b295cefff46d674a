//! Combinadic ranking: a number for every set of a given size (D. Knuth, TAOCP 4A, 7.2.1.3), and
//! for every position with a given number of stones (B. Siefke 2025, section 3.9.1).
//!
//! The sets of k squares are numbered in the order of their bit patterns: the set {b1 < b2 < ...}
//! has the rank C(b1, 1) + C(b2, 2) + ... A layer holds all positions with T stones. It consists of
//! sublayers by the number w of white stones, in which the black set counts in steps of the number
//! of white sets.

/// Binomial coefficients up to 64; those beyond 64 bits are as large as 64 bits allow.
#[derive(Clone, Debug)]
pub struct Binomials(Vec<[u64; 65]>);

impl Default for Binomials {
    fn default() -> Binomials {
        Binomials::new()
    }
}

impl Binomials {
    /// Pascal's triangle.
    pub fn new() -> Binomials {
        let mut rows = vec![[0_u64; 65]; 65];
        for n in 0..65 {
            rows[n][0] = 1;
            for k in 1..=n {
                let above = rows[n - 1];
                rows[n][k] = above[k - 1].saturating_add(above[k]);
            }
        }
        Binomials(rows)
    }

    /// How many sets of k of n squares there are.
    pub fn choose(&self, n: u32, k: u32) -> u64 {
        if k > n || n > 64 { 0 } else { self.0[n as usize][k as usize] }
    }

    /// The number of a set among those of its size.
    pub fn rank(&self, set: u64) -> u64 {
        let (mut rest, mut size, mut rank) = (set, 0, 0);
        while rest != 0 {
            size += 1;
            rank += self.choose(rest.trailing_zeros(), size);
            rest &= rest - 1;
        }
        rank
    }

    /// The set of that size and number; `None` if there are not so many subsets of n squares.
    pub fn unrank(&self, n: u32, size: u32, mut rank: u64) -> Option<u64> {
        if n > 64 || rank >= self.choose(n, size) {
            return None;
        }
        let (mut set, mut below) = (0, n);
        for size in (1..=size).rev() {
            // The largest element whose coefficient still fits.
            below = (0..below).rev().find(|&square| self.choose(square, size) <= rank)?;
            rank -= self.choose(below, size);
            set |= 1 << below;
        }
        Some(set)
    }
}

/// The numbering of all positions of a board with a given number of stones.
#[derive(Clone, Debug)]
pub struct Ranking {
    binomials: Binomials,
    black_squares: u32,
    white_squares: u32,
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
    /// The numbering for a board with so many squares of each colour.
    pub fn new(black_squares: u32, white_squares: u32) -> Ranking {
        Ranking { binomials: Binomials::new(), black_squares, white_squares }
    }

    fn sublayer(&self, stones: u32, white: u32) -> u64 {
        let black = self.binomials.choose(self.black_squares, stones - white);
        black.saturating_mul(self.binomials.choose(self.white_squares, white))
    }

    /// How many positions with so many stones there are.
    pub fn layer(&self, stones: u32) -> u64 {
        (0..=stones).fold(0, |sum, white| sum.saturating_add(self.sublayer(stones, white)))
    }

    /// Where the sublayer with so many white stones begins.
    pub fn base(&self, stones: u32, white: u32) -> u64 {
        (0..white).fold(0, |sum, white| sum.saturating_add(self.sublayer(stones, white)))
    }

    /// The number of a position in its layer.
    pub fn rank(&self, position: Stones) -> u64 {
        let (black, white) = (position.black.count_ones(), position.white.count_ones());
        self.base(black + white, white)
            + self.binomials.rank(position.black) * self.binomials.choose(self.white_squares, white)
            + self.binomials.rank(position.white)
    }

    /// The position of that number in a layer.
    pub fn unrank(&self, stones: u32, mut rank: u64) -> Option<Stones> {
        for white in 0..=stones {
            let size = self.sublayer(stones, white);
            if rank < size {
                let white_sets = self.binomials.choose(self.white_squares, white);
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

    /// Sets of a size are numbered without gaps in the order of their bit patterns.
    #[test]
    fn ranks_follow_the_bit_patterns() {
        let binomials = Binomials::new();
        for size in 0..=10 {
            let sets = (0..1_u64 << 10).filter(|set| set.count_ones() == size);
            let mut count = 0;
            for (rank, set) in sets.enumerate() {
                assert_eq!(binomials.rank(set), rank as u64);
                assert_eq!(binomials.unrank(10, size, rank as u64), Some(set));
                count += 1;
            }
            assert_eq!(count, binomials.choose(10, size));
            assert_eq!(binomials.unrank(10, size, count), None);
        }
        let all = u64::MAX;
        assert_eq!(binomials.unrank(64, 64, binomials.rank(all)), Some(all));
        assert_eq!(binomials.unrank(65, 1, 0), None);
    }

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
