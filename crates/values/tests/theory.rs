//! Values compared with the definitions: games as plain trees, decided by playing them out.

use std::cmp::Ordering;
use std::rc::Rc;

use papamu_values::{Fate, Forms, Limits, Notation, Outcome, Side, Step, Value};

/// A game as it is written down, not reduced in any way.
struct Tree {
    options: [Vec<Rc<Tree>>; 2],
}

/// A game with random options, at most this many levels deep.
fn random_tree(random: &mut fastrand::Rng, levels: u32) -> Rc<Tree> {
    let side = |random: &mut fastrand::Rng| {
        let count = if levels == 0 { 0 } else { random.usize(0..=3).saturating_sub(1) };
        (0..count).map(|_| random_tree(random, levels - 1)).collect()
    };
    let options = [side(random), side(random)];
    Rc::new(Tree { options })
}

fn value(forms: &Forms, tree: &Tree) -> Value {
    let side = |player: usize| -> Side {
        tree.options[player].iter().map(|option| value(forms, option)).collect()
    };
    forms.from_options([side(0), side(1)]).expect("small")
}

/// Whether the player to move wins the sum of these games; a negative game has its players
/// exchanged.
fn wins(games: &[(Rc<Tree>, bool)], player: usize) -> bool {
    (0..games.len()).any(|i| {
        let (game, negative) = &games[i];
        let side = if *negative { 1 - player } else { player };
        game.options[side].iter().any(|option| {
            let mut next = games.to_vec();
            next[i].0 = option.clone();
            !wins(&next, 1 - player)
        })
    })
}

fn outcome(games: &[(Rc<Tree>, bool)]) -> Outcome {
    match (wins(games, 0), wins(games, 1)) {
        (true, true) => Outcome::Next,
        (false, false) => Outcome::Previous,
        (true, false) => Outcome::Left,
        (false, true) => Outcome::Right,
    }
}

fn forms() -> Forms {
    Forms::new(Limits::default()).expect("memory")
}

/// The order of two values is the outcome of their difference, played out.
#[test]
fn comparing_is_playing_the_difference() {
    let forms = forms();
    let mut random = fastrand::Rng::with_seed(11);
    let mut seen = [0; 4];
    for _ in 0..20_000 {
        let (a, b) = (random_tree(&mut random, 3), random_tree(&mut random, 3));
        let order = forms.compare(value(&forms, &a), value(&forms, &b)).expect("small");
        let expected = outcome(&[(a, false), (b, true)]);
        let place = match expected {
            Outcome::Left => (Some(Ordering::Greater), 0),
            Outcome::Right => (Some(Ordering::Less), 1),
            Outcome::Previous => (Some(Ordering::Equal), 2),
            Outcome::Next => (None, 3),
        };
        assert_eq!(order, place.0);
        seen[place.1] += 1;
    }
    assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
}

#[test]
fn sums_have_the_outcome_of_playing_both() {
    let forms = forms();
    let mut random = fastrand::Rng::with_seed(12);
    for _ in 0..5_000 {
        let trees: Vec<Rc<Tree>> = (0..3).map(|_| random_tree(&mut random, 3)).collect();
        let sum = forms.sum(trees.iter().map(|tree| value(&forms, tree))).expect("small");
        let games: Vec<_> = trees.into_iter().map(|tree| (tree, false)).collect();
        assert_eq!(forms.outcome(sum).expect("small"), outcome(&games));
    }
}

#[test]
fn values_are_a_group() {
    let forms = forms();
    let mut random = fastrand::Rng::with_seed(13);
    for _ in 0..5_000 {
        let [a, b, c] = [(); 3].map(|()| value(&forms, &random_tree(&mut random, 4)));
        let add = |a, b| forms.add(a, b).expect("small");
        assert_eq!(add(a, forms.negative(a).expect("small")), Value::ZERO);
        assert_eq!(add(add(a, b), c), add(a, add(b, c)));
        assert_eq!(add(a, b), add(b, a));
        assert_eq!(forms.subtract(add(a, b), b).expect("small"), a);
        // A form is the value of its own options.
        let options = forms.options(a).expect("small").map(Side::from_slice);
        assert_eq!(forms.from_options(options).expect("small"), a);
    }
}

