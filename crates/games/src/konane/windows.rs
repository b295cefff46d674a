//! A learned evaluation: how likely the player to move wins, from all 4x4 windows of the board.
//!
//! Every window adds a weight that depends on its occupied squares, on the colour of its top left
//! corner relative to the player to move, and on the edges of the board that it touches. The sum is
//! the logarithm of the odds. Windows that are images of each other have the same weight, so that
//! only one of each class is kept; `papamu train` makes the weights.
//!
//! An evaluation guides a search and proves nothing: whatever the weights, results are the same.

use std::sync::OnceLock;

use papamu_base::pext;
use thiserror::Error;

use super::{Board, Position};

/// Squares along a side of a window.
const SIDE: usize = 4;
/// The contents of a window.
const CONTENTS: usize = 1 << (SIDE * SIDE);
/// Edges touched (top 1, bottom 2, left 4, right 8) and the colour of the corner.
const KINDS: usize = 16 * 2;
/// All windows.
pub const WINDOWS: usize = KINDS * CONTENTS;
/// The unit in which weights are stored.
pub const UNIT: f32 = 1.0 / 32.0;

const MAGIC: &[u8; 8] = b"PAPAMUWE";
const VERSION: u8 = 1;

/// The weights that come with the program.
static SHIPPED: &[u8] = include_bytes!("../../data/konane/windows.bin");

/// Why a file of weights cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BadWeights {
    /// It is no file of weights.
    #[error("it does not begin with PAPAMUWE")]
    NotWeights,
    /// Another program wrote it.
    #[error("it has format version {0}, this program reads {VERSION}")]
    Version(u8),
    /// There are too many weights or too few.
    #[error("it has {found} weights and should have {expected}")]
    Length {
        /// The number of weights.
        found: usize,
        /// The number of classes.
        expected: usize,
    },
}

/// A weight for every window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights(Box<[i8; WINDOWS]>);

/// Weights that are all zero.
fn zeroes() -> Box<[i8; WINDOWS]> {
    // Made as a vector: an array would start on the stack, which is too small for it.
    vec![0; WINDOWS].into_boxed_slice().try_into().expect("as long as it says")
}

impl Weights {
    /// Weights from the logarithms of the odds of every class, as [`classes`] numbers them.
    pub fn of_classes(values: &[f32]) -> Weights {
        let mut weights = zeroes();
        let mut values = values.iter();
        each_class(|images| {
            let value = values.next().copied().unwrap_or(0.0);
            let weight = (value / UNIT).round().clamp(-127.0, 127.0) as i8;
            images.iter().for_each(|&window| weights[window] = weight);
        });
        Weights(weights)
    }

    /// One weight for each class, with a header.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = [&MAGIC[..], &[VERSION]].concat();
        each_class(|images| bytes.push(self.0[images[0]] as u8));
        bytes
    }

    /// Reads what [`Weights::to_bytes`] has written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, BadWeights> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(BadWeights::NotWeights)?;
        let (&version, of_classes) = rest.split_first().ok_or(BadWeights::NotWeights)?;
        if version != VERSION {
            return Err(BadWeights::Version(version));
        }
        let mut weights = zeroes();
        let mut classes = 0;
        each_class(|images| {
            let weight = of_classes.get(classes).map_or(0, |&weight| weight as i8);
            images.iter().for_each(|&window| weights[window] = weight);
            classes += 1;
        });
        if of_classes.len() != classes {
            return Err(BadWeights::Length { found: of_classes.len(), expected: classes });
        }
        Ok(Weights(weights))
    }

    /// The weights that come with the program.
    pub fn shipped() -> &'static Weights {
        static WEIGHTS: OnceLock<Weights> = OnceLock::new();
        WEIGHTS.get_or_init(|| {
            // Missing weights count as zero.
            Weights::from_bytes(SHIPPED).unwrap_or_else(|_| Weights(zeroes()))
        })
    }

    /// How much the player to move is favoured, from -1 (lost) to 1 (won); `None` for boards
    /// without windows.
    #[inline]
    pub fn evaluate(&self, places: &Places, position: &Position) -> Option<f32> {
        if places.0.is_empty() {
            return None;
        }
        let mut sum = 0;
        places.each_window(position, |window| sum += i32::from(self.0[window % WINDOWS]));
        // About twice the probability minus one, and the same on every machine: unlike tanh, IEEE
        // 754 specifies sqrt exactly.
        let half = sum as f32 * (UNIT / 2.0);
        Some(half / (1.0 + half * half).sqrt())
    }
}

