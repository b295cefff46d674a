//! `papamu play`: a game against a certificate.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use clap::Args;
use papamu_game::Game;
use papamu_proof::strategy::{Strategy, after, moves_in_order};
use serde::Serialize;

use crate::cert::{self, StrategyVisitor};
use crate::failure::Failure;
use crate::output::{Output, to_reader};

/// Play against a winning strategy
///
/// The program makes the winner's moves from a certificate. Type a move when it is your turn, `moves` for
/// the list, `undo` to take back your last move, `quit` to end.
#[derive(Args)]
#[command(after_help = "Examples:
  papamu play --cert 6x6.cert
  printf 'a6\\nmoves\\nquit\\n' | papamu play --cert 6x6.cert")]
pub(crate) struct Play {
    /// Certificate, made by `papamu solve --cert`
    #[arg(long, value_name = "FILE")]
    cert: PathBuf,
}

impl Play {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        cert::visit(&self.cert, Table { output })
    }
}

/// Where the game is played.
struct Table<'a> {
    output: &'a mut Output,
}

#[derive(Serialize)]
struct Answer {
    position: String,
    moves: Vec<String>,
    /// Who has won; nobody if the game was left.
    winner: Option<&'static str>,
}

impl StrategyVisitor for Table<'_> {
    fn visit<G: Game>(self, strategy: Strategy<G>) -> Result<(), Failure> {
        let Table { output } = self;
        let game = &strategy.game;
        let winner = G::PLAYERS[strategy.winner.index()];
        let loser = G::PLAYERS[(!strategy.winner).index()];
        // All positions so far, and the moves between them.
        let mut positions = vec![strategy.root.clone()];
        let mut moves: Vec<String> = Vec::new();
        output.line(format!("The program plays {winner} and wins; you play {loser}."))?;
        let finished = loop {
            let position = positions.last().unwrap_or(&strategy.root).clone();
            if moves_in_order(game, &position).is_empty() {
                output.line(game.draw(&position))?;
                if game.to_move(&position) == strategy.winner {
                    return Err(wrong(game, &position));
                }
                output.line(format!("{loser} cannot move: {winner} wins"))?;
                break true;
            }
            let mv = if game.to_move(&position) == strategy.winner {
                let mv = strategy.advice(&position)?.ok_or_else(|| wrong(game, &position))?;
                output.line(format!("{winner} plays {}", game.write_move(&position, &mv)))?;
                mv
            } else {
                output.line(game.draw(&position))?;
                match ask(game, &position, loser, output)? {
                    Reply::Move(mv) => mv,
                    Reply::Undo => {
                        // Back to the loser's turn before.
                        let back = if positions.len() > 2 { 2 } else { 0 };
                        if back == 0 {
                            output.line("there is nothing to take back")?;
                        }
                        positions.truncate(positions.len() - back);
                        moves.truncate(moves.len().saturating_sub(back));
                        continue;
                    }
                    Reply::Quit => break false,
                }
            };
            moves.push(game.write_move(&position, &mv));
            positions.push(after(game, &position, &mv));
        };
        let last = positions.last().unwrap_or(&strategy.root);
        let position = game.write(last);
        output.json(&Answer { position, moves, winner: finished.then_some(winner) })
    }
}

/// The strategy does not win.
fn wrong<G: Game>(game: &G, position: &G::Position) -> Failure {
    let position = game.write(position);
    Failure::Check(format!(
        "the certificate has no move for `{position}`; papamu-check would reject it"
    ))
}

enum Reply<M> {
    Move(M),
    Undo,
    Quit,
}

/// Asks for a move until there is one.
fn ask<G: Game>(
    game: &G,
    position: &G::Position,
    player: &str,
    output: &mut Output,
) -> Result<Reply<G::Move>, Failure> {
    loop {
        // Not part of the answer.
        let mut stderr = io::stderr();
        to_reader(write!(stderr, "{player}> ").and_then(|()| stderr.flush()))?;
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line).map_err(Failure::Write)?;
        if read == 0 {
            return Ok(Reply::Quit);
        }
        match line.trim() {
            "" => continue,
            "quit" | "q" => return Ok(Reply::Quit),
            "undo" => return Ok(Reply::Undo),
            "moves" => {
                let moves = moves_in_order(game, position);
                let texts = moves.iter().map(|mv| game.write_move(position, mv));
                output.line(texts.collect::<Vec<_>>().join(" "))?;
            }
            text => match game.read_move(position, text) {
                Ok(mv) => return Ok(Reply::Move(mv)),
                Err(_) => to_reader(writeln!(
                    stderr,
                    "`{text}` is not a move here; type a move, moves, undo or quit"
                ))?,
            },
        }
    }
}
