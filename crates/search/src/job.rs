//! Solves a position as a job that can be stopped, kept in a file and resumed.
//!
//! A [`Job`] asks the questions that determine a value. While it runs, a checkpoint holds the state
//! of the current question. A job that is stopped names its checkpoint, and another job resumes it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use papamu_base::file::{FileError, FileLock, LockError, find_same};
use papamu_base::memory::OutOfMemory;
use papamu_game::{Game, Guided, Key, Question};
use thiserror::Error;

use crate::checkpoint::{self, CheckpointError, Header, Subject};
use crate::numbers::Numbers;
use crate::options::{Algorithm, Options};
use crate::problem::{Oracle, Oracles, Problem, Sink};
use crate::run::{Monitor, Outcome, Store};
use crate::solver::{self, Helpers, Solution, SolveError};
use crate::table::Data;

/// Searches need at least this much memory.
pub const LEAST_MEMORY_BYTES: usize = 1 << 20;

/// A position to be solved.
pub struct Job<'a, G: Guided> {
    /// The rules.
    pub game: &'a G,
    /// The position.
    pub position: &'a G::Position,
    /// Which search: any but the reference solver.
    pub algorithm: Algorithm,
    /// How it searches.
    pub options: &'a Options,
    /// Values that need no search. The first oracle that knows a position answers.
    pub oracles: &'a [&'a dyn Oracle<G>],
    /// Where the search is kept.
    pub checkpoint: Option<Checkpointing<'a>>,
    /// Whether the solved positions are wanted afterwards, for a certificate.
    pub keeps_solved: bool,
}

/// Where a search is kept, and the checkpoint that it resumes.
#[derive(Clone, Copy, Debug)]
pub struct Checkpointing<'a> {
    /// The checkpoint, written at intervals and when the search is stopped. It must not exist yet,
    /// unless it is the one that is resumed.
    pub file: &'a Path,
    /// The checkpoint to resume.
    pub resume_from: Option<&'a Path>,
    /// The time between two checkpoints.
    pub interval: Duration,
}

/// The result of a job.
pub struct Solved<G: Guided> {
    /// The value, a move that keeps it, and the work of all sittings.
    pub solution: Solution<G::Move>,
    /// Time spent, earlier sittings included.
    pub seconds: f64,
    /// What the search remembers of each question.
    pub memory: Memory<G::Key>,
    /// Whether a checkpoint was resumed: then the answer rests on what that file says about the
    /// positions below the root.
    pub resumed: bool,
    /// The checkpoint, if the solved positions are wanted. It is needed until something was made of
    /// them.
    pub checkpoint: Option<KeptCheckpoint>,
}

/// What a search remembers of its questions, by the number of the question.
pub struct Memory<K> {
    /// Its own tables.
    own: [Option<Store<K>>; 2],
    /// Solved positions in the form of a df-pn search, if they are wanted in another table.
    solved: [Option<Store<K>>; 2],
    /// Whether its own tables are those of a df-pn search.
    is_dfpn: bool,
}

impl<K: Key> Memory<K> {
    fn new(algorithm: Algorithm) -> Memory<K> {
        let is_dfpn = algorithm == Algorithm::DfPn;
        Memory { own: [None, None], solved: [None, None], is_dfpn }
    }

    /// The tables of the questions whether the player to move wins, and whether he holds.
    pub fn own(&self) -> [Option<&Store<K>>; 2] {
        self.own.each_ref().map(Option::as_ref)
    }

    /// The solved positions of a question in the form of a df-pn search.
    pub fn solved(&self, question: Question) -> Option<&Store<K>> {
        let stores = if self.is_dfpn { &self.own } else { &self.solved };
        stores[number(question)].as_ref()
    }

    /// Makes room for the next question: if what is remembered takes up more than half of the
    /// memory, it is forgotten. Returns what is left.
    fn make_room(&mut self, memory_bytes: usize) -> usize {
        let stores = || self.own.iter().chain(&self.solved).flatten();
        let taken: usize = stores().map(|store| store.table.bytes()).sum();
        if taken <= memory_bytes / 2 {
            return memory_bytes - taken;
        }
        (self.own, self.solved) = ([None, None], [None, None]);
        memory_bytes
    }
}

/// The number of a question, in the order in which they are asked.
fn number(question: Question) -> usize {
    match question {
        Question::Wins => 0,
        Question::Holds => 1,
    }
}

