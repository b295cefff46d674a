//! The games by name, and what each can do. This is the only place where games are named.

mod fanorona;
mod konane;
mod sprouts;
mod tiny;

use std::path::Path;
use std::sync::Arc;

use papamu_game::Game;
use papamu_game::tiny::{Cram, Dodgem, Domineering, Kayles, MuTorere, TicTacToe};
use papamu_games::{Fanorona, Konane, Sprouts};
use papamu_values::conjecture::InvariantTable;
use serde::Serialize;

use crate::certificate::Proof;
use crate::conjecture::RandomTable;
use crate::kit::{BenchCase, Kit, Published, Registered};
use crate::subject::{GamePosition, Held};
use crate::{
    Build, BuildReport, Error, Family, FamilyReport, Find, FindReport, Invariants,
    InvariantsReport, Stats, StatsReport, Train, TrainReport, Value, ValueReport, Verify,
    VerifyReport, Watch,
};

/// The games that a program knows.
///
/// ```
/// let registry = papamu::Registry::standard();
/// let names: Vec<&str> = registry.games().map(|game| game.name).collect();
/// assert!(names.contains(&"tic-tac-toe"));
/// ```
#[derive(Clone)]
pub struct Registry {
    /// In the order in which they are listed to users.
    entries: Vec<Arc<dyn Entry>>,
}

/// General facts about a game.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct GameInfo {
    /// [`Game::NAME`]
    pub name: &'static str,
    /// [`Game::SUMMARY`]
    pub summary: &'static str,
    /// [`Game::PLAYERS`]
    pub players: [&'static str; 2],
    /// [`Game::NOTATION`]
    pub notation: &'static str,
    /// [`Game::EXAMPLES`]
    pub examples: &'static [&'static str],
    /// [`Game::IMPARTIAL`]
    pub impartial: bool,
    /// [`Game::CYCLIC`]
    pub cyclic: bool,
}

impl GameInfo {
    pub(crate) const fn of<G: Game>() -> GameInfo {
        GameInfo {
            name: G::NAME,
            summary: G::SUMMARY,
            players: G::PLAYERS,
            notation: G::NOTATION,
            examples: G::EXAMPLES,
            impartial: G::IMPARTIAL,
            cyclic: G::CYCLIC,
        }
    }
}

impl Default for Registry {
    fn default() -> Registry {
        Registry::standard()
    }
}

impl Registry {
    /// No games.
    pub fn empty() -> Registry {
        Registry { entries: Vec::new() }
    }

    /// The games of papamu.
    pub fn standard() -> Registry {
        Registry::empty()
            .with::<Konane>()
            .with::<Sprouts>()
            .with::<Fanorona>()
            .with::<TicTacToe>()
            .with::<Kayles>()
            .with::<Dodgem>()
            .with::<MuTorere>()
            .with::<Domineering>()
            .with::<Cram>()
    }

    /// Adds a game. It replaces a game of the same name.
    pub fn with<G: Registered>(mut self) -> Registry {
        self.entries.retain(|entry| entry.info().name != G::NAME);
        self.entries.push(Arc::new(EntryOf::<G> { kit: Arc::new(G::kit()) }));
        self
    }

    /// The games, in the order in which they are listed to users.
    pub fn games(&self) -> impl Iterator<Item = GameInfo> {
        self.entries.iter().map(|entry| entry.info())
    }

