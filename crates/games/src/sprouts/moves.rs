//! The moves of a land. Each is a curve inside one region, with a new spot on it.

use smallvec::SmallVec;

use super::canonical::Canonizer;
use super::code::{END, LETTERS, ONE, REGION_END, TWO, boundaries, is_letter, regions};
use super::reduce::{Reducer, Splitter};
use papamu_game::sums::PartLists;

/// Makes options, with buffers that are used again and again.
#[derive(Default)]
pub(super) struct Generator {
    drawing: Vec<u8>,
    reducer: Reducer,
    splitter: Splitter,
    canonizer: Canonizer,
}

/// Boundaries of a region that are alike, and how many there are. A letter makes a boundary unlike all others.
type Kinds<'a> = SmallVec<[(&'a [u8], u8); 16]>;

/// A region in which a move is made.
struct Place<'a> {
    /// The other regions of the land.
    before: &'a [u8],
    after: &'a [u8],
    spots: u8,
    kinds: Kinds<'a>,
    /// The first letter that is free: for the new spot, and after it for two others that become letters.
    free: u8,
}

/// A spot at which a curve ends: what becomes of it, and which letter dies.
#[derive(Clone, Copy)]
struct CurveEnd {
    /// How the spot occurs where it occurred once or not at all before.
    becomes: Option<u8>,
    dead: Option<u8>,
}

impl CurveEnd {
    /// One end at a spot of a boundary; a spot that had two lives takes that letter.
    fn at(spot: u8, letter: u8) -> CurveEnd {
        match spot {
            ONE => CurveEnd { becomes: Some(letter), dead: None },
            TWO => CurveEnd { becomes: None, dead: None },
            _ => CurveEnd { becomes: None, dead: Some(spot) },
        }
    }
}

impl Generator {
    /// Appends the options of a land to a list, each as its lands, not yet in canonical form. Some may occur more than once.
    pub(super) fn options(&mut self, land: &[u8], options: &mut PartLists) {
        let letters = land_letters(land);
        let free = LETTERS + letters;
        let mut start = 0;
        for region in regions(land) {
            let end = start + region.len() + 1;
            let place = Place {
                before: &land[..start],
                after: &land[end..],
                spots: region[0],
                kinds: kinds(region),
                free,
            };
            self.joins(&place, options);
            self.loops_at_spots(&place, options);
            self.curves_within(&place, options);
            start = end;
        }
    }

    /// Curves between two boundaries.
    fn joins(&mut self, place: &Place, options: &mut PartLists) {
        let [new, first, second] = [0, 1, 2].map(|i| place.free + i);
        if place.spots >= 2 {
            let boundary = [ONE, new, ONE, new];
            self.join(place, 2, [None; 2], [None; 2], &boundary, options);
        }
        for (k, &(kind, count)) in place.kinds.iter().enumerate() {
            for i in 0..period(kind) {
                let end = CurveEnd::at(kind[i], first);
                if place.spots >= 1 {
                    let mut boundary = opened(kind, i, end);
                    boundary.extend_from_slice(&[new, ONE, new]);
                    self.join(place, 1, [Some(k), None], [end.dead, None], &boundary, options);
                }
                let others = place.kinds.iter().enumerate().skip(k);
                for (l, &(other, _)) in others.filter(|&(l, _)| l != k || count >= 2) {
                    for j in 0..period(other) {
                        let other_end = CurveEnd::at(other[j], second);
                        let mut boundary = opened(kind, i, end);
                        boundary.push(new);
                        boundary.extend(opened(other, j, other_end));
                        boundary.push(new);
                        let dead = [end.dead, other_end.dead];
                        self.join(place, 0, [Some(k), Some(l)], dead, &boundary, options);
                    }
                }
            }
        }
    }

    /// The region after so many spots and these boundaries were joined into a new one.
    fn join(
        &mut self,
        place: &Place,
        spots: u8,
        joined: [Option<usize>; 2],
        dead: [Option<u8>; 2],
        boundary: &[u8],
        options: &mut PartLists,
    ) {
        self.begin(place);
        self.drawing.push(place.spots - spots);
        for (k, &(kind, count)) in place.kinds.iter().enumerate() {
            let gone = joined.iter().filter(|&&joined| joined == Some(k)).count();
            for _ in gone..count.into() {
                self.boundary(kind);
            }
        }
        self.boundary(boundary);
        self.drawing.push(REGION_END);
        self.finish(dead, options);
    }

