//! Strong tables on disk. The format is specified in `docs/table-format.md`.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use papamu_game::memory::OutOfMemory;
use papamu_game::{Game, Player, Progress};
use papamu_games::Konane;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::build::{Layer, Plan};
use crate::row;
use crate::squares::{Permutation, Squares};

pub(crate) const MAGIC: &[u8; 8] = b"PAPAMUST";
pub(crate) const VERSION: u32 = 1;
pub(crate) const HEADER_BYTES: usize = 4096;
pub(crate) const BLOCK_BYTES: usize = 1 << 20;
pub(crate) const HASH_BYTES: usize = 32;
const FORMAT: &str = "papamu strong table";
const MANIFEST: &str = "table.json";

/// Why a table cannot be built or used.
#[derive(Debug, Error)]
pub enum TableError {
    /// A file cannot be read or written.
    #[error("cannot {action} `{path}`: {error}", path = path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// There is something where the table should be made.
    #[error("`{path}` exists already", path = path.display())]
    Exists {
        /// The directory.
        path: PathBuf,
    },
    /// The directory holds no table.
    #[error("`{path}` is not a table of papamu: {problem}", path = path.display())]
    NotATable {
        /// The directory or file.
        path: PathBuf,
        /// What is missing.
        problem: String,
    },
    /// The table was written by another version.
    #[error("`{path}` has format version {version}, this program reads {VERSION}", path = path.display())]
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
    /// The table is of another board.
    #[error("`{path}` is of {found}, not of {expected}", path = path.display())]
    Foreign {
        /// The file or directory.
        path: PathBuf,
        /// What it is of.
        found: String,
        /// What was wanted.
        expected: String,
    },
    /// The memory does not suffice.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

pub(crate) fn io_error<'a>(
    action: &'static str,
    path: &'a Path,
) -> impl Fn(io::Error) -> TableError + 'a {
    move |error| TableError::Io { action, path: path.to_owned(), error }
}

/// The header of a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) game: String,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) player: String,
    /// Black stones.
    pub(crate) stones: u32,
    /// Black sets that have a row.
    pub(crate) sets: usize,
    pub(crate) row_bytes: usize,
}

/// The list of all layers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    format: String,
    version: u32,
    game: String,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) layers: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) file: String,
    pub(crate) hash: String,
}

/// Which rows of a board are stored, and under which name.
#[derive(Clone, Debug)]
pub struct Stored {
    /// For every black set, which symmetry makes it least.
    least_by: Vec<u8>,
    /// For every least black set, its place in the file of its layer.
    place: Vec<u32>,
    /// How many rows the layer of each number of stones has.
    sets: Vec<usize>,
}

impl Stored {
    /// The stored rows of a board.
    pub fn new(squares: &Squares) -> Stored {
        let black_squares = squares.count(Player::First);
        let mut stored = Stored {
            least_by: vec![0; 1 << black_squares],
            place: vec![0; 1 << black_squares],
            sets: vec![0; black_squares as usize + 1],
        };
        for set in 0..1_u32 << black_squares {
            let images = squares.symmetries().iter().map(|[black, _]| black.image(set));
            let (least, by) = images.zip(0_u8..).min().unwrap_or((set, 0));
            stored.least_by[set as usize] = by;
            if least == set {
                let sets = &mut stored.sets[set.count_ones() as usize];
                stored.place[set as usize] = *sets as u32;
                *sets += 1;
            }
        }
        stored
    }

    /// Whether a black set has a row of its own.
    pub fn has_row(&self, set: u32) -> bool {
        // The identity is the first symmetry, so a set that is its own least image has number 0.
        self.least_by[set as usize] == 0
    }

    /// The number of the symmetry that makes a black set least.
    pub fn least_by(&self, set: u32) -> usize {
        usize::from(self.least_by[set as usize])
    }

    /// The place of a least black set in its layer.
    pub fn place(&self, set: u32) -> usize {
        self.place[set as usize] as usize
    }

