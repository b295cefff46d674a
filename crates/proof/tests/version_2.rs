//! Certificates of games with draws and circles: extracted after any search, accepted by both
//! checkers, and rejected when anything about them is changed.

use papamu_base::Progress;
use papamu_game::tiny::{Dodgem, MuTorere, TicTacToe};
use papamu_game::{Certifiable, Game, Value};
use papamu_games::Fanorona;
use papamu_proof::claim::Goal;
use papamu_proof::strategy::{Record, Strategy, moves_in_order};
use papamu_search::options::Algorithm;

mod common;
use common::{
    accepted, bytes, goals, load, python_verdicts, random_positions, searches, strategy, value,
    verdict,
};

const DFPN: (Algorithm, usize) = (Algorithm::DfPn, 1);

/// Nothing is left out: no budget, no database.
const DENSE: (u64, u64) = (0, 0);

/// The strategies of a start, after every search and with little memory.
fn start<G: Certifiable>(text: &str, expected: Value) -> Vec<Strategy<G>> {
    let (game, root) = G::read(text).expect("a start");
    assert_eq!(value(&game, &root), expected, "{} {text}", G::NAME);
    let mut found = Vec::new();
    for goal in goals(&game, &root, expected) {
        for search in searches() {
            let strategy = strategy(&game, &root, goal, search, 1 << 22, DENSE);
            accepted(&strategy);
            found.push(strategy);
        }
        let forgetful = strategy(&game, &root, goal, DFPN, 1 << 12, DENSE);
        accepted(&forgetful);
        found.push(forgetful);
    }
    found
}

#[test]
fn starts_are_certified() {
    let mut files = Vec::new();
    files.extend(start::<TicTacToe>("start", Value::Draw).iter().map(bytes));
    files.extend(start::<Dodgem>("3x3", Value::Win).iter().map(bytes));
    files.extend(start::<MuTorere>("4", Value::Draw).iter().map(bytes));
    files.extend(start::<MuTorere>("8", Value::Draw).iter().map(bytes));
    files.extend(start::<MuTorere>("12", Value::Draw).iter().map(bytes));
    files.extend(start::<Fanorona>("3x3", Value::Win).iter().map(bytes));
    files.extend(start::<Fanorona>("5x3", Value::Win).iter().map(bytes));
    assert!(python_verdicts(&files).iter().all(|&accepted| accepted));
}

#[test]
fn larger_starts_are_certified() {
    for (dodgem, goal) in start_goals::<Dodgem>("4x4") {
        accepted(&strategy(&dodgem.0, &dodgem.1, goal, DFPN, 1 << 24, DENSE));
    }
    for (star, goal) in start_goals::<MuTorere>("16") {
        accepted(&strategy(&star.0, &star.1, goal, DFPN, 1 << 24, DENSE));
    }
}

fn start_goals<G: Certifiable>(text: &str) -> Vec<((G, G::Position), Goal)> {
    let (game, root) = G::read(text).expect("a start");
    let goals = goals(&game, &root, value(&game, &root));
    goals.into_iter().map(|goal| ((game.clone(), root.clone()), goal)).collect()
}

/// Random positions by all searches in turn, with tables large and small, dense and sparse.
fn certify_positions<G: Certifiable>(
    text: &str,
    count: usize,
    searches: impl Iterator<Item = (Algorithm, usize)> + Clone,
    [table_bytes, little_bytes]: [usize; 2],
) -> Vec<Vec<u8>> {
    let (game, positions) = random_positions::<G>(text, count, 5);
    let mut searches = searches.cycle();
    let left_out = [DENSE, (0, 2), DENSE, (1, 0), (5, 3), (0, 3), (30, 1)];
    let mut left_out = left_out.into_iter().cycle();
    let mut files = Vec::new();
    for position in &positions {
        let value = value(&game, position);
        for goal in goals(&game, position, value) {
            let search = searches.next().expect("there are some");
            let left_out = left_out.next().expect("there are some");
            let table_bytes = if left_out.0 == 1 { little_bytes } else { table_bytes };
            let strategy = strategy(&game, position, goal, search, table_bytes, left_out);
            accepted(&strategy);
            // The same moves achieve nothing for the other player.
            let other = Strategy { owner: !strategy.owner, ..strategy.clone() };
            assert!(value == Value::Draw || verdict(&bytes(&other)).is_err());
            files.push(bytes(&strategy));
        }
    }
    files
}