/// No option of a canonical form is dominated or reversible.
#[test]
fn forms_are_canonical() {
    let forms = forms();
    let mut random = fastrand::Rng::with_seed(14);
    let at_most = |a, b| forms.is_at_most(a, b).expect("small");
    for _ in 0..5_000 {
        let game = value(&forms, &random_tree(&mut random, 5));
        let [left, right] = forms.options(game).expect("small");
        for &l in left {
            assert!(left.iter().all(|&other| other == l || !at_most(l, other)));
            assert!(forms.options(l).expect("small")[1].iter().all(|&lr| !at_most(lr, game)));
        }
        for &r in right {
            assert!(right.iter().all(|&other| other == r || !at_most(other, r)));
            assert!(forms.options(r).expect("small")[0].iter().all(|&rl| !at_most(game, rl)));
        }
    }
}

#[test]
fn text_round_trips() {
    let forms = forms();
    let mut random = fastrand::Rng::with_seed(15);
    for _ in 0..5_000 {
        let game = value(&forms, &random_tree(&mut random, 5));
        for notation in [Notation::Plain, Notation::Cgsuite] {
            let text = forms.write_in(notation, game, usize::MAX).expect("small");
            assert_eq!(forms.read(&text), Ok(game), "{text}");
        }
    }
}

#[test]
fn notations() {
    let forms = forms();
    for (text, latex, cgsuite) in [
        ("0", "0", "0"),
        ("-3/4", r"-\frac{3}{4}", "-3/4"),
        ("*", r"{\ast}", "*"),
        ("*2", r"{\ast}2", "*2"),
        ("1*2", r"1{\ast}2", "1+*2"),
        ("^", r"{\uparrow}", "^"),
        ("v*", r"{\downarrow}{\ast}", "v*"),
        ("vv*3", r"{\Downarrow}{\ast}3", "vv*3"),
        ("-1/2^^", r"-\frac{1}{2}{\Uparrow}", "-1/2+^^"),
        ("^3*", r"3\cdot{\uparrow}{\ast}", "^3*"),
        ("2v4", r"2+4\cdot{\downarrow}", "2+v4"),
        ("{*|v}", r"\left\{{\ast} \mid {\downarrow}\right\}", "{*|v}"),
        (
            "{4||1,1^|-3/2}",
            r"\left\{4 \mid \left\{1{\uparrow} \mid -\frac{3}{2}\right\}\right\}",
            "{4|{1+^|-3/2}}",
        ),
    ] {
        let value = forms.read(text).expect(text);
        let write = |notation| forms.write_in(notation, value, 1000).expect("small");
        assert_eq!([write(Notation::Latex), write(Notation::Cgsuite)], [latex, cgsuite]);
    }
    let value = forms.read("{9||7|{5|3}}").expect("a value");
    assert_eq!(
        forms.write_in(Notation::Latex, value, 9),
        Ok(r"\left\{9 \mid \left\{7 \mid \ldots \right\}\right\}".to_owned())
    );
}

/// The player's options, after each step is checked against the definition and done.
fn replay(forms: &Forms, given: [&Side; 2], value: Value, steps: &[Step]) -> [Vec<Value>; 2] {
    let mut options = given.map(|side| side.to_vec());
    let no_better = |player, a, b| {
        if player == 0 { forms.is_at_most(a, b) } else { forms.is_at_most(b, a) }.expect("small")
    };
    for Step { player, given: place, option, fate } in steps {
        assert!(place.is_none_or(|place| given[*player][place] == *option));
        let own = &mut options[*player];
        let place = own.iter().position(|o| o == option).expect("an option that is there");
        match fate {
            Fate::Kept => (),
            Fate::Dominated { by } => {
                own.remove(place);
                assert!(own.contains(by) && no_better(*player, *option, *by));
            }
            Fate::Reversible { through, replaced_by } => {
                own.remove(place);
                let answers = forms.options(*option).expect("small")[1 - player];
                assert!(answers.contains(through) && no_better(*player, *through, value));
                assert_eq!(forms.options(*through).expect("small")[*player], &replaced_by[..]);
                for option in replaced_by {
                    if !own.contains(option) {
                        own.push(*option);
                    }
                }
            }
        }
        let now = [Side::from_slice(&options[0]), Side::from_slice(&options[1])];
        assert_eq!(forms.from_options(now), Ok(value), "a step changed the value");
    }
    options
}

