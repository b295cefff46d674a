//! The tiny games, which keep the general code honest.

use papamu_game::tiny::{Cram, Dodgem, Domineering, Kayles, MuTorere, TicTacToe};

use crate::kit::{Kit, Registered};

impl Registered for TicTacToe {
    fn kit() -> Kit<TicTacToe> {
        Kit::new().capabilities(TicTacToe::CAPABILITIES).certified().indexed()
    }
}

impl Registered for Dodgem {
    fn kit() -> Kit<Dodgem> {
        Kit::new().capabilities(Dodgem::CAPABILITIES).certified().indexed()
    }
}

impl Registered for MuTorere {
    fn kit() -> Kit<MuTorere> {
        Kit::new().capabilities(MuTorere::CAPABILITIES).certified().indexed()
    }
}

impl Registered for Kayles {
    fn kit() -> Kit<Kayles> {
        Kit::new().capabilities(Kayles::CAPABILITIES)
    }
}

impl Registered for Domineering {
    fn kit() -> Kit<Domineering> {
        Kit::new().capabilities(Domineering::CAPABILITIES)
    }
}

impl Registered for Cram {
    fn kit() -> Kit<Cram> {
        Kit::new().capabilities(Cram::CAPABILITIES)
    }
}
