//! The notation of Sprouts: a position is the same however it is written, and any text may be read.

use papamu_base::Progress;
use papamu_game::{Ending, Game, rules};
use papamu_games::Sprouts;
use proptest::prelude::*;

/// A position after some random moves.
fn random_position(random: &mut fastrand::Rng) -> <Sprouts as Game>::Position {
    let (game, mut position) =
        Sprouts::read(&format!("0*{}", random.usize(1..=9))).expect("a start");
    for _ in 0..random.usize(..20) {
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        if moves.is_empty() {
            break;
        }
        position = moves.swap_remove(random.usize(..moves.len()));
    }
    position
}

/// A spot of a boundary: a digit or a letter with apostrophes.
fn spots(boundary: &str) -> Vec<String> {
    let mut spots: Vec<String> = Vec::new();
    for letter in boundary.chars() {
        match (letter, spots.last_mut()) {
            ('\'', Some(last)) => last.push('\''),
            _ => spots.push(letter.to_string()),
        }
    }
    spots
}

/// The names of letters in another order; `kind` tells which letters.
fn renamed(spots: &mut [Vec<String>], kind: fn(&char) -> bool, random: &mut fastrand::Rng) {
    let is_kind = |spot: &&mut String| spot.chars().next().is_some_and(|letter| kind(&letter));
    let mut names: Vec<String> =
        (b'A'..=b'z').map(char::from).filter(kind).map(String::from).collect();
    let primed: Vec<String> = names.iter().map(|name| format!("{name}''")).collect();
    names.extend(primed);
    random.shuffle(&mut names);
    let mut known: Vec<String> = Vec::new();
    for spot in spots.iter_mut().flatten().filter(is_kind) {
        let index = known.iter().position(|name| name == spot).unwrap_or_else(|| {
            known.push(spot.clone());
            known.len() - 1
        });
        spot.clone_from(&names[index]);
    }
}

/// A land drawn in another way.
fn shuffled_land(land: &str, random: &mut fastrand::Rng) -> String {
    let mut regions: Vec<Vec<Vec<String>>> = Vec::new();
    for region in land.split('|') {
        let mut boundaries = Vec::new();
        for boundary in region.split('.') {
            match boundary.split_once('*') {
                Some((spot, count)) => {
                    let count = count.parse().expect("a number");
                    boundaries.extend(vec![vec![spot.to_owned()]; count]);
                }
                None => boundaries.push(spots(boundary)),
            }
        }
        let is_reversed = random.bool();
        for boundary in &mut boundaries {
            let rotation = random.usize(..boundary.len());
            boundary.rotate_left(rotation);
            if is_reversed {
                boundary.reverse();
            }
            renamed(std::slice::from_mut(boundary), char::is_ascii_lowercase, random);
            // Dead spots are ignored.
            if boundary[0] != "0" && random.u8(..4) == 0 {
                boundary.insert(random.usize(..=boundary.len()), "3".to_owned());
            }
        }
        random.shuffle(&mut boundaries);
        regions.push(boundaries);
    }
    random.shuffle(&mut regions);
    let counts: Vec<usize> = regions.iter().map(Vec::len).collect();
    let mut boundaries: Vec<Vec<String>> = regions.into_iter().flatten().collect();
    renamed(&mut boundaries, char::is_ascii_uppercase, random);
    let mut boundaries = boundaries.into_iter().map(|boundary| boundary.concat());
    let mut regions = counts.into_iter().map(|count| {
        let boundaries: Vec<String> = boundaries.by_ref().take(count).collect();
        boundaries.join(if random.bool() { "." } else { ".." })
    });
    let first = regions.next().expect("a region");
    regions.fold(first, |text, region| text + ["|", "}", ".|", "|}"][region.len() % 4] + &region)
}

/// A position drawn in another way.
fn shuffled(text: &str, random: &mut fastrand::Rng) -> String {
    let mut lands: Vec<String> = text.split('+').map(|land| shuffled_land(land, random)).collect();
    random.shuffle(&mut lands);
    let ends = ["+", "]", "}]", ".]+"];
    let text = lands.join(ends[random.usize(..ends.len())]);
    text + ["", ".", "}", "]", "!", "+!"][random.usize(..6)]
}

