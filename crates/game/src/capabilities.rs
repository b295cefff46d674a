//! Optional capabilities of a game beyond its rules, and general code that uses them.

use crate::sums::{ByText, SumsOf};
use crate::{Certifiable, CertificateNumber, Game, Indexed, Player, PositionIndex};

/// A null move: the same position with the other player to move, if that is a position too.
///
/// If every position has a null move, play ends and whoever cannot move loses, positions have
/// values in the sense of combinatorial game theory. A value says what a position is worth to both
/// players, whoever begins.
pub type NullMove<G> = fn(&G, &<G as Game>::Position) -> Option<<G as Game>::Position>;

/// The independent components of a position, whose sum it is: in each turn a player moves in one of
/// them. A position that does not decompose is its own only component.
///
/// Components of a game that is not impartial have the same player to move, and null moves.
/// Components in which no move will ever be possible may be left out.
pub type Components<G> = fn(&G, &<G as Game>::Position) -> Vec<<G as Game>::Position>;

/// The game as searches with nimbers see it.
pub type MakeSums<G> = fn(&G) -> Box<dyn SumsOf<G>>;

/// The index of all positions of a board, and the text that stands for the board.
pub type MakeIndex<G> = fn(&G) -> Option<(Box<dyn PositionIndex<G>>, String)>;

/// The numbers of a [`Certifiable`] game, as function pointers. They have 128 bits here.
#[derive(Debug)]
pub struct Numbering<G: Game> {
    /// [`Certifiable::certificate_number`]
    pub number: fn(&G, &G::Position) -> u128,
    /// [`Certifiable::position_of_number`]
    pub position: fn(&G, u128, Player) -> Option<G::Position>,
    /// [`Certifiable::stage_of_number`]
    pub stage: fn(&G, u128) -> Option<u32>,
    /// [`Certifiable::size`]
    pub size: fn(&G, &G::Position) -> u64,
    /// [`Certifiable::move_order`]
    pub move_order: fn(&G, &G::Move) -> u64,
}

impl<G: Game> Clone for Numbering<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Numbering<G> {}

impl<G: Certifiable> Numbering<G> {
    /// The numbers of the game itself.
    pub const fn of_game() -> Numbering<G> {
        Numbering {
            number: |game, position| game.certificate_number(position).widen(),
            position: |game, number, mover| {
                game.position_of_number(G::Number::narrow(number)?, mover)
            },
            stage: |game, number| game.stage_of_number(G::Number::narrow(number)?),
            size: G::size,
            move_order: G::move_order,
        }
    }
}

/// The optional capabilities of a game that are facts about its rules.
#[derive(Debug)]
pub struct Capabilities<G: Game> {
    /// The null move.
    pub null_move: Option<NullMove<G>>,
    /// Sums of independent components.
    pub components: Option<Components<G>>,
    /// The game's own way to make components for searches with nimbers.
    pub sums: Option<MakeSums<G>>,
    /// Numbers of positions in certificates.
    pub numbering: Option<Numbering<G>>,
    /// The index of databases.
    pub index: Option<MakeIndex<G>>,
}

impl<G: Game> Default for Capabilities<G> {
    /// None of them.
    fn default() -> Self {
        Capabilities::NONE
    }
}

impl<G: Game> Clone for Capabilities<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Capabilities<G> {}

impl<G: Game> Capabilities<G> {
    /// None of them.
    pub const NONE: Capabilities<G> = Capabilities {
        null_move: None,
        components: None,
        sums: None,
        numbering: None,
        index: None,
    };

    /// The game as searches with nimbers see it: in its own way if it has one, otherwise by its
    /// texts.
    pub fn sums(&self, game: &G) -> Box<dyn SumsOf<G>> {
        match self.sums {
            Some(make) => make(game),
            None => Box::new(ByText::new(game.clone(), *self)),
        }
    }

    /// The position after a null move, if the game has them and this is a position too.
    pub fn pass(&self, game: &G, position: &G::Position) -> Option<G::Position> {
        self.null_move.and_then(|null_move| null_move(game, position))
    }

    /// The components of a position: only itself, if the game has no sums.
    pub fn components(&self, game: &G, position: &G::Position) -> Vec<G::Position> {
        match self.components {
            Some(components) => components(game, position),
            None => vec![position.clone()],
        }
    }
}

/// What an [`Indexed`] game says, as a value.
pub fn index_of_game<G: Indexed>(game: &G) -> Option<(Box<dyn PositionIndex<G>>, String)> {
    Some((Box::new(game.index(u32::MAX)?), game.board()))
}
