//! The notations that values are written in.

use crate::dyadic::Dyadic;
use crate::simple::Simple;

/// How values are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Notation {
    /// As in this library: `{1^|-3/4,*2}`.
    #[default]
    Plain,
    /// Mathematics of LaTeX with amsmath, without the dollars: `\left\{1{\uparrow} \mid
    /// -\frac{3}{4},{\ast}2\right\}`.
    ///
    /// Three ups are `3\cdot{\uparrow}`: with a superscript they would be the third up of the
    /// uptimals.
    Latex,
    /// What CGSuite 2 reads: `{1+^|-3/4,*2}`. There `1^` would be a power and `1*2` a product, so a
    /// number and the rest are written as a sum. [`Forms::read`](crate::Forms::read) understands
    /// it, too.
    Cgsuite,
}

/// The brackets around options.
pub(crate) struct Brackets {
    pub(crate) open: &'static str,
    pub(crate) bar: &'static str,
    pub(crate) close: &'static str,
    /// Stands for a form that is too long.
    pub(crate) omitted: &'static str,
}

/// The symbols of closed forms.
struct Symbols {
    /// One up, two ups, and the beginning of more.
    ups: [&'static str; 3],
    downs: [&'static str; 3],
    star: &'static str,
    /// Between a number and the rest.
    plus: &'static str,
}

impl Notation {
    pub(crate) fn brackets(self) -> Brackets {
        match self {
            Notation::Plain | Notation::Cgsuite => {
                Brackets { open: "{", bar: "|", close: "}", omitted: "..." }
            }
            Notation::Latex => Brackets {
                open: r"\left\{",
                bar: r" \mid ",
                close: r"\right\}",
                omitted: r"\ldots ",
            },
        }
    }

    fn symbols(self) -> Symbols {
        match self {
            Notation::Plain | Notation::Cgsuite => Symbols {
                ups: ["^", "^^", "^"],
                downs: ["v", "vv", "v"],
                star: "*",
                plus: if self == Notation::Plain { "" } else { "+" },
            },
            // Braces keep a symbol from being set as a relation or operator, with space around it.
            Notation::Latex => Symbols {
                ups: [r"{\uparrow}", r"{\Uparrow}", r"\cdot{\uparrow}"],
                downs: [r"{\downarrow}", r"{\Downarrow}", r"\cdot{\downarrow}"],
                star: r"{\ast}",
                plus: "",
            },
        }
    }

    /// A number in this notation.
    pub fn number(self, number: Dyadic) -> String {
        match (self, number.exponent()) {
            (Notation::Plain | Notation::Cgsuite, _) | (_, 0) => number.to_string(),
            (Notation::Latex, exponent) => {
                let sign = if number.numerator() < 0 { "-" } else { "" };
                format!(
                    r"{sign}\frac{{{}}}{{{}}}",
                    number.numerator().unsigned_abs(),
                    1_u64 << exponent
                )
            }
        }
    }

    /// A closed form in this notation.
    pub fn simple(self, simple: Simple) -> String {
        let Symbols { ups, downs, star, plus } = self.symbols();
        let mut text = String::new();
        if simple.number != Dyadic::ZERO || simple.is_number() {
            text.push_str(&self.number(simple.number));
            if !simple.is_number() {
                // A multiple of up must not merge with the number.
                let many = self == Notation::Latex && simple.ups.unsigned_abs() > 2;
                text.push_str(if many { "+" } else { plus });
            }
        }
        let [one, two, more] = if simple.ups > 0 { ups } else { downs };
        match (simple.ups.unsigned_abs(), self) {
            (0, _) => (),
            (1, _) => text.push_str(one),
            (2, _) => text.push_str(two),
            (count, Notation::Latex) => text.push_str(&format!("{count}{more}")),
            (count, _) => text.push_str(&format!("{more}{count}")),
        }
        match simple.nimber {
            0 => (),
            1 => text.push_str(star),
            nimber => text.push_str(&format!("{star}{nimber}")),
        }
        text
    }
}