#[test]
fn positions_are_the_same_however_they_are_written() {
    let mut random = fastrand::Rng::with_seed(4);
    let game = Sprouts::new(Ending::Normal);
    let (mut letters, mut several) = (0, 0);
    for _ in 0..5000 {
        let position = random_position(&mut random);
        let text = game.write(&position);
        let (read_game, read) = Sprouts::read(&text).expect("what was written");
        assert!(read == position && !read_game.is_misere(), "{text}");
        let (misere_game, misere) = Sprouts::read(&format!("misere {text}")).expect("read");
        assert!(misere == position && misere_game.is_misere(), "{text}");
        assert_eq!(misere_game.write(&misere), format!("misere {text}"));
        if text == "!" {
            continue;
        }
        letters += usize::from(text.contains('C'));
        several += usize::from(text.contains('+'));
        for _ in 0..4 {
            let other = shuffled(&text, &mut random);
            let (_, same) = Sprouts::read(&other).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(same, position, "{text} and {other}");
            assert_eq!(game.key(&same), game.key(&position), "{text} and {other}");
            assert_eq!(game.write(&same), text, "{other}");
        }
    }
    assert!(letters > 500 && several > 500, "{letters} {several}");
}

/// Not everything that looks alike is the same.
#[test]
fn different_positions() {
    for (one, other) in [
        ("0*2", "0*3"),
        ("0.1.1", "0.1"),
        ("1.1.1a1a", "1.1.1.1"),
        // One boundary reflected, but not the whole region.
        ("ABC.DEF|ABC.DEF", "ABC.DEF|ABC.DFE"),
        ("12aAa.2.2|0.0.A", "12aAa.2.2|0.A"),
    ] {
        let read = |text| Sprouts::read(text).expect("a position").1;
        assert_ne!(read(one), read(other), "{one} and {other}");
    }
}

#[test]
fn laws_of_games() {
    for (text, games) in [
        ("0*4", 4),
        ("misere 0*3", 4),
        ("0*2.1a1a|2", 4),
        ("0.AB|1.AB+0*2", 4),
        ("0.1.1a2a|0.1", 4),
        ("misere 0.AB|1.AB", 4),
        ("!", 1),
        ("misere !", 1),
    ] {
        let (game, start) = Sprouts::read(text).expect("a position");
        let report =
            rules::check(&game, &start, &Sprouts::CAPABILITIES, games, 3, &Progress::new());
        let report = report.unwrap_or_else(|violation| panic!("{text}: {violation}"));
        assert_eq!(report.games, games);
    }
}

/// A position that is read can be written and played.
fn check_read(text: &str) {
    if let Ok((game, position)) = Sprouts::read(text) {
        let written = game.write(&position);
        let (_, read) = Sprouts::read(&written).expect("what was written");
        assert_eq!(read, position, "{text:?} is {written}");
        if position.lives() <= 20 {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            assert!(moves.iter().all(|next| next.lives() < position.lives()), "{text:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text(text in ".{0,60}") {
        check_read(&text);
    }

    #[test]
    fn any_signs(text in "[0-4a-cA-C*.|}+\\]! ']{0,24}") {
        check_read(&text);
    }

    /// Letters in pairs, so that many of the texts are valid.
    #[test]
    fn any_boundaries(parts in proptest::collection::vec("[012]|aa|1a1a|2a3b1ab|ABAB|A1B|BA|[|+.}]|0\\*[1-4]", 0..12)) {
        check_read(&parts.join("."));
        check_read(&parts.concat());
    }
}

/// A boundary may occur more often than a byte can count. Of the curves of `22.2*n` that join two
/// boundaries and those within `22`, whose sides are alike, n / 2 + 2 are different.
#[test]
fn hundreds_of_equal_boundaries() {
    for n in [3, 10, 254, 255, 256, 257, 300] {
        let (game, position) = Sprouts::read(&format!("22.2*{n}")).expect("a position");
        let mut options = Vec::new();
        game.moves(&position, &mut options);
        assert_eq!(options.len(), n / 2 + 2, "22.2*{n}");
    }
}

/// As many letters as there can be, all around one curve, from either side: wherever the text
/// begins it is the same position. A move joins two letters that are 1 to 126 steps apart, and
/// leaves all others between them.
#[test]
fn as_many_letters_as_there_are() {
    let names: Vec<String> = (0..252_u8)
        .map(|i| format!("{}{}", char::from(b'A' + i % 26), "'".repeat((i / 26).into())))
        .collect();
    let ring = |letters: usize, by: usize| {
        let mut names = names[..letters].to_vec();
        let straight = names.concat();
        names.rotate_left(by);
        Sprouts::read(&format!("{straight}|{}", names.concat())).expect("a position")
    };
    let (game, position) = ring(252, 0);
    for by in [1, 100, 251] {
        assert_eq!(ring(252, by).1, position);
        assert_eq!(game.write(&ring(252, by).1), game.write(&position));
    }
    for letters in [57, 58, 59, 60, 61, 62, 63, 64, 80] {
        let (game, position) = ring(letters, 0);
        let mut options = Vec::new();
        game.moves(&position, &mut options);
        assert_eq!(options.len(), letters / 2, "{letters} letters");
    }
}
