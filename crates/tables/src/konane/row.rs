//! Rows: one bit for every set of white squares, with the black set fixed.
//!
//! A move changes a set in the same way for all positions of a row: it needs some squares to be
//! occupied or empty, and then flips some. These squares are bits of the index of an entry. Index
//! bits from the sixth on choose the word, the lower ones the place in the word. So a whole row is
//! processed word by word: the words whose index has the needed bits are combined with another
//! word, shifted, under a mask for the needed lower index bits.

/// Index bits within a word.
const WORD_BITS: u32 = 6;

/// Words of a row over a number of squares.
pub fn words(squares: u32) -> usize {
    1 << squares.saturating_sub(WORD_BITS)
}

/// The bit of a set in its row.
#[inline]
pub fn get(row: &[u64], set: u32) -> bool {
    row[(set >> WORD_BITS) as usize] >> (set & 63) & 1 == 1
}

/// The bits of a word that belong to a row over a number of squares.
pub fn used_bits(squares: u32) -> u64 {
    if squares >= WORD_BITS { u64::MAX } else { (1 << (1 << squares)) - 1 }
}

/// The effect of a move on the sets of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    /// The fixed index bits of words, and their values.
    fixed: usize,
    value: usize,
    /// The index bits of words that the move flips. All of them are fixed.
    flip: usize,
    /// How far the move lowers the place in the word; negative if it raises it.
    shift: i32,
    /// The places in a word whose lower index bits are as needed.
    mask: u64,
}

impl Pass {
    /// A move that needs the squares `occupied` and `empty`, and flips `flipped` of them.
    pub fn new(squares: u32, occupied: u32, empty: u32, flipped: u32) -> Pass {
        debug_assert_eq!(flipped & !(occupied | empty), 0, "only fixed squares are flipped");
        let low = |set: u32| set & 63;
        let places = (0..64)
            .filter(|place| place & low(occupied) == low(occupied) && place & low(empty) == 0);
        let mask = places.fold(0, |mask, place| mask | 1_u64 << place);
        Pass {
            fixed: ((occupied | empty) >> WORD_BITS) as usize,
            value: (occupied >> WORD_BITS) as usize,
            flip: (flipped >> WORD_BITS) as usize,
            // Bits that vanish lower the place, bits that appear raise it.
            shift: low(flipped & occupied) as i32 - low(flipped & empty) as i32,
            mask: mask & used_bits(squares),
        }
    }

    /// Sets the bits of the sets from which the move leads to a set whose bit in `source` is clear.
    #[inline]
    pub fn or_not(&self, row: &mut [u64], source: &[u64]) {
        let mask = self.mask;
        if self.shift >= 0 {
            let by = self.shift as u32;
            self.run(row, source, |word, from| *word |= (!from << by) & mask);
        } else {
            let by = self.shift.unsigned_abs();
            self.run(row, source, |word, from| *word |= (!from >> by) & mask);
        }
    }

    /// Sets the bits of the sets from which the move leads to a set with that code. The source
    /// holds a code for every set: one plane of `words` words for each bit of the code.
    pub fn or_code(&self, row: &mut [u64], source: &[u64], words: usize, code: u32) {
        // A plane is used as it is where the code has a 1, and inverted where it has a 0.
        let inverted = |plane: usize| if code >> plane & 1 == 1 { 0 } else { u64::MAX };
        let plane = |plane: usize| &source[plane * words..(plane + 1) * words];
        match source.len() / words {
            1 => self.or_planes(row, [plane(0)], [inverted(0)]),
            2 => self.or_planes(row, [plane(0), plane(1)], [0, 1].map(inverted)),
            3 => self.or_planes(row, [plane(0), plane(1), plane(2)], [0, 1, 2].map(inverted)),
            4 => self.or_planes(
                row,
                [plane(0), plane(1), plane(2), plane(3)],
                [0, 1, 2, 3].map(inverted),
            ),
            _ => self.or_planes(
                row,
                [plane(0), plane(1), plane(2), plane(3), plane(4)],
                [0, 1, 2, 3, 4].map(inverted),
            ),
        }
    }

    #[inline(always)]
    fn or_planes<const N: usize>(&self, row: &mut [u64], planes: [&[u64]; N], inverted: [u64; N]) {
        let mask = self.mask;
        let (left, right) = (self.shift.max(0) as u32, (-self.shift).max(0) as u32);
        for (start, run) in self.runs(row.len()) {
            let to = &mut row[start..start + run];
            let from = planes.map(|plane| &plane[start ^ self.flip..(start ^ self.flip) + run]);
            for (i, word) in to.iter_mut().enumerate() {
                let mut equal = u64::MAX;
                for n in 0..N {
                    equal &= from[n][i] ^ inverted[n];
                }
                *word |= (equal << left >> right) & mask;
            }
        }
    }

    /// Calls `combine` for all words of the row whose index has the fixed bits, with the words of
    /// the source to which the move leads.
    #[inline(always)]
    fn run(&self, row: &mut [u64], source: &[u64], combine: impl Fn(&mut u64, u64)) {
        debug_assert_eq!(row.len(), source.len());
        for (start, run) in self.runs(row.len()) {
            let to = &mut row[start..start + run];
            let from = &source[start ^ self.flip..(start ^ self.flip) + run];
            for (word, from) in to.iter_mut().zip(from) {
                combine(word, *from);
            }
        }
    }

    /// The runs of words whose index has the fixed bits: their starts and common length.
    #[inline(always)]
    fn runs(&self, words: usize) -> impl Iterator<Item = (usize, usize)> {
        // Below the lowest fixed bit, runs of words are contiguous.
        let run = (1_usize << self.fixed.trailing_zeros().min(63)).min(words);
        let (fixed, value) = (self.fixed, self.value);
        let mut start = value;
        std::iter::from_fn(move || {
            let this = start;
            // The next index with the same fixed bits: a carry runs through them.
            start = (((start | fixed) + run) & !fixed) | value;
            (this < words).then_some((this, run))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, one set at a time.
    fn plain(row: &mut [u64], source: &[u64], squares: u32, pass: [u32; 3]) {
        let [occupied, empty, flipped] = pass;
        for set in 0..1_u32 << squares {
            if set & occupied == occupied && set & empty == 0 && !get(source, set ^ flipped) {
                row[(set >> 6) as usize] |= 1 << (set & 63);
            }
        }
    }

    #[test]
    fn passes_work_on_every_set() {
        let mut random = fastrand::Rng::with_seed(7);
        for squares in 0..=13 {
            for _ in 0..300 {
                let all = (1_u32 << squares) - 1;
                let occupied = random.u32(..) & random.u32(..) & all;
                let empty = random.u32(..) & random.u32(..) & all & !occupied;
                let flipped = random.u32(..) & (occupied | empty);
                let mut rows: [Vec<u64>; 2] =
                    [(); 2].map(|()| (0..words(squares)).map(|_| random.u64(..)).collect());
                rows[0].iter_mut().for_each(|word| *word &= used_bits(squares));
                let mut expected = rows[0].clone();
                plain(&mut expected, &rows[1], squares, [occupied, empty, flipped]);
                let [row, source] = &mut rows;
                Pass::new(squares, occupied, empty, flipped).or_not(row, source);
                assert_eq!(*row, expected, "{squares} {occupied:b} {empty:b} {flipped:b}");
            }
        }
    }
}
