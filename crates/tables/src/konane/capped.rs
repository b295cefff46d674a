//! Capped tables: the value of every position with at most a given number of stones.
//!
//! Every move captures a stone, so a layer (all positions with T stones) needs only earlier layers.
//! A row holds the positions with the same black set and the same number of white stones, in the
//! order of the ranks of the white sets. A jump changes the white stones of every row in the same
//! way: its effect is a list of pairs of ranks, before and after. The list is made once and used
//! for all black sets that have the jump. Each of their entries then costs one bit test, without
//! any ranking.

use std::collections::VecDeque;
use std::path::Path;

use papamu_base::{Progress, Stop, Stopped, Words};
use papamu_game::Player;
use rayon::prelude::*;

use crate::error::TableError;
use crate::konane::complete::finished_layers;
use crate::konane::places::Places;
use crate::konane::shape::Shape;
use crate::konane::squares::Jump;
use crate::store::NewTable;

/// The stones of one colour that a move needs, and those that it changes.
#[derive(Clone, Copy)]
struct Change {
    occupied: u32,
    empty: u32,
    flipped: u32,
}

impl Change {
    /// The change for the stone that jumps.
    fn moves(jump: &Jump) -> Change {
        let from = 1 << jump.from;
        Change { occupied: from, empty: jump.way, flipped: from | 1 << jump.to }
    }

    /// The change for the stones that are jumped over.
    fn takes(jump: &Jump) -> Change {
        Change { occupied: jump.over, empty: 0, flipped: jump.over }
    }

    fn is_possible(self, set: u32) -> bool {
        set & self.occupied == self.occupied && set & self.empty == 0
    }
}

/// The changes of a jump for the black and the white stones.
fn changes(player: Player, jump: &Jump) -> [Change; 2] {
    match player {
        Player::First => [Change::moves(jump), Change::takes(jump)],
        Player::Second => [Change::takes(jump), Change::moves(jump)],
    }
}

/// The rows of the positions with the same numbers of black and of white stones.
struct Sublayer {
    bits: Words,
    /// The number of entries of a row.
    row_bits: usize,
}

impl Sublayer {
    /// Whether the player to move wins.
    #[inline]
    fn wins(words: &[u64], bit: usize) -> bool {
        words[bit / 64] >> (bit % 64) & 1 == 1
    }
}

/// All positions with the same number of stones, by side to move and white stones.
type Layer = [Vec<Sublayer>; 2];

/// A build of a capped table.
struct CappedBuild<'a> {
    shape: &'a Shape,
    places: Places,
}

/// The memory that a build needs.
pub fn memory_bytes(shape: &Shape) -> u64 {
    let window = shape.squares().most_captures();
    // A layer and those that it needs, for both sides to move where a later layer needs them.
    let at_work = |last: u32| {
        let layers = last.saturating_sub(window)..=last;
        layers.fold(0_u64, |sum, layer| {
            let sides = if layer + 1 == shape.layers() { shape.players().len() } else { 2 };
            sum.saturating_add(shape.data_bytes(layer).saturating_mul(sides as u64))
        })
    };
    let layers = (0..shape.layers()).map(at_work).max().unwrap_or(0);
    // The pairs of ranks of a jump for every symmetry, and the sets that they are made from.
    let lists = shape.squares().symmetries().len() as u64 + 2;
    let sets = (0..=shape.most_stones()).map(|size| shape.sublayers().white_sets(size)).max();
    let pairs = sets.unwrap_or(0).saturating_mul(4 * lists);
    layers.saturating_add(Places::memory_bytes(shape)).saturating_add(pairs)
}

