//! How options become a canonical form, step by step (J. Conway, 1976).
//!
//! An option is dominated if the player has another that is no worse. An option is reversible if
//! the opponent has an answer to it that is no worse for him than the game was: it is replaced by
//! the player's options after that answer. When no option is dominated or reversible, the form is
//! canonical. Both steps keep the value of the game, so it is computed once, and each step is
//! checked against it.

use crate::canonical::Side;
use crate::forms::{Forms, Halt, Value};

/// What becomes of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is an option of the canonical form.
    Kept,
    /// It is left out, since this other option is no worse.
    Dominated {
        /// The other option.
        by: Value,
    },
    /// It is replaced.
    Reversible {
        /// The opponent's answer, which is no worse for him than the game.
        through: Value,
        /// The player's options after that answer.
        replaced_by: Side,
    },
}

/// What becomes of one option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Whose option it is: 0 for Left, 1 for Right.
    pub player: usize,
    /// Which of the given options it is; `None` if it replaced a reversible one.
    pub given: Option<usize>,
    /// The option.
    pub option: Value,
    /// What becomes of it.
    pub fate: Fate,
}

/// The steps from options to the canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The steps in order. The last ones list the options that are kept.
    pub steps: Vec<Step>,
    /// The value of the game.
    pub value: Value,
}

/// An option that is still present.
#[derive(Clone, Copy)]
struct Candidate {
    given: Option<usize>,
    option: Value,
}

impl Candidate {
    fn step(self, player: usize, fate: Fate) -> Step {
        Step { player, given: self.given, option: self.option, fate }
    }
}

impl Forms {
    /// Explains the canonical form of the game with these options of Left and Right.
    pub fn explain(&self, options: [&[Value]; 2]) -> Result<Explanation, Halt> {
        self.step()?;
        let value = self.from_options(options.map(Side::from_slice))?;
        let mut candidates = options.map(|side| {
            let given = side.iter().enumerate();
            given.map(|(i, &option)| Candidate { given: Some(i), option }).collect::<Vec<_>>()
        });
        let mut steps = Vec::new();
        for (player, candidates) in candidates.iter_mut().enumerate() {
            loop {
                self.leave_out_dominated(candidates, player, &mut steps)?;
                if !self.bypass_first_reversible(candidates, value, player, &mut steps)? {
                    break;
                }
            }
        }
        for (player, candidates) in candidates.into_iter().enumerate() {
            let kept = candidates.into_iter().map(|candidate| candidate.step(player, Fate::Kept));
            steps.extend(kept);
        }
        Ok(Explanation { steps, value })
    }

    /// Removes dominated options. Removal makes no other option dominated.
    fn leave_out_dominated(
        &self,
        candidates: &mut Vec<Candidate>,
        player: usize,
        steps: &mut Vec<Step>,
    ) -> Result<(), Halt> {
        let mut place = 0;
        while place < candidates.len() {
            match self.dominating(candidates, place, player)? {
                Some(by) => {
                    let candidate = candidates.remove(place);
                    steps.push(candidate.step(player, Fate::Dominated { by }));
                }
                None => place += 1,
            }
        }
        Ok(())
    }

    /// Bypasses the first reversible option. Returns whether there was one.
    fn bypass_first_reversible(
        &self,
        candidates: &mut Vec<Candidate>,
        game: Value,
        player: usize,
        steps: &mut Vec<Step>,
    ) -> Result<bool, Halt> {
        for place in 0..candidates.len() {
            for &through in self.options(candidates[place].option)?[1 - player] {
                self.step()?;
                if !self.is_no_better_for(player, through, game)? {
                    continue;
                }
                let candidate = candidates.remove(place);
                let replaced_by = Side::from_slice(self.options(through)?[player]);
                for &option in &replaced_by {
                    if candidates.iter().all(|other| other.option != option) {
                        candidates.push(Candidate { given: None, option });
                    }
                }
                let fate = Fate::Reversible { through, replaced_by };
                steps.push(candidate.step(player, fate));
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The best option that is no worse than the one at a place. The first of equal ones is kept.
    fn dominating(
        &self,
        candidates: &[Candidate],
        place: usize,
        player: usize,
    ) -> Result<Option<Value>, Halt> {
        self.step()?;
        let option = candidates[place].option;
        let mut best = None;
        for (i, &Candidate { option: other, .. }) in candidates.iter().enumerate() {
            let is_other = i < place || (i > place && other != option);
            if is_other && self.is_no_better_for(player, best.unwrap_or(option), other)? {
                best = Some(other);
            }
        }
        Ok(best)
    }

    /// Whether `a` is no better than `b` for a player.
    fn is_no_better_for(&self, player: usize, a: Value, b: Value) -> Result<bool, Halt> {
        if player == 0 { self.is_at_most(a, b) } else { self.is_at_most(b, a) }
    }
}
