//! `nimber`: the size of the Nim heap that equals a position of an impartial game.

use std::path::PathBuf;

use papamu_base::file::find_same;
use papamu_search::nimber::job::Wanted;
use serde::Serialize;

use crate::report::Report;
use crate::request::Request;
use crate::search_options::{search_options, searching_request};
use crate::solve::SolvePlan;
use crate::{Error, Registry, Watch};

searching_request! {
    /// Find the nimber of a position of an impartial game
    Nimber, "nimber";
    /// Name of the game; `papamu games` lists them
    game: Option<String>, "GAME", Always, place Word;
    /// Position in the notation of the game; a board size such as 6x6 is the start
    position: Option<String>, "POSITION", Always, place Words;
    /// Known nimbers: those in FILE are used if it exists, and new ones are stored in it every
    /// minute, at the end and when stopped
    nimbers: Option<PathBuf>, "FILE", Nimbers;
    /// Write the nimbers that prove the result, which `papamu-check` checks
    cert: Option<PathBuf>, "FILE", Nimbers;
}

/// The nimber of a position.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct NimberReport {
    /// The game.
    pub game: &'static str,
    /// The position as it was given.
    pub position: String,
    /// The nimber.
    pub nimber: u32,
    /// The search.
    pub algorithm: String,
    /// Threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u16>,
    /// Positions evaluated.
    pub nodes: u64,
    /// Positions expanded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expansions: Option<u64>,
    /// Nimbers known in the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimbers_known: Option<u64>,
    /// The certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// Its nimbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate_lemmas: Option<u64>,
    /// Files whose content was believed: the answer is as good as they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rests_on: Vec<String>,
    /// Time.
    pub seconds: f64,
    #[serde(skip)]
    failure: Option<Error>,
}

impl Report for NimberReport {
    fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }
}

/// Finds a nimber.
pub fn nimber(
    registry: &Registry,
    request: &Nimber,
    watch: &dyn Watch,
) -> Result<NimberReport, Error> {
    let (game, text) = crate::position_of(&request.game, &request.position)?;
    let position = registry.read(game, &text)?;
    find_same([("cert", request.cert.as_deref()), ("nimbers", request.nimbers.as_deref())])?;
    let plan = SolvePlan {
        check: &|search| request.check_applies(search),
        wanted: Wanted::Nimber,
        nimbers: request.nimbers.as_deref(),
        cert: request.cert.as_deref(),
        ..SolvePlan::new(search_options!(request))
    };
    let solved = position.solve(&plan, watch)?;
    let certificate = request.cert.as_deref().filter(|_| solved.certificate_records.is_some());
    Ok(NimberReport {
        game: position.game().name,
        position: text,
        nimber: solved.nimber.unwrap_or_default(),
        algorithm: solved.method,
        threads: solved.threads,
        nodes: solved.nodes,
        expansions: solved.expansions,
        nimbers_known: solved.nimbers_known,
        certificate: certificate.map(|path| path.display().to_string()),
        certificate_lemmas: solved.certificate_records,
        rests_on: solved.rests_on,
        seconds: solved.seconds,
        failure: solved.failure,
    })
}