    /// How many rows a layer has.
    pub fn sets(&self, stones: u32) -> usize {
        self.sets[stones as usize]
    }
}

/// The sides to move that a table of a board has layers for.
pub(crate) fn players(squares: &Squares) -> &'static [Player] {
    match squares.swap() {
        Some(_) => &[Player::First],
        None => &[Player::First, Player::Second],
    }
}

pub(crate) fn file_name(player: Player, stones: u32) -> String {
    format!("{}-{stones:02}.rows", Konane::PLAYERS[player.index()])
}

pub(crate) fn header(squares: &Squares, stored: &Stored, player: Player, stones: u32) -> Header {
    let board = squares.game().board();
    Header {
        game: Konane::NAME.to_owned(),
        rows: board.rows,
        cols: board.cols,
        player: Konane::PLAYERS[player.index()].to_owned(),
        stones,
        sets: stored.sets(stones),
        row_bytes: row::words(squares.count(Player::Second)) * 8,
    }
}

impl Header {
    /// The board, as users write it.
    pub(crate) fn board(&self) -> String {
        format!("{} {}x{}", self.game, self.rows, self.cols)
    }

    pub(crate) fn data_bytes(&self) -> usize {
        self.sets * self.row_bytes
    }

    pub(crate) fn blocks(&self) -> usize {
        self.data_bytes().div_ceil(BLOCK_BYTES)
    }

    /// The length of the whole file.
    pub(crate) fn file_bytes(&self) -> usize {
        HEADER_BYTES + self.data_bytes() + (self.blocks() + 1) * HASH_BYTES
    }

    /// The first bytes of the file.
    fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let json = serde_json::to_vec(self)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((json.len() as u32).to_le_bytes());
        bytes.extend(json);
        if bytes.len() > HEADER_BYTES {
            return Err(io::Error::other("the header is too long"));
        }
        bytes.resize(HEADER_BYTES, 0);
        Ok(bytes)
    }

    /// Reads the first bytes of a file.
    pub(crate) fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Header, TableError> {
        let not_ours = |problem: &str| TableError::NotATable {
            path: path.to_owned(),
            problem: problem.to_owned(),
        };
        let damaged = |problem: String| TableError::Damaged { path: path.to_owned(), problem };
        let number = |at: usize| {
            let bytes = bytes.get(at..at + 4)?;
            Some(u32::from_le_bytes(bytes.try_into().ok()?))
        };
        if bytes.get(..8) != Some(MAGIC) {
            return Err(not_ours("it does not begin with PAPAMUST"));
        }
        let (Some(version), Some(length)) = (number(8), number(12)) else {
            return Err(damaged("it is cut off in its header".to_owned()));
        };
        if version != VERSION {
            return Err(TableError::Version { path: path.to_owned(), version });
        }
        let json = bytes.get(16..16_usize.saturating_add(length as usize));
        let json = json.ok_or_else(|| damaged("it is cut off in its header".to_owned()))?;
        serde_json::from_slice(json).map_err(|error| damaged(format!("its header: {error}")))
    }
}

/// Writes bytes in blocks and hashes each.
struct Blocks<W> {
    inner: W,
    hasher: blake3::Hasher,
    in_block: usize,
    hashes: Vec<[u8; HASH_BYTES]>,
}

impl<W: Write> Blocks<W> {
    fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        self.inner.write_all(bytes)?;
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK_BYTES - self.in_block));
            self.hasher.update(now);
            self.in_block += now.len();
            if self.in_block == BLOCK_BYTES {
                self.end_block();
            }
            bytes = later;
        }
        Ok(())
    }

    fn end_block(&mut self) {
        self.hashes.push(*self.hasher.finalize().as_bytes());
        self.hasher.reset();
        self.in_block = 0;
    }
}