/// Where the windows of a board are.
#[derive(Clone, Debug)]
pub struct Places(Vec<Place>);

#[derive(Clone, Copy, Debug)]
struct Place {
    /// The square of the top left corner.
    corner: u32,
    /// The first window of this kind of place, for either player to move.
    first: [u32; 2],
}

impl Places {
    /// All places; none if the board is too small for windows, or so long that its rows are not
    /// bytes.
    pub fn new(board: &Board) -> Places {
        let mut places = Vec::new();
        if board.stride == 8 && board.rows >= SIDE && board.cols >= SIDE {
            for row in 0..=board.rows - SIDE {
                for col in 0..=board.cols - SIDE {
                    let touches =
                        [row == 0, row + SIDE == board.rows, col == 0, col + SIDE == board.cols];
                    let edges = (0..4).fold(0, |edges, i| edges | usize::from(touches[i]) << i);
                    let kind = |side: usize| edges * 2 + ((row + col + side) & 1);
                    places.push(Place {
                        corner: u32::from(board.square(row, col)),
                        first: [0, 1].map(|side| (kind(side) * CONTENTS) as u32),
                    });
                }
            }
        }
        Places(places)
    }

    /// Whether there are any windows.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The numbers of all windows of a position.
    #[inline]
    pub fn each_window(&self, position: &Position, mut visit: impl FnMut(usize)) {
        let side = position.side.index();
        for place in &self.0 {
            let contents = contents(position.occupied >> (place.corner & 63));
            visit(place.first[side & 1] as usize + contents);
        }
    }
}

/// Four bits of each of four bytes, packed.
#[inline(always)]
fn contents(rows: u64) -> usize {
    pext(rows, LOW_HALVES, || contents_by_shifts(rows)) as usize
}

/// The low half of each of four bytes.
const LOW_HALVES: u64 = 0x0f0f_0f0f;

/// The same with shifts.
fn contents_by_shifts(rows: u64) -> u64 {
    let bits = rows & LOW_HALVES;
    let bits = (bits | bits >> 4) & 0x00ff_00ff;
    (bits | bits >> 8) & 0xffff
}

/// The class of every window, and how many classes there are.
pub fn classes() -> (Vec<u32>, usize) {
    let (mut of, mut count) = (vec![0; WINDOWS], 0);
    each_class(|images| {
        images.iter().for_each(|&window| of[window] = count as u32);
        count += 1;
    });
    (of, count)
}

/// Visits all classes of windows that are images of each other, in the order of their least
/// windows.
fn each_class(mut visit: impl FnMut([usize; 8])) {
    // The contents under the three reflections that make all eight symmetries.
    let contents = |image: fn(usize, usize) -> (usize, usize)| -> Vec<u16> {
        let square = |square: usize| {
            let (row, col) = image(square / SIDE, square % SIDE);
            1_u16 << (row * SIDE + col)
        };
        let squares: Vec<u16> = (0..SIDE * SIDE).map(square).collect();
        let mut images = vec![0; CONTENTS];
        for set in 1..CONTENTS {
            // The image of the rest, and that of the lowest square.
            images[set] = images[set & (set - 1)] | squares[set.trailing_zeros() as usize];
        }
        images
    };
    let transposed = contents(|row, col| (col, row));
    let upside_down = contents(|row, col| (SIDE - 1 - row, col));
    let mirrored = contents(|row, col| (row, SIDE - 1 - col));
    let image = |window: usize, symmetry: usize| {
        let (kind, mut bits) = (window / CONTENTS, window % CONTENTS);
        let (mut edges, mut corner) = (kind / 2, kind % 2);
        if symmetry & 4 != 0 {
            bits = usize::from(transposed[bits]);
            edges = edges >> 2 | (edges & 3) << 2;
        }
        // A reflection brings another corner, of the other colour, to the top left.
        if symmetry & 2 != 0 {
            bits = usize::from(upside_down[bits]);
            edges = edges & 12 | (edges & 1) << 1 | (edges & 2) >> 1;
            corner ^= 1;
        }
        if symmetry & 1 != 0 {
            bits = usize::from(mirrored[bits]);
            edges = edges & 3 | (edges & 4) << 1 | (edges & 8) >> 1;
            corner ^= 1;
        }
        (edges * 2 + corner) * CONTENTS + bits
    };
    let mut seen = vec![false; WINDOWS];
    for window in 0..WINDOWS {
        if !seen[window] {
            let images = std::array::from_fn(|symmetry| image(window, symmetry));
            images.iter().for_each(|&image| seen[image] = true);
            visit(images);
        }
    }
}

