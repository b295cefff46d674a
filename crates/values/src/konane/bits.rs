//! Sets of squares: one word for boards of up to 8x8, 256 bits for larger ones.

use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

use wide::u64x4;

/// A set of squares.
pub(crate) trait Bits:
    Copy
    + Eq
    + Ord
    + Hash
    + Default
    + Send
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The number of squares that fit.
    const SIZE: u32;
    /// Four sets that are processed side by side.
    type Four: Four<Self>;

    /// One square.
    fn square(index: u32) -> Self;

    fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// The first square of a set that is not empty.
    fn first(self) -> u32;

    /// The squares one after the other.
    fn squares(mut self) -> impl Iterator<Item = u32> {
        std::iter::from_fn(move || {
            (!self.is_empty()).then(|| {
                let index = self.first();
                self = self ^ Self::square(index);
                index
            })
        })
    }
}

/// Four sets of squares, one for each direction on the board.
pub(crate) trait Four<B>:
    Copy + PartialEq + BitAnd<Output = Self> + BitOr<Output = Self> + std::fmt::Debug
{
    /// Makes them from four sets.
    fn new(sets: [B; 4]) -> Self;

    /// Shifts each set to higher squares by the one distance, then to lower squares by the other.
    fn shift(self, up: Self::Steps, down: Self::Steps) -> Self;

    /// Four distances.
    type Steps: Copy + std::fmt::Debug;

    fn steps(steps: [u32; 4]) -> Self::Steps;

    /// The union of all four.
    fn union(self) -> B;
}

impl Four<u64> for u64x4 {
    type Steps = u64x4;

    #[inline(always)]
    fn new(sets: [u64; 4]) -> u64x4 {
        u64x4::new(sets)
    }

    #[inline(always)]
    fn shift(self, up: u64x4, down: u64x4) -> u64x4 {
        self.unbounded_shl(up).unbounded_shr(down)
    }

    fn steps(steps: [u32; 4]) -> u64x4 {
        u64x4::new(steps.map(u64::from))
    }

    #[inline(always)]
    fn union(self) -> u64 {
        let [a, b, c, d] = self.to_array();
        a | b | c | d
    }
}

/// Words too wide for the processor are processed one after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FourWide([U256; 4]);

impl BitAnd for FourWide {
    type Output = FourWide;

    fn bitand(self, other: FourWide) -> FourWide {
        FourWide(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl BitOr for FourWide {
    type Output = FourWide;

    fn bitor(self, other: FourWide) -> FourWide {
        FourWide(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl Four<U256> for FourWide {
    type Steps = [u32; 4];

    fn new(sets: [U256; 4]) -> FourWide {
        FourWide(sets)
    }

    fn shift(self, up: [u32; 4], down: [u32; 4]) -> FourWide {
        FourWide(std::array::from_fn(|i| self.0[i] << up[i] >> down[i]))
    }

    fn steps(steps: [u32; 4]) -> [u32; 4] {
        steps
    }

    fn union(self) -> U256 {
        self.0[0] | self.0[1] | self.0[2] | self.0[3]
    }
}

impl Bits for u64 {
    const SIZE: u32 = 64;
    type Four = u64x4;

    #[inline]
    fn square(index: u32) -> u64 {
        1 << index
    }

    #[inline]
    fn first(self) -> u32 {
        self.trailing_zeros()
    }
}

/// 256 bits, the lower half first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct U256([u128; 2]);

macro_rules! bitwise {
    ($($trait:ident $method:ident),+) => {
        $(impl $trait for U256 {
            type Output = U256;

            fn $method(self, other: U256) -> U256 {
                U256([self.0[0].$method(other.0[0]), self.0[1].$method(other.0[1])])
            }
        })+
    };
}

bitwise!(BitAnd bitand, BitOr bitor, BitXor bitxor);

impl BitOrAssign for U256 {
    fn bitor_assign(&mut self, other: U256) {
        *self = *self | other;
    }
}

impl Not for U256 {
    type Output = U256;

    fn not(self) -> U256 {
        U256(self.0.map(Not::not))
    }
}

impl Shl<u32> for U256 {
    type Output = U256;

    fn shl(self, by: u32) -> U256 {
        let [low, high] = self.0;
        match by {
            0 => self,
            1..128 => U256([low << by, high << by | low >> (128 - by)]),
            128 => U256([0, low]),
            129..256 => U256([0, low << (by - 128)]),
            _ => U256::default(),
        }
    }
}

impl Shr<u32> for U256 {
    type Output = U256;

    fn shr(self, by: u32) -> U256 {
        let [low, high] = self.0;
        match by {
            0 => self,
            1..128 => U256([low >> by | high << (128 - by), high >> by]),
            128 => U256([high, 0]),
            129..256 => U256([high >> (by - 128), 0]),
            _ => U256::default(),
        }
    }
}

impl Bits for U256 {
    const SIZE: u32 = 256;
    type Four = FourWide;

    fn square(index: u32) -> U256 {
        if index < 128 { U256([1 << index, 0]) } else { U256([0, 1 << (index - 128)]) }
    }

    fn first(self) -> u32 {
        match self.0 {
            [0, high] => 128 + high.trailing_zeros(),
            [low, _] => low.trailing_zeros(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with sets of integers.
    #[test]
    fn wide_words_shift_like_sets() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..2000 {
            let squares: Vec<u32> = (0..20).map(|_| random.u32(0..256)).collect();
            let set = squares.iter().fold(U256::default(), |set, &i| set | U256::square(i));
            let mut expected = squares;
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(set.squares().collect::<Vec<_>>(), expected);
            let by = random.u32(0..300);
            let up: Vec<u32> = expected.iter().map(|i| i + by).filter(|&i| i < 256).collect();
            let down: Vec<u32> = expected.iter().filter_map(|i| i.checked_sub(by)).collect();
            assert_eq!((set << by).squares().collect::<Vec<_>>(), up);
            assert_eq!((set >> by).squares().collect::<Vec<_>>(), down);
        }
    }
}
