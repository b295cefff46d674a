//! `papamu value`: the combinatorial value of a position.

use std::path::PathBuf;

use clap::Args;
use papamu_base::Progress;
use papamu_game::Game;
use papamu_games::{Konane, Visitor};
use papamu_values::konane::{Evaluator, Grid, Regions, Square};
use papamu_values::{Forms, Halt, Positions, Value as GameValue};
use serde::Serialize;

use crate::drawing::{Drawing, DrawingOptions, Part};
use crate::explain::Explained;
use crate::failure::Failure;
use crate::output::Output;
use crate::partial::Partial;
use crate::progress::watch;
use crate::signals::exit_on_signals;
use crate::theory::{Report, Style, TheoryOptions, deep};
use crate::thermograph::Plot;

/// The value of a position as a combinatorial game, with its regions and best moves
///
/// Konane: Left has the black stones, Right the white ones, and both jump. Boards have up to 256 squares; stones
/// may stand on squares of any colour, `#` is a wall. Other games have values too if play ends and whoever cannot move
/// loses; those of impartial games are nimbers.
#[derive(Args)]
#[command(after_help = "Examples:
  papamu value konane \".ox./o..x/....\"
  papamu value konane \"..../.xo./x.../....\" --json
  papamu value konane \".ox./o..x/....\" --plot thermograph.svg --svg board.svg
  papamu value konane \".ox./o..x/....\" --plot thermograph.tex --tikz board.tex --notation latex
  papamu value konane \"xoxo./o.x.o/....x\" --explain
  papamu value konane \"xoxox/oxoxo/x..ox/oxoxo/xoxox\" --timeout 60
  papamu value kayles 12

With a limit of time, half of it is for the value of a Konane position. If that is not enough, or the memory ends,
bounds of the value and who wins are told as far as they are found in the other half, or in a minute.")]
pub(crate) struct Value {
    /// Name of the game; `papamu games` lists them
    game: String,

    /// Position; of Konane, rows from the top of `x`, `o`, `.` and `#` joined by `/`
    #[arg(required = true, num_args = 1..)]
    position: Vec<String>,

    /// Write the thermograph as SVG, or as TikZ if the name ends in .tex
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    drawing: DrawingOptions,

    /// Say which moves are dominated or reversible, and which make the canonical form
    #[arg(long)]
    explain: bool,

    #[command(flatten)]
    style: Style,

    #[command(flatten)]
    theory: TheoryOptions,
}

#[derive(Serialize)]
struct Answer {
    game: &'static str,
    position: String,
    #[serde(flatten)]
    report: Report,
    regions: Vec<RegionAnswer>,
    left_moves: Vec<MoveAnswer>,
    right_moves: Vec<MoveAnswer>,
    /// With --explain.
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Explained>,
    #[serde(skip)]
    drawing: Option<Drawing>,
}

/// What came out in time.
#[allow(clippy::large_enum_variant, reason = "there is only one of it")]
enum Found {
    Whole(Answer),
    Partial(Partial, Halt),
}

/// An independent part of the position.
#[derive(Serialize)]
struct RegionAnswer {
    /// The square in its top left corner.
    at: String,
    region: String,
    value: String,
}

#[derive(Serialize)]
struct MoveAnswer {
    #[serde(rename = "move")]
    text: String,
    value: String,
    /// It wins if its player begins.
    wins: bool,
    /// No other move is better, whatever the position is a part of.
    best: bool,
}

