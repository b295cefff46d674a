//! Every value and every distance of tables of games with an index, against iteration over all
//! positions and against the reference solver, with and without un-moves.

mod common;

use std::collections::{HashMap, HashSet};

use common::corridor::Corridor;
use common::indexed::{BY_PASSES, DISTANCES, build, game, positions};
use papamu_base::{Progress, Stop};
use papamu_game::tiny::{Dodgem, MuTorere, TicTacToe};
use papamu_game::{Capabilities, Game, Indexed, Value};
use papamu_games::Fanorona;
use papamu_search::reference;
use papamu_tables::indexed::verify::{check_hashes, check_logic};
use papamu_tables::indexed::{Table, TableBuild, TableOptions, class_stats};

/// The values of all positions with their distances, by iteration that knows nothing of entries:
/// at each step, what follows from the steps before it.
fn by_iteration<G: Game>(
    game: &G,
    positions: &[G::Position],
) -> HashMap<G::Position, (Value, u32)> {
    let children = |position: &G::Position| -> Vec<G::Position> {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let after = |mv: &G::Move| game.after(position, mv);
        moves.iter().map(after).collect()
    };
    let mut known: HashMap<G::Position, (Value, u32)> = HashMap::new();
    let mut open: Vec<(G::Position, Vec<G::Position>)> = Vec::new();
    let mut seen: HashSet<G::Position> = positions.iter().cloned().collect();
    let mut waiting = positions.to_vec();
    while let Some(position) = waiting.pop() {
        let after = children(&position);
        for child in &after {
            if seen.insert(child.clone()) {
                waiting.push(child.clone());
            }
        }
        match after.is_empty() {
            true => drop(known.insert(position.clone(), (game.final_value(&position), 0))),
            false => open.push((position, after)),
        }
    }
    for plies in 1.. {
        let mut found = Vec::new();
        open.retain(|(position, after)| {
            let is = |child: &G::Position, value| known.get(child).is_some_and(|of| of.0 == value);
            let value = if after.iter().any(|child| is(child, Value::Loss)) {
                Value::Win
            } else if after.iter().all(|child| is(child, Value::Win)) {
                Value::Loss
            } else {
                return true;
            };
            found.push((position.clone(), (value, plies)));
            false
        });
        if found.is_empty() {
            break;
        }
        known.extend(found);
    }
    known.extend(open.into_iter().map(|(position, _)| (position, (Value::Draw, 0))));
    known
}

/// All positions of a board that the game reads, found without the index: every way to put one of
/// three letters on each of nine cells or fewer, written by `text` with either player to move.
fn readable<G: Game>(cells: u32, letters: [char; 2], text: fn(&str) -> String) -> Vec<G::Position> {
    let cell = |number: u32, i| ['.', letters[0], letters[1]][(number / 3_u32.pow(i) % 3) as usize];
    let boards = (0..3_u32.pow(cells))
        .map(|number| text(&(0..cells).map(|i| cell(number, i)).collect::<String>()));
    let texts = boards.flat_map(|board| letters.map(|side| format!("{board} {side}")));
    texts.filter_map(|text| Some(G::read(&text).ok()?.1)).collect()
}

fn rows(cells: &str) -> String {
    format!("{}/{}/{}", &cells[..3], &cells[3..6], &cells[6..])
}

/// The centre comes last.
fn star(cells: &str) -> String {
    let (ring, centre) = cells.split_at(cells.len() - 1);
    format!("{ring}/{centre}")
}