/// Following an explanation leads to options of which none is dominated or reversible.
#[test]
fn explanations_lead_to_the_canonical_form() {
    let forms = forms();
    let mut random = fastrand::Rng::with_seed(16);
    let (mut dominated, mut reversible) = (0, 0);
    for _ in 0..5_000 {
        let mut side = || -> Side {
            (0..random.usize(0..5)).map(|_| value(&forms, &random_tree(&mut random, 4))).collect()
        };
        let given = [side(), side()];
        let explained = forms.explain([&given[0], &given[1]]).expect("small");
        assert_eq!(Ok(explained.value), forms.from_options(given.clone()));
        let mut left = replay(&forms, given.each_ref(), explained.value, &explained.steps);
        left.iter_mut().for_each(|side| side.sort_unstable());
        // That forms are canonical is another test.
        let canonical = forms.options(explained.value).expect("small");
        assert_eq!([&left[0][..], &left[1][..]], canonical);
        for (player, side) in given.iter().enumerate() {
            let mut places: Vec<usize> = explained
                .steps
                .iter()
                .filter(|step| step.player == player)
                .filter_map(|step| step.given)
                .collect();
            places.sort_unstable();
            assert_eq!(places, (0..side.len()).collect::<Vec<_>>());
        }
        for step in &explained.steps {
            dominated += usize::from(matches!(step.fate, Fate::Dominated { .. }));
            reversible += usize::from(matches!(step.fate, Fate::Reversible { .. }));
        }
    }
    assert!(dominated > 1000 && reversible > 1000, "{dominated} {reversible}");
}

/// Consequences of the definition of overheating, on random games.
#[test]
fn overheating() {
    let forms = forms();
    let mut random = fastrand::Rng::with_seed(17);
    let [one, up, double_up_star, one_star] =
        ["1", "^", "^^*", "1*"].map(|text| forms.read(text).expect(text));
    let (mut integral, mut fractional) = (0, 0);
    for _ in 0..1_000 {
        let [game, prize] = [(); 2].map(|()| value(&forms, &random_tree(&mut random, 3)));
        let overheat = |game, s, t| forms.overheat(game, s, t).expect("small");
        // From 1 to 0 nothing changes.
        assert_eq!(overheat(game, one, Value::ZERO), game);
        // A unit with one incentive d: the Norton product is overheating from U to U + d.
        let norton = |unit| forms.norton(game, unit).expect("small");
        assert_eq!(overheat(game, up, double_up_star), norton(up));
        assert_eq!(overheat(game, one_star, one), norton(one_star));
        let negative = |game| forms.negative(game).expect("small");
        assert_eq!(overheat(negative(game), up, prize), negative(overheat(game, up, prize)));
        // Heating stops at numbers, overheating from 1 at integers.
        if stops_at_integers(&forms, game) {
            assert_eq!(overheat(game, one, prize), forms.heat(game, prize).expect("small"));
            integral += 1;
        } else {
            fractional += 1;
        }
    }
    assert!(integral > 100 && fractional > 10, "{integral} {fractional}");
}

/// Whether the first numbers on every line of play are integers.
fn stops_at_integers(forms: &Forms, game: Value) -> bool {
    match forms.as_number(game) {
        Some(number) => number.is_integer(),
        None => {
            let options = forms.options(game).expect("small");
            options.into_iter().flatten().all(|&option| stops_at_integers(forms, option))
        }
    }
}

