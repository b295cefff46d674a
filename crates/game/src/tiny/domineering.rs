//! Domineering (Göran Andersson, 1970s): dominoes on a board. One player lays them along the
//! columns, the other along the rows; who finds no room for another one loses.

use super::rectangle::{Domino, REFLECTIONS, Rectangle, Way};
use crate::notation::Grid;
use crate::{Capabilities, Game, Guided, NoOptions, NotationError, Player, Symmetry};

/// Domineering on a rectangle of up to 64 squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Domineering(Rectangle);

/// Covered squares are bits, row by row from the top left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Floor {
    covered: u64,
    side: Player,
}

const LETTERS: [char; 2] = ['v', 'h'];
const SIDES: &str = "`v` (vertical) or `h` (horizontal)";

fn way(side: Player) -> Way {
    match side {
        Player::First => Way::Upright,
        Player::Second => Way::Across,
    }
}

impl Domineering {
    fn places(self, side: Player, covered: u64) -> u64 {
        self.0.places(way(side), self.0.others(covered))
    }

    fn dominoes(self, floor: Floor) -> impl Iterator<Item = Domino> {
        self.0.dominoes(way(floor.side), self.0.others(floor.covered))
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
    type Options = NoOptions;

    fn read(text: &str) -> Result<(Self, Floor), NotationError> {
        if let Some(board) = Rectangle::read_size(Domineering::NAME, text) {
            return Ok((Domineering(board?), Floor { covered: 0, side: Player::First }));
        }
        let grid = Grid::read(text, SIDES)?;
        let (board, covered) = Rectangle::of_grid(Domineering::NAME, &grid)?;
        Ok((Domineering(board), Floor { covered, side: grid.player(LETTERS, SIDES)? }))
    }

    fn write(&self, floor: &Floor) -> String {
        let cells = self.0.cells(floor.covered, '.');
        Grid::write(self.0.cols(), &cells, LETTERS[floor.side.index()])
    }

    fn write_move(&self, _: &Floor, domino: &Domino) -> String {
        self.0.write_domino(*domino)
    }

    fn draw(&self, floor: &Floor) -> String {
        self.0.draw(floor.covered)
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
        self.0.fits(way(floor.side), self.0.others(floor.covered), *domino)
    }

    fn play(&self, floor: &mut Floor, domino: &Domino) {
        floor.covered ^= domino.squares();
        floor.side = !floor.side;
    }

    fn undo(&self, floor: &mut Floor, domino: &Domino, (): ()) {
        self.play(floor, domino);
    }

    fn has_immediate_win(&self, floor: &Floor) -> bool {
        let leaves_none =
            |domino: Domino| self.places(!floor.side, floor.covered | domino.squares()) == 0;
        self.dominoes(*floor).any(leaves_none)
    }

    /// Those that keep columns columns: the others would exchange the players.
    fn symmetries(&self) -> &[Symmetry] {
        &REFLECTIONS
    }

    fn image(&self, symmetry: Symmetry, floor: &Floor) -> Floor {
        Floor { covered: self.0.image(symmetry, floor.covered), ..*floor }
    }

    fn image_of_move(&self, symmetry: Symmetry, domino: &Domino) -> Domino {
        self.0.image_of_domino(symmetry, *domino)
    }

    fn key(&self, floor: &Floor) -> u128 {
        let Floor { covered, side } = self.canonical(floor);
        u128::from(covered) << 1 | side.index() as u128
    }
}

impl Domineering {
    /// What it has beyond its rules.
    pub const CAPABILITIES: Capabilities<Domineering> = Capabilities {
        null_move: Some(Domineering::null_move),
        components: Some(Domineering::components),
        ..Capabilities::NONE
    };

    /// The null move.
    pub fn null_move(&self, floor: &Floor) -> Option<Floor> {
        Some(Floor { side: !floor.side, ..*floor })
    }

    /// The connected free squares, each a board with all others covered.
    pub fn components(&self, floor: &Floor) -> Vec<Floor> {
        let components = self.0.components(self.0.others(floor.covered));
        components.map(|free| Floor { covered: self.0.others(free), ..*floor }).collect()
    }
}

impl Guided for Domineering {
    fn count_opponent_moves(&self, floor: &Floor) -> usize {
        self.places(!floor.side, floor.covered).count_ones() as usize
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
            let passed = game.null_move(&floor).expect("a position");
            assert_eq!(game.count_moves(&floor), vertical, "{text}");
            assert_eq!(game.count_moves(&passed), horizontal, "{text}");
            assert_eq!(game.count_opponent_moves(&floor), horizontal, "{text}");
            assert_eq!(game.components(&floor), [floor], "{text}");
        }
    }

    #[test]
    fn components_are_connected_free_squares() {
        let components = |text: &str| -> Vec<String> {
            let (game, floor) = read(text);
            game.components(&floor).iter().map(|component| game.write(component)).collect()
        };
        assert_eq!(
            components("..#./.##./#.#. h"),
            ["..##/.###/#### h", "###./###./###. h"],
            "touching at a corner is not connected"
        );
        assert_eq!(components(".#./#.#/.#. v"), [""; 0]);
        // The end of one row is no neighbour of the beginning of the next.
        assert_eq!(components("#../##./.## v"), ["#../##./### v"]);
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
