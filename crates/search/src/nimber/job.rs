//! Solves a position of an impartial game as a job. It can be stopped, and the nimbers that it
//! finds are kept in a file that another job resumes with.
//!
//! Nimbers that come from a file are used unchecked. So the answer is proved afterwards, from the
//! root on, with the nimbers that were read and found. Either nothing rests on the file, or the
//! result says that it does, or a nimber of the file turns out to be false.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use papamu_base::file::{AtomicFile, FileError, FileLock, LockError};
use papamu_game::sums::{Sums, SumsOf};
use papamu_game::{Game, Value};
use thiserror::Error;

use super::components::Halt;
use super::file::{self, Claim, GameRules, Lemmas};
use super::needed::Proof;
use super::solver::{Position, Solver};
use crate::options::{Algorithm, Options};
use crate::run::Monitor;

/// The time between two writes of the store.
const INTERVAL: Duration = Duration::from_secs(60);

/// A position of an impartial game to be solved.
pub struct NimberJob<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The position.
    pub position: &'a G::Position,
    /// The game as searches with nimbers see it.
    pub sums: &'a dyn SumsOf<G>,
    /// Which search: one that [has nimbers](Algorithm::has_nimbers), but not the reference solver.
    pub algorithm: Algorithm,
    /// How it searches.
    pub options: &'a Options,
    /// The question.
    pub wanted: Wanted,
    /// Nimbers that are known already, from a file.
    pub known: &'a Lemmas,
    /// The store of nimbers. It is written every minute, at the end and when the search is stopped.
    pub store: Option<&'a NimberStore>,
    /// Whether the nimbers that prove the answer are wanted.
    pub certificate: bool,
}

/// The question about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Who wins?
    Winner,
    /// What is its nimber?
    Nimber,
}

/// The result of a job.
#[derive(Debug)]
pub struct NimberSolved<M> {
    /// The value for the player to move.
    pub value: Value,
    /// A winning move, or any move if all lose. `None` if there is no move, or if the memory was
    /// full before a winning one was found.
    pub best_move: Option<M>,
    /// The nimber, if it is known.
    pub nimber: Option<u32>,
    /// The number of options that were evaluated.
    pub nodes: u64,
    /// The number of components that were expanded.
    pub expansions: u64,
    /// The number of nimbers known at the end, in games that have nimbers.
    pub nimbers_known: Option<u64>,
    /// The nimbers that prove the answer, if a certificate is wanted or nimbers came from a file.
    /// `None` also if the known nimbers do not prove it.
    pub lemmas: Option<Lemmas>,
    /// Why the proof was not finished, if it was cut short.
    pub unproved: Option<Halt>,
    /// Whether the answer holds only if nimbers that were read from a file are right.
    pub rests_on_file: bool,
    /// Why the nimbers could not be stored at the end.
    pub not_kept: Option<FileError>,
    /// Time spent.
    pub seconds: f64,
}

/// Why a job has no result.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NimberJobError {
    /// It was stopped before it was done.
    #[error("the search was stopped")]
    Stopped {
        /// The store with the nimbers found so far, if there is one.
        kept_in: Option<PathBuf>,
    },
    /// The search cannot go on.
    #[error(transparent)]
    Halt(Halt),
    /// The position has no nimber.
    #[error("positions of {game} under these rules have no nimbers")]
    NoNimbers {
        /// The game.
        game: &'static str,
    },
    /// There is no checker for such nimbers.
    #[error("there are no certificates of nimbers of {game}")]
    NotCertifiable {
        /// The game.
        game: &'static str,
    },
    /// The facts known about a position and its options contradict each other.
    #[error("the nimbers that are known contradict each other at `{position}`")]
    Contradiction {
        /// The position.
        position: String,
    },
    /// A nimber from a file is false: this one, or one of its options' nimbers, which are too
    /// little known to tell.
    #[error("the nimber {nimber} of `{component}` contradicts those of its options")]
    FalseLemma {
        /// The component.
        component: String,
        /// The nimber that the file gives it.
        nimber: u32,
    },
    /// The file of nimbers cannot be read.
    #[error("nimbers in `{path}`: {error}", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: file::FileError,
    },
    /// The file is a certificate, which must not be overwritten by a store of nimbers.
    #[error("`{path}` is a certificate and no store of nimbers", path = path.display())]
    IsCertificate {
        /// The file.
        path: PathBuf,
    },
    /// The file of nimbers cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file of nimbers is in use, or cannot be locked.
    #[error(transparent)]
    Lock(#[from] LockError),
}

