//! Parts met lately, before they are brought into canonical form, which takes longer than anything else.

use std::hash::BuildHasher;
use std::hint::black_box;
use std::ops::Range;

use hashbrown::DefaultHashBuilder;

use super::lands::Land;

/// A short memory of one thread. What is new takes the place of what was there.
pub(super) struct Recent {
    slots: Vec<Slot>,
    hasher: DefaultHashBuilder,
    /// Where the parts that are looked up now have their slots.
    places: Vec<u32>,
}

const SLOTS: usize = 1 << 15;
/// Longer parts are not remembered.
const MOST_BYTES: usize = 59;

/// A cache line.
#[derive(Clone)]
pub(super) struct Slot {
    land: Land,
    /// 0 if there is nothing in it.
    length: u8,
    part: [u8; MOST_BYTES],
}

const _: () = assert!(size_of::<Slot>() == 64);

impl Recent {
    pub(super) fn new() -> Recent {
        Recent { slots: Vec::new(), hasher: DefaultHashBuilder::default(), places: Vec::new() }
    }

    /// Looks parts up, all together: the memory answers while the next are asked for.
    pub(super) fn look_up<'p>(&mut self, parts: impl Iterator<Item = &'p [u8]>) {
        if self.slots.is_empty() {
            let empty = Slot { land: 0, length: 0, part: [0; MOST_BYTES] };
            self.slots.resize(SLOTS, empty);
        }
        self.places.clear();
        self.places.extend(parts.map(|part| self.hasher.hash_one(part) as u32 % SLOTS as u32));
        let seen =
            self.places.iter().fold(0, |seen, &place| seen ^ self.slots[place as usize].land);
        black_box(seen);
    }

    /// Where the part is remembered that was looked up as number i.
    #[inline]
    pub(super) fn slot(&mut self, i: usize) -> &mut Slot {
        &mut self.slots[self.places[i] as usize]
    }

    /// Changes the numbers in the slots of some of the parts that were looked up. Two of them may have the same slot: what
    /// was changed must not change again.
    pub(super) fn change(&mut self, parts: Range<usize>, change: impl Fn(Land) -> Land) {
        for &place in &self.places[parts] {
            let slot = &mut self.slots[place as usize];
            slot.land = change(slot.land);
        }
    }
}

impl Slot {
    /// The number of a part, if it is remembered here.
    #[inline]
    pub(super) fn land_of(&self, part: &[u8]) -> Option<Land> {
        (self.length > 0 && self.part[..self.length.into()] == *part).then_some(self.land)
    }

    /// Remembers a part.
    pub(super) fn set(&mut self, part: &[u8], land: Land) {
        if (1..=MOST_BYTES).contains(&part.len()) {
            self.land = land;
            self.length = part.len() as u8;
            self.part[..part.len()].copy_from_slice(part);
        }
    }
}
