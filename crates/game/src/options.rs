//! Options of a game's rules.

use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

/// Choices about the rules, such as misere play. Options can be read, written and compared. The
/// header of every file about positions has them, because other options make another game.
pub trait RuleOptions:
    Clone
    + Eq
    + Hash
    + Debug
    + Default
    + Display
    + FromStr<Err = UnknownOptions>
    + Send
    + Sync
    + 'static
{
}

/// A text that names no options of the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rules `{text}`: they are {known}")]
pub struct UnknownOptions {
    /// The text.
    pub text: String,
    /// The options that the game has.
    pub known: &'static str,
}

/// There is nothing to choose. Written `standard`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NoOptions;

impl Display for NoOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("standard")
    }
}

impl FromStr for NoOptions {
    type Err = UnknownOptions;

    fn from_str(text: &str) -> Result<NoOptions, UnknownOptions> {
        match text {
            "standard" => Ok(NoOptions),
            _ => Err(UnknownOptions { text: text.to_owned(), known: "`standard`" }),
        }
    }
}

impl RuleOptions for NoOptions {}

/// Who wins when nobody can move. Written `normal` or `misere`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Whoever cannot move loses.
    #[default]
    Normal,
    /// Whoever cannot move wins.
    Misere,
}

impl Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Normal => "normal",
            Ending::Misere => "misere",
        })
    }
}

impl FromStr for Ending {
    type Err = UnknownOptions;

    fn from_str(text: &str) -> Result<Ending, UnknownOptions> {
        match text {
            "normal" => Ok(Ending::Normal),
            "misere" => Ok(Ending::Misere),
            _ => Err(UnknownOptions { text: text.to_owned(), known: "`normal` or `misere`" }),
        }
    }
}

impl RuleOptions for Ending {}
