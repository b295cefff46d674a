//! Options of requests.
//!
//! An input is lines: a verb, and then options, `name=text` or `name` alone.

use papamu::request::{Applicability, Request};
use papamu_search::Algorithm;

use crate::bytes::Bytes;

/// Reads options into a request of a verb.
type Read = fn(Bytes<'_>) -> bool;

macro_rules! verbs {
    ($($request:ident),+ $(,)?) => {
        /// All verbs that take a request.
        const VERBS: &[(&str, Read)] =
            &[$((<papamu::$request as Request>::VERB, read::<papamu::$request>)),+];
    };
}

verbs![
    Bench,
    Build,
    Calc,
    CertDensify,
    CertInfo,
    CertMerge,
    CertSparsify,
    CertTrim,
    CheckGame,
    Compare,
    CompareTables,
    Conjecture,
    Family,
    Find,
    Games,
    Invariants,
    Nimber,
    Perft,
    Play,
    Probe,
    Show,
    Solve,
    States,
    Stats,
    Train,
    Value,
    Verify,
    Winners,
];

fn read<R: Request>(mut bytes: Bytes<'_>) -> bool {
    let mut request = R::default();
    while !bytes.is_empty() {
        let line = bytes.line();
        let (name, text) = line.split_once('=').unwrap_or((&line, ""));
        // Names are hard to hit, so a number stands for an option, too.
        let option = name.parse::<usize>().ok().filter(|_| !R::OPTIONS.is_empty());
        let option = option.map(|number| R::OPTIONS[number % R::OPTIONS.len()].about.name);
        let name = option.unwrap_or(name);
        let about = R::OPTIONS.iter().map(|option| &option.about).find(|about| about.name == name);
        match request.set(name, text) {
            Ok(()) => {
                let about = about.expect("only options are set");
                let is_given = request.given().any(|given| given.name == name);
                assert!(is_given || text == "false", "{} --{}", R::VERB, about.name);
            }
            Err(problem) => {
                let problem = problem.to_string();
                assert!(problem.contains(name), "{} --{name} {text}: {problem}", R::VERB);
            }
        }
    }
    for algorithm in Algorithm::ALL {
        for (is_impartial, is_certified) in [(false, false), (false, true), (true, false)] {
            let search = Applicability { algorithm, is_impartial, is_certified };
            if let Err(problem) = request.check_applies(&search) {
                let problem = problem.to_string();
                assert!(request.given().any(|given| problem.contains(given.name)), "{problem}");
            }
        }
    }
    request.given().next().is_some()
}

/// An option is set, or refused with its name.
pub fn requests_are_refused_or_read(data: &[u8]) -> bool {
    let mut bytes = Bytes(data);
    let verb = bytes.line();
    let found = VERBS.iter().find(|(name, _)| *name == verb);
    let (_, read) = found.unwrap_or(&VERBS[verb.len() % VERBS.len()]);
    read(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defaults_are_read<R: Request>() {
        for option in R::OPTIONS {
            if let Some(default) = option.about.default {
                let (name, text) = (option.about.name, default());
                let set = R::default().set(name, &text);
                assert!(set.is_ok(), "{} --{name} {text}: {set:?}", R::VERB);
            }
        }
    }

    #[test]
    fn defaults_of_searches_are_read() {
        defaults_are_read::<papamu::Solve>();
        defaults_are_read::<papamu::Build>();
        defaults_are_read::<papamu::Conjecture>();
        defaults_are_read::<papamu::Perft>();
    }
}
