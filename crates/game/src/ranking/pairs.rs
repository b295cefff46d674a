//! A number for every pair of disjoint sets, up to symmetry: the stones of two players.
//!
//! The first set is the major key, the rank of the second one among the free squares the minor key.
//! Symmetries work on the major key alone: of all images only the least is numbered, and a small
//! table leads from each set to it. So the numbers have gaps only where some symmetry leaves the
//! first set as it is. Moves of the second player stay in a row of numbers.

use papamu_base::{pdep, pext};

use super::{Binomials, next_set};

/// A group of permutations of the squares.
pub trait Group {
    /// How many there are, with the identity, which is the first.
    fn order(&self) -> u8;

    /// The image of a set of squares.
    fn image(&self, by: u8, set: u64) -> u64;
}

/// Permutations by the images of the bits of a word, for groups without a faster way.
pub type SquarePermutations = Vec<Vec<u8>>;

impl Group for SquarePermutations {
    fn order(&self) -> u8 {
        self.len() as u8
    }

    fn image(&self, by: u8, mut set: u64) -> u64 {
        let (permutation, mut image) = (&self[usize::from(by)], 0);
        while set != 0 {
            image |= 1 << permutation[set.trailing_zeros() as usize];
            set &= set - 1;
        }
        image
    }
}

/// The numbers of all pairs of disjoint sets of two sizes.
#[derive(Clone, Debug)]
pub struct Pairs<S = SquarePermutations> {
    binomials: Binomials,
    /// All squares, which may be any bits of a word.
    squares: u64,
    sizes: [u32; 2],
    /// How many second sets each first set has.
    row: u64,
    /// The first set of each row, if there is a table.
    majors: Vec<u64>,
    /// The second set of each column, as bits without gaps, if there is a table.
    minors: Vec<u64>,
    symmetric: Option<Symmetric<S>>,
}

/// How sets lead to their least images.
#[derive(Clone, Debug)]
struct Symmetric<S> {
    group: S,
    /// By rank of a first set: its row, the permutation that leads to the set of the row, and
    /// whether that set has symmetries.
    rows: Vec<(u32, u8, bool)>,
    /// By row: the permutations that leave its set as it is, but the identity.
    stabilisers: Vec<Vec<u8>>,
}

/// The row of a first set.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its least image.
    first: u64,
    row: usize,
    /// The permutation that leads there.
    by: u8,
    /// Whether the least image has symmetries.
    has_symmetries: bool,
}

/// Tables of more sets than these would not stay in the caches.
const MOST_TABLED: u64 = 1 << 20;

impl<S: Group> Pairs<S> {
    /// The pairs of sets of those sizes, each pair for itself. The squares are bits of a word.
    pub fn new(binomials: &Binomials, squares: u64, sizes: [u32; 2]) -> Pairs<S> {
        let count = squares.count_ones();
        let row = binomials.choose(count.saturating_sub(sizes[0]), sizes[1]);
        let table = |squares: u32, size: u32| {
            let sets = binomials.choose(squares, size);
            let tabled = if sets <= MOST_TABLED { sets } else { 0 };
            (0..tabled).filter_map(move |rank| binomials.unrank(squares, size, rank))
        };
        let majors = table(count, sizes[0]).map(|set| on(squares, set)).collect();
        let minors = table(count.saturating_sub(sizes[0]), sizes[1]).collect();
        Pairs { binomials: *binomials, squares, sizes, row, majors, minors, symmetric: None }
    }

    /// The same up to a group of permutations of the squares. `None` if there
    /// are too many first sets for a table: let the smaller set be the first.
    pub fn up_to(
        binomials: &Binomials,
        squares: u64,
        sizes: [u32; 2],
        group: S,
    ) -> Option<Pairs<S>> {
        let pairs = Pairs::new(binomials, squares, sizes);
        let sets = &pairs.majors;
        if sets.len() as u64 != binomials.choose(squares.count_ones(), sizes[0]) {
            return None;
        }
        let (mut majors, mut stabilisers) = (Vec::new(), Vec::new());
        let mut rows = vec![(0, 0, false); sets.len()];
        for (rank, &set) in sets.iter().enumerate() {
            let images = (0..group.order()).map(|by| (group.image(by, set), by));
            // The first of several permutations that do the same.
            let (least, by) = images.clone().min()?;
            rows[rank] = if by == 0 && least == set {
                let fixing = images.skip(1).filter(|&(image, _)| image == set);
                let fixing: Vec<u8> = fixing.map(|(_, by)| by).collect();
                let row = (majors.len() as u32, 0, !fixing.is_empty());
                majors.push(set);
                stabilisers.push(fixing);
                row
            } else {
                // Sets come in ascending order, so the least image has its row already.
                let (row, _, has_symmetries) = rows[pairs.major(least) as usize];
                (row, by, has_symmetries)
            };
        }
        let symmetric = Symmetric { group, rows, stabilisers };
        Some(Pairs { majors, symmetric: Some(symmetric), ..pairs })
    }

