//! Tables on disk, of any game: layers of bits in hashed blocks, the list of the layers, and the
//! building of their directory. The format is specified in `docs/table-format.md`.

mod directory;
mod layer_file;
mod layer_writer;
mod manifest;
mod space;

use std::fmt;

use serde::{Deserialize, Serialize};

pub(crate) use directory::{NewTable, TableContents, partial_bytes};
pub(crate) use layer_file::{LayerFile, LayerHeader};
pub(crate) use manifest::Manifest;
pub(crate) use space::check_space;

/// The version of the format that is written and read.
pub(crate) const VERSION: u32 = 2;

/// What a file contains, in the words of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Subject {
    pub(crate) game: String,
    /// The options of the rules. Older files have none.
    #[serde(default = "standard")]
    pub(crate) rules: String,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    /// The order of the positions of a layer.
    pub(crate) layout: String,
}

/// How the rules of games without options are written.
const STANDARD: &str = "standard";

fn standard() -> String {
    STANDARD.to_owned()
}

impl fmt::Display for Subject {
    /// The board as users write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Subject { game, rules, rows, cols, .. } = self;
        write!(f, "{game} {rows}x{cols}")?;
        match rules.as_str() {
            STANDARD => Ok(()),
            rules => write!(f, " under the rules `{rules}`"),
        }
    }
}
