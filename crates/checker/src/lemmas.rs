//! The check of nimbers: every lemma follows from lemmas on lands that are nearer to the end.
//!
//! The nimber of a land is the least number that none of its options has. So a lemma needs an
//! option of every lesser nimber, and for each option a reason why it has another nimber. Either
//! the lemmas give its nimber, or all but one of its lands are known and the last one has an option
//! that excludes the nimber.

use std::collections::{HashMap, HashSet};
use std::io::{BufReader, Read};
use std::ops::ControlFlow;

use crate::nimbers::{CLAIM_LINE, Claim, Header, Lemma, Reader};
use crate::reader::Problem;
use crate::sprouts::form::Shape;
use crate::sprouts::{Position, text};
use crate::steps::{Steps, TooManySteps};

/// The most moves of a land that is expanded.
const MOST_MOVES: u64 = 10_000_000;

/// Steps to make, reduce and decompose a position, per step to go through it.
const STEPS_OF_OPTION: u64 = 12;

/// The result of an accepted check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Lemmas of the file.
    pub lemmas: u64,
    /// Lands without a lemma that were expanded.
    pub expanded: u64,
    /// The steps that were taken, see [`Steps`]. They do not depend on memory.
    pub steps: u64,
}

/// Checks a nimber file; `memory_bytes` limits the memory for results that may be forgotten.
/// `claim` receives the header before the work begins.
pub fn check(
    file: impl Read,
    memory_bytes: usize,
    claim: impl FnOnce(&Header),
) -> Result<Checked, Problem> {
    let mut reader = Reader::new(BufReader::with_capacity(1 << 20, file))?;
    claim(reader.header());
    let mut table = Table::new(memory_bytes);
    let mut lemmas = Vec::new();
    while let Some(lemma) = reader.next_lemma()? {
        let refused = |problem: String| Problem::Format(format!("line {}: {problem}", lemma.line));
        // The number of lemmas that were read, not the number in the header.
        table.steps.allow_lemmas(lemmas.len() as u64 + 1);
        let (name, form) = land(&lemma.land, &mut table.steps).map_err(refused)?;
        table.shapes.insert(form.shape());
        // A land may be written in several ways.
        if table.nimbers.insert(name, lemma.nimber).is_some_and(|nimber| nimber != lemma.nimber) {
            return Err(refused(format!("`{}` had another nimber before", lemma.land)));
        }
        lemmas.push(lemma);
    }
    table.check_claim(&reader.header().claim)?;
    for lemma in &lemmas {
        table.check_lemma(lemma)?;
    }
    Ok(Checked {
        lemmas: lemmas.len() as u64,
        expanded: table.expanded,
        steps: table.steps.taken(),
    })
}

/// A land: its name, which is its canonical form as text, and the form itself.
type Land = (Box<str>, Position);

/// A land without a lemma.
struct Beyond {
    /// The known nimbers of its options.
    nimbers: Box<[u8]>,
    /// The steps that it took to find them.
    steps: u64,
}

/// The lands of a position, in the order of their names.
fn lands(mut position: Position, steps: &mut Steps) -> Result<Vec<Land>, TooManySteps> {
    steps.take(STEPS_OF_OPTION * position.size())?;
    position.reduce();
    named(&position.lands(), steps)
}

fn name(land: &Position, steps: &mut Steps) -> Result<Land, TooManySteps> {
    let form = land.form_within(steps)?;
    Ok((text::write(&form).into(), form))
}

/// Lands with their names. Two equal lands cancel: the second player copies every move of the first
/// in the other land.
fn named(lands: &[Position], steps: &mut Steps) -> Result<Vec<Land>, TooManySteps> {
    let lands = lands.iter().map(|land| name(land, steps));
    let mut lands = lands.collect::<Result<Vec<Land>, TooManySteps>>()?;
    lands.sort_by(|(name, _), (other, _)| name.cmp(other));
    let mut single: Vec<Land> = Vec::new();
    for land in lands {
        if single.last().is_some_and(|(name, _)| *name == land.0) {
            single.pop();
        } else {
            single.push(land);
        }
    }
    Ok(single)
}