impl Value {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        exit_on_signals("interrupted");
        let text = self.position.join(" ");
        let plot = self.plot.as_deref().map(Plot::new).transpose()?;
        let files = self.drawing.files(&self.game)?;
        let shown: &Output = output;
        let found = deep(|| {
            let text = text.trim();
            if self.game == Konane::NAME {
                self.konane(text, shown)
            } else {
                papamu_games::visit(&self.game, Other { verb: self, text, output: shown })?
                    .map(Found::Whole)
            }
        })?;
        let answer = match found {
            Found::Whole(answer) => answer,
            Found::Partial(partial, halt) => {
                partial.print(output)?;
                return Err(Failure::Halt(halt));
            }
        };
        if let Some(plot) = plot {
            plot.write(&answer.position, &answer.report.thermograph)?;
        }
        if let Some(drawing) = &answer.drawing {
            files.write(drawing)?;
        }
        output.json(&answer)?;
        answer.report.print(output)?;
        for RegionAnswer { at, region, value } in &answer.regions {
            let region = if at.is_empty() { region.clone() } else { format!("{at} {region}") };
            output.line(format!("region       {region} = {value}"))?;
        }
        for (player, moves) in [("Left", &answer.left_moves), ("Right", &answer.right_moves)] {
            for MoveAnswer { text, value, wins, .. } in moves.iter().filter(|mv| mv.best) {
                let wins = if *wins { ", wins" } else { "" };
                output.line(format!("{player:12} {text} to {value}{wins}"))?;
            }
        }
        answer.explanation.iter().try_for_each(|explanation| explanation.print(output))
    }

    fn konane(&self, text: &str, output: &Output) -> Result<Found, Failure> {
        // Positions of other verbs say who moves, which a value does not depend on.
        let board = [" b", " w"].iter().find_map(|side| text.strip_suffix(side)).unwrap_or(text);
        let is_number = |text: &str| text.parse::<u32>().is_ok();
        if board.split_once('x').is_some_and(|(rows, cols)| is_number(rows) && is_number(cols)) {
            return Err(Failure::Arguments(format!(
                "`{board}` is a board before stones are removed, which has no value: give a position in which both jump, such as `.ox./o..x/....`"
            )));
        }
        let grid = Grid::read(board).map_err(|error| Failure::Arguments(error.to_string()))?;
        // The other half is for finding out who wins.
        let forms = self.theory.forms_within(self.theory.half_of_the_time())?;
        let regions = Regions::new(forms)?;
        let mut value = None;
        match watch(output, "regions", &regions, || self.position(&grid, &regions, &mut value)) {
            Err(Failure::Halt(halt @ (Halt::Time | Halt::Memory))) => {
                // The value may have been found, and the rest that there is to say about it not.
                let value = value.and_then(|value| self.style.write(regions.forms(), value).ok());
                drop(regions);
                let mut partial = Partial::new(&grid, &self.theory, self.style, output)?;
                partial.value = value;
                Ok(Found::Partial(partial, halt))
            }
            answer => answer.map(Found::Whole),
        }
    }

    fn position(
        &self,
        grid: &Grid,
        regions: &Regions,
        found: &mut Option<GameValue>,
    ) -> Result<Answer, Failure> {
        let forms = regions.forms();
        let mut evaluator = Evaluator::new(regions);
        let value = grid.value(&mut evaluator)?;
        *found = Some(value);
        let mut parts = Vec::new();
        let mut labels = Vec::new();
        for (at, region) in grid.regions() {
            let value = region.value(&mut evaluator)?;
            labels.push(Part::new(forms, &at, value)?);
            let value = self.style.write(forms, value)?;
            parts.push(RegionAnswer { at, region: region.to_string(), value });
        }
        let mut options = Vec::new();
        for player in [Square::Black, Square::White] {
            let mut values = Vec::new();
            for (text, after) in grid.moves(player) {
                values.push((text, after.value(&mut evaluator)?));
            }
            options.push(values);
        }
        let [left, right] = [&options[0], &options[1]];
        Ok(Answer {
            game: Konane::NAME,
            position: grid.to_string(),
            report: Report::new(forms, value, self.style)?,
            regions: parts,
            left_moves: moves(forms, left.clone(), true, self.style)?,
            right_moves: moves(forms, right.clone(), false, self.style)?,
            explanation: self.explanation(forms, [left, right])?,
            drawing: Some(Drawing::new(grid, labels)),
        })
    }

    /// How the moves make the canonical form, if that is wanted.
    fn explanation(
        &self,
        forms: &Forms,
        moves: [&[(String, GameValue)]; 2],
    ) -> Result<Option<Explained>, Halt> {
        if !self.explain {
            return Ok(None);
        }
        let values = moves.map(|side| side.iter().map(|mv| mv.1).collect::<Vec<_>>());
        let names = moves.map(|side| side.iter().map(|mv| mv.0.clone()).collect::<Vec<_>>());
        Explained::new(forms, [&values[0], &values[1]], &names, self.style).map(Some)
    }
}

/// The moves of a player with what they are worth, the best first.
fn moves(
    forms: &Forms,
    values: Vec<(String, GameValue)>,
    is_left: bool,
    style: Style,
) -> Result<Vec<MoveAnswer>, Halt> {
    let no_better = |a: GameValue, b: GameValue| {
        if is_left { forms.is_at_most(a, b) } else { forms.is_at_most(b, a) }
    };
    let mut moves = Vec::new();
    for (text, value) in &values {
        let mut best = true;
        for &(_, other) in &values {
            best = best && (other == *value || !no_better(*value, other)?);
        }
        let wins = no_better(GameValue::ZERO, *value)?;
        moves.push(MoveAnswer {
            text: text.clone(),
            value: style.write(forms, *value)?,
            wins,
            best,
        });
    }
    moves.sort_by_key(|mv| (!mv.wins, !mv.best));
    Ok(moves)
}

/// The value of a position of another game.
struct Other<'a> {
    verb: &'a Value,
    text: &'a str,
    output: &'a Output,
}

impl Visitor for Other<'_> {
    type Output = Result<Answer, Failure>;

    fn visit<G: Game>(self) -> Result<Answer, Failure> {
        let Other { verb, text, output } = self;
        let (game, position) = G::read(text)?;
        if G::DRAWS {
            let why = if G::CYCLIC { "can go on for ever" } else { "has draws" };
            return Err(Failure::Arguments(format!(
                "{} {why}, so its positions have no such value",
                G::NAME
            )));
        }
        let forms = verb.theory.forms()?;
        let progress = Progress::new();
        let mut positions = Positions::new(&game, &forms, &progress);
        watch(output, "positions", &progress, || verb.other(&game, &position, &mut positions))
    }
}

impl Value {
    fn other<G: Game>(
        &self,
        game: &G,
        position: &G::Position,
        positions: &mut Positions<G>,
    ) -> Result<Answer, Failure> {
        let value = positions.value(position)?;
        let forms = positions.forms();
        let mut regions = Vec::new();
        for part in game.parts(position) {
            let value = self.style.write(forms, positions.value(&part)?)?;
            regions.push(RegionAnswer { at: String::new(), region: game.write(&part), value });
        }
        let mut options = Vec::new();
        for side in positions.moves(position)? {
            let mut values = Vec::new();
            for (mv, after) in side {
                values.push((game.write_move(position, &mv), positions.value(&after)?));
            }
            options.push(values);
        }
        let [left, right] = [&options[0], &options[1]];
        Ok(Answer {
            game: G::NAME,
            position: game.write(position),
            report: Report::new(forms, value, self.style)?,
            regions,
            left_moves: moves(forms, left.clone(), true, self.style)?,
            right_moves: moves(forms, right.clone(), false, self.style)?,
            explanation: self.explanation(forms, [left, right])?,
            drawing: None,
        })
    }
}
