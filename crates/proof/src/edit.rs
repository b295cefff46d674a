//! Edits that keep a strategy valid: trimming it to the positions needed, leaving out positions
//! that are easily proved, and filling them in again.

use std::collections::VecDeque;

use hashbrown::{HashMap, HashSet};
use papamu_base::Progress;
use papamu_game::Certifiable;

use crate::sparse::Search;
use crate::strategy::{BadStrategy, Record, Strategy, moves_in_order};

impl<G: Certifiable> Strategy<G> {
    /// Keeps only the records that the root needs, directly or indirectly. Returns the number of
    /// records dropped. A needed position that is missing must be provable within the budget, or
    /// belong to the database, whose values only checkers know. Ranks must fall.
    pub fn trim(&mut self, progress: &Progress) -> Result<u64, BadStrategy> {
        let has_ranks = self.has_ranks();
        let mut seen: HashSet<G::Number> = HashSet::new();
        let mut open: VecDeque<G::Number> = self.needed_by_root()?.into();
        seen.extend(&open);
        let mut kept = HashMap::new();
        while let Some(number) = open.pop_front() {
            progress.add(1);
            let position = self.position(number)?;
            if self.is_decided(&position)? {
                continue;
            }
            let Some(&record) = self.records.get(&number) else {
                self.check_left_out(&position)?;
                continue;
            };
            kept.insert(number, record);
            let needed = self.needed_after(number, record.mv)?;
            if has_ranks {
                self.check_ranks(record, &needed)?;
            }
            open.extend(needed.into_iter().filter(|&n| seen.insert(n)));
        }
        let dropped = self.records.len() - kept.len();
        self.records = kept;
        Ok(dropped as u64)
    }

    /// Refuses a needed position that is neither there nor provable.
    fn check_left_out(&self, position: &G::Position) -> Result<(), BadStrategy> {
        match Search::new(&self.game, self.goal(), self.budget).proves(position) {
            true => Ok(()),
            false => Err(BadStrategy::Missing { position: self.game.write(position) }),
        }
    }

    /// Refuses ranks that do not fall.
    fn check_ranks(&self, record: Record, needed: &[G::Number]) -> Result<(), BadStrategy> {
        for &number in needed {
            let position = self.position(number)?;
            let is_below = |below: &Record| below.rank < record.rank;
            if !self.records.get(&number).is_none_or(is_below) && !self.is_decided(&position)? {
                return Err(BadStrategy::Rank { position: self.game.write(&position) });
            }
        }
        Ok(())
    }

    /// Leaves out all positions that the checkers' search proves within the budget, and those of
    /// the database: positions of this size or less, of which checkers find out the values.
    /// Returns the number of records dropped.
    pub fn sparsify(
        &mut self,
        budget: u64,
        database: u64,
        progress: &Progress,
    ) -> Result<u64, BadStrategy> {
        // A position left out under another budget may be beyond this one.
        self.densify(progress)?;
        let before = self.records.len();
        let mut hard = HashMap::new();
        for (&number, &record) in &self.records {
            progress.add(1);
            let search = Search::new(&self.game, self.goal(), budget);
            if !search.proves(&self.position(number)?) {
                hard.insert(number, record);
            }
        }
        self.records = hard;
        self.budget = budget;
        // What an earlier database left out is not known any more.
        self.database = self.database.max(database);
        self.trim(&Progress::new())?;
        Ok((before - self.records.len()) as u64)
    }

    /// Fills in the positions that were left out under the budget; those of the database stay left
    /// out. Returns the number of records added.
    pub fn densify(&mut self, progress: &Progress) -> Result<u64, BadStrategy> {
        let before = self.records.len();
        if self.has_ranks() && self.budget > 0 {
            self.fill_in_with_ranks(progress)?;
        } else {
            self.fill_in(progress)?;
        }
        Ok(self.records.len().saturating_sub(before) as u64)
    }

