//! `papamu probe`: the value of a position and of all its moves, from a table.

use std::path::PathBuf;

use clap::Args;
use papamu_game::{Game, Value};
use papamu_games::Konane;
use papamu_games::konane::Position;
use papamu_tables::plies::Plies;
use papamu_tables::table::Table;
use serde::Serialize;

use crate::build::board_name;
use crate::cert;
use crate::failure::Failure;
use crate::output::Output;
use crate::signals::exit_on_signals;
use crate::solve::winner;

/// Look up a position and all its moves in a table, or the winner's move in a certificate
///
/// The answer is as good as the table or certificate: `papamu verify` checks a table that comes from
/// elsewhere, `papamu-check` a certificate.
#[derive(Args)]
#[command(after_help = "Examples:
  papamu probe tables/5x5 5x5
  papamu probe 6x6.cert 6x6
  papamu probe tables/4x4 \"xo.o/.x../xox./oxox b\" --json")]
pub(crate) struct Probe {
    /// Directory of a table, made by `papamu build`, or file of a certificate, made by `papamu solve --cert`
    table: PathBuf,

    /// Position in the notation of the game; a board size such as 6x6 is the start
    #[arg(required = true, num_args = 1..)]
    position: Vec<String>,

    /// Positions to look at before `plies_to_end` is given up
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    plies_budget: u64,
}

#[derive(Serialize)]
struct Answer {
    position: String,
    value: String,
    winner: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies_to_end: Option<u32>,
    moves: Vec<Move>,
}

#[derive(Serialize)]
struct Move {
    #[serde(rename = "move")]
    text: String,
    /// For the player who makes the move.
    value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies_to_end: Option<u32>,
}

impl Probe {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        exit_on_signals("interrupted");
        if self.table.is_file() {
            let text = self.position.join(" ");
            return cert::visit(&self.table, cert::Ask { text: text.trim(), output });
        }
        let table = Table::open(&self.table)?;
        let text = self.position.join(" ");
        let (game, position) = Konane::read(text.trim())?;
        let [of_table, of_position] = [table.game(), &game].map(board_name);
        if of_table != of_position {
            return Err(Failure::Arguments(format!(
                "the table is of konane {of_table}, the position of {of_position}"
            )));
        }
        let unknown = || {
            let (has, knows) = (position.occupied.count_ones(), table.shape().most_stones());
            Failure::Arguments(format!(
                "the position has {has} stones, the table knows positions with up to {knows}"
            ))
        };
        let value = |position: &Position| table.value(position).ok_or_else(unknown);
        let mut plies = Plies::new(&table, self.plies_budget);
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        let mut answers: Vec<(Value, Option<u32>, String)> = moves
            .iter()
            .map(|mv| {
                let mut child = position;
                game.play(&mut child, mv);
                let after = plies.to_end(&child).map(|plies| plies + 1);
                Ok((-value(&child)?, after, game.write_move(&position, mv)))
            })
            .collect::<Result<_, Failure>>()?;
        // Winning moves first, the fastest of them; then losing ones, the slowest first.
        answers.sort_by_key(|(value, plies, _)| {
            let plies = i64::from(plies.unwrap_or(u32::MAX));
            (std::cmp::Reverse(*value), if *value == Value::Win { plies } else { -plies })
        });
        let value = value(&position)?;
        let answer = Answer {
            position: game.write(&position),
            value: value.to_string(),
            winner: winner(&game, &position, value),
            plies_to_end: plies.to_end(&position),
            moves: answers
                .into_iter()
                .map(|(value, plies_to_end, text)| Move {
                    text,
                    value: value.to_string(),
                    plies_to_end,
                })
                .collect(),
        };
        output.json(&answer)?;
        let plies = |plies: Option<u32>| {
            plies.map_or(String::new(), |n| {
                let plies = if n == 1 { "ply" } else { "plies" };
                format!(", {n} {plies} to the end")
            })
        };
        output.line(game.draw(&position))?;
        output.line("")?;
        output.line(format!(
            "{} wins{}",
            answer.winner.unwrap_or("nobody"),
            plies(answer.plies_to_end)
        ))?;
        for mv in &answer.moves {
            let ends = plies(mv.plies_to_end);
            output.line(format!("{:8} {}{ends}", mv.text, mv.value))?;
        }
        Ok(())
    }
}
