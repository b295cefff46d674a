//! Databases of Fanorona: published counts, and complete boards.

mod common;

use std::collections::HashMap;

use common::indexed::{BY_PASSES, DISTANCES, build, bytes, game, positions};
use papamu_base::Progress;
use papamu_game::{Entry, Game, Indexed, PositionIndex, Symmetry, Value};
use papamu_games::Fanorona;
use papamu_games::fanorona::Position;
use papamu_tables::indexed::verify::{check_hashes, check_logic};
use papamu_tables::indexed::{Table, TableOptions};

/// Wins, draws and losses.
type Counts = [u64; 3];

/// Counts by the stones of the mover and of the other side: of one position for each symmetry
/// class, without those that a half turn leaves as they are, and of all positions.
fn counts(table: &Table<Fanorona>) -> HashMap<String, (Counts, Counts)> {
    let game = table.game();
    let mut counts: HashMap<String, (Counts, Counts)> = HashMap::new();
    for position in positions::<Fanorona>(table.index()) {
        let stones = |side: papamu_game::Player| position.stones[side.index()].count_ones();
        let (own, other) = (stones(position.side), stones(!position.side));
        let place = match table.value(&position).expect("not damaged").expect("known") {
            Value::Win => 0,
            Value::Draw => 1,
            Value::Loss => 2,
        };
        let (published, raw) = counts.entry(format!("{own}-{other}")).or_default();
        let image = |&symmetry: &Symmetry| game.image(symmetry, &position);
        let mut images: Vec<Position> = game.symmetries().iter().map(image).collect();
        images.sort_unstable();
        images.dedup();
        raw[place] += images.len() as u64;
        published[place] += u64::from(image(&Symmetry::Rotate180) != position);
    }
    counts
}

#[test]
fn published_counts_of_up_to_four_pieces() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("table");
    let options = TableOptions { most_stones: Some(4), ..TableOptions::default() };
    build::<Fanorona>("5x9", options, &path);
    let table = Table::<Fanorona>::open(&path).expect("a table");
    let counts = counts(&table);
    let mut compared = 0;
    for line in include_str!("data/fanorona-table-4.3.csv").lines().skip(4) {
        let mut cells = line.split(',');
        let class = cells.next().expect("a class");
        let numbers: Vec<Option<u64>> = cells.map(|cell| cell.parse().ok()).collect();
        let Some((published, raw)) = counts.get(class) else { continue };
        assert_eq!(numbers[..3], published.map(Some), "{class}");
        assert_eq!(numbers[3..], raw.map(Some), "{class}, all positions");
        compared += 1;
    }
    assert_eq!(compared, 6);
    assert_eq!(check_logic(&table, None, 2, &Progress::new()).expect("readable").1, None);
}

/// The way with un-moves and shortcuts, and passes over all moves, make the same files.
#[test]
fn complete_boards() {
    for (board, step) in [("3x3", 1), ("3x5", 1009), ("5x3", 1009)] {
        let place = tempfile::tempdir().expect("a directory");
        let [one, other] = ["unmoves", "passes"].map(|name| place.path().join(name));
        build::<Fanorona>(board, DISTANCES, &one);
        build::<Fanorona>(board, BY_PASSES, &other);
        assert!(bytes(&one) == bytes(&other), "{board}");
        let table = Table::<Fanorona>::open(&one).expect("a table");
        assert_eq!(check_hashes(&table, &Progress::new()), Ok(Vec::new()));
        let (_, problem) = check_logic(&table, None, 2, &Progress::new()).expect("readable");
        assert_eq!(problem, None, "{board}");
        let game: Fanorona = game(board);
        assert_eq!(table.value(&game.start()), Ok(Some(Value::Win)), "{board}, table 4.4");
        images_share_entries(&game, table.index(), step);
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
