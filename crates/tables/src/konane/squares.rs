//! The squares of a board by colour: numbers for the black and for the white squares, and the moves
//! and symmetries in terms of these.

use papamu_game::{Game, Player, Symmetry};
use papamu_games::Konane;
use papamu_games::konane::Position;

/// One jump of a player, in sets of numbered squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    /// The square of the stone, among those of its colour.
    pub from: u32,
    /// The square on which it ends.
    pub to: u32,
    /// The squares on its path that must be empty, the last one included.
    pub way: u32,
    /// The enemy's squares that it jumps over, among those of the enemy's colour.
    pub over: u32,
}

/// The numbered squares of a board.
#[derive(Clone, Debug)]
pub struct Squares {
    game: Konane,
    /// The squares of each colour as bits of a board, by number.
    of: [Vec<u8>; 2],
    /// All geometrically possible jumps of each player.
    jumps: [Vec<Jump>; 2],
    /// For every symmetry of the game: the images of the squares of each colour.
    symmetries: Vec<[Permutation; 2]>,
    /// The images of the black squares among the white ones, and of the white among the black,
    /// under the reflection that exchanges the colours, if there is one.
    swap: Option<[Permutation; 2]>,
}

/// A permutation of up to 32 numbered squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation {
    goes: Vec<u8>,
    /// The images of all subsets of each group of eight squares.
    images: Box<[[u32; 256]; 4]>,
}

impl Permutation {
    fn new(goes: Vec<u8>) -> Permutation {
        let mut images = Box::new([[0; 256]; 4]);
        for (square, &to) in goes.iter().enumerate() {
            for (set, image) in images[square / 8].iter_mut().enumerate() {
                *image |= u32::from(set >> (square % 8) & 1 == 1) << to;
            }
        }
        Permutation { goes, images }
    }

    /// The image of a set.
    #[inline]
    pub fn image(&self, set: u32) -> u32 {
        let [a, b, c, d] = set.to_le_bytes().map(usize::from);
        self.images[0][a] | self.images[1][b] | self.images[2][c] | self.images[3][d]
    }

    /// The image of a square.
    pub fn of(&self, square: usize) -> u32 {
        u32::from(self.goes[square])
    }

    /// The cycles of the permutation, as sets.
    fn cycles(&self) -> Vec<u32> {
        let mut cycles: Vec<u32> = Vec::new();
        for square in 0..self.goes.len() {
            if cycles.iter().any(|cycle| cycle >> square & 1 == 1) {
                continue;
            }
            let (mut cycle, mut at) = (0_u32, square as u32);
            while cycle >> at & 1 == 0 {
                cycle |= 1 << at;
                at = self.of(at as usize);
            }
            cycles.push(cycle);
        }
        cycles
    }

    /// All sets that are their own images: unions of cycles.
    pub fn fixed_sets(&self) -> impl Iterator<Item = u32> {
        let cycles = self.cycles();
        (0..1_u64 << cycles.len()).map(move |choice| {
            let chosen = cycles.iter().enumerate().filter(|(i, _)| choice >> i & 1 == 1);
            chosen.fold(0, |set, (_, cycle)| set | cycle)
        })
    }
}

impl Squares {
    /// The squares of a board. A board has at most 64, half of them of each colour, so the sets of
    /// each fit into 32 bits.
    pub fn new(game: &Konane) -> Squares {
        let board = game.board();
        let of = [board.black, board.white].map(|plane| {
            (0..64_u8).filter(|&square| plane >> square & 1 == 1).collect::<Vec<u8>>()
        });
        debug_assert!(of.iter().all(|squares| squares.len() <= 32));
        let mut number = [0; 64];
        for squares in &of {
            for (i, &square) in squares.iter().enumerate() {
                number[usize::from(square)] = i as u8;
            }
        }
        let image = |symmetry: Symmetry, square: u8| {
            let position = Position { occupied: 1 << square, side: Player::First };
            game.image(symmetry, &position).occupied.trailing_zeros() as usize
        };
        let permutation = |symmetry: Symmetry, squares: &[u8]| {
            Permutation::new(
                squares.iter().map(|&square| number[image(symmetry, square)]).collect(),
            )
        };
        let both =
            |symmetry: Symmetry| [0, 1].map(|colour: usize| permutation(symmetry, &of[colour]));
        let symmetries = game.symmetries().iter().map(|&symmetry| both(symmetry)).collect();
        let swap = board.colour_swap.map(both);
        let jumps = [0, 1].map(|colour: usize| jumps_of(game, colour, &of, &number));
        Squares { game: game.clone(), of, jumps, symmetries, swap }
    }

