//! Nimber files: what is written is read, damaged files are refused, and certificates convince the
//! checker.

use std::collections::{HashMap, HashSet};

use papamu_checker::nimbers::Claim as CheckedClaim;
use papamu_game::sums::Sums;
use papamu_game::tiny::Kayles;
use papamu_game::{Ending, Game};
use papamu_games::Sprouts;
use papamu_search::nimber::file::{self, Claim, FileError, Lemmas};
use papamu_search::nimber::{Position, Solver};
use papamu_search::options::{Algorithm, Options};
use papamu_search::run::Monitor;
use proptest::prelude::*;
use sha2::{Digest, Sha256};

fn options() -> Options {
    Options { memory_bytes: 256 << 20, ..Options::with_nimbers() }
}

/// Every search with nimbers.
fn searches() -> impl Iterator<Item = Algorithm> {
    [Algorithm::DfPn, Algorithm::Pns, Algorithm::AlphaBeta].into_iter()
}

/// A df-pn solver that knows nothing yet.
fn fresh_solver<'a>(sums: &'a dyn Sums, monitor: &'a Monitor) -> Solver<'a> {
    Solver::new(sums, Algorithm::DfPn, &options(), monitor).expect("memory")
}

fn position(sums: &dyn Sums, text: &str) -> Position {
    Position::new(&sums.read(text).expect("a position"), 0)
}

fn written(sums: &dyn Sums, claim: &Claim, lemmas: &Lemmas) -> Vec<u8> {
    let mut bytes = Vec::new();
    file::write(&mut bytes, "sprouts", sums, claim, lemmas).expect("written");
    bytes
}

fn read(bytes: &[u8]) -> Result<(Claim, Lemmas), FileError> {
    file::read(bytes, "sprouts", &*Sprouts::new(Ending::Normal).sums())
}

/// Lemmas as a set.
fn set(lemmas: &Lemmas) -> HashMap<&[u8], u8> {
    let set: HashMap<_, _> = lemmas.iter().collect();
    assert_eq!(set.len(), lemmas.len());
    set
}

/// The line and the problem of a file that is refused.
fn refused(bytes: &[u8]) -> (u64, String) {
    match read(bytes) {
        Err(FileError::Format { line, problem }) => {
            assert!(!problem.contains('\n'), "{problem}");
            (line, problem)
        }
        Err(error @ FileError::Foreign { line, .. }) => (line, error.to_string()),
        other => panic!("{}: {other:?}", String::from_utf8_lossy(bytes)),
    }
}

/// These lines and their checksum.
fn hashed(lines: &str) -> Vec<u8> {
    let hash: String = Sha256::digest(lines).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{lines}sha256 {hash}\n").into_bytes()
}

