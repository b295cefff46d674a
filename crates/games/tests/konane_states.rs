//! Konane against tables 4.1 and B.2 of B. Siefke's thesis: new positions at each ply.

mod data;

use std::collections::BTreeMap;

use papamu_base::Progress;
use papamu_game::states::{PlyCount, states};
use papamu_games::Konane;

/// The tables end with ply 10; positions that are not listed before it do not exist.
const LAST_PLY: u32 = 10;

#[test]
fn new_positions_at_each_ply_as_published() {
    let mut published: BTreeMap<(usize, usize), BTreeMap<u32, [u64; 2]>> = BTreeMap::new();
    for [rows, cols, reduced, ply, count] in data::numbers("unique_states.csv") {
        let plies = published.entry((rows as usize, cols as usize)).or_default();
        plies.entry(ply as u32).or_default()[reduced as usize] = count;
    }
    assert_eq!(published.len(), 8);
    for ((rows, cols), expected) in published {
        let game = Konane::new(rows, cols).expect("a board");
        let mut counted = BTreeMap::new();
        states(
            &game,
            &game.start(),
            Some(LAST_PLY),
            1 << 30,
            &Progress::new(),
            |PlyCount { ply, unique, unique_raw }| {
                counted.insert(ply, [unique_raw, unique]);
            },
        )
        .expect("fits into memory");
        assert_eq!(counted.remove(&0), Some([1, 1]));
        assert_eq!(counted, expected, "{rows}x{cols}");
    }
}

/// The shortcut through orbits of canonical positions against a search that knows no symmetry.
#[test]
fn orbits_add_up_to_all_positions() {
    use papamu_game::Game;
    use std::collections::HashSet;

    for (rows, cols) in [(1, 9), (3, 3), (3, 4), (4, 4), (4, 5), (5, 4), (2, 7)] {
        let game = Konane::new(rows, cols).expect("a board");
        let mut plies = Vec::new();
        states(&game, &game.start(), None, 1 << 30, &Progress::new(), |ply| plies.push(ply))
            .expect("fits into memory");

        let mut seen = HashSet::from([game.start()]);
        let mut layer = vec![game.start()];
        let mut raw = Vec::new();
        while !layer.is_empty() {
            raw.push(layer.len() as u64);
            let mut next = Vec::new();
            for position in layer {
                let mut moves = Vec::new();
                game.moves(&position, &mut moves);
                for mv in moves {
                    let mut child = position;
                    game.play(&mut child, &mv);
                    if seen.insert(child) {
                        next.push(child);
                    }
                }
            }
            layer = next;
        }
        let counted: Vec<u64> = plies.iter().map(|ply| ply.unique_raw).collect();
        assert_eq!(counted, raw, "{rows}x{cols}");
    }
}
