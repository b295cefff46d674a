//! Random numbers that depend only on a seed: SplitMix64 (G. Steele, D. Lea, C. Flood, 2014).

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The output of a state.
pub(crate) fn mix(state: u64) -> u64 {
    let mut mixed = state.wrapping_add(STEP);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// A stream of random numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let number = mix(self.0);
        self.0 = self.0.wrapping_add(STEP);
        ((u128::from(number) * end as u128) >> 64) as usize
    }

    /// Shuffles numbers.
    pub(crate) fn shuffle(&mut self, numbers: &mut [u32]) {
        for i in (1..numbers.len()).rev() {
            numbers.swap(i, self.below(i + 1));
        }
    }
}
