//! Databases of Fanorona: published counts, and complete boards.

mod common;

use std::collections::HashMap;
use std::path::Path;

use common::indexed::{BY_PASSES, DISTANCES, build, bytes, game};
use papamu_base::Progress;
use papamu_game::{Entry, Game, Indexed, Player, PositionIndex, Symmetry, Value};
use papamu_games::Fanorona;
use papamu_games::fanorona::Position;
use papamu_tables::indexed::verify::{check_hashes, check_logic};
use papamu_tables::indexed::{Table, TableOptions};
use rayon::prelude::*;

/// Wins, draws and losses: of one position for each symmetry class, without those that a half turn
/// leaves as they are, and of all positions.
type Counts = [[u64; 3]; 2];

/// The counts of a class by who moves: the side with fewer stones, and the one with more.
fn counts(table: &Table<Fanorona>, class: u32) -> [Counts; 2] {
    let (game, index) = (table.game(), table.index());
    let count = |mut counts: [Counts; 2], number: u64| {
        let Some(position) = index.position(Entry { class, index: number }) else { return counts };
        let stones = |side: Player| position.stones[side.index()].count_ones();
        let has_more = stones(position.side) > stones(!position.side);
        let place = match table.value(&position).expect("not damaged").expect("known") {
            Value::Win => 0,
            Value::Draw => 1,
            Value::Loss => 2,
        };
        let is_fixed = |&&symmetry: &&Symmetry| game.image(symmetry, &position) == position;
        let fixing = game.symmetries().iter().filter(is_fixed).count();
        let [published, raw] = &mut counts[usize::from(has_more)];
        raw[place] += (game.symmetries().len() / fixing) as u64;
        published[place] += u64::from(!is_fixed(&&Symmetry::Rotate180));
        counts
    };
    let add = |one: [Counts; 2], other: [Counts; 2]| {
        let mut sum = one;
        let all = sum.as_flattened_mut().as_flattened_mut();
        all.iter_mut().zip(other.as_flattened().as_flattened()).for_each(|(sum, n)| *sum += n);
        sum
    };
    let numbers = (0..index.entries(class)).into_par_iter();
    numbers.fold(Default::default, count).reduce(Default::default, add)
}

/// Compares a table of up to so many pieces with what was published, and returns the table and the
/// number of databases that were compared.
fn compare_with_published(pieces: u32, path: &Path) -> (Table<Fanorona>, usize) {
    let options = TableOptions { most_stones: Some(pieces), ..TableOptions::default() };
    build::<Fanorona>("5x9", options, path);
    let table = Table::<Fanorona>::open(path).expect("a table");
    let mut found = HashMap::new();
    for class in 0..table.index().classes() {
        let [few, more] = table.index().movers(class).expect("by stones");
        let [by_few, by_more] = counts(&table, class);
        found.insert(more, by_more);
        // If both have as many stones, it is theirs.
        found.insert(few, by_few);
    }
    let mut compared = 0;
    for line in include_str!("data/fanorona-table-4.3.csv").lines().skip(4) {
        let mut cells = line.split(',');
        let class = cells.next().expect("a class");
        let numbers: Vec<Option<u64>> = cells.map(|cell| cell.parse().ok()).collect();
        let Some([published, raw]) = found.get(class) else { continue };
        assert_eq!(numbers[..3], published.map(Some), "{class}");
        if numbers[3].is_some() {
            assert_eq!(numbers[3..], raw.map(Some), "{class}, all positions");
        }
        compared += 1;
    }
    (table, compared)
}

#[test]
fn published_counts_of_up_to_four_pieces() {
    let place = tempfile::tempdir().expect("a directory");
    let (table, compared) = compare_with_published(4, &place.path().join("table"));
    assert_eq!(compared, 6);
    assert_eq!(check_logic(&table, None, 2, &Progress::new()).expect("readable").1, None);
}

