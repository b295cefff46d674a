//! Initial proof and disproof numbers of a new leaf.

use std::fmt;
use std::str::FromStr;

use papamu_game::{Guided, Survey};

use crate::numbers::Numbers;

/// How the initial numbers of a leaf are estimated. Below, n is the number of its moves, and m the
/// number of moves that the opponent would have after a null move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Init {
    /// (1, 1), as in the original proof-number search.
    Unit,
    /// (1, n): every move has to be refuted.
    Mobility,
    /// (1 + m, 1 + n): the opponent's moves are obstacles to the win.
    BothMobility,
    /// EF-PN: the evaluation of the parent, squashed to a step.
    Ef(Steps),
    /// IEF-PN: the evaluation of the leaf itself, squashed to a step.
    Ief(Steps),
    /// The evaluation of the leaf itself, on a slope instead of a step.
    Ramp(Ramp),
    /// The evaluation of the leaf itself, added to the mobility.
    Linear(Linear),
}

/// Initial numbers that change linearly with the evaluation:
///
/// ```text
/// phi = 1 + a (1 - s)        delta = n + n b (1 + s)        s = slope times eval, within -1..1
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ramp {
    /// Weight of the evaluation in phi.
    pub a: u32,
    /// Weight of the evaluation in delta.
    pub b: u32,
    /// The slope. An advantage of 1 / slope is decisive.
    pub slope: f32,
}

impl Ramp {
    #[inline]
    fn numbers(self, evaluation: f32, moves: u32) -> Numbers {
        let s = (evaluation * self.slope).clamp(-1.0, 1.0);
        let phi = 1 + (self.a as f32 * (1.0 - s)) as u32;
        let delta = (moves as f32 * (1.0 + self.b as f32 * (1.0 + s))) as u32;
        Numbers::unsolved(phi, delta)
    }
}

/// Initial numbers to which the evaluation is added, for evaluations without bounds such as a
/// number of stones:
///
/// ```text
/// phi = 1 + max(0, base - weight eval)        delta = n + max(0, base + weight eval)
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linear {
    /// What is added if both stand equal.
    pub base: u32,
    /// The weight of the evaluation.
    pub weight: f32,
}

impl Linear {
    #[inline]
    fn numbers(self, evaluation: f32, moves: u32) -> Numbers {
        let (base, s) = (self.base as f32, self.weight * evaluation);
        // Negative numbers become 0.
        Numbers::unsolved(
            1_u32.saturating_add((base - s) as u32),
            moves.saturating_add((base + s) as u32),
        )
    }
}

/// The parameters of evaluation-function based proof-number search (M. Winands and M. Schadd,
/// 2011, equations 2 to 6). In negamax form, with s the step of the evaluation for the player to
/// move, they are the same for both players:
///
/// ```text
/// phi = 1 + a (1 - s)      delta = n + n b (1 + s)      s = -1, 0, 1 as eval <= -t, between, >= t
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps {
    /// Weight of the evaluation in phi.
    pub a: u32,
    /// Weight of the evaluation in delta.
    pub b: u32,
    /// The least decisive advantage.
    pub t: f32,
}

impl Steps {
    fn numbers(self, evaluation: f32, moves: u32) -> Numbers {
        // 1 + step, which is never negative.
        let step = if evaluation <= -self.t {
            0
        } else if evaluation >= self.t {
            2
        } else {
            1
        };
        let phi = 1 + self.a.saturating_mul(2 - step);
        let delta = moves.saturating_mul(self.b.saturating_mul(step).saturating_add(1));
        Numbers::unsolved(phi, delta)
    }
}

impl Init {
    /// Whether the parent's evaluation is needed.
    pub(crate) fn wants_parent(self) -> bool {
        matches!(self, Init::Ef(_))
    }

    /// The initial numbers of a leaf. `parent` is the evaluation of the parent for the parent's
    /// player, if it is wanted.
    #[inline]
    pub(crate) fn numbers<G: Guided>(
        self,
        game: &G,
        position: &G::Position,
        survey: &Survey,
        parent: Option<f32>,
    ) -> Numbers {
        let moves = survey.moves as u32;
        match self {
            Init::Unit => Numbers::unsolved(1, 1),
            Init::Mobility => Numbers::unsolved(1, moves),
            Init::BothMobility => {
                Numbers::unsolved(1 + game.count_opponent_moves(position) as u32, 1 + moves)
            }
            Init::Ef(steps) => steps.numbers(-parent.unwrap_or(0.0), moves),
            Init::Ief(steps) => steps.numbers(survey.evaluation.unwrap_or(0.0), moves),
            Init::Ramp(ramp) => ramp.numbers(survey.evaluation.unwrap_or(0.0), moves),
            Init::Linear(linear) => linear.numbers(survey.evaluation.unwrap_or(0.0), moves),
        }
    }
}

