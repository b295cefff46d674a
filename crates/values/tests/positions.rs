//! Values of positions of any game of the trait.

use papamu_base::Progress;
use papamu_game::tiny::{Domineering, Kayles, TicTacToe};
use papamu_game::{Capabilities, Game, Player};
use papamu_games::Konane;
use papamu_values::konane::{self, Evaluator, Outcomes, Regions, Setup, Square};
use papamu_values::{Forms, Limits, NoValue, Outcome, Positions, Value};

fn forms() -> Forms {
    Forms::new(Limits::default()).expect("memory")
}

/// Random play from the start: the rules on whole positions give the same values as regions and
/// their normal forms.
#[test]
fn konane_has_the_values_of_its_regions() {
    let mut random = fastrand::Rng::with_seed(11);
    let regions = Regions::new(forms()).expect("memory");
    let mut evaluator = Evaluator::new(&regions);
    let progress = Progress::new();
    let mut compared = 0;
    for (rows, columns) in [(4, 4), (4, 5), (3, 6)] {
        let game = Konane::new(rows, columns).expect("a board");
        let mut positions =
            Positions::new(&game, &Konane::CAPABILITIES, regions.forms(), &progress);
        for _ in 0..100 {
            let mut position = game.start();
            let mut moves = Vec::new();
            for _ in 0..random.usize(2..8) {
                moves.clear();
                game.moves(&position, &mut moves);
                let Some(mv) = random.choice(&moves) else { break };
                game.play(&mut position, mv);
            }
            if game.null_move(&position).is_none() {
                continue;
            }
            let text = game.write(&position);
            let board = text.split(' ').next().expect("a board");
            let expected = evaluator.value(&Setup::read(board).expect("a board"));
            assert_eq!(
                positions.value(&position).expect("small"),
                expected.expect("small"),
                "{text}"
            );
            compared += 1;
        }
    }
    assert!(compared > 200, "{compared}");
}

/// Kayles: the nimbers published by R. Guy and C. Smith, 1956.
#[test]
fn impartial_games_have_nimbers() {
    let forms = forms();
    let progress = Progress::new();
    let published = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4];
    for (n, nimber) in published.into_iter().enumerate().skip(1) {
        let (game, position) = Kayles::read(&n.to_string()).expect("a row");
        let mut positions = Positions::new(&game, &Kayles::CAPABILITIES, &forms, &progress);
        assert_eq!(positions.value(&position), Ok(forms.nimber(nimber).expect("small")), "{n}");
    }
}

/// Domineering: E. Berlekamp, J. Conway and R. Guy, "Winning Ways", chapter 5. That the first
/// player loses 5x5 is a result of D. Breuker, J. Uiterwijk and J. van den Herik, 2000.
#[test]
fn domineering_has_known_values() {
    let forms = forms();
    let progress = Progress::new();
    let known = [
        ("1x1", "0"),
        ("2x1", "1"),
        ("1x2", "-1"),
        ("6x1", "3"),
        ("2x2", "{1|-1}"),
        ("../.# v", "*"),
        ("3x3", "{1|-1}"),
        ("5x5", "0"),
    ];
    for (text, expected) in known {
        let (game, position) = Domineering::read(text).expect("a board");
        let mut positions = Positions::new(&game, &Domineering::CAPABILITIES, &forms, &progress);
        let value = positions.value(&position).expect("small");
        assert_eq!(forms.read(expected), Ok(value), "{text}");
    }
}

#[test]
fn positions_of_one_player_have_no_value() {
    let forms = forms();
    let progress = Progress::new();
    let konane = Konane::new(4, 4).expect("a board");
    let mut positions = Positions::new(&konane, &Konane::CAPABILITIES, &forms, &progress);
    let value = positions.value(&konane.start());
    assert!(matches!(value, Err(NoValue::OneSided { .. })));
    let (game, position) = TicTacToe::read(TicTacToe::EXAMPLES[0]).expect("the start");
    let value = Positions::new(&game, &Capabilities::NONE, &forms, &progress).value(&position);
    assert!(matches!(value, Err(NoValue::OneSided { .. })));
}

/// The search finds the winner that the value implies, and the value is within its bounds.
#[test]
fn winners_are_found_without_the_value() {
    let mut random = fastrand::Rng::with_seed(3);
    let regions = Regions::new(forms()).expect("memory");
    let forms = regions.forms();
    let mut evaluator = Evaluator::new(&regions);
    let mut large = 0;
    for _ in 0..150 {
        let mut setup = Setup::full(5, 5).expect("small");
        let share = random.f64() * 0.3 + 0.4;
        for square in 0..25 {
            if random.f64() < share {
                setup.set(square / 5, square % 5, Square::Empty);
            }
        }
        large +=
            usize::from(konane::regions(&setup).iter().any(|region| {
                region.setup.squares().len() - region.setup.count(Square::Wall) > 20
            }));
        let value = evaluator.value(&setup).expect("small");
        let outcome = forms.outcome(value).expect("small");
        let mut outcomes = Outcomes::new(&mut evaluator);
        let begins =
            [Player::First, Player::Second].map(|p| outcomes.wins(&setup, p).expect("small"));
        let expected = match outcome {
            Outcome::Left => [true, false],
            Outcome::Right => [false, true],
            Outcome::Next => [true, true],
            Outcome::Previous => [false, false],
        };
        assert_eq!(begins, expected, "{setup}");
        let [lower, upper] = outcomes.bounds(&setup).expect("small");
        let is_at_most = |a: Value, b: Value| forms.is_at_most(a, b).expect("small");
        assert!(is_at_most(lower, value) && is_at_most(value, upper), "{setup}");
    }
    assert!(large > 30, "{large} positions needed a search");
}
