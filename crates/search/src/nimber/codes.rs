//! Codes of components and their numbers. All threads look them up and add them without waiting for
//! each other.
//!
//! An index of slots leads to codes. Both are larger than the caches, so one lookup takes two or
//! three accesses to memory. A batch of lookups takes hardly longer: while the memory answers one,
//! the next are requested.

use std::hash::BuildHasher;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};

use hashbrown::DefaultHashBuilder;
use papamu_base::AtomicWords;
use papamu_base::memory::OutOfMemory;
use parking_lot::{RwLock, RwLockReadGuard};

use super::components::{ComponentId, Halt};
use super::slots::{BUSY, EMPTY, find_or_fill};

/// The number of codes that are looked up in one batch.
const TOGETHER: usize = 128;
/// The slots of a new index.
const FIRST_SLOTS: usize = 1 << 10;

/// A slot holds the place of a code and, above it, the highest bits of its hash. These tell most
/// codes apart, and give the home slot in an index of any size.
const PLACE_BITS: u32 = 34;
/// The most slots that these bits can number.
const MOST_SLOTS: usize = 1 << (u64::BITS - PLACE_BITS);

/// All codes.
pub(super) struct Codes {
    /// Each code follows a word with the number of its component and, above it, the length of the
    /// code.
    words: AtomicWords,
    used: AtomicUsize,
    /// The slots, a power of two. Only growing takes the write lock.
    index: RwLock<AtomicWords>,
    /// Slots that are taken or reserved.
    taken: AtomicUsize,
    hasher: DefaultHashBuilder,
}

/// The place of a code, for its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(pub(super) u64);

/// A code whose number is wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    hash: u64,
    /// The range of the code among the bytes that were given.
    from: usize,
    to: usize,
    pub(super) id: ComponentId,
}

/// The word with the number and the length of a code. Lists of components count their bytes in 32
/// bits, so the length fits.
fn header(id: ComponentId, length: usize) -> u64 {
    (length as u64) << 32 | u64::from(id)
}

fn length(header: u64) -> usize {
    (header >> 32) as usize
}

/// The words of a code, the last one filled up with zeros.
fn words_of(code: &[u8]) -> impl Iterator<Item = u64> {
    let (whole, rest) = code.as_chunks();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let last = (!rest.is_empty()).then(|| u64::from_le_bytes(last));
    whole.iter().map(|&bytes| u64::from_le_bytes(bytes)).chain(last)
}

/// Bits of a hash that are kept in a slot.
fn tag(hash: u64) -> u64 {
    hash >> PLACE_BITS << PLACE_BITS
}

/// The home slot of a hash. The first free slot from there on is taken.
fn home(index: &AtomicWords, hash: u64) -> usize {
    // An index has at least two slots.
    (hash >> (u64::BITS - index.len().ilog2())) as usize
}

/// The place in a slot.
fn place_in(slot: u64) -> usize {
    (slot & ((1 << PLACE_BITS) - 1)) as usize
}

impl Codes {
    /// An empty store with room for that many bytes.
    pub(super) fn new(memory_bytes: usize) -> Result<Codes, OutOfMemory> {
        let words = (memory_bytes / size_of::<u64>()).min(1 << PLACE_BITS);
        Ok(Codes {
            words: AtomicWords::reserve(words)?,
            // Place 0 would look like an empty slot.
            used: AtomicUsize::new(1),
            index: RwLock::new(AtomicWords::lazy(FIRST_SLOTS)?),
            taken: AtomicUsize::new(0),
            hasher: DefaultHashBuilder::default(),
        })
    }

    /// The bytes that a code takes.
    pub(super) fn bytes_of(code: &[u8]) -> usize {
        // On average every other slot is in use.
        size_of::<u64>() * (1 + code.len().div_ceil(size_of::<u64>()) + 2)
    }

    /// The code at a place.
    pub(super) fn code(&self, Place(place): Place) -> Vec<u8> {
        let words = &self.words[place as usize..];
        let length = length(words[0].load(Ordering::Relaxed));
        let mut code = Vec::with_capacity(length.next_multiple_of(size_of::<u64>()));
        for word in &words[1..][..length.div_ceil(size_of::<u64>())] {
            code.extend_from_slice(&word.load(Ordering::Relaxed).to_le_bytes());
        }
        code.truncate(length);
        code
    }

    /// The code that consists of all bytes from `from` on.
    pub(super) fn wanted(&self, bytes: &[u8], from: usize) -> Wanted {
        Wanted { hash: self.hasher.hash_one(&bytes[from..]), from, to: bytes.len(), id: 0 }
    }

