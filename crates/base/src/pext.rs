//! Extracts and deposits bits with one instruction where the processor has a fast one.

/// The bits of a word that a mask selects, packed at the low end.
///
/// One instruction does it on Intel's processors since Haswell and on AMD's since Zen 3. Elsewhere
/// `otherwise` must compute the same: a caller that knows the mask has a better way than a loop
/// over bits. On AMD's processors before Zen 3 the instruction exists but takes hundreds of cycles;
/// among those with SSE4a, which only AMD has, VAES tells the fast ones apart.
///
/// A build for the processor at hand decides at compile time. A build for any x86-64 processor
/// checks once and remembers the answer.
///
/// ```
/// let low_halves = papamu_base::pext(0xab_cd, 0x0f_0f, || 0xbd);
/// assert_eq!(low_halves, 0xbd);
/// ```
#[inline(always)]
#[allow(unsafe_code, reason = "the instruction is not part of every x86-64 processor")]
pub fn pext(word: u64, mask: u64, otherwise: impl FnOnce() -> u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    if cfg!(any(target_feature = "vaes", not(target_feature = "sse4a"))) {
        // SAFETY: this is compiled only for processors that have the instruction.
        return unsafe { std::arch::x86_64::_pext_u64(word, mask) };
    }
    #[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
    if detected::is_fast() {
        // SAFETY: the check above found that the processor has the instruction.
        return unsafe { detected::pext(word, mask) };
    }
    let _ = (word, mask);
    otherwise()
}

/// The low bits of a word, put where a mask has bits: the inverse of [`pext`], on the same
/// processors.
///
/// ```
/// assert_eq!(papamu_base::pdep(0xbd, 0x0f_0f, || 0x0b_0d), 0x0b_0d);
/// ```
#[inline(always)]
#[allow(unsafe_code, reason = "the instruction is not part of every x86-64 processor")]
pub fn pdep(word: u64, mask: u64, otherwise: impl FnOnce() -> u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    if cfg!(any(target_feature = "vaes", not(target_feature = "sse4a"))) {
        // SAFETY: this is compiled only for processors that have the instruction.
        return unsafe { std::arch::x86_64::_pdep_u64(word, mask) };
    }
    #[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
    if detected::is_fast() {
        // SAFETY: the check above found that the processor has the instruction.
        return unsafe { detected::pdep(word, mask) };
    }
    let _ = (word, mask);
    otherwise()
}

/// For builds that do not know the processor.
#[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
mod detected {
    use std::sync::atomic::{AtomicU8, Ordering};

    const UNKNOWN: u8 = 0;
    const SLOW: u8 = 1;
    const FAST: u8 = 2;

    /// Whether the processor has the instruction and it is fast.
    #[inline(always)]
    pub(super) fn is_fast() -> bool {
        static SPEED: AtomicU8 = AtomicU8::new(UNKNOWN);
        match SPEED.load(Ordering::Relaxed) {
            UNKNOWN => {
                let is_fast = look();
                SPEED.store(if is_fast { FAST } else { SLOW }, Ordering::Relaxed);
                is_fast
            }
            speed => speed == FAST,
        }
    }

    #[cold]
    fn look() -> bool {
        is_x86_feature_detected!("bmi2")
            && (is_x86_feature_detected!("vaes") || !is_x86_feature_detected!("sse4a"))
    }

    #[target_feature(enable = "bmi2")]
    pub(super) fn pext(word: u64, mask: u64) -> u64 {
        std::arch::x86_64::_pext_u64(word, mask)
    }

    #[target_feature(enable = "bmi2")]
    pub(super) fn pdep(word: u64, mask: u64) -> u64 {
        std::arch::x86_64::_pdep_u64(word, mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bit by bit.
    fn by_bits(word: u64, mut mask: u64) -> u64 {
        let (mut bits, mut place) = (0, 0);
        while mask != 0 {
            bits |= (word >> mask.trailing_zeros() & 1) << place;
            mask &= mask - 1;
            place += 1;
        }
        bits
    }

    /// Bit by bit.
    fn spread(mut word: u64, mut mask: u64) -> u64 {
        let mut bits = 0;
        while mask != 0 {
            bits |= if word & 1 == 1 { mask & mask.wrapping_neg() } else { 0 };
            mask &= mask - 1;
            word >>= 1;
        }
        bits
    }

    #[test]
    fn selected_bits_are_brought_together() {
        let mut word = 0x0123_4567_89ab_cdef_u64;
        for _ in 0..10_000 {
            word = word.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ word >> 29;
            let mask = word.rotate_left(23) ^ word.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
            for mask in [mask, mask & 0x0f0f_0f0f, u64::MAX, 0] {
                assert_eq!(pext(word, mask, || by_bits(word, mask)), by_bits(word, mask));
                assert_eq!(pdep(word, mask, || spread(word, mask)), spread(word, mask));
            }
        }
    }
}
