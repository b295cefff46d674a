//! The checker of rules: plays random games and tests an implementation against the laws of the
//! [`Game`](crate::Game) trait.

mod capabilities;

use std::fmt;

use hashbrown::{HashMap, HashSet};
use papamu_base::{Progress, Stopped};
use thiserror::Error;

use crate::sums::SumsOf;
use crate::{Capabilities, Guided, Key, Player, Survey, Symmetry, Value, threats_by_moves};

/// A random game that is not over after so many plies is broken off: games with cycles may never
/// end by themselves.
const MAX_PLIES: usize = 500;
/// How many positions are remembered to be told apart by their keys.
const MAX_REMEMBERED: usize = 1 << 20;
/// How many different moves are remembered to be tried in every position.
const MAX_MOVES_SEEN: usize = 1000;
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

/// A law of the [`Game`](crate::Game) trait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// The symmetries are a group with the identity first.
    SymmetriesAreAGroup,
    /// `is_legal` accepts the generated moves and no other move seen so far.
    LegalMovesAreGenerated,
    /// No move is generated twice.
    MovesAreDistinct,
    /// `count_moves` is the number of generated moves.
    MovesAreCounted,
    /// `undo` after `play` gives the very same position.
    UndoRestores,
    /// The players take turns.
    PlayersAlternate,
    /// Only a game that says so returns to a position.
    PlayEnds,
    /// A null move makes it the other player's turn, and two of them change nothing.
    NullMovesCancel,
    /// In an impartial game, whoever cannot move loses, or wins if play is misere.
    NormalPlay,
    /// Only a game that says so ends in a draw.
    DrawsAreDeclared,
    /// `has_immediate_win` is whether a move ends the game and wins.
    ImmediateWins,
    /// `survey` says what the single methods say.
    SurveyAgrees,
    /// `threats` says what trying all moves shows.
    ThreatsAgree,
    /// `read` after `write` gives the same position under the same rules.
    PositionsRoundTrip,
    /// `read_move` after `write_move` gives the same move.
    MovesRoundTrip,
    /// Moving and mirroring may change places.
    SymmetriesCommute,
    /// Mirror images have the same value.
    SymmetriesKeepValues,
    /// Mirror images have the same finite evaluation.
    SymmetriesKeepEvaluations,
    /// Mirror images have the same key and the same canonical form, which is one of them.
    KeysMatch,
    /// Positions with the same key have the same value and the same keys one move further.
    KeysSeparate,
    /// A key that says so is the same in every run: also of a game that was read anew.
    KeysAreStable,
    /// Options of the rules are read as they are written, and stand in the text of positions.
    OptionsRoundTrip,
    /// A component of a position is its own only component, and a move changes just one.
    ComponentsAddUp,
    /// Searches with nimbers see the components and the moves that the rules have.
    SumsAgree,
    /// Images have one number in certificates, which leads back to one of them; every move leads to
    /// a lower stage; and moves are sorted by different numbers.
    NumbersAreExact,
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
    /// Which of the random games showed it, starting with 1.
    pub game_number: u64,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violation { law, position, detail, game_number } = self;
        write!(f, "{law:?} is broken in `{position}` (game {game_number}): {detail}")
    }
}

impl std::error::Error for Violation {}

