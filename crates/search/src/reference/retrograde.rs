//! Retrograde analysis of all reachable positions: values propagate backwards from the ends of the
//! game, and a position that they never reach is a draw.

use std::collections::VecDeque;

use hashbrown::HashMap;
use papamu_base::Progress;
use papamu_base::memory::{Growing, OutOfMemory, Unfinished, make_room};
use papamu_game::{Game, Value};

use super::{Method, Solution};
use crate::line::follow;

/// Solves a position of any game, cycles allowed.
pub(super) fn solve<G: Game>(
    game: &G,
    position: &G::Position,
    limit_bytes: usize,
    progress: &Progress,
) -> Result<Solution<G::Move>, Unfinished> {
    let graph = Graph::reachable(game, position, limit_bytes, progress)?;
    let known = graph.values();
    // In a won position the best move is the quickest win, or play may cycle; in a lost one it is
    // the slowest loss.
    let line = follow(game, position, |position, _| {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        moves.into_iter().max_by_key(|mv| {
            let child = game.after(position, mv);
            let child = graph.index[&game.canonical(&child)];
            let Known { value, plies } = known[child as usize];
            let plies = i64::from(plies);
            (-value, if value == Value::Loss { -plies } else { plies })
        })
    });
    Ok(Solution {
        value: known[0].value,
        best_move: line.moves.first().cloned(),
        line: Some(line),
        nodes: known.len() as u64,
        nimber: None,
        method: Method::Retrograde,
    })
}

/// The positions reachable from number 0, up to symmetry.
struct Graph<G: Game> {
    index: HashMap<G::Position, u32>,
    /// Values of the positions without moves.
    ends: Vec<(u32, Value)>,
    /// Number of moves of each position.
    moves: Vec<u32>,
    /// For every move, the position after it and its predecessor, sorted.
    edges: Vec<(u32, u32)>,
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
    ) -> Result<Graph<G>, Unfinished> {
        let mut graph = Graph {
            index: HashMap::from_iter([(game.canonical(root), 0)]),
            ends: Vec::new(),
            moves: Vec::new(),
            edges: Vec::new(),
        };
        let mut open = VecDeque::from([root.clone()]);
        let mut moves = Vec::new();
        while let Some(position) = open.pop_front() {
            let parent = graph.moves.len() as u32;
            progress.add(1);
            progress.stop().check()?;
            game.moves(&position, &mut moves);
            graph.moves.push(moves.len() as u32);
            if moves.is_empty() {
                graph.ends.push((parent, game.final_value(&position)));
            }
            for mv in moves.drain(..) {
                let child = game.after(&position, &mv);
                // The queue, and the memory that `values` needs for every position.
                let other_bytes = open.capacity() * size_of::<G::Position>()
                    + graph.index.len() * (2 * size_of::<Known>() + 8);
                make_room(&mut graph.index, other_bytes + graph.edges.bytes(), limit_bytes)?;
                make_room(&mut graph.edges, other_bytes + graph.index.bytes(), limit_bytes)?;
                let new =
                    u32::try_from(graph.index.len()).map_err(|_| OutOfMemory { limit_bytes })?;
                let number = *graph.index.entry(game.canonical(&child)).or_insert(new);
                if number == new {
                    open.push_back(child);
                }
                graph.edges.push((number, parent));
            }
        }
        graph.edges.sort_unstable();
        Ok(graph)
    }

    /// Breadth first from the ends, so that the first win found is the quickest and the last move
    /// refuted resists longest.
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
            let first = self.edges.partition_point(|&(to, _)| to < child);
            let edges = self.edges[first..].iter().take_while(|&&(to, _)| to == child);
            for &(_, parent) in edges {
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
