//! Selects the nimbers that a proof needs from all that a search has found.
//!
//! To prove that a component has nimber g, one needs an option of every lesser nimber, and for each
//! option a reason why its nimber is not g. Either its nimber is known, or the nimbers of all its
//! components but one are known, and that one has an option whose nimber excludes g.

use hashbrown::HashSet;

use super::components::{ComponentId, ComponentTable, Components, Halt};
use super::file::Lemmas;
use super::maker::{Maker, cancel_pairs};
use super::solver::{Position, Solver};
use crate::run::Monitor;

/// Collects the needed nimbers, beginning with the claim.
struct Needed<'a, 's> {
    table: &'a ComponentTable<'s>,
    monitor: &'a Monitor,
    maker: Maker<'s>,
    lemmas: HashSet<ComponentId>,
    open: Vec<ComponentId>,
}

/// What the known nimbers say about a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// These nimbers prove it.
    Complete(Lemmas),
    /// They do not prove it, and those that were examined contradict nothing.
    Incomplete,
    /// The known nimbers of the options of a component give it another nimber.
    Contradicted {
        /// The component.
        component: Box<[u8]>,
        /// The nimber that it was thought to have.
        nimber: u32,
    },
}

/// The result of a proof step.
enum Step {
    Proved,
    Unknown,
    Contradicted(ComponentId),
}

impl Solver<'_> {
    /// The nimbers that prove the winner of a position, or its nimber if `with_nimber`, which must
    /// be known. `None` if the known nimbers do not prove it.
    pub fn needed(&self, position: &Position, with_nimber: bool) -> Result<Option<Lemmas>, Halt> {
        Ok(match self.proof(position, with_nimber)? {
            Proof::Complete(lemmas) => Some(lemmas),
            Proof::Incomplete | Proof::Contradicted { .. } => None,
        })
    }

    /// Proves the winner of a position, or its nimber if `with_nimber`, from the known nimbers.
    pub fn proof(&self, position: &Position, with_nimber: bool) -> Result<Proof, Halt> {
        let table = self.table();
        let mut roots = self.components_of(position)?;
        roots.sort_unstable();
        let kept = cancel_pairs(&mut roots);
        roots.truncate(kept);
        let mut needed = Needed {
            table,
            monitor: self.monitor(),
            maker: Maker::new(table),
            lemmas: HashSet::new(),
            open: Vec::new(),
        };
        let known = table.nimber_of(roots.iter().copied());
        let is_proved = match known {
            Some(nimber) if with_nimber || nimber == 0 => {
                roots.iter().for_each(|&root| needed.need(root));
                true
            }
            _ => !with_nimber && needed.refute(|| roots.iter().copied(), 0)?,
        };
        let nimber = |component: ComponentId| table.record(component).nimber().unwrap_or_default();
        let step = if is_proved { needed.close()? } else { Step::Unknown };
        Ok(match step {
            Step::Proved => {
                let lemmas = needed.lemmas.iter();
                let lemmas = lemmas
                    .map(|&component| (table.code(component).into(), nimber(component) as u8));
                Proof::Complete(lemmas.collect())
            }
            Step::Unknown => Proof::Incomplete,
            Step::Contradicted(component) => Proof::Contradicted {
                component: table.code(component).into(),
                nimber: nimber(component),
            },
        })
    }
}

impl Needed<'_, '_> {
    fn need(&mut self, component: ComponentId) {
        if self.lemmas.insert(component) {
            self.open.push(component);
        }
    }

    /// The cost, by weight, of the lemmas that are still missing to show that a sum has this
    /// nimber. `None` if its nimber is unknown or another.
    fn cost<I: Iterator<Item = ComponentId>>(&self, components: I, nimber: u32) -> Option<u32> {
        let (mut sum, mut cost) = (0, 0);
        for component in components {
            sum ^= self.table.record(component).nimber()?;
            if !self.lemmas.contains(&component) {
                cost += 1 + self.table.record(component).weight();
            }
        }
        (sum == nimber).then_some(cost)
    }

