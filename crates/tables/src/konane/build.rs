//! Builds a table, complete or capped, and states what that takes.

use std::path::Path;

use papamu_base::Progress;
use papamu_game::Game;
use papamu_games::Konane;

use crate::error::TableError;
use crate::konane::plan::Plan;
use crate::konane::shape::Shape;
use crate::konane::squares::Squares;
use crate::konane::{board_name, capped, check_memory, complete};
use crate::store::{check_space, partial_bytes};

/// A table to be built.
pub struct TableBuild {
    shape: Shape,
    /// Of a complete table.
    plan: Option<Plan>,
}

/// The result of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildReport {
    /// The positions that the player to move wins, with Black and with White to move. Only complete
    /// tables that are built in one go count them.
    pub wins: Option<[u64; 2]>,
    /// The number of layers that an earlier build had finished.
    pub resumed_layers: u32,
}

impl TableBuild {
    /// The table of all positions of a board, unless the board is far too large.
    pub fn complete(game: &Konane) -> Result<TableBuild, TableError> {
        let squares = Squares::new(game);
        let shape = Shape::complete(&squares)?;
        Ok(TableBuild { shape, plan: Some(Plan::new(&squares)?) })
    }

    /// The table of the positions of a board with at most `most_stones` stones.
    pub fn capped(game: &Konane, most_stones: u32) -> TableBuild {
        TableBuild { shape: Shape::capped(&Squares::new(game), most_stones), plan: None }
    }

    /// The shape of the table.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// A description of the table for users.
    pub fn name(&self) -> String {
        let board = board_name(self.shape.squares().game());
        let stones = match self.plan {
            Some(_) => String::new(),
            None => format!(" with up to {} stones", self.shape.most_stones()),
        };
        format!("{} {board}{stones}", Konane::NAME)
    }

    /// The unit of its progress.
    pub fn unit(&self) -> &'static str {
        match self.plan {
            Some(_) => "rows",
            None => "entries",
        }
    }

    /// The memory that the build needs.
    pub fn memory_bytes(&self) -> u64 {
        match &self.plan {
            Some(plan) => plan.memory_bytes(),
            None => capped::memory_bytes(&self.shape),
        }
    }

    /// Refuses to exceed a memory limit.
    pub fn check_memory(&self, limit_bytes: u64) -> Result<(), TableError> {
        check_memory(self.name(), self.memory_bytes(), limit_bytes)
    }

    /// Refuses a directory that exists already, or whose disk has no room for the table. The layers
    /// of an interrupted build of the same table count as room.
    pub fn check_directory(&self, directory: &Path) -> Result<(), TableError> {
        // A dangling link is in the way as well.
        if directory.symlink_metadata().is_ok() {
            return Err(TableError::Exists { path: directory.to_owned() });
        }
        check_space(directory, self.shape.disk_bytes().saturating_sub(partial_bytes(directory)))
    }

    /// Builds the table in a directory, or in memory to count the wins of a complete one. An
    /// interrupted or stopped build of the same table in the same place is resumed after its last
    /// finished layer.
    pub fn run(
        &self,
        directory: Option<&Path>,
        progress: &Progress,
    ) -> Result<BuildReport, TableError> {
        match (&self.plan, directory) {
            (Some(plan), directory) => complete::build(&self.shape, plan, directory, progress),
            (None, Some(directory)) => {
                let resumed_layers = capped::build(&self.shape, directory, progress)?;
                Ok(BuildReport { wins: None, resumed_layers })
            }
            (None, None) => Err(TableError::NeedsDirectory { work: self.name() }),
        }
    }
}
