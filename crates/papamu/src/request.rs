//! Requests to verbs, as plain data with defaults, and one table of options per verb.
//!
//! A line of the macro `request!` defines a field of the struct, how it is read from text, its
//! default, its range, its help and where it applies. Front ends make their flags, keyword
//! arguments and forms from [`Request::OPTIONS`]; no option is written twice.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use papamu_search::options::Algorithm;

use crate::Error;

/// A request to a verb.
pub trait Request: Default + Sized + 'static {
    /// The name of the verb, such as `check-game`.
    const VERB: &'static str;
    /// What it does, in one line.
    const SUMMARY: &'static str;
    /// Further help, in paragraphs.
    const DETAILS: &'static str;
    /// Its options, in the order in which they are shown.
    const OPTIONS: &'static [OptionOf<Self>];

    /// Sets an option from text. One that takes several values may be set several times.
    fn set(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let is_called = |about: &OptionInfo| about.name == name || about.alias == Some(name);
        let option = Self::OPTIONS.iter().find(|option| is_called(&option.about));
        let option = option.ok_or_else(|| Error::NoSuchOption {
            verb: Self::VERB,
            name: name.to_owned(),
            known: Self::OPTIONS.iter().map(|option| option.about.name).collect(),
        })?;
        (option.set)(self, text)
            .map_err(|problem| Error::option(option.about.name, format!("`{text}`: {problem}")))
    }

    /// The options that were given.
    fn given(&self) -> impl Iterator<Item = &'static OptionInfo> {
        Self::OPTIONS.iter().filter(|option| (option.is_given)(self)).map(|option| &option.about)
    }

    /// Refuses options that do not apply to a search.
    fn check_applies(&self, search: &Applicability) -> Result<(), Error> {
        for option in self.given() {
            option.applies.check(search).map_err(|problem| Error::option(option.name, problem))?;
        }
        Ok(())
    }
}

/// An option of a request.
pub struct OptionOf<R> {
    /// Its description.
    pub about: OptionInfo,
    /// Sets it from text.
    pub set: fn(&mut R, &str) -> Result<(), String>,
    /// Whether it was given.
    pub is_given: fn(&R) -> bool,
}

/// The description of an option.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct OptionInfo {
    /// Its name, in snake case.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// The placeholder of its value in help texts; empty for a switch.
    pub value: &'static str,
    /// Where it stands on a command line.
    pub place: Place,
    /// Its short form.
    pub short: Option<char>,
    /// Another name that is understood, too.
    pub alias: Option<&'static str>,
    /// Whether it takes several values.
    pub is_list: bool,
    /// Its default, if it has one.
    pub default: Option<fn() -> String>,
    /// Where it applies.
    pub applies: Applies,
}

/// Where an option stands on a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A flag.
    Flag,
    /// A word of its own, which must be there.
    Word,
    /// An optional word of its own.
    OptionalWord,
    /// All words that are left, joined by spaces; at least one.
    Words,
    /// All words that are left, joined by spaces, or nothing.
    OptionalWords,
    /// All words that are left, each by itself; at least one.
    Each,
}

/// Where an option applies. An option that does not apply is refused, never ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applies {
    /// To everything.
    Always,
    /// To algorithms with several threads, and to certificates.
    Parallel,
    /// To searches of trees: not with nimbers, not with the reference solver.
    Trees,
    /// To proof-number searches of trees.
    TreeProofNumbers,
    /// To proof-number searches: of trees or with nimbers.
    ProofNumbers,
    /// To df-pn, of trees or with nimbers.
    DfPn,
    /// To PN2.
    Pn2,
    /// To searches with nimbers.
    Nimbers,
    /// To all searches but the reference solver.
    Searches,
}

/// The search to which options have to apply.
#[derive(Clone, Copy, Debug)]
pub struct Applicability {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Whether the game is searched with nimbers: it is impartial.
    pub is_impartial: bool,
    /// Whether a certificate is wanted.
    pub is_certified: bool,
}

