//! Why a table cannot be built or used.

use std::path::PathBuf;

use bytesize::ByteSize;
use papamu_base::Stopped;
use papamu_base::file::FileError;
use papamu_base::memory::OutOfMemory;
use papamu_game::NotationError;
use thiserror::Error;

use crate::store::VERSIONS;

/// A damaged block of a layer: no entry in it can be trusted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{path}` is damaged: block {block}, the bytes {start} to {end}, does not have its hash",
    path = path.display()
)]
pub struct DamagedBlock {
    /// The file of the layer.
    pub path: PathBuf,
    /// The number of the block, from 0.
    pub block: usize,
    /// Where the block begins in the file.
    pub start: u64,
    /// Where it ends, exclusive.
    pub end: u64,
}

/// Why a table cannot be built or used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is something in the place of the table.
    #[error(
        "`{path}` exists already; choose another name, or remove it first",
        path = path.display()
    )]
    Exists {
        /// The directory.
        path: PathBuf,
    },
    /// The directory contains no table.
    #[error("`{path}` is not a table of papamu: {problem}", path = path.display())]
    NotATable {
        /// The directory or file.
        path: PathBuf,
        /// What is missing.
        problem: String,
    },
    /// The table was written by another version.
    #[error(
        "`{path}` has format version {version}, this program reads {} and {}; build the table \
         again, or use the program that built it",
        VERSIONS[0], VERSIONS[1],
        path = path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// A file was changed or cut off.
    #[error("`{path}` is damaged: {problem}", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        problem: String,
    },
    /// A block of a layer was changed.
    #[error(transparent)]
    DamagedBlock(#[from] DamagedBlock),
    /// The file is of another game, of other rules or of another board.
    #[error("`{path}` is of {found}, not of {expected}", path = path.display())]
    Foreign {
        /// The file or directory.
        path: PathBuf,
        /// What it contains.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// Another program is building the same table.
    #[error("another build is at work in `{path}`", path = path.display())]
    Busy {
        /// The directory.
        path: PathBuf,
    },
    /// The system has no more memory.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// The work would take more memory than it may.
    #[error(
        "{work} needs {needs} of memory and may take {limit}",
        needs = ByteSize::b(*needs_bytes), limit = ByteSize::b(*limit_bytes)
    )]
    NeedsMemory {
        /// What would need it.
        work: String,
        /// The memory that it needs.
        needs_bytes: u64,
        /// The memory that it may take.
        limit_bytes: u64,
    },
    /// The table would not fit on the disk.
    #[error(
        "cannot make the table `{path}`: it needs {needs}, the disk has {free} left",
        path = path.display(), needs = ByteSize::b(*needs_bytes), free = ByteSize::b(*free_bytes)
    )]
    NeedsSpace {
        /// The directory.
        path: PathBuf,
        /// The bytes that it needs.
        needs_bytes: u64,
        /// The bytes that are free.
        free_bytes: u64,
    },
    /// The board is too large for a complete table.
    #[error(
        "{board} has 2^{bits} positions, far beyond any memory; boards of up to 36 squares are \
         not, and larger ones have tables of the positions with few stones"
    )]
    TooLarge {
        /// The board.
        board: String,
        /// The binary logarithm of its number of positions.
        bits: u32,
    },
    /// A text is not a position of the game.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A position was given where a board is wanted.
    #[error("a table is of a board, such as {example}, not of a position")]
    NotABoard {
        /// A board.
        example: &'static str,
    },
    /// The position belongs to another board than the table.
    #[error("the table is of {table}, the position of {position}")]
    OtherBoard {
        /// The board of the table.
        table: String,
        /// The board of the position.
        position: String,
    },
    /// The table knows only positions with fewer stones.
    #[error("the table knows positions with up to {most_stones} stones, not {stones}")]
    TooManyStones {
        /// The number of stones that is wanted.
        stones: u32,
        /// The largest number of stones in the table.
        most_stones: u32,
    },
    /// There is no index of the positions that are wanted.
    #[error("{board} has no index of its positions{limit}, so there is no table of them",
        limit = stones.map_or(String::new(), |stones| format!(" with up to {stones} stones")))]
    NoIndex {
        /// The board.
        board: String,
        /// The largest number of stones, if that was given.
        stones: Option<u32>,
    },
    /// The table has no entry for the position.
    #[error("the table of {table} does not know the position `{position}`")]
    NotInTable {
        /// The board of the table.
        table: String,
        /// The position.
        position: String,
    },
    /// A move leads out of the index of the game.
    #[error(
        "the index of {game} is wrong: moves from `{position}` lead to positions without an entry \
         or of a later class; check the rules of the game"
    )]
    WrongIndex {
        /// The game.
        game: &'static str,
        /// The position.
        position: String,
    },
    /// Play takes more plies than files can say.
    #[error("{board} has wins of more than {most} plies: build the table without distances")]
    TooLong {
        /// The board.
        board: String,
        /// The most plies that a file can say.
        most: u32,
    },
    /// The work needs a table in a directory.
    #[error("{work} makes no sense without a directory: nothing but its table comes of it")]
    NeedsDirectory {
        /// What was to be built.
        work: String,
    },
    /// The evaluation cannot be trained with this table.
    #[error("nothing can be learned from the table `{path}`: {problem}", path = path.display())]
    NothingToLearn {
        /// The directory.
        path: PathBuf,
        /// Why not.
        problem: &'static str,
    },
    /// The work was stopped. Layers that were finished are kept.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl From<&DamagedBlock> for TableError {
    fn from(damage: &DamagedBlock) -> TableError {
        TableError::DamagedBlock(damage.clone())
    }
}