/// Nimbers read from a file are not searched again.
#[test]
fn round_trip() {
    let sums = Sprouts::new(Ending::Normal).sums();
    let (start, monitor) = (position(&*sums, "0*8"), Monitor::new());
    let mut solver = fresh_solver(&*sums, &monitor);
    assert_eq!(solver.nimber(&start), Ok(0));
    let lemmas = solver.lemmas();
    assert_eq!(lemmas.len(), solver.nimbers());
    assert!(monitor.expansions() > 1000);

    let claims = [
        Claim::Nothing,
        Claim::Win("0*9".to_owned()),
        Claim::Loss("0*8".to_owned()),
        Claim::Nimber(12, "0*2.1a1a|2+0*3".to_owned()),
    ];
    for claim in claims {
        let bytes = written(&*sums, &claim, &lemmas);
        let (read_claim, read_lemmas) = read(&bytes).expect("read");
        assert_eq!(read_claim, claim);
        assert_eq!(set(&read_lemmas), set(&lemmas));
        assert_eq!(written(&*sums, &claim, &read_lemmas), bytes, "in one way only");
    }

    let (_, read_lemmas) = read(&written(&*sums, &Claim::Nothing, &lemmas)).expect("read");
    for algorithm in searches() {
        let monitor = Monitor::new();
        let learned = Solver::new(&*sums, algorithm, &options(), &monitor);
        let mut learned = learned.expect("memory");
        learned.learn(&read_lemmas).expect("memory");
        assert_eq!(learned.nimbers(), lemmas.len());
        assert_eq!(set(&learned.lemmas()), set(&lemmas));
        assert_eq!(learned.known_nimber(&start), Some(0));
        assert_eq!((learned.nimber(&start), learned.solve(&start)), (Ok(0), Ok(false)));
        assert_eq!(monitor.expansions(), 0, "{}", algorithm.name());
    }
    // Nimbers found on the way are useful elsewhere.
    let expansions = |known: &Lemmas| {
        let monitor = Monitor::new();
        let mut solver = fresh_solver(&*sums, &monitor);
        solver.learn(known).expect("memory");
        assert_eq!(solver.solve(&position(&*sums, "0*9")), Ok(true));
        drop(solver);
        monitor.expansions()
    };
    let (alone, helped) = (expansions(&Lemmas::default()), expansions(&read_lemmas));
    assert!(helped < alone, "{helped} of {alone}");
}

/// One land may have several codes. Files with many lands are read nevertheless.
#[test]
fn many_lands() {
    let sums = Sprouts::new(Ending::Normal).sums();
    for spots in [11, 13, 14] {
        let monitor = Monitor::new();
        let mut solver = fresh_solver(&*sums, &monitor);
        let start = position(&*sums, &format!("0*{spots}"));
        assert_eq!(solver.solve(&start), Ok(spots == 11));
        let lemmas = solver.lemmas();
        let (_, read_lemmas) = read(&written(&*sums, &Claim::Nothing, &lemmas)).expect("read");
        let mut learned = fresh_solver(&*sums, &monitor);
        learned.learn(&read_lemmas).expect("memory");
        for (code, nimber) in lemmas.iter() {
            let text = sums.write(code);
            assert_eq!(learned.known_nimber(&position(&*sums, &text)), Some(nimber.into()));
        }
        let before = monitor.expansions();
        assert_eq!(learned.solve(&start), Ok(spots == 11));
        assert!((monitor.expansions() - before) * 10 < before, "{spots} spots");
    }
}

#[test]
fn nothing_known_is_a_file() {
    let sums = Sprouts::new(Ending::Normal).sums();
    let bytes = written(&*sums, &Claim::Nothing, &Lemmas::default());
    let (claim, lemmas) = read(&bytes).expect("read");
    assert!(claim == Claim::Nothing && lemmas.is_empty());
}

/// A certificate of 0*2.
const SMALL: &str = "papamu nimbers 1\ngame sprouts\nrules normal\nclaim loss 0*2\nlemmas 3\n0 0\n0 0*2\n0 ABCD|ABCD\n";

#[test]
fn damage_is_noticed() {
    let bytes = hashed(SMALL);
    assert_eq!(read(&bytes).expect("read").1.len(), 3);
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
    for end in 0..bytes.len() {
        let (line, problem) = refused(&bytes[..end]);
        assert!((1..=lines).contains(&line), "{end}: line {line}: {problem}");
    }
    for place in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << bit;
            let (line, problem) = refused(&damaged);
            assert!((1..=lines + 1).contains(&line), "{place}: line {line}: {problem}");
        }
    }
    for more in [&b"\n"[..], b"x", b"sha256 0\n", b"\0"] {
        let (line, problem) = refused(&[&bytes[..], more].concat());
        assert_eq!((line, &*problem), (lines + 1, "nothing follows the checksum"));
    }
}

