//! Checks all blocks of a table against their hashes.

use papamu_base::{Progress, Stopped};
use rayon::prelude::*;

use crate::error::DamagedBlock;
use crate::store::LayerFile;

/// The first damaged block of each layer. Everything else was checked when the layers were opened.
pub(crate) fn check_hashes(
    layers: &[&LayerFile],
    progress: &Progress,
) -> Result<Vec<DamagedBlock>, Stopped> {
    let bytes =
        |layer: &&LayerFile| (0..layer.blocks()).map(|block| layer.block_bytes(block)).sum::<u64>();
    progress.add_total(layers.iter().map(bytes).sum());
    let check = |layer: &&LayerFile| {
        (0..layer.blocks()).into_par_iter().find_map_first(|block| {
            if progress.stop().is_set() {
                return None;
            }
            let checked = layer.check_block(block);
            progress.add(layer.block_bytes(block));
            checked.err().cloned()
        })
    };
    let damaged = layers.par_iter().filter_map(check).collect();
    progress.stop().check()?;
    Ok(damaged)
}
