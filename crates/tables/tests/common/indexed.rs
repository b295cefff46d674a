//! Tables of games with an index, for tests.

use std::fs;
use std::path::Path;

use papamu_base::Progress;
use papamu_game::{Entry, Game, Indexed, PositionIndex};
use papamu_tables::indexed::{BuildReport, TableBuild, TableOptions};

pub(crate) const DISTANCES: TableOptions =
    TableOptions { most_stones: None, distances: true, by_passes: false };
pub(crate) const BY_PASSES: TableOptions = TableOptions { by_passes: true, ..DISTANCES };

pub(crate) fn game<G: Game>(board: &str) -> G {
    G::read(board).expect("a board").0
}

pub(crate) fn build<G: Indexed>(
    board: &str,
    options: TableOptions,
    directory: &Path,
) -> BuildReport {
    let build = TableBuild::new(&game::<G>(board), options).expect("small");
    build.run(Some(directory), &Progress::new()).expect("built")
}

/// All entries of an index.
pub(crate) fn entries<G: Indexed>(index: &G::Index) -> impl Iterator<Item = Entry> {
    let of_class = |class| (0..index.entries(class)).map(move |index| Entry { class, index });
    (0..index.classes()).flat_map(of_class)
}

/// All positions that represent an entry.
pub(crate) fn positions<G: Indexed>(index: &G::Index) -> Vec<G::Position> {
    entries::<G>(index).filter_map(|entry| index.position(entry)).collect()
}

/// The bytes of all files of a table.
pub(crate) fn bytes(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let files = fs::read_dir(directory).expect("a directory").map(|file| {
        let file = file.expect("a file");
        (file.file_name().to_string_lossy().into_owned(), fs::read(file.path()).expect("bytes"))
    });
    let mut files: Vec<_> = files.collect();
    files.sort();
    files
}