#[test]
fn random_positions_are_certified() {
    let all: Vec<_> = searches().collect();
    let all = || all.iter().copied();
    let small = [1 << 22, 1 << 12];
    let mut files = certify_positions::<TicTacToe>("start", 60, all(), small);
    files.extend(certify_positions::<Dodgem>("3x3", 60, all(), small));
    files.extend(certify_positions::<MuTorere>("4", 30, all(), small));
    files.extend(certify_positions::<MuTorere>("8", 40, all(), small));
    files.extend(certify_positions::<Fanorona>("3x3", 40, all(), small));
    files.extend(certify_positions::<Fanorona>("3x5", 20, all(), [1 << 24, 1 << 16]));
    assert!(python_verdicts(&files).iter().all(|&accepted| accepted));
    // Other searches than df-pn take minutes on 4x4.
    let dfpn = || [DFPN, (Algorithm::DfPn, 2)].into_iter();
    certify_positions::<Dodgem>("4x4", 12, dfpn(), [1 << 24; 2]);
    certify_positions::<MuTorere>("12", 12, all(), [1 << 24; 2]);
}

/// A file comes back byte by byte; trimming changes nothing; sparse and dense ones are accepted.
fn edit<G: Certifiable>(dense: &Strategy<G>) {
    let good = bytes(dense);
    let mut strategy = load::<G>(&good).expect("read");
    assert_eq!(bytes(&strategy), good);
    assert_eq!(strategy.trim(&Progress::new()), Ok(0));
    for budget in [1, 5, 40, 300] {
        strategy.sparsify(budget, 0, &Progress::new()).expect("a strategy");
        accepted(&strategy);
        strategy = load(&bytes(&strategy)).expect("read");
        assert_eq!(strategy.trim(&Progress::new()), Ok(0));
    }
    strategy.densify(&Progress::new()).expect("a strategy");
    let checked = accepted(&strategy);
    assert_eq!((checked.searched, strategy.budget), (0, 0));
    // Readers find out the values of small positions.
    for database in 1..=dense.game.size(&dense.root) {
        let mut strategy = dense.clone();
        strategy.sparsify(2, database, &Progress::new()).expect("a strategy");
        accepted(&strategy);
        strategy.densify(&Progress::new()).expect("a strategy");
        accepted(&strategy);
    }
    let other = Strategy { budget: 7, ..dense.clone() };
    accepted(&other);
}

#[test]
fn edited_ones_are_accepted() {
    fn edit_some<G: Certifiable>(text: &str, count: usize) {
        let (game, positions) = random_positions::<G>(text, count, 8);
        for position in &positions {
            for goal in goals(&game, position, value(&game, position)) {
                edit(&strategy(&game, position, goal, DFPN, 1 << 22, DENSE));
            }
        }
    }
    edit_some::<TicTacToe>("start", 20);
    edit_some::<Dodgem>("3x3", 30);
    edit_some::<MuTorere>("8", 8);
}

/// The certificates of all positions after the opponent's moves make one of the position before.
#[test]
fn answers_are_merged() {
    fn merge_some<G: Certifiable>(text: &str, count: usize) -> usize {
        let (game, positions) = random_positions::<G>(text, count, 9);
        let mut merged = 0;
        for root in &positions {
            for goal in goals(&game, root, value(&game, root)) {
                if goal.owner_moves(&game, root) {
                    continue;
                }
                let mut parts = Vec::new();
                for (mv, i) in moves_in_order(&game, root).iter().zip(0..) {
                    let child = game.after(root, mv);
                    let search = searches().nth(i % 6).expect("six of them");
                    parts.push(strategy(
                        &game,
                        &child,
                        goal,
                        search,
                        1 << 22,
                        ([0, 3, 20][i % 3], 0),
                    ));
                }
                let Some(first) = parts.pop() else { continue };
                let whole = Strategy::merge(root.clone(), first, parts).expect("one strategy");
                accepted(&whole);
                merged += 1;
            }
        }
        merged
    }
    assert!(merge_some::<TicTacToe>("start", 40) > 5);
    assert!(merge_some::<Dodgem>("3x3", 40) > 5);
    assert!(merge_some::<MuTorere>("8", 10) > 1);
    // Claims of two kinds do not add up.
    let (game, root) = Dodgem::read("3x3").expect("a start");
    let won = strategy(&game, &root, goals(&game, &root, Value::Win)[0], DFPN, 1 << 22, DENSE);
    let held = Strategy { claim: papamu_proof::claim::Claim::Holds, ..won.clone() };
    assert!(Strategy::merge(root, won, [held]).is_err());
}

