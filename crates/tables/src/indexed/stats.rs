//! Counts the values of a table by class and player to move, and finds the longest wins.

use std::cmp::Reverse;

use papamu_base::Progress;
use papamu_game::{Entry, Indexed, PositionIndex, Value};
use rayon::prelude::*;

use crate::error::TableError;
use crate::indexed::codes::Counts;
use crate::indexed::table::Table;

/// The values of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassStats {
    /// The name of the class.
    pub name: String,
    /// Its entries, with those that stand for no position.
    pub entries: u64,
    /// The values, by player to move or by [what the index calls](PositionIndex::movers) movers.
    pub counts: [Counts; 2],
    /// What the index calls the movers.
    pub movers: Option<[String; 2]>,
    /// A win that takes longest, if the table has distances and there is a win.
    pub longest: Option<Longest>,
}

/// A won position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Longest {
    /// Plies to the end.
    pub plies: u32,
    /// The position.
    pub position: String,
}

/// The entries that a thread takes at a time.
const CHUNK: u64 = 1 << 14;

/// What a thread counts: values by player to move, the longest win and its entry.
type Part = ([Counts; 2], Option<(u16, u64)>);

/// Counts the values of all classes. The work is the number of entries.
pub fn class_stats<G: Indexed>(
    table: &Table<G>,
    progress: &Progress,
) -> Result<Vec<ClassStats>, TableError> {
    progress.add_total(table.shape.entries());
    table.shape.classes().map(|class| of_class(table, class, progress)).collect()
}

fn of_class<G: Indexed>(
    table: &Table<G>,
    class: u32,
    progress: &Progress,
) -> Result<ClassStats, TableError> {
    let index = table.index();
    let entries = index.entries(class);
    let movers = &index.movers(class);
    let count = |chunk: u64| -> Result<Part, TableError> {
        progress.stop().check()?;
        let (mut counts, mut longest) = (<[Counts; 2]>::default(), None);
        let end = entries.min((chunk + 1) * CHUNK);
        for i in chunk * CHUNK..end {
            let entry = Entry { class, index: i };
            let (Some(value), Some(position)) = (table.code(entry)?.value(), index.position(entry))
            else {
                continue;
            };
            let mover = match movers {
                Some(_) => index.mover(entry),
                None => table.game().to_move(&position).index(),
            };
            counts[mover].add_value(value);
            if value == Value::Win
                && let Some(plies) = table.plies_of(entry)?
            {
                longest = longest.filter(|&(most, _)| most >= plies).or(Some((plies, i)));
            }
        }
        progress.add(end - chunk * CHUNK);
        Ok((counts, longest))
    };
    let join = |(mut counts, longest): Part, (more, other): Part| {
        counts.iter_mut().zip(more).for_each(|(counts, more)| *counts += more);
        // The first of several.
        let both = longest.into_iter().chain(other);
        Ok((counts, both.max_by_key(|&(plies, at)| (plies, Reverse(at)))))
    };
    let chunks = (0..entries.div_ceil(CHUNK)).into_par_iter().map(count);
    let (counts, longest) = chunks.try_reduce(Part::default, join)?;
    let longest = longest.and_then(|(plies, i)| {
        let position = index.position(Entry { class, index: i })?;
        Some(Longest { plies: plies.into(), position: table.game().write(&position) })
    });
    let (name, movers) = (index.class_name(class), movers.clone());
    Ok(ClassStats { name, entries, counts, movers, longest })
}
