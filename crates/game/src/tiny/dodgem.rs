//! Dodgem (Colin Vout, 1972): two fleets of cars cross each other's way. Cars move one square
//! forward or sideways; who has all cars off the board wins. Who leaves the opponent without a
//! move loses. Cars can go to and fro for ever, which is a draw.

use crate::certifiable::{from_ternary, ternary_digits, to_ternary};
use crate::notation::{Grid, read_size, square_name};
use crate::ranking::{Binomials, Pairs};
use crate::{
    Capabilities, Certifiable, Entry, Game, Guided, Indexed, NoOptions, NotationError, Numbering,
    Player, PositionIndex, Value,
};

/// Dodgem on a square board with one car less than the board has rows, on each side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dodgem {
    size: u8,
}

/// Squares are bits, row by row from the top left corner. The first player's cars go right, the
/// second player's go up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cars {
    cars: [u64; 2],
    side: Player,
}

/// From one square to a neighbour, or off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Drive {
    from: u8,
    to: Option<u8>,
}

/// The left column of the boards of each size.
const LEFT_COLUMNS: [u64; 8] = {
    let mut columns = [0; 8];
    let mut square = 0;
    while square < 64 * 8 {
        let (size, square_of) = (square / 64, square % 64);
        if size > 0 && square_of < size * size && square_of % size == 0 {
            columns[size] |= 1 << square_of;
        }
        square += 1;
    }
    columns
};

/// A direction.
#[derive(Clone, Copy, Debug)]
struct Way {
    by: i8,
    /// The squares from which it leaves the board.
    edge: u64,
}

impl Way {
    /// The next square, if there is one.
    #[inline]
    fn from(self, square: u8) -> Option<u8> {
        (self.edge >> square & 1 == 0).then_some(square.wrapping_add_signed(self.by))
    }
}

const LETTERS: [char; 2] = ['r', 'u'];
const SIDES: &str = "`r` (going right) or `u` (going up)";

impl Dodgem {
    /// The squares forward, to the left and to the right of a car; `Err` is off the board.
    fn steps(self, side: Player, from: u8) -> [Result<u8, bool>; 3] {
        let (row, col) = ((from / self.size) as i8, (from % self.size) as i8);
        let directions = match side {
            Player::First => [(0, 1), (-1, 0), (1, 0)],
            Player::Second => [(-1, 0), (0, -1), (0, 1)],
        };
        let on_board = 0..self.size as i8;
        let mut forward = true;
        directions.map(|(down, right)| {
            let (row, col) = (row + down, col + right);
            let may_leave = std::mem::replace(&mut forward, false);
            let inside = on_board.contains(&row) && on_board.contains(&col);
            if inside { Ok(row as u8 * self.size + col as u8) } else { Err(may_leave) }
        })
    }

    /// The ways forward, to the left and to the right, for the generator: a lookup of the edge
    /// instead of rows and columns.
    #[inline]
    fn ways(self, side: Player) -> [Way; 3] {
        let size = self.size as i8;
        let row = (1_u64 << self.size) - 1;
        let column = LEFT_COLUMNS[usize::from(self.size % 8)];
        let right = Way { by: 1, edge: column << (self.size - 1) };
        let left = Way { by: -1, edge: column };
        let up = Way { by: -size, edge: row };
        let down = Way { by: size, edge: row << (self.size * (self.size - 1)) };
        match side {
            Player::First => [right, up, down],
            Player::Second => [up, left, right],
        }
    }

    fn cells(self, position: &Cars, empty: char) -> Vec<char> {
        Grid::letters(position.cars, LETTERS, empty, usize::from(self.size * self.size))
    }

    fn square(self, square: u8) -> String {
        let (size, square) = (usize::from(self.size), usize::from(square));
        square_name(size, square / size, square % size)
    }
}

impl Game for Dodgem {
    const NAME: &'static str = "dodgem";
    const SUMMARY: &'static str = "Drive all your cars off the far edge, forward or sideways";
    const PLAYERS: [&'static str; 2] = ["right", "up"];
    const NOTATION: &'static str = "`3x3` to `7x7`, or rows from the top of `r`, `u`, `.` joined by `/`, a space, `r` or `u` to move";
    const EXAMPLES: &'static [&'static str] = &["3x3", "r../.r./.uu u"];
    const CYCLIC: bool = true;

    type Position = Cars;
    type Move = Drive;
    type Undo = ();
    type Key = u128;
    type Options = NoOptions;

