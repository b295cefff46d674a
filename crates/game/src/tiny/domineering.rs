//! Domineering (Göran Andersson, 1970s): dominoes on a board. One player lays them along the columns,
//! the other along the rows; who finds no room for another one loses.

use crate::notation::{Grid, read_size, square_name};
use crate::{Game, NotationError, Player, Symmetry};

/// Domineering on a rectangle of up to 64 squares.
#[derive(Clone, Copy, Debug)]
pub struct Domineering {
    rows: u8,
    cols: u8,
}

/// Covered squares are bits, row by row from the top left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Floor {
    covered: u64,
    side: Player,
}

/// The two squares that a domino covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Domino(u64);

const MOST_SQUARES: usize = 64;
const COVERED: [char; 2] = ['#', '#'];
const LETTERS: [char; 2] = ['v', 'h'];
const SIDES: &str = "`v` (vertical) or `h` (horizontal)";

/// The reflections that keep columns columns: the others would exchange the players.
const SYMMETRIES: [Symmetry; 4] =
    [Symmetry::Identity, Symmetry::FlipHorizontal, Symmetry::FlipVertical, Symmetry::Rotate180];

/// The lowest bits, one or more of them.
fn ones(count: u8) -> u64 {
    u64::MAX >> (64 - count)
}

impl Domineering {
    fn new(rows: usize, cols: usize, size: String) -> Result<Domineering, NotationError> {
        let squares = rows.checked_mul(cols);
        if squares.is_none_or(|squares| squares == 0 || squares > MOST_SQUARES) {
            let problem = format!("domineering is played on 1 to {MOST_SQUARES} squares");
            return Err(NotationError::Size { size, problem });
        }
        Ok(Domineering { rows: rows as u8, cols: cols as u8 })
    }

    fn squares(self) -> u8 {
        self.rows * self.cols
    }

    fn free(self, covered: u64) -> u64 {
        !covered & ones(self.squares())
    }

    /// The left column.
    fn left_edge(self) -> u64 {
        (0..self.rows).fold(0, |edge, row| edge | 1 << (row * self.cols))
    }

    /// The free squares that have a free square below, or to the right.
    fn places(self, side: Player, covered: u64) -> u64 {
        let free = self.free(covered);
        free & match side {
            // On a board of one row the neighbour is 64 squares away at most.
            Player::First => free.checked_shr(self.cols.into()).unwrap_or(0),
            Player::Second => (free & !self.left_edge()) >> 1,
        }
    }

    fn domino(self, side: Player, square: u32) -> Domino {
        let step = match side {
            Player::First => self.cols,
            Player::Second => 1,
        };
        Domino((1 | 1 << step) << square)
    }

    fn dominoes(self, floor: Floor) -> impl Iterator<Item = Domino> {
        let mut places = self.places(floor.side, floor.covered);
        std::iter::from_fn(move || {
            let square = (places != 0).then(|| places.trailing_zeros())?;
            places &= places - 1;
            Some(self.domino(floor.side, square))
        })
    }

    /// The free squares that dominoes could connect with the lowest of these.
    fn component(self, free: u64) -> u64 {
        let left = self.left_edge();
        let cols = u32::from(self.cols);
        let mut component = free & free.wrapping_neg();
        loop {
            let vertically =
                component.checked_shl(cols).unwrap_or(0) | component.checked_shr(cols).unwrap_or(0);
            let horizontally = component << 1 & !left | (component & !left) >> 1;
            let more = free & (component | vertically | horizontally);
            if more == component {
                return component;
            }
            component = more;
        }
    }

    fn image_of_squares(self, symmetry: Symmetry, squares: u64) -> u64 {
        let turned = |squares: u64| squares.reverse_bits() >> (64 - self.squares());
        let flipped = |squares: u64| {
            let last = self.rows - 1;
            let row = |row: u8| squares >> (row * self.cols) & ones(self.cols);
            (0..self.rows).fold(0, |image, r| image | row(r) << ((last - r) * self.cols))
        };
        match symmetry {
            Symmetry::FlipHorizontal => flipped(turned(squares)),
            Symmetry::FlipVertical => flipped(squares),
            Symmetry::Rotate180 => turned(squares),
            _ => squares,
        }
    }

