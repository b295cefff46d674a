//! Changes to a strategy that leave it a strategy: trimming it to what is needed, leaving out what
//! is easily proved, filling that in again, and putting several together.

use std::collections::VecDeque;

use hashbrown::{HashMap, HashSet};
use papamu_base::Progress;
use papamu_game::{Certifiable, Player};

use crate::strategy::{BadStrategy, Strategy, after, moves_in_order};

impl<G: Certifiable> Strategy<G> {
    /// Puts strategies of one winner together to one from another root, such as the position from
    /// which their roots come. Where several have a move for a position, the first one's is kept:
    /// what it leads to is there. What only the other moves led to is needed no longer and dropped,
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
            // What a smaller budget proves a larger one proves as well.
            merged.budget = merged.budget.max(other.budget);
            for (number, mv) in other.records {
                merged.records.entry(number).or_insert(mv);
            }
        }
        merged.trim(&Progress::new())?;
        Ok(merged)
    }

    /// Keeps only the records that the root needs, one way or another; how many were dropped. A
    /// needed position that is not there must be one that the budget proves.
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

    /// Leaves out all positions that the search of checkers proves within the budget.
    pub fn sparsify(&mut self, budget: u64, progress: &Progress) -> Result<u64, BadStrategy> {
        // What was left out under another budget may be beyond this one.
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

    /// Fills in what was left out; how many records were added.
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
                    // The answers as they are, not their least images: the search of this position
                    // has seen them like that, and entered no more than the budget allows.
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

    /// The move that the search of checkers finds.
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

    /// The winner's move in a position in which he is to move; `None` if the strategy does not have
    /// it.
    pub fn advice(&self, position: &G::Position) -> Result<Option<G::Move>, BadStrategy> {
        let wanted = self.number(position);
        let record = self.position(wanted)?;
        let mv = match self.records.get(&wanted) {
            Some(&mv) => self.move_of(&record, mv)?,
            None if self.budget == 0 => return Ok(None),
            // Further down in what was left out, the moves of an image may come in a worse order.
            None => match self
                .search_move(&record, self.budget.saturating_mul(1000).min(MOST_ENTERED))
            {
                Ok(mv) => mv,
                Err(_) => return Ok(None),
            },
        };
        // Whatever symmetry leads to the record: the move leads to an image of the same position.
        let target = self.number(&after(&self.game, &record, &mv));
        for mv in moves_in_order(&self.game, position) {
            if self.number(&after(&self.game, position, &mv)) == target {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }
}

/// Nobody waits for longer searches.
const MOST_ENTERED: u64 = 10_000_000;

/// The search of sparse certificates, as checkers do it: whether the winner wins, unless more than
/// `left` positions are entered.
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
