//! Fanorona.

use papamu_games::Fanorona;
use papamu_search::init::{Init, Linear};
use papamu_search::options::Options;

use crate::kit::{Kit, Registered};

impl Registered for Fanorona {
    fn kit() -> Kit<Fanorona> {
        Kit::new().capabilities(Fanorona::CAPABILITIES).defaults(defaults()).certified().indexed()
    }
}

/// The best over several boards; the numbers of nodes hardly change nearby.
fn defaults() -> Options {
    let init = Init::Linear(Linear { base: 8, weight: 5.0 });
    Options { init, epsilon: 0.3, ..Options::with_cycles() }
}
