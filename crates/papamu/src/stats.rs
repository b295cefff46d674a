//! `stats`: the positions of a board with their values, ply by ply or in a table.

use std::path::{Path, PathBuf};

use papamu_base::file::AtomicFile;
use serde::Serialize;

use crate::plot::{self, Scale, Series};
use crate::report::Report;
use crate::request::{Bytes, request};
use crate::{Error, Registry, Watch};

request! {
    /// Count the positions of a board with their values: the reachable ones ply by ply, or a table
    Stats, "stats",
        details "Up to symmetry, a position counts at the first ply at which it is reached. Where there \
                 are published figures, they are printed beside. In a table of an index, wins, draws and \
                 losses of every class are counted, and the longest win is found; its directory stands \
                 for game and board.";
    /// Name of a game that has tables, or a table
    game: Option<String>, "GAME", Always, place Word;
    /// Board, such as 6x5
    board: Option<String>, "BOARD", Always, place OptionalWord;
    /// Table of the board, made by `build`, of games whose tables are of an index
    tables: Option<PathBuf>, "DIR", Always;
    /// Memory for the positions
    memory: Option<Bytes>, "SIZE", Always, default Bytes::gib(12);
    /// Threads [default: all cores]
    threads: Option<u16>, "N", Always, range 1..=1024, short 't';
    /// Draw `states.svg` and `values.svg` into this directory
    plot: Option<PathBuf>, "DIR", Always;
}

/// The reachable positions of a board.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct StatsReport {
    /// The game.
    pub game: &'static str,
    /// The board.
    pub board: String,
    /// The counts by ply.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plies: Vec<StatsPly>,
    /// All plies together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<StatsCounts>,
    /// The counts by class of a table.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<StatsClass>,
    /// What was published about all plies together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published_total: Option<StatsCounts>,
    /// Plies whose figures are not the published ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differing_plies: Option<Vec<u32>>,
    /// Who published the figures.
    #[serde(skip)]
    pub source: &'static str,
    /// Time.
    pub seconds: f64,
    /// The names of the players.
    #[serde(skip)]
    pub players: [&'static str; 2],
}

/// The entries of a class of a table.
#[derive(Debug, Serialize)]
pub struct StatsClass {
    /// What the class is called.
    pub class: String,
    /// Its entries, with those that stand for no position.
    pub entries: u64,
    /// By player to move.
    pub sides: Vec<StatsSide>,
    /// A win that takes longest, if the table has distances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_win: Option<StatsLongest>,
}

/// Positions with a player to move.
#[derive(Debug, Serialize)]
pub struct StatsSide {
    /// The player, or the stones of the mover and of the other side.
    pub to_move: String,
    /// Won positions.
    pub wins: u64,
    /// Drawn positions.
    pub draws: u64,
    /// Lost positions.
    pub losses: u64,
}

/// A won position.
#[derive(Debug, Serialize)]
pub struct StatsLongest {
    /// Plies to the end.
    pub plies: u32,
    /// The position.
    pub position: String,
}

/// Positions that are first reached at a ply.
#[derive(Debug, Serialize)]
pub struct StatsPly {
    /// Moves from the start.
    pub ply: u32,
    /// The counts.
    #[serde(flatten)]
    pub counts: StatsCounts,
    /// The published counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<StatsCounts>,
}

/// Numbers of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StatsCounts {
    /// Up to symmetry.
    pub unique: u64,
    /// Those that the first player wins.
    #[serde(rename = "black_wins")]
    pub first_wins: u64,
    /// Those that the second player wins.
    #[serde(rename = "white_wins")]
    pub second_wins: u64,
    /// Those without a move.
    pub terminals: u64,
    /// All, without regard to symmetry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unique_raw: Option<u64>,
}

impl StatsCounts {
    fn add(self, other: StatsCounts) -> StatsCounts {
        StatsCounts {
            unique: self.unique + other.unique,
            first_wins: self.first_wins + other.first_wins,
            second_wins: self.second_wins + other.second_wins,
            terminals: self.terminals + other.terminals,
            unique_raw: match (self.unique_raw, other.unique_raw) {
                (None, None) => None,
                (a, b) => Some(a.unwrap_or(0) + b.unwrap_or(0)),
            },
        }
    }

    /// Whether the published counts are the same. Nobody has published counts without symmetry.
    pub fn agrees(self, published: StatsCounts) -> bool {
        StatsCounts { unique_raw: None, ..self } == published
    }
}

