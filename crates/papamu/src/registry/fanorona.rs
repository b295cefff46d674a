//! Fanorona.

use papamu_games::Fanorona;

use crate::kit::{Kit, Registered};

impl Registered for Fanorona {
    fn kit() -> Kit<Fanorona> {
        Kit::new().capabilities(Fanorona::CAPABILITIES).certified().indexed()
    }
}
