//! Proof-number search with nimbers: best first, on the graph of all expanded couples, with
//! transpositions merged.
//!
//! The numbers are stored with the components, as in the other searches. This search also records,
//! for each component, the couples that have it in an option: these are updated when something is
//! learnt about the component.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::{HashMap, HashSet};
use smallvec::SmallVec;

use super::components::{ComponentId, ComponentTable, Couple, Halt};
use super::look::{Look, Looker, Prospect};
use super::maker::Maker;
use super::solver::{Counts, Settings};
use crate::run::Monitor;

pub(super) struct Pns<'a, 's> {
    table: &'a ComponentTable<'s>,
    looker: Looker<'a, 's>,
    maker: Maker<'s>,
    counts: Counts<'a>,
    /// The couples that depend on each component.
    parents: HashMap<ComponentId, Vec<(ComponentId, u32)>>,
    /// The heaps with which a component was expanded.
    expanded: HashMap<ComponentId, SmallVec<[u32; 4]>>,
    /// The couples to update, those with the least play first, so that none is updated twice.
    changed: BinaryHeap<Reverse<(u32, u32, ComponentId)>>,
    waiting: HashSet<(ComponentId, u32)>,
    /// The approximate size of all this.
    bytes: usize,
}

impl Drop for Pns<'_, '_> {
    fn drop(&mut self) {
        self.table.give_back(self.bytes);
    }
}

/// The approximate size of an entry of `parents`, and of a couple.
const PARENT_BYTES: usize = 24;
const COUPLE_BYTES: usize = 48;

impl<'a, 's> Pns<'a, 's> {
    pub(super) fn new(
        table: &'a ComponentTable<'s>,
        settings: &'a Settings,
        monitor: &'a Monitor,
    ) -> Pns<'a, 's> {
        Pns {
            table,
            looker: Looker { table, settings },
            maker: Maker::new(table),
            counts: Counts::new(monitor, settings),
            parents: HashMap::new(),
            expanded: HashMap::new(),
            changed: BinaryHeap::new(),
            waiting: HashSet::new(),
            bytes: 0,
        }
    }

    /// Decides a couple.
    pub(super) fn decide(&mut self, component: ComponentId, heap: u32) -> Result<(), Halt> {
        while let Couple::Open(numbers) = self.table.couple(component, heap) {
            if let Some(numbers) = numbers {
                self.counts.root(numbers);
            }
            let leaf = self.most_proving(component, heap);
            self.expand(leaf)?;
            self.update()?;
        }
        Ok(())
    }

    /// The couple to expand next.
    fn most_proving(&self, mut component: ComponentId, mut heap: u32) -> (ComponentId, u32) {
        while self.expanded.get(&component).is_some_and(|heaps| heaps.contains(&heap))
            && let Some(options) = self.table.options(component)
            && let Look::Open(outlook) = self.looker.options(component, heap, options, |_| 0)
            && let Prospect::Couple(next) | Prospect::Sum(_, next) = outlook.best
        {
            (component, heap) = (next.component, next.heap);
        }
        (component, heap)
    }

    fn expand(&mut self, (component, heap): (ComponentId, u32)) -> Result<(), Halt> {
        let options = self.table.expand(component, &mut self.maker)?;
        self.counts.expanded(self.table, options.count())?;
        let heaps = self.expanded.entry(component).or_default();
        if !heaps.contains(&heap) {
            heaps.push(heap);
            let mut bytes = COUPLE_BYTES;
            for member in options.iter().flat_map(|components| components.iter()) {
                // The couples of one component come one after the other.
                let parents = self.parents.entry(member).or_default();
                if parents.last() != Some(&(component, heap)) {
                    parents.push((component, heap));
                    bytes += PARENT_BYTES;
                }
            }
            self.bytes += bytes;
            self.table.take(bytes)?;
        }
        self.wait((component, heap));
        Ok(())
    }

    fn wait(&mut self, (component, heap): (ComponentId, u32)) {
        if self.waiting.insert((component, heap)) {
            let weight = self.table.record(component).weight();
            self.changed.push(Reverse((weight, heap, component)));
        }
    }

    /// Updates the couples that have changed, and those that depend on them.
    fn update(&mut self) -> Result<(), Halt> {
        while let Some(Reverse((_, heap, component))) = self.changed.pop() {
            self.waiting.remove(&(component, heap));
            let before = self.table.couple(component, heap);
            // If the couple was decided before, its parents are informed already.
            if let Couple::Open(_) = before
                && let Some(options) = self.table.options(component)
            {
                match self.looker.options(component, heap, options, |_| 0) {
                    Look::Decided(is_won) => drop(self.table.decide(component, heap, is_won)?),
                    Look::Open(outlook) => self.table.set_numbers(component, heap, outlook.numbers),
                }
            }
            if self.table.couple(component, heap) != before {
                let parents = self.parents.get(&component).map_or(0, Vec::len);
                for i in 0..parents {
                    let parent = self.parents[&component][i];
                    if let Couple::Open(_) = self.table.couple(parent.0, parent.1) {
                        self.wait(parent);
                    }
                }
                // The same component with a larger heap has this couple as an option.
                let heaps = self.expanded.get(&component).cloned().unwrap_or_default();
                heaps.into_iter().filter(|&larger| larger > heap).for_each(|larger| {
                    self.wait((component, larger));
                });
            }
        }
        Ok(())
    }
}