    fn read(text: &str) -> Result<(Self, Cars), NotationError> {
        let bad_size = |size: String| NotationError::Size {
            size,
            problem: "dodgem is played on 3x3 to 7x7".to_owned(),
        };
        if let Some((rows, cols)) = read_size(text.trim()) {
            if rows != cols || !(3..=7).contains(&rows) {
                return Err(bad_size(text.trim().to_owned()));
            }
            let bottom = rows * (rows - 1);
            let right = (0..rows - 1).fold(0, |cars, row| cars | 1 << (row * rows));
            let up = (1..rows).fold(0, |cars, col| cars | 1 << (bottom + col));
            let start = Cars { cars: [right, up], side: Player::First };
            return Ok((Dodgem { size: rows as u8 }, start));
        }
        let grid = Grid::read(text, SIDES)?;
        if grid.rows != grid.cols || !(3..=7).contains(&grid.rows) {
            return Err(bad_size(format!("{}x{}", grid.rows, grid.cols)));
        }
        let cars = grid.planes(LETTERS, "`r`, `u` and `.`")?;
        let side = grid.player(LETTERS, SIDES)?;
        let too_many = cars.iter().any(|cars| cars.count_ones() as usize >= grid.rows);
        if too_many || cars[side.index()] == 0 {
            let problem = "each side has fewer cars than rows, the side to move at least one";
            return Err(NotationError::Position { text: text.to_owned(), problem: problem.into() });
        }
        Ok((Dodgem { size: grid.rows as u8 }, Cars { cars, side }))
    }

    fn write(&self, position: &Cars) -> String {
        let side = LETTERS[position.side.index()];
        Grid::write(self.size.into(), &self.cells(position, '.'), side)
    }

    fn write_move(&self, _: &Cars, drive: &Drive) -> String {
        let to = drive.to.map_or("off".to_owned(), |to| self.square(to));
        format!("{}-{to}", self.square(drive.from))
    }

    fn draw(&self, position: &Cars) -> String {
        Grid::draw(self.size.into(), &self.cells(position, '·'))
    }

    fn to_move(&self, position: &Cars) -> Player {
        position.side
    }

    #[inline]
    fn moves(&self, position: &Cars, moves: &mut Vec<Drive>) {
        let occupied = position.cars[0] | position.cars[1];
        if position.cars[(!position.side).index()] == 0 {
            return;
        }
        let mut own = position.cars[position.side.index()];
        let ways = self.ways(position.side);
        while own != 0 {
            let from = own.trailing_zeros() as u8;
            for (forward, way) in [true, false, false].into_iter().zip(ways) {
                match way.from(from) {
                    Some(to) if occupied >> to & 1 == 0 => moves.push(Drive { from, to: Some(to) }),
                    None if forward => moves.push(Drive { from, to: None }),
                    _ => (),
                }
            }
            own &= own - 1;
        }
    }

    fn is_legal(&self, position: &Cars, drive: &Drive) -> bool {
        let cells = self.cells(position, '.');
        let own = LETTERS[position.side.index()];
        let other = LETTERS[(!position.side).index()];
        let target = match drive.to {
            Some(to) => cells.get(usize::from(to)) == Some(&'.'),
            None => true,
        };
        let wanted = drive.to.ok_or(true);
        cells.contains(&other)
            && cells.get(usize::from(drive.from)) == Some(&own)
            && target
            && self.steps(position.side, drive.from).contains(&wanted)
    }

    #[inline]
    fn play(&self, position: &mut Cars, drive: &Drive) {
        let to = drive.to.map_or(0, |to| 1 << to);
        position.cars[position.side.index()] ^= 1 << drive.from | to;
        position.side = !position.side;
    }

    fn undo(&self, position: &mut Cars, drive: &Drive, (): ()) {
        position.side = !position.side;
        let to = drive.to.map_or(0, |to| 1 << to);
        position.cars[position.side.index()] ^= 1 << drive.from | to;
    }

    /// Either the opponent has left the board and won, or the opponent has blocked the way and
    /// lost.
    fn final_value(&self, position: &Cars) -> Value {
        let opponent_is_off = position.cars[(!position.side).index()] == 0;
        if opponent_is_off { Value::Loss } else { Value::Win }
    }

    fn key(&self, position: &Cars) -> u128 {
        let [right, up] = position.cars.map(u128::from);
        right << 64 | up << 1 | position.side.index() as u128
    }
}

impl Guided for Dodgem {}

/// The cars of both sides, in classes by their numbers: fewer cars first, and among as many those
/// with fewer cars going right.
#[derive(Clone, Debug)]
pub struct CarIndex {
    classes: Vec<([u32; 2], Pairs)>,
    /// The class by the numbers of cars.
    class: [[u32; 8]; 8],
    /// Where each way comes from, by the side that moved.
    backward: [[Way; 3]; 2],
}

impl Indexed for Dodgem {
    type Index = CarIndex;

    fn board(&self) -> String {
        format!("{0}x{0}", self.size)
    }

