//! The normal form of a region: the least of its images under translation, the eight symmetries and
//! the exchange of colours, which negates the value.

use papamu_base::pext;
use papamu_games::konane::transpose;

use super::bits::{Bits, U256};
use super::stones::{Layout, Stones};

/// A normal form, and whether the colours were exchanged.
pub(crate) struct Normal<T> {
    pub(crate) form: T,
    pub(crate) exchanged: bool,
}

/// Regions of up to 8x8, in rows of 8 squares.
pub(crate) type Small = Stones<u64>;
/// Larger regions, in rows of any length.
pub(crate) type Large = Stones<U256>;

/// The normal form of a small region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    /// Up to 28 squares in one nonzero word: two bits for each square, both set for walls, and
    /// eight bits for rows and columns.
    Short(u64),
    /// In rows of 8 squares, in the corner.
    Long(Small),
}

/// The most squares of a short form.
const SHORT: u32 = 28;
const HALF: u64 = (1 << SHORT) - 1;

impl Form {
    /// The region itself.
    pub(crate) fn region(self) -> Small {
        match self {
            Form::Long(region) => region,
            Form::Short(word) => {
                let sizes = (word >> (2 * SHORT)) as u32;
                let (rows, columns) = (sizes >> 4, sizes & 15);
                let [white, black] =
                    [word & HALF, word >> SHORT & HALF].map(|packed| unpack(packed, rows, columns));
                let walls = black & white;
                let usable = unpack(HALF, rows, columns) & !walls;
                Stones { usable, black: black & !walls, white: white & !walls }
            }
        }
    }
}

/// Packs the squares of a box in the corner into adjacent bits.
#[inline(always)]
fn pack(set: u64, rows: u32, columns: u32) -> u64 {
    let row = ((1 << columns) - 1) * 0x0101_0101_0101_0101;
    pext(set, row & u64::MAX >> (64 - 8 * rows), || pack_by_shifts(set, rows, columns))
}

/// The same with shifts.
fn pack_by_shifts(set: u64, rows: u32, columns: u32) -> u64 {
    let row = (1 << columns) - 1;
    (0..rows).fold(0, |packed, i| packed | (set >> (8 * i) & row) << (columns * i))
}

/// The inverse of [`pack`].
fn unpack(packed: u64, rows: u32, columns: u32) -> u64 {
    let row = (1 << columns) - 1;
    (0..rows).fold(0, |set, i| set | (packed >> (columns * i) & row) << (8 * i))
}

/// Exchanges left and right.
#[inline]
fn mirror(x: u64) -> u64 {
    x.reverse_bits().swap_bytes()
}

#[inline]
fn map<A, B>(stones: Stones<A>, f: impl Fn(A) -> B) -> Stones<B> {
    Stones { usable: f(stones.usable), black: f(stones.black), white: f(stones.white) }
}

/// The normal form of a region that is not empty.
#[inline]
pub(crate) fn small(region: Small) -> Normal<Form> {
    let rows = |set: u64| set.trailing_zeros() & !7;
    let columns = |set: u64| {
        let folded = set | set >> 32;
        let folded = folded | folded >> 16;
        (folded | folded >> 8) as u8
    };
    let region = map(region, |set| set >> rows(region.usable));
    let left = columns(region.usable).trailing_zeros();
    let region = map(region, |set| set >> left);
    // The unused rows and columns, as the shifts that bring reflected images back to the corner.
    let rows = region.usable.leading_zeros() & !7;
    let columns = columns(region.usable).leading_zeros();
    let size = Size { rows: 8 - rows / 8, columns: 8 - columns };
    if size.rows * size.columns <= SHORT {
        Frame::new(region.usable, size).normal(region.black, region.white)
    } else {
        long(region, size)
    }
}

/// Rows and columns of a region.
#[derive(Clone, Copy)]
struct Size {
    rows: u32,
    columns: u32,
}

impl Size {
    fn transposed(self) -> Size {
        Size { rows: self.columns, columns: self.rows }
    }

    /// A box in the corner and its reflections.
    #[inline(always)]
    fn reflections(self, set: u64) -> [u64; 4] {
        let (rows, columns) = (64 - 8 * self.rows, 8 - self.columns);
        let mirrored = mirror(set);
        [
            set,
            set.swap_bytes() >> rows,
            mirrored >> columns,
            mirrored.swap_bytes() >> (rows + columns),
        ]
    }
}

/// The box of a region with its squares, and the images of the box that bring the squares to their
/// normal places, the least of all images. Positions with the same squares share it.
pub(crate) struct Frame {
    size: Size,
    /// One bit for each image: four reflections, and the same after transposition.
    images: u32,
    /// The size and the walls of the normal form.
    outline: u64,
}

/// No image but the region itself.
const IDENTITY: u32 = 1;

