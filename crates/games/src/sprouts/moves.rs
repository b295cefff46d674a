//! The moves of a land. Each is a curve inside one region, with a new spot on it.

use smallvec::SmallVec;

use super::canonical::Canonizer;
use super::code::{END, LETTERS, ONE, TWO, boundaries, is_letter, regions};
use super::reduce::{Letters, Sketch};
use papamu_game::sums::ComponentLists;

/// Makes options, with buffers that are used again.
#[derive(Default)]
pub(super) struct Generator {
    /// For lands with few letters, and for all others.
    few: Curves<1>,
    many: Curves<4>,
    canonizer: Canonizer,
}

/// Draws curves.
#[derive(Default)]
struct Curves<const WORDS: usize> {
    drawing: Sketch<WORDS>,
}

/// Boundaries of a region that are alike: swapping them leaves the land as it is.
struct Kind<'a> {
    /// All of them, with their ends. They differ only in the names of letters that are in no other
    /// boundary.
    members: SmallVec<[&'a [u8]; 4]>,
    /// The first, without its end.
    boundary: &'a [u8],
    /// The boundary repeats after this many spots, so curves from later spots are like those from
    /// earlier ones.
    period: usize,
    /// If the boundary is its own mirror image: spot i is the image of spot `mirror - i`.
    mirror: Option<usize>,
}

type Kinds<'a> = SmallVec<[Kind<'a>; 16]>;

impl<'a> Kind<'a> {
    fn new(ended: &'a [u8], land: &[u8]) -> Kind<'a> {
        let boundary = ended.strip_suffix(&[END]).unwrap_or(ended);
        let period = match boundary {
            [a, b] if are_twins(*a, *b, land) => 1,
            _ => period(boundary),
        };
        let members = SmallVec::from_slice(&[ended]);
        Kind { members, boundary, period, mirror: mirror(boundary, period) }
    }

    /// The second boundary, without its end.
    fn second(&self) -> &'a [u8] {
        self.members.get(1).and_then(|ended| ended.strip_suffix(&[END])).unwrap_or(self.boundary)
    }

    /// The mirror image of a spot, or the spot itself if there is no mirror.
    #[inline]
    fn mirrored(&self, i: usize) -> usize {
        self.mirror.map_or(i, |mirror| (mirror + 2 * self.period - i) % self.period)
    }
}

/// A region in which a move is made.
struct Place<'a> {
    spots: u8,
    kinds: Kinds<'a>,
    /// The region is its own mirror image, so one of two mirrored curves is enough.
    is_mirror: bool,
    /// The first free letter: for the new spot. The next two are for spots that become letters.
    free: u8,
}

impl Place<'_> {
    /// Names for the new spot and for two others that may become letters. A name may wrap around to
    /// the first letters if nearly all are in use. That is harmless: then no spots are left that
    /// could become letters.
    fn new_letters(&self) -> [u8; 3] {
        [0, 1, 2].map(|i| self.free.wrapping_add(i))
    }

    /// Whether this is the first of all equivalent joins of spots i and j of two boundaries.
    fn is_first_join(&self, [k, l]: [usize; 2], [i, j]: [usize; 2]) -> bool {
        if k == l && j < i {
            return false;
        }
        let mut image = [self.kinds[k].mirrored(i), self.kinds[l].mirrored(j)];
        if k == l {
            image.sort_unstable();
        }
        !self.is_mirror || [i, j] <= image
    }

    /// Whether the two sides of a curve from spot i to spot i + `length` are alike. `None` if an
    /// equivalent curve comes first.
    fn symmetry_within(&self, kind: &Kind, i: usize, length: usize) -> Option<bool> {
        let (end, back) = ((i + length) % kind.period, kind.boundary.len() - length);
        let curve = (i, length);
        // The same curve from its other end, and mirrored.
        let mut swapped = (end, back);
        if self.is_mirror {
            if (kind.mirrored(end), length) < curve {
                return None;
            }
            swapped = swapped.min((kind.mirrored(i), back));
        }
        (swapped >= curve).then_some(swapped == curve)
    }
}

/// A spot at which a curve ends: the letter that it becomes, and the letter that dies.
#[derive(Clone, Copy)]
struct CurveEnd {
    /// The letter that the spot becomes, if it lives on.
    becomes: Option<u8>,
    dead: Option<u8>,
}

impl CurveEnd {
    /// A curve end at a spot of a boundary. A spot that had two lives becomes that letter.
    fn at(spot: u8, letter: u8) -> CurveEnd {
        match spot {
            ONE => CurveEnd { becomes: Some(letter), dead: None },
            TWO => CurveEnd { becomes: None, dead: None },
            _ => CurveEnd { becomes: None, dead: Some(spot) },
        }
    }
}