    /// Finds the numbers of codes. `number` numbers the new ones, in their order.
    pub(super) fn find_or_add(
        &self,
        bytes: &[u8],
        wanted: &mut [Wanted],
        number: impl Fn(&[u8], Place) -> Result<ComponentId, Halt>,
    ) -> Result<(), Halt> {
        for wanted in wanted.chunks_mut(TOGETHER) {
            let index = self.promise(wanted.len())?;
            self.touch(&index, wanted);
            let mut added = 0;
            let found: Result<(), Halt> = wanted.iter_mut().try_for_each(|wanted| {
                let code = &bytes[wanted.from..wanted.to];
                let (id, is_new) = self.find_or_add_one(&index, wanted.hash, code, &number)?;
                wanted.id = id;
                added += usize::from(is_new);
                Ok(())
            });
            self.taken.fetch_sub(wanted.len() - added, Ordering::Relaxed);
            found?;
        }
        Ok(())
    }

    /// The index, with room for that many more codes.
    fn promise(&self, more: usize) -> Result<RwLockReadGuard<'_, AtomicWords>, Halt> {
        loop {
            let index = self.index.read();
            let taken = self.taken.fetch_add(more, Ordering::Relaxed) + more;
            if taken <= most_taken(&index) {
                return Ok(index);
            }
            self.taken.fetch_sub(more, Ordering::Relaxed);
            drop(index);
            self.grow(more)?;
        }
    }

    /// Prefetches what finding the codes will read.
    #[inline]
    fn touch(&self, index: &AtomicWords, wanted: &mut [Wanted]) {
        let mut slots = [0; TOGETHER];
        for (slot, wanted) in slots.iter_mut().zip(&*wanted) {
            *slot = index[home(index, wanted.hash)].load(Ordering::Relaxed);
        }
        let mut seen = 0;
        for (&slot, wanted) in slots.iter().zip(&*wanted) {
            if tag(slot) == tag(wanted.hash) && slot != BUSY {
                let last = place_in(slot) + (wanted.to - wanted.from).div_ceil(size_of::<u64>());
                seen ^= self.words[place_in(slot)].load(Ordering::Relaxed);
                seen ^= self.words.get(last).map_or(0, |word| word.load(Ordering::Relaxed));
            }
        }
        black_box(seen);
    }

    /// The number of a code, and whether it is new. There must be room for it.
    #[inline]
    fn find_or_add_one(
        &self,
        index: &AtomicWords,
        hash: u64,
        code: &[u8],
        number: impl Fn(&[u8], Place) -> Result<ComponentId, Halt>,
    ) -> Result<(ComponentId, bool), Halt> {
        let matching = |slot: u64| {
            let id = (tag(slot) == tag(hash)).then(|| self.id_if(place_in(slot), code));
            id.flatten().map(|id| (id, false))
        };
        let make = || {
            let (Place(place), id) = self.add(code, number)?;
            Ok((tag(hash) | place, (id, true)))
        };
        find_or_fill(index, home(index, hash), matching, make)
    }

    /// The number of the code at a place, if it is the wanted one.
    #[inline]
    fn id_if(&self, place: usize, code: &[u8]) -> Option<ComponentId> {
        let header = self.words[place].load(Ordering::Relaxed);
        let words = self.words[place + 1..].iter().map(|word| word.load(Ordering::Relaxed));
        (length(header) == code.len() && words_of(code).zip(words).all(|(a, b)| a == b))
            .then_some(header as ComponentId)
    }

    /// Adds a code.
    fn add(
        &self,
        code: &[u8],
        number: impl Fn(&[u8], Place) -> Result<ComponentId, Halt>,
    ) -> Result<(Place, ComponentId), Halt> {
        let size = 1 + code.len().div_ceil(size_of::<u64>());
        let first = self.used.fetch_add(size, Ordering::Relaxed);
        let words = self.words.get(first..first + size).ok_or(Halt::Memory)?;
        if first.ilog2() < (first + size).ilog2() {
            let from = 1 << (first + size).ilog2();
            self.words.use_range(from, from.min(self.words.len() - from));
        }
        let place = Place(first as u64);
        let id = number(code, place)?;
        words[0].store(header(id, code.len()), Ordering::Relaxed);
        for (to, word) in words[1..].iter().zip(words_of(code)) {
            to.store(word, Ordering::Relaxed);
        }
        Ok((place, id))
    }

    /// Makes room for that many more codes, unless another thread did.
    #[cold]
    fn grow(&self, more: usize) -> Result<(), Halt> {
        let mut index = self.index.write();
        let taken = self.taken.load(Ordering::Relaxed) + more;
        if taken <= most_taken(&index) {
            return Ok(());
        }
        if index.len() >= MOST_SLOTS {
            return Err(Halt::Memory);
        }
        let larger = AtomicWords::lazy(2 * index.len()).map_err(|_| Halt::Memory)?;
        larger.use_range(0, larger.len());
        let mask = larger.len() - 1;
        // Slots keep their order, except those that wrapped around, so the writes are nearly
        // sequential.
        for slot in index.iter().map(|slot| slot.load(Ordering::Relaxed)) {
            if slot != EMPTY {
                let mut at = home(&larger, slot);
                while larger[at].load(Ordering::Relaxed) != EMPTY {
                    at = (at + 1) & mask;
                }
                larger[at].store(slot, Ordering::Relaxed);
            }
        }
        *index = larger;
        Ok(())
    }
}

