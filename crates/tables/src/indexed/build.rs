//! Builds a table class by class, and states what that takes.

use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;

use papamu_base::Progress;
use papamu_game::{Indexed, PositionIndex};

use crate::error::TableError;
use crate::indexed::codes::{Codes, Counts};
use crate::indexed::known::{Known, KnownCodes, KnownPlies};
use crate::indexed::look::ClassWork;
use crate::indexed::plies::{Plies, PliesFile};
use crate::indexed::shape::{PLIES_BYTES, Shape};
use crate::indexed::{distances, passes, unmoves};
use crate::store::{LayerWriter, NewTable, check_space, partial_bytes};

/// What a table is to contain, and how it is built.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableOptions {
    /// Only the positions with at most so many stones.
    pub most_stones: Option<u32>,
    /// The number of plies to the end of every decided position, in files of their own.
    pub distances: bool,
    /// Do without un-moves. The table is the same.
    pub by_passes: bool,
}

/// A table to be built.
pub struct TableBuild<G: Indexed> {
    shape: Shape<G>,
    options: TableOptions,
}

/// The result of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildReport {
    /// The values of all positions.
    pub counts: Counts,
    /// The number of classes that an earlier build had finished.
    pub resumed_classes: u32,
    /// The bytes of all files.
    pub disk_bytes: u64,
}

impl<G: Indexed> TableBuild<G> {
    /// The table of a board.
    pub fn new(game: &G, options: TableOptions) -> Result<TableBuild<G>, TableError> {
        Ok(TableBuild { shape: Shape::new(game, options.most_stones)?, options })
    }

    /// A description of the table for users.
    pub fn name(&self) -> String {
        let stones = match self.options.most_stones {
            None => String::new(),
            Some(_) => format!(" with up to {} stones", self.most_stones()),
        };
        format!("{}{stones}", self.shape.board_name())
    }

    /// The unit of its progress: every entry is looked at forwards and backwards.
    pub const UNIT: &'static str = "looks";

    /// The most stones of its positions.
    pub fn most_stones(&self) -> u32 {
        self.shape.most_stones()
    }

    /// The number of entries, with those that stand for no position.
    pub fn entries(&self) -> u64 {
        self.shape.entries()
    }

    /// The memory that the build needs, with or without a directory: the codes and marks of the
    /// largest class, its distances, and everything that no file keeps.
    pub fn memory_bytes(&self, has_directory: bool) -> u64 {
        let entries = |class| self.shape.index.entries(class);
        let largest = self.shape.classes().map(entries).max().unwrap_or(0);
        // Two bits of codes and two marks.
        let at_work = largest.div_ceil(2);
        let per_distance = if self.options.distances { 2 } else { 0 };
        let kept = match has_directory {
            true => largest.saturating_mul(per_distance),
            false => {
                (self.entries() / 4).saturating_add(self.entries().saturating_mul(per_distance))
            }
        };
        at_work.saturating_add(kept)
    }

    /// Refuses to exceed a memory limit.
    pub fn check_memory(&self, limit_bytes: u64, has_directory: bool) -> Result<(), TableError> {
        let needs_bytes = self.memory_bytes(has_directory);
        match needs_bytes > limit_bytes {
            true => Err(TableError::NeedsMemory { work: self.name(), needs_bytes, limit_bytes }),
            false => Ok(()),
        }
    }

    /// Refuses a directory that exists already, or whose disk has no room for the table. The files
    /// of an interrupted build of the same table count as room.
    pub fn check_directory(&self, directory: &Path) -> Result<(), TableError> {
        // A dangling link is in the way as well.
        if directory.symlink_metadata().is_ok() {
            return Err(TableError::Exists { path: directory.to_owned() });
        }
        let [_, most] = PLIES_BYTES;
        let bytes_each = vec![most; self.shape.classes().len()];
        let contents = self.shape.contents(self.options.distances.then_some(&bytes_each));
        check_space(directory, contents.disk_bytes().saturating_sub(partial_bytes(directory)))
    }

