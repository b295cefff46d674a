//! Ranked sets: how a win is shown to others.
//!
//! A set of positions shows that the attacker wins if it is *ranked*: with the attacker to move one
//! child is in the set, with the defender to move all children are, every end in it is a win of the
//! attacker, and the ranks of positions fall along all these moves. Then every line ends, and well.
//!
//! The set is grown from the root, with one move at each position of the attacker: a move to a
//! position that the table knows to be won, or that a search finds. Ranks come from retrograde
//! analysis: an end has rank 0, a position of the defender one more than the largest rank of its
//! children, a position of the attacker one more than the least rank of the children that its moves
//! lead to.
//!
//! Every move of the set wins, and still they may run in a circle: from one position the attacker
//! goes to another, from there back, and wins from either in another way. Then positions have no
//! rank, and other winning moves come in, first those that the table knows, then those that
//! searches find, until the root has a rank. They are needed in the innermost circles only, the
//! strongly connected components of positions without ranks from which no move leads to another
//! one: whatever else has no rank has none because of them.
//!
//! This ends. There are finitely many moves, and an innermost circle whose positions have all their
//! winning moves is none: among its positions take one from which the attacker wins in the least
//! number of plies. All its children if the defender moves, one of them if the attacker moves, are
//! in the set and won in fewer plies, so they are not in the circle. Then they have ranks, and then
//! it has one, too.
//!
//! Of all moves in the set those to the least ranks are kept.

use hashbrown::HashMap;
use papamu_base::memory::{OutOfMemory, make_room};
use papamu_game::{Guided, Question};

use super::components::innermost;
use super::{Chosen, Decided};
use crate::options::{Algorithm, Options};
use crate::problem::Problem;
use crate::run::{Monitor, Store};
use crate::solver::SolveError;

/// No rank yet.
const UNRANKED: u32 = u32::MAX;

/// A position of the set.
struct Node<G: Guided> {
    position: G::Position,
    attacker_moves: bool,
    /// The attacker has won, or others decide that he wins.
    is_won_end: bool,
    /// All moves of the defender, or some winning moves of the attacker, and where they lead.
    moves: Vec<(G::Move, u32)>,
    /// Moves of the attacker that may win, too.
    untried: Vec<G::Move>,
    rank: u32,
    /// The number of moves to nodes without a rank.
    missing: u32,
    /// The last of the edges that lead here.
    last_edge: Option<u32>,
}

/// From a parent to a child, and the edge before it that leads to the same child.
struct Edge {
    parent: u32,
    before: Option<u32>,
}

/// A set in the making.
struct Ranking<'a, G: Guided> {
    problem: &'a Problem<'a, G>,
    options: Options,
    store: &'a Store<G::Key>,
    monitor: &'a Monitor,
    decided: Decided<'a, G>,
    nodes: Vec<Node<G>>,
    by_key: HashMap<G::Key, u32>,
    edges: Vec<Edge>,
    /// Nodes without moves.
    open: Vec<u32>,
    /// Nodes with a rank that their parents do not know yet.
    ranked: Vec<u32>,
}

/// The attacker's positions of a ranked set, with his moves and their ranks, down to the ends of
/// the game: all that can come up from the root on if he makes these moves. `None` if he does not
/// win. The table is that of a df-pn search of the same question. Positions that others decide are
/// left out.
pub fn ranked_set<G: Guided>(
    problem: &Problem<G>,
    options: &Options,
    store: &Store<G::Key>,
    monitor: &Monitor,
    decided: Decided<'_, G>,
) -> Result<Option<Vec<Chosen<G>>>, SolveError> {
    let mut ranking = Ranking {
        problem,
        options: Options { threads: 1, ..*options },
        store,
        monitor,
        decided,
        nodes: Vec::new(),
        by_key: HashMap::new(),
        edges: Vec::new(),
        open: Vec::new(),
        ranked: Vec::new(),
    };
    if !ranking.wins(problem.root)? {
        return Ok(None);
    }
    Ok(ranking.run()?.then(|| ranking.reachable()))
}

