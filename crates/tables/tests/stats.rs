//! Reachable positions against the thesis and against a breadth-first search.

use papamu_base::Progress;
use papamu_game::Game;
use papamu_game::states::states;
use papamu_games::Konane;
use papamu_games::konane::published::{StateSpace, state_space};
use papamu_tables::konane::{PlyStats, StateCount, read_board};

fn counted(board: &str) -> Vec<PlyStats> {
    let game = read_board(board).expect("a board");
    StateCount::new(&game).expect("small").run(&Progress::new()).expect("fits")
}

/// Tables A.1 to A.6.
#[test]
fn state_spaces_of_the_thesis() {
    for (rows, cols) in [(3, 3), (4, 3), (4, 4), (5, 4), (5, 5), (6, 5)] {
        let found: Vec<StateSpace> = counted(&format!("{rows}x{cols}"))
            .into_iter()
            .map(|PlyStats { ply, unique, black_wins, white_wins, terminals, .. }| StateSpace {
                ply,
                unique,
                black_wins,
                white_wins,
                terminals,
            })
            .collect();
        assert_eq!(found, state_space(rows, cols), "{rows}x{cols}");
    }
}

/// Boards of every shape and symmetry.
#[test]
fn counts_are_those_of_a_breadth_first_search() {
    for board in [
        "1x1", "1x2", "2x1", "1x5", "1x6", "1x13", "13x1", "2x2", "2x7", "7x2", "3x4", "3x5",
        "5x3", "3x6", "3x7", "4x5", "2x9", "5x5",
    ] {
        let (game, start) = Konane::read(board).expect("a board");
        let mut expected = Vec::new();
        states(&game, &start, None, 1 << 30, &Progress::new(), |ply| {
            expected.push((ply.ply, ply.unique, ply.unique_raw));
        })
        .expect("fits");
        let found: Vec<(u32, u64, u64)> =
            counted(board).iter().map(|ply| (ply.ply, ply.unique, ply.unique_raw)).collect();
        assert_eq!(found, expected, "{board}");
    }
}
