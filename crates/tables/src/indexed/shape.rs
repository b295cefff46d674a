//! The files of a table: one with the values of each class, one with its distances if they are
//! wanted.

use papamu_game::{Game, Indexed, PositionIndex};

use crate::error::TableError;
use crate::indexed::codes::{BITS, PER_WORD};
use crate::store::{Board, LayerHeader, LayerPart, Subject, TableContents};

const VALUES: &str = "values";
const DISTANCES: &str = "distances";
/// The bytes of a distance in files: one if the class has no longer ones.
pub(crate) const PLIES_BYTES: [u32; 2] = [1, 2];

/// A board, its index, and the files of its table.
pub(crate) struct Shape<G: Indexed> {
    pub(crate) game: G,
    pub(crate) index: G::Index,
}

impl<G: Indexed> Shape<G> {
    /// The table of the positions with at most so many stones, or of all.
    pub(crate) fn new(game: &G, most_stones: Option<u32>) -> Result<Shape<G>, TableError> {
        let no_index = || TableError::NoIndex { board: board_name(game), stones: most_stones };
        let index = game.index(most_stones.unwrap_or(u32::MAX)).ok_or_else(no_index)?;
        Ok(Shape { game: game.clone(), index })
    }

    pub(crate) fn board_name(&self) -> String {
        board_name(&self.game)
    }

    /// All classes, in their order.
    pub(crate) fn classes(&self) -> std::ops::Range<u32> {
        0..self.index.classes()
    }

    /// The most stones of the positions.
    pub(crate) fn most_stones(&self) -> u32 {
        self.classes().last().map_or(0, |class| self.index.stones(class))
    }

    /// The entries of all classes, or far too many.
    pub(crate) fn entries(&self) -> u64 {
        let entries = self.classes().map(|class| self.index.entries(class));
        entries.fold(0, u64::saturating_add)
    }

    pub(crate) fn subject(&self) -> Subject {
        Subject {
            game: G::NAME.to_owned(),
            rules: self.game.options().to_string(),
            board: Board::Named { board: self.game.board() },
            layout: self.index.layout().to_owned(),
        }
    }

    fn header(&self, class: u32, holds: &str, bits: u32, bytes: u64) -> LayerHeader {
        let part = LayerPart::Class {
            class,
            name: self.index.class_name(class),
            holds: holds.to_owned(),
            bits,
            entries: self.index.entries(class),
        };
        LayerHeader { subject: self.subject(), part, data_bytes: bytes }
    }

    /// The file of the values of a class.
    pub(crate) fn values(&self, class: u32) -> LayerHeader {
        let words = self.index.entries(class).div_ceil(PER_WORD);
        self.header(class, VALUES, BITS, words.saturating_mul(8))
    }

    /// The file of the distances of a class, if they take so many bytes each.
    pub(crate) fn distances(&self, class: u32, bytes_each: u32) -> LayerHeader {
        let bytes = self.index.entries(class).saturating_mul(bytes_each.into());
        self.header(class, DISTANCES, 8 * bytes_each, bytes.div_ceil(8).saturating_mul(8))
    }

    /// All files. `bytes_each` are those of the distances, by class, if there are any.
    pub(crate) fn contents(&self, bytes_each: Option<&[u32]>) -> TableContents {
        let values = self.classes().map(|class| self.values(class));
        let distances = self.classes().zip(bytes_each.unwrap_or(&[]));
        let distances = distances.map(|(class, &bytes_each)| self.distances(class, bytes_each));
        TableContents {
            subject: self.subject(),
            stones: self.most_stones(),
            layers: values.chain(distances).collect(),
        }
    }
}

/// A board as users write it, with the game.
pub(crate) fn board_name<G: Indexed>(game: &G) -> String {
    format!("{} {}", <G as Game>::NAME, game.board())
}
