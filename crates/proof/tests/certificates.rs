//! Certificates: accepted when right, rejected when anything about them is changed.

use std::path::Path;

use papamu_base::Progress;
use papamu_checker::check::{Checked, check};
use papamu_checker::reader::Reader;
use papamu_game::{Game, Player, Question, Value};
use papamu_games::Konane;
use papamu_proof::claim::Goal;
use papamu_proof::extract::{Prover, extract};
use papamu_proof::strategy::{Record, Strategy, moves_in_order};
use papamu_search::options::{Algorithm, Options};
use papamu_search::problem::Problem;
use papamu_search::reference;
use papamu_search::run::{Monitor, Store};
use sha2::{Digest, Sha256};

/// The strategy of the winner of a position, from df-pn with this much memory.
fn strategy(text: &str, memory_bytes: usize) -> Strategy<Konane> {
    sparse_strategy(text, memory_bytes, 0, 1)
}

/// The same without positions that a budget proves, by this many threads.
fn sparse_strategy(
    text: &str,
    memory_bytes: usize,
    budget: u64,
    threads: usize,
) -> Strategy<Konane> {
    let (game, root) = Konane::read(text).expect("a position");
    let options = Options { memory_bytes, threads, ..Options::default() };
    let monitor = Monitor::new();
    let store = Store::new(Algorithm::DfPn, memory_bytes).expect("memory");
    let problem = Problem::new(&game, &root, Question::Wins);
    let outcome = Algorithm::DfPn.answer(&problem, &options, &store, &monitor).expect("solved");
    let mover = game.to_move(&root);
    let winner = if outcome.won == Some(true) { mover } else { !mover };
    let (game, store, monitor) = (&game, &store, &monitor);
    let directory = &std::env::temp_dir();
    let prover = Prover {
        game,
        store,
        oracle: None,
        options: &options,
        budget,
        database: 0,
        directory,
        monitor,
    };
    let extracted =
        extract(&prover, &root, Goal::wins(winner), &Progress::new()).expect("a strategy");
    extracted.into_strategy().expect("kept")
}

/// The value by the reference solver.
fn minimax(game: &Konane, position: &<Konane as Game>::Position) -> Value {
    let (capabilities, progress) = (Konane::CAPABILITIES, Progress::new());
    let solution = reference::solve(game, position, &capabilities, 1 << 30, &progress);
    solution.expect("fits").value
}

fn bytes(strategy: &Strategy<Konane>) -> Vec<u8> {
    let mut bytes = Vec::new();
    strategy.write_to(&mut bytes).expect("written");
    bytes
}

/// The verdict of the checker: how much it checked, or why it rejects.
fn verdict_with(bytes: &[u8], memory_bytes: usize) -> Result<Checked, String> {
    let file = std::io::Cursor::new(bytes);
    check(file, memory_bytes, |_| {}).map_err(|problem| problem.to_string())
}

fn verdict(bytes: &[u8]) -> Result<Checked, String> {
    verdict_with(bytes, 1 << 24)
}

fn rejected(bytes: &[u8], message: &str) {
    let problem = verdict(bytes).expect_err("rejected");
    assert!(problem.contains(message), "`{problem}` does not say `{message}`");
}

/// A certificate written by independent code, in blocks of this many records.
fn file(header: &str, records: &[(u64, u64)], block: usize) -> Vec<u8> {
    let mut bytes = header.as_bytes().to_vec();
    let leb128 = |bytes: &mut Vec<u8>, mut number: u64| {
        loop {
            let low = (number % 128) as u8;
            number /= 128;
            bytes.push(if number > 0 { low + 128 } else { low });
            if number == 0 {
                break;
            }
        }
    };
    for records in records.chunks(block) {
        let (mut body, mut before) = (Vec::new(), 0);
        for &(number, mv) in records {
            leb128(&mut body, number.wrapping_sub(before));
            leb128(&mut body, mv);
            before = number;
        }
        let mut block = (records.len() as u32).to_le_bytes().to_vec();
        block.extend((body.len() as u32).to_le_bytes());
        block.extend(body);
        let hash = Sha256::digest(&block);
        bytes.extend(block);
        bytes.extend(hash);
    }
    bytes.extend([0; 4]);
    let hash = Sha256::digest(&bytes);
    bytes.extend(hash);
    bytes
}

