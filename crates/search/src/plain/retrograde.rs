//! Retrograde analysis of all positions that can be reached: values spread from the ends of the
//! game backwards, and what they never reach is a draw.

use std::collections::VecDeque;

use hashbrown::HashMap;
use papamu_game::{Game, Progress, Value, memory};

use super::{Method, OutOfMemory, Solution};

/// Solves a position of any game, cycles allowed.
pub(super) fn solve<G: Game>(
    game: &G,
    position: &G::Position,
    limit_bytes: usize,
    progress: &Progress,
) -> Result<Solution<G::Move>, OutOfMemory> {
    let graph = Graph::reachable(game, position, limit_bytes, progress)?;
    let known = graph.values();
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    // A won position needs the quickest win, or play may go in circles; a lost one the slowest loss.
    let best_move = moves.into_iter().max_by_key(|mv| {
        let mut child = position.clone();
        game.play(&mut child, mv);
        let child = graph.index[&game.key(&child)];
        let Known { value, plies } = known[child as usize];
        let plies = i64::from(plies);
        (-value, if value == Value::Loss { -plies } else { plies })
    });
    Ok(Solution {
        value: known[0].value,
        best_move,
        nodes: progress.done(),
        nimber: None,
        method: Method::Retrograde,
    })
}

/// The positions that can be reached from number 0, up to symmetry.
struct Graph<G: Game> {
    index: HashMap<G::Key, u32>,
    /// Values of the positions without moves.
    ends: Vec<(u32, Value)>,
    /// Number of moves of each position.
    moves: Vec<u32>,
    /// The positions from which each position is reached, once for each move.
    parents: Vec<Vec<u32>>,
}

/// What is known about a position.
#[derive(Clone, Copy)]
struct Known {
    value: Value,
    /// Length of the game under best play, if it is not a draw.
    plies: u32,
}

impl<G: Game> Graph<G> {
    fn reachable(
        game: &G,
        root: &G::Position,
        limit_bytes: usize,
        progress: &Progress,
    ) -> Result<Graph<G>, OutOfMemory> {
        let mut graph = Graph {
            index: HashMap::from_iter([(game.key(root), 0)]),
            ends: Vec::new(),
            moves: Vec::new(),
            parents: vec![Vec::new()],
        };
        let mut open = VecDeque::from([root.clone()]);
        let mut moves = Vec::new();
        let mut edges = 0;
        while let Some(position) = open.pop_front() {
            let parent = graph.moves.len() as u32;
            progress.add(1);
            game.moves(&position, &mut moves);
            graph.moves.push(moves.len() as u32);
            edges += moves.len();
            if moves.is_empty() {
                graph.ends.push((parent, game.final_value(&position)));
            }
            for mv in moves.drain(..) {
                let mut child = position.clone();
                game.play(&mut child, &mv);
                let new = graph.index.len() as u32;
                let number = *graph.index.entry(game.key(&child)).or_insert(new);
                if number == new {
                    graph.parents.push(Vec::new());
                    open.push_back(child);
                }
                graph.parents[number as usize].push(parent);
            }
            let index = &graph.index;
            let table = (index.len(), index.capacity(), index.allocation_size());
            let lists = graph.parents.len() * size_of::<Vec<u32>>() + edges * 8;
            let bytes = memory::needed_for_one_more(table.0, table.1, table.2) + lists;
            if bytes > limit_bytes || index.len() > u32::MAX as usize / 2 {
                return Err(OutOfMemory { positions: index.len(), limit_bytes });
            }
        }
        Ok(graph)
    }

    /// Breadth first from the ends, so that the first win found is the quickest, and the last
    /// answer that is refuted the most stubborn.
    fn values(&self) -> Vec<Known> {
        let mut known = vec![Known { value: Value::Draw, plies: 0 }; self.moves.len()];
        let mut unrefuted = self.moves.clone();
        let mut queue = VecDeque::new();
        for &(end, value) in self.ends.iter().filter(|(_, value)| *value != Value::Draw) {
            known[end as usize].value = value;
            queue.push_back(end);
        }
        while let Some(child) = queue.pop_front() {
            let Known { value, plies } = known[child as usize];
            for &parent in &self.parents[child as usize] {
                let parent_known = &mut known[parent as usize];
                if parent_known.value != Value::Draw {
                    continue;
                }
                unrefuted[parent as usize] -= 1;
                if value == Value::Loss || unrefuted[parent as usize] == 0 {
                    *parent_known = Known { value: -value, plies: plies + 1 };
                    queue.push_back(parent);
                }
            }
        }
        known
    }
}
