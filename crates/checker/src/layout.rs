//! An index of positions: all positions up to some size, numbered from 0 without gaps, the smaller
//! sizes first.
//!
//! A database is then a list of values. It is built by going through the index, without a search
//! for positions among others.

use std::ops::Range;

use crate::games::{Game, Position, Shape};

/// All positions of a board up to some size.
pub struct Layout {
    points: usize,
    /// `binomials[n][k]`: the number of ways to choose k of n points.
    binomials: Vec<Vec<u128>>,
    blocks: Vec<Block>,
    count: u128,
}

/// The positions of a shape, from the first index on.
struct Block {
    shape: Shape,
    size: usize,
    first: u128,
}

impl Layout {
    /// The positions of this size or less.
    pub fn new(game: &dyn Game, largest: u64) -> Layout {
        let points = game.points();
        let mut binomials = vec![vec![0; points + 1]; points + 1];
        for n in 0..=points {
            binomials[n][0] = 1;
            for k in 1..=n {
                binomials[n][k] = binomials[n - 1][k - 1] + binomials[n - 1][k];
            }
        }
        let mut layout = Layout { points, binomials, blocks: Vec::new(), count: 0 };
        let mut shapes = game.shapes();
        shapes.retain(|shape| game.size(shape.pieces) as u64 <= largest);
        shapes.sort_by_key(|shape| game.size(shape.pieces));
        for shape in shapes {
            let size = game.size(shape.pieces);
            layout.blocks.push(Block { shape, size, first: layout.count });
            layout.count += layout.positions_of(shape.pieces);
        }
        layout
    }

    /// The number of positions.
    pub fn count(&self) -> u128 {
        self.count
    }

    fn positions_of(&self, [ones, twos]: [usize; 2]) -> u128 {
        self.binomials[self.points][ones] * self.binomials[self.points - ones][twos]
    }

    /// The ranges of positions of equal size, the smallest size first.
    pub fn layers(&self) -> Vec<Range<usize>> {
        let mut layers = Vec::new();
        for blocks in self.blocks.chunk_by(|a, b| a.size == b.size) {
            let last = &blocks[blocks.len() - 1];
            let end = last.first + self.positions_of(last.shape.pieces);
            layers.push(blocks[0].first as usize..end as usize);
        }
        layers
    }

    /// The block of an index.
    fn block(&self, index: usize) -> &Block {
        let after = self.blocks.partition_point(|block| block.first <= index as u128);
        &self.blocks[after - 1]
    }

    /// The player to move in the position of an index.
    pub fn side(&self, index: usize) -> usize {
        self.block(index).shape.side
    }

    /// The index of a position, if it is one of these.
    pub fn index(&self, position: &Position) -> Option<usize> {
        let shape = Shape { pieces: position.pieces(), side: position.side };
        let block = self.blocks.iter().find(|block| block.shape == shape)?;
        let twos = self.binomials[self.points - shape.pieces[0]][shape.pieces[1]];
        let rank = self.rank(position.points.iter().map(|&point| point == 1)) * twos
            + self.rank(position.points.iter().filter(|&&point| point != 1).map(|&p| p == 2));
        Some((block.first + rank) as usize)
    }

    /// The position of an index.
    pub fn position(&self, index: usize) -> Position {
        let Block { shape, first, .. } = *self.block(index);
        let rest = self.points - shape.pieces[0];
        let (rank, twos) = (index as u128 - first, self.binomials[rest][shape.pieces[1]]);
        let is_one = self.chosen(rank / twos, self.points, shape.pieces[0]);
        let mut is_two = self.chosen(rank % twos, rest, shape.pieces[1]).into_iter();
        let point = |&is_one: &bool| match is_one {
            true => 1,
            false => 2 * u8::from(is_two.next().unwrap_or(false)),
        };
        Position { points: is_one.iter().map(point).collect(), side: shape.side }
    }

    /// The rank of a choice among those of as many points: the sum of binomials (c, i) over the
    /// chosen points c, the i-th chosen one, i from 1.
    fn rank(&self, chosen: impl Iterator<Item = bool>) -> u128 {
        let points = chosen.enumerate().filter(|(_, is_chosen)| *is_chosen);
        points.zip(1..).map(|((point, _), i)| self.binomials[point][i]).sum()
    }

    /// The choice of that rank.
    fn chosen(&self, mut rank: u128, points: usize, count: usize) -> Vec<bool> {
        let mut chosen = vec![false; points];
        let mut left = count;
        for point in (0..points).rev() {
            if left > 0 && self.binomials[point][left] <= rank {
                rank -= self.binomials[point][left];
                left -= 1;
                chosen[point] = true;
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::known;

    /// Every index is that of its position, and all positions differ.
    #[test]
    fn indices_and_positions() {
        for (name, root, counts) in [
            ("konane", "xoxo/oxox/xoxo b", vec![2, 26, 158, 598]),
            ("tic-tac-toe", ".../.../... x", vec![126, 756]),
            ("dodgem", "r../r../.uu r", vec![0, 18, 234]),
            ("mu-torere", "xxoo/. x", vec![0, 0, 0, 0, 60]),
        ] {
            let (game, _) = (known(name).expect("a game").read)(root).expect("a root");
            for (size, count) in counts.into_iter().enumerate() {
                let layout = Layout::new(&*game, size as u64);
                assert_eq!(layout.count(), count, "{name} {size}");
                let layers = layout.layers();
                assert_eq!(layers.last().map_or(0, |layer| layer.end) as u128, count);
                let mut seen = std::collections::BTreeSet::new();
                for index in layers.into_iter().flatten() {
                    let position = layout.position(index);
                    assert_eq!(layout.index(&position), Some(index), "{name} {position:?}");
                    assert_eq!(position.side, layout.side(index));
                    assert!(game.size(position.pieces()) <= size);
                    assert!(seen.insert((position.points, position.side)));
                }
            }
        }
    }
}
