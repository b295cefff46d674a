//! From a search to a strategy.
//!
//! A search knows which positions it has solved, but its tables forget, and it found one winning
//! move where there may be better ones. So the strategy is built from the root on. For every needed
//! position the winning moves are looked up. If the tables know none, the position is searched
//! again with the help of the tables. Among several winning moves, the best is the one whose
//! answers are already in the strategy or took the least work.
//!
//! A strategy may be larger than memory. Every move leads to a lower stage of the game, in Konane
//! to fewer stones. So the needed positions of a stage are complete when all higher stages are
//! done. They are read in order from a file of sorted runs, and no set of all positions is ever
//! held in memory.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use papamu_base::Progress;
use papamu_game::{Certifiable, Player, Question, Value};
use papamu_search::dfpn;
use papamu_search::options::Options;
use papamu_search::problem::{Oracle, Problem};
use papamu_search::run::{Monitor, Store};
use rayon::prelude::*;
use thiserror::Error;

use crate::edit::wins;
use crate::file;
use crate::filter::Filter;
use crate::pile::Pile;
use crate::records::{Merged, Run};
use crate::strategy::{BadStrategy, Strategy, after, moves_in_order};

/// Why there is no strategy.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// A record does not fit the rules.
    #[error(transparent)]
    Bad(#[from] BadStrategy),
    /// The search for a move was stopped.
    #[error("the search was stopped")]
    Stopped,
    /// Positions that do not fit into memory cannot be written to a file.
    #[error("cannot keep positions in a temporary file in `{directory}`: {error}", directory = directory.display())]
    Temporary {
        /// The directory.
        directory: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// The tables are wrong: the position is not won.
    #[error("`{position}` should be won and is not")]
    NotWon {
        /// The position.
        position: String,
    },
    /// The tables are wrong: they say that a position is won, and that all positions after it are.
    #[error("the values of `{position}` and of the positions after it contradict each other")]
    Contradiction {
        /// The position.
        position: String,
    },
}

/// The tables of a search, and the means to search again.
pub struct Prover<'a, G: Certifiable> {
    /// The rules.
    pub game: &'a G,
    /// The tables of a df-pn search.
    pub store: &'a Store<G::Key>,
    /// Values that need no search.
    pub oracle: Option<&'a dyn Oracle<G>>,
    /// The options of searches, and the number of positions that are examined at once.
    pub options: &'a Options,
    /// Positions that the checkers' search proves by entering at most this many positions are left
    /// out.
    pub budget: u64,
    /// The directory for positions that do not fit into memory.
    pub directory: &'a Path,
    /// Counts and stops the searches.
    pub monitor: &'a Monitor,
}

/// The assumed cost of a position whose work is unknown.
const UNKNOWN_WORK: u64 = 1000;

/// A winning move.
struct Choice {
    mv: u32,
    /// The positions that it needs.
    needed: Vec<u64>,
    cost: u64,
}

