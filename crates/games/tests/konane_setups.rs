//! Setups: what is read and written, which of them are positions, and their images.

use papamu_game::{Game, NotationError, Player, Symmetry};
use papamu_games::Konane;
use papamu_games::konane::{Position, Setup, Square};
use proptest::prelude::*;

fn any_setup(most: usize) -> impl Strategy<Value = Setup> {
    (1..=most, 1..=most).prop_flat_map(|(rows, columns)| {
        let square = prop_oneof![
            Just(Square::Empty),
            Just(Square::Black),
            Just(Square::White),
            Just(Square::Wall)
        ];
        let side = prop_oneof![Just(None), Just(Some(Player::First)), Just(Some(Player::Second))];
        let squares = proptest::collection::vec(square, rows * columns);
        (squares, side).prop_map(move |(squares, side)| {
            let setup = Setup::new(rows, columns).expect("small");
            setup.map(|i| squares[i]).with_side(side)
        })
    })
}

proptest! {
    #[test]
    fn setups_round_trip(setup in any_setup(16)) {
        prop_assert_eq!(Setup::read(&setup.to_string()), Ok(setup));
    }

    /// Whatever the game reads is a setup, and the other way round if it can be validated.
    #[test]
    fn positions_are_setups(setup in any_setup(9)) {
        let text = setup.to_string();
        match (setup.position(), Konane::read(&text)) {
            (Ok((game, position)), Ok((read_game, read))) => {
                prop_assert_eq!((game.board(), position), (read_game.board(), read));
                prop_assert_eq!(Setup::from((&game, &position)), setup);
            }
            (validated, read) => prop_assert!(validated.is_err() && read.is_err(), "{text}"),
        }
    }

    #[test]
    fn reading_never_panics(text in "[xoXO●○._·#bw/ \\n0-9\\PC]{0,80}") {
        let _ = Setup::read(&text);
    }

    /// The inverse of a symmetry undoes it, also on boards that are not square.
    #[test]
    fn images_come_back(setup in any_setup(6)) {
        for symmetry in Symmetry::ALL {
            let image = setup.image(symmetry);
            prop_assert_eq!(image.count(Square::Black), setup.count(Square::Black));
            prop_assert_eq!(&image.image(symmetry.inverse()), &setup);
        }
        prop_assert_eq!(&setup.exchanged().exchanged(), &setup);
    }

    /// Exactly one of all different images of a board is the least.
    #[test]
    fn one_image_is_the_least(setup in any_setup(4)) {
        let setup = setup.with_side(None);
        let images = Symmetry::ALL.map(|symmetry| setup.image(symmetry));
        let mut images: Vec<Setup> = images
            .into_iter()
            .filter(|image| image.columns() == setup.columns())
            .flat_map(|image| [image.exchanged(), image])
            .collect();
        images.sort();
        images.dedup();
        let least: Vec<bool> = images.iter().map(|image| image.is_least_image(false)).collect();
        prop_assert_eq!(least.iter().filter(|is_least| **is_least).count(), 1);
        prop_assert!(least[0]);
    }
}

#[test]
fn positions_of_the_game_are_setups() {
    let mut random = fastrand::Rng::with_seed(3);
    for (rows, cols) in [(1, 1), (3, 5), (8, 8), (2, 24), (64, 1)] {
        let game = Konane::new(rows, cols).expect("a board");
        let occupied = random.u64(..) & game.board().squares;
        let position = Position { occupied, side: Player::Second };
        let setup = Setup::from((&game, &position));
        assert!(setup.alternates());
        assert_eq!(setup.to_string(), game.write(&position));
        let (again, back) = setup.position().expect("a position");
        assert_eq!((again.board(), back), (game.board(), position));
    }
}

#[test]
fn setups_are_written_in_several_ways() {
    let expected = Setup::read("xo./#.x").expect("a setup");
    for text in [" XO_/#·● ", "xo.\n#.x", "  xo.\n  #.x\n", "xo. /\t#.x", "●○·/#_X"] {
        assert_eq!(Setup::read(text).as_ref(), Ok(&expected), "{text}");
    }
    let white = expected.with_side(Some(Player::Second));
    for text in ["xo./#.x w", "xo.\n#.x w", "xo.\n#.x\nw", "xo./#.x \t w\n"] {
        assert_eq!(Setup::read(text).as_ref(), Ok(&white), "{text}");
    }
}

#[test]
fn errors_name_what_is_wrong() {
    for (text, expected) in [
        ("", "position ``: there is nothing here"),
        (
            "6x6",
            "position `6x6`: this is a board before stones are removed; write its rows instead",
        ),
        ("xo/x", "row 2 `x` has 1 squares, but the first row has 2"),
        ("xo//xo", "row 2 of `xo//xo` is empty: rows are joined by single `/`"),
        ("xo/xy", "unknown letter `y` on b1: a square is one of `x`, `o`, `.` and `#`"),
        ("xo/.. z", "unknown side to move `z`: it is `b` or `w`"),
        ("xo/.. b b", "unknown side to move `b b`: it is `b` or `w`"),
    ] {
        let error = Setup::read(text).expect_err(text);
        assert_eq!(error.to_string(), expected);
    }
    let long = Setup::read(&".".repeat(257)).expect_err("too long");
    assert_eq!(long.to_string(), "board size `1x257`: that is more than 256 squares");
    assert!(matches!(Setup::new(0, 3), Err(NotationError::Size { .. })));
    assert!(matches!(Setup::new(usize::MAX, 3), Err(NotationError::Size { .. })));
}

#[test]
fn what_is_no_position_says_why() {
    for (text, expected) in [
        ("xo#x b", "`#` on c1: positions have no walls"),
        (
            "ox b",
            "`x` on b1: this is a square of white stones, and stones never change colour of square",
        ),
        (
            "o. b",
            "`o` on a1: this is a square of black stones, and stones never change colour of square",
        ),
        ("xo", "`xo` does not say who moves: add a space and `b` or `w`"),
    ] {
        let error = Setup::read(text).expect("a setup").position().expect_err(text);
        assert_eq!(error.to_string(), expected);
    }
    let large = Setup::full(9, 9).expect("a setup").position().expect_err("too large");
    assert_eq!(large.to_string(), "board size `9x9`: a board has at most 64 squares");
}

/// Letters of setups are not letters of positions.
#[test]
fn the_game_reads_only_its_own_notation() {
    for text in ["Xo b", "x_ b", "x\n. b", "x. ", "●○ b", "x# b"] {
        assert!(Konane::read(text).is_err(), "{text}");
    }
}
