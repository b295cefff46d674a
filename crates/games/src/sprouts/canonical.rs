//! The canonical form of a land: the same bytes however it was drawn.
//!
//! Colour refinement, as for graph isomorphism: each letter gets a colour that describes how it
//! lies in the drawing, and every round makes the colours finer. Where letters keep the same
//! colour, one of them is singled out. The colours then order everything. Letters with the same
//! colour are nearly always images of each other under a symmetry of the land. Where they are not,
//! one land may have several forms. Searches then share less, but nothing is wrong, since forms are
//! compared byte by byte. Where the form must be unique, every letter is singled out in turn and
//! the least form counts.

use super::code::{END, LETTERS, MOST_LETTERS, REGION_END, is_letter};
use super::form::{Boundary, Region, Writer};

/// Makes canonical forms, with buffers that are used again.
#[derive(Default)]
pub(super) struct Canonizer {
    /// Boundaries and regions of the land.
    boundaries: Vec<Boundary>,
    regions: Vec<Region>,
    /// The number of letters. They have the first codes, in any order.
    letters: usize,
    /// The two regions of each letter.
    homes: Vec<u32>,
    colours: Colours,
    next: Colours,
    /// Hashes of the boundary as seen from each byte of the land, forwards and backwards.
    views: Vec<[u64; 2]>,
    writer: Writer,
}

/// Colours by code. Only those of letters change.
struct Colours([u64; 256]);

impl Default for Colours {
    fn default() -> Colours {
        Colours(std::array::from_fn(|spot| mix(spot as u64)))
    }
}

impl Colours {
    #[inline(always)]
    fn of_letters(&mut self, letters: usize) -> &mut [u64] {
        &mut self.0[LETTERS.into()..][..letters]
    }
}

/// Mixed into the colour of a letter that is singled out.
const SINGLE: u64 = 0x517c_c1b7_2722_0a95;

/// Two boundaries or two regions of a letter are packed into one word.
const PLACE_BITS: u32 = 16;
const MOST_PLACES: usize = 1 << PLACE_BITS;

/// Unpacks both.
#[inline(always)]
fn both(places: u32) -> [u32; 2] {
    [places >> PLACE_BITS, places & (MOST_PLACES as u32 - 1)]
}

/// The longest boundary in which twins are looked for.
const LONGEST_OF_TWINS: usize = 8;

/// The most forms of a land that are compared.
const MOST_FORMS: u32 = 5000;

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
    // Each Newton step doubles the number of correct bits.
    let mut inverse = BASE;
    let mut step = 0;
    while step < 6 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(BASE.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
};

impl Canonizer {
    /// Appends the canonical form of a reduced land, whose letters are the first ones.
    pub(super) fn append(&mut self, land: &[u8], form: &mut Vec<u8>) {
        self.read(land);
        let mut names: [u8; 256] = std::array::from_fn(|spot| spot as u8);
        if self.letters > 1 {
            self.colour(land, &mut names);
        }
        self.writer.append(&self.regions, &self.boundaries, land, &names, form);
    }

    /// Appends the form that is the same for all drawings of a land. It takes longer. With too many
    /// symmetries it gives up, and several forms are possible here, too.
    pub(super) fn append_exact(&mut self, land: &[u8], form: &mut Vec<u8>) {
        self.read(land);
        let mut least = None;
        self.explore(land, &mut least, &mut MOST_FORMS.clone());
        form.extend_from_slice(&least.unwrap_or_default());
    }

    /// Singles out each of the letters that are alike in turn, and keeps the least form.
    fn explore(&mut self, land: &[u8], least: &mut Option<Vec<u8>>, left: &mut u32) {
        let mut names: [u8; 256] = std::array::from_fn(|spot| spot as u8);
        let (mut different, mut alike) = self.rank(&mut names);
        while alike.is_some() {
            self.refine(land);
            let now;
            (now, alike) = self.rank(&mut names);
            if now == different {
                break;
            }
            different = now;
        }
        let Some(letter) = alike else {
            let mut form = Vec::new();
            self.writer.append(&self.regions, &self.boundaries, land, &names, &mut form);
            if least.as_ref().is_none_or(|least| form < *least) {
                *least = Some(form);
            }
            *left = left.saturating_sub(1);
            return;
        };
        let colours = self.colours.of_letters(self.letters).to_vec();
        let colour = self.colours.0[letter as usize];
        for single in (0..self.letters).filter(|&i| colours[i] == colour) {
            self.colours.of_letters(self.letters).copy_from_slice(&colours);
            self.colours.of_letters(self.letters)[single] = mix(colour ^ SINGLE);
            self.explore(land, least, left);
            if *left == 0 {
                return;
            }
        }
    }

