//! Positions as text, and play.
//!
//! An input is a digit for the game, in the order of the registry, a space, a position up to the
//! end of the line, and bytes that choose moves: `0 6x6`.

use hashbrown::HashMap;
use papamu_game::tiny::{Cram, Dodgem, Domineering, Kayles, MuTorere, TicTacToe};
use papamu_game::{Game, Key};
use papamu_games::{Fanorona, Konane, Sprouts};

use crate::bytes::Bytes;

/// A check of one game: with the text of a position, and the bytes after it.
type Check = fn(&str, Bytes<'_>) -> bool;

/// A check for each of the games, in the order of the registry.
macro_rules! of_all_games {
    ($check:ident) => {
        &[
            $check::<Konane>,
            $check::<Sprouts>,
            $check::<Fanorona>,
            $check::<TicTacToe>,
            $check::<Kayles>,
            $check::<Dodgem>,
            $check::<MuTorere>,
            $check::<Domineering>,
            $check::<Cram>,
        ]
    };
}

/// Games with cycles may never end, and long games show nothing new.
const MOST_PLIES: usize = 60;

fn of_a_game(data: &[u8], checks: &[Check]) -> bool {
    let mut bytes = Bytes(data);
    let check = checks[bytes.digit(checks.len())];
    let line = bytes.line();
    check(line.strip_prefix(' ').unwrap_or(&line), bytes)
}

/// The position of a text, or an example if the text is not a position.
fn start<G: Game>(text: &str) -> (G, G::Position) {
    // In games whose keys are handed out, positions can be huge, and so are the lists of their
    // moves.
    let two_digits = |pair: &[u8]| pair.iter().all(u8::is_ascii_digit);
    let is_small =
        G::Key::STABLE || (text.len() < 24 && !text.as_bytes().windows(2).any(two_digits));
    match G::read(text) {
        Ok(start) if is_small => start,
        _ => G::read(G::EXAMPLES[text.len() % G::EXAMPLES.len()]).expect("an example"),
    }
}

fn moves<G: Game>(game: &G, position: &G::Position) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
}

/// Visits the positions of a game whose moves the bytes choose, until they end.
fn walk<G: Game>(
    text: &str,
    mut bytes: Bytes<'_>,
    mut visit: impl FnMut(&G, &G::Position, &[G::Move]),
) {
    let (game, mut position) = start::<G>(text);
    for _ in 0..MOST_PLIES {
        let moves = moves(&game, &position);
        visit(&game, &position, &moves);
        if moves.is_empty() || bytes.is_empty() {
            break;
        }
        game.play(&mut position, &moves[bytes.below(moves.len())]);
    }
}

/// A position that is read survives writing and reading.
pub fn positions_roundtrip(data: &[u8]) -> bool {
    fn check<G: Game>(text: &str, _: Bytes<'_>) -> bool {
        let Ok((game, position)) = G::read(text) else { return false };
        let written = game.write(&position);
        let (again, same) = G::read(&written).expect("what was written");
        assert_eq!(same, position, "{text} is written {written}");
        assert_eq!(again.options(), game.options());
        assert_eq!(again.write(&same), written);
        true
    }
    of_a_game(data, of_all_games!(check))
}

/// Generated moves are legal, different, counted and read again, and only they are legal.
pub fn legals_are_legal(data: &[u8]) -> bool {
    fn check<G: Game>(text: &str, bytes: Bytes<'_>) -> bool {
        let mut seen: Vec<G::Move> = Vec::new();
        walk(text, bytes, |game: &G, position, moves| {
            assert_eq!(game.count_moves(position), moves.len(), "{}", game.write(position));
            for (i, mv) in moves.iter().enumerate() {
                let written = game.write_move(position, mv);
                assert!(game.is_legal(position, mv), "{written} in {}", game.write(position));
                assert!(!moves[..i].contains(mv), "{written} twice in {}", game.write(position));
            }
            if let Some(mv) = moves.get(seen.len() % moves.len().max(1)) {
                let written = game.write_move(position, mv);
                assert_eq!(game.read_move(position, &written).as_ref(), Ok(mv));
                seen.push(mv.clone());
            }
            for mv in &seen {
                assert_eq!(game.is_legal(position, mv), moves.contains(mv), "{mv:?}");
            }
        });
        true
    }
    of_a_game(data, of_all_games!(check))
}

