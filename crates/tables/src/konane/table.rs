//! Answers from a table.

use std::path::{Path, PathBuf};

use papamu_base::Stop;
use papamu_game::{Game, NoOptions, Player, Value};
use papamu_games::Konane;
use papamu_games::konane::{Jump, Position};

use crate::error::{DamagedBlock, TableError};
use crate::konane::board_name;
use crate::konane::places::Places;
use crate::konane::shape::{Layout, Shape};
use crate::konane::squares::Squares;
use crate::plies::PliesSearch;
use crate::probe::{Probe, probe};
use crate::store::{Board, LayerFile, Manifest};

/// A table, open for questions.
///
/// Every block of its files is checked against its hash when it is first read. An answer is either
/// what was written or an error.
pub struct Table {
    shape: Shape,
    places: Places,
    /// The layers of each stored side to move.
    layers: [Vec<LayerFile>; 2],
    directory: PathBuf,
}

impl Table {
    /// Opens the table in a directory. Only its list and the headers and hashes of its layers are
    /// read.
    pub fn open(directory: &Path) -> Result<Table, TableError> {
        let manifest = Manifest::read(directory)?;
        let shape = shape(&manifest, directory)?;
        let damaged = |problem: &str| TableError::Damaged {
            path: directory.to_owned(),
            problem: problem.to_owned(),
        };
        let mut layers = [Vec::new(), Vec::new()];
        let mut entries = manifest.layers.iter();
        for (player, layer) in shape.files() {
            let header = shape.header(player, layer);
            let name = header.file_name();
            let entry = entries.next().filter(|entry| entry.file == name);
            let entry = entry.ok_or_else(|| damaged("its list lacks layers"))?;
            let path = directory.join(&name);
            let file = LayerFile::open(&path, &header)?;
            if file.hash() != entry.hash {
                let problem = "it is not the layer in the list".to_owned();
                return Err(TableError::Damaged { path, problem });
            }
            layers[player.index()].push(file);
        }
        if entries.next().is_some() {
            return Err(damaged("its list has more layers than the table"));
        }
        // Allocated only now: a claimed size is backed by files of the right lengths.
        let places = Places::new(&shape)?;
        Ok(Table { shape, places, layers, directory: directory.to_owned() })
    }

    /// The board.
    pub fn game(&self) -> &Konane {
        self.shape.squares().game()
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The shape of the table.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The most stones of the positions in the table. It has all positions with fewer.
    pub fn most_stones(&self) -> u32 {
        self.shape.most_stones()
    }

    /// Refuses questions about another board.
    pub fn check_board(&self, game: &Konane) -> Result<(), TableError> {
        let [table, position] = [self.game(), game].map(board_name);
        if table == position {
            return Ok(());
        }
        let [table, position] = [table, position].map(|board| format!("{} {board}", Konane::NAME));
        Err(TableError::OtherBoard { table, position })
    }

    /// Refuses questions about more stones than the table covers.
    pub fn check_stones(&self, stones: u32) -> Result<(), TableError> {
        match self.most_stones() {
            most_stones if stones > most_stones => {
                Err(TableError::TooManyStones { stones, most_stones })
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn places(&self) -> &Places {
        &self.places
    }

    /// All layers.
    pub(crate) fn layers(&self) -> impl Iterator<Item = &LayerFile> {
        self.layers.iter().flatten()
    }

    /// Whether the player to move wins a position of the jumping phase; `None` if it has more
    /// stones than the table covers.
    #[inline]
    pub fn wins_by_jumps(&self, position: &Position) -> Result<Option<bool>, &DamagedBlock> {
        if position.occupied.count_ones() > self.shape.most_stones() {
            return Ok(None);
        }
        self.wins(self.shape.squares().stones(position), position.side)
    }

    /// The same by sets of squares.
    #[inline]
    pub(crate) fn wins(
        &self,
        stones: [u32; 2],
        side: Player,
    ) -> Result<Option<bool>, &DamagedBlock> {
        let (stones, side) = self.shape.stored(stones, side);
        let Some(place) = self.places.find(&self.shape, stones) else { return Ok(None) };
        self.layers[side.index()][place.layer as usize].bit(place.bit).map(Some)
    }

    /// The value of a position of the board and of all its moves. Numbers of plies need a search,
    /// which gives up after `plies_budget` positions.
    pub fn probe(
        &self,
        position: &Position,
        plies_budget: u64,
        stop: &Stop,
    ) -> Result<Probe<Jump>, TableError> {
        let value = |position: &Position| {
            let stones = position.occupied.count_ones();
            let most_stones = self.most_stones();
            self.value(position)?.ok_or(TableError::TooManyStones { stones, most_stones })
        };
        let known = |position: &Position| Ok(self.value(position)?);
        let mut search = PliesSearch::new(self.game(), known, plies_budget, stop);
        probe(self.game(), position, value, |position, part| search.find(position, part))
    }

    /// The value of a position for the player to move, if the table knows it.
    pub fn value(&self, position: &Position) -> Result<Option<Value>, &DamagedBlock> {
        let game = self.game();
        if !game.is_removal(position) {
            let value = |wins| if wins { Value::Win } else { Value::Loss };
            return Ok(self.wins_by_jumps(position)?.map(value));
        }
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        // A player who cannot remove a stone has lost.
        let mut best = Value::Loss;
        for mv in &moves {
            let mut child = *position;
            game.play(&mut child, mv);
            let Some(value) = self.value(&child)? else { return Ok(None) };
            best = best.max(-value);
        }
        Ok(Some(best))
    }
}

/// The contents of a table, according to its list.
fn shape(manifest: &Manifest, directory: &Path) -> Result<Shape, TableError> {
    let subject = &manifest.subject;
    if subject.game != Konane::NAME || subject.rules.parse::<NoOptions>().is_err() {
        return Err(TableError::Foreign {
            path: directory.to_owned(),
            found: subject.to_string(),
            expected: Konane::NAME.to_owned(),
        });
    }
    let game = match subject.board {
        Board::Rectangle { rows, cols } => Konane::new(rows, cols),
        Board::Named { .. } => None,
    };
    let shape = game.and_then(|game| {
        let squares = Squares::new(&game);
        match Layout::from_name(&subject.layout)? {
            Layout::Rows => Shape::complete(&squares).ok(),
            Layout::Sublayers => Some(Shape::capped(&squares, manifest.stones)),
        }
    });
    shape.filter(|shape| shape.most_stones() == manifest.stones).ok_or_else(|| {
        let problem = "there is no such board".to_owned();
        TableError::Damaged { path: directory.to_owned(), problem }
    })
}