/// Files with wrong lines and the right checksum.
#[test]
fn wrong_lines_are_named() {
    let changed = |from: &str, to: &str| {
        assert!(SMALL.contains(from));
        hashed(&SMALL.replacen(from, to, 1))
    };
    let long = "0*2 ".repeat(3000);
    for (from, to, line, problem) in [
        ("nimbers 1", "nimbers 2", 1, "begins with `papamu nimbers 1`"),
        ("game sprouts", "game cram", 2, "these are nimbers of cram, not of sprouts"),
        ("game sprouts", "game", 2, "here is `game`"),
        ("rules normal", "rules misere", 3, "these are nimbers of misere play, not of normal play"),
        ("claim loss", "claim draw", 4, "a claim is"),
        ("claim loss 0*2", "claim loss", 4, "a claim is"),
        ("claim loss", "claim nimber", 4, "a claim is"),
        ("claim loss", "claim nimber -1", 4, "a claim is"),
        ("claim loss 0*2", &format!("claim loss {long}"), 4, "longer than any such line"),
        ("lemmas 3", "lemmas", 5, "here is `lemmas`"),
        ("lemmas 3", "lemmas three", 5, "the number of lemmas"),
        ("lemmas 3", "lemmas -3", 5, "the number of lemmas"),
        ("lemmas 3", "lemmas 99999999999999999999", 5, "the number of lemmas"),
        ("lemmas 3", "lemmas 03", 5, "the number of lemmas"),
        ("lemmas 3", "lemmas +3", 5, "the number of lemmas"),
        ("lemmas 3", "lemmas 2", 8, "here is `sha256`"),
        ("lemmas 3", "lemmas 4", 9, "a lemma is a nimber"),
        ("lemmas 3", "lemmas 18446744073709551615", 9, "a lemma is a nimber"),
        ("0 0\n0 0*2", "0 0*2\n0 0", 7, "sorted"),
        ("0 0\n0 0*2", "0 0*2\n0 0*2", 7, "each once"),
        ("0 0\n0 0*2", "0 0*2\n1 0*2", 7, "each once"),
        ("0 0\n", "255 0\n", 6, "a lemma is a nimber"),
        ("0 0\n", "256 0\n", 6, "a lemma is a nimber"),
        ("0 0\n", "00 0\n", 6, "a lemma is a nimber"),
        ("0 0\n", "+0 0\n", 6, "a lemma is a nimber"),
        ("0 0\n", "-1 0\n", 6, "a lemma is a nimber"),
        ("0 0\n", "0\n", 6, "a lemma is a nimber"),
        ("0 0\n", "\n", 6, "a lemma is a nimber"),
        ("0 0\n", "0 0*9999\n", 6, "from 1 to"),
        ("0 0\n", "0 0*900\n", 6, "too large"),
        ("0 0\n", "0 !\n", 6, "`!` is not one component"),
        ("0 0\n", "0 0*2+0*3\n", 6, "`0*2+0*3` is not one component"),
        ("0 0\n", "0 0*2|0*3\n", 6, "`0*2|0*3` is not one component"),
        ("0 0\n", "0 0|\n", 7, "sorted"),
        ("0 ABCD|ABCD", "0 ABC|ABCD", 8, "column 8: `D` stands only once"),
        ("0 ABCD|ABCD", "0 ABXD|ABCD", 8, "column 3: `X` stands only once"),
        ("0 ABCD|ABCD", "0 ABCD|ABCD?", 8, "column 10: `?` is none of"),
        // The same land in another spelling.
        ("0 ABCD|ABCD", "1 0.0", 8, "another nimber"),
    ] {
        let (found, said) = refused(&changed(from, to));
        let place = format!("{from:?} to {:.40?}: line {found}: {said}", to);
        assert!(found == line && said.contains(problem), "{place}");
    }
    let (line, problem) = refused(b"papamu nimbers 1\ngame \xff\n");
    assert_eq!((line, &*problem), (2, "this is no text"));

    // Another game has files of its own, which contain nothing of this one.
    let kayles_sums = Kayles::CAPABILITIES.sums(&Kayles);
    let error = file::read(&hashed(SMALL)[..], "kayles", &*kayles_sums).expect_err("sprouts");
    assert_eq!(error.to_string(), "line 2: these are nimbers of sprouts, not of kayles");
    let mut kayles = Vec::new();
    let lemmas = [(Box::from(&b"12"[..]), 4)].into_iter().collect();
    file::write(&mut kayles, "kayles", &*kayles_sums, &Claim::Nothing, &lemmas).expect("written");
    assert_eq!(file::read(&kayles[..], "kayles", &*kayles_sums).expect("read").1, lemmas);
    assert_eq!(refused(&kayles).0, 2);
}