#[cfg(test)]
mod tests {
    use papamu_game::{Game, Player};

    use super::*;
    use crate::Konane;

    /// Positions that are images of each other are equally good, also with the colours exchanged.
    #[test]
    fn images_are_equally_good() {
        let mut random = fastrand::Rng::with_seed(4);
        // The weights that come with the program say nothing about boards with four rows.
        let values: Vec<f32> = (0..classes().1).map(|_| random.f32() * 8.0 - 4.0).collect();
        let weights = Weights::of_classes(&values);
        for (rows, cols) in [(4, 4), (4, 6), (5, 5), (6, 6), (7, 6), (7, 7), (8, 7), (8, 8)] {
            let game = Konane::new(rows, cols).expect("a board");
            let board = game.board();
            let places = Places::new(board);
            let mut different = std::collections::HashSet::new();
            for _ in 0..200 {
                let occupied = random.u64(..) & board.squares;
                let side = if random.bool() { Player::First } else { Player::Second };
                let position = Position { occupied, side };
                let evaluate = |position: &Position| weights.evaluate(&places, position);
                let value = evaluate(&position).expect("windows");
                assert!((-1.0..=1.0).contains(&value));
                different.insert(value.to_bits());
                for &symmetry in game.symmetries() {
                    assert_eq!(evaluate(&game.image(symmetry, &position)), Some(value));
                }
                if let Some(swap) = board.colour_swap {
                    let image = game.image(swap, &position);
                    assert_eq!(evaluate(&Position { side: !side, ..image }), Some(value));
                }
            }
            assert!(different.len() > 100, "{rows}x{cols}: {} values", different.len());
        }
        for (rows, cols) in [(3, 8), (1, 64), (4, 12)] {
            let game = Konane::new(rows, cols).expect("a board");
            let places = Places::new(game.board());
            assert_eq!(Weights::shipped().evaluate(&places, &game.start()), None);
        }
    }

    #[test]
    fn contents_are_four_bits_of_four_bytes() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..1000 {
            let rows = random.u64(..);
            let bit = |i: usize| (rows >> (8 * (i / 4) + i % 4) & 1) as usize;
            let expected = (0..16).fold(0, |bits, i| bits | bit(i) << i);
            assert_eq!([contents(rows), contents_by_shifts(rows) as usize], [expected; 2]);
        }
    }

    #[test]
    fn weights_come_back() {
        let mut random = fastrand::Rng::with_seed(7);
        let (_, count) = classes();
        let values: Vec<f32> = (0..count).map(|_| random.f32() * 10.0 - 5.0).collect();
        let weights = Weights::of_classes(&values);
        let bytes = weights.to_bytes();
        // Well under a mebibyte.
        assert!(bytes.len() < 300_000);
        assert_eq!(Weights::from_bytes(&bytes), Ok(weights));
        assert_eq!(Weights::from_bytes(b"GIF89a..."), Err(BadWeights::NotWeights));
        assert_eq!(Weights::from_bytes(&bytes[..8]), Err(BadWeights::NotWeights));
        let expected = bytes.len() - 9;
        let short = BadWeights::Length { found: expected - 1, expected };
        assert_eq!(Weights::from_bytes(&bytes[..bytes.len() - 1]), Err(short));
        let newer = [&bytes[..8], &[2], &bytes[9..]].concat();
        assert_eq!(Weights::from_bytes(&newer), Err(BadWeights::Version(2)));
        assert!(Weights::from_bytes(SHIPPED).is_ok());
    }
}