#[test]
#[ignore = "takes minutes and 1 GiB: cargo test --release -p papamu-tables --test fanorona -- --ignored"]
fn published_counts_of_up_to_seven_pieces() {
    let place = tempfile::tempdir().expect("a directory");
    let (table, compared) = compare_with_published(7, &place.path().join("table"));
    assert_eq!(compared, 21);
    let sample = check_logic(&table, Some(1_000_000), 2, &Progress::new());
    assert_eq!(sample.expect("readable").1, None);
}

/// Builds a table and checks what must hold for all boards.
fn checked(board: &str, options: TableOptions, path: &Path) -> Table<Fanorona> {
    build::<Fanorona>(board, options, path);
    let table = Table::<Fanorona>::open(path).expect("a table");
    assert_eq!(check_hashes(&table, &Progress::new()), Ok(Vec::new()));
    table
}

/// The way with un-moves and shortcuts, and passes over all moves, make the same files.
#[test]
fn both_ways_make_the_same_tables() {
    for (board, most_stones) in [("3x3", None), ("3x5", Some(6)), ("5x5", Some(4))] {
        let place = tempfile::tempdir().expect("a directory");
        let [one, other] = ["unmoves", "passes"].map(|name| place.path().join(name));
        let table = checked(board, TableOptions { most_stones, ..DISTANCES }, &one);
        build::<Fanorona>(board, TableOptions { most_stones, ..BY_PASSES }, &other);
        assert!(bytes(&one) == bytes(&other), "{board}");
        let (_, problem) = check_logic(&table, None, 2, &Progress::new()).expect("readable");
        assert_eq!(problem, None, "{board}");
        images_share_entries(&game(board), table.index(), 1);
    }
}

/// The values of the starts are those of table 4.4, and 5x3 is 3x5 seen from the side.
#[test]
fn complete_boards() {
    let place = tempfile::tempdir().expect("a directory");
    let [small, wide, high] = ["3x3", "3x5", "5x3"].map(|board| {
        let table = checked(board, TableOptions::default(), &place.path().join(board));
        let start = game::<Fanorona>(board).start();
        assert_eq!(table.value(&start), Ok(Some(Value::Win)), "{board}, table 4.4");
        table
    });
    assert_eq!(check_logic(&small, None, 2, &Progress::new()).expect("readable").1, None);
    for table in [&wide, &high] {
        let sample = check_logic(table, Some(20_000), 2, &Progress::new());
        assert_eq!(sample.expect("readable").1, None);
        images_share_entries(table.game(), table.index(), 1009);
    }
    let turned = |position: Position| {
        let boards = [wide.game().board(), high.game().board()];
        let turn = |stones: u64| {
            let points = (0..5).flat_map(|col| (0..3).map(move |row| (row, col)));
            let there = points.filter(|&(row, col)| stones >> boards[0].point(row, col) & 1 == 1);
            there.fold(0, |image, (row, col)| image | 1 << boards[1].point(col, row))
        };
        Position { stones: position.stones.map(turn), ..position }
    };
    let index = wide.index();
    for class in 0..index.classes() {
        assert_eq!(index.entries(class), high.index().entries(class));
        for number in (0..index.entries(class)).step_by(11) {
            let Some(position) = index.position(Entry { class, index: number }) else { continue };
            assert_eq!(wide.value(&position), high.value(&turned(position)), "{position:?}");
        }
    }
}

/// All images, with both colours, have the entry of the position that represents it.
fn images_share_entries(game: &Fanorona, index: &<Fanorona as Indexed>::Index, step: usize) {
    for class in 0..index.classes() {
        for number in (0..index.entries(class)).step_by(step) {
            let entry = Entry { class, index: number };
            let Some(position) = index.position(entry) else { continue };
            let [white, black] = position.stones;
            let exchanged = Position { stones: [black, white], side: !position.side };
            for position in [position, exchanged] {
                for &symmetry in game.symmetries() {
                    assert_eq!(index.entry(&game.image(symmetry, &position)), Some(entry));
                }
            }
        }
    }
}
