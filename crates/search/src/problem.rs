//! The question that is solved, and the evaluation of new positions.

use papamu_game::{Guided, Player, Question, Threats, Value};

use crate::numbers::Numbers;
use crate::options::Options;
use crate::run::Store;

/// Exact values from elsewhere, such as an endgame table.
pub trait Oracle<G: Guided>: Sync {
    /// The value for the player to move, if it is known.
    fn value(&self, game: &G, position: &G::Position) -> Option<Value>;
}

/// Several oracles: the first that knows answers.
pub struct Oracles<'a, G: Guided>(pub &'a [&'a dyn Oracle<G>]);

impl<G: Guided> Oracle<G> for Oracles<'_, G> {
    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        self.0.iter().find_map(|oracle| oracle.value(game, position))
    }
}

/// Receives what a search has solved.
pub trait Sink<G: Guided>: Sync {
    /// The answer to the search's question for the player to move in this position.
    fn solved(&self, game: &G, position: &G::Position, won: bool);
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recalled {
    /// The answer to the question for the player to move.
    pub(crate) won: bool,
    /// Whether that holds on every path.
    pub(crate) is_final: bool,
    /// The work that it took.
    pub(crate) work: u64,
}

/// A yes-or-no question about a position of a game.
pub struct Problem<'a, G: Guided> {
    /// The rules.
    pub game: &'a G,
    /// The position.
    pub root: &'a G::Position,
    /// The question, for the player to move at the root.
    pub question: Question,
    /// Values that need no search.
    pub oracle: Option<&'a dyn Oracle<G>>,
    /// Receives solved positions.
    pub sink: Option<&'a dyn Sink<G>>,
}

impl<'a, G: Guided> Problem<'a, G> {
    /// Does the player to move win?
    pub fn new(game: &'a G, root: &'a G::Position, question: Question) -> Problem<'a, G> {
        Problem { game, root, question, oracle: None, sink: None }
    }

    /// The question for the player to move in a position below the root.
    #[inline]
    fn question_at(&self, position: &G::Position) -> Question {
        if !G::DRAWS || self.is_root_player(self.game.to_move(position)) {
            self.question
        } else {
            self.question.opposite()
        }
    }

    /// Whether the player to move is the one who tries to win. The other one has what he wants if
    /// play never ends.
    #[inline]
    pub(crate) fn attacker_moves(&self, position: &G::Position) -> bool {
        self.question_at(position) == Question::Wins
    }

    fn is_root_player(&self, player: Player) -> bool {
        player == self.game.to_move(self.root)
    }

    /// The numbers for a value.
    #[inline]
    fn solved(&self, position: &G::Position, value: Value) -> Numbers {
        if self.question_at(position).answer(value) { Numbers::WON } else { Numbers::LOST }
    }

    /// The initial numbers of a new position: solved if it is over, known to an oracle, or decided
    /// by the look-ahead.
    #[inline]
    pub(crate) fn evaluate(
        &self,
        position: &G::Position,
        options: &Options,
        parent: Option<f32>,
    ) -> Numbers {
        let mut survey = self.game.survey(position);
        if survey.moves == 0 {
            return self.solved(position, self.game.final_value(position));
        }
        if survey.has_immediate_win && options.look_ahead_plies > 0 {
            return Numbers::WON;
        }
        if let Some(value) = self.oracle.and_then(|oracle| oracle.value(self.game, position)) {
            return self.solved(position, value);
        }
        if options.look_ahead_plies > 1 {
            match self.game.threats(position, options.look_ahead_plies) {
                Threats::Win => return Numbers::WON,
                Threats::Loss => return self.solved(position, Value::Loss),
                // The other moves are refuted by an immediate win.
                Threats::Safe(moves) => survey.moves = moves,
            }
        }
        options.init.numbers(self.game, position, &survey, parent)
    }

    /// What is known of a position without a search: by the rules, the oracle, the look-ahead, or
    /// the table of an earlier search.
    pub(crate) fn recall(
        &self,
        position: &G::Position,
        options: &Options,
        store: &Store<G::Key>,
    ) -> Option<Recalled> {
        let numbers = self.evaluate(position, options, None);
        if let Some(won) = numbers.solved() {
            return Some(Recalled { won, is_final: true, work: 0 });
        }
        let data = store.table.get_solved(self.game.key(position))?;
        let won = data.numbers().solved()?;
        Some(Recalled { won, is_final: !data.is_provisional(), work: data.work() })
    }

    /// Tells the sink.
    #[inline]
    pub(crate) fn report(&self, position: &G::Position, won: bool) {
        if let Some(sink) = self.sink {
            sink.solved(self.game, position, won);
        }
    }
}