impl Frame {
    /// The frame of squares in the corner of a box.
    #[inline(always)]
    fn new(usable: u64, size: Size) -> Frame {
        let mut least = u64::MAX;
        let mut images = 0;
        let mut consider = |usable: u64, size: Size, first: u32| {
            for (image, i) in size.reflections(usable).into_iter().zip(first..) {
                let packed = pack(image, size.rows, size.columns);
                images = if packed < least { 0 } else { images } | u32::from(packed <= least) << i;
                least = least.min(packed);
            }
        };
        // The normal form is at least as wide as high.
        if size.rows <= size.columns {
            consider(usable, size, 0);
        }
        if size.rows >= size.columns {
            consider(transpose(usable), size.transposed(), 4);
        }
        let (short, long) = (size.rows.min(size.columns), size.rows.max(size.columns));
        let walls = !least & ((1 << (short * long)) - 1);
        let outline = u64::from(short << 4 | long) << (2 * SHORT) | walls << SHORT | walls;
        Frame { size, images, outline }
    }

    /// The frame of a region in short normal form.
    #[inline]
    pub(crate) fn of(form: &Form, region: Small) -> Option<Frame> {
        let Form::Short(word) = form else { return None };
        let sizes = (word >> (2 * SHORT)) as u32;
        Some(Frame::new(region.usable, Size { rows: sizes >> 4, columns: sizes & 15 }))
    }

    /// The normal form of stones on the squares of the frame: the least word over the images and
    /// both colours. Branch-free: the branches would be unpredictable.
    #[inline(always)]
    pub(crate) fn normal(&self, black: u64, white: u64) -> Normal<Form> {
        let mut least = u64::MAX;
        let mut least_exchanged = u64::MAX;
        let mut consider = |black: u64, white: u64, size: Size, skip: u64| {
            let (black, white) =
                (pack(black, size.rows, size.columns), pack(white, size.rows, size.columns));
            least = least.min(black << SHORT | white | skip);
            least_exchanged = least_exchanged.min(white << SHORT | black | skip);
        };
        if self.images == IDENTITY {
            consider(black, white, self.size, 0);
        } else {
            let mut reflect = |black: u64, white: u64, size: Size, images: u32| {
                if images & 15 != 0 {
                    let (blacks, whites) = (size.reflections(black), size.reflections(white));
                    for (i, (&black, &white)) in blacks.iter().zip(&whites).enumerate() {
                        let is_wanted = u64::from(images >> i & 1);
                        consider(black, white, size, is_wanted.wrapping_sub(1));
                    }
                }
            };
            reflect(black, white, self.size, self.images);
            reflect(transpose(black), transpose(white), self.size.transposed(), self.images >> 4);
        }
        let form = Form::Short(self.outline | least.min(least_exchanged));
        Normal { form, exchanged: least_exchanged < least }
    }
}

/// The least over all images and both colours.
fn long(region: Small, size: Size) -> Normal<Form> {
    let transposed = map(region, transpose);
    let images =
        [(region, size), (transposed, size.transposed())].into_iter().flat_map(|(image, size)| {
            let Stones { usable, black, white } = map(image, |set| size.reflections(set));
            (0..4).map(move |i| Stones { usable: usable[i], black: black[i], white: white[i] })
        });
    let colours = |image: Small| {
        let exchanged = Stones { black: image.white, white: image.black, ..image };
        [(image, false), (exchanged, true)]
    };
    let least = images.flat_map(colours).min();
    let (stones, exchanged) = least.unwrap_or((region, false));
    Normal { form: Form::Long(stones), exchanged }
}

/// A region in rows of 8 squares, if it is small enough.
pub(crate) fn to_small<B: Bits>(layout: &Layout<B>, region: Stones<B>) -> Option<Small> {
    let extent = Extent::new(layout, region);
    (extent.rows <= 8 && extent.columns <= 8).then(|| extent.moved(region, 8))
}

/// A region in one word, if it is small enough, and the length of its rows there.
pub(crate) fn to_word<B: Bits>(layout: &Layout<B>, region: Stones<B>) -> Option<(u32, Small)> {
    let extent = Extent::new(layout, region);
    // A shift by a whole row must be shorter than a word.
    let fits =
        extent.rows * extent.columns <= u64::SIZE && extent.rows.max(extent.columns) < u64::SIZE;
    fits.then(|| (extent.columns, extent.moved(region, extent.columns)))
}

/// The bounding box of a region.
struct Extent {
    stride: u32,
    top: u32,
    left: u32,
    rows: u32,
    columns: u32,
}

