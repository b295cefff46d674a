//! What a registered game has beyond its rules: its kit.
//!
//! A game plugs in by [`Registered`]. All parts of a kit are optional. A missing part is refused by
//! name ("kayles has no certificates"); no code tests for the name of a game.

use std::path::Path;

use papamu_base::Stop;
use papamu_base::file::AtomicFile;
use papamu_game::{
    Capabilities, Certifiable, Components, Guided, Indexed, MakeSums, NullMove, Player,
    index_of_game,
};
use papamu_search::options::{Algorithm, Options};
use papamu_search::problem::Oracle;
use papamu_search::run::{Monitor, Store};
use papamu_tables::Probe;
use papamu_values::conjecture::InvariantTable;

use crate::certificate::{ByNumbers, Proof, ProveRequest};
use crate::conjecture::RandomTable;
use crate::indexed_tables::IndexedTables;
use crate::picture::Picture;
use crate::registry::not_offered;
use crate::{
    Build, BuildReport, Error, Family, FamilyReport, Find, FindReport, Invariants,
    InvariantsReport, Stats, StatsReport, Train, TrainReport, Value as ValueRequest, ValueReport,
    Verify, VerifyReport, Watch,
};

/// A game that programs can name.
///
/// ```
/// use papamu::{Registered, Registry};
/// use papamu_game::tiny::TicTacToe;
///
/// // A game with its rules and nothing else needs no more than `impl Registered for MyGame {}`.
/// let registry = Registry::empty().with::<TicTacToe>();
/// assert_eq!(registry.games().count(), 1);
/// ```
pub trait Registered: Guided {
    /// What it has beyond its rules.
    fn kit() -> Kit<Self> {
        Kit::new()
    }
}

/// What a game has beyond its rules.
pub struct Kit<G: Guided> {
    pub(crate) capabilities: Capabilities<G>,
    pub(crate) defaults: Options,
    pub(crate) certificates: Option<Box<dyn Certificates<G>>>,
    pub(crate) tables: Option<Box<dyn Tables<G>>>,
    pub(crate) values: Option<Box<dyn Values<G>>>,
    pub(crate) published: Option<Box<dyn Published>>,
    pub(crate) picture: Option<fn(&G, &G::Position) -> Picture>,
    pub(crate) sizes: Sizes<G>,
    pub(crate) bench: Vec<BenchCase>,
}

impl<G: Guided> Default for Kit<G> {
    fn default() -> Self {
        Kit::new()
    }
}

impl<G: Guided> Kit<G> {
    /// Nothing but the rules.
    pub fn new() -> Kit<G> {
        Kit {
            capabilities: Capabilities::NONE,
            defaults: match () {
                () if G::IMPARTIAL => Options::with_nimbers(),
                () if G::CYCLIC => Options::with_cycles(),
                () => Options::default(),
            },
            certificates: None,
            tables: None,
            values: None,
            published: None,
            picture: None,
            sizes: Sizes::default(),
            bench: Vec::new(),
        }
    }

    /// All capabilities that are facts about the rules.
    pub fn capabilities(mut self, capabilities: Capabilities<G>) -> Kit<G> {
        self.capabilities = capabilities;
        self
    }

    /// A null move: positions have combinatorial values.
    pub fn null_move(mut self, null_move: NullMove<G>) -> Kit<G> {
        self.capabilities.null_move = Some(null_move);
        self
    }

    /// Positions are sums of components.
    pub fn components(mut self, components: Components<G>) -> Kit<G> {
        self.capabilities.components = Some(components);
        self
    }

    /// The game's own way to make components for searches with nimbers.
    pub fn sums(mut self, sums: MakeSums<G>) -> Kit<G> {
        self.capabilities.sums = Some(sums);
        self
    }

    /// The options of searches that serve the game best.
    pub fn defaults(mut self, defaults: Options) -> Kit<G> {
        self.defaults = defaults;
        self
    }

    /// Databases.
    pub fn tables(mut self, tables: impl Tables<G> + 'static) -> Kit<G> {
        self.tables = Some(Box::new(tables));
        self
    }

    /// The game's own way to compute values.
    pub fn values(mut self, values: impl Values<G> + 'static) -> Kit<G> {
        self.values = Some(Box::new(values));
        self
    }