    /// The cheapest option with that nimber.
    fn cheapest(
        &mut self,
        component: ComponentId,
        nimber: u32,
    ) -> Result<Option<(u32, Vec<ComponentId>)>, Halt> {
        let options = self.table.expand(component, &mut self.maker)?;
        let costs = options
            .iter()
            .filter_map(|components| Some((self.cost(components.iter(), nimber)?, components)));
        let cheapest = costs.min_by_key(|(cost, _)| *cost);
        Ok(cheapest
            .map(|(cost, components): (u32, Components)| (cost, components.iter().collect())))
    }

    /// Proves everything that the lemmas rest on, directly or indirectly.
    fn close(&mut self) -> Result<Step, Halt> {
        let mut is_complete = true;
        let mut contradicted: Option<ComponentId> = None;
        while let Some(component) = self.open.pop() {
            if self.monitor.is_stopped() {
                return Err(Halt::Stopped);
            }
            match self.rests_on(component)? {
                Step::Proved => {}
                // The proof is incomplete, but a later lemma may still turn out to be false.
                Step::Unknown => is_complete = false,
                // A false lemma also contradicts the lemmas that rest on it. The contradicted lemma
                // with the least play left is the false one itself, unless too little is known
                // about its options.
                Step::Contradicted(component) => {
                    let place =
                        |component: ComponentId| (self.table.record(component).weight(), component);
                    if contradicted.is_none_or(|other| place(component) < place(other)) {
                        contradicted = Some(component);
                    }
                }
            }
        }
        Ok(match contradicted {
            Some(component) => Step::Contradicted(component),
            None if is_complete => Step::Proved,
            None => Step::Unknown,
        })
    }

    /// Adds what a lemma rests on, or what contradicts it.
    fn rests_on(&mut self, component: ComponentId) -> Result<Step, Halt> {
        let table = self.table;
        let Some(nimber) = table.record(component).nimber() else { return Ok(Step::Unknown) };
        let options = table.expand(component, &mut self.maker)?;
        let mut step = Step::Proved;
        for lesser in 0..nimber {
            if let Some((_, components)) = self.cheapest(component, lesser)? {
                components.into_iter().for_each(|component| self.need(component));
            } else if options.iter().any(|components| table.nimber_of(components.iter()).is_none())
            {
                // An unknown option may have that nimber.
                step = Step::Unknown;
            } else {
                options
                    .iter()
                    .flat_map(Components::iter)
                    .for_each(|component| self.need(component));
                return Ok(Step::Contradicted(component));
            }
        }
        for components in options.iter() {
            if table.nimber_of(components.iter()) == Some(nimber) {
                components.iter().for_each(|component| self.need(component));
                return Ok(Step::Contradicted(component));
            }
            if !self.refute(|| components.iter(), nimber)? {
                step = Step::Unknown;
            }
        }
        Ok(step)
    }

    /// Proves in the cheapest way that a sum does not have that nimber. Returns whether there is a
    /// proof.
    fn refute<I: Iterator<Item = ComponentId>>(
        &mut self,
        components: impl Fn() -> I,
        nimber: u32,
    ) -> Result<bool, Halt> {
        let mut best: Option<(u32, Vec<ComponentId>)> = None;
        let mut consider = |cost: u32, components: Vec<ComponentId>| {
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, components));
            }
        };
        let sum = self.table.nimber_of(components());
        if let Some(cost) =
            sum.filter(|&sum| sum != nimber).and_then(|sum| self.cost(components(), sum))
        {
            consider(cost, components().collect());
        }
        for odd in components() {
            let rest = || components().filter(|&component| component != odd);
            // Checkers do not expand a component that has a lemma of its own.
            if self.lemmas.contains(&odd) {
                continue;
            }
            let sum = self.table.nimber_of(rest());
            let Some(sum) = sum else { continue };
            let Some(cost) = self.cost(rest(), sum) else { continue };
            if let Some((more, mut components)) = self.cheapest(odd, nimber ^ sum)? {
                components.extend(rest());
                consider(cost + more, components);
            }
        }
        let Some((_, components)) = best else { return Ok(false) };
        components.into_iter().for_each(|component| self.need(component));
        Ok(true)
    }
}
