//! `papamu stats`: the reachable positions of a board with their values.

use std::path::PathBuf;
use std::time::Instant;

use bytesize::ByteSize;
use clap::Args;
use papamu_base::Progress;
use papamu_game::Game;
use papamu_games::Konane;
use papamu_games::konane::published::{StateSpace, state_space};
use papamu_tables::stats::{self, PlyStats};
use serde::Serialize;

use crate::build::{board_name, plan, pool, squares};
use crate::failure::Failure;
use crate::memory::MemorySize;
use crate::output::{Output, grouped};
use crate::plot::{self, Scale, Series};
use crate::progress::watch;
use crate::signals::exit_on_signals;

/// Count the reachable positions of a board ply by ply, up to symmetry, with their values
///
/// A position counts at the first ply at which it is reached. Where the thesis of B. Siefke (2025)
/// has figures, they are printed beside.
#[derive(Args)]
#[command(after_help = "Examples:
  papamu stats konane 5x5
  papamu stats konane 6x5 --json
  papamu stats konane 6x6 --memory 18GiB --plot plots")]
pub(crate) struct Stats {
    /// Name of the game: konane
    game: String,

    /// Board, such as 6x5
    board: String,

    /// Memory for the positions
    #[arg(long, default_value = "12GiB", value_name = "SIZE")]
    memory: MemorySize,

    /// Threads [default: all cores]
    #[arg(long, short, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Draw `states.svg` and `values.svg` into this directory
    #[arg(long, value_name = "DIR")]
    plot: Option<PathBuf>,
}

#[derive(Serialize)]
struct Answer {
    game: &'static str,
    board: String,
    plies: Vec<Ply>,
    total: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    published_total: Option<Counts>,
    /// Plies whose figures are not the published ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    differing_plies: Option<Vec<u32>>,
    seconds: f64,
}

#[derive(Serialize)]
struct Ply {
    ply: u32,
    #[serde(flatten)]
    counts: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    published: Option<Counts>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize)]
struct Counts {
    unique: u64,
    black_wins: u64,
    white_wins: u64,
    terminals: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique_raw: Option<u64>,
}

impl Counts {
    fn add(self, other: Counts) -> Counts {
        Counts {
            unique: self.unique + other.unique,
            black_wins: self.black_wins + other.black_wins,
            white_wins: self.white_wins + other.white_wins,
            terminals: self.terminals + other.terminals,
            unique_raw: match (self.unique_raw, other.unique_raw) {
                (None, None) => None,
                (a, b) => Some(a.unwrap_or(0) + b.unwrap_or(0)),
            },
        }
    }

    /// Whether what the thesis prints is the same.
    fn agrees(self, published: Counts) -> bool {
        Counts { unique_raw: None, ..self } == published
    }
}

impl From<&PlyStats> for Counts {
    fn from(stats: &PlyStats) -> Counts {
        Counts {
            unique: stats.unique,
            black_wins: stats.black_wins,
            white_wins: stats.white_wins,
            terminals: stats.terminals,
            unique_raw: Some(stats.unique_raw),
        }
    }
}

impl From<&StateSpace> for Counts {
    fn from(stats: &StateSpace) -> Counts {
        Counts {
            unique: stats.unique,
            black_wins: stats.black_wins,
            white_wins: stats.white_wins,
            terminals: stats.terminals,
            unique_raw: None,
        }
    }
}

