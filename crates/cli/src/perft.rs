//! `papamu perft`: how many sequences of moves there are.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use papamu_game::perft::{self, MAX_DEPTH};
use papamu_game::{Game, Progress};
use papamu_games::Visitor;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{Output, grouped};
use crate::progress::watch;
use crate::target::Subject;

/// Count the sequences of moves from a position, depth by depth
#[derive(Args)]
#[command(after_help = "Examples:
  papamu perft konane 8x8 --depth 10
  papamu perft konane 8x8 --depth 12 --threads 2 --json
  papamu perft konane 6x6 --depth 6 --divide
  papamu perft konane --check data/perft/konane.perft")]
pub(crate) struct Perft {
    /// Name of the game; `papamu games` lists them
    game: String,

    /// Position in the notation of the game; a board size such as 6x6 is the start
    #[arg(required_unless_present = "check", num_args = 1..)]
    position: Vec<String>,

    /// Length of the longest sequences
    #[arg(long, short, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: u32,

    /// Threads to count with
    #[arg(long, short, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Count the sequences that begin with each move, too
    #[arg(long, conflicts_with = "check")]
    divide: bool,

    /// Compare with the counts of a perft file (`position TEXT` and `perft DEPTH COUNT` lines)
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    check: Option<PathBuf>,
}

#[derive(Serialize)]
struct Answer<'a> {
    game: &'a str,
    position: &'a str,
    /// Sequences of length 1, 2, ...
    counts: Vec<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    divide: Vec<Divided>,
    threads: u16,
    seconds: f64,
    leaves_per_second: f64,
}

#[derive(Serialize)]
struct Divided {
    #[serde(rename = "move")]
    mv: String,
    count: u64,
}

#[derive(Serialize)]
struct Checked<'a> {
    game: &'a str,
    file: String,
    positions: usize,
    counts: usize,
    mismatches: Vec<String>,
}

impl Perft {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        papamu_games::visit(&self.game, Visit { verb: self, output })?
    }

    fn count<G: Game>(&self, output: &mut Output) -> Result<(), Failure> {
        let subject = Subject::<G>::read(self.position.join(" ").trim())?;
        let Subject { game, position, text } = &subject;
        let progress = Progress::new();
        let threads = usize::from(self.threads);
        let started = Instant::now();
        let (divide, counts) = watch(output, "subtrees", &progress, || {
            let divide = if self.divide { self.divide(&subject, &progress) } else { Vec::new() };
            (divide, perft::perft(game, position, self.depth, threads, &progress))
        });
        let seconds = started.elapsed().as_secs_f64();
        let leaves = counts.last().copied().unwrap_or(0);
        let answer = Answer {
            game: G::NAME,
            position: text,
            counts,
            divide,
            threads: self.threads,
            seconds,
            leaves_per_second: leaves as f64 / seconds,
        };
        output.json(&answer)?;
        for Divided { mv, count } in &answer.divide {
            output.line(format!("{mv:>8} {:>20}", grouped(*count)))?;
        }
        output.line(format!("{:>8} {:>20}", "depth", "sequences"))?;
        for (depth, &count) in (1..).zip(&answer.counts) {
            output.line(format!("{depth:>8} {:>20}", grouped(count)))?;
        }
        let rate = answer.leaves_per_second / 1e6;
        output.line(format!("{seconds:.3} s, {rate:.1} million leaves per second"))
    }

    /// The sequences of full length that begin with each move.
    fn divide<G: Game>(&self, subject: &Subject<G>, progress: &Progress) -> Vec<Divided> {
        let Subject { game, position, .. } = subject;
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let count = |mv: &G::Move| {
            let mut child = position.clone();
            game.play(&mut child, mv);
            let below = perft::perft(game, &child, self.depth - 1, self.threads.into(), progress);
            Divided { mv: game.write_move(position, mv), count: below.last().copied().unwrap_or(1) }
        };
        moves.iter().map(count).collect()
    }

    fn check<G: Game>(&self, path: &PathBuf, output: &mut Output) -> Result<(), Failure> {
        let text =
            std::fs::read_to_string(path).map_err(|error| Failure::file("read", path, error))?;
        let records = perft::read_file(&text)
            .map_err(|error| Failure::PerftFile { path: path.clone(), error })?;
        let mut answer = Checked {
            game: G::NAME,
            file: path.display().to_string(),
            positions: records.len(),
            counts: 0,
            mismatches: Vec::new(),
        };
        let progress = Progress::new();
        for record in records {
            let checked = watch(output, "subtrees", &progress, || {
                record.check::<G>(MAX_DEPTH, self.threads.into(), &progress)
            });
            let (compared, mismatches) = checked?;
            answer.counts += compared;
            answer.mismatches.extend(mismatches.iter().map(ToString::to_string));
        }
        output.json(&answer)?;
        for mismatch in &answer.mismatches {
            output.line(mismatch)?;
        }
        let Checked { positions, counts, .. } = answer;
        match answer.mismatches.len() {
            0 => output.line(format!("all {counts} counts of {positions} positions agree")),
            wrong => Err(Failure::Check(format!("{wrong} of {counts} counts disagree"))),
        }
    }
}

struct Visit<'a> {
    verb: &'a Perft,
    output: &'a mut Output,
}

impl Visitor for Visit<'_> {
    type Output = Result<(), Failure>;

    fn visit<G: Game>(self) -> Result<(), Failure> {
        match &self.verb.check {
            Some(path) => self.verb.check::<G>(path, self.output),
            None => self.verb.count::<G>(self.output),
        }
    }
}
