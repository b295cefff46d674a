//! Writes a land whose letters are ordered. Each boundary begins at its least rotation, each region
//! is reflected if that makes it less, both are sorted, and letters are named as they appear.

use super::code::{END, Names, REGION_END};

/// The range of a boundary, without its end, and its region.
#[derive(Clone, Copy)]
pub(super) struct Boundary {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) region: usize,
}

impl Boundary {
    /// Whether its reflection may look different.
    #[inline(always)]
    pub(super) fn has_direction(self) -> bool {
        self.to - self.from > 2
    }
}

/// A region of a land.
pub(super) struct Region {
    pub(super) spots: u8,
    /// Its boundaries.
    pub(super) first: usize,
    pub(super) last: usize,
    /// The number of boundaries with a direction.
    pub(super) directed: usize,
    /// A hash of its size and of its spots other than letters.
    pub(super) look: u64,
}

/// Writes forms, with buffers that are used again.
#[derive(Default)]
pub(super) struct Writer {
    /// The land with ranks for letters.
    ranked: Vec<u8>,
    reversed: Vec<u8>,
    pieces: Pieces,
    shorts: [Vec<Short>; 2],
    written: Pieces,
}

impl Writer {
    /// Appends a land whose letters have these ranks.
    pub(super) fn append(
        &mut self,
        regions: &[Region],
        boundaries: &[Boundary],
        land: &[u8],
        ranks: &[u8; 256],
        form: &mut Vec<u8>,
    ) {
        self.ranked.clear();
        self.ranked.extend(land.iter().map(|&spot| ranks[spot as usize]));
        self.written.clear();
        for region in regions {
            let boundaries = &boundaries[region.first..region.last];
            let written = &mut self.written.bytes;
            written.push(region.spots);
            if boundaries.iter().all(|boundary| boundary.to - boundary.from <= MOST_SHORT) {
                let shorts = &mut self.shorts;
                write_short(boundaries, &self.ranked, region.directed, shorts, written);
            } else {
                let (pieces, reversed) = (&mut self.pieces, &mut self.reversed);
                write_long(boundaries, &self.ranked, region.directed, pieces, reversed, written);
            }
            written.push(REGION_END);
            self.written.end();
        }
        self.written.sort();
        let mut names = Names::new();
        self.written.iter().for_each(|region| names.append(region, form));
    }
}

/// Byte strings stored one after the other, to be sorted.
#[derive(Default)]
struct Pieces {
    bytes: Vec<u8>,
    pieces: Vec<Piece>,
}

#[derive(Clone, Copy)]
struct Piece {
    /// The first bytes, which decide most comparisons. Each string ends with a byte that occurs
    /// nowhere else in it, so padding a short one with zeros is harmless.
    key: u64,
    from: u32,
    to: u32,
}

impl Pieces {
    fn clear(&mut self) {
        self.bytes.clear();
        self.pieces.clear();
    }

    /// Ends the current string: it is all that was appended since the last one.
    #[inline]
    fn end(&mut self) {
        let from = self.pieces.last().map_or(0, |piece| piece.to);
        let first = self.bytes[from as usize..].iter().take(8);
        let key = first.zip([56, 48, 40, 32, 24, 16, 8, 0]);
        let key = key.fold(0, |key, (&byte, shift)| key | u64::from(byte) << shift);
        self.pieces.push(Piece { key, from, to: self.bytes.len() as u32 });
    }

    #[inline]
    fn piece(&self, piece: Piece) -> &[u8] {
        &self.bytes[piece.from as usize..piece.to as usize]
    }

    #[inline]
    fn is_less(&self, a: Piece, b: Piece) -> bool {
        a.key < b.key || a.key == b.key && self.piece(a) < self.piece(b)
    }