proptest! {
    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(read(&bytes).is_err());
    }

    #[test]
    fn any_bytes_after_a_header(lines in "[0-3A-Da-d*.|+ !\n']{0,80}", count in 0..4_u64) {
        let header = "papamu nimbers 1\ngame sprouts\nrules normal\nclaim none\n";
        if let Ok((claim, lemmas)) = read(&hashed(&format!("{header}lemmas {count}\n{lines}"))) {
            prop_assert_eq!(claim, Claim::Nothing);
            prop_assert_eq!(lemmas.len() as u64, count);
        }
    }

    #[test]
    fn any_change(place in 0..200_usize, bytes in proptest::collection::vec(any::<u8>(), 0..9)) {
        let good = hashed(SMALL);
        let (from, to) = (place.min(good.len()), (place + bytes.len()).min(good.len()));
        let changed = [&good[..from], &bytes, &good[to..]].concat();
        prop_assert_eq!(read(&changed).is_ok(), changed == good);
    }
}

/// Whether the independent checker accepts a file, and what it claims.
fn accepted(bytes: &[u8]) -> Option<CheckedClaim> {
    let mut claim = None;
    let checked =
        papamu_checker::lemmas::check(bytes, 1 << 26, |header| claim = Some(header.claim.clone()));
    checked.ok().and(claim)
}

/// The lemmas that prove a claim on a position, and that claim.
fn proof(sums: &dyn Sums, text: &str, with_nimber: bool) -> (Claim, Lemmas) {
    proof_by(Algorithm::DfPn, 1, sums, text, with_nimber)
}

/// The same by a search on this many threads.
fn proof_by(
    algorithm: Algorithm,
    threads: usize,
    sums: &dyn Sums,
    text: &str,
    with_nimber: bool,
) -> (Claim, Lemmas) {
    let monitor = Monitor::new();
    let options = Options { threads, ..options() };
    let mut solver = Solver::new(sums, algorithm, &options, &monitor).expect("memory");
    let position = position(sums, text);
    let claim = if with_nimber {
        Claim::Nimber(solver.nimber(&position).expect("found"), text.to_owned())
    } else if solver.solve(&position).expect("solved") {
        Claim::Win(text.to_owned())
    } else {
        Claim::Loss(text.to_owned())
    };
    let needed = solver.needed(&position, with_nimber).expect("memory").expect("a proof");
    let (all, needed_set) = (solver.lemmas(), set(&needed));
    let all = set(&all);
    assert!(needed_set.iter().all(|(code, nimber)| all.get(code) == Some(nimber)), "{text}");
    (claim, needed)
}

#[test]
fn certificates_are_accepted() {
    let sums = Sprouts::new(Ending::Normal).sums();
    let texts = (1..=11).map(|spots| (format!("0*{spots}"), spots % 6 >= 3));
    let others = [("0*3+0*4", false), ("0*2+0*5+0*5", false), ("0*3+0*3+0*4", true), ("!", false)];
    let others = others.map(|(text, is_won)| (text.to_owned(), is_won));
    let mut kinds = HashSet::new();
    for (text, is_won) in texts.chain(others) {
        for with_nimber in [false, true] {
            let (claim, lemmas) = proof(&*sums, &text, with_nimber);
            let bytes = written(&*sums, &claim, &lemmas);
            let expected = match (with_nimber, is_won) {
                (true, _) => CheckedClaim::Nimber(is_won.into(), text.clone()),
                (false, true) => CheckedClaim::Win(text.clone()),
                (false, false) => CheckedClaim::Loss(text.clone()),
            };
            kinds.insert(std::mem::discriminant(&expected));
            assert_eq!(accepted(&bytes), Some(expected), "{text}");
        }
    }
    assert_eq!(kinds.len(), 3);
}

