//! The plan of a complete table: the value of every position of a board, black set by black set.
//!
//! For a set B of black stones, one row of bits over all sets W of white stones tells where the
//! player to move wins:
//!
//! ```text
//! T[B][W]: Black to move wins if some jump a -> c over K has K in W and not U[B - a + c][W - K]
//! U[B][W]: White to move wins if some jump a -> c over K has K in B and not T[B - K][W - a + c]
//! ```
//!
//! Layers go up in the number of black stones. In each, all rows U are made, which need T of
//! earlier layers, and then all rows T, which need U of the same layer. A row is made in one pass
//! for every jump. Only as many layers T are kept as a jump can capture stones.
//!
//! The first two plies, in which stones are removed, are not included: every row is about jumps.

use papamu_base::{Progress, Stopped, Words};
use papamu_game::Player;
use rayon::prelude::*;

use crate::error::TableError;
use crate::konane::row::{self, Pass};
use crate::konane::shape::check_size;
use crate::konane::squares::{Jump, Squares};

/// All rows of a layer for one side to move.
pub struct RowLayer<'a> {
    /// The side to move.
    pub player: Player,
    /// Black stones.
    pub stones: u32,
    /// The black sets, in the order of their rows.
    pub sets: &'a [u32],
    /// The rows, one after the other.
    pub rows: &'a [u64],
}

