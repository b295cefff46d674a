//! Classes (orbits) of black sets under the symmetries of a board. The least set represents its
//! class.

use papamu_base::memory::OutOfMemory;
use papamu_game::Player;

use crate::konane::squares::Squares;
use crate::ranking::{Binomials, SetRanks};

/// The classes of the black sets of up to some size.
#[derive(Clone, Debug)]
pub struct Classes {
    ranks: SetRanks,
    /// By size and rank of a set: the number of its class among those of the size and, in the
    /// lowest bits, the symmetry that makes the set least.
    found: Vec<Vec<u32>>,
}

/// Bits for the number of a symmetry, of which a board has at most eight.
const SYMMETRY_BITS: u32 = 3;

impl Classes {
    /// The classes of the sets of at most `most_stones` black stones.
    pub fn new(squares: &Squares, most_stones: u32) -> Result<Classes, OutOfMemory> {
        let blacks = squares.count(Player::First);
        let binomials = Binomials::new();
        let ranks = SetRanks::new(&binomials, blacks);
        let mut classes = Classes { ranks, found: Vec::new() };
        for size in 0..=most_stones.min(blacks) {
            let (mut found, mut count) = (Vec::new(), 0);
            let sets = binomials.choose(blacks, size) as usize;
            let limit_bytes = sets.saturating_mul(size_of::<u32>());
            let room = found.try_reserve_exact(sets);
            let numbered = squares.class_counts()[size as usize] < 1 << (32 - SYMMETRY_BITS);
            room.ok().filter(|()| numbered).ok_or(OutOfMemory { limit_bytes })?;
            for set in classes.ranks.sets(size) {
                let images = squares.symmetries().iter().map(|[black, _]| black.image(set));
                let (least, by) = images.zip(0_u32..).min().unwrap_or((set, 0));
                let place = if least == set {
                    count += 1;
                    count - 1
                } else {
                    // A lesser set was seen earlier.
                    found[classes.ranks.rank(least) as usize] >> SYMMETRY_BITS
                };
                found.push(place << SYMMETRY_BITS | by);
            }
            classes.found.push(found);
        }
        Ok(classes)
    }

    /// The number of the class of a set among those of its size, and the index of the symmetry that
    /// makes the set least. The set must not have more stones than the classes cover.
    #[inline]
    pub fn find(&self, set: u32) -> (usize, usize) {
        let found = self.found[set.count_ones() as usize][self.ranks.rank(set) as usize];
        ((found >> SYMMETRY_BITS) as usize, (found & ((1 << SYMMETRY_BITS) - 1)) as usize)
    }

    /// Whether a set represents its class.
    #[inline]
    pub fn is_least(&self, set: u32) -> bool {
        // The identity is the first symmetry and wins ties.
        self.find(set).1 == 0
    }

    /// The sets of a size that represent their classes, in the order of their numbers.
    pub fn least_sets(&self, size: u32) -> impl Iterator<Item = u32> + '_ {
        self.ranks.sets(size).filter(|&set| self.is_least(set))
    }
}

#[cfg(test)]
mod tests {
    use papamu_game::Game;
    use papamu_games::Konane;

    use super::*;

    #[test]
    fn every_set_finds_its_least_image() {
        for text in ["4x4", "3x5", "5x5", "1x9", "6x3"] {
            let (game, _) = Konane::read(text).expect("a board");
            let squares = Squares::new(&game);
            let blacks = squares.count(Player::First);
            let classes = Classes::new(&squares, blacks).expect("small");
            for size in 0..=blacks {
                let least: Vec<u32> = classes.least_sets(size).collect();
                assert_eq!(least.len() as u64, squares.class_counts()[size as usize]);
                for set in (0..1 << blacks).filter(|set: &u32| set.count_ones() == size) {
                    let (place, by) = classes.find(set);
                    assert_eq!(squares.symmetries()[by][0].image(set), least[place]);
                    let images = squares.symmetries().iter().map(|[black, _]| black.image(set));
                    assert_eq!(images.min(), Some(least[place]));
                }
            }
        }
    }
}
