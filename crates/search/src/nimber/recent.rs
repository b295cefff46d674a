//! Parts met lately, before they are brought into canonical form, which takes longer than anything else.

use std::hash::BuildHasher;

use hashbrown::DefaultHashBuilder;

use super::lands::Land;

/// A short memory of one thread. What is new takes the place of what was there.
pub(super) struct Recent {
    slots: Vec<Slot>,
    hasher: DefaultHashBuilder,
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
        Recent { slots: Vec::new(), hasher: DefaultHashBuilder::default() }
    }

    /// Where a part is remembered.
    #[inline]
    pub(super) fn slot(&mut self, part: &[u8]) -> &mut Slot {
        if self.slots.is_empty() {
            let empty = Slot { land: 0, length: 0, part: [0; MOST_BYTES] };
            self.slots.resize(SLOTS, empty);
        }
        let place = self.hasher.hash_one(part) as usize % SLOTS;
        &mut self.slots[place]
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