impl RowLayer<'_> {
    /// The row of one of the sets.
    pub fn row(&self, index: usize) -> &[u64] {
        let words = self.rows.len() / self.sets.len().max(1);
        &self.rows[index * words..(index + 1) * words]
    }

    /// How many positions are won for the player to move.
    pub fn wins(&self) -> u64 {
        self.rows.par_iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

/// The plan of a build: the work, and the memory that it takes.
pub struct Plan {
    squares: Squares,
    /// The black sets of each size, in ascending order.
    sets: Vec<Vec<u32>>,
    /// The place of every black set among those of its size.
    ranks: Vec<u32>,
    /// The number of earlier layers that a row needs.
    window: usize,
    words_per_row: usize,
    /// The passes of each player's jumps.
    passes: [Vec<(Jump, Pass)>; 2],
}

impl Plan {
    /// A plan for a board, unless it has far too many squares.
    pub fn new(squares: &Squares) -> Result<Plan, TableError> {
        check_size(squares)?;
        let [blacks, whites] = [Player::First, Player::Second].map(|player| squares.count(player));
        let mut sets = vec![Vec::new(); blacks as usize + 1];
        let mut ranks = vec![0; 1 << blacks];
        for set in 0..1_u32 << blacks {
            let layer = &mut sets[set.count_ones() as usize];
            ranks[set as usize] = layer.len() as u32;
            layer.push(set);
        }
        let passes = [Player::First, Player::Second].map(|player| {
            let pass = |jump: &Jump| match player {
                // Black's jump captures white stones, White's jump moves one.
                Player::First => Pass::new(whites, jump.over, 0, jump.over),
                Player::Second => {
                    let from = 1 << jump.from;
                    Pass::new(whites, from, jump.way, from | 1 << jump.to)
                }
            };
            squares.jumps(player).iter().map(|jump| (*jump, pass(jump))).collect()
        });
        let window = squares.most_captures().max(1) as usize;
        let (squares, words_per_row) = (squares.clone(), row::words(whites));
        Ok(Plan { squares, sets, ranks, window, words_per_row, passes })
    }

    /// The squares of the board.
    pub fn squares(&self) -> &Squares {
        &self.squares
    }

    /// The number of layers.
    pub fn layers(&self) -> u32 {
        self.sets.len() as u32
    }

    /// The black sets of a layer.
    pub fn sets(&self, stones: u32) -> &[u32] {
        &self.sets[stones as usize]
    }

    /// The place of a black set among those of its size.
    pub(crate) fn rank(&self, set: u32) -> usize {
        self.ranks[set as usize] as usize
    }

    /// The jumps of a player, and their passes over rows in which he is to move.
    pub(crate) fn passes(&self, player: Player) -> &[(Jump, Pass)] {
        &self.passes[player.index()]
    }

    /// The number of positions: every set of stones with either side to move.
    pub fn positions(&self) -> u64 {
        let squares = self.squares.count(Player::First) + self.squares.count(Player::Second);
        2 << squares
    }

    /// The earlier layers that a layer needs.
    pub fn needed(&self, stones: u32) -> std::ops::Range<u32> {
        stones.saturating_sub(self.window as u32)..stones
    }

    /// The words of a buffer. Layers `window` apart share it, so it has room for the largest of
    /// them.
    fn buffer_words(&self, buffer: usize) -> usize {
        let layers = self.sets.iter().skip(buffer).step_by(self.window);
        layers.map(Vec::len).max().unwrap_or(0) * self.words_per_row
    }

    fn largest_layer_words(&self) -> usize {
        self.sets.iter().map(Vec::len).max().unwrap_or(0) * self.words_per_row
    }

    /// The memory that the build needs.
    pub fn memory_bytes(&self) -> u64 {
        let words = (0..self.window).map(|buffer| self.buffer_words(buffer)).sum::<usize>()
            + self.largest_layer_words();
        words as u64 * 8 + self.ranks.len() as u64 * 8
    }

    /// Builds all layers from `first` on. `earlier` fills in the rows of the layers that the first
    /// one needs. Each finished layer is passed to `on_layer`, first with White to move, then with
    /// Black.
    pub fn build(
        &self,
        first: u32,
        mut earlier: impl FnMut(u32, &mut [u64]) -> Result<(), TableError>,
        progress: &Progress,
        mut on_layer: impl FnMut(&RowLayer) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let mut black = (0..self.window)
            .map(|buffer| Words::new(self.buffer_words(buffer)))
            .collect::<Result<Vec<Words>, _>>()?;
        let mut white = Words::new(self.largest_layer_words())?;
        for stones in self.needed(first) {
            let buffer = &mut black[stones as usize % self.window];
            earlier(stones, &mut buffer.as_mut_slice()[..self.layer_words(stones)])?;
        }
        progress.add_total(2 * self.ranks.len() as u64);
        progress
            .add(2 * self.sets[..first as usize].iter().map(|sets| sets.len() as u64).sum::<u64>());
        for stones in first..self.layers() {
            let sets = self.sets(stones);
            let len = self.layer_words(stones);
            {
                let black: Vec<&[u64]> = black.iter().map(Words::as_slice).collect();
                let source = |set: u32| {
                    let buffer = black[set.count_ones() as usize % self.window];
                    self.row(buffer, set)
                };
                let rows = &mut white.as_mut_slice()[..len];
                self.fill(rows, sets, progress, |set, row| self.white_row(set, row, source))?;
            }
            let rows = &white.as_slice()[..len];
            on_layer(&RowLayer { player: Player::Second, stones, sets, rows })?;
            // The previous content of this buffer is no longer needed.
            let buffer = &mut black[stones as usize % self.window];
            let source = |set: u32| self.row(rows, set);
            let target = &mut buffer.as_mut_slice()[..len];
            self.fill(target, sets, progress, |set, row| self.black_row(set, row, source))?;
            let rows = &buffer.as_slice()[..len];
            on_layer(&RowLayer { player: Player::First, stones, sets, rows })?;
        }
        Ok(())
    }

    fn layer_words(&self, stones: u32) -> usize {
        self.sets(stones).len() * self.words_per_row
    }

    fn row<'b>(&self, rows: &'b [u64], set: u32) -> &'b [u64] {
        let start = self.ranks[set as usize] as usize * self.words_per_row;
        &rows[start..start + self.words_per_row]
    }

    /// Makes all rows of a layer, on all threads.
    fn fill(
        &self,
        rows: &mut [u64],
        sets: &[u32],
        progress: &Progress,
        fill: impl Fn(u32, &mut [u64]) + Sync,
    ) -> Result<(), Stopped> {
        let rows = rows.par_chunks_mut(self.words_per_row).zip(sets);
        // Rows of small boards take less time than distributing them over threads.
        let least = (4096 / self.words_per_row).max(1);
        rows.with_min_len(least).for_each(|(row, &set)| {
            // The build was stopped, so the rest of the layer is not needed.
            if progress.stop().is_set() {
                return;
            }
            row.fill(0);
            fill(set, row);
            progress.add(1);
        });
        progress.stop().check()
    }

    fn white_row<'b>(&self, set: u32, row: &mut [u64], black: impl Fn(u32) -> &'b [u64]) {
        for (jump, pass) in &self.passes[Player::Second.index()] {
            if set & jump.over == jump.over {
                pass.or_not(row, black(set ^ jump.over));
            }
        }
    }

    fn black_row<'b>(&self, set: u32, row: &mut [u64], white: impl Fn(u32) -> &'b [u64]) {
        for (jump, pass) in &self.passes[Player::First.index()] {
            if set >> jump.from & 1 == 1 && set & jump.way == 0 {
                pass.or_not(row, white(set ^ (1 << jump.from | 1 << jump.to)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use papamu_game::{Game, Value};
    use papamu_games::Konane;
    use papamu_games::konane::Position;

    use super::*;

    /// Reference minimax over jumps only.
    fn wins(game: &Konane, position: Position, known: &mut HashMap<Position, bool>) -> bool {
        if let Some(&wins) = known.get(&position) {
            return wins;
        }
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        let wins = moves.iter().any(|mv| {
            let mut child = position;
            game.play(&mut child, mv);
            !self::wins(game, child, known)
        });
        known.insert(position, wins);
        wins
    }

    /// Compares every position of boards up to 4x4, and of long boards, with minimax.
    #[test]
    fn every_position_of_small_boards() {
        for text in [
            "1x1", "1x2", "2x1", "1x7", "9x1", "2x2", "3x2", "2x4", "3x3", "4x3", "3x4", "2x7",
            "4x4", "3x5",
        ] {
            let (game, _) = Konane::read(text).expect("a board");
            let squares = Squares::new(&game);
            let plan = Plan::new(&squares).expect("small");
            let mut known = HashMap::new();
            let mut positions = 0;
            let check = |layer: &RowLayer| -> Result<(), TableError> {
                for (i, &black) in layer.sets.iter().enumerate() {
                    for white in 0..1 << squares.count(Player::Second) {
                        let position = squares.position([black, white], layer.player);
                        positions += 1;
                        // The first two plies are removals.
                        if game.is_removal(&position) {
                            continue;
                        }
                        let value =
                            if row::get(layer.row(i), white) { Value::Win } else { Value::Loss };
                        let expected = wins(&game, position, &mut known);
                        assert_eq!(value == Value::Win, expected, "{}", game.write(&position));
                    }
                }
                Ok(())
            };
            let none = |_: u32, _: &mut [u64]| Ok(());
            plan.build(0, none, &Progress::new(), check).expect("built");
            assert_eq!(positions, plan.positions());
        }
    }
}
