//! Depth-first proof-number search (A. Nagai, 2002) with the 1 + epsilon trick (J. Pawlewicz and
//! L. Lew, 2006), on one thread or many.
//!
//! A position is searched until one of its numbers reaches its threshold. Let c1 be the most
//! promising child, which has the least delta, and delta2 the second least delta. The thresholds of
//! c1 are
//!
//! ```text
//! delta_t(c1) = min(phi_t(n), max(delta2 + 1, floor(delta2 (1 + epsilon))))
//! phi_t(c1)   = the least phi that brings delta(n) to delta_t(n)
//! ```
//!
//! Threads share little but the tables (T. Kaneko, 2010). A child on which other threads work looks
//! worse than it is (see `parallel.rs`), so threads spread out. A thread whose path leads through a
//! position that was just solved returns to that position.

use papamu_game::Guided;

use crate::cycles::{Basis, Repetition};
use crate::numbers::{INFINITE, LARGEST, Numbers};
use crate::options::Options;
use crate::parallel::Crowd;
use crate::problem::Problem;
use crate::run::{Counter, Monitor, Outcome, Run, Store};
use crate::table::Data;

/// Answers the question of a problem.
pub(crate) fn solve<G: Guided>(
    problem: &Problem<G>,
    options: &Options,
    store: &Store<G::Key>,
    monitor: &Monitor,
) -> Outcome<G::Move> {
    let run = Run::new(problem, options, store, monitor);
    let crowd = (options.threads > 1).then(Crowd::new);
    let search = || {
        let mut search = Search {
            run: &run,
            crowd: crowd.as_ref(),
            counter: run.counter(),
            children: Vec::new(),
            moves: Vec::new(),
            path: Vec::new(),
            repetition: Repetition::new(),
            solved_events: 0,
            turn_back_to: usize::MAX,
            expansions: 0,
        };
        search.root()
    };
    let mut numbers = problem.evaluate(problem.root, options, None);
    if numbers.solved().is_none() {
        numbers = std::thread::scope(|scope| {
            for _ in 1..options.threads {
                // If the system grants fewer threads, those that there are do the search.
                let _ = std::thread::Builder::new().spawn_scoped(scope, search);
            }
            search()
        });
    }
    run.outcome(numbers, run.winning_move())
}

#[derive(Clone, Copy)]
struct Thresholds {
    phi: u32,
    delta: u32,
}

struct Child<G: Guided> {
    mv: G::Move,
    key: G::Key,
    numbers: Numbers,
    /// The work that its numbers took; 0 if it was never searched.
    work: u64,
}

/// A threshold that an unsolved position can reach: no unsolved number is larger than the largest,
/// so beyond it only a solution ends the search.
#[inline]
fn reachable(threshold: u32) -> u32 {
    if threshold > LARGEST { INFINITE } else { threshold }
}

/// One thread's search.
struct Search<'a, G: Guided> {
    run: &'a Run<'a, G>,
    /// The other threads, if any.
    crowd: Option<&'a Crowd>,
    counter: Counter<'a>,
    /// The unsolved children of all positions on the path from the root.
    children: Vec<Child<G>>,
    moves: Vec<G::Move>,
    /// The keys of those positions.
    path: Vec<G::Key>,
    repetition: Repetition<G>,
    /// The number of solved events that this thread has seen.
    solved_events: u64,
    /// The length of the path up to the first position that another thread has solved.
    turn_back_to: usize,
    /// Positions that this thread has expanded for the first time.
    expansions: u64,
}

/// Below positions that took this much work, threads mark where they are and avoid each other.
/// Smaller searches end before it matters, and their marks would move between the processors'
/// caches all the time: without them two threads are up to a third faster.
const CROWDED_WORK: u64 = 200;

/// Measuring how full the table is takes as long as some hundred nodes.
const EXPANSIONS_PER_LOOK: u64 = 1 << 16;

