//! Complete tables: the plan of [`crate::konane::plan`], carried out in a directory or only in memory.

use std::path::Path;

use papamu_base::Progress;
use papamu_game::Player;
use rayon::prelude::*;

use crate::konane::places::Places;
use crate::konane::plan::Plan;
use crate::konane::row;
use crate::konane::shape::Shape;
use crate::konane::squares::Permutation;
use crate::store::directory::{Partial, TableError};

/// How far a build has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Built {
    /// Positions whose player to move wins, among those of the layers built now: Black to move and
    /// White to move.
    pub wins: [u64; 2],
    /// The number of layers that were there already.
    pub resumed_layers: u32,
}

/// Builds the table of a board. An interrupted build of the same board in the same place goes on
/// after its last layer.
pub fn build(
    shape: &Shape,
    plan: &Plan,
    directory: Option<&Path>,
    progress: &Progress,
) -> Result<Built, TableError> {
    let mut built = Built { wins: [0; 2], resumed_layers: 0 };
    let Some(directory) = directory else {
        plan.build(
            0,
            |_, _| Ok(()),
            progress,
            |layer| {
                built.wins[layer.player.index()] += layer.wins();
                Ok::<(), TableError>(())
            },
        )?;
        return Ok(built);
    };
    let partial = Partial::open(shape, directory)?;
    let places = Places::new(shape)?;
    built.resumed_layers = partial.finished_layers()?;
    let earlier = |stones: u32, rows: &mut [u64]| {
        let data = partial.read(Player::First, stones)?;
        expand(shape, &places, plan.sets(stones), &data, rows);
        Ok(())
    };
    plan.build(built.resumed_layers, earlier, progress, |layer| {
        built.wins[layer.player.index()] += layer.wins();
        if !shape.players().contains(&layer.player) {
            return Ok(());
        }
        partial.write(layer.player, layer.stones, |blocks| {
            let stored = layer.sets.iter().enumerate();
            for (i, _) in stored.filter(|(_, set)| places.classes().is_least(**set)) {
                blocks.write_words(layer.row(i))?;
            }
            Ok(())
        })
    })?;
    partial.finish()?;
    Ok(built)
}

/// The rows of all black sets of a layer, those of images from the stored ones.
fn expand(shape: &Shape, places: &Places, sets: &[u32], data: &[u8], rows: &mut [u64]) {
    let white_squares = shape.squares().count(Player::Second);
    let row_bytes = shape.row_bytes();
    rows.par_chunks_mut(row_bytes / 8).zip(sets).for_each(|(row, &set)| {
        let (place, by) = places.classes().find(set);
        let [_, white] = &shape.squares().symmetries()[by];
        let start = place * row_bytes;
        let source: Vec<u64> = data[start..start + row_bytes]
            .as_chunks()
            .0
            .iter()
            .map(|bytes| u64::from_le_bytes(*bytes))
            .collect();
        permuted(row, &source, white, white_squares);
    });
}

/// A row seen through a symmetry: the bit of a set is that of its image in the source.
fn permuted(row: &mut [u64], source: &[u64], white: &Permutation, white_squares: u32) {
    row.fill(0);
    for set in 0..1_u32 << white_squares {
        let bit = u64::from(row::get(source, white.image(set)));
        row[(set >> 6) as usize] |= bit << (set & 63);
    }
}