/// Every search finds a proof.
#[test]
fn every_search_certifies() {
    let sums = Sprouts::new(Ending::Normal).sums();
    for algorithm in searches() {
        for (text, threads) in [("0*4", 1), ("0*5", 2), ("0*2.1a1a|2", 1), ("0.AB|1.AB", 2)] {
            for with_nimber in [false, true] {
                let (claim, lemmas) = proof_by(algorithm, threads, &*sums, text, with_nimber);
                assert!(accepted(&written(&*sums, &claim, &lemmas)).is_some(), "{claim:?}");
            }
        }
    }
}

/// The checker has its own rules. They agree on positions in the middle of the game.
#[test]
fn random_positions_are_certified() {
    let mut random = fastrand::Rng::with_seed(6);
    let game = Sprouts::new(Ending::Normal);
    let sums = game.sums();
    for _ in 0..100 {
        let start = format!("0*{}", random.usize(2..=5));
        let (_, mut position) = Sprouts::read(&start).expect("a start");
        for _ in 0..random.usize(1..5) {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            if let Some(next) = random.choice(moves) {
                position = next;
            }
        }
        let text = game.write(&position);
        let (claim, lemmas) = proof(&*sums, &text, true);
        assert!(accepted(&written(&*sums, &claim, &lemmas)).is_some(), "{claim:?}");
    }
}

/// A false lemma is noticed wherever it stands, and hardly any lemma can be left out.
#[test]
fn every_lemma_counts() {
    let sums = Sprouts::new(Ending::Normal).sums();
    for spots in 1..=6 {
        for with_nimber in [false, true] {
            let (claim, lemmas) = proof(&*sums, &format!("0*{spots}"), with_nimber);
            let mut spare = 0;
            for place in 0..lemmas.len() {
                let mut changed: Vec<(Box<[u8]>, u8)> =
                    lemmas.iter().map(|(code, nimber)| (code.into(), nimber)).collect();
                changed[place].1 ^= 1;
                let bytes = written(&*sums, &claim, &changed.iter().cloned().collect());
                assert_eq!(accepted(&bytes), None, "{claim:?} with a false {:?}", changed[place]);
                changed.remove(place);
                let bytes = written(&*sums, &claim, &changed.into_iter().collect());
                spare += usize::from(accepted(&bytes).is_some());
            }
            // The needed lemmas are found in one pass, so they are not always the fewest.
            assert!(spare * 10 <= lemmas.len(), "{claim:?}: {spare} of {}", lemmas.len());
        }
    }
}

/// Nimbers from elsewhere that do not rest on others are not a proof.
#[test]
fn what_is_not_proved_is_not_certified() {
    let sums = Sprouts::new(Ending::Normal).sums();
    let (start, monitor) = (position(&*sums, "0*6"), Monitor::new());
    let mut solver = fresh_solver(&*sums, &monitor);
    assert_eq!(solver.needed(&start, false).expect("memory"), None);
    let code = sums.read("0*6").expect("a start").list(0).next().expect("a land").into();
    solver.learn(&[(code, 0)].into_iter().collect()).expect("memory");
    assert_eq!((solver.solve(&start), solver.nimber(&start)), (Ok(false), Ok(0)));
    assert_eq!(solver.needed(&start, false).expect("memory"), None);
    assert_eq!(solver.needed(&start, true).expect("memory"), None);
}
