//! `play`: a game against the program, which answers from a certificate or solves as it goes.

use std::path::PathBuf;

use papamu_game::{Player, Value};
use serde::Serialize;

use crate::certificate::Proof;
use crate::report::Report;
use crate::request::{Bytes, request};
use crate::search_options::SearchOptions;
use crate::solve::SolvePlan;
use crate::subject::GamePosition;
use crate::{Error, Registry, Watch};

request! {
    /// Play against a winning strategy
    Play, "play",
        details "The program makes the moves of the winner, or of a player who holds: from a \
                 certificate, or by solving each position that comes up. Type a move when it is your turn, `moves` for the list, \
                 `undo` to take back your last move, `quit` to end.";
    /// Game and position, if there is no certificate
    position: Option<String>, "GAME POSITION", Always, place OptionalWords;
    /// Certificate, made by `solve`
    cert: Option<PathBuf>, "FILE", Always;
    /// Memory of the searches
    memory: Option<Bytes>, "SIZE", Always, default Bytes::gib(1);
}

/// A game that was played.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct PlayReport {
    /// The last position.
    pub position: String,
    /// All moves.
    pub moves: Vec<String>,
    /// Who has won; nobody if the game was left or is a draw.
    pub winner: Option<&'static str>,
}

impl Report for PlayReport {}

/// Who makes the program's moves.
enum Program {
    /// Positions that a certificate leaves to its checkers are solved.
    Strategy {
        proof: Box<dyn Proof>,
        memory: Bytes,
    },
    Solver {
        memory: Bytes,
    },
}

/// A game in progress.
pub struct PlaySession {
    program: Program,
    /// The side that the program plays.
    side: Player,
    /// The first of all positions so far, which always exists; `later` has the others.
    start: Box<dyn GamePosition>,
    later: Vec<Box<dyn GamePosition>>,
    /// The moves between the positions.
    moves: Vec<String>,
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The program's.
    Program,
    /// The opponent's.
    Opponent,
    /// Nobody's: the game is over. The name is the winner's; `None` means a draw.
    Over(Option<&'static str>),
}

/// Begins a game.
pub fn play(registry: &Registry, request: &Play, watch: &dyn Watch) -> Result<PlaySession, Error> {
    match (&request.cert, &request.position) {
        (Some(_), Some(_)) => {
            Err(Error::option("position", "the certificate has one; give one of them"))
        }
        (Some(path), None) => {
            let proof = crate::cert::load(registry, path)?;
            let start = registry.read(proof.game().name, &proof.root())?;
            let is_first = proof.owner() == start.game().players[0];
            let side = if is_first { Player::First } else { Player::Second };
            let memory = request.memory();
            Ok(PlaySession::new(Program::Strategy { proof, memory }, side, start))
        }
        (None, Some(text)) => {
            let (game, position) = text.split_once(' ').unwrap_or((text, ""));
            let start = registry.read(game, position.trim())?;
            let memory = request.memory();
            // The program plays the winning side; in a draw, the side that is not to move.
            let solved = start.solve(&plan(memory), watch)?;
            let mover = start.to_move();
            // Positions of impartial games do not tell the players apart: whoever begins is first.
            let side = if solved.value() == Value::Win { mover } else { !mover };
            Ok(PlaySession::new(Program::Solver { memory }, side, start))
        }
        (None, None) => Err(Error::Missing { option: "position" }),
    }
}

fn plan(memory: Bytes) -> SolvePlan<'static> {
    SolvePlan::new(SearchOptions { memory: Some(memory), ..SearchOptions::default() })
}

impl PlaySession {
    fn new(program: Program, side: Player, start: Box<dyn GamePosition>) -> PlaySession {
        PlaySession { program, side, start, later: Vec::new(), moves: Vec::new() }
    }

    /// The position on the board.
    pub fn position(&self) -> &dyn GamePosition {
        self.later.last().map_or(&*self.start, |position| &**position)
    }

    /// The names of the program's side and of the other one.
    pub fn players(&self) -> [&'static str; 2] {
        let players = self.start.game().players;
        [self.side, !self.side].map(|player| players[player.index()])
    }

    /// Whose turn it is, also in impartial games, whose positions do not record it.
    fn mover(&self) -> Player {
        if self.start.game().impartial {
            let is_first = self.moves.len().is_multiple_of(2);
            return if is_first { Player::First } else { Player::Second };
        }
        self.position().to_move()
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Turn {
        let mover = self.mover();
        match self.position().final_value() {
            None if mover == self.side => Turn::Program,
            None => Turn::Opponent,
            Some(value) => {
                let winner = match value {
                    Value::Win => Some(mover),
                    Value::Loss => Some(!mover),
                    Value::Draw => None,
                };
                Turn::Over(winner.map(|player| self.start.game().players[player.index()]))
            }
        }
    }

    /// Plays a move of the opponent.
    pub fn play(&mut self, mv: &str) -> Result<(), Error> {
        let next = self.position().play(mv)?;
        self.moves.push(mv.to_owned());
        self.later.push(next);
        Ok(())
    }

    /// Plays the program's move and returns it.
    pub fn answer(&mut self, watch: &dyn Watch) -> Result<String, Error> {
        let position = self.position();
        let mv = match &self.program {
            Program::Strategy { proof, memory } => {
                let advice = proof.ask(&position.write())?;
                let mv = advice.and_then(|advice| advice.moves.into_iter().next());
                match mv {
                    None if proof.database() > 0 => {
                        position.solve(&plan(*memory), watch)?.best_move
                    }
                    mv => mv.map(|(mv, _)| mv),
                }
            }
            Program::Solver { memory } => position.solve(&plan(*memory), watch)?.best_move,
        };
        let mv = mv.ok_or_else(|| {
            Error::Check(format!(
                "the certificate has no move for `{}`; papamu-check would reject it",
                position.write()
            ))
        })?;
        self.play(&mv)?;
        Ok(mv)
    }

    /// Takes back the opponent's last move and the answer to it. Returns whether there was one.
    pub fn undo(&mut self) -> bool {
        // The program may have begun.
        let first = usize::from(self.mover() == self.side) + usize::from(self.moves.len() % 2 == 1);
        let can = self.moves.len() >= 2 && first <= self.moves.len();
        if can {
            self.later.truncate(self.later.len() - 2);
            self.moves.truncate(self.moves.len() - 2);
        }
        can
    }

    /// The game so far.
    pub fn report(&self) -> PlayReport {
        let winner = match self.turn() {
            Turn::Over(winner) => winner,
            _ => None,
        };
        PlayReport { position: self.position().write(), moves: self.moves.clone(), winner }
    }
}