/// Writes a layer; the file appears when it is complete.
fn write_layer(
    path: &Path,
    header: &Header,
    stored: &Stored,
    layer: &Layer,
) -> Result<(), TableError> {
    let temporary = path.with_extension("new");
    let write = || -> io::Result<()> {
        let mut file = BufWriter::with_capacity(BLOCK_BYTES, File::create(&temporary)?);
        let first = header.to_bytes()?;
        file.write_all(&first)?;
        let mut blocks =
            Blocks { inner: file, hasher: blake3::Hasher::new(), in_block: 0, hashes: Vec::new() };
        let mut bytes = Vec::with_capacity(header.row_bytes);
        for (i, _) in layer.sets.iter().enumerate().filter(|(_, set)| stored.has_row(**set)) {
            bytes.clear();
            bytes.extend(layer.row(i).iter().flat_map(|word| word.to_le_bytes()));
            blocks.write(&bytes)?;
        }
        if blocks.in_block > 0 {
            blocks.end_block();
        }
        let Blocks { inner: mut file, hashes, .. } = blocks;
        file.write_all(hashes.as_flattened())?;
        file.write_all(layer_hash(&first, hashes.as_flattened()).as_bytes())?;
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().map_err(io_error("write", path))
}

/// The hash of a layer: of its header and of the hashes of its blocks.
pub(crate) fn layer_hash(header: &[u8], hashes: &[u8]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(header);
    hasher.update(hashes);
    hasher.finalize()
}

/// How far a build has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Built {
    /// Positions whose player to move wins, among those of the layers built now: Black to move and
    /// White to move.
    pub wins: [u64; 2],
    /// The number of layers that were there already.
    pub resumed_layers: u32,
}

/// Builds the table of a board, in a directory or only in memory. An interrupted build of the same
/// board in the same place goes on after its last layer.
pub fn build(
    squares: &Squares,
    plan: &Plan,
    directory: Option<&Path>,
    progress: &Progress,
) -> Result<Built, TableError> {
    let stored = Stored::new(squares);
    let mut built = Built { wins: [0; 2], resumed_layers: 0 };
    let Some(directory) = directory else {
        plan.build(
            0,
            |_, _| Ok(()),
            progress,
            |layer| {
                built.wins[layer.player.index()] += layer.wins();
                Ok::<(), TableError>(())
            },
        )?;
        return Ok(built);
    };
    if directory.exists() {
        return Err(TableError::Exists { path: directory.to_owned() });
    }
    let mut name = directory.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    let partial = directory.with_file_name(name);
    fs::create_dir_all(&partial).map_err(io_error("make the directory", &partial))?;
    let first = finished_layers(squares, &stored, plan, &partial)?;
    built.resumed_layers = first;
    let earlier =
        |stones: u32, rows: &mut [u64]| read_layer(squares, &stored, plan, &partial, stones, rows);
    plan.build(first, earlier, progress, |layer| {
        built.wins[layer.player.index()] += layer.wins();
        if !players(squares).contains(&layer.player) {
            return Ok(());
        }
        let header = header(squares, &stored, layer.player, layer.stones);
        write_layer(&partial.join(file_name(layer.player, layer.stones)), &header, &stored, layer)
    })?;
    write_manifest(squares, &stored, plan, &partial)?;
    // The names of the files are on disk before the name of the directory.
    let sync = |path: &Path| File::open(path).and_then(|directory| directory.sync_all());
    sync(&partial).map_err(io_error("write", &partial))?;
    fs::rename(&partial, directory).map_err(io_error("make the directory", directory))?;
    Ok(built)
}

/// How many layers of a partial table are complete, from the first one on.
fn finished_layers(
    squares: &Squares,
    stored: &Stored,
    plan: &Plan,
    partial: &Path,
) -> Result<u32, TableError> {
    for stones in 0..plan.layers() {
        for &player in players(squares) {
            let path = partial.join(file_name(player, stones));
            if !path.exists() {
                return Ok(stones);
            }
            let bytes = read_head(&path)?;
            let found = Header::from_bytes(&path, &bytes)?;
            check_header(&path, &found, &header(squares, stored, player, stones))?;
        }
    }
    // The last layer is made again, which is as good as nothing to do.
    Ok(plan.layers() - 1)
}

