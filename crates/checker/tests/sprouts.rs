//! The rules of Sprouts in the checker, compared with known facts and with each other.

mod brute;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use brute::{Nimbers, mex, options, read, sum};
use papamu_checker::sprouts::text::{self, LONGEST_TEXT};
use papamu_checker::sprouts::{Boundary, Position};
use papamu_checker::steps::Steps;
use proptest::prelude::*;

fn written(options: &[&[&str]]) -> BTreeSet<Vec<String>> {
    options.iter().map(|sum| sum.iter().map(|land| (*land).to_owned()).collect()).collect()
}

#[test]
fn options_by_hand() {
    assert_eq!(options("!"), written(&[]));
    // A loop, with a region of two lives on either side.
    assert_eq!(options("0"), written(&[&["AB|AB"]]));
    assert_eq!(options("AB|AB"), written(&[&[]]));
    assert_eq!(options("1"), written(&[&[]]));
    // Joined, or a loop with the other spot beside it.
    assert_eq!(options("0*2"), written(&[&["1a1a"], &["0.AB|AB"]]));
    // From a spot to the curve's spot, from spot to spot, and a loop at a spot.
    assert_eq!(options("1a1a"), written(&[&["1AB|AB"], &["ABCD|ABCD"], &["1a2a"]]));
    // Two kinds of joins; a curve with both spots on one side or one on each; and loops.
    let expected = ["1a1a.22", "0.1a2a", "0*2.2", "0.A|0.A", "0.22.AB|AB", "0.AB|22.AB"]
        .map(|land| sum(read(land)));
    assert_eq!(options("0.0.22"), BTreeSet::from(expected));
}

#[test]
fn reduction_by_hand() {
    for (position, expected) in [
        ("!", ""),
        ("3.33.3a3a3", ""),
        ("2", ""),
        ("A|A", ""),
        // Adjacent, also round the end and with a dead spot between.
        ("aa1.0", "0.12"),
        ("a1a.0", "0.12"),
        ("2a3a1.0", "0.122"),
        ("ab1ab1.0", "0.1ab1ab"),
        // A region of one life is gone, and its letter with it.
        ("A|A222", "2222"),
        ("AB|A3|B22", "1A|2A"),
        // The arrangement of two or three lives does not matter.
        ("2.2", "1"),
        ("1.2", "0"),
        ("2a2a", "0"),
        ("a2a.2", "0"),
        ("A.2|A.0", "0.A|2A"),
        ("A.2.B|BA.0", "0.AB|2AB"),
        ("A2B|0.B.A", "0.A.B|2AB"),
        ("1.A|0.A", "0.A|1A"),
        // Lands are separate if they share no letter.
        ("0|0", "0+0"),
        ("AB|AB|0.0", "0*2+AB|AB"),
        ("AB|AB+AB|AB", "AB|AB+AB|AB"),
    ] {
        assert_eq!(sum(read(position)).join("+"), expected, "{position}");
    }
}

#[test]
fn notation() {
    let same = |one: &str, other: &str| assert_eq!(sum(read(one)), sum(read(other)), "{one}");
    same("0.0.0.}]!", "0*3");
    same("0..0.|0.", "0*2|0");
    same("1.1.1.AB}AB.}]0*2.}]!", "1*3.AB|AB+0*2");
    same("A'B'|B'A'", "AB|AB");
    same("0.a'1a2a'1a2", "0.b1a2b1a2");
}

#[test]
fn refused_texts() {
    let long = "0.".repeat(LONGEST_TEXT / 2) + "0";
    for (text, problem) in [
        ("", "the position is empty"),
        (" ", "white space at 1: a position has none"),
        ("0*2 .0", "white space at 4: a position has none"),
        ("0 0*1 1.2", "white space at 2: a position has none"),
        ("0*3\t", "white space at 4: a position has none"),
        ("0.x.0", "`x` at 3 does not stand twice in its boundary"),
        ("0.a.a", "`a` at 3 does not stand twice in its boundary"),
        ("aaa", "`a` at 1 does not stand twice in its boundary"),
        ("0.A|0", "`A` at 3 does not stand twice in its land"),
        ("A+A", "`A` at 1 does not stand twice in its land"),
        ("AA|0", "`A` at 1 stands twice in one region"),
        ("AB|AB|A", "`A` at 1 does not stand twice in its land"),
        ("0.4", "a digit above 3 at 3: a spot has three lives"),
        ("01", "an isolated spot `0` stands beside another spot at 2"),
        ("a0a", "an isolated spot `0` stands beside another spot at 2"),
        ("0*", "the repeat at 2 has no number"),
        ("0*.0", "the repeat at 2 has no number"),
        ("0*0", "the number of the repeat at 2 begins with 0"),
        ("0*03", "the number of the repeat at 2 begins with 0"),
        ("0*127", "too large at 2: heavier than 126 isolated spots"),
        ("0*99999999999999999999999", "too large at 2: heavier than 126 isolated spots"),
        ("0*126.2", "too large at 7: heavier than 126 isolated spots"),
        ("0*125.2.2.aa", "too large at 11: heavier than 126 isolated spots"),
        ("3*4097", "more than 4096 spots at 2"),
        ("3*4096.3", "more than 4096 spots at 8"),
        ("12*3", "the repeat at 3 is of more than one spot"),
        ("2*3a1a", "a boundary that is repeated goes on at 4"),
        ("*3", "`*` at 1 does not follow a digit"),
        ("0!0", "the position goes on after its end at 3"),
        ("0.?", "`?` at 3 is not known"),
        ("0.é", "what stands at 3 is not known"),
        ("'A", "`'` at 1 is not known"),
        (&long, "the position is longer than 4096 bytes"),
    ] {
        assert_eq!(text::read(text), Err(problem.to_owned()), "{text}");
    }
}

