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
//! rank, and their other winning moves come in, first those that the table knows, then those that
//! searches find, until the root has a rank. This ends. There are finitely many moves, and once
//! every position without a rank has all its winning moves, there is no such position: among them
//! take one from which the attacker wins in the least number of plies. All its children if the
//! defender moves, one of them if the attacker moves, are in the set and won in fewer plies. So
//! they have ranks, and then it has one, too.
//!
//! Of all moves in the set those to the least ranks are kept.

use hashbrown::HashMap;
use papamu_base::memory::{OutOfMemory, make_room};
use papamu_game::{Guided, Question};

use super::Chosen;
use super::repetition::failure;
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
    /// It is an end that the attacker has won.
    is_won_end: bool,
    /// All moves of the defender, or some winning moves of the attacker, and where they lead.
    moves: Vec<(G::Move, u32)>,
    /// Moves of the attacker that may win, too.
    untried: Vec<G::Move>,
    rank: u32,
}

/// A set in the making.
struct Ranking<'a, G: Guided> {
    problem: &'a Problem<'a, G>,
    options: Options,
    store: &'a Store<G::Key>,
    monitor: &'a Monitor,
    nodes: Vec<Node<G>>,
    by_key: HashMap<G::Key, u32>,
    /// The number of moves of all nodes.
    edges: usize,
    /// Nodes without moves.
    open: Vec<u32>,
}

/// The attacker's positions of a ranked set, with his moves and their ranks, down to the ends of
/// the game: all that can come up from the root on if he makes these moves. `None` if he does not
/// win. The table is that of a df-pn search of the same question.
pub fn ranked_set<G: Guided>(
    problem: &Problem<G>,
    options: &Options,
    store: &Store<G::Key>,
    monitor: &Monitor,
) -> Result<Option<Vec<Chosen<G>>>, SolveError> {
    let mut ranking = Ranking {
        problem,
        options: Options { threads: 1, ..*options },
        store,
        monitor,
        nodes: Vec::new(),
        by_key: HashMap::new(),
        edges: 0,
        open: Vec::new(),
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
        loop {
            while let Some(node) = self.open.pop() {
                if !self.grow(node)? {
                    return Ok(false);
                }
            }
            self.rank();
            if self.nodes[root as usize].rank != UNRANKED {
                return Ok(true);
            }
            if !self.add_moves(false)? && !self.add_moves(true)? {
                return Ok(false);
            }
        }
    }

    fn check_stop(&self) -> Result<(), SolveError> {
        if self.monitor.is_stopped() { Err(SolveError::Stopped) } else { Ok(()) }
    }

    fn after(&self, position: &G::Position, mv: &G::Move) -> G::Position {
        let mut after = position.clone();
        self.problem.game.play(&mut after, mv);
        after
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
        let others =
            self.nodes.len() * size_of::<Node<G>>() + self.edges * size_of::<(G::Move, u32)>();
        make_room(&mut self.by_key, others, limit_bytes)?;
        let node = u32::try_from(self.nodes.len()).map_err(|_| OutOfMemory { limit_bytes })?;
        self.nodes.push(Node {
            position: position.clone(),
            attacker_moves: self.problem.attacker_moves(position),
            is_won_end: is_end && self.known(position).is_some_and(|(wins, _)| wins),
            moves: Vec::new(),
            untried: Vec::new(),
            rank: UNRANKED,
        });
        if !is_end {
            self.by_key.insert(key, node);
            self.open.push(node);
        }
        Ok(node)
    }

    /// Whether the attacker wins a position, if that is known for good, and the work that it took.
    fn known(&self, position: &G::Position) -> Option<(bool, u64)> {
        let fails = failure(self.problem.attacker_moves(position));
        let numbers = self.problem.evaluate(position, &self.options, None);
        if numbers.solved().is_some() {
            return Some((numbers != fails, 0));
        }
        let data = self.store.table.get_solved(self.problem.game.key(position))?;
        (!data.is_provisional()).then_some((data.numbers() != fails, data.work()))
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

    fn link(&mut self, node: u32, position: &G::Position, mv: G::Move) -> Result<(), SolveError> {
        let child = self.node(&self.after(position, &mv))?;
        self.nodes[node as usize].moves.push((mv, child));
        self.edges += 1;
        Ok(())
    }

    /// Adds a move to every position of the attacker that has no rank: one that is known to win, or
    /// one that a search finds. Returns whether there was any.
    fn add_moves(&mut self, searches: bool) -> Result<bool, SolveError> {
        let mut added = false;
        for node in 0..self.nodes.len() as u32 {
            let Node { attacker_moves, rank, .. } = self.nodes[node as usize];
            if attacker_moves && rank == UNRANKED {
                self.check_stop()?;
                added |= if searches { self.add_searched(node)? } else { self.add_known(node)? };
            }
        }
        Ok(added)
    }

    /// Adds the move to the child that is known to be won with the least work, since a position
    /// that took less work is seldom won by way of one that took more. An end takes none.
    fn add_known(&mut self, node: u32) -> Result<bool, SolveError> {
        let Node { position, untried, .. } = &self.nodes[node as usize];
        let (position, untried) = (position.clone(), untried.clone());
        let (mut best, mut rest) = (None, Vec::new());
        for mv in untried {
            let child = self.after(&position, &mv);
            let work = match self.known(&child) {
                Some((false, _)) => continue,
                Some((true, _)) if self.problem.game.count_moves(&child) == 0 => 0,
                Some((true, work)) => work.max(1),
                None => u64::MAX,
            };
            match &best {
                Some((least, _)) if *least <= work => rest.push(mv),
                _ if work == u64::MAX => rest.push(mv),
                _ => rest.extend(best.replace((work, mv)).map(|(_, mv)| mv)),
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
            if self.wins(&self.after(&position, &mv))? {
                self.link(node, &position, mv)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Finds all ranks, the least first.
    fn rank(&mut self) {
        let mut parents: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        // The number of children of a defender that have no rank yet.
        let mut missing = vec![0_u32; self.nodes.len()];
        let mut ranked = std::collections::VecDeque::new();
        for (node, i) in self.nodes.iter_mut().zip(0..) {
            node.rank = if node.is_won_end { 0 } else { UNRANKED };
            if node.is_won_end {
                ranked.push_back(i);
            }
            missing[i as usize] = node.moves.len() as u32;
            node.moves.iter().for_each(|(_, child)| parents[*child as usize].push(i));
        }
        while let Some(node) = ranked.pop_front() {
            let rank = self.nodes[node as usize].rank;
            for &parent in &parents[node as usize] {
                let missing = &mut missing[parent as usize];
                *missing -= 1;
                let parent_node = &mut self.nodes[parent as usize];
                let is_ranked = parent_node.attacker_moves || *missing == 0;
                if is_ranked && parent_node.rank == UNRANKED {
                    parent_node.rank = rank + 1;
                    ranked.push_back(parent);
                }
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
