//! Values of Konane positions compared with published ones and with play.

use papamu_values::konane::{Evaluator, Regions, Setup, Square};
use papamu_values::{Forms, Limits, Outcome};

fn regions() -> Regions {
    Regions::new(Forms::new(Limits::default()).expect("memory")).expect("memory")
}

/// The rules again, as simple as possible: all positions that a player can move to.
fn moves(setup: &Setup, player: Square) -> Vec<Setup> {
    let enemy = if player == Square::Black { Square::White } else { Square::Black };
    let mut result = Vec::new();
    for row in 0..setup.rows() {
        for column in 0..setup.columns() {
            if setup.get(row, column) != player {
                continue;
            }
            for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                let at = |steps: isize| {
                    let place = [(row, down), (column, right)].map(|(start, way)| {
                        usize::try_from(start as isize + way * steps).unwrap_or(usize::MAX)
                    });
                    (place[0], place[1])
                };
                let get = |(row, column)| setup.get(row, column);
                let mut next = setup.clone();
                let mut steps = 0;
                while get(at(steps + 1)) == enemy && get(at(steps + 2)) == Square::Empty {
                    let [from, over, to] = [at(steps), at(steps + 1), at(steps + 2)];
                    next.set(from.0, from.1, Square::Empty);
                    next.set(over.0, over.1, Square::Empty);
                    next.set(to.0, to.1, player);
                    result.push(next.clone());
                    steps += 2;
                }
            }
        }
    }
    result
}

/// Whether the player to move wins the sum of the boards.
fn wins(boards: &[Setup], player: Square, known: &mut Known) -> bool {
    let key = (boards.to_vec(), player);
    if let Some(&wins) = known.get(&key) {
        return wins;
    }
    let enemy = if player == Square::Black { Square::White } else { Square::Black };
    let result = (0..boards.len()).any(|i| {
        moves(&boards[i], player).into_iter().any(|board| {
            let mut next = boards.to_vec();
            next[i] = board;
            !wins(&next, enemy, known)
        })
    });
    known.insert(key, result);
    result
}

type Known = std::collections::HashMap<(Vec<Setup>, Square), bool>;

fn outcome(boards: &[Setup], known: &mut Known) -> Outcome {
    match (wins(boards, Square::Black, known), wins(boards, Square::White, known)) {
        (true, true) => Outcome::Next,
        (false, false) => Outcome::Previous,
        (true, false) => Outcome::Left,
        (false, true) => Outcome::Right,
    }
}

/// A board with stones on some squares, of the colours of a real game or of any.
fn random_board(random: &mut fastrand::Rng, most: usize) -> Setup {
    let (rows, columns) = loop {
        let size = (random.usize(1..=6), random.usize(1..=6));
        if size.0 * size.1 <= most {
            break size;
        }
    };
    let mut setup = Setup::new(rows, columns).expect("small");
    let (density, is_free) = (random.f64(), random.bool());
    for row in 0..rows {
        for column in 0..columns {
            let is_black = if is_free { random.bool() } else { (row + column) % 2 == 0 };
            if random.f64() < density {
                setup.set(row, column, if is_black { Square::Black } else { Square::White });
            } else if random.u32(0..20) == 0 {
                setup.set(row, column, Square::Wall);
            }
        }
    }
    setup
}

#[test]
fn outcomes_of_positions_are_those_of_minimax() {
    let regions = regions();
    let mut evaluator = Evaluator::new(&regions);
    let mut random = fastrand::Rng::with_seed(21);
    let mut seen = [0; 4];
    for _ in 0..10_000 {
        let setup = random_board(&mut random, 16);
        let value = evaluator.value(&setup).expect("small");
        let outcome = outcome(std::slice::from_ref(&setup), &mut Known::new());
        assert_eq!(regions.forms().outcome(value).expect("small"), outcome, "{setup}");
        seen["LRNP".find(outcome.letter()).unwrap_or(0)] += 1;
    }
    assert!(seen.iter().all(|&count| count > 300), "{seen:?}");
}

