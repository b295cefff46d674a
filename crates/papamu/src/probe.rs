//! `probe`: the value of a position and of all its moves, from a table or a certificate.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use papamu_game::Value;
use serde::Serialize;

use crate::kit::Registered;
use crate::report::Report;
use crate::request::request;
use crate::solve::{open_table, winner};
use crate::subject::Held;
use crate::{Error, Registry, Watch};

request! {
    /// Look up a position and all its moves in a table, or the winner's move in a certificate
    Probe, "probe",
        details "The answer is as good as the table or certificate: `verify` checks a table that \
                 comes from elsewhere, `papamu-check` a certificate.";
    /// Directory of a table, made by `build`, or file of a certificate, made by `solve`
    table: Option<PathBuf>, "FILE", Always, place Word;
    /// Position in the notation of the game; a board size such as 6x6 is the start
    position: Option<String>, "POSITION", Always, place Words;
    /// Positions to look at before `plies_to_end` is given up
    plies_budget: Option<u64>, "N", Always, default 1_000_000;
}

/// What is known about a position.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct ProbeReport {
    /// The position in full.
    pub position: String,
    /// The value for the player to move.
    pub value: String,
    /// Who wins; nobody if it is a draw.
    pub winner: Option<&'static str>,
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
    /// What the winner answers, if a certificate says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

impl Report for ProbeReport {}

/// Looks a position up.
pub fn probe(registry: &Registry, request: &Probe, _: &dyn Watch) -> Result<ProbeReport, Error> {
    let table = request.table.as_deref().ok_or(Error::Missing { option: "table" })?;
    let text = request.position.as_deref().ok_or(Error::Missing { option: "position" })?.trim();
    if table.is_file() {
        return from_certificate(registry, table, text);
    }
    let game = crate::table_file_tmp::game_of(table)?;
    registry.read(&game, text)?.probe(table, request.plies_budget())
}

fn from_certificate(registry: &Registry, file: &Path, text: &str) -> Result<ProbeReport, Error> {
    let proof = crate::cert::load(registry, file)?;
    let advice = proof.ask(text)?.ok_or_else(|| {
        let root = proof.root();
        let problem = format!(
            "the certificate does not cover `{text}`: it holds what the winner needs from {root}"
        );
        Error::option("position", problem)
    })?;
    let value = if advice.is_winners_turn { Value::Win } else { Value::Loss };
    let moves = advice.moves.into_iter().map(|(text, answer)| ProbeMove {
        text,
        value: value.to_string(),
        plies_to_end: None,
        answer,
    });
    Ok(ProbeReport {
        position: advice.position,
        value: value.to_string(),
        winner: Some(proof.winner()),
        plies_to_end: None,
        moves: moves.collect(),
        drawing: advice.drawing,
    })
}

pub(crate) fn probe_held<G: Registered>(
    held: &Held<G>,
    table: &Path,
    budget: u64,
) -> Result<ProbeReport, Error> {
    let table = open_table(held, table)?;
    let Held { game, position, .. } = held;
    let known = |position: &G::Position| {
        table.value(position)?.ok_or_else(|| {
            let problem = format!(
                "the table knows positions with up to {} stones; `{}` has more",
                table.most_stones(),
                game.write(position)
            );
            Error::option("position", problem)
        })
    };
    let moves = held.legal_moves();
    let mut positions: Vec<G::Position> = moves.iter().map(|mv| held.after(mv)).collect();
    positions.push(position.clone());
    let mut plies = table.plies_to_end(&positions, budget)?;
    let plies_to_end = plies.pop().flatten();
    let mut answers: Vec<(Value, Option<u32>, String)> = Vec::new();
    for ((mv, child), plies) in moves.iter().zip(&positions).zip(plies) {
        let text = game.write_move(position, mv);
        answers.push((-known(child)?, plies.map(|plies| plies + 1), text));
    }
    // Winning moves first, the fastest of them; then losing ones, the slowest first.
    answers.sort_by_key(|(value, plies, _)| {
        let plies = i64::from(plies.unwrap_or(u32::MAX));
        (Reverse(*value), if *value == Value::Win { plies } else { -plies })
    });
    let value = known(position)?;
    let moves = answers.into_iter().map(|(value, plies_to_end, text)| ProbeMove {
        text,
        value: value.to_string(),
        plies_to_end,
        answer: None,
    });
    Ok(ProbeReport {
        position: game.write(position),
        value: value.to_string(),
        winner: winner(held, value),
        plies_to_end,
        moves: moves.collect(),
        drawing: game.draw(position),
    })
}
