//! Fanorona: the examples of the rules, the laws of games, and drawings.

use papamu_base::Progress;
use papamu_game::{Capabilities, Game, Value, rules};
use papamu_games::Fanorona;
use papamu_games::fanorona::Position;

fn read(text: &str) -> (Fanorona, Position) {
    Fanorona::read(text).expect("a position")
}

fn names(text: &str) -> Vec<String> {
    let (game, position) = read(text);
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    for mv in &moves {
        assert!(game.is_legal(&position, mv));
    }
    moves.iter().map(|mv| game.write_move(&position, mv)).collect()
}

/// The stones that the examples of figure 4.3 speak of.
const FIGURE_4_3: &str = "........./..x..ox../........./.o.xx.x../......... w";

#[test]
fn the_examples_of_the_rules() {
    let moves = names(FIGURE_4_3);
    for legal in ["b2-c2A", "b2-c2A-c3A", "f4-e4W", "f4-e4W-e3A"] {
        assert!(moves.iter().any(|mv| mv == legal), "{legal} is missing in {moves:?}");
    }
    for illegal in ["f4-e4W-d4A", "f4-e4W-e3A-f4W", "b2-b1"] {
        assert!(!moves.iter().any(|mv| mv == illegal), "{illegal} is in {moves:?}");
    }
    // The line ends at the first point without an enemy.
    let (game, mut position) = read(FIGURE_4_3);
    let mv = game.read_move(&position, "b2-c2A").expect("a move");
    game.play(&mut position, &mv);
    assert_eq!(game.write(&position), "........./..x..ox../........./..o...x../......... b");
}

#[test]
fn the_start_of_the_usual_board() {
    let (game, start) = read("5x9");
    let text = "xxxxxxxxx/xxxxxxxxx/xoxo.xoxo/ooooooooo/ooooooooo w";
    assert_eq!(game.write(&start), text);
    assert_eq!(read(text).1, start);
    let mut moves = names("5x9");
    moves.sort_unstable();
    assert_eq!(moves, ["d2-e3A", "d3-e3A", "d3-e3W", "e2-e3A", "f2-e3A"]);
    assert_eq!(
        game.draw(&start),
        "\
5 ●─●─●─●─●─●─●─●─●
  │╲│╱│╲│╱│╲│╱│╲│╱│
4 ●─●─●─●─●─●─●─●─●
  │╱│╲│╱│╲│╱│╲│╱│╲│
3 ●─○─●─○─·─●─○─●─○
  │╲│╱│╲│╱│╲│╱│╲│╱│
2 ○─○─○─○─○─○─○─○─○
  │╱│╲│╱│╲│╱│╲│╱│╲│
1 ○─○─○─○─○─○─○─○─○
  a b c d e f g h i"
    );
}

#[test]
fn who_has_no_move_loses() {
    // No stones, and a stone that cannot step: its only neighbours are occupied.
    for text in [".../.../o.. b", "xo./oo./... b"] {
        let (game, position) = read(text);
        assert_eq!((game.count_moves(&position), game.final_value(&position)), (0, Value::Loss));
    }
    for (text, wins) in [("x.o/.../... w", true), ("x../..o/... w", false)] {
        let (game, position) = read(text);
        assert_eq!(game.has_immediate_win(&position), wins, "{text}");
    }
}

#[test]
fn other_texts_are_refused() {
    for (text, problem) in [
        ("4x5", "odd"),
        ("1x9", "odd"),
        ("7x7", "45 points"),
        ("xo/ox b", "odd"),
        ("x.x/.../o.w w", "unknown letter `w`"),
        ("x.x/.../o.o", "does not say who moves"),
        (".../.../... w", "no stone"),
    ] {
        let error = Fanorona::read(text).expect_err(text).to_string();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn it_keeps_the_laws_of_games() {
    for text in ["3x3", "3x5", "5x3", "5x5", "3x15", "15x3", "5x9", "9x5", FIGURE_4_3] {
        let (game, position) = read(text);
        let none = Capabilities::NONE;
        if let Err(violation) = rules::check(&game, &position, &none, 30, 7, &Progress::new()) {
            panic!("{text}: {violation}");
        }
    }
}
