//! Reduction, which removes what can no longer matter (D. Applegate, G. Jacobson and D. Sleator,
//! 1991; J. Lemoine and S. Viennot, 2010), and decomposition into lands.

use std::ops::Range;

use papamu_game::sums::ComponentLists;
use smallvec::SmallVec;

use super::code::{END, Names, ONE, REGION_END, TWO, is_letter, regions};

/// A set of letters. All letters fit into four words, those of most drawings into one.
#[derive(Clone, Copy)]
pub(super) struct Letters<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Default for Letters<WORDS> {
    fn default() -> Letters<WORDS> {
        Letters([0; WORDS])
    }
}

impl<const WORDS: usize> Letters<WORDS> {
    /// Letters below this one fit.
    pub(super) const END: usize = 64 * WORDS;

    #[inline(always)]
    fn place(letter: u8) -> (usize, u64) {
        (usize::from(letter >> 6) % WORDS, 1 << (letter & 63))
    }

    #[inline(always)]
    fn add(&mut self, letter: u8) {
        let (word, bit) = Self::place(letter);
        self.0[word] |= bit;
    }

    #[inline(always)]
    fn has(&self, letter: u8) -> bool {
        let (word, bit) = Self::place(letter);
        self.0[word] & bit != 0
    }

    #[inline(always)]
    fn add_all(&mut self, others: &Self) {
        self.0.iter_mut().zip(&others.0).for_each(|(word, other)| *word |= other);
    }

    #[inline(always)]
    fn meets(&self, others: &Self) -> bool {
        self.0.iter().zip(&others.0).fold(0, |all, (word, other)| all | word & other) != 0
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

impl<const WORDS: usize> FromIterator<u8> for Letters<WORDS> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = u8>>(letters: I) -> Self {
        let mut set = Letters::default();
        letters.into_iter().for_each(|letter| set.add(letter));
        set
    }
}

/// The letters that occur, and those that occur twice.
#[derive(Clone, Copy, Default)]
struct Occurrences<const WORDS: usize> {
    once: Letters<WORDS>,
    twice: Letters<WORDS>,
}

impl<const WORDS: usize> Occurrences<WORDS> {
    #[inline(always)]
    fn add(&mut self, letter: u8) {
        let (word, bit) = Letters::<WORDS>::place(letter);
        self.twice.0[word] |= self.once.0[word] & bit;
        self.once.0[word] |= bit;
    }
}

/// A drawing: first the regions that are reduced already, then those in which a curve was drawn.
#[derive(Default)]
pub(super) struct Sketch<const WORDS: usize> {
    /// Regions, with their ends. Behind those of the drawing there may be copies of regions that
    /// reduction changes.
    bytes: Vec<u8>,
    drawn: Vec<Region<WORDS>>,
    /// The number of regions that are reduced already, and their bytes.
    old: (usize, usize),
    /// The regions that remain after reduction.
    reduced: Vec<Region<WORDS>>,
    /// Whether a region belongs to a land that was found.
    is_found: Vec<bool>,
}

/// The range of a region.
#[derive(Clone, Copy)]
struct Region<const WORDS: usize> {
    from: u32,
    /// Past its [`REGION_END`].
    to: u32,
    letters: Letters<WORDS>,
}

impl<const WORDS: usize> Region<WORDS> {
    #[inline(always)]
    fn range(&self) -> Range<usize> {
        self.from as usize..self.to as usize
    }
}

/// The letters that a round removes or replaces.
#[derive(Clone, Copy, Default)]
struct Changes<const WORDS: usize> {
    /// Without lives.
    dead: Letters<WORDS>,
    /// Their other occurrence has vanished.
    alone: Letters<WORDS>,
    either: Letters<WORDS>,
}

impl<const WORDS: usize> Changes<WORDS> {
    #[inline(always)]
    fn new(dead: Letters<WORDS>, alone: Letters<WORDS>) -> Self {
        let mut either = dead;
        either.add_all(&alone);
        Changes { dead, alone, either }
    }
}

impl<const WORDS: usize> Sketch<WORDS> {
    /// Begins with regions that are reduced already.
    pub(super) fn start<'r>(&mut self, reduced: impl Iterator<Item = &'r [u8]>) {
        self.bytes.clear();
        self.drawn.clear();
        for region in reduced {
            let from = self.bytes.len() as u32;
            self.bytes.extend_from_slice(region);
            self.bytes.push(REGION_END);
            let letters = region[1..].iter().copied().filter(|&spot| is_letter(spot)).collect();
            self.drawn.push(Region { from, to: self.bytes.len() as u32, letters });
        }
        self.old = (self.drawn.len(), self.bytes.len());
    }

