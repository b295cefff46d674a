//! What the moves of a position say about it.

use papamu_game::{Entry, Indexed, PositionIndex};

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

    /// The position of an entry of the class.
    #[inline]
    pub(crate) fn position(&self, index: u64) -> Option<G::Position> {
        self.index.position(Entry { class: self.class, index })
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
    /// The value so far, by the moves out of the class alone.
    #[inline]
    pub(crate) fn by_exits(&mut self, position: &G::Position) -> Result<Code, TableError> {
        let known = self.work.known;
        let faster =
            self.work.index.value_by_exits(position, &mut |entry| known.code(entry)?.value());
        if let Some(value) = faster {
            return Ok(value.into());
        }
        self.by_moves(position, |look, child| {
            let class = look.work.index.class(child)?;
            if class == look.work.class { Some(Code::Draw) } else { look.known_code(child) }
        })
    }

    /// The value so far, by all moves.
    #[inline]
    pub(crate) fn by_all(&mut self, position: &G::Position) -> Result<Code, TableError> {
        self.by_moves(position, Look::code)
    }

    /// A lost position after a move wins; if all are won, the position is lost.
    #[inline]
    fn by_moves(
        &mut self,
        position: &G::Position,
        code: impl Fn(&Self, &G::Position) -> Option<Code>,
    ) -> Result<Code, TableError> {
        let game = self.work.game;
        self.moves.clear();
        game.moves(position, &mut self.moves);
        if self.moves.is_empty() {
            return Ok(game.final_value(position).into());
        }
        let mut all_won = true;
        for mv in &self.moves {
            let mut child = position.clone();
            game.play(&mut child, mv);
            match code(self, &child) {
                Some(Code::Loss) => return Ok(Code::Win),
                Some(Code::Win) => (),
                Some(Code::Draw) => all_won = false,
                Some(Code::Nothing) | None => return Err(self.work.wrong_index(position)),
            }
        }
        Ok(if all_won { Code::Loss } else { Code::Draw })
    }

    /// Whether all moves lead to won positions. It ends at the first one that does not.
    #[inline]
    pub(crate) fn all_won(&mut self, position: &G::Position) -> Result<bool, TableError> {
        let game = self.work.game;
        self.moves.clear();
        game.moves(position, &mut self.moves);
        for mv in &self.moves {
            let mut child = position.clone();
            game.play(&mut child, mv);
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
