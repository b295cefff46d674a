//! Impartial games solved with nimbers: what `papamu solve` and `papamu nimber` share.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use papamu_game::sums::Sums;
use papamu_game::{Game, Value};
use papamu_search::nimber::file::{self, Claim, Lemmas};
use papamu_search::nimber::{Halt, Position, Settings, Solver};
use papamu_search::run::Monitor;

use crate::failure::Failure;
use crate::output::{Output, Target as FileTarget};
use crate::search_display::{Trace, watch_search};
use crate::signals::stoppable_monitor;
use crate::target::Subject;

/// How impartial games are searched, on the command line.
#[derive(Args, Clone)]
pub(crate) struct NimberOptions {
    /// Nimbers of an impartial game: those in FILE are used, if it is there, and what is found is kept in it, every
    /// minute, at the end and when interrupted
    #[arg(long, value_name = "FILE")]
    pub(crate) nimbers: Option<PathBuf>,

    /// Options of impartial games with equal numbers come in any order, not those with less play left first
    #[arg(long)]
    pub(crate) unordered: bool,
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Winner,
    Nimber,
}

/// What was found.
pub(crate) struct Found<M> {
    pub(crate) value: Value,
    pub(crate) best_move: Option<M>,
    /// If it is known.
    pub(crate) nimber: Option<u32>,
    pub(crate) nodes: u64,
    pub(crate) expansions: u64,
    /// Nimbers known in the end, and those that the certificate needs.
    pub(crate) nimbers: Option<u64>,
    pub(crate) lemmas: Option<u64>,
    pub(crate) seconds: f64,
}

/// A position to be solved, and the files that belong to it.
pub(crate) struct Job<'a, G: Game> {
    pub(crate) subject: &'a Subject<G>,
    pub(crate) settings: Settings,
    pub(crate) nimbers: Option<&'a Path>,
    pub(crate) cert: Option<&'a Path>,
    pub(crate) trace: Option<&'a Path>,
}

/// Time between two times that nimbers are kept.
const INTERVAL: Duration = Duration::from_secs(60);