    /// Loops at isolated spots: both sides are alike.
    fn loops_at_spots(&mut self, place: &Place, options: &mut PartLists) {
        if place.spots == 0 {
            return;
        }
        let boundary = [place.free + 1, place.free];
        let split = Split {
            sides: [&boundary, &boundary],
            dead: [None; 2],
            spots: place.spots - 1,
            own: None,
            is_symmetric: true,
        };
        self.distribute(place, &split, options);
    }

    /// Curves from a boundary to itself.
    fn curves_within(&mut self, place: &Place, options: &mut PartLists) {
        let [new, first, second] = [0, 1, 2].map(|i| place.free + i);
        for (k, &(kind, _)) in place.kinds.iter().enumerate() {
            for i in 0..period(kind) {
                if kind[i] == ONE {
                    // A loop takes both lives.
                    let mut outer = opened(kind, i, CurveEnd { becomes: None, dead: None });
                    outer.push(new);
                    let split = Split {
                        sides: [&[new], &outer],
                        dead: [None; 2],
                        spots: place.spots,
                        own: Some(k),
                        is_symmetric: false,
                    };
                    self.distribute(place, &split, options);
                }
                for j in i + 1..kind.len() {
                    if is_letter(kind[i]) && kind[i] == kind[j] {
                        continue;
                    }
                    let ends = [CurveEnd::at(kind[i], first), CurveEnd::at(kind[j], second)];
                    let [from, to] = ends.map(|end| end.becomes);
                    let side = |from: Option<u8>, between: &[u8], around: &[u8], to: Option<u8>| {
                        let mut side = SmallVec::<[u8; 64]>::new();
                        side.extend(from);
                        side.extend_from_slice(between);
                        side.extend_from_slice(around);
                        side.extend(to);
                        side.push(new);
                        side
                    };
                    let split = Split {
                        sides: [
                            &side(from, &kind[i + 1..j], &[], to),
                            &side(to, &kind[j + 1..], &kind[..i], from),
                        ],
                        dead: ends.map(|end| end.dead),
                        spots: place.spots,
                        own: Some(k),
                        is_symmetric: false,
                    };
                    self.distribute(place, &split, options);
                }
            }
        }
    }

    /// All ways to distribute what else is in a region over the two sides of a curve.
    fn distribute(&mut self, place: &Place, split: &Split, options: &mut PartLists) {
        // How many of each kind there are, and how many go to the first side.
        let counts: SmallVec<[u8; 16]> = place
            .kinds
            .iter()
            .enumerate()
            .map(|(k, &(_, count))| count - u8::from(split.own == Some(k)))
            .chain([split.spots])
            .collect();
        let mut first: SmallVec<[u8; 16]> = SmallVec::from_elem(0, counts.len());
        loop {
            let second = || counts.iter().zip(&first).map(|(count, first)| count - first);
            // Of two ways that are alike, one will do.
            if !split.is_symmetric || first.iter().copied().le(second()) {
                self.begin(place);
                for (side, boundary) in split.sides.iter().enumerate() {
                    let share = |k: usize| if side == 0 { first[k] } else { counts[k] - first[k] };
                    self.drawing.push(share(place.kinds.len()));
                    for (k, &(kind, _)) in place.kinds.iter().enumerate() {
                        (0..share(k)).for_each(|_| self.boundary(kind));
                    }
                    self.boundary(boundary);
                    self.drawing.push(REGION_END);
                }
                self.finish(split.dead, options);
            }
            // Count on.
            let Some(digit) = (0..counts.len()).find(|&k| first[k] < counts[k]) else { return };
            first[digit] += 1;
            first[..digit].fill(0);
        }
    }

    /// A new drawing with the regions in which nothing happens.
    fn begin(&mut self, place: &Place) {
        self.drawing.clear();
        self.drawing.extend_from_slice(place.before);
        self.drawing.extend_from_slice(place.after);
    }

    fn boundary(&mut self, boundary: &[u8]) {
        self.drawing.extend_from_slice(boundary);
        self.drawing.push(END);
    }