    /// Builds the table in a directory, or in memory to count values. An interrupted or stopped
    /// build of the same table in the same place is resumed after its last finished class.
    pub fn run(
        &self,
        directory: Option<&Path>,
        progress: &Progress,
    ) -> Result<BuildReport, TableError> {
        let looks = if self.options.distances { 4 } else { 2 };
        progress.add_total(self.entries().saturating_mul(looks));
        let table = directory.map(|path| NewTable::open(path, progress.stop())).transpose()?;
        let mut known = Known::default();
        let mut counts = Counts::default();
        let mut bytes_each = Vec::new();
        let mut resumed_classes = 0;
        for class in self.shape.classes() {
            let is_first_new = resumed_classes == class;
            let work = ClassWork {
                game: &self.shape.game,
                index: &self.shape.index,
                class,
                known: &known,
            };
            let (codes, had_codes) = self.values(work, table.as_ref(), progress)?;
            counts += codes.counts(work.entries());
            let mut is_resumed = had_codes;
            if self.options.distances {
                let (plies, bytes, had_plies) =
                    self.distances(work, &codes, table.as_ref(), progress)?;
                bytes_each.push(bytes);
                is_resumed &= had_plies;
                known.plies.push(plies);
            }
            known.codes.push(codes);
            resumed_classes += u32::from(is_resumed && is_first_new);
        }
        // The files must be closed before they are renamed, where that matters.
        drop(known);
        let contents = self.shape.contents(self.options.distances.then_some(&bytes_each));
        let disk_bytes = contents.disk_bytes();
        if let Some(table) = table {
            table.finish(&contents)?;
        }
        Ok(BuildReport { counts, resumed_classes, disk_bytes })
    }

    /// The values of a class, and whether they were there already.
    fn values(
        &self,
        work: ClassWork<'_, G>,
        table: Option<&NewTable<'_>>,
        progress: &Progress,
    ) -> Result<(KnownCodes, bool), TableError> {
        let header = self.shape.values(work.class);
        if let Some(table) = table
            && table.is_finished(&header)?
        {
            progress.add(2 * work.entries());
            return Ok((KnownCodes::File(table.read(&header)?), true));
        }
        let codes = match self.options.by_passes || !work.index.has_unmoves() {
            true => passes::solve(work, progress)?,
            false => unmoves::solve(work, progress)?,
        };
        let Some(table) = table else { return Ok((KnownCodes::Memory(codes), false)) };
        table.write(&header, |writer| write_codes(&codes, writer))?;
        Ok((KnownCodes::File(table.read(&header)?), false))
    }

    /// The distances of a class, their bytes, and whether they were there already.
    fn distances(
        &self,
        work: ClassWork<'_, G>,
        codes: &KnownCodes,
        table: Option<&NewTable<'_>>,
        progress: &Progress,
    ) -> Result<(KnownPlies, u32, bool), TableError> {
        for bytes_each in PLIES_BYTES {
            let header = self.shape.distances(work.class, bytes_each);
            if let Some(table) = table
                && table.is_finished(&header)?
            {
                progress.add(2 * work.entries());
                let file = PliesFile { file: table.read(&header)?, bytes_each };
                return Ok((KnownPlies::File(file), bytes_each, true));
            }
        }
        let plies: Plies = match self.options.by_passes || !work.index.has_unmoves() {
            true => distances::by_passes(work, codes, progress)?,
            false => distances::by_unmoves(work, codes, progress)?,
        };
        let bytes_each = plies.bytes_each();
        let Some(table) = table else { return Ok((KnownPlies::Memory(plies), bytes_each, false)) };
        let header = self.shape.distances(work.class, bytes_each);
        table.write(&header, |writer| plies.write(bytes_each, writer))?;
        let file = PliesFile { file: table.read(&header)?, bytes_each };
        Ok((KnownPlies::File(file), bytes_each, false))
    }
}

fn write_codes(codes: &Codes, writer: &mut LayerWriter) -> io::Result<()> {
    for words in codes.words().chunks(1 << 16) {
        let words: Vec<u64> = words.iter().map(|word| word.load(Ordering::Relaxed)).collect();
        writer.write_words(&words)?;
    }
    Ok(())
}
