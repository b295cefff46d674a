//! The header of a certificate: what it claims.

use std::io;

use papamu_game::{Certifiable, Player};

use crate::claim::Claim;
use crate::strategy::Strategy;

pub(crate) const MAGIC: &str = "papamu certificate ";

/// The largest budget that checkers accept.
pub const MOST_BUDGET: u64 = 1_000_000;

/// What a certificate claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The version of the format, 1 or 2.
    pub version: u8,
    /// The name of the game.
    pub game: String,
    /// The name of its rules. Version 1 knows one set of rules and does not say which.
    pub rules: String,
    /// The root as text.
    pub root: String,
    /// The name of the player of whom something is claimed.
    pub owner: String,
    /// What is claimed.
    pub claim: Claim,
    /// See [`Strategy::budget`].
    pub budget: u64,
    /// See [`Strategy::database`].
    pub database: u64,
    /// The number of records.
    pub records: u64,
}

impl<G: Certifiable> Strategy<G> {
    /// The header of the strategy's certificate.
    pub fn header(&self) -> Header {
        let fits_version_1 = self.claim == Claim::Wins && self.database == 0;
        Header {
            version: if fits_version_1 { G::CERTIFICATE_VERSION } else { 2 },
            game: G::NAME.to_owned(),
            rules: self.game.options().to_string(),
            root: self.game.write(&self.root),
            owner: G::PLAYERS[self.owner.index()].to_owned(),
            claim: self.claim,
            budget: self.budget,
            database: self.database,
            records: self.records.len() as u64,
        }
    }
}

pub(crate) fn bad(problem: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem.into())
}

impl Header {
    pub(crate) fn to_text(&self) -> String {
        let Header { version, game, rules, root, owner, claim, budget, database, records } = self;
        let (rules, database) = match version {
            1 => (String::new(), String::new()),
            _ => (format!("rules {rules}\n"), format!("database {database}\n")),
        };
        format!(
            "{MAGIC}{version}\ngame {game}\n{rules}root {root}\nclaim {owner} {claim}\nbudget {budget}\n{database}records {records}\nend\n"
        )
    }

    /// Reads a header whose magic was read already.
    pub(crate) fn read(mut line: impl FnMut() -> io::Result<String>) -> io::Result<Header> {
        let version = match line()?.as_str() {
            "1" => 1,
            "2" => 2,
            version => {
                return Err(bad(format!("its version is {version}, this program reads 1 and 2")));
            }
        };
        let mut item = |name: &str| -> io::Result<String> {
            let line = line()?;
            let item = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
            item.map(str::to_owned).ok_or_else(|| bad(format!("its header lacks `{name}`")))
        };
        let game = item("game")?;
        let rules = if version == 1 { "standard".to_owned() } else { item("rules")? };
        let root = item("root")?;
        let claim = item("claim")?;
        let (owner, claim) = match claim.rsplit_once(' ') {
            Some((owner, "wins")) => (owner.to_owned(), Claim::Wins),
            Some((owner, "holds")) if version > 1 => (owner.to_owned(), Claim::Holds),
            _ if version == 1 => return Err(bad("its claim is not a win")),
            _ => return Err(bad("its claim is neither that somebody wins nor that he holds")),
        };
        let budget = number(&item("budget")?)?;
        let database = if version == 1 { 0 } else { number(&item("database")?)? };
        let records = number(&item("records")?)?;
        if budget > MOST_BUDGET {
            return Err(bad(format!("its budget is larger than {MOST_BUDGET}")));
        }
        if line()? != "end" {
            return Err(bad("its header does not end"));
        }
        Ok(Header { version, game, rules, root, owner, claim, budget, database, records })
    }

    /// The owner among the players of a game.
    pub(crate) fn player<G: Certifiable>(&self) -> Option<Player> {
        let players = [Player::First, Player::Second];
        players.into_iter().find(|player| G::PLAYERS[player.index()] == self.owner)
    }
}

/// Numbers have one spelling.
fn number(text: &str) -> io::Result<u64> {
    match text.parse::<u64>() {
        Ok(number) if number.to_string() == text => Ok(number),
        _ => Err(bad(format!("`{text}` is no number"))),
    }
}
