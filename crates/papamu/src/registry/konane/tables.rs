//! Strong tables of Konane boards: building, answers, checks, counts, and learning from them.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use papamu_base::Stop;
use papamu_base::file::AtomicFile;
use papamu_game::{Game, Question, Value};
use papamu_games::Konane;
use papamu_games::konane::{Jump, Position, published};
use papamu_search::init::Init;
use papamu_search::options::{Algorithm, Options};
use papamu_search::problem::{Oracle, Problem};
use papamu_search::run::{Monitor, Store};
use papamu_tables::Probe;
use papamu_tables::konane::train::{Samples, check_table};
use papamu_tables::konane::verify::{check_hashes, check_logic};
use papamu_tables::konane::{
    PlyStats, StateCount, Table, TableBuild, TableOracle, board_name, read_board,
};

use crate::build::pool;
use crate::kit::{Answers, OpenTable, Tables};
use crate::watch::{with_monitor, with_progress};
use crate::{
    Build, BuildReport, BuildWins, Error, Stats, StatsCounts, StatsReport, Train, TrainReport,
    Verify, VerifyReport, Watch, plot,
};

/// The tables of Konane.
pub(super) struct KonaneTables;

impl Tables<Konane> for KonaneTables {
    fn build(&self, request: &Build, watch: &dyn Watch) -> Result<BuildReport, Error> {
        let game = read_board(board(&request.board)?)?;
        if request.distances {
            let problem = "tables of konane have no distances: probing counts plies by a search";
            return Err(Error::option("distances", problem));
        }
        let table = match request.stones {
            Some(stones) => TableBuild::capped(&game, stones),
            None => TableBuild::complete(&game)?,
        };
        table.check_memory(request.memory().0)?;
        if let Some(out) = &request.out {
            table.check_directory(out)?;
        }
        let pool = pool(request.threads)?;
        let started = Instant::now();
        let built = with_progress(watch, table.unit(), |progress| {
            pool.install(|| table.run(request.out.as_deref(), progress))
        })?;
        let shape = table.shape();
        Ok(BuildReport {
            game: Konane::NAME,
            board: board_name(&game),
            stones: request.stones.map(|_| shape.most_stones()),
            positions: shape.positions(),
            wins: built.wins.map(|[first, second]| BuildWins { first, second }),
            values: None,
            resumed_layers: built.resumed_layers,
            directory: request.out.as_ref().map(|out| out.display().to_string()),
            directory_bytes: request.out.is_some().then(|| shape.disk_bytes()),
            memory_bytes: table.memory_bytes(),
            seconds: started.elapsed().as_secs_f64(),
            players: Konane::PLAYERS,
        })
    }

    fn open(&self, directory: &Path) -> Result<Box<dyn OpenTable<Konane>>, Error> {
        Ok(Box::new(KonaneTable(Arc::new(Table::open(directory)?))))
    }

    fn verify(&self, request: &Verify, watch: &dyn Watch) -> Result<VerifyReport, Error> {
        let path = request.table.as_deref().ok_or(Error::Missing { option: "table" })?;
        let (table, name) = (Table::open(path)?, path.display().to_string());
        let damaged = with_progress(watch, "bytes", |progress| check_hashes(&table, progress))?;
        if !damaged.is_empty() {
            let damaged = damaged.iter().map(ToString::to_string).collect();
            return Ok(VerifyReport::new(name, 0, damaged, None));
        }
        let (checked, wrong) = with_progress(watch, "entries", |progress| {
            let (all, wrong) = check_logic(&table, request.sample, request.seed(), progress)?;
            let checked = if wrong.is_some() { progress.done() } else { all };
            Ok::<_, Error>((checked, wrong))
        })?;
        let wrong = wrong.map(|wrong| wrong.describe(table.game()));
        Ok(VerifyReport::new(name, checked, Vec::new(), wrong))
    }

    fn stats(&self, request: &Stats, watch: &dyn Watch) -> Result<StatsReport, Error> {
        let game = read_board(board(&request.board)?)?;
        if request.tables.is_some() {
            let problem = "reachable positions of konane are counted without a table";
            return Err(Error::option("tables", problem));
        }
        let count = StateCount::new(&game)?;
        count.check_memory(request.memory().0)?;
        let names = ["states.svg", "values.svg"];
        let plots = request.plot.as_deref().map(|directory| plot::files(directory, names));
        let plots = plots.transpose()?;
        let pool = pool(request.threads)?;
        let started = Instant::now();
        let plies = with_progress(watch, StateCount::UNIT, |progress| {
            pool.install(|| count.run(progress))
        })?;
        let published = published::state_space(game.board().rows, game.board().cols);
        let published = published.iter().map(|of| (of.ply, published_counts(of))).collect();
        let report = StatsReport::new(
            (Konane::NAME, Konane::PLAYERS),
            board_name(&game),
            plies.iter().map(|stats| (stats.ply, counts(stats))).collect(),
            (published, "B. Siefke 2025, appendix A"),
            started.elapsed().as_secs_f64(),
        );
        if let Some(plots) = &plots {
            report.draw(plots)?;
        }
        Ok(report)
    }

