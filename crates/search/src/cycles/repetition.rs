//! What one thread knows about a child from the path it is on, and what its results rest on.

use papamu_game::Guided;

use super::path::Path;
use crate::numbers::Numbers;
use crate::problem::Problem;
use crate::table::Data;

/// What a disproof rests on: nothing, a position of the path or one above it, or a provisional
/// entry of the table. The order is that of strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Basis(u32);

impl Basis {
    /// It rests on nothing: it holds on every path.
    pub(crate) const NOTHING: Basis = Basis(u32::MAX);
    /// It rests on a provisional entry, and nobody knows what that rests on.
    pub(crate) const TABLE: Basis = Basis(0);

    /// It rests on the position at a place of the path.
    pub(crate) fn at(place: u32) -> Basis {
        Basis(place.saturating_add(1))
    }

    /// What an entry of the table rests on.
    #[inline]
    pub(crate) fn of_entry(data: Data) -> Basis {
        if data.is_provisional() { Basis::TABLE } else { Basis::NOTHING }
    }

    /// What a disproof of the position at that place rests on, once its search has ended. Returns
    /// to the position itself do no harm.
    pub(crate) fn above(self, place: usize) -> Basis {
        if self.0 as usize > place { Basis::NOTHING } else { self }
    }
}

/// Numbers of a position in which the attacker fails.
#[inline]
pub(crate) fn failure(attacker_moves: bool) -> Numbers {
    if attacker_moves { Numbers::LOST } else { Numbers::WON }
}

/// The path of a thread, and what its results rest on. For games that cannot go in circles no
/// method does anything, and the compiler sees that.
pub(crate) struct Repetition<G: Guided> {
    path: Path<G::Key>,
    /// For each position of the path, what the disproofs of its refuted children rest on.
    refuted: Vec<Basis>,
    /// What the result that was found last rests on.
    result: Basis,
}

impl<G: Guided> Repetition<G> {
    pub(crate) fn new() -> Repetition<G> {
        Repetition { path: Path::default(), refuted: Vec::new(), result: Basis::NOTHING }
    }

    /// Begins with a path of its own.
    pub(crate) fn start_from(&mut self, path: &Path<G::Key>) {
        if G::CYCLIC {
            self.path = path.clone();
            self.refuted.clear();
            self.refuted.resize(path.len(), Basis::NOTHING);
        }
    }

    /// Begins the search of a position.
    #[inline]
    pub(crate) fn enter(&mut self, problem: &Problem<G>, position: &G::Position, key: G::Key) {
        if G::CYCLIC {
            self.path.push(key, problem.attacker_moves(position));
            self.refuted.push(Basis::NOTHING);
        }
    }

    /// Ends the search of the current position. Returns what its result, if it has one, rests on
    /// from now on.
    #[inline]
    pub(crate) fn leave(&mut self) -> Basis {
        if !G::CYCLIC {
            return Basis::NOTHING;
        }
        self.refuted.pop();
        self.path.pop();
        self.result = self.result.above(self.path.len());
        self.result
    }

    /// The numbers of a child for which the table has the entry, or those numbers: solved if the
    /// child is on the path. What they rest on becomes the last result.
    #[inline]
    pub(crate) fn known(&mut self, key: G::Key, entry: Option<Data>, numbers: Numbers) -> Numbers {
        let numbers = entry.map_or(numbers, Data::numbers);
        if G::CYCLIC {
            self.result = entry.map_or(Basis::NOTHING, Basis::of_entry);
            if numbers.solved().is_none()
                && let Some((place, attacker_moves)) = self.path.find(key)
            {
                self.result = Basis::at(place);
                return failure(attacker_moves);
            }
        }
        numbers
    }

    /// The result that was found last rests on this.
    #[inline]
    pub(crate) fn set_result(&mut self, basis: Basis) {
        if G::CYCLIC {
            self.result = basis;
        }
    }

    /// What the result that was found last rests on.
    #[inline]
    pub(crate) fn result(&self) -> Basis {
        self.result
    }

    /// A child is refuted, as the last result says. If all of them are, so is the position.
    #[inline]
    pub(crate) fn refute(&mut self) {
        if G::CYCLIC
            && let Some(refuted) = self.refuted.last_mut()
        {
            *refuted = (*refuted).min(self.result);
        }
    }

    /// All children of the current position are refuted.
    #[inline]
    pub(crate) fn all_refuted(&mut self) {
        if G::CYCLIC {
            self.result = self.refuted.last().copied().unwrap_or(Basis::NOTHING);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A loop that closes at a position or below it is settled when its search ends.
    #[test]
    fn results_rest_on_what_is_above() {
        assert_eq!(Basis::at(3).above(3), Basis::NOTHING);
        assert_eq!(Basis::at(4).above(3), Basis::NOTHING);
        assert_eq!(Basis::at(2).above(3), Basis::at(2));
        assert_eq!(Basis::NOTHING.above(3), Basis::NOTHING);
        // What the table says is never settled by a search alone.
        assert_eq!(Basis::TABLE.above(0), Basis::TABLE);
        assert_eq!(Basis::TABLE.min(Basis::at(0)).min(Basis::NOTHING), Basis::TABLE);
    }
}