/// Moves are taken back, one by one and all together.
pub fn undo_restores(data: &[u8]) -> bool {
    fn check<G: Game>(text: &str, mut bytes: Bytes<'_>) -> bool {
        let (game, mut position) = start::<G>(text);
        let mut played = Vec::new();
        for _ in 0..MOST_PLIES {
            let moves = moves(&game, &position);
            let before = position.clone();
            for mv in &moves {
                let undo = game.play(&mut position, mv);
                game.undo(&mut position, mv, undo);
                assert_eq!(position, before, "{}", game.write_move(&before, mv));
            }
            if moves.is_empty() || bytes.is_empty() {
                break;
            }
            let mv = moves[bytes.below(moves.len())].clone();
            let undo = game.play(&mut position, &mv);
            played.push((before, mv, undo));
        }
        for (before, mv, undo) in played.into_iter().rev() {
            game.undo(&mut position, &mv, undo);
            assert_eq!(position, before);
        }
        true
    }
    of_a_game(data, of_all_games!(check))
}

/// Positions with moves have the same key if and only if they are images of each other.
pub fn key_is_injective(data: &[u8]) -> bool {
    fn check<G: Game>(text: &str, bytes: Bytes<'_>) -> bool {
        let mut by_key: HashMap<G::Key, G::Position> = HashMap::new();
        walk(text, bytes, |game: &G, position, moves| {
            let mut compare = |position: &G::Position| {
                let canonical = game.canonical(position);
                let first = by_key.entry(game.key(position)).or_insert_with(|| canonical.clone());
                assert_eq!(*first, canonical, "{}", game.write(position));
                assert_eq!(game.key(&canonical), game.key(position), "{}", game.write(position));
            };
            if !moves.is_empty() {
                compare(position);
            }
            for mv in moves.iter().take(64) {
                let child = game.after(position, mv);
                if game.count_moves(&child) > 0 {
                    compare(&child);
                }
            }
        });
        true
    }
    of_a_game(data, of_all_games!(check))
}

/// The image of a move leads from the image of a position to the image of the next position.
pub fn images_commute(data: &[u8]) -> bool {
    fn check<G: Game>(text: &str, bytes: Bytes<'_>) -> bool {
        walk(text, bytes, |game: &G, position, moves| {
            for &symmetry in game.symmetries() {
                let image = game.image(symmetry, position);
                assert_eq!(game.image(symmetry.inverse(), &image), *position);
                assert_eq!(game.canonical(&image), game.canonical(position));
                assert_eq!(game.count_moves(&image), moves.len());
                for mv in moves {
                    let (mut after, mut other) = (position.clone(), image.clone());
                    let mirrored = game.image_of_move(symmetry, mv);
                    assert!(game.is_legal(&image, &mirrored), "{}", game.write_move(position, mv));
                    game.play(&mut after, mv);
                    game.play(&mut other, &mirrored);
                    assert_eq!(game.image(symmetry, &after), other, "{}", game.write(position));
                }
            }
        });
        true
    }
    of_a_game(data, of_all_games!(check))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_registered_games_are_played() {
        fn name<G: Game>() -> &'static str {
            G::NAME
        }
        let checks: &[fn() -> &'static str] = of_all_games!(name);
        let names: Vec<&str> = checks.iter().map(|name| name()).collect();
        let registry = papamu::Registry::standard();
        assert_eq!(names, registry.games().map(|game| game.name).collect::<Vec<_>>());
    }
}
