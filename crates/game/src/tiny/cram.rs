//! Cram, the impartial Domineering: both players lay dominoes either way; who finds no room for
//! another one loses.

use super::rectangle::{Domino, REFLECTIONS, Rectangle, Way};
use crate::notation::Grid;
use crate::{Capabilities, Game, Guided, NoOptions, NotationError, Player, Symmetry};

/// Cram under normal play, on a rectangle of up to 64 squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cram(Rectangle);

/// The free squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Room(u64);

const WAYS: [Way; 2] = [Way::Upright, Way::Across];

/// Reads rows of squares that no player to move follows.
fn read_rows(text: &str) -> Result<Grid, NotationError> {
    match Grid::read(text, "") {
        Ok(grid) => Err(NotationError::Trailing { text: grid.side }),
        // The rows are right, and this is all that should be missing.
        Err(NotationError::MissingSide { text, .. }) => Grid::read(&format!("{text} -"), ""),
        Err(error) => Err(error),
    }
}

impl Cram {
    fn dominoes(self, room: Room) -> impl Iterator<Item = Domino> {
        WAYS.into_iter().flat_map(move |way| self.0.dominoes(way, room.0))
    }

    /// The least of the positions that squares make in the top left corner, from whichever side
    /// they are seen: a shape may be turned even on a board that is not square, if that has room
    /// for it.
    fn shape(self, squares: u64) -> Room {
        let upright = self.0.in_corner(squares);
        let least = |shape: u64| {
            let images = REFLECTIONS.iter().map(|&symmetry| self.0.image(symmetry, shape));
            images.map(|image| self.0.in_corner(image)).fold(u64::MAX, u64::min)
        };
        let on_its_side = self.0.exchanged(upright).map_or(u64::MAX, least);
        Room(least(upright).min(on_its_side))
    }
}

impl Game for Cram {
    const NAME: &'static str = "cram";
    const SUMMARY: &'static str = "Lay dominoes, both players either way; last one wins";
    const PLAYERS: [&'static str; 2] = ["first", "second"];
    const NOTATION: &'static str = "`1x1` to `8x8` or any board of up to 64 squares, or rows from the top of `.` free, `#` covered joined by `/`";
    const EXAMPLES: &'static [&'static str] = &["4x4", "..#./..#./##../...."];
    const IMPARTIAL: bool = true;

    type Position = Room;
    type Move = Domino;
    type Undo = ();
    type Key = u64;
    type Options = NoOptions;

    fn read(text: &str) -> Result<(Self, Room), NotationError> {
        if let Some(board) = Rectangle::read_size(Cram::NAME, text) {
            let board = board?;
            return Ok((Cram(board), Room(board.others(0))));
        }
        let (board, covered) = Rectangle::of_grid(Cram::NAME, &read_rows(text)?)?;
        Ok((Cram(board), Room(board.others(covered))))
    }

    fn write(&self, room: &Room) -> String {
        let cells = self.0.cells(self.0.others(room.0), '.');
        let rows: Vec<String> = cells.chunks(self.0.cols()).map(String::from_iter).collect();
        rows.join("/")
    }

    fn write_move(&self, _: &Room, domino: &Domino) -> String {
        self.0.write_domino(*domino)
    }

    fn draw(&self, room: &Room) -> String {
        self.0.draw(self.0.others(room.0))
    }

    fn to_move(&self, _: &Room) -> Player {
        Player::First
    }

    fn moves(&self, room: &Room, moves: &mut Vec<Domino>) {
        moves.extend(self.dominoes(*room));
    }

    fn count_moves(&self, room: &Room) -> usize {
        WAYS.iter().map(|&way| self.0.places(way, room.0).count_ones() as usize).sum()
    }

    fn is_legal(&self, room: &Room, domino: &Domino) -> bool {
        WAYS.iter().any(|&way| self.0.fits(way, room.0, *domino))
    }

    fn play(&self, room: &mut Room, domino: &Domino) {
        room.0 ^= domino.squares();
    }

    fn undo(&self, room: &mut Room, domino: &Domino, (): ()) {
        self.play(room, domino);
    }