/// Reads a position that is one land. Equal lands do not cancel here: the solver would refuse such
/// a lemma, and it should be able to read every file that is accepted.
fn land(text: &str, steps: &mut Steps) -> Result<Land, String> {
    let mut position = text::read(text)?;
    position.reduce();
    let mut lands = position.lands();
    match (lands.pop(), lands.pop()) {
        (Some(land), None) => name(&land, steps).map_err(|problem| problem.to_string()),
        (None, _) => Err(format!("`{text}` is no land: nobody can move")),
        _ => Err(format!("`{text}` is more than one land")),
    }
}

/// A position as people read it.
fn show(lands: &[Land]) -> String {
    let names: Vec<&str> = lands.iter().map(|(name, _)| &**name).collect();
    if names.is_empty() { "!".to_owned() } else { names.join("+") }
}

/// The lemmas, and what follows from them.
struct Table {
    /// The nimber of each land that has a lemma.
    nimbers: HashMap<Box<str>, u8>,
    /// The shapes of these lands.
    shapes: HashSet<Shape>,
    beyond: HashMap<Box<str>, Beyond>,
    /// The approximate size of `beyond`, and its limit.
    beyond_bytes: usize,
    most_bytes: usize,
    expanded: u64,
    steps: Steps,
}

impl Table {
    fn new(most_bytes: usize) -> Table {
        let mut steps = Steps::up_to(0);
        steps.allow_lemmas(0);
        Table {
            nimbers: HashMap::new(),
            shapes: HashSet::new(),
            beyond: HashMap::new(),
            beyond_bytes: 0,
            most_bytes,
            expanded: 0,
            steps,
        }
    }

    /// The nimber of a sum, if all its lands are known.
    fn known(&self, lands: &[Land]) -> Option<u8> {
        lands.iter().try_fold(0, |sum, (name, _)| Some(sum ^ self.nimbers.get(name)?))
    }

    /// The same for a position that is not reduced. Most such positions are unknown and have a land
    /// whose shape no lemma has, which is quick to see.
    fn known_quickly(&mut self, mut position: Position) -> Result<Option<u8>, TooManySteps> {
        self.steps.take(STEPS_OF_OPTION * position.size())?;
        position.reduce();
        let all = position.lands();
        // Two unknown lands may cancel, so only a single one rules it out.
        let likely = all.iter().filter(|land| !self.shapes.contains(&land.shape())).count() != 1;
        if !likely {
            return Ok(None);
        }
        let lands = named(&all, &mut self.steps)?;
        Ok(self.known(&lands))
    }

    /// Checks that everything that the lemma needs is there.
    fn check_lemma(&mut self, lemma: &Lemma) -> Result<(), Problem> {
        let wrong = |problem: String| {
            let Lemma { line, nimber, land } = lemma;
            Problem::Wrong(format!("line {line}: {land} is not shown to be {nimber}: {problem}"))
        };
        let land = land(&lemma.land, &mut self.steps).map_err(wrong)?;
        let mut found = [false; 256];
        let mut seen = HashSet::new();
        self.begin_options(&land).map_err(wrong)?;
        each_option(&land, |option| {
            let option = lands(option, &mut self.steps).map_err(|problem| problem.to_string())?;
            if !seen.insert(show(&option)) {
                return Ok(());
            }
            if let Some(nimber) = self.known(&option) {
                found[usize::from(nimber)] = true;
            }
            self.refute(&option, lemma.nimber)
        })
        .map_err(wrong)?;
        match found[..usize::from(lemma.nimber)].iter().position(|found| !found) {
            Some(missing) => Err(wrong(format!("no option is known to be {missing}"))),
            None => Ok(()),
        }
    }

