//! Fanorona: certificates, databases, published figures.

use papamu_game::notation::read_size;
use papamu_games::Fanorona;
use papamu_games::fanorona::published;
use papamu_search::init::{Init, Linear};
use papamu_search::options::Options;

use crate::kit::{
    Kit, Published, PublishedDatabase, PublishedProfile, PublishedTradeoff, Registered, Sizes,
};

impl Registered for Fanorona {
    fn kit() -> Kit<Fanorona> {
        Kit::new()
            .capabilities(Fanorona::CAPABILITIES)
            .defaults(defaults())
            .certified()
            .indexed()
            .sizes(Sizes { unit: "stones", positions: Some(Fanorona::placements) })
            .published(Thesis)
    }
}

/// M. Schadd, "Selective Search in Games of Different Complexity" (Maastricht, 2011), chapter 4.
struct Thesis;

impl Published for Thesis {
    fn profile(&self, start: &str) -> Option<PublishedProfile> {
        if read_size(start)? != (5, 9) {
            return None;
        }
        let without = published::DATABASES_5X9.first()?;
        let of_row = |row: &published::VirtualDatabase| {
            let published::VirtualDatabase { stones, length, branching, log10_tree } = *row;
            (stones.into(), PublishedDatabase { length, branching, log10_tree })
        };
        Some(PublishedProfile {
            source: published::SOURCE,
            branching: without.branching,
            length: without.length,
            log10_tree: without.log10_tree,
            log10_states: published::LOG10_STATES_5X9,
            endgame_below: published::ENDGAME_BELOW_5X9.into(),
            databases: published::DATABASES_5X9.iter().map(of_row).collect(),
        })
    }

    /// The tables have the times of single databases. A search needs all that are smaller, too.
    fn tradeoff(&self, start: &str) -> Vec<PublishedTradeoff> {
        let Some((rows, cols)) = read_size(start) else { return Vec::new() };
        let seconds = |ms: u64| ms as f64 / 1000.0;
        let mut build_ms = 0;
        let of_row = |row: &published::Tradeoff| {
            build_ms += row.build_ms;
            PublishedTradeoff {
                stones: row.stones,
                build_seconds: seconds(build_ms),
                positions: row.positions,
                solve_seconds: seconds(row.solve_ms),
                nodes: row.nodes,
                total_seconds: seconds(build_ms + row.solve_ms),
            }
        };
        published::tradeoff(rows, cols).iter().map(of_row).collect()
    }
}

/// The best over several boards; the numbers of nodes hardly change nearby.
fn defaults() -> Options {
    let init = Init::Linear(Linear { base: 8, weight: 5.0 });
    Options { init, epsilon: 0.3, ..Options::with_cycles() }
}
