//! Strategies of games that cannot go in circles, stage by stage.
//!
//! A search knows which positions it has solved, but its tables forget, and it found one good move
//! where there may be better ones. So the strategy is built from the root on. For every needed
//! position the good moves are looked up. If the tables know none, the position is searched again
//! with the help of the tables. Among several good moves, the best is the one whose answers are
//! already in the strategy or took the least work.
//!
//! A strategy may be larger than memory. Every move leads to a lower stage of the game, in Konane
//! to fewer stones. So the needed positions of a stage are complete when all higher stages are
//! done. They are read in order from a file of sorted runs, and no set of all positions is ever
//! held in memory.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use papamu_base::Progress;
use papamu_game::Certifiable;
use papamu_search::options::{Algorithm, Options};
use papamu_search::problem::Problem;
use papamu_search::solver::SolveError;
use rayon::prelude::*;

use crate::claim::Goal;
use crate::extract::{ExtractError, Extracted, Prover};
use crate::filter::Filter;
use crate::pile::Pile;
use crate::records::Run;
use crate::sparse::Search;
use crate::strategy::{BadStrategy, Strategy, moves_in_order};

/// The assumed cost of a position whose work is unknown.
const UNKNOWN_WORK: u64 = 1000;

/// A good move.
struct Choice<N> {
    mv: u32,
    /// The positions that it needs.
    needed: Vec<N>,
    cost: u64,
}

/// A claim to be proved, and what helps.
struct Proving<'a, G: Certifiable> {
    prover: &'a Prover<'a, G>,
    goal: Goal,
}