#[test]
fn outcomes_of_sums_are_those_of_minimax() {
    let regions = regions();
    let mut evaluator = Evaluator::new(&regions);
    let mut random = fastrand::Rng::with_seed(22);
    for _ in 0..1000 {
        let count = random.usize(2..=3);
        let boards: Vec<Setup> = (0..count).map(|_| random_board(&mut random, 9)).collect();
        let values: Vec<_> =
            boards.iter().map(|board| evaluator.value(board).expect("small")).collect();
        let sum = regions.forms().sum(values).expect("small");
        let expected = outcome(&boards, &mut Known::new());
        assert_eq!(regions.forms().outcome(sum).expect("small"), expected);
    }
}

/// Wide boards take another path than small ones: boards side by side are worth their sum.
#[test]
fn boards_side_by_side_are_worth_their_sum() {
    let regions = regions();
    let mut evaluator = Evaluator::new(&regions);
    let mut random = fastrand::Rng::with_seed(23);
    for _ in 0..300 {
        let boards = [(); 3].map(|()| random_board(&mut random, 12));
        let mut wide = Setup::new(6, 20).expect("small");
        (0..6).for_each(|row| (0..20).for_each(|column| wide.set(row, column, Square::Wall)));
        for (i, board) in boards.iter().enumerate() {
            for row in 0..board.rows() {
                for column in 0..board.columns() {
                    wide.set(row, 7 * i + column, board.get(row, column));
                }
            }
        }
        let values = boards.map(|board| evaluator.value(&board).expect("small"));
        let sum = regions.forms().sum(values).expect("small");
        assert_eq!(evaluator.value(&wide).expect("small"), sum, "{wide}");
    }
}

/// Regions that do not fit into 8x8, compared with naive play.
#[test]
fn long_boards_are_those_of_minimax() {
    let regions = regions();
    let mut evaluator = Evaluator::new(&regions);
    let mut random = fastrand::Rng::with_seed(24);
    for _ in 0..300 {
        let mut setup = Setup::new(2, 12).expect("small");
        for row in 0..2 {
            for column in 0..12 {
                if random.f64() < 0.6 {
                    let is_black = (row + column) % 2 == 0;
                    setup.set(row, column, if is_black { Square::Black } else { Square::White });
                }
            }
        }
        let value = evaluator.value(&setup).expect("small");
        let expected = outcome(std::slice::from_ref(&setup), &mut Known::new());
        assert_eq!(regions.forms().outcome(value).expect("small"), expected, "{setup}");
    }
}

/// Values that two other programs agree on.
#[test]
fn known_positions() {
    let regions = regions();
    let mut evaluator = Evaluator::new(&regions);
    for (position, value) in [
        ("..ox", "1"),
        (".ox.", "*"),
        (".ox./o..x/....", "{1|-1}"),
        ("x.../.xo./....", "1/2"),
        ("..../.xo./x.../....", "^"),
        ("xo../.x../..x./...x", "1/4"),
        ("..o.ox.x..", "*2"),
    ] {
        let setup = Setup::read(position).expect(position);
        let found = evaluator.value(&setup).expect("small");
        assert_eq!(regions.forms().write(found, 1000).expect("small"), value, "{position}");
    }
}

use papamu_values::konane::families::{self, Family};

/// Members of up to this many stones that differ from the published value.
fn differences(family: Family, most: usize) -> Vec<(usize, String, String)> {
    let regions = regions();
    let forms = regions.forms();
    let mut evaluator = Evaluator::new(&regions);
    let mut differences = Vec::new();
    for n in family.first()..=most {
        let value = evaluator.value(&family.member(n).expect("fits")).expect("small");
        let published = family.published(n).expect("a formula").value;
        if forms.read(&published) != Ok(value) {
            differences.push((n, forms.write(value, 1000).expect("small"), published));
        }
    }
    differences
}

#[test]
fn rows_are_as_published() {
    assert_eq!(differences(Family::Row, 30), []);
}

