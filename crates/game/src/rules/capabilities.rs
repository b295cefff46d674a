//! The laws of what only some games can do: null moves, components, sums and numbers of positions.

use std::collections::BTreeSet;

use super::{Checker, Law, Violation};
use crate::Guided;
use crate::sums::{ComponentLists, SumsOf};

impl<G: Guided> Checker<'_, G> {
    pub(super) fn check_null_move(&self, position: &G::Position) -> Result<(), Box<Violation>> {
        let pass = |position: &G::Position| self.capabilities.pass(self.game, position);
        let Some(passed) = pass(position) else { return Ok(()) };
        let is_other = self.game.to_move(&passed) == !self.game.to_move(position);
        let is_back = pass(&passed).as_ref() == Some(position);
        self.require(is_other && is_back, Law::NullMovesCancel, position, || {
            format!("a null move leads to {}", self.game.write(&passed))
        })
    }

    /// The sets of components after each move must be those after a move in one component, which
    /// makes it the opponent's turn in all others.
    pub(super) fn check_components(
        &self,
        position: &G::Position,
        moves: &[G::Move],
    ) -> Result<(), Box<Violation>> {
        let game = self.game;
        let components = |position: &G::Position| self.capabilities.components(game, position);
        let all = components(position);
        for component in &all {
            self.require(
                components(component) == [component.clone()],
                Law::ComponentsAddUp,
                position,
                || format!("its component `{}` falls apart", game.write(component)),
            )?;
        }
        let sorted = |mut components: Vec<G::Position>| {
            components.sort();
            components
        };
        let after = |position: &G::Position, mv: &G::Move| {
            let mut child = position.clone();
            game.play(&mut child, mv);
            components(&child)
        };
        let waiting = |component: &G::Position| {
            let passed = if G::IMPARTIAL { None } else { self.capabilities.pass(game, component) };
            passed.unwrap_or_else(|| component.clone())
        };
        let whole: BTreeSet<Vec<G::Position>> =
            moves.iter().map(|mv| sorted(after(position, mv))).collect();
        let mut one_component = BTreeSet::new();
        for (i, component) in all.iter().enumerate() {
            let mut moves = Vec::new();
            game.moves(component, &mut moves);
            for mv in moves {
                let others = all.iter().enumerate().filter(|(j, _)| *j != i);
                let mut below = after(component, &mv);
                below.extend(others.map(|(_, other)| waiting(other)));
                one_component.insert(sorted(below));
            }
        }
        self.require(whole == one_component, Law::ComponentsAddUp, position, || {
            format!("{} results of moves, {} in its components", whole.len(), one_component.len())
        })
    }

    /// The components of [`SumsOf`] as positions, up to symmetry and order.
    fn positions_of<'b>(
        &self,
        sums: &dyn SumsOf<G>,
        codes: impl Iterator<Item = &'b [u8]>,
    ) -> Option<Vec<G::Position>> {
        let read = |code: &[u8]| {
            let (game, position) = G::read(&sums.write(code)).ok()?;
            Some(game.canonical(&position))
        };
        let mut positions = codes.map(read).collect::<Option<Vec<_>>>()?;
        positions.sort();
        Some(positions)
    }

    pub(super) fn check_sums(
        &self,
        position: &G::Position,
        moves: &[G::Move],
    ) -> Result<(), Box<Violation>> {
        let (Some(sums), game) = (self.sums.as_deref(), self.game) else { return Ok(()) };
        let canonical = |position: &G::Position| {
            let components = match sums.has_nimbers() {
                true => self.capabilities.components(game, position),
                false => vec![position.clone()],
            };
            let mut components: Vec<G::Position> =
                components.iter().map(|component| game.canonical(component)).collect();
            components.sort();
            components
        };
        let here = sums.components(position);
        let seen = self.positions_of(sums, here.list(0));
        self.require(
            seen.as_ref() == Some(&canonical(position)),
            Law::SumsAgree,
            position,
            || format!("its components are seen as {seen:?}"),
        )?;
        // The options of one component at a time, the others as they are.
        let mut generator = sums.generator();
        let mut seen = BTreeSet::new();
        let codes: Vec<&[u8]> = here.list(0).collect();
        for (i, &code) in codes.iter().enumerate() {
            let mut options = ComponentLists::default();
            // What is too large for a search is too large for this.
            if generator.options(code, &mut options).is_err() {
                return Ok(());
            }
            for option in options.iter() {
                let others = codes.iter().enumerate().filter(|(j, _)| *j != i);
                let after = option.chain(others.map(|(_, &other)| other));
                seen.insert(self.positions_of(sums, after));
            }
        }
        let after = |mv: &G::Move| {
            let mut child = position.clone();
            game.play(&mut child, mv);
            Some(canonical(&child))
        };
        let expected: BTreeSet<Option<Vec<G::Position>>> = moves.iter().map(after).collect();
        self.require(seen == expected, Law::SumsAgree, position, || {
            format!("{} results of moves, {} in sums", expected.len(), seen.len())
        })
    }

    pub(super) fn check_numbers(
        &self,
        position: &G::Position,
        moves: &[G::Move],
    ) -> Result<(), Box<Violation>> {
        let (Some(numbering), game) = (self.capabilities.numbering, self.game) else {
            return Ok(());
        };
        let number = (numbering.number)(game, position);
        let back = (numbering.position)(game, number, game.to_move(position));
        let is_back =
            back.as_ref().is_some_and(|back| game.canonical(back) == game.canonical(position));
        let size = (numbering.size)(game, position);
        let is_shared = game.symmetries().iter().all(|&symmetry| {
            let image = game.image(symmetry, position);
            (numbering.number)(game, &image) == number && (numbering.size)(game, &image) == size
        });
        let stage = (numbering.stage)(game, number);
        let falls = moves.iter().all(|mv| {
            let mut child = position.clone();
            game.play(&mut child, mv);
            let below = (numbering.stage)(game, (numbering.number)(game, &child));
            let is_nearer = match (below, stage) {
                (Some(below), Some(stage)) => below < stage,
                (None, None) => G::CYCLIC,
                _ => false,
            };
            is_nearer && (numbering.size)(game, &child) <= size
        });
        let orders: BTreeSet<u64> =
            moves.iter().map(|mv| (numbering.move_order)(game, mv)).collect();
        self.require(
            is_back && is_shared && falls && orders.len() == moves.len(),
            Law::NumbersAreExact,
            position,
            || {
                format!(
                    "number {number}: leads back {is_back}, the same for images {is_shared}, falls {falls}"
                )
            },
        )
    }
}
