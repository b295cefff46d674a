//! Strategies of games that can go in circles, from the sets that settle their searches.
//!
//! A player holds by a closed set of positions, which he need not leave, and wins by a ranked one,
//! in which every line ends. Searches grow both kinds of sets; here they become records.

use papamu_base::Progress;
use papamu_game::Certifiable;
use papamu_search::cycles::{Chosen, closed_set, ranked_set};
use papamu_search::problem::Problem;

use crate::claim::{Claim, Goal};
use crate::extract::{ExtractError, Extracted, Prover};
use crate::strategy::{Record, Strategy};

/// Extracts a strategy of a game that can go in circles.
pub(crate) fn extract<G: Certifiable>(
    prover: &Prover<G>,
    root: &G::Position,
    goal: Goal,
    progress: &Progress,
) -> Result<Extracted<G>, ExtractError> {
    let Prover { game, store, oracle, options, budget, database, monitor, .. } = *prover;
    let problem = Problem::new(game, root, goal.question(game, root));
    let problem = Problem { oracle, ..problem };
    let decided = &|position: &G::Position| database > 0 && game.size(position) <= database;
    let set = match goal.claim {
        Claim::Holds => closed_set(&problem, options, store, monitor, decided)?,
        Claim::Wins => ranked_set(&problem, options, store, monitor, decided)?,
    };
    let set = set.ok_or_else(|| ExtractError::NotWon { position: game.write(root) })?;
    let mut strategy = Strategy { database, ..Strategy::new(game, root, goal) };
    for Chosen { position, mv, rank } in set {
        // Records are of the least image of a position.
        let mv = strategy.mirrored(&position, &game.after(&position, &mv))?;
        strategy.records.insert(strategy.number(&position), Record { mv, rank });
        progress.add(1);
    }
    if budget > 0 {
        strategy.sparsify(budget, 0, progress)?;
    }
    Ok(Extracted { strategy, runs: Vec::new() })
}
