//! Depth-first proof-number search with nimbers, on any number of threads.
//!
//! Besides the thresholds of both numbers there is one of the lesser number, because a sum of
//! components is as hard as the lesser numbers of its components (T. Cizek, M. Balko and M. Schmid,
//! 2025, equation 2 and theorem 2). With v the couple, w the option that is searched and w' the
//! second best option:
//!
//! ```text
//! phi_t(w) = delta_t(v) - delta(v) + phi(w)           delta_t(w) = min(phi_t(v), delta(w') + 1)
//! both_t(w) = both_t(v)     phi_s(w) = delta_s(v) + delta(v) - phi(w)     delta_s(w) = phi_s(v)
//! ```
//!
//! and for a component w of a sum v: phi_t(w) = delta_t(w) = infinite, no shifts, and both_t(w) =
//! min(phi_t(v), delta_t(v), both_t(v) - min(phi_s(v), delta_s(v))) - phi(v) + min(phi(w),
//! delta(w)).
//!
//! The search stays in v while phi < phi_t, delta < delta_t and min(phi + phi_s, delta + delta_s) <
//! both_t.

use std::sync::atomic::{AtomicU64, Ordering};

use super::components::{ComponentId, ComponentTable, Couple, Halt};
use super::look::{Look, Looker, Next, Outlook, Prospect};
use super::maker::Maker;
use super::solver::{Counts, Settings};
use crate::numbers::Numbers;
use crate::run::Monitor;

/// No threshold.
const INFINITE: u64 = u64::MAX / 4;

/// How far a couple is searched.
#[derive(Clone, Copy, Debug)]
struct Limits {
    phi: u64,
    delta: u64,
    both: u64,
    phi_shift: u64,
    delta_shift: u64,
}

impl Limits {
    const NONE: Limits =
        Limits { phi: INFINITE, delta: INFINITE, both: INFINITE, phi_shift: 0, delta_shift: 0 };

    fn allow(&self, numbers: Numbers) -> bool {
        let (phi, delta) = (u64::from(numbers.phi), u64::from(numbers.delta));
        phi < self.phi
            && delta < self.delta
            && (phi + self.phi_shift).min(delta + self.delta_shift) < self.both
    }

    /// The limits of the best option.
    fn of_best(&self, outlook: &Outlook, settings: &Settings, threads: u64) -> Limits {
        let phi = u64::from(outlook.best_numbers.phi);
        let delta = u64::from(outlook.numbers.delta);
        let phi_limit = if self.delta >= INFINITE {
            INFINITE
        } else {
            // Below the largest, an option counts only with its damped share.
            let share = if phi >= outlook.max { 1 } else { u64::from(settings.damping.max(1)) };
            phi + (self.delta - delta) * share
        };
        let second = outlook.second.map_or(INFINITE, |second| {
            let slack = (f64::from(second) * (1.0 + f64::from(settings.epsilon))) as u64;
            slack.max(u64::from(second) + 1).saturating_sub(threads)
        });
        Limits {
            phi: phi_limit,
            // At least one step is taken.
            delta: self.phi.min(second.max(u64::from(outlook.best_numbers.delta) + 1)),
            both: self.both,
            phi_shift: (self.delta_shift + delta).saturating_sub(phi),
            delta_shift: self.phi_shift,
        }
    }

    /// The limits of a component of a sum.
    fn of_component(&self, sum: Numbers, component: Numbers) -> Limits {
        let shifted = self.both.saturating_sub(self.phi_shift.min(self.delta_shift));
        let limit = self.phi.min(self.delta).min(shifted);
        let least = u64::from(component.phi.min(component.delta));
        let both = if limit >= INFINITE {
            INFINITE
        } else {
            (limit + least).saturating_sub(sum.phi.into()).max(least + 1)
        };
        Limits { both, ..Limits::NONE }
    }
}

/// What threads share besides the components.
#[derive(Default)]
pub(super) struct Crowd {
    /// Changes whenever a component with several threads in it is decided.
    events: AtomicU64,
}

