//! Sprouts: players join spots by curves that cross nothing, each with a new spot on it; a spot has
//! three lives, and each end of a curve takes one. Whoever cannot move loses, or wins in misere
//! play (J. Conway and M. Paterson, 1967).

mod canonical;
mod code;
mod form;
mod moves;
mod notation;
mod reduce;
mod sums;

use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;
use papamu_game::sums::{ComponentLists, SumsOf};
use papamu_game::{Capabilities, Ending, Game, Guided, NotationError, Player, RunKey, Value};

use moves::Generator;
pub use sums::{Lands, Wholes};

/// The rules, normal or misere.
#[derive(Clone, Debug)]
pub struct Sprouts {
    ending: Ending,
    /// Drawings are longer than keys, so they are numbered.
    numbers: Arc<Mutex<HashMap<Drawing, RunKey>>>,
}

/// A position: its lands in canonical form, sorted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Drawing(Vec<Box<[u8]>>);

/// The word before positions of misere play.
const MISERE: &str = "misere ";

impl PartialEq for Sprouts {
    /// Keys that were handed out are not part of the rules.
    fn eq(&self, other: &Sprouts) -> bool {
        self.ending == other.ending
    }
}

impl Sprouts {
    /// Normal or misere play.
    pub fn new(ending: Ending) -> Sprouts {
        Sprouts { ending, numbers: Arc::default() }
    }
}

impl Drawing {
    /// Brings lands into canonical form and adds others that are in it already.
    fn new<'a, 'b>(
        generator: &mut Generator,
        drawn: impl Iterator<Item = &'a [u8]>,
        others: impl IntoIterator<Item = &'b Box<[u8]>>,
    ) -> Drawing {
        let mut lands: Vec<Box<[u8]>> = others.into_iter().cloned().collect();
        lands.extend(drawn.map(|land| {
            let mut form = Vec::new();
            generator.exact(land, &mut form);
            Box::from(form)
        }));
        lands.sort();
        Drawing(lands)
    }

    /// Appends the lands, each with its length before it.
    fn append_to(&self, bytes: &mut Vec<u8>) {
        for land in &self.0 {
            bytes.extend_from_slice(&(land.len() as u16).to_le_bytes());
            bytes.extend_from_slice(land);
        }
    }

    /// The inverse of [`Drawing::append_to`].
    fn of_bytes(mut bytes: &[u8]) -> Drawing {
        let mut lands = Vec::new();
        while let Some((&length, rest)) = bytes.split_first_chunk() {
            let (land, rest) = rest.split_at(usize::from(u16::from_le_bytes(length)));
            lands.push(Box::from(land));
            bytes = rest;
        }
        Drawing(lands)
    }

    /// The number of lives that are left.
    pub fn lives(&self) -> usize {
        self.0.iter().map(|land| code::lives(land)).sum()
    }

    /// The drawings after all moves, each once.
    fn options(&self) -> Vec<Drawing> {
        let mut generator = Generator::default();
        let (mut lists, mut options) = (ComponentLists::default(), Vec::new());
        for (i, land) in self.0.iter().enumerate() {
            if i > 0 && self.0[i - 1] == *land {
                continue;
            }
            lists.clear();
            generator.options(land, &mut lists);
            for list in lists.iter() {
                let others = self.0.iter().enumerate().filter(|&(j, _)| j != i);
                options.push(Drawing::new(&mut generator, list, others.map(|(_, land)| land)));
            }
        }
        options.sort();
        options.dedup();
        options
    }
}

impl Game for Sprouts {
    const NAME: &'static str = "sprouts";
    const SUMMARY: &'static str =
        "Join spots by curves that cross nothing, with a new spot on each; three curve ends a spot";
    const PLAYERS: [&'static str; 2] = ["first", "second"];
    const NOTATION: &'static str = "`0*5` for five spots; boundaries joined by `.`, regions by `|`, lands by `+`; `misere ` before it for misere play";
    const EXAMPLES: &'static [&'static str] = &["0*5", "0*2.1a1a|2", "0.AB|1.AB", "misere 0*4"];
    const IMPARTIAL: bool = true;

