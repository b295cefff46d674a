//! The protocol of entries under every interleaving and every permitted reordering of memory.
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test -p papamu-base --test entry_protocol --release --target-dir target/loom
//! ```
//!
//! Without `--cfg loom` this file is empty: the model checker brings its own atomics.

#![cfg(loom)]

use std::sync::atomic::Ordering;

use loom::sync::Arc;
use loom::sync::atomic::AtomicU64;
use loom::thread;
use papamu_base::entry::{Lookup, clear, look_up, write};

/// A key of two words, which is enough for a torn read, and its value.
struct Entry {
    key: [AtomicU64; 2],
    state: AtomicU64,
    /// The data that a value refers to: written before the value.
    referred: [AtomicU64; 3],
}

impl Entry {
    fn new() -> Arc<Entry> {
        let word = || AtomicU64::new(0);
        Arc::new(Entry {
            key: [word(), word()],
            state: word(),
            referred: std::array::from_fn(|_| AtomicU64::new(0)),
        })
    }

    /// The key of a value. Those of 0 and 1 share a word.
    fn key(value: u32) -> [u64; 2] {
        [u64::from(value) / 2, u64::from(value)]
    }

    fn write(&self, value: u32) -> bool {
        self.referred[value as usize].store(1, Ordering::Relaxed);
        write(&self.key, &self.state, &Entry::key(value), value)
    }

    /// A value that is found belongs to the key, and the data that it refers to is visible.
    fn check(&self, value: u32) -> bool {
        match look_up(&self.key, &self.state, &Entry::key(value)) {
            Lookup::Found(found) => {
                assert_eq!(found, value);
                assert_eq!(self.referred[found as usize].load(Ordering::Relaxed), 1);
                true
            }
            Lookup::Other | Lookup::Nothing => false,
        }
    }
}

fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    // Up to three preemptions find all known kinds of errors in such small models.
    builder.preemption_bound = Some(3);
    builder.check(model);
}

/// A reader never combines the key of one entry with the value of another.
#[test]
fn keys_and_values_belong_together() {
    check(|| {
        let entry = Entry::new();
        let writer = Arc::clone(&entry);
        let writer = thread::spawn(move || assert!(writer.write(0) && writer.write(1)));
        entry.check(1);
        entry.check(0);
        writer.join().expect("writer");
        assert!(entry.check(1) && !entry.check(0));
    });
}

/// Two concurrent writers: one of them may give up, and the entry is one of theirs.
#[test]
fn writers_do_not_mix() {
    check(|| {
        let entry = Entry::new();
        let writers = [0, 1].map(|value| {
            let entry = Arc::clone(&entry);
            thread::spawn(move || entry.write(value))
        });
        entry.check(0);
        let written = writers.map(|writer| writer.join().expect("writer"));
        assert!(written[0] || written[1]);
        assert!(entry.check(0) ^ entry.check(1));
    });
}

/// An entry that is cleared and written again, as when a table grows, is not mistaken for the old
/// one.
#[test]
fn cleared_entries_are_not_mistaken() {
    check(|| {
        let entry = Entry::new();
        assert!(entry.write(2));
        let writer = Arc::clone(&entry);
        let writer = thread::spawn(move || {
            clear(&writer.state);
            assert!(writer.write(1));
        });
        entry.check(1);
        entry.check(2);
        writer.join().expect("writer");
        assert!(entry.check(1));
    });
}
