//! The path of a search, and sets of positions on it.

use hashbrown::HashMap;
use papamu_game::Key;

/// The positions from the root to the current one, each once.
#[derive(Default)]
pub(crate) struct Path<K> {
    /// With whether the attacker is to move.
    positions: Vec<(K, bool)>,
    places: HashMap<K, u32>,
}

impl<K: Key> Path<K> {
    pub(crate) fn push(&mut self, key: K, attacker_moves: bool) {
        self.places.insert(key, self.positions.len() as u32);
        self.positions.push((key, attacker_moves));
    }

    pub(crate) fn pop(&mut self) -> Option<(K, bool)> {
        let last = self.positions.pop();
        if let Some((key, _)) = last {
            self.places.remove(&key);
        }
        last
    }

    pub(crate) fn clear(&mut self) {
        self.positions.clear();
        self.places.clear();
    }

    /// The number of positions. The current one is the last.
    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }

    /// Where a position is.
    #[inline]
    pub(crate) fn place_of(&self, key: K) -> Option<u32> {
        self.places.get(&key).copied()
    }

    /// The key at a place, and whether the attacker is to move there.
    pub(crate) fn at(&self, place: u32) -> (K, bool) {
        self.positions[place as usize]
    }
}

/// Places on the path that a disproof needs.
///
/// One bit for each of the first 255 places. The last bit stands for all deeper places together,
/// and is cleared only when the path is that short again: such a disproof may be taken for
/// conditional when it is not, never the other way round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs([u64; Needs::WORDS]);

impl Needs {
    const WORDS: usize = 4;
    const LAST: u32 = 64 * Needs::WORDS as u32 - 1;

    /// Nothing: the result is unconditional.
    pub(crate) const NONE: Needs = Needs([0; Needs::WORDS]);

    /// One place.
    pub(crate) fn of(place: u32) -> Needs {
        let mut needs = Needs::NONE;
        let bit = place.min(Needs::LAST);
        needs.0[(bit / 64) as usize] |= 1 << (bit % 64);
        needs
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self == Needs::NONE
    }

    #[inline]
    pub(crate) fn add(&mut self, other: Needs) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
    }

    /// The same without a place that is about to be left.
    #[inline]
    pub(crate) fn without(mut self, place: u32) -> Needs {
        if place <= Needs::LAST {
            self.0[(place / 64) as usize] &= !(1 << (place % 64));
        }
        self
    }

    /// The places in ascending order; `None` if some are too deep to be told apart.
    pub(crate) fn places(self) -> Option<impl Iterator<Item = u32>> {
        let is_exact = self.without(Needs::LAST) == self;
        let words = self.0.into_iter().zip((0..).step_by(64));
        let places = words.flat_map(|(mut word, first)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros())?;
                word &= word - 1;
                Some(first + bit)
            })
        });
        is_exact.then_some(places)
    }

    /// The shallowest place.
    pub(crate) fn first(self) -> Option<u32> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word as u32 * 64 + self.0[word].trailing_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_are_sets_of_places() {
        let mut needs = Needs::NONE;
        let wanted = [0, 3, 63, 64, 130, 254];
        for place in wanted.into_iter().rev() {
            needs.add(Needs::of(place));
            assert_eq!(needs.first(), Some(place));
        }
        assert!(needs.places().expect("exact").eq(wanted));
        for place in wanted {
            assert!(!needs.is_empty());
            needs = needs.without(place);
        }
        assert!(needs.is_empty());
        assert_eq!(needs.first(), None);
    }

    /// What is too deep stays needed until the path is short again.
    #[test]
    fn deep_places_are_needed_until_all_are_left() {
        let needs = Needs::of(400);
        assert!(needs.places().is_none());
        assert!(!needs.without(400).is_empty());
        assert!(!needs.without(256).is_empty());
        assert!(needs.without(255).is_empty());
    }

    #[test]
    fn paths_know_where_positions_are() {
        let mut path = Path::default();
        for key in 0..1000_u64 {
            path.push(key * 7, key % 2 == 0);
        }
        assert_eq!(path.place_of(700), Some(100));
        assert_eq!(path.at(100), (700, true));
        assert_eq!(path.place_of(701), None);
        path.pop();
        assert_eq!((path.place_of(6993), path.len()), (None, 999));
        path.clear();
        assert_eq!((path.place_of(0), path.len()), (None, 0));
    }
}
