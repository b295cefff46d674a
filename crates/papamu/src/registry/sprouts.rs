//! Sprouts: sums of lands, with certificates of nimbers.

use papamu_games::Sprouts;
use papamu_search::numbers::Damping;
use papamu_search::options::{Algorithm, Options};

use crate::kit::{BenchCase, Kit, Registered};

impl Registered for Sprouts {
    fn kit() -> Kit<Sprouts> {
        Kit::new().capabilities(Sprouts::CAPABILITIES).bench(bench())
    }
}

/// Every algorithm, normal and misere play.
fn bench() -> Vec<BenchCase> {
    let default = Options { memory_bytes: 256 << 20, ..Options::with_nimbers() };
    let pure = Options { damping: Damping::new(1), epsilon: 0.0, is_ordered: false, ..default };
    [
        ("0*11", Algorithm::DfPn, default),
        ("0*8", Algorithm::DfPn, default),
        ("0*9", Algorithm::DfPn, pure),
        ("misere 0*7", Algorithm::DfPn, default),
        ("0*9", Algorithm::Pns, default),
        ("0*5", Algorithm::AlphaBeta, default),
    ]
    .map(|(position, algorithm, options)| BenchCase { position, algorithm, options })
    .into()
}