    /// Insertion sort, since there are few.
    #[inline]
    fn sort(&mut self) {
        for i in 1..self.pieces.len() {
            let mut j = i;
            while j > 0 && self.is_less(self.pieces[j], self.pieces[j - 1]) {
                self.pieces.swap(j, j - 1);
                j -= 1;
            }
        }
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.pieces.iter().map(|&piece| self.piece(piece))
    }
}

/// Appends boundaries in sorted order, each at its least rotation, in the direction that makes all
/// of them together less.
fn write_long(
    boundaries: &[Boundary],
    land: &[u8],
    directed: usize,
    pieces: &mut Pieces,
    reversed: &mut Vec<u8>,
    form: &mut Vec<u8>,
) {
    let from = form.len();
    append_sorted(boundaries, land, pieces, form);
    if directed > 0 {
        let middle = form.len();
        reversed.clear();
        reversed.extend_from_slice(land);
        boundaries.iter().for_each(|boundary| reversed[boundary.from..boundary.to].reverse());
        append_sorted(boundaries, reversed, pieces, form);
        if form[middle..] < form[from..middle] {
            form.copy_within(middle.., from);
        }
        form.truncate(middle);
    }
}

/// Appends boundaries in sorted order, each at its least rotation.
fn append_sorted(boundaries: &[Boundary], land: &[u8], pieces: &mut Pieces, form: &mut Vec<u8>) {
    pieces.clear();
    for boundary in boundaries {
        append_least(&land[boundary.from..boundary.to], &mut pieces.bytes);
        pieces.bytes.push(END);
        pieces.end();
    }
    pieces.sort();
    pieces.iter().for_each(|piece| form.extend_from_slice(piece));
}

/// The most spots of a boundary that fits into a word with its end.
const MOST_SHORT: usize = 7;

/// A short boundary as a word: its first spot is in the highest byte, and zeros end it.
type Short = u64;

/// The same as [`write_long`] for boundaries that are all short.
#[inline]
fn write_short(
    boundaries: &[Boundary],
    land: &[u8],
    directed: usize,
    shorts: &mut [Vec<Short>; 2],
    form: &mut Vec<u8>,
) {
    let spots = |boundary: &Boundary| &land[boundary.from..boundary.to];
    let forwards = |boundary: &Boundary| least_short(spots(boundary).iter());
    let backwards = |boundary: &Boundary| least_short(spots(boundary).iter().rev());
    // A boundary that alone has a direction may be reflected by itself.
    let least = |boundary: &Boundary| {
        let short = forwards(boundary);
        if boundary.has_direction() { short.min(backwards(boundary)) } else { short }
    };
    if let [boundary] = boundaries {
        return append_short(least(boundary), form);
    }
    let [shorts, turned] = shorts;
    shorts.clear();
    if directed < 2 {
        shorts.extend(boundaries.iter().map(least));
        sort_few(shorts);
    } else {
        shorts.extend(boundaries.iter().map(forwards));
        turned.clear();
        turned.extend(boundaries.iter().map(backwards));
        sort_few(shorts);
        sort_few(turned);
        if turned < shorts {
            std::mem::swap(shorts, turned);
        }
    }
    shorts.iter().for_each(|&short| append_short(short, form));
}

/// Appends a short boundary with its end.
#[inline(always)]
fn append_short(short: Short, form: &mut Vec<u8>) {
    let end = form.len() + spots_of(short) + 1;
    // Copying a fixed length is faster than copying the exact one.
    form.extend_from_slice(&short.to_be_bytes());
    form.truncate(end);
}

/// The number of spots.
#[inline(always)]
fn spots_of(short: Short) -> usize {
    size_of::<Short>() - short.trailing_zeros() as usize / 8
}

/// The least rotation of a short boundary.
#[inline(always)]
fn least_short<'s>(spots: impl ExactSizeIterator<Item = &'s u8>) -> Short {
    let bits = 8 * spots.len() as u32;
    let word = spots.fold(0, |word, &spot| word << 8 | u64::from(spot));
    let (mut least, mut turned) = (word, word);
    for _ in 1..bits / 8 {
        turned = (turned << 8 | turned >> (bits - 8)) & ((1 << bits) - 1);
        least = least.min(turned);
    }
    least << (u64::BITS - bits)
}

