//! The trait that every game implements.

use std::fmt::Debug;
use std::hash::Hash;

use crate::sums::{ByText, Sums};
use crate::{Key, NotationError, Player, Symmetry, Value};

/// A first look at a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Survey {
    /// [`Game::count_moves`]
    pub moves: usize,
    /// [`Game::wins_at_once`]
    pub wins_at_once: bool,
    /// What [`Game::evaluate`] says; may be left out of positions without moves and of those that are won
    /// at once.
    pub evaluation: Option<f32>,
}

/// A two-player game of perfect information: its rules on one board.
///
/// The implementing type holds what is fixed during play (board size, rule options, masks); the
/// position holds what changes. Searches are generic over the game, so every method is a direct
/// call, and none of those on the hot path allocates: moves are appended to a list that the
/// caller reuses, and a position is changed and restored in place.
///
/// [`crate::rules::check`] tests an implementation against the laws stated here.
pub trait Game: Clone + Debug + Send + Sync + Sized + 'static {
    /// The name by which users call the game: lower case, no spaces.
    const NAME: &'static str;
    /// One line about the game.
    const SUMMARY: &'static str;
    /// What the two players are called.
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
    /// What [`Game::undo`] needs beside the move.
    type Undo;
    /// The exact canonical key, packed for tables.
    type Key: Key;

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

    /// Takes back the move that was played last.
    fn undo(&self, position: &mut Self::Position, mv: &Self::Move, undo: Self::Undo);

    /// The value of a position without moves. Under normal play whoever cannot move loses.
    fn final_value(&self, position: &Self::Position) -> Value {
        let _ = position;
        Value::Loss
    }

    /// Whether the player to move can end the game at once and win. Searches ask this of every new
    /// position, so games should answer without looking at more than they must.
    fn wins_at_once(&self, position: &Self::Position) -> bool {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        moves.iter().any(|mv| {
            let mut child = position.clone();
            self.play(&mut child, mv);
            self.count_moves(&child) == 0 && self.final_value(&child) == Value::Loss
        })
    }

    /// What a search wants to know about every new position, for games that can tell it all at
    /// once.
    fn survey(&self, position: &Self::Position) -> Survey {
        let moves = self.count_moves(position);
        Survey {
            moves,
            wins_at_once: moves > 0 && self.wins_at_once(position),
            evaluation: self.evaluate(position),
        }
    }

    /// The same position with the other player to move, if that is a position too. Games in which every position has
    /// one, play ends and whoever cannot move loses have values (combinatorial game theory): what a position is worth to
    /// both players, whoever begins.
    fn turned(&self, position: &Self::Position) -> Option<Self::Position> {
        let _ = position;
        None
    }

    /// How many moves the opponent would have if it were his turn, as far as the game can tell; 0
    /// if it cannot. For heuristics only.
    fn count_opponent_moves(&self, position: &Self::Position) -> usize {
        let _ = position;
        0
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
    /// equivalent. A position without moves needs no key, so games may reuse its bits.
    fn key(&self, position: &Self::Position) -> Self::Key;

    /// The independent positions whose sum this position is: in each turn a player moves in one
    /// of them. A position that does not fall apart is its own only part. Parts of a game that is not
    /// impartial have the same player to move and must be positions with the other one too
    /// ([`Game::turned`]); parts in which nobody will ever move may be left out.
    fn parts(&self, position: &Self::Position) -> Vec<Self::Position> {
        vec![position.clone()]
    }

    /// Whether whoever cannot move wins, in an impartial game: nimbers do not apply then.
    fn is_misere(&self) -> bool {
        false
    }

    /// The game as searches with nimbers see it.
    fn sums(&self) -> Box<dyn Sums> {
        Box::new(ByText(self.clone()))
    }

    /// An estimate of how well the player to move stands, if the game has one: higher is better,
    /// 0 is even.
    fn evaluate(&self, position: &Self::Position) -> Option<f32> {
        let _ = position;
        None
    }

    /// The number of a position in certificates (`docs/certificate-format.md`): the same for all
    /// positions that are images of each other. `None` if the game has no certificates.
    fn certificate_number(&self, position: &Self::Position) -> Option<u64> {
        let _ = position;
        None
    }

    /// The position with that number and that player to move, if there is one.
    fn position_of_number(&self, number: u64, mover: Player) -> Option<Self::Position> {
        let _ = (number, mover);
        None
    }

    /// How far from its end a position of that number is, in some sense: less after every move. `None` if the
    /// game has no certificates.
    fn stage_of_number(&self, number: u64) -> Option<u32> {
        let _ = number;
        None
    }

    /// By this number the moves of a position are sorted in certificates.
    fn move_order(&self, mv: &Self::Move) -> u64 {
        let _ = mv;
        0
    }
}
