//! `papamu perft`: how many sequences of moves there are.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use papamu_base::Progress;
use papamu_game::Game;
use papamu_game::perft::{self, MAX_DEPTH};
use papamu_games::Visitor;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{Output, grouped};
use crate::progress::watch;
use crate::target::Subject;

const DEFAULT_DEPTH: u32 = 6;

/// Count the sequences of moves from a position, depth by depth
#[derive(Args)]
#[command(after_help = "Examples:
  papamu perft konane 8x8 --depth 10
  papamu perft konane 8x8 --depth 12 --threads 2 --json
  papamu perft konane 6x6 --depth 6 --divide
  papamu perft konane --check data/perft/konane.perft --depth 10")]
pub(crate) struct Perft {
    /// Name of the game; `papamu games` lists them
    game: String,

    /// Position in the notation of the game; a board size such as 6x6 is the start
    #[arg(required_unless_present = "check", num_args = 1..)]
    position: Vec<String>,

    /// Length of the longest sequences [default: 6, or all with --check]
    #[arg(long, short, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,

    /// Threads to count with
    #[arg(long, short, default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
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
        let depth = self.depth.unwrap_or(DEFAULT_DEPTH);
        let progress = Progress::new();
        let started = Instant::now();
        let (counts, divide) = watch(output, "subtrees", &progress, || {
            if self.divide {
                self.divide(&subject, depth, &progress)
            } else {
                let Subject { game, position, .. } = &subject;
                (perft::perft(game, position, depth, self.threads.into(), &progress), Vec::new())
            }
        });
        let seconds = started.elapsed().as_secs_f64();
        let leaves = counts.last().copied().unwrap_or(0);
        let answer = Answer {
            game: G::NAME,
            position: &subject.text,
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

    /// The counts, and the sequences of full length that begin with each move.
    fn divide<G: Game>(
        &self,
        subject: &Subject<G>,
        depth: u32,
        progress: &Progress,
    ) -> (Vec<u64>, Vec<Divided>) {
        let Subject { game, position, .. } = subject;
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let mut counts = vec![0; depth as usize];
        counts[0] = moves.len() as u64;
        let mut divided = Vec::new();
        for mv in &moves {
            let mut child = position.clone();
            game.play(&mut child, mv);
            let below = perft::perft(game, &child, depth - 1, self.threads.into(), progress);
            for (count, below) in counts[1..].iter_mut().zip(&below) {
                *count += below;
            }
            let count = below.last().copied().unwrap_or(1);
            divided.push(Divided { mv: game.write_move(position, mv), count });
        }
        (counts, divided)
    }

    fn check<G: Game>(&self, path: &Path, output: &mut Output) -> Result<(), Failure> {
        let text =
            std::fs::read_to_string(path).map_err(|error| Failure::file("read", path, error))?;
        let records = perft::read_file(&text)
            .map_err(|error| Failure::PerftFile { path: path.to_owned(), error })?;
        let read = |record: perft::Record| match record.read::<G>() {
            Ok((game, position)) => Ok((record, game, position)),
            Err(error) => {
                Err(Failure::PerftPosition { path: path.to_owned(), line: record.line, error })
            }
        };
        let records = records.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let progress = Progress::new();
        let max_depth = self.depth.unwrap_or(MAX_DEPTH);
        let checked: Vec<(usize, Vec<perft::Mismatch>)> =
            watch(output, "subtrees", &progress, || {
                let check = |(record, game, position): &(perft::Record, G, G::Position)| {
                    record.check(game, position, max_depth, self.threads.into(), &progress)
                };
                records.iter().map(check).collect()
            });
        let mismatches = checked.iter().flat_map(|(_, mismatches)| mismatches);
        let answer = Checked {
            game: G::NAME,
            file: path.display().to_string(),
            positions: records.len(),
            counts: checked.iter().map(|(counts, _)| counts).sum(),
            mismatches: mismatches.map(ToString::to_string).collect(),
        };
        let Checked { positions, counts, .. } = answer;
        if counts == 0 {
            let path = path.display();
            return Err(Failure::Arguments(format!("`{path}` has no counts of that depth")));
        }
        output.json(&answer)?;
        for mismatch in &answer.mismatches {
            output.line(mismatch)?;
        }
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
