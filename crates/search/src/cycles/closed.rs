//! Closed sets: how a disproof is settled.
//!
//! A set of positions shows that the attacker fails if it is *closed*: with the attacker to move
//! all children are in the set, with the defender to move one child is, and every end in it is no
//! win of the attacker. Then the defender stays in the set for ever, or until the game ends well
//! for him.
//!
//! The set is grown from the root. Where the defender has a choice, the search advises: the table
//! has its disproofs, and what the table has forgotten is searched again. The advice may be wrong.
//! Then the set runs into positions that are proved, and the proof spreads backwards: an attacker
//! with a proved child wins, and a defender whose chosen child is proved chooses another one, until
//! none is left. This ends, because every choice is made at most once. Then either the root is
//! proved, or the positions that are left are closed.
//!
//! A position that has to be searched again may be hard, and another defence far above it easy. So
//! such a search is limited. If it ends without an answer, all disproofs that led to the position
//! are forgotten, and the search from the root on decides what to try next, with what all searches
//! have left in the table. The limit grows with all work so far, so there is a last round.
//!
//! To settle a question, the set may end where the table has final disproofs. For a certificate it
//! goes on to the ends of the game, since nobody else has the table, or to positions that others
//! can decide by themselves.

use hashbrown::HashMap;
use papamu_base::memory::{OutOfMemory, make_room};
use papamu_game::{Game, Guided, Question};

use super::repetition::failure;
use super::{Chosen, Decided};
use crate::dfpn;
use crate::numbers::Numbers;
use crate::options::Options;
use crate::problem::Problem;
use crate::run::{Monitor, Outcome, Store};
use crate::solver::SolveError;
use crate::table::Data;

/// What took less work is searched again on one thread: most of these searches are over before
/// another thread could begin.
const PARALLEL_WORK: u64 = 100_000;

/// A search within the set is limited to this share of all work so far, and not below that many
/// positions. In tests, whose games are small, some searches must exceed it.
const LIMIT_SHARE: u64 = 100;
const LEAST_LIMIT_NODES: u64 = if cfg!(test) { 20 } else { 100_000 };

/// How many sets were given up. Tests make sure that some are.
#[cfg(test)]
pub(super) static UNCLEAR: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

/// What growing a closed set has shown.
pub(crate) enum Settled<M> {
    /// The attacker wins, with this move if it is his.
    Wins(Option<M>),
    /// The attacker fails. If the defender is to move, this move is good.
    Fails(Option<M>),
    /// A disproof was wrong, and nobody knows yet what that means for the root.
    Unclear,
}

/// What the defender does in a position.
enum Choice<M> {
    Move(M),
    /// The attacker wins whatever he does.
    Lost,
    /// The search has not found out.
    Unclear,
}

/// A position of the set.
struct Member<G: Guided> {
    position: G::Position,
    key: G::Key,
    /// It has no moves. Then its key may be that of another position.
    is_end: bool,
    attacker_moves: bool,
    /// Whether the attacker wins.
    is_proved: bool,
    /// What the defender has chosen, or what proves the position for the attacker.
    chosen: Option<(G::Move, u32)>,
    /// The last of the edges that lead here.
    last_edge: Option<u32>,
}

/// From a parent to a child, and the edge before it that leads to the same child.
struct Edge {
    parent: u32,
    before: Option<u32>,
}

/// Where a set may end.
#[derive(Clone, Copy)]
enum Extent<'a, G: Guided> {
    /// Where the attacker fails for good.
    Disproofs,
    /// Where the game ends, and where others decide.
    Ends(Decided<'a, G>),
}

/// A set in the making.
struct Closing<'a, G: Guided> {
    problem: &'a Problem<'a, G>,
    search: Search<G>,
    extent: Extent<'a, G>,
    options: &'a Options,
    store: &'a Store<G::Key>,
    monitor: &'a Monitor,
    members: Vec<Member<G>>,
    by_key: HashMap<G::Key, u32>,
    edges: Vec<Edge>,
    /// Members whose children have to be looked at.
    open: Vec<u32>,
    /// Members that are proved, whose parents do not know it yet.
    proved: Vec<u32>,
    moves: Vec<G::Move>,
}

/// What is known about a position without a look at its children.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Proved,
    /// The attacker fails, for good.
    Disproved,
    /// The search says that he fails.
    Provisional,
    Nothing,
}

/// Answers the question of a problem, provisionally.
type Answer<G> =
    fn(&Problem<G>, &Options, &Store<<G as Game>::Key>, &Monitor) -> Outcome<<G as Game>::Move>;

/// A search for provisional answers.
pub(crate) struct Search<G: Guided> {
    pub(crate) run: Answer<G>,
    /// Whether it goes on where it was stopped, by its table.
    pub(crate) goes_on: bool,
}

