//! Values of the tables against every search, on boards that are too large for any other check.

use papamu_base::Progress;
use papamu_game::tiny::{Dodgem, MuTorere};
use papamu_game::{Entry, Guided, Indexed, Player, PositionIndex, Question, Value};
use papamu_search::options::{Algorithm, Options};
use papamu_search::problem::Problem;
use papamu_search::run::{Monitor, Store};
use papamu_tables::indexed::{Table, TableBuild, TableOptions};

/// Builds a table of the positions with few stones, in a directory that goes with it.
fn table<G: Indexed>(text: &str, most_stones: u32) -> (Table<G>, tempfile::TempDir) {
    let (game, _) = G::read(text).expect("a board");
    let directory = tempfile::tempdir().expect("a directory");
    let place = directory.path().join("table");
    let options = TableOptions { most_stones: Some(most_stones), ..TableOptions::default() };
    let build = TableBuild::new(&game, options).expect("a board with an index");
    build.run(Some(&place), &Progress::new()).expect("built");
    (Table::open(&place).expect("read"), directory)
}

/// Every n-th position of a class, with its value.
fn some<G: Indexed>(table: &Table<G>, class: u32, n: u64) -> Vec<(G::Position, Value)> {
    let entries = (0..table.index().entries(class)).step_by(n as usize);
    let positions = entries.filter_map(|index| table.index().position(Entry { class, index }));
    positions
        .map(|position| {
            let value = table.value(&position).expect("not damaged").expect("in the table");
            (position, value)
        })
        .collect()
}

/// All searches, with one and two threads, answer both questions as the table does.
fn searches_agree<G: Guided>(game: &G, positions: &[(G::Position, Value)], what: &str) {
    for algorithm in Algorithm::SEARCHES {
        let threads: &[usize] = if algorithm.is_parallel() { &[1, 2] } else { &[1] };
        for &threads in threads {
            let options = Options::with_cycles().memory(1 << 30).threads(threads);
            for attacker in [Player::First, Player::Second] {
                let mut store = Store::new(algorithm, 1 << 29).expect("memory");
                for (position, value) in positions {
                    // A tree is of one position, the table of them all.
                    store.tree = Store::<G::Key>::new(algorithm, 1 << 29).expect("memory").tree;
                    let is_his_turn = game.to_move(position) == attacker;
                    let question = if is_his_turn { Question::Wins } else { Question::Holds };
                    let problem = Problem::new(game, position, question);
                    let outcome = algorithm.answer(&problem, &options, &store, &Monitor::new());
                    let won = outcome.expect("no error").won.expect("not stopped");
                    let text = game.write(position);
                    assert_eq!(won, question.answer(*value), "{text}, {algorithm}, {threads}");
                }
            }
        }
        println!("{what}: {} positions by {algorithm}", positions.len());
    }
}

#[test]
fn searches_and_tables_agree() {
    let (stars, _kept) = table::<MuTorere>("12", u32::MAX);
    searches_agree(stars.game(), &some(&stars, 0, 7), "mu-torere 12");
    let (cars, _kept) = table::<Dodgem>("5x5", 3);
    for class in 0..cars.index().classes() {
        searches_agree(cars.game(), &some(&cars, class, 11), &cars.index().class_name(class));
    }
}

/// A longer run: all positions of Dodgem 5x5 with up to four cars, every 101st of those with five.
#[test]
#[ignore = "takes minutes: cargo test --release -p papamu-tables --test searches -- --ignored --nocapture"]
fn searches_and_tables_agree_on_dodgem_5x5() {
    let (cars, _kept) = table::<Dodgem>("5x5", 5);
    for class in 0..cars.index().classes() {
        let n = if cars.index().stones(class) == 5 { 101 } else { 1 };
        searches_agree(cars.game(), &some(&cars, class, n), &cars.index().class_name(class));
    }
}