    /// Begins anew with the same regions.
    #[inline]
    pub(super) fn restart(&mut self) {
        self.drawn.truncate(self.old.0);
        self.bytes.truncate(self.old.1);
    }

    /// Adds a region with this number of isolated spots; `write` appends its other boundaries.
    #[inline]
    pub(super) fn draw(&mut self, spots: u8, write: impl FnOnce(&mut Vec<u8>)) {
        let from = self.bytes.len() as u32;
        self.bytes.push(spots);
        write(&mut self.bytes);
        self.bytes.push(REGION_END);
        let to = self.bytes.len() as u32;
        self.drawn.push(Region { from, to, letters: Letters::default() });
    }

    /// Letters that occur once.
    pub(super) fn alone(&self) -> Letters<WORDS> {
        let mut all = Occurrences::<WORDS>::default();
        let spots = regions(&self.bytes).flat_map(|region| &region[1..]);
        spots.filter(|&&spot| is_letter(spot)).for_each(|&letter| all.add(letter));
        let words = all.once.0.iter().zip(all.twice.0).map(|(once, twice)| once & !twice);
        let mut alone = Letters::<WORDS>::default();
        alone.0.iter_mut().zip(words).for_each(|(word, alone)| *word = alone);
        alone
    }

    /// Reduces the drawing until nothing changes. Dead letters vanish; all others occur twice,
    /// except those in `alone`.
    pub(super) fn reduce(&mut self, dead: Letters<WORDS>, alone: Letters<WORDS>) {
        self.reduced.clear();
        self.reduced.extend_from_slice(&self.drawn);
        let mut alone = self.round(self.old.0, &Changes::new(dead, alone));
        while !alone.is_empty() {
            alone = self.round(usize::MAX, &Changes::new(Letters::default(), alone));
        }
    }

    /// Reduces the regions from `first_new` on and those in which letters change. Returns the
    /// letters that have lost their other occurrence.
    #[inline]
    fn round(&mut self, first_new: usize, changes: &Changes<WORDS>) -> Letters<WORDS> {
        let mut alone = Letters::<WORDS>::default();
        let mut kept = 0;
        for index in 0..self.reduced.len() {
            let mut region = self.reduced[index];
            if index >= first_new || region.letters.meets(&changes.either) {
                if (region.from as usize) < self.old.1 {
                    // The next drawing begins with this region as well, so a copy is changed.
                    let from = self.bytes.len() as u32;
                    self.bytes.extend_from_within(region.range());
                    (region.from, region.to) = (from, self.bytes.len() as u32);
                }
                let bytes = &mut self.bytes[region.range()];
                let Some((length, letters)) = reduce_region(bytes, changes, &mut alone) else {
                    continue;
                };
                (region.to, region.letters) = (region.from + length as u32, letters);
            }
            self.reduced[kept] = region;
            kept += 1;
        }
        self.reduced.truncate(kept);
        alone
    }

