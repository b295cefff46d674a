//! Ranks of strategies in games that can go in circles.
//!
//! Strategies that win one by one need not do so together: one may lead to a position from which
//! another leads back. So when strategies are put together, positions keep all their moves at
//! first. Then ranks are found from the ends backwards. A position without a rank gets one as soon
//! as all positions that one of its moves needs have theirs, and keeps that move. This gives the
//! least ranks, and since they fall along every line no line goes in circles.

use std::collections::VecDeque;

use hashbrown::{HashMap, HashSet};
use papamu_game::Certifiable;

use crate::sparse::Search;
use crate::strategy::{BadStrategy, Record, Strategy};

/// Several moves for each position.
pub(crate) type Candidates<N> = HashMap<N, Vec<u32>>;

/// A move of a position, and how many positions that it needs have no rank yet.
struct Choice<N> {
    number: N,
    mv: u32,
    open: usize,
}

impl<G: Certifiable> Strategy<G> {
    /// Its moves as candidates.
    pub(crate) fn candidates(&self) -> Candidates<G::Number> {
        self.records.iter().map(|(&number, record)| (number, vec![record.mv])).collect()
    }

    /// Replaces the records by those of least ranks among the candidates. What gets no rank is left
    /// out: then the budget proves it, or trimming finds it missing.
    pub(crate) fn keep_least_ranks(
        &mut self,
        mut candidates: Candidates<G::Number>,
    ) -> Result<(), BadStrategy> {
        loop {
            self.records = self.least_ranks(&candidates)?;
            // Where one strategy has records, another one may have left them out, and the records
            // of both together may run in circles. What is provable can be left out.
            let mut provable = HashSet::new();
            if self.budget > 0 {
                for &number in candidates.keys().filter(|n| !self.records.contains_key(*n)) {
                    let search = Search::new(&self.game, self.goal(), self.budget);
                    if search.proves(&self.position(number)?) {
                        provable.insert(number);
                    }
                }
            }
            if provable.is_empty() {
                return Ok(());
            }
            candidates.retain(|number, _| !provable.contains(number));
        }
    }

    /// The records of least ranks.
    fn least_ranks(
        &self,
        candidates: &Candidates<G::Number>,
    ) -> Result<HashMap<G::Number, Record>, BadStrategy> {
        let mut options: Vec<Choice<G::Number>> = Vec::new();
        let mut needed_by: HashMap<G::Number, Vec<usize>> = HashMap::new();
        let mut done: VecDeque<(usize, u32)> = VecDeque::new();
        for (&number, moves) in candidates {
            for &mv in moves {
                let mut open = 0;
                for needed in self.needed_after(number, mv)? {
                    // All others are ends, in the database or left out.
                    if candidates.contains_key(&needed) {
                        needed_by.entry(needed).or_default().push(options.len());
                        open += 1;
                    }
                }
                if open == 0 {
                    done.push_back((options.len(), 0));
                }
                options.push(Choice { number, mv, open });
            }
        }
        // Ranks come in ascending order, so the first one is the least.
        let mut records = HashMap::new();
        while let Some((option, rank)) = done.pop_front() {
            let Choice { number, mv, .. } = options[option];
            if records.contains_key(&number) {
                continue;
            }
            records.insert(number, Record { mv, rank });
            for &above in needed_by.get(&number).into_iter().flatten() {
                options[above].open -= 1;
                if options[above].open == 0 {
                    done.push_back((above, rank + 1));
                }
            }
        }
        Ok(records)
    }
}