fn header(strategy: &Strategy<Konane>, records: usize) -> String {
    let winner = Konane::PLAYERS[strategy.owner.index()];
    let root = strategy.game.write(&strategy.root);
    let budget = strategy.budget;
    format!(
        "papamu certificate 1\ngame konane\nroot {root}\nclaim {winner} wins\nbudget {budget}\nrecords {records}\nend\n"
    )
}

fn records(strategy: &Strategy<Konane>) -> Vec<(u64, u64)> {
    let mut records: Vec<(u64, u64)> =
        strategy.records.iter().map(|(&number, record)| (number, record.mv.into())).collect();
    records.sort_unstable();
    records
}

#[test]
fn boards_are_certified() {
    let mut boards = vec![(5, 6), (6, 5), (1, 12), (2, 9)];
    boards.extend((1..=5).flat_map(|rows| (1..=5).map(move |cols| (rows, cols))));
    for (rows, cols) in boards {
        let board = format!("{rows}x{cols}");
        let strategy = strategy(&board, 1 << 24);
        let (game, root) = Konane::read(&board).expect("a board");
        let won = minimax(&game, &root);
        assert_eq!(strategy.owner == Player::First, won == Value::Win, "{board}");
        let checked = verdict(&bytes(&strategy)).unwrap_or_else(|error| panic!("{board}: {error}"));
        assert_eq!(checked.records, strategy.records.len() as u64);
        // The format as it is specified, and both writers agree on every byte.
        let records = records(&strategy);
        assert_eq!(bytes(&strategy), file(&header(&strategy, records.len()), &records, 65_536));
        assert!(verdict(&file(&header(&strategy, records.len()), &records, 7)).is_ok());
    }
}

/// With memory for a few hundred positions the tables forget nearly everything, and a checker with
/// memory for a few numbers keeps the rest in files.
#[test]
fn little_memory_is_enough() {
    let strategy = strategy("5x6", 1 << 16);
    let bytes = bytes(&strategy);
    let checked = verdict_with(&bytes, 1 << 12).expect("accepted");
    assert_eq!(verdict(&bytes), Ok(checked));
    // A checker that keeps its numbers in files finds missing positions as well.
    let mut records = records(&strategy);
    records.remove(records.len() / 2);
    let problem = verdict_with(&file(&header(&strategy, records.len()), &records, 100), 1 << 12);
    assert!(problem.expect_err("rejected").contains("needed and not there"));
}

#[test]
fn random_positions_are_certified() {
    let mut random = fastrand::Rng::with_seed(11);
    for board in ["4x5", "5x5", "3x8", "6x5"] {
        let (game, start) = Konane::read(board).expect("a board");
        for _ in 0..100 {
            let mut position = start;
            for _ in 0..random.usize(3..14) {
                let Some(mv) = random.choice(moves_in_order(&game, &position)) else { break };
                position = game.after(&position, &mv);
            }
            let strategy = strategy(&game.write(&position), 1 << 22);
            verdict(&bytes(&strategy)).expect("accepted");
            // The same strategy does not win for the other player.
            let other = Strategy { owner: !strategy.owner, ..strategy };
            verdict(&bytes(&other)).expect_err("a wrong claim");
        }
    }
}

