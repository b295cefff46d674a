//! The tables of any game that offers an index.

use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use papamu_base::Stop;
use papamu_game::{Guided, Indexed, Value};
use papamu_search::problem::Oracle;
use papamu_tables::indexed::verify::{check_hashes, check_logic};
use papamu_tables::indexed::{
    ClassStats, Counts, Table, TableBuild, TableOptions, TableOracle, class_stats,
};
use papamu_tables::{Probe, TableError};

use crate::build::pool;
use crate::kit::{Answers, OpenTable, Tables};
use crate::stats::{StatsClass, StatsLongest, StatsSide};
use crate::watch::with_progress;
use crate::{
    Build, BuildReport, BuildValues, Error, Stats, StatsReport, Verify, VerifyReport, Watch,
};

/// The tables of a game with an index.
pub(crate) struct IndexedTables<G>(PhantomData<G>);

impl<G> IndexedTables<G> {
    pub(crate) fn new() -> IndexedTables<G> {
        IndexedTables(PhantomData)
    }
}

/// The game of a board. What a game that has only one board calls the start need not be given.
fn read_board<G: Indexed>(board: &Option<String>) -> Result<G, Error> {
    let (game, position) = match board.as_deref() {
        Some(board) => G::read(board)?,
        None => G::read("start").map_err(|_| Error::Missing { option: "board" })?,
    };
    let (_, start) = G::read(&game.board())?;
    match position == start {
        true => Ok(game),
        false => {
            let example = G::EXAMPLES.first().copied().unwrap_or_default();
            Err(TableError::NotABoard { example }.into())
        }
    }
}

impl<G: Indexed + Guided> Tables<G> for IndexedTables<G> {
    fn build(&self, request: &Build, watch: &dyn Watch) -> Result<BuildReport, Error> {
        let game: G = read_board(&request.board)?;
        let (most_stones, distances) = (request.stones, request.distances);
        let options = TableOptions { most_stones, distances, ..TableOptions::default() };
        let table = TableBuild::new(&game, options)?;
        let has_directory = request.out.is_some();
        table.check_memory(request.memory().0, has_directory)?;
        if let Some(out) = &request.out {
            table.check_directory(out)?;
        }
        let pool = pool(request.threads)?;
        let started = Instant::now();
        let built = with_progress(watch, TableBuild::<G>::UNIT, |progress| {
            pool.install(|| table.run(request.out.as_deref(), progress))
        })?;
        let Counts { wins, draws, losses } = built.counts;
        Ok(BuildReport {
            game: G::NAME,
            board: game.board(),
            stones: request.stones.map(|_| table.most_stones()),
            positions: built.counts.positions(),
            wins: None,
            values: Some(BuildValues { wins, draws, losses }),
            resumed_layers: built.resumed_classes,
            directory: request.out.as_ref().map(|out| out.display().to_string()),
            directory_bytes: has_directory.then_some(built.disk_bytes),
            memory_bytes: table.memory_bytes(has_directory),
            seconds: started.elapsed().as_secs_f64(),
            players: G::PLAYERS,
        })
    }

    fn open(&self, directory: &Path) -> Result<Box<dyn OpenTable<G>>, Error> {
        Ok(Box::new(IndexedTable(Arc::new(Table::<G>::open(directory)?))))
    }

    fn verify(&self, request: &Verify, watch: &dyn Watch) -> Result<VerifyReport, Error> {
        let path = request.table.as_deref().ok_or(Error::Missing { option: "table" })?;
        let (table, name) = (Table::<G>::open(path)?, path.display().to_string());
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
        Ok(VerifyReport::new(name, checked, Vec::new(), wrong))
    }

    fn stats(&self, request: &Stats, watch: &dyn Watch) -> Result<StatsReport, Error> {
        if request.plot.is_some() {
            return Err(Error::option("plot", format!("there are no plots of {}", G::NAME)));
        }
        let game: G = match (&request.board, &request.tables) {
            (None, Some(path)) => Table::<G>::open(path)?.game().clone(),
            (board, _) => read_board(board)?,
        };
        let path = request.tables.as_deref().ok_or_else(|| {
            let board = format!("{} {}", G::NAME, game.board());
            let problem =
                format!("values are counted in a table; make one with `build {board} --out DIR`");
            Error::option("tables", problem)
        })?;
        let table = Table::<G>::open(path)?;
        table.check_board(&game)?;
        let pool = pool(request.threads)?;
        let started = Instant::now();
        let classes = with_progress(watch, "entries", |progress| {
            pool.install(|| class_stats(&table, progress))
        })?;
        let classes = classes.into_iter().map(of_class::<G>).collect();
        let seconds = started.elapsed().as_secs_f64();
        Ok(StatsReport::of_classes((G::NAME, G::PLAYERS), game.board(), classes, seconds))
    }
}

fn of_class<G: Indexed>(stats: ClassStats) -> StatsClass {
    let side = |(to_move, counts): (String, Counts)| StatsSide {
        to_move,
        wins: counts.wins,
        draws: counts.draws,
        losses: counts.losses,
    };
    let longest = |of: papamu_tables::indexed::Longest| StatsLongest {
        plies: of.plies,
        position: of.position,
    };
    let movers = stats.movers.unwrap_or_else(|| G::PLAYERS.map(str::to_owned));
    // Both sides of a class may be called the same: there is one kind of entries then.
    let kinds = if movers[0] == movers[1] { 1 } else { 2 };
    StatsClass {
        class: stats.name,
        entries: stats.entries,
        sides: movers.into_iter().zip(stats.counts).take(kinds).map(side).collect(),
        longest_win: stats.longest.map(longest),
    }
}

/// A table that is open.
struct IndexedTable<G: Indexed>(Arc<Table<G>>);

impl<G: Indexed + Guided> OpenTable<G> for IndexedTable<G> {
    fn check_board(&self, game: &G) -> Result<(), Error> {
        Ok(self.0.check_board(game)?)
    }

    fn most_stones(&self) -> u32 {
        self.0.most_stones()
    }

    fn probe(
        &self,
        position: &G::Position,
        plies_budget: u64,
        stop: &Stop,
    ) -> Result<Probe<G::Move>, Error> {
        Ok(self.0.probe(position, plies_budget, stop)?)
    }

    fn oracle(
        &self,
        game: &G,
        most_stones: Option<u32>,
        stop: &Stop,
    ) -> Result<Box<dyn Answers<G>>, Error> {
        let table = Arc::clone(&self.0);
        Ok(Box::new(ByTable(TableOracle::new(table, game, most_stones, stop)?)))
    }
}

struct ByTable<G: Indexed>(TableOracle<G>);

impl<G: Indexed + Guided> Oracle<G> for ByTable<G> {
    #[inline]
    fn value(&self, _: &G, position: &G::Position) -> Option<Value> {
        self.0.value(position)
    }
}

impl<G: Indexed + Guided> Answers<G> for ByTable<G> {
    fn hits(&self) -> u64 {
        self.0.hits()
    }

    fn damage(&self) -> Option<Error> {
        self.0.damage().map(|damage| TableError::from(damage).into())
    }
}
