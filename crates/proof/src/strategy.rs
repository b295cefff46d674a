//! A winning strategy: positions with the winner to move, and his moves.

use hashbrown::HashMap;
use papamu_game::{Certifiable, Player};
use thiserror::Error;

/// The strategy of the winner, from a root on.
#[derive(Clone, Debug)]
pub struct Strategy<G: Certifiable> {
    /// The rules.
    pub game: G,
    /// Where it begins.
    pub root: G::Position,
    /// Whose strategy it is.
    pub winner: Player,
    /// The number of positions that a reader may enter to prove one that was left out.
    pub budget: u64,
    /// The number of the winner's move, by the number of the position.
    pub records: HashMap<u64, u32>,
}

/// A record that does not fit the rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BadStrategy {
    /// There is no such position.
    #[error("{number} is not the number of a position")]
    NoPosition {
        /// The number.
        number: u64,
    },
    /// A move does not lead to a lower stage of the game.
    #[error("{number} is not of a lower stage than the position before")]
    Stage {
        /// The number of the position.
        number: u64,
    },
    /// There is no such move.
    #[error("`{position}` has no move {mv}")]
    NoMove {
        /// The position.
        position: String,
        /// The number of the move.
        mv: u32,
    },
    /// Two strategies have different winners.
    #[error("the strategies have different winners")]
    OtherWinner,
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

/// The position after a move.
pub fn after<G: Certifiable>(game: &G, position: &G::Position, mv: &G::Move) -> G::Position {
    let mut after = position.clone();
    game.play(&mut after, mv);
    after
}

impl<G: Certifiable> Strategy<G> {
    /// A strategy without records.
    pub fn new(game: &G, root: &G::Position, winner: Player) -> Strategy<G> {
        let (game, root) = (game.clone(), root.clone());
        Strategy { game, root, winner, budget: 0, records: HashMap::new() }
    }

    /// The number of a position.
    pub fn number(&self, position: &G::Position) -> u64 {
        self.game.certificate_number(position)
    }

    /// The position with a number, with the winner to move.
    pub fn position(&self, number: u64) -> Result<G::Position, BadStrategy> {
        let position = self.game.position_of_number(number, self.winner);
        position.ok_or(BadStrategy::NoPosition { number })
    }

    /// The winner's move in a position of the strategy.
    pub fn move_of(&self, position: &G::Position, mv: u32) -> Result<G::Move, BadStrategy> {
        let moves = moves_in_order(&self.game, position);
        moves
            .into_iter()
            .nth(mv as usize)
            .ok_or_else(|| BadStrategy::NoMove { position: self.game.write(position), mv })
    }

    /// The numbers of the positions that the root needs.
    pub fn needed_by_root(&self) -> Vec<u64> {
        if self.game.to_move(&self.root) == self.winner {
            return vec![self.number(&self.root)];
        }
        needed_by(&self.game, &self.root)
    }

    /// The numbers of the positions that a record needs: those after its move and any answer.
    pub fn needed_after(&self, record: u64, mv: u32) -> Result<Vec<u64>, BadStrategy> {
        let position = self.position(record)?;
        let mv = self.move_of(&position, mv)?;
        Ok(needed_by(&self.game, &after(&self.game, &position, &mv)))
    }
}

/// The numbers of the positions after any move of the loser.
pub fn needed_by<G: Certifiable>(game: &G, position: &G::Position) -> Vec<u64> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let mut numbers: Vec<u64> =
        moves.iter().map(|mv| game.certificate_number(&after(game, position, mv))).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
