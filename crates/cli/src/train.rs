//! `papamu train`: weights of the learned evaluation, from tables and searches.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use clap::Args;
use papamu_base::Progress;
use papamu_game::{Question, Value};
use papamu_games::Konane;
use papamu_games::konane::Position;
use papamu_search::init::Init;
use papamu_search::problem::{Oracle, Problem};
use papamu_search::run::{Monitor, Options, Store};
use papamu_search::solver::Algorithm;
use papamu_tables::shape::Layout;
use papamu_tables::table::Table;
use papamu_tables::train::Samples;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{Output, Target, grouped};
use crate::progress::watch;
use crate::search_display::watch_search;
use crate::signals::exit_on_signals;

/// Learn to evaluate Konane from strong tables
///
/// The positions come from random games and from the searches of the start, their winners from the table.
/// The program comes with weights made in this way (data/konane/windows.bin); new ones take their place when
/// it is built again.
#[derive(Args)]
#[command(after_help = "Examples:
  papamu build konane 6x6 --out tables/6x6
  papamu train --tables tables/6x6 --out data/konane/windows.bin")]
pub(crate) struct Train {
    /// Complete table of a board, made by `papamu build`; may be given several times
    #[arg(long, value_name = "DIR", required = true)]
    tables: Vec<PathBuf>,

    /// Where to write the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Positions from random games on each board
    #[arg(long, default_value_t = 4_000_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=50_000_000))]
    positions: u32,

    /// How often to learn from each position
    #[arg(long, default_value_t = 6, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,

    /// Chooses the games and the order
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Serialize)]
struct Answer {
    weights: String,
    seed: u64,
    from_games: u64,
    from_searches: u64,
    trained: u64,
    tested: u64,
    classes: u64,
    classes_seen: u64,
    accuracy: f64,
    log_loss: f64,
    bytes: u64,
    seconds: f64,
}

/// Takes down the positions that a search looks at.
struct Recorder(Mutex<Vec<Position>>);

impl Oracle<Konane> for Recorder {
    fn value(&self, _: &Konane, position: &Position) -> Option<Value> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(*position);
        None
    }
}

/// Memory of the searches; their numbers of nodes depend on it.
const SEARCH_BYTES: usize = 1 << 30;

impl Train {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let started = Instant::now();
        let target = Target::new(&self.out)?;
        let tables: Vec<Table> =
            self.tables.iter().map(|path| Table::open(path)).collect::<Result<_, _>>()?;
        for (table, path) in tables.iter().zip(&self.tables) {
            let problem = match (table.shape().layout(), table.game().windows().is_empty()) {
                (Layout::Rows, false) => continue,
                (Layout::Sublayers, _) => "has few stones only; a complete table is needed",
                (Layout::Rows, true) => {
                    "is of a board with fewer than 4 rows or columns: nothing to learn from"
                }
            };
            return Err(Failure::Arguments(format!("the table `{}` {problem}", path.display())));
        }
        exit_on_signals("stopped before anything was learned; nothing is written");
        let mut samples = Samples::new();
        let progress = Progress::new();
        for table in &tables {
            watch(output, "positions", &progress, || {
                samples.add_games(table, self.positions as usize, self.seed, &progress);
            });
        }
        let from_games = samples.len() as u64;
        for table in &tables {
            // Two searches that look at different parts of the game, neither of which knows the weights.
            for init in [Init::Mobility, Init::BothMobility] {
                self.add_search(&mut samples, table, init, output)?;
            }
        }
        let progress = Progress::new();
        let (weights, report) = watch(output, "positions", &progress, || {
            samples.train(self.rounds, self.seed, &progress)
        });
        let bytes = weights.to_bytes();
        target.write(&bytes)?;
        let answer = Answer {
            weights: self.out.display().to_string(),
            seed: self.seed,
            from_games,
            from_searches: samples.len() as u64 - from_games,
            trained: report.trained,
            tested: report.tested,
            classes: report.classes,
            classes_seen: report.classes_seen,
            accuracy: report.accuracy,
            log_loss: report.log_loss,
            bytes: bytes.len() as u64,
            seconds: started.elapsed().as_secs_f64(),
        };
        output.json(&answer)?;
        let [games, searches, trained, tested, classes, seen] = [
            answer.from_games,
            answer.from_searches,
            answer.trained,
            answer.tested,
            answer.classes,
            answer.classes_seen,
        ]
        .map(grouped);
        output.line(format!("positions  {games} from games, {searches} from searches"))?;
        output
            .line(format!("learned    from {trained}, {seen} of {classes} classes of windows"))?;
        output.line(format!(
            "accuracy   {:.2} % of {tested} positions held back, log loss {:.4}",
            answer.accuracy * 100.0,
            answer.log_loss
        ))?;
        output.line(format!("weights    {}, {} bytes", answer.weights, grouped(answer.bytes)))?;
        output.line(format!("seed {}, {:.1} s", answer.seed, answer.seconds))
    }

    /// Adds the positions that a search of the start looks at.
    fn add_search(
        &self,
        samples: &mut Samples,
        table: &Table,
        init: Init,
        output: &Output,
    ) -> Result<(), Failure> {
        let game = table.game();
        let root = game.start();
        let recorder = Recorder(Mutex::new(Vec::new()));
        let options = Options { init, memory_bytes: SEARCH_BYTES, ..Options::default() };
        let store = Store::new(Algorithm::DfPn, options.memory_bytes)?;
        let monitor = Monitor::new();
        let problem =
            Problem { oracle: Some(&recorder), ..Problem::new(game, &root, Question::Wins) };
        let (answer, _) = watch_search(output, &monitor, None, || {
            Algorithm::DfPn.answer(&problem, &options, &store, &monitor)
        });
        if answer?.won.is_none() {
            return Err(Failure::Interrupted);
        }
        for position in recorder.0.into_inner().unwrap_or_else(PoisonError::into_inner) {
            if let Some(value) = table.value(&position) {
                samples.add(game, &position, value == Value::Win);
            }
        }
        Ok(())
    }
}
