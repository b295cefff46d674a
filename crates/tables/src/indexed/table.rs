//! Answers from a table.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use papamu_base::Stop;
use papamu_game::{Entry, Indexed, PositionIndex, Value};

use crate::error::{DamagedBlock, TableError};
use crate::indexed::codes::{BITS, Code};
use crate::indexed::known::code_in;
use crate::indexed::plies::PliesFile;
use crate::indexed::shape::{PLIES_BYTES, Shape, board_name};
use crate::plies::PliesSearch;
use crate::probe::{Probe, probe};
use crate::store::{Board, LayerFile, LayerHeader, Manifest, ManifestEntry};

/// A table, open for questions.
///
/// Every block of its files is checked against its hash when it is first read. An answer is either
/// what was written or an error.
pub struct Table<G: Indexed> {
    pub(crate) shape: Shape<G>,
    /// By class.
    pub(crate) values: Vec<LayerFile>,
    /// By class, if the table has distances.
    pub(crate) distances: Option<Vec<PliesFile>>,
    directory: PathBuf,
}

impl<G: Indexed> Table<G> {
    /// Opens the table in a directory. Only its list and the headers and hashes of its files are
    /// read.
    pub fn open(directory: &Path) -> Result<Table<G>, TableError> {
        let manifest = Manifest::read(directory)?;
        let shape = shape::<G>(&manifest, directory)?;
        let damaged = |problem: &str| TableError::Damaged {
            path: directory.to_owned(),
            problem: problem.to_owned(),
        };
        let mut entries = manifest.layers.iter();
        let mut next = |header: &dyn Fn(u32) -> Option<LayerHeader>| {
            let entry = entries.next().ok_or_else(|| damaged("its list lacks classes"))?;
            let header = entry.bits.and_then(header).filter(|of| of.file_name() == entry.file);
            let header = header.ok_or_else(|| damaged("its list names other files"))?;
            open_listed(directory, &header, entry)
        };
        let values = shape
            .classes()
            .map(|class| next(&|bits| (bits == BITS).then(|| shape.values(class))))
            .collect::<Result<Vec<_>, _>>()?;
        let has_distances = manifest.layers.len() > values.len();
        let distances = shape.classes().filter(|_| has_distances).map(|class| {
            let bytes_each = Cell::new(0);
            let file = next(&|bits| {
                bytes_each.set(bits / 8);
                let is_possible = PLIES_BYTES.iter().any(|bytes| 8 * bytes == bits);
                is_possible.then(|| shape.distances(class, bits / 8))
            })?;
            Ok(PliesFile { file, bytes_each: bytes_each.get() })
        });
        let distances = distances.collect::<Result<Vec<_>, TableError>>()?;
        if entries.next().is_some() {
            return Err(damaged("its list has more files than the table"));
        }
        let distances = has_distances.then_some(distances);
        Ok(Table { shape, values, distances, directory: directory.to_owned() })
    }

    /// The board.
    pub fn game(&self) -> &G {
        &self.shape.game
    }

    /// The index of its positions.
    pub fn index(&self) -> &G::Index {
        &self.shape.index
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The most stones of the positions in the table.
    pub fn most_stones(&self) -> u32 {
        self.shape.most_stones()
    }

    /// Whether it knows plies to the end.
    pub fn has_distances(&self) -> bool {
        self.distances.is_some()
    }

    /// Refuses questions about another board.
    pub fn check_board(&self, game: &G) -> Result<(), TableError> {
        if self.game() == game {
            return Ok(());
        }
        let [table, position] = [self.game(), game].map(board_name);
        Err(TableError::OtherBoard { table, position })
    }

    /// The code of an entry.
    #[inline]
    pub(crate) fn code(&self, entry: Entry) -> Result<Code, &DamagedBlock> {
        let byte = self.values[entry.class as usize].byte(entry.index / 4)?;
        Ok(code_in(byte, entry.index))
    }

    /// The plies to the end of an entry that is no draw, if the table knows them.
    pub(crate) fn plies_of(&self, entry: Entry) -> Result<Option<u16>, &DamagedBlock> {
        let files = self.distances.as_ref();
        files.map(|files| files[entry.class as usize].get(entry.index)).transpose()
    }

    /// The value of a position for the player to move, if the table covers it.
    #[inline]
    pub fn value(&self, position: &G::Position) -> Result<Option<Value>, &DamagedBlock> {
        match self.shape.index.entry(position) {
            Some(entry) => Ok(self.code(entry)?.value()),
            None => Ok(None),
        }
    }

    /// The number of plies to the end under best play, if the table knows it and play ends.
    pub fn plies_to_end(&self, position: &G::Position) -> Result<Option<u32>, &DamagedBlock> {
        let Some(entry) = self.shape.index.entry(position) else { return Ok(None) };
        match self.code(entry)? {
            Code::Loss | Code::Win => Ok(self.plies_of(entry)?.map(u32::from)),
            Code::Draw | Code::Nothing => Ok(None),
        }
    }

    /// The value of a position of the board and of all its moves. A table without numbers of plies
    /// finds them by search, and gives up after `plies_budget` positions.
    pub fn probe(
        &self,
        position: &G::Position,
        plies_budget: u64,
        stop: &Stop,
    ) -> Result<Probe<G::Move>, TableError> {
        let game = self.game();
        let value = |position: &G::Position| {
            self.value(position)?.ok_or_else(|| TableError::NotInTable {
                table: self.shape.board_name(),
                position: game.write(position),
            })
        };
        let known = |position: &G::Position| Ok(self.value(position)?);
        let mut search = PliesSearch::new(game, known, plies_budget, stop);
        probe(game, position, value, |position, part| match self.has_distances() {
            true => Ok(self.plies_to_end(position)?),
            false => search.find(position, part),
        })
    }

    /// All files.
    pub(crate) fn files(&self) -> Vec<&LayerFile> {
        let distances = self.distances.iter().flatten().map(|plies| &plies.file);
        self.values.iter().chain(distances).collect()
    }
}

/// Opens a file of the list.
fn open_listed(
    directory: &Path,
    header: &LayerHeader,
    entry: &ManifestEntry,
) -> Result<LayerFile, TableError> {
    let path = directory.join(&entry.file);
    let file = LayerFile::open(&path, header)?;
    if file.hash() != entry.hash {
        let problem = "it is not the file in the list".to_owned();
        return Err(TableError::Damaged { path, problem });
    }
    Ok(file)
}

/// The contents of a table, according to its list.
fn shape<G: Indexed>(manifest: &Manifest, directory: &Path) -> Result<Shape<G>, TableError> {
    let subject = &manifest.subject;
    let game = match &subject.board {
        Board::Named { board } if subject.game == G::NAME => G::read(board).ok(),
        _ => None,
    };
    let game =
        game.map(|(game, _)| game).filter(|game| game.options().to_string() == subject.rules);
    let game = game.ok_or_else(|| TableError::Foreign {
        path: directory.to_owned(),
        found: subject.to_string(),
        expected: G::NAME.to_owned(),
    })?;
    let shape = Shape::new(&game, Some(manifest.stones))?;
    if shape.subject() != *subject || shape.most_stones() != manifest.stones {
        let problem = "its positions are in another order; build it again".to_owned();
        return Err(TableError::Damaged { path: directory.to_owned(), problem });
    }
    Ok(shape)
}