/// Builds the table. An interrupted build in the same place is resumed after its last layer.
/// Returns the number of layers that were there already.
pub fn build(shape: &Shape, directory: &Path, progress: &Progress) -> Result<u32, TableError> {
    let contents = shape.contents();
    let table = NewTable::open(directory, progress.stop())?;
    let first = finished_layers(shape, &table)?;
    let build = CappedBuild { shape, places: Places::new(shape)? };
    progress.add_total((0..shape.layers()).map(|layer| 2 * build.entries(layer)).sum());
    // The layers before the next one that it needs.
    let mut earlier: VecDeque<Layer> = VecDeque::new();
    let window = shape.squares().most_captures();
    for stones in 0..first {
        progress.add(2 * build.entries(stones));
        if stones + window >= first {
            earlier.push_back(build.read(stones, &table, progress.stop())?);
        }
    }
    for stones in first..shape.layers() {
        let layer = build.layer(stones, &earlier, progress)?;
        for &player in shape.players() {
            table.write(&shape.header(player, stones), |writer| {
                let mut sublayers = layer[player.index()].iter();
                sublayers.try_for_each(|sublayer| writer.write_words(sublayer.bits.as_slice()))
            })?;
        }
        earlier.push_back(layer);
        if earlier.len() > window as usize {
            earlier.pop_front();
        }
    }
    table.finish(&contents)?;
    Ok(first)
}

