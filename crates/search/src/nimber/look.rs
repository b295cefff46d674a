//! Evaluates the options of a couple and chooses the one to search next.

use papamu_game::Value;
use smallvec::SmallVec;

use super::components::{ComponentId, ComponentTable, Couple, LARGEST, Options};
use super::solver::Settings;
use crate::numbers::Numbers;

/// A couple to be searched, with its numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    pub(super) component: ComponentId,
    pub(super) heap: u32,
    pub(super) numbers: Numbers,
}

/// What is known about a sum of components and a heap.
#[derive(Clone, Copy, Debug)]
pub(super) enum Prospect {
    /// Whether the player to move wins.
    Decided(bool),
    /// All components but one have nimbers: a couple remains.
    Couple(Next),
    /// Several components have no nimber yet. The numbers of the sum, and the couple to search
    /// first.
    Sum(Numbers, Next),
}

/// The combined options of an undecided couple.
pub(super) struct Outlook {
    pub(super) numbers: Numbers,
    /// The largest proof number of an option.
    pub(super) max: u64,
    /// The most promising option, which is undecided.
    pub(super) best: Prospect,
    pub(super) best_numbers: Numbers,
    /// The disproof number of the second-best option, if there is one.
    pub(super) second: Option<u32>,
}

/// The result for a couple: decided, or what to search.
pub(super) enum Look {
    Decided(bool),
    Open(Outlook),
}

/// Evaluates couples during a search.
#[derive(Clone, Copy)]
pub(super) struct Looker<'a, 's> {
    pub(super) table: &'a ComponentTable<'s>,
    pub(super) settings: &'a Settings,
}

impl Looker<'_, '_> {
    /// The initial numbers of a couple. The more play is left, the more work it is to show that it
    /// is lost.
    fn initial_numbers(self, component: ComponentId) -> Numbers {
        let weight = self.table.record(component).weight();
        let delta = weight.checked_div(self.settings.weight_per_number).unwrap_or(0);
        Numbers { phi: 1, delta: 1 + delta }
    }

    /// A couple.
    #[inline]
    fn couple(self, component: ComponentId, heap: u32) -> Prospect {
        match self.table.couple(component, heap) {
            Couple::Decided(is_won) => Prospect::Decided(is_won),
            Couple::Open(numbers) => {
                let numbers = numbers.unwrap_or_else(|| self.initial_numbers(component));
                Prospect::Couple(Next { component, heap, numbers })
            }
        }
    }

    /// Some components and a heap.
    #[inline]
    pub(super) fn sum(
        self,
        components: impl Iterator<Item = ComponentId>,
        mut heap: u32,
    ) -> Prospect {
        let mut unknown: SmallVec<[ComponentId; 8]> = SmallVec::new();
        for component in components {
            match self.table.record(component).nimber() {
                Some(nimber) => heap ^= nimber,
                None => unknown.push(component),
            }
        }
        match unknown[..] {
            [] => Prospect::Decided(heap != 0),
            [component] => self.couple(component, heap),
            _ => self.undecided_sum(&mut unknown),
        }
    }

    /// Several components have unknown nimbers. All of these but the heaviest one's have to be
    /// found first. The sum is as hard as these components together, whoever wins.
    #[cold]
    fn undecided_sum(self, unknown: &mut [ComponentId]) -> Prospect {
        unknown
            .sort_unstable_by_key(|&component| (self.table.record(component).weight(), component));
        let ease = |numbers: Numbers| numbers.phi.min(numbers.delta);
        let (mut sum, mut first): (u32, Option<Next>) = (0, None);
        for &component in &unknown[..unknown.len() - 1] {
            let next = match self.couple(component, self.table.record(component).least_possible()) {
                Prospect::Couple(next) => next,
                // Another thread has just decided it.
                _ => Next { component, heap: 0, numbers: Numbers { phi: 1, delta: 1 } },
            };
            sum = sum.saturating_add(ease(next.numbers)).min(LARGEST);
            if first.is_none_or(|first| ease(next.numbers) < ease(first.numbers)) {
                first = Some(next);
            }
        }
        match first {
            Some(first) => Prospect::Sum(Numbers { phi: sum, delta: sum }, first),
            None => Prospect::Decided(false),
        }
    }

