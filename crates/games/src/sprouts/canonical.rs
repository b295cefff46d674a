//! The canonical form of a land: the same bytes however it was drawn.
//!
//! Letters get colours that say how they lie in the drawing, finer from round to round (as in the colour refinement of
//! graphs); where letters stay alike, one of them is singled out. Then the colours order everything. What colours cannot tell apart is the same
//! under a symmetry of the land in all but contrived cases; there, one land may have several forms, which costs sharing but is never wrong,
//! since forms are compared byte by byte.

use super::code::{END, LETTERS, REGION_END, is_letter};

/// Buffers of the work.
#[derive(Default)]
pub(super) struct Canonizer {
    /// Boundaries and regions of the land.
    boundaries: Vec<Boundary>,
    regions: Vec<Region>,
    /// Letters that occur, in the order of their colours at last.
    letters: Vec<u8>,
    /// The two regions of each, as they were found.
    homes: Vec<[u16; 2]>,
    colours: Colours,
    next: Colours,
    /// What the land looks like from each byte, forwards and backwards.
    views: Vec<[u64; 2]>,
    pieces: Pieces,
    written: Pieces,
    ranked: Vec<u8>,
    reversed: Vec<u8>,
}

/// Where a boundary is, without its end.
#[derive(Clone, Copy)]
struct Boundary {
    from: usize,
    to: usize,
}

struct Region {
    spots: u8,
    /// Its boundaries.
    first: usize,
    last: usize,
    /// Turned over it may look different.
    has_direction: bool,
}

/// Colours by code; those of other spots do not change.
struct Colours([u64; 256]);

impl Default for Colours {
    fn default() -> Colours {
        Colours(std::array::from_fn(|spot| mix(spot as u64)))
    }
}

/// Where the colours of letters begin.
const ALIKE: u64 = 0x517c_c1b7_2722_0a95;

/// Byte strings one after the other, to be sorted.
#[derive(Default)]
struct Pieces {
    bytes: Vec<u8>,
    spans: Vec<(u32, u32)>,
}

impl Pieces {
    fn clear(&mut self) {
        self.bytes.clear();
        self.spans.clear();
    }

    /// Makes a piece of what was appended since the last.
    fn end(&mut self) {
        let from = self.spans.last().map_or(0, |span| span.1);
        self.spans.push((from, self.bytes.len() as u32));
    }

    fn piece(&self, (from, to): (u32, u32)) -> &[u8] {
        &self.bytes[from as usize..to as usize]
    }

    fn sort(&mut self) {
        let mut spans = std::mem::take(&mut self.spans);
        // There are few.
        for i in 1..spans.len() {
            let mut j = i;
            while j > 0 && self.piece(spans[j]) < self.piece(spans[j - 1]) {
                spans.swap(j, j - 1);
                j -= 1;
            }
        }
        self.spans = spans;
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.spans.iter().map(|&span| self.piece(span))
    }
}

/// Spreads a word over all bits.
#[inline(always)]
const fn mix(word: u64) -> u64 {
    let product = (word ^ 0x2545_f491_4f6c_dd1d) as u128 * 0x9e37_79b9_7f4a_7c15;
    (product >> 64) as u64 ^ product as u64
}

/// The base of the polynomials that stand for sequences of colours.
const BASE: u64 = 0xd134_2543_de82_ef95;