impl Applies {
    fn check(self, search: &Applicability) -> Result<(), String> {
        let Applicability { algorithm, is_impartial, is_certified } = *search;
        let is_reference = algorithm == Algorithm::Reference;
        let holds = match self {
            Applies::Always => true,
            Applies::Parallel => {
                // With nimbers, threads do not help a certificate.
                algorithm == Algorithm::DfPn
                    || (!is_impartial && (algorithm.is_parallel() || is_certified))
            }
            Applies::Trees => !is_reference && !is_impartial,
            Applies::TreeProofNumbers => {
                !is_reference && !is_impartial && algorithm != Algorithm::AlphaBeta
            }
            Applies::ProofNumbers => !is_reference && algorithm != Algorithm::AlphaBeta,
            Applies::DfPn => algorithm == Algorithm::DfPn,
            Applies::Pn2 => algorithm == Algorithm::Pn2 && !is_impartial,
            Applies::Nimbers => !is_reference && is_impartial,
            Applies::Searches => !is_reference,
        };
        if holds {
            return Ok(());
        }
        let is_of_trees = matches!(self, Applies::Trees | Applies::TreeProofNumbers | Applies::Pn2);
        if is_of_trees && is_impartial {
            return Err("it does not apply to impartial games".to_owned());
        }
        if self == Applies::Nimbers && !is_impartial {
            return Err("it applies to impartial games only".to_owned());
        }
        let what = match self {
            Applies::Always => "everything",
            Applies::Parallel if is_impartial => "dfpn, of the searches with nimbers",
            Applies::Parallel => "pn2, dfpn and certificates",
            Applies::Trees | Applies::Searches => "ab, pns, pn2 and dfpn",
            Applies::TreeProofNumbers | Applies::ProofNumbers => "pns, pn2 and dfpn",
            Applies::DfPn => "dfpn",
            Applies::Pn2 => "pn2",
            Applies::Nimbers => "searches with nimbers",
        };
        Err(format!("it applies to {what}, not to {algorithm}"))
    }
}

/// A field of a request, which may be unset.
pub trait Setting {
    /// Whether it takes several values.
    const IS_LIST: bool = false;
    /// Whether it is a switch.
    const IS_SWITCH: bool = false;
    /// The type of its values.
    type Item;

    /// Sets it from text, if the value is one that `check` accepts.
    fn set(
        &mut self,
        text: &str,
        check: impl Fn(&Self::Item) -> Result<(), String>,
    ) -> Result<(), String>;

    /// Whether it was given.
    fn is_given(&self) -> bool;
}

/// A value that can be read from text.
pub trait Readable: Sized {
    /// Reads it, or says what it should be.
    fn read(text: &str) -> Result<Self, String>;
}

impl<T: Readable> Setting for Option<T> {
    type Item = T;

    fn set(&mut self, text: &str, check: impl Fn(&T) -> Result<(), String>) -> Result<(), String> {
        let value = T::read(text)?;
        check(&value)?;
        *self = Some(value);
        Ok(())
    }

    fn is_given(&self) -> bool {
        self.is_some()
    }
}

impl<T: Readable> Setting for Vec<T> {
    const IS_LIST: bool = true;
    type Item = T;

    fn set(&mut self, text: &str, check: impl Fn(&T) -> Result<(), String>) -> Result<(), String> {
        let value = T::read(text)?;
        check(&value)?;
        self.push(value);
        Ok(())
    }

    fn is_given(&self) -> bool {
        !self.is_empty()
    }
}

impl Setting for bool {
    const IS_SWITCH: bool = true;
    type Item = bool;

    fn set(
        &mut self,
        text: &str,
        check: impl Fn(&bool) -> Result<(), String>,
    ) -> Result<(), String> {
        let value = match text {
            "true" => true,
            "false" => false,
            _ => return Err("it is true or false".to_owned()),
        };
        check(&value)?;
        *self = value;
        Ok(())
    }

    fn is_given(&self) -> bool {
        *self
    }
}

/// Refuses numbers outside a range.
pub(crate) fn check_range<T: PartialOrd + Display>(
    value: &T,
    range: &RangeInclusive<T>,
) -> Result<(), String> {
    if range.contains(value) { Ok(()) } else { Err(range_text(range)) }
}

/// The description of a range.
pub(crate) fn range_text<T: Display>(range: &RangeInclusive<T>) -> String {
    format!("it is a number from {} to {}", range.start(), range.end())
}

macro_rules! readable_numbers {
    ($what:literal: $($type:ty),+) => { $(
        impl Readable for $type {
            fn read(text: &str) -> Result<$type, String> {
                text.parse().map_err(|_| format!("it is {} up to {}", $what, <$type>::MAX))
            }
        }
    )+ };
}

readable_numbers!("a whole number": u16, u32, u64, usize);
readable_numbers!("a number": f32, f64);

impl Readable for String {
    fn read(text: &str) -> Result<String, String> {
        Ok(text.to_owned())
    }
}

impl Readable for PathBuf {
    fn read(text: &str) -> Result<PathBuf, String> {
        Ok(PathBuf::from(text))
    }
}

/// Reads by `FromStr`, whose error says what it should be.
macro_rules! readable_by_parse {
    ($($type:ty),+ $(,)?) => { $(
        impl $crate::request::Readable for $type {
            fn read(text: &str) -> Result<$type, String> {
                text.parse().map_err(|error| format!("{error}"))
            }
        }
    )+ };
}
readable_by_parse!(Algorithm, papamu_search::init::Init, papamu_search::budget::Budget, Bytes);