#[test]
fn changed_contents_are_rejected() {
    let strategy = strategy("5x5", 1 << 24);
    let good = records(&strategy);
    let whole = header(&strategy, good.len());
    let with = |records: &[(u64, u64)]| file(&header(&strategy, records.len()), records, 100);
    assert!(verdict(&with(&good)).is_ok());

    let mut others = 0;
    // Another move: it leads somewhere else, or there is no such move.
    for i in (0..good.len()).step_by(5) {
        let mut records = good.clone();
        records[i].1 = 77;
        rejected(&with(&records), "move 77 is not one of them");
        let position = strategy.position(good[i].0).expect("a position");
        for mv in 0..moves_in_order(&strategy.game, &position).len() as u64 {
            records[i].1 = mv;
            // Some other moves are as good: all positions that they need are there, and all are
            // still needed.
            let mut other = strategy.clone();
            other.records.insert(good[i].0, Record::unranked(mv as u32));
            let good_too = other.trim(&Progress::new()) == Ok(0);
            assert_eq!(verdict(&with(&records)).is_ok(), good_too, "move {mv} of record {i}");
            others += u32::from(!good_too);
        }
    }
    assert!(others > 100, "{others} changed moves were rejected");
    for i in 0..good.len() {
        let mut records = good.clone();
        records.remove(i);
        let problem = verdict(&with(&records)).expect_err("a dropped record");
        assert!(problem.contains("needed"), "{problem}");
    }
    // An added record: any position that is not in the certificate.
    for number in [0, 1, (1 << 25) - 1, 0b10101_01010_00000_11111_00000] {
        let mut records = good.clone();
        if let Err(place) = records.binary_search_by_key(&number, |record| record.0) {
            records.insert(place, (number, 0));
            verdict(&with(&records)).expect_err("an added record");
        }
    }
    let mut beyond = good.clone();
    beyond.push((1 << 30, 0));
    rejected(&with(&beyond), "is not a position of this board");
    let mut twice = good.clone();
    twice.insert(5, good[5]);
    rejected(&with(&twice), "not in ascending order");
    let image = good.iter().map(|record| record.0).find(|&number| {
        // A position that is not its own image under the half turn: the larger number is not a
        // record.
        number.reverse_bits() >> 39 > number
    });
    let image = image.expect("an asymmetric position");
    let mut larger: Vec<(u64, u64)> = good.clone();
    larger.retain(|record| record.0 != image);
    larger.push((image.reverse_bits() >> 39, 0));
    larger.sort_unstable();
    rejected(&with(&larger), "not the least of its images");

    let change = |from: &str, to: &str| file(&whole.replace(from, to), &good, 100);
    assert!(verdict(&change("", "")).is_ok());
    rejected(&change("black wins", "white wins"), "the position");
    rejected(&change("black wins", "red wins"), "no player `red`");
    rejected(&change("black wins", "draw"), "not that somebody wins");
    rejected(
        &change("xoxox/oxoxo/xoxox/oxoxo/xoxox b", "xoxox/oxoxo/xoxox/oxoxo b"),
        "the position",
    );
    rejected(&change("xoxox b", "xoxo. b"), "needed");
    rejected(&change("xoxox b", "xoxox w"), "needed");
    rejected(&change("xoxox b", "ooxox b"), "cannot stand");
    rejected(&change(" b\n", "\n"), "who is to move");
    rejected(&change("game konane", "game chess"), "`chess` is not known");
    rejected(&change("certificate 1", "certificate 3"), "version 3 is not known");
    rejected(&change("papamu certificate 1", "GIF89a"), "does not begin with");
    rejected(&change("budget 0", "budget 1000000000000"), "budget is larger");
    rejected(&change("budget 0", "budget -1"), "not a number");
    let (found, claimed) = (good.len(), good.len() + 1);
    rejected(
        &change(&format!("records {found}"), &format!("records {claimed}")),
        &format!("claims {claimed} records, there are {found}"),
    );
    rejected(&change("end\n", "END\n"), "does not end");
}

#[test]
fn every_flipped_byte_is_found() {
    let strategy = strategy("5x5", 1 << 24);
    let good = bytes(&strategy);
    let mut random = fastrand::Rng::with_seed(8);
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 1 << random.u8(..8);
        verdict(&bad).expect_err(&format!("byte {at}"));
        rejected(&good[..at], "cut off");
    }
    rejected(&[&good[..], b"\n"].concat(), "goes on after its end");
}

