//! Jobs with nimbers: what they find is kept, and what files say is not believed blindly.

use std::path::Path;

use papamu_game::sums::SumsOf;
use papamu_game::tiny::Kayles;
use papamu_game::{Game, Value};
use papamu_games::Sprouts;
use papamu_search::nimber::file::{self, Claim, Lemmas};
use papamu_search::nimber::{NimberJob, NimberJobError, NimberSolved, NimberStore, Wanted};
use papamu_search::options::{Algorithm, Options};
use papamu_search::run::Monitor;

fn sums(game: &Sprouts) -> Box<dyn SumsOf<Sprouts>> {
    Sprouts::CAPABILITIES.sums(game)
}

type Found = Result<NimberSolved<<Sprouts as Game>::Move>, NimberJobError>;

/// Solves a position of Sprouts with the nimbers in a file.
fn solve(text: &str, wanted: Wanted, path: Option<&Path>, certificate: bool) -> Found {
    let (game, position) = Sprouts::read(text).expect("a position");
    let sums = sums(&game);
    let opened = path.map(|path| NimberStore::open(path, &game, &*sums)).transpose()?;
    let (store, known) =
        opened.map_or((None, Lemmas::default()), |(store, known)| (Some(store), known));
    NimberJob {
        game: &game,
        position: &position,
        sums: &*sums,
        algorithm: Algorithm::DfPn,
        options: &Options { memory_bytes: 256 << 20, ..Options::with_nimbers() },
        wanted,
        known: &known,
        store: store.as_ref(),
        certificate,
    }
    .run(&Monitor::new())
}

/// Writes a store with these nimbers.
fn write(path: &Path, lemmas: &[(u8, &str)]) -> Vec<u8> {
    let (game, _) = Sprouts::read("0*2").expect("a position");
    let sums = sums(&game);
    let code = |text: &str| sums.read(text).expect("a land").list(0).next().expect("one").into();
    let lemmas: Lemmas = lemmas.iter().map(|&(nimber, text)| (code(text), nimber)).collect();
    let mut bytes = Vec::new();
    file::write(&mut bytes, "sprouts", &*sums, &Claim::Nothing, &lemmas).expect("written");
    std::fs::write(path, &bytes).expect("written");
    bytes
}

#[test]
fn nimbers_are_kept_and_used() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("nimbers");
    let first = solve("0*7", Wanted::Winner, Some(&path), true).expect("an answer");
    assert_eq!((first.value, first.rests_on_file), (Value::Loss, false));
    assert!(first.lemmas.is_some() && first.best_move.is_some() && first.expansions > 100);
    let again = solve("0*7", Wanted::Nimber, Some(&path), false).expect("an answer");
    assert_eq!((again.value, again.nimber, again.expansions), (Value::Loss, Some(0), 0));
    assert!(!again.rests_on_file, "the closure proves it");
    let entries = std::fs::read_dir(directory.path()).expect("a directory").count();
    assert_eq!(entries, 1, "locks and temporary files are gone");
}

#[test]
fn kayles_and_misere_sprouts() {
    let (game, position) = Kayles::read("12").expect("a row");
    let sums = Kayles::CAPABILITIES.sums(&game);
    let job = NimberJob {
        game: &game,
        position: &position,
        sums: &*sums,
        algorithm: Algorithm::Pns,
        options: &Options::with_nimbers(),
        wanted: Wanted::Nimber,
        known: &Lemmas::default(),
        store: None,
        certificate: false,
    };
    let solved = job.run(&Monitor::new()).expect("an answer");
    assert_eq!((solved.value, solved.nimber), (Value::Win, Some(4)));
    assert!(solved.best_move.is_some() && solved.lemmas.is_none());
    let refused = NimberJob { certificate: true, ..job }.run(&Monitor::new());
    assert!(matches!(refused, Err(NimberJobError::NotCertifiable { game: "kayles" })));

    let misere = solve("misere 0*3", Wanted::Winner, None, false).expect("an answer");
    assert_eq!((misere.value, misere.nimber, misere.nimbers_known), (Value::Loss, None, None));
    let refused = solve("misere 0*3", Wanted::Nimber, None, false);
    assert!(matches!(refused, Err(NimberJobError::NoNimbers { .. })));
}

/// A win is an answer only with a move that wins; and the file stays as it was.
#[test]
fn a_win_without_a_winning_move_is_a_contradiction() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("nimbers");
    let bytes = write(&path, &[(1, "0*2")]);
    for wanted in [Wanted::Winner, Wanted::Nimber] {
        match solve("0*2", wanted, Some(&path), false) {
            Err(NimberJobError::Contradiction { position }) => assert_eq!(position, "0*2"),
            other => panic!("{other:?}"),
        }
        assert_eq!(std::fs::read(&path).expect("there"), bytes);
    }
}
