//! Checks certificates of solved games (`docs/certificate-format.md`).
//!
//! This crate is there to be read: it shares no code with the solver, has a naive move generator of
//! its own and no unsafe code. [`reader`] reads the file, [`konane`] knows the rules, [`sorted`] keeps
//! more positions in order than fit into memory, and [`check`] is the check itself.
#![forbid(unsafe_code)]

pub mod check;
pub mod konane;
pub mod reader;
pub mod sorted;
