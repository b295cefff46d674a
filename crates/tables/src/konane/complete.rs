//! Complete tables: executes a [`Plan`], in a directory or only in memory.

use std::path::Path;

use papamu_base::Progress;
use papamu_game::Player;
use rayon::prelude::*;

use crate::error::TableError;
use crate::konane::build::BuildReport;
use crate::konane::places::Places;
use crate::konane::plan::Plan;
use crate::konane::row;
use crate::konane::shape::Shape;
use crate::konane::squares::Permutation;
use crate::store::NewTable;

/// Builds the table of a board. An interrupted build of the same board in the same place is resumed
/// after its last layer.
pub fn build(
    shape: &Shape,
    plan: &Plan,
    directory: Option<&Path>,
    progress: &Progress,
) -> Result<BuildReport, TableError> {
    let mut wins = [0; 2];
    let Some(directory) = directory else {
        plan.build(
            0,
            |_, _| Ok(()),
            progress,
            |layer| {
                wins[layer.player.index()] += layer.wins();
                Ok(())
            },
        )?;
        return Ok(BuildReport { wins: Some(wins), resumed_layers: 0 });
    };
    let stop = progress.stop();
    let contents = shape.contents();
    let table = NewTable::open(directory, stop)?;
    let places = Places::new(shape)?;
    let resumed_layers = finished_layers(shape, &table)?;
    let earlier = |stones: u32, rows: &mut [u64]| {
        let layer = table.read(&shape.header(Player::First, stones))?;
        expand(shape, &places, plan.sets(stones), layer.data(stop)?, rows);
        Ok(())
    };
    plan.build(resumed_layers, earlier, progress, |layer| {
        wins[layer.player.index()] += layer.wins();
        if !shape.players().contains(&layer.player) {
            return Ok(());
        }
        table.write(&shape.header(layer.player, layer.stones), |writer| {
            let stored = layer.sets.iter().enumerate();
            for (i, _) in stored.filter(|(_, set)| places.classes().is_least(**set)) {
                writer.write_words(layer.row(i))?;
            }
            Ok(())
        })
    })?;
    table.finish(&contents)?;
    Ok(BuildReport { wins: (resumed_layers == 0).then_some(wins), resumed_layers })
}

/// The number of layers, from the first on, that are complete and undamaged. It is at most all but
/// one: making the last layer again avoids a special case.
pub(crate) fn finished_layers(shape: &Shape, table: &NewTable) -> Result<u32, TableError> {
    for layer in 0..shape.layers() - 1 {
        for &player in shape.players() {
            if !table.is_finished(&shape.header(player, layer))? {
                return Ok(layer);
            }
        }
    }
    Ok(shape.layers() - 1)
}

/// The rows of all black sets of a layer. Rows of images are made from the stored ones.
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

/// A row under a symmetry: the bit of a set is that of its image in the source.
fn permuted(row: &mut [u64], source: &[u64], white: &Permutation, white_squares: u32) {
    row.fill(0);
    for set in 0..1_u32 << white_squares {
        let bit = u64::from(row::get(source, white.image(set)));
        row[(set >> 6) as usize] |= bit << (set & 63);
    }
}