    fn fill_in(&mut self, progress: &Progress) -> Result<(), BadStrategy> {
        let mut seen: HashSet<G::Number> = HashSet::new();
        let mut open: VecDeque<G::Position> = VecDeque::new();
        for number in self.needed_by_root()? {
            seen.insert(number);
            open.push_back(self.position(number)?);
        }
        while let Some(position) = open.pop_front() {
            progress.add(1);
            let number = self.number(&position);
            if self.is_decided(&position)? {
                self.records.remove(&number);
                continue;
            }
            match self.records.get(&number) {
                Some(&Record { mv, .. }) => {
                    for needed in self.needed_after(number, mv)? {
                        if seen.insert(needed) {
                            open.push_back(self.position(needed)?);
                        }
                    }
                }
                None => {
                    let mv = self.search_move(&position, self.budget)?;
                    let child = self.game.after(&position, &mv);
                    let mv = self.mirrored(&position, &child)?;
                    self.records.insert(number, Record::unranked(mv));
                    // The answers themselves, not their least images: the search of this position
                    // entered them in this form, and stayed within the budget.
                    for reply in moves_in_order(&self.game, &child) {
                        let reply = self.game.after(&child, &reply);
                        if seen.insert(self.number(&reply)) {
                            open.push_back(reply);
                        }
                    }
                }
            }
        }
        self.budget = 0;
        self.records.retain(|number, _| seen.contains(number));
        Ok(())
    }

    /// The same where ranks are due. The searches of several positions may lead through the same
    /// ones, to and fro; so all their moves are candidates, of which the least ranks are kept.
    /// Everything gets a rank: every search is a finite tree, and the records had ranks above them.
    fn fill_in_with_ranks(&mut self, progress: &Progress) -> Result<(), BadStrategy> {
        self.trim(progress)?;
        let mut left_out: HashSet<G::Number> = self.needed_by_root()?.into_iter().collect();
        for (&number, record) in &self.records {
            left_out.extend(self.needed_after(number, record.mv)?);
        }
        let mut candidates = self.candidates();
        for number in left_out.into_iter().filter(|number| !self.records.contains_key(number)) {
            progress.add(1);
            let position = self.position(number)?;
            if self.is_decided(&position)? {
                continue;
            }
            let search = Search::new(&self.game, self.goal(), self.budget);
            let Some(proof) = search.proof(&position) else {
                return Err(BadStrategy::Missing { position: self.game.write(&position) });
            };
            for (position, mv) in proof {
                let mv = self.mirrored(&position, &self.game.after(&position, &mv))?;
                let moves = candidates.entry(self.number(&position)).or_default();
                if !moves.contains(&mv) {
                    moves.push(mv);
                }
            }
        }
        self.budget = 0;
        self.keep_least_ranks(candidates)?;
        self.trim(progress)?;
        Ok(())
    }

    /// The number, in the record of a position, of the move that leads to an image of `target`.
    pub(crate) fn mirrored(
        &self,
        position: &G::Position,
        target: &G::Position,
    ) -> Result<u32, BadStrategy> {
        let record = self.position(self.number(position))?;
        let target = self.number(target);
        for (mv, i) in moves_in_order(&self.game, &record).iter().zip(0..) {
            if self.number(&self.game.after(&record, mv)) == target {
                return Ok(i);
            }
        }
        Err(BadStrategy::Missing { position: self.game.write(position) })
    }

    /// The move that the checkers' search finds.
    fn search_move(&self, position: &G::Position, budget: u64) -> Result<G::Move, BadStrategy> {
        let found = Search::new(&self.game, self.goal(), budget).first_move(position);
        found.ok_or_else(|| BadStrategy::Missing { position: self.game.write(position) })
    }

    /// The owner's move in a position in which he is to move; `None` if the strategy has none.
    pub fn advice(&self, position: &G::Position) -> Result<Option<G::Move>, BadStrategy> {
        let wanted = self.number(position);
        let record = self.position(wanted)?;
        let mv = match self.records.get(&wanted) {
            Some(&Record { mv, .. }) => self.move_of(&record, mv)?,
            None if self.budget == 0 => return Ok(None),
            // Below a position that was left out, the moves of an image may come in a worse order,
            // so the budget is larger here.
            None => match self
                .search_move(&record, self.budget.saturating_mul(1000).min(MOST_ENTERED))
            {
                Ok(mv) => mv,
                Err(_) => return Ok(None),
            },
        };
        // The position may be an image of the record: the move to an image of the same position is
        // wanted.
        let target = self.number(&self.game.after(&record, &mv));
        for mv in moves_in_order(&self.game, position) {
            if self.number(&self.game.after(position, &mv)) == target {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }
}

/// A limit that keeps the answer quick.
const MOST_ENTERED: u64 = 10_000_000;
