//! What the moves of a position say about it.

use std::ops::ControlFlow;

use papamu_game::{ByExits, Indexed, PositionIndex};

use crate::error::TableError;
use crate::indexed::codes::{Code, Codes};
use crate::indexed::known::Known;

/// A class that is being solved.
pub(crate) struct ClassWork<'a, G: Indexed> {
    pub(crate) game: &'a G,
    pub(crate) index: &'a G::Index,
    pub(crate) class: u32,
    /// The classes before it.
    pub(crate) known: &'a Known,
}

impl<G: Indexed> Clone for ClassWork<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Indexed> Copy for ClassWork<'_, G> {}

impl<'a, G: Indexed> ClassWork<'a, G> {
    pub(crate) fn entries(&self) -> u64 {
        self.index.entries(self.class)
    }

    /// Reads positions of the class, fastest in the order of the entries.
    #[inline]
    pub(crate) fn reader(&self) -> impl FnMut(u64) -> Option<G::Position> + use<'a, G> {
        self.index.reader(self.class)
    }

    /// The index broke its laws at a position.
    #[cold]
    pub(crate) fn wrong_index(&self, position: &G::Position) -> TableError {
        TableError::WrongIndex { game: G::NAME, position: self.game.write(position) }
    }

    /// Looks at positions, by one thread.
    pub(crate) fn look(self, codes: &'a Codes) -> Look<'a, G> {
        Look { work: self, codes, moves: Vec::new() }
    }
}

/// Looks at positions. It keeps the list of moves, so that a position costs no allocation.
pub(crate) struct Look<'a, G: Indexed> {
    pub(crate) work: ClassWork<'a, G>,
    codes: &'a Codes,
    moves: Vec<G::Move>,
}

impl<G: Indexed> Look<'_, G> {
    /// The value so far, by the moves out of the class alone, and whether other moves may change
    /// it.
    #[inline]
    pub(crate) fn by_exits(&mut self, position: &G::Position) -> Result<(Code, bool), TableError> {
        let known = self.work.known;
        let value = |entry| known.code(entry)?.value();
        match self.work.index.value_by_exits(position, value) {
            Some(ByExits::Known(value)) => return Ok((value.into(), false)),
            Some(ByExits::Open) => return Ok((Code::Draw, true)),
            None => (),
        }
        let mut stays = false;
        let code = self.by_moves(position, |look, child| {
            let class = look.work.index.class(child)?;
            if class == look.work.class {
                stays = true;
                return Some(Code::Draw);
            }
            look.known_code(child)
        })?;
        Ok((code, stays && code == Code::Draw))
    }

    /// The value so far, by all moves.
    #[inline]
    pub(crate) fn by_all(&mut self, position: &G::Position) -> Result<Code, TableError> {
        self.by_moves(position, Look::code)
    }

    /// The value so far of a position that its exits leave open.
    #[inline]
    pub(crate) fn by_inner(&mut self, position: &G::Position) -> Result<Code, TableError> {
        let mut all_won = true;
        let flow = self.work.index.successors(position, |index| match self.codes.get(index) {
            Code::Loss => ControlFlow::Break(()),
            code => {
                all_won &= code == Code::Win;
                ControlFlow::Continue(())
            }
        });
        match flow {
            Some(ControlFlow::Break(())) => Ok(Code::Win),
            Some(ControlFlow::Continue(())) if all_won => Ok(Code::Loss),
            Some(ControlFlow::Continue(())) => Ok(Code::Draw),
            None => self.by_all(position),
        }
    }

    /// A lost position after a move wins; if all are won, the position is lost.
    #[inline]
    fn by_moves(
        &mut self,
        position: &G::Position,
        mut code: impl FnMut(&Self, &G::Position) -> Option<Code>,
    ) -> Result<Code, TableError> {
        let game = self.work.game;
        self.moves.clear();
        game.moves(position, &mut self.moves);
        if self.moves.is_empty() {
            return Ok(game.final_value(position).into());
        }
        let mut all_won = true;
        for mv in &self.moves {
            let child = game.after(position, mv);
            match code(self, &child) {
                Some(Code::Loss) => return Ok(Code::Win),
                Some(Code::Win) => (),
                Some(Code::Draw) => all_won = false,
                Some(Code::Nothing) | None => return Err(self.work.wrong_index(position)),
            }
        }
        Ok(if all_won { Code::Loss } else { Code::Draw })
    }

    /// Whether all moves of an open position lead to won ones. It ends at the first that does not.
    #[inline]
    pub(crate) fn all_won(&mut self, position: &G::Position) -> Result<bool, TableError> {
        let all_won = self.work.index.successors(position, |index| match self.codes.get(index) {
            Code::Win => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        });
        if let Some(flow) = all_won {
            return Ok(flow.is_continue());
        }
        let game = self.work.game;
        self.moves.clear();
        game.moves(position, &mut self.moves);
        for mv in &self.moves {
            let child = game.after(position, mv);
            match self.code(&child) {
                Some(Code::Win) => (),
                Some(_) => return Ok(false),
                None => return Err(self.work.wrong_index(position)),
            }
        }
        Ok(!self.moves.is_empty())
    }

    #[inline]
    fn code(&self, child: &G::Position) -> Option<Code> {
        let entry = self.work.index.entry(child)?;
        match entry.class == self.work.class {
            true => Some(self.codes.get(entry.index)),
            false => self.work.known.code(entry),
        }
    }

    #[inline]
    fn known_code(&self, child: &G::Position) -> Option<Code> {
        self.work.known.code(self.work.index.entry(child)?)
    }
}