impl Generator {
    /// Appends the options of a land to a list. Each option is a list of lands that are not in
    /// canonical form. Some may occur more than once.
    pub(super) fn options(&mut self, land: &[u8], options: &mut ComponentLists) {
        let free = LETTERS + land_letters(land);
        // A move may add three letters.
        if usize::from(free) + 3 <= Letters::<1>::END {
            self.few.options(land, free, options);
        } else {
            self.many.options(land, free, options);
        }
    }

    /// Appends the canonical form that searches use. It is quick, and a few lands have several.
    pub(super) fn canonical(&mut self, land: &[u8], form: &mut Vec<u8>) {
        self.canonizer.append(land, form);
    }

    /// Appends the canonical form by which drawings are compared.
    pub(super) fn exact(&mut self, land: &[u8], form: &mut Vec<u8>) {
        self.canonizer.append_exact(land, form);
    }

    /// The lands of any drawing, not yet in canonical form.
    pub(super) fn lands(&mut self, drawing: &[u8]) -> ComponentLists {
        let sketch = &mut self.many.drawing;
        sketch.start(std::iter::empty());
        for region in regions(drawing) {
            sketch.draw(region[0], |bytes| bytes.extend_from_slice(&region[1..]));
        }
        sketch.reduce(Letters::default(), sketch.alone());
        let mut lands = ComponentLists::default();
        sketch.append_lands(&mut lands);
        lands.end();
        lands
    }
}

impl<const WORDS: usize> Curves<WORDS> {
    /// All curves in a land. Letters from `free` on are unused.
    fn options(&mut self, land: &[u8], free: u8, options: &mut ComponentLists) {
        let mut before: &[u8] = &[];
        for (index, region) in regions(land).enumerate() {
            // Equal regions stand side by side and have equivalent moves.
            if region == before {
                continue;
            }
            before = region;
            let kinds = kinds(region, land);
            let others = regions(land).enumerate().filter(|&(other, _)| other != index);
            self.drawing.start(others.map(|(_, region)| region));
            let place = Place {
                spots: region[0],
                is_mirror: kinds.iter().all(|kind| kind.mirror.is_some()),
                kinds,
                free,
            };
            self.joins(&place, options);
            self.loops_at_spots(&place, options);
            self.curves_within(&place, options);
        }
    }

    /// Curves between two boundaries.
    fn joins(&mut self, place: &Place, options: &mut ComponentLists) {
        let [new, first, second] = place.new_letters();
        if place.spots >= 2 {
            let boundary = [ONE, new, ONE, new];
            self.join(place, 2, [None; 2], [None; 2], &boundary, options);
        }
        for (k, kind) in place.kinds.iter().enumerate() {
            for i in 0..kind.period {
                let end = CurveEnd::at(kind.boundary[i], first);
                if place.spots >= 1 && !(place.is_mirror && kind.mirrored(i) < i) {
                    let mut boundary = opened(kind.boundary, i, end);
                    boundary.extend_from_slice(&[new, ONE, new]);
                    self.join(place, 1, [Some(k), None], [end.dead, None], &boundary, options);
                }
                let others = place.kinds.iter().enumerate().skip(k);
                for (l, other) in others.filter(|&(l, _)| l != k || kind.members.len() >= 2) {
                    let other_boundary = if l == k { kind.second() } else { other.boundary };
                    for j in (0..other.period).filter(|&j| place.is_first_join([k, l], [i, j])) {
                        let other_end = CurveEnd::at(other_boundary[j], second);
                        let mut boundary = opened(kind.boundary, i, end);
                        boundary.push(new);
                        boundary.extend_from_slice(&opened(other_boundary, j, other_end));
                        boundary.push(new);
                        let dead = [end.dead, other_end.dead];
                        self.join(place, 0, [Some(k), Some(l)], dead, &boundary, options);
                    }
                }
            }
        }
    }

    /// The region after isolated spots and boundaries were joined into a new boundary.
    fn join(
        &mut self,
        place: &Place,
        spots: u8,
        joined: [Option<usize>; 2],
        dead: [Option<u8>; 2],
        boundary: &[u8],
        options: &mut ComponentLists,
    ) {
        self.drawing.restart();
        self.drawing.draw(place.spots - spots, |bytes| {
            for (k, kind) in place.kinds.iter().enumerate() {
                let gone = joined.iter().filter(|&&joined| joined == Some(k)).count();
                kind.members[gone..].iter().for_each(|ended| bytes.extend_from_slice(ended));
            }
            append_boundary(boundary, bytes);
        });
        self.finish(dead, options);
    }