    fn coordinates(self, square: u32) -> (usize, usize) {
        let (square, cols) = (square as usize, usize::from(self.cols));
        (square / cols, square % cols)
    }

    fn ends(self, domino: Domino) -> [(usize, usize); 2] {
        [domino.0.trailing_zeros(), 63 - domino.0.leading_zeros()].map(|s| self.coordinates(s))
    }

    fn cells(self, floor: &Floor, free: char) -> Vec<char> {
        Grid::letters([floor.covered, 0], COVERED, free, self.squares().into())
    }
}

impl Game for Domineering {
    const NAME: &'static str = "domineering";
    const SUMMARY: &'static str = "Lay dominoes, one player upright and one across; last one wins";
    const PLAYERS: [&'static str; 2] = ["vertical", "horizontal"];
    const NOTATION: &'static str = "`1x1` to `8x8` or any board of up to 64 squares, or rows from the top of `.` free, `#` covered joined by `/`, a space, `v` or `h` to move";
    const EXAMPLES: &'static [&'static str] = &["4x4", "..#./..#./##../.... h"];

    type Position = Floor;
    type Move = Domino;
    type Undo = ();
    type Key = u128;

    fn read(text: &str) -> Result<(Self, Floor), NotationError> {
        if let Some((rows, cols)) = read_size(text.trim()) {
            let game = Domineering::new(rows, cols, text.trim().to_owned())?;
            return Ok((game, Floor { covered: 0, side: Player::First }));
        }
        let grid = Grid::read(text, SIDES)?;
        let size = format!("{}x{}", grid.rows, grid.cols);
        let game = Domineering::new(grid.rows, grid.cols, size)?;
        let [covered, _] = grid.planes(COVERED, "`.` and `#`")?;
        Ok((game, Floor { covered, side: grid.player(LETTERS, SIDES)? }))
    }

    fn write(&self, floor: &Floor) -> String {
        Grid::write(self.cols.into(), &self.cells(floor, '.'), LETTERS[floor.side.index()])
    }

    fn write_move(&self, _: &Floor, domino: &Domino) -> String {
        self.ends(*domino).map(|(row, col)| square_name(self.rows.into(), row, col)).join("-")
    }

    fn draw(&self, floor: &Floor) -> String {
        Grid::draw(self.cols.into(), &self.cells(floor, '·'))
    }

    fn to_move(&self, floor: &Floor) -> Player {
        floor.side
    }

    fn moves(&self, floor: &Floor, moves: &mut Vec<Domino>) {
        moves.extend(self.dominoes(*floor));
    }

    fn count_moves(&self, floor: &Floor) -> usize {
        self.places(floor.side, floor.covered).count_ones() as usize
    }

    fn is_legal(&self, floor: &Floor, domino: &Domino) -> bool {
        if domino.0.count_ones() != 2 {
            return false;
        }
        let cells = self.cells(floor, '.');
        let cols = usize::from(self.cols);
        let ends = self.ends(*domino);
        let [(top, left), (bottom, right)] = ends;
        let apart = match floor.side {
            Player::First => (1, 0),
            Player::Second => (0, 1),
        };
        (bottom - top, right.abs_diff(left)) == apart
            && ends.iter().all(|(row, col)| cells.get(row * cols + col) == Some(&'.'))
    }

    fn play(&self, floor: &mut Floor, domino: &Domino) {
        floor.covered ^= domino.0;
        floor.side = !floor.side;
    }

    fn undo(&self, floor: &mut Floor, domino: &Domino, (): ()) {
        self.play(floor, domino);
    }

    fn wins_at_once(&self, floor: &Floor) -> bool {
        let leaves_none = |domino: Domino| self.places(!floor.side, floor.covered | domino.0) == 0;
        self.dominoes(*floor).any(leaves_none)
    }

