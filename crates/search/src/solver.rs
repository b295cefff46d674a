//! From an algorithm that answers questions to the value of a position.

use papamu_base::memory::OutOfMemory;
use papamu_game::{Guided, Question, Value};
use thiserror::Error;

use crate::cycles::closed::{self, Settled};
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
        let outcome = match self {
            Algorithm::AlphaBeta => alphabeta::solve(problem, options, store, monitor),
            Algorithm::Pns => pns::solve(problem, options, store, monitor)?,
            Algorithm::Pn2 => pn2::solve(problem, options, store, monitor)?,
            Algorithm::DfPn => dfpn::solve(problem, options, store, monitor),
            Algorithm::Reference => return Err(SolveError::NoQuestions),
        };
        if !G::CYCLIC {
            return Ok(outcome);
        }
        // The table of alpha-beta has other contents.
        let search = match self {
            Algorithm::AlphaBeta => closed::Search { run: alphabeta::solve, goes_on: false },
            _ => closed::Search { run: dfpn::solve, goes_on: true },
        };
        settled(problem, options, store, monitor, outcome, search)
    }
}

/// The outcome of a search, or the opposite if it does not hold: in games that go in circles a
/// closed set shows that a player fails.
fn settled<G: Guided>(
    problem: &Problem<G>,
    options: &Options,
    store: &Store<G::Key>,
    monitor: &Monitor,
    outcome: Outcome<G::Move>,
    search: closed::Search<G>,
) -> Result<Outcome<G::Move>, SolveError> {
    let attacker_moves = problem.attacker_moves(problem.root);
    let mut outcome = outcome;
    loop {
        if outcome.won != Some(!attacker_moves) || believes_everything() {
            return Ok(outcome);
        }
        let (won, winning_move) = match closed::settle(problem, options, store, monitor, search) {
            Ok(Settled::Fails(mv)) => (!attacker_moves, mv.or(outcome.winning_move)),
            Ok(Settled::Wins(mv)) => (attacker_moves, mv),
            Ok(Settled::Unclear) => {
                // The answer has to follow from the children of the root, and its move, too.
                store.table.remove(problem.game.key(problem.root));
                let first_level_nodes = outcome.first_level_nodes;
                outcome = (search.run)(problem, options, store, monitor);
                outcome.first_level_nodes = first_level_nodes;
                continue;
            }
            Err(SolveError::Stopped) => return Ok(Outcome { won: None, ..outcome }),
            Err(error) => return Err(error),
        };
        let winning_move = winning_move.filter(|_| won);
        let (nodes, expansions) = (monitor.nodes(), monitor.expansions());
        return Ok(Outcome { won: Some(won), winning_move, nodes, expansions, ..outcome });
    }
}

/// A mutant that takes every disproof for final. The tests must find it out.
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
        let store = Store::new(algorithm, options.memory_bytes)?;
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
