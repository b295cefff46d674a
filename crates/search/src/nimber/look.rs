//! What is known of the options of a couple, and which of them to search next.

use papamu_game::Value;
use smallvec::SmallVec;

use super::lands::{Couple, LARGEST, Land, Lands, Options};
use super::solver::Settings;
use crate::numbers::Numbers;

/// A couple to be searched, with its numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    pub(super) land: Land,
    pub(super) heap: u32,
    pub(super) numbers: Numbers,
}

/// What is known of a sum of parts and a heap.
#[derive(Clone, Copy, Debug)]
pub(super) enum Prospect {
    /// Whoever moves wins, or loses.
    Decided(bool),
    /// All parts but one have nimbers: what is left is a couple.
    Couple(Next),
    /// Several parts have no nimber yet. Its numbers, and the couple of one of them that comes first.
    Sum(Numbers, Next),
}

/// The options of an undecided couple taken together.
pub(super) struct Outlook {
    pub(super) numbers: Numbers,
    /// The largest proof number of an option.
    pub(super) max: u64,
    /// The most promising option; it is not decided.
    pub(super) best: Prospect,
    pub(super) best_numbers: Numbers,
    /// The disproof number of the second best, if there is one.
    pub(super) second: Option<u32>,
}

/// A look at the options of a couple: decided, or what to search.
pub(super) enum Look {
    Decided(bool),
    Open(Outlook),
}

/// Looks at couples on the way of a search.
#[derive(Clone, Copy)]
pub(super) struct Looker<'a, 's> {
    pub(super) lands: &'a Lands<'s>,
    pub(super) settings: &'a Settings,
}

impl Looker<'_, '_> {
    /// The first numbers of a couple: the more play is left, the more work it is to show that it is lost.
    fn first_numbers(self, land: Land) -> Numbers {
        let weight = self.lands.record(land).weight();
        let delta = weight.checked_div(self.settings.weight_per_number).unwrap_or(0);
        Numbers { phi: 1, delta: 1 + delta }
    }

    /// A couple.
    #[inline]
    fn couple(self, land: Land, heap: u32) -> Prospect {
        match self.lands.couple(land, heap) {
            Couple::Decided(is_won) => Prospect::Decided(is_won),
            Couple::Open(numbers) => {
                let numbers = numbers.unwrap_or_else(|| self.first_numbers(land));
                Prospect::Couple(Next { land, heap, numbers })
            }
        }
    }

    /// Some parts and a heap.
    #[inline]
    pub(super) fn sum(self, parts: impl Iterator<Item = Land>, mut heap: u32) -> Prospect {
        let mut unknown: SmallVec<[Land; 8]> = SmallVec::new();
        for land in parts {
            match self.lands.record(land).nimber() {
                Some(nimber) => heap ^= nimber,
                None => unknown.push(land),
            }
        }
        match unknown[..] {
            [] => Prospect::Decided(heap != 0),
            [land] => self.couple(land, heap),
            _ => self.undecided_sum(&mut unknown),
        }
    }

    /// Several parts whose nimbers are not known: of all but the heaviest they have to be found first. The sum is as hard as these
    /// together, whoever wins.
    #[cold]
    fn undecided_sum(self, unknown: &mut [Land]) -> Prospect {
        unknown.sort_unstable_by_key(|&land| (self.lands.record(land).weight(), land));
        let ease = |numbers: Numbers| numbers.phi.min(numbers.delta);
        let (mut sum, mut first): (u32, Option<Next>) = (0, None);
        for &land in &unknown[..unknown.len() - 1] {
            let next = match self.couple(land, self.lands.record(land).least_possible()) {
                Prospect::Couple(next) => next,
                // Another thread has just decided it.
                _ => Next { land, heap: 0, numbers: Numbers { phi: 1, delta: 1 } },
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

    /// How soon a prospect is tried among others with the same number: first where little play is left. A nimber is about as
    /// much as four lives, and parts are easier by themselves (J. Lemoine and S. Viennot, 2010).
    #[inline]
    fn order(self, prospect: &Prospect, parts: impl Iterator<Item = Land>) -> u32 {
        if !self.settings.is_ordered {
            return 0;
        }
        let weight = |land: Land| self.lands.record(land).weight();
        match prospect {
            Prospect::Decided(_) => 0,
            Prospect::Couple(next) => weight(next.land) + 4 * next.heap,
            Prospect::Sum(..) => parts.map(weight).sum(),
        }
    }

    /// The options of a couple. `crowd` tells by how much a disproof number looks larger than it is because other
    /// threads are at work there.
    pub(super) fn options(
        self,
        land: Land,
        heap: u32,
        options: Options,
        crowd: impl Fn(&Next) -> u32,
    ) -> Look {
        let lands = self.lands;
        if let Couple::Decided(is_won) = lands.couple(land, heap) {
            return Look::Decided(is_won);
        }
        if options.is_empty() && !lands.sums().has_nimbers() {
            return Look::Decided(lands.final_value(land) == Value::Win);
        }
        let mut choice = Choice::default();
        for parts in options.iter() {
            let prospect = self.sum(parts.iter(), heap);
            if matches!(prospect, Prospect::Decided(false)) {
                return Look::Decided(true);
            }
            choice.consider(&prospect, &crowd, || self.order(&prospect, parts.iter()));
        }
        for smaller in 0..heap {
            let prospect = self.couple(land, smaller);
            if matches!(prospect, Prospect::Decided(false)) {
                return Look::Decided(true);
            }
            choice.consider(&prospect, &crowd, || self.order(&prospect, std::iter::empty()));
        }
        choice.outlook(self.settings).map_or(Look::Decided(false), Look::Open)
    }
}

/// The best of the options looked at so far.
#[derive(Default)]
struct Choice {
    sum: u64,
    max: u64,
    /// Its disproof number as it looks, its place in the order, and itself with its numbers.
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
        // See `Damping`: the plain sum counts what can be reached in several ways several times.
        let delta = max + (sum - max) / u64::from(settings.damping.max(1));
        let delta = delta.min(LARGEST.into()) as u32;
        // Of all options one with the least number was chosen, or one next to it where others are at work.
        let numbers = Numbers { phi: best_numbers.delta.min(LARGEST), delta };
        Some(Outlook { numbers, max, best, best_numbers, second })
    }
}
