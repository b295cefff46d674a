//! papamu solves two-player games, exactly. This is the library that every front end uses.
//!
//! A [`Registry`] names the games and what each can do. Every verb is one function: a request in, a
//! report out. Requests are plain data with defaults; a [`Watch`] observes progress and may stop
//! the work; reports serialise to the JSON that all front ends show.
//!
//! ```
//! use papamu::{Registry, Silent, Solve, solve};
//!
//! let registry = Registry::standard();
//! let request = Solve {
//!     game: Some("konane".into()),
//!     position: Some("5x5".into()),
//!     ..Solve::default()
//! };
//! let report = solve(&registry, &request, &Silent)?;
//! assert_eq!(report.winner, Some("black"));
//! # Ok::<(), papamu::Error>(())
//! ```
//!
//! # Features
//!
//! - `parquet` (default): tables of invariants as Apache Parquet files. It is the heaviest
//!   dependency.
//! - `plots` (default): plots as SVG.

mod bench;
mod build;
mod calc;
mod cert;
mod certificate;
mod certificate_files;
mod certified;
mod check_game;
mod compare;
mod compare_tables;
mod conjecture;
mod error;
mod explain;
mod family;
mod find;
mod games;
mod indexed_tables;
mod invariants;
pub mod kit;
mod nimber;
mod perft;
pub mod picture;
mod play;
mod plot;
mod probe;
mod profile;
mod registry;
mod report;
pub mod request;
mod search_options;
mod show;
mod solve;
mod states;
mod stats;
mod subject;
mod text_file;
mod theory;
mod thermograph;
mod trace;
mod tradeoff;
mod train;
mod value;
mod verify;
mod watch;
mod winners;
mod with_nimbers;

pub use bench::{Bench, BenchReport, BenchRun, bench};
pub use build::{Build, BuildReport, BuildValues, BuildWins, build};
pub use calc::{Calc, CalcReport, Calculator, calc, calc_functions};
pub use cert::{
    CertDensify, CertInfo, CertInfoReport, CertMerge, CertReport, CertSparsify, CertTrim,
    cert_densify, cert_info, cert_merge, cert_sparsify, cert_trim,
};
pub use check_game::{CheckGame, CheckGameFound, CheckGameReport, check_game};
pub use compare::{Compare, CompareReport, CompareRun, compare};
pub use compare_tables::{CompareTables, CompareTablesReport, CompareTablesRun, compare_tables};
pub use conjecture::{
    Conjecture, ConjectureReport, ConjectureRound, Conjectured, RandomBoards, conjecture,
    conjecture_operators,
};
pub use error::{Error, ErrorKind};
pub use explain::{Explained, ExplainedFate, ExplainedStep};
pub use family::{
    Blocks, Family, FamilyMember, FamilyPeriod, FamilyReport, Members, families, family,
};
pub use find::{Find, FindReport, StoneColours, find};
pub use games::{Games, GamesReport, games};
pub use invariants::{Invariants, InvariantsReport, TableFormat, invariants};
pub use kit::{Kit, Registered};
pub use nimber::{Nimber, NimberReport, nimber};
pub use perft::{Divided, Perft, PerftCheck, PerftCounts, PerftReport, perft};
pub use play::{Play, PlayReport, PlaySession, Turn, play};
pub use probe::{Probe, ProbeMove, ProbeReport, probe};
pub use profile::{
    Complexity, Profile, ProfileEnds, ProfilePly, ProfileReport, ProfileSize, profile,
};
pub use registry::{GameInfo, Registry};
pub use report::Report;
pub use show::{Show, ShowReport, show};
pub use solve::{Solve, SolveReport, solve};
pub use states::{States, StatesPly, StatesReport, StatesTotal, states};
pub use stats::{
    Stats, StatsClass, StatsCounts, StatsLongest, StatsPly, StatsReport, StatsSide, stats,
};
pub use subject::GamePosition;
pub use theory::{ValueFacts, ValueNotation};
pub use tradeoff::{Pieces, Tradeoff, TradeoffReport, TradeoffRow, tradeoff};
pub use train::{Train, TrainReport, train};
pub use value::{PartialValue, Value, ValueReport, ValuedComponent, ValuedMove, WholeValue, value};
pub use verify::{Verify, VerifyReport, verify};
pub use watch::{Part, Pulse, SearchPulse, Silent, Stage, Watch};
pub use winners::{BoardSize, Winners, WinnersBoard, WinnersReport, winners};

/// The game and the position of a request.
fn position_of<'a>(
    game: &'a Option<String>,
    position: &Option<String>,
) -> Result<(&'a str, String), Error> {
    let game = game.as_deref().ok_or(Error::Missing { option: "game" })?;
    let position = position.as_deref().ok_or(Error::Missing { option: "position" })?;
    Ok((game, position.trim().to_owned()))
}