impl From<Halt> for NimberJobError {
    fn from(halt: Halt) -> NimberJobError {
        match halt {
            Halt::Stopped => NimberJobError::Stopped { kept_in: None },
            halt => NimberJobError::Halt(halt),
        }
    }
}

/// The file in which a job keeps its nimbers. It is locked meanwhile.
#[derive(Debug)]
pub struct NimberStore {
    file: AtomicFile,
    _lock: FileLock,
}

impl NimberStore {
    /// Locks the file and reads the nimbers that it already has.
    pub fn open<G: Game>(
        path: &Path,
        game: &G,
        sums: &dyn Sums,
    ) -> Result<(NimberStore, Lemmas), NimberJobError> {
        let file = AtomicFile::new(path)?;
        let lock = FileLock::new(path)?;
        let mut known = Lemmas::default();
        if path.exists() {
            let rules = GameRules::of(game);
            let read = File::open(path).map_err(file::FileError::Io);
            let read = read.and_then(|file| file::read(BufReader::new(file), rules, sums));
            let (claim, lemmas) =
                read.map_err(|error| NimberJobError::Unreadable { path: path.to_owned(), error })?;
            if claim != Claim::Nothing {
                return Err(NimberJobError::IsCertificate { path: path.to_owned() });
            }
            known = lemmas;
        }
        Ok((NimberStore { file, _lock: lock }, known))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }
}

/// An answer before it is proved.
struct Answer<M> {
    is_won: bool,
    best_move: Option<M>,
    nimber: Option<u32>,
}

