//! Searches that solve games.
//!
//! A [`Job`] is the entry point: a position, an algorithm, and what helps it. It finds the value,
//! and can be stopped, kept in a file and resumed.
//!
//! ```
//! use papamu_game::tiny::TicTacToe;
//! use papamu_game::{Game, Value};
//! use papamu_search::{Algorithm, Job, Monitor, Options};
//!
//! let (game, position) = TicTacToe::read("x.o/.x./... o")?;
//! let solved = Job {
//!     game: &game,
//!     position: &position,
//!     algorithm: Algorithm::DfPn,
//!     options: &Options::default().memory(64 << 20),
//!     oracles: &[],
//!     checkpoint: None,
//!     keeps_solved: false,
//! }
//! .run(&Monitor::new())?;
//! assert_eq!(solved.solution.value, Value::Draw);
//! let best = solved.solution.best_move.expect("the game is not over");
//! assert_eq!(game.write_move(&position, &best), "c1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | search | module | memory |
//! | --- | --- | --- |
//! | alpha-beta with iterative deepening | [`alphabeta`] | a table that forgets |
//! | proof-number search | [`pns`] | a tree that is cut back when it is full |
//! | two levels of it, on several threads | [`pn2`] | a tree for each level |
//! | depth-first proof-number search, on several threads | [`dfpn`] | a table that forgets |
//! | the same for sums of impartial games | [`nimber`] | components and their options |
//! | minimax, nimbers, retrograde analysis | [`reference`](mod@reference) | every position |
//!
//! They share the [numbers], the [initial numbers](init) of leaves, the [tables](table) and the
//! counters ([`run`]). [`cycles`] says what is different where play can go in circles, and
//! [`line`](mod@line) reads lines of play off what a search remembers. Tests compare all of them
//! with the reference solvers. Impartial games are solved by a [`NimberJob`](nimber::NimberJob).

pub mod alphabeta;
pub mod budget;
pub mod checkpoint;
pub mod cycles;
pub mod dfpn;
pub mod init;
pub mod job;
pub mod line;
pub mod nimber;
pub mod numbers;
pub mod options;
mod parallel;
pub mod pn2;
pub mod pns;
pub mod problem;
pub mod reference;
pub mod run;
pub mod snapshot;
pub mod solver;
pub mod table;
mod tree;

pub use job::{Checkpointing, Job, JobError, Solved};
pub use options::{Algorithm, Options};
pub use run::Monitor;
