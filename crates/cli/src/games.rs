//! `papamu games`: what can be solved.

use clap::Args;
use papamu_games::GAMES;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::Output;

/// List the games, how their positions are written, and examples
#[derive(Args)]
pub(crate) struct Games {}

#[derive(Serialize)]
struct Answer {
    games: Vec<Game>,
}

#[derive(Serialize)]
struct Game {
    name: &'static str,
    summary: &'static str,
    players: [&'static str; 2],
    notation: &'static str,
    examples: &'static [&'static str],
    impartial: bool,
    cyclic: bool,
}

impl Games {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let games = GAMES.iter().map(|info| Game {
            name: info.name,
            summary: info.summary,
            players: info.players,
            notation: info.notation,
            examples: info.examples,
            impartial: info.impartial,
            cyclic: info.cyclic,
        });
        let answer = Answer { games: games.collect() };
        output.json(&answer)?;
        for game in &answer.games {
            output.line(format!("{}\n  {}", game.name, game.summary))?;
            output.line(format!("  players    {}, {}", game.players[0], game.players[1]))?;
            output.line(format!("  positions  {}", game.notation))?;
            let examples: Vec<String> = game.examples.iter().map(|e| format!("\"{e}\"")).collect();
            output.line(format!("  examples   {}", examples.join(" ")))?;
        }
        Ok(())
    }
}
