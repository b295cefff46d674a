//! The nimbers that a proof needs, of all that a search has found.
//!
//! That a part has nimber g is proved by an option of every lesser nimber, and by a reason why each option has another one: its nimber is known;
//! or those of all its parts but one are, and that one has an option whose nimber rules it out.

use hashbrown::HashSet;

use super::file::Lemmas;
use super::lands::{Halt, Land, Lands, Parts};
use super::maker::{Maker, cancel_pairs};
use super::solver::{Position, Solver};
use crate::run::Monitor;

/// Finds what is needed, from the claim on.
struct Needed<'a, 's> {
    lands: &'a Lands<'s>,
    monitor: &'a Monitor,
    maker: Maker<'s>,
    lemmas: HashSet<Land>,
    open: Vec<Land>,
}

/// What the nimbers that are known say of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// These prove it.
    Complete(Lemmas),
    /// They do not prove it, and there is nothing wrong with those that were looked at.
    Incomplete,
    /// The options of a component, whose nimbers are known, give it another nimber.
    Contradicted {
        /// The component.
        component: Box<[u8]>,
        /// The nimber that it was thought to have.
        nimber: u32,
    },
}

/// Where a proof leads.
enum Step {
    Proved,
    Unknown,
    Contradicted(Land),
}

impl Solver<'_> {
    /// The nimbers that prove who wins a position, or its nimber if `with_nimber`, which must be
    /// known. `None` if what is known does not prove it.
    pub fn needed(&self, position: &Position, with_nimber: bool) -> Result<Option<Lemmas>, Halt> {
        Ok(match self.proof(position, with_nimber)? {
            Proof::Complete(lemmas) => Some(lemmas),
            Proof::Incomplete | Proof::Contradicted { .. } => None,
        })
    }

    /// Proves who wins a position, or its nimber if `with_nimber`, by the nimbers that are known.
    pub fn proof(&self, position: &Position, with_nimber: bool) -> Result<Proof, Halt> {
        let lands = self.lands();
        let mut roots = self.lands_of(position)?;
        roots.sort_unstable();
        let kept = cancel_pairs(&mut roots);
        roots.truncate(kept);
        let mut needed = Needed {
            lands,
            monitor: self.monitor(),
            maker: Maker::new(lands),
            lemmas: HashSet::new(),
            open: Vec::new(),
        };
        let known = lands.nimber_of(roots.iter().copied());
        let is_proved = match known {
            Some(nimber) if with_nimber || nimber == 0 => {
                roots.iter().for_each(|&root| needed.need(root));
                true
            }
            _ => !with_nimber && needed.refute(|| roots.iter().copied(), 0)?,
        };
        let nimber = |land: Land| lands.record(land).nimber().unwrap_or_default();
        let step = if is_proved { needed.close()? } else { Step::Unknown };
        Ok(match step {
            Step::Proved => {
                let lemmas = needed.lemmas.iter();
                let lemmas = lemmas.map(|&land| (lands.code(land).into(), nimber(land) as u8));
                Proof::Complete(lemmas.collect())
            }
            Step::Unknown => Proof::Incomplete,
            Step::Contradicted(land) => {
                Proof::Contradicted { component: lands.code(land).into(), nimber: nimber(land) }
            }
        })
    }
}

impl Needed<'_, '_> {
    fn need(&mut self, land: Land) {
        if self.lemmas.insert(land) {
            self.open.push(land);
        }
    }

    /// How many nimbers more it takes to know that of a sum, by weight; `None` if it is not known, or another.
    fn cost<I: Iterator<Item = Land>>(&self, parts: I, nimber: u32) -> Option<u32> {
        let (mut sum, mut cost) = (0, 0);
        for land in parts {
            sum ^= self.lands.record(land).nimber()?;
            if !self.lemmas.contains(&land) {
                cost += 1 + self.lands.record(land).weight();
            }
        }
        (sum == nimber).then_some(cost)
    }

