//! Konane: certificates, strong tables, values by regions, published figures.

mod picture;
mod published;
mod tables;
mod values;

use papamu_game::ranking::Binomials;
use papamu_games::Konane;
use papamu_search::init::{Init, Steps};
use papamu_search::numbers::Damping;
use papamu_search::options::{Algorithm, Options};

use crate::kit::{BenchCase, Kit, Registered, Sizes};

impl Registered for Konane {
    fn kit() -> Kit<Konane> {
        Kit::new()
            .capabilities(Konane::CAPABILITIES)
            .certified()
            .tables(tables::KonaneTables)
            .values(values::KonaneValues)
            .published(published::Thesis)
            .picture(picture::picture)
            .sizes(Sizes { unit: "stones", positions: Some(placements) })
            .bench(bench())
    }
}

/// The squares with stones and who moves: a square has always the same colour.
fn placements(game: &Konane, stones: u64) -> u128 {
    let squares = game.board().squares.count_ones();
    let stones = u32::try_from(stones).unwrap_or(u32::MAX);
    2 * u128::from(Binomials::new().choose(squares, stones))
}

/// Every algorithm, every kind of initial numbers, sums with and without damping, openings and
/// endgames.
fn bench() -> Vec<BenchCase> {
    let default = Options { memory_bytes: 64 << 20, ..Options::default() };
    let steps = Steps { a: 5, b: 2, t: 0.3 };
    let with = |init, weight| Options { init, damping: Damping::new(weight), ..default };
    [
        ("6x6", Algorithm::DfPn, default),
        ("7x5", Algorithm::DfPn, default),
        ("4x8", Algorithm::DfPn, default),
        ("6x5", Algorithm::DfPn, with(Init::Unit, 1)),
        ("6x5", Algorithm::DfPn, with(Init::Mobility, 1)),
        ("6x5", Algorithm::DfPn, with(Init::Ef(steps), 8)),
        ("6x5", Algorithm::DfPn, with(Init::Ief(steps), 8)),
        ("6x5", Algorithm::Pns, default),
        ("5x5", Algorithm::Pns, with(Init::Mobility, 1)),
        ("6x5", Algorithm::Pn2, default),
        ("5x5", Algorithm::Pn2, with(Init::Mobility, 1)),
        ("5x5", Algorithm::AlphaBeta, default),
        ("xoxo.o/ox.xox/xo.oxo/oxox.x/x.xoxo/oxoxox b", Algorithm::AlphaBeta, default),
        ("xoxoxox/o.oxoxo/xoxox.x/oxo.oxo/xoxoxox/o.oxoxo/xoxoxox w", Algorithm::DfPn, default),
    ]
    .map(|(position, algorithm, options)| BenchCase { position, algorithm, options })
    .into()
}
