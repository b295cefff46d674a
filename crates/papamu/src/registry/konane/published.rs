//! The figures of B. Siefke's thesis.

use papamu_game::Player;
use papamu_game::notation::read_size;
use papamu_games::konane::published;
use papamu_search::options::Algorithm;

use crate::kit::{Published, PublishedEffort};

/// "Solving Konane Using Proof-Number Search and Extensions" (TU Berlin, 2025).
pub(super) struct Thesis;

impl Published for Thesis {
    fn winner(&self, start: &str) -> Option<Player> {
        let (rows, cols) = read_size(start)?;
        published::winner(rows, cols)
    }

    /// Table 4.2 has the nodes, table 4.3 the scaling of two algorithms.
    fn effort(&self, start: &str, algorithm: Algorithm, threads: usize) -> Option<PublishedEffort> {
        if start != "6x6" {
            return None;
        }
        let name = algorithm.name();
        let nodes = published::ALGORITHMS_6X6.iter().find(|row| row.0 == name && threads == 1);
        let scaling = published::SCALING_6X6.iter().find(|row| (row.0, row.1) == (name, threads));
        let nodes_millions = nodes.map(|row| row.2);
        match (scaling, nodes) {
            (Some(&(_, _, seconds, speedup, efficiency, overhead)), _) => {
                Some(PublishedEffort { seconds, nodes_millions, speedup, efficiency, overhead })
            }
            (None, Some(&(_, seconds, _))) => Some(PublishedEffort {
                seconds,
                nodes_millions,
                speedup: 1.0,
                efficiency: 1.0,
                overhead: 1.0,
            }),
            (None, None) => None,
        }
    }
}