impl CappedBuild<'_> {
    /// The number of entries of a layer, for one side to move.
    fn entries(&self, stones: u32) -> u64 {
        (0..=stones).map(|white| self.shape.sublayers().positions(stones, white)).sum()
    }

    fn empty_layer(&self, stones: u32) -> Result<Layer, TableError> {
        let sublayers = self.shape.sublayers();
        let empty = |white: u32| -> Result<Sublayer, TableError> {
            let words = sublayers.positions(stones, white).div_ceil(64) as usize;
            let row_bits = sublayers.white_sets(white) as usize;
            Ok(Sublayer { bits: Words::new(words)?, row_bits })
        };
        let side = || (0..=stones).map(empty).collect::<Result<Vec<_>, _>>();
        Ok([side()?, side()?])
    }

    /// Makes a layer from earlier ones.
    fn layer(
        &self,
        stones: u32,
        earlier: &VecDeque<Layer>,
        progress: &Progress,
    ) -> Result<Layer, TableError> {
        let mut layer = self.empty_layer(stones)?;
        for white in 0..=stones {
            let black = stones - white;
            let sets: Vec<u32> = self.places.classes().least_sets(black).collect();
            for player in [Player::First, Player::Second] {
                let sublayer = &mut layer[player.index()][white as usize];
                // The other side to move is needed only by later layers.
                let needed =
                    stones + 1 < self.shape.layers() || self.shape.players().contains(&player);
                if needed && !sets.is_empty() && sublayer.row_bits > 0 {
                    self.fill(sublayer, player, &sets, white, earlier, progress)?;
                } else {
                    progress.add(self.shape.sublayers().positions(stones, white));
                }
            }
        }
        Ok(layer)
    }

    /// Sets the bits of the positions of a sublayer that are won, jump by jump.
    fn fill(
        &self,
        sublayer: &mut Sublayer,
        player: Player,
        sets: &[u32],
        white_stones: u32,
        earlier: &VecDeque<Layer>,
        progress: &Progress,
    ) -> Result<(), Stopped> {
        let row_bits = sublayer.row_bits;
        let entries = (sets.len() * row_bits) as u64;
        // All jumps take about the same amount of work.
        let jumps = self.shape.squares().jumps(player).len() as u64;
        progress.add(entries.checked_rem(jumps).unwrap_or(entries));
        let together = rows_together(row_bits);
        for jump in self.shape.squares().jumps(player) {
            progress.stop().check()?;
            progress.add(entries / jumps);
            let captured = jump.over.count_ones();
            let [black, white] = changes(player, jump);
            let black_stones = sets[0].count_ones();
            let (victims, movers) = match player {
                Player::First => (white_stones, black_stones),
                Player::Second => (black_stones, white_stones),
            };
            if victims < captured || movers == 0 {
                continue;
            }
            let white_after = match player {
                Player::First => white_stones - captured,
                Player::Second => white_stones,
            };
            let source = &earlier[earlier.len() - captured as usize];
            let source = &source[(!player).index()][white_after as usize];
            let source_bits = source.row_bits;
            let source = source.bits.as_slice();
            let pairs = self.pairs(white, white_stones);
            let words = sublayer.bits.as_mut_slice();
            let groups =
                words.par_chunks_mut(together * row_bits / 64).zip(sets.par_chunks(together));
            groups.for_each(|(words, sets)| {
                if progress.stop().is_set() {
                    return;
                }
                for (row, &set) in
                    sets.iter().enumerate().filter(|(_, set)| black.is_possible(**set))
                {
                    let (class, by) = self.places.classes().find(set ^ black.flipped);
                    let (row, source_row) = (row * row_bits, class * source_bits);
                    for (before, after) in pairs.before.iter().zip(&pairs.after[by]) {
                        let (bit, source_bit) =
                            (row + *before as usize, source_row + *after as usize);
                        let lost = !Sublayer::wins(source, source_bit);
                        words[bit / 64] |= u64::from(lost) << (bit % 64);
                    }
                }
            });
        }
        progress.stop().check()
    }

    /// The ranks of the white sets of a size that allow a change, and for every symmetry the ranks
    /// of their images after it.
    fn pairs(&self, change: Change, stones: u32) -> Pairs {
        let ranks = self.places.white_ranks();
        let sets: Vec<u32> = ranks.sets(stones).filter(|&set| change.is_possible(set)).collect();
        let after = |symmetry: usize| {
            let [_, white] = &self.shape.squares().symmetries()[symmetry];
            sets.par_iter().map(|set| ranks.rank(white.image(set ^ change.flipped))).collect()
        };
        Pairs {
            before: sets.par_iter().map(|&set| ranks.rank(set)).collect(),
            after: (0..self.shape.squares().symmetries().len()).map(after).collect(),
        }
    }

    /// Reads a layer of an interrupted build.
    fn read(&self, stones: u32, table: &NewTable, stop: &Stop) -> Result<Layer, TableError> {
        let mut layer = self.empty_layer(stones)?;
        let players = self.shape.players().iter();
        let files = players.map(|&player| table.read(&self.shape.header(player, stones)));
        let files = files.collect::<Result<Vec<_>, _>>()?;
        let data = files.iter().map(|file| file.data(stop)).collect::<Result<Vec<_>, _>>()?;
        for player in [Player::First, Player::Second] {
            for white in 0..=stones {
                let sublayer = &mut layer[player.index()][white as usize];
                let row_bits = sublayer.row_bits;
                let sets: Vec<u32> = self.places.classes().least_sets(stones - white).collect();
                if sets.is_empty() || row_bits == 0 {
                    continue;
                }
                let words = sublayer.bits.as_mut_slice();
                let together = rows_together(row_bits);
                let groups = words.par_chunks_mut(together * row_bits / 64);
                groups.zip(sets.par_chunks(together)).for_each(|(words, sets)| {
                    if stop.is_set() {
                        return;
                    }
                    let rows = sets.iter().flat_map(|&black| {
                        self.places.white_sets(Some(white)).map(move |white| [black, white])
                    });
                    for (bit, stones) in rows.enumerate() {
                        let (stones, side) = self.shape.stored(stones, player);
                        let Some(place) = self.places.find(self.shape, stones) else { continue };
                        let byte = data[side.index()][(place.bit / 8) as usize];
                        words[bit / 64] |= u64::from(byte >> (place.bit % 8) & 1) << (bit % 64);
                    }
                });
                stop.check()?;
            }
        }
        Ok(layer)
    }
}

/// The least number of rows of `row_bits` bits each that fill whole words.
fn rows_together(row_bits: usize) -> usize {
    64 >> row_bits.trailing_zeros().min(6)
}

/// The effect of a jump on the white sets of a size.
struct Pairs {
    before: Vec<u32>,
    after: Vec<Vec<u32>>,
}