/// Identities of the textbooks (J. Conway, On Numbers and Games; A. Siegel, Combinatorial Game
/// Theory).
#[test]
fn known_identities() {
    let forms = forms();
    for (text, canonical) in [
        ("{|}", "0"),
        ("{0|}", "1"),
        ("{|-3}", "-4"),
        ("{0|1}", "1/2"),
        ("{1/2|1}", "3/4"),
        ("{-1|7}", "0"),
        ("{1|1}", "1*"),
        ("{0|0}", "*"),
        ("{0,*|0,*}", "*2"),
        ("{0,*|0}", "^*"),
        ("{0|*}", "^"),
        ("{*|0}", "v"),
        ("{0|^}", "^^*"),
        ("{0|^*}", "^^"),
        ("{^|v}", "*"),
        ("{^|^}", "^^*"),
        ("* + *", "0"),
        ("*3 + *5", "*6"),
        ("^ + ^ + ^", "^3"),
        ("^ - ^ + *2", "*2"),
        ("{1|-1} + {1|-1}", "0"),
        ("{2|-1} + 1", "{3|0}"),
        ("{2|0} + {1|-1}", "1"),
        ("{4|0} + {1|-1}", "{{5|3}|{1|-1}}"),
        ("{3||2|1}", "{3|{2|1}}"),
        ("{2||1|||0}", "{{2|1}|0}"),
        ("+-1", "{1|-1}"),
        ("-{3|^}", "{v|-3}"),
        ("-(1/2 + ^^*)", "-1/2vv*"),
        ("3/4 - 1/4", "1/2"),
        ("-1v", "{-1|-1} + v + *"),
        ("- 1v", "-1^"),
        ("2-1v", "1^"),
        ("1:1", "2"),
        ("*:1", "^*"),
        ("*:*", "*2"),
        ("1:-1", "1/2"),
    ] {
        let [a, b] = [text, canonical].map(|text| forms.read(text).expect(text));
        assert_eq!(a, b, "{text}: {}", forms.write(a, 1000).expect("small"));
        if !canonical.contains([':', ',', '+']) {
            assert_eq!(forms.write(a, 1000).expect("small"), canonical);
        }
    }
}

#[test]
fn bad_expressions_name_the_place() {
    let forms = forms();
    for (text, column) in [
        ("", 1),
        ("1 +", 4),
        ("{1|2", 5),
        ("{1,|2}", 4),
        ("{1}", 3),
        ("1/3", 3),
        ("1/0", 3),
        ("(1", 3),
        ("1)", 2),
        ("1 2", 3),
        ("^^3", 4),
        ("*99999", 2),
        ("^99999", 1),
        ("99999999999999999999", 1),
        ("{1|2|3}", 8),
        ("?", 1),
        ("abc(1)", 1),
    ] {
        let error = forms.read(text).expect_err(text).to_string();
        assert!(error.starts_with(&format!("column {column}:")), "{text}: {error}");
    }
    for deep in ["(".repeat(100_000), "-".repeat(100_000), "{".repeat(100_000)] {
        assert!(forms.read(&deep).expect_err("deep").to_string().contains("levels"));
    }
}

/// Operators of the textbooks on values whose images are known.
#[test]
fn operators() {
    let forms = forms();
    for (text, expected) in [
        // Cooling {4|0} by 1 leaves {3|1}, by its temperature a star at the mean, by more the mean.
        ("cool({4|0}, 1)", "{3|1}"),
        ("cool({4|0}, 2)", "2*"),
        ("cool({4|0}, 3)", "2"),
        ("heat(*, 2)", "{2|-2}"),
        ("heat(2*, 2)", "{4|0}"),
        ("cool(heat({3||1|*}, 1), 1)", "{3||1|*}"),
        // E. Berlekamp's operator of Domineering: n becomes n games 1*.
        ("overheat(3, 1*, 1)", "3*"),
        ("overheat(*, 1*, 1)", "{1|-1}"),
        ("overheat(1/2, 1*, 1)", "{1|*}"),
        ("overheat({3|1/2}, 1, 2)", "{5||0|-3}"),
        ("norton(3, ^)", "^3"),
        ("norton(1/2, ^)", "{^^*|v*}"),
        ("norton(*, 1)", "*"),
        ("times(3, *)", "*"),
        ("times(-2, ^)", "vv"),
        ("reduce({3|1*})", "{3|1}"),
        ("reduce(1^*)", "1"),
        ("reduce({2^|*})", "{2|0}"),
        ("weight(^3*2)", "3"),
        ("weight(*5)", "0"),
        ("weight({^|v})", "0"),
        // Up-second is infinitesimal even to up.
        ("weight({0|v*})", "0"),
        ("weight({^^|vv})", "*"),
        ("weight({^^^|v3})", "{1|-1}"),
        ("mean({10||3|-5})", "9/2"),
        ("temperature({10||3|-5})", "11/2"),
        ("leftstop({10||3|-5})", "10"),
        ("rightstop({10||3|-5})", "3"),
        ("birthday(0)", "0"),
        ("birthday(-5/4)", "4"),
        ("birthday(*3)", "3"),
        ("birthday(^)", "2"),
        ("birthday({1|-1})", "2"),
        ("ordinal(*, 1)", "^*"),
        // Games with many ways to the same options.
        ("0:*25", "*25"),
        ("heat(*25, 0)", "*25"),
        ("cool(*25, 0)", "*25"),
        ("norton(*25, 1)", "*25"),
    ] {
        let [found, expected] = [text, expected].map(|text| forms.read(text).expect(text));
        assert_eq!(found, expected, "{text}: {}", forms.write(found, 1000).expect("small"));
    }
    for (text, problem) in [
        ("weight(1)", "all-small"),
        ("cool(1, *)", "a number is needed"),
        ("cool(1)", "it is cool(G, t)"),
        ("cool(10000000, -1)", "a tax is not below 0"),
        ("norton(1/2, *)", "above 0"),
        ("1:100000000", "too large"),
        ("{0|^10000}", "too large"),
        ("nothing(1)", "unknown `nothing`: there are cool, heat"),
    ] {
        let error = forms.read(text).expect_err(text).to_string();
        assert!(error.contains(problem), "{text}: {error}");
    }
}

