//! The checker of rules: plays random games and tests an implementation against the laws of the
//! [`Game`] trait.

use std::fmt;

use hashbrown::HashMap;

use crate::{Game, Player, Progress, Value};

/// A random game that is not over after so many plies is broken off: games with cycles may never
/// end by themselves.
const MAX_PLIES: usize = 500;
/// How many positions are remembered to be told apart by their keys.
const MAX_REMEMBERED: usize = 1 << 20;
/// How many nodes the look-ahead that compares values of mirror images may visit.
const LOOKAHEAD_NODES: usize = 300;

/// What was checked, when no law was broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Random games played.
    pub games: u64,
    /// Positions met in them, repeated ones included.
    pub positions: u64,
    /// Moves checked.
    pub moves: u64,
    /// Images of positions checked.
    pub images: u64,
    /// Length of the longest game in plies.
    pub longest_plies: u64,
}

/// A law of the [`Game`] trait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// `is_legal` accepts every generated move.
    MovesAreLegal,
    /// No move is generated twice, and none twice under another name.
    MovesAreDistinct,
    /// `count_moves` is the number of generated moves.
    MovesAreCounted,
    /// `undo` after `play` gives the very same position.
    UndoRestores,
    /// The players take turns.
    PlayersAlternate,
    /// `read` after `write` gives the same position.
    PositionsRoundTrip,
    /// `read_move` after `write_move` gives the same move.
    MovesRoundTrip,
    /// Moving and mirroring may change places.
    SymmetriesCommute,
    /// Mirror images have the same value.
    SymmetriesKeepValues,
    /// Equivalent positions have the same key and the same canonical form.
    KeysMatch,
    /// Positions that are not equivalent have different keys.
    KeysSeparate,
    /// A part of a position is its own only part.
    PartsAreWhole,
}

/// A broken law, with the position that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The law.
    pub law: Law,
    /// The position as text.
    pub position: String,
    /// What went wrong.
    pub detail: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is broken in `{}`: {}", self.law, self.position, self.detail)
    }
}

impl std::error::Error for Violation {}

/// Plays `games` random games from `start` and checks every position on the way.
pub fn check<G: Game>(
    game: &G,
    start: &G::Position,
    games: u64,
    seed: u64,
    progress: &Progress,
) -> Result<Report, Violation> {
    progress.set_total(games);
    let mut checker = Checker { game, report: Report::default(), by_key: HashMap::new() };
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..games {
        let mut position = start.clone();
        let mut plies = 0;
        loop {
            let moves = checker.check_position(&position)?;
            if moves.is_empty() || plies == MAX_PLIES {
                break;
            }
            game.play(&mut position, &moves[random.usize(..moves.len())]);
            plies += 1;
        }
        checker.report.games += 1;
        checker.report.longest_plies = checker.report.longest_plies.max(plies as u64);
        progress.add(1);
    }
    Ok(checker.report)
}

struct Checker<'a, G: Game> {
    game: &'a G,
    report: Report,
    by_key: HashMap<G::Key, G::Position>,
}

