//! One strategy from several.

use papamu_base::Progress;
use papamu_game::Certifiable;

use crate::strategy::{BadStrategy, Strategy};

impl<G: Certifiable> Strategy<G> {
    /// Merges strategies of one claim and owner into one from another root, such as the predecessor
    /// of their roots. If several have a move for a position, the first one's move is kept, since
    /// the positions after it are there; where ranks are due, the move of the least rank. Positions
    /// that only the other moves led to are dropped, because checkers reject records that are not
    /// needed.
    pub fn merge(
        root: G::Position,
        first: Strategy<G>,
        others: impl IntoIterator<Item = Strategy<G>>,
    ) -> Result<Strategy<G>, BadStrategy> {
        let mut merged = Strategy { root, ..first };
        let has_ranks = merged.has_ranks();
        let mut candidates = has_ranks.then(|| merged.candidates());
        for other in others {
            if other.owner != merged.owner {
                return Err(BadStrategy::OtherWinner);
            }
            if other.claim != merged.claim {
                return Err(BadStrategy::OtherClaim);
            }
            // A larger budget proves everything that a smaller one proves, and a larger database
            // knows everything that a smaller one knows.
            merged.budget = merged.budget.max(other.budget);
            merged.database = merged.database.max(other.database);
            for (number, record) in other.records {
                match &mut candidates {
                    None => _ = merged.records.entry(number).or_insert(record),
                    Some(candidates) => {
                        let moves = candidates.entry(number).or_default();
                        if !moves.contains(&record.mv) {
                            moves.push(record.mv);
                        }
                    }
                }
            }
        }
        if let Some(candidates) = candidates {
            merged.keep_least_ranks(candidates)?;
        }
        merged.trim(&Progress::new())?;
        Ok(merged)
    }
}