    fn has_immediate_win(&self, room: &Room) -> bool {
        let leaves_none = |domino: Domino| self.count_moves(&Room(room.0 ^ domino.squares())) == 0;
        self.dominoes(*room).any(leaves_none)
    }

    fn symmetries(&self) -> &[Symmetry] {
        if self.0.is_square() { &Symmetry::ALL } else { &REFLECTIONS }
    }

    fn image(&self, symmetry: Symmetry, room: &Room) -> Room {
        Room(self.0.image(symmetry, room.0))
    }

    fn image_of_move(&self, symmetry: Symmetry, domino: &Domino) -> Domino {
        self.0.image_of_domino(symmetry, *domino)
    }

    fn key(&self, room: &Room) -> u64 {
        self.canonical(room).0
    }
}

impl Cram {
    /// What it has beyond its rules.
    pub const CAPABILITIES: Capabilities<Cram> =
        Capabilities { components: Some(Cram::components), ..Capabilities::NONE };

    /// The connected free squares. The connected free squares, without those that are alone: no
    /// domino will ever lie there. Equal shapes are equal positions.
    pub fn components(&self, room: &Room) -> Vec<Room> {
        self.0.components(room.0).map(|component| self.shape(component)).collect()
    }
}

impl Guided for Cram {}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Cram, Room) {
        Cram::read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn components(text: &str) -> Vec<String> {
        let (game, room) = read(text);
        game.components(&room).iter().map(|component| game.write(component)).collect()
    }

    #[test]
    fn dominoes_lie_either_way() {
        let moves = |text: &str| -> Vec<String> {
            let (game, room) = read(text);
            let mut moves = Vec::new();
            game.moves(&room, &mut moves);
            moves.iter().map(|mv| game.write_move(&room, mv)).collect()
        };
        assert_eq!(moves(".../..#"), ["a2-a1", "b2-b1", "a2-b2", "b2-c2", "a1-b1"]);
        assert_eq!(moves("1x3"), ["a1-b1", "b1-c1"]);
        assert_eq!(moves("3x1"), ["a3-a2", "a2-a1"]);
        assert_eq!(moves(".#/#."), [""; 0]);
    }

    #[test]
    fn boards_of_64_squares() {
        for (text, moves) in [("8x8", 112), ("1x64", 63), ("64x1", 63), ("2x32", 94), ("4x16", 108)]
        {
            let (game, room) = read(text);
            assert_eq!(game.count_moves(&room), moves, "{text}");
            assert_eq!(game.components(&room), [room], "{text}");
            assert_eq!(game.canonical(&room), room, "{text}");
        }
    }

    /// Wherever they lie, mirrored and turned, and without single squares.
    #[test]
    fn components_of_one_shape_are_equal() {
        let corner = "..###/.####/#####/#####";
        assert_eq!(components("..#../.##.#/##.##/#..#."), [corner; 3]);
        assert_eq!(components("#.###/..#.#/###../#####"), [corner; 2]);
        assert_eq!(components("..#/##./#.."), ["..#/###/###", "..#/.##/###"]);
        assert_eq!(components(".#./.##/.#."), [".../###/###"]);
        assert_eq!(components(".#./#.#/.#."), [""; 0]);
        // Four squares in a column have no room in another direction.
        assert_eq!(components("#../#.#/#.#/#.#"), components("#.#/#.#/#.#/..#"));
        assert_eq!(components("#.#/#.#/#.#/#.#"), [".##/.##/.##/.##"]);
    }

    #[test]
    fn bad_texts_are_refused() {
        for (text, problem) in [
            ("0x3", "cram is played on 1 to 64 squares"),
            ("5x13", "1 to 64 squares"),
            ("99999999999999999999999x2", "1 to 64 squares"),
            (&".".repeat(65), "1 to 64 squares"),
            ("", "there is nothing here"),
            ("../.x", "unknown letter `x` on b1"),
            ("../.", "row 2 `.` has 1 squares"),
            ("..//..", "row 2 of `..//..` is empty"),
            ("../.. v", "unexpected `v` after the position"),
            ("../.. v v", "unexpected `v` after the position"),
            ("3x", "board size `3x`"),
        ] {
            let error = Cram::read(text).expect_err(text).to_string();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }
}
