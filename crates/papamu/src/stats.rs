//! `stats`: the reachable positions of a board with their values.

use std::path::PathBuf;

use papamu_base::file::AtomicFile;
use serde::Serialize;

use crate::plot::{self, Scale, Series};
use crate::report::Report;
use crate::request::{Bytes, request};
use crate::{Error, Registry, Watch};

request! {
    /// Count the reachable positions of a board ply by ply, up to symmetry, with their values
    Stats, "stats",
        details "A position counts at the first ply at which it is reached. Published figures are \
                 printed beside, where there are any.";
    /// Name of a game that has tables
    game: Option<String>, "GAME", Always, place Word;
    /// Board, such as 6x5
    board: Option<String>, "BOARD", Always, place Word;
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
    pub plies: Vec<StatsPly>,
    /// All plies together.
    pub total: StatsCounts,
    /// The published counts of all plies together.
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
    registry.entry(game)?.stats(request, watch)
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
            total,
            published_total,
            differing_plies,
            source,
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
