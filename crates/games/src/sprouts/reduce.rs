//! Leaving out what cannot matter any more (D. Applegate, G. Jacobson and D. Sleator, 1991; J. Lemoine and S. Viennot, 2010),
//! and falling apart into lands.

use papamu_game::sums::PartLists;
use smallvec::SmallVec;

use super::code::{END, LETTERS, ONE, REGION_END, TWO, is_letter, regions};

/// A set of letters.
#[derive(Clone, Copy, Default)]
pub(super) struct Letters([u64; 4]);

impl Letters {
    #[inline(always)]
    fn add(&mut self, letter: u8) {
        self.0[usize::from(letter >> 6)] |= 1 << (letter & 63);
    }

    #[inline(always)]
    fn has(&self, letter: u8) -> bool {
        self.0[usize::from(letter >> 6)] >> (letter & 63) & 1 != 0
    }

    #[inline(always)]
    fn add_all(&mut self, others: &Letters) {
        self.0.iter_mut().zip(&others.0).for_each(|(word, other)| *word |= other);
    }

    #[inline(always)]
    fn meets(&self, others: &Letters) -> bool {
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

impl FromIterator<u8> for Letters {
    fn from_iter<I: IntoIterator<Item = u8>>(letters: I) -> Letters {
        let mut set = Letters::default();
        letters.into_iter().for_each(|letter| set.add(letter));
        set
    }
}

/// Letters that occur, and those that occur twice.
#[derive(Clone, Copy, Default)]
struct Occurrences {
    once: Letters,
    twice: Letters,
}

impl Occurrences {
    #[inline(always)]
    fn add(&mut self, letter: u8) {
        let (word, bit) = (usize::from(letter >> 6), 1 << (letter & 63));
        self.twice.0[word] |= self.once.0[word] & bit;
        self.once.0[word] |= bit;
    }
}

/// A drawing, with what is known of its regions.
#[derive(Default)]
pub(super) struct Sketch {
    pub(super) bytes: Vec<u8>,
    regions: Vec<Region>,
}

/// A region of a sketch.
#[derive(Clone, Copy)]
struct Region {
    /// Bytes, with [`REGION_END`].
    length: usize,
    letters: Letters,
    is_new: bool,
}

impl Sketch {
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.regions.clear();
    }

    /// Appends regions that are reduced already.
    pub(super) fn add_reduced(&mut self, drawing: &[u8]) {
        self.bytes.extend_from_slice(drawing);
        for region in regions(drawing) {
            let letters = region[1..].iter().copied().filter(|&spot| is_letter(spot)).collect();
            self.regions.push(Region { length: region.len() + 1, letters, is_new: false });
        }
    }

    /// Keeps the regions that came first, of this size in all.
    #[inline]
    pub(super) fn truncate(&mut self, regions: usize, bytes: usize) {
        self.regions.truncate(regions);
        self.bytes.truncate(bytes);
    }

    /// How many regions there are.
    pub(super) fn len(&self) -> usize {
        self.regions.len()
    }

    /// Ends a region that begins at some byte and is not reduced.
    #[inline]
    pub(super) fn end_region(&mut self, from: usize) {
        self.bytes.push(REGION_END);
        let length = self.bytes.len() - from;
        self.regions.push(Region { length, letters: Letters::default(), is_new: true });
    }

    /// Letters that occur once.
    pub(super) fn alone(&self) -> Letters {
        let mut all = Occurrences::default();
        let spots = regions(&self.bytes).flat_map(|region| &region[1..]);
        spots.filter(|&&spot| is_letter(spot)).for_each(|&letter| all.add(letter));
        let words = all.once.0.iter().zip(all.twice.0).map(|(once, twice)| once & !twice);
        let mut alone = Letters::default();
        alone.0.iter_mut().zip(words).for_each(|(word, alone)| *word = alone);
        alone
    }
}

/// Buffers of a reduction.
#[derive(Default)]
pub(super) struct Reducer {
    reduced: Sketch,
    before: Sketch,
}

/// Letters that a round takes out or replaces.
#[derive(Clone, Copy, Default)]
struct Changes {
    /// No lives left.
    dead: Letters,
    /// The other occurrence has vanished.
    alone: Letters,
    either: Letters,
}

impl Changes {
    fn new(dead: Letters, alone: Letters) -> Changes {
        let mut either = dead;
        either.add_all(&alone);
        Changes { dead, alone, either }
    }
}

impl Reducer {
    /// Reduces a drawing from which letters vanish until nothing changes. All others occur twice, but for those alone.
    pub(super) fn reduce(&mut self, drawing: &Sketch, dead: Letters, alone: Letters) -> &Sketch {
        let mut alone = self.round(drawing, &Changes::new(dead, alone));
        while !alone.is_empty() {
            std::mem::swap(&mut self.before, &mut self.reduced);
            let before = std::mem::take(&mut self.before);
            alone = self.round(&before, &Changes::new(Letters::default(), alone));
            self.before = before;
        }
        &self.reduced
    }

