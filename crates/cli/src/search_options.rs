//! How to search, on the command line.

use clap::Args;
use papamu_game::Game;
use papamu_search::budget::Budget;
use papamu_search::init::Init;
use papamu_search::nimber::Settings;
use papamu_search::numbers::Damping;
use papamu_search::run::Options;
use papamu_search::solver::Algorithm;
use papamu_values::konane::Regions;
use papamu_values::{Forms, Limits};

use crate::failure::Failure;
use crate::memory::MemorySize;

/// With less, a search would be busy with forgetting.
pub(crate) const LEAST_MEMORY_BYTES: usize = 1 << 20;

/// How to search, on the command line.
#[derive(Args, Clone)]
pub(crate) struct SearchOptions {
    /// ab, pns, pn2, dfpn or plain [default: dfpn; plain for games with cycles]. Impartial games are searched with
    /// nimbers, and not by pn2
    #[arg(long, value_name = "NAME")]
    algo: Option<Choice>,

    /// Threads of pn2, dfpn and --cert
    #[arg(long, short, default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=255))]
    pub(crate) threads: u16,

    /// Memory for tables and trees; it is taken as needed
    #[arg(long, default_value = "4GiB", value_name = "SIZE")]
    pub(crate) memory: MemorySize,

    /// First numbers of leaves, but not with nimbers: unit, mobility, both-mobility, ef:a,b,t, ief:a,b,t or ramp:a,b,slope
    /// [default: ramp:30,15,2]
    #[arg(long)]
    init: Option<Init>,

    /// Weight of the damped sum; 1 is the plain sum [default: 8; with nimbers 4]
    #[arg(long, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    damping: Option<u32>,

    /// Slack of df-pn's thresholds, as a share [default: 0.15; with nimbers 0.25]
    #[arg(long, allow_negative_numbers = true, value_parser = share)]
    epsilon: Option<f32>,

    /// Second level of pn2: logistic:a,b, equal or "min(x, M-x)" [default: logistic:150000,30000]
    #[arg(long)]
    budget: Option<Budget>,
}

fn share(text: &str) -> Result<f32, &'static str> {
    match text.parse::<f32>() {
        Ok(share) if (0.0..=100.0).contains(&share) => Ok(share),
        _ => Err("it is a number from 0 to 100, such as 0.15"),
    }
}

/// A search, or the plain solver of the game's kind.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choice {
    Plain,
    Search(Algorithm),
}

impl std::str::FromStr for Choice {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Choice, Self::Err> {
        match text {
            "plain" => Ok(Choice::Plain),
            _ => text.parse().map(Choice::Search).map_err(|_| "it is ab, pns, pn2, dfpn or plain"),
        }
    }
}

impl SearchOptions {
    pub(crate) fn options(&self) -> Options {
        let default = Options::default();
        Options {
            init: self.init.unwrap_or(default.init),
            damping: self.damping.map_or(default.damping, Damping::new),
            epsilon: self.epsilon.unwrap_or(default.epsilon),
            budget: self.budget.unwrap_or(default.budget),
            memory_bytes: self.memory.bytes(),
            threads: self.threads.into(),
        }
    }

    /// The same for impartial games.
    pub(crate) fn nimber_settings(
        &self,
        algorithm: Algorithm,
        is_ordered: bool,
    ) -> Result<Settings, Failure> {
        let Ok(algorithm) = algorithm.to_string().parse() else {
            let problem = "impartial games are searched by dfpn, pns or ab, or by plain";
            return Err(Failure::Arguments(problem.to_owned()));
        };
        if self.init.is_some() || self.budget.is_some() {
            let problem = "searches with nimbers have no --init and no --budget";
            return Err(Failure::Arguments(problem.to_owned()));
        }
        let default = Settings::default();
        Ok(Settings {
            algorithm,
            threads: self.threads.into(),
            memory_bytes: self.memory.bytes(),
            epsilon: self.epsilon.unwrap_or(default.epsilon),
            damping: self.damping.unwrap_or(default.damping),
            is_ordered,
            ..default
        })
    }

    /// Where values of regions are kept: a quarter of the memory, beside it.
    pub(crate) fn regions(&self) -> Result<Regions, Failure> {
        let memory_bytes = self.memory.bytes() as u64 / 4;
        Ok(Regions::new(Forms::new(Limits { deadline: None, memory_bytes })?)?)
    }

    /// The search that was asked for, if it is not the plain solver.
    pub(crate) fn algorithm(&self) -> Option<Algorithm> {
        match self.algo {
            Some(Choice::Search(algorithm)) => Some(algorithm),
            _ => None,
        }
    }

    pub(crate) fn choice<G: Game>(&self) -> Choice {
        match self.algo {
            Some(choice) => choice,
            None if G::CYCLIC => Choice::Plain,
            None => Choice::Search(Algorithm::DfPn),
        }
    }
}
