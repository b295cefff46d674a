//! Tables for tests.
#![allow(dead_code, reason = "not every test uses all of it")]

pub(crate) mod corridor;
pub(crate) mod indexed;

use std::fs;
use std::path::{Path, PathBuf};

use papamu_base::Progress;
use papamu_game::{Game, Player};
use papamu_games::konane::Position;
use papamu_tables::TableError;
use papamu_tables::konane::squares::Squares;
use papamu_tables::konane::{BuildReport, Table, TableBuild, read_board};

/// A board, and the most stones of a capped table of it.
pub(crate) type Kind = (&'static str, Option<u32>);

pub(crate) fn table_build((board, stones): Kind) -> TableBuild {
    let game = read_board(board).expect("a board");
    match stones {
        None => TableBuild::complete(&game).expect("small"),
        Some(stones) => TableBuild::capped(&game, stones),
    }
}

pub(crate) fn build(kind: Kind, directory: &Path) -> Result<BuildReport, TableError> {
    table_build(kind).run(Some(directory), &Progress::new())
}

/// A directory for tests, and the name of a table in it.
pub(crate) fn place(name: &str) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join(name);
    (directory, path)
}

/// All positions of the board of a table that it knows, of small boards.
pub(crate) fn positions(table: &Table) -> Vec<Position> {
    let squares = Squares::new(table.game());
    let [blacks, whites] = [Player::First, Player::Second].map(|player| squares.count(player));
    let mut positions = Vec::new();
    for black in 0..1_u32 << blacks {
        for white in 0..1_u32 << whites {
            if black.count_ones() + white.count_ones() > table.most_stones() {
                continue;
            }
            for side in [Player::First, Player::Second] {
                positions.push(squares.position([black, white], side));
            }
        }
    }
    positions
}

/// The positions after all moves.
pub(crate) fn children(table: &Table, position: &Position) -> Vec<Position> {
    let game = table.game();
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let child = |mv| {
        let mut child = *position;
        game.play(&mut child, mv);
        child
    };
    moves.iter().map(child).collect()
}

/// All files of a table, in the order of their names.
pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("files");
    let mut files: Vec<PathBuf> = entries.map(|file| file.expect("a file").path()).collect();
    files.sort();
    files
}