impl Extent {
    fn new<B: Bits>(layout: &Layout<B>, region: Stones<B>) -> Extent {
        let stride = layout.stride;
        let (mut top, mut bottom, mut left, mut right) = (u32::MAX, 0, u32::MAX, 0);
        for square in region.usable.squares() {
            let (row, column) = (square / stride, square % stride);
            (top, bottom) = (top.min(row), bottom.max(row));
            (left, right) = (left.min(column), right.max(column));
        }
        let (top, left) = (top.min(bottom), left.min(right));
        Extent { stride, top, left, rows: bottom - top + 1, columns: right - left + 1 }
    }

    /// The rows and columns of a set's squares within the box.
    fn places<B: Bits>(&self, set: B) -> impl Iterator<Item = (u32, u32)> {
        let &Extent { stride, top, left, .. } = self;
        set.squares().map(move |square| (square / stride - top, square % stride - left))
    }

    /// The region in the corner of a board with another length of rows.
    fn moved<A: Bits, B: Bits>(&self, region: Stones<A>, stride: u32) -> Stones<B> {
        map(region, |set| {
            let squares = self.places(set).map(|(row, column)| B::square(row * stride + column));
            squares.fold(B::default(), |set, square| set | square)
        })
    }
}

/// The normal form of a region that is not small, at least as wide as high, with the length of its
/// rows.
pub(crate) fn large<B: Bits>(layout: &Layout<B>, region: Stones<B>) -> Normal<(u32, Stones<B>)> {
    let extent = Extent::new(layout, region);
    let Extent { rows, columns, .. } = extent;
    let stride = rows.max(columns);
    let mut best: Option<(Stones<B>, bool)> = None;
    let turns = [rows <= columns, rows >= columns];
    for (transposed, _) in [false, true].into_iter().zip(turns).filter(|turn| turn.1) {
        for (down, across) in [(false, false), (false, true), (true, false), (true, true)] {
            let image = map(region, |set| {
                extent.places(set).fold(B::default(), |image, (row, column)| {
                    let row = if down { rows - 1 - row } else { row };
                    let column = if across { columns - 1 - column } else { column };
                    let (row, column) = if transposed { (column, row) } else { (row, column) };
                    image | B::square(row * stride + column)
                })
            });
            let exchanged = Stones { black: image.white, white: image.black, ..image };
            for candidate in [(image, false), (exchanged, true)] {
                best = Some(best.map_or(candidate, |best| best.min(candidate)));
            }
        }
    }
    let (stones, exchanged) = best.unwrap_or((region, false));
    Normal { form: (stride, stones), exchanged }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All images of a region have the same normal form, as small and as large regions.
    #[test]
    fn images_share_their_normal_form() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..500 {
            let (rows, columns) = (random.u32(1..=8), random.u32(1..=8));
            let mut cells = vec![];
            for row in 0..rows {
                for column in 0..columns {
                    cells.push((row, column, random.u32(0..4)));
                }
            }
            cells.retain(|cell| cell.2 > 0);
            if cells.is_empty() {
                continue;
            }
            let layout = Layout::<U256>::new(16);
            let mut forms = Vec::new();
            for image in 0..16 {
                let place = |&(row, column, state): &(u32, u32, u32)| {
                    let row = if image & 1 > 0 { rows - 1 - row } else { row };
                    let column = if image & 2 > 0 { columns - 1 - column } else { column };
                    let (row, column) = if image & 4 > 0 { (column, row) } else { (row, column) };
                    let state = if image & 8 > 0 && state < 3 { 3 - state } else { state };
                    (row + image % 3, column + image % 5, state)
                };
                let images: Vec<_> = cells.iter().map(place).collect();
                let set = |keep: fn(u32) -> bool| {
                    let cells = images.iter().filter(|cell| keep(cell.2));
                    cells.fold(U256::default(), |set, &(row, column, _)| {
                        set | U256::square(row * 16 + column)
                    })
                };
                let region = Stones {
                    usable: set(|_| true),
                    black: set(|s| s == 1),
                    white: set(|s| s == 2),
                };
                let reduced = to_small(&layout, region).expect("small");
                let small = small(reduced);
                // The form, as a region, has itself as its form.
                let again = super::small(small.form.region());
                assert!(again.form == small.form && !again.exchanged);
                forms.push((small.form, large(&layout, region).form));
            }
            assert!(forms.iter().all(|form| *form == forms[0]));
        }
    }

    #[test]
    fn boxes_are_packed_and_unpacked() {
        let mut random = fastrand::Rng::with_seed(2);
        for rows in 1..=8 {
            for columns in (1..=8).filter(|columns| rows * columns <= SHORT) {
                let packed = random.u64(..) & ((1 << (rows * columns)) - 1);
                let set = unpack(packed, rows, columns);
                assert_eq!(pack(set, rows, columns), packed);
                // Squares outside the box do not matter.
                let outside = !unpack(u64::MAX, rows, columns);
                assert_eq!(pack(set | outside, rows, columns), packed);
                assert_eq!(pack_by_shifts(set | outside, rows, columns), packed);
            }
        }
    }
}
