//! Recently met components, looked up before they are brought into canonical form, which is the
//! most expensive step.

use std::hash::BuildHasher;
use std::hint::black_box;
use std::ops::Range;

use hashbrown::DefaultHashBuilder;

use super::components::ComponentId;

/// A small direct-mapped cache of one thread: a new entry replaces the old one in its slot.
pub(super) struct Recent {
    slots: Vec<Slot>,
    hasher: DefaultHashBuilder,
    /// The slots of the components that are being looked up.
    places: Vec<u32>,
}

const SLOTS: usize = 1 << 15;
/// Longer components are not remembered.
const MOST_BYTES: usize = 59;

/// A cache line.
#[derive(Clone)]
pub(super) struct Slot {
    id: ComponentId,
    /// 0 if the slot is empty.
    length: u8,
    bytes: [u8; MOST_BYTES],
}

const _: () = assert!(size_of::<Slot>() == 64);

impl Recent {
    pub(super) fn new() -> Recent {
        Recent { slots: Vec::new(), hasher: DefaultHashBuilder::default(), places: Vec::new() }
    }

    /// Looks components up in a batch: while the memory answers one, the next are requested.
    pub(super) fn look_up<'p>(&mut self, components: impl Iterator<Item = &'p [u8]>) {
        if self.slots.is_empty() {
            let empty = Slot { id: 0, length: 0, bytes: [0; MOST_BYTES] };
            self.slots.resize(SLOTS, empty);
        }
        self.places.clear();
        self.places.extend(
            components.map(|component| self.hasher.hash_one(component) as u32 % SLOTS as u32),
        );
        let seen = self.places.iter().fold(0, |seen, &place| seen ^ self.slots[place as usize].id);
        black_box(seen);
    }

    /// The slot of component number i of the batch.
    #[inline]
    pub(super) fn slot(&mut self, i: usize) -> &mut Slot {
        &mut self.slots[self.places[i] as usize]
    }

    /// Changes the numbers in the slots of some components of the batch. Two components may share a
    /// slot, so changing a number again must leave it as it is.
    pub(super) fn change(
        &mut self,
        components: Range<usize>,
        change: impl Fn(ComponentId) -> ComponentId,
    ) {
        for &place in &self.places[components] {
            let slot = &mut self.slots[place as usize];
            slot.id = change(slot.id);
        }
    }
}

impl Slot {
    /// The number of a component, if this slot holds it.
    #[inline]
    pub(super) fn id_of(&self, component: &[u8]) -> Option<ComponentId> {
        (self.length > 0 && self.bytes[..self.length.into()] == *component).then_some(self.id)
    }

    /// Stores a component.
    pub(super) fn set(&mut self, component: &[u8], id: ComponentId) {
        if (1..=MOST_BYTES).contains(&component.len()) {
            self.id = id;
            self.length = component.len() as u8;
            self.bytes[..component.len()].copy_from_slice(component);
        }
    }
}