    fn train(&self, request: &Train, watch: &dyn Watch) -> Result<TrainReport, Error> {
        let started = Instant::now();
        let out = request.out.as_deref().ok_or(Error::Missing { option: "out" })?;
        let file = AtomicFile::new(out)?;
        let tables = request.tables.iter().map(|path| Ok(Table::open(path)?));
        let tables = tables.collect::<Result<Vec<Table>, Error>>()?;
        for table in &tables {
            check_table(table)?;
        }
        let seed = request.seed();
        let mut samples = Samples::new();
        for table in &tables {
            with_progress(watch, "positions", |progress| {
                samples.add_games(table, request.positions() as usize, seed, progress)
            })?;
        }
        let from_games = samples.len() as u64;
        for table in &tables {
            // Two searches that visit different parts of the game. Neither uses the weights.
            for init in [Init::Mobility, Init::BothMobility] {
                samples.add_positions(table, searched(table.game(), init, watch)?)?;
            }
        }
        let (weights, learned) = with_progress(watch, "positions", |progress| {
            samples.train(request.rounds(), seed, progress)
        })?;
        let bytes = weights.to_bytes();
        file.write(&bytes)?;
        Ok(TrainReport {
            weights: out.display().to_string(),
            seed,
            from_games,
            from_searches: samples.len() as u64 - from_games,
            trained: learned.trained,
            tested: learned.tested,
            classes: learned.classes,
            classes_seen: learned.classes_seen,
            accuracy: learned.accuracy,
            log_loss: learned.log_loss,
            bytes: bytes.len() as u64,
            seconds: started.elapsed().as_secs_f64(),
        })
    }
}

fn board(board: &Option<String>) -> Result<&str, Error> {
    board.as_deref().ok_or(Error::Missing { option: "board" })
}

fn counts(stats: &PlyStats) -> StatsCounts {
    StatsCounts {
        unique: stats.unique,
        first_wins: stats.black_wins,
        second_wins: stats.white_wins,
        terminals: stats.terminals,
        unique_raw: Some(stats.unique_raw),
    }
}

fn published_counts(stats: &published::StateSpace) -> StatsCounts {
    StatsCounts {
        unique: stats.unique,
        first_wins: stats.black_wins,
        second_wins: stats.white_wins,
        terminals: stats.terminals,
        unique_raw: None,
    }
}

/// Records the positions that a search visits.
struct Recorder(Mutex<Vec<Position>>);

impl Oracle<Konane> for Recorder {
    fn value(&self, _: &Konane, position: &Position) -> Option<Value> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(*position);
        None
    }
}

/// Memory of the searches; their numbers of nodes depend on it.
const SEARCH_BYTES: usize = 1 << 30;

/// The positions that a search of the start visits.
fn searched(game: &Konane, init: Init, watch: &dyn Watch) -> Result<Vec<Position>, Error> {
    let root = game.start();
    let recorder = Recorder(Mutex::new(Vec::new()));
    let options = Options { init, memory_bytes: SEARCH_BYTES, ..Options::default() };
    let store = Store::new(Algorithm::DfPn, options.memory_bytes)?;
    let monitor = Monitor::with_stop(&watch.stop());
    let problem = Problem { oracle: Some(&recorder), ..Problem::new(game, &root, Question::Wins) };
    let answer = with_monitor(watch, &monitor, || {
        Algorithm::DfPn.answer(&problem, &options, &store, &monitor)
    });
    if answer?.won.is_none() {
        watch.stop().check()?;
    }
    Ok(recorder.0.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// An open table.
struct KonaneTable(Arc<Table>);

impl OpenTable<Konane> for KonaneTable {
    fn check_board(&self, game: &Konane) -> Result<(), Error> {
        Ok(self.0.check_board(game)?)
    }

    fn most_stones(&self) -> u32 {
        self.0.most_stones()
    }

    fn probe(
        &self,
        position: &Position,
        plies_budget: u64,
        stop: &Stop,
    ) -> Result<Probe<Jump>, Error> {
        Ok(self.0.probe(position, plies_budget, stop)?)
    }

    fn oracle(
        &self,
        game: &Konane,
        most_stones: Option<u32>,
        stop: &Stop,
    ) -> Result<Box<dyn Answers<Konane>>, Error> {
        let table = Arc::clone(&self.0);
        Ok(Box::new(ByTable(TableOracle::new(table, game, most_stones, stop)?)))
    }
}

struct ByTable(TableOracle);

impl Oracle<Konane> for ByTable {
    #[inline]
    fn value(&self, game: &Konane, position: &Position) -> Option<Value> {
        self.0.value(game, position)
    }
}

impl Answers<Konane> for ByTable {
    fn hits(&self) -> u64 {
        self.0.hits()
    }

    fn damage(&self) -> Option<Error> {
        self.0.damage().map(|damage| papamu_tables::TableError::from(damage).into())
    }
}
