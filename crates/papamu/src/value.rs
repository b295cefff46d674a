//! `value`: the combinatorial value of a position.

use std::path::PathBuf;

use papamu_base::file::{AtomicFile, find_same};
use papamu_values::{Forms, Halt, Positions, Value as GameValue};
use serde::Serialize;

use crate::explain::Explained;
use crate::kit::Registered;
use crate::picture::Picture;
use crate::report::Report;
use crate::subject::Held;
use crate::theory::{Style, TheoryLimits, ValueFacts, deep, style_and_limits, theory_request};
use crate::thermograph::Plot;
use crate::watch::with_progress;
use crate::{Error, Registry, Watch};

theory_request! {
    /// The value of a position as a combinatorial game, with its components and best moves
    Value, "value",
        details "Games have values if play ends and whoever cannot move loses; those of impartial \
                 games are nimbers. The first player is Left. A game may have a notation of its own \
                 for positions without a player to move: `papamu games` tells.";
    /// Name of the game; `papamu games` lists them
    game: Option<String>, "GAME", Always, place Word;
    /// Position in the notation of the game
    position: Option<String>, "POSITION", Always, place Words;
    /// Write the thermograph as SVG, or as TikZ if the name ends in .tex
    plot: Option<PathBuf>, "FILE", Always;
    /// Draw the position as SVG
    svg: Option<PathBuf>, "FILE", Always;
    /// Draw the position as TikZ, for \\input in a LaTeX document
    tikz: Option<PathBuf>, "FILE", Always;
    /// Say which moves are dominated or reversible, and which remain in the canonical form
    explain: bool, "", Always;
}

/// A value, or what was found about it in time.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum ValueReport {
    /// The value.
    Whole(Box<WholeValue>),
    /// Bounds, and who wins.
    Partial(PartialValue),
}

/// A value, and where it comes from.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct WholeValue {
    /// The game.
    pub game: &'static str,
    /// The position in full.
    pub position: String,
    /// Facts about the value.
    #[serde(flatten)]
    pub facts: ValueFacts,
    /// The independent components of the position.
    #[serde(rename = "regions")]
    pub components: Vec<ValuedComponent>,
    /// Left's moves.
    pub left_moves: Vec<ValuedMove>,
    /// Right's moves.
    pub right_moves: Vec<ValuedMove>,
    /// How the moves simplify to the canonical form, if wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explained>,
    /// A picture with the components, if the game has one.
    #[serde(skip)]
    pub(crate) picture: Option<Picture>,
}

/// An independent component of a position.
#[derive(Debug, Serialize)]
pub struct ValuedComponent {
    /// Where it is, if the game tells.
    pub at: String,
    /// The component.
    #[serde(rename = "region")]
    pub text: String,
    /// Its value.
    pub value: String,
}

/// A move and its value.
#[derive(Debug, Serialize)]
pub struct ValuedMove {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// The value of the position after it.
    pub value: String,
    /// It wins if its player begins.
    pub wins: bool,
    /// No other move is better, in whatever sum the position is a component.
    pub best: bool,
}

/// What was found when time or memory ran out.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct PartialValue {
    /// The game.
    pub game: &'static str,
    /// The position in full.
    pub position: String,
    /// Known if only the rest took too long.
    pub value: Option<String>,
    /// The value is at least this.
    pub lower_bound: Option<String>,
    /// The value is at most this.
    pub upper_bound: Option<String>,
    /// Whether Left wins if Left begins.
    pub left_wins_if_beginning: Option<bool>,
    /// Whether Right wins if Right begins.
    pub right_wins_if_beginning: Option<bool>,
    /// L, R, N or P.
    pub outcome: Option<char>,
    /// Why the result is partial.
    #[serde(skip)]
    pub(crate) failure: Option<Error>,
}

impl Report for ValueReport {
    fn failure(&self) -> Option<&Error> {
        match self {
            ValueReport::Whole(_) => None,
            ValueReport::Partial(partial) => partial.failure.as_ref(),
        }
    }
}

/// How to compute a value.
pub struct ValuePlan<'a> {
    pub(crate) style: Style,
    pub(crate) limits: &'a TheoryLimits,
    pub(crate) explain: bool,
}

