//! Plain depth-first search: options one after the other until one is lost, those with little play left first. It is the alpha-beta
//! of games that are only won or lost, and the measure of the other searches.

use super::lands::{Couple, Halt, Land, Lands};
use super::look::{Look, Looker, Prospect};
use super::maker::Maker;
use super::solver::{Counts, Settings};
use crate::run::Monitor;

pub(super) struct DepthFirst<'a, 's> {
    lands: &'a Lands<'s>,
    looker: Looker<'a, 's>,
    maker: Maker<'s>,
    counts: Counts<'a>,
}

impl<'a, 's> DepthFirst<'a, 's> {
    pub(super) fn new(
        lands: &'a Lands<'s>,
        settings: &'a Settings,
        monitor: &'a Monitor,
    ) -> DepthFirst<'a, 's> {
        let looker = Looker { lands, settings };
        DepthFirst {
            lands,
            looker,
            maker: Maker::new(lands),
            counts: Counts::new(monitor, settings),
        }
    }

    /// Decides a couple.
    pub(super) fn decide(&mut self, land: Land, heap: u32) -> Result<(), Halt> {
        if let Couple::Decided(_) = self.lands.couple(land, heap) {
            return Ok(());
        }
        let options = self.lands.expand(land, &mut self.maker)?;
        self.counts.expanded(self.lands, options.count())?;
        let is_won = match self.looker.options(land, heap, options, |_| 0) {
            Look::Decided(is_won) => is_won,
            Look::Open(_) => {
                let weight = |land: Land| self.lands.record(land).weight();
                let mut order: Vec<_> = options.iter().collect();
                order.sort_by_cached_key(|parts| parts.iter().map(weight).sum::<u32>());
                let mut is_won = false;
                for parts in order {
                    if !self.is_won(|| parts.iter(), heap)? {
                        is_won = true;
                        break;
                    }
                }
                for smaller in 0..heap {
                    if is_won {
                        break;
                    }
                    self.decide(land, smaller)?;
                    is_won = self.lands.couple(land, smaller) == Couple::Decided(false);
                }
                is_won
            }
        };
        self.lands.decide(land, heap, is_won)?;
        Ok(())
    }

    /// Whether whoever moves wins a sum.
    fn is_won<I: Iterator<Item = Land>>(
        &mut self,
        parts: impl Fn() -> I,
        heap: u32,
    ) -> Result<bool, Halt> {
        loop {
            match self.looker.sum(parts(), heap) {
                Prospect::Decided(is_won) => return Ok(is_won),
                Prospect::Couple(next) | Prospect::Sum(_, next) => {
                    self.decide(next.land, next.heap)?;
                }
            }
        }
    }
}
