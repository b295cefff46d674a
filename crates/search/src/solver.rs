//! From an algorithm that answers questions to the value of a position.

use papamu_base::memory::OutOfMemory;
use papamu_game::{Guided, Question, Value};
use thiserror::Error;

use crate::options::{Algorithm, Options};
use crate::problem::{Oracle, Problem, Sink};
use crate::run::{Monitor, Outcome, Store};
use crate::snapshot::BadTree;
use crate::{alphabeta, dfpn, pn2, pns};

impl Algorithm {
    /// Answers the question of a problem, with tables that may not be empty.
    pub fn answer<G: Guided>(
        self,
        problem: &Problem<G>,
        options: &Options,
        store: &Store<G::Key>,
        monitor: &Monitor,
    ) -> Result<Outcome<G::Move>, SolveError> {
        match self {
            Algorithm::AlphaBeta => Ok(alphabeta::solve(problem, options, store, monitor)),
            Algorithm::Pns => pns::solve(problem, options, store, monitor),
            Algorithm::Pn2 => pn2::solve(problem, options, store, monitor),
            Algorithm::DfPn => Ok(dfpn::solve(problem, options, store, monitor)),
            Algorithm::Reference => Err(SolveError::NoQuestions),
        }
    }
}

/// The value of a position, and the work that it took.
#[derive(Clone, Debug)]
pub struct Solution<M> {
    /// The value for the player to move.
    pub value: Value,
    /// A move that keeps the value. `None` if there is no move, or if the winning one was forgotten
    /// for lack of memory.
    pub best_move: Option<M>,
    /// Positions evaluated.
    pub nodes: u64,
    /// Positions expanded.
    pub expansions: u64,
    /// Nodes of the first level, in PN2.
    pub first_level_nodes: Option<u64>,
}

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The tables do not fit into memory.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// The checkpoint to be resumed is damaged.
    #[error("the checkpoint is damaged: {0}")]
    BadTree(#[from] BadTree),
    /// The search was stopped before it was done.
    #[error("the search was stopped")]
    Stopped,
    /// Positions can repeat, which these searches do not handle.
    #[error("play can go in circles, which this search does not handle")]
    Cyclic,
    /// The reference solvers find values and answer no questions.
    #[error("the reference solver answers no questions")]
    NoQuestions,
}

/// The oracle and the sink of a search.
pub struct Helpers<'a, G: Guided> {
    /// Values that need no search.
    pub oracle: Option<&'a dyn Oracle<G>>,
    /// Receives solved positions.
    pub sink: Option<&'a dyn Sink<G>>,
}

impl<G: Guided> Default for Helpers<'_, G> {
    fn default() -> Self {
        Helpers { oracle: None, sink: None }
    }
}

/// Finds the value of a position with fresh tables.
pub fn solve<G: Guided>(
    game: &G,
    position: &G::Position,
    algorithm: Algorithm,
    options: &Options,
    helpers: &Helpers<G>,
    monitor: &Monitor,
) -> Result<Solution<G::Move>, SolveError> {
    solve_by(game, position, helpers, |problem| {
        let store = Store::new(game, algorithm, options.memory_bytes)?;
        algorithm.answer(problem, options, &store, monitor)
    })
}

/// Finds the value of a position from the answers to questions: does the player to move win, and if
/// not, in a game with draws, does he hold the draw?
pub fn solve_by<G: Guided, E: From<SolveError>>(
    game: &G,
    position: &G::Position,
    helpers: &Helpers<G>,
    mut answer: impl FnMut(&Problem<G>) -> Result<Outcome<G::Move>, E>,
) -> Result<Solution<G::Move>, E> {
    let mut ask = |question| {
        let Helpers { oracle, sink } = *helpers;
        let outcome = answer(&Problem { oracle, sink, ..Problem::new(game, position, question) })?;
        match outcome.won {
            Some(won) => Ok((won, outcome)),
            None => Err(E::from(SolveError::Stopped)),
        }
    };
    let (wins, mut outcome) = ask(Question::Wins)?;
    let value = if wins {
        Value::Win
    } else if !G::DRAWS {
        Value::Loss
    } else {
        let holds;
        (holds, outcome) = ask(Question::Holds)?;
        if holds { Value::Draw } else { Value::Loss }
    };
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let best_move = match value {
        // All moves are equally bad.
        Value::Loss => moves.into_iter().next(),
        _ => outcome.winning_move,
    };
    Ok(Solution {
        value,
        best_move,
        nodes: outcome.nodes,
        expansions: outcome.expansions,
        first_level_nodes: outcome.first_level_nodes,
    })
}
