//! Answers from a table.

use std::fs::File;
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use papamu_game::{Game, Player, Value};
use papamu_games::Konane;
use papamu_games::konane::Position;

use crate::konane::places::Places;
use crate::konane::shape::{Layout, Shape};
use crate::konane::squares::Squares;
use crate::store::directory::{TableError, io_error, read_manifest};
use crate::store::layer_file::HEADER_BYTES;

/// A table, open for questions.
pub struct Table {
    shape: Shape,
    places: Places,
    /// The layers of each side to move that is stored.
    layers: [Vec<Mmap>; 2],
    directory: PathBuf,
}

impl Table {
    /// Opens the table in a directory. Only its list and the headers of its layers are read.
    pub fn open(directory: &Path) -> Result<Table, TableError> {
        let manifest = read_manifest(directory)?;
        let damaged = |problem: &str| TableError::Damaged {
            path: directory.to_owned(),
            problem: problem.to_owned(),
        };
        let game = Konane::new(manifest.rows, manifest.cols);
        let squares = game.as_ref().and_then(Squares::new);
        let shape = squares.and_then(|squares| match manifest.layout {
            Layout::Rows => Shape::complete(&squares),
            Layout::Sublayers => Some(Shape::capped(&squares, manifest.stones)),
        });
        let shape = shape.filter(|shape| shape.most_stones() == manifest.stones);
        let shape = shape.ok_or_else(|| damaged("there is no such board"))?;
        let mut layers = [Vec::new(), Vec::new()];
        let mut entries = manifest.layers.iter();
        for (player, layer) in shape.files() {
            let file = shape.file_name(player, layer);
            let entry = entries.next().filter(|entry| entry.file == file);
            let entry = entry.ok_or_else(|| damaged("its list lacks layers"))?;
            let path = directory.join(&file);
            let map = map(&path)?;
            shape.header(player, layer).check_file(&path, &map)?;
            let hash = map.last_chunk().map(|hash| blake3::Hash::from_bytes(*hash));
            if hash.map(|hash| hash.to_hex().to_string()).as_ref() != Some(&entry.hash) {
                let problem = "it is not the layer in the list".to_owned();
                return Err(TableError::Damaged { path, problem });
            }
            layers[player.index()].push(map);
        }
        if entries.next().is_some() {
            return Err(damaged("its list has more layers than the table"));
        }
        // Only now that files of the right lengths are there: whoever claims a large table has one.
        let places = Places::new(&shape)?;
        Ok(Table { shape, places, layers, directory: directory.to_owned() })
    }

    /// The board.
    pub fn game(&self) -> &Konane {
        self.shape.squares().game()
    }

    /// What it consists of.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    pub(crate) fn places(&self) -> &Places {
        &self.places
    }

    /// The file of a layer.
    pub(crate) fn path(&self, player: Player, layer: u32) -> PathBuf {
        self.directory.join(self.shape.file_name(player, layer))
    }

    /// The content of that file.
    pub(crate) fn layer(&self, player: Player, layer: u32) -> &[u8] {
        &self.layers[player.index()][layer as usize]
    }

    /// Whether the player to move wins, of a position in which stones jump; `None` if it has more
    /// stones than the table knows.
    #[inline]
    pub fn wins_by_jumps(&self, position: &Position) -> Option<bool> {
        if position.occupied.count_ones() > self.shape.most_stones() {
            return None;
        }
        self.wins(self.shape.squares().stones(position), position.side)
    }

    /// The same by sets of squares.
    pub(crate) fn wins(&self, stones: [u32; 2], side: Player) -> Option<bool> {
        let (stones, side) = self.shape.stored(stones, side);
        let place = self.places.find(&self.shape, stones)?;
        let layer = self.layer(side, place.layer);
        let byte = layer[HEADER_BYTES + (place.bit / 8) as usize];
        Some(byte >> (place.bit % 8) & 1 == 1)
    }

    /// The value of a position for the player to move, if the table knows it.
    pub fn value(&self, position: &Position) -> Option<Value> {
        let game = self.game();
        if !game.is_removal(position) {
            let wins = self.wins_by_jumps(position)?;
            return Some(if wins { Value::Win } else { Value::Loss });
        }
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let values = moves.iter().map(|mv| {
            let mut child = *position;
            game.play(&mut child, mv);
            Some(-self.value(&child)?)
        });
        // Who cannot remove a stone has lost.
        let values = values.collect::<Option<Vec<Value>>>()?;
        Some(values.into_iter().max().unwrap_or(Value::Loss))
    }
}

#[allow(unsafe_code, reason = "mapping a file is only as safe as the file is left alone")]
fn map(path: &Path) -> Result<Mmap, TableError> {
    if !path.metadata().map_err(io_error("read", path))?.is_file() {
        let problem = "it is not a file".to_owned();
        return Err(TableError::NotATable { path: path.to_owned(), problem });
    }
    let file = File::open(path).map_err(io_error("read", path))?;
    // SAFETY: the map is read as bytes, of which every value is valid, and only through indices
    // that are checked against its length. A finished table is never changed by this program; its
    // files are replaced by renaming, which leaves the mapped ones as they are. Whoever changes
    // or cuts off the file of an open table by other means gets other bits or a bus error.
    unsafe { Mmap::map(&file) }.map_err(io_error("read", path))
}
