//! Combinadic ranking: a number for every set of a given size (D. Knuth, TAOCP 4A, 7.2.1.3).
//!
//! The sets of k squares are numbered in the order of their bit patterns: the set {b1 < b2 < ...}
//! has the rank C(b1, 1) + C(b2, 2) + ... Indices of databases are made of such ranks.

mod pairs;

pub use pairs::{Group, Pairs, Row, SquarePermutations};

/// Binomial coefficients up to 64. Those that exceed 64 bits are saturated.
#[derive(Clone, Copy, Debug, Default)]
pub struct Binomials(());

/// C(n, k) at place 128 (k - 1) + n, for n below 64: a rank looks them up without multiplying and
/// without checks of bounds, and the few columns that small sets need stay in the caches. The place
/// of n = 64, which no element has, is zero.
static COLUMNS: [u64; PLACES] = columns();

const COLUMN: usize = 128;
const PLACES: usize = 64 * COLUMN;

const fn columns() -> [u64; PLACES] {
    let mut columns = [0; PLACES];
    let mut n = 1;
    while n < 64 {
        let mut k = 1;
        while k <= n {
            let left = if k == 1 { 1 } else { columns[(k - 2) * COLUMN + n - 1] };
            columns[(k - 1) * COLUMN + n] = columns[(k - 1) * COLUMN + n - 1] + left;
            k += 1;
        }
        n += 1;
    }
    columns
}

impl Binomials {
    /// Pascal's triangle.
    pub fn new() -> Binomials {
        Binomials(())
    }

    /// The number of sets of k of n squares.
    #[inline]
    pub fn choose(&self, n: u32, k: u32) -> u64 {
        match (n, k) {
            (_, 0) if n <= 64 => 1,
            (64, 1..=64) => self.choose(63, k).saturating_add(self.choose(63, k - 1)),
            (0..64, 1..=64) => COLUMNS[(k as usize - 1) * COLUMN + n as usize],
            _ => 0,
        }
    }

    /// The rank of a set among those of its size.
    #[inline]
    pub fn rank(&self, set: u64) -> u64 {
        self.rank_of_about::<0>(set)
    }

    /// The same, without branches for sets of at most so many elements: where sizes vary, a loop
    /// that ends at the last element costs more than a few steps for nothing.
    #[inline(always)]
    pub(crate) fn rank_of_about<const SIZE: usize>(&self, set: u64) -> u64 {
        let (mut rest, mut size, mut rank) = (set, 0, 0_u64);
        let mut add_lowest = |rest: &mut u64| {
            rank += COLUMNS[(size * COLUMN + rest.trailing_zeros() as usize) % PLACES];
            *rest &= rest.wrapping_sub(1);
            size += 1;
        };
        for _ in 0..SIZE {
            add_lowest(&mut rest);
        }
        while rest != 0 {
            add_lowest(&mut rest);
        }
        rank
    }

    /// The set of that size and rank; `None` if n squares have fewer subsets of the size.
    pub fn unrank(&self, n: u32, size: u32, mut rank: u64) -> Option<u64> {
        if n > 64 || rank >= self.choose(n, size) {
            return None;
        }
        let (mut set, mut below) = (0, n as usize);
        for size in (0..size as usize).rev() {
            // The largest element whose coefficient still fits.
            let column = &COLUMNS[size * COLUMN..][..below];
            below = column.partition_point(|&sets| sets <= rank).checked_sub(1)?;
            rank -= column[below];
            set |= 1 << below;
        }
        Some(set)
    }
}

/// The next set of as many elements in the order of ranks (R. Gosper, HAKMEM 175); zero if there is
/// none.
#[inline]
fn next_set(set: u64) -> u64 {
    let lowest = set & set.wrapping_neg();
    match set.checked_add(lowest) {
        Some(ripple) if set != 0 => ripple | (set ^ ripple) >> lowest.trailing_zeros() >> 2,
        _ => 0,
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
            next = Some(next_set(set)).filter(|&next| next != 0 && next < end);
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
