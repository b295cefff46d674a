//! The possible jumps of small regions, in rows of 8 squares: the result of [`Layout::possible`],
//! faster.
//!
//! One direction after the other, with constant shifts, has a shorter chain of dependent
//! instructions than four directions side by side, and there is no other work to overlap with.
//!
//! [`Layout::possible`]: super::stones::Layout::possible

use super::stones::Stones;

/// Landing squares of the jumps right, left, down and up.
pub(crate) type Jumps = [u64; 4];

/// Rounds before the first test for a fixed point. Most positions need a few rounds, and a loop
/// with an unpredictable length costs more than a round.
const UNCHECKED: usize = 2;

/// The jumps that can ever become possible, and whether they are equal to the bound. The bound is a
/// set that contains them, such as the possible jumps of a predecessor.
#[inline(always)]
pub(crate) fn possible(stones: Stones<u64>, bound: &Jumps) -> (Jumps, bool) {
    let Stones { usable, black, white } = stones;
    let mut sets = [black, white, usable & !(black | white)];
    for _ in 0..UNCHECKED {
        (sets, _) = grown(sets);
    }
    loop {
        let (next, jumps) = grown(sets);
        if differences(&jumps, bound) == 0 {
            return (jumps, true);
        }
        if differences(&next, &sets) == 0 {
            return (jumps, false);
        }
        sets = next;
    }
}

/// Word by word: comparing arrays would write them to memory first.
#[inline(always)]
fn differences<const N: usize>(a: &[u64; N], b: &[u64; N]) -> u64 {
    let mut differences = 0;
    for i in 0..N {
        differences |= a[i] ^ b[i];
    }
    differences
}

/// One round: jumps over what may be an enemy onto what may be empty.
#[inline(always)]
fn grown([black, white, empty]: [u64; 3]) -> ([u64; 3], Jumps) {
    // Jumps to the right never end in the first two columns, jumps to the left never in the last
    // two.
    let right = empty & 0xfcfc_fcfc_fcfc_fcfc;
    let left = empty & 0x3f3f_3f3f_3f3f_3f3f;
    let landings = |own: u64, enemy: u64| {
        [
            own << 2 & enemy << 1 & right,
            own >> 2 & enemy >> 1 & left,
            own << 16 & enemy << 8 & empty,
            own >> 16 & enemy >> 8 & empty,
        ]
    };
    let union = |[a, b, c, d]: Jumps| (a | b) | (c | d);
    let (by_black, by_white) = (landings(black, white), landings(white, black));
    let jumps: Jumps = std::array::from_fn(|way| by_black[way] | by_white[way]);
    let [r, l, d, u] = jumps;
    let freed = union([r >> 1 | r >> 2, l << 1 | l << 2, d >> 8 | d >> 16, u << 8 | u << 16]);
    ([black | union(by_black), white | union(by_white), empty | freed], jumps)
}

#[cfg(test)]
mod tests {
    use super::super::bits::Four;
    use super::super::stones::Layout;
    use super::*;

    /// Agrees with all directions side by side, with and without a bound.
    #[test]
    fn the_same_jumps_are_possible() {
        let mut random = fastrand::Rng::with_seed(5);
        let layout = Layout::<u64>::new(8);
        for _ in 0..20_000 {
            let usable = random.u64(..) | random.u64(..);
            let stones = usable & random.u64(..);
            let black = stones & random.u64(..);
            let stones = Stones { usable, black, white: stones & !black };
            let expected = layout.possible(stones);
            let (jumps, is_all) = possible(stones, &[0; 4]);
            assert!(<wide::u64x4 as Four<u64>>::new(jumps) == expected);
            assert_eq!(is_all, jumps == [0; 4]);
            assert_eq!(possible(stones, &jumps), (jumps, true));
        }
    }
}
