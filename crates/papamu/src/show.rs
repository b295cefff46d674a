//! `show`: a position with its moves and symmetries.

use std::path::PathBuf;

use papamu_base::file::{AtomicFile, find_same};
use serde::Serialize;

use crate::report::Report;
use crate::request::request;
use crate::{Error, Registry, Watch};

request! {
    /// Draw a position and list its legal moves and symmetries
    Show, "show";
    /// Name of the game; `papamu games` lists them
    game: Option<String>, "GAME", Always, place Word;
    /// Position in the notation of the game; a board size such as 6x6 is the start
    position: Option<String>, "POSITION", Always, place Words;
    /// Draw the position as SVG
    svg: Option<PathBuf>, "FILE", Always;
    /// Draw the position as TikZ, for \input in a LaTeX document
    tikz: Option<PathBuf>, "FILE", Always;
}

/// A position.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct ShowReport {
    /// The game.
    pub game: &'static str,
    /// The position as it was given.
    pub position: String,
    /// The position in full.
    pub notation: String,
    /// The options of the rules.
    pub rules: String,
    /// Whose turn it is.
    pub to_move: &'static str,
    /// The value for the player to move, if the game is over.
    pub final_value: Option<String>,
    /// The legal moves.
    pub moves: Vec<String>,
    /// The symmetries of the board.
    pub symmetries: Vec<String>,
    /// Those that leave this position as it is.
    pub stabiliser: Vec<String>,
    /// How many different images the position has.
    pub images: u64,
    /// The canonical position, the same for all images.
    pub canonical: String,
    /// Its independent components.
    pub components: Vec<String>,
    /// An estimate of how well the player to move stands.
    pub evaluation: Option<f32>,
    /// A drawing for a terminal.
    pub drawing: String,
}

impl Report for ShowReport {}

/// Shows a position.
pub fn show(registry: &Registry, request: &Show, _: &dyn Watch) -> Result<ShowReport, Error> {
    let (game, text) = crate::position_of(&request.game, &request.position)?;
    let position = registry.read(game, &text)?;
    find_same([("svg", request.svg.as_deref()), ("tikz", request.tikz.as_deref())])?;
    let svg = request.svg.as_deref().map(AtomicFile::new).transpose()?;
    let tikz = request.tikz.as_deref().map(AtomicFile::new).transpose()?;
    if svg.is_some() || tikz.is_some() {
        let picture = position.picture().ok_or_else(|| {
            let option = if request.svg.is_some() { "svg" } else { "tikz" };
            Error::option(option, format!("{} has no pictures", position.game().name))
        })?;
        svg.map_or(Ok(()), |file| file.write(picture.svg().as_bytes()))?;
        tikz.map_or(Ok(()), |file| file.write(picture.tikz().as_bytes()))?;
    }
    let [symmetries, stabiliser] = position.symmetries();
    Ok(ShowReport {
        game: position.game().name,
        notation: position.write(),
        rules: position.rules(),
        to_move: position.mover_name(),
        final_value: position.final_value().map(|value| value.to_string()),
        moves: position.moves(),
        symmetries,
        stabiliser,
        images: position.images(),
        canonical: position.canonical().write(),
        components: position.components().iter().map(|component| component.write()).collect(),
        evaluation: position.evaluation(),
        drawing: position.draw(),
        position: text,
    })
}
