//! The check: every record has a legal move, and the records are exactly the positions that are
//! needed and that the checker does not decide by itself.
//!
//! Then the owner always has a move in the set, until a good end. Where play could go in circles
//! and the claim is a win, ranks fall along every line, so that every line ends.

use std::io::{BufReader, Read, Seek};

use crate::database::Database;
use crate::layout::Layout;
use crate::reader::{Header, Problem, Reader, Record};
use crate::rules::Rules;
use crate::sorted::{Needed, Sorted, Sorter};

/// The result of an accepted check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Positions in the certificate, with their moves.
    pub records: u64,
    /// Positions that it leaves out, proved by search.
    pub searched: u64,
    /// Needed positions that the database decides.
    pub looked_up: u64,
    /// The number of positions of the database, 0 if there is none.
    pub database: u64,
}

/// The rules of the game of a certificate.
pub fn rules(header: &Header) -> Result<Rules, Problem> {
    Rules::new(header)
}

/// Checks a certificate; `memory_bytes` limits the memory for positions, beside which a database
/// takes what it needs. The file is read twice. `claim` receives the header before the work begins.
pub fn check(
    file: impl Read + Seek,
    memory_bytes: usize,
    claim: impl FnOnce(&Header),
) -> Result<Checked, Problem> {
    check_while(file, memory_bytes, claim, &|| true)
}

/// As [`check`], but stops when `go_on` says no: between the two passes over the file a large
/// database is built, which takes minutes.
pub fn check_while(
    mut file: impl Read + Seek,
    memory_bytes: usize,
    claim: impl FnOnce(&Header),
    go_on: &dyn Fn() -> bool,
) -> Result<Checked, Problem> {
    // A file that cannot be rewound, such as a pipe, cannot be checked.
    file.rewind().map_err(Problem::Io)?;
    let reader = Reader::new(buffered(file))?;
    let header = reader.header();
    claim(header);
    let rules = rules(header)?;
    // A database that is too large is refused before anything else is done.
    let plan = match header.database {
        0 => None,
        largest => Some(Database::plan(rules.game(), largest)?),
    };
    if header.has_ranks() || rules.game().limit() > 1 << 64 {
        passes::<(u128, u64)>(&rules, plan, reader, memory_bytes, go_on)
    } else {
        passes::<u64>(&rules, plan, reader, memory_bytes, go_on)
    }
}

fn buffered<F: Read>(file: F) -> BufReader<F> {
    BufReader::with_capacity(1 << 20, file)
}

/// Both passes over the file.
fn passes<T: Needed>(
    rules: &Rules,
    plan: Option<Layout>,
    mut reader: Reader<BufReader<impl Read + Seek>>,
    memory_bytes: usize,
    go_on: &dyn Fn() -> bool,
) -> Result<Checked, Problem> {
    let needed = collect::<T>(rules, &mut reader, memory_bytes)?;
    let hash = reader.hash();
    let build = |layout| Database::build(rules.game(), layout, go_on).ok_or(Problem::Stopped);
    let database = plan.map(build).transpose()?;
    let mut file = reader.into_file().into_inner();
    file.rewind().map_err(Problem::Io)?;
    let mut reader = Reader::new(buffered(file))?;
    let checked = compare(rules, database, &mut reader, needed)?;
    // Both passes must have read the same bytes, header included.
    if hash.is_none() || reader.hash() != hash {
        return Err(Problem::Format("the file was changed while it was checked".to_owned()));
    }
    Ok(checked)
}

fn wrong(rules: &Rules, number: u128, problem: &str) -> Problem {
    Problem::Wrong(format!("the position {}: {problem}", rules.show(number)))
}

/// First pass: checks the moves, and collects the positions that are needed.
fn collect<T: Needed>(
    rules: &Rules,
    reader: &mut Reader<impl Read>,
    memory_bytes: usize,
) -> Result<Sorted<T>, Problem> {
    let Header { root, database: largest, .. } = reader.header().clone();
    let has_ranks = reader.header().has_ranks();
    let mut needed = Sorter::new(memory_bytes);
    let first = rules.needed_by_root();
    for number in first.map_err(|problem| Problem::Wrong(format!("the root {root}: {problem}")))? {
        needed.push(T::new(number, u64::MAX)).map_err(Problem::Temporary)?;
    }
    while let Some(Record { position: number, mv, rank }) = reader.next_record()? {
        let wrong = |problem: String| wrong(rules, number, &problem);
        let after = rules.needed_after(number, mv).map_err(wrong)?;
        if largest > 0 && rules.size(&rules.position(number).map_err(wrong)?) <= largest {
            return Err(wrong("it is not needed, because the database has it".to_owned()));
        }
        let below = if has_ranks { rank.into() } else { u64::MAX };
        for number in after {
            needed.push(T::new(number, below)).map_err(Problem::Temporary)?;
        }
    }
    needed.finish().map_err(Problem::Temporary)
}

/// Second pass: compares needed positions with the records. Both are in ascending order.
fn compare<T: Needed>(
    rules: &Rules,
    database: Option<Database>,
    reader: &mut Reader<impl Read>,
    mut needed: Sorted<T>,
) -> Result<Checked, Problem> {
    let header = reader.header().clone();
    let positions = database.as_ref().map_or(0, Database::positions);
    let mut checked = Checked { database: positions, ..Checked::default() };
    let mut record = reader.next_record()?;
    while let Some(next) = needed.next_needed().map_err(Problem::Temporary)? {
        let (number, below) = (next.number(), next.below());
        match record {
            Some(found) if found.position < number => {
                return Err(wrong(rules, found.position, "it is not needed"));
            }
            Some(found) if found.position == number => {
                if u64::from(found.rank) >= below {
                    let rank = found.rank;
                    let problem = format!("its rank {rank} is not below {below}, of what needs it");
                    return Err(wrong(rules, number, &problem));
                }
                checked.records += 1;
                record = reader.next_record()?;
            }
            _ => left_out(rules, database.as_ref(), &header, number, &mut checked)
                .map_err(|problem| wrong(rules, number, &problem))?,
        }
    }
    match record {
        Some(found) => Err(wrong(rules, found.position, "it is not needed")),
        None => Ok(checked),
    }
}

/// Decides a needed position that has no record, or says why it should have one.
fn left_out(
    rules: &Rules,
    database: Option<&Database>,
    header: &Header,
    number: u128,
    checked: &mut Checked,
) -> Result<(), String> {
    let position = rules.position(number)?;
    if let Some(winner) = database.and_then(|database| database.winner(&position)) {
        checked.looked_up += 1;
        return rules.require_good(winner).map_err(|problem| format!("in the database, {problem}"));
    }
    // In version 1 a position without moves is one that nothing proves.
    if header.version > 1 && rules.game().after(&position).is_empty() {
        let good = rules.require_good(rules.game().winner(&position));
        return good.map_err(|problem| format!("the game is over, and {problem}"));
    }
    let budget = header.budget;
    if rules.prove(&position, budget) {
        checked.searched += 1;
        return Ok(());
    }
    Err(match budget {
        0 => "it is needed and not there".to_owned(),
        _ => format!("it is needed, not there, and not proved within {budget}"),
    })
}
