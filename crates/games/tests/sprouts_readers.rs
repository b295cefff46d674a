//! The notation of Sprouts has two readers, this crate's and the checker's. Both refuse a text, or
//! both accept it and mean the same position: otherwise a file of nimbers that was checked could
//! mislead the solver.

use papamu_checker::sprouts::{Position, text};
use papamu_game::Ending;
use papamu_game::sums::Sums;
use papamu_games::Sprouts;

/// The lands that the checker read, in order, as it writes them.
fn lands(mut position: Position) -> Vec<String> {
    position.reduce();
    let lands = position.lands();
    let mut lands: Vec<String> = lands.iter().map(|land| text::write(&land.form())).collect();
    lands.sort_unstable();
    lands
}

struct Readers {
    solver: Box<dyn Sums>,
    texts: u32,
    accepted: u32,
}

impl Readers {
    fn new() -> Readers {
        Readers { solver: Sprouts::new(Ending::Normal).sums(), texts: 0, accepted: 0 }
    }

    /// Compares the readers. Returns whether they accept the text.
    fn agree(&mut self, text: &str) -> bool {
        self.texts += 1;
        let (solver, checker) = (self.solver.read(text), text::read(text));
        let (solver, checker) = match (solver, checker) {
            (Ok(solver), Ok(checker)) => (solver, checker),
            (Err(_), Err(_)) => return false,
            (Ok(_), Err(problem)) => panic!("{text:?}: only the checker refuses it: {problem}"),
            (Err(problem), Ok(_)) => panic!("{text:?}: only the solver refuses it: {problem}"),
        };
        self.accepted += 1;
        let written: Vec<String> = solver.list(0).map(|land| self.solver.write(land)).collect();
        let written = if written.is_empty() { "!".to_owned() } else { written.join("+") };
        let again = text::read(&written).expect("what the solver writes");
        assert_eq!(lands(checker), lands(again), "{text:?} is {written} to the solver");
        true
    }
}

fn one_of<'a>(random: &mut fastrand::Rng, choices: &[&'a str]) -> &'a str {
    choices[random.usize(..choices.len())]
}

/// Texts of the characters that occur in positions, and of some that do not.
#[test]
fn readers_agree_on_random_texts() {
    let (mut random, mut readers) = (fastrand::Rng::with_seed(1), Readers::new());
    let likely = ["0", "1", "2", "3", "a", "A", "b", "B", "'", "*", ".", "|", "}", "+", "]", "!"];
    let unlikely = ["4", "9", "00", "0*", "12", " ", "\t", "\n", "\u{a0}", "é", "-", "c", "Z", "!"];
    for _ in 0..200_000 {
        let length = random.usize(..14);
        let text: String = (0..length)
            .map(|_| match random.u8(..16) {
                0 => one_of(&mut random, &unlikely),
                1 => "0*2",
                _ => one_of(&mut random, &likely),
            })
            .collect();
        readers.agree(&text);
    }
    assert!(readers.accepted > 10_000, "{} of {}", readers.accepted, readers.texts);
}

/// A boundary as a list of tokens that may be shuffled; upper-case letters come later.
fn boundary(random: &mut fastrand::Rng) -> Vec<String> {
    if random.u8(..3) == 0 {
        let spot = one_of(random, &["0", "0", "0", "1", "2", "3"]);
        let repeat = ["", "*1", "*2", "*3", "*5", "*12"];
        return vec![format!("{spot}{}", one_of(random, &repeat))];
    }
    let mut spots: Vec<String> = Vec::new();
    for _ in 0..random.usize(..3) {
        spots.push(one_of(random, &["1", "2", "2", "3"]).to_owned());
    }
    for letter in ["a", "b'", "b''", "z"].into_iter().take(random.usize(..3)) {
        spots.extend([letter.to_owned(), letter.to_owned()]);
    }
    spots
}

/// A text of the grammar.
fn grammatical(random: &mut fastrand::Rng) -> String {
    let mut text = String::new();
    let lands = random.usize(1..=3);
    for land in 0..lands {
        let mut regions: Vec<Vec<Vec<String>>> = (0..random.usize(1..=3))
            .map(|_| (0..random.usize(..=3)).map(|_| boundary(random)).collect())
            .collect();
        for letter in ["A", "B", "A'", "Q", "Q'''"].into_iter().take(random.usize(..=5)) {
            let mut places: Vec<usize> = (0..regions.len()).collect();
            random.shuffle(&mut places);
            for &place in places.get(..2).unwrap_or_default() {
                let is_open = |boundary: &&mut Vec<String>| {
                    boundary.iter().all(|spot| *spot != "0" && !spot.contains('*'))
                };
                match regions[place].iter_mut().find(is_open) {
                    Some(open) => open.push(letter.to_owned()),
                    None => regions[place].push(vec![letter.to_owned()]),
                }
            }
        }
        for (i, mut region) in regions.into_iter().enumerate() {
            text.push_str(if i > 0 { one_of(random, &["|", "}", "|}", ".|"]) } else { "" });
            random.shuffle(&mut region);
            for (i, mut boundary) in region.into_iter().enumerate() {
                text.push_str(if i > 0 { one_of(random, &[".", ".", ".."]) } else { "" });
                random.shuffle(&mut boundary);
                text.push_str(&boundary.concat());
            }
        }
        if land + 1 < lands {
            text.push_str(one_of(random, &["+", "]", "}]", "+]"]));
        }
    }
    text.push_str(one_of(random, &["", "", ".", "}", "]", ".}]!", "+!"]));
    if text.is_empty() { "!".to_owned() } else { text }
}