impl<G: Game> Job<'_, G> {
    /// Solves the position; an error in writing the certificate comes with the answer.
    pub(crate) fn run(
        &self,
        wanted: Wanted,
        output: &Output,
    ) -> Result<(Found<G::Move>, Option<Failure>), Failure> {
        let Subject { game, position, .. } = self.subject;
        let sums = game.sums();
        let sums = &*sums;
        if wanted == Wanted::Nimber && !sums.has_nimbers() {
            let problem = "only positions of impartial games in normal play have nimbers";
            return Err(Failure::Arguments(problem.to_owned()));
        }
        if self.nimbers.is_some() && !sums.has_nimbers() {
            let problem = "there are no nimbers to keep in misere play";
            return Err(Failure::Arguments(problem.to_owned()));
        }
        if self.cert.is_some() && !sums.is_certifiable() {
            let problem = format!("there are no certificates of such positions of {}", G::NAME);
            return Err(Failure::Arguments(problem));
        }
        let known = self.read_nimbers(sums)?;
        let store = self.nimbers.map(FileTarget::new).transpose()?;
        let cert = self.cert.map(FileTarget::new).transpose()?;
        let trace = self.trace.map(Trace::create).transpose()?;
        let monitor = stoppable_monitor();
        let started = Instant::now();
        let mut solver = Solver::new(sums, self.settings.clone(), &monitor)?;
        solver.learn(&known)?;
        let ((found, kept), trace) = watch_search(output, &monitor, trace, || {
            let found = self.search(&mut solver, wanted, &monitor, store.as_ref(), started);
            // Whatever came of it, what was found is kept.
            let kept = store.as_ref().map_or(Ok(()), |file| keep::<G>(&solver, sums, file));
            (found, kept)
        });
        trace?;
        let mut found = match (found, &kept) {
            // Nothing was kept after all.
            (Err(Failure::NimbersKept { .. }), Err(_)) => {
                return Err(kept.err().unwrap_or(Failure::NimbersLost));
            }
            (found, _) => found?,
        };
        let failure = cert.and_then(|cert| {
            let claim = match (wanted, found.value) {
                (Wanted::Nimber, _) => {
                    Claim::Nimber(found.nimber.unwrap_or_default(), game.write(position))
                }
                (_, Value::Win) => Claim::Win(game.write(position)),
                _ => Claim::Loss(game.write(position)),
            };
            match self.certify(&solver, sums, &claim, &cert) {
                Ok(lemmas) => {
                    found.lemmas = Some(lemmas);
                    None
                }
                Err(failure) => Some(failure),
            }
        });
        Ok((found, failure.or(kept.err())))
    }

    fn read_nimbers(&self, sums: &dyn Sums) -> Result<Lemmas, Failure> {
        let Some(path) = self.nimbers.filter(|path| path.exists()) else {
            return Ok(Lemmas::default());
        };
        let read = File::open(path).map_err(file::FileError::Io);
        let read = read.and_then(|file| file::read(BufReader::new(file), G::NAME, sums));
        let (claim, lemmas) =
            read.map_err(|error| Failure::NimberFile { path: path.to_owned(), error })?;
        if claim != Claim::Nothing {
            let path = path.display();
            return Err(Failure::Arguments(format!(
                "`{path}` is a certificate, which --nimbers would overwrite; name another file"
            )));
        }
        Ok(lemmas)
    }

    /// Searches with a pause now and then to keep what was found.
    fn search(
        &self,
        solver: &mut Solver,
        wanted: Wanted,
        monitor: &Monitor,
        store: Option<&FileTarget>,
        started: Instant,
    ) -> Result<Found<G::Move>, Failure> {
        let Subject { game, position, .. } = self.subject;
        let sums = game.sums();
        let root = position_of(game, position, &*sums)?;
        let (is_won, nimber) = loop {
            solver.set_deadline(store.map(|_| Instant::now() + INTERVAL));
            let answer = match wanted {
                Wanted::Winner => solver.solve(&root).map(|is_won| (is_won, None)),
                Wanted::Nimber => solver.nimber(&root).map(|nimber| (nimber != 0, Some(nimber))),
            };
            match (answer, store) {
                // A disk that is full now may have room in a minute.
                (Err(Halt::Paused), Some(file)) => {
                    if let Err(failure) = keep::<G>(solver, &*sums, file) {
                        warn(&failure);
                    }
                }
                (Err(halt), _) => return Err(self.halted(halt)),
                (Ok(answer), _) => break answer,
            }
        };
        solver.set_deadline(None);
        let best_move = self.best_move(solver, is_won, &*sums)?;
        Ok(Found {
            value: if is_won { Value::Win } else { Value::Loss },
            best_move,
            nimber: nimber.or_else(|| solver.known_nimber(&root).filter(|_| sums.has_nimbers())),
            nodes: monitor.nodes(),
            expansions: monitor.expansions(),
            nimbers: sums.has_nimbers().then_some(solver.nimbers() as u64),
            lemmas: None,
            seconds: started.elapsed().as_secs_f64(),
        })
    }

    /// A move that wins, or any if all lose.
    fn best_move(
        &self,
        solver: &mut Solver,
        is_won: bool,
        sums: &dyn Sums,
    ) -> Result<Option<G::Move>, Failure> {
        let Subject { game, position, .. } = self.subject;
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        if !is_won {
            return Ok(moves.into_iter().next());
        }
        let mut options = Vec::new();
        for mv in moves {
            let mut child = position.clone();
            game.play(&mut child, &mv);
            let child = position_of(game, &child, sums)?;
            if solver.is_known(&child)? == Some(false) {
                return Ok(Some(mv));
            }
            options.push((mv, child));
        }
        // The nimber told that there is one.
        for (mv, child) in options {
            match solver.solve(&child) {
                Ok(false) => return Ok(Some(mv)),
                Ok(true) => {}
                Err(halt @ Halt::Stopped) => return Err(self.halted(halt)),
                // The winner is known, at least.
                Err(_) => return Ok(None),
            }
        }
        Ok(None)
    }

    fn halted(&self, halt: Halt) -> Failure {
        match (halt, self.nimbers) {
            (Halt::Stopped, Some(path)) => Failure::NimbersKept { path: path.to_owned() },
            (Halt::Stopped, None) => Failure::NimbersLost,
            (halt, _) => halt.into(),
        }
    }

    /// Writes the nimbers that prove the claim; how many there are.
    fn certify(
        &self,
        solver: &Solver,
        sums: &dyn Sums,
        claim: &Claim,
        target: &FileTarget,
    ) -> Result<u64, Failure> {
        let Subject { game, position, .. } = self.subject;
        let root = position_of(game, position, sums)?;
        let lemmas = solver.needed(&root, matches!(claim, Claim::Nimber(..)))?;
        let Some(lemmas) = lemmas else {
            return Err(Failure::Check(
                "the nimbers that were read do not prove the result; solve without --nimbers for a certificate"
                    .to_owned(),
            ));
        };
        target.write_by(|file| file::write(file, G::NAME, sums, claim, &lemmas))?;
        Ok(lemmas.len() as u64)
    }
}

/// Tells of something that went wrong and does not end the work.
fn warn(failure: &Failure) {
    // If stderr cannot be written, there is nobody to tell.
    let _ = writeln!(io::stderr(), "papamu: {}", failure.one_line());
}

/// A position as searches with nimbers see it.
fn position_of<G: Game>(
    game: &G,
    position: &G::Position,
    sums: &dyn Sums,
) -> Result<Position, Failure> {
    Ok(Position::new(&sums.parts_of(&game.write(position))?, 0))
}

fn keep<G: Game>(solver: &Solver, sums: &dyn Sums, target: &FileTarget) -> Result<(), Failure> {
    target.write_by(|file| file::write(file, G::NAME, sums, &Claim::Nothing, &solver.lemmas()))
}
