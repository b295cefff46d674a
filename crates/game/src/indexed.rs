//! Positions as databases number them: in classes that are solved one after the other.

use std::ops::ControlFlow;

use crate::{Game, Value};

/// The place of a position in a database: one of the entries of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    /// The class.
    pub class: u32,
    /// The number among the entries of the class, from 0.
    pub index: u64,
}

/// What the moves that lead out of a class say about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByExits {
    /// Its value: one of them wins, or there are no other moves.
    Known(Value),
    /// None of them wins, and there are other moves.
    Open,
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

    /// A reader of the positions of a class by their numbers. It is used for numbers that mostly
    /// ascend, and may be faster then than [`PositionIndex::position`].
    #[inline]
    fn reader(&self, class: u32) -> impl FnMut(u64) -> Option<G::Position>
    where
        Self: Sized,
    {
        move |index| self.position(Entry { class, index })
    }

    /// What the moves of a position that lead out of its class say about it. `value` looks up the
    /// entries of earlier classes, for the player to move there. For games that can tell faster
    /// than by trying all moves; `None` means that this one cannot, or that a value is missing.
    #[inline]
    fn value_by_exits(
        &self,
        position: &G::Position,
        value: impl FnMut(Entry) -> Option<Value>,
    ) -> Option<ByExits>
    where
        Self: Sized,
    {
        let _ = (position, value);
        None
    }

    /// Calls `each` with the numbers of the entries of the same class to which moves lead, until it
    /// breaks. For games that can tell faster than by trying all moves, and whose positions that
    /// exits leave [open](ByExits::Open) have no other moves, or only moves that lose; it is called
    /// for those alone. `None` means that this game cannot.
    #[inline]
    fn successors<B>(
        &self,
        position: &G::Position,
        each: impl FnMut(u64) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>>
    where
        Self: Sized,
    {
        let _ = (position, each);
        None
    }

    /// What the two kinds of entries of a class are called, if not the player to move tells them
    /// apart but the stones of whoever moves.
    fn movers(&self, class: u32) -> Option<[String; 2]> {
        let _ = class;
        None
    }

    /// The kind of an entry, 0 or 1, if they have names.
    #[inline]
    fn mover(&self, entry: Entry) -> usize {
        let _ = entry;
        0
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
