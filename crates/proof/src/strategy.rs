//! A strategy: positions with its owner to move, and his moves.

use hashbrown::HashMap;
use papamu_game::{Certifiable, Player};
use thiserror::Error;

use crate::claim::{Claim, Goal};

/// A player's strategy, from a root on.
#[derive(Clone, Debug)]
pub struct Strategy<G: Certifiable> {
    /// The rules.
    pub game: G,
    /// Where it begins.
    pub root: G::Position,
    /// Whose strategy it is.
    pub owner: Player,
    /// What it achieves.
    pub claim: Claim,
    /// The number of positions that a reader may enter to prove one that was left out.
    pub budget: u64,
    /// Positions of this size or less are left to the reader, who finds out their values by
    /// himself; 0 if there are none.
    pub database: u64,
    /// The owner's moves, by the number of the position.
    pub records: HashMap<G::Number, Record>,
}

/// What the owner does in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Record {
    /// The number of his move.
    pub mv: u32,
    /// The rank, which falls along every line of play; 0 where no ranks are due.
    pub rank: u32,
}

impl Record {
    /// A record where no ranks are due.
    pub fn unranked(mv: u32) -> Record {
        Record { mv, rank: 0 }
    }
}

/// A record that does not fit the rules or the claim.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BadStrategy {
    /// There is no such position.
    #[error("{number} is not the number of a position")]
    NoPosition {
        /// The number.
        number: String,
    },
    /// A move does not lead to a lower stage of the game.
    #[error("{number} is not of a lower stage than the position before")]
    Stage {
        /// The number of the position.
        number: String,
    },
    /// There is no such move.
    #[error("`{position}` has no move {mv}")]
    NoMove {
        /// The position.
        position: String,
        /// The number of the move.
        mv: u32,
    },
    /// The game ends in another way than it should.
    #[error("the game is over in `{position}`, and not as claimed")]
    BadEnd {
        /// The position.
        position: String,
    },
    /// Ranks do not fall, so that play could go in circles.
    #[error("the rank of `{position}` is not below that of the position before")]
    Rank {
        /// The position.
        position: String,
    },
    /// Two strategies have different winners.
    #[error("the strategies have different winners")]
    OtherWinner,
    /// One strategy wins, another one holds.
    #[error("some of the strategies win, others only hold; merge those of one claim")]
    OtherClaim,
    /// A needed position is missing.
    #[error("`{position}` is needed and not there")]
    Missing {
        /// The position.
        position: String,
    },
}

/// The moves of a position in the order of their numbers.
pub fn moves_in_order<G: Certifiable>(game: &G, position: &G::Position) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves.sort_by_key(|mv| game.move_order(mv));
    moves
}

impl<G: Certifiable> Strategy<G> {
    /// A strategy without records.
    pub fn new(game: &G, root: &G::Position, goal: Goal) -> Strategy<G> {
        let (game, root) = (game.clone(), root.clone());
        let Goal { owner, claim } = goal;
        Strategy { game, root, owner, claim, budget: 0, database: 0, records: HashMap::new() }
    }

    /// What it achieves for whom.
    pub fn goal(&self) -> Goal {
        Goal { owner: self.owner, claim: self.claim }
    }

    /// Whether its records have ranks.
    pub fn has_ranks(&self) -> bool {
        self.goal().has_ranks::<G>()
    }

    /// The number of a position.
    pub fn number(&self, position: &G::Position) -> G::Number {
        self.game.certificate_number(position)
    }

    /// The position with a number, with the owner to move.
    pub fn position(&self, number: G::Number) -> Result<G::Position, BadStrategy> {
        let position = self.game.position_of_number(number, self.owner);
        position.ok_or(BadStrategy::NoPosition { number: number.to_string() })
    }

    /// The owner's move in a position of the strategy.
    pub fn move_of(&self, position: &G::Position, mv: u32) -> Result<G::Move, BadStrategy> {
        let moves = moves_in_order(&self.game, position);
        moves
            .into_iter()
            .nth(mv as usize)
            .ok_or_else(|| BadStrategy::NoMove { position: self.game.write(position), mv })
    }

    /// The numbers of the positions that the root needs.
    pub fn needed_by_root(&self) -> Result<Vec<G::Number>, BadStrategy> {
        if self.game.to_move(&self.root) == self.owner {
            return Ok(vec![self.number(&self.root)]);
        }
        self.needed_by(&self.root)
    }

    /// The numbers of the positions that a record needs: those after its move and any answer.
    pub fn needed_after(&self, record: G::Number, mv: u32) -> Result<Vec<G::Number>, BadStrategy> {
        let position = self.position(record)?;
        let mv = self.move_of(&position, mv)?;
        self.needed_by(&self.game.after(&position, &mv))
    }

    /// The numbers of the positions after any move of the opponent. If he has none, the game must
    /// have ended well.
    fn needed_by(&self, position: &G::Position) -> Result<Vec<G::Number>, BadStrategy> {
        let game = &self.game;
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        if moves.is_empty() {
            self.require_good_end(position)?;
        }
        let mut numbers: Vec<G::Number> =
            moves.iter().map(|mv| game.certificate_number(&game.after(position, mv))).collect();
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers)
    }

    fn require_good_end(&self, position: &G::Position) -> Result<(), BadStrategy> {
        match self.goal().is_good_end(&self.game, position) {
            true => Ok(()),
            false => Err(BadStrategy::BadEnd { position: self.game.write(position) }),
        }
    }

    /// Whether a needed position has no record because it is an end of the game, which must be
    /// good, or because readers find out its value.
    pub(crate) fn is_decided(&self, position: &G::Position) -> Result<bool, BadStrategy> {
        if self.is_in_database(position) {
            return Ok(true);
        }
        let is_end = self.game.count_moves(position) == 0;
        if is_end {
            self.require_good_end(position)?;
        }
        Ok(is_end)
    }

    fn is_in_database(&self, position: &G::Position) -> bool {
        self.database > 0 && self.game.size(position) <= self.database
    }
}