    fn turned(&self, floor: &Floor) -> Option<Floor> {
        Some(Floor { side: !floor.side, ..*floor })
    }

    fn count_opponent_moves(&self, floor: &Floor) -> usize {
        self.places(!floor.side, floor.covered).count_ones() as usize
    }

    fn symmetries(&self) -> &[Symmetry] {
        &SYMMETRIES
    }

    fn image(&self, symmetry: Symmetry, floor: &Floor) -> Floor {
        Floor { covered: self.image_of_squares(symmetry, floor.covered), ..*floor }
    }

    fn image_of_move(&self, symmetry: Symmetry, domino: &Domino) -> Domino {
        Domino(self.image_of_squares(symmetry, domino.0))
    }

    fn key(&self, floor: &Floor) -> u128 {
        let Floor { covered, side } = self.canonical(floor);
        u128::from(covered) << 1 | side.index() as u128
    }

    /// The connected free squares, without those that are alone: no domino will ever lie there.
    fn parts(&self, floor: &Floor) -> Vec<Floor> {
        let all = ones(self.squares());
        let mut free = self.free(floor.covered);
        let mut parts = Vec::new();
        while free != 0 {
            let component = self.component(free);
            free ^= component;
            if component.count_ones() > 1 {
                parts.push(Floor { covered: all ^ component, ..*floor });
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Domineering, Floor) {
        Domineering::read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn moves(text: &str) -> Vec<String> {
        let (game, floor) = read(text);
        let mut moves = Vec::new();
        game.moves(&floor, &mut moves);
        moves.iter().map(|mv| game.write_move(&floor, mv)).collect()
    }

    #[test]
    fn dominoes_lie_along_columns_or_rows() {
        assert_eq!(moves("2x3"), ["a2-a1", "b2-b1", "c2-c1"]);
        assert_eq!(moves(".../..# h"), ["a2-b2", "b2-c2", "a1-b1"]);
        assert_eq!(moves(".../..# v"), ["a2-a1", "b2-b1"]);
        assert_eq!(moves("1x1"), [""; 0]);
    }

    /// Shapes whose lines are as long as a word, or fill it.
    #[test]
    fn boards_of_64_squares() {
        for (text, vertical, horizontal) in
            [("8x8", 56, 56), ("1x64", 0, 63), ("64x1", 63, 0), ("2x32", 32, 62), ("4x16", 48, 60)]
        {
            let (game, floor) = read(text);
            let turned = game.turned(&floor).expect("a position");
            assert_eq!(game.count_moves(&floor), vertical, "{text}");
            assert_eq!(game.count_moves(&turned), horizontal, "{text}");
            assert_eq!(game.count_opponent_moves(&floor), horizontal, "{text}");
            assert_eq!(game.parts(&floor), [floor], "{text}");
        }
    }

    #[test]
    fn parts_are_connected_free_squares() {
        let parts = |text: &str| -> Vec<String> {
            let (game, floor) = read(text);
            game.parts(&floor).iter().map(|part| game.write(part)).collect()
        };
        assert_eq!(
            parts("..#./.##./#.#. h"),
            ["..##/.###/#### h", "###./###./###. h"],
            "touching at a corner is not connected"
        );
        assert_eq!(parts(".#./#.#/.#. v"), [""; 0]);
        // The end of one row is no neighbour of the beginning of the next.
        assert_eq!(parts("#../##./.## v"), ["#../##./### v"]);
    }

    #[test]
    fn bad_texts_are_refused() {
        for (text, problem) in [
            ("0x3", "1 to 64 squares"),
            ("5x13", "1 to 64 squares"),
            ("4294967296x4294967296", "1 to 64 squares"),
            ("99999999999999999999999x2", "1 to 64 squares"),
            (&format!("{} v", ".".repeat(65)), "1 to 64 squares"),
            ("../.x v", "unknown letter `x` on b1"),
            ("../.. b", "unknown side to move `b`"),
            ("../..", "does not say who moves"),
        ] {
            let error = Domineering::read(text).expect_err(text).to_string();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }
}
