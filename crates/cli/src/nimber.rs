//! `papamu nimber`: the heap of Nim that a position of an impartial game is worth.

use std::path::{Path, PathBuf};

use clap::Args;
use papamu_game::Game;
use papamu_search::nimber::{Algorithm, Settings};
use serde::Serialize;

use crate::failure::Failure;
use crate::impartial::{Job, NimberOptions, Wanted};
use crate::memory::MemorySize;
use crate::output::{Output, check_distinct, grouped};
use crate::target::{PositionVerb, Subject, Target};

/// Find the nimber of a position of an impartial game
#[derive(Args)]
#[command(after_help = "Examples:
  papamu nimber sprouts \"0*8\"
  papamu nimber sprouts \"0.AB|1.AB\" --json
  papamu nimber sprouts \"0*10\" --nimbers sprouts.nim --threads 2
  papamu nimber sprouts \"0*6\" --cert 6.nim        and then: papamu-check 6.nim
  papamu nimber kayles 40")]
pub(crate) struct Nimber {
    #[command(flatten)]
    pub(crate) target: Target,

    /// dfpn, pns or ab
    #[arg(long, value_name = "NAME", default_value = "dfpn", value_parser = algorithm)]
    algo: Algorithm,

    /// Threads of dfpn
    #[arg(long, short, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=255))]
    threads: u16,

    /// Memory for positions and their options; it is taken as needed
    #[arg(long, default_value = "4GiB", value_name = "SIZE")]
    memory: MemorySize,

    #[command(flatten)]
    nimbers: NimberOptions,

    /// Write the nimbers that prove the result, which `papamu-check` checks
    #[arg(long, value_name = "FILE")]
    cert: Option<PathBuf>,
}

fn algorithm(text: &str) -> Result<Algorithm, &'static str> {
    text.parse().map_err(|()| "it is dfpn, pns or ab")
}

#[derive(Serialize)]
struct Answer<'a> {
    game: &'a str,
    position: &'a str,
    nimber: u32,
    algorithm: &'a str,
    threads: u16,
    expansions: u64,
    nimbers_known: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate_lemmas: Option<u64>,
    seconds: f64,
}

impl Nimber {
    /// Finds it, once it is clear that no file gets in the way of another.
    pub(crate) fn run(&self, answer: Option<&Path>, output: &mut Output) -> Result<(), Failure> {
        check_distinct([
            ("--output", answer),
            ("--cert", self.cert.as_deref()),
            ("--nimbers", self.nimbers.nimbers.as_deref()),
        ])?;
        self.target.run(self, output)
    }
}

impl PositionVerb for Nimber {
    fn run<G: Game>(&self, subject: Subject<G>, output: &mut Output) -> Result<(), Failure> {
        if !G::IMPARTIAL {
            let problem = format!("{} is not impartial: see `papamu value`", G::NAME);
            return Err(Failure::Arguments(problem));
        }
        if self.threads > 1 && self.algo != Algorithm::DfPn {
            let problem = "only dfpn has several --threads with nimbers";
            return Err(Failure::Arguments(problem.to_owned()));
        }
        let settings = Settings {
            algorithm: self.algo,
            threads: self.threads.into(),
            memory_bytes: self.memory.bytes(),
            is_ordered: !self.nimbers.unordered,
            ..Settings::default()
        };
        let job = Job {
            subject: &subject,
            settings,
            nimbers: self.nimbers.nimbers.as_deref(),
            cert: self.cert.as_deref(),
            trace: None,
        };
        let (found, failure) = job.run(Wanted::Nimber, output)?;
        let answer = Answer {
            game: G::NAME,
            position: &subject.text,
            nimber: found.nimber.unwrap_or_default(),
            algorithm: self.algo.name(),
            threads: self.threads,
            expansions: found.expansions,
            nimbers_known: found.nimbers.unwrap_or_default(),
            certificate_lemmas: found.lemmas,
            seconds: found.seconds,
        };
        output.json(&answer)?;
        output.line(format!("nimber     {}", answer.nimber))?;
        let (expansions, nimbers) = (grouped(answer.expansions), grouped(answer.nimbers_known));
        output.line(format!(
            "effort     {expansions} expansions, {nimbers} nimbers known, {:.3} s, {}",
            answer.seconds, answer.algorithm
        ))?;
        if let (Some(lemmas), Some(file)) = (found.lemmas, &self.cert) {
            output.line(format!("proof      {}, {} nimbers", file.display(), grouped(lemmas)))?;
        }
        failure.map_or(Ok(()), Err)
    }
}
