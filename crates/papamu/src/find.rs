//! `find`: the smallest position that has a value.

use serde::Serialize;

use crate::report::Report;
use crate::request::Readable;
use crate::theory::theory_request;
use crate::winners::BoardSize;
use crate::{Error, Registry, Watch};

theory_request! {
    /// Find the smallest position of a value: on the fewest squares, with the fewest stones
    Find, "find";
    /// The value, as an expression of `calc`
    value: Option<String>, "VALUE", Always;
    /// The largest board; all boards that fit into it are searched
    within: Option<BoardSize>, "SIZE", Always;
    /// Colours of the stones: game, as in a real game; or any, with any stone anywhere
    colours: Option<StoneColours>, "COLOURS", Always, default StoneColours::Game;
    /// Threads
    threads: Option<u16>, "N", Always, default 1, range 1..=255, short 't';
    /// The game [default: the first that has values of its own]
    game: Option<String>, "GAME", Always;
}

/// The colours of stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoneColours {
    /// Stones where they stand in a real game.
    Game,
    /// Any stone anywhere.
    Any,
}

impl Readable for StoneColours {
    fn read(text: &str) -> Result<StoneColours, String> {
        match text {
            "game" => Ok(StoneColours::Game),
            "any" => Ok(StoneColours::Any),
            _ => Err("it is game or any".to_owned()),
        }
    }
}

impl std::fmt::Display for StoneColours {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if *self == StoneColours::Game { "game" } else { "any" })
    }
}

/// The smallest position of a value.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct FindReport {
    /// The value.
    pub value: String,
    /// `None` if no board within the largest has the value.
    pub position: Option<String>,
    /// Its size.
    pub size: Option<String>,
    /// Its stones.
    pub stones: Option<usize>,
    /// Positions that were searched.
    pub positions: u64,
    /// The largest board.
    #[serde(skip)]
    pub within: String,
}

impl Report for FindReport {}

/// Finds the smallest position.
pub fn find(registry: &Registry, request: &Find, watch: &dyn Watch) -> Result<FindReport, Error> {
    if request.value.is_none() {
        return Err(Error::Missing { option: "value" });
    }
    registry.with_values(request.game.as_deref())?.find(request, watch)
}
