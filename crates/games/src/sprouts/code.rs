//! How drawings are kept: flat bytes, no names, no pointers.
//!
//! A region is a byte with the number of its isolated spots, its other boundaries, each ended by [`END`], and
//! [`REGION_END`]. A boundary is a cyclic sequence of spots with a life left:
//!
//! ```text
//! ONE      two lives left, occurs once
//! TWO      one life left, occurs once
//! letters  one life left, occur twice: in one boundary or in two regions
//! ```
//!
//! In text these are `1`, `2` and letters. Isolated spots, `0` in text, are boundaries of their own and all alike, so
//! they are only counted.

/// Ends a boundary.
pub(super) const END: u8 = 0;
/// A spot with two lives left.
pub(super) const ONE: u8 = 1;
/// A spot with one life left that occurs once.
pub(super) const TWO: u8 = 2;
/// The first letter.
pub(super) const LETTERS: u8 = 3;
/// Ends a region.
pub(super) const REGION_END: u8 = 255;
/// Letters at most.
pub(super) const MOST_LETTERS: usize = (REGION_END - LETTERS) as usize;

/// Whether a byte of a boundary is a letter.
#[inline(always)]
pub(super) fn is_letter(spot: u8) -> bool {
    spot >= LETTERS
}

/// The regions of a drawing, each without [`REGION_END`].
pub(super) fn regions(code: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = code;
    std::iter::from_fn(move || {
        // The first byte, a number, may look like an end.
        let end = rest.get(1..)?.iter().position(|&byte| byte == REGION_END)? + 1;
        let region = &rest[..end];
        rest = &rest[end + 1..];
        Some(region)
    })
}

/// The boundaries of a region other than isolated spots, without [`END`].
pub(super) fn boundaries(region: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = region.get(1..).unwrap_or(&[]);
    std::iter::from_fn(move || {
        let end = rest.iter().position(|&byte| byte == END)?;
        let boundary = &rest[..end];
        rest = &rest[end + 1..];
        Some(boundary)
    })
}

/// The lives of a drawing: each spot counts once. What is left of the game cannot last longer than one move less.
pub(super) fn lives(code: &[u8]) -> usize {
    let lives_of_region = |region: &[u8]| {
        let in_boundaries: usize = region[1..]
            .iter()
            .map(|&spot| match spot {
                END => 0,
                ONE => 4,
                TWO => 2,
                _ => 1,
            })
            .sum();
        6 * usize::from(region[0]) + in_boundaries
    };
    regions(code).map(lives_of_region).sum::<usize>() / 2
}