    /// The option of that nimber that costs least.
    fn cheapest(&mut self, land: Land, nimber: u32) -> Result<Option<(u32, Vec<Land>)>, Halt> {
        let options = self.lands.expand(land, &mut self.maker)?;
        let costs =
            options.iter().filter_map(|parts| Some((self.cost(parts.iter(), nimber)?, parts)));
        let cheapest = costs.min_by_key(|(cost, _)| *cost);
        Ok(cheapest.map(|(cost, parts): (u32, Parts)| (cost, parts.iter().collect())))
    }

    /// Proves what the lemmas rest on, and what that rests on.
    fn close(&mut self) -> Result<Step, Halt> {
        let mut is_complete = true;
        let mut contradicted: Option<Land> = None;
        while let Some(land) = self.open.pop() {
            if self.monitor.is_stopped() {
                return Err(Halt::Stopped);
            }
            match self.rests_on(land)? {
                Step::Proved => {}
                // Another lemma may be false, which is worth knowing.
                Step::Unknown => is_complete = false,
                // A false lemma contradicts those that rest on it as well. It is the one with the
                // least play left: what it rests on is not contradicted.
                Step::Contradicted(land) => {
                    let place = |land: Land| (self.lands.record(land).weight(), land);
                    if contradicted.is_none_or(|other| place(land) < place(other)) {
                        contradicted = Some(land);
                    }
                }
            }
        }
        Ok(match contradicted {
            Some(land) => Step::Contradicted(land),
            None if is_complete => Step::Proved,
            None => Step::Unknown,
        })
    }

    /// Takes in what a lemma rests on, or what contradicts it.
    fn rests_on(&mut self, land: Land) -> Result<Step, Halt> {
        let lands = self.lands;
        let Some(nimber) = lands.record(land).nimber() else { return Ok(Step::Unknown) };
        let options = lands.expand(land, &mut self.maker)?;
        let mut step = Step::Proved;
        for lesser in 0..nimber {
            if let Some((_, parts)) = self.cheapest(land, lesser)? {
                parts.into_iter().for_each(|part| self.need(part));
            } else if options.iter().any(|parts| lands.nimber_of(parts.iter()).is_none()) {
                // An option that is not known may have it.
                step = Step::Unknown;
            } else {
                options.iter().flat_map(Parts::iter).for_each(|part| self.need(part));
                return Ok(Step::Contradicted(land));
            }
        }
        for parts in options.iter() {
            if lands.nimber_of(parts.iter()) == Some(nimber) {
                parts.iter().for_each(|part| self.need(part));
                return Ok(Step::Contradicted(land));
            }
            if !self.refute(|| parts.iter(), nimber)? {
                step = Step::Unknown;
            }
        }
        Ok(step)
    }

    /// Proves that a sum has not that nimber, in the cheapest way; whether there is one.
    fn refute<I: Iterator<Item = Land>>(
        &mut self,
        parts: impl Fn() -> I,
        nimber: u32,
    ) -> Result<bool, Halt> {
        let mut best: Option<(u32, Vec<Land>)> = None;
        let mut consider = |cost: u32, lands: Vec<Land>| {
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, lands));
            }
        };
        let sum = self.lands.nimber_of(parts());
        if let Some(cost) = sum.filter(|&sum| sum != nimber).and_then(|sum| self.cost(parts(), sum))
        {
            consider(cost, parts().collect());
        }
        for odd in parts() {
            let rest = || parts().filter(|&land| land != odd);
            // A part with a lemma of its own is taken at its word by checkers.
            if self.lemmas.contains(&odd) {
                continue;
            }
            let sum = self.lands.nimber_of(rest());
            let Some(sum) = sum else { continue };
            let Some(cost) = self.cost(rest(), sum) else { continue };
            if let Some((more, mut lands)) = self.cheapest(odd, nimber ^ sum)? {
                lands.extend(rest());
                consider(cost + more, lands);
            }
        }
        let Some((_, lands)) = best else { return Ok(false) };
        lands.into_iter().for_each(|land| self.need(land));
        Ok(true)
    }
}