/// Why a check ended early.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CheckError {
    /// A law is broken.
    #[error(transparent)]
    Broken(#[from] Box<Violation>),
    /// The check was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Plays `games` random games from `start` and checks every position on the way, with the laws of
/// the capabilities that the game has.
pub fn check<G: Guided>(
    game: &G,
    start: &G::Position,
    capabilities: &Capabilities<G>,
    games: u64,
    seed: u64,
    progress: &Progress,
) -> Result<Report, CheckError> {
    progress.add_total(games);
    let mut checker = Checker {
        game,
        capabilities,
        sums: G::IMPARTIAL.then(|| capabilities.sums(game)),
        report: Report::default(),
        by_key: HashMap::new(),
        moves_seen: HashSet::new(),
    };
    checker.check_group(start)?;
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..games {
        let mut position = start.clone();
        let mut visited = HashSet::new();
        let mut plies = 0;
        loop {
            progress.stop().check()?;
            let moves = checker.check_position(&position)?;
            let returned = !visited.insert(position.clone());
            checker.require(G::CYCLIC || !returned, Law::PlayEnds, &position, || {
                "play came back to this position".to_owned()
            })?;
            // A small game may go round for ever without a position that is new.
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

struct Checker<'a, G: Guided> {
    game: &'a G,
    capabilities: &'a Capabilities<G>,
    /// Of impartial games.
    sums: Option<Box<dyn SumsOf<G>>>,
    report: Report,
    /// One position for each key.
    by_key: HashMap<G::Key, G::Position>,
    /// Moves of any position, to be tried in every other one.
    moves_seen: HashSet<G::Move>,
}

impl<G: Guided> Checker<'_, G> {
    fn require(
        &self,
        holds: bool,
        law: Law,
        position: &G::Position,
        detail: impl FnOnce() -> String,
    ) -> Result<(), Box<Violation>> {
        if holds {
            return Ok(());
        }
        Err(Box::new(Violation {
            law,
            position: self.game.write(position),
            detail: detail(),
            game_number: self.report.games + 1,
        }))
    }

    /// Composing two symmetries on a board without symmetry of its own must give a third one.
    fn check_group(&self, start: &G::Position) -> Result<(), Box<Violation>> {
        let symmetries = self.game.symmetries();
        let apply = |symmetry: Symmetry, square| symmetry.apply(5, 5, square);
        let closed = symmetries.iter().all(|&first| {
            symmetries.iter().all(|&second| {
                symmetries.iter().any(|&both| {
                    [(0, 1), (1, 0), (0, 3)]
                        .iter()
                        .all(|&square| apply(both, square) == apply(second, apply(first, square)))
                })
            })
        });
        let mut distinct = symmetries.to_vec();
        distinct.sort();
        distinct.dedup();
        self.require(
            symmetries.first() == Some(&Symmetry::Identity)
                && distinct.len() == symmetries.len()
                && closed,
            Law::SymmetriesAreAGroup,
            start,
            || format!("{symmetries:?}"),
        )
    }

    /// Checks all laws in one position and returns its moves.
    fn check_position(&mut self, position: &G::Position) -> Result<Vec<G::Move>, Box<Violation>> {
        self.report.positions += 1;
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        self.check_moves(position, &moves)?;
        self.check_play(position, &moves)?;
        self.check_position_notation(position, &moves)?;
        self.check_symmetries(position, &moves)?;
        self.check_null_move(position)?;
        if moves.is_empty() {
            let last = if self.game.is_misere() { Value::Win } else { Value::Loss };
            let normal = !G::IMPARTIAL || self.game.final_value(position) == last;
            self.require(normal, Law::NormalPlay, position, || {
                format!("the player to move has no {last}")
            })?;
            let declared = G::DRAWS || self.game.final_value(position) != Value::Draw;
            self.require(declared, Law::DrawsAreDeclared, position, || "it is a draw".to_owned())?;
        } else {
            self.check_keys(position)?;
        }
        self.check_components(position, &moves)?;
        self.check_sums(position, &moves)?;
        self.check_numbers(position, &moves)?;
        Ok(moves)
    }

    fn check_moves(
        &mut self,
        position: &G::Position,
        moves: &[G::Move],
    ) -> Result<(), Box<Violation>> {
        let counted = self.game.count_moves(position);
        self.require(counted == moves.len(), Law::MovesAreCounted, position, || {
            format!("{} moves, counted {counted}", moves.len())
        })?;
        for (i, mv) in moves.iter().enumerate() {
            self.report.moves += 1;
            let text = self.game.write_move(position, mv);
            self.require(!moves[..i].contains(mv), Law::MovesAreDistinct, position, || {
                format!("generated {text} twice")
            })?;
            let read = self.game.read_move(position, &text);
            self.require(read.as_ref() == Ok(mv), Law::MovesRoundTrip, position, || {
                format!("wrote {text}, read {read:?}")
            })?;
            if self.moves_seen.len() < MAX_MOVES_SEEN {
                self.moves_seen.insert(mv.clone());
            }
        }
        for mv in self.moves_seen.iter().chain(moves) {
            let (legal, generated) = (self.game.is_legal(position, mv), moves.contains(mv));
            self.require(legal == generated, Law::LegalMovesAreGenerated, position, || {
                let [not_generated, not_legal] =
                    [generated, legal].map(|is| if is { "" } else { "not " });
                format!("{mv:?} is {not_generated}generated and {not_legal}legal")
            })?;
        }
        Ok(())
    }

    fn check_play(&self, position: &G::Position, moves: &[G::Move]) -> Result<(), Box<Violation>> {
        let wins = lookahead(self.game, &mut position.clone(), 1, &mut usize::MAX.clone());
        let wins = !moves.is_empty() && wins == Some(Value::Win);
        self.require(
            self.game.has_immediate_win(position) == wins,
            Law::ImmediateWins,
            position,
            || format!("a winning move: {wins}"),
        )?;
        let mut survey = self.game.survey(position);
        // Nobody needs an estimate of what is decided.
        if survey.moves == 0 || survey.has_immediate_win {
            survey.evaluation = self.game.evaluate(position);
        }
        let expected = Survey {
            moves: moves.len(),
            has_immediate_win: wins,
            evaluation: self.game.evaluate(position),
        };
        self.require(survey == expected, Law::SurveyAgrees, position, || {
            format!("{survey:?}, not {expected:?}")
        })?;
        if !moves.is_empty() && !wins {
            for depth in [2, 3] {
                let threats = self.game.threats(position, depth);
                let expected = threats_by_moves(self.game, position, depth);
                self.require(threats == expected, Law::ThreatsAgree, position, || {
                    format!("{threats:?} in {depth} plies, not {expected:?}")
                })?;
            }
        }
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

    fn check_position_notation(
        &self,
        position: &G::Position,
        moves: &[G::Move],
    ) -> Result<(), Box<Violation>> {
        let text = self.game.write(position);
        let read = G::read(&text).is_ok_and(|(game, read)| {
            let mut moves_read = Vec::new();
            game.moves(&read, &mut moves_read);
            read == *position && game.write(&read) == text && moves_read == moves
        });
        self.require(read, Law::PositionsRoundTrip, position, || {
            format!("read back as {:?}", G::read(&text))
        })?;
        let options = self.game.options();
        let again = options.to_string().parse::<G::Options>();
        let in_text = G::read(&text).is_ok_and(|(game, _)| game.options() == options);
        self.require(
            again.as_ref() == Ok(&options) && in_text,
            Law::OptionsRoundTrip,
            position,
            || format!("options {options} are read back as {again:?}"),
        )?;
        let is_stable = !G::Key::STABLE
            || moves.is_empty()
            || G::read(&text).is_ok_and(|(game, read)| game.key(&read) == self.game.key(position));
        self.require(is_stable, Law::KeysAreStable, position, || {
            "read anew it has another key".to_owned()
        })
    }

    fn check_symmetries(
        &mut self,
        position: &G::Position,
        moves: &[G::Move],
    ) -> Result<(), Box<Violation>> {
        let game = self.game;
        let (depth, value) = lookahead_within(game, position, LOOKAHEAD_NODES);
        let (key, canonical) = (game.key(position), game.canonical(position));
        let evaluation = game.evaluate(position);
        for &symmetry in game.symmetries() {
            self.report.images += 1;
            let image = game.image(symmetry, position);
            self.check_commuting(symmetry, position, &image, moves)?;
            self.require(
                (moves.is_empty() || game.key(&image) == key)
                    && game.canonical(&image) == canonical,
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
            self.require(
                evaluation.is_none_or(f32::is_finite) && game.evaluate(&image) == evaluation,
                Law::SymmetriesKeepEvaluations,
                position,
                || format!("{evaluation:?} and {:?} under {symmetry}", game.evaluate(&image)),
            )?;
        }
        let canonical_is_equivalent = game.canonical(&canonical) == canonical
            && (moves.is_empty() || game.key(&canonical) == key)
            && game.count_moves(&canonical) == moves.len();
        self.require(canonical_is_equivalent, Law::KeysMatch, position, || {
            format!("its canonical form `{}` is not equivalent", game.write(&canonical))
        })
    }

    fn check_commuting(
        &self,
        symmetry: Symmetry,
        position: &G::Position,
        image: &G::Position,
        moves: &[G::Move],
    ) -> Result<(), Box<Violation>> {
        let game = self.game;
        let mut moves_of_image = Vec::new();
        game.moves(image, &mut moves_of_image);
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
        Ok(())
    }

    /// Positions with the same key must be the same game: the same value as far as the look-ahead
    /// sees, and moves to positions with the same keys.
    fn check_keys(&mut self, position: &G::Position) -> Result<(), Box<Violation>> {
        let game = self.game;
        let key = game.key(position);
        let Some(other) = self.by_key.get(&key) else {
            if self.by_key.len() < MAX_REMEMBERED {
                self.by_key.insert(key, position.clone());
            }
            return Ok(());
        };
        if game.canonical(other) == game.canonical(position) {
            return Ok(());
        }
        let same_value = lookahead_within(game, position, LOOKAHEAD_NODES)
            == lookahead_within(game, other, LOOKAHEAD_NODES);
        let same_game = same_value && keys_below(game, position) == keys_below(game, other);
        self.require(same_game, Law::KeysSeparate, position, || {
            format!("has the key of `{}`, which is another game", game.write(other))
        })
    }
}

/// The keys of the positions one move further, sorted; `None` for those without moves.
fn keys_below<G: Guided>(game: &G, position: &G::Position) -> Vec<Option<G::Key>> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let key_after = |mv: &G::Move| {
        let mut child = position.clone();
        game.play(&mut child, mv);
        (game.count_moves(&child) > 0).then(|| game.key(&child))
    };
    let mut keys: Vec<Option<G::Key>> = moves.iter().map(key_after).collect();
    keys.sort();
    keys
}

/// The deepest look-ahead that stays within so many nodes: its depth and its result.
fn lookahead_within<G: Guided>(game: &G, position: &G::Position, nodes: usize) -> (u32, Value) {
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
fn lookahead<G: Guided>(
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