/// Equation 5 is wrong for n = 4j + 2: the value is {0|-2j+1}, not {*|-2j+1}.
#[test]
fn tails_are_as_published_but_for_a_misprint() {
    let expected: Vec<_> = (1..=4)
        .map(|j| {
            (
                4 * j + 2,
                format!("{{0|{}}}", 1 - 2 * j as i64),
                format!("{{*|{}}}", 1 - 2 * j as i64),
            )
        })
        .collect();
    assert_eq!(differences(Family::Tail, 20), expected);
}

#[test]
fn offset_tails_are_as_published() {
    assert_eq!(differences(Family::OffsetTail, 20), []);
    // Equation 11 leaves out the third member, which the text before it has right.
    assert_eq!(differences(Family::Lot, 20), [(3, "^".to_owned(), "0".to_owned())]);
}

#[test]
fn stairs_have_known_values() {
    let regions = regions();
    let mut evaluator = Evaluator::new(&regions);
    for (n, expected) in (1..).zip(["*", "*2", "*3", "*", "0", "*", "0"]) {
        let value = evaluator.value(&Family::Stairs.member(n).expect("fits")).expect("small");
        assert_eq!(regions.forms().write(value, 1000).expect("small"), expected, "{n}");
    }
}

/// S(odd, odd, odd) of up to 20 stones.
#[test]
fn somewhat_solid_rows_are_as_published() {
    let regions = regions();
    let mut evaluator = Evaluator::new(&regions);
    let mut count = 0;
    for a in (1..20).step_by(2) {
        for b in (1..20 - a).step_by(2) {
            for c in (1..=20 - a - b).step_by(2) {
                let setup = families::somewhat_solid(&[a, b, c]).expect("fits");
                let value = evaluator.value(&setup).expect("small");
                let published = families::somewhat_solid_published(&[a, b, c]).expect("odd");
                assert_eq!(regions.forms().read(&published.value), Ok(value), "{setup}");
                count += 1;
            }
        }
    }
    assert!(count > 100);
    let setup = families::somewhat_solid(&[1, 2, 1]).expect("fits");
    assert_eq!(setup.to_string(), "...o.ox.x..");
}

/// Regions as long as a word has bits, and longer and shorter ones, have the same value in both
/// orientations.
#[test]
fn long_rows_may_stand() {
    let regions = regions();
    let mut evaluator = Evaluator::new(&regions);
    let mut values = Vec::new();
    for length in 30..=32 {
        let row = format!(".x{}", "o.".repeat(length));
        let column: Vec<String> = row.chars().map(String::from).collect();
        let value = |text: &str, evaluator: &mut Evaluator| {
            evaluator.value(&Setup::read(text).expect("a row")).expect("small")
        };
        let lying = value(&row, &mut evaluator);
        assert_eq!(value(&column.join("/"), &mut evaluator), lying);
        values.push(lying);
    }
    // Each has one more stone to jump over.
    assert!(values[0] != values[1] && values[1] != values[2]);
}

use papamu_base::{Progress, Stop};
use papamu_game::{Game, Player};
use papamu_values::Halt;
use papamu_values::konane::boards::{Colours, random};
use papamu_values::konane::{Partial, invariants, smallest};

