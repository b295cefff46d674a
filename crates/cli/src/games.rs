//! `papamu games`: what can be solved.

use clap::Args;
use papamu_games::GAMES;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::Output;

/// List the games, how their positions are written, and examples
#[derive(Args)]
#[command(after_help = "Example:
  papamu games --json")]
pub(crate) struct Games {}

impl Games {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let games = GAMES.iter().map(|game| {
            json!({
                "name": game.name,
                "summary": game.summary,
                "players": game.players,
                "notation": game.notation,
                "examples": game.examples,
                "impartial": game.impartial,
                "cyclic": game.cyclic,
            })
        });
        output.json(&json!({ "games": games.collect::<Vec<Value>>() }))?;
        for game in GAMES {
            output.line(format!("{}\n  {}", game.name, game.summary))?;
            output.line(format!("  players    {}, {}", game.players[0], game.players[1]))?;
            output.line(format!("  positions  {}", game.notation))?;
            let examples: Vec<String> = game.examples.iter().map(|e| format!("\"{e}\"")).collect();
            output.line(format!("  examples   {}", examples.join(" ")))?;
        }
        Ok(())
    }
}