/// A number of bytes, written `512MiB`, `4GiB` or plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

impl Bytes {
    /// That many GiB.
    pub const fn gib(count: u64) -> Bytes {
        Bytes(count << 30)
    }

    /// The size, at most what the machine can address.
    pub fn bytes(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl FromStr for Bytes {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Bytes, Self::Err> {
        match text.parse::<bytesize::ByteSize>() {
            Ok(size) if size.as_u64() > 0 => Ok(Bytes(size.as_u64())),
            _ => Err("a size is a number of bytes above 0, such as 512MiB or 4GiB"),
        }
    }
}

impl Display for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            n if n >= 1 << 30 && n.is_multiple_of(1 << 30) => write!(f, "{}GiB", n >> 30),
            n if n >= 1 << 20 && n.is_multiple_of(1 << 20) => write!(f, "{}MiB", n >> 20),
            n => write!(f, "{n}"),
        }
    }
}

/// Makes a request from its table of options. A line is
///
/// ```text
/// /// Help.
/// name: Type, "VALUE", Applies
///     [, default EXPRESSION] [, range FROM..=TO] [, short 'x'] [, alias "other_name"]
///     [, place PLACE];
/// ```
///
/// where `Type` is `Option<T>`, `Vec<T>` or `bool`. With a default, a method of the same name gives
/// the value that is in force.
macro_rules! request {
    (
        $(#[doc = $summary:literal])*
        $request:ident, $verb:literal $(, details $details:expr)?;
        $(
            $(#[doc = $help:literal])+
            $name:ident: $wrap:ident $(<$inner:ty>)?, $value:literal, $applies:ident
                $(, default $default:expr)?
                $(, range $range:expr)?
                $(, short $short:literal)?
                $(, alias $alias:literal)?
                $(, place $place:ident)?;
        )*
    ) => {
        $(#[doc = $summary])*
        #[derive(Clone, Debug, Default)]
        pub struct $request {
            $( $(#[doc = $help])+ pub $name: $wrap $(<$inner>)?, )*
        }

        impl $request {
            $( $crate::request::default_method! {
                $(#[doc = $help])+ $name; $($inner)?; $($default)?
            } )*
        }

        impl $crate::request::Request for $request {
            const VERB: &'static str = $verb;
            const SUMMARY: &'static str = $crate::request::trimmed(concat!($($summary),*));
            const DETAILS: &'static str = $crate::request::optional!("" $(, $details)?);
            const OPTIONS: &'static [$crate::request::OptionOf<$request>] = &[ $(
                $crate::request::OptionOf {
                    about: $crate::request::OptionInfo {
                        name: stringify!($name),
                        help: $crate::request::trimmed(concat!($($help),+)),
                        value: $value,
                        place: $crate::request::optional!(
                            $crate::request::Place::Flag
                            $(, $crate::request::Place::$place)?
                        ),
                        short: $crate::request::optional!(None $(, Some($short))?),
                        alias: $crate::request::optional!(None $(, Some($alias))?),
                        is_list: <$wrap $(<$inner>)? as $crate::request::Setting>::IS_LIST,
                        default: $crate::request::optional!(
                            None $(, Some(|| ToString::to_string(&$default)))?
                        ),
                        applies: $crate::request::Applies::$applies,
                    },
                    set: |request, text| {
                        let set = $crate::request::Setting::set(&mut request.$name, text, |_value| {
                            $( $crate::request::check_range(_value, &($range))?; )?
                            Ok(())
                        });
                        $( let set = set.map_err(|_| $crate::request::range_text(&($range))); )?
                        set
                    },
                    is_given: |request| $crate::request::Setting::is_given(&request.$name),
                }
            ),* ];
        }
    };
}
pub(crate) use request;

/// The last of its arguments.
macro_rules! optional {
    ($default:expr) => {
        $default
    };
    ($default:expr, $given:expr) => {
        $given
    };
}
pub(crate) use optional;

/// The method that gives the value in force.
macro_rules! default_method {
    ($(#[$doc:meta])+ $name:ident; $type:ty; $default:expr) => {
        $(#[$doc])+
        pub fn $name(&self) -> $type {
            self.$name.clone().unwrap_or_else(|| $default)
        }
    };
    ($($rest:tt)*) => {};
}
pub(crate) use default_method;

/// Text of a doc comment without the space before it.
pub(crate) const fn trimmed(text: &'static str) -> &'static str {
    match text.as_bytes() {
        [b' ', ..] => text.split_at(1).1,
        _ => text,
    }
}
