//! Depth-first search: options are tried one after the other until one is lost, those with the
//! least play left first. It is the alpha-beta of games that are only won or lost, and the
//! yardstick for the other searches.

use super::components::{ComponentId, ComponentTable, Couple, Halt};
use super::look::{Look, Looker, Prospect};
use super::maker::Maker;
use super::solver::{Counts, Settings};
use crate::run::Monitor;

pub(super) struct DepthFirst<'a, 's> {
    table: &'a ComponentTable<'s>,
    looker: Looker<'a, 's>,
    maker: Maker<'s>,
    counts: Counts<'a>,
}

impl<'a, 's> DepthFirst<'a, 's> {
    pub(super) fn new(
        table: &'a ComponentTable<'s>,
        settings: &'a Settings,
        monitor: &'a Monitor,
    ) -> DepthFirst<'a, 's> {
        let looker = Looker { table, settings };
        DepthFirst {
            table,
            looker,
            maker: Maker::new(table),
            counts: Counts::new(monitor, settings),
        }
    }

    /// Decides a couple.
    pub(super) fn decide(&mut self, component: ComponentId, heap: u32) -> Result<(), Halt> {
        if let Couple::Decided(_) = self.table.couple(component, heap) {
            return Ok(());
        }
        let options = self.table.expand(component, &mut self.maker)?;
        self.counts.expanded(self.table, options.count())?;
        let is_won = match self.looker.options(component, heap, options, |_| 0) {
            Look::Decided(is_won) => is_won,
            Look::Open(_) => {
                let weight = |component: ComponentId| self.table.record(component).weight();
                let mut order: Vec<_> = options.iter().collect();
                order.sort_by_cached_key(|components| components.iter().map(weight).sum::<u32>());
                let mut is_won = false;
                for components in order {
                    if !self.is_won(|| components.iter(), heap)? {
                        is_won = true;
                        break;
                    }
                }
                for smaller in 0..heap {
                    if is_won {
                        break;
                    }
                    self.decide(component, smaller)?;
                    is_won = self.table.couple(component, smaller) == Couple::Decided(false);
                }
                is_won
            }
        };
        self.table.decide(component, heap, is_won)?;
        Ok(())
    }

    /// Whether the player to move wins a sum.
    fn is_won<I: Iterator<Item = ComponentId>>(
        &mut self,
        components: impl Fn() -> I,
        heap: u32,
    ) -> Result<bool, Halt> {
        loop {
            match self.looker.sum(components(), heap) {
                Prospect::Decided(is_won) => return Ok(is_won),
                Prospect::Couple(next) | Prospect::Sum(_, next) => {
                    self.decide(next.component, next.heap)?;
                }
            }
        }
    }
}
