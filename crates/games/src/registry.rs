//! The games by name. Programs enter here: a name picks a type, and from then on everything is
//! compiled for that game.

use papamu_game::Game;
use papamu_game::tiny::{Cram, Dodgem, Domineering, Kayles, TicTacToe};
use thiserror::Error;

use crate::{Konane, Sprouts};

/// Work that can be done with any game.
pub trait Visitor {
    /// What it gives.
    type Output;

    /// Does it with that game.
    fn visit<G: Game>(self) -> Self::Output;
}

/// No game has that name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown game `{name}`: there are {}", NAMES.join(", "))]
pub struct UnknownGame {
    /// The name.
    pub name: String,
}

/// What there is to know about a game before playing it.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// [`Game::NAME`]
    pub name: &'static str,
    /// [`Game::SUMMARY`]
    pub summary: &'static str,
    /// [`Game::PLAYERS`]
    pub players: [&'static str; 2],
    /// [`Game::NOTATION`]
    pub notation: &'static str,
    /// [`Game::EXAMPLES`]
    pub examples: &'static [&'static str],
    /// [`Game::IMPARTIAL`]
    pub impartial: bool,
    /// [`Game::CYCLIC`]
    pub cyclic: bool,
}

impl Info {
    const fn of<G: Game>() -> Info {
        Info {
            name: G::NAME,
            summary: G::SUMMARY,
            players: G::PLAYERS,
            notation: G::NOTATION,
            examples: G::EXAMPLES,
            impartial: G::IMPARTIAL,
            cyclic: G::CYCLIC,
        }
    }
}

macro_rules! registry {
    ($($game:ty),+ $(,)?) => {
        /// All games, in the order in which they are listed to users.
        pub const GAMES: &[Info] = &[$(Info::of::<$game>()),+];

        const NAMES: &[&str] = &[$(<$game>::NAME),+];

        /// Does the work with the game of that name.
        pub fn visit<V: Visitor>(name: &str, visitor: V) -> Result<V::Output, UnknownGame> {
            $(if name == <$game>::NAME {
                return Ok(visitor.visit::<$game>());
            })+
            Err(UnknownGame { name: name.to_owned() })
        }
    };
}

registry!(Konane, Sprouts, TicTacToe, Kayles, Dodgem, Domineering, Cram);
