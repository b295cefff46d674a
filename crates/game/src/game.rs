//! The trait that every game implements.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Key, NotationError, Player, RuleOptions, Symmetry, Value};

/// A two-player game of perfect information: its rules on one board.
///
/// The implementing type holds what is fixed during play (board size, rule options, masks); the
/// position holds what changes. Two of them are equal if they have the same rules on the same
/// board. Searches are generic over the game, so every method is a direct call, and none of those
/// on the hot path allocates: moves are appended to a list that the caller reuses, and a position
/// is changed and restored in place.
///
/// The trait has the rules and nothing else. The rest is opt-in: guidance of searches
/// ([`crate::Guided`]), a null move and components ([`crate::Capabilities`]), numbers in
/// certificates ([`crate::Certifiable`]).
///
/// [`crate::rules::check`] tests an implementation against the laws stated here.
pub trait Game: Clone + PartialEq + Debug + Send + Sync + Sized + 'static {
    /// The name by which users call the game: lower case, no spaces.
    const NAME: &'static str;
    /// One line about the game.
    const SUMMARY: &'static str;
    /// The names of the two players.
    const PLAYERS: [&'static str; 2];
    /// How a position is written, in one line.
    const NOTATION: &'static str;
    /// Positions to try, the simplest first.
    const EXAMPLES: &'static [&'static str];
    /// Both players have the same moves in every position, and positions do not record whose turn
    /// it is: [`Game::to_move`] is always [`Player::First`], the player to move.
    const IMPARTIAL: bool = false;
    /// Play may return to an earlier position and go on for ever; that is a draw.
    const CYCLIC: bool = false;
    /// A game may end without a winner.
    const DRAWS: bool = Self::CYCLIC;

    /// Everything that changes during play, the player to move included. Its order decides which
    /// of several equivalent positions is the canonical one.
    type Position: Clone + Eq + Ord + Hash + Debug + Send + Sync;
    /// One turn of a player.
    type Move: Clone + Eq + Hash + Debug + Send + Sync;
    /// What [`Game::undo`] needs besides the move.
    type Undo;
    /// The exact canonical key, packed for tables.
    type Key: Key;
    /// The options of the rules; [`crate::NoOptions`] if there are none.
    type Options: RuleOptions;

    /// The options that are in force. They are part of what [`Game::write`] writes.
    fn options(&self) -> Self::Options {
        Self::Options::default()
    }

    /// Reads a position and the rules it belongs to. A bare board size means the start position.
    fn read(text: &str) -> Result<(Self, Self::Position), NotationError>;

    /// Writes a position so that [`Game::read`] gives it back.
    fn write(&self, position: &Self::Position) -> String;

    /// Writes a legal move. Different moves of a position have different texts.
    fn write_move(&self, position: &Self::Position, mv: &Self::Move) -> String;

    /// Reads a legal move.
    fn read_move(
        &self,
        position: &Self::Position,
        text: &str,
    ) -> Result<Self::Move, NotationError> {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        moves.into_iter().find(|mv| self.write_move(position, mv) == text).ok_or_else(|| {
            NotationError::Move { text: text.to_owned(), position: self.write(position) }
        })
    }

    /// Draws the position for a terminal, one or several lines without a final line break.
    fn draw(&self, position: &Self::Position) -> String {
        self.write(position)
    }

    /// The player whose turn it is.
    fn to_move(&self, position: &Self::Position) -> Player;

    /// Appends all legal moves, each once. None means that the game is over.
    fn moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>);

    /// The number of legal moves, for games that can count faster than generate.
    fn count_moves(&self, position: &Self::Position) -> usize {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        moves.len()
    }

    /// Whether a move is legal, decided from the move alone and not from the generated list: this
    /// is what the generator is checked against.
    fn is_legal(&self, position: &Self::Position, mv: &Self::Move) -> bool;

    /// Plays a legal move.
    fn play(&self, position: &mut Self::Position, mv: &Self::Move) -> Self::Undo;

    /// The position after a legal move.
    #[inline]
    fn after(&self, position: &Self::Position, mv: &Self::Move) -> Self::Position {
        let mut after = position.clone();
        self.play(&mut after, mv);
        after
    }

    /// Takes back the move that was played last.
    fn undo(&self, position: &mut Self::Position, mv: &Self::Move, undo: Self::Undo);

    /// The value of a position without moves. Under normal play whoever cannot move loses.
    fn final_value(&self, position: &Self::Position) -> Value {
        let _ = position;
        Value::Loss
    }

    /// Whether the player to move has an immediate win: a move that ends the game and wins it.
    /// Searches ask this of every new position, so games should answer with as little work as
    /// possible.
    fn has_immediate_win(&self, position: &Self::Position) -> bool {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        moves.iter().any(|mv| {
            let mut child = position.clone();
            self.play(&mut child, mv);
            self.count_moves(&child) == 0 && self.final_value(&child) == Value::Loss
        })
    }

    /// Whether an impartial game is played under misere rules: whoever cannot move wins, and
    /// nimbers do not apply.
    fn is_misere(&self) -> bool {
        false
    }

    /// The symmetries of the board under which the game does not change: a group, identity first.
    fn symmetries(&self) -> &[Symmetry] {
        &[Symmetry::Identity]
    }

    /// The position seen through one of [`Game::symmetries`].
    fn image(&self, symmetry: Symmetry, position: &Self::Position) -> Self::Position {
        let _ = symmetry;
        position.clone()
    }

    /// The move seen through one of [`Game::symmetries`].
    fn image_of_move(&self, symmetry: Symmetry, mv: &Self::Move) -> Self::Move {
        let _ = symmetry;
        mv.clone()
    }

    /// The least image of a position: the same for all positions equivalent to it.
    fn canonical(&self, position: &Self::Position) -> Self::Position {
        let others = self.symmetries()[1..].iter();
        others
            .map(|&symmetry| self.image(symmetry, position))
            .fold(position.clone(), |least, image| least.min(image))
    }

    /// The exact canonical key: equal for two positions that have moves if and only if they are
    /// equivalent. A position without moves needs no key, so games may reuse its bits. Unless the
    /// type says otherwise ([`Key::STABLE`]) it is the same in every run, so that files may hold
    /// it.
    fn key(&self, position: &Self::Position) -> Self::Key;
}
