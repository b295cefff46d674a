//! The answers of verbs: plain data that all front ends show.

use serde::Serialize;

use crate::Error;

/// An answer. Front ends make text, JSON and pictures from it.
pub trait Report: Serialize {
    /// What went wrong although there is an answer: a check that failed, or a file that could not
    /// be written.
    fn failure(&self) -> Option<&Error> {
        None
    }
}