    /// Checks that a sum is known not to have that nimber.
    fn refute(&mut self, sum: &[Land], nimber: u8) -> Result<(), String> {
        let (known, unknown): (Vec<&Land>, Vec<&Land>) =
            sum.iter().partition(|(name, _)| self.nimbers.contains_key(name));
        let rest = known.iter().fold(0, |rest, (name, _)| rest ^ self.nimbers[name]);
        match unknown[..] {
            [] if rest != nimber => Ok(()),
            [] => Err(format!("{} is {nimber}", show(sum))),
            [land] => {
                // With such an option, the sum has a move to `nimber`, so it has another nimber
                // itself.
                let needed = nimber ^ rest;
                if self.has_option(land, needed)? {
                    return Ok(());
                }
                let mut problem = format!("{} may be {nimber}", show(sum));
                if sum.len() > 1 {
                    problem.push_str(&format!(", because {} may be {needed}", land.0));
                }
                problem.push_str(&format!(", no option of which is known to be {needed}"));
                Err(problem)
            }
            _ => {
                let (sum, unknown) = (show(sum), unknown.len());
                Err(format!("{sum} may be {nimber}, because {unknown} lands of it are not known"))
            }
        }
    }

    /// Whether some option of a land without a lemma is known to have that nimber.
    fn has_option(&mut self, land: &Land, nimber: u8) -> Result<bool, String> {
        let too_many = |problem: TooManySteps| problem.to_string();
        if let Some(Beyond { nimbers, steps }) = self.beyond.get(&land.0) {
            // A remembered result costs the same steps: verdicts do not depend on memory.
            self.steps.take(*steps).map_err(too_many)?;
            return Ok(nimbers.contains(&nimber));
        }
        let before = self.steps.taken();
        let mut found = [false; 256];
        self.begin_options(land)?;
        each_option(land, |option| {
            if let Some(nimber) = self.known_quickly(option).map_err(too_many)? {
                found[usize::from(nimber)] = true;
            }
            Ok(())
        })?;
        let nimbers: Box<[u8]> = (0..=255).filter(|nimber| found[usize::from(*nimber)]).collect();
        self.expanded += 1;
        // A forgotten result is computed again when it is needed.
        if self.beyond_bytes > self.most_bytes {
            self.beyond.clear();
            self.beyond_bytes = 0;
        }
        // Besides the bytes themselves there are two pointers with lengths, and about as much
        // again.
        self.beyond_bytes += land.0.len() + nimbers.len() + 72;
        let steps = self.steps.taken() - before;
        self.beyond.insert(land.0.clone(), Beyond { nimbers, steps });
        Ok(found[usize::from(nimber)])
    }

    /// Refuses to expand a land with too many moves.
    fn begin_options(&mut self, (name, land): &Land) -> Result<(), String> {
        let steps = land.size() + land.squares() + land.pairs();
        self.steps.take(2 * steps).map_err(|problem| problem.to_string())?;
        if land.moves_at_most() > MOST_MOVES {
            return Err(format!("{name} may have more than {MOST_MOVES} moves"));
        }
        Ok(())
    }

    fn check_claim(&mut self, claim: &Claim) -> Result<(), Problem> {
        let (Claim::Win(text) | Claim::Loss(text) | Claim::Nimber(_, text)) = claim else {
            return Ok(());
        };
        let wrong = |problem: String| {
            Problem::Wrong(format!("line {CLAIM_LINE}: the claim is not shown: {problem}"))
        };
        let position = text::read(text)
            .map_err(|problem| Problem::Format(format!("line {CLAIM_LINE}: {problem}")))?;
        let sum = lands(position, &mut self.steps).map_err(|problem| wrong(problem.to_string()))?;
        let claimed = match claim {
            Claim::Nimber(nimber, _) => *nimber,
            Claim::Loss(_) => 0,
            // A win is any nimber but 0.
            Claim::Win(_) | Claim::None => {
                return self.refute(&sum, 0).map_err(wrong);
            }
        };
        let problem = match self.known(&sum) {
            Some(nimber) if nimber == claimed => return Ok(()),
            Some(nimber) => format!("{text} is {nimber} and not {claimed}"),
            None => format!("{text} is not known to be {claimed}"),
        };
        Err(wrong(problem))
    }
}

/// Shows the options of a land, unreduced and with repetitions, up to the first problem.
fn each_option(
    (_, land): &Land,
    mut show: impl FnMut(Position) -> Result<(), String>,
) -> Result<(), String> {
    let mut shown = Ok(());
    let _ = land.moves(|option| {
        shown = show(option);
        if shown.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    shown
}