impl<G: Guided> Search<'_, G> {
    /// Searches the root until it is solved or the run is stopped.
    fn root(&mut self) -> Numbers {
        let mut position = self.run.problem.root.clone();
        let key = self.run.problem.game.key(&position);
        let unlimited = Thresholds { phi: INFINITE, delta: INFINITE };
        loop {
            let known_work = self.run.table.get(key).map_or(0, Data::work);
            let (numbers, _) = self.search(&mut position, key, known_work, unlimited);
            if numbers.solved().is_some() || self.run.monitor.is_stopped() {
                return numbers;
            }
        }
    }

    /// Searches an unsolved position until a threshold is reached. Returns its numbers and the work
    /// that they took in all.
    fn search(
        &mut self,
        position: &mut G::Position,
        key: G::Key,
        known_work: u64,
        thresholds: Thresholds,
    ) -> (Numbers, u64) {
        self.path.push(key);
        self.repetition.enter(self.run.problem, position, key);
        let first = self.children.len();
        let nodes_before = self.counter.nodes_in_all();
        let numbers = match self.expand(position, known_work == 0) {
            Some(numbers) => numbers,
            None => self.search_children(position, key, first, known_work, thresholds),
        };
        self.children.truncate(first);
        self.path.pop();
        let work = known_work.saturating_add(self.counter.nodes_in_all() - nodes_before + 1);
        let basis = self.repetition.leave();
        if numbers.solved().is_some() {
            self.run.store_solved(position, key, numbers, work, basis);
        } else {
            self.run.table.put(key, Data::new(numbers, work));
        }
        (numbers, work)
    }

    /// Searches the best child again and again until the position is solved or a threshold is
    /// reached.
    fn search_children(
        &mut self,
        position: &mut G::Position,
        key: G::Key,
        first: usize,
        known_work: u64,
        thresholds: Thresholds,
    ) -> Numbers {
        let game = self.run.problem.game;
        let nodes_before = self.counter.nodes_in_all();
        loop {
            let work = known_work.saturating_add(self.counter.nodes_in_all() - nodes_before);
            let crowd = self.crowd.filter(|_| work >= CROWDED_WORK);
            let (numbers, best, child_thresholds) = self.select(first, thresholds, crowd);
            let Some(child_thresholds) = child_thresholds else {
                return numbers;
            };
            if self.run.monitor.is_stopped() {
                return numbers;
            }
            if first == 0 {
                self.run.monitor.set_root(numbers);
            }
            let child = &self.children[best];
            let (mv, child_key, work) = (child.mv.clone(), child.key, child.work);
            let undo = game.play(position, &mv);
            if let Some(crowd) = crowd {
                crowd.enter(child_key);
            }
            let (result, work) = self.search(position, child_key, work, child_thresholds);
            if let Some(crowd) = crowd {
                crowd.leave(child_key, result.solved().is_some());
            }
            game.undo(position, &mv, undo);
            if let Some(solved) = self.retire(best, first, result, work) {
                if first == 0 && result == Numbers::LOST {
                    // The first thread that finds a winning move keeps it here, since a table may
                    // forget it.
                    let _ = self.run.winning.set(mv);
                }
                return solved;
            }
            if let Some(crowd) = crowd {
                if crowd.solved_events() != self.solved_events {
                    self.notice_solved(crowd.solved_events());
                }
                if self.turn_back_to <= self.path.len() {
                    if self.turn_back_to < self.path.len() {
                        return numbers;
                    }
                    self.turn_back_to = usize::MAX;
                    if let Some(data) = self.run.table.get_solved(key) {
                        self.repetition.set_result(Basis::of_entry(data));
                        return data.numbers();
                    }
                }
                if let Some(solved) = self.refresh(first, crowd) {
                    return solved;
                }
            }
        }
    }

    /// Applies the result of a child. A lost child wins the position. A won child is dropped, and
    /// with the last of them the position is lost.
    #[inline]
    fn retire(
        &mut self,
        child: usize,
        first: usize,
        result: Numbers,
        work: u64,
    ) -> Option<Numbers> {
        match result.solved() {
            Some(false) => return Some(Numbers::WON),
            Some(true) => {
                self.repetition.refute();
                self.children.swap_remove(child);
            }
            None => {
                self.children[child].numbers = result;
                self.children[child].work = work;
            }
        }
        let all_refuted = self.children.len() == first;
        if all_refuted {
            self.repetition.all_refuted();
        }
        all_refuted.then_some(Numbers::LOST)
    }

    /// Looks up the children on which other threads work.
    fn refresh(&mut self, first: usize, crowd: &Crowd) -> Option<Numbers> {
        let mut i = first;
        while i < self.children.len() {
            let key = self.children[i].key;
            if crowd.at(key) > 0
                && let Some(data) = self.run.table.get(key)
            {
                let count = self.children.len();
                self.repetition.set_result(Basis::of_entry(data));
                if let Some(solved) = self.retire(i, first, data.numbers(), data.work()) {
                    return Some(solved);
                }
                if self.children.len() < count {
                    continue;
                }
            }
            i += 1;
        }
        None
    }

    /// Checks whether another thread has solved a position on the path from the root.
    fn notice_solved(&mut self, events: u64) {
        self.solved_events = events;
        let solved = self.path.iter().position(|&key| self.run.table.get_solved(key).is_some());
        if let Some(index) = solved {
            self.turn_back_to = self.turn_back_to.min(index + 1);
        }
    }

    /// Pushes the unsolved children. Returns the numbers of the position if these solve it.
    fn expand(&mut self, position: &mut G::Position, is_new: bool) -> Option<Numbers> {
        let Run { problem, options, table, .. } = *self.run;
        let game = problem.game;
        let first = self.children.len();
        game.moves(position, &mut self.moves);
        if is_new {
            self.counter.expanded(self.moves.len());
            self.expansions += 1;
            if self.expansions.is_multiple_of(EXPANSIONS_PER_LOOK) {
                self.run.monitor.set_fill(table.fill());
            }
        }
        let parent = if options.init.wants_parent() { game.evaluate(position) } else { None };
        if is_new {
            // Children of a new position are rarely in the table. The lines of the table are
            // fetched while the initial numbers are computed.
            for mv in self.moves.drain(..) {
                let undo = game.play(position, &mv);
                let key = game.key(position);
                table.prefetch(key);
                let numbers = problem.evaluate(position, options, parent);
                game.undo(position, &mv, undo);
                match numbers.solved() {
                    Some(false) => {
                        self.repetition.set_result(Basis::NOTHING);
                        return Some(Numbers::WON);
                    }
                    Some(true) => (),
                    None => self.children.push(Child { mv, key, numbers, work: 0 }),
                }
            }
            if self.children.len() == first {
                self.repetition.all_refuted();
                return Some(Numbers::LOST);
            }
            return self.keep_unsolved(first, |child| table.get(child.key));
        }
        for mv in self.moves.drain(..) {
            let undo = game.play(position, &mv);
            let key = game.key(position);
            game.undo(position, &mv, undo);
            table.prefetch(key);
            self.children.push(Child { mv, key, numbers: Numbers::WON, work: 0 });
        }
        self.keep_unsolved(first, |child| {
            table.get(child.key).or_else(|| {
                let undo = game.play(position, &child.mv);
                let numbers = problem.evaluate(position, options, parent);
                game.undo(position, &child.mv, undo);
                Some(Data::new(numbers, 0))
            })
        })
    }

    /// Updates every child from the table and drops those that are won. Returns the numbers of the
    /// position if a child is lost or none is left.
    #[inline(always)]
    fn keep_unsolved(
        &mut self,
        first: usize,
        mut known: impl FnMut(&Child<G>) -> Option<Data>,
    ) -> Option<Numbers> {
        let mut kept = first;
        for i in first..self.children.len() {
            let Child { key, numbers, .. } = self.children[i];
            let entry = known(&self.children[i]);
            let numbers = self.repetition.known(key, entry, numbers);
            match numbers.solved() {
                Some(false) => {
                    if G::CYCLIC && first == 0 {
                        // The table does not know it if it rests on the root.
                        let _ = self.run.winning.set(self.children[i].mv.clone());
                    }
                    return Some(Numbers::WON);
                }
                Some(true) => {
                    self.repetition.refute();
                    continue;
                }
                None => {
                    self.children[i].numbers = numbers;
                    self.children[i].work = entry.map_or(0, Data::work);
                }
            }
            if kept < i {
                self.children.swap(kept, i);
            }
            kept += 1;
        }
        self.children.truncate(kept);
        if kept == first {
            self.repetition.all_refuted();
        }
        (kept == first).then_some(Numbers::LOST)
    }

    /// The numbers of the position with the children from `first` on, its best child as seen by
    /// this thread, and the thresholds of that child unless the position has reached its own.
    #[inline]
    fn select(
        &self,
        first: usize,
        thresholds: Thresholds,
        crowd: Option<&Crowd>,
    ) -> (Numbers, usize, Option<Thresholds>) {
        let (mut best, mut delta1, mut delta2) = (first, INFINITE, INFINITE);
        let (mut max, mut second_max, mut sum) = (0, 0, 0);
        let mut max_index = first;
        for (i, child) in self.children.iter().enumerate().skip(first) {
            let Numbers { phi: child_phi, delta } = child.numbers;
            if delta < delta1 {
                (best, delta2, delta1) = (i, delta1, delta);
            } else if delta < delta2 {
                delta2 = delta;
            }
            if child_phi > max {
                (second_max, max, max_index) = (max, child_phi, i);
            } else if child_phi > second_max {
                second_max = child_phi;
            }
            sum += child_phi;
        }
        let options = self.run.options;
        let numbers = Numbers::unsolved(delta1, options.damping.delta(max, sum));
        if let Some(crowd) = crowd {
            (best, delta1, delta2) = (first, INFINITE, INFINITE);
            for (i, child) in self.children.iter().enumerate().skip(first) {
                let delta = crowd.virtual_delta(child.key, child.numbers.delta, numbers);
                if delta < delta1 {
                    (best, delta2, delta1) = (i, delta1, delta);
                } else if delta < delta2 {
                    delta2 = delta;
                }
            }
        }
        if numbers.phi >= thresholds.phi || numbers.delta >= thresholds.delta {
            return (numbers, best, None);
        }
        let Numbers { phi: best_phi, delta: best_delta } = self.children[best].numbers;
        let other_max = if max_index == best { second_max } else { max };
        let slack = if delta2 >= LARGEST {
            INFINITE
        } else {
            (delta2 + 1).max((f64::from(delta2) * (1.0 + f64::from(options.epsilon))) as u32)
        };
        let child = Thresholds {
            phi: reachable(options.damping.phi_for(thresholds.delta, other_max, sum - best_phi)),
            // A child that was chosen because others are crowded may be beyond the position's own
            // threshold. It is searched one step further, or the thread would make no progress.
            delta: reachable(thresholds.phi.min(slack).max(best_delta.saturating_add(1))),
        };
        (numbers, best, Some(child))
    }
}
