//! Game-theoretic values, and the questions a solver may ask about them.

use std::fmt;
use std::ops::Neg;

/// The value of a position for the player to move, under best play of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The player to move loses.
    Loss,
    /// Neither player can force a win.
    Draw,
    /// The player to move wins.
    Win,
}

impl Neg for Value {
    type Output = Value;

    /// The same position seen by the other player.
    fn neg(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Value::Loss => "loss",
            Value::Draw => "draw",
            Value::Win => "win",
        })
    }
}

/// A yes-or-no question about a value: what proof-number searches prove or disprove.
///
/// A game without draws needs only one of the two; a game with draws is solved by both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// Does the player to move win?
    Wins,
    /// Does the player to move at least draw?
    Holds,
}

impl Question {
    /// The answer for a position of that value.
    pub fn answer(self, value: Value) -> bool {
        match self {
            Question::Wins => value == Value::Win,
            Question::Holds => value >= Value::Draw,
        }
    }

    /// The question for the opponent whose "no" is this question's "yes".
    pub fn opposite(self) -> Question {
        match self {
            Question::Wins => Question::Holds,
            Question::Holds => Question::Wins,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_question_has_the_opposite_answer() {
        for question in [Question::Wins, Question::Holds] {
            for value in [Value::Loss, Value::Draw, Value::Win] {
                assert_ne!(question.answer(value), question.opposite().answer(-value));
            }
        }
    }
}
