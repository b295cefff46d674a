//! Making the options of parts: once for each part, as lists of numbers of parts.

use papamu_game::sums::{ComponentLists, Generator};

use super::codes::Wanted;
use super::lands::{Halt, Land, Lands, Options};
use super::recent::Recent;

/// What makes options: one for each thread.
pub(super) struct Maker<'a> {
    generator: Box<dyn Generator + 'a>,
    /// Options as parts that are not in canonical form.
    drawn: ComponentLists,
    numbering: Numbering,
    words: Vec<u32>,
    spans: Vec<Span>,
}

/// Finds the numbers of parts.
struct Numbering {
    numbers: Vec<Land>,
    recent: Recent,
    /// Canonical forms of parts that are not remembered, one after the other, and what is to be found of them.
    forms: Vec<u8>,
    wanted: Vec<Wanted>,
    /// The numbers before this one are found.
    found: usize,
}

/// The parts of an option while options are being made.
struct Span {
    /// The first two parts, which tell most options apart.
    key: u64,
    from: usize,
    to: usize,
}

impl Span {
    /// All words from one on.
    fn new(words: &[u32], from: usize) -> Span {
        let mut first = words[from..].iter().map(|&word| u64::from(word) + 1);
        let [high, low] = [first.next(), first.next()].map(Option::unwrap_or_default);
        Span { key: high << 32 | low, from, to: words.len() }
    }
}

impl<'a> Maker<'a> {
    pub(super) fn new(lands: &Lands<'a>) -> Maker<'a> {
        Maker {
            generator: lands.sums().generator(),
            drawn: ComponentLists::default(),
            numbering: Numbering {
                numbers: Vec::new(),
                recent: Recent::new(),
                forms: Vec::new(),
                wanted: Vec::new(),
                found: 0,
            },
            words: Vec::new(),
            spans: Vec::new(),
        }
    }

    /// The options of a part, sorted and each once.
    pub(super) fn options(&mut self, lands: &Lands, code: &[u8]) -> Result<Box<[u32]>, Halt> {
        self.drawn.clear();
        self.generator.options(code, &mut self.drawn)?;
        let (drawn, generator) = (&self.drawn, &mut *self.generator);
        self.numbering.number(drawn.components(), generator, lands)?;
        self.words.clear();
        self.spans.clear();
        for list in 0..self.drawn.len() {
            let first = self.words.len();
            self.words.extend_from_slice(&self.numbering.numbers[self.drawn.components_in(list)]);
            let words = &mut self.words[first..];
            words.sort_unstable();
            let kept = if lands.sums().has_nimbers() { cancel_pairs(words) } else { words.len() };
            self.words.truncate(first + kept);
            self.spans.push(Span::new(&self.words, first));
        }
        let words = &self.words;
        self.spans.sort_unstable_by(|a, b| {
            a.key.cmp(&b.key).then_with(|| words[a.from..a.to].cmp(&words[b.from..b.to]))
        });
        self.spans.dedup_by(|a, b| a.key == b.key && words[a.from..a.to] == words[b.from..b.to]);
        Ok(Options::join(self.spans.iter().map(|span| &words[span.from..span.to]), words.len()))
    }
}

impl Numbering {
    /// Finds the numbers of parts.
    fn number<'p>(
        &mut self,
        parts: impl Iterator<Item = &'p [u8]> + Clone,
        generator: &mut dyn Generator,
        lands: &Lands,
    ) -> Result<(), Halt> {
        self.numbers.clear();
        self.found = 0;
        self.recent.look_up(parts.clone());
        for (i, part) in parts.enumerate() {
            let slot = self.recent.slot(i);
            let number = slot.land_of(part).unwrap_or_else(|| {
                let from = self.forms.len();
                generator.canonical(part, &mut self.forms);
                let number = WANTED | self.wanted.len() as u32;
                self.wanted.push(lands.wanted(&self.forms, from));
                slot.set(part, number);
                number
            });
            self.numbers.push(number);
            if self.forms.len() >= MOST_FORMS_BYTES {
                self.find(lands)?;
            }
        }
        self.find(lands)
    }

    /// Finds the numbers of all forms that were made.
    fn find(&mut self, lands: &Lands) -> Result<(), Halt> {
        let found = lands.find(&self.forms, &mut self.wanted);
        let land_of = |number: u32| match number.checked_sub(WANTED) {
            Some(place) => self.wanted[place as usize].land,
            None => number,
        };
        let new = self.found..self.numbers.len();
        self.numbers[new.clone()].iter_mut().for_each(|number| *number = land_of(*number));
        self.recent.change(new, land_of);
        if found.is_err() {
            // Some have no numbers.
            self.recent = Recent::new();
        }
        self.found = self.numbers.len();
        self.forms.clear();
        self.wanted.clear();
        found
    }
}

/// So many bytes of forms are kept before their numbers are found: enough to find many together.
const MOST_FORMS_BYTES: usize = 1 << 16;

/// Set in a number that stands for a place among the wanted.
const WANTED: u32 = 1 << 31;

/// Takes equal neighbours out of a sorted list; how many are left.
pub(super) fn cancel_pairs(words: &mut [u32]) -> usize {
    let mut kept = 0;
    for i in 0..words.len() {
        if kept > 0 && words[kept - 1] == words[i] {
            kept -= 1;
        } else {
            words[kept] = words[i];
            kept += 1;
        }
    }
    kept
}
