//! The check: every record has a legal move, and the records are exactly the positions that are
//! needed.
//!
//! In the games that have certificates every move brings the end nearer, so this is enough: a
//! player who always has a move in the set wins.

use std::io::{BufReader, Read, Seek};

use crate::konane::Konane;
use crate::reader::{Header, Problem, Reader};
use crate::sorted::Sorter;

/// The rules of a game, for the winner of a certificate. Positions are numbers, and the winner is
/// to move in all of them.
pub trait Rules {
    /// The positions that the root needs.
    fn needed_by_root(&self) -> Vec<u64>;

    /// The positions after a move of the winner and any answer to it, or the problem if there is no
    /// such position or move.
    fn needed_after(&self, number: u64, mv: u64) -> Result<Vec<u64>, String>;

    /// Whether the search of sparse certificates proves a position within the budget.
    fn prove(&self, number: u64, budget: u64) -> bool;

    /// A position as people read it.
    fn show(&self, number: u64) -> String;
}

/// The result of an accepted check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Positions in the certificate, with their moves.
    pub records: u64,
    /// Positions that it leaves out, proved by search.
    pub searched: u64,
}

/// The rules of the game of a certificate.
pub fn rules(header: &Header) -> Result<Box<dyn Rules>, Problem> {
    match header.game.as_str() {
        "konane" => match Konane::new(&header.root, &header.winner) {
            Ok(konane) => Ok(Box::new(konane)),
            Err(problem) => Err(Problem::Format(problem)),
        },
        other => Err(Problem::Format(format!("the game `{other}` is not known"))),
    }
}

/// Checks a certificate; `memory_bytes` limits the memory for positions. The file is read twice.
/// `claim` receives the header before the work begins.
pub fn check(
    mut file: impl Read + Seek,
    memory_bytes: usize,
    claim: impl FnOnce(&Header),
) -> Result<Checked, Problem> {
    // A file that cannot be rewound, such as a pipe, cannot be checked.
    file.rewind().map_err(Problem::Io)?;
    let mut reader = Reader::new(BufReader::with_capacity(1 << 20, &mut file))?;
    let header = reader.header().clone();
    claim(&header);
    let rules = rules(&header)?;
    let wrong = |number: u64, problem: String| {
        Problem::Wrong(format!("the position {}: {problem}", rules.show(number)))
    };
    // First pass: collect the positions that are needed.
    let mut needed = Sorter::new(memory_bytes / 8);
    for number in rules.needed_by_root() {
        needed.push(number).map_err(Problem::Temporary)?;
    }
    while let Some(record) = reader.next_record()? {
        let after = rules.needed_after(record.position, record.mv);
        for number in after.map_err(|problem| wrong(record.position, problem))? {
            needed.push(number).map_err(Problem::Temporary)?;
        }
    }
    let hash = reader.hash();
    // Second pass: compare them with the records. Both are in ascending order.
    let mut needed = needed.finish().map_err(Problem::Temporary)?;
    file.rewind().map_err(Problem::Io)?;
    let mut reader = Reader::new(BufReader::with_capacity(1 << 20, &mut file))?;
    let mut checked = Checked { records: 0, searched: 0 };
    let mut record = reader.next_record()?;
    while let Some(number) = needed.next_number().map_err(Problem::Temporary)? {
        match record {
            Some(found) if found.position < number => {
                return Err(wrong(found.position, "it is not needed".to_owned()));
            }
            Some(found) if found.position == number => {
                checked.records += 1;
                record = reader.next_record()?;
            }
            _ => {
                let budget = header.budget;
                if !rules.prove(number, budget) {
                    let problem = match budget {
                        0 => "it is needed and not there".to_owned(),
                        _ => format!("it is needed, not there, and not proved within {budget}"),
                    };
                    return Err(wrong(number, problem));
                }
                checked.searched += 1;
            }
        }
    }
    match record {
        Some(found) => Err(wrong(found.position, "it is not needed".to_owned())),
        // Both passes must have read the same bytes, header included.
        None if hash.is_some() && reader.hash() == hash => Ok(checked),
        None => Err(Problem::Format("the file was changed while it was checked".to_owned())),
    }
}
