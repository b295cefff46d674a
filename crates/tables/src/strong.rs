//! Answers from a strong table.

use std::fs::File;
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use papamu_game::{Game, Player, Value};
use papamu_games::Konane;
use papamu_games::konane::Position;

use crate::build::MOST_SQUARES;
use crate::directory::{
    HEADER_BYTES, Header, Stored, TableError, check_header, file_name, header, io_error, players,
    read_manifest,
};
use crate::squares::Squares;

/// A strong table, open for questions.
pub struct StrongTable {
    squares: Squares,
    stored: Stored,
    /// The layers of each side to move that is stored, by number of black stones.
    layers: [Vec<Mmap>; 2],
    row_bytes: usize,
    directory: PathBuf,
}

impl StrongTable {
    /// Opens the table in a directory. Only its list and the headers of its layers are read.
    pub fn open(directory: &Path) -> Result<StrongTable, TableError> {
        let manifest = read_manifest(directory)?;
        let damaged = |problem: &str| TableError::Damaged {
            path: directory.to_owned(),
            problem: problem.to_owned(),
        };
        let game = Konane::new(manifest.rows, manifest.cols);
        let squares = game.as_ref().and_then(Squares::new);
        let squares = squares.filter(|squares| squares.count(Player::First) <= MOST_SQUARES);
        let squares = squares.ok_or_else(|| damaged("there is no such board"))?;
        let stored = Stored::new(&squares);
        let mut layers = [Vec::new(), Vec::new()];
        let mut entries = manifest.layers.iter();
        for &player in players(&squares) {
            for stones in 0..=squares.count(Player::First) {
                let file = file_name(player, stones);
                let entry = entries.next().filter(|entry| entry.file == file);
                let entry = entry.ok_or_else(|| damaged("its list lacks layers"))?;
                let path = directory.join(&file);
                let map = map(&path)?;
                let expected = header(&squares, &stored, player, stones);
                check_header(&path, &Header::from_bytes(&path, &map)?, &expected)?;
                let problem = |problem: String| TableError::Damaged { path: path.clone(), problem };
                if map.len() != expected.file_bytes() {
                    let (has, should) = (map.len(), expected.file_bytes());
                    return Err(problem(format!("it has {has} bytes and should have {should}")));
                }
                let hash = map.last_chunk().map(|hash| blake3::Hash::from_bytes(*hash));
                if hash.map(|hash| hash.to_hex().to_string()).as_ref() != Some(&entry.hash) {
                    return Err(problem("it is not the layer in the list".to_owned()));
                }
                layers[player.index()].push(map);
            }
        }
        let row_bytes = header(&squares, &stored, Player::First, 0).row_bytes;
        Ok(StrongTable { squares, stored, layers, row_bytes, directory: directory.to_owned() })
    }

    /// The board.
    pub fn game(&self) -> &Konane {
        self.squares.game()
    }

    pub(crate) fn squares(&self) -> &Squares {
        &self.squares
    }

    pub(crate) fn stored(&self) -> &Stored {
        &self.stored
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The file of a layer.
    pub(crate) fn layer(&self, player: Player, stones: u32) -> &[u8] {
        &self.layers[player.index()][stones as usize]
    }

    /// Whether the player to move wins, of a position in which stones jump.
    #[inline]
    pub fn wins_by_jumps(&self, position: &Position) -> bool {
        let [black, white] = self.squares.stones(position);
        self.wins([black, white], position.side)
    }

    /// The same by sets of squares.
    pub(crate) fn wins(&self, [black, white]: [u32; 2], side: Player) -> bool {
        let (black, white, side) = match (side, self.squares.swap()) {
            // The reflection that exchanges the colours exchanges the players.
            (Player::Second, Some([black_goes, white_goes])) => {
                (white_goes.image(white), black_goes.image(black), Player::First)
            }
            _ => (black, white, side),
        };
        let [black_goes, white_goes] = &self.squares.symmetries()[self.stored.least_by(black)];
        let (black, white) = (black_goes.image(black), white_goes.image(white) as usize);
        let layer = self.layer(side, black.count_ones());
        let start = HEADER_BYTES + self.stored.place(black) * self.row_bytes;
        layer[start + white / 8] >> (white % 8) & 1 == 1
    }

    /// The value of a position for the player to move.
    pub fn value(&self, position: &Position) -> Value {
        let game = self.game();
        let wins = if game.is_removal(position) {
            let mut moves = Vec::new();
            game.moves(position, &mut moves);
            moves.iter().any(|mv| {
                let mut child = *position;
                game.play(&mut child, mv);
                self.value(&child) == Value::Loss
            })
        } else {
            self.wins_by_jumps(position)
        };
        if wins { Value::Win } else { Value::Loss }
    }
}

#[allow(unsafe_code, reason = "mapping a file is only as safe as the file is left alone")]
fn map(path: &Path) -> Result<Mmap, TableError> {
    let file = File::open(path).map_err(io_error("read", path))?;
    // SAFETY: the map is read as bytes, of which every value is valid, and only through indices
    // that are checked against its length. A finished table is never changed by this program; its
    // files are replaced by renaming, which leaves the mapped ones as they are. Whoever changes
    // or cuts off the file of an open table by other means gets other bits or a bus error.
    unsafe { Mmap::map(&file) }.map_err(io_error("read", path))
}
