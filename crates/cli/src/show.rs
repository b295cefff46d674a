//! `papamu show`: a position with its moves and symmetries.

use clap::Args;
use papamu_game::states::orbit_size;
use papamu_game::{Game, Value};
use papamu_values::konane::Grid;
use serde::Serialize;

use crate::drawing::{Drawing, DrawingOptions};
use crate::failure::Failure;
use crate::output::Output;
use crate::target::{PositionVerb, Subject, Target};

/// Draw a position and list its legal moves and symmetries
#[derive(Args)]
#[command(after_help = "Examples:
  papamu show konane 6x6
  papamu show konane \"xo.o/.x../xox. b\" --json
  papamu show konane \"xo.o/.x../xox. b\" --svg board.svg --tikz board.tex")]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) target: Target,

    #[command(flatten)]
    drawing: DrawingOptions,
}

#[derive(Serialize)]
struct Answer<'a> {
    game: &'a str,
    position: &'a str,
    /// The position written in full.
    notation: String,
    to_move: &'a str,
    /// The value if the game is over.
    final_value: Option<String>,
    moves: Vec<String>,
    /// The symmetries of the board.
    symmetries: Vec<String>,
    /// Those that leave this position as it is.
    stabiliser: Vec<String>,
    /// How many different images the position has.
    images: u64,
    canonical: String,
    parts: Vec<String>,
    evaluation: Option<f32>,
}

impl PositionVerb for Show {
    fn run<G: Game>(&self, subject: Subject<G>, output: &mut Output) -> Result<(), Failure> {
        let Subject { game, position, text } = &subject;
        let files = self.drawing.files(G::NAME)?;
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let symmetries = game.symmetries().iter();
        let fixing = symmetries.clone().filter(|s| game.image(**s, position) == *position);
        let answer = Answer {
            game: G::NAME,
            position: text,
            notation: game.write(position),
            to_move: G::PLAYERS[game.to_move(position).index()],
            final_value: moves.is_empty().then(|| game.final_value(position).to_string()),
            moves: moves.iter().map(|mv| game.write_move(position, mv)).collect(),
            symmetries: symmetries.clone().map(ToString::to_string).collect(),
            stabiliser: fixing.map(ToString::to_string).collect(),
            images: orbit_size(game, position),
            canonical: game.write(&game.canonical(position)),
            parts: game.parts(position).iter().map(|part| game.write(part)).collect(),
            evaluation: game.evaluate(position),
        };
        // A position ends with who moves. What cannot be read is of a game that is not drawn.
        let (board, _) = answer.notation.rsplit_once(' ').unwrap_or((&answer.notation, ""));
        if let Ok(grid) = Grid::read(board) {
            files.write(&Drawing::bare(grid))?;
        }
        output.json(&answer)?;
        output.line(game.draw(position))?;
        output.line("")?;
        output.line(format!("position    {}", answer.notation))?;
        output.line(format!("to move     {}", answer.to_move))?;
        match moves.len() {
            0 => output.line(match game.final_value(position) {
                Value::Win => "moves       none: the game is over and won by the player to move",
                Value::Draw => "moves       none: the game is over, a draw",
                Value::Loss => "moves       none: the game is over and lost by the player to move",
            })?,
            n => output.line(format!("moves       {n}: {}", answer.moves.join(" ")))?,
        }
        if answer.symmetries.len() > 1 {
            output.line(format!("symmetries  {}", answer.symmetries.join(" ")))?;
            output.line(format!("kept by     {}", answer.stabiliser.join(" ")))?;
            output.line(format!("images      {}", answer.images))?;
            output.line(format!("canonical   {}", answer.canonical))?;
        }
        if answer.parts.len() > 1 {
            output.line(format!("parts       {}", answer.parts.join(", ")))?;
        }
        if let Some(evaluation) = answer.evaluation {
            output.line(format!(
                "evaluation  {evaluation:+.3} (from -1 to 1, for the player to move)"
            ))?;
        }
        Ok(())
    }
}