    fn index(&self, most_stones: u32) -> Option<CarIndex> {
        let binomials = Binomials::new();
        let (squares, most) = (u32::from(self.size).pow(2), u32::from(self.size) - 1);
        let mut classes = Vec::new();
        let mut class = [[u32::MAX; 8]; 8];
        for all in 1..=most_stones.min(2 * most) {
            for right in all.saturating_sub(most)..=all.min(most) {
                let cars = [right, all - right];
                class[cars[0] as usize][cars[1] as usize] = classes.len() as u32;
                classes.push((cars, Pairs::new(&binomials, (1 << squares) - 1, cars)));
            }
        }
        let ways = [Player::First, Player::Second].map(|side| self.ways(side));
        let [[right, up, down], [_, left, _]] = ways;
        let backward = [[left, down, up], [down, right, left]];
        Some(CarIndex { classes, class, backward })
    }
}

impl CarIndex {
    #[inline]
    fn class_of(&self, position: &Cars) -> u32 {
        let [right, up] = position.cars.map(|cars| cars.count_ones() as usize);
        self.class[right % 8][up % 8]
    }
}

impl PositionIndex<Dodgem> for CarIndex {
    fn layout(&self) -> &'static str {
        "right, up, side to move"
    }

    fn classes(&self) -> u32 {
        self.classes.len() as u32
    }

    fn class_name(&self, class: u32) -> String {
        let [right, up] = self.classes[class as usize].0;
        format!("{right}-{up}")
    }

    fn stones(&self, class: u32) -> u32 {
        self.classes[class as usize].0.iter().sum()
    }

    fn entries(&self, class: u32) -> u64 {
        self.classes[class as usize].1.len().saturating_mul(2)
    }

    #[inline]
    fn entry(&self, position: &Cars) -> Option<Entry> {
        let class = self.class_of(position);
        let (_, pairs) = self.classes.get(class as usize)?;
        let index = 2 * pairs.rank(position.cars) + position.side.index() as u64;
        Some(Entry { class, index })
    }

    #[inline]
    fn class(&self, position: &Cars) -> Option<u32> {
        Some(self.class_of(position)).filter(|&class| class != u32::MAX)
    }

    /// Whoever has no cars left has won: the other side is to move.
    #[inline]
    fn position(&self, entry: Entry) -> Option<Cars> {
        self.classes.get(entry.class as usize)?;
        self.reader(entry.class)(entry.index)
    }

    #[inline]
    fn reader(&self, class: u32) -> impl FnMut(u64) -> Option<Cars> {
        let mut cars = self.classes[class as usize].1.reader();
        move |index| {
            let cars = cars(index / 2)?;
            let side = if index.is_multiple_of(2) { Player::First } else { Player::Second };
            (cars[side.index()] != 0).then_some(Cars { cars, side })
        }
    }

    fn has_unmoves(&self) -> bool {
        true
    }

    #[inline]
    fn predecessors(&self, position: &Cars, predecessors: &mut Vec<Cars>) {
        let mover = !position.side;
        // The game was over before.
        if position.cars[position.side.index()] == 0 {
            return;
        }
        let occupied = position.cars[0] | position.cars[1];
        let mut cars = position.cars[mover.index()];
        while cars != 0 {
            let to = cars.trailing_zeros() as u8;
            for way in self.backward[mover.index()] {
                let from = way.from(to).filter(|from| occupied >> from & 1 == 0);
                if let Some(from) = from {
                    let mut before = Cars { side: mover, ..*position };
                    before.cars[mover.index()] ^= 1 << from | 1 << to;
                    predecessors.push(before);
                }
            }
            cars &= cars - 1;
        }
    }
}

impl Dodgem {
    /// What it has beyond its rules.
    pub const CAPABILITIES: Capabilities<Dodgem> =
        Capabilities { numbering: Some(Numbering::of_game()), ..Capabilities::NONE };

    fn squares(self) -> u32 {
        (self.size * self.size).into()
    }
}

impl Certifiable for Dodgem {
    /// On 7x7 numbers go up to 3^49, which is more than 2^64.
    type Number = u128;

    fn certificate_number(&self, position: &Cars) -> u128 {
        to_ternary(ternary_digits(position.cars, self.squares()))
    }

    fn position_of_number(&self, number: u128, mover: Player) -> Option<Cars> {
        let cars = from_ternary(number, self.squares())?;
        let fit = cars.iter().all(|cars| cars.count_ones() < self.size.into());
        (fit && cars[mover.index()] != 0).then_some(Cars { cars, side: mover })
    }

    /// Cars leave the board and never come back.
    fn size(&self, position: &Cars) -> u64 {
        (position.cars[0] | position.cars[1]).count_ones().into()
    }

    fn move_order(&self, drive: &Drive) -> u64 {
        u64::from(drive.from) << 8 | u64::from(drive.to.unwrap_or(u8::MAX))
    }
}