    /// The game.
    pub fn game(&self) -> &Konane {
        &self.game
    }

    /// The number of squares of a player's colour.
    pub fn count(&self, player: Player) -> u32 {
        self.of[player.index()].len() as u32
    }

    /// All jumps of a player.
    pub fn jumps(&self, player: Player) -> &[Jump] {
        &self.jumps[player.index()]
    }

    /// The symmetries of the game, for black and for white squares. The identity is the first.
    pub fn symmetries(&self) -> &[[Permutation; 2]] {
        &self.symmetries
    }

    /// The reflection that exchanges the colours.
    pub fn swap(&self) -> Option<&[Permutation; 2]> {
        self.swap.as_ref()
    }

    /// The number of classes of black sets of each size: by Burnside's lemma, the mean number of
    /// sets that a symmetry leaves unchanged.
    pub fn class_counts(&self) -> Vec<u64> {
        let mut fixed = vec![0; self.of[0].len() + 1];
        for [black, _] in &self.symmetries {
            // Unions of cycles by size: each cycle is in or out.
            let mut unions = vec![0_u64; fixed.len()];
            unions[0] = 1;
            for cycle in black.cycles() {
                let length = cycle.count_ones() as usize;
                for size in (length..unions.len()).rev() {
                    unions[size] += unions[size - length];
                }
            }
            fixed.iter_mut().zip(unions).for_each(|(sum, sets)| *sum += sets);
        }
        fixed.into_iter().map(|sum| sum / self.symmetries.len() as u64).collect()
    }

    /// The black and the white stones of a position.
    #[inline]
    pub fn stones(&self, position: &Position) -> [u32; 2] {
        let board = self.game.board();
        [board.black, board.white].map(|plane| gather(position.occupied, plane) as u32)
    }

    /// The position with those stones.
    pub fn position(&self, [black, white]: [u32; 2], side: Player) -> Position {
        let occupied = [black, white].into_iter().zip(&self.of).fold(0, |bits, (set, squares)| {
            let stones = squares.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
            stones.fold(bits, |bits, (_, square)| bits | 1 << square)
        });
        Position { occupied, side }
    }

    /// The most stones that one jump captures.
    pub fn most_captures(&self) -> u32 {
        let all = self.jumps.iter().flatten();
        all.map(|jump| jump.over.count_ones()).max().unwrap_or(0)
    }
}

/// Extracts the bits of a plane, packed at the low end. Squares are numbered in the order of their
/// bits, so this numbers the stones of a colour.
///
/// One instruction does it where it is fast: on Intel processors that have it, and on AMD
/// processors since those with VAES (only AMD has SSE4a). A probe takes 0.10 microseconds with it
/// and 0.16 with the loop.
#[inline]
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "bmi2",
    any(target_feature = "vaes", not(target_feature = "sse4a"))
))]
#[allow(unsafe_code, reason = "one instruction instead of a loop whose end is unpredictable")]
fn gather(bits: u64, plane: u64) -> u64 {
    // SAFETY: this function is only compiled for processors that have the instruction.
    unsafe { std::arch::x86_64::_pext_u64(bits, plane) }
}

#[inline]
#[cfg(not(all(
    target_arch = "x86_64",
    target_feature = "bmi2",
    any(target_feature = "vaes", not(target_feature = "sse4a"))
)))]
fn gather(bits: u64, plane: u64) -> u64 {
    gather_by_loop(bits, plane)
}

/// A portable version.
#[cfg(any(
    test,
    not(all(
        target_arch = "x86_64",
        target_feature = "bmi2",
        any(target_feature = "vaes", not(target_feature = "sse4a"))
    ))
))]
fn gather_by_loop(bits: u64, plane: u64) -> u64 {
    let (mut rest, mut gathered) = (bits & plane, 0);
    while rest != 0 {
        let lowest = rest & rest.wrapping_neg();
        gathered |= 1 << (plane & (lowest - 1)).count_ones();
        rest &= rest - 1;
    }
    gathered
}

