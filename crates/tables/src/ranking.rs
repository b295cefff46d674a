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

/// The numbers of the sets of up to 32 squares, by looking up a set's two halves.
///
/// Among the sets of a size, those with the same upper half follow each other in the order of their
/// lower halves, so the number of a set is the sum of a number for each half.
#[derive(Clone, Debug)]
pub struct SetRanks {
    squares: u32,
    /// By lower half: its number among the lower halves of its size.
    lower: Vec<u16>,
    /// By size of the lower half and by upper half: how many sets of the same size have a lesser
    /// upper half.
    upper: Vec<Vec<u32>>,
}

/// The squares of a lower half.
const HALF: u32 = 16;

impl SetRanks {
    /// The numbers of the sets of so many squares, at most 32.
    pub fn new(binomials: &Binomials, squares: u32) -> SetRanks {
        debug_assert!(squares <= 2 * HALF);
        let low_squares = squares.min(HALF);
        let sets = 0..1_u64 << low_squares;
        let lower = sets.map(|set| binomials.rank(set) as u16).collect();
        let upper = |low_size: u32| {
            let place = |set: u32| {
                // The elements of the upper half count as they do in the whole set.
                let elements = (0..HALF).filter(|square| set >> square & 1 == 1);
                let ranks = elements.zip(low_size + 1..);
                ranks.map(|(square, size)| binomials.choose(HALF + square, size) as u32).sum()
            };
            (0..1_u32 << (squares - low_squares)).map(place).collect()
        };
        SetRanks { squares, lower, upper: (0..=low_squares).map(upper).collect() }
    }

    /// How many squares there are.
    pub fn squares(&self) -> u32 {
        self.squares
    }

    /// The number of a set among those of its size.
    #[inline]
    pub fn rank(&self, set: u32) -> u32 {
        let low = set & ((1 << HALF) - 1);
        let upper = self.upper[low.count_ones() as usize][(set >> HALF) as usize];
        upper + u32::from(self.lower[low as usize])
    }

    /// All sets of a size, in the order of their numbers.
    pub fn sets(&self, size: u32) -> impl Iterator<Item = u32> + use<> {
        let end = 1_u64 << self.squares;
        let mut next = (size <= self.squares).then(|| (1_u64 << size) - 1);
        std::iter::from_fn(move || {
            let set = next?;
            // The next pattern with as many bits (R. Gosper, HAKMEM 175); after the empty set is none.
            next = (set != 0)
                .then(|| {
                    let lowest = set & set.wrapping_neg();
                    let ripple = set + lowest;
                    ripple | (((set ^ ripple) / lowest) >> 2)
                })
                .filter(|&next| next < end);
            Some(set as u32)
        })
    }
}

/// Where the sublayers of the layers of a board begin: all positions with so many stones, by the
/// number of white ones.
#[derive(Clone, Debug)]
pub struct Sublayers {
    /// How many black sets of each size are numbered.
    black_sets: Vec<u64>,
    white_sets: Vec<u64>,
    /// Every sublayer begins at a multiple of this.
    unit: u64,
}

impl Sublayers {
    /// Sublayers with so many black and white sets of each size, each beginning at a multiple of `unit`.
    pub fn new(black_sets: Vec<u64>, white_sets: Vec<u64>, unit: u64) -> Sublayers {
        Sublayers { black_sets, white_sets, unit: unit.max(1) }
    }

    /// How many black sets of a size are numbered.
    pub fn black_sets(&self, size: u32) -> u64 {
        self.black_sets.get(size as usize).copied().unwrap_or(0)
    }

    /// How many white sets of a size there are.
    #[inline]
    pub fn white_sets(&self, size: u32) -> u64 {
        self.white_sets.get(size as usize).copied().unwrap_or(0)
    }

    /// How many positions with so many stones, so many of them white, there are.
    pub fn positions(&self, stones: u32, white: u32) -> u64 {
        self.black_sets(stones - white).saturating_mul(self.white_sets(white))
    }

    /// Where the sublayer with so many white stones begins; with one more than all stones, where
    /// the layer ends.
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
    /// The numbering for a board with so many squares of each colour.
    pub fn new(black_squares: u32, white_squares: u32) -> Ranking {
        let binomials = Binomials::new();
        let [black, white] = [black_squares, white_squares]
            .map(|squares| (0..=squares).map(|size| binomials.choose(squares, size)).collect());
        let sublayers = Sublayers::new(black, white, 1);
        Ranking { binomials, black_squares, white_squares, sublayers }
    }

    /// How many positions with so many stones there are.
    pub fn layer(&self, stones: u32) -> u64 {
        self.sublayers.base(stones, stones + 1)
    }

    /// Where the sublayer with so many white stones begins.
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

    /// The position of that number in a layer.
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

    /// Looking up the halves gives the same numbers, and all sets of a size come in their order.
    #[test]
    fn halves_add_up() {
        let binomials = Binomials::new();
        let mut random = fastrand::Rng::with_seed(16);
        for squares in [0, 1, 5, 15, 16, 17, 21, 25, 32] {
            let ranks = SetRanks::new(&binomials, squares);
            let all = ((1_u64 << squares) - 1) as u32;
            for set in (0..2000).map(|_| random.u32(..) & all).chain([0, all]) {
                assert_eq!(u64::from(ranks.rank(set)), binomials.rank(set.into()), "{set:b}");
            }
            for size in [0, 1, 2, squares, squares + 1] {
                let mut count = 0;
                for (rank, set) in ranks.sets(size).enumerate() {
                    assert_eq!((set.count_ones(), ranks.rank(set)), (size, rank as u32));
                    count += 1;
                }
                assert_eq!(count, binomials.choose(squares, size), "{size} of {squares}");
            }
        }
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
