//! Makes the options of components: once for each component, as lists of component numbers.

use papamu_game::sums::{ComponentLists, Generator};

use super::codes::Wanted;
use super::components::{ComponentId, ComponentTable, Halt, Options};
use super::recent::Recent;

/// Makes options. Each thread has one.
pub(super) struct Maker<'a> {
    generator: Box<dyn Generator + 'a>,
    /// Options as components that are not in canonical form.
    drawn: ComponentLists,
    numbering: Numbering,
    words: Vec<u32>,
    spans: Vec<Span>,
}

/// Finds the numbers of components.
struct Numbering {
    numbers: Vec<ComponentId>,
    recent: Recent,
    /// Canonical forms of components that are not remembered, stored one after the other, and the
    /// lookups for them.
    forms: Vec<u8>,
    wanted: Vec<Wanted>,
    /// The numbers before this one are final.
    found: usize,
}

/// The components of an option that is being made.
struct Span {
    /// The first two components, which tell most options apart.
    key: u64,
    from: usize,
    to: usize,
}

impl Span {
    /// All words from `from` on.
    fn new(words: &[u32], from: usize) -> Span {
        let mut first = words[from..].iter().map(|&word| u64::from(word) + 1);
        let [high, low] = [first.next(), first.next()].map(Option::unwrap_or_default);
        Span { key: high << 32 | low, from, to: words.len() }
    }
}

impl<'a> Maker<'a> {
    pub(super) fn new(table: &ComponentTable<'a>) -> Maker<'a> {
        Maker {
            generator: table.sums().generator(),
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

    /// The options of a component, sorted and without duplicates.
    pub(super) fn options(
        &mut self,
        table: &ComponentTable,
        code: &[u8],
    ) -> Result<Box<[u32]>, Halt> {
        self.drawn.clear();
        self.generator.options(code, &mut self.drawn)?;
        let (drawn, generator) = (&self.drawn, &mut *self.generator);
        self.numbering.number(drawn.components(), generator, table)?;
        self.words.clear();
        self.spans.clear();
        for list in 0..self.drawn.len() {
            let first = self.words.len();
            self.words.extend_from_slice(&self.numbering.numbers[self.drawn.components_in(list)]);
            let words = &mut self.words[first..];
            words.sort_unstable();
            let kept = if table.sums().has_nimbers() { cancel_pairs(words) } else { words.len() };
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
    /// Finds the numbers of components.
    fn number<'p>(
        &mut self,
        components: impl Iterator<Item = &'p [u8]> + Clone,
        generator: &mut dyn Generator,
        table: &ComponentTable,
    ) -> Result<(), Halt> {
        self.numbers.clear();
        self.found = 0;
        self.recent.look_up(components.clone());
        for (i, component) in components.enumerate() {
            let slot = self.recent.slot(i);
            let number = slot.id_of(component).unwrap_or_else(|| {
                let from = self.forms.len();
                generator.canonical(component, &mut self.forms);
                let number = WANTED | self.wanted.len() as u32;
                self.wanted.push(table.wanted(&self.forms, from));
                slot.set(component, number);
                number
            });
            self.numbers.push(number);
            if self.forms.len() >= MOST_FORMS_BYTES {
                self.find(table)?;
            }
        }
        self.find(table)
    }

    /// Looks up the numbers of all forms that were made.
    fn find(&mut self, table: &ComponentTable) -> Result<(), Halt> {
        let found = table.find(&self.forms, &mut self.wanted);
        let id_of = |number: u32| match number.checked_sub(WANTED) {
            Some(place) => self.wanted[place as usize].id,
            None => number,
        };
        let new = self.found..self.numbers.len();
        self.numbers[new.clone()].iter_mut().for_each(|number| *number = id_of(*number));
        self.recent.change(new, id_of);
        if found.is_err() {
            // Some slots still hold placeholders.
            self.recent = Recent::new();
        }
        self.found = self.numbers.len();
        self.forms.clear();
        self.wanted.clear();
        found
    }
}

/// The forms are looked up once they take this many bytes: enough for a large batch.
const MOST_FORMS_BYTES: usize = 1 << 16;

/// Marks a number that is an index into the pending lookups.
const WANTED: u32 = 1 << 31;

/// Removes pairs of equal neighbours from a sorted list. Returns the number of words that remain.
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