/// The first bytes of a file.
fn read_head(path: &Path) -> Result<Vec<u8>, TableError> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(io_error("read", path))?;
    file.take(HEADER_BYTES as u64).read_to_end(&mut bytes).map_err(io_error("read", path))?;
    Ok(bytes)
}

/// Refuses a layer of another board.
pub(crate) fn check_header(
    path: &Path,
    found: &Header,
    expected: &Header,
) -> Result<(), TableError> {
    if found.board() != expected.board() {
        let (found, expected) = (found.board(), expected.board());
        return Err(TableError::Foreign { path: path.to_owned(), found, expected });
    }
    if found != expected {
        let problem = "its header does not fit its name".to_owned();
        return Err(TableError::Damaged { path: path.to_owned(), problem });
    }
    Ok(())
}

/// Reads the rows of all black sets of a layer, those of images from the stored ones.
fn read_layer(
    squares: &Squares,
    stored: &Stored,
    plan: &Plan,
    partial: &Path,
    stones: u32,
    rows: &mut [u64],
) -> Result<(), TableError> {
    let path = partial.join(file_name(Player::First, stones));
    let bytes = fs::read(&path).map_err(io_error("read", &path))?;
    let header = header(squares, stored, Player::First, stones);
    check_layer(&path, &bytes, &header)?;
    let data = &bytes[HEADER_BYTES..HEADER_BYTES + header.data_bytes()];
    let words = header.row_bytes / 8;
    let white_squares = squares.count(Player::Second);
    for (row, &set) in rows.chunks_mut(words).zip(plan.sets(stones)) {
        let [black, white] = &squares.symmetries()[stored.least_by(set)];
        let start = stored.place(black.image(set)) * header.row_bytes;
        let source: Vec<u64> = data[start..start + header.row_bytes]
            .as_chunks()
            .0
            .iter()
            .map(|bytes| u64::from_le_bytes(*bytes))
            .collect();
        permuted(row, &source, white, white_squares);
    }
    Ok(())
}

/// A row seen through a symmetry: the bit of a set is that of its image in the source.
fn permuted(row: &mut [u64], source: &[u64], white: &Permutation, white_squares: u32) {
    // The image of a set is made of the images of its lower and its upper half.
    let half = white_squares / 2;
    let lower: Vec<u32> = (0..1 << half).map(|set| white.image(set)).collect();
    for upper in 0..1_u32 << (white_squares - half) {
        let image = white.image(upper << half);
        for (set, lower) in lower.iter().enumerate() {
            let set = upper << half | set as u32;
            let bit = u64::from(row::get(source, image | lower));
            let word = &mut row[(set >> 6) as usize];
            *word = *word & !(1 << (set & 63)) | bit << (set & 63);
        }
    }
}

/// The size of all layers of a board on disk.
pub fn disk_bytes(squares: &Squares) -> u64 {
    let stored = Stored::new(squares);
    let layers = (0..=squares.count(Player::First)).flat_map(|stones| {
        let headers = players(squares).iter().map(move |&player| (player, stones));
        headers.collect::<Vec<_>>()
    });
    layers
        .map(|(player, stones)| header(squares, &stored, player, stones).file_bytes() as u64)
        .sum()
}

