//! The tiny games, which keep the general code honest.

use papamu_game::tiny::{Cram, Dodgem, Domineering, Kayles, MuTorere, TicTacToe};

use crate::kit::{Kit, Registered, Sizes};

impl Registered for TicTacToe {
    fn kit() -> Kit<TicTacToe> {
        let sizes = Sizes { unit: "empty squares", positions: None };
        Kit::new().capabilities(TicTacToe::CAPABILITIES).certified().indexed().sizes(sizes)
    }
}

impl Registered for Dodgem {
    fn kit() -> Kit<Dodgem> {
        let sizes = Sizes { unit: "cars", positions: None };
        Kit::new().capabilities(Dodgem::CAPABILITIES).certified().indexed().sizes(sizes)
    }
}

impl Registered for MuTorere {
    fn kit() -> Kit<MuTorere> {
        let sizes = Sizes { unit: "pieces", positions: None };
        Kit::new().capabilities(MuTorere::CAPABILITIES).certified().indexed().sizes(sizes)
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
