//! Every game against its perft file.

use std::path::Path;

use papamu_base::Progress;
use papamu_game::Game;
use papamu_game::perft::{MAX_DEPTH, read_file};
use papamu_game::tiny::{Cram, Dodgem, Domineering, Kayles, MuTorere, TicTacToe};
use papamu_games::{Fanorona, Konane, Sprouts};

/// Larger counts take too long here: `papamu perft konane --check` compares them all. 8x8 Konane at
/// depth 10 is just below.
const MOST_LEAVES: u64 = 60_000_000;

/// How many counts of the game's file agree.
fn compared<G: Game>() -> usize {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/perft");
    let path = data.join(format!("{}.perft", G::NAME));
    let text = std::fs::read_to_string(&path).expect("every game has a perft file");
    let mut records = read_file(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let mut compared = 0;
    for record in &mut records {
        record.counts.retain(|(_, count)| *count <= MOST_LEAVES);
        let (game, position) = record.read::<G>().expect("a legal position");
        let checked = record.check(&game, &position, MAX_DEPTH, 2, &Progress::new());
        let (counts, mismatches) = checked.expect("not stopped");
        assert_eq!(mismatches, [], "{path:?}");
        compared += counts;
    }
    compared
}

#[test]
fn counts_of_all_games_agree() {
    fn agrees<G: Game>() {
        let compared = compared::<G>();
        assert!(compared >= 10, "{} has only {compared} counts", G::NAME);
    }
    agrees::<Konane>();
    agrees::<Sprouts>();
    agrees::<Fanorona>();
    agrees::<TicTacToe>();
    agrees::<Kayles>();
    agrees::<Dodgem>();
    agrees::<MuTorere>();
    agrees::<Domineering>();
    agrees::<Cram>();
}