    /// Takes dead letters out, reduces, and appends the lands.
    fn finish(&mut self, dead: [Option<u8>; 2], options: &mut PartLists) {
        if dead != [None; 2] {
            let dead = dead.map(|letter| letter.unwrap_or(REGION_END));
            self.remove(dead);
        }
        self.append(options);
    }

    /// Numbers of spots are no letters, so regions are gone through one by one.
    fn remove(&mut self, dead: [u8; 2]) {
        let mut kept = 0;
        let mut is_first = true;
        for i in 0..self.drawing.len() {
            let byte = self.drawing[i];
            if is_first || byte == REGION_END || !dead.contains(&byte) {
                self.drawing[kept] = byte;
                kept += 1;
            }
            is_first = !is_first && byte == REGION_END;
        }
        self.drawing.truncate(kept);
    }

    /// Reduces the drawing and appends its lands as one option.
    fn append(&mut self, options: &mut PartLists) {
        self.reducer.reduce(&mut self.drawing);
        self.splitter.for_each_land(&self.drawing, |land| {
            options.part(|code| name_in_order(land, code));
        });
        options.end();
    }

    /// Appends the canonical form of a land.
    pub(super) fn canonical(&mut self, land: &[u8], form: &mut Vec<u8>) {
        self.canonizer.append(land, form);
    }

    /// The lands of any drawing in canonical form.
    pub(super) fn lands(&mut self, drawing: &[u8]) -> PartLists {
        self.drawing.clear();
        self.drawing.extend_from_slice(drawing);
        let (mut drawn, mut lands) = (PartLists::default(), PartLists::default());
        self.append(&mut drawn);
        drawn.list(0).for_each(|land| lands.part(|form| self.canonical(land, form)));
        lands.end();
        lands
    }
}

/// A curve that divides a region.
struct Split<'a> {
    /// The boundaries along the curve.
    sides: [&'a [u8]; 2],
    dead: [Option<u8>; 2],
    /// Isolated spots that are left.
    spots: u8,
    /// The kind of boundary from which the curve was drawn.
    own: Option<usize>,
    is_symmetric: bool,
}

/// A boundary from just behind a spot all around to just before it, with the spot at both ends if it lives on.
fn opened(boundary: &[u8], at: usize, end: CurveEnd) -> SmallVec<[u8; 64]> {
    let mut opened = SmallVec::new();
    opened.extend(end.becomes);
    opened.extend_from_slice(&boundary[at + 1..]);
    opened.extend_from_slice(&boundary[..at]);
    opened.extend(end.becomes);
    opened
}

/// After how many spots a boundary repeats itself: more need not be looked at.
fn period(boundary: &[u8]) -> usize {
    let length = boundary.len();
    let repeats = |period: usize| boundary[period..] == boundary[..length - period];
    (1..length).find(|&period| length.is_multiple_of(period) && repeats(period)).unwrap_or(length)
}

/// Appends a land with its letters named in the order in which they appear: then lands that were drawn alike are alike.
fn name_in_order(land: &[u8], named: &mut Vec<u8>) {
    let mut names = [0; 256];
    let mut next = LETTERS;
    let mut is_number = true;
    named.extend(land.iter().map(|&byte| {
        let is_spot = !is_number && byte != REGION_END && is_letter(byte);
        is_number = !is_number && byte == REGION_END;
        if !is_spot {
            return byte;
        }
        let name = &mut names[byte as usize];
        if *name == 0 {
            *name = next;
            next += 1;
        }
        *name
    }));
}

/// How many letters a land in canonical form has: they are named in order.
fn land_letters(land: &[u8]) -> u8 {
    let letters = regions(land).flat_map(|region| region[1..].iter()).filter(|&&s| is_letter(s));
    letters.max().map_or(0, |&last| last - LETTERS + 1)
}

fn kinds(region: &[u8]) -> Kinds<'_> {
    let mut kinds = Kinds::new();
    for boundary in boundaries(region) {
        // Boundaries are sorted, so equal ones follow each other.
        match kinds.last_mut() {
            Some((kind, count)) if *kind == boundary => *count += 1,
            _ => kinds.push((boundary, 1)),
        }
    }
    kinds
}