    /// Reads a position of a game.
    pub fn read(&self, game: &str, position: &str) -> Result<Box<dyn GamePosition>, Error> {
        self.entry(game)?.read(position)
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = &dyn Entry> {
        self.entries.iter().map(|entry| &**entry)
    }

    pub(crate) fn entry(&self, name: &str) -> Result<&dyn Entry, Error> {
        let entry = self.entries().find(|entry| entry.info().name == name);
        entry.ok_or_else(|| Error::UnknownGame {
            name: name.to_owned(),
            known: self.games().map(|game| game.name.to_owned()).collect(),
        })
    }

    /// The game of that name, or the first that has values of its own.
    pub(crate) fn with_values(&self, name: Option<&str>) -> Result<&dyn Entry, Error> {
        match name {
            Some(name) => self.entry(name),
            None => {
                self.entries().find(|entry| entry.has_values()).ok_or_else(|| Error::NotOfferedBy {
                    game: "the list of games".to_owned(),
                    what: "game with values of its own".to_owned(),
                })
            }
        }
    }
}

/// What general code may ask of a game.
pub(crate) trait Entry: Send + Sync {
    fn info(&self) -> GameInfo;
    fn read(&self, position: &str) -> Result<Box<dyn GamePosition>, Error>;
    fn load_proof(&self, path: &Path) -> Result<Box<dyn Proof>, Error>;
    fn published(&self) -> Option<&dyn Published>;
    fn bench(&self) -> &[BenchCase];
    fn has_values(&self) -> bool;
    fn has_tables(&self) -> bool;
    fn own_value(&self, request: &Value, watch: &dyn Watch) -> Option<Result<ValueReport, Error>>;
    fn family(&self, request: &Family, watch: &dyn Watch) -> Result<FamilyReport, Error>;
    fn families(&self) -> Vec<(&'static str, &'static str)>;
    fn find(&self, request: &Find, watch: &dyn Watch) -> Result<FindReport, Error>;
    fn invariants(
        &self,
        request: &Invariants,
        watch: &dyn Watch,
    ) -> Result<InvariantsReport, Error>;
    fn random_table(
        &self,
        request: &RandomTable<'_>,
        watch: &dyn Watch,
    ) -> Result<InvariantTable, Error>;
    fn build(&self, request: &Build, watch: &dyn Watch) -> Result<BuildReport, Error>;
    fn verify(&self, request: &Verify, watch: &dyn Watch) -> Result<VerifyReport, Error>;
    fn stats(&self, request: &Stats, watch: &dyn Watch) -> Result<StatsReport, Error>;
    fn train(&self, request: &Train, watch: &dyn Watch) -> Result<TrainReport, Error>;
}

struct EntryOf<G: Registered> {
    kit: Arc<Kit<G>>,
}

impl<G: Registered> EntryOf<G> {
    fn tables(&self) -> Result<&dyn crate::kit::Tables<G>, Error> {
        self.kit.tables.as_deref().ok_or_else(|| not_offered::<G>("tables"))
    }

    fn values(&self) -> Result<&dyn crate::kit::Values<G>, Error> {
        self.kit.values.as_deref().ok_or_else(|| not_offered::<G>("values of its own"))
    }
}

/// The game cannot do that.
pub(crate) fn not_offered<G: Game>(what: &str) -> Error {
    Error::NotOfferedBy { game: G::NAME.to_owned(), what: what.to_owned() }
}

impl<G: Registered> Entry for EntryOf<G> {
    fn info(&self) -> GameInfo {
        GameInfo::of::<G>()
    }

    fn read(&self, text: &str) -> Result<Box<dyn GamePosition>, Error> {
        let (game, position) = G::read(text)?;
        Ok(Box::new(Held::new(&self.kit, game, position)))
    }

    fn load_proof(&self, path: &Path) -> Result<Box<dyn Proof>, Error> {
        let certificates = self.kit.certificates.as_deref();
        certificates.ok_or_else(|| not_offered::<G>("certificates"))?.load(path)
    }

    fn published(&self) -> Option<&dyn Published> {
        self.kit.published.as_deref()
    }

    fn bench(&self) -> &[BenchCase] {
        &self.kit.bench
    }

    fn has_values(&self) -> bool {
        self.kit.values.is_some()
    }

    fn has_tables(&self) -> bool {
        self.kit.tables.is_some()
    }

    fn own_value(&self, request: &Value, watch: &dyn Watch) -> Option<Result<ValueReport, Error>> {
        self.kit.values.as_deref().map(|values| values.value(request, watch))
    }

    fn family(&self, request: &Family, watch: &dyn Watch) -> Result<FamilyReport, Error> {
        self.values()?.family(request, watch)
    }

    fn families(&self) -> Vec<(&'static str, &'static str)> {
        self.kit.values.as_deref().map_or(Vec::new(), |values| values.families())
    }

    fn find(&self, request: &Find, watch: &dyn Watch) -> Result<FindReport, Error> {
        self.values()?.find(request, watch)
    }

    fn invariants(
        &self,
        request: &Invariants,
        watch: &dyn Watch,
    ) -> Result<InvariantsReport, Error> {
        self.values()?.invariants(request, watch)
    }

    fn random_table(
        &self,
        request: &RandomTable<'_>,
        watch: &dyn Watch,
    ) -> Result<InvariantTable, Error> {
        self.values()?.random_table(request, watch)
    }

    fn build(&self, request: &Build, watch: &dyn Watch) -> Result<BuildReport, Error> {
        self.tables()?.build(request, watch)
    }

    fn verify(&self, request: &Verify, watch: &dyn Watch) -> Result<VerifyReport, Error> {
        self.tables()?.verify(request, watch)
    }

    fn stats(&self, request: &Stats, watch: &dyn Watch) -> Result<StatsReport, Error> {
        self.tables()?.stats(request, watch)
    }

    fn train(&self, request: &Train, watch: &dyn Watch) -> Result<TrainReport, Error> {
        self.tables()?.train(request, watch)
    }
}