// Not derived, which would want the game to be copied.
impl<G: Guided> Clone for Search<G> {
    fn clone(&self) -> Search<G> {
        *self
    }
}

impl<G: Guided> Copy for Search<G> {}

/// Settles whether the attacker fails at the root of a problem, as a search says. What the table
/// has forgotten is searched by `search`.
pub(crate) fn settle<G: Guided>(
    problem: &Problem<G>,
    options: &Options,
    store: &Store<G::Key>,
    monitor: &Monitor,
    search: Search<G>,
) -> Result<Settled<G::Move>, SolveError> {
    Closing::new(problem, options, store, monitor, search, Extent::Disproofs).run()
}

/// The defender's positions of a closed set, with his moves, down to the ends of the game: all that
/// can come up from the root on if he makes these moves. `None` if the attacker wins. The table is
/// that of a df-pn search of the same question. Positions that others decide are left out.
pub fn closed_set<G: Guided>(
    problem: &Problem<G>,
    options: &Options,
    store: &Store<G::Key>,
    monitor: &Monitor,
    decided: Decided<'_, G>,
) -> Result<Option<Vec<Chosen<G>>>, SolveError> {
    let extent = Extent::Ends(decided);
    // The question is settled, so a search finds what is missing sooner or later.
    let search = Search { run: dfpn::solve, goes_on: false };
    let mut closing = Closing::new(problem, options, store, monitor, search, extent);
    Ok(match closing.run()? {
        Settled::Fails(_) => Some(closing.reachable()),
        Settled::Wins(_) | Settled::Unclear => None,
    })
}

