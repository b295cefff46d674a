//! `papamu build`: the value of every position of a board, or of those with few stones.

use std::path::{Path, PathBuf};
use std::time::Instant;

use bytesize::ByteSize;
use clap::Args;
use papamu_base::Progress;
use papamu_game::{Game, Player};
use papamu_games::Konane;
use papamu_tables::build::Plan;
use papamu_tables::directory::{TableError, partial_bytes};
use papamu_tables::shape::Shape;
use papamu_tables::squares::Squares;
use papamu_tables::{capped, complete};
use serde::Serialize;

use crate::failure::Failure;
use crate::memory::MemorySize;
use crate::output::{Output, grouped};
use crate::progress::watch;
use crate::signals::exit_on_signals;

/// Work out who wins every position of a board, reachable or not, with either side to move
///
/// The table is a directory that `probe`, `verify` and `solve --tables` read. A build that was
/// interrupted goes on after its last finished layer when it is started again. Boards that are too large
/// for all their positions can have a table of those with few stones.
#[derive(Args)]
#[command(after_help = "Examples:
  papamu build konane 5x5 --out tables/5x5
  papamu build konane 6x6 --out tables/6x6 --memory 6GiB --threads 2
  papamu build konane 7x7 --stones 8 --out tables/7x7-8
  papamu build konane 6x5                        only the counts, no table")]
pub(crate) struct Build {
    /// Name of the game: konane
    game: String,

    /// Board, such as 6x6
    board: String,

    /// Directory to make; without it nothing is kept but the counts
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Only the positions with at most N stones
    #[arg(long, value_name = "N", requires = "out", value_parser = clap::value_parser!(u32).range(1..=64))]
    stones: Option<u32>,

    /// Memory for the layers at work
    #[arg(long, default_value = "12GiB", value_name = "SIZE")]
    memory: MemorySize,

    /// Threads [default: all cores]
    #[arg(long, short, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

#[derive(Serialize)]
struct Answer<'a> {
    game: &'a str,
    board: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    stones: Option<u32>,
    positions: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    black_to_move_wins: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    white_to_move_wins: Option<u64>,
    resumed_layers: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    directory: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    directory_bytes: Option<u64>,
    memory_bytes: u64,
    seconds: f64,
}

impl Build {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let squares = squares(&self.game, &self.board)?;
        let name = board_name(squares.game());
        let task = self.task(&squares)?;
        let (shape, needs) = (&task.shape, task.memory_bytes());
        if needs > self.memory.bytes() as u64 {
            let (needs, has) = (ByteSize::b(needs), ByteSize::b(self.memory.bytes() as u64));
            let smaller = match self.stones {
                None => "; --stones N makes a table of the positions with few stones",
                Some(_) => "",
            };
            return Err(Failure::NeedsMemory(format!(
                "{} needs {needs} of memory to build, --memory is {has}{smaller}",
                task.name(&name)
            )));
        }
        if let Some(out) = &self.out {
            // A link that leads nowhere is in the way as well.
            if out.symlink_metadata().is_ok() {
                return Err(TableError::Exists { path: out.clone() }.into());
            }
            check_space(out, shape.disk_bytes().saturating_sub(partial_bytes(out)))?;
        }
        let pool = pool(self.threads)?;
        exit_on_signals(match self.out {
            Some(_) => "interrupted; the same command goes on after the last finished layer",
            None => "interrupted",
        });
        let started = Instant::now();
        let progress = Progress::new();
        let (wins, resumed_layers) = watch(output, task.unit(), &progress, || {
            pool.install(|| match (&task.plan, &self.out) {
                (Some(plan), out) => {
                    let built = complete::build(shape, plan, out.as_deref(), &progress)?;
                    let wins = (built.resumed_layers == 0).then_some(built.wins);
                    Ok::<_, Failure>((wins, built.resumed_layers))
                }
                (None, Some(out)) => Ok((None, capped::build(shape, out, &progress)?)),
                (None, None) => Ok((None, 0)),
            })
        })?;
        let wins = |player: Player| wins.map(|wins| wins[player.index()]);
        let title = task.name(&name);
        let answer = Answer {
            game: Konane::NAME,
            board: name,
            stones: self.stones.map(|_| shape.most_stones()),
            positions: shape.positions(),
            black_to_move_wins: wins(Player::First),
            white_to_move_wins: wins(Player::Second),
            resumed_layers,
            directory: self.out.as_ref().map(|out| out.display().to_string()),
            directory_bytes: self.out.is_some().then(|| shape.disk_bytes()),
            memory_bytes: needs,
            seconds: started.elapsed().as_secs_f64(),
        };
        output.json(&answer)?;
        output.line(format!(
            "{} positions of {title} solved in {:.1} s",
            grouped(answer.positions),
            answer.seconds
        ))?;
        for (player, wins) in
            [("black", answer.black_to_move_wins), ("white", answer.white_to_move_wins)]
        {
            if let Some(wins) = wins {
                let share = wins as f64 / (answer.positions / 2) as f64 * 100.0;
                output.line(format!("{player} to move wins  {} ({share:.2} %)", grouped(wins)))?;
            }
        }
        if resumed_layers > 0 {
            output.line(format!(
                "the first {resumed_layers} layers were there already; wins are counted in one go only"
            ))?;
        }
        if let (Some(directory), Some(bytes)) = (&answer.directory, answer.directory_bytes) {
            output.line(format!("table             {directory}, {}", ByteSize::b(bytes)))?;
        }
        Ok(())
    }
}

