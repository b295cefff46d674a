//! Alpha-beta with iterative deepening and tables: the yardstick for the proof-number searches.
//!
//! At the horizon a position is scored by the game's evaluation. A position that is over, or whose
//! children are all decided, has its exact value, which outweighs every evaluation. So the search
//! ends at the first depth at which the root's value is exact.

use papamu_game::Guided;

use crate::cycles::{Basis, Repetition};
use crate::numbers::Numbers;
use crate::options::Options;
use crate::problem::Problem;
use crate::run::{Counter, Monitor, Outcome, Run, Store};
use crate::table::Data;

/// The score of a win; evaluations stay below.
const WIN: i32 = 1_000_000;
/// The score of an evaluation of 1.
const SCALE: f32 = 10_000.0;

/// Answers the question of a problem.
pub(crate) fn solve<G: Guided>(
    problem: &Problem<G>,
    options: &Options,
    store: &Store<G::Key>,
    monitor: &Monitor,
) -> Outcome<G::Move> {
    let run = Run::new(problem, options, store, monitor);
    let mut numbers = problem.evaluate(problem.root, options, None);
    let mut search = AlphaBeta {
        run: &run,
        counter: run.counter(),
        moves: Vec::new(),
        horizon: 0,
        repetition: Repetition::new(),
    };
    while numbers.solved().is_none() && !monitor.is_stopped() {
        search.horizon += 1;
        monitor.set_fill(run.table.fill());
        let depth = search.horizon;
        let score = search.score(&mut problem.root.clone(), depth, -WIN, WIN);
        if score.abs() == WIN && !monitor.is_stopped() {
            numbers = if score > 0 { Numbers::WON } else { Numbers::LOST };
        }
    }
    drop(search);
    run.outcome(numbers, run.winning_move())
}

/// On which side of the true score a remembered score lies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Lower,
    Upper,
    Exact,
}

/// What is remembered about an unsolved position.
#[derive(Clone, Copy)]
struct Entry {
    score: i32,
    bound: Bound,
    depth: u32,
    /// Number of the best move, in the order of generation.
    best: usize,
}

impl Entry {
    fn pack(self) -> Data {
        let bound = match self.bound {
            Bound::Lower => 1,
            Bound::Upper => 2,
            Bound::Exact => 3,
        };
        let score = (self.score + WIN) as u64;
        let best = self.best.min(255) as u64;
        let depth = u64::from(self.depth.min(255));
        Data::from_parts(score << 18 | depth << 10 | best << 2 | bound, 1 << self.depth.min(40))
    }

    fn unpack(data: Data) -> Entry {
        let payload = data.payload();
        Entry {
            score: (payload >> 18) as i32 - WIN,
            bound: match payload & 3 {
                1 => Bound::Lower,
                2 => Bound::Upper,
                _ => Bound::Exact,
            },
            depth: (payload >> 10 & 255) as u32,
            best: (payload >> 2 & 255) as usize,
        }
    }
}

struct AlphaBeta<'a, G: Guided> {
    run: &'a Run<'a, G>,
    counter: Counter<'a>,
    /// The moves of all positions on the path from the root.
    moves: Vec<G::Move>,
    /// The depth of the current iteration.
    horizon: u32,
    repetition: Repetition<G>,
}

impl<G: Guided> AlphaBeta<'_, G> {
    /// The score of a position for the player to move, exact between alpha and beta.
    fn score(&mut self, position: &mut G::Position, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        let Run { problem, options, .. } = *self.run;
        let game = problem.game;
        if depth == 0 {
            // The nodes of a level are counted by the first iteration that reaches it.
            self.counter.expanded(1);
            let evaluation = || {
                let bounded = game.evaluate(position).unwrap_or(0.0).clamp(-10.0, 10.0);
                (bounded * SCALE) as i32
            };
            let numbers = problem.evaluate(position, options, None);
            return self.exact(position, numbers).unwrap_or_else(evaluation);
        }
        if let Some(score) = self.exact(position, problem.evaluate(position, options, None)) {
            return score;
        }
        let key = game.key(position);
        let known = self.run.table.get(key).map(Entry::unpack);
        if let Some(entry) = known
            && entry.depth >= depth
        {
            let decides = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
            };
            if decides {
                return entry.score;
            }
        }
        self.repetition.enter(problem, position, key);
        let first = self.moves.len();
        game.moves(position, &mut self.moves);
        let order = self.order(position, first, known.map(|entry| entry.best));
        let (mut best, mut best_score, alpha_before) = (0, -WIN, alpha);
        let mut basis = Basis::NOTHING;
        for i in order {
            let mv = self.moves[first + i].clone();
            let undo = game.play(position, &mv);
            let score = -self.score(position, depth - 1, -beta, -alpha);
            game.undo(position, &mv, undo);
            if score == -WIN {
                self.repetition.refute();
            }
            if score > best_score {
                (best, best_score, basis) = (i, score, self.repetition.result());
            }
            alpha = alpha.max(score);
            if alpha >= beta || self.run.monitor.is_stopped() {
                break;
            }
        }
        self.moves.truncate(first);
        if best_score == -WIN {
            self.repetition.all_refuted();
        } else {
            self.repetition.set_result(basis);
        }
        let basis = self.repetition.leave();
        if self.run.monitor.is_stopped() {
            return 0;
        }
        // A win is exact whatever the window was; a loss means that every move was refuted.
        if best_score.abs() == WIN {
            let numbers = if best_score > 0 { Numbers::WON } else { Numbers::LOST };
            self.run.store_solved(position, key, numbers, u64::from(depth), basis);
        } else {
            let bound = if best_score >= beta {
                Bound::Lower
            } else if best_score <= alpha_before {
                Bound::Upper
            } else {
                Bound::Exact
            };
            self.run.table.put(key, Entry { score: best_score, bound, depth, best }.pack());
        }
        best_score
    }

    /// The score of a position that is decided by its numbers, by the table or by the path.
    fn exact(&mut self, position: &G::Position, mut numbers: Numbers) -> Option<i32> {
        self.repetition.set_result(Basis::NOTHING);
        if numbers.solved().is_none() {
            let key = self.run.problem.game.key(position);
            numbers = self.repetition.known(key, self.run.table.get_solved(key), numbers);
        }
        Some(if numbers.solved()? { WIN } else { -WIN })
    }

    /// Orders the moves from `first` on: the remembered best move, then those that leave the
    /// opponent the fewest moves.
    fn order(
        &self,
        position: &mut G::Position,
        first: usize,
        best: Option<usize>,
    ) -> impl Iterator<Item = usize> + use<G> {
        let game = self.run.problem.game;
        let mut order: Vec<(i64, usize)> = Vec::with_capacity(self.moves.len() - first);
        for (i, mv) in self.moves[first..].iter().enumerate() {
            let undo = game.play(position, mv);
            let replies = game.count_moves(position) as i64;
            let threats = game.count_opponent_moves(position) as i64;
            game.undo(position, mv, undo);
            let rank = if best == Some(i) { i64::MIN } else { replies - threats };
            order.push((rank, i));
        }
        order.sort_unstable();
        order.into_iter().map(|(_, i)| i)
    }
}