    /// Results of others, to be shown beside our own.
    pub fn published(mut self, published: impl Published + 'static) -> Kit<G> {
        self.published = Some(Box::new(published));
        self
    }

    /// A picture of positions.
    pub fn picture(mut self, picture: fn(&G, &G::Position) -> Picture) -> Kit<G> {
        self.picture = Some(picture);
        self
    }

    /// What the sizes of positions are, of a game with certificates: stones, say.
    pub fn sizes(mut self, sizes: Sizes<G>) -> Kit<G> {
        self.sizes = sizes;
        self
    }

    /// Positions whose searches are part of the signature of `bench`.
    pub fn bench(mut self, cases: impl IntoIterator<Item = BenchCase>) -> Kit<G> {
        self.bench.extend(cases);
        self
    }
}

impl<G: Certifiable> Kit<G> {
    /// Certificates, by the numbers of positions.
    pub fn certified(mut self) -> Kit<G> {
        self.certificates = Some(Box::new(ByNumbers::<G>::new()));
        self
    }
}

impl<G: Indexed + Guided> Kit<G> {
    /// Tables by retrograde analysis, by the index of positions.
    pub fn indexed(mut self) -> Kit<G> {
        self.capabilities.index = Some(index_of_game::<G>);
        self.tables(IndexedTables::new())
    }
}

/// The sizes of positions ([`Certifiable::size`]).
pub struct Sizes<G: Guided> {
    /// What is counted, such as stones.
    pub unit: &'static str,
    /// An upper bound of the number of positions of a board that have a size.
    pub positions: Option<fn(&G, u64) -> u128>,
}

impl<G: Guided> Default for Sizes<G> {
    fn default() -> Self {
        Sizes { unit: "size", positions: None }
    }
}

/// A search of `bench`.
#[derive(Clone, Debug)]
pub struct BenchCase {
    /// The position.
    pub position: &'static str,
    /// The search.
    pub algorithm: Algorithm,
    /// How it works.
    pub options: Options,
}

/// Certificates of a game.
pub trait Certificates<G: Guided>: Send + Sync {
    /// Writes a strategy from the solved positions of a search of its claim, or from a search of
    /// its own. Returns the number of its records.
    fn prove(
        &self,
        request: &ProveRequest<'_, G>,
        store: Option<&Store<G::Key>>,
        file: &AtomicFile,
        monitor: &Monitor,
        watch: &dyn Watch,
    ) -> Result<u64, Error>;

    /// Reads a certificate.
    fn load(&self, path: &Path) -> Result<Box<dyn Proof>, Error>;
}

/// Databases of a game.
pub trait Tables<G: Guided>: Send + Sync {
    /// Builds one.
    fn build(&self, request: &Build, watch: &dyn Watch) -> Result<BuildReport, Error>;

    /// Opens one.
    fn open(&self, directory: &Path) -> Result<Box<dyn OpenTable<G>>, Error>;

    /// Checks one.
    fn verify(&self, request: &Verify, watch: &dyn Watch) -> Result<VerifyReport, Error>;

    /// Counts positions with their values.
    fn stats(&self, request: &Stats, watch: &dyn Watch) -> Result<StatsReport, Error>;

    /// Learns an evaluation, if the game has one that can be learned.
    fn train(&self, request: &Train, watch: &dyn Watch) -> Result<TrainReport, Error> {
        let _ = (request, watch);
        Err(not_offered::<G>("evaluation that could be learned"))
    }
}

/// An open database.
pub trait OpenTable<G: Guided>: Send + Sync {
    /// Refuses positions of another board.
    fn check_board(&self, game: &G) -> Result<(), Error>;

    /// The most stones of its positions.
    fn most_stones(&self) -> u32;

    /// The value of a position and of all its moves. Plies to the end take a search, which is given
    /// up after `plies_budget` positions.
    fn probe(
        &self,
        position: &G::Position,
        plies_budget: u64,
        stop: &Stop,
    ) -> Result<Probe<G::Move>, Error>;

    /// The table as an oracle of searches, for positions with at most `most_stones` stones. A
    /// damaged table stops the search.
    fn oracle(
        &self,
        game: &G,
        most_stones: Option<u32>,
        stop: &Stop,
    ) -> Result<Box<dyn Answers<G>>, Error>;
}