/// Jumps of setups are the moves of the game, with the same names and the same positions after
/// them.
#[test]
fn jumps_are_the_moves_of_the_game() {
    let mut compared = 0;
    for (rows, columns) in [(3, 3), (4, 6), (8, 8), (2, 20), (40, 1)] {
        for setup in random(rows, columns, 50, 3).expect("small") {
            for player in [Player::First, Player::Second] {
                let setup = setup.clone().with_side(Some(player));
                let (game, position) = setup.position().expect("alternating colours");
                if game.is_removal(&position) {
                    continue;
                }
                let mut jumps = Vec::new();
                game.moves(&position, &mut jumps);
                let mut expected: Vec<(String, Setup)> = jumps
                    .iter()
                    .map(|jump| {
                        let mut after = position;
                        game.play(&mut after, jump);
                        let after = Setup::from((&game, &after)).with_side(None);
                        (game.write_move(&position, jump), after)
                    })
                    .collect();
                let moves = papamu_values::konane::moves(&setup, player);
                let mut found: Vec<(String, Setup)> =
                    moves.into_iter().map(|mv| (mv.name, mv.after)).collect();
                expected.sort();
                found.sort();
                assert_eq!(found, expected, "{setup}");
                compared += found.len();
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// The smallest position is found, the search counts, and it can be stopped.
#[test]
fn the_smallest_position_of_a_value() {
    let regions = regions();
    let find = |value: &str, size, colours, progress: &Progress| {
        let wanted = regions.forms().read(value).expect("a value");
        smallest(wanted, size, colours, &regions, progress)
    };
    let progress = Progress::new();
    let found = find("*2", (3, 4), Colours::Game, &progress).expect("in time");
    let found = found.expect("there is one");
    let mut evaluator = Evaluator::new(&regions);
    assert_eq!(evaluator.value(&found), regions.forms().read("*2").map_err(|_| Halt::TooLarge));
    assert!(progress.done() > 100);
    assert_eq!(find("1/4", (2, 2), Colours::Any, &progress), Ok(None));
    let stop = Stop::new();
    stop.set();
    let stopped = find("*2", (3, 4), Colours::Game, &Progress::with_stop(&stop));
    assert_eq!(stopped, Err(Halt::Stopped.into()));
    assert!(find("*2", (6, 6), Colours::Game, &progress).is_err());
}

/// Tables have a row for each position in which the first invariant is defined.
#[test]
fn tables_of_invariants() {
    let regions = regions();
    let setups = random(3, 4, 200, 5).expect("small");
    let wanted = ["nim", "black", "second_wins"].map(str::to_owned);
    let table =
        invariants::table(&setups, &wanted, &regions, &Progress::new()).expect("small boards");
    assert_eq!(table.invariants, wanted);
    assert!(table.objects.len() > 20 && table.objects.len() < 200);
    assert!(table.columns.iter().all(|column| column.len() == table.objects.len()));
    for (object, text) in table.objects.iter().enumerate() {
        let setup = Setup::read(text).expect("a position");
        assert_eq!(table.columns[1][object], setup.count(Square::Black) as f64);
        // A nimber is a win for the second player if it is zero.
        assert_eq!(table.columns[0][object] == 0.0, table.columns[2][object] == 1.0);
    }
    let unknown = ["colour".to_owned()];
    let error = invariants::table(&setups, &unknown, &regions, &Progress::new());
    let error = error.expect_err("unknown").to_string();
    assert!(
        error.starts_with("`colour` is no invariant of positions: there are black,"),
        "{error}"
    );
    let stop = Stop::new();
    stop.set();
    let stopped = invariants::rows(&setups, &regions, &Progress::with_stop(&stop));
    assert_eq!(stopped, Err(Halt::Stopped));
}

/// Bounds contain the value, and the winner agrees with the value, with and without time.
#[test]
fn partial_answers_fit_the_values() {
    let regions = regions();
    let forms = regions.forms();
    let mut evaluator = Evaluator::new(&regions);
    for setup in random(5, 5, 50, 9).expect("small") {
        let value = evaluator.value(&setup).expect("small");
        let partial = Partial::new(&setup, &regions).expect("small");
        let [low, high] = partial.bounds.expect("in time");
        assert_eq!(forms.is_at_most(low, value), Ok(true));
        assert_eq!(forms.is_at_most(value, high), Ok(true));
        assert_eq!(partial.outcome(), Some(forms.outcome(value).expect("small")));
    }
    let limits = Limits { memory_bytes: 0, ..Limits::default() };
    if let Ok(forms) = Forms::new(limits) {
        let regions = Regions::new(forms).expect("memory");
        let setup = Setup::full(6, 6).expect("small").map(|i| match i {
            0..4 => Square::Empty,
            i if (i / 6 + i) % 2 == 0 => Square::Black,
            _ => Square::White,
        });
        let partial = Partial::new(&setup, &regions).expect("memory is no error");
        assert_eq!(partial.outcome(), None);
    }
}