/// Compares the tables of a board with iteration from the positions of the index and `others`, and
/// with the reference solver at every so many positions.
fn agrees<G: Indexed>(board: &str, others: &[G::Position], step: usize) {
    let game = game::<G>(board);
    let place = tempfile::tempdir().expect("a directory");
    let open = |name: &str, options| {
        let path = place.path().join(name);
        let report = build::<G>(board, options, &path);
        (Table::<G>::open(&path).expect("a table"), report)
    };
    let (table, report) = open("unmoves", DISTANCES);
    let (by_passes, again) = open("passes", BY_PASSES);
    let positions = positions::<G>(table.index());
    assert_eq!(report.counts.positions(), positions.len() as u64);
    assert_eq!(report, again);
    let known = by_iteration(&game, &[&positions, others].concat());
    for (position, &(value, plies)) in &known {
        let text = game.write(position);
        let plies = (value != Value::Draw).then_some(plies);
        for table in [&table, &by_passes] {
            assert_eq!(table.value(position), Ok(Some(value)), "{board}: {text}");
            assert_eq!(table.plies_to_end(position), Ok(plies), "{board}: {text}");
        }
    }
    for position in positions.iter().step_by(step) {
        let solution =
            reference::solve(&game, position, &Capabilities::NONE, 1 << 30, &Progress::new());
        let value = solution.expect("small").value;
        assert_eq!(table.value(position), Ok(Some(value)), "{}", game.write(position));
    }
    for position in &positions {
        let probe = table.probe(position, 0, &Stop::new()).expect("known");
        assert!(probe.moves.is_sorted_by_key(|mv| std::cmp::Reverse(mv.value)));
        if let Some(best) = probe.moves.first() {
            assert_eq!((best.value, best.plies_to_end), (probe.value, probe.plies_to_end));
        }
    }
    let all = TableBuild::new(&game, DISTANCES).expect("small").entries();
    assert_eq!(check_hashes(&table, &Progress::new()), Ok(Vec::new()));
    let checked = check_logic(&table, None, 1, &Progress::new()).expect("readable");
    assert_eq!(checked, (all, None));
    let stats = class_stats(&table, &Progress::new()).expect("readable");
    let of_stats: u64 =
        stats.iter().flat_map(|class| class.counts).map(|counts| counts.positions()).sum();
    assert_eq!(of_stats, report.counts.positions());
    let longest = stats.iter().filter_map(|class| Some(class.longest.as_ref()?.plies)).max();
    let won = known.values().filter(|(value, _)| *value == Value::Win);
    assert_eq!(longest, won.map(|(_, plies)| *plies).max());
}

/// A table without distances finds those of a table with them, by search.
fn finds_distances<G: Indexed>(board: &str, step: usize) {
    let place = tempfile::tempdir().expect("a directory");
    let open = |name: &str, options| {
        let path = place.path().join(name);
        build::<G>(board, options, &path);
        Table::<G>::open(&path).expect("a table")
    };
    let with = open("with", DISTANCES);
    let without = open("without", TableOptions::default());
    for position in positions::<G>(with.index()).iter().step_by(step) {
        let probe =
            |table: &Table<G>, budget| table.probe(position, budget, &Stop::new()).expect("known");
        assert_eq!(probe(&without, 1_000_000), probe(&with, 0), "{}", with.game().write(position));
        // With less work, what is found is right.
        let (little, all) = (probe(&without, 30), probe(&with, 0));
        assert!(little.plies_to_end.is_none_or(|plies| Some(plies) == all.plies_to_end));
        for of in &little.moves {
            let same = all.moves.iter().find(|other| other.mv == of.mv).expect("the same moves");
            assert_eq!(of.value, same.value);
            assert!(of.plies_to_end.is_none_or(|plies| Some(plies) == same.plies_to_end));
        }
    }
}

#[test]
fn distances_by_search() {
    finds_distances::<Dodgem>("3x3", 1);
    finds_distances::<Dodgem>("4x4", 997);
    finds_distances::<MuTorere>("8", 1);
    finds_distances::<TicTacToe>("start", 1);
    finds_distances::<Fanorona>("3x3", 1);
}

#[test]
fn every_value_of_dodgem() {
    agrees::<Dodgem>("3x3", &readable::<Dodgem>(9, ['r', 'u'], rows), 1);
    agrees::<Dodgem>("4x4", &[], 30_011);
}

#[test]
fn every_value_of_mu_torere() {
    agrees::<MuTorere>("4", &readable::<MuTorere>(5, ['x', 'o'], star), 1);
    agrees::<MuTorere>("8", &readable::<MuTorere>(9, ['x', 'o'], star), 1);
    agrees::<MuTorere>("12", &[], 97);
}

#[test]
fn every_value_of_tic_tac_toe() {
    agrees::<TicTacToe>("3x3", &readable::<TicTacToe>(9, ['x', 'o'], rows), 1);
}

/// Distances that take two bytes.
#[test]
fn every_value_of_long_games() {
    agrees::<Corridor>("all", &[], 1);
}