    /// Loops at isolated spots: both sides are alike.
    fn loops_at_spots(&mut self, place: &Place, options: &mut ComponentLists) {
        if place.spots == 0 {
            return;
        }
        let [new, spot, _] = place.new_letters();
        let boundary = [spot, new];
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
    fn curves_within(&mut self, place: &Place, options: &mut ComponentLists) {
        let [new, first, second] = place.new_letters();
        for (k, kind) in place.kinds.iter().enumerate() {
            let boundary = kind.boundary;
            for i in 0..kind.period {
                if boundary[i] == ONE && !(place.is_mirror && kind.mirrored(i) < i) {
                    // A loop takes both lives.
                    let mut outer = opened(boundary, i, CurveEnd { becomes: None, dead: None });
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
                for j in i + 1..boundary.len() {
                    if is_letter(boundary[i]) && boundary[i] == boundary[j] {
                        continue;
                    }
                    let Some(is_symmetric) = place.symmetry_within(kind, i, j - i) else {
                        continue;
                    };
                    let ends =
                        [CurveEnd::at(boundary[i], first), CurveEnd::at(boundary[j], second)];
                    let [from, to] = ends.map(|end| end.becomes);
                    let side = |from: Option<u8>, between: &[u8], around: &[u8], to: Option<u8>| {
                        let mut side = SmallVec::<[u8; 64]>::new();
                        side.extend_from_slice(from.as_slice());
                        side.extend_from_slice(between);
                        side.extend_from_slice(around);
                        side.extend_from_slice(to.as_slice());
                        side.push(new);
                        side
                    };
                    let split = Split {
                        sides: [
                            &side(from, &boundary[i + 1..j], &[], to),
                            &side(to, &boundary[j + 1..], &boundary[..i], from),
                        ],
                        dead: ends.map(|end| end.dead),
                        spots: place.spots,
                        own: Some(k),
                        is_symmetric,
                    };
                    self.distribute(place, &split, options);
                }
            }
        }
    }

    /// Distributes the other boundaries and spots of a region over the two sides of a curve, in
    /// every way.
    fn distribute(&mut self, place: &Place, split: &Split, options: &mut ComponentLists) {
        // The number of each kind, and how many of them go to the first side.
        let counts: SmallVec<[usize; 16]> = place
            .kinds
            .iter()
            .enumerate()
            .map(|(k, kind)| kind.members.len() - usize::from(split.own == Some(k)))
            .chain([split.spots.into()])
            .collect();
        let mut first: SmallVec<[usize; 16]> = SmallVec::from_elem(0, counts.len());
        loop {
            let second = || counts.iter().zip(&first).map(|(count, first)| count - first);
            // One of two mirrored distributions is enough.
            if !split.is_symmetric || first.iter().copied().le(second()) {
                self.drawing.restart();
                for (side, boundary) in split.sides.iter().enumerate() {
                    let spots = first[place.kinds.len()];
                    let spots = if side == 0 { spots } else { usize::from(split.spots) - spots };
                    // At most as many as there were.
                    self.drawing.draw(spots as u8, |bytes| {
                        for (k, kind) in place.kinds.iter().enumerate() {
                            // The first boundary of its kind is the one that the curve was drawn
                            // from.
                            let others = &kind.members[usize::from(split.own == Some(k))..];
                            let (here, there) = others.split_at(first[k]);
                            let members = if side == 0 { here } else { there };
                            members.iter().for_each(|ended| bytes.extend_from_slice(ended));
                        }
                        append_boundary(boundary, bytes);
                    });
                }
                self.finish(split.dead, options);
            }
            // The next number of a mixed-radix counter.
            let Some(digit) = (0..counts.len()).find(|&k| first[k] < counts[k]) else { return };
            first[digit] += 1;
            first[..digit].fill(0);
        }
    }

    /// Removes dead letters, reduces, and appends the lands as one option.
    fn finish(&mut self, dead: [Option<u8>; 2], options: &mut ComponentLists) {
        let dead = dead.into_iter().flatten().collect();
        self.drawing.reduce(dead, Letters::default());
        self.drawing.append_lands(options);
        options.end();
    }
}

fn append_boundary(boundary: &[u8], bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(boundary);
    bytes.push(END);
}

/// A curve that divides a region.
struct Split<'a> {
    /// The boundaries along the curve.
    sides: [&'a [u8]; 2],
    dead: [Option<u8>; 2],
    /// The isolated spots that remain.
    spots: u8,
    /// The kind of boundary from which the curve was drawn.
    own: Option<usize>,
    is_symmetric: bool,
}

/// A boundary from just behind a spot all the way round to just before it. A spot that lives on
/// stands at both ends.
fn opened(boundary: &[u8], at: usize, end: CurveEnd) -> SmallVec<[u8; 64]> {
    let mut opened = SmallVec::new();
    opened.extend_from_slice(end.becomes.as_slice());
    opened.extend_from_slice(&boundary[at + 1..]);
    opened.extend_from_slice(&boundary[..at]);
    opened.extend_from_slice(end.becomes.as_slice());
    opened
}

/// The number of spots after which a boundary repeats: later spots need no look.
fn period(boundary: &[u8]) -> usize {
    let length = boundary.len();
    let repeats = |period: usize| boundary[period..] == boundary[..length - period];
    (1..length).find(|&period| length.is_multiple_of(period) && repeats(period)).unwrap_or(length)
}

/// The number of letters of a land in canonical form, which names them in order.
fn land_letters(land: &[u8]) -> u8 {
    let letters = regions(land).flat_map(|region| region[1..].iter()).filter(|&&s| is_letter(s));
    letters.max().map_or(0, |&last| last - LETTERS + 1)
}

/// The mirror of a boundary with a period, if it has one.
fn mirror(boundary: &[u8], period: usize) -> Option<usize> {
    let lies = |i: usize, mirror: usize| boundary[i] == boundary[(mirror + period - i) % period];
    (0..period).find(|&mirror| (0..period).all(|i| lies(i, mirror)))
}

/// Whether swapping two letters, the only spots of a boundary, leaves the land as it is.
fn are_twins(a: u8, b: u8, land: &[u8]) -> bool {
    let swapped = |spot: u8| match spot {
        spot if spot == a => b,
        spot if spot == b => a,
        spot => spot,
    };
    let is_same = |region: &[u8], is_turned: bool| {
        boundaries(region).all(|boundary| is_cycle(boundary, swapped, is_turned))
    };
    is_letter(a) && is_letter(b) && regions(land).all(|r| is_same(r, false) || is_same(r, true))
}

/// Whether a boundary stays the same if its letters are swapped and it is reflected or not.
fn is_cycle(boundary: &[u8], swapped: impl Fn(u8) -> u8, is_turned: bool) -> bool {
    let length = boundary.len();
    let at = |i: usize| boundary[if is_turned { length - 1 - i } else { i }];
    let is_rotation =
        |by: usize| (0..length).all(|i| swapped(at(i)) == boundary[(i + by) % length]);
    (0..length).any(is_rotation)
}

fn kinds<'a>(region: &'a [u8], land: &[u8]) -> Kinds<'a> {
    let mut kinds = Kinds::new();
    for boundary in region[1..].split_inclusive(|&byte| byte == END) {
        match kinds.iter_mut().find(|kind: &&mut Kind| are_alike(kind.members[0], boundary)) {
            Some(kind) => kind.members.push(boundary),
            None => kinds.push(Kind::new(boundary, land)),
        }
    }
    kinds
}

