//! Searches that solve games.
//!
//! [`solver`] is the way in: it picks an algorithm and asks the questions that give a value. The
//! algorithms share the numbers, the initial proof and disproof numbers of leaves ([`init`]), the tables and the
//! counters ([`run`]). [`reference`] holds the simplest solvers that are right: all others are
//! compared with them.

pub mod alphabeta;
pub mod budget;
pub mod checkpoint;
pub mod dfpn;
pub mod init;
pub mod job;
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