#[test]
fn readers_agree_on_the_grammar() {
    let (mut random, mut readers) = (fastrand::Rng::with_seed(2), Readers::new());
    for _ in 0..60_000 {
        let text = grammatical(&mut random);
        assert!(readers.agree(&text), "{text} is of the grammar");
    }
}

#[test]
fn readers_agree_on_mutations() {
    let (mut random, mut readers) = (fastrand::Rng::with_seed(3), Readers::new());
    let signs: Vec<char> = "0123456789aAbBzQ'*.|}+]! \t\né".chars().collect();
    for _ in 0..30_000 {
        let text: Vec<char> = grammatical(&mut random).chars().collect();
        for _ in 0..6 {
            let mut text = text.clone();
            for _ in 0..random.usize(1..=3) {
                let place = random.usize(..=text.len());
                let sign = signs[random.usize(..signs.len())];
                match random.u8(..5) {
                    0 => text.insert(place, sign),
                    1 if place < text.len() => text[place] = sign,
                    2 if place < text.len() => drop(text.remove(place)),
                    3 if place + 1 < text.len() => text.swap(place, place + 1),
                    _ => {
                        let end = (place + random.usize(..6)).min(text.len());
                        let piece = text[place..end].to_vec();
                        let to = random.usize(..=text.len());
                        text.splice(to..to, piece);
                    }
                }
            }
            readers.agree(&text.into_iter().collect::<String>());
        }
    }
    assert!(readers.accepted > 20_000, "{} of {}", readers.accepted, readers.texts);
}

/// Texts that the readers once disagreed about.
#[test]
fn readers_agree_on_known_traps() {
    let mut readers = Readers::new();
    for text in [
        "0*1 1.2",
        "0 0*1 1.2",
        "0*3 0",
        "0*3a1a",
        "0*30",
        "2*3 2",
        "0*2A|A",
        "1 2",
        " 0",
        "0 ",
        "0! ",
    ] {
        readers.agree(text);
    }
    for text in ["0*007", "0*0", "0*+2", "0*2*2", "3*5000", "3*4096.3*4096", "0*127", "2*379"] {
        assert!(!readers.agree(text), "{text}");
    }
    for text in ["!", ".", "|", "+", "]!", "3", "3*4096", "0*126", "2*378", "1*189", "3*2.0"] {
        assert!(readers.agree(text), "{text}");
    }
}

/// Both have the same limits on bytes, spots and letters.
#[test]
fn readers_agree_on_limits() {
    let (mut random, mut readers) = (fastrand::Rng::with_seed(4), Readers::new());
    for length in 4090..4100 {
        assert_eq!(readers.agree(&".".repeat(length)), length <= 4096, "{length} bytes");
        assert_eq!(readers.agree(&"3".repeat(length)), length <= 4096, "{length} spots");
        assert_eq!(readers.agree(&format!("3*{length}")), length <= 4096, "{length} spots");
        assert_eq!(readers.agree(&format!("3*{}.3*90", length - 90)), length <= 4096);
    }
    for letters in 250..255 {
        let pairs: Vec<String> =
            (0..letters).map(|i| format!("a{0}2a{0}", "'".repeat(i % 3))).collect();
        let weight = letters * 5;
        assert_eq!(readers.agree(&pairs.join("+")), weight <= 756);
        assert_eq!(readers.agree(&vec!["aa"; letters].join("+")), letters <= 252);
        assert_eq!(readers.agree(&vec!["A|A"; letters].join("+")), letters <= 252);
    }
    let mut near = 0;
    for _ in 0..3000 {
        let (mut pieces, mut weight) = (Vec::new(), 0);
        while weight < 740 {
            let times = random.usize(1..40);
            let (piece, each) = match random.u8(..6) {
                0 => (format!("0*{times}"), 6),
                1 => (format!("1*{times}"), 4),
                2 => (format!("2*{times}"), 2),
                3 => (format!("3*{times}"), 0),
                4 => (vec!["b1b3"; times].join("."), 7),
                _ => (vec!["A|A"; times].join("+"), 3),
            };
            weight += times * each;
            pieces.push(piece);
        }
        near += u32::from(weight <= 756);
        assert_eq!(readers.agree(&pieces.join("+")), weight <= 756, "{weight}");
    }
    assert!(near > 300, "{near} are not too large");
}
