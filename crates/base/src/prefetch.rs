//! Fetches memory before it is needed.

/// Fetches the cache line of a value, if the processor can; otherwise does nothing.
#[inline(always)]
#[allow(unsafe_code, reason = "the intrinsic takes a raw pointer")]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the pointer comes from a reference, and a prefetch reads nothing that the program
    // can observe: it is a hint even for invalid addresses. SSE is part of every x86-64 processor.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