/// Computes a value.
pub fn value(
    registry: &Registry,
    request: &Value,
    watch: &dyn Watch,
) -> Result<ValueReport, Error> {
    let (game, text) = crate::position_of(&request.game, &request.position)?;
    let entry = registry.entry(game)?;
    find_same([
        ("plot", request.plot.as_deref()),
        ("svg", request.svg.as_deref()),
        ("tikz", request.tikz.as_deref()),
    ])?;
    let plot = request.plot.as_deref().map(Plot::new).transpose()?;
    let svg = request.svg.as_deref().map(AtomicFile::new).transpose()?;
    let tikz = request.tikz.as_deref().map(AtomicFile::new).transpose()?;
    let report = deep(|| {
        if let Some(report) = entry.own_value(request, watch) {
            return report;
        }
        let (style, limits) = style_and_limits!(request, watch);
        let plan = ValuePlan { style, limits: &limits, explain: request.explain };
        entry.read(&text)?.value(&plan, watch)
    })?;
    if let ValueReport::Whole(whole) = &report {
        if let Some(plot) = plot {
            plot.write(&whole.position, &whole.facts.thermograph)?;
        }
        if svg.is_some() || tikz.is_some() {
            let picture = whole.picture.as_ref().ok_or_else(|| {
                let option = if request.svg.is_some() { "svg" } else { "tikz" };
                Error::option(option, format!("{} has no pictures", whole.game))
            })?;
            svg.map_or(Ok(()), |file| file.write(picture.svg().as_bytes()))?;
            tikz.map_or(Ok(()), |file| file.write(picture.tikz().as_bytes()))?;
        }
    }
    Ok(report)
}

/// The value of a position by its components and moves.
pub(crate) fn value_held<G: Registered>(
    held: &Held<G>,
    plan: &ValuePlan<'_>,
    watch: &dyn Watch,
) -> Result<ValueReport, Error> {
    if G::DRAWS {
        let why = if G::CYCLIC { "can go on for ever" } else { "has draws" };
        let problem = format!("{} {why}, so its positions have no such value", G::NAME);
        return Err(Error::option("game", problem));
    }
    let forms = plan.limits.forms()?;
    with_progress(watch, "positions", |progress| {
        let mut positions = Positions::new(&held.game, &held.kit.capabilities, &forms, progress);
        whole(held, plan, &forms, &mut positions)
    })
}

fn whole<G: Registered>(
    held: &Held<G>,
    plan: &ValuePlan<'_>,
    forms: &Forms,
    positions: &mut Positions<'_, G>,
) -> Result<ValueReport, Error> {
    let Held { kit, game, position } = held;
    let style = plan.style;
    let value = positions.value(position)?;
    let mut components = Vec::new();
    for component in kit.capabilities.components(game, position) {
        let value = style.write(forms, positions.value(&component)?)?;
        let text = game.write(&component);
        components.push(ValuedComponent { at: String::new(), text, value });
    }
    let mut options = Vec::new();
    for side in positions.moves(position)? {
        let mut values = Vec::new();
        for (mv, after) in side {
            values.push((game.write_move(position, &mv), positions.value(&after)?));
        }
        options.push(values);
    }
    let [left, right] = [&options[0][..], &options[1][..]];
    Ok(ValueReport::Whole(Box::new(WholeValue {
        game: G::NAME,
        position: game.write(position),
        facts: ValueFacts::new(forms, value, style)?,
        components,
        left_moves: moves(forms, left, true, style)?,
        right_moves: moves(forms, right, false, style)?,
        explanation: explanation(forms, [left, right], plan.explain, style)?,
        picture: kit.picture.map(|draw| draw(game, position)),
    })))
}

/// How the moves simplify to the canonical form, if wanted.
pub(crate) fn explanation(
    forms: &Forms,
    moves: [&[(String, GameValue)]; 2],
    is_wanted: bool,
    style: Style,
) -> Result<Option<Explained>, Halt> {
    if !is_wanted {
        return Ok(None);
    }
    let values = moves.map(|side| side.iter().map(|mv| mv.1).collect::<Vec<_>>());
    let names = moves.map(|side| side.iter().map(|mv| mv.0.clone()).collect::<Vec<_>>());
    Explained::new(forms, [&values[0], &values[1]], &names, style).map(Some)
}

/// The moves of a player with their values, the best first.
pub(crate) fn moves(
    forms: &Forms,
    values: &[(String, GameValue)],
    is_left: bool,
    style: Style,
) -> Result<Vec<ValuedMove>, Halt> {
    let no_better = |a: GameValue, b: GameValue| {
        if is_left { forms.is_at_most(a, b) } else { forms.is_at_most(b, a) }
    };
    let mut moves = Vec::new();
    for (text, value) in values {
        let mut best = true;
        for &(_, other) in values {
            best = best && (other == *value || !no_better(*value, other)?);
        }
        let wins = no_better(GameValue::ZERO, *value)?;
        let value = style.write(forms, *value)?;
        moves.push(ValuedMove { text: text.clone(), value, wins, best });
    }
    moves.sort_by_key(|mv| (!mv.wins, !mv.best));
    Ok(moves)
}
