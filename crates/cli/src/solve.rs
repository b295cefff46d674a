//! `papamu solve`: who wins, and how to begin.

use std::time::Instant;

use clap::Args;
use papamu_game::{Game, Progress, Value};
use papamu_search::plain;
use serde::Serialize;

use crate::failure::Failure;
use crate::memory::MemorySize;
use crate::output::{Output, grouped};
use crate::progress::watch;
use crate::target::{PositionVerb, Subject, Target};

/// Solve a position: its value under best play, and a move that keeps it
#[derive(Args)]
#[command(after_help = "Examples:
  papamu solve konane 5x5
  papamu solve konane \"xo.o/.x../xox. b\" --json
  papamu solve kayles 40")]
pub(crate) struct Solve {
    #[command(flatten)]
    pub(crate) target: Target,

    /// Memory for the positions to remember
    #[arg(long, default_value = "4GiB", value_name = "SIZE")]
    memory: MemorySize,
}

#[derive(Serialize)]
struct Answer<'a> {
    game: &'a str,
    position: &'a str,
    winner: Option<&'a str>,
    value: String,
    best_move: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nimber: Option<u32>,
    method: &'a str,
    nodes: u64,
    seconds: f64,
}

impl PositionVerb for Solve {
    fn run<G: Game>(&self, subject: Subject<G>, output: &mut Output) -> Result<(), Failure> {
        let Subject { game, position, text } = &subject;
        let progress = Progress::new();
        let started = Instant::now();
        let limit = self.memory.bytes();
        let solution =
            watch(output, "nodes", &progress, || plain::solve(game, position, limit, &progress))?;
        let mover = game.to_move(position);
        let winner = match solution.value {
            Value::Win => Some(mover),
            Value::Loss => Some(!mover),
            Value::Draw => None,
        };
        let answer = Answer {
            game: G::NAME,
            position: text,
            winner: winner.map(|player| G::PLAYERS[player.index()]),
            value: solution.value.to_string(),
            best_move: solution.best_move.map(|mv| game.write_move(position, &mv)),
            nimber: solution.nimber,
            method: match solution.method {
                plain::Method::Minimax => "minimax",
                plain::Method::Nimbers => "nimbers",
                plain::Method::Retrograde => "retrograde",
            },
            nodes: solution.nodes,
            seconds: started.elapsed().as_secs_f64(),
        };
        output.json(&answer)?;
        let mover = G::PLAYERS[mover.index()];
        output.line(match answer.winner {
            Some(winner) => format!("{winner} wins {} {text} with {mover} to move", G::NAME),
            None => format!("{} {text} with {mover} to move is a draw", G::NAME),
        })?;
        if let Some(nimber) = answer.nimber {
            output.line(format!("nimber     {nimber}"))?;
        }
        output.line(match &answer.best_move {
            Some(mv) if solution.value == Value::Loss => {
                format!("any move   {mv} and all others lose")
            }
            Some(mv) => format!("best move  {mv}"),
            None => "the game is over".to_owned(),
        })?;
        let (nodes, seconds) = (grouped(answer.nodes), answer.seconds);
        output.line(format!("effort     {nodes} positions, {seconds:.3} s, {}", answer.method))
    }
}
