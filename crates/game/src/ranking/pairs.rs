//! A number for every pair of disjoint sets, up to symmetry: the stones of two players.
//!
//! The first set is the major key, the rank of the second one among the free squares the minor key.
//! Symmetries work on the major key alone: of all images only the least is numbered, and a small
//! table leads from each set to it. So the numbers have gaps only where some symmetry leaves the
//! first set as it is. Moves of the second player stay in a row of numbers.

use papamu_base::pext;

use super::Binomials;

/// A permutation of the squares: the image of each.
pub type SquarePermutation = Vec<u8>;

/// The numbers of all pairs of disjoint sets of two sizes.
#[derive(Clone, Debug)]
pub struct Pairs {
    binomials: Binomials,
    squares: u32,
    sizes: [u32; 2],
    /// How many second sets each first set has.
    row: u64,
    /// The first set of each row, if there is a table.
    majors: Vec<u64>,
    /// The second set of each column, if there is a table.
    minors: Vec<u64>,
    symmetric: Option<Symmetric>,
}

/// How sets lead to their least images.
#[derive(Clone, Debug)]
struct Symmetric {
    permutations: Vec<SquarePermutation>,
    /// By rank of a first set: its row, the permutation that leads to the set of the row, and
    /// whether that set has symmetries.
    rows: Vec<(u32, u8, bool)>,
    /// By row: the permutations that leave its set as it is, but the identity.
    stabilisers: Vec<Vec<u8>>,
}

/// Tables of more sets than these would not stay in the caches.
const MOST_TABLED: u64 = 1 << 20;

impl Pairs {
    /// The pairs of sets of those sizes, of at most 64 squares, each pair for itself.
    pub fn new(binomials: &Binomials, squares: u32, sizes: [u32; 2]) -> Pairs {
        let row = binomials.choose(squares.saturating_sub(sizes[0]), sizes[1]);
        let table = |squares: u32, size: u32| {
            let sets = binomials.choose(squares, size);
            let tabled = if sets <= MOST_TABLED { sets } else { 0 };
            (0..tabled).filter_map(|rank| binomials.unrank(squares, size, rank)).collect()
        };
        let (majors, minors) = (table(squares, sizes[0]), table(squares - sizes[0], sizes[1]));
        let binomials = binomials.clone();
        Pairs { binomials, squares, sizes, row, majors, minors, symmetric: None }
    }

    /// The same up to a group of permutations of the squares, the identity first. `None` if there
    /// are too many first sets for a table: let the smaller set be the first.
    pub fn up_to(
        binomials: &Binomials,
        squares: u32,
        sizes: [u32; 2],
        permutations: &[SquarePermutation],
    ) -> Option<Pairs> {
        let pairs = Pairs::new(binomials, squares, sizes);
        let sets = pairs.majors;
        if sets.len() as u64 != binomials.choose(squares, sizes[0]) {
            return None;
        }
        let (mut majors, mut stabilisers) = (Vec::new(), Vec::new());
        let mut rows = vec![(0, 0, false); sets.len()];
        for &set in &sets {
            let images = (0_u8..).zip(permutations).map(|(by, of)| (image(of, set), by));
            // The first of several permutations that do the same.
            let (least, by) = images.clone().min()?;
            if by == 0 && least == set {
                let fixing = images.skip(1).filter(|&(image, _)| image == set);
                let fixing: Vec<u8> = fixing.map(|(_, by)| by).collect();
                rows[binomials.rank(set) as usize] = (majors.len() as u32, 0, !fixing.is_empty());
                majors.push(set);
                stabilisers.push(fixing);
            } else {
                // Sets come in ascending order, so the least image has its row already.
                let (row, _, has_symmetries) = rows[binomials.rank(least) as usize];
                rows[binomials.rank(set) as usize] = (row, by, has_symmetries);
            }
        }
        let symmetric = Symmetric { permutations: permutations.to_vec(), rows, stabilisers };
        Some(Pairs { majors, symmetric: Some(symmetric), ..pairs })
    }