/// What is to be built.
struct Task<'a> {
    shape: Shape,
    /// Of a complete table.
    plan: Option<Plan<'a>>,
}

impl Task<'_> {
    fn memory_bytes(&self) -> u64 {
        match &self.plan {
            Some(plan) => plan.memory_bytes(),
            None => capped::memory_bytes(&self.shape),
        }
    }

    /// What its progress is counted in.
    fn unit(&self) -> &'static str {
        match self.plan {
            Some(_) => "rows",
            None => "entries",
        }
    }

    fn name(&self, board: &str) -> String {
        match self.plan {
            Some(_) => format!("konane {board}"),
            None => format!("konane {board} with up to {} stones", self.shape.most_stones()),
        }
    }
}

impl Build {
    fn task<'a>(&self, squares: &'a Squares) -> Result<Task<'a>, Failure> {
        match self.stones {
            Some(stones) => Ok(Task { shape: Shape::capped(squares, stones), plan: None }),
            None => {
                let plan = Some(plan(squares)?);
                let shape = Shape::complete(squares).ok_or_else(|| too_large(squares.game()))?;
                Ok(Task { shape, plan })
            }
        }
    }
}

/// The numbered squares of a board of a game that has strong tables.
pub(crate) fn squares(game: &str, board: &str) -> Result<Squares, Failure> {
    let game = konane_board(game, board)?;
    Squares::new(&game).ok_or_else(|| too_large(&game))
}

/// A board as users write it.
pub(crate) fn board_name(game: &Konane) -> String {
    format!("{}x{}", game.board().rows, game.board().cols)
}

/// How the board is solved.
pub(crate) fn plan(squares: &Squares) -> Result<Plan<'_>, Failure> {
    Plan::new(squares).ok_or_else(|| too_large(squares.game()))
}

fn too_large(game: &Konane) -> Failure {
    let name = board_name(game);
    let bits = game.board().squares.count_ones() + 1;
    Failure::Arguments(format!(
        "konane {name} has 2^{bits} positions, far beyond any memory; boards of up to 36 squares are not, and `papamu build --stones N` makes tables of the positions with few stones"
    ))
}

/// So many threads, or one for every core.
pub(crate) fn pool(threads: Option<u16>) -> Result<rayon::ThreadPool, Failure> {
    // More threads than cores only get in each other's way.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.map_or(cores, |threads| usize::from(threads).min(cores));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Failure::Arguments(format!("cannot start threads: {error}")))
}

fn konane_board(name: &str, board: &str) -> Result<Konane, Failure> {
    if name != Konane::NAME {
        papamu_games::visit(name, Known)?;
        return Err(Failure::Arguments(format!(
            "there are strong tables of konane, not of {name}"
        )));
    }
    let (game, position) = Konane::read(board)?;
    if position != game.start() {
        let message = "a table is built for a board, such as 6x6, not for a position";
        return Err(Failure::Arguments(message.to_owned()));
    }
    Ok(game)
}

/// A game that exists.
struct Known;

impl papamu_games::Visitor for Known {
    type Output = ();

    fn visit<G: Game>(self) {}
}

/// Refuses a table that does not fit on the disk.
fn check_space(out: &Path, needs: u64) -> Result<(), Failure> {
    // Directories that are not there yet are made with the table.
    let above = out.ancestors().skip(1).map(|path| match path.as_os_str().is_empty() {
        true => Path::new("."),
        false => path,
    });
    let parent = above.into_iter().find(|path| path.exists()).unwrap_or(Path::new("."));
    let free = fs4::available_space(parent)
        .map_err(|error| Failure::file("make the table in", parent, error))?;
    if needs > free {
        let (needs, free) = (ByteSize::b(needs), ByteSize::b(free));
        let error = std::io::Error::other(format!("it needs {needs}, the disk has {free} left"));
        return Err(Failure::file("make the table", out, error));
    }
    Ok(())
}