/// The jumps of a colour, from every square in the four directions.
fn jumps_of(game: &Konane, colour: usize, of: &[Vec<u8>; 2], number: &[u8; 64]) -> Vec<Jump> {
    let board = game.board();
    let mut jumps = Vec::new();
    for &square in &of[colour] {
        let (row, col) = board.row_and_col(square);
        for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            let at = |steps: isize| {
                let row = row.checked_add_signed(down * steps)?;
                let col = col.checked_add_signed(right * steps)?;
                (row < board.rows && col < board.cols)
                    .then(|| number[usize::from(board.square(row, col))])
            };
            let (mut way, mut over) = (0, 0);
            for steps in (2..).step_by(2) {
                let (Some(jumped), Some(to)) = (at(steps - 1), at(steps)) else { break };
                way |= 1 << to;
                over |= 1 << jumped;
                let from = u32::from(number[usize::from(square)]);
                jumps.push(Jump { from, to: u32::from(to), way, over });
            }
        }
    }
    jumps
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbered jumps are the moves of the game, on every position of small boards.
    #[test]
    fn jumps_are_the_moves() {
        for text in ["3x3", "2x5", "4x3", "1x9"] {
            let (game, _) = Konane::read(text).expect("a board");
            let squares = Squares::new(&game);
            let [blacks, whites] = [Player::First, Player::Second].map(|p| squares.count(p));
            for black in 0..1 << blacks {
                for white in 0..1 << whites {
                    for side in [Player::First, Player::Second] {
                        let position = squares.position([black, white], side);
                        assert_eq!(squares.stones(&position), [black, white]);
                        check(&squares, position, [black, white]);
                    }
                }
            }
        }
    }

    fn check(squares: &Squares, position: Position, stones: [u32; 2]) {
        let game = squares.game();
        if game.is_removal(&position) {
            return;
        }
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        let mut after: Vec<u64> = moves
            .iter()
            .map(|mv| {
                let mut child = position;
                game.play(&mut child, mv);
                child.occupied
            })
            .collect();
        let colour = position.side.index();
        let (own, enemy) = (stones[colour], stones[1 - colour]);
        let jumps = squares.jumps(position.side).iter().filter(|jump| {
            own >> jump.from & 1 == 1 && own & jump.way == 0 && enemy & jump.over == jump.over
        });
        let mut expected: Vec<u64> = jumps
            .map(|jump| {
                let mut stones = stones;
                stones[colour] ^= 1 << jump.from | 1 << jump.to;
                stones[1 - colour] ^= jump.over;
                squares.position(stones, position.side).occupied
            })
            .collect();
        after.sort_unstable();
        expected.sort_unstable();
        assert_eq!(after, expected);
    }

    #[test]
    fn gathering_is_the_same_on_any_machine() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..10_000 {
            let (bits, plane) = (random.u64(..), random.u64(..));
            assert_eq!(gather(bits, plane), gather_by_loop(bits, plane), "{bits:x} {plane:x}");
        }
        assert_eq!(gather_by_loop(0b1010_0110, 0b1110_0011), 0b10110);
    }

    #[test]
    fn symmetries_move_stones_as_the_game_does() {
        for text in ["3x3", "4x4", "5x4", "3x5", "6x6", "5x5"] {
            let (game, _) = Konane::read(text).expect("a board");
            let squares = Squares::new(&game);
            let stones = [0b1011, 0b0110];
            let position = squares.position(stones, Player::First);
            for (symmetry, [black, white]) in game.symmetries().iter().zip(squares.symmetries()) {
                let image = squares.stones(&game.image(*symmetry, &position));
                assert_eq!(image, [black.image(stones[0]), white.image(stones[1])]);
            }
            if let (Some(symmetry), Some([black, white])) =
                (game.board().colour_swap, squares.swap())
            {
                let image = squares.stones(&game.image(symmetry, &position));
                assert_eq!(image, [white.image(stones[1]), black.image(stones[0])]);
            }
        }
    }
}
