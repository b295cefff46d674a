//! Proof and disproof numbers in negamax form.
//!
//! `phi` is the effort to show that the player to move wins, `delta` the effort to show that he
//! does not. The phi of a position depends on its best move, its delta on all moves:
//!
//! ```text
//! phi(n) = min delta(c)        delta(n) = sum phi(c)        over the children c of n
//! ```

/// The proof or disproof number of a solved position.
pub const INFINITE: u32 = u32::MAX;

/// The largest number of an unsolved position. It must fit into a table entry, and the sum over all
/// children, of which no game has more than 256, must fit into 32 bits.
pub const LARGEST: u32 = (1 << 24) - 1;

/// Both numbers of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Effort to show that the player to move wins.
    pub phi: u32,
    /// Effort to show that the player to move does not win.
    pub delta: u32,
}

impl Numbers {
    /// The player to move wins.
    pub const WON: Numbers = Numbers { phi: 0, delta: INFINITE };
    /// The player to move does not win.
    pub const LOST: Numbers = Numbers { phi: INFINITE, delta: 0 };

    /// Numbers of an unsolved position, brought into range.
    #[inline]
    pub fn unsolved(phi: u32, delta: u32) -> Numbers {
        Numbers { phi: phi.clamp(1, LARGEST), delta: delta.clamp(1, LARGEST) }
    }

    /// Whether the player to move wins, once that is known.
    #[inline]
    pub fn solved(self) -> Option<bool> {
        match self {
            Numbers { phi: 0, .. } => Some(true),
            Numbers { delta: 0, .. } => Some(false),
            _ => None,
        }
    }
}

/// How the phi of all children are combined into one delta.
///
/// A plain sum counts a descendant once for every path to it, and where moves commute there are
/// many paths. The damped sum counts the largest term in full and divides the others by a weight:
///
/// ```text
/// delta(n) = max phi(c) + (sum phi(c) - max phi(c)) / w
/// ```
///
/// Any positive number is sound: only 0 and infinity carry meaning. Weight 1 is the plain sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damping {
    weight: u32,
    /// 2^64 / weight, rounded up. A product and a shift divide any 32-bit number exactly (D. Lemire
    /// and others, 2019), in a quarter of the time of a division.
    reciprocal: u64,
}

impl Damping {
    /// The plain sum of Allis.
    pub const NONE: Damping = Damping::new(1);

    /// The damped sum with that weight; 0 counts as 1.
    pub const fn new(weight: u32) -> Damping {
        let weight = if weight == 0 { 1 } else { weight };
        Damping { weight, reciprocal: (u64::MAX / weight as u64).wrapping_add(1) }
    }

    /// `number / weight`
    #[inline(always)]
    fn divide(self, number: u32) -> u32 {
        if self.weight == 1 {
            return number;
        }
        ((u128::from(self.reciprocal) * u128::from(number)) >> 64) as u32
    }

    /// The weight.
    pub fn weight(self) -> u32 {
        self.weight
    }

    /// The delta for this largest phi and this sum of all phi.
    #[inline(always)]
    pub fn delta(self, max: u32, sum: u32) -> u32 {
        max + self.divide(sum - max)
    }

    /// The least phi of one child that brings delta to `target`, given the largest phi and the sum
    /// of the other children. It is the threshold of that child.
    #[inline]
    pub fn phi_for(self, target: u32, other_max: u32, other_sum: u32) -> u32 {
        if target == INFINITE {
            return INFINITE;
        }
        // The child stays below the others' largest phi: others_max + (rest + x) / w >= target.
        let rest = u64::from(other_sum - other_max);
        let missing = u64::from(target.saturating_sub(other_max)) * u64::from(self.weight);
        let below = missing.saturating_sub(rest);
        if below < u64::from(other_max) {
            return below as u32;
        }
        // The child is the largest: x + others_sum / w >= target.
        target.saturating_sub(self.divide(other_sum)).max(other_max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The threshold is exact: one less does not reach the target.
    #[test]
    fn phi_for_is_the_least_that_reaches_the_target() {
        for weight in [1, 2, 3, 16] {
            let damping = Damping::new(weight);
            for other_max in 0..6 {
                for other_sum in other_max..other_max * 3 + 1 {
                    for target in 1..40 {
                        let delta = |phi: u32| damping.delta(phi.max(other_max), phi + other_sum);
                        let phi = damping.phi_for(target, other_max, other_sum);
                        assert!(delta(phi) >= target);
                        assert!(
                            phi == 0 || delta(phi - 1) < target,
                            "{weight} {other_max} {other_sum} {target}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn division_is_exact() {
        for weight in [1, 2, 3, 7, 8, 16, 641, 65_537, u32::MAX] {
            let damping = Damping::new(weight);
            for number in (0..1000).chain([u32::MAX / 2, u32::MAX - 1, u32::MAX]) {
                assert_eq!(damping.divide(number), number / weight, "{number} / {weight}");
            }
        }
    }

    #[test]
    fn weight_1_is_the_plain_sum() {
        assert_eq!(Damping::NONE.delta(5, 12), 12);
        assert_eq!(Damping::new(16).delta(5, 12), 5);
        assert_eq!(Damping::NONE.phi_for(INFINITE, 3, 9), INFINITE);
    }
}