/// An oracle that counts its answers.
pub trait Answers<G: Guided>: Oracle<G> {
    /// How many positions it has answered.
    fn hits(&self) -> u64;

    /// What is wrong with it, if it turned out to be damaged.
    fn damage(&self) -> Option<Error> {
        None
    }
}

/// A game's own way to compute combinatorial values: faster, or for more positions than the rules
/// have.
pub trait Values<G: Guided>: Send + Sync {
    /// The value of a position.
    fn value(&self, request: &ValueRequest, watch: &dyn Watch) -> Result<ValueReport, Error>;

    /// An oracle that decides positions which consist of regions of at most `most_squares` squares,
    /// within a memory limit.
    fn oracle(
        &self,
        game: &G,
        most_squares: u32,
        memory_bytes: u64,
    ) -> Result<Box<dyn Answers<G>>, Error>;

    /// Values of a family of patterns.
    fn family(&self, request: &Family, watch: &dyn Watch) -> Result<FamilyReport, Error>;

    /// The families, with descriptions.
    fn families(&self) -> Vec<(&'static str, &'static str)>;

    /// The smallest position of a value.
    fn find(&self, request: &Find, watch: &dyn Watch) -> Result<FindReport, Error>;

    /// Invariants of positions.
    fn invariants(
        &self,
        request: &Invariants,
        watch: &dyn Watch,
    ) -> Result<InvariantsReport, Error>;

    /// Invariants of random positions.
    fn random_table(
        &self,
        request: &RandomTable<'_>,
        watch: &dyn Watch,
    ) -> Result<InvariantTable, Error>;
}

/// Results of others, to be shown beside our own.
pub trait Published: Send + Sync {
    /// Who wins from a start, such as `6x6`.
    fn winner(&self, start: &str) -> Option<Player> {
        let _ = start;
        None
    }

    /// The effort of a search from a start.
    fn effort(&self, start: &str, algorithm: Algorithm, threads: usize) -> Option<PublishedEffort> {
        let _ = (start, algorithm, threads);
        None
    }

    /// What self-play from a start was like.
    fn profile(&self, start: &str) -> Option<PublishedProfile> {
        let _ = start;
        None
    }

    /// Searches of a start with databases of few stones.
    fn tradeoff(&self, start: &str) -> Vec<PublishedTradeoff> {
        let _ = start;
        Vec::new()
    }
}

/// What self-play was like.
#[derive(Clone, Debug, serde::Serialize)]
pub struct PublishedProfile {
    /// Who published it.
    pub source: &'static str,
    /// Mean number of moves.
    pub branching: f64,
    /// Mean length of a game, in plies.
    pub length: f64,
    /// Branching to the power of length, as a power of ten.
    pub log10_tree: f64,
    /// The number of positions, as a power of ten.
    pub log10_states: f64,
    /// With fewer stones, moves without a capture are the most.
    pub endgame_below: u64,
    /// The same if games end at a database.
    #[serde(skip)]
    pub databases: Vec<(u64, PublishedDatabase)>,
}

/// What self-play was like if games end at a database.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct PublishedDatabase {
    /// Mean length of a game, in plies.
    pub length: f64,
    /// Mean number of moves.
    pub branching: f64,
    /// Branching to the power of length, as a power of ten.
    pub log10_tree: f64,
}

/// A search with databases of few stones.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct PublishedTradeoff {
    /// The most stones of the databases.
    #[serde(skip)]
    pub stones: u32,
    /// Time of the databases of up to so many stones.
    pub build_seconds: f64,
    /// Positions with just so many stones.
    pub positions: u64,
    /// Time of the search.
    pub solve_seconds: f64,
    /// Nodes of the search.
    pub nodes: u64,
    /// Both times together.
    pub total_seconds: f64,
}

/// The effort of a search.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct PublishedEffort {
    /// Time.
    pub seconds: f64,
    /// Millions of positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes_millions: Option<f64>,
    /// How much faster than with one thread.
    pub speedup: f64,
    /// Speedup divided by threads.
    pub efficiency: f64,
    /// Nodes divided by those of one thread.
    pub overhead: f64,
}
