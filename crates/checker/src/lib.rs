//! Checks certificates of solved games (`docs/certificate-format.md`, `docs/nimber-format.md`).
//!
//! This crate is there to be read: it shares no code with the solver, has naive move generators of
//! its own and no unsafe code. Of strategies, [`reader`] reads the file, [`konane`] knows the
//! rules, [`sorted`] keeps more positions in order than fit into memory, and [`check`] is the check
//! itself. Of nimbers, [`nimbers`] reads the file, [`sprouts`] knows the rules, [`steps`] limits
//! the work, and [`lemmas`] is the check.
#![forbid(unsafe_code)]

pub mod check;
pub mod konane;
pub mod lemmas;
pub mod nimbers;
pub mod reader;
pub mod sorted;
pub mod sprouts;
pub mod steps;