/// Its inverse modulo 2^64.
const INVERSE: u64 = {
    // Each step of Newton doubles the number of right bits.
    let mut inverse = BASE;
    let mut step = 0;
    while step < 6 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(BASE.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
};

impl Canonizer {
    /// Appends the canonical form of a reduced land.
    pub(super) fn append(&mut self, land: &[u8], form: &mut Vec<u8>) {
        self.read(land);
        if self.letters.len() > 1 {
            self.colour(land);
        }
        self.write(land, form);
    }

    /// Finds regions, boundaries and letters.
    fn read(&mut self, land: &[u8]) {
        self.boundaries.clear();
        self.regions.clear();
        self.letters.clear();
        self.homes.clear();
        let mut first_homes = [0_u16; 256];
        let mut place = 0;
        while place < land.len() {
            let first = self.boundaries.len();
            let spots = land[place];
            place += 1;
            let mut has_direction = false;
            while land[place] != REGION_END {
                let from = place;
                while land[place] != END {
                    let spot = land[place];
                    if is_letter(spot) {
                        let here = self.regions.len() as u16 + 1;
                        match &mut first_homes[spot as usize] {
                            home if *home == 0 => *home = here,
                            home => {
                                self.letters.push(spot);
                                self.homes.push([*home, here]);
                            }
                        }
                    }
                    place += 1;
                }
                has_direction |= place - from > 2;
                self.boundaries.push(Boundary { from, to: place });
                place += 1;
            }
            place += 1;
            let last = self.boundaries.len();
            self.regions.push(Region { spots, first, last, has_direction });
        }
        // Rounds of refinement look at the neighbours of a letter one by one and do not see which regions have several
        // letters in common, so letters begin with that.
        for (&letter, home) in self.letters.iter().zip(&self.homes) {
            let common = self.homes.iter().filter(|&other| other == home).count() as u64;
            let is_small = u64::from(home[0] == home[1]);
            self.colours.0[letter as usize] = mix(ALIKE + 2 * common + is_small);
        }
    }

    /// Refines colours until no two letters share one, and sorts letters by them.
    fn colour(&mut self, land: &[u8]) {
        let (mut different, alike) = self.sort_letters();
        if alike.is_none() {
            return;
        }
        loop {
            self.refine(land);
            let (mut now, mut alike) = self.sort_letters();
            if now == different
                && let Some(letter) = alike
            {
                // Refining does not help any more.
                let colour = &mut self.colours.0[letter as usize];
                *colour = mix(*colour ^ ALIKE);
                (now, alike) = self.sort_letters();
            }
            if alike.is_none() {
                return;
            }
            different = now;
        }
    }

    /// Sorts letters by colour; how many colours there are, and a letter that shares one.
    fn sort_letters(&mut self) -> (usize, Option<u8>) {
        let colours = &self.colours.0;
        self.letters.sort_unstable_by_key(|&letter| colours[letter as usize]);
        let (mut count, mut alike) = (self.letters.len(), None);
        for pair in self.letters.windows(2) {
            if colours[pair[0] as usize] == colours[pair[1] as usize] {
                count -= 1;
                alike = Some(pair[0]);
            }
        }
        (count, alike)
    }

    /// One round: a letter's colour takes in how its two occurrences lie in their boundaries, and these in their regions.
    /// A region may be turned over, so both directions count alike, but all of a region turns together.
    fn refine(&mut self, land: &[u8]) {
        self.letters.iter().for_each(|&letter| self.next.0[letter as usize] = 0);
        self.views.resize(self.views.len().max(land.len()), [0; 2]);
        for region in &self.regions {
            let boundaries = &self.boundaries[region.first..region.last];
            let mut sums = [u64::from(region.spots); 2];
            for &Boundary { from, to } in boundaries {
                let seen = view(&land[from..to], &self.colours, &mut self.views[from..to]);
                sums = [sums[0].wrapping_add(mix(seen[0])), sums[1].wrapping_add(mix(seen[1]))];
            }
            for &Boundary { from, to } in boundaries {
                for (&spot, view) in land[from..to].iter().zip(&self.views[from..to]) {
                    if is_letter(spot) {
                        let place = mix(view[0] ^ sums[0]).wrapping_add(mix(view[1] ^ sums[1]));
                        let next = &mut self.next.0[spot as usize];
                        *next = next.wrapping_add(mix(place));
                    }
                }
            }
        }
        for &letter in &self.letters {
            let colour = &mut self.colours.0[letter as usize];
            *colour = mix(colour.wrapping_mul(3) ^ self.next.0[letter as usize]);
        }
    }

    /// Puts the land together in the order that colours give, and names letters by appearance.
    fn write(&mut self, land: &[u8], form: &mut Vec<u8>) {
        let mut names: [u8; 256] = std::array::from_fn(|spot| spot as u8);
        for (rank, &letter) in self.letters.iter().enumerate() {
            names[letter as usize] = LETTERS + rank as u8;
        }
        self.ranked.clear();
        self.ranked.extend(land.iter().map(|&spot| names[spot as usize]));
        self.written.clear();
        for region in &self.regions {
            let boundaries = &self.boundaries[region.first..region.last];
            let from = self.written.bytes.len();
            self.written.bytes.push(region.spots);
            write_region(boundaries, &self.ranked, &mut self.pieces, &mut self.written.bytes);
            if region.has_direction {
                let middle = self.written.bytes.len();
                self.reversed.clear();
                self.reversed.extend_from_slice(&self.ranked);
                for &Boundary { from, to } in boundaries {
                    self.reversed[from..to].reverse();
                }
                self.written.bytes.push(region.spots);
                write_region(boundaries, &self.reversed, &mut self.pieces, &mut self.written.bytes);
                if self.written.bytes[middle..] < self.written.bytes[from..middle] {
                    self.written.bytes.copy_within(middle.., from);
                }
                self.written.bytes.truncate(middle);
            }
            self.written.bytes.push(REGION_END);
            self.written.end();
        }
        self.written.sort();
        let mut names = [0; 256];
        let mut name = LETTERS;
        for region in self.written.iter() {
            form.push(region[0]);
            for &spot in &region[1..region.len() - 1] {
                if is_letter(spot) {
                    let known = &mut names[spot as usize];
                    if *known == 0 {
                        *known = name;
                        name += 1;
                    }
                    form.push(*known);
                } else {
                    form.push(spot);
                }
            }
            form.push(REGION_END);
        }
    }
}

/// Appends boundaries, each from where it is least and sorted.
fn write_region(boundaries: &[Boundary], land: &[u8], pieces: &mut Pieces, form: &mut Vec<u8>) {
    pieces.clear();
    for &Boundary { from, to } in boundaries {
        let boundary = &land[from..to];
        let (tail, head) = boundary.split_at(least_rotation(boundary));
        pieces.bytes.extend_from_slice(head);
        pieces.bytes.extend_from_slice(tail);
        pieces.bytes.push(END);
        pieces.end();
    }
    pieces.sort();
    pieces.iter().for_each(|piece| form.extend_from_slice(piece));
}

/// What a boundary looks like from each of its spots, going forwards and backwards, and from all of them together.
#[inline(always)]
fn view(boundary: &[u8], colours: &Colours, views: &mut [[u64; 2]]) -> [u64; 2] {
    // Polynomials in the colours. Going one spot further takes one off at one end and puts it on at the other.
    let (mut forwards, mut backwards, mut power) = (0_u64, 0_u64, 1_u64);
    for &spot in boundary {
        let colour = colours.0[spot as usize];
        forwards = forwards.wrapping_mul(BASE).wrapping_add(colour);
        backwards = backwards.wrapping_add(colour.wrapping_mul(power));
        power = power.wrapping_mul(BASE);
    }
    let mut sums = [0_u64; 2];
    for (&spot, view) in boundary.iter().zip(views) {
        let colour = colours.0[spot as usize];
        let moved = colour.wrapping_mul(power);
        backwards = backwards.wrapping_sub(colour).wrapping_add(moved).wrapping_mul(INVERSE);
        *view = [forwards, backwards];
        sums = [sums[0].wrapping_add(mix(forwards)), sums[1].wrapping_add(mix(backwards))];
        forwards = forwards.wrapping_mul(BASE).wrapping_add(colour).wrapping_sub(moved);
    }
    sums
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
