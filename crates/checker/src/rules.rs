//! What a certificate claims of a game: which positions are needed, and which ends are good.

use crate::games::{self, Game, Position};
use crate::reader::{Header, Problem};

/// How deep the search for positions that are left out goes, in plies. A line that goes in circles
/// has no other end.
const DEEPEST: usize = 200;

/// A game, seen by the player of whom a certificate claims something. In all positions that have
/// numbers here, that player, the owner, is to move.
pub struct Rules {
    game: Box<dyn Game>,
    root: Position,
    owner: usize,
    names: [&'static str; 2],
    /// A draw is good enough.
    holds: bool,
}

impl Rules {
    /// The rules of the game of a certificate.
    pub fn new(header: &Header) -> Result<Rules, Problem> {
        let in_version = |known: &&games::Known| header.version > 1 || known.name == "konane";
        let Some(known) = games::known(&header.game).filter(in_version) else {
            return Err(Problem::Format(format!("the game `{}` is not known", header.game)));
        };
        if header.rules != "standard" {
            let problem = format!("the rules `{}` of {} are not known", header.rules, known.name);
            return Err(Problem::Format(problem));
        }
        let Some(owner) = known.players.iter().position(|name| *name == header.owner) else {
            let problem = format!("there is no player `{}` in {}", header.owner, known.name);
            return Err(Problem::Format(problem));
        };
        let (game, root) = (known.read)(&header.root).map_err(Problem::Format)?;
        Ok(Rules { game, root, owner, names: known.players, holds: header.holds })
    }

    /// The game itself.
    pub fn game(&self) -> &dyn Game {
        &*self.game
    }

    /// The positions that the root needs, or the problem if it is an end that is not good.
    pub fn needed_by_root(&self) -> Result<Vec<u128>, String> {
        if self.root.side == self.owner {
            return Ok(vec![self.game.number(&self.root)]);
        }
        self.needed_by(&self.root).map_err(|problem| format!("the game is over, and {problem}"))
    }

    /// The positions after a move of the owner and any answer to it, or the problem if there is no
    /// such position or move, or it ends the game badly.
    pub fn needed_after(&self, number: impl Into<u128>, mv: u64) -> Result<Vec<u128>, String> {
        let number = number.into();
        let position = self.position(number)?;
        if self.game.number(&position) != number {
            return Err("it is not the least of its images".to_owned());
        }
        let moves = self.game.after(&position);
        let Some(after) = usize::try_from(mv).ok().and_then(|mv| moves.get(mv)) else {
            return Err(format!("it has {} moves, move {mv} is not one of them", moves.len()));
        };
        self.needed_by(after).map_err(|problem| format!("its move ends the game, and {problem}"))
    }

    /// The positions after any move of the opponent.
    fn needed_by(&self, position: &Position) -> Result<Vec<u128>, String> {
        let answers = self.game.after(position);
        if answers.is_empty() {
            self.require_good(self.game.winner(position))?;
        }
        Ok(answers.iter().map(|answer| self.game.number(answer)).collect())
    }

    /// The position of a number, with the owner to move.
    pub fn position(&self, number: u128) -> Result<Position, String> {
        let position = Some(number).filter(|number| *number < self.game.limit());
        let position = position.and_then(|number| self.game.position(number, self.owner));
        position.ok_or_else(|| format!("{number} is not a position of this board"))
    }

    /// The size of a position.
    pub fn size(&self, position: &Position) -> u64 {
        self.game.size(position.pieces()) as u64
    }

    /// The problem, if that winner, or a draw, is not good for the owner.
    pub fn require_good(&self, winner: Option<usize>) -> Result<(), String> {
        match winner {
            Some(winner) if winner == self.owner => Ok(()),
            None if self.holds => Ok(()),
            Some(winner) => Err(format!("{} wins", self.names[winner])),
            None => Err("nobody wins".to_owned()),
        }
    }

    /// Whether the search of sparse certificates proves a position within the budget.
    pub fn prove(&self, position: &Position, budget: u64) -> bool {
        let mut left = budget;
        self.search(position, &mut left, 0) == Some(true)
    }

    /// Whether a position is good; `left` is the number of positions that may still be entered.
    fn search(&self, position: &Position, left: &mut u64, depth: usize) -> Option<bool> {
        *left = left.checked_sub(1)?;
        if depth > DEEPEST {
            return None;
        }
        let moves = self.game.after(position);
        if moves.is_empty() {
            return Some(self.require_good(self.game.winner(position)).is_ok());
        }
        let owners_turn = position.side == self.owner;
        for after in &moves {
            if self.search(after, left, depth + 1)? == owners_turn {
                return Some(owners_turn);
            }
        }
        Some(!owners_turn)
    }

    /// The position of a number as people read it.
    pub fn show(&self, number: impl Into<u128>) -> String {
        self.game.show(number.into(), self.owner)
    }
}