/// Hostile files: the hashes are right and the content is arbitrary.
#[test]
fn hostile_contents_do_no_harm() {
    let strategy = strategy("4x5", 1 << 24);
    let good = records(&strategy);
    let mut random = fastrand::Rng::with_seed(2);
    for _ in 0..20_000 {
        let mut records = good.clone();
        for _ in 0..random.usize(1..4) {
            let i = random.usize(..records.len());
            match random.u8(..4) {
                0 => records[i].0 = random.u64(..) >> random.u32(..64),
                1 => records[i].1 = random.u64(..) >> random.u32(..64),
                2 => records.truncate(i + 1),
                _ => records.sort_unstable(),
            }
        }
        let claimed = if random.bool() { records.len() } else { random.usize(..) };
        let mut header = header(&strategy, claimed);
        if random.u8(..8) == 0 {
            let at = random.usize(..header.len());
            header.replace_range(at..=at, &char::from(random.u8(32..127)).to_string());
        }
        let block = random.usize(1..50);
        let file = file(&header, &records, block);
        if verdict(&file).is_ok() {
            // Then its claims are true.
            let claim = Reader::new(&file[..]).expect("a header").header().clone();
            let (game, root) = Konane::read(&claim.root).expect("a position");
            let value = minimax(&game, &root);
            let mover = Konane::PLAYERS[game.to_move(&root).index()];
            assert_eq!(claim.owner == mover, value == Value::Win, "{header}");
        }
    }
    // Blocks that claim to be huge are not believed.
    for claim in [[0xff; 8], [1, 0, 1, 0, 0xff, 0xff, 0xff, 0], [1, 0, 0, 0, 21, 0, 0, 0]] {
        let mut bytes = header(&strategy, 5).into_bytes();
        bytes.extend(claim);
        rejected(&bytes, "claims");
    }
}

#[test]
fn sparse_and_dense_ones_are_accepted() {
    for board in ["5x5", "5x6", "6x5"] {
        let mut strategy = strategy(board, 1 << 24);
        let dense = strategy.records.len();
        let mut before = dense;
        for budget in [1, 10, 100, 1000] {
            strategy.sparsify(budget, 0, &Progress::new()).expect("a strategy");
            assert!(strategy.records.len() <= before, "{board} {budget}");
            before = strategy.records.len();
            let checked = verdict(&bytes(&strategy)).expect("accepted");
            assert_eq!(checked.records, strategy.records.len() as u64);
            assert_eq!(checked.searched == 0, before == dense, "{board} {budget}");
            // With a smaller budget it is not.
            if budget > 1 {
                let poorer = Strategy { budget: 1, ..strategy.clone() };
                rejected(&bytes(&poorer), "not proved within 1");
            }
        }
        assert!(before < dense / 2, "{board}: {before} of {dense}");
        strategy.densify(&Progress::new()).expect("a strategy");
        assert_eq!(strategy.budget, 0);
        let checked = verdict(&bytes(&strategy)).expect("accepted");
        assert_eq!((checked.records, checked.searched), (strategy.records.len() as u64, 0));
    }
}

/// Extraction can directly leave out what sparsifying would drop, with several threads as well.
#[test]
fn extraction_is_sparse_on_request() {
    for board in ["5x5", "5x6"] {
        let dense = strategy(board, 1 << 24).records.len() as u64;
        for (budget, threads) in [(1, 1), (10, 1), (100, 1), (0, 2), (10, 2)] {
            let sparse = sparse_strategy(board, 1 << 24, budget, threads);
            let checked = verdict(&bytes(&sparse)).expect("accepted");
            assert_eq!(checked.records, sparse.records.len() as u64);
            assert_eq!(checked.searched > 0, budget > 1, "{board} {budget}");
            if budget >= 10 {
                assert!(checked.records < dense, "{board} {budget}: {checked:?}, dense {dense}");
            }
        }
    }
}

#[test]
fn trimming_drops_what_is_not_needed() {
    let mut strategy = strategy("5x5", 1 << 24);
    let good = bytes(&strategy);
    for number in [0b11, 0b111_0000_0001, 0b1_0000_0101] {
        strategy.records.insert(number, Record::unranked(0));
    }
    rejected(&bytes(&strategy), "");
    assert_eq!(strategy.trim(&Progress::new()), Ok(3));
    assert_eq!(bytes(&strategy), good);
    let first = strategy.needed_by_root().expect("a move")[0];
    strategy.records.remove(&first);
    assert!(strategy.trim(&Progress::new()).is_err());
}

/// The strategy has a move against every play of the loser, and wins; also through symmetries.
#[test]
fn strategies_play() {
    let mut random = fastrand::Rng::with_seed(6);
    for (board, budget) in [("5x5", 0), ("5x6", 50), ("4x4", 0)] {
        let mut strategy = strategy(board, 1 << 24);
        if budget > 0 {
            strategy.sparsify(budget, 0, &Progress::new()).expect("a strategy");
        }
        let game = &strategy.game;
        for _ in 0..500 {
            let mut position = strategy.root;
            loop {
                let moves = moves_in_order(game, &position);
                if game.to_move(&position) == strategy.owner {
                    let mv = strategy.advice(&position).expect("right").expect("a move");
                    assert!(moves.contains(&mv));
                    position = game.after(&position, &mv);
                } else {
                    let Some(mv) = random.choice(moves) else { break };
                    position = game.after(&position, &mv);
                }
            }
        }
    }
}

