//! Certificates of games whose positions have numbers, behind types that do not depend on the game.

use std::marker::PhantomData;
use std::path::Path;

use papamu_base::file::AtomicFile;
use papamu_game::{Certifiable, Guided, Player};
use papamu_proof::extract::{self, ExtractError, Prover};
use papamu_proof::strategy::{Strategy, after, moves_in_order};
use papamu_search::options::Options;
use papamu_search::problem::{Oracle, Oracles};
use papamu_search::run::{Monitor, Store};

use crate::kit::Certificates;
use crate::watch::with_progress;
use crate::{Error, GameInfo, Watch};

/// The claim to prove, and what helps to prove it.
pub struct ProveRequest<'a, G: Guided> {
    /// The rules.
    pub game: &'a G,
    /// The position.
    pub root: &'a G::Position,
    /// Who wins it.
    pub winner: Player,
    /// Oracles of the search.
    pub oracles: &'a [&'a dyn Oracle<G>],
    /// Options of the search for positions that the tables forgot.
    pub options: &'a Options,
    /// Leave out what checkers prove by entering at most this many positions.
    pub budget: u64,
    /// The checkpoint of the search, which is needed until the certificate is written.
    pub kept: Option<&'a Path>,
}

/// A winning strategy of some game.
pub trait Proof: Send + Sync {
    /// The game.
    fn game(&self) -> GameInfo;

    /// The root.
    fn root(&self) -> String;

    /// Who wins.
    fn winner(&self) -> &'static str;

    /// How many positions it has.
    fn records(&self) -> u64;

    /// How many positions a checker may enter to prove one that is left out.
    fn budget(&self) -> u64;

    /// Writes the certificate.
    fn write(&self, file: &AtomicFile) -> Result<(), Error>;

    /// Drops positions that the root does not need.
    fn trim(&mut self, watch: &dyn Watch) -> Result<(), Error>;

    /// Leaves out positions that a checker proves by itself.
    fn sparsify(&mut self, budget: u64, watch: &dyn Watch) -> Result<(), Error>;

    /// Fills in positions that were left out.
    fn densify(&mut self, watch: &dyn Watch) -> Result<(), Error>;

    /// The strategy from another root that leads to this one and to those of other files.
    fn merge(self: Box<Self>, root: &str, others: &[&Path]) -> Result<Box<dyn Proof>, Error>;

    /// What the strategy says about a position: the winner's move, or his answer to each move of
    /// the loser. `None` if it does not cover the position.
    fn ask(&self, position: &str) -> Result<Option<Advice>, Error>;
}

/// What a strategy says about a position.
#[derive(Clone, Debug)]
pub struct Advice {
    /// The position in full.
    pub position: String,
    /// A drawing for a terminal.
    pub drawing: String,
    /// Whether it is the winner's turn.
    pub is_winners_turn: bool,
    /// The winner's move; or all moves of the loser, each with the winner's answer.
    pub moves: Vec<(String, Option<String>)>,
}

/// Certificates by the numbers of positions.
pub(crate) struct ByNumbers<G>(PhantomData<fn() -> G>);

impl<G> ByNumbers<G> {
    pub(crate) fn new() -> ByNumbers<G> {
        ByNumbers(PhantomData)
    }
}

impl<G: Certifiable> Certificates<G> for ByNumbers<G> {
    fn prove(
        &self,
        request: &ProveRequest<'_, G>,
        store: &Store<G::Key>,
        file: &AtomicFile,
        monitor: &Monitor,
        watch: &dyn Watch,
    ) -> Result<u64, Error> {
        let ProveRequest { game, root, winner, oracles, options, budget, kept } = *request;
        let oracles = Oracles(oracles);
        let prover = Prover {
            game,
            store,
            oracle: (!oracles.0.is_empty()).then_some(&oracles),
            options,
            budget,
            directory: &file.directory(),
            monitor,
        };
        let strategy = with_progress(watch, "positions", |progress| {
            extract::extract(&prover, root, winner, progress)
        });
        let strategy = strategy.map_err(|error| match (error, kept) {
            (ExtractError::Stopped, Some(path)) => {
                Error::Kept { path: path.to_owned(), option: "resume" }
            }
            (error, _) => error.into(),
        })?;
        let records = strategy.records();
        file.write_by(|file| strategy.write_to(file))?;
        Ok(records)
    }

    fn load(&self, path: &Path) -> Result<Box<dyn Proof>, Error> {
        Ok(Box::new(ProofOf(Strategy::<G>::load(path)?)))
    }
}

struct ProofOf<G: Certifiable>(Strategy<G>);

impl<G: Certifiable> ProofOf<G> {
    /// Refuses a position of another board.
    fn read(&self, text: &str) -> Result<G::Position, Error> {
        let (game, position) = G::read(text)?;
        if game != self.0.game {
            return Err(Error::option(
                "position",
                format!("the certificate is of another board: {}", self.root()),
            ));
        }
        Ok(position)
    }
}

impl<G: Certifiable> Proof for ProofOf<G> {
    fn game(&self) -> GameInfo {
        GameInfo::of::<G>()
    }

    fn root(&self) -> String {
        self.0.game.write(&self.0.root)
    }

    fn winner(&self) -> &'static str {
        G::PLAYERS[self.0.winner.index()]
    }

    fn records(&self) -> u64 {
        self.0.records.len() as u64
    }

    fn budget(&self) -> u64 {
        self.0.budget
    }

    fn write(&self, file: &AtomicFile) -> Result<(), Error> {
        Ok(file.write_by(|file| self.0.write_to(file))?)
    }

    fn trim(&mut self, watch: &dyn Watch) -> Result<(), Error> {
        with_progress(watch, "positions", |progress| self.0.trim(progress))?;
        Ok(watch.stop().check()?)
    }

    fn sparsify(&mut self, budget: u64, watch: &dyn Watch) -> Result<(), Error> {
        with_progress(watch, "positions", |progress| self.0.sparsify(budget, progress))?;
        Ok(watch.stop().check()?)
    }

    fn densify(&mut self, watch: &dyn Watch) -> Result<(), Error> {
        with_progress(watch, "positions", |progress| self.0.densify(progress))?;
        Ok(watch.stop().check()?)
    }

    fn merge(self: Box<Self>, root: &str, others: &[&Path]) -> Result<Box<dyn Proof>, Error> {
        let root = self.read(root)?;
        let mut strategies = Vec::new();
        for path in others {
            let strategy = Strategy::<G>::load(path)?;
            self.read(&strategy.game.write(&strategy.root))?;
            strategies.push(strategy);
        }
        Ok(Box::new(ProofOf(Strategy::merge(root, self.0, strategies)?)))
    }

    fn ask(&self, position: &str) -> Result<Option<Advice>, Error> {
        let position = self.read(position)?;
        let strategy = &self.0;
        let game = &strategy.game;
        let is_winners_turn = game.to_move(&position) == strategy.winner;
        let mut moves = Vec::new();
        if is_winners_turn {
            let Some(mv) = strategy.advice(&position)? else { return Ok(None) };
            moves.push((game.write_move(&position, &mv), None));
        } else {
            for mv in moves_in_order(game, &position) {
                let child = after(game, &position, &mv);
                let Some(answer) = strategy.advice(&child)? else { return Ok(None) };
                let answer = game.write_move(&child, &answer);
                moves.push((game.write_move(&position, &mv), Some(answer)));
            }
        }
        Ok(Some(Advice {
            position: game.write(&position),
            drawing: game.draw(&position),
            is_winners_turn,
            moves,
        }))
    }
}