    /// The order of prospects with the same number: the least play first. A unit of the heap counts
    /// as much as four lives, and a component is easier alone (J. Lemoine and S. Viennot, 2010).
    #[inline]
    fn order(self, prospect: &Prospect, components: impl Iterator<Item = ComponentId>) -> u32 {
        if !self.settings.is_ordered {
            return 0;
        }
        let weight = |component: ComponentId| self.table.record(component).weight();
        match prospect {
            Prospect::Decided(_) => 0,
            Prospect::Couple(next) => weight(next.component) + 4 * next.heap,
            Prospect::Sum(..) => components.map(weight).sum(),
        }
    }

    /// Evaluates the options of a couple. `crowd` is the amount by which a disproof number is
    /// raised because other threads work there.
    pub(super) fn options(
        self,
        component: ComponentId,
        heap: u32,
        options: Options,
        crowd: impl Fn(&Next) -> u32,
    ) -> Look {
        let table = self.table;
        if let Couple::Decided(is_won) = table.couple(component, heap) {
            return Look::Decided(is_won);
        }
        if options.is_empty() && !table.sums().has_nimbers() {
            return Look::Decided(table.final_value(component) == Value::Win);
        }
        let mut choice = Choice::default();
        for components in options.iter() {
            let prospect = self.sum(components.iter(), heap);
            if matches!(prospect, Prospect::Decided(false)) {
                return Look::Decided(true);
            }
            choice.consider(&prospect, &crowd, || self.order(&prospect, components.iter()));
        }
        for smaller in 0..heap {
            let prospect = self.couple(component, smaller);
            if matches!(prospect, Prospect::Decided(false)) {
                return Look::Decided(true);
            }
            choice.consider(&prospect, &crowd, || self.order(&prospect, std::iter::empty()));
        }
        choice.outlook(self.settings).map_or(Look::Decided(false), Look::Open)
    }
}

/// The best option so far.
#[derive(Default)]
struct Choice {
    sum: u64,
    max: u64,
    /// Its raised disproof number, its place in the order, the option, and its numbers.
    best: Option<(u32, u32, Prospect, Numbers)>,
    second: Option<u32>,
}

impl Choice {
    #[inline]
    fn consider(
        &mut self,
        prospect: &Prospect,
        crowd: &impl Fn(&Next) -> u32,
        order: impl FnOnce() -> u32,
    ) {
        let (numbers, next) = match prospect {
            Prospect::Decided(_) => return,
            Prospect::Couple(next) => (next.numbers, next),
            Prospect::Sum(numbers, next) => (*numbers, next),
        };
        self.sum += u64::from(numbers.phi);
        self.max = self.max.max(numbers.phi.into());
        let delta = numbers.delta.saturating_add(crowd(next));
        match self.best {
            Some((least, ..)) if delta > least => {
                self.second = Some(self.second.map_or(delta, |second| second.min(delta)));
            }
            Some((least, place, ..)) => {
                let order = order();
                self.second = Some(if delta < least { least } else { delta });
                if delta < least || order < place {
                    self.best = Some((delta, order, *prospect, numbers));
                }
            }
            None => self.best = Some((delta, order(), *prospect, numbers)),
        }
    }

    fn outlook(self, settings: &Settings) -> Option<Outlook> {
        let Choice { sum, max, best, second } = self;
        let (_, _, best, best_numbers) = best?;
        // See `Damping`: a plain sum counts transpositions several times.
        let delta = max + (sum - max) / u64::from(settings.damping.max(1));
        let delta = delta.min(LARGEST.into()) as u32;
        // The chosen option has the least number, or nearly the least if other threads work on that
        // one.
        let numbers = Numbers { phi: best_numbers.delta.min(LARGEST), delta };
        Some(Outlook { numbers, max, best, best_numbers, second })
    }
}