    /// Finds regions, boundaries and letters.
    fn read(&mut self, land: &[u8]) {
        self.boundaries.clear();
        self.regions.clear();
        // Each letter takes two bytes.
        let most = (land.len() / 2).min(MOST_LETTERS);
        self.next.of_letters(most).fill(0);
        // The two boundaries of each letter.
        let mut places = [0_u32; 256];
        let mut last_letter = LETTERS - 1;
        let mut place = 0;
        while place < land.len() {
            let first = self.boundaries.len();
            let region = self.regions.len();
            let (start, spots) = (place, land[place]);
            place += 1;
            let (mut directed, mut others) = (0, 0);
            while land[place] != REGION_END {
                let from = place;
                let index = self.boundaries.len() as u32;
                while land[place] != END {
                    let spot = land[place];
                    let places = &mut places[spot as usize];
                    *places = *places << PLACE_BITS | index;
                    last_letter = last_letter.max(spot);
                    others += u64::from(spot) & u64::from(is_letter(spot)).wrapping_sub(1);
                    place += 1;
                }
                let boundary = Boundary { from, to: place, region };
                self.look_around(&land[from..place]);
                directed += usize::from(boundary.has_direction());
                self.boundaries.push(boundary);
                place += 1;
            }
            place += 1;
            let last = self.boundaries.len();
            let size = ((last - first) << 16 | (place - start)) as u64;
            let look = mix(u64::from(spots) << 48 | others << 32 | size);
            self.regions.push(Region { spots, first, last, directed, look });
        }
        self.letters = usize::from(last_letter + 1 - LETTERS);
        let places = &places[LETTERS.into()..][..self.letters];
        self.single_out_twins(land, places);
        self.first_colours(places);
    }

    /// Two letters that share both of their boundaries can often be swapped without any other
    /// change, because their regions may be reflected. Then one of them may be singled out before
    /// refinement gets stuck. Only short boundaries are examined: long ones of this kind are rare,
    /// and finding them takes long.
    fn single_out_twins(&mut self, land: &[u8], places: &[u32]) {
        if self.boundaries.len() > MOST_PLACES {
            return;
        }
        for (i, &a_places) in places.iter().enumerate() {
            for (j, _) in places.iter().enumerate().skip(i + 1).filter(|&(_, &b)| b == a_places) {
                let [a, b] = [i, j].map(|letter| LETTERS + letter as u8);
                let allows = |place: u32| {
                    self.boundaries.get(place as usize).is_some_and(|boundary| {
                        let spots = &land[boundary.from..boundary.to];
                        !boundary.has_direction()
                            || spots.len() <= LONGEST_OF_TWINS
                                && self.regions[boundary.region].directed == 1
                                && is_mirror(spots, a, b)
                    })
                };
                let [first, second] = both(a_places);
                if first != second && allows(first) && allows(second) {
                    let around = &mut self.next.0[b as usize];
                    *around = around.wrapping_add(SINGLE);
                }
            }
        }
    }

    /// The initial colour of a letter describes its regions and counts the letters that link the
    /// same two. Refinement alone might miss that.
    fn first_colours(&mut self, places: &[u32]) {
        let region_of = |place: u32| {
            self.boundaries.get(place as usize).map_or(0, |boundary| boundary.region as u32)
        };
        let homes = places.iter().map(|&places| {
            let [first, second] = both(places).map(region_of);
            first << PLACE_BITS | second
        });
        self.homes.clear();
        self.homes.extend(homes);
        let look = |home: u32| self.regions.get(home as usize).map_or(0, |region| region.look);
        let around = &*self.next.of_letters(self.letters);
        let colours = self.colours.of_letters(self.letters).iter_mut();
        for ((colour, &home), around) in colours.zip(&self.homes).zip(around) {
            let ties: u32 = self.homes.iter().map(|&other| u32::from(other == home)).sum();
            let looks = both(home).map(look);
            let looks = looks[0].wrapping_add(looks[1]);
            *colour = mix(looks.wrapping_add(ties.into()).wrapping_add(*around));
        }
    }

    /// Records the length of a boundary and the neighbours of each of its letters. That costs less
    /// than a round of refinement and is often enough.
    #[inline(always)]
    fn look_around(&mut self, boundary: &[u8]) {
        let kind = |spot: u8| u64::from(spot.min(LETTERS));
        let length = boundary.len();
        for (i, &spot) in boundary.iter().enumerate() {
            // Harmless for non-letters.
            let before = kind(boundary[if i == 0 { length - 1 } else { i - 1 }]);
            let after = kind(boundary[if i + 1 == length { 0 } else { i + 1 }]);
            let beside = ((before + after) << 4) | (before * after);
            let around = &mut self.next.0[spot as usize];
            *around = around.wrapping_add(mix((length as u64) << 16 | beside));
        }
    }

