//! Depth-first minimax that remembers every value it finds, by canonical position.

use hashbrown::HashMap;
use papamu_base::Progress;
use papamu_base::memory::{Unfinished, make_room};
use papamu_game::{Game, Value};

use super::{Method, Solution};
use crate::line::follow;

/// Solves a position of a game in which play always ends.
pub(super) fn solve<G: Game>(
    game: &G,
    position: &G::Position,
    limit_bytes: usize,
    progress: &Progress,
) -> Result<Solution<G::Move>, Unfinished> {
    let mut search = Minimax {
        game,
        values: HashMap::new(),
        moves: Vec::new(),
        nodes: 0,
        limit_bytes,
        progress,
    };
    let (value, best_move) = search.best(&mut position.clone())?;
    let nodes = search.nodes;
    // All values that this asks for are remembered.
    let line = follow(game, position, |position, _| search.best(&mut position.clone()).ok()?.1);
    let line = Some(line);
    Ok(Solution { value, best_move, line, nodes, nimber: None, method: Method::Minimax })
}

struct Minimax<'a, G: Game> {
    game: &'a G,
    values: HashMap<G::Position, Value>,
    /// The moves of all positions on the way from the root.
    moves: Vec<G::Move>,
    nodes: u64,
    limit_bytes: usize,
    progress: &'a Progress,
}

impl<G: Game> Minimax<'_, G> {
    fn value(&mut self, position: &mut G::Position) -> Result<Value, Unfinished> {
        let key = self.game.canonical(position);
        if let Some(&value) = self.values.get(&key) {
            return Ok(value);
        }
        let (value, _) = self.best(position)?;
        make_room(&mut self.values, 0, self.limit_bytes)?;
        self.values.insert(key, value);
        Ok(value)
    }

    /// The value and the first move that reaches it.
    fn best(&mut self, position: &mut G::Position) -> Result<(Value, Option<G::Move>), Unfinished> {
        self.nodes += 1;
        self.progress.add(1);
        self.progress.stop().check()?;
        let first = self.moves.len();
        self.game.moves(position, &mut self.moves);
        if self.moves.len() == first {
            return Ok((self.game.final_value(position), None));
        }
        let mut best = None;
        for i in first..self.moves.len() {
            let mv = self.moves[i].clone();
            let undo = self.game.play(position, &mv);
            let value = -self.value(position)?;
            self.game.undo(position, &mv, undo);
            if best.as_ref().is_none_or(|(known, _)| value > *known) {
                best = Some((value, mv));
            }
            if value == Value::Win {
                break;
            }
        }
        self.moves.truncate(first);
        let (value, mv) = best.unzip();
        Ok((value.unwrap_or(Value::Loss), mv))
    }
}
