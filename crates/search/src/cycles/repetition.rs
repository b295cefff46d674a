//! What one thread knows about positions because of the path it is on.

use papamu_game::Guided;

use super::path::{Needs, Path};
use crate::numbers::Numbers;
use crate::run::Run;
use crate::table::Data;

/// The path of a thread, and what its results need. Games that cannot go in circles have nothing
/// of it: every method returns at once, and the compiler sees that.
pub(crate) struct Repetition<G: Guided> {
    path: Path<G::Key>,
    /// For each position of the path, what the disproofs of its refuted children need.
    refuted: Vec<Needs>,
    /// What the result that was found last needs.
    result: Needs,
}

/// Numbers of a position in which the attacker fails.
#[inline]
fn failure(attacker_moves: bool) -> Numbers {
    if attacker_moves { Numbers::LOST } else { Numbers::WON }
}

impl<G: Guided> Repetition<G> {
    pub(crate) fn new() -> Repetition<G> {
        Repetition {
            path: Path::default(),
            refuted: Vec::new(),
            result: Needs::NONE,
        }
    }

    /// Begins the search of a position.
    #[inline]
    pub(crate) fn enter(&mut self, run: &Run<G>, position: &G::Position, key: G::Key) {
        if G::CYCLIC {
            self.path.push(key, run.problem.attacker_moves(position));
            self.refuted.push(Needs::NONE);
        }
    }

    /// Ends the search of the current position. Whether its result, if it has one, holds on every
    /// path; if not, it is kept with what it needs.
    #[inline]
    pub(crate) fn leave(&mut self, run: &Run<G>, is_solved: bool) -> bool {
        if !G::CYCLIC {
            return true;
        }
        self.refuted.pop();
        let current = self.path.pop();
        if !is_solved {
            return true;
        }
        // Rule 3.
        self.result = self.result.without(self.path.len() as u32);
        if self.result.is_empty() || believes_everything() {
            return true;
        }
        if let (Some(conditional), Some(current), Some(places)) =
            (run.conditional, current, self.result.places())
        {
            conditional.put(current, places.map(|place| self.path.at(place)));
        }
        false
    }

    /// The numbers of an unsolved child, if the path decides it. What they need becomes the last
    /// result.
    #[inline]
    pub(crate) fn known(&mut self, run: &Run<G>, key: G::Key, numbers: Numbers) -> Numbers {
        if !G::CYCLIC {
            return numbers;
        }
        self.result = Needs::NONE;
        if numbers.solved().is_some() {
            return numbers;
        }
        if let Some(place) = self.path.place_of(key) {
            // Rule 1.
            self.result = Needs::of(place);
            return failure(self.path.at(place).1);
        }
        self.look_up(run, key).unwrap_or(numbers)
    }

    /// Looks for a conditional disproof of which all needs are on the path or disproved.
    fn look_up(&mut self, run: &Run<G>, key: G::Key) -> Option<Numbers> {
        let (attacker_moves, needed) = run.conditional?.get(key)?;
        let mut needs = Needs::NONE;
        for (needed, needed_attacker_moves) in needed {
            match self.path.place_of(needed) {
                Some(place) => needs.add(Needs::of(place)),
                None => {
                    // Rule 4, with an unconditional disproof.
                    let known = run.table.get_solved(needed)?.numbers();
                    if known != failure(needed_attacker_moves) {
                        return None;
                    }
                }
            }
        }
        let numbers = failure(attacker_moves);
        self.result = needs;
        if needs.is_empty() {
            run.table.put(key, Data::new(numbers, 1));
        }
        Some(numbers)
    }

    /// A child is refuted, as the last result says: its position needs what the child needs.
    #[inline]
    pub(crate) fn refute(&mut self) {
        if G::CYCLIC && let Some(refuted) = self.refuted.last_mut() {
            refuted.add(self.result);
        }
    }

    /// All children of the current position are refuted: rule 2 for the attacker.
    #[inline]
    pub(crate) fn all_refuted(&mut self) {
        if G::CYCLIC {
            self.result = self.refuted.last().copied().unwrap_or_default();
        }
    }

    /// The last result holds on every path.
    #[inline]
    pub(crate) fn is_unconditional(&mut self) {
        if G::CYCLIC {
            self.result = Needs::NONE;
        }
    }
}

/// A mutant that takes every disproof for unconditional. The tests must find it out.
#[cfg(test)]
pub(crate) mod mutant {
    use std::cell::Cell;

    thread_local! {
        /// Whether the mutant is at work on this thread.
        pub(crate) static BELIEVES_EVERYTHING: Cell<bool> = const { Cell::new(false) };
    }
}

#[inline(always)]
fn believes_everything() -> bool {
    #[cfg(test)]
    return mutant::BELIEVES_EVERYTHING.get();
    #[cfg(not(test))]
    false
}