impl<G: Guided> Ranking<'_, G> {
    /// Grows the set until the root has a rank. Returns whether it gets one.
    fn run(&mut self) -> Result<bool, SolveError> {
        let root = self.node(self.problem.root)?;
        while self.nodes[root as usize].rank == UNRANKED {
            if let Some(node) = self.ranked.pop() {
                self.spread(node);
            } else if let Some(node) = self.open.pop() {
                if !self.grow(node)? {
                    return Ok(false);
                }
            } else if !self.widen(root)? {
                return Ok(false);
            }
        }
        self.minimise();
        Ok(true)
    }

    fn check_stop(&self) -> Result<(), SolveError> {
        if self.monitor.is_stopped() { Err(SolveError::Stopped) } else { Ok(()) }
    }

    /// The node of a position, which may be new.
    fn node(&mut self, position: &G::Position) -> Result<u32, SolveError> {
        let game = self.problem.game;
        // The key of an end may be that of another position.
        let is_end = game.count_moves(position) == 0;
        let key = game.key(position);
        if let Some(&node) = self.by_key.get(&key).filter(|_| !is_end) {
            return Ok(node);
        }
        let limit_bytes = self.options.memory_bytes;
        let others = self.nodes.len() * size_of::<Node<G>>()
            + self.edges.len() * (size_of::<(G::Move, u32)>() + size_of::<Edge>());
        make_room(&mut self.by_key, others, limit_bytes)?;
        let node = u32::try_from(self.nodes.len()).map_err(|_| OutOfMemory { limit_bytes })?;
        let may_end = is_end || (self.decided)(position);
        let is_won_end = may_end && self.known(position).is_some_and(|(wins, _)| wins);
        self.nodes.push(Node {
            position: position.clone(),
            attacker_moves: self.problem.attacker_moves(position),
            is_won_end,
            moves: Vec::new(),
            untried: Vec::new(),
            rank: if is_won_end { 0 } else { UNRANKED },
            missing: 0,
            last_edge: None,
        });
        if !is_end {
            self.by_key.insert(key, node);
        }
        if !is_end && !is_won_end {
            self.open.push(node);
        }
        Ok(node)
    }

    /// Whether the attacker wins a position, if that is known for good, and the work that it took.
    fn known(&self, position: &G::Position) -> Option<(bool, u64)> {
        let recalled = self.problem.recall(position, &self.options, self.store)?;
        let wins = recalled.won == self.problem.attacker_moves(position);
        recalled.is_final.then_some((wins, recalled.work))
    }

    /// Whether the attacker wins a position, by a search if need be.
    fn wins(&self, position: &G::Position) -> Result<bool, SolveError> {
        match self.known(position) {
            Some((wins, _)) => Ok(wins),
            None => Ok(self.search(position)?.0),
        }
    }

    /// Whether the attacker wins a position, and by which move if it is his and that is known.
    fn search(&self, position: &G::Position) -> Result<(bool, Option<G::Move>), SolveError> {
        let Problem { oracle, game, .. } = *self.problem;
        let attacker_moves = self.problem.attacker_moves(position);
        let question = if attacker_moves { Question::Wins } else { Question::Holds };
        let problem = Problem { oracle, ..Problem::new(game, position, question) };
        let outcome = Algorithm::DfPn.answer(&problem, &self.options, self.store, self.monitor)?;
        let won = outcome.won.ok_or(SolveError::Stopped)?;
        Ok((won == attacker_moves, outcome.winning_move.filter(|_| attacker_moves)))
    }

    /// Adds the children of a node: all of a defender's, one of an attacker's. Returns whether
    /// there is such a one.
    fn grow(&mut self, node: u32) -> Result<bool, SolveError> {
        self.check_stop()?;
        let Node { position, attacker_moves, .. } = &self.nodes[node as usize];
        let (position, attacker_moves) = (position.clone(), *attacker_moves);
        let mut moves = Vec::new();
        self.problem.game.moves(&position, &mut moves);
        if !attacker_moves {
            for mv in moves {
                self.link(node, &position, mv)?;
            }
            self.settle(node, 0);
            return Ok(true);
        }
        self.nodes[node as usize].untried = moves;
        if self.add_known(node)? {
            return Ok(true);
        }
        // The table has forgotten it.
        if let (true, Some(mv)) = self.search(&position)? {
            self.nodes[node as usize].untried.retain(|other| *other != mv);
            self.link(node, &position, mv)?;
            return Ok(true);
        }
        self.add_searched(node)
    }

    /// Adds a move to a node, whose position that is.
    fn link(&mut self, node: u32, position: &G::Position, mv: G::Move) -> Result<(), SolveError> {
        // A rank that is still to be spread would be told to the new parent twice. Defenders get
        // all their moves at once, and nothing is ranked meanwhile.
        while let Some(node) = self.ranked.pop() {
            self.spread(node);
        }
        let child = self.node(&self.problem.game.after(position, &mv))?;
        let edge = self.edges.len() as u32;
        let Node { last_edge, rank, .. } = &mut self.nodes[child as usize];
        self.edges.push(Edge { parent: node, before: last_edge.replace(edge) });
        let rank = *rank;
        let parent = &mut self.nodes[node as usize];
        parent.moves.push((mv, child));
        if rank == UNRANKED {
            parent.missing += 1;
        } else if parent.attacker_moves {
            self.settle(node, rank);
        }
        Ok(())
    }

    /// Gives a node its rank, if it can have one: a child of an attacker's has that rank, or one of
    /// a defender's may have been the last without.
    fn settle(&mut self, node: u32, rank: u32) {
        let Node { attacker_moves, missing, rank: own, moves, .. } = &self.nodes[node as usize];
        if *own != UNRANKED || (!attacker_moves && *missing > 0) {
            return;
        }
        let rank = match attacker_moves {
            true => rank,
            false => {
                let ranks = moves.iter().map(|(_, child)| self.nodes[*child as usize].rank);
                ranks.max().unwrap_or(0)
            }
        };
        self.nodes[node as usize].rank = rank + 1;
        self.ranked.push(node);
    }

    /// Tells the parents of a node that it has a rank.
    fn spread(&mut self, node: u32) {
        let Node { rank, last_edge, .. } = self.nodes[node as usize];
        let mut edge = last_edge;
        while let Some(&Edge { parent, before }) = edge.map(|edge| &self.edges[edge as usize]) {
            self.nodes[parent as usize].missing -= 1;
            self.settle(parent, rank);
            edge = before;
        }
    }

    /// Adds moves to the innermost circles: those that are known to win, or if there are none those
    /// that searches find. Returns whether that was possible.
    fn widen(&mut self, root: u32) -> Result<bool, SolveError> {
        let circles = innermost(root, |node, next| {
            let moves = self.nodes[node as usize].moves.iter().map(|(_, child)| *child);
            next.extend(moves.filter(|child| self.nodes[*child as usize].rank == UNRANKED));
        });
        let mut added = false;
        for mut circle in circles {
            circle.retain(|node| self.nodes[*node as usize].attacker_moves);
            let mut is_wider = false;
            for &node in &circle {
                self.check_stop()?;
                is_wider |= self.add_known(node)?;
            }
            if !is_wider {
                for &node in &circle {
                    is_wider |= self.add_searched(node)?;
                }
            }
            added |= is_wider;
        }
        Ok(added)
    }

    /// Adds a move to a child that is known to be won: one with a rank, or the one that took the
    /// least work, since a position that took less work is seldom won by way of one that took more.
    fn add_known(&mut self, node: u32) -> Result<bool, SolveError> {
        let game = self.problem.game;
        let Node { position, untried, .. } = &mut self.nodes[node as usize];
        let (position, untried) = (position.clone(), std::mem::take(untried));
        let (mut best, mut rest) = (None, Vec::new());
        for mv in untried {
            let child = game.after(&position, &mv);
            let ranked = self.by_key.get(&game.key(&child));
            let is_ranked = ranked.is_some_and(|&node| self.nodes[node as usize].rank != UNRANKED);
            let replies = game.count_moves(&child);
            let work = match self.known(&child) {
                Some((false, _)) => continue,
                Some((true, _)) if is_ranked || replies == 0 => 0,
                Some((true, work)) => work.max(1),
                None => u64::MAX,
            };
            match &best {
                Some((least, _)) if *least <= (work, replies) => rest.push(mv),
                _ if work == u64::MAX => rest.push(mv),
                _ => rest.extend(best.replace(((work, replies), mv)).map(|(_, mv)| mv)),
            }
        }
        self.nodes[node as usize].untried = rest;
        match best {
            Some((_, mv)) => self.link(node, &position, mv).map(|()| true),
            None => Ok(false),
        }
    }

    /// Adds the first move of which a search finds that it wins.
    fn add_searched(&mut self, node: u32) -> Result<bool, SolveError> {
        let position = self.nodes[node as usize].position.clone();
        while let Some(mv) = self.nodes[node as usize].untried.pop() {
            if self.wins(&self.problem.game.after(&position, &mv))? {
                self.link(node, &position, mv)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Finds the least ranks that the moves of the set allow.
    fn minimise(&mut self) {
        let mut ranked = std::collections::VecDeque::new();
        for (node, i) in self.nodes.iter_mut().zip(0..) {
            node.rank = if node.is_won_end { 0 } else { UNRANKED };
            node.missing = node.moves.len() as u32;
            if node.is_won_end {
                ranked.push_back(i);
            }
        }
        // In the order of ranks, since each is one more than that of a node before.
        while let Some(node) = ranked.pop_front() {
            let Node { rank, last_edge, .. } = self.nodes[node as usize];
            let mut edge = last_edge;
            while let Some(&Edge { parent, before }) = edge.map(|edge| &self.edges[edge as usize]) {
                let parent_node = &mut self.nodes[parent as usize];
                parent_node.missing -= 1;
                let has_rank = parent_node.attacker_moves || parent_node.missing == 0;
                if has_rank && parent_node.rank == UNRANKED {
                    parent_node.rank = rank + 1;
                    ranked.push_back(parent);
                }
                edge = before;
            }
        }
    }

    /// The attacker's nodes that can come up from the root, each with its move to the least rank.
    fn reachable(&self) -> Vec<Chosen<G>> {
        let mut found = Vec::new();
        let mut seen = vec![false; self.nodes.len()];
        // The root is the first node.
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            let Node { position, attacker_moves, moves, rank, .. } = &self.nodes[node as usize];
            if (self.decided)(position) {
                continue;
            }
            if !*attacker_moves {
                open.extend(moves.iter().map(|(_, child)| *child));
                continue;
            }
            let least = moves.iter().min_by_key(|(_, child)| self.nodes[*child as usize].rank);
            if let Some((mv, child)) = least {
                let (position, mv) = (position.clone(), mv.clone());
                found.push(Chosen { position, mv, rank: *rank });
                open.push(*child);
            }
        }
        found
    }
}
