//! Reads expressions: values in the usual notation, sums, negatives and functions of them.
//!
//! ```text
//! sum    = term (("+" | "-") term)*
//! term   = "-" term | "+-" term | "-" number [ups] [star] | factor (":" ["-"] factor)*
//! factor = number [ups] [star] | ups [star] | star
//!        | "{" game "}" | "(" sum ")" | name "(" sum, ... ")"
//! number = digits ["/" digits]
//! ups    = "^"* [digits] | "v"* [digits]
//! star   = "*" [digits]
//! game   = sums "|" sums, where more bars bind less: {3||2|1} is {3|{2|1}}
//! ```

use thiserror::Error;

use crate::canonical::Side;
use crate::dyadic::Dyadic;
use crate::forms::{Forms, Halt, Value};
use crate::functions::FUNCTIONS;
use crate::simple::{LARGEST_NIMBER, MOST_UPS, Simple};

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It is not well formed.
    #[error("column {column}: {problem}")]
    Syntax {
        /// The place, in characters from 1.
        column: usize,
        /// What is wrong there.
        problem: String,
    },
    /// A part of it has no value.
    #[error("column {column}: {part}: {problem}")]
    Undefined {
        /// Where the part begins, in characters from 1.
        column: usize,
        /// The part, shortened if it is long.
        part: String,
        /// Why it has none.
        problem: Halt,
    },
    /// It takes too much work.
    #[error(transparent)]
    Halt(Halt),
}

/// The deepest nesting of brackets.
const MOST_LEVELS: usize = 250;

impl Forms {
    /// `{G|-G}`
    fn switch(&self, value: Value) -> Result<Value, Halt> {
        let side = |value| Side::from_slice(&[value]);
        self.from_options([side(value), side(self.negative(value)?)])
    }

    /// The value of an expression.
    pub fn read(&self, text: &str) -> Result<Value, ReadError> {
        let mut reader = Reader::new(self, text);
        let value = reader.sum()?;
        match reader.peek() {
            None => Ok(value),
            Some(c) => Err(reader.wrong(format!("unexpected `{c}`"))),
        }
    }

    /// The options as they are written, if the whole expression is one `{...|...}`.
    pub fn read_options(&self, text: &str) -> Result<Option<[Side; 2]>, ReadError> {
        let mut reader = Reader::new(self, text);
        if reader.peek() != Some('{') {
            return Ok(None);
        }
        let options = reader.game()?;
        Ok(reader.peek().is_none().then_some(options))
    }
}

/// Longer parts of expressions are shortened in messages.
const LONGEST_PART: usize = 60;

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_PART) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

struct Reader<'a> {
    forms: &'a Forms,
    text: Vec<char>,
    at: usize,
    levels: usize,
}

