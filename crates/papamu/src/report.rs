//! What verbs answer: plain data that all front ends show.

use serde::Serialize;

use crate::Error;

/// An answer. Text, JSON and pictures are made of it by front ends.
pub trait Report: Serialize {
    /// What went wrong although there is an answer: a check that found something, or a file that
    /// could not be written.
    fn failure(&self) -> Option<&Error> {
        None
    }
}