    /// Refines colours until no two letters share one, and names letters in the order of their
    /// colours.
    fn colour(&mut self, land: &[u8], names: &mut [u8; 256]) {
        let (mut different, mut alike) = self.rank(names);
        while alike.is_some() {
            self.refine(land);
            let mut now;
            (now, alike) = self.rank(names);
            if now == different
                && let Some(letter) = alike
            {
                // Refinement is stuck.
                now += 1;
                if now == self.letters {
                    // Only two letters were alike: the other one keeps the name.
                    names[letter as usize] += 1;
                    return;
                }
                let colour = &mut self.colours.0[letter as usize];
                *colour = mix(*colour ^ SINGLE);
            }
            different = now;
        }
    }

    /// Names letters in the order of their colours. Returns the number of colours, and a letter of
    /// the last colour that several share.
    fn rank(&mut self, names: &mut [u8; 256]) -> (usize, Option<u8>) {
        let colours = &*self.colours.of_letters(self.letters);
        let names = &mut names[LETTERS.into()..][..self.letters];
        names.fill(LETTERS);
        // Comparing all pairs is branch-free, unlike sorting.
        for (i, &colour) in colours.iter().enumerate() {
            let mut less = 0;
            for (&other, name) in colours[..i].iter().zip(&mut *names) {
                less += u8::from(other < colour);
                *name += u8::from(colour < other);
            }
            names[i] += less;
        }
        let mut taken = [0_u64; 4];
        let (mut count, mut alike) = (self.letters, None);
        for (letter, &name) in (LETTERS..=u8::MAX).zip(&*names) {
            let (word, bit) = (&mut taken[usize::from(name >> 6)], 1 << (name & 63));
            if *word & bit != 0 {
                count -= 1;
                alike = alike.max(Some((name, letter)));
            }
            *word |= bit;
        }
        (count, alike.map(|(_, letter)| letter))
    }

    /// One round: the new colour of a letter depends on how its two occurrences lie in their
    /// boundaries, and on how these lie in their regions. A region may be reflected, so both
    /// directions count alike, but its boundaries are only reflected together.
    fn refine(&mut self, land: &[u8]) {
        self.next.of_letters(self.letters).fill(0);
        self.views.resize(self.views.len().max(land.len()), [0; 2]);
        for region in &self.regions {
            let boundaries = &self.boundaries[region.first..region.last];
            let mut sums = [u64::from(region.spots); 2];
            for &Boundary { from, to, .. } in boundaries {
                let seen = view(&land[from..to], &self.colours, &mut self.views[from..to]);
                sums = [sums[0].wrapping_add(mix(seen[0])), sums[1].wrapping_add(mix(seen[1]))];
            }
            for &Boundary { from, to, .. } in boundaries {
                for (&spot, view) in land[from..to].iter().zip(&self.views[from..to]) {
                    if is_letter(spot) {
                        let place = mix(view[0] ^ sums[0]).wrapping_add(mix(view[1] ^ sums[1]));
                        let next = &mut self.next.0[spot as usize];
                        *next = next.wrapping_add(mix(place));
                    }
                }
            }
        }
        let next = &*self.next.of_letters(self.letters);
        for (colour, next) in self.colours.of_letters(self.letters).iter_mut().zip(next) {
            *colour = mix(colour.wrapping_mul(3) ^ next);
        }
    }
}

/// Hashes of a boundary as seen from each of its spots, forwards and backwards. Returns the sums of
/// these over all spots.
#[inline(always)]
fn view(boundary: &[u8], colours: &Colours, views: &mut [[u64; 2]]) -> [u64; 2] {
    // Polynomials in the colours. One spot further, a term leaves at one end and enters at the
    // other.
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

/// Whether reflecting a boundary changes nothing but swaps two letters.
fn is_mirror(boundary: &[u8], a: u8, b: u8) -> bool {
    let length = boundary.len();
    let place_of = |letter: u8| boundary.iter().position(|&spot| spot == letter);
    let (Some(i), Some(j)) = (place_of(a), place_of(b)) else { return false };
    let is_same = |k: usize| {
        let mirrored = boundary[(i + j + length - k) % length];
        mirrored == boundary[k] || k == i || k == j
    };
    // The third of three spots stays in place.
    length == 3 || (0..length).all(is_same)
}
