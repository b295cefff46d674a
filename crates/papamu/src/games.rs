//! `games`: what can be solved.

use serde::Serialize;

use crate::report::Report;
use crate::request::request;
use crate::{Error, GameInfo, Registry, Watch};

request! {
    /// List the games, how their positions are written, and examples
    Games, "games";
}

/// The games.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct GamesReport {
    /// In the order in which they were registered.
    pub games: Vec<GameInfo>,
}

impl Report for GamesReport {}

/// Lists the games.
pub fn games(registry: &Registry, _: &Games, _: &dyn Watch) -> Result<GamesReport, Error> {
    Ok(GamesReport { games: registry.games().collect() })
}
