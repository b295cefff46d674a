//! Tables on disk, of any game: layers of bits in hashed blocks, the list of the layers, and the
//! building of their directory. The format is specified in `docs/table-format.md`.

mod directory;
mod hashes;
mod layer_file;
mod layer_writer;
mod manifest;
mod space;

use std::fmt;

use serde::{Deserialize, Serialize};

pub(crate) use directory::{NewTable, TableContents, partial_bytes};
pub(crate) use hashes::check_hashes;
pub(crate) use layer_file::{LayerFile, LayerHeader, LayerPart};
pub(crate) use layer_writer::LayerWriter;
pub(crate) use manifest::{Manifest, ManifestEntry};
pub(crate) use space::check_space;

/// The versions of the format that are written and read: tables of layers of stones, and tables of
/// classes of an index.
pub(crate) const VERSIONS: [u32; 2] = [2, 3];

/// What a file contains, in the words of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Subject {
    pub(crate) game: String,
    /// The options of the rules. Older files have none.
    #[serde(default = "standard")]
    pub(crate) rules: String,
    #[serde(flatten)]
    pub(crate) board: Board,
    /// The order of the positions of a layer.
    pub(crate) layout: String,
}

/// The board of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Board {
    /// Of tables of layers of stones.
    Rectangle { rows: usize, cols: usize },
    /// Of tables of classes: a text that the game reads.
    Named { board: String },
}

impl Subject {
    /// The version of its files.
    pub(crate) fn version(&self) -> u32 {
        match self.board {
            Board::Rectangle { .. } => VERSIONS[0],
            Board::Named { .. } => VERSIONS[1],
        }
    }
}

/// How the rules of games without options are written.
const STANDARD: &str = "standard";

fn standard() -> String {
    STANDARD.to_owned()
}

impl fmt::Display for Subject {
    /// The board as users write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Subject { game, rules, board, .. } = self;
        match board {
            Board::Rectangle { rows, cols } => write!(f, "{game} {rows}x{cols}")?,
            Board::Named { board } => write!(f, "{game} {board}")?,
        }
        match rules.as_str() {
            STANDARD => Ok(()),
            rules => write!(f, " under the rules `{rules}`"),
        }
    }
}