impl fmt::Display for Init {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Init::Unit => f.write_str("unit"),
            Init::Mobility => f.write_str("mobility"),
            Init::BothMobility => f.write_str("both-mobility"),
            Init::Ef(Steps { a, b, t }) => write!(f, "ef:{a},{b},{t}"),
            Init::Ief(Steps { a, b, t }) => write!(f, "ief:{a},{b},{t}"),
            Init::Ramp(Ramp { a, b, slope }) => write!(f, "ramp:{a},{b},{slope}"),
            Init::Linear(Linear { base, weight }) => write!(f, "linear:{base},{weight}"),
        }
    }
}

impl FromStr for Init {
    type Err = String;

    fn from_str(text: &str) -> Result<Init, String> {
        let steps = |numbers: &str| -> Option<Steps> {
            let [a, b, t] = numbers.split(',').collect::<Vec<_>>()[..] else { return None };
            let t: f32 = t.parse().ok()?;
            let steps = Steps { a: a.parse().ok()?, b: b.parse().ok()?, t };
            (t > 0.0 && t.is_finite() && steps.a <= 1_000_000 && steps.b <= 1_000_000)
                .then_some(steps)
        };
        let bad = || {
            "it is unit, mobility, both-mobility, ef:a,b,t, ief:a,b,t, ramp:a,b,slope or linear:base,weight (such as ef:20,5,0.5; t, slope and weight above 0)"
                .to_owned()
        };
        match text.split_once(':') {
            None => match text {
                "unit" => Ok(Init::Unit),
                "mobility" => Ok(Init::Mobility),
                "both-mobility" => Ok(Init::BothMobility),
                _ => Err(bad()),
            },
            Some(("ef", numbers)) => steps(numbers).map(Init::Ef).ok_or_else(bad),
            Some(("ief", numbers)) => steps(numbers).map(Init::Ief).ok_or_else(bad),
            Some(("ramp", numbers)) => {
                let ramp = |Steps { a, b, t }| Init::Ramp(Ramp { a, b, slope: t });
                steps(numbers).map(ramp).ok_or_else(bad)
            }
            Some(("linear", numbers)) => {
                // The parameters of steps, but for one.
                let numbers = format!("0,{numbers}");
                let linear = |Steps { b, t, .. }| Init::Linear(Linear { base: b, weight: t });
                steps(&numbers).map(linear).ok_or_else(bad)
            }
            Some(_) => Err(bad()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cases that the paper lists below equation 6.
    #[test]
    fn steps_as_published() {
        let steps = Steps { a: 20, b: 5, t: 500.0 };
        let numbers = |evaluation| steps.numbers(evaluation, 7);
        assert_eq!(numbers(500.0), Numbers { phi: 1, delta: (2 * 5 + 1) * 7 });
        assert_eq!(numbers(-500.0), Numbers { phi: 2 * 20 + 1, delta: 7 });
        assert_eq!(numbers(499.0), Numbers { phi: 20 + 1, delta: (5 + 1) * 7 });
        assert_eq!(numbers(-499.0), Numbers { phi: 20 + 1, delta: (5 + 1) * 7 });
    }

    /// At its ends the slope agrees with the step, and between them the numbers are monotonic.
    #[test]
    fn ramps_meet_the_steps() {
        let steps = Steps { a: 20, b: 5, t: 0.5 };
        let ramp = Ramp { a: 20, b: 5, slope: 2.0 };
        for evaluation in [-1.0, -0.5, 0.0, 0.5, 1.0] {
            assert_eq!(ramp.numbers(evaluation, 7), steps.numbers(evaluation, 7));
        }
        let numbers = (-10..=10).map(|i| ramp.numbers(i as f32 / 10.0, 7));
        assert!(numbers.is_sorted_by(|a, b| a.phi >= b.phi && a.delta <= b.delta));
    }

    #[test]
    fn linear_numbers_stay_in_bounds() {
        let numbers = |evaluation| Linear { base: 8, weight: 5.0 }.numbers(evaluation, 7);
        assert_eq!(numbers(0.0), Numbers { phi: 9, delta: 15 });
        assert_eq!(numbers(1.0), Numbers { phi: 4, delta: 20 });
        assert_eq!(numbers(-3.0), Numbers { phi: 24, delta: 7 });
        assert_eq!(numbers(f32::MAX).phi, 1);
        assert!(numbers(f32::MAX).solved().is_none() && numbers(f32::MIN).solved().is_none());
    }

    #[test]
    fn text_round_trips() {
        for text in [
            "unit",
            "mobility",
            "both-mobility",
            "ef:20,5,0.5",
            "ief:1,0,500",
            "ramp:30,10,2",
            "linear:8,2.5",
        ] {
            assert_eq!(text.parse::<Init>().map(|init| init.to_string()), Ok(text.to_owned()));
        }
        for bad in [
            "",
            "ef",
            "ef:",
            "ef:1,2",
            "ramp:1,2,0",
            "ef:1,2,0",
            "ef:1,2,-1",
            "ef:1,2,nan",
            "ef:1,-2,1",
            "x:1,2,3",
            "linear:1",
            "linear:1,2,3",
            "linear:1,0",
        ] {
            assert!(bad.parse::<Init>().is_err(), "{bad}");
        }
    }
}