/// Checks everything in the file of a layer against its hashes; says where the first damage is.
pub(crate) fn check_layer(path: &Path, bytes: &[u8], expected: &Header) -> Result<(), TableError> {
    let damaged = |problem: String| TableError::Damaged { path: path.to_owned(), problem };
    let found = Header::from_bytes(path, bytes)?;
    check_header(path, &found, expected)?;
    if bytes.len() != found.file_bytes() {
        let (has, should) = (bytes.len(), found.file_bytes());
        return Err(damaged(format!("it has {has} bytes and should have {should}")));
    }
    let (head, rest) = bytes.split_at(HEADER_BYTES);
    let (data, hashes) = rest.split_at(found.data_bytes());
    let (hashes, hash) = hashes.split_at(found.blocks() * HASH_BYTES);
    if layer_hash(head, hashes).as_bytes() != hash {
        return Err(damaged("its header or its list of hashes does not have its hash".to_owned()));
    }
    let blocks = data.chunks(BLOCK_BYTES).zip(hashes.chunks(HASH_BYTES));
    for (i, (block, hash)) in blocks.enumerate() {
        if blake3::hash(block).as_bytes() != hash {
            let start = HEADER_BYTES + i * BLOCK_BYTES;
            let end = start + block.len();
            return Err(damaged(format!("the bytes {start} to {end} do not have their hash")));
        }
    }
    Ok(())
}

fn write_manifest(
    squares: &Squares,
    stored: &Stored,
    plan: &Plan,
    partial: &Path,
) -> Result<(), TableError> {
    let board = squares.game().board();
    let mut layers = Vec::new();
    for &player in players(squares) {
        for stones in 0..plan.layers() {
            let file = file_name(player, stones);
            let path = partial.join(&file);
            let header = header(squares, stored, player, stones);
            let hash = stored_hash(&path, &header)?;
            layers.push(Entry { file, hash });
        }
    }
    let manifest = Manifest {
        format: FORMAT.to_owned(),
        version: VERSION,
        game: Konane::NAME.to_owned(),
        rows: board.rows,
        cols: board.cols,
        layers,
    };
    let path = partial.join(MANIFEST);
    let write = || -> io::Result<()> {
        let json = serde_json::to_string(&manifest)?;
        let hash = blake3::hash(json.as_bytes()).to_hex();
        let mut file = File::create(&path)?;
        file.write_all(format!("{json}\n{hash}\n").as_bytes())?;
        file.sync_all()
    };
    write().map_err(io_error("write", &path))
}

/// The hash at the end of the file of a layer.
fn stored_hash(path: &Path, header: &Header) -> Result<String, TableError> {
    use std::io::{Seek, SeekFrom};
    let mut hash = [0; HASH_BYTES];
    let mut read = || -> io::Result<()> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start((header.file_bytes() - HASH_BYTES) as u64))?;
        file.read_exact(&mut hash)
    };
    read().map_err(io_error("read", path))?;
    Ok(blake3::Hash::from_bytes(hash).to_hex().to_string())
}

/// Reads the list of the layers of a table.
pub(crate) fn read_manifest(directory: &Path) -> Result<Manifest, TableError> {
    let path = directory.join(MANIFEST);
    let damaged = |problem: String| TableError::Damaged { path: path.clone(), problem };
    if !path.is_file() {
        let problem = format!("it has no {MANIFEST}");
        return Err(TableError::NotATable { path: directory.to_owned(), problem });
    }
    // A list of 64 layers is far shorter.
    const LONGEST: u64 = 1 << 20;
    let mut text = String::new();
    let file = File::open(&path).map_err(io_error("read", &path))?;
    file.take(LONGEST).read_to_string(&mut text).map_err(|error| damaged(error.to_string()))?;
    let (json, hash) = text.split_once('\n').ok_or_else(|| damaged("it is cut off".to_owned()))?;
    let manifest: Manifest =
        serde_json::from_str(json).map_err(|error| damaged(error.to_string()))?;
    if manifest.format != FORMAT || manifest.game != Konane::NAME {
        let problem = "it is of something else".to_owned();
        return Err(TableError::NotATable { path, problem });
    }
    if manifest.version != VERSION {
        return Err(TableError::Version { path, version: manifest.version });
    }
    if hash.strip_suffix('\n') != Some(blake3::hash(json.as_bytes()).to_hex().as_str()) {
        return Err(damaged("it does not have its hash".to_owned()));
    }
    Ok(manifest)
}