/// A part without a value is named, with its place.
#[test]
fn parts_without_value_are_named() {
    let forms = forms();
    for (text, message) in [
        ("1 + times(1/2, ^)", "column 5: times(1/2, ^): an integer is needed there"),
        ("1 + {norton( 1/2 , * ) |0}", "column 6: norton( 1/2 , * ): the unit"),
        ("{ 1:100000000 | 2 }", "column 3: 1:100000000: a number, ups or a nimber got too large"),
        ("*  + ^10000 + ^ - 1", "column 1: *  + ^10000 + ^: a number, ups"),
        ("2 - {0|^10000}", "column 5: {0|^10000}: a number, ups"),
        ("+- cool(1, -1)", "column 4: cool(1, -1): a tax"),
        ("weight({1|2||3|4} + 0)", "column 1: weight({1|2||3|4} + 0): only all-small"),
    ] {
        let error = forms.read(text).expect_err(text).to_string();
        assert!(error.starts_with(message), "{text}: {error}");
    }
    let long = format!("weight({})", vec!["1"; 100].join("+"));
    let error = forms.read(&long).expect_err("no weight").to_string();
    assert!(error.len() < 150 && error.contains("1+1...: only all-small"), "{error}");
    let options = |text: &str| forms.read_options(text).expect(text);
    assert_eq!(options(" {0,0|1|||2} ").map(|sides| sides.map(|side| side.len())), Some([1, 1]));
    assert_eq!(options("{0,0|1}").map(|sides| sides.map(|side| side.len())), Some([2, 1]));
    assert_eq!([options("{0|1} + 1"), options("+-1"), options("1")], [None, None, None]);
}

/// Day 2 has 22 values, day 3 has 1474 (Winning Ways; D. Hickerson and R. Li).
#[test]
fn values_by_birthday() {
    let forms = forms();
    let mut born = vec![Value::ZERO];
    for (day, count) in [(1, 4), (2, 22)] {
        let sets: Vec<Side> = (0..1_u32 << born.len())
            .map(|set| {
                let chosen = (0..born.len()).filter(|i| set >> i & 1 > 0);
                chosen.map(|i| born[i]).collect()
            })
            .collect();
        let mut values = std::collections::BTreeSet::new();
        for left in &sets {
            for right in &sets {
                let value = forms.from_options([left.clone(), right.clone()]).expect("small");
                assert!(forms.birthday(value).expect("small") <= day);
                values.insert(value);
            }
        }
        assert_eq!(values.len(), count);
        born = values.into_iter().collect();
    }
    // Sets of incomparable values are enough.
    let mut antichains = vec![Side::new()];
    for &value in &born {
        for i in 0..antichains.len() {
            let apart = |&other: &Value| forms.compare(value, other).expect("small").is_none();
            if antichains[i].iter().all(apart) {
                let mut larger = antichains[i].clone();
                larger.push(value);
                antichains.push(larger);
            }
        }
    }
    let mut values = std::collections::HashSet::new();
    for left in &antichains {
        for right in &antichains {
            values.insert(forms.from_options([left.clone(), right.clone()]).expect("small"));
        }
    }
    assert_eq!(values.len(), 1474);
}
