//! `probe`: the value of a position and of all its moves, from a table or a certificate.

use std::path::{Path, PathBuf};

use papamu_game::Value;
use papamu_proof::claim::Claim;
use serde::Serialize;

use crate::kit::Registered;
use crate::report::Report;
use crate::request::request;
use crate::solve::{open_table, winner};
use crate::subject::Held;
use crate::{Error, Registry, Watch};

request! {
    /// Look up a position and all its moves in a table, or a player's move in a certificate
    Probe, "probe",
        details "The answer is as good as the table or certificate: `verify` checks a table that \
                 comes from elsewhere, `papamu-check` a certificate.";
    /// Directory of a table, made by `build`, or file of a certificate, made by `solve`
    table: Option<PathBuf>, "FILE", Always, place Word;
    /// Position in the notation of the game; a board size such as 6x6 is the start
    position: Option<String>, "POSITION", Always, place Words;
    /// Positions to search before `plies_to_end` is given up
    plies_budget: Option<u64>, "N", Always, default 1_000_000;
}

/// What is known about a position.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct ProbeReport {
    /// The position in full.
    pub position: String,
    /// The value for the player to move: win, draw or loss; `win or draw` or `loss or draw` if a
    /// certificate claims no more.
    pub value: String,
    /// Who wins; nobody if it is a draw.
    pub winner: Option<&'static str>,
    /// Who wins or draws, if a certificate claims no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holder: Option<&'static str>,
    /// Plies to the end under best play, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies_to_end: Option<u32>,
    /// The moves, the best first.
    pub moves: Vec<ProbeMove>,
    /// A drawing for a terminal.
    #[serde(skip)]
    pub drawing: String,
}

/// What is known about a move.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct ProbeMove {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// For the player who makes the move.
    pub value: String,
    /// Plies to the end under best play, this one included, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies_to_end: Option<u32>,
    /// What the owner of a certificate answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

impl Report for ProbeReport {}

/// Looks a position up.
pub fn probe(
    registry: &Registry,
    request: &Probe,
    watch: &dyn Watch,
) -> Result<ProbeReport, Error> {
    let table = request.table.as_deref().ok_or(Error::Missing { option: "table" })?;
    let text = request.position.as_deref().ok_or(Error::Missing { option: "position" })?.trim();
    if table.is_file() {
        return from_certificate(registry, table, text);
    }
    let game = papamu_tables::game_of(table)?;
    registry.read(&game, text)?.probe(table, request.plies_budget(), watch)
}

fn from_certificate(registry: &Registry, file: &Path, text: &str) -> Result<ProbeReport, Error> {
    let proof = crate::cert::load(registry, file)?;
    let advice = proof.ask(text)?.ok_or_else(|| {
        let root = proof.root();
        let problem = format!(
            "the certificate does not cover `{text}`: it holds what {} needs from {root}",
            proof.owner()
        );
        Error::option("position", problem)
    })?;
    let value = if advice.is_owners_turn { Value::Win } else { Value::Loss };
    let wins = proof.claim() == Claim::Wins;
    let value = if wins { value.to_string() } else { format!("{value} or draw") };
    let moves = advice.moves.into_iter().map(|(text, answer)| ProbeMove {
        text,
        value: value.clone(),
        plies_to_end: None,
        answer,
    });
    Ok(ProbeReport {
        position: advice.position,
        moves: moves.collect(),
        value,
        winner: wins.then(|| proof.owner()),
        holder: (!wins).then(|| proof.owner()),
        plies_to_end: None,
        drawing: advice.drawing,
    })
}

pub(crate) fn probe_held<G: Registered>(
    held: &Held<G>,
    table: &Path,
    budget: u64,
    watch: &dyn Watch,
) -> Result<ProbeReport, Error> {
    let Held { game, position, .. } = held;
    let probed = open_table(held, table)?.probe(position, budget, &watch.stop())?;
    let moves = probed.moves.iter().map(|of| ProbeMove {
        text: game.write_move(position, &of.mv),
        value: of.value.to_string(),
        plies_to_end: of.plies_to_end,
        answer: None,
    });
    Ok(ProbeReport {
        position: game.write(position),
        value: probed.value.to_string(),
        winner: winner(held, probed.value),
        holder: None,
        plies_to_end: probed.plies_to_end,
        moves: moves.collect(),
        drawing: game.draw(position),
    })
}
