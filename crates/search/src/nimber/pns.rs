//! Proof-number search with nimbers: best first, on the graph of all couples that were expanded, transpositions merged.
//!
//! The numbers are kept beside the parts, as for the other searches. What is added here is who has to be told when something is
//! learnt about a part: the couples that have it in an option.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::{HashMap, HashSet};
use smallvec::SmallVec;

use super::lands::{Couple, Halt, Land, Lands};
use super::look::{Look, Looker, Prospect};
use super::maker::Maker;
use super::solver::{Counts, Settings};
use crate::run::Monitor;

pub(super) struct Pns<'a, 's> {
    lands: &'a Lands<'s>,
    looker: Looker<'a, 's>,
    maker: Maker<'s>,
    counts: Counts<'a>,
    /// The couples to be told of each part.
    parents: HashMap<Land, Vec<(Land, u32)>>,
    /// The heaps with which a part was expanded.
    expanded: HashMap<Land, SmallVec<[u32; 4]>>,
    /// What has to be looked at again, that with the least play first: then nothing is looked at twice.
    changed: BinaryHeap<Reverse<(u32, u32, Land)>>,
    waiting: HashSet<(Land, u32)>,
    /// What all this takes, about.
    bytes: usize,
}

impl Drop for Pns<'_, '_> {
    fn drop(&mut self) {
        self.lands.give_back(self.bytes);
    }
}

/// What is kept for a couple in the option of another, and for a couple, about.
const PARENT_BYTES: usize = 24;
const COUPLE_BYTES: usize = 48;

impl<'a, 's> Pns<'a, 's> {
    pub(super) fn new(
        lands: &'a Lands<'s>,
        settings: &'a Settings,
        monitor: &'a Monitor,
    ) -> Pns<'a, 's> {
        Pns {
            lands,
            looker: Looker { lands, settings },
            maker: Maker::new(lands),
            counts: Counts::new(monitor, settings),
            parents: HashMap::new(),
            expanded: HashMap::new(),
            changed: BinaryHeap::new(),
            waiting: HashSet::new(),
            bytes: 0,
        }
    }

    /// Decides a couple.
    pub(super) fn decide(&mut self, land: Land, heap: u32) -> Result<(), Halt> {
        while let Couple::Open(numbers) = self.lands.couple(land, heap) {
            if let Some(numbers) = numbers {
                self.counts.root(numbers);
            }
            let leaf = self.most_proving(land, heap);
            self.expand(leaf)?;
            self.update()?;
        }
        Ok(())
    }

    /// The couple to be expanded next.
    fn most_proving(&self, mut land: Land, mut heap: u32) -> (Land, u32) {
        while self.expanded.get(&land).is_some_and(|heaps| heaps.contains(&heap))
            && let Some(options) = self.lands.options(land)
            && let Look::Open(outlook) = self.looker.options(land, heap, options, |_| 0)
            && let Prospect::Couple(next) | Prospect::Sum(_, next) = outlook.best
        {
            (land, heap) = (next.land, next.heap);
        }
        (land, heap)
    }

    fn expand(&mut self, (land, heap): (Land, u32)) -> Result<(), Halt> {
        let options = self.lands.expand(land, &mut self.maker)?;
        self.counts.expanded(self.lands, options.count())?;
        let heaps = self.expanded.entry(land).or_default();
        if !heaps.contains(&heap) {
            heaps.push(heap);
            let mut bytes = COUPLE_BYTES;
            for part in options.iter().flat_map(|parts| parts.iter()) {
                // Couples of one part come one after the other.
                let parents = self.parents.entry(part).or_default();
                if parents.last() != Some(&(land, heap)) {
                    parents.push((land, heap));
                    bytes += PARENT_BYTES;
                }
            }
            self.bytes += bytes;
            self.lands.take(bytes)?;
        }
        self.wait((land, heap));
        Ok(())
    }

    fn wait(&mut self, (land, heap): (Land, u32)) {
        if self.waiting.insert((land, heap)) {
            let weight = self.lands.record(land).weight();
            self.changed.push(Reverse((weight, heap, land)));
        }
    }

    /// Looks again at what has changed, and at what depends on it.
    fn update(&mut self) -> Result<(), Halt> {
        while let Some(Reverse((_, heap, land))) = self.changed.pop() {
            self.waiting.remove(&(land, heap));
            let before = self.lands.couple(land, heap);
            // Whoever has the part in an option was told when it was decided.
            if let Couple::Open(_) = before
                && let Some(options) = self.lands.options(land)
            {
                match self.looker.options(land, heap, options, |_| 0) {
                    Look::Decided(is_won) => drop(self.lands.decide(land, heap, is_won)?),
                    Look::Open(outlook) => self.lands.set_numbers(land, heap, outlook.numbers),
                }
            }
            if self.lands.couple(land, heap) != before {
                let parents = self.parents.get(&land).map_or(0, Vec::len);
                for i in 0..parents {
                    let parent = self.parents[&land][i];
                    if let Couple::Open(_) = self.lands.couple(parent.0, parent.1) {
                        self.wait(parent);
                    }
                }
                // The same part with larger heaps has this couple as an option.
                let heaps = self.expanded.get(&land).cloned().unwrap_or_default();
                heaps.into_iter().filter(|&larger| larger > heap).for_each(|larger| {
                    self.wait((land, larger));
                });
            }
        }
        Ok(())
    }
}