/// One thread of the search.
pub(super) struct DfPn<'a, 's> {
    table: &'a ComponentTable<'s>,
    settings: &'a Settings,
    crowd: &'a Crowd,
    maker: Maker<'s>,
    counts: Counts<'a>,
    /// The couples on the path from the root.
    path: Vec<(ComponentId, u32)>,
    /// The first couple on the path that another thread has decided: there is no use in searching
    /// below it.
    unwind_to: usize,
    events: u64,
}

impl<'a, 's> DfPn<'a, 's> {
    pub(super) fn new(
        table: &'a ComponentTable<'s>,
        settings: &'a Settings,
        crowd: &'a Crowd,
        monitor: &'a Monitor,
    ) -> DfPn<'a, 's> {
        DfPn {
            table,
            settings,
            crowd,
            maker: Maker::new(table),
            counts: Counts::new(monitor, settings),
            path: Vec::new(),
            unwind_to: usize::MAX,
            events: 0,
        }
    }

    /// Decides a couple.
    pub(super) fn decide(&mut self, component: ComponentId, heap: u32) -> Result<(), Halt> {
        while let Couple::Open(_) = self.table.couple(component, heap) {
            self.path.clear();
            self.unwind_to = usize::MAX;
            self.enter(component, heap, &Limits::NONE)?;
            if let Couple::Open(Some(numbers)) = self.table.couple(component, heap) {
                self.counts.root(numbers);
            }
        }
        Ok(())
    }

    fn enter(&mut self, component: ComponentId, heap: u32, limits: &Limits) -> Result<(), Halt> {
        let record = self.table.record(component);
        record.enter();
        self.path.push((component, heap));
        let searched = self.search(component, heap, limits);
        self.path.pop();
        record.leave();
        searched
    }

    fn search(&mut self, component: ComponentId, heap: u32, limits: &Limits) -> Result<(), Halt> {
        let table = self.table;
        let is_new = matches!(table.couple(component, heap), Couple::Open(None));
        let options = table.expand(component, &mut self.maker)?;
        if is_new {
            self.counts.expanded(table, options.count())?;
        }
        let looker = Looker { table, settings: self.settings };
        let is_alone = self.settings.threads == 1;
        loop {
            if !is_alone && self.is_over() {
                return Ok(());
            }
            let crowd = |next: &Next| {
                if is_alone { 0 } else { table.record(next.component).threads() }
            };
            let outlook = match looker.options(component, heap, options, crowd) {
                Look::Decided(is_won) => return self.decided(component, heap, is_won),
                Look::Open(outlook) => outlook,
            };
            if !limits.allow(outlook.numbers) {
                table.set_numbers(component, heap, outlook.numbers);
                return Ok(());
            }
            if self.path.len() == 1 {
                self.counts.root(outlook.numbers);
            }
            match outlook.best {
                Prospect::Couple(next) => {
                    let inside = limits.of_best(&outlook, self.settings, crowd(&next).into());
                    self.enter(next.component, next.heap, &inside)?;
                }
                Prospect::Sum(numbers, next) => {
                    let inside = limits.of_best(&outlook, self.settings, crowd(&next).into());
                    let inside = inside.of_component(numbers, next.numbers);
                    self.enter(next.component, next.heap, &inside)?;
                }
                // Only undecided prospects are chosen.
                Prospect::Decided(_) => return Ok(()),
            }
        }
    }

    fn decided(&mut self, component: ComponentId, heap: u32, is_won: bool) -> Result<(), Halt> {
        let is_news = self.table.decide(component, heap, is_won)?;
        if is_news && self.settings.threads > 1 && self.table.record(component).threads() > 1 {
            self.crowd.events.fetch_add(1, Ordering::Release);
        }
        Ok(())
    }

    /// Whether another thread has decided this couple or one above it.
    fn is_over(&mut self) -> bool {
        let events = self.crowd.events.load(Ordering::Acquire);
        if events != self.events {
            self.events = events;
            let decided = |&(component, heap): &(ComponentId, u32)| {
                matches!(self.table.couple(component, heap), Couple::Decided(_))
            };
            self.unwind_to = self.path.iter().position(decided).unwrap_or(usize::MAX);
        }
        let depth = self.path.len() - 1;
        if depth <= self.unwind_to {
            let is_there = depth == self.unwind_to;
            if is_there {
                self.unwind_to = usize::MAX;
            }
            return is_there;
        }
        true
    }
}