    /// The number of numbers, [`u64::MAX`] if there are more.
    pub fn len(&self) -> u64 {
        let rows = match &self.symmetric {
            Some(_) => self.majors.len() as u64,
            None => self.binomials.choose(self.squares.count_ones(), self.sizes[0]),
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
        self.rank_in(self.row_of(first), second)
    }

    /// The numbers of the pairs with a first set.
    #[inline]
    pub fn row_of(&self, first: u64) -> Row {
        let rank = self.major(first);
        let Some(symmetric) = &self.symmetric else {
            return Row { first, row: rank as usize, by: 0, has_symmetries: false };
        };
        let (row, by, has_symmetries) = symmetric.rows[rank as usize];
        let row = row as usize;
        Row { first: self.majors[row], row, by, has_symmetries }
    }

    /// The number of a pair whose first set is that of the row.
    #[inline]
    pub fn rank_in(&self, row: Row, mut second: u64) -> u64 {
        if let Some(symmetric) = &self.symmetric {
            // The image under the identity is computed, too: nobody could predict a branch.
            second = symmetric.group.image(row.by, second);
            if row.has_symmetries {
                second = symmetric.least(row.row, second);
            }
        }
        row.row as u64 * self.row + self.minor(row.first, second)
    }

    /// The pair of a number; `None` if it has a lesser image, or if there are fewer numbers.
    #[inline]
    pub fn unrank(&self, number: u64) -> Option<[u64; 2]> {
        self.reader()(number)
    }

    /// Reads the pairs of numbers, with less work for those that follow soon upon the last one.
    #[inline]
    pub fn reader(&self) -> impl FnMut(u64) -> Option<[u64; 2]> {
        // Of the last number: its row, where that ends and starts, and its set; the column and its
        // set.
        let (mut row, mut end, mut start, mut first) = (0, 0, 0, 0);
        let (mut last, mut minor) = (u64::MAX, 0);
        move |number| {
            if number < start || number >= end {
                // Until the first set is known the row has no numbers.
                (row, end) = ((number / self.row.max(1)) as usize, 0);
                first = match self.majors.get(row) {
                    Some(&set) => set,
                    None => self.untabled_major(row)?,
                };
                start = row as u64 * self.row;
                end = start + self.row;
            }
            let column = number - start;
            minor = match self.minors.get(column as usize) {
                Some(&set) => set,
                None if column == last => minor,
                None if column == last.wrapping_add(1) && column != 0 => next_set(minor),
                None => self.untabled_minor(column)?,
            };
            last = column;
            let second = on(self.squares & !first, minor);
            match &self.symmetric {
                Some(symmetric) if symmetric.least(row, second) != second => None,
                _ => Some([first, second]),
            }
        }
    }

    fn untabled_major(&self, row: usize) -> Option<u64> {
        if self.symmetric.is_some() {
            return None;
        }
        let set = self.binomials.unrank(self.squares.count_ones(), self.sizes[0], row as u64)?;
        Some(on(self.squares, set))
    }

    fn untabled_minor(&self, column: u64) -> Option<u64> {
        self.binomials.unrank(self.squares.count_ones() - self.sizes[0], self.sizes[1], column)
    }

    /// The rank of a first set.
    #[inline(always)]
    fn major(&self, first: u64) -> u64 {
        self.binomials.rank_of_about::<4>(without_gaps(self.squares, first))
    }

    /// The rank of the second set among the squares that the first one leaves free.
    #[inline(always)]
    fn minor(&self, first: u64, second: u64) -> u64 {
        self.binomials.rank_of_about::<6>(without_gaps(self.squares & !first, second))
    }
}

impl<S: Group> Symmetric<S> {
    /// The least image of a second set under the symmetries of the first one.
    #[inline]
    fn least(&self, row: usize, second: u64) -> u64 {
        let fixing = self.stabilisers[row].iter();
        fixing.map(|&by| self.group.image(by, second)).fold(second, u64::min)
    }
}

/// The bits of a set of some squares, brought together at the low end.
#[inline(always)]
fn without_gaps(squares: u64, set: u64) -> u64 {
    pext(set, squares, || brought_together(squares, set))
}

/// Takes the bits that are no squares out of a set, the highest first.
fn brought_together(squares: u64, mut set: u64) -> u64 {
    let mut gaps = !squares;
    set &= squares;
    while gaps != 0 {
        let below = (1 << gaps.ilog2()) - 1;
        set = set & below | set >> 1 & !below;
        gaps &= below;
    }
    set
}

/// The set whose bits were brought together.
#[inline(always)]
fn on(squares: u64, set: u64) -> u64 {
    pdep(set, squares, || spread(squares, set))
}

/// Makes room for the bits that are no squares, the lowest first.
fn spread(squares: u64, mut set: u64) -> u64 {
    // Beyond the last square there is nothing to make room for.
    let mut gaps = !squares & squares.checked_ilog2().map_or(0, |last| (1 << last) - 1);
    while gaps != 0 {
        let below = (gaps & gaps.wrapping_neg()) - 1;
        set = set & below | (set & !below) << 1;
        gaps &= gaps - 1;
    }
    set & squares
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
            let pairs: Pairs = Pairs::new(&binomials, (1 << squares) - 1, sizes);
            let mut seen = vec![false; pairs.len() as usize];
            for first in sets(squares, sizes[0]) {
                for second in sets(squares, sizes[1]).filter(|second| first & second == 0) {
                    let number = pairs.rank([first, second]);
                    assert_eq!(pairs.unrank(number), Some([first, second]));
                    assert!(!std::mem::replace(&mut seen[number as usize], true));
                    let free = 0x55_a7 & !first;
                    let packed = brought_together(free, second);
                    assert_eq!(packed, without_gaps(free, second));
                    assert_eq!(spread(free, packed), on(free, packed));
                }
            }
            assert!(seen.iter().all(|&seen| seen));
            assert_eq!(pairs.unrank(pairs.len()), None);
        }
    }

    /// Squares may be any bits, and a reader that goes back and forth reads what a new one does.
    #[test]
    fn squares_may_have_gaps() {
        let binomials = Binomials::new();
        let squares = 0b1_0110_0000_0111_0100;
        for sizes in [[1, 2], [2, 3], [0, 7], [3, 4], [4, 0]] {
            let packed: Pairs = Pairs::new(&binomials, 0b111_1111, sizes);
            let mut pairs: Pairs = Pairs::new(&binomials, squares, sizes);
            for is_tabled in [true, false] {
                if !is_tabled {
                    (pairs.majors, pairs.minors) = (Vec::new(), Vec::new());
                }
                let mut reader = pairs.reader();
                let there = 0..=packed.len();
                for number in there.clone().chain(there.rev()).chain([0, 0, 2, 3]) {
                    let expected = packed.unrank(number).map(|of| of.map(|set| on(squares, set)));
                    assert_eq!(reader(number), expected, "{sizes:?} {number}");
                    if let Some(expected) = expected {
                        assert_eq!(pairs.rank(expected), number);
                    }
                }
            }
        }
    }

    /// Images share a number, which leads back to one of them; other numbers lead nowhere.
    #[test]
    fn images_share_a_number() {
        let binomials = Binomials::new();
        // The rotations of a ring of six points.
        let turned = |by: u8| (0..6).map(|point| (point + by) % 6).collect();
        let group: SquarePermutations = (0..6).map(turned).collect();
        for sizes in [[1, 2], [2, 2], [3, 2], [0, 3]] {
            let pairs =
                Pairs::up_to(&binomials, 0b11_1111, sizes, group.clone()).expect("few sets");
            let mut seen = vec![false; pairs.len() as usize];
            for first in sets(6, sizes[0]) {
                for second in sets(6, sizes[1]).filter(|second| first & second == 0) {
                    let number = pairs.rank([first, second]);
                    let back = pairs.unrank(number).expect("a pair");
                    assert_eq!(pairs.rank(back), number);
                    let images = (0..6).map(|by| [group.image(by, first), group.image(by, second)]);
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
