//! What every part of papamu needs and no game knows: limits of memory, blocks of words, files that
//! appear when they are complete, progress and the wish to stop.

pub mod entry;
pub mod file;
pub mod memory;
mod pext;
mod prefetch;
mod progress;
mod word;
mod words;

pub use pext::pext;
pub use prefetch::prefetch;
pub use progress::{Progress, Stop, Stopped};
pub use word::Word;
pub use words::{AtomicWords, Words};
