//! `papamu winners`: who wins on which board.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use papamu_game::notation::read_size;
use papamu_game::{Game, Player};
use papamu_games::Visitor;
use papamu_games::konane::{Konane, published};
use papamu_search::solver::{self, Algorithm, Helpers};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{Output, Target};
use crate::search_display::watch_search;
use crate::search_options::SearchOptions;
use crate::signals::stoppable_monitor;
use crate::solve::winner;

/// Solve the start position of every board up to a size
///
/// Konane has published results for boards up to 7x7, which are printed beside.
#[derive(Args)]
#[command(after_help = "Examples:
  papamu winners konane --max 6x6 --plot winners.svg
  papamu winners konane --max 1x30")]
pub(crate) struct Winners {
    /// Name of the game; `papamu games` lists them
    game: String,

    /// The largest board: rows x columns
    #[arg(long, default_value = "6x6", value_name = "SIZE", value_parser = size)]
    max: (usize, usize),

    #[command(flatten)]
    search: SearchOptions,

    /// Draw the grid as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

fn size(text: &str) -> Result<(usize, usize), &'static str> {
    read_size(text)
        .filter(|&(rows, cols)| rows.max(cols) <= 64)
        .ok_or("a size is rows x columns, such as 6x6")
}

#[derive(Serialize)]
struct Answer {
    game: &'static str,
    boards: Vec<Board>,
    /// Boards whose winner is not the published one.
    disagreements: usize,
}

#[derive(Serialize)]
struct Board {
    rows: usize,
    cols: usize,
    winner: Option<&'static str>,
    published: Option<&'static str>,
    nodes: u64,
    seconds: f64,
}

impl Winners {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        papamu_games::visit(&self.game, Visit { verb: self, output })?
    }

    fn solve_all<G: Game>(&self, output: &mut Output) -> Result<(), Failure> {
        let plot = self.plot.as_deref().map(Target::new).transpose()?;
        let algorithm = self.search.algorithm().unwrap_or(Algorithm::DfPn);
        let options = self.search.options();
        let mut boards = Vec::new();
        for (rows, cols) in (1..=self.max.0).flat_map(|r| (1..=self.max.1).map(move |c| (r, c))) {
            let Ok((game, start)) = G::read(&format!("{rows}x{cols}")) else {
                continue;
            };
            let monitor = stoppable_monitor();
            let started = Instant::now();
            let (solution, _) = watch_search(output, &monitor, None, || {
                let helpers = Helpers::default();
                solver::solve(&game, &start, algorithm, &options, &helpers, &monitor)
            });
            let solution = solution.map_err(Failure::without_checkpoint)?;
            let is_konane = G::NAME == Konane::NAME;
            let published = is_konane.then(|| published::winner(rows, cols)).flatten();
            boards.push(Board {
                rows,
                cols,
                winner: winner(&game, &start, solution.value),
                published: published.map(|player: Player| G::PLAYERS[player.index()]),
                nodes: solution.nodes,
                seconds: started.elapsed().as_secs_f64(),
            });
        }
        if boards.is_empty() {
            let (rows, cols) = self.max;
            let problem = format!("{} has no board up to {rows}x{cols}", G::NAME);
            return Err(Failure::Arguments(problem));
        }
        let disagrees =
            |board: &&Board| board.published.is_some() && board.published != board.winner;
        let disagreements = boards.iter().filter(disagrees).count();
        let answer = Answer { game: G::NAME, boards, disagreements };
        output.json(&answer)?;
        self.print_grid(&answer, output)?;
        if let Some(target) = plot {
            target.write(grid_svg(&answer).as_bytes())?;
        }
        match answer.disagreements {
            0 => Ok(()),
            n => Err(Failure::Check(format!("{n} winners are not the published ones"))),
        }
    }

    /// One letter per board, upper case where the published winner is the same.
    fn print_grid(&self, answer: &Answer, output: &mut Output) -> Result<(), Failure> {
        let (rows, cols) = self.max;
        let header: String = (1..=cols).map(|col| format!("{col:>3}")).collect();
        output.line(format!("   {header}"))?;
        for row in 1..=rows {
            let cell = |col: usize| {
                let board = answer.boards.iter().find(|b| (b.rows, b.cols) == (row, col))?;
                let letter = board.winner.and_then(|name| name.chars().next()).unwrap_or('=');
                let agrees = board.published == board.winner;
                Some(if agrees { letter.to_ascii_uppercase() } else { letter })
            };
            let line: String =
                (1..=cols).map(|col| format!("{:>3}", cell(col).unwrap_or(' '))).collect();
            output.line(format!("{row:>3}{line}"))?;
        }
        let published = answer.boards.iter().filter(|board| board.published.is_some()).count();
        let seconds: f64 = answer.boards.iter().map(|board| board.seconds).sum();
        output.line(format!(
            "{} boards in {seconds:.1} s; {published} have a published winner (capital letters), {} differ",
            answer.boards.len(),
            answer.disagreements
        ))
    }
}

/// The grid of figure 4.3 of the thesis: black and white squares, grey for draws.
fn grid_svg(answer: &Answer) -> String {
    const CELL: usize = 28;
    let rows = answer.boards.iter().map(|board| board.rows).max().unwrap_or(0);
    let cols = answer.boards.iter().map(|board| board.cols).max().unwrap_or(0);
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
    for Board { rows, cols, winner, .. } in &answer.boards {
        let fill = match winner {
            Some("black") => "#222",
            Some("white") => "#fff",
            _ => "#999",
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

struct Visit<'a> {
    verb: &'a Winners,
    output: &'a mut Output,
}

impl Visitor for Visit<'_> {
    type Output = Result<(), Failure>;

    fn visit<G: Game>(self) -> Result<(), Failure> {
        self.verb.solve_all::<G>(self.output)
    }
}