impl<G: Certifiable> Prover<'_, G> {
    /// Whether the player to move wins, and the work that it took, if the tables or the rules tell.
    fn remembered(&self, position: &G::Position) -> Option<(bool, u64)> {
        let survey = self.game.survey(position);
        if survey.moves == 0 {
            return Some((self.game.final_value(position) == Value::Win, 0));
        }
        if survey.has_immediate_win {
            return Some((true, 1));
        }
        let data = self.store.table.get_solved(self.game.key(position));
        data.and_then(|data| Some((data.numbers().solved()?, data.work().max(1))))
    }

    /// The same, also from the oracle. The work is unknown then.
    fn known(&self, position: &G::Position) -> Option<(bool, u64)> {
        self.remembered(position).or_else(|| {
            let value = self.oracle?.value(self.game, position)?;
            Some((value == Value::Win, UNKNOWN_WORK))
        })
    }

    /// Searches a position for a winning move.
    fn search(&self, position: &G::Position) -> Result<G::Move, ExtractError> {
        let outcome = self.ask(position)?;
        if let (true, Some(mv)) = outcome {
            return Ok(mv);
        }
        if !outcome.0 {
            return Err(ExtractError::NotWon { position: self.game.write(position) });
        }
        // The position is known to be won, but the move is unknown: either another thread found it
        // and it is forgotten already, or a table is wrong. One of the positions after it must be
        // lost.
        for mv in moves_in_order(self.game, position) {
            let (wins, _) = self.ask(&after(self.game, position, &mv))?;
            if !wins {
                return Ok(mv);
            }
        }
        Err(ExtractError::Contradiction { position: self.game.write(position) })
    }

    /// Whether the player to move wins, and by which move if that is known.
    fn ask(&self, position: &G::Position) -> Result<(bool, Option<G::Move>), ExtractError> {
        let problem = Problem::new(self.game, position, Question::Wins);
        let problem = Problem { oracle: self.oracle, ..problem };
        let options = Options { threads: 1, ..*self.options };
        let outcome = dfpn::solve(&problem, &options, self.store, self.monitor);
        let wins = outcome.won.ok_or(ExtractError::Stopped)?;
        Ok((wins, outcome.winning_move))
    }

    /// Whether a position is left out. It is not tried if the search took far more work than the
    /// budget.
    fn is_left_out(&self, position: &G::Position, winner: Player) -> bool {
        let mut left = self.budget;
        let hopeless = |(_, work)| work > self.budget.saturating_mul(HOPELESS);
        left > 0
            && !self.remembered(position).is_some_and(hopeless)
            && wins(self.game, position, winner, &mut left) == Some(true)
    }

    /// The winning move of a needed position that adds the least to a strategy; `None` if the
    /// position is left out.
    fn choose(
        &self,
        needed: &Filter,
        number: u64,
        winner: Player,
    ) -> Result<Option<Choice>, ExtractError> {
        if self.monitor.is_stopped() {
            return Err(ExtractError::Stopped);
        }
        let game = self.game;
        let position = game.position_of_number(number, winner);
        let position = position.ok_or(BadStrategy::NoPosition { number })?;
        if self.is_left_out(&position, winner) {
            return Ok(None);
        }
        let moves = moves_in_order(game, &position);
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

    /// The cheapest winning move.
    fn cheapest(
        &self,
        in_strategy: &Filter,
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

/// A strategy that is ready to be written, in temporary files if it is large.
pub struct Extracted<G: Certifiable> {
    /// The strategy without its records.
    strategy: Strategy<G>,
    runs: Vec<Run>,
}

impl<G: Certifiable> Extracted<G> {
    /// The number of positions.
    pub fn records(&self) -> u64 {
        self.runs.iter().map(Run::count).sum()
    }

    /// Writes the certificate.
    pub fn write_to(self, file: &mut dyn Write) -> io::Result<()> {
        let header = file::Header { records: self.records(), ..self.strategy.header() };
        file::write(&header, Merged::new(self.runs)?, file)
    }

    /// The strategy in memory.
    pub fn into_strategy(self) -> io::Result<Strategy<G>> {
        let records = Merged::new(self.runs)?.collect::<io::Result<_>>()?;
        Ok(Strategy { records, ..self.strategy })
    }
}

/// The needed positions that were not examined yet, by stage.
struct Open<'a, G: Certifiable> {
    game: &'a G,
    directory: &'a Path,
    piles: BTreeMap<u32, Pile>,
    filter: Filter,
}

impl<G: Certifiable> Open<'_, G> {
    /// Adds positions of stages below the given one.
    fn push(&mut self, below: u32, numbers: Vec<u64>) -> Result<(), ExtractError> {
        for number in numbers {
            self.filter.insert(number);
            let stage = self.game.stage_of_number(number);
            if stage >= below {
                return Err(BadStrategy::Stage { number }.into());
            }
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

/// Extracts a strategy for the winner of a solved position.
pub fn extract<G: Certifiable>(
    prover: &Prover<G>,
    root: &G::Position,
    winner: Player,
    progress: &Progress,
) -> Result<Extracted<G>, ExtractError> {
    let Prover { game, directory, .. } = *prover;
    let temporary = |error| temporary(directory, error);
    let strategy = Strategy { budget: prover.budget, ..Strategy::new(game, root, winner) };
    // The larger the search, the larger the strategy. The filter takes a sixteenth of the memory of
    // the table.
    let filter = Filter::new(usize::try_from(prover.store.table.lines() / 2).unwrap_or(0));
    let mut open = Open { game, directory, piles: BTreeMap::new(), filter };
    open.push(u32::MAX, strategy.needed_by_root())?;
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
            let choose = |&number: &u64| prover.choose(&open.filter, number, winner);
            let choices: Vec<Result<Option<Choice>, ExtractError>> = match &pool {
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