impl<'a, G: Guided> Closing<'a, G> {
    fn new(
        problem: &'a Problem<'a, G>,
        options: &'a Options,
        store: &'a Store<G::Key>,
        monitor: &'a Monitor,
        search: Search<G>,
        extent: Extent<'a, G>,
    ) -> Closing<'a, G> {
        Closing {
            problem,
            search,
            extent,
            options,
            store,
            monitor,
            members: Vec::new(),
            by_key: HashMap::new(),
            edges: Vec::new(),
            open: Vec::new(),
            proved: Vec::new(),
            moves: Vec::new(),
        }
    }

    fn run(&mut self) -> Result<Settled<G::Move>, SolveError> {
        let root = self.member(self.problem.root)?;
        loop {
            if self.monitor.is_stopped() {
                return Err(SolveError::Stopped);
            }
            if let Some(member) = self.proved.pop() {
                self.spread(member);
            } else if self.members[root as usize].is_proved {
                break;
            } else if let Some(member) = self.open.pop() {
                if !self.grow(member)? {
                    self.forget(member);
                    #[cfg(test)]
                    UNCLEAR.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    return Ok(Settled::Unclear);
                }
            } else {
                break;
            }
        }
        let Member { is_proved, chosen, .. } = &self.members[root as usize];
        let mv = chosen.as_ref().map(|(mv, _)| mv.clone());
        if *is_proved {
            return Ok(Settled::Wins(mv));
        }
        let is_news = |member: &&Member<G>| !member.is_proved && !member.is_end;
        for member in self.members.iter().filter(is_news) {
            let numbers = failure(member.attacker_moves);
            self.store.table.put(member.key, Data::new(numbers, 1));
            self.problem.report(&member.position, numbers == Numbers::WON);
        }
        Ok(Settled::Fails(mv))
    }

    /// The member of a position, which may be new.
    fn member(&mut self, position: &G::Position) -> Result<u32, SolveError> {
        let key = self.problem.game.key(position);
        let is_end = self.is_end(position);
        if let Some(member) = self.member_of(key, is_end) {
            return Ok(member);
        }
        let limit_bytes = self.options.memory_bytes;
        let others = self.members.len() * (size_of::<Member<G>>() + size_of::<Edge>());
        make_room(&mut self.by_key, others, limit_bytes)?;
        let member = u32::try_from(self.members.len()).map_err(|_| OutOfMemory { limit_bytes })?;
        let known = self.known(position);
        let is_enough = known == Known::Disproved && self.may_end(position, is_end);
        self.members.push(Member {
            position: position.clone(),
            key,
            is_end,
            attacker_moves: self.problem.attacker_moves(position),
            is_proved: false,
            chosen: None,
            last_edge: None,
        });
        if !is_end {
            self.by_key.insert(key, member);
        }
        match known {
            Known::Proved => self.prove(member),
            _ if is_enough => (),
            _ => self.open.push(member),
        }
        Ok(member)
    }

    fn is_end(&self, position: &G::Position) -> bool {
        self.problem.game.count_moves(position) == 0
    }

    /// The member with that key. Ends have no keys, and every one is a member of its own.
    fn member_of(&self, key: G::Key, is_end: bool) -> Option<u32> {
        self.by_key.get(&key).copied().filter(|_| !is_end)
    }

    /// Whether the set may end with a position in which the attacker fails.
    fn may_end(&self, position: &G::Position, is_end: bool) -> bool {
        match self.extent {
            Extent::Disproofs => true,
            Extent::Ends(decided) => is_end || decided(position),
        }
    }

    fn known(&self, position: &G::Position) -> Known {
        let Some(recalled) = self.problem.recall(position, self.options, self.store) else {
            return Known::Nothing;
        };
        match recalled.won == self.problem.attacker_moves(position) {
            true => Known::Proved,
            false if recalled.is_final => Known::Disproved,
            false => Known::Provisional,
        }
    }

    /// The attacker wins in a member.
    fn prove(&mut self, member: u32) {
        let Member { is_proved, is_end, attacker_moves, key, position, .. } =
            &mut self.members[member as usize];
        if !std::mem::replace(is_proved, true) {
            if !*is_end {
                let numbers = failure(!*attacker_moves);
                self.store.table.put(*key, Data::new(numbers, 1));
                self.problem.report(position, numbers == Numbers::WON);
            }
            self.proved.push(member);
        }
    }

    /// Tells the parents of a member that it is proved.
    fn spread(&mut self, member: u32) {
        let mut edge = self.members[member as usize].last_edge;
        while let Some(Edge { parent, before }) = edge.map(|edge| &self.edges[edge as usize]) {
            let (parent, before) = (*parent, *before);
            let Member { is_proved, attacker_moves, chosen, .. } = &self.members[parent as usize];
            if !is_proved && *attacker_moves {
                let mv = self.move_to(parent, member);
                self.members[parent as usize].chosen = mv.map(|mv| (mv, member));
                self.prove(parent);
            } else if !is_proved && chosen.as_ref().is_some_and(|(_, child)| *child == member) {
                self.members[parent as usize].chosen = None;
                self.open.push(parent);
            }
            edge = before;
        }
    }

    fn move_to(&mut self, parent: u32, child: u32) -> Option<G::Move> {
        let game = self.problem.game;
        let position = &self.members[parent as usize].position;
        let key = self.members[child as usize].key;
        self.moves.clear();
        game.moves(position, &mut self.moves);
        let Member { is_end, position: target, .. } = &self.members[child as usize];
        let leads_there = |mv: &&G::Move| {
            let after = game.after(position, mv);
            if *is_end { after == *target } else { game.key(&after) == key && !self.is_end(&after) }
        };
        self.moves.iter().find(leads_there).cloned()
    }

    fn link(&mut self, parent: u32, child: u32) {
        let before = self.members[child as usize].last_edge.replace(self.edges.len() as u32);
        self.edges.push(Edge { parent, before });
    }

    /// Forgets the disproofs of all members from which moves of the set lead to a member.
    fn forget(&mut self, member: u32) {
        let mut seen = vec![false; self.members.len()];
        let mut open = vec![member];
        while let Some(member) = open.pop() {
            if std::mem::replace(&mut seen[member as usize], true) {
                continue;
            }
            let Member { key, last_edge, .. } = self.members[member as usize];
            if self.store.table.get(key).is_some_and(Data::is_provisional) {
                self.store.table.remove(key);
            }
            let mut edge = last_edge;
            while let Some(Edge { parent, before }) = edge.map(|edge| &self.edges[edge as usize]) {
                open.push(*parent);
                edge = *before;
            }
        }
    }

    /// Looks at the children of a member: all of an attacker's, one of a defender's. Returns
    /// whether that one was found, or it is clear that there is none.
    fn grow(&mut self, member: u32) -> Result<bool, SolveError> {
        let Member { position, attacker_moves, is_proved, .. } = &self.members[member as usize];
        if *is_proved {
            return Ok(true);
        }
        let (position, attacker_moves) = (position.clone(), *attacker_moves);
        let settles = matches!(self.extent, Extent::Disproofs);
        if settles && self.known(&position) == Known::Disproved {
            // A search within the set has found that out meanwhile.
            return Ok(true);
        }
        let (game, mut moves) = (self.problem.game, Vec::new());
        game.moves(&position, &mut moves);
        if attacker_moves {
            for mv in moves {
                let child = self.member(&game.after(&position, &mv))?;
                self.link(member, child);
                if self.members[child as usize].is_proved {
                    self.members[member as usize].chosen = Some((mv, child));
                    self.prove(member);
                    break;
                }
            }
            return Ok(true);
        }
        match self.choose(&position, moves)? {
            Choice::Move(mv) => {
                let child = self.member(&game.after(&position, &mv))?;
                self.link(member, child);
                self.members[member as usize].chosen = Some((mv, child));
                if self.members[child as usize].is_proved {
                    // The choice was wrong; there may be another one.
                    self.open.push(member);
                }
            }
            Choice::Lost => self.prove(member),
            Choice::Unclear => return Ok(false),
        }
        Ok(true)
    }

    /// The defender's best advice: a move to a position that is not proved.
    fn choose(
        &self,
        position: &G::Position,
        moves: Vec<G::Move>,
    ) -> Result<Choice<G::Move>, SolveError> {
        let game = self.problem.game;
        let mut best: Option<(u8, G::Move)> = None;
        let mut offer = |rank: u8, mv: G::Move| {
            if best.as_ref().is_none_or(|(known, _)| rank > *known) {
                best = Some((rank, mv));
            }
        };
        for mv in moves {
            let child = game.after(position, &mv);
            let (key, is_end) = (game.key(&child), self.is_end(&child));
            let member = self.member_of(key, is_end);
            let member = member.map(|member| &self.members[member as usize]);
            match (member, self.known(&child)) {
                (Some(Member { is_proved: true, .. }), _) | (_, Known::Proved) => (),
                (_, Known::Disproved) if self.may_end(&child, is_end) => {
                    return Ok(Choice::Move(mv));
                }
                // What is there already adds nothing.
                (Some(_), _) => offer(3, mv),
                (None, Known::Disproved) => offer(2, mv),
                (None, Known::Provisional) => offer(1, mv),
                (None, Known::Nothing) => offer(0, mv),
            }
        }
        match best {
            None => Ok(Choice::Lost),
            Some((0, any)) => self.search_again(position, any),
            Some((_, mv)) => Ok(Choice::Move(mv)),
        }
    }

    /// The table has forgotten what to do in a position, or never knew. Searched on its own, the
    /// position has a move; any will do if the search does not say which.
    fn search_again(
        &self,
        position: &G::Position,
        any: G::Move,
    ) -> Result<Choice<G::Move>, SolveError> {
        let game = self.problem.game;
        let problem = Problem { root: position, question: Question::Holds, ..*self.problem };
        let search = |threads| {
            let options = Options { threads, ..*self.options };
            (self.search.run)(&problem, &options, self.store, self.monitor)
        };
        let outcome = if self.search.goes_on {
            let known = self.store.table.get(game.key(position));
            let is_large = known.is_some_and(|data| data.work() >= PARALLEL_WORK);
            let threads = if is_large { self.options.threads } else { 1 };
            if known.is_some_and(Data::is_solved) {
                // Numbers shall take the place of a result that was wrong, and threads that find a
                // result of the root in the table end.
                self.store.table.remove(game.key(position));
            }
            let nodes = (self.monitor.nodes() / LIMIT_SHARE).max(LEAST_LIMIT_NODES);
            self.monitor.limited(nodes, || search(threads))
        } else {
            search(1)
        };
        match outcome.won {
            None if self.monitor.is_stopped() => Err(SolveError::Stopped),
            None => Ok(Choice::Unclear),
            Some(false) => Ok(Choice::Lost),
            Some(true) => {
                let is_open = |mv: &G::Move| {
                    let child = game.after(position, mv);
                    let member = self.member_of(game.key(&child), self.is_end(&child));
                    member.is_none_or(|i| !self.members[i as usize].is_proved)
                };
                Ok(Choice::Move(outcome.winning_move.filter(is_open).unwrap_or(any)))
            }
        }
    }

    /// The defender's members that can come up from the root on, with his moves.
    fn reachable(&self) -> Vec<Chosen<G>> {
        let game = self.problem.game;
        let (mut found, mut moves) = (Vec::new(), Vec::new());
        let mut seen = vec![false; self.members.len()];
        // The root is the first member.
        let mut open = vec![0];
        while let Some(member) = open.pop() {
            if std::mem::replace(&mut seen[member as usize], true) {
                continue;
            }
            let Member { position, attacker_moves, chosen, .. } = &self.members[member as usize];
            if self.may_end(position, false) {
                continue;
            }
            if *attacker_moves {
                moves.clear();
                game.moves(position, &mut moves);
                open.extend(moves.iter().filter_map(|mv| {
                    let child = game.after(position, mv);
                    self.member_of(game.key(&child), self.is_end(&child))
                }));
            } else if let Some((mv, child)) = chosen {
                found.push(Chosen { position: position.clone(), mv: mv.clone(), rank: 0 });
                open.push(*child);
            }
        }
        found
    }
}