/// Changed records: the checkers agree with each other and with trimming.
fn mutate<G: Certifiable>(strategy: &Strategy<G>, files: &mut Vec<Vec<u8>>, seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut numbers: Vec<G::Number> = strategy.records.keys().copied().collect();
    numbers.sort_unstable();
    let mut rejected = 0;
    for _ in 0..40 {
        let mut other = strategy.clone();
        let Some(number) = random.choice(numbers.iter().copied()) else { return };
        let record = other.records[&number];
        match random.u8(..5) {
            0 => _ = other.records.remove(&number),
            1 => other.owner = !other.owner,
            2 => {
                other.root =
                    random.choice(random_positions::<G>(&root(strategy), 9, seed).1).expect("one")
            }
            3 if strategy.has_ranks() => {
                let rank = random.choice([0, record.rank.saturating_sub(1), record.rank + 3]);
                let rank = rank.expect("one of three");
                other.records.insert(number, Record { rank, ..record });
            }
            _ => {
                let position = other.position(number).expect("a position");
                let moves = moves_in_order(&other.game, &position).len() as u32;
                let record = Record { mv: random.u32(..=moves), ..record };
                other.records.insert(number, record);
            }
        }
        // Trimming finds everything that checkers find but what is not needed.
        let is_right = verdict(&bytes(&other)).is_ok();
        assert_eq!(other.clone().trim(&Progress::new()) == Ok(0), is_right);
        rejected += u32::from(!is_right);
        files.push(bytes(&other));
    }
    assert!(rejected > 10, "{rejected} of 40");
}

fn root<G: Certifiable>(strategy: &Strategy<G>) -> String {
    strategy.game.write(&strategy.root)
}

#[test]
fn changed_records_are_rejected() {
    let mut files = Vec::new();
    fn mutate_start<G: Certifiable>(text: &str, files: &mut Vec<Vec<u8>>) {
        let (game, root) = G::read(text).expect("a start");
        for (goal, seed) in goals(&game, &root, value(&game, &root)).into_iter().zip(3..) {
            mutate(&strategy(&game, &root, goal, DFPN, 1 << 22, DENSE), files, seed);
        }
    }
    mutate_start::<TicTacToe>("start", &mut files);
    mutate_start::<Dodgem>("3x3", &mut files);
    mutate_start::<Dodgem>("r../.r./.uu u", &mut files);
    mutate_start::<MuTorere>("8", &mut files);
    let python = python_verdicts(&files);
    for (file, accepted) in files.iter().zip(python) {
        assert_eq!(verdict(file).is_ok(), accepted);
    }
}

/// The program refuses damaged files, and reads no more than is there.
#[test]
fn damaged_files_are_refused() {
    let (game, root) = Dodgem::read("3x3").expect("a start");
    let strategy = strategy(&game, &root, goals(&game, &root, Value::Win)[0], DFPN, 1 << 22, DENSE);
    let good = bytes(&strategy);
    for at in 0..good.len() {
        assert!(load::<Dodgem>(&good[..at]).is_err(), "cut off at {at}");
        let mut bad = good.clone();
        bad[at] ^= 4;
        assert!(load::<Dodgem>(&bad).is_err() && verdict(&bad).is_err(), "byte {at}");
    }
    let fails = |from: &str, to: &str, problem: &str| {
        let end = good.windows(4).position(|window| window == b"end\n").expect("a header") + 4;
        let header = String::from_utf8(good[..end].to_vec()).expect("text");
        assert!(header.contains(from), "{header}");
        let changed = [header.replace(from, to).as_bytes(), &good[end..]].concat();
        let error = load::<Dodgem>(&changed).expect_err("refused");
        assert!(error.contains(problem), "{error}");
    };
    fails("certificate 2", "certificate 1", "lacks `root`");
    fails("certificate 2", "certificate 3", "this program reads 1 and 2");
    fails("rules standard\n", "", "lacks `rules`");
    fails("rules standard", "rules misere", "its rules are misere");
    fails("wins", "draws", "neither that somebody wins nor that he holds");
    fails("claim right", "claim left", "no player `left`");
    fails("database 0", "database 00", "no number");
    fails("database 0\n", "", "lacks `database`");
    fails("budget 0", "budget 1000001", "budget is larger");
    fails("game dodgem", "game konane", "it is of konane");
    fails("wins", "holds", "");
}