    type Position = Drawing;
    /// A move is identified by the position after it.
    type Move = Drawing;
    type Undo = Drawing;
    type Key = RunKey;
    type Options = Ending;

    fn options(&self) -> Ending {
        self.ending
    }

    fn read(text: &str) -> Result<(Self, Drawing), NotationError> {
        let text = text.trim();
        let (ending, drawing) = match text.strip_prefix(MISERE) {
            Some(drawing) => (Ending::Misere, drawing),
            None => (Ending::Normal, text),
        };
        let drawing = notation::read(drawing)?;
        let mut generator = Generator::default();
        let lands = generator.lands(&drawing);
        let drawing = Drawing::new(&mut generator, lands.list(0), []);
        if drawing.0.iter().any(|land| moves::most_options(land) > sums::MOST_OPTIONS) {
            let problem =
                "too many different boundaries in one region: there are millions of moves";
            return Err(NotationError::Position {
                text: text.to_owned(),
                problem: problem.to_owned(),
            });
        }
        Ok((Sprouts::new(ending), drawing))
    }

    fn write(&self, drawing: &Drawing) -> String {
        let rules = if self.is_misere() { MISERE } else { "" };
        let lands: Vec<String> = drawing.0.iter().map(|land| notation::write_land(land)).collect();
        let lands = if lands.is_empty() { "!".to_owned() } else { lands.join("+") };
        format!("{rules}{lands}")
    }

    fn write_move(&self, _: &Drawing, next: &Drawing) -> String {
        Sprouts::new(Ending::Normal).write(next)
    }

    /// One line for each land.
    fn draw(&self, drawing: &Drawing) -> String {
        if drawing.0.is_empty() {
            return "nothing left".to_owned();
        }
        let line = |land: &[u8]| {
            let (lives, regions) = (code::lives(land), code::regions(land).count());
            let plural = if regions == 1 { "" } else { "s" };
            format!("{}   ({lives} lives in {regions} region{plural})", notation::write_land(land))
        };
        drawing.0.iter().map(|land| line(land)).collect::<Vec<_>>().join("\n")
    }

    fn to_move(&self, _: &Drawing) -> Player {
        Player::First
    }

    fn moves(&self, drawing: &Drawing, moves: &mut Vec<Drawing>) {
        moves.extend(drawing.options());
    }

    fn is_legal(&self, drawing: &Drawing, next: &Drawing) -> bool {
        // A move is the position after it, so all moves have to be made. Tests compare with plane
        // drawings.
        drawing.options().binary_search(next).is_ok()
    }

    fn play(&self, drawing: &mut Drawing, next: &Drawing) -> Drawing {
        std::mem::replace(drawing, next.clone())
    }

    fn undo(&self, drawing: &mut Drawing, _: &Drawing, before: Drawing) {
        *drawing = before;
    }

    fn is_misere(&self) -> bool {
        self.ending == Ending::Misere
    }

    fn final_value(&self, _: &Drawing) -> Value {
        if self.is_misere() { Value::Win } else { Value::Loss }
    }

    fn key(&self, drawing: &Drawing) -> RunKey {
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        let next = RunKey(numbers.len() as u64);
        *numbers.entry_ref(drawing).or_insert(next)
    }
}

impl Sprouts {
    /// The capabilities beyond the rules.
    pub const CAPABILITIES: Capabilities<Sprouts> = Capabilities {
        components: Some(Sprouts::components),
        sums: Some(Sprouts::sums),
        ..Capabilities::NONE
    };

    /// Each land is a component.
    pub fn components(&self, drawing: &Drawing) -> Vec<Drawing> {
        drawing.0.iter().map(|land| Drawing(vec![land.clone()])).collect()
    }

    /// The game for searches with nimbers.
    pub fn sums(&self) -> Box<dyn SumsOf<Sprouts>> {
        if self.is_misere() { Box::new(Wholes) } else { Box::new(Lands) }
    }
}

impl Guided for Sprouts {}
