//! Combinadic ranking: a number for every set of a given size (D. Knuth, TAOCP 4A, 7.2.1.3).
//!
//! The sets of k squares are numbered in the order of their bit patterns: the set {b1 < b2 < ...}
//! has the rank C(b1, 1) + C(b2, 2) + ... Indices of databases are made of such ranks.

mod pairs;

pub use pairs::{Pairs, SquarePermutation};

/// Binomial coefficients up to 64. Those that exceed 64 bits are saturated.
#[derive(Clone, Debug)]
pub struct Binomials {
    rows: Vec<[u64; 65]>,
    /// C(n, k) at place 128 n + k, for n below 64: a rank looks them up without multiplying and
    /// without checks of bounds.
    flat: Box<[u64; FLAT]>,
}

const FLAT_ROW: usize = 128;
const FLAT: usize = 64 * FLAT_ROW;

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
        let mut flat = Box::new([0; FLAT]);
        for (flat, row) in flat.chunks_mut(FLAT_ROW).zip(&rows) {
            flat[..row.len()].copy_from_slice(row);
        }
        Binomials { rows, flat }
    }

    /// The number of sets of k of n squares.
    #[inline]
    pub fn choose(&self, n: u32, k: u32) -> u64 {
        if k > n || n > 64 { 0 } else { self.rows[n as usize][k as usize] }
    }

    /// The rank of a set among those of its size.
    #[inline]
    pub fn rank(&self, set: u64) -> u64 {
        let (mut rest, mut size, mut rank) = (set, 0, 0);
        while rest != 0 {
            size += 1;
            rank += self.flat[(rest.trailing_zeros() as usize * FLAT_ROW + size) % FLAT];
            rest &= rest - 1;
        }
        rank
    }

    /// The set of that size and rank; `None` if n squares have fewer subsets of the size.
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

/// The ranks of the sets of up to 32 squares, by looking up the two halves of a set.
///
/// Among the sets of a size, those with the same upper half are consecutive, in the order of their
/// lower halves. So the rank of a set is the sum of a number for each half.
#[derive(Clone, Debug)]
pub struct SetRanks {
    squares: u32,
    /// By lower half: its rank among the lower halves of its size.
    lower: Vec<u16>,
    /// By size of the lower half and by upper half: the number of sets of the same size with a
    /// lesser upper half.
    upper: Vec<Vec<u32>>,
}

/// The squares of a lower half.
const HALF: u32 = 16;

impl SetRanks {
    /// The ranks of the sets of that number of squares, at most 32.
    pub fn new(binomials: &Binomials, squares: u32) -> SetRanks {
        debug_assert!(squares <= 2 * HALF);
        let low_squares = squares.min(HALF);
        let sets = 0..1_u64 << low_squares;
        let lower = sets.map(|set| binomials.rank(set) as u16).collect();
        let upper = |low_size: u32| {
            let place = |set: u32| {
                // An element of the upper half counts as in the whole set.
                let elements = (0..HALF).filter(|square| set >> square & 1 == 1);
                let ranks = elements.zip(low_size + 1..);
                ranks.map(|(square, size)| binomials.choose(HALF + square, size) as u32).sum()
            };
            (0..1_u32 << (squares - low_squares)).map(place).collect()
        };
        SetRanks { squares, lower, upper: (0..=low_squares).map(upper).collect() }
    }

    /// The number of squares.
    pub fn squares(&self) -> u32 {
        self.squares
    }

    /// The rank of a set among those of its size.
    #[inline]
    pub fn rank(&self, set: u32) -> u32 {
        let low = set & ((1 << HALF) - 1);
        let upper = self.upper[low.count_ones() as usize][(set >> HALF) as usize];
        upper + u32::from(self.lower[low as usize])
    }

    /// All sets of a size, in the order of their ranks.
    pub fn sets(&self, size: u32) -> impl Iterator<Item = u32> + use<> {
        let end = 1_u64 << self.squares;
        let mut next = (size <= self.squares).then(|| (1_u64 << size) - 1);
        std::iter::from_fn(move || {
            let set = next?;
            // The next pattern with as many bits (R. Gosper, HAKMEM 175). The empty set has none.
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

    /// Looking up the halves gives the same ranks, and all sets of a size come in order.
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
}