/// The checkpoint of a finished job. It is in use until this is dropped.
#[derive(Debug)]
pub struct KeptCheckpoint {
    path: PathBuf,
    _files: FilesInUse,
}

impl KeptCheckpoint {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the file, which is no longer needed.
    pub fn remove(self) -> Result<(), FileError> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(FileError::new("remove", &self.path, error))
            }
            _ => Ok(()),
        }
    }
}

/// Why a job has no result.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JobError {
    /// It was stopped before it was done.
    #[error("the search was stopped")]
    Stopped {
        /// The checkpoint that another job can resume, if there is one.
        kept_in: Option<PathBuf>,
    },
    /// The search cannot be done.
    #[error(transparent)]
    Solve(SolveError),
    /// A checkpoint cannot be read or written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The new checkpoint would replace a file that is not the one to be resumed.
    #[error("`{path}` exists", path = path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A file is in use, or cannot be locked.
    #[error(transparent)]
    Lock(#[from] LockError),
}

impl From<SolveError> for JobError {
    fn from(error: SolveError) -> JobError {
        match error {
            SolveError::Stopped => JobError::Stopped { kept_in: None },
            error => JobError::Solve(error),
        }
    }
}

impl From<OutOfMemory> for JobError {
    fn from(error: OutOfMemory) -> JobError {
        JobError::Solve(error.into())
    }
}

impl<G: Guided> Job<'_, G> {
    /// Solves the position. A monitor with a stop ends it early.
    pub fn run(&self, monitor: &Monitor) -> Result<Solved<G>, JobError> {
        let Job { game, position, options, oracles, .. } = *self;
        if self.algorithm == Algorithm::Reference {
            return Err(SolveError::NoQuestions.into());
        }
        if options.memory_bytes < LEAST_MEMORY_BYTES {
            return Err(OutOfMemory { limit_bytes: options.memory_bytes }.into());
        }
        let files = self.checkpoint.as_ref().map(FilesInUse::of::<G>).transpose()?;
        let mut sitting = Sitting::new(monitor, Memory::new(self.algorithm));
        let first = Oracles(oracles);
        let oracle = match *oracles {
            [] => None,
            [only] => Some(only),
            _ => Some(&first as &dyn Oracle<G>),
        };
        let helpers = Helpers { oracle, ..Helpers::default() };
        let solution = solver::solve_by(game, position, &helpers, |problem| {
            self.answer(problem, &mut sitting)
        })?;
        let checkpoint = self.checkpoint.as_ref().zip(files).filter(|_| self.keeps_solved);
        Ok(Solved {
            solution,
            seconds: sitting.seconds(),
            memory: sitting.memory,
            resumed: sitting.earlier.is_some(),
            checkpoint: checkpoint.map(|(checkpoint, files)| KeptCheckpoint {
                path: checkpoint.file.to_owned(),
                _files: files,
            }),
        })
    }

    /// Answers a question.
    fn answer(
        &self,
        problem: &Problem<G>,
        sitting: &mut Sitting<G::Key>,
    ) -> Result<Outcome<G::Move>, JobError> {
        // The table of df-pn holds everything that it has solved. Other searches fill another table
        // beside their own.
        let has_two = self.keeps_solved && self.algorithm != Algorithm::DfPn;
        let memory_bytes = sitting.memory.make_room(self.options.memory_bytes);
        let memory_bytes = memory_bytes / if has_two { 2 } else { 1 };
        let options = &Options { memory_bytes, ..*self.options };
        let store = Store::new(self.algorithm, memory_bytes)?;
        let beside = has_two.then(|| Store::new(Algorithm::DfPn, memory_bytes)).transpose()?;
        let keep = beside.as_ref().map(Keep);
        let sink = keep.as_ref().map(|keep| keep as &dyn Sink<G>);
        let problem = &Problem { sink, ..*problem };
        let outcome = self.kept_answer(problem, options, &store, sitting)?;
        let number = number(problem.question);
        sitting.memory.own[number] = Some(Store { tree: None, ..store });
        sitting.memory.solved[number] = beside;
        Ok(outcome)
    }

    /// Answers a question, with a checkpoint if one is wanted.
    fn kept_answer(
        &self,
        problem: &Problem<G>,
        options: &Options,
        store: &Store<G::Key>,
        sitting: &mut Sitting<G::Key>,
    ) -> Result<Outcome<G::Move>, JobError> {
        let Problem { game, root, question, .. } = *problem;
        let Sitting { monitor, .. } = *sitting;
        let search = || self.algorithm.answer(problem, options, store, monitor);
        let Some(checkpoint) = &self.checkpoint else {
            return Ok(search()?);
        };
        let subject = Subject::new(game, root, self.algorithm, question);
        if let Some(path) = checkpoint.resume_from {
            let is_second = question == Question::Holds;
            if G::DRAWS && !is_second {
                let second = Subject::new(game, root, self.algorithm, Question::Holds);
                if checkpoint::peek(path)?.subject.is_of(&second) {
                    // The second question is asked once it is clear that there is no win.
                    sitting.is_won = Some(false);
                    return Ok(answered(false));
                }
            }
            // Otherwise the file belongs to the first question, which is answered by now.
            if !is_second || sitting.is_won.is_some() {
                let header = checkpoint::read(path, &subject, store)?;
                // The answer has to follow from the children of the root.
                store.table.remove(game.key(root));
                monitor.add_earlier(header.nodes, header.expansions);
                sitting.earlier = Some(header);
            }
        }
        let header = || Header {
            subject: subject.clone(),
            nodes: monitor.nodes(),
            expansions: monitor.expansions(),
            seconds: sitting.seconds(),
        };
        let Checkpointing { file, interval, .. } = *checkpoint;
        let (outcome, kept) =
            checkpoint::keep(file, interval, store, monitor, header, self.keeps_solved, search);
        match outcome {
            // An answered question needs no checkpoint.
            Ok(outcome @ Outcome { won: Some(_), .. }) => Ok(outcome),
            outcome => {
                kept?;
                outcome?;
                Err(JobError::Stopped { kept_in: Some(file.to_owned()) })
            }
        }
    }
}

