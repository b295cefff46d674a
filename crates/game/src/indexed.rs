//! Positions as databases number them: in classes that are solved one after the other.

use crate::{Game, Value};

/// The place of a position in a database: one of the entries of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    /// The class.
    pub class: u32,
    /// The number among the entries of the class, from 0.
    pub index: u64,
}

/// A game whose positions have numbers, so that databases can keep a value for each.
///
/// What an index needs to know beyond the rules (binomial coefficients, sets up to symmetry) is
/// made once, hence the type of its own.
pub trait Indexed: Game {
    /// Numbers the positions of a board.
    type Index: PositionIndex<Self> + 'static;

    /// The board and the rules in one text, which [`Game::read`] reads as this game.
    fn board(&self) -> String;

    /// The index of the positions with at most so many stones, [`u32::MAX`] for all. `None` if the
    /// game has no such index: there are far too many positions, or they cannot be told apart by
    /// stones because play adds some. It is cheap to make, however large the database would be.
    fn index(&self, most_stones: u32) -> Option<Self::Index>;
}

/// The index of a board.
///
/// Several positions of one value may share an entry: images under a symmetry, or the same position
/// with the players exchanged. One of them represents the entry.
///
/// Every move leads to a position with an entry, in the same class or in an earlier one. So classes
/// can be solved in their order, and only play within a class can go in circles. Games in which
/// the players exchange roles (a against b stones becomes b against a) put both into one class.
pub trait PositionIndex<G: Game>: Send + Sync {
    /// The name of the order of the entries. It stands in files, so it changes when the order does.
    fn layout(&self) -> &'static str;

    /// The number of classes.
    fn classes(&self) -> u32;

    /// What a class is called: the material, say.
    fn class_name(&self, class: u32) -> String;

    /// The most stones of the positions of a class. Classes come in the order of their stones:
    /// the first so many are the index of a smaller number of stones.
    fn stones(&self, class: u32) -> u32;

    /// The number of entries of a class, [`u64::MAX`] if there are more.
    fn entries(&self, class: u32) -> u64;

    /// The entry of a position, if the index covers it.
    fn entry(&self, position: &G::Position) -> Option<Entry>;

    /// The class of a position, for games that know it before the number.
    #[inline]
    fn class(&self, position: &G::Position) -> Option<u32> {
        self.entry(position).map(|entry| entry.class)
    }

    /// The position that represents an entry; `None` if the entry stands for no position.
    fn position(&self, entry: Entry) -> Option<G::Position>;

    /// What the moves of a position that lead out of its class say about it: a win; a loss, if there
    /// are no other moves; otherwise a draw for the time being. `value` looks up the entries of
    /// earlier classes, for the player to move there. For games that can tell faster than by trying
    /// all moves; `None` means that this one cannot, or that a value is missing.
    #[inline]
    fn value_by_exits(
        &self,
        position: &G::Position,
        value: &mut dyn FnMut(Entry) -> Option<Value>,
    ) -> Option<Value> {
        let _ = (position, value);
        None
    }

    /// Whether [`PositionIndex::predecessors`] works. Databases are built without it, too, only
    /// more slowly.
    fn has_unmoves(&self) -> bool {
        false
    }

    /// Appends the positions of the same class from which a move leads to this position or to one
    /// that shares its entry, and one at least for each of their entries. The position represents
    /// its entry; the predecessors need not.
    fn predecessors(&self, position: &G::Position, predecessors: &mut Vec<G::Position>) {
        let _ = (position, predecessors);
    }
}
