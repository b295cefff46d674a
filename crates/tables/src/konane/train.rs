//! Trains the evaluation of Konane: weights of windows from positions whose winners a table knows.
//!
//! The model is a logistic regression: the weights of all windows of a position add up to the
//! log-odds that the player to move wins. It is trained by stochastic gradient descent with AdaGrad
//! (J. Duchi, E. Hazan, Y. Singer, 2011). The same positions, seed and number of rounds give the
//! same weights on the same machine.

use papamu_base::{Progress, Stopped};
use papamu_game::{Game, Guided, Value};
use papamu_games::Konane;
use papamu_games::konane::windows::{Weights, classes};
use papamu_games::konane::{Jump, Position};

use crate::error::TableError;
use crate::konane::shape::Layout;
use crate::konane::table::Table;
use crate::random::Random;

/// Refuses tables that cannot be used for training.
pub fn check_table(table: &Table) -> Result<(), TableError> {
    let problem = match (table.shape().layout(), table.game().windows().is_empty()) {
        (Layout::Rows, false) => return Ok(()),
        (Layout::Sublayers, _) => "it has few stones only; a complete table is needed",
        (Layout::Rows, true) => "its board has fewer than 4 rows or columns",
    };
    Err(TableError::NothingToLearn { path: table.directory().to_owned(), problem })
}

/// Positions of any boards, with their winners.
pub struct Samples {
    /// The class of every window.
    class_of: Vec<u32>,
    classes: usize,
    /// The classes of the windows of all positions, one position after the other.
    windows: Vec<u32>,
    /// Where the windows of each position end, and whether the player to move wins.
    positions: Vec<(u32, bool)>,
}

impl Default for Samples {
    fn default() -> Samples {
        Samples::new()
    }
}

impl Samples {
    /// No positions yet.
    pub fn new() -> Samples {
        let (class_of, classes) = classes();
        Samples { class_of, classes, windows: Vec::new(), positions: Vec::new() }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Adds a position, unless it needs no search or its board has no windows.
    pub fn add(&mut self, game: &Konane, position: &Position, won: bool) {
        let survey = game.survey(position);
        let plain = survey.moves == 0 || survey.has_immediate_win || game.is_removal(position);
        if plain || game.windows().is_empty() || self.windows.len() > u32::MAX as usize - 64 {
            return;
        }
        let Samples { class_of, windows, .. } = self;
        game.windows().each_window(position, |window| windows.push(class_of[window]));
        self.positions.push((windows.len() as u32, won));
    }

    /// Adds the positions of random games on the board of a table until there are `count` more. In
    /// half of the turns a winning move is chosen if there is one, so that the games are not all
    /// blunders.
    pub fn add_games(
        &mut self,
        table: &Table,
        count: usize,
        seed: u64,
        progress: &Progress,
    ) -> Result<(), TableError> {
        let game = table.game();
        let mut random = Random(seed);
        let end = self.len() + count;
        progress.add_total(count as u64);
        let mut moves: Vec<Jump> = Vec::new();
        while self.len() < end {
            progress.stop().check()?;
            let before = self.len();
            let mut position = game.start();
            loop {
                moves.clear();
                game.moves(&position, &mut moves);
                if moves.is_empty() {
                    break;
                }
                let after = |mv: &Jump| {
                    let mut child = position;
                    game.play(&mut child, mv);
                    child
                };
                let mut best = None;
                if random.below(2) == 0 {
                    for child in moves.iter().map(after) {
                        if table.value(&child)? != Some(Value::Win) {
                            best = Some(child);
                            break;
                        }
                    }
                }
                position = best.unwrap_or_else(|| after(&moves[random.below(moves.len())]));
                if let Some(value) = table.value(&position)? {
                    self.add(game, &position, value == Value::Win);
                }
            }
            if self.len() == before {
                // A board without windows, or without undecided positions.
                return Ok(());
            }
            progress.add((self.len() - before) as u64);
        }
        Ok(())
    }

    /// Adds positions that came up elsewhere, such as in searches, with their winners by the table.
    pub fn add_positions(
        &mut self,
        table: &Table,
        positions: impl IntoIterator<Item = Position>,
    ) -> Result<(), TableError> {
        for position in positions {
            if let Some(value) = table.value(&position)? {
                self.add(table.game(), &position, value == Value::Win);
            }
        }
        Ok(())
    }

    fn windows(&self, sample: usize) -> &[u32] {
        let start = if sample == 0 { 0 } else { self.positions[sample - 1].0 };
        &self.windows[start as usize..self.positions[sample].0 as usize]
    }

    /// Trains with all positions but one in twenty, which are the test set. Positions that occur
    /// more than once may be in both.
    pub fn train(
        &self,
        rounds: u32,
        seed: u64,
        progress: &Progress,
    ) -> Result<(Weights, TrainReport), Stopped> {
        let mut random = Random(seed);
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        random.shuffle(&mut order);
        let tests = order.split_off(order.len() - order.len() / 20);
        let mut values = vec![0.0_f32; self.classes];
        let mut squares = vec![FIRST_SQUARE; self.classes];
        progress.add_total(u64::from(rounds) * order.len() as u64);
        for _ in 0..rounds {
            random.shuffle(&mut order);
            for samples in order.chunks(CHUNK) {
                progress.stop().check()?;
                for sample in samples {
                    let windows = self.windows(*sample as usize);
                    let sum: f32 = windows.iter().map(|&class| values[class as usize]).sum();
                    let won = self.positions[*sample as usize].1;
                    let error = f32::from(u8::from(won)) - probability(sum);
                    for &class in windows {
                        squares[class as usize] += error * error;
                        values[class as usize] += RATE * error / squares[class as usize].sqrt();
                    }
                }
                progress.add(samples.len() as u64);
            }
        }
        let used = squares.iter().filter(|&&square| square > FIRST_SQUARE).count();
        let mut report = TrainReport {
            trained: order.len() as u64,
            tested: tests.len() as u64,
            classes: self.classes as u64,
            classes_seen: used as u64,
            accuracy: 0.0,
            log_loss: 0.0,
        };
        for sample in tests.iter().map(|&sample| sample as usize) {
            let sum: f32 = self.windows(sample).iter().map(|&class| values[class as usize]).sum();
            let won = self.positions[sample].1;
            let right = probability(if won { sum } else { -sum });
            report.accuracy += f64::from(u8::from((sum > 0.0) == won)) / tests.len() as f64;
            report.log_loss -= f64::from(right.max(1e-6)).ln() / tests.len() as f64;
        }
        Ok((Weights::of_classes(&values), report))
    }
}

/// Positions between two checks for a stop.
const CHUNK: usize = 1 << 14;
const RATE: f32 = 0.15;
/// The initial sum of squared errors.
const FIRST_SQUARE: f32 = 0.01;

fn probability(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// The quality of the weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainReport {
    /// Positions learned from.
    pub trained: u64,
    /// Positions tested on.
    pub tested: u64,
    /// Classes of windows.
    pub classes: u64,
    /// Classes that occurred.
    pub classes_seen: u64,
    /// The share of the test positions whose winner is predicted.
    pub accuracy: f64,
    /// The mean negative log-likelihood of the winners.
    pub log_loss: f64,
}