/// The answer to a question that needed no search.
fn answered<M>(won: bool) -> Outcome<M> {
    Outcome { won: Some(won), winning_move: None, nodes: 0, expansions: 0, first_level_nodes: None }
}

/// The state of a job from one question to the next.
struct Sitting<'a, K> {
    monitor: &'a Monitor,
    started: Instant,
    /// The checkpoint that was resumed.
    earlier: Option<Header>,
    /// The answer to the first question, if the checkpoint implies it.
    is_won: Option<bool>,
    memory: Memory<K>,
}

impl<'a, K> Sitting<'a, K> {
    fn new(monitor: &'a Monitor, memory: Memory<K>) -> Sitting<'a, K> {
        Sitting { monitor, started: Instant::now(), earlier: None, is_won: None, memory }
    }

    fn seconds(&self) -> f64 {
        let earlier = self.earlier.as_ref().map_or(0.0, |header| header.seconds);
        earlier + self.started.elapsed().as_secs_f64()
    }
}

/// The files of a job, which no other job may use.
#[derive(Debug)]
struct FilesInUse {
    _locks: [Option<FileLock>; 2],
}

impl FilesInUse {
    /// Locks the files before any work is done.
    fn of<G: Game>(checkpoint: &Checkpointing) -> Result<FilesInUse, JobError> {
        let Checkpointing { file, resume_from, .. } = *checkpoint;
        if !G::Key::STABLE {
            return Err(CheckpointError::UnstableKeys { game: G::NAME.to_owned() }.into());
        }
        let is_same = |other: &&Path| find_same([("", Some(file)), ("", Some(*other))]).is_err();
        let other = resume_from.filter(|other| !is_same(other));
        let is_new = resume_from.is_none() || other.is_some();
        checkpoint::check_writable(file)?;
        let lock = FileLock::new(file)?;
        if is_new && file.exists() {
            return Err(JobError::Exists { path: file.to_owned() });
        }
        let other = match other.map(FileLock::new).transpose() {
            // A file that can only be read is not replaced by another job, either.
            Err(LockError::File(_)) => None,
            other => other?,
        };
        Ok(FilesInUse { _locks: [Some(lock), other] })
    }
}

/// Stores what any search has solved in the table of a df-pn search.
pub struct Keep<'a, G: Game>(pub &'a Store<G::Key>);

impl<G: Guided> Sink<G> for Keep<'_, G> {
    fn solved(&self, game: &G, position: &G::Position, won: bool) {
        let numbers = if won { Numbers::WON } else { Numbers::LOST };
        self.0.table.put(game.key(position), Data::new(numbers, 1));
    }
}