/// The first player loses the game of n spots exactly if n mod 6 is 0, 1 or 2. The nimber is 0 then
/// and 1 otherwise.
#[test]
fn nimbers_of_starts() {
    let mut nimbers = Nimbers::default();
    for (spots, expected) in [(0, 0), (1, 0), (2, 0), (3, 1), (4, 1), (5, 1)] {
        let start = if spots == 0 { read("!") } else { read(&format!("0*{spots}")) };
        assert_eq!(nimbers.of(&sum(start)), expected, "{spots} spots");
    }
}

/// The game without lands and without any reduction but the removal of dead spots has the same
/// nimbers as the reduced positions. So the reduction loses nothing that matters.
#[test]
fn reduction_keeps_nimbers() {
    fn bury(position: &mut Position) {
        for boundary in position.regions.iter_mut().flatten() {
            boundary.retain(|&spot| position.lives[spot] > 0);
        }
        for region in &mut position.regions {
            region.retain(|boundary| !boundary.is_empty());
        }
        position.regions.retain(|region| !region.is_empty());
    }
    fn plain(position: &Position, known: &mut BTreeMap<String, u8>, nimbers: &mut Nimbers) -> u8 {
        let form = position.form();
        let name = text::write(&form);
        if let Some(nimber) = known.get(&name) {
            return *nimber;
        }
        let mut afters = Vec::new();
        let _ = form.moves(|after| {
            afters.push(after);
            ControlFlow::Continue(())
        });
        let mut options = BTreeSet::new();
        for mut after in afters {
            bury(&mut after);
            options.insert(plain(&after, known, nimbers));
        }
        let nimber = mex(&options);
        assert_eq!(nimbers.of(&sum(form)), nimber, "{name}");
        known.insert(name, nimber);
        nimber
    }
    let (mut known, mut nimbers) = (BTreeMap::new(), Nimbers::default());
    plain(&read("0*3"), &mut known, &mut nimbers);
    plain(&read("0*2.1a1a"), &mut known, &mut nimbers);
    println!("{} positions without reduction, {} lands with it", known.len(), nimbers.0.len());
}

/// The least text of a land under all names of its letters: slow, and beyond doubt.
fn by_all_names(land: &Position) -> Vec<Vec<Vec<(u8, usize)>>> {
    let mut met = vec![0; land.lives.len()];
    land.regions.iter().flatten().flatten().for_each(|&spot| met[spot] += 1);
    let letters: Vec<usize> = (0..met.len()).filter(|&spot| met[spot] == 2).collect();
    let mut least = None;
    for names in permutations(letters.len()) {
        let token = |&spot: &usize| {
            let letter = letters.iter().position(|&letter| letter == spot);
            (land.lives[spot], letter.map_or(0, |letter| names[letter] + 1))
        };
        let turned = |boundary: Vec<(u8, usize)>| {
            let turns = (0..boundary.len()).map(|by| [&boundary[by..], &boundary[..by]].concat());
            turns.min().expect("not empty")
        };
        let region = |region: &Vec<Boundary>| {
            let mut there: Vec<_> =
                region.iter().map(|b| turned(b.iter().map(token).collect())).collect();
            let mut back: Vec<_> =
                region.iter().map(|b| turned(b.iter().rev().map(token).collect())).collect();
            there.sort();
            back.sort();
            there.min(back)
        };
        let mut regions: Vec<_> = land.regions.iter().map(region).collect();
        regions.sort();
        if least.as_ref().is_none_or(|least| regions < *least) {
            least = Some(regions);
        }
    }
    least.expect("at least one way")
}

