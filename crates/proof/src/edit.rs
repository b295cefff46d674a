//! Edits that keep a strategy valid: trimming it to the positions needed, leaving out positions
//! that are easily proved, filling them in again, and merging several strategies.

use std::collections::VecDeque;

use hashbrown::{HashMap, HashSet};
use papamu_base::Progress;
use papamu_game::{Certifiable, Player};

use crate::strategy::{BadStrategy, Strategy, after, moves_in_order};

impl<G: Certifiable> Strategy<G> {
    /// Merges strategies of one winner into one from another root, such as the predecessor of their
    /// roots. If several have a move for a position, the first one's move is kept, since the
    /// positions after it are there. Positions that only the other moves led to are dropped,
    /// because checkers reject records that are not needed.
    pub fn merge(
        root: G::Position,
        first: Strategy<G>,
        others: impl IntoIterator<Item = Strategy<G>>,
    ) -> Result<Strategy<G>, BadStrategy> {
        let mut merged = Strategy { root, ..first };
        for other in others {
            if other.winner != merged.winner {
                return Err(BadStrategy::OtherWinner);
            }
            // A larger budget proves everything that a smaller one proves.
            merged.budget = merged.budget.max(other.budget);
            for (number, mv) in other.records {
                merged.records.entry(number).or_insert(mv);
            }
        }
        merged.trim(&Progress::new())?;
        Ok(merged)
    }

    /// Keeps only the records that the root needs, directly or indirectly. Returns the number of
    /// records dropped. A needed position that is missing must be provable within the budget.
    pub fn trim(&mut self, progress: &Progress) -> Result<u64, BadStrategy> {
        let mut seen: HashSet<u64> = HashSet::new();
        let mut open: VecDeque<u64> = self.needed_by_root().into();
        seen.extend(&open);
        let mut kept = HashMap::new();
        while let Some(number) = open.pop_front() {
            progress.add(1);
            let Some(&mv) = self.records.get(&number) else {
                self.check_left_out(number)?;
                continue;
            };
            kept.insert(number, mv);
            open.extend(self.needed_after(number, mv)?.into_iter().filter(|&n| seen.insert(n)));
        }
        let dropped = self.records.len() - kept.len();
        self.records = kept;
        Ok(dropped as u64)
    }

    /// Refuses a needed position that is neither there nor provable.
    fn check_left_out(&self, number: u64) -> Result<(), BadStrategy> {
        let position = self.position(number)?;
        let mut left = self.budget;
        match wins(&self.game, &position, self.winner, &mut left) {
            Some(true) => Ok(()),
            _ => Err(BadStrategy::Missing { position: self.game.write(&position) }),
        }
    }

    /// Leaves out all positions that the checkers' search proves within the budget.
    pub fn sparsify(&mut self, budget: u64, progress: &Progress) -> Result<u64, BadStrategy> {
        // A position left out under another budget may be beyond this one.
        self.densify(progress)?;
        let before = self.records.len();
        let mut hard = HashMap::new();
        for (&number, &mv) in &self.records {
            progress.add(1);
            let mut left = budget;
            let position = self.position(number)?;
            if wins(&self.game, &position, self.winner, &mut left) != Some(true) {
                hard.insert(number, mv);
            }
        }
        self.records = hard;
        self.budget = budget;
        self.trim(&Progress::new())?;
        Ok((before - self.records.len()) as u64)
    }

    /// Fills in the positions that were left out. Returns the number of records added.
    pub fn densify(&mut self, progress: &Progress) -> Result<u64, BadStrategy> {
        let before = self.records.len();
        let mut seen: HashSet<u64> = HashSet::new();
        let mut open: VecDeque<G::Position> = VecDeque::new();
        for number in self.needed_by_root() {
            seen.insert(number);
            open.push_back(self.position(number)?);
        }
        while let Some(position) = open.pop_front() {
            progress.add(1);
            let number = self.number(&position);
            match self.records.get(&number) {
                Some(&mv) => {
                    for needed in self.needed_after(number, mv)? {
                        if seen.insert(needed) {
                            open.push_back(self.position(needed)?);
                        }
                    }
                }
                None => {
                    let mv = self.search_move(&position, self.budget)?;
                    let child = after(&self.game, &position, &mv);
                    self.records.insert(number, self.mirrored(&position, &child)?);
                    // The answers themselves, not their least images: the search of this position
                    // entered them in this form, and stayed within the budget.
                    for reply in moves_in_order(&self.game, &child) {
                        let reply = after(&self.game, &child, &reply);
                        if seen.insert(self.number(&reply)) {
                            open.push_back(reply);
                        }
                    }
                }
            }
        }
        self.budget = 0;
        self.records.retain(|number, _| seen.contains(number));
        Ok(self.records.len().saturating_sub(before) as u64)
    }

    /// The number, in the record of a position, of the move that leads to an image of `target`.
    fn mirrored(&self, position: &G::Position, target: &G::Position) -> Result<u32, BadStrategy> {
        let record = self.position(self.number(position))?;
        let target = self.number(target);
        for (mv, i) in moves_in_order(&self.game, &record).iter().zip(0..) {
            if self.number(&after(&self.game, &record, mv)) == target {
                return Ok(i);
            }
        }
        Err(BadStrategy::Missing { position: self.game.write(position) })
    }

    /// The move that the checkers' search finds.
    fn search_move(&self, position: &G::Position, budget: u64) -> Result<G::Move, BadStrategy> {
        let mut left = budget.saturating_sub(1);
        for mv in moves_in_order(&self.game, position) {
            let child = after(&self.game, position, &mv);
            match wins(&self.game, &child, self.winner, &mut left) {
                Some(true) => return Ok(mv),
                Some(false) => {}
                None => break,
            }
        }
        Err(BadStrategy::Missing { position: self.game.write(position) })
    }

    /// The winner's move in a position in which he is to move; `None` if the strategy has none.
    pub fn advice(&self, position: &G::Position) -> Result<Option<G::Move>, BadStrategy> {
        let wanted = self.number(position);
        let record = self.position(wanted)?;
        let mv = match self.records.get(&wanted) {
            Some(&mv) => self.move_of(&record, mv)?,
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
        let target = self.number(&after(&self.game, &record, &mv));
        for mv in moves_in_order(&self.game, position) {
            if self.number(&after(&self.game, position, &mv)) == target {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }
}

/// A limit that keeps the answer quick.
const MOST_ENTERED: u64 = 10_000_000;

/// The search of sparse certificates, as checkers do it. Returns whether the winner wins, or `None`
/// if more than `left` positions are entered.
pub(crate) fn wins<G: Certifiable>(
    game: &G,
    position: &G::Position,
    winner: Player,
    left: &mut u64,
) -> Option<bool> {
    *left = left.checked_sub(1)?;
    let winners_turn = game.to_move(position) == winner;
    for mv in moves_in_order(game, position) {
        if wins(game, &after(game, position, &mv), winner, left)? == winners_turn {
            return Some(winners_turn);
        }
    }
    Some(!winners_turn)
}
