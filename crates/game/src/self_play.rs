//! Self-play: what games look like in practice, counted by ply and by size.
//!
//! The experiment is that of M. Schadd, "Selective Search in Games of Different Complexity"
//! (Maastricht, 2011), section 4.3, for any game.

use std::collections::BTreeMap;

use hashbrown::HashSet;
use papamu_base::{Progress, Stopped};
use rayon::prelude::*;

use crate::{Game, Value};

/// The size of a position, which no move makes larger: the stones on the board, say.
pub type SizeOf<G> = fn(&G, &<G as Game>::Position) -> u64;

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlay {
    /// The number of games.
    pub games: u64,
    /// Where the random numbers begin.
    pub seed: u64,
    /// Plies that players look ahead. With 0 all moves are random; with 1 a move that wins at once
    /// is taken. From 2 on a player takes a move that is best for him within so many plies if wins
    /// count most, and what moves take from the size counts for who makes them.
    pub depth: u32,
    /// Longer games are broken off.
    pub most_plies: u32,
}

/// What was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How games ended.
    pub ends: Ends,
    /// By the number of moves before.
    pub plies: Vec<PlyTally>,
    /// By size, if positions have sizes.
    pub sizes: BTreeMap<u64, SizeTally>,
}

/// How games ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// Won by the player who began.
    pub first_wins: u64,
    /// Won by the other player.
    pub second_wins: u64,
    /// Drawn by the rules.
    pub draws: u64,
    /// Drawn because a position came back.
    pub repetitions: u64,
    /// Broken off.
    pub unfinished: u64,
}

/// Positions after a number of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlyTally {
    /// Games that got there.
    pub games: u64,
    /// The sum of the sizes of their positions.
    pub sizes: u64,
    /// Games that went on.
    pub turns: u64,
    /// The number of legal moves in all these turns.
    pub moves: u64,
}

/// Turns in positions of a size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SizeTally {
    /// Moves made.
    pub turns: u64,
    /// The number of legal moves in all these turns.
    pub moves: u64,
    /// Moves made that led to a smaller size.
    pub captures: u64,
}

impl Ends {
    /// The number of games.
    pub fn games(&self) -> u64 {
        let Ends { first_wins, second_wins, draws, repetitions, unfinished } = self;
        first_wins + second_wins + draws + repetitions + unfinished
    }
}

impl Tally {
    fn ply(&mut self, ply: usize) -> &mut PlyTally {
        if self.plies.len() <= ply {
            self.plies.resize(ply + 1, PlyTally::default());
        }
        &mut self.plies[ply]
    }

    /// Both counts together.
    fn merge(mut self, other: Tally) -> Tally {
        let Ends { first_wins, second_wins, draws, repetitions, unfinished } = other.ends;
        self.ends.first_wins += first_wins;
        self.ends.second_wins += second_wins;
        self.ends.draws += draws;
        self.ends.repetitions += repetitions;
        self.ends.unfinished += unfinished;
        for (ply, of) in other.plies.into_iter().enumerate() {
            let sum = self.ply(ply);
            sum.games += of.games;
            sum.sizes += of.sizes;
            sum.turns += of.turns;
            sum.moves += of.moves;
        }
        for (size, of) in other.sizes {
            let sum = self.sizes.entry(size).or_default();
            sum.turns += of.turns;
            sum.moves += of.moves;
            sum.captures += of.captures;
        }
        self
    }
}

/// Games of one thread at a time. The counts do not depend on who plays which.
const GAMES_PER_TASK: u64 = 16;

/// Plays games from a position, in the current pool of threads. The result depends only on the
/// seed.
pub fn self_play<G: Game>(
    game: &G,
    start: &G::Position,
    size: Option<SizeOf<G>>,
    play: &SelfPlay,
    progress: &Progress,
) -> Result<Tally, Stopped> {
    progress.add_total(play.games);
    let tasks = play.games.div_ceil(GAMES_PER_TASK);
    let task = |task: u64| {
        let (first, end) = (task * GAMES_PER_TASK, (task + 1) * GAMES_PER_TASK);
        let mut tally = Tally::default();
        for number in first..end.min(play.games) {
            // Neighbouring seeds must not begin alike.
            let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let random = fastrand::Rng::with_seed(play.seed.wrapping_add(mixed));
            let mut player =
                SelfPlayer { game, size, depth: play.depth, random, moves: Vec::new() };
            player.game(start, play.most_plies, &mut tally, progress)?;
            progress.add(1);
        }
        Ok(tally)
    };
    let merge = |one: Tally, other: Tally| Ok(one.merge(other));
    (0..tasks).into_par_iter().map(task).try_reduce(Tally::default, merge)
}

