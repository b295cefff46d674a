//! The path of a search.

use hashbrown::HashMap;
use papamu_game::Key;

/// The positions from the root to the current one, each once.
#[derive(Clone, Default)]
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

    pub(crate) fn pop(&mut self) {
        if let Some((key, _)) = self.positions.pop() {
            self.places.remove(&key);
        }
    }

    /// The number of positions. The current one is the last.
    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }

    /// Where a position is, and whether the attacker is to move in it.
    #[inline]
    pub(crate) fn find(&self, key: K) -> Option<(u32, bool)> {
        let &place = self.places.get(&key)?;
        Some((place, self.positions[place as usize].1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_know_where_positions_are() {
        let mut path = Path::default();
        for key in 0..1000_u64 {
            path.push(key * 7, key % 2 == 0);
        }
        assert_eq!(path.find(700), Some((100, true)));
        assert_eq!(path.find(707), Some((101, false)));
        assert_eq!(path.find(701), None);
        path.pop();
        assert_eq!((path.find(6993), path.len()), (None, 999));
    }
}