impl<'a> Reader<'a> {
    fn new(forms: &'a Forms, text: &str) -> Reader<'a> {
        Reader { forms, text: text.chars().collect(), at: 0, levels: 0 }
    }

    /// Names the part that ends here if it has no value. Lack of time or memory has no place.
    fn placed<T>(&self, start: usize, result: Result<T, Halt>) -> Result<T, ReadError> {
        result.map_err(|halt| match halt {
            halt if halt.is_unfinished() => ReadError::Halt(halt),
            problem => {
                let part: String = self.text[start..self.at].iter().collect();
                let part = shortened(part.trim_end());
                ReadError::Undefined { column: start + 1, part, problem }
            }
        })
    }

    /// Where the next part begins.
    fn start(&mut self) -> usize {
        self.peek();
        self.at
    }

    fn wrong(&self, problem: impl Into<String>) -> ReadError {
        ReadError::Syntax { column: self.at + 1, problem: problem.into() }
    }

    /// The next character, without skipping any.
    fn adjacent(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    /// The next character that is not a space.
    fn peek(&mut self) -> Option<char> {
        while self.adjacent().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
        self.adjacent()
    }

    fn accept(&mut self, c: char) -> bool {
        let is_next = self.peek() == Some(c);
        self.at += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, c: char) -> Result<(), ReadError> {
        if self.accept(c) {
            return Ok(());
        }
        Err(match self.peek() {
            Some(other) => self.wrong(format!("expected `{c}`, found `{other}`")),
            None => self.wrong(format!("expected `{c}`, found the end")),
        })
    }

    fn sum(&mut self) -> Result<Value, ReadError> {
        let start = self.start();
        let mut sum = self.term()?;
        loop {
            if self.accept('+') {
                let term = self.term()?;
                sum = self.placed(start, self.forms.add(sum, term))?;
            } else if self.accept('-') {
                let term = self.term()?;
                sum = self.placed(start, self.forms.subtract(sum, term))?;
            } else {
                return Ok(sum);
            }
        }
    }

    fn term(&mut self) -> Result<Value, ReadError> {
        self.forms.step().map_err(ReadError::Halt)?;
        self.nested(|reader| {
            let start = reader.start();
            if reader.accept('-') {
                if reader.adjacent().is_some_and(|c| c.is_ascii_digit()) {
                    return reader.simple(true);
                }
                let value = reader.term()?;
                return reader.placed(start, reader.forms.negative(value));
            }
            if reader.peek() == Some('+') && reader.text.get(reader.at + 1) == Some(&'-') {
                reader.at += 2;
                let value = reader.term()?;
                return reader.placed(start, reader.forms.switch(value));
            }
            if reader.accept('±') {
                let value = reader.term()?;
                return reader.placed(start, reader.forms.switch(value));
            }
            let mut value = reader.factor()?;
            while reader.accept(':') {
                let is_negative = reader.accept('-');
                let mut other = reader.factor()?;
                if is_negative {
                    other = reader.placed(start, reader.forms.negative(other))?;
                }
                value = reader.placed(start, reader.forms.ordinal_sum(value, other))?;
            }
            Ok(value)
        })
    }

    /// Limits the nesting of brackets, which would exhaust the stack.
    fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        if self.levels == MOST_LEVELS {
            return Err(self.wrong(format!("more than {MOST_LEVELS} levels")));
        }
        self.levels += 1;
        let result = read(self);
        self.levels -= 1;
        result
    }

    fn factor(&mut self) -> Result<Value, ReadError> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let value = self.sum()?;
                self.expect(')')?;
                Ok(value)
            }
            Some('{') => {
                let start = self.at;
                let options = self.game()?;
                self.placed(start, self.forms.from_options(options))
            }
            Some('0'..='9' | '^' | 'v' | '*' | '↑' | '↓' | '⋆') => self.simple(false),
            Some(c) if c.is_alphabetic() => self.function(),
            Some(c) => Err(self.wrong(format!(
                "expected a value such as `3/4`, `*2`, `^`, `v` or `{{1|0}}`, found `{c}`"
            ))),
            None => Err(self.wrong("expected a value, found the end")),
        }
    }

    /// Digits that follow immediately.
    fn digits(&mut self) -> Result<Option<i64>, ReadError> {
        let start = self.at;
        while self.adjacent().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        if start == self.at {
            return Ok(None);
        }
        let digits: String = self.text[start..self.at].iter().collect();
        digits.parse().map(Some).map_err(|_| {
            self.at = start;
            self.wrong(format!("{} is too large", shortened(&digits)))
        })
    }

    /// A number, ups and a nimber that follow each other without spaces. A sign before them belongs
    /// to the number alone: `-1v` is -1 + v.
    fn simple(&mut self, is_negative: bool) -> Result<Value, ReadError> {
        let start = self.at;
        let mut simple = Simple::default();
        if let Some(numerator) = self.digits()? {
            let number = self.number(numerator)?;
            simple.number = if is_negative { -number } else { number };
        }
        if let Some(arrow @ ('^' | 'v' | '↑' | '↓')) = self.adjacent() {
            let start = self.at;
            while self.adjacent() == Some(arrow) {
                self.at += 1;
            }
            let arrows = (self.at - start) as i64;
            let ups = match self.digits()? {
                Some(_) if arrows > 1 => {
                    return Err(self.wrong("either several arrows or one and a number"));
                }
                Some(ups) => ups,
                None => arrows,
            };
            if ups > i64::from(MOST_UPS) {
                self.at = start;
                return Err(self.wrong(format!("more than {MOST_UPS} ups")));
            }
            simple.ups = if matches!(arrow, '^' | '↑') { ups as i32 } else { -(ups as i32) };
        }
        if let Some('*' | '⋆') = self.adjacent() {
            self.at += 1;
            let start = self.at;
            let nimber = self.digits()?.unwrap_or(1);
            if nimber > i64::from(LARGEST_NIMBER) {
                self.at = start;
                return Err(self.wrong(format!("nimbers go up to *{LARGEST_NIMBER}")));
            }
            simple.nimber = nimber as u32;
        }
        self.placed(start, self.forms.simple(simple))
    }

    /// A number whose numerator was read.
    fn number(&mut self, numerator: i64) -> Result<Dyadic, ReadError> {
        let mut exponent = 0;
        if self.adjacent() == Some('/') {
            self.at += 1;
            let start = self.at;
            let denominator = self.digits()?;
            match denominator.and_then(|d| u64::try_from(d).ok()).filter(|d| d.is_power_of_two()) {
                Some(denominator) => exponent = denominator.trailing_zeros(),
                None => {
                    self.at = start;
                    return Err(self.wrong("a denominator is a power of two: 2, 4, 8, ..."));
                }
            }
        }
        let number = Dyadic::new(i128::from(numerator), exponent);
        number.ok_or_else(|| self.wrong("the number is too large or too fine"))
    }

    /// What is between braces.
    fn game(&mut self) -> Result<[Side; 2], ReadError> {
        let start = self.start();
        self.expect('{')?;
        // Options, separated by runs of bars.
        let mut sides = vec![self.options()?];
        let mut bars = Vec::new();
        loop {
            match self.peek() {
                Some('|') => {
                    let start = self.at;
                    while self.adjacent() == Some('|') {
                        self.at += 1;
                    }
                    bars.push(self.at - start);
                    sides.push(self.options()?);
                }
                Some('}') if !bars.is_empty() => {
                    self.at += 1;
                    return self.split(&sides, &bars, start);
                }
                Some(c) => {
                    return Err(self.wrong(format!("expected `,`, `|` or `}}`, found `{c}`")));
                }
                None => return Err(self.wrong("a `{` is not closed")),
            }
        }
    }

    /// The options of the game that begins at the start, divided at its longest run of bars.
    fn split(
        &mut self,
        sides: &[Side],
        bars: &[usize],
        start: usize,
    ) -> Result<[Side; 2], ReadError> {
        self.nested(|reader| {
            let most = bars.iter().copied().max().unwrap_or(0);
            let place = bars.iter().position(|&count| count == most).unwrap_or(0);
            if bars.iter().filter(|&&count| count == most).count() > 1 {
                return Err(
                    reader.wrong("two runs of bars of the same length: which divides first?")
                );
            }
            let mut side = |sides: &[Side], bars: &[usize]| match sides {
                [side] => Ok(side.clone()),
                _ => {
                    let options = reader.split(sides, bars, start)?;
                    let value = reader.placed(start, reader.forms.from_options(options))?;
                    Ok(Side::from_slice(&[value]))
                }
            };
            let left = side(&sides[..=place], &bars[..place])?;
            let right = side(&sides[place + 1..], &bars[place + 1..])?;
            Ok([left, right])
        })
    }

    /// Values between commas, or none.
    fn options(&mut self) -> Result<Side, ReadError> {
        let mut options = Side::new();
        if matches!(self.peek(), Some('|' | '}')) {
            return Ok(options);
        }
        loop {
            options.push(self.sum()?);
            if !self.accept(',') {
                return Ok(options);
            }
        }
    }

    /// `name(value, ...)`
    fn function(&mut self) -> Result<Value, ReadError> {
        let start = self.at;
        while self.adjacent().is_some_and(|c| c.is_alphanumeric() || c == '_') {
            self.at += 1;
        }
        let name: String = self.text[start..self.at].iter().collect();
        let Some(function) = FUNCTIONS.iter().find(|function| function.name == name) else {
            self.at = start;
            let names: Vec<&str> = FUNCTIONS.iter().map(|function| function.name).collect();
            let name = shortened(&name);
            return Err(self.wrong(format!("unknown `{name}`: there are {}", names.join(", "))));
        };
        self.expect('(')?;
        let mut arguments = vec![self.sum()?];
        while self.accept(',') {
            arguments.push(self.sum()?);
        }
        self.expect(')')?;
        if arguments.len() != function.parameters.len() {
            self.at = start;
            let expected = function.parameters.join(", ");
            return Err(self.wrong(format!("it is {name}({expected})")));
        }
        self.placed(start, (function.apply)(self.forms, &arguments))
    }
}