/// The most slots that may be taken: the fuller an index, the longer its probe sequences.
fn most_taken(index: &AtomicWords) -> usize {
    index.len() / 8 * 5
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    /// Numbers codes in the order in which they come.
    fn number(count: &AtomicU32) -> impl Fn(&[u8], Place) -> Result<ComponentId, Halt> {
        |_, _| Ok(count.fetch_add(1, Ordering::Relaxed))
    }

    fn ids(codes: &Codes, count: &AtomicU32, wanted: &[Vec<u8>]) -> Result<Vec<ComponentId>, Halt> {
        let mut bytes = Vec::new();
        let mut all = Vec::new();
        for code in wanted {
            let from = bytes.len();
            bytes.extend_from_slice(code);
            all.push(codes.wanted(&bytes, from));
        }
        codes.find_or_add(&bytes, &mut all, number(count))?;
        Ok(all.iter().map(|wanted| wanted.id).collect())
    }

    /// Codes of all lengths. Some differ only in the last byte, some only in length.
    fn some_codes() -> Vec<Vec<u8>> {
        let code = |i: u32| [&i.to_le_bytes()[..], &vec![0; (i % 40) as usize]].concat();
        let zeros = (0..40).chain([1 << 16]).map(|length| vec![0; length]);
        (0..5000).map(code).chain(zeros).collect()
    }

    /// Codes keep the numbers that they got first while the index grows, and can be read.
    #[test]
    fn codes_keep_their_numbers() {
        let codes = Codes::new(1 << 24).expect("memory");
        let places = RwLock::new(Vec::new());
        let number = |_: &[u8], place: Place| {
            places.write().push(place);
            Ok(places.read().len() as ComponentId - 1)
        };
        let all = some_codes();
        for code in &all {
            let mut wanted = [codes.wanted(code, 0)];
            codes.find_or_add(code, &mut wanted, number).expect("memory");
        }
        // Two of them are the same: four zeros.
        assert_eq!(places.read().len(), all.len() - 1);
        assert!(codes.index.read().len() > FIRST_SLOTS);
        let again = ids(&codes, &AtomicU32::new(0), &all).expect("memory");
        for (code, id) in all.iter().zip(again) {
            assert_eq!(codes.code(places.read()[id as usize]), *code);
        }
    }

    /// Threads that add the same codes agree on their numbers, and each is added once.
    #[test]
    fn threads_agree_on_numbers() {
        let (codes, count) = (Codes::new(1 << 24).expect("memory"), AtomicU32::new(0));
        let mut all = some_codes();
        let mut turned = all.clone();
        turned.reverse();
        let (mut first, second) = std::thread::scope(|scope| {
            let first = scope.spawn(|| ids(&codes, &count, &all).expect("memory"));
            let second = scope.spawn(|| ids(&codes, &count, &turned).expect("memory"));
            (first.join().expect("no panic"), second.join().expect("no panic"))
        });
        first.reverse();
        assert_eq!(first, second);
        all.sort();
        all.dedup();
        assert_eq!(count.into_inner() as usize, all.len());
    }

    /// Codes that do not fit are refused, and the others stay.
    #[test]
    fn a_full_memory() {
        let (codes, count) = (Codes::new(1 << 10).expect("memory"), AtomicU32::new(0));
        assert_eq!(ids(&codes, &count, &some_codes()), Err(Halt::Memory));
        assert_eq!(ids(&codes, &count, &some_codes()[..5]), Ok((0..5).collect()));
        assert_eq!(ids(&codes, &count, &[vec![1; 1 << 20]]), Err(Halt::Memory));
    }
}
