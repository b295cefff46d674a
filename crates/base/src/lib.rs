//! The parts of papamu that depend on no game: memory limits, blocks of words, files that appear
//! when they are complete, progress and requests to stop.

pub mod entry;
pub mod file;
pub mod memory;
mod pext;
mod prefetch;
mod progress;
mod word;
mod words;

pub use pext::{pdep, pext};
pub use prefetch::prefetch;
pub use progress::{Progress, Stop, Stopped};
pub use word::Word;
pub use words::{AtomicWords, Words};
