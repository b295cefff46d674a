//! From a search to a strategy.
//!
//! A search remembers which positions it has solved, but its tables forget, and it has found one
//! winning move where there may be better ones. So the strategy is put together from the root on:
//! for every position that is needed, the winning moves are looked up, and where the tables know none
//! the position is searched again, with the tables at hand. Among several winning moves the one
//! counts whose answers are known to the strategy already or took the least work.

use std::collections::VecDeque;

use papamu_game::{Game, Player, Progress, Question, Value};
use papamu_search::dfpn;
use papamu_search::numbers::Numbers;
use papamu_search::problem::{Oracle, Problem, Sink};
use papamu_search::run::{Monitor, Options, Store};
use papamu_search::table::Data;
use thiserror::Error;

use crate::strategy::{BadStrategy, Strategy, after, moves_in_order, needed_by, number};

/// Why there is no strategy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExtractError {
    /// The game has none.
    #[error(transparent)]
    Bad(#[from] BadStrategy),
    /// The search for a move was stopped.
    #[error("the search was stopped")]
    Stopped,
    /// The tables are wrong.
    #[error("`{position}` should be won and is not")]
    NotWon {
        /// The position.
        position: String,
    },
}

/// Keeps what any search has solved in the tables of a df-pn search.
pub struct Keep<'a, G: Game>(pub &'a Store<G::Key>);

impl<G: Game> Sink<G> for Keep<'_, G> {
    fn solved(&self, game: &G, position: &G::Position, won: bool) {
        let numbers = if won { Numbers::WON } else { Numbers::LOST };
        self.0.solved.put(game.key(position), Data::new(numbers, 1));
    }
}

/// What is known of a game, and how to find out more.
pub struct Prover<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The tables of a df-pn search.
    pub store: &'a Store<G::Key>,
    /// Values that need no search.
    pub oracle: Option<&'a dyn Oracle<G>>,
    /// How to search.
    pub options: &'a Options,
    /// Who counts and stops the searches.
    pub monitor: &'a Monitor,
}

/// What a position whose work is not known is taken to cost.
const UNKNOWN_WORK: u64 = 1000;

/// A winning move.
struct Choice {
    mv: u32,
    /// The positions that it needs.
    needed: Vec<u64>,
    cost: u64,
}

impl<G: Game> Prover<'_, G> {
    /// Whether the player to move wins, and the work that it took, if it is known.
    fn known(&self, position: &G::Position) -> Option<(bool, u64)> {
        let survey = self.game.survey(position);
        if survey.moves == 0 {
            return Some((self.game.final_value(position) == Value::Win, 0));
        }
        if survey.wins_at_once {
            return Some((true, 1));
        }
        let data = self.store.solved.get(self.game.key(position));
        let solved = data.and_then(|data| Some((data.numbers().solved()?, data.work().max(1))));
        solved.or_else(|| {
            let value = self.oracle?.value(self.game, position)?;
            Some((value == Value::Win, UNKNOWN_WORK))
        })
    }

    /// Searches a position.
    fn search(&self, position: &G::Position) -> Result<Option<G::Move>, ExtractError> {
        let problem = Problem::new(self.game, position, Question::Wins);
        let problem = Problem { oracle: self.oracle, ..problem };
        let outcome = dfpn::solve(&problem, self.options, self.store, self.monitor);
        match outcome.won {
            Some(true) => Ok(outcome.winning_move),
            Some(false) => Err(ExtractError::NotWon { position: self.game.write(position) }),
            None => Err(ExtractError::Stopped),
        }
    }

    /// The winning move that adds the least to a strategy.
    fn choose(
        &self,
        strategy: &Strategy<G>,
        position: &G::Position,
    ) -> Result<Choice, ExtractError> {
        let game = self.game;
        let moves = moves_in_order(game, position);
        let lost = |child: &G::Position| self.known(child).is_some_and(|(wins, _)| !wins);
        let mut best = self.cheapest(strategy, position, &moves, |_, child| lost(child))?;
        if best.is_none() {
            let found = self.search(position)?;
            let wins = |mv: &G::Move, child: &_| Some(mv) == found.as_ref() || lost(child);
            best = self.cheapest(strategy, position, &moves, wins)?;
        }
        best.ok_or(ExtractError::NotWon { position: game.write(position) })
    }

    /// The cheapest of the moves that win.
    fn cheapest(
        &self,
        strategy: &Strategy<G>,
        position: &G::Position,
        moves: &[G::Move],
        wins: impl Fn(&G::Move, &G::Position) -> bool,
    ) -> Result<Option<Choice>, ExtractError> {
        let game = self.game;
        let mut best: Option<Choice> = None;
        let mut replies = Vec::new();
        for (mv, i) in moves.iter().zip(0..) {
            let child = after(game, position, mv);
            if !wins(mv, &child) {
                continue;
            }
            let (mut cost, mut needed) = (0, Vec::new());
            replies.clear();
            game.moves(&child, &mut replies);
            for reply in &replies {
                let reply = after(game, &child, reply);
                let number = number(game, &reply)?;
                if needed.contains(&number) {
                    continue;
                }
                needed.push(number);
                if !strategy.records.contains_key(&number) {
                    cost += self.known(&reply).map_or(UNKNOWN_WORK, |(_, work)| work);
                }
            }
            if best.as_ref().is_none_or(|best| cost < best.cost) {
                best = Some(Choice { mv: i, needed, cost });
            }
        }
        Ok(best)
    }
}

/// Marks a position that is needed and has no move yet.
const OPEN: u32 = u32::MAX;

/// Puts a strategy together for the winner of a solved position.
pub fn extract<G: Game>(
    prover: &Prover<G>,
    root: &G::Position,
    winner: Player,
    progress: &Progress,
) -> Result<Strategy<G>, ExtractError> {
    let mut strategy = Strategy::new(prover.game, root, winner);
    let mut open: VecDeque<u64> = VecDeque::new();
    let first = match prover.game.to_move(root) == winner {
        true => vec![number(prover.game, root)?],
        false => needed_by(prover.game, root)?,
    };
    let add = |strategy: &mut Strategy<G>, open: &mut VecDeque<u64>, needed: Vec<u64>| {
        for number in needed {
            strategy.records.entry(number).or_insert_with(|| {
                open.push_back(number);
                OPEN
            });
        }
    };
    add(&mut strategy, &mut open, first);
    while let Some(number) = open.pop_front() {
        if prover.monitor.is_stopped() {
            return Err(ExtractError::Stopped);
        }
        let position = strategy.position(number)?;
        let choice = prover.choose(&strategy, &position)?;
        strategy.records.insert(number, choice.mv);
        add(&mut strategy, &mut open, choice.needed);
        progress.add(1);
    }
    Ok(strategy)
}