/// An upper bound of the number of options: curves within boundaries, with all distributions of the
/// rest of their regions.
pub(super) fn most_options(land: &[u8]) -> u64 {
    let in_region = |region: &[u8]| {
        let kinds = kinds(region, land);
        let ways = kinds.iter().map(|kind| kind.members.len() as u64 + 1);
        let ways = ways.fold(u64::from(region[0]) + 1, u64::saturating_mul);
        let curves: u64 = kinds.iter().map(|kind| (kind.boundary.len() as u64).pow(2)).sum();
        ways.saturating_mul(curves + 1)
    };
    regions(land).map(in_region).fold(0, u64::saturating_add)
}

/// Whether two boundaries are equal up to the names of letters that occur nowhere else.
fn are_alike(a: &[u8], b: &[u8]) -> bool {
    let first = |boundary: &[u8], spot: u8| boundary.iter().position(|&other| other == spot);
    let is_own =
        |boundary: &[u8], spot: u8| boundary.iter().filter(|&&other| other == spot).count() == 2;
    let is_like = |(&x, &y): (&u8, &u8)| {
        let is_named = is_letter(x) && is_letter(y);
        x == y || is_named && is_own(a, x) && is_own(b, y) && first(a, x) == first(b, y)
    };
    a.len() == b.len() && a.iter().zip(b).all(is_like)
}
