//! The index of codes under every interleaving and every permitted reordering of memory.
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test -p papamu-search --test slot_protocol --release --target-dir target/loom
//! ```
//!
//! Without `--cfg loom` this file is empty: the model checker brings its own atomics.

#![cfg(loom)]

use std::sync::atomic::Ordering;

use loom::sync::Arc;
use loom::sync::atomic::AtomicU64;
use loom::thread;
use papamu_search::nimber::slots::{EMPTY, find_or_fill};

mod model;

/// Two slots, and for each entry what it stands for.
struct Index {
    slots: [AtomicU64; 2],
    codes: [AtomicU64; 3],
    used: AtomicU64,
}

impl Index {
    fn new() -> Index {
        Index {
            slots: std::array::from_fn(|_| AtomicU64::new(EMPTY)),
            codes: std::array::from_fn(|_| AtomicU64::new(0)),
            used: AtomicU64::new(1),
        }
    }

    /// The place of a code, which is added if it is new.
    fn place(&self, code: u64) -> u64 {
        let code_at = |place: u64| self.codes[place as usize - 1].load(Ordering::Relaxed);
        let matching = |slot: u64| (code_at(slot) == code).then_some(slot);
        let make = || {
            let place = self.used.fetch_add(1, Ordering::Relaxed);
            self.codes[place as usize - 1].store(code, Ordering::Relaxed);
            Ok::<_, ()>((place, place))
        };
        find_or_fill(&self.slots, 0, matching, make).expect("room")
    }
}

/// Two threads that look up the same code get the same place, and it is added once.
#[test]
fn a_code_is_added_once() {
    model::check(|| {
        let index = Arc::new(Index::new());
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let index = Arc::clone(&index);
                thread::spawn(move || index.place(7))
            })
            .collect();
        let places: Vec<u64> =
            threads.into_iter().map(|thread| thread.join().expect("thread")).collect();
        assert_eq!(places, [1, 1]);
        assert_eq!(index.used.load(Ordering::Relaxed), 2);
    });
}

/// Different codes with the same home slot get different places, and both are found again.
#[test]
fn codes_do_not_replace_each_other() {
    model::check(|| {
        let index = Arc::new(Index::new());
        let threads = [7, 8].map(|code| {
            let index = Arc::clone(&index);
            thread::spawn(move || (code, index.place(code)))
        });
        let places = threads.map(|thread| thread.join().expect("thread"));
        assert_ne!(places[0].1, places[1].1);
        for (code, place) in places {
            assert_eq!(index.place(code), place);
        }
    });
}

/// A slot whose entry could not be made is free for others.
#[test]
fn a_failure_leaves_the_slot_empty() {
    model::check(|| {
        let index = Arc::new(Index::new());
        let failing = Arc::clone(&index);
        let thread = thread::spawn(move || {
            find_or_fill(&failing.slots, 0, |_| Some(()), || Err::<(u64, ()), ()>(())).is_err()
        });
        let place = index.place(7);
        thread.join().expect("thread");
        assert_eq!(index.place(7), place);
    });
}
