//! Components met lately, before they are brought into canonical form, which takes longer than
//! anything else.

use std::hash::BuildHasher;
use std::hint::black_box;
use std::ops::Range;

use hashbrown::DefaultHashBuilder;

use super::components::ComponentId;

/// A short memory of one thread. What is new takes the place of what was there.
pub(super) struct Recent {
    slots: Vec<Slot>,
    hasher: DefaultHashBuilder,
    /// Where the components that are looked up now have their slots.
    places: Vec<u32>,
}

const SLOTS: usize = 1 << 15;
/// Longer components are not remembered.
const MOST_BYTES: usize = 59;

/// A cache line.
#[derive(Clone)]
pub(super) struct Slot {
    id: ComponentId,
    /// 0 if there is nothing in it.
    length: u8,
    bytes: [u8; MOST_BYTES],
}

const _: () = assert!(size_of::<Slot>() == 64);

impl Recent {
    pub(super) fn new() -> Recent {
        Recent { slots: Vec::new(), hasher: DefaultHashBuilder::default(), places: Vec::new() }
    }

    /// Looks components up, all together: the memory answers while the next are asked for.
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

    /// Where the component is remembered that was looked up as number i.
    #[inline]
    pub(super) fn slot(&mut self, i: usize) -> &mut Slot {
        &mut self.slots[self.places[i] as usize]
    }

    /// Changes the numbers in the slots of some of the components that were looked up. Two of them
    /// may have the same slot: what was changed must not change again.
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
    /// The number of a component, if it is remembered here.
    #[inline]
    pub(super) fn id_of(&self, component: &[u8]) -> Option<ComponentId> {
        (self.length > 0 && self.bytes[..self.length.into()] == *component).then_some(self.id)
    }

    /// Remembers a component.
    pub(super) fn set(&mut self, component: &[u8], id: ComponentId) {
        if (1..=MOST_BYTES).contains(&component.len()) {
            self.id = id;
            self.length = component.len() as u8;
            self.bytes[..component.len()].copy_from_slice(component);
        }
    }
}
