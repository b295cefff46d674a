//! Lists that threads add and read without locks. A list never moves.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Places for lists, each filled once.
type Chunk = Box<[OnceLock<Box<[u32]>>]>;

/// Lists by number, in chunks. Each chunk is as large as all before it.
#[derive(Default)]
pub(super) struct Lists {
    chunks: [OnceLock<Chunk>; CHUNKS],
    count: AtomicUsize,
}

const FIRST_BITS: u32 = 8;
const CHUNKS: usize = 24;

/// The chunk of a list, and its index in the chunk.
fn locate(number: usize) -> (usize, usize) {
    let place = number + (1 << FIRST_BITS);
    let bits = place.ilog2();
    ((bits - FIRST_BITS) as usize, place - (1 << bits))
}

impl Lists {
    /// Adds a list. Returns its number, if there is room for it.
    pub(super) fn push(&self, list: Box<[u32]>) -> Option<usize> {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let (chunk, place) = locate(number);
        let size = 1 << (FIRST_BITS as usize + chunk);
        let new = || (0..size).map(|_| OnceLock::new()).collect();
        self.chunks.get(chunk)?.get_or_init(new)[place].set(list).ok()?;
        Some(number)
    }

    /// The list with that number, or an empty one if there is none.
    #[inline]
    pub(super) fn get(&self, number: usize) -> &[u32] {
        let (chunk, place) = locate(number);
        let chunk = self.chunks.get(chunk).and_then(OnceLock::get);
        chunk.and_then(|chunk| chunk[place].get()).map_or(&[], |list| list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists of several threads are found under their numbers, across chunks.
    #[test]
    fn lists_are_found_by_number() {
        let lists = Lists::default();
        let add = |thread: u32| {
            let push = |i: u32| lists.push([thread, i].into()).expect("room");
            (0..2000).map(|i| (push(i), [thread, i])).collect::<Vec<_>>()
        };
        let added = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..3).map(|thread| scope.spawn(move || add(thread))).collect();
            threads
                .into_iter()
                .flat_map(|thread| thread.join().expect("no panic"))
                .collect::<Vec<_>>()
        });
        assert_eq!(added.len(), 6000);
        assert!(added.iter().all(|(number, list)| lists.get(*number) == list));
        assert!(lists.get(6000).is_empty());
    }
}
