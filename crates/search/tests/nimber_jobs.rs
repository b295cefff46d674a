//! Jobs with nimbers: their results are kept, and files are not believed blindly.

use std::path::Path;

use papamu_game::sums::SumsOf;
use papamu_game::tiny::Kayles;
use papamu_game::{Game, Value};
use papamu_games::Sprouts;
use papamu_search::nimber::file::{self, Claim, FileError, GameRules, Lemmas};
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

/// A win is only reported with a winning move, and the file stays unchanged.
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

/// A true nimber without a proof is used, and the answer says so.
#[test]
fn an_answer_may_rest_on_a_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("nimbers");
    write(&path, &[(0, "0*6")]);
    let solved = solve("0*6", Wanted::Winner, Some(&path), false).expect("an answer");
    assert_eq!((solved.value, solved.rests_on_file), (Value::Loss, true));
    assert!(solved.lemmas.is_none() && solved.unproved.is_none());
    // The answer for the sum of a proved land and that one rests on it, too.
    let solved = solve("0*6+0*3", Wanted::Winner, Some(&path), false).expect("an answer");
    assert_eq!((solved.value, solved.rests_on_file), (Value::Win, true));
    // Nimbers that are not needed do not matter.
    let solved = solve("0*3", Wanted::Winner, Some(&path), true).expect("an answer");
    assert_eq!((solved.value, solved.rests_on_file), (Value::Win, false));
}

/// A nimber that its options contradict is named, and nothing is written back.
#[test]
fn false_lemmas_are_found() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("nimbers");
    solve("0*6", Wanted::Nimber, Some(&path), false).expect("an answer");
    let text = std::fs::read_to_string(&path).expect("nimbers");
    let lemmas = text.lines().skip(5).filter_map(|line| line.split_once(' '));
    let lemmas: Vec<(u8, &str)> =
        lemmas.filter_map(|(nimber, land)| Some((nimber.parse().ok()?, land))).collect();
    assert!(lemmas.contains(&(0, "0*6")));
    let (game, _) = Sprouts::read("0*6").expect("a start");
    let sums = sums(&game);
    let lives = |text: &str| {
        let components = sums.read(text).expect("a land");
        components.components().map(|land| sums.weight(land)).sum::<u32>()
    };
    let (mut found, mut exact) = (0, 0);
    for (place, &(nimber, land)) in lemmas.iter().enumerate() {
        let mut wrong = lemmas.clone();
        wrong[place].0 = nimber ^ 1;
        let bytes = write(&path, &wrong);
        match solve("0*6", Wanted::Nimber, Some(&path), false) {
            Err(NimberJobError::FalseLemma { component, nimber: claimed }) => {
                let is_exact = (&*component, claimed) == (land, u32::from(nimber ^ 1));
                // Otherwise it rests on the false one.
                assert!(is_exact || lives(&component) > lives(land), "{component} for {land}");
                exact += usize::from(is_exact);
                found += 1;
            }
            Err(NimberJobError::Contradiction { .. }) => assert_eq!(land, "0*6"),
            // It is not needed, or too little is known about its options.
            Ok(solved) => {
                assert!(solved.nimber == Some(0) || solved.rests_on_file, "{land}");
                continue;
            }
            Err(error) => panic!("{land}: {error}"),
        }
        assert_eq!(std::fs::read(&path).expect("there"), bytes, "{land}");
    }
    assert!(found > 10 && exact * 2 > found, "{exact} of {found} of {}", lemmas.len());
}

/// Two runs do not share a file, and certificates are not overwritten.
#[test]
fn stores_are_opened_once() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("nimbers");
    let (game, _) = Sprouts::read("0*2").expect("a start");
    let sums = sums(&game);
    let opened = NimberStore::open(&path, &game, &*sums).expect("free");
    let busy = NimberStore::open(&path, &game, &*sums);
    assert!(matches!(busy, Err(NimberJobError::Lock(_))));
    drop(opened);
    let mut bytes = Vec::new();
    let claim = Claim::Win("0*3".to_owned());
    let rules = GameRules::of(&game);
    file::write(&mut bytes, rules, &*sums, &claim, &Lemmas::default()).expect("written");
    std::fs::write(&path, bytes).expect("written");
    let refused = NimberStore::open(&path, &game, &*sums);
    assert!(matches!(refused, Err(NimberJobError::IsCertificate { .. })));
}

/// Stores of the previous version.
#[test]
fn old_stores_are_read() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("nimbers");
    let old = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/sprouts.nim");
    std::fs::copy(old, &path).expect("copied");
    let solved = solve("0*9", Wanted::Winner, Some(&path), true).expect("an answer");
    assert_eq!((solved.value, solved.rests_on_file), (Value::Win, false));

    let (game, _) = Kayles::read("12").expect("a row");
    let sums = Kayles::CAPABILITIES.sums(&game);
    let old = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/kayles.nim");
    std::fs::copy(old, &path).expect("copied");
    let (_, known) = NimberStore::open(&path, &game, &*sums).expect("readable");
    assert_eq!(known.len(), 6);
}

/// Stores name the rules that they belong to.
#[test]
fn stores_of_other_rules_are_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("nimbers");
    let (game, _) = Sprouts::read("0*2").expect("a start");
    let sums = sums(&game);
    let rules = GameRules { rules: "misere".to_owned(), ..GameRules::of(&game) };
    let mut bytes = Vec::new();
    file::write(&mut bytes, rules, &*sums, &Claim::Nothing, &Lemmas::default()).expect("written");
    std::fs::write(&path, bytes).expect("written");
    match NimberStore::open(&path, &game, &*sums) {
        Err(NimberJobError::Unreadable { error: FileError::Foreign { found, .. }, .. }) => {
            assert_eq!(found, "misere play");
        }
        other => panic!("{other:?}"),
    }
}
