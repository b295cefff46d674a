//! The shape of a table: its layers, their files and their sizes.

use std::fmt;

use papamu_game::{Game, NoOptions, Player};
use papamu_games::Konane;

use crate::error::TableError;
use crate::konane::board_name;
use crate::konane::row;
use crate::konane::squares::Squares;
use crate::konane::sublayers::Sublayers;
use crate::ranking::Binomials;
use crate::store::{Board, LayerHeader, LayerPart, Subject, TableContents};

/// The order of the positions of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// All positions of a board, a layer for each number of black stones: for every class of black
    /// sets a row with a bit for every white set.
    Rows,
    /// The positions with up to some number of stones, a layer for each number: sublayers by the
    /// number of white stones, numbered by ranking.
    Sublayers,
}

impl Layout {
    /// The layout with that name.
    pub(crate) fn from_name(name: &str) -> Option<Layout> {
        [Layout::Rows, Layout::Sublayers].into_iter().find(|layout| layout.to_string() == name)
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Layout::Rows => "rows",
            Layout::Sublayers => "sublayers",
        })
    }
}

/// The layers of a table of a board. It is cheap to make, however large the table would be.
#[derive(Clone, Debug)]
pub struct Shape {
    squares: Squares,
    layout: Layout,
    most_stones: u32,
    sublayers: Sublayers,
}

/// Boards with more squares of a colour have no complete table: it would be far beyond any memory.
const MOST_SQUARES: u32 = 24;

/// Refuses boards that are too large for rows over all sets of squares.
pub(crate) fn check_size(squares: &Squares) -> Result<(), TableError> {
    let counts = [Player::First, Player::Second].map(|player| squares.count(player));
    if counts.into_iter().all(|count| count <= MOST_SQUARES) {
        return Ok(());
    }
    let board = format!("{} {}", Konane::NAME, board_name(squares.game()));
    Err(TableError::TooLarge { board, bits: counts[0] + counts[1] + 1 })
}

/// Each sublayer begins at a word boundary.
const SUBLAYER_BITS: u64 = 64;

impl Shape {
    /// The table of all positions, unless the board is far too large.
    pub fn complete(squares: &Squares) -> Result<Shape, TableError> {
        check_size(squares)?;
        Ok(Shape::new(squares, Layout::Rows, u32::MAX))
    }

    /// The table of the positions with at most `most_stones` stones.
    pub fn capped(squares: &Squares, most_stones: u32) -> Shape {
        Shape::new(squares, Layout::Sublayers, most_stones)
    }

    fn new(squares: &Squares, layout: Layout, most_stones: u32) -> Shape {
        let whites = squares.count(Player::Second);
        let all = squares.count(Player::First) + whites;
        let binomials = Binomials::new();
        let white_sets = (0..=whites).map(|size| binomials.choose(whites, size)).collect();
        let sublayers = Sublayers::new(squares.class_counts(), white_sets, SUBLAYER_BITS);
        Shape { squares: squares.clone(), layout, most_stones: most_stones.min(all), sublayers }
    }

    /// The squares of the board.
    pub fn squares(&self) -> &Squares {
        &self.squares
    }

    /// The order of positions.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The most stones of the positions in the table. It has all positions with fewer.
    pub fn most_stones(&self) -> u32 {
        self.most_stones
    }

    /// The number of positions: sets of stones, with either side to move.
    pub fn positions(&self) -> u64 {
        let squares = self.squares.count(Player::First) + self.squares.count(Player::Second);
        let binomials = Binomials::new();
        let sets = (0..=self.most_stones).map(|stones| binomials.choose(squares, stones));
        sets.fold(0, u64::saturating_add).saturating_mul(2)
    }

    /// The number of layers. They are numbered from 0, by black stones in rows and by all stones in
    /// sublayers.
    pub fn layers(&self) -> u32 {
        match self.layout {
            Layout::Rows => self.squares.count(Player::First) + 1,
            Layout::Sublayers => self.most_stones + 1,
        }
    }

    /// The sides to move that have layers.
    pub fn players(&self) -> &'static [Player] {
        match self.squares.swap() {
            Some(_) => &[Player::First],
            None => &[Player::First, Player::Second],
        }
    }

    /// The position under which a position is stored. On boards where a reflection exchanges the
    /// colours, and with them the players, it always has Black to move.
    #[inline]
    pub(crate) fn stored(&self, [black, white]: [u32; 2], side: Player) -> ([u32; 2], Player) {
        match (side, self.squares.swap()) {
            (Player::Second, Some([black_goes, white_goes])) => {
                ([white_goes.image(white), black_goes.image(black)], Player::First)
            }
            _ => ([black, white], side),
        }
    }

    pub(crate) fn sublayers(&self) -> &Sublayers {
        &self.sublayers
    }

    /// The bytes of a row over all white sets.
    pub(crate) fn row_bytes(&self) -> usize {
        8 * row::words(self.squares.count(Player::Second))
    }

    /// The bytes of all entries of a layer.
    pub fn data_bytes(&self, layer: u32) -> u64 {
        match self.layout {
            Layout::Rows => {
                let rows = self.sublayers.black_sets(layer);
                rows.saturating_mul(self.row_bytes() as u64)
            }
            Layout::Sublayers => self.sublayers.base(layer, layer + 1) / 8,
        }
    }

    fn subject(&self) -> Subject {
        let board = self.squares.game().board();
        Subject {
            game: Konane::NAME.to_owned(),
            rules: NoOptions.to_string(),
            board: Board::Rectangle { rows: board.rows, cols: board.cols },
            layout: self.layout.to_string(),
        }
    }

    /// The header of a layer.
    pub(crate) fn header(&self, player: Player, layer: u32) -> LayerHeader {
        LayerHeader {
            subject: self.subject(),
            part: LayerPart::Stones { player: Konane::PLAYERS[player.index()].to_owned(), layer },
            data_bytes: self.data_bytes(layer),
        }
    }

    /// All layers, in the order of the list of the table.
    pub(crate) fn files(&self) -> Vec<(Player, u32)> {
        let players = self.players().iter();
        players.flat_map(|&player| (0..self.layers()).map(move |layer| (player, layer))).collect()
    }

    /// The files of the table.
    pub(crate) fn contents(&self) -> TableContents {
        let files = self.files().into_iter();
        TableContents {
            subject: self.subject(),
            stones: self.most_stones,
            layers: files.map(|(player, layer)| self.header(player, layer)).collect(),
        }
    }

    /// The size of all layers on disk.
    pub fn disk_bytes(&self) -> u64 {
        self.contents().disk_bytes()
    }
}