impl<G: Game> Checker<'_, G> {
    fn require(
        &self,
        holds: bool,
        law: Law,
        position: &G::Position,
        detail: impl FnOnce() -> String,
    ) -> Result<(), Violation> {
        if holds {
            return Ok(());
        }
        Err(Violation { law, position: self.game.write(position), detail: detail() })
    }

    /// Checks all laws in one position and returns its moves.
    fn check_position(&mut self, position: &G::Position) -> Result<Vec<G::Move>, Violation> {
        self.report.positions += 1;
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        self.check_moves(position, &moves)?;
        self.check_play(position, &moves)?;
        self.check_position_notation(position)?;
        self.check_symmetries(position, &moves)?;
        self.check_keys(position)?;
        for part in self.game.parts(position) {
            let parts = self.game.parts(&part);
            self.require(parts == [part], Law::PartsAreWhole, position, || format!("{parts:?}"))?;
        }
        Ok(moves)
    }

    fn check_moves(&mut self, position: &G::Position, moves: &[G::Move]) -> Result<(), Violation> {
        let counted = self.game.count_moves(position);
        self.require(counted == moves.len(), Law::MovesAreCounted, position, || {
            format!("{} moves, counted {counted}", moves.len())
        })?;
        let mut seen: HashMap<String, &G::Move> = HashMap::new();
        for (i, mv) in moves.iter().enumerate() {
            self.report.moves += 1;
            let text = self.game.write_move(position, mv);
            self.require(self.game.is_legal(position, mv), Law::MovesAreLegal, position, || {
                format!("generated {text}, which is not legal")
            })?;
            self.require(!moves[..i].contains(mv), Law::MovesAreDistinct, position, || {
                format!("generated {text} twice")
            })?;
            let read = self.game.read_move(position, &text);
            self.require(read.as_ref() == Ok(mv), Law::MovesRoundTrip, position, || {
                format!("wrote {text}, read {read:?}")
            })?;
            let twin = seen.insert(text.clone(), mv);
            self.require(twin.is_none(), Law::MovesAreDistinct, position, || {
                format!("two moves are written {text}")
            })?;
        }
        Ok(())
    }

    fn check_play(&self, position: &G::Position, moves: &[G::Move]) -> Result<(), Violation> {
        let mover = self.game.to_move(position);
        let next = if G::IMPARTIAL { Player::First } else { !mover };
        for mv in moves {
            let mut played = position.clone();
            let undo = self.game.play(&mut played, mv);
            self.require(
                self.game.to_move(&played) == next && (!G::IMPARTIAL || mover == next),
                Law::PlayersAlternate,
                position,
                || format!("after {}", self.game.write_move(position, mv)),
            )?;
            self.game.undo(&mut played, mv, undo);
            self.require(played == *position, Law::UndoRestores, position, || {
                let text = self.game.write_move(position, mv);
                format!("{text} taken back leaves {played:?}, not {position:?}")
            })?;
        }
        Ok(())
    }

    fn check_position_notation(&self, position: &G::Position) -> Result<(), Violation> {
        let read = G::read(&self.game.write(position)).map(|(_, position)| position);
        self.require(read.as_ref() == Ok(position), Law::PositionsRoundTrip, position, || {
            format!("read back as {read:?}")
        })
    }

    fn check_symmetries(
        &mut self,
        position: &G::Position,
        moves: &[G::Move],
    ) -> Result<(), Violation> {
        let game = self.game;
        let (depth, value) = lookahead_within(game, position, LOOKAHEAD_NODES);
        let (key, canonical) = (game.key(position), game.canonical(position));
        for &symmetry in game.symmetries() {
            self.report.images += 1;
            let image = game.image(symmetry, position);
            let mut moves_of_image = Vec::new();
            game.moves(&image, &mut moves_of_image);
            self.require(
                moves_of_image.len() == moves.len(),
                Law::SymmetriesCommute,
                position,
                || format!("{symmetry} has {} moves", moves_of_image.len()),
            )?;
            for mv in moves {
                let image_of_move = game.image_of_move(symmetry, mv);
                let mut move_then_mirror = position.clone();
                game.play(&mut move_then_mirror, mv);
                let move_then_mirror = game.image(symmetry, &move_then_mirror);
                let mut mirror_then_move = image.clone();
                let legal = moves_of_image.contains(&image_of_move);
                if legal {
                    game.play(&mut mirror_then_move, &image_of_move);
                }
                self.require(
                    legal && mirror_then_move == move_then_mirror,
                    Law::SymmetriesCommute,
                    position,
                    || format!("{symmetry} and {}", game.write_move(position, mv)),
                )?;
            }
            self.require(
                game.key(&image) == key && game.canonical(&image) == canonical,
                Law::KeysMatch,
                position,
                || format!("{symmetry} has another key or another canonical form"),
            )?;
            let mut unlimited = usize::MAX;
            let value_of_image = lookahead(game, &mut image.clone(), depth, &mut unlimited);
            self.require(
                Some(value) == value_of_image,
                Law::SymmetriesKeepValues,
                position,
                || format!("{symmetry} changes {value} to {value_of_image:?}"),
            )?;
        }
        Ok(())
    }

    /// Positions with the same key must be images of each other.
    fn check_keys(&mut self, position: &G::Position) -> Result<(), Violation> {
        let game = self.game;
        let key = game.key(position);
        let Some(other) = self.by_key.get(&key) else {
            if self.by_key.len() < MAX_REMEMBERED {
                self.by_key.insert(key, position.clone());
            }
            return Ok(());
        };
        let mut symmetries = game.symmetries().iter();
        let equivalent = symmetries.any(|&symmetry| game.image(symmetry, other) == *position);
        self.require(equivalent, Law::KeysSeparate, position, || {
            format!("has the key of `{}`, which is not equivalent", game.write(other))
        })
    }
}

/// The deepest look-ahead that stays within so many nodes: its depth and its result.
fn lookahead_within<G: Game>(game: &G, position: &G::Position, nodes: usize) -> (u32, Value) {
    let mut best = (0, Value::Draw);
    for depth in 0..64 {
        match lookahead(game, &mut position.clone(), depth, &mut nodes.clone()) {
            Some(value) => best = (depth, value),
            None => break,
        }
    }
    best
}

/// Minimax to a fixed depth, with a draw at the horizon; `None` if the nodes run out. Without
/// cut-offs, so that mirror images visit equally many nodes.
fn lookahead<G: Game>(
    game: &G,
    position: &mut G::Position,
    depth: u32,
    nodes: &mut usize,
) -> Option<Value> {
    *nodes = nodes.checked_sub(1)?;
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    if moves.is_empty() {
        return Some(game.final_value(position));
    }
    if depth == 0 {
        return Some(Value::Draw);
    }
    let mut best = Value::Loss;
    for mv in moves {
        let undo = game.play(position, &mv);
        let value = lookahead(game, position, depth - 1, nodes);
        game.undo(position, &mv, undo);
        best = best.max(-value?);
    }
    Some(best)
}
