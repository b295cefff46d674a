//! Lines of play: how the game goes on from a solved position if both play well.
//!
//! A line is read off what a search remembers. Nothing is searched again, so it costs next to
//! nothing, and it ends early where the search has forgotten how it solved a position.

use std::fmt;

use hashbrown::HashSet;
use papamu_game::{Game, Guided, Question, Value};

use crate::options::Options;
use crate::problem::{Oracle, Problem};
use crate::run::Store;

/// Lines that are longer help nobody.
const MOST_PLIES: usize = 300;

/// Moves of both players in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<M> {
    /// The moves.
    pub moves: Vec<M>,
    /// Why there are no more.
    pub end: LineEnd,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineEnd {
    /// The game is over.
    Over,
    /// The last move leads back to an earlier position of the line.
    Repeats,
    /// The search has forgotten how it goes on, or the line is very long.
    Forgotten,
}

impl fmt::Display for LineEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LineEnd::Over => "over",
            LineEnd::Repeats => "repeats",
            LineEnd::Forgotten => "forgotten",
        })
    }
}

/// The positions of a line so far.
pub(crate) type Seen<G> = HashSet<<G as Game>::Position>;

/// Makes a line of the moves that `choose` finds for one position after the other.
pub(crate) fn follow<G: Game>(
    game: &G,
    root: &G::Position,
    mut choose: impl FnMut(&G::Position, &Seen<G>) -> Option<G::Move>,
) -> Line<G::Move> {
    let (mut position, mut seen, mut moves) = (root.clone(), HashSet::new(), Vec::new());
    let end = loop {
        if game.count_moves(&position) == 0 {
            break LineEnd::Over;
        }
        if !seen.insert(position.clone()) {
            break LineEnd::Repeats;
        }
        let mv = if moves.len() < MOST_PLIES { choose(&position, &seen) } else { None };
        let Some(mv) = mv else { break LineEnd::Forgotten };
        game.play(&mut position, &mv);
        moves.push(mv);
    };
    Line { moves, end }
}

/// What the searches of a position remember.
pub struct Remembered<'a, G: Guided> {
    /// The rules.
    pub game: &'a G,
    /// The position that was solved.
    pub root: &'a G::Position,
    /// The oracle of the searches.
    pub oracle: Option<&'a dyn Oracle<G>>,
    /// The options of the searches.
    pub options: &'a Options,
    /// The tables of the questions whether the player to move wins, and whether he holds.
    pub stores: [Option<&'a Store<G::Key>>; 2],
}

impl<G: Guided> Remembered<'_, G> {
    /// A line from the root, which has this value. It begins with the best move, if that is known.
    /// Whoever wins goes where it took least work to show it, whoever loses where it took most.
    pub fn line(&self, value: Value, best_move: Option<&G::Move>) -> Line<G::Move> {
        let (mut value, mut best_move) = (value, best_move.cloned());
        follow(self.game, self.root, |position, seen| {
            let mv = best_move.take().or_else(|| self.choose(position, value, seen));
            value = -value;
            mv
        })
    }

    fn choose(&self, position: &G::Position, value: Value, seen: &Seen<G>) -> Option<G::Move> {
        let game = self.game;
        // A winner proves that he wins. To draw is to keep the other one from winning, and a lost
        // position shows how the other one wins.
        let is_roots_turn = game.to_move(position) == game.to_move(self.root);
        let attacks = value == Value::Win;
        let question = match !G::DRAWS || attacks == is_roots_turn {
            true => Question::Wins,
            false => Question::Holds,
        };
        let problem = Problem::new(game, self.root, question);
        let problem = Problem { oracle: self.oracle, ..problem };
        let store = self.stores[usize::from(question == Question::Holds)]?;
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        // A win that goes in circles is none.
        moves.retain(|mv| value == Value::Draw || !seen.contains(&game.after(position, mv)));
        let answer = |mv: &G::Move| {
            let recalled = problem.recall(&game.after(position, mv), self.options, store)?;
            recalled.is_final.then_some((recalled.won, recalled.work))
        };
        if value == Value::Loss {
            return moves.into_iter().max_by_key(|mv| answer(mv).map(|(_, work)| work));
        }
        let good = moves.into_iter().filter_map(|mv| match answer(&mv)? {
            (true, _) => None,
            (false, work) => Some((work, mv)),
        });
        good.min_by_key(|(work, _)| *work).map(|(_, mv)| mv)
    }
}
