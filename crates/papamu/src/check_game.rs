//! `check-game`: does an implementation keep the laws of games?

use std::time::Instant;

use papamu_game::rules::CheckError;
use serde::Serialize;

use crate::report::Report;
use crate::request::request;
use crate::watch::with_progress;
use crate::{Error, Registry, Watch};

request! {
    /// Play random games and check the rules: moves, undo, symmetries, keys, notation, capabilities
    CheckGame, "check-game";
    /// Name of the game; `papamu games` lists them
    game: Option<String>, "GAME", Always, place Word;
    /// Position in the notation of the game; a board size such as 6x6 is the start
    position: Option<String>, "POSITION", Always, place Words;
    /// Random games to play
    games: Option<u64>, "N", Always, default 100, range 1..=u64::MAX, short 'g';
    /// Seed of the random moves
    seed: Option<u64>, "N", Always, default 1;
}

/// What was checked, or the law that is broken.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct CheckGameReport {
    /// The game.
    pub game: &'static str,
    /// The position as it was given.
    pub position: String,
    /// Seed of the random moves.
    pub seed: u64,
    /// Time.
    pub seconds: f64,
    /// What was found.
    #[serde(flatten)]
    pub found: CheckGameFound,
    #[serde(skip)]
    failure: Option<Error>,
}

/// What a check of the laws found.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum CheckGameFound {
    /// All laws hold.
    Holds {
        /// Random games.
        games: u64,
        /// Positions met in them, repeated ones included.
        positions: u64,
        /// Moves checked.
        moves: u64,
        /// Images of positions checked.
        images: u64,
        /// Length of the longest game.
        longest_plies: u64,
    },
    /// A law is broken.
    Broken {
        /// Which random game showed it.
        game_number: u64,
        /// The law.
        law: String,
        /// The position that shows it.
        broken_in: String,
        /// What went wrong.
        detail: String,
    },
}

impl Report for CheckGameReport {
    fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }
}

/// Checks the laws of games.
pub fn check_game(
    registry: &Registry,
    request: &CheckGame,
    watch: &dyn Watch,
) -> Result<CheckGameReport, Error> {
    let (game, text) = crate::position_of(&request.game, &request.position)?;
    let position = registry.read(game, &text)?;
    let (games, seed) = (request.games(), request.seed());
    let started = Instant::now();
    let checked =
        with_progress(watch, "games", |progress| position.check_rules(games, seed, progress));
    let (found, failure) = match checked {
        Ok(report) => (
            CheckGameFound::Holds {
                games: report.games,
                positions: report.positions,
                moves: report.moves,
                images: report.images,
                longest_plies: report.longest_plies,
            },
            None,
        ),
        Err(CheckError::Stopped(stopped)) => return Err(stopped.into()),
        Err(CheckError::Broken(violation)) => (
            CheckGameFound::Broken {
                game_number: violation.game_number,
                law: format!("{:?}", violation.law),
                broken_in: violation.position.clone(),
                detail: violation.detail.clone(),
            },
            Some(Error::Check(format!("{violation} (seed {seed})"))),
        ),
    };
    Ok(CheckGameReport {
        game: position.game().name,
        position: text,
        seed,
        seconds: started.elapsed().as_secs_f64(),
        found,
        failure,
    })
}