impl Stats {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let squares = squares(&self.game, &self.board)?;
        let name = board_name(squares.game());
        let plan = plan(&squares)?;
        let needs = stats::memory_bytes(&squares, &plan)?;
        if needs > self.memory.bytes() as u64 {
            return Err(Failure::NeedsMemory(format!(
                "the positions of konane {name} need {} of memory; give more with --memory",
                ByteSize::b(needs)
            )));
        }
        let names = ["states.svg", "values.svg"];
        let plots = self.plot.as_deref().map(|directory| plot::files(directory, names));
        let plots = plots.transpose()?;
        let pool = pool(self.threads)?;
        exit_on_signals("interrupted");
        let started = Instant::now();
        let progress = Progress::new();
        let plies = watch(output, "rows", &progress, || {
            pool.install(|| stats::stats(&squares, &plan, &progress))
        })?;
        let board = squares.game().board();
        let published = state_space(board.rows, board.cols);
        let known = !published.is_empty();
        let published_of = |ply: u32| published.iter().find(|of| of.ply == ply).map(Counts::from);
        let plies: Vec<Ply> = plies
            .iter()
            .map(|stats| Ply {
                ply: stats.ply,
                counts: Counts::from(stats),
                published: published_of(stats.ply),
            })
            .collect();
        let differs =
            |ply: &&Ply| ply.published.is_none_or(|published| !ply.counts.agrees(published));
        let answer = Answer {
            game: Konane::NAME,
            board: name,
            total: plies.iter().fold(Counts::default(), |sum, ply| sum.add(ply.counts)),
            published_total: known.then(|| {
                published.iter().fold(Counts::default(), |sum, of| sum.add(Counts::from(of)))
            }),
            differing_plies: known
                .then(|| plies.iter().filter(differs).map(|ply| ply.ply).collect()),
            plies,
            seconds: started.elapsed().as_secs_f64(),
        };
        output.json(&answer)?;
        print(&answer, output)?;
        if let Some([states, values]) = plots {
            states.write(draw_states(&answer).as_bytes())?;
            values.write(draw_values(&answer).as_bytes())?;
        }
        Ok(())
    }
}

fn print(answer: &Answer, output: &mut Output) -> Result<(), Failure> {
    output.line(format!(
        "{:>5} {:>14} {:>14} {:>14} {:>12} {:>16}",
        "ply", "unique", "black wins", "white wins", "terminals", "without symmetry"
    ))?;
    let row = |name: &str, counts: &Counts| {
        format!(
            "{name:>5} {:>14} {:>14} {:>14} {:>12} {:>16}",
            grouped(counts.unique),
            grouped(counts.black_wins),
            grouped(counts.white_wins),
            grouped(counts.terminals),
            counts.unique_raw.map_or(String::new(), grouped),
        )
    };
    for ply in &answer.plies {
        output.line(row(&ply.ply.to_string(), &ply.counts))?;
        if let Some(published) = ply.published.filter(|&published| !ply.counts.agrees(published)) {
            output.line(row("thes.", &published))?;
        }
    }
    let total = &answer.total;
    output.line(row("total", total))?;
    let share = |part: u64| format!("{:.2} %", part as f64 / total.unique as f64 * 100.0);
    output.line(format!(
        "{:>5} {:>14} {:>14} {:>14} {:>12}",
        "",
        "",
        share(total.black_wins),
        share(total.white_wins),
        share(total.terminals)
    ))?;
    match &answer.differing_plies {
        None => Ok(()),
        Some(plies) if plies.is_empty() => {
            output.line("every figure is the published one (B. Siefke 2025, appendix A)")
        }
        Some(plies) => output.line(format!("{} plies differ from the published ones", plies.len())),
    }
}

/// A number for each ply.
fn series(answer: &Answer, label: &'static str, number: impl Fn(&Counts) -> f64) -> Series {
    let points = answer.plies.iter().map(|ply| (f64::from(ply.ply), number(&ply.counts)));
    Series { label, points: points.collect() }
}

/// The counterpart of figure 4.1 of the thesis.
fn draw_states(answer: &Answer) -> String {
    plot::lines(
        &format!("Positions of {} {} first reached at each ply", answer.game, answer.board),
        "ply",
        "positions",
        Scale::Logarithmic,
        vec![
            series(answer, "up to symmetry", |counts| counts.unique as f64),
            series(answer, "all", |counts| counts.unique_raw.unwrap_or(0) as f64),
        ],
    )
}

/// How the values change in the course of the game.
fn draw_values(answer: &Answer) -> String {
    let share = |label: &'static str, part: fn(&Counts) -> u64| {
        series(answer, label, move |counts| part(counts) as f64 / counts.unique as f64 * 100.0)
    };
    plot::lines(
        &format!("Values of the positions of {} {}", answer.game, answer.board),
        "ply",
        "% of the positions",
        Scale::Linear,
        vec![
            share("Black wins", |counts| counts.black_wins),
            share("White wins", |counts| counts.white_wins),
            share("without a move", |counts| counts.terminals),
        ],
    )
}
