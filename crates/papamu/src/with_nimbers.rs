//! Impartial games, which are searched with nimbers.

use papamu_base::file::AtomicFile;
use papamu_game::Value;
use papamu_search::nimber::file::{self, Claim, Lemmas};
use papamu_search::nimber::job::{NimberJob, NimberJobError, NimberStore, Wanted};
use papamu_search::options::{Algorithm, Options};
use papamu_search::run::Monitor;

use crate::kit::Registered;
use crate::solve::{SolvePlan, Solved};
use crate::subject::Held;
use crate::trace::{self, Trace};
use crate::watch::with_monitor;
use crate::{Error, Watch};

/// Solves a position of an impartial game; an error in writing the certificate comes with the
/// answer.
pub(crate) fn solve<G: Registered>(
    held: &Held<G>,
    algorithm: Algorithm,
    options: &Options,
    plan: &SolvePlan<'_>,
    watch: &dyn Watch,
) -> Result<Solved, Error> {
    let Held { kit, game, position } = held;
    let sums = kit.capabilities.sums(game);
    if plan.nimbers.is_some() && !sums.has_nimbers() {
        let error = Error::from(NimberJobError::NoNimbers { game: G::NAME });
        return Err(error.asked_by("nimbers"));
    }
    let store = plan.nimbers.map(|path| NimberStore::open(path, game, &*sums)).transpose()?;
    let (store, known) = store.unzip();
    let cert = plan.cert.map(AtomicFile::new).transpose()?;
    let job = NimberJob {
        game,
        position,
        sums: &*sums,
        algorithm,
        options,
        wanted: plan.wanted,
        known: known.as_ref().unwrap_or(const { &Lemmas::new() }),
        store: store.as_ref(),
        certificate: cert.is_some(),
    };
    job.check().map_err(|error| Error::from(error).asked_by("cert"))?;
    // Created only now: a position that cannot be solved leaves an earlier trace alone.
    let title = format!("Root numbers of {} by {algorithm} with nimbers", G::NAME);
    let trace = Trace::create(plan.trace, &title)?;
    let monitor = Monitor::with_stop(&watch.stop());
    let (solved, traced) =
        with_monitor(watch, &monitor, || trace::record(trace, &monitor, || job.run(&monitor)));
    let solved = solved.map_err(stopped)?;
    traced?;
    let certified = cert.map(|cert| {
        let lemmas = match (&solved.lemmas, solved.unproved) {
            (Some(lemmas), _) => lemmas,
            (None, Some(halt)) => return Err(Error::from(halt)),
            (None, None) => {
                let problem = "the nimbers that were read do not prove the result; solve without \
                               them for a certificate";
                return Err(Error::Check(problem.to_owned()));
            }
        };
        let text = game.write(position);
        let claim = match (plan.wanted, solved.value) {
            (Wanted::Nimber, _) => Claim::Nimber(solved.nimber.unwrap_or_default(), text),
            (_, Value::Win) => Claim::Win(text),
            _ => Claim::Loss(text),
        };
        cert.write_by(|file| file::write(file, G::NAME, &*sums, &claim, lemmas))?;
        Ok(lemmas.len() as u64)
    });
    let (certificate_records, failure) = match certified {
        Some(Ok(records)) => (Some(records), None),
        Some(Err(error)) => (None, Some(error)),
        None => (None, None),
    };
    let believed = plan.nimbers.filter(|_| solved.rests_on_file);
    Ok(Solved {
        value: Some(solved.value),
        best_move: solved.best_move.map(|mv| game.write_move(position, &mv)),
        nimber: solved.nimber,
        method: algorithm.to_string(),
        threads: (algorithm == Algorithm::DfPn).then_some(options.threads as u16),
        nodes: solved.nodes,
        expansions: Some(solved.expansions),
        nimbers_known: solved.nimbers_known,
        certificate_records,
        rests_on: believed.map(|path| path.display().to_string()).into_iter().collect(),
        seconds: solved.seconds,
        failure: failure.or(solved.not_kept.map(Error::from)),
        ..Solved::default()
    })
}

/// The error of a stopped job names the file of its nimbers.
fn stopped(error: NimberJobError) -> Error {
    match error {
        NimberJobError::Stopped { kept_in: Some(path) } => Error::Kept { path, option: "nimbers" },
        NimberJobError::Stopped { kept_in: None } => Error::Lost { option: "nimbers" },
        error => error.into(),
    }
}
