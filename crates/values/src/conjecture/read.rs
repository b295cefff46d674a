//! Reads expressions, in the notation in which they are written.

use thiserror::Error;

use super::expression::Expression;
use super::operators::{Binary, OPERATORS, Operator, Unary};

/// Why a text is not an expression.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("column {column}: {problem}")]
pub struct BadExpression {
    /// The place, counted from one in characters.
    pub column: usize,
    /// What is wrong there.
    pub problem: String,
}

/// The deepest nesting of brackets and signs. More would only exhaust the stack.
const DEEPEST: usize = 200;
/// The longest expression in characters, for the same reason.
const LONGEST: usize = 4000;

impl Expression {
    /// Reads an expression over invariants with these names. Unlike conjectures, it may contain
    /// numbers.
    pub fn read(text: &str, names: &[String]) -> Result<Expression, BadExpression> {
        let mut reader = Reader { text, place: 0, names, depth: 0 };
        if text.chars().count() > LONGEST {
            return Err(reader.bad(format!("an expression has up to {LONGEST} characters")));
        }
        let expression = reader.sum()?;
        match reader.peek() {
            None => Ok(expression),
            Some(_) => Err(reader.unexpected("an operator")),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    place: usize,
    names: &'a [String],
    depth: usize,
}

impl Reader<'_> {
    fn bad(&self, problem: impl Into<String>) -> BadExpression {
        let column = self.text[..self.place].chars().count() + 1;
        BadExpression { column, problem: problem.into() }
    }

    fn unexpected(&mut self, expected: &str) -> BadExpression {
        let found = self
            .peek()
            .map_or("the end".to_owned(), |letter| format!("`{}`", letter.escape_default()));
        self.bad(format!("expected {expected}, found {found}"))
    }

    fn rest(&self) -> &str {
        &self.text[self.place..]
    }

    /// The next character that is not a space.
    fn peek(&mut self) -> Option<char> {
        self.place = self.text.len() - self.rest().trim_start().len();
        self.rest().chars().next()
    }

    fn take(&mut self, letter: char) -> bool {
        let is_next = self.peek() == Some(letter);
        if is_next {
            self.place += letter.len_utf8();
        }
        is_next
    }

    fn expect(&mut self, letter: char) -> Result<(), BadExpression> {
        if self.take(letter) { Ok(()) } else { Err(self.unexpected(&format!("`{letter}`"))) }
    }

    fn sum(&mut self) -> Result<Expression, BadExpression> {
        let mut sum = self.product()?;
        loop {
            let operator = match self.peek() {
                Some('+') => Binary::Sum,
                Some('-') => Binary::Difference,
                _ => return Ok(sum),
            };
            self.place += 1;
            sum = join(operator, sum, self.product()?);
        }
    }

    fn product(&mut self) -> Result<Expression, BadExpression> {
        let mut product = self.signed()?;
        loop {
            let operator = match self.peek() {
                Some('*') => Binary::Product,
                Some('/') => Binary::Quotient,
                _ => return Ok(product),
            };
            self.place += 1;
            product = join(operator, product, self.signed()?);
        }
    }

    fn signed(&mut self) -> Result<Expression, BadExpression> {
        self.deeper(|reader| {
            if !reader.take('-') {
                return reader.power();
            }
            Ok(match reader.signed()? {
                Expression::Constant(value) => Expression::Constant(-value),
                x => Expression::Unary(Unary::Negation, Box::new(x)),
            })
        })
    }

    fn power(&mut self) -> Result<Expression, BadExpression> {
        let base = self.atom()?;
        if !self.take('^') {
            return Ok(base);
        }
        // Powers are right-associative, as usual.
        let exponent = self.signed()?;
        Ok(join(Binary::Power, base, exponent))
    }

    fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, BadExpression>,
    ) -> Result<T, BadExpression> {
        if self.depth == DEEPEST {
            return Err(self.bad(format!("more than {DEEPEST} brackets or signs in one another")));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn atom(&mut self) -> Result<Expression, BadExpression> {
        if self.take('(') {
            let inner = self.sum()?;
            self.expect(')')?;
            return Ok(inner);
        }
        if let Some(operator) = self.function() {
            return self.arguments(operator);
        }
        if let Some(index) = self.name() {
            self.place += self.names[index].len();
            return Ok(Expression::Invariant(index));
        }
        self.number()
    }

    /// A function with its opening bracket.
    fn function(&mut self) -> Option<Operator> {
        self.peek();
        let is_next = |name: &str| {
            name.starts_with(char::is_alphabetic)
                && self
                    .rest()
                    .strip_prefix(name)
                    .is_some_and(|rest| rest.trim_start().starts_with('('))
        };
        let &(name, operator) = OPERATORS.iter().find(|(name, _)| is_next(name))?;
        self.place += name.len();
        self.take('(');
        Some(operator)
    }

    fn arguments(&mut self, operator: Operator) -> Result<Expression, BadExpression> {
        let first = Box::new(self.sum()?);
        let expression = match operator {
            Operator::Unary(operator) => Expression::Unary(operator, first),
            Operator::Binary(operator) => {
                self.expect(',')?;
                Expression::Binary(operator, first, Box::new(self.sum()?))
            }
        };
        self.expect(')')?;
        Ok(expression)
    }

    /// The longest name that comes next: names of columns may contain anything.
    fn name(&self) -> Option<usize> {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let is_next = |name: &String| {
            let end = self.rest().strip_prefix(name.as_str());
            let is_cut = |rest: &str| name.ends_with(is_part) && rest.starts_with(is_part);
            !name.is_empty() && end.is_some_and(|rest| !is_cut(rest))
        };
        let found = self.names.iter().enumerate().filter(|(_, name)| is_next(name));
        found.max_by_key(|(_, name)| name.len()).map(|(index, _)| index)
    }

    fn number(&mut self) -> Result<Expression, BadExpression> {
        let is_digit = |letter: char| letter.is_ascii_digit() || letter == '.';
        let rest = self.rest();
        let digits = rest.find(|letter| !is_digit(letter)).map_or(rest, |end| &rest[..end]);
        match digits.parse() {
            Ok(value) => {
                self.place += digits.len();
                Ok(Expression::Constant(value))
            }
            Err(_) => Err(self.no_operand()),
        }
    }

    fn no_operand(&mut self) -> BadExpression {
        let rest = self.rest();
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
        let word = rest.find(|letter| !is_part(letter)).map_or(rest, |end| &rest[..end]).to_owned();
        if word.is_empty() {
            return self.unexpected("an invariant, a function or a number");
        }
        let names = self.names.join(", ");
        self.bad(format!("`{word}` is no invariant: there are {names}"))
    }
}

/// An operator of two arguments, or the operator of one argument that it forms with a number.
fn join(operator: Binary, x: Expression, y: Expression) -> Expression {
    let number = |expression: &Expression| match expression {
        Expression::Constant(value) => Some(*value),
        _ => None,
    };
    let unary = match (operator, number(&x), number(&y)) {
        (Binary::Sum, None, Some(1.0)) => Unary::Increment,
        (Binary::Difference, None, Some(1.0)) => Unary::Decrement,
        (Binary::Quotient, None, Some(2.0)) => Unary::Half,
        (Binary::Power, None, Some(2.0)) => Unary::Square,
        (Binary::Product, Some(2.0), None) => return Expression::Unary(Unary::Double, Box::new(y)),
        (Binary::Quotient, Some(1.0), None) => {
            return Expression::Unary(Unary::Reciprocal, Box::new(y));
        }
        _ => return Expression::Binary(operator, Box::new(x), Box::new(y)),
    };
    Expression::Unary(unary, Box::new(x))
}
