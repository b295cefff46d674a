//! Certificates: winning strategies that anyone can check (`docs/certificate-format.md`).
//!
//! A [`strategy`] is a set of positions with the winner's moves. [`extract`] makes one from what a
//! search has solved, [`edit`] trims it, leaves out what is easily proved or fills it in again, and
//! [`mod@file`] writes and reads it.

pub mod edit;
pub mod extract;
pub mod file;
mod filter;
mod pile;
mod records;
pub mod strategy;
