//! How many different positions there are at each ply, with and without symmetry.

use std::hash::Hash;

use hashbrown::HashSet;
use thiserror::Error;

use crate::{Game, Progress, memory};

/// The positions that are reached at one ply and at no earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlyCount {
    /// Number of moves from the root.
    pub ply: u32,
    /// Positions up to symmetry.
    pub unique: u64,
    /// All positions.
    pub unique_raw: u64,
}

/// The set of positions outgrew the memory it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the positions up to ply {ply} do not fit into {limit_bytes} bytes")]
pub struct OutOfMemory {
    /// The ply that did not fit.
    pub ply: u32,
    /// The limit.
    pub limit_bytes: usize,
}

/// Counts new positions ply by ply, breadth first, until none is new or `max_ply` is reached.
///
/// Each finished ply is handed to `on_ply`. `progress` counts expanded positions.
pub fn states<G: Game>(
    game: &G,
    root: &G::Position,
    max_ply: Option<u32>,
    limit_bytes: usize,
    progress: &Progress,
    mut on_ply: impl FnMut(PlyCount),
) -> Result<(), OutOfMemory> {
    // From a root that every symmetry leaves alone, the positions of a ply are closed under the
    // symmetries, so the orbits of the canonical ones make up the raw ones.
    let mut symmetries = game.symmetries().iter();
    let symmetric_root = symmetries.all(|&symmetry| game.image(symmetry, root) == *root);

    let mut reduced = Layers::new(root, game.key(root));
    let mut raw = (!symmetric_root).then(|| Layers::new(root, root.clone()));
    for ply in 0.. {
        let unique_raw = match &raw {
            Some(raw) => raw.frontier.len() as u64,
            None => {
                let orbits = reduced.frontier.iter();
                orbits.map(|position| orbit_size(game, position)).sum()
            }
        };
        let unique = reduced.frontier.len() as u64;
        if unique == 0 {
            break;
        }
        on_ply(PlyCount { ply, unique, unique_raw });
        if max_ply.is_some_and(|max| ply >= max) {
            break;
        }
        let out_of_memory = OutOfMemory { ply: ply + 1, limit_bytes };
        if !reduced.advance(game, |position| game.key(position), limit_bytes, progress) {
            return Err(out_of_memory);
        }
        if let Some(raw) = &mut raw
            && !raw.advance(game, G::Position::clone, limit_bytes, progress)
        {
            return Err(out_of_memory);
        }
    }
    Ok(())
}

/// The number of different images of a position.
pub fn orbit_size<G: Game>(game: &G, position: &G::Position) -> u64 {
    let symmetries = game.symmetries();
    let fixing =
        symmetries.iter().filter(|&&symmetry| game.image(symmetry, position) == *position).count();
    (symmetries.len() / fixing.max(1)) as u64
}

/// A breadth-first search that tells positions apart by a key of type `K`.
struct Layers<P, K> {
    seen: HashSet<K>,
    frontier: Vec<P>,
}

impl<P: Clone, K: Eq + Hash> Layers<P, K> {
    fn new(root: &P, key: K) -> Self {
        Layers { seen: HashSet::from_iter([key]), frontier: vec![root.clone()] }
    }

    /// Moves on to the next ply; false if that takes more than `limit_bytes`.
    fn advance<G: Game<Position = P>>(
        &mut self,
        game: &G,
        key: impl Fn(&P) -> K,
        limit_bytes: usize,
        progress: &Progress,
    ) -> bool {
        let mut next = Vec::new();
        let mut moves = Vec::new();
        for mut position in std::mem::take(&mut self.frontier) {
            game.moves(&position, &mut moves);
            for mv in moves.drain(..) {
                let undo = game.play(&mut position, &mv);
                if self.is_full(next.len(), limit_bytes) {
                    return false;
                }
                if self.seen.insert(key(&position)) {
                    next.push(position.clone());
                }
                game.undo(&mut position, &mv, undo);
            }
            progress.add(1);
        }
        self.frontier = next;
        true
    }

    /// Whether one more position would exceed the limit.
    fn is_full(&self, next: usize, limit_bytes: usize) -> bool {
        let seen = &self.seen;
        let set = memory::needed_for_one_more(seen.len(), seen.capacity(), seen.allocation_size());
        set + next * size_of::<P>() > limit_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiny::{Dodgem, Kayles, TicTacToe};

    fn count<G: Game>(text: &str) -> Vec<PlyCount> {
        let (game, root) = G::read(text).expect("a position");
        let mut plies = Vec::new();
        states(&game, &root, None, 1 << 30, &Progress::new(), |ply| plies.push(ply)).expect("fits");
        plies
    }

    #[test]
    fn tic_tac_toe_has_765_positions_up_to_symmetry_and_5478_in_all() {
        let plies = count::<TicTacToe>("start");
        assert_eq!(plies.len(), 10);
        assert_eq!(plies.iter().map(|p| p.unique).sum::<u64>(), 765);
        assert_eq!(plies.iter().map(|p| p.unique_raw).sum::<u64>(), 5478);
    }

    /// The orbit shortcut is taken from the start only; here both sets are searched.
    #[test]
    fn asymmetric_roots_are_counted_position_by_position() {
        let plies = count::<TicTacToe>("x../.../... o");
        assert_eq!((plies[1].unique, plies[1].unique_raw), (5, 8));
        let plies = count::<TicTacToe>("xo./.../... x");
        assert_eq!((plies[1].unique, plies[1].unique_raw), (7, 7));
    }

    /// Every row of pins with at most 6 pins in all and room for the gaps: partitions.
    #[test]
    fn kayles_rows_are_sums_of_smaller_rows() {
        let plies = count::<Kayles>("3");
        // 3; then 2, 1, 1+1; then 0 (1+1 and 2 both lead to 1, which is not new).
        let unique: Vec<u64> = plies.iter().map(|p| p.unique).collect();
        assert_eq!(unique, [1, 3, 1]);
    }

    #[test]
    fn cycles_do_not_count_twice() {
        let plies = count::<Dodgem>("3x3");
        assert!(plies.len() < 40);
        assert_eq!(plies[0].unique, 1);
    }

    #[test]
    fn a_tight_limit_is_respected() {
        let (game, root) = TicTacToe::read("start").expect("a position");
        let result = states(&game, &root, None, 2000, &Progress::new(), |_| ());
        assert!(matches!(result, Err(OutOfMemory { ply: 3..=5, .. })), "{result:?}");
    }
}
