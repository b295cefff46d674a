//! Nimbers of impartial games under normal play: the least number that no option has, and exclusive
//! or over the components of a sum (R. P. Sprague 1935, P. M. Grundy 1939).

use hashbrown::HashMap;
use papamu_base::Progress;
use papamu_base::memory::{Unfinished, make_room};
use papamu_game::{Capabilities, Game, Value};

use super::{Method, Solution};

/// Solves a position of an impartial game: it is lost exactly if its nimber is 0.
pub(super) fn solve<G: Game>(
    game: &G,
    position: &G::Position,
    capabilities: &Capabilities<G>,
    limit_bytes: usize,
    progress: &Progress,
) -> Result<Solution<G::Move>, Unfinished> {
    let mut nimbers = Nimbers::new(game, capabilities, limit_bytes, progress);
    let nimber = nimbers.nimber(position)?;
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let mut best_move = moves.first().cloned();
    for mv in moves {
        let child = game.after(position, &mv);
        if nimber != 0 && nimbers.nimber(&child)? == 0 {
            best_move = Some(mv);
            break;
        }
    }
    Ok(Solution {
        value: if nimber == 0 { Value::Loss } else { Value::Win },
        best_move,
        line: None,
        nodes: nimbers.nodes,
        nimber: Some(nimber),
        method: Method::Nimbers,
    })
}

/// Nimbers of positions that are not sums, remembered by canonical position.
pub struct Nimbers<'a, G: Game> {
    game: &'a G,
    capabilities: &'a Capabilities<G>,
    known: HashMap<G::Position, u32>,
    nodes: u64,
    limit_bytes: usize,
    progress: &'a Progress,
}

impl<'a, G: Game> Nimbers<'a, G> {
    /// An empty memory. `progress` counts the positions examined.
    pub fn new(
        game: &'a G,
        capabilities: &'a Capabilities<G>,
        limit_bytes: usize,
        progress: &'a Progress,
    ) -> Nimbers<'a, G> {
        Nimbers { game, capabilities, known: HashMap::new(), nodes: 0, limit_bytes, progress }
    }

    /// The nimber of any position.
    pub fn nimber(&mut self, position: &G::Position) -> Result<u32, Unfinished> {
        let components = self.capabilities.components(self.game, position);
        let mut components = components.into_iter();
        components.try_fold(0, |sum, component| Ok(sum ^ self.nimber_of_component(component)?))
    }

    fn nimber_of_component(&mut self, mut component: G::Position) -> Result<u32, Unfinished> {
        let key = self.game.canonical(&component);
        if let Some(&nimber) = self.known.get(&key) {
            return Ok(nimber);
        }
        self.nodes += 1;
        self.progress.add(1);
        self.progress.stop().check()?;
        let mut moves = Vec::new();
        self.game.moves(&component, &mut moves);
        let mut reached = Vec::with_capacity(moves.len());
        for mv in moves {
            let undo = self.game.play(&mut component, &mv);
            reached.push(self.nimber(&component)?);
            self.game.undo(&mut component, &mv, undo);
        }
        reached.sort_unstable();
        reached.dedup();
        let nimber = (0..).zip(&reached).take_while(|(n, reached)| n == *reached).count() as u32;

        make_room(&mut self.known, 0, self.limit_bytes)?;
        self.known.insert(key, nimber);
        Ok(nimber)
    }
}
