//! Leaving out what cannot matter any more (D. Applegate, G. Jacobson and D. Sleator, 1991; J. Lemoine and S. Viennot, 2010),
//! and falling apart into lands.

use smallvec::SmallVec;

use super::code::{END, ONE, REGION_END, TWO, is_letter, regions};

/// Buffers of a reduction.
#[derive(Default)]
pub(super) struct Reducer {
    reduced: Vec<u8>,
}

/// A set of letters.
#[derive(Clone, Copy, Default)]
struct Letters([u64; 4]);

impl Letters {
    /// Adds a letter; whether it was there already.
    #[inline(always)]
    fn add(&mut self, letter: u8) -> bool {
        let (word, bit) = (&mut self.0[usize::from(letter >> 6)], 1 << (letter & 63));
        let before = *word;
        *word |= bit;
        before & bit != 0
    }

    #[inline(always)]
    fn has(self, letter: u8) -> bool {
        self.0[usize::from(letter >> 6)] >> (letter & 63) & 1 != 0
    }
}

/// Letters that occur, and those that occur twice.
#[derive(Clone, Copy, Default)]
struct Occurrences {
    once: Letters,
    twice: Letters,
}

impl Occurrences {
    /// Counts an occurrence; whether it is the first.
    #[inline(always)]
    fn add(&mut self, letter: u8) -> bool {
        let again = self.once.add(letter);
        if again {
            self.twice.add(letter);
        }
        !again
    }
}

impl Reducer {
    /// Reduces a drawing in place until nothing changes.
    pub(super) fn reduce(&mut self, drawing: &mut Vec<u8>) {
        loop {
            let mut everywhere = Occurrences::default();
            for region in regions(drawing) {
                region[1..].iter().filter(|&&spot| is_letter(spot)).for_each(|&letter| {
                    everywhere.add(letter);
                });
            }
            self.reduced.clear();
            let mut is_final = true;
            for region in regions(drawing) {
                is_final &= self.reduce_region(region, everywhere.twice);
            }
            std::mem::swap(drawing, &mut self.reduced);
            if is_final {
                return;
            }
        }
    }

    /// Appends a region, if it still matters; whether letters occur as often as before.
    fn reduce_region(&mut self, region: &[u8], twice: Letters) -> bool {
        let reduced = &mut self.reduced;
        let start = reduced.len();
        reduced.push(region[0]);
        let mut lives = 3 * usize::from(region[0]);
        let mut here = Occurrences::default();
        let mut is_final = true;
        let mut first = reduced.len();
        for &spot in &region[1..] {
            if spot != END {
                // The other occurrence may have vanished.
                let spot = if is_letter(spot) && !twice.has(spot) { TWO } else { spot };
                if reduced.len() > first && reduced.last() == Some(&spot) && is_letter(spot) {
                    is_final = false;
                } else {
                    reduced.push(spot);
                }
                continue;
            }
            while reduced.len() > first + 1
                && reduced.last() == Some(&reduced[first])
                && is_letter(reduced[first])
            {
                reduced.pop();
                is_final = false;
            }
            for &spot in &reduced[first..] {
                lives += match spot {
                    ONE => 2,
                    TWO => 1,
                    letter => usize::from(here.add(letter)),
                };
            }
            if reduced.len() > first {
                reduced.push(END);
                first = reduced.len();
            }
        }
        if lives < 2 {
            // Letters that stood here are alone now.
            let had_letters = reduced[start + 1..].iter().any(|&spot| is_letter(spot));
            reduced.truncate(start);
            return is_final && !had_letters;
        }
        if lives <= 3 && is_final {
            self.simplify(start, here.twice);
        }
        self.reduced.push(REGION_END);
        is_final
    }

    /// With so few lives it does not matter how they are spread: the region becomes one boundary, with the lives that
    /// only this region has in one spot.
    fn simplify(&mut self, start: usize, own: Letters) {
        let mut own_lives = 3 * self.reduced[start];
        let (mut own_letters, mut shared) = (0, SmallVec::<[u8; 4]>::new());
        for &spot in &self.reduced[start + 1..] {
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
        self.reduced.truncate(start);
        self.reduced.push(u8::from(own_lives == 3));
        match own_lives {
            2 => self.reduced.push(ONE),
            1 => self.reduced.push(TWO),
            _ => {}
        }
        self.reduced.extend_from_slice(&shared);
        if self.reduced.len() > start + 1 {
            self.reduced.push(END);
        }
    }
}

/// Splits drawings into lands.
#[derive(Default)]
pub(super) struct Splitter {
    /// Where regions begin and end, and for each an earlier one of the same land, or itself.
    regions: Vec<(usize, usize, u16)>,
    land: Vec<u8>,
}

const NOWHERE: u16 = u16::MAX;

impl Splitter {
    /// Calls `visit` with each land of a reduced drawing: the regions that letters tie together, in their order.
    pub(super) fn for_each_land(&mut self, drawing: &[u8], mut visit: impl FnMut(&[u8])) {
        self.regions.clear();
        // The first region of each letter.
        let mut home = [NOWHERE; 256];
        let mut start = 0;
        for region in regions(drawing) {
            let index = self.regions.len() as u16;
            let end = start + region.len() + 1;
            self.regions.push((start, end, index));
            start = end;
            for &letter in region[1..].iter().filter(|&&spot| is_letter(spot)) {
                let home = &mut home[letter as usize];
                if *home == NOWHERE {
                    *home = index;
                } else {
                    let (a, b) = (self.first(*home), self.first(index));
                    self.regions[usize::from(a.max(b))].2 = a.min(b);
                }
            }
        }
        if self.regions.len() == 1 {
            return visit(drawing);
        }
        for first in 0..self.regions.len() as u16 {
            if self.first(first) != first {
                continue;
            }
            self.land.clear();
            for region in first..self.regions.len() as u16 {
                if self.first(region) == first {
                    let (from, to, _) = self.regions[usize::from(region)];
                    self.land.extend_from_slice(&drawing[from..to]);
                }
            }
            visit(&self.land);
        }
    }

    /// The first region of the land that a region belongs to, as far as is known.
    fn first(&self, mut region: u16) -> u16 {
        loop {
            let earlier = self.regions[usize::from(region)].2;
            if earlier == region {
                return region;
            }
            region = earlier;
        }
    }
}
