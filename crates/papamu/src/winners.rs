//! `winners`: who wins on which board.

use std::path::PathBuf;

use papamu_base::file::AtomicFile;
use papamu_game::notation::read_size;
use serde::Serialize;

use crate::report::Report;
use crate::request::{Readable, Request};
use crate::search_options::{search_options, searching_request};
use crate::solve::{SolvePlan, winner};
use crate::{Error, Registry, Watch};

searching_request! {
    /// Solve the start position of every board up to a size
    Winners, "winners",
        details "Published results are printed beside, where there are any.";
    /// Name of the game; `papamu games` lists them
    game: Option<String>, "GAME", Always, place Word;
    /// The largest board: rows x columns
    max: Option<BoardSize>, "SIZE", Always, default BoardSize { rows: 6, cols: 6 };
    /// Draw the grid as SVG
    plot: Option<PathBuf>, "FILE", Always;
}

/// The size of a board, written `6x6`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardSize {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub cols: usize,
}

impl std::fmt::Display for BoardSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

impl Readable for BoardSize {
    fn read(text: &str) -> Result<BoardSize, String> {
        let size = read_size(text).filter(|&(rows, cols)| rows.max(cols) <= 64);
        let (rows, cols) = size.ok_or("a size is rows x columns, such as 6x6")?;
        Ok(BoardSize { rows, cols })
    }
}

/// Who wins on which board.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct WinnersReport {
    /// The game.
    pub game: &'static str,
    /// Row by row.
    pub boards: Vec<WinnersBoard>,
    /// Boards whose winner is not the published one.
    pub disagreements: usize,
    /// The largest board that was asked for.
    #[serde(skip)]
    pub max: BoardSize,
    #[serde(skip)]
    failure: Option<Error>,
}

/// Who wins on a board.
#[derive(Debug, Serialize)]
pub struct WinnersBoard {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub cols: usize,
    /// Nobody if it is a draw.
    pub winner: Option<&'static str>,
    /// The published winner.
    pub published: Option<&'static str>,
    /// Positions evaluated.
    pub nodes: u64,
    /// Time.
    pub seconds: f64,
}

impl Report for WinnersReport {
    fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }
}

/// Solves all boards.
pub fn winners(
    registry: &Registry,
    request: &Winners,
    watch: &dyn Watch,
) -> Result<WinnersReport, Error> {
    let game = request.game.as_deref().ok_or(Error::Missing { option: "game" })?;
    let entry = registry.entry(game)?;
    let plot = request.plot.as_deref().map(AtomicFile::new).transpose()?;
    let max = request.max();
    let plan = SolvePlan {
        check: &|search| request.check_applies(search),
        ..SolvePlan::new(search_options!(request))
    };
    let mut boards = Vec::new();
    for (rows, cols) in (1..=max.rows).flat_map(|r| (1..=max.cols).map(move |c| (r, c))) {
        let start = format!("{rows}x{cols}");
        let Ok(position) = entry.read(&start) else { continue };
        let solved = position.solve(&plan, watch)?;
        let published = entry.published().and_then(|published| published.winner(&start));
        boards.push(WinnersBoard {
            rows,
            cols,
            winner: winner(&*position, solved.value()),
            published: published.map(|player| entry.info().players[player.index()]),
            nodes: solved.nodes,
            seconds: solved.seconds,
        });
    }
    if boards.is_empty() {
        let problem = format!("{game} has no board up to {max}");
        return Err(Error::option("max", problem));
    }
    let disagrees =
        |board: &&WinnersBoard| board.published.is_some() && board.published != board.winner;
    let disagreements = boards.iter().filter(disagrees).count();
    let failure = (disagreements > 0)
        .then(|| Error::Check(format!("{disagreements} winners are not the published ones")));
    let report = WinnersReport { game: entry.info().name, boards, disagreements, max, failure };
    if let Some(file) = plot {
        file.write(grid_svg(&report, entry.info().players).as_bytes())?;
    }
    Ok(report)
}

/// The grid of figure 4.3 of B. Siefke's thesis: black squares for the first player, white ones for
/// the second, grey for draws.
fn grid_svg(report: &WinnersReport, players: [&'static str; 2]) -> String {
    const CELL: usize = 28;
    let rows = report.boards.iter().map(|board| board.rows).max().unwrap_or(0);
    let cols = report.boards.iter().map(|board| board.cols).max().unwrap_or(0);
    let (width, height) = ((cols + 2) * CELL, (rows + 2) * CELL);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#f4f1ea\"/>\n"
    );
    let text = |x: usize, y: usize, label: usize| {
        format!("<text x=\"{}\" y=\"{}\">{label}</text>\n", x + CELL / 2, y + CELL * 2 / 3)
    };
    svg.extend((1..=cols).map(|col| text(col * CELL, 0, col)));
    svg.extend((1..=rows).map(|row| text(0, row * CELL, row)));
    for WinnersBoard { rows, cols, winner, .. } in &report.boards {
        let fill = match winner {
            Some(winner) if *winner == players[0] => "#222",
            Some(_) => "#fff",
            None => "#999",
        };
        let (x, y, size) = (cols * CELL + 1, rows * CELL + 1, CELL - 2);
        let name = winner.unwrap_or("draw");
        svg += &format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" fill=\"{fill}\" \
             stroke=\"#222\"><title>{rows}x{cols}: {name}</title></rect>\n"
        );
    }
    svg + "</svg>\n"
}