impl Report for StatsReport {}

/// Counts reachable positions.
pub fn stats(
    registry: &Registry,
    request: &Stats,
    watch: &dyn Watch,
) -> Result<StatsReport, Error> {
    let game = request.game.as_deref().ok_or(Error::Missing { option: "game" })?;
    plot::check_available(request.plot.is_some())?;
    let unknown = match registry.entry(game) {
        Ok(entry) => return entry.stats(request, watch),
        Err(unknown) => unknown,
    };
    // A table says of which game and board it is.
    let path = Path::new(game);
    if !path.is_dir() || request.board.is_some() || request.tables.is_some() {
        return Err(unknown);
    }
    let request = Stats { tables: Some(path.to_owned()), ..request.clone() };
    registry.entry(&papamu_tables::game_of(path)?)?.stats(&request, watch)
}

impl StatsReport {
    /// Makes a report from counts by ply and published ones, if there are any.
    pub(crate) fn new(
        (game, players): (&'static str, [&'static str; 2]),
        board: String,
        plies: Vec<(u32, StatsCounts)>,
        (published, source): (Vec<(u32, StatsCounts)>, &'static str),
        seconds: f64,
    ) -> StatsReport {
        let is_known = !published.is_empty();
        let published_of =
            |ply: u32| published.iter().find(|(of, _)| *of == ply).map(|(_, counts)| *counts);
        let sum = |plies: &[(u32, StatsCounts)]| {
            plies.iter().fold(StatsCounts::default(), |sum, (_, counts)| sum.add(*counts))
        };
        let (total, published_total) = (sum(&plies), is_known.then(|| sum(&published)));
        let plies: Vec<StatsPly> = plies
            .into_iter()
            .map(|(ply, counts)| StatsPly { ply, counts, published: published_of(ply) })
            .collect();
        let differs =
            |ply: &&StatsPly| ply.published.is_none_or(|published| !ply.counts.agrees(published));
        let differing_plies =
            is_known.then(|| plies.iter().filter(differs).map(|ply| ply.ply).collect());
        StatsReport {
            game,
            board,
            plies,
            total: Some(total),
            classes: Vec::new(),
            published_total,
            differing_plies,
            source,
            seconds,
            players,
        }
    }

    /// The report about a table.
    pub(crate) fn of_classes(
        (game, players): (&'static str, [&'static str; 2]),
        board: String,
        classes: Vec<StatsClass>,
        seconds: f64,
    ) -> StatsReport {
        StatsReport {
            game,
            board,
            plies: Vec::new(),
            total: None,
            classes,
            published_total: None,
            differing_plies: None,
            source: "",
            seconds,
            players,
        }
    }

    /// Draws the plots.
    pub(crate) fn draw(&self, [states, values]: &[AtomicFile; 2]) -> Result<(), Error> {
        states.write(self.draw_states().as_bytes())?;
        values.write(self.draw_values().as_bytes())?;
        Ok(())
    }

    /// A number for each ply.
    fn series(&self, label: &'static str, number: impl Fn(&StatsCounts) -> f64) -> Series {
        let points = self.plies.iter().map(|ply| (f64::from(ply.ply), number(&ply.counts)));
        Series { label, points: points.collect() }
    }

    /// The counterpart of figure 4.1 of B. Siefke's thesis.
    fn draw_states(&self) -> String {
        plot::lines(
            &format!("Positions of {} {} first reached at each ply", self.game, self.board),
            "ply",
            "positions",
            Scale::Logarithmic,
            vec![
                self.series("up to symmetry", |counts| counts.unique as f64),
                self.series("all", |counts| counts.unique_raw.unwrap_or(0) as f64),
            ],
        )
    }

    /// How the values change in the course of the game.
    fn draw_values(&self) -> String {
        let share = |label: &'static str, part: fn(&StatsCounts) -> u64| {
            self.series(label, move |counts| part(counts) as f64 / counts.unique as f64 * 100.0)
        };
        plot::lines(
            &format!("Values of the positions of {} {}", self.game, self.board),
            "ply",
            "% of the positions",
            Scale::Linear,
            vec![
                share("first player wins", |counts| counts.first_wins),
                share("second player wins", |counts| counts.second_wins),
                share("without a move", |counts| counts.terminals),
            ],
        )
    }
}