    /// Appends each land as a component: the regions that letters link, in their order.
    pub(super) fn append_lands(&mut self, lands: &mut ComponentLists) {
        self.is_found.clear();
        self.is_found.resize(self.reduced.len(), false);
        for (first, region) in self.reduced.iter().enumerate() {
            if !self.is_found[first] {
                let others = &self.reduced[first + 1..];
                let letters = tied(region.letters, others, &mut self.is_found[first + 1..]);
                lands.component(|land| {
                    let mut names = Names::new();
                    names.append(&self.bytes[region.range()], land);
                    for region in others.iter().filter(|region| region.letters.meets(&letters)) {
                        names.append(&self.bytes[region.range()], land);
                    }
                });
            }
        }
    }
}

/// The letters of the land that contains the given ones. Its regions are marked.
#[inline]
fn tied<const WORDS: usize>(
    mut letters: Letters<WORDS>,
    regions: &[Region<WORDS>],
    is_found: &mut [bool],
) -> Letters<WORDS> {
    loop {
        let mut is_final = true;
        for (region, is_found) in regions.iter().zip(&mut *is_found) {
            if !*is_found && region.letters.meets(&letters) {
                letters.add_all(&region.letters);
                *is_found = true;
                is_final = false;
            }
        }
        if is_final {
            return letters;
        }
    }
}

/// Reduces a region in place. Returns its length and its letters, or `None` if it no longer
/// matters. Adds the letters that have lost their other occurrence.
#[inline]
fn reduce_region<const WORDS: usize>(
    region: &mut [u8],
    changes: &Changes<WORDS>,
    alone: &mut Letters<WORDS>,
) -> Option<(usize, Letters<WORDS>)> {
    let mut lives = 3 * usize::from(region[0]);
    let mut here = Occurrences::<WORDS>::default();
    let mut is_final = true;
    // Where the boundary begins, and where the next spot is written: never past where it is read.
    let (mut first, mut end) = (1, 1);
    for place in 1..region.len() - 1 {
        let spot = region[place];
        match spot {
            END => {
                let letter = region[first];
                while end > first + 1 && region[end - 1] == letter && is_letter(letter) {
                    alone.add(letter);
                    end -= 1;
                    is_final = false;
                }
                if end > first {
                    region[end] = END;
                    end += 1;
                    first = end;
                }
            }
            ONE | TWO => {
                lives += usize::from(TWO + ONE - spot);
                region[end] = spot;
                end += 1;
            }
            letter if changes.either.has(letter) => {
                if changes.alone.has(letter) && !changes.dead.has(letter) {
                    lives += 1;
                    region[end] = TWO;
                    end += 1;
                }
            }
            letter if end > first && region[end - 1] == letter => {
                alone.add(letter);
                is_final = false;
            }
            letter => {
                here.add(letter);
                region[end] = letter;
                end += 1;
            }
        }
    }
    lives += here.once.count();
    if lives < 2 {
        // The letters of this region have lost an occurrence.
        alone.add_all(&here.once);
        return None;
    }
    if lives <= 3 && is_final {
        end = simplify(&mut region[..end], &here.twice);
    }
    region[end] = REGION_END;
    Some((end + 1, here.once))
}

/// With so few lives their distribution does not matter: the region becomes one boundary, in which
/// one spot has the lives that no other region shares. Returns the new length.
fn simplify<const WORDS: usize>(region: &mut [u8], own: &Letters<WORDS>) -> usize {
    let mut own_lives = 3 * region[0];
    let (mut own_letters, mut boundary) = (0, SmallVec::<[u8; 8]>::new());
    for &spot in &region[1..] {
        match spot {
            END => {}
            ONE => own_lives += 2,
            TWO => own_lives += 1,
            letter if own.has(letter) => own_letters += 1,
            letter => boundary.push(letter),
        }
    }
    // Each of these letters was counted twice and has one life.
    own_lives += own_letters / 2;
    match own_lives {
        2 => boundary.insert(0, ONE),
        1 => boundary.insert(0, TWO),
        _ => {}
    }
    if !boundary.is_empty() {
        boundary.push(END);
    }
    region[0] = u8::from(own_lives == 3);
    let end = 1 + boundary.len();
    region[1..end].copy_from_slice(&boundary);
    end
}
