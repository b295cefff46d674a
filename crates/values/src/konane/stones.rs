//! Stones of any colour on any square, jumps, and the decomposition of a position into regions.

use super::bits::{Bits, Four};
use crate::forms::Halt;

/// The geometry of the board, for the directions right, left, down and up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout<B: Bits> {
    /// The distance from row to row, in bits.
    pub(crate) stride: u32,
    /// The distances of the directions. A step to a higher square is a shift by the first number,
    /// to a lower one by the second. Both shifts are made, one of them by 0, so that the directions
    /// can be processed side by side.
    steps: [[u32; 4]; 2],
    higher: <B::Four as Four<B>>::Steps,
    lower: <B::Four as Four<B>>::Steps,
    /// The squares on which jumps can end: all others would wrap around.
    lands: [B; 4],
}

/// A position. Squares that are not usable are walls: off the board, or irrelevant to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Stones<B> {
    pub(crate) usable: B,
    /// Left's.
    pub(crate) black: B,
    /// Right's.
    pub(crate) white: B,
}

/// The directions, as indices.
const WAYS: std::ops::Range<usize> = 0..4;

impl<B: Bits> Layout<B> {
    /// The layout with rows of `stride` squares.
    pub(crate) fn new(stride: u32) -> Layout<B> {
        let squares = |keep: &dyn Fn(u32) -> bool| {
            let kept = (0..B::SIZE).filter(|i| keep(i % stride));
            kept.fold(B::default(), |set, i| set | B::square(i))
        };
        let all = squares(&|_| true);
        let steps = [[1, 0, stride, 0], [0, 1, 0, stride]];
        let [higher, lower] = steps.map(B::Four::steps);
        Layout {
            stride,
            steps,
            higher,
            lower,
            lands: [squares(&|c| c >= 2), squares(&|c| c + 2 < stride), all, all],
        }
    }

    /// Moves squares one step.
    #[inline(always)]
    fn on(&self, way: usize, squares: B) -> B {
        squares << self.steps[0][way] >> self.steps[1][way]
    }

    /// Moves squares one step back.
    #[inline(always)]
    fn back(&self, way: usize, squares: B) -> B {
        squares << self.steps[1][way] >> self.steps[0][way]
    }

    /// Where jumps over enemies onto empty squares can end.
    #[inline(always)]
    fn open(&self, way: usize, enemy: B, empty: B) -> B {
        self.on(way, enemy) & empty & self.lands[way]
    }

    /// Calls `visit` for each move of a player, with the stones of both afterwards.
    #[inline(always)]
    fn for_each_move(
        &self,
        [own, enemy, empty]: [B; 3],
        mut visit: impl FnMut([B; 2]) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        for way in WAYS {
            let open = self.open(way, enemy, empty);
            let mut arriving = self.on(way, self.on(way, own)) & open;
            let mut jumps = 1;
            while !arriving.is_empty() {
                for to in arriving.squares() {
                    let to = B::square(to);
                    let mut from = to;
                    let mut taken = B::default();
                    for _ in 0..jumps {
                        let over = self.back(way, from);
                        taken |= over;
                        from = self.back(way, over);
                    }
                    visit([own ^ from ^ to, enemy ^ taken])?;
                }
                arriving = self.on(way, self.on(way, arriving)) & open;
                jumps += 1;
            }
        }
        Ok(())
    }

    /// Calls `visit` for each option of Black (0) and of White (1).
    #[inline(always)]
    pub(crate) fn for_each_option(
        &self,
        stones: Stones<B>,
        mut visit: impl FnMut(usize, Stones<B>) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let Stones { usable, black, white } = stones;
        let empty = usable & !(black | white);
        self.for_each_move([black, white, empty], |[black, white]| {
            visit(0, Stones { usable, black, white })
        })?;
        self.for_each_move([white, black, empty], |[white, black]| {
            visit(1, Stones { usable, black, white })
        })
    }

    /// Moves squares one step, in all directions.
    #[inline(always)]
    fn on_all(&self, squares: B::Four) -> B::Four {
        squares.shift(self.higher, self.lower)
    }

    /// Moves squares one step back, in all directions.
    #[inline(always)]
    fn back_all(&self, squares: B::Four) -> B::Four {
        squares.shift(self.lower, self.higher)
    }

    /// The jumps that can ever become possible for either player, as the squares on which they end.
    ///
    /// The least fixed point. The squares that a colour may ever occupy and the squares that may
    /// ever be empty only grow. A jump over what may be an enemy onto what may be empty empties two
    /// squares and fills one. Everything that can happen in play is in it.
    #[inline(always)]
    pub(crate) fn possible(&self, stones: Stones<B>) -> B::Four {
        let four = |squares: B| B::Four::new([squares; 4]);
        let Stones { usable, mut black, mut white } = stones;
        let mut empty = usable & !(black | white);
        let lands = B::Four::new(self.lands);
        loop {
            let (black_one, white_one) = (self.on_all(four(black)), self.on_all(four(white)));
            let free = four(empty) & lands;
            let by_black = self.on_all(black_one) & white_one & free;
            let by_white = self.on_all(white_one) & black_one & free;
            let possible = by_black | by_white;
            let over = self.back_all(possible);
            let freed = over | self.back_all(over);
            let grown = (black | by_black.union(), white | by_white.union(), empty | freed.union());
            if grown == (black, white, empty) {
                return possible;
            }
            (black, white, empty) = grown;
        }
    }

    /// All squares that jumps touch.
    #[inline(always)]
    fn squares_of(&self, jumps: B::Four) -> B {
        let over = self.back_all(jumps);
        (jumps | over | self.back_all(over)).union()
    }

    /// Calls `visit` for each region: a set of squares whose possible jumps share no square with
    /// others. Stones in no possible jump matter only as obstacles: they become walls.
    #[inline(always)]
    pub(crate) fn for_each_region(
        &self,
        stones: Stones<B>,
        visit: impl FnMut(Stones<B>) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        self.for_each_region_of(self.possible(stones), stones, visit)
    }

    /// The same, with the possible jumps given.
    #[inline(always)]
    pub(crate) fn for_each_region_of(
        &self,
        possible: B::Four,
        stones: Stones<B>,
        mut visit: impl FnMut(Stones<B>) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let mut rest = self.squares_of(possible);
        while !rest.is_empty() {
            let mut region = B::square(rest.first());
            loop {
                let all_ways = B::Four::new([region; 4]);
                let on = self.on_all(all_ways);
                let touching = possible & (all_ways | on | self.on_all(on));
                let grown = region | self.squares_of(touching);
                // Most positions are one region, which needs no last test.
                let is_done = grown == region || grown == rest;
                region = grown;
                if is_done {
                    break;
                }
            }
            rest = rest & !region;
            let Stones { black, white, .. } = stones;
            visit(Stones { usable: region, black: black & region, white: white & region })?;
        }
        Ok(())
    }
}