#[test]
fn files_come_back() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("5x5.cert");
    let strategy = strategy("5x5", 1 << 24);
    let good = bytes(&strategy);
    std::fs::write(&path, &good).expect("written");
    let again = Strategy::<Konane>::load(&path).expect("read");
    assert_eq!(bytes(&again), good);
    let fails = |path: &Path, message: &str| {
        let error = Strategy::<Konane>::load(path).expect_err("refused").to_string();
        assert!(error.contains(message), "{error}");
    };
    fails(&directory.path().join("none"), "cannot read");
    for at in (0..good.len()).step_by(3) {
        std::fs::write(&path, &good[..at]).expect("written");
        fails(&path, if at < 20 { "does not begin with" } else { "cut off" });
        let mut bad = good.clone();
        bad[at] ^= 16;
        std::fs::write(&path, &bad).expect("written");
        assert!(Strategy::<Konane>::load(&path).is_err(), "byte {at}");
    }
}

/// The Python checker gives the same verdict on every file, good or bad.
#[test]
fn both_checkers_agree() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut files: Vec<Vec<u8>> = Vec::new();
    for board in ["3x4", "4x5", "5x5"] {
        let dense = strategy(board, 1 << 24);
        let mut sparse = dense.clone();
        sparse.sparsify(30, 0, &Progress::new()).expect("a strategy");
        for strategy in [&dense, &sparse] {
            let good = records(strategy);
            let whole = header(strategy, good.len());
            files.push(file(&whole, &good, 50));
            files.push([&file(&whole, &good, 50)[..], b"x"].concat());
            files.push(file(&whole, &good, 50)[..90].to_vec());
            for (from, to) in [
                ("black wins", "white wins"),
                ("white wins", "black wins"),
                (" b\n", " w\n"),
                ("budget 30", "budget 1"),
                ("budget 30", "budget 29"),
                ("budget 30", "budget 030"),
                ("budget 0", "budget +0"),
                ("konane", "chess"),
                ("end\n", "end \n"),
                ("xoxo", "xox."),
                ("xoxo", "xox\u{e9}"),
            ] {
                files.push(file(&whole.replacen(from, to, 1), &good, 50));
            }
            let mut random = fastrand::Rng::with_seed(9);
            // A sparse certificate of a small board may be empty.
            for _ in 0..if good.is_empty() { 0 } else { 20 } {
                let mut records = good.clone();
                let i = random.usize(..records.len());
                match random.u8(..4) {
                    0 => records[i].1 += 1,
                    1 => records[i].0 += 1,
                    2 => records.truncate(i),
                    _ => records.push((u64::MAX - 5, 0)),
                }
                files.push(file(&header(strategy, records.len()), &records, 50));
            }
        }
    }
    // A number that is longer than it has to be.
    let mut long = b"papamu certificate 1\ngame konane\nroot xo b\nclaim white wins\nbudget 0\nrecords 1\nend\n".to_vec();
    let block = [1, 0, 0, 0, 3, 0, 0, 0, 0x82, 0, 0];
    long.extend(block);
    long.extend(Sha256::digest(block));
    long.extend([0; 4]);
    let hash = Sha256::digest(&long);
    long.extend(hash);
    files.push(long);

    let paths: Vec<_> = (0..files.len()).map(|i| directory.path().join(i.to_string())).collect();
    for (path, bytes) in paths.iter().zip(&files) {
        std::fs::write(path, bytes).expect("written");
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/check_certificate.py");
    let output = std::process::Command::new("python3").arg(script).args(&paths).output();
    let output = output.expect("python3 is there");
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(text.lines().count(), files.len(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut accepted = 0;
    for (line, bytes) in text.lines().zip(&files) {
        let verdict = verdict(bytes);
        assert_eq!(line.contains(": ACCEPTED,"), verdict.is_ok(), "{line} but {verdict:?}");
        accepted += usize::from(verdict.is_ok());
    }
    assert!(accepted >= 6 && accepted < files.len() / 2, "{accepted} of {}", files.len());
}
