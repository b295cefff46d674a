//! `papamu states`: how many different positions there are at each ply.

use std::path::{Path, PathBuf};

use clap::Args;
use papamu_base::Progress;
use papamu_game::Game;
use papamu_game::states::{PlyCount, states};
use serde::Serialize;

use crate::failure::Failure;
use crate::memory::MemorySize;
use crate::output::{Output, Target as FileTarget, grouped};
use crate::plot::{self, Scale, Series};
use crate::progress::watch;
use crate::target::{PositionVerb, Subject, Target};

/// Count the positions that are new at each ply, with and without symmetry
#[derive(Args)]
#[command(after_help = "Examples:
  papamu states konane 5x5
  papamu states konane 8x8 --depth 10 --json
  papamu states konane 5x5 --plot states.svg")]
pub(crate) struct States {
    #[command(flatten)]
    target: Target,

    /// Last ply to count [default: until no position is new]
    #[arg(long, short)]
    depth: Option<u32>,

    /// Memory for the positions to remember
    #[arg(long, default_value = "4GiB", value_name = "SIZE")]
    memory: MemorySize,

    /// Draw the counts as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

#[derive(Serialize)]
struct Answer<'a> {
    game: &'a str,
    position: &'a str,
    plies: Vec<Ply>,
    total: Total,
}

#[derive(Clone, Copy, Serialize)]
struct Ply {
    ply: u32,
    unique: u64,
    unique_raw: u64,
}

#[derive(Serialize)]
struct Total {
    unique: u64,
    unique_raw: u64,
}

impl States {
    pub(crate) fn run(&self, answer: Option<&Path>, output: &mut Output) -> Result<(), Failure> {
        let plot = self.plot.as_deref().map(FileTarget::new).transpose()?;
        let answer = answer.map(FileTarget::new).transpose()?;
        if let (Some(plot), Some(answer)) = (&plot, &answer)
            && plot.is_same_as(answer)
        {
            return Err(Failure::Arguments("--plot and --output name the same file".to_owned()));
        }
        self.target.run(&Count { options: self, plot }, output)
    }
}

struct Count<'a> {
    options: &'a States,
    plot: Option<FileTarget>,
}

impl PositionVerb for Count<'_> {
    fn run<G: Game>(&self, subject: Subject<G>, output: &mut Output) -> Result<(), Failure> {
        let Subject { game, position, text } = &subject;
        let limit = self.options.memory.bytes();
        let progress = Progress::new();
        let mut plies = Vec::new();
        watch(output, "positions expanded", &progress, || {
            states(
                game,
                position,
                self.options.depth,
                limit,
                &progress,
                |PlyCount { ply, unique, unique_raw }| {
                    plies.push(Ply { ply, unique, unique_raw });
                },
            )
        })?;
        let total = Total {
            unique: plies.iter().map(|ply| ply.unique).sum(),
            unique_raw: plies.iter().map(|ply| ply.unique_raw).sum(),
        };
        let answer = Answer { game: G::NAME, position: text, plies, total };
        output.json(&answer)?;
        output.line(format!("{:>5} {:>20} {:>20}", "ply", "unique", "without symmetry"))?;
        let row = |name: String, unique, raw| {
            format!("{name:>5} {:>20} {:>20}", grouped(unique), grouped(raw))
        };
        for ply in &answer.plies {
            output.line(row(ply.ply.to_string(), ply.unique, ply.unique_raw))?;
        }
        output.line(row("total".to_owned(), answer.total.unique, answer.total.unique_raw))?;
        match &self.plot {
            Some(target) => draw(&answer, target),
            None => Ok(()),
        }
    }
}

/// The counterpart of figure 4.1 of B. Siefke's thesis.
fn draw(answer: &Answer, target: &FileTarget) -> Result<(), Failure> {
    let series = |label: &'static str, count: fn(&Ply) -> u64| Series {
        label,
        points: answer.plies.iter().map(|ply| (f64::from(ply.ply), count(ply) as f64)).collect(),
    };
    let svg = plot::lines(
        &format!("New positions of {} {} at each ply", answer.game, answer.position),
        "ply",
        "positions",
        Scale::Logarithmic,
        vec![
            series("with symmetry", |ply| ply.unique),
            series("without symmetry", |ply| ply.unique_raw),
        ],
    );
    target.write(svg.as_bytes())
}
