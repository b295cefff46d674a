//! The encoding of drawings: flat bytes, no names, no pointers.
//!
//! A region is a byte with the number of its isolated spots, its other boundaries, each ended by
//! [`END`], and [`REGION_END`]. A boundary is a cyclic sequence of spots with a life left:
//!
//! ```text
//! ONE      two lives left, occurs once
//! TWO      one life left, occurs once
//! letters  one life left, occur twice: in one boundary or in two regions
//! ```
//!
//! In text these are `1`, `2` and letters. Isolated spots, `0` in text, are boundaries of their
//! own. They are all alike, so they are only counted.

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
/// The most letters.
pub(super) const MOST_LETTERS: usize = (REGION_END - LETTERS) as usize;

/// Whether a byte of a boundary is a letter.
#[inline(always)]
pub(super) fn is_letter(spot: u8) -> bool {
    spot >= LETTERS
}

/// Names letters in the order in which they appear, so that drawings that differ only in names get
/// the same code.
pub(super) struct Names {
    names: [u8; 256],
    next: u8,
}

impl Names {
    pub(super) fn new() -> Names {
        let mut names = [NAMELESS; 256];
        for spot in [END, ONE, TWO] {
            names[spot as usize] = spot;
        }
        Names { names, next: LETTERS }
    }

    /// The name of a spot. Branch-free: the branch is unpredictable.
    #[inline(always)]
    pub(super) fn name(&mut self, spot: u8) -> u8 {
        let name = &mut self.names[spot as usize];
        let is_new = *name == NAMELESS;
        *name = if is_new { self.next } else { *name };
        self.next = self.next.wrapping_add(is_new.into());
        *name
    }

    /// Appends a region, with its end, under these names.
    #[inline]
    pub(super) fn append(&mut self, region: &[u8], code: &mut Vec<u8>) {
        if let [spots, boundaries @ .., end] = region {
            code.push(*spots);
            code.extend(boundaries.iter().map(|&spot| self.name(spot)));
            code.push(*end);
        }
    }
}

/// A letter without a name yet.
const NAMELESS: u8 = REGION_END;

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

/// Twice the lives of an occurrence, by its byte. A letter occurs twice, so each occurrence counts
/// for half a life.
const DOUBLE_LIVES: [u8; 256] = {
    let mut lives = [1; 256];
    lives[END as usize] = 0;
    lives[ONE as usize] = 4;
    lives[TWO as usize] = 2;
    lives[REGION_END as usize] = 0;
    lives
};

/// The lives of a drawing: each spot counts once. Every move takes a life and needs two, so fewer
/// moves are left than lives.
pub(super) fn lives(code: &[u8]) -> usize {
    let (mut doubled, mut is_number) = (0, true);
    for &byte in code {
        doubled +=
            if is_number { 6 * usize::from(byte) } else { DOUBLE_LIVES[byte as usize].into() };
        is_number = byte == REGION_END && !is_number;
    }
    doubled / 2
}