    /// Reduces the regions that are new or in which letters change, and copies the others; letters that are alone now.
    fn round(&mut self, drawing: &Sketch, changes: &Changes) -> Letters {
        self.reduced.clear();
        let mut alone = Letters::default();
        // Regions that do not change are copied together.
        let (mut copied, mut end) = (0, 0);
        for &region in &drawing.regions {
            let start = end;
            end += region.length;
            if region.is_new || region.letters.meets(&changes.either) {
                self.reduced.bytes.extend_from_slice(&drawing.bytes[copied..start]);
                self.reduce_region(&drawing.bytes[start..end - 1], changes, &mut alone);
                copied = end;
            } else {
                self.reduced.regions.push(region);
            }
        }
        self.reduced.bytes.extend_from_slice(&drawing.bytes[copied..]);
        alone
    }

    /// Appends a region, if it still matters, and adds the letters that are alone then.
    fn reduce_region(&mut self, region: &[u8], changes: &Changes, alone: &mut Letters) {
        let reduced = &mut self.reduced.bytes;
        let start = reduced.len();
        reduced.push(region[0]);
        let mut lives = 3 * usize::from(region[0]);
        let mut here = Occurrences::default();
        let mut is_final = true;
        let mut first = reduced.len();
        for &spot in &region[1..] {
            match spot {
                END => {
                    while reduced.len() > first + 1
                        && reduced.last() == Some(&reduced[first])
                        && is_letter(reduced[first])
                    {
                        alone.add(reduced[first]);
                        reduced.pop();
                        is_final = false;
                    }
                    if reduced.len() > first {
                        reduced.push(END);
                        first = reduced.len();
                    }
                }
                ONE | TWO => {
                    lives += usize::from(TWO + ONE - spot);
                    reduced.push(spot);
                }
                letter if changes.either.has(letter) => {
                    if changes.alone.has(letter) && !changes.dead.has(letter) {
                        lives += 1;
                        reduced.push(TWO);
                    }
                }
                letter if reduced.len() > first && reduced.last() == Some(&letter) => {
                    alone.add(letter);
                    is_final = false;
                }
                letter => {
                    here.add(letter);
                    reduced.push(letter);
                }
            }
        }
        lives += here.once.count();
        if lives < 2 {
            // Letters that stood here are alone now.
            alone.add_all(&here.once);
            reduced.truncate(start);
            return;
        }
        if lives <= 3 && is_final {
            self.simplify(start, &here.twice);
        }
        self.reduced.bytes.push(REGION_END);
        let length = self.reduced.bytes.len() - start;
        self.reduced.regions.push(Region { length, letters: here.once, is_new: false });
    }

    /// With so few lives it does not matter how they are spread: the region becomes one boundary, with the lives that
    /// only this region has in one spot.
    fn simplify(&mut self, start: usize, own: &Letters) {
        let reduced = &mut self.reduced.bytes;
        let mut own_lives = 3 * reduced[start];
        let (mut own_letters, mut shared) = (0, SmallVec::<[u8; 4]>::new());
        for &spot in &reduced[start + 1..] {
            match spot {
                END => {}
                ONE => own_lives += 2,
                TWO => own_lives += 1,
                letter if own.has(letter) => own_letters += 1,
                letter => shared.push(letter),
            }
        }
        // Each occurs twice and has one life.
        own_lives += own_letters / 2;
        reduced.truncate(start);
        reduced.push(u8::from(own_lives == 3));
        match own_lives {
            2 => reduced.push(ONE),
            1 => reduced.push(TWO),
            _ => {}
        }
        reduced.extend_from_slice(&shared);
        if reduced.len() > start + 1 {
            reduced.push(END);
        }
    }
}

/// Splits drawings into lands.
#[derive(Default)]
pub(super) struct Splitter {
    /// Whether a region belongs to a land that was found.
    is_found: Vec<bool>,
}

impl Splitter {
    /// Appends each land of a reduced drawing as a part: the regions that letters tie together, in their order.
    pub(super) fn append_lands(&mut self, drawing: &Sketch, lands: &mut PartLists) {
        self.is_found.clear();
        self.is_found.resize(drawing.regions.len(), false);
        for (first, region) in drawing.regions.iter().enumerate() {
            if !self.is_found[first] {
                let letters = self.tied(drawing, first, region.letters);
                lands.part(|code| append_land(drawing, first, &letters, code));
            }
        }
    }

    /// The letters of the land that begins with a region; its regions are marked.
    fn tied(&mut self, drawing: &Sketch, first: usize, mut letters: Letters) -> Letters {
        loop {
            let mut is_final = true;
            for (region, is_found) in
                drawing.regions[first + 1..].iter().zip(&mut self.is_found[first + 1..])
            {
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
}

/// Appends the land that begins with a region and has these letters. They get names in the order in which they appear:
/// then lands that were drawn alike are alike.
fn append_land(drawing: &Sketch, first: usize, letters: &Letters, land: &mut Vec<u8>) {
    let mut names = [0; 256];
    let mut next = LETTERS;
    let mut end = 0;
    for (index, region) in drawing.regions.iter().enumerate() {
        let start = end;
        end += region.length;
        if index != first && !region.letters.meets(letters) {
            continue;
        }
        let from = land.len();
        land.extend_from_slice(&drawing.bytes[start..end]);
        let last = land.len() - 1;
        for spot in land[from + 1..last].iter_mut().filter(|spot| is_letter(**spot)) {
            let name = &mut names[*spot as usize];
            if *name == 0 {
                *name = next;
                next += 1;
            }
            *spot = *name;
        }
    }
}