impl<G: Game> NimberJob<'_, G> {
    /// Solves the position. A monitor with a stop ends it early.
    pub fn run(&self, monitor: &Monitor) -> Result<NimberSolved<G::Move>, NimberJobError> {
        self.check()?;
        let started = Instant::now();
        let mut solver = Solver::new(self.sums, self.algorithm, self.options, monitor)?;
        solver.learn(self.known).map_err(|halt| self.halted(halt))?;
        let mut is_changed = false;
        let answer = self.answer(&mut solver, &mut is_changed);
        let answer = answer.and_then(|answer| Ok((self.prove(&solver, &answer)?, answer)));
        if let Err(NimberJobError::Contradiction { .. } | NimberJobError::FalseLemma { .. }) =
            answer
        {
            // Conclusions from false nimbers are not worth keeping.
            if is_changed {
                self.keep(self.known)?;
            }
        }
        let (proof, answer) = match answer {
            Ok(answer) => answer,
            Err(NimberJobError::Stopped { .. }) => {
                self.keep(&solver.lemmas())?;
                let kept_in = self.store.map(|store| store.path().to_owned());
                return Err(NimberJobError::Stopped { kept_in });
            }
            Err(error @ NimberJobError::Halt(_)) => {
                self.keep(&solver.lemmas())?;
                return Err(error);
            }
            Err(error) => return Err(error),
        };
        let kept = self.keep(&solver.lemmas());
        let (lemmas, unproved) = match proof {
            Ok(lemmas) => (lemmas, None),
            Err(halt) => (None, Some(halt)),
        };
        let has_nimbers = self.sums.has_nimbers();
        Ok(NimberSolved {
            value: if answer.is_won { Value::Win } else { Value::Loss },
            best_move: answer.best_move,
            nimber: answer.nimber.filter(|_| has_nimbers),
            nodes: monitor.nodes(),
            expansions: monitor.expansions(),
            nimbers_known: has_nimbers.then_some(solver.nimbers() as u64),
            rests_on_file: !self.known.is_empty() && lemmas.is_none(),
            lemmas,
            unproved,
            not_kept: kept.err(),
            seconds: started.elapsed().as_secs_f64(),
        })
    }

    /// Refuses what the game does not support, before any work is done.
    pub fn check(&self) -> Result<(), NimberJobError> {
        let game = G::NAME;
        let wants_nimbers =
            self.wanted == Wanted::Nimber || self.store.is_some() || !self.known.is_empty();
        if wants_nimbers && !self.sums.has_nimbers() {
            return Err(NimberJobError::NoNimbers { game });
        }
        if self.certificate && !(self.sums.has_nimbers() && self.sums.is_certifiable()) {
            return Err(NimberJobError::NotCertifiable { game });
        }
        Ok(())
    }

    fn components(&self, position: &G::Position) -> Position {
        Position::new(&self.sums.components(position), 0)
    }

    /// Searches, with a pause now and then to store what was found.
    fn answer(
        &self,
        solver: &mut Solver,
        is_changed: &mut bool,
    ) -> Result<Answer<G::Move>, NimberJobError> {
        let root = self.components(self.position);
        let (is_won, nimber) = loop {
            solver.set_deadline(self.store.map(|_| Instant::now() + INTERVAL));
            let answer = match self.wanted {
                Wanted::Winner => solver.solve(&root).map(|is_won| (is_won, None)),
                Wanted::Nimber => solver.nimber(&root).map(|nimber| (nimber != 0, Some(nimber))),
            };
            match answer {
                Ok(answer) => break answer,
                // A disk that is full now may have room in a minute.
                Err(Halt::Paused) => *is_changed |= self.keep(&solver.lemmas()).is_ok(),
                Err(halt) => return Err(self.halted(halt)),
            }
        };
        solver.set_deadline(None);
        let best_move = self.best_move(solver, is_won)?;
        Ok(Answer { is_won, best_move, nimber: nimber.or_else(|| solver.known_nimber(&root)) })
    }

    /// A winning move, or any move if all lose.
    fn best_move(
        &self,
        solver: &mut Solver,
        is_won: bool,
    ) -> Result<Option<G::Move>, NimberJobError> {
        let mut moves = Vec::new();
        self.game.moves(self.position, &mut moves);
        let mut options = Vec::with_capacity(moves.len());
        for mv in moves {
            let child = self.game.after(self.position, &mv);
            let child = self.components(&child);
            let is_lost = solver.is_known(&child).map_err(|halt| self.halted(halt))? == Some(false);
            match (is_won, is_lost) {
                (true, true) => return Ok(Some(mv)),
                (false, true) => return Err(self.contradiction()),
                _ => options.push((mv, child)),
            }
        }
        if !is_won {
            return Ok(options.into_iter().next().map(|(mv, _)| mv));
        }
        // Without nimbers, as in misere play, a position without moves may be won.
        let is_over = options.is_empty() && !self.sums.has_nimbers();
        // The nimber shows that a winning move exists, but not which one it is.
        for (mv, child) in options {
            match solver.solve(&child) {
                Ok(false) => return Ok(Some(mv)),
                Ok(true) => {}
                Err(halt @ (Halt::Stopped | Halt::Contradiction)) => {
                    return Err(self.halted(halt));
                }
                // At least the winner is known.
                Err(_) => return Ok(None),
            }
        }
        if is_over { Ok(None) } else { Err(self.contradiction()) }
    }

    /// The nimbers that prove the answer, if a proof is wanted.
    fn prove(
        &self,
        solver: &Solver,
        answer: &Answer<G::Move>,
    ) -> Result<Result<Option<Lemmas>, Halt>, NimberJobError> {
        if !self.certificate && self.known.is_empty() {
            return Ok(Ok(None));
        }
        debug_assert!(self.wanted == Wanted::Winner || answer.nimber.is_some());
        let root = self.components(self.position);
        match solver.proof(&root, self.wanted == Wanted::Nimber) {
            Ok(Proof::Complete(lemmas)) => Ok(Ok(Some(lemmas))),
            Ok(Proof::Incomplete) => Ok(Ok(None)),
            Ok(Proof::Contradicted { component, nimber }) => {
                let component = self.sums.write(&component);
                Err(NimberJobError::FalseLemma { component, nimber })
            }
            Err(halt) => Ok(Err(halt)),
        }
    }

    fn contradiction(&self) -> NimberJobError {
        NimberJobError::Contradiction { position: self.game.write(self.position) }
    }

    fn halted(&self, halt: Halt) -> NimberJobError {
        match halt {
            Halt::Contradiction => self.contradiction(),
            halt => halt.into(),
        }
    }

    /// Stores nimbers, if there is a file for them.
    fn keep(&self, lemmas: &Lemmas) -> Result<(), FileError> {
        let Some(store) = self.store else { return Ok(()) };
        store.file.write_by(|file| {
            file::write(file, GameRules::of(self.game), self.sums, &Claim::Nothing, lemmas)
        })
    }
}
