//! Searches that solve games.
//!
//! [`plain`] holds the simplest solvers that are right: the reference for all others.

pub mod plain;
