//! A line of a shared table: some words of payload under a version.
//!
//! A writer makes the version odd, changes the words and makes it even again. A reader copies the
//! words and accepts them only if the version was even and unchanged. So no reader ever sees the
//! key of one position with the numbers of another, whatever the threads do. All words are atomics:
//! there is no data race, and no unsafe code.

#[cfg(loom)]
use loom::sync::atomic::{AtomicU64, Ordering, fence};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU64, Ordering, fence};

/// A line that fills one or more cache lines. All zero is a valid, unlocked, empty line.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Line<const WORDS: usize> {
    version: AtomicU64,
    words: [AtomicU64; WORDS],
}

impl<const WORDS: usize> Line<WORDS> {
    /// An empty line.
    #[allow(clippy::new_without_default, reason = "tables are allocated as zeroes; for tests only")]
    pub fn new() -> Line<WORDS> {
        Line { version: AtomicU64::new(0), words: std::array::from_fn(|_| AtomicU64::new(0)) }
    }

    /// A consistent copy of the words.
    #[inline]
    pub fn read(&self) -> [u64; WORDS] {
        loop {
            let before = self.version.load(Ordering::Acquire);
            let words = std::array::from_fn(|i| self.words[i].load(Ordering::Relaxed));
            // The words are read before the version is read again.
            fence(Ordering::Acquire);
            if before & 1 == 0 && self.version.load(Ordering::Relaxed) == before {
                return words;
            }
            pause();
        }
    }

    /// Changes the words under the lock.
    #[inline]
    pub fn update<R>(&self, change: impl FnOnce(&mut [u64; WORDS]) -> R) -> R {
        let locked = loop {
            let version = self.version.load(Ordering::Relaxed);
            let free = version & 1 == 0;
            let locked = version.wrapping_add(1);
            let exchange = || {
                self.version.compare_exchange_weak(
                    version,
                    locked,
                    Ordering::Acquire,
                    Ordering::Relaxed,
                )
            };
            if free && exchange().is_ok() {
                break locked;
            }
            pause();
        };
        // A reader that sees any of the new words also sees the odd version, or a later one.
        fence(Ordering::Release);
        let mut words = std::array::from_fn(|i| self.words[i].load(Ordering::Relaxed));
        let result = change(&mut words);
        for (word, value) in self.words.iter().zip(words) {
            word.store(value, Ordering::Relaxed);
        }
        self.version.store(locked.wrapping_add(1), Ordering::Release);
        result
    }
}

#[inline]
fn pause() {
    #[cfg(loom)]
    loom::thread::yield_now();
    #[cfg(not(loom))]
    std::hint::spin_loop();
}
