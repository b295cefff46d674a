//! The options of searches, which several verbs share.

use papamu_game::Guided;
use papamu_search::budget::Budget;
use papamu_search::init::Init;
use papamu_search::numbers::Damping;
use papamu_search::options::{Algorithm, Options};

use crate::Error;
use crate::kit::Kit;
use crate::request::{Applicability, Bytes};

/// A request with the options of searches below its own.
macro_rules! searching_request {
    ($($own:tt)*) => {
        $crate::request::request! {
            $($own)*
            /// ab, pns, pn2, dfpn or reference [default: dfpn]. Impartial games are searched with
            /// nimbers, and not by pn2
            algo: Option<papamu_search::options::Algorithm>, "NAME", Always;
            /// Threads of pn2, dfpn and certificates
            threads: Option<u16>, "N", Parallel, default 1, range 1..=255, short 't';
            /// Memory for tables and trees; it is taken as needed
            memory: Option<$crate::request::Bytes>, "SIZE", Always,
                default $crate::request::Bytes::gib(4);
            /// Initial proof and disproof numbers of leaves: unit, mobility, both-mobility,
            /// ef:a,b,t, ief:a,b,t, ramp:a,b,slope or linear:base,weight [default: the game's own]
            init: Option<papamu_search::init::Init>, "NUMBERS", TreeProofNumbers;
            /// Weight of the damped sum; 1 is the plain sum [default: the game's own]
            damping: Option<u32>, "N", ProofNumbers, range 1..=1_000_000;
            /// Slack of df-pn's thresholds, as a share [default: the game's own]
            epsilon: Option<f32>, "SHARE", DfPn, range 0.0..=100.0;
            /// Plies that new positions are looked ahead: 0, 1 for immediate wins, 2 for replies to
            /// them, 3 for double threats [default: the game's own]
            look_ahead: Option<u32>, "PLIES", Trees, range 0..=3;
            /// Second level of pn2: logistic:a,b, equal or "min(x, M-x)"
            /// [default: logistic:150000,30000]
            budget: Option<papamu_search::budget::Budget>, "SIZE", Pn2;
            /// With nimbers, try options with equal numbers in any order, instead of those with
            /// less play left first
            unordered: bool, "", Nimbers;
        }
    };
}
pub(crate) use searching_request;

/// The requested options of a search. The game chooses the rest.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SearchOptions {
    pub(crate) algo: Option<Algorithm>,
    pub(crate) threads: Option<u16>,
    pub(crate) memory: Option<Bytes>,
    pub(crate) init: Option<Init>,
    pub(crate) damping: Option<u32>,
    pub(crate) epsilon: Option<f32>,
    pub(crate) look_ahead: Option<u32>,
    pub(crate) budget: Option<Budget>,
    pub(crate) unordered: bool,
}

/// The options of searches of a request.
macro_rules! search_options {
    ($request:expr) => {
        $crate::search_options::SearchOptions {
            algo: $request.algo,
            threads: $request.threads,
            memory: $request.memory,
            init: $request.init,
            damping: $request.damping,
            epsilon: $request.epsilon,
            look_ahead: $request.look_ahead,
            budget: $request.budget,
            unordered: $request.unordered,
        }
    };
}
pub(crate) use search_options;

/// Default memory of searches.
pub(crate) const DEFAULT_MEMORY: Bytes = Bytes::gib(4);

impl SearchOptions {
    /// The requested search, or df-pn.
    pub(crate) fn algorithm(&self) -> Algorithm {
        self.algo.unwrap_or(Algorithm::DfPn)
    }

    /// The options of the search. Options that do not apply are refused.
    pub(crate) fn options<G: Guided>(
        &self,
        kit: &Kit<G>,
        check: &dyn Fn(&Applicability) -> Result<(), Error>,
        is_certified: bool,
    ) -> Result<(Algorithm, Options), Error> {
        let algorithm = self.algorithm();
        if G::IMPARTIAL && !algorithm.has_nimbers() {
            let problem = "impartial games are searched by dfpn, pns or ab, or by reference";
            return Err(Error::option("algo", problem));
        }
        let search = Applicability { algorithm, is_impartial: G::IMPARTIAL, is_certified };
        check(&search)?;
        let default = &kit.defaults;
        let options = Options {
            init: self.init.unwrap_or(default.init),
            damping: self.damping.map_or(default.damping, Damping::new),
            epsilon: self.epsilon.unwrap_or(default.epsilon),
            look_ahead_plies: self.look_ahead.unwrap_or(default.look_ahead_plies),
            budget: self.budget.unwrap_or(default.budget),
            memory_bytes: self.memory.unwrap_or(DEFAULT_MEMORY).bytes(),
            threads: self.threads.unwrap_or(1).into(),
            is_ordered: !self.unordered,
            ..*default
        };
        Ok((algorithm, options))
    }
}
