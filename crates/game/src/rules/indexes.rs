//! The laws of an index of positions.

use std::collections::BTreeSet;

use super::{Checker, Law, Violation};
use crate::{Entry, Guided, PositionIndex};

impl<G: Guided> Checker<'_, G> {
    /// The text of the board must lead to the game, and classes must come in order.
    pub(super) fn check_board(&self, start: &G::Position) -> Result<(), Box<Violation>> {
        let Some((index, board)) = &self.index else { return Ok(()) };
        let is_read = G::read(board).is_ok_and(|(game, _)| game == *self.game);
        self.require(is_read, Law::EntriesLeadBack, start, || {
            format!("the board `{board}` is read as another game")
        })?;
        let stones: Vec<u32> = (0..index.classes()).map(|class| index.stones(class)).collect();
        self.require(stones.is_sorted(), Law::ClassesNeverRise, start, || {
            format!("classes have stones in the order {stones:?}")
        })
    }

    pub(super) fn check_index(&self, position: &G::Position) -> Result<(), Box<Violation>> {
        let Some((index, _)) = &self.index else { return Ok(()) };
        let Some(entry) = index.entry(position) else {
            let law = Law::ClassesNeverRise;
            return self.require(false, law, position, || "it has no entry".to_owned());
        };
        let is_there = entry.class < index.classes()
            && entry.index < index.entries(entry.class)
            && index.class(position) == Some(entry.class);
        let back = index.position(entry).filter(|_| is_there);
        let is_shared = back.as_ref().is_some_and(|back| {
            index.entry(back) == Some(entry)
                && self.final_value_of(back) == self.final_value_of(position)
                && self.entries_after(&**index, back) == self.entries_after(&**index, position)
        });
        self.require(is_shared, Law::EntriesLeadBack, position, || {
            format!("{entry:?} leads to {back:?}")
        })?;
        let after = self.entries_after(&**index, position);
        let falls = after.iter().all(|after| after.is_some_and(|after| after.class <= entry.class));
        self.require(falls, Law::ClassesNeverRise, position, || {
            format!("from {entry:?} to {:?}", after.iter().max())
        })?;
        match back {
            Some(back) if index.has_unmoves() => self.check_unmoves(&**index, entry, &back),
            _ => Ok(()),
        }
    }

    /// Checks the predecessors of the position that represents an entry, and that it is itself a
    /// predecessor of what its moves lead to.
    fn check_unmoves(
        &self,
        index: &dyn PositionIndex<G>,
        entry: Entry,
        position: &G::Position,
    ) -> Result<(), Box<Violation>> {
        let mut before = Vec::new();
        index.predecessors(position, &mut before);
        for before in &before {
            let is_one = index.entry(before).is_some_and(|before| before.class == entry.class)
                && self.entries_after(index, before).contains(&Some(entry));
            self.require(is_one, Law::UnmovesReverseMoves, position, || {
                format!("no move leads here from {before:?}")
            })?;
        }
        for after in self.entries_after(index, position).into_iter().flatten() {
            if after.class != entry.class {
                continue;
            }
            let mut before = Vec::new();
            let child = index.position(after);
            if let Some(child) = &child {
                index.predecessors(child, &mut before);
            }
            let is_back = before.iter().any(|before| index.entry(before) == Some(entry));
            self.require(is_back, Law::UnmovesReverseMoves, position, || {
                format!("it is no predecessor of {child:?}")
            })?;
        }
        Ok(())
    }

    fn final_value_of(&self, position: &G::Position) -> Option<crate::Value> {
        (self.game.count_moves(position) == 0).then(|| self.game.final_value(position))
    }

    /// The entries to which moves lead.
    fn entries_after(
        &self,
        index: &dyn PositionIndex<G>,
        position: &G::Position,
    ) -> BTreeSet<Option<Entry>> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let after = |mv: &G::Move| {
            let mut child = position.clone();
            self.game.play(&mut child, mv);
            index.entry(&child)
        };
        moves.iter().map(after).collect()
    }
}
