//! Konane positions as pictures.

use papamu_games::Konane;
use papamu_games::konane::{Position, Setup, Square};

use crate::picture::{Fill, Picture, PictureSquare, Stone};

/// A position without regions.
pub(super) fn picture(game: &Konane, position: &Position) -> Picture {
    let setup = Setup::from((game, position));
    Picture::new(setup.columns(), setup.squares().iter().map(|&of| square(of)).collect())
}

/// A square.
pub(super) fn square(of: Square) -> PictureSquare {
    let (fill, stone) = match of {
        Square::Empty => (Fill::Plain, None),
        Square::Black => (Fill::Plain, Some(Stone::Black)),
        Square::White => (Fill::Plain, Some(Stone::White)),
        Square::Wall => (Fill::Wall, None),
    };
    PictureSquare { fill, stone }
}
