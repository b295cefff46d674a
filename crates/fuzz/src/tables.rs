//! Tables with damaged files.
//!
//! An input is a digit for the table, and then damages: a byte for the file, two for the place, one
//! for the kind of damage.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use papamu_base::Progress;
use papamu_game::tiny::{Dodgem, MuTorere};
use papamu_game::{Capabilities, Entry, Game, Indexed, Player, PositionIndex, Value};
use papamu_games::Konane;
use papamu_games::konane::Position;
use papamu_search::reference;
use papamu_tables::konane::squares::Squares;
use papamu_tables::konane::{Table, TableBuild, read_board};
use papamu_tables::{TableError, indexed};

use crate::bytes::Bytes;

/// Opens a table and asks for all it knows: the number of questions that it refused. Panics at a
/// wrong answer.
type Ask = Box<dyn Fn(&Path) -> Result<usize, TableError> + Send + Sync>;

/// A table in memory.
struct Whole {
    /// Names and contents.
    files: Vec<(String, Vec<u8>)>,
    ask: Ask,
}

static WHOLE: LazyLock<[Whole; 4]> = LazyLock::new(|| {
    [
        Whole::of_konane("3x3", None),
        Whole::of_konane("2x4", Some(5)),
        Whole::of_classes::<Dodgem>("3x3", true),
        Whole::of_classes::<MuTorere>("8", false),
    ]
});

impl Whole {
    fn new(build: impl FnOnce(&Path) -> Ask) -> Whole {
        let place = tempfile::tempdir().expect("a temporary directory");
        let directory = place.path().join("table");
        let ask = build(&directory);
        let read = |path: &PathBuf| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read(path).expect("read"))
        };
        Whole { files: files(&directory).iter().map(read).collect(), ask }
    }

    fn of_konane(board: &str, stones: Option<u32>) -> Whole {
        let game = read_board(board).expect("a board");
        let build = match stones {
            None => TableBuild::complete(&game).expect("a small board"),
            Some(stones) => TableBuild::capped(&game, stones),
        };
        Whole::new(|directory| {
            build.run(Some(directory), &Progress::new()).expect("built");
            let table = Table::open(directory).expect("a table");
            let known = |position: Position| {
                let value = table.value(&position).expect("whole")?;
                let solved = solved(&game, &position, &Konane::CAPABILITIES);
                assert_eq!(value, solved, "{}", game.write(&position));
                Some((position, value))
            };
            let values: Vec<_> = positions(&table).into_iter().filter_map(known).collect();
            Box::new(move |directory| {
                let table = Table::open(directory)?;
                let mut refused = 0;
                for (position, value) in &values {
                    match table.value(position) {
                        Ok(found) => assert_eq!(found, Some(*value), "{position:?}"),
                        Err(_) => refused += 1,
                    }
                }
                Ok(refused)
            })
        })
    }

    fn of_classes<G: Indexed>(board: &str, distances: bool) -> Whole {
        let (game, _) = G::read(board).expect("a board");
        let options = indexed::TableOptions { distances, ..Default::default() };
        let build = indexed::TableBuild::new(&game, options).expect("a small board");
        Whole::new(|directory| {
            build.run(Some(directory), &Progress::new()).expect("built");
            let table = indexed::Table::<G>::open(directory).expect("a table");
            let index = table.index();
            let entries = (0..index.classes()).flat_map(|class| {
                (0..index.entries(class)).map(move |index| Entry { class, index })
            });
            let known = |position: G::Position| {
                let value = table.value(&position).expect("whole").expect("known");
                let solved = solved(&game, &position, &Capabilities::NONE);
                assert_eq!(value, solved, "{}", game.write(&position));
                let plies = table.plies_to_end(&position).expect("whole");
                (position, value, plies)
            };
            let values: Vec<_> =
                entries.filter_map(|entry| index.position(entry)).map(known).collect();
            Box::new(move |directory| {
                let table = indexed::Table::<G>::open(directory)?;
                let mut refused = 0;
                for (position, value, plies) in &values {
                    match (table.value(position), table.plies_to_end(position)) {
                        (Ok(found), Ok(after)) => {
                            assert_eq!((found, after), (Some(*value), *plies), "{position:?}");
                        }
                        (Ok(found), Err(_)) => {
                            assert_eq!(found, Some(*value), "{position:?}");
                            refused += 1;
                        }
                        (Err(_), _) => refused += 1,
                    }
                }
                // Nobody asks for the distances of draws, but they have a hash.
                let damaged = indexed::verify::check_hashes(&table, &Progress::new())?;
                Ok(refused + damaged.len())
            })
        })
    }
}

/// The value by an independent method.
fn solved<G: Game>(game: &G, position: &G::Position, has: &Capabilities<G>) -> Value {
    let solution = reference::solve(game, position, has, 1 << 20, &Progress::new());
    solution.expect("a small board").value
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).expect("a directory");
    let mut files: Vec<PathBuf> = entries.map(|file| file.expect("a file").path()).collect();
    files.sort();
    files
}

/// All positions that the table knows.
fn positions(table: &Table) -> Vec<Position> {
    let squares = Squares::new(table.game());
    let [blacks, whites] = [Player::First, Player::Second].map(|player| squares.count(player));
    let sets =
        (0..1_u32 << blacks).flat_map(|black| (0..1 << whites).map(move |white| [black, white]));
    let few =
        |[black, white]: &[u32; 2]| black.count_ones() + white.count_ones() <= table.most_stones();
    sets.filter(few)
        .flat_map(|sets| [Player::First, Player::Second].map(|side| squares.position(sets, side)))
        .collect()
}

/// Changes a byte, cuts the file off, or makes it longer.
fn damage(file: &mut Vec<u8>, bytes: &mut Bytes<'_>) {
    // Most of a file of a small board is padding; the data are at both ends.
    let at = match bytes.below(3) {
        0 => bytes.below(file.len().clamp(1, 256)),
        1 => file.len().saturating_sub(1 + bytes.below(256)),
        _ => bytes.below(file.len().max(1)),
    };
    match bytes.byte() {
        0 => file.truncate(at),
        1 => file.push(bytes.byte()),
        2 => drop(file.drain(at..file.len().min(at + 8))),
        change if at < file.len() => file[at] ^= change,
        _ => {}
    }
}

/// A damaged table is refused, or gives right values and errors, but no wrong value.
pub fn table_is_refused_or_read(data: &[u8]) -> bool {
    let mut bytes = Bytes(data);
    let whole = &WHOLE[bytes.digit(WHOLE.len())];
    let mut files = whole.files.clone();
    for _ in 0..4 {
        if bytes.is_empty() {
            break;
        }
        let count = files.len();
        damage(&mut files[bytes.below(count)].1, &mut bytes);
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (name, content) in &files {
        std::fs::write(directory.path().join(name), content).expect("written");
    }
    let is_whole = files == whole.files;
    match (whole.ask)(directory.path()) {
        Ok(refused) => {
            assert_eq!(refused == 0, is_whole, "{refused} questions refused");
            true
        }
        Err(problem) => {
            assert!(!is_whole, "a whole table is refused: {problem}");
            false
        }
    }
}
