//! How many different positions there are at each ply, with and without symmetry.

use std::hash::Hash;

use hashbrown::HashSet;

use crate::Game;
use papamu_base::Progress;
use papamu_base::memory::{Growing, Unfinished, make_room};

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
) -> Result<(), Unfinished> {
    // If every symmetry fixes the root, the positions of a ply are closed under the symmetries, so
    // the raw positions are the orbits of the canonical ones.
    let mut symmetries = game.symmetries().iter();
    let symmetric_root = symmetries.all(|&symmetry| game.image(symmetry, root) == *root);

    let mut reduced = Layers::new(root, game.canonical(root));
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
        let canonical = |position: &G::Position| game.canonical(position);
        let raw_bytes = raw.as_ref().map_or(0, Layers::bytes);
        reduced.advance(game, canonical, raw_bytes, limit_bytes, progress)?;
        if let Some(raw) = &mut raw {
            raw.advance(game, G::Position::clone, reduced.bytes(), limit_bytes, progress)?;
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

    fn bytes(&self) -> usize {
        self.seen.bytes() + self.frontier.bytes()
    }

    /// Moves on to the next ply.
    fn advance<G: Game<Position = P>>(
        &mut self,
        game: &G,
        key: impl Fn(&P) -> K,
        other_bytes: usize,
        limit_bytes: usize,
        progress: &Progress,
    ) -> Result<(), Unfinished> {
        let mut next = Vec::new();
        let mut moves = Vec::new();
        let other_bytes = other_bytes + self.frontier.bytes();
        for mut position in std::mem::take(&mut self.frontier) {
            game.moves(&position, &mut moves);
            for mv in moves.drain(..) {
                let undo = game.play(&mut position, &mv);
                make_room(&mut self.seen, other_bytes + next.bytes(), limit_bytes)?;
                if self.seen.insert(key(&position)) {
                    make_room(&mut next, other_bytes + self.seen.bytes(), limit_bytes)?;
                    next.push(position.clone());
                }
                game.undo(&mut position, &mv, undo);
            }
            progress.add(1);
            progress.stop().check()?;
        }
        self.frontier = next;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use papamu_base::memory::OutOfMemory;
    use papamu_base::{Stop, Stopped};

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

    /// The shortcut by orbits needs a symmetric root; here both sets are searched.
    #[test]
    fn asymmetric_roots_are_counted_position_by_position() {
        let plies = count::<TicTacToe>("x../.../... o");
        assert_eq!((plies[1].unique, plies[1].unique_raw), (5, 8));
        let plies = count::<TicTacToe>("xo./.../... x");
        assert_eq!((plies[1].unique, plies[1].unique_raw), (7, 7));
    }

    #[test]
    fn kayles_rows_are_sums_of_smaller_rows() {
        let plies = count::<Kayles>("3");
        // 3; then 2, 1, 1+1; then 0 (1+1 and 2 both lead to 1, which is not new).
        let unique: Vec<u64> = plies.iter().map(|p| p.unique).collect();
        assert_eq!(unique, [1, 3, 1]);
    }

    /// A breadth-first search with `tools/reference_perft.py` finds 1963, too.
    #[test]
    fn cycles_do_not_count_twice() {
        let plies = count::<Dodgem>("3x3");
        assert_eq!(plies.iter().map(|ply| ply.unique_raw).sum::<u64>(), 1963);
    }

    #[test]
    fn a_tight_limit_is_respected() {
        let (game, root) = TicTacToe::read("start").expect("a position");
        let mut plies = 0;
        let result = states(&game, &root, None, 2000, &Progress::new(), |_| plies += 1);
        assert_eq!(result, Err(OutOfMemory { limit_bytes: 2000 }.into()));
        assert!((2..6).contains(&plies), "{plies}");
    }

    #[test]
    fn stopped_counts_end() {
        let (game, root) = Dodgem::read("7x7").expect("a position");
        let stop = Stop::new();
        let progress = Progress::with_stop(&stop);
        // All positions with six cars on each side: no machine has the memory.
        let run = || states(&game, &root, None, usize::MAX, &progress, |_| ());
        std::thread::scope(|scope| {
            let counted = scope.spawn(run);
            while progress.done() == 0 {
                std::thread::yield_now();
            }
            stop.set();
            let counted = counted.join().expect("no panic");
            assert_eq!(counted, Err(Unfinished::Stopped(Stopped)));
        });
    }

    /// This also holds while positions are counted one by one, without symmetry.
    #[test]
    fn a_stop_between_plies_is_heard() {
        for text in ["start", "x../.../... o"] {
            let (game, root) = TicTacToe::read(text).expect("a position");
            let stop = Stop::new();
            let mut plies = Vec::new();
            let progress = Progress::with_stop(&stop);
            let counted = states(&game, &root, None, 1 << 30, &progress, |count| {
                plies.push(count.ply);
                if count.ply == 2 {
                    stop.set();
                }
            });
            assert_eq!(counted, Err(Unfinished::Stopped(Stopped)), "{text}");
            assert_eq!(plies, [0, 1, 2], "{text}");
        }
    }
}
