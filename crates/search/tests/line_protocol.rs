//! The protocol of table lines under every interleaving and every permitted reordering of memory.
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test -p papamu-search --test line_protocol --release --target-dir target/loom
//! ```
//!
//! Without `--cfg loom` this file is empty: the model checker replaces the atomics of the line.

#![cfg(loom)]

use loom::sync::Arc;
use loom::thread;
use papamu_search::table::Line;

/// Two words are enough to be torn apart, and few enough to try every order of events.
const WORDS: usize = 2;

mod model;

/// A reader sees all words of one update, never a mixture of two.
#[test]
fn readers_never_see_a_mixture() {
    model::check(|| {
        let line = Arc::new(Line::<WORDS>::new());
        let threads = (Arc::clone(&line), Arc::clone(&line));
        let writer = thread::spawn(move || {
            threads.0.update(|words| *words = [1; WORDS]);
            threads.0.update(|words| *words = [2; WORDS]);
        });
        let reader = thread::spawn(move || threads.1.read());
        let words = reader.join().expect("reader");
        assert!(words.iter().all(|&word| word == words[0]), "{words:?}");
        assert!(words[0] <= 2);
        writer.join().expect("writer");
    });
}

/// No change is lost: an update sees what the one before it wrote.
#[test]
fn updates_are_exclusive() {
    model::check(|| {
        let line = Arc::new(Line::<WORDS>::new());
        let adders: Vec<_> = (0..2)
            .map(|_| {
                let line = Arc::clone(&line);
                thread::spawn(move || {
                    line.update(|words| words.iter_mut().for_each(|word| *word += 1))
                })
            })
            .collect();
        for adder in adders {
            adder.join().expect("adder");
        }
        assert_eq!(line.read(), [2; WORDS]);
    });
}