fn permutations(length: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for next in 0..length {
        let longer = |p: Vec<usize>| {
            (0..=next).map(move |place| [&p[..place], &[next], &p[place..]].concat())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

/// A form is the same land, and different forms are different lands.
#[test]
fn forms_are_exact() {
    let mut nimbers = Nimbers::default();
    nimbers.of(&vec!["0*4".to_owned()]);
    let mut different = BTreeSet::new();
    let mut compared = 0;
    for name in nimbers.0.keys() {
        let land = read(name);
        assert_eq!(text::write(&land.form()), *name);
        // More letters have too many permutations.
        if land.lives.len() <= 12 && name.bytes().filter(u8::is_ascii_alphabetic).count() <= 12 {
            assert!(different.insert(by_all_names(&land)), "{name}");
            compared += 1;
        }
    }
    assert!(compared > 1000, "{compared} of {}", nimbers.0.len());
}

/// Many spots that look alike do not take forever.
#[test]
fn symmetric_lands() {
    let pairs: Vec<String> = (b'A'..=b'Z')
        .step_by(2)
        .map(|a| format!("{}{}", char::from(a), char::from(a + 1)))
        .collect();
    let text = format!("{}|{}", pairs.join("."), pairs.join("|"));
    let form = text::write(&read(&text).form());
    let turned = format!("{}|{}", pairs.join("|"), pairs.join("."));
    assert_eq!(form, text::write(&read(&turned).form()));
    let ring = |order: &[usize]| {
        let name = |i: usize| char::from(b'A' + (i % 20) as u8);
        let regions = order.iter().map(|&i| format!("2{}2{}", name(i), name(i + 1)));
        text::write(&read(&regions.collect::<Vec<_>>().join("|")).form())
    };
    let straight: Vec<usize> = (0..20).collect();
    let mixed: Vec<usize> = (0..20).map(|i| i * 7 % 20).collect();
    assert_eq!(ring(&straight), ring(&mixed));
}

/// A form that takes too many steps is given up as soon as they are taken.
#[test]
fn forms_stop_at_their_steps() {
    let dots: Vec<String> = (b'A'..=b'Z').map(|letter| char::from(letter).to_string()).collect();
    let land = read(&format!("{0}|{0}", dots.join(".")));
    let mut all = Steps::up_to(u64::MAX);
    let form = land.form_within(&mut all).expect("any number of steps");
    assert_eq!(form, land.form());
    for most in [0, 1000, all.taken() / 2, all.taken() - 1] {
        let mut steps = Steps::up_to(most);
        land.form_within(&mut steps).expect_err("more steps");
        assert!(most < steps.taken() && steps.taken() <= most + 10_000, "{most}: {steps:?}");
    }
    assert_eq!(land.form_within(&mut Steps::up_to(all.taken())), Ok(form));
}

/// A land on a random walk of these choices from a start.
fn walk(spots: usize, choices: &[usize]) -> Position {
    let mut land = read(&format!("0*{spots}"));
    for choice in choices {
        let mut after = Vec::new();
        let _ = land.moves(|position| {
            after.push(position);
            ControlFlow::Continue(())
        });
        let mut next = after.swap_remove(choice % after.len());
        next.reduce();
        match next.lands().into_iter().max_by_key(|land| land.lives.len()) {
            Some(next) => land = next,
            None => break,
        }
    }
    land
}

/// The same land drawn differently: `random` makes every choice.
fn disguised(land: &Position, mut random: impl FnMut(usize) -> usize) -> Position {
    let mut shuffle = |length: usize| {
        let mut order: Vec<usize> = (0..length).collect();
        (1..length).rev().for_each(|i| order.swap(i, random(i + 1)));
        order
    };
    let names = shuffle(land.lives.len());
    let mut other = Position { lives: vec![0; names.len()], regions: Vec::new() };
    (0..names.len()).for_each(|spot| other.lives[names[spot]] = land.lives[spot]);
    for i in shuffle(land.regions.len()) {
        let region = &land.regions[i];
        let back = shuffle(2)[0] == 1;
        let mut same = Vec::new();
        for b in shuffle(region.len()) {
            let mut boundary: Boundary = region[b].iter().map(|&spot| names[spot]).collect();
            let turn = shuffle(boundary.len())[0];
            boundary.rotate_left(turn);
            if back {
                boundary.reverse();
            }
            same.push(boundary);
        }
        other.regions.push(same);
    }
    other
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text(text in "\\PC{0,40}", likely in "[0-4a-dA-D'.|}+\\]!* ]{0,60}") {
        for text in [text, likely] {
            if let Ok(mut position) = text::read(&text) {
                position.reduce();
                for land in position.lands() {
                    let form = land.form();
                    let name = text::write(&form);
                    prop_assert_eq!(&text::write(&text::read(&name).expect("written").form()), &name);
                    if form.moves_at_most() < 10_000 {
                        let mut shown = 0;
                        let _ = form.moves(|mut after| {
                            after.reduce();
                            shown += 1;
                            ControlFlow::Continue(())
                        });
                        prop_assert!(0 < shown && shown <= form.moves_at_most());
                    }
                }
            }
        }
    }

    #[test]
    fn forms_do_not_depend_on_guise(
        spots in 2_usize..8,
        choices in proptest::collection::vec(any::<usize>(), 0..10),
        seed in any::<u64>(),
    ) {
        let land = walk(spots, &choices);
        let mut state = seed;
        let other = disguised(&land, |limit| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % limit
        });
        prop_assert_eq!(text::write(&land.form()), text::write(&other.form()));
        prop_assert_eq!(land.form(), other.form());
    }
}