impl<G: Certifiable> Proving<'_, G> {
    /// Whether the answer for the player to move is yes, and the work that it took, if the table
    /// or the rules tell.
    fn remembered(&self, position: &G::Position) -> Option<(bool, u64)> {
        let Prover { game, store, .. } = *self.prover;
        let survey = game.survey(position);
        if survey.moves == 0 {
            let question = self.goal.question(game, position);
            return Some((question.answer(game.final_value(position)), 0));
        }
        if survey.has_immediate_win {
            return Some((true, 1));
        }
        let data = store.table.get_solved(game.key(position));
        data.and_then(|data| Some((data.numbers().solved()?, data.work().max(1))))
    }

    /// The same, also from the oracle. The work is unknown then.
    fn known(&self, position: &G::Position) -> Option<(bool, u64)> {
        self.remembered(position).or_else(|| {
            let Prover { game, oracle, .. } = *self.prover;
            let value = oracle?.value(game, position)?;
            Some((self.goal.question(game, position).answer(value), UNKNOWN_WORK))
        })
    }

    /// Searches a position for a good move.
    fn search(&self, position: &G::Position) -> Result<G::Move, ExtractError> {
        let Prover { game, .. } = *self.prover;
        let outcome = self.ask(position)?;
        if let (true, Some(mv)) = outcome {
            return Ok(mv);
        }
        if !outcome.0 {
            return Err(ExtractError::NotWon { position: game.write(position) });
        }
        // The position is known to be good, but the move is unknown: either another thread found it
        // and it is forgotten already, or a table is wrong. One of the positions after it must be
        // lost.
        for mv in moves_in_order(game, position) {
            let (wins, _) = self.ask(&game.after(position, &mv))?;
            if !wins {
                return Ok(mv);
            }
        }
        Err(ExtractError::Contradiction { position: game.write(position) })
    }

    /// Whether the answer for the player to move is yes, and by which move if that is known.
    fn ask(&self, position: &G::Position) -> Result<(bool, Option<G::Move>), ExtractError> {
        let Prover { game, oracle, options, store, monitor, .. } = *self.prover;
        let problem = Problem::new(game, position, self.goal.question(game, position));
        let problem = Problem { oracle, ..problem };
        let options = Options { threads: 1, ..*options };
        let outcome = Algorithm::DfPn.answer(&problem, &options, store, monitor)?;
        let wins = outcome.won.ok_or(SolveError::Stopped)?;
        Ok((wins, outcome.winning_move))
    }

    /// Whether a position is left out. It is not tried if the search took far more work than the
    /// budget.
    fn is_left_out(&self, position: &G::Position) -> bool {
        let Prover { game, budget, .. } = *self.prover;
        let hopeless = |(_, work)| work > budget.saturating_mul(HOPELESS);
        budget > 0
            && !self.remembered(position).is_some_and(hopeless)
            && Search::new(game, self.goal, budget).proves(position)
    }

    /// The good move of a needed position that adds the least to a strategy; `None` if the position
    /// is an end or left out.
    fn choose(
        &self,
        needed: &Filter,
        number: G::Number,
    ) -> Result<Option<Choice<G::Number>>, ExtractError> {
        let Prover { game, monitor, .. } = *self.prover;
        if monitor.is_stopped() {
            return Err(ExtractError::Stopped);
        }
        let position = game.position_of_number(number, self.goal.owner);
        let position = position.ok_or(BadStrategy::NoPosition { number: number.to_string() })?;
        if self.is_left_out(&position) {
            return Ok(None);
        }
        let moves = moves_in_order(game, &position);
        if moves.is_empty() && self.goal.is_good_end(game, &position) {
            return Ok(None);
        }
        let lost = |child: &G::Position| self.known(child).is_some_and(|(wins, _)| !wins);
        let mut best = self.cheapest(needed, &position, &moves, |_, child| lost(child))?;
        if best.is_none() {
            let found = self.search(&position)?;
            let wins = |mv: &G::Move, child: &_| *mv == found || lost(child);
            best = self.cheapest(needed, &position, &moves, wins)?;
        }
        match best {
            None => Err(ExtractError::NotWon { position: game.write(&position) }),
            best => Ok(best),
        }
    }

    /// The cheapest good move.
    fn cheapest(
        &self,
        in_strategy: &Filter,
        position: &G::Position,
        moves: &[G::Move],
        wins: impl Fn(&G::Move, &G::Position) -> bool,
    ) -> Result<Option<Choice<G::Number>>, ExtractError> {
        let Prover { game, .. } = *self.prover;
        let mut best: Option<Choice<G::Number>> = None;
        let mut replies = Vec::new();
        for (mv, i) in moves.iter().zip(0..) {
            let child = game.after(position, mv);
            if !wins(mv, &child) {
                continue;
            }
            let (mut cost, mut needed) = (0, Vec::new());
            replies.clear();
            game.moves(&child, &mut replies);
            for reply in &replies {
                let reply = game.after(&child, reply);
                let number = game.certificate_number(&reply);
                if needed.contains(&number) {
                    continue;
                }
                needed.push(number);
                if !in_strategy.may_hold(number) {
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

/// The checkers' search is not tried if the work was more than this many times the budget.
const HOPELESS: u64 = 4;
/// The most positions that threads examine together. None of them sees what the others need, so the
/// first chunks are small.
const CHUNK: u64 = 1 << 12;
/// The needed positions of each stage that are kept in memory: 8 MiB.
const IN_MEMORY: usize = 1 << 20;

/// The needed positions that were not examined yet, by stage.
struct Open<'a, G: Certifiable> {
    game: &'a G,
    directory: &'a Path,
    piles: BTreeMap<u32, Pile<G::Number>>,
    filter: Filter,
}

impl<G: Certifiable> Open<'_, G> {
    /// Adds positions of stages below the given one.
    fn push(&mut self, below: u32, numbers: Vec<G::Number>) -> Result<(), ExtractError> {
        for number in numbers {
            self.filter.insert(number);
            let stage = self.game.stage_of_number(number).filter(|&stage| stage < below);
            let stage = stage.ok_or(BadStrategy::Stage { number: number.to_string() })?;
            let pile = self.piles.entry(stage);
            pile.or_insert_with(|| Pile::new(IN_MEMORY, self.directory))
                .push(number)
                .map_err(|error| temporary(self.directory, error))?;
        }
        Ok(())
    }
}

fn temporary(directory: &Path, error: io::Error) -> ExtractError {
    ExtractError::Temporary { directory: directory.to_owned(), error }
}

/// Extracts a strategy of a game whose positions have stages.
pub(crate) fn extract<G: Certifiable>(
    prover: &Prover<G>,
    root: &G::Position,
    goal: Goal,
    progress: &Progress,
) -> Result<Extracted<G>, ExtractError> {
    let Prover { game, directory, .. } = *prover;
    let temporary = |error| temporary(directory, error);
    let strategy = Strategy { budget: prover.budget, ..Strategy::new(game, root, goal) };
    let proving = Proving { prover, goal };
    // The larger the search, the larger the strategy. The filter takes a sixteenth of the memory of
    // the table.
    let filter = Filter::new(usize::try_from(prover.store.table.lines() / 2).unwrap_or(0));
    let mut open = Open { game, directory, piles: BTreeMap::new(), filter };
    open.push(u32::MAX, strategy.needed_by_root()?)?;
    // If the system grants no more threads, this one does the work.
    let threads = Some(prover.options.threads).filter(|&threads| threads > 1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(1));
    let pool = threads.and_then(|_| pool.build().ok());
    let mut runs = Vec::new();
    let mut done = 0;
    while let Some((stage, pile)) = open.piles.pop_last() {
        let mut numbers = pile.into_sorted().map_err(temporary)?;
        let mut run = Run::new(directory);
        loop {
            let size = if pool.is_some() { (done / 64).clamp(1, CHUNK) } else { 1 };
            let chunk = numbers.next_numbers(size as usize).map_err(temporary)?;
            if chunk.is_empty() {
                break;
            }
            done += chunk.len() as u64;
            let choose = |&number: &G::Number| proving.choose(&open.filter, number);
            let choices: Vec<Result<Option<Choice<G::Number>>, ExtractError>> = match &pool {
                Some(pool) => pool.install(|| chunk.par_iter().map(choose).collect()),
                None => chunk.iter().map(choose).collect(),
            };
            for (number, choice) in chunk.into_iter().zip(choices) {
                if let Some(choice) = choice? {
                    run.push(number, choice.mv).map_err(temporary)?;
                    open.push(stage, choice.needed)?;
                }
                progress.add(1);
            }
        }
        run.flush().map_err(temporary)?;
        runs.push(run);
    }
    Ok(Extracted { strategy, runs })
}