/// Sorts a few words.
#[inline]
fn sort_few(words: &mut [u64]) {
    for i in 1..words.len() {
        let mut j = i;
        while j > 0 && words[j] < words[j - 1] {
            words.swap(j, j - 1);
            j -= 1;
        }
    }
}

/// Appends the least rotation of a sequence.
fn append_least(sequence: &[u8], form: &mut Vec<u8>) {
    let (before, after) = sequence.split_at(least_rotation(sequence));
    form.extend_from_slice(after);
    form.extend_from_slice(before);
}

/// Where the least rotation of a sequence begins (J.-P. Duval, 1983).
fn least_rotation(sequence: &[u8]) -> usize {
    let length = sequence.len();
    if length < 2 {
        return 0;
    }
    let (mut i, mut j, mut k) = (0, 1, 0);
    while i < length && j < length && k < length {
        let at = |index: usize| sequence[if index < length { index } else { index - length }];
        match at(i + k).cmp(&at(j + k)) {
            std::cmp::Ordering::Equal => k += 1,
            std::cmp::Ordering::Less => {
                j += k + 1;
                k = 0;
                if i == j {
                    j += 1;
                }
            }
            std::cmp::Ordering::Greater => {
                i += k + 1;
                k = 0;
                if i == j {
                    i += 1;
                }
            }
        }
    }
    i.min(j)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// A region with these boundaries, and their ranges.
    fn region(spots: &[Vec<u8>]) -> (Vec<u8>, Vec<Boundary>, usize) {
        let (mut land, mut boundaries) = (vec![0], Vec::new());
        for boundary in spots {
            let from = land.len();
            land.extend_from_slice(boundary);
            boundaries.push(Boundary { from, to: land.len(), region: 0 });
            land.push(END);
        }
        let directed = boundaries.iter().filter(|boundary| boundary.has_direction()).count();
        (land, boundaries, directed)
    }

    fn long(spots: &[Vec<u8>]) -> Vec<u8> {
        let ((land, boundaries, directed), mut form) = (region(spots), Vec::new());
        let (mut pieces, mut reversed) = (Pieces::default(), Vec::new());
        write_long(&boundaries, &land, directed, &mut pieces, &mut reversed, &mut form);
        form
    }

    fn short(spots: &[Vec<u8>]) -> Vec<u8> {
        let ((land, boundaries, directed), mut form) = (region(spots), Vec::new());
        write_short(&boundaries, &land, directed, &mut Default::default(), &mut form);
        form
    }

    /// The least form by trying all rotations, both directions and all orders.
    fn least(spots: &[Vec<u8>]) -> Vec<u8> {
        let write = |is_turned: bool| {
            let least = |boundary: &Vec<u8>| {
                let mut boundary = boundary.clone();
                if is_turned {
                    boundary.reverse();
                }
                let rotations = (0..boundary.len()).map(|by| {
                    let mut rotated = boundary.clone();
                    rotated.rotate_left(by);
                    rotated
                });
                [rotations.min().unwrap_or_default(), vec![END]].concat()
            };
            let mut written: Vec<Vec<u8>> = spots.iter().map(least).collect();
            written.sort();
            written.concat()
        };
        write(false).min(write(true))
    }

    proptest! {
        /// Short boundaries are written like long ones, and both are least.
        #[test]
        fn short_and_long_boundaries(spots in vec(vec(1..6_u8, 1..=MOST_SHORT), 0..6)) {
            prop_assert_eq!(short(&spots), least(&spots));
            prop_assert_eq!(long(&spots), least(&spots));
        }

        #[test]
        fn long_boundaries(spots in vec(vec(1..4_u8, 1..20), 0..6)) {
            prop_assert_eq!(long(&spots), least(&spots));
        }
    }
}