/// Plays both sides of a game.
struct SelfPlayer<'a, G: Game> {
    game: &'a G,
    size: Option<SizeOf<G>>,
    depth: u32,
    random: fastrand::Rng,
    /// The moves of all positions that are looked at.
    moves: Vec<G::Move>,
}

/// More than all that can be captured.
const WIN: i64 = 1 << 40;

impl<G: Game> SelfPlayer<'_, G> {
    fn size(&self, position: &G::Position) -> u64 {
        self.size.map_or(0, |size| size(self.game, position))
    }

    fn game(
        &mut self,
        start: &G::Position,
        most_plies: u32,
        tally: &mut Tally,
        progress: &Progress,
    ) -> Result<(), Stopped> {
        let (mut position, mut visited) = (start.clone(), HashSet::new());
        for ply in 0.. {
            progress.stop().check()?;
            let size = self.size(&position);
            self.moves.clear();
            self.game.moves(&position, &mut self.moves);
            let count = self.moves.len() as u64;
            let at = tally.ply(ply as usize);
            at.games += 1;
            at.sizes += size;
            let ends = &mut tally.ends;
            if count == 0 {
                // Players take turns.
                let is_first = ply % 2 == 0;
                match self.game.final_value(&position) {
                    Value::Draw => ends.draws += 1,
                    value if (value == Value::Win) == is_first => ends.first_wins += 1,
                    _ => ends.second_wins += 1,
                }
                break;
            }
            if G::CYCLIC && !visited.insert(position.clone()) {
                ends.repetitions += 1;
                break;
            }
            if ply == most_plies {
                ends.unfinished += 1;
                break;
            }
            let at = tally.ply(ply as usize);
            at.turns += 1;
            at.moves += count;
            let mv = self.choose(&position);
            self.game.play(&mut position, &mv);
            if self.size.is_some() {
                let of_size = tally.sizes.entry(size).or_default();
                of_size.turns += 1;
                of_size.moves += count;
                of_size.captures += u64::from(self.size(&position) < size);
            }
        }
        Ok(())
    }

    /// Chooses one of the moves that were generated last.
    fn choose(&mut self, position: &G::Position) -> G::Move {
        if self.depth >= 2 {
            return self.choose_by_search(position);
        }
        if self.depth == 1 && self.game.has_immediate_win(position) {
            let wins = |mv: &G::Move| {
                let child = self.game.after(position, mv);
                self.game.count_moves(&child) == 0 && self.game.final_value(&child) == Value::Loss
            };
            let winning: Vec<&G::Move> = self.moves.iter().filter(|&mv| wins(mv)).collect();
            if !winning.is_empty() {
                return winning[self.random.usize(..winning.len())].clone();
            }
        }
        self.moves[self.random.usize(..self.moves.len())].clone()
    }

    /// The first of the best moves in a random order.
    fn choose_by_search(&mut self, position: &G::Position) -> G::Move {
        let mut moves = self.moves.clone();
        self.random.shuffle(&mut moves);
        let mut position = position.clone();
        let (mut best, mut best_value) = (0, i64::MIN);
        for (place, mv) in moves.iter().enumerate() {
            // The second and later moves only have to be better.
            let alpha = best_value.max(-4 * WIN);
            let value = self.value_of_move(&mut position, mv, self.depth, [alpha, 4 * WIN]);
            if value > best_value {
                (best, best_value) = (place, value);
            }
        }
        moves.swap_remove(best)
    }

    /// What a move is worth to who makes it.
    fn value_of_move(
        &mut self,
        position: &mut G::Position,
        mv: &G::Move,
        depth: u32,
        [alpha, beta]: [i64; 2],
    ) -> i64 {
        let before = self.size(position);
        let undo = self.game.play(position, mv);
        let gain = (before - self.size(position).min(before)) as i64;
        let value = gain - self.value(position, depth - 1, [gain - beta, gain - alpha]);
        self.game.undo(position, mv, undo);
        value
    }

    /// What a position is worth to the player to move: a plain alpha-beta search.
    fn value(&mut self, position: &mut G::Position, depth: u32, [alpha, beta]: [i64; 2]) -> i64 {
        if depth == 0 && self.game.count_moves(position) > 0 {
            return 0;
        }
        let first = self.moves.len();
        self.game.moves(position, &mut self.moves);
        let end = self.moves.len();
        if first == end {
            // Sooner is better for the winner.
            let sooner = WIN + i64::from(depth);
            return match self.game.final_value(position) {
                Value::Win => sooner,
                Value::Loss => -sooner,
                Value::Draw => 0,
            };
        }
        let mut best = i64::MIN;
        for place in first..end {
            let mv = self.moves[place].clone();
            let value = self.value_of_move(position, &mv, depth, [alpha.max(best), beta]);
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        self.moves.truncate(first);
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiny::{Dodgem, Kayles, TicTacToe};
    use crate::{Certifiable, Guided};

    fn tally<G: Game>(text: &str, size: Option<SizeOf<G>>, depth: u32, games: u64) -> Tally {
        let (game, start) = G::read(text).expect("a position");
        let play = SelfPlay { games, seed: 1, depth, most_plies: 500 };
        self_play(&game, &start, size, &play, &Progress::new()).expect("not stopped")
    }

    #[test]
    fn tic_tac_toe_takes_a_square_in_every_turn() {
        let tally = tally::<TicTacToe>("start", Some(TicTacToe::size), 0, 20_000);
        for (ply, at) in tally.plies.iter().enumerate() {
            let empty = 9 - ply as u64;
            assert_eq!((at.sizes, at.moves), (at.games * empty, at.turns * empty));
            if at.turns > 0 {
                let of_size = tally.sizes[&empty];
                assert_eq!((of_size.turns, of_size.captures), (at.turns, at.turns));
            }
        }
        // Of all random games, Crosses wins 737/1260, Noughts 121/420, and 8/63 are drawn.
        let share = |count: u64| count as f64 / 20_000.0;
        assert!((share(tally.ends.first_wins) - 737.0 / 1260.0).abs() < 0.015);
        assert!((share(tally.ends.second_wins) - 121.0 / 420.0).abs() < 0.015);
        assert!((share(tally.ends.draws) - 8.0 / 63.0).abs() < 0.01);
        assert_eq!((tally.ends.repetitions, tally.ends.unfinished), (0, 0));
    }

    #[test]
    fn players_who_see_to_the_end_draw_tic_tac_toe() {
        let tally = tally::<TicTacToe>("start", None, 9, 4);
        assert_eq!(tally.ends, Ends { draws: 4, ..Ends::default() });
    }

    #[test]
    fn an_immediate_win_is_taken() {
        let tally = tally::<TicTacToe>("xx./oo./... x", None, 1, 100);
        assert_eq!(tally.ends, Ends { first_wins: 100, ..Ends::default() });
    }

    #[test]
    fn games_end_when_a_position_comes_back_or_at_the_limit() {
        let of_cycles = tally::<Dodgem>("3x3", Some(Dodgem::size), 0, 500);
        assert!(of_cycles.ends.repetitions > 0);
        assert_eq!((of_cycles.ends.unfinished, of_cycles.ends.games()), (0, 500));
        let (game, start) = Kayles::read("40").expect("a position");
        let play = SelfPlay { games: 10, seed: 1, depth: 0, most_plies: 3 };
        let short = self_play(&game, &start, None, &play, &Progress::new()).expect("played");
        assert_eq!(short.ends, Ends { unfinished: 10, ..Ends::default() });
        assert_eq!((short.plies.len(), short.plies[3].turns), (4, 0));
    }

    /// A greedy player takes what he can get, and more if he sees no answer.
    #[test]
    fn what_is_taken_counts() {
        let greedy = tally::<Dodgem>("3x3", Some(Dodgem::size), 3, 200);
        let random = tally::<Dodgem>("3x3", Some(Dodgem::size), 0, 200);
        let captures = |tally: &Tally| tally.sizes.values().map(|of| of.captures).sum::<u64>();
        let turns = |tally: &Tally| tally.sizes.values().map(|of| of.turns).sum::<u64>();
        let share = |tally: &Tally| captures(tally) as f64 / turns(tally) as f64;
        assert!(share(&greedy) > share(&random));
    }

    #[test]
    fn games_depend_on_the_seed_only() {
        fn with_threads<G: Guided>(threads: usize, size: SizeOf<G>) -> Tally {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("made");
            pool.install(|| tally::<G>("4x4", Some(size), 1, 300))
        }
        assert_eq!(with_threads(1, Dodgem::size), with_threads(3, Dodgem::size));
    }
}