    /// The number of numbers, [`u64::MAX`] if there are more.
    pub fn len(&self) -> u64 {
        let rows = match &self.symmetric {
            Some(_) => self.majors.len() as u64,
            None => self.binomials.choose(self.squares, self.sizes[0]),
        };
        rows.saturating_mul(self.row)
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a pair of disjoint sets of the right sizes.
    #[inline]
    pub fn rank(&self, [first, second]: [u64; 2]) -> u64 {
        let rank = self.binomials.rank(first);
        let Some(symmetric) = &self.symmetric else {
            return rank * self.row + self.minor(first, second);
        };
        let (row, by, has_symmetries) = symmetric.rows[rank as usize];
        let (first, second) = match by {
            0 => (first, second),
            by => {
                let permutation = &symmetric.permutations[usize::from(by)];
                (self.majors[row as usize], image(permutation, second))
            }
        };
        let second = match has_symmetries {
            true => symmetric.least(row as usize, second),
            false => second,
        };
        u64::from(row) * self.row + self.minor(first, second)
    }

    /// The pair of a number; `None` if it has a lesser image, or if there are fewer numbers.
    #[inline]
    pub fn unrank(&self, number: u64) -> Option<[u64; 2]> {
        let (row, column) = (number / self.row.max(1), number % self.row.max(1));
        let first = match self.majors.get(row as usize) {
            Some(&set) => set,
            None if self.symmetric.is_some() => return None,
            None => self.binomials.unrank(self.squares, self.sizes[0], row)?,
        };
        let minor = match self.minors.get(column as usize) {
            Some(&set) => set,
            None => {
                let free = self.squares - self.sizes[0];
                self.binomials.unrank(free, self.sizes[1], column)?
            }
        };
        let second = expanded(minor, first);
        match &self.symmetric {
            Some(symmetric) if symmetric.least(row as usize, second) != second => None,
            _ => Some([first, second]),
        }
    }

    /// The rank of the second set among the squares that the first one leaves free.
    #[inline]
    fn minor(&self, first: u64, second: u64) -> u64 {
        self.binomials.rank(pext(second, !first, || compressed(second, first)))
    }
}

impl Symmetric {
    /// The least image of a second set under the symmetries of the first one.
    #[inline]
    fn least(&self, row: usize, second: u64) -> u64 {
        let fixing = self.stabilisers[row].iter();
        let images = fixing.map(|&by| image(&self.permutations[usize::from(by)], second));
        images.fold(second, u64::min)
    }
}

/// The image of a set.
fn image(permutation: &[u8], mut set: u64) -> u64 {
    let mut image = 0;
    while set != 0 {
        image |= 1 << permutation[set.trailing_zeros() as usize];
        set &= set - 1;
    }
    image
}

/// Takes the bits of `gaps` out of a set, the highest first.
fn compressed(mut set: u64, mut gaps: u64) -> u64 {
    while gaps != 0 {
        let below = (1 << gaps.ilog2()) - 1;
        set = set & below | set >> 1 & !below;
        gaps &= below;
    }
    set
}

/// Makes room for the bits of `gaps` in a set, the lowest first.
#[inline]
fn expanded(mut set: u64, mut gaps: u64) -> u64 {
    while gaps != 0 {
        let below = (gaps & gaps.wrapping_neg()) - 1;
        set = set & below | (set & !below) << 1;
        gaps &= gaps - 1;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(squares: u32, size: u32) -> impl Iterator<Item = u64> {
        (0..1_u64 << squares).filter(move |set| set.count_ones() == size)
    }

    /// Each pair has a number of its own, and leads back to the pair.
    #[test]
    fn pairs_are_numbered_without_gaps() {
        let binomials = Binomials::new();
        for (squares, sizes) in [(7, [0, 3]), (7, [2, 3]), (7, [3, 4]), (6, [6, 0]), (5, [3, 3])] {
            let pairs = Pairs::new(&binomials, squares, sizes);
            let mut seen = vec![false; pairs.len() as usize];
            for first in sets(squares, sizes[0]) {
                for second in sets(squares, sizes[1]).filter(|second| first & second == 0) {
                    let number = pairs.rank([first, second]);
                    assert_eq!(pairs.unrank(number), Some([first, second]));
                    assert!(!std::mem::replace(&mut seen[number as usize], true));
                    assert_eq!(
                        compressed(second, first),
                        pext(second, !first, || compressed(second, first))
                    );
                }
            }
            assert!(seen.iter().all(|&seen| seen));
            assert_eq!(pairs.unrank(pairs.len()), None);
        }
    }

    /// Images share a number, which leads back to one of them; other numbers lead nowhere.
    #[test]
    fn images_share_a_number() {
        let binomials = Binomials::new();
        // The rotations of a ring of six points.
        let turned = |by: u8| (0..6).map(|point| (point + by) % 6).collect();
        let group: Vec<SquarePermutation> = (0..6).map(turned).collect();
        for sizes in [[1, 2], [2, 2], [3, 2], [0, 3]] {
            let pairs = Pairs::up_to(&binomials, 6, sizes, &group).expect("few sets");
            let mut seen = vec![false; pairs.len() as usize];
            for first in sets(6, sizes[0]) {
                for second in sets(6, sizes[1]).filter(|second| first & second == 0) {
                    let number = pairs.rank([first, second]);
                    let back = pairs.unrank(number).expect("a pair");
                    assert_eq!(pairs.rank(back), number);
                    let images = group.iter().map(|of| [image(of, first), image(of, second)]);
                    assert!(images.clone().any(|image| image == back));
                    assert!(images.clone().all(|image| pairs.rank(image) == number));
                    seen[number as usize] = true;
                }
            }
            for (number, seen) in (0..).zip(seen) {
                assert_eq!(pairs.unrank(number).is_some(), seen, "{sizes:?} {number}");
            }
        }
    }
}
