//! Checks certificates of solved games (`docs/certificate-format.md`, `docs/nimber-format.md`).
//!
//! This crate is written to be read. It shares no code with the solver, has naive move generators
//! of its own and no unsafe code. For strategies, [`reader`] reads the file, [`games`] has the
//! rules of Konane, tic-tac-toe, Dodgem and mū tōrere, [`rules`] says which positions a claim
//! needs, [`sorted`] sorts more positions than fit into memory, [`database`] finds the values of
//! small positions with the index of [`layout`], and [`check`] is the check itself. For nimbers,
//! [`nimbers`] reads the file, [`sprouts`] has the rules, [`steps`] limits the work, and [`lemmas`]
//! is the check.
//!
//! ```
//! use papamu_checker::lemmas::check;
//!
//! // Two spots with a life each: the player to move joins them and wins.
//! let file = "papamu nimbers 1
//! game sprouts
//! rules normal
//! claim win 2.2
//! lemmas 0
//! sha256 66fb0ede65e3aea300f5d4390fe9f1914f2c72c8d4d0ab499cba79ece57022d6
//! ";
//! let memory_bytes = 1 << 20;
//! check(file.as_bytes(), memory_bytes, |header| println!("{}", header.claim))?;
//! assert!(check(file.replace("win", "loss").as_bytes(), memory_bytes, |_| ()).is_err());
//! # Ok::<(), papamu_checker::reader::Problem>(())
//! ```
#![forbid(unsafe_code)]

pub mod check;
pub mod database;
pub mod games;
pub mod layout;
pub mod lemmas;
pub mod nimbers;
pub mod reader;
pub mod rules;
pub mod sorted;
pub mod sprouts;
pub mod steps;
