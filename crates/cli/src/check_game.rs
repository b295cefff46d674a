//! `papamu check-game`: does an implementation keep the laws of games?

use std::time::Instant;

use clap::Args;
use papamu_base::Progress;
use papamu_game::{Game, rules};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{Output, grouped};
use crate::progress::watch;
use crate::target::{PositionVerb, Subject, Target};

/// Play random games and check the rules: moves, undo, symmetries, keys, notation
#[derive(Args)]
#[command(after_help = "Examples:
  papamu check-game konane 6x6 --games 1000
  papamu check-game konane 1x40 --seed 7")]
pub(crate) struct CheckGame {
    #[command(flatten)]
    pub(crate) target: Target,

    /// Random games to play
    #[arg(long, short, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// Seed of the random moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Serialize)]
struct Answer<'a> {
    game: &'a str,
    position: &'a str,
    games: u64,
    seed: u64,
    positions: u64,
    moves: u64,
    images: u64,
    longest_plies: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Broken<'a> {
    game: &'a str,
    position: &'a str,
    seed: u64,
    game_number: u64,
    law: String,
    broken_in: &'a str,
    detail: &'a str,
}

impl PositionVerb for CheckGame {
    fn run<G: Game>(&self, subject: Subject<G>, output: &mut Output) -> Result<(), Failure> {
        let Subject { game, position, text } = &subject;
        let progress = Progress::new();
        let started = Instant::now();
        let checked = watch(output, "games", &progress, || {
            rules::check(game, position, self.games, self.seed, &progress)
        });
        let report = match checked {
            Ok(report) => report,
            Err(violation) => {
                output.json(&Broken {
                    game: G::NAME,
                    position: text,
                    seed: self.seed,
                    game_number: violation.game_number,
                    law: format!("{:?}", violation.law),
                    broken_in: &violation.position,
                    detail: &violation.detail,
                })?;
                return Err(Failure::Check(format!("{violation} (seed {})", self.seed)));
            }
        };
        let answer = Answer {
            game: G::NAME,
            position: text,
            games: report.games,
            seed: self.seed,
            positions: report.positions,
            moves: report.moves,
            images: report.images,
            longest_plies: report.longest_plies,
            seconds: started.elapsed().as_secs_f64(),
        };
        output.json(&answer)?;
        output.line(format!(
            "{} {text}: all laws hold in {} positions of {} random games ({} moves, {} images, {:.1} s)",
            G::NAME,
            grouped(answer.positions),
            grouped(answer.games),
            grouped(answer.moves),
            grouped(answer.images),
            answer.seconds,
        ))
    }
}
