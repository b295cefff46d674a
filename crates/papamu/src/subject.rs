//! Positions of any game behind one type. Verbs are written once, over [`GamePosition`]; only code
//! that visits millions of positions is compiled for each game.

use std::fmt;
use std::sync::Arc;

use papamu_base::memory::Unfinished;
use papamu_base::{Progress, Stopped};
use papamu_game::perft::{Mismatch, Record, perft};
use papamu_game::rules::{self, CheckError};
use papamu_game::self_play::SelfPlay;
use papamu_game::states::{PlyCount, orbit_size, states};
use papamu_game::{NotationError, Player, Value};

use crate::Watch;
use crate::error::Error;
use crate::kit::{Kit, Registered};
use crate::picture::Picture;
use crate::profile::Played;
use crate::registry::GameInfo;
use crate::solve::{SolvePlan, Solved};
use crate::value::{ValuePlan, ValueReport};

/// A position of some game.
///
/// ```
/// use papamu::Registry;
///
/// let registry = Registry::standard();
/// let start = registry.read("tic-tac-toe", "start")?;
/// let next = start.play("b2")?;
/// assert_eq!(next.moves().len(), 8);
/// assert_eq!(next.mover_name(), "o");
/// # Ok::<(), papamu::Error>(())
/// ```
pub trait GamePosition: Send + Sync + fmt::Debug {
    /// The game.
    fn game(&self) -> GameInfo;

    /// The position in full.
    fn write(&self) -> String;

    /// The options of the rules.
    fn rules(&self) -> String;

    /// A drawing for a terminal.
    fn draw(&self) -> String;

    /// Whose turn it is.
    fn to_move(&self) -> Player;

    /// The moves as text.
    fn moves(&self) -> Vec<String>;

    /// The value of a position without moves, for the player to move.
    fn final_value(&self) -> Option<Value>;

    /// The position after a move.
    fn play(&self, mv: &str) -> Result<Box<dyn GamePosition>, NotationError>;

    /// The same position with the other player to move, if the game has null moves and that is a
    /// position too.
    fn pass(&self) -> Option<Box<dyn GamePosition>>;

    /// The symmetries of the board, and those of them that leave the position as it is.
    fn symmetries(&self) -> [Vec<String>; 2];

    /// How many different images it has.
    fn images(&self) -> u64;

    /// The canonical position, the same for all images.
    fn canonical(&self) -> Box<dyn GamePosition>;

    /// Its independent components.
    fn components(&self) -> Vec<Box<dyn GamePosition>>;

    /// An estimate of how well the player to move stands.
    fn evaluation(&self) -> Option<f32>;

    /// A picture, if the game has them.
    fn picture(&self) -> Option<Picture>;

    /// A boxed copy.
    fn boxed(&self) -> Box<dyn GamePosition>;

    /// The name of the player whose turn it is.
    fn mover_name(&self) -> &'static str {
        self.game().players[self.to_move().index()]
    }

    /// Sequences of moves of each length.
    #[doc(hidden)]
    fn perft(&self, depth: u32, threads: usize, progress: &Progress) -> Result<Vec<u64>, Stopped>;

    /// Compares with counts of a file.
    #[doc(hidden)]
    fn check_perft(
        &self,
        record: &Record,
        max_depth: u32,
        threads: usize,
        progress: &Progress,
    ) -> Result<(usize, Vec<Mismatch>), Stopped>;

    /// New positions at each ply.
    #[doc(hidden)]
    fn states(
        &self,
        max_ply: Option<u32>,
        limit_bytes: usize,
        progress: &Progress,
        on_ply: &mut dyn FnMut(PlyCount),
    ) -> Result<(), Unfinished>;

    /// Plays random games and checks the laws.
    #[doc(hidden)]
    fn check_rules(
        &self,
        games: u64,
        seed: u64,
        progress: &Progress,
    ) -> Result<rules::Report, CheckError>;

    /// Plays games from it.
    #[doc(hidden)]
    fn self_play(&self, play: &SelfPlay, progress: &Progress) -> Result<Played, Stopped>;

    /// Solves it.
    #[doc(hidden)]
    fn solve(&self, plan: &SolvePlan<'_>, watch: &dyn Watch) -> Result<Solved, Error>;

    /// Its combinatorial value.
    #[doc(hidden)]
    fn value(&self, plan: &ValuePlan<'_>, watch: &dyn Watch) -> Result<ValueReport, Error>;

    /// The most stones of the positions that a table of its board knows.
    #[doc(hidden)]
    fn table_stones(&self, table: &std::path::Path) -> Result<u32, Error>;

    /// The values of the position and of all its moves from a database.
    #[doc(hidden)]
    fn probe(
        &self,
        table: &std::path::Path,
        budget: u64,
        watch: &dyn Watch,
    ) -> Result<crate::ProbeReport, Error>;
}

/// A position with its game and the game's kit.
pub(crate) struct Held<G: Registered> {
    pub(crate) kit: Arc<Kit<G>>,
    pub(crate) game: G,
    pub(crate) position: G::Position,
}

impl<G: Registered> Held<G> {
    pub(crate) fn new(kit: &Arc<Kit<G>>, game: G, position: G::Position) -> Held<G> {
        Held { kit: Arc::clone(kit), game, position }
    }

    fn at(&self, position: G::Position) -> Box<dyn GamePosition> {
        Box::new(Held::new(&self.kit, self.game.clone(), position))
    }

    pub(crate) fn after(&self, mv: &G::Move) -> G::Position {
        self.game.after(&self.position, mv)
    }

    pub(crate) fn legal_moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.moves(&self.position, &mut moves);
        moves
    }
}

impl<G: Registered> fmt::Debug for Held<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", G::NAME, self.game.write(&self.position))
    }
}

impl<G: Registered> GamePosition for Held<G> {
    fn game(&self) -> GameInfo {
        GameInfo::of::<G>()
    }

    fn write(&self) -> String {
        self.game.write(&self.position)
    }

    fn rules(&self) -> String {
        self.game.options().to_string()
    }

    fn draw(&self) -> String {
        self.game.draw(&self.position)
    }

    fn to_move(&self) -> Player {
        self.game.to_move(&self.position)
    }

    fn moves(&self) -> Vec<String> {
        let write = |mv: &G::Move| self.game.write_move(&self.position, mv);
        self.legal_moves().iter().map(write).collect()
    }

    fn final_value(&self) -> Option<Value> {
        let is_over = self.game.count_moves(&self.position) == 0;
        is_over.then(|| self.game.final_value(&self.position))
    }

    fn play(&self, mv: &str) -> Result<Box<dyn GamePosition>, NotationError> {
        let mv = self.game.read_move(&self.position, mv)?;
        Ok(self.at(self.after(&mv)))
    }

    fn pass(&self) -> Option<Box<dyn GamePosition>> {
        self.kit.capabilities.pass(&self.game, &self.position).map(|passed| self.at(passed))
    }

    fn symmetries(&self) -> [Vec<String>; 2] {
        let all = self.game.symmetries().iter();
        let fixing = all
            .clone()
            .filter(|&&symmetry| self.game.image(symmetry, &self.position) == self.position);
        [all.clone().map(ToString::to_string).collect(), fixing.map(ToString::to_string).collect()]
    }

    fn images(&self) -> u64 {
        orbit_size(&self.game, &self.position)
    }

    fn canonical(&self) -> Box<dyn GamePosition> {
        self.at(self.game.canonical(&self.position))
    }

    fn components(&self) -> Vec<Box<dyn GamePosition>> {
        let components = self.kit.capabilities.components(&self.game, &self.position);
        components.into_iter().map(|component| self.at(component)).collect()
    }

    fn evaluation(&self) -> Option<f32> {
        self.game.evaluate(&self.position)
    }

    fn picture(&self) -> Option<Picture> {
        self.kit.picture.map(|draw| draw(&self.game, &self.position))
    }

    fn boxed(&self) -> Box<dyn GamePosition> {
        self.at(self.position.clone())
    }

    fn perft(&self, depth: u32, threads: usize, progress: &Progress) -> Result<Vec<u64>, Stopped> {
        perft(&self.game, &self.position, depth, threads, progress)
    }

    fn check_perft(
        &self,
        record: &Record,
        max_depth: u32,
        threads: usize,
        progress: &Progress,
    ) -> Result<(usize, Vec<Mismatch>), Stopped> {
        record.check(&self.game, &self.position, max_depth, threads, progress)
    }

    fn states(
        &self,
        max_ply: Option<u32>,
        limit_bytes: usize,
        progress: &Progress,
        on_ply: &mut dyn FnMut(PlyCount),
    ) -> Result<(), Unfinished> {
        states(&self.game, &self.position, max_ply, limit_bytes, progress, on_ply)
    }

    fn check_rules(
        &self,
        games: u64,
        seed: u64,
        progress: &Progress,
    ) -> Result<rules::Report, CheckError> {
        rules::check(&self.game, &self.position, &self.kit.capabilities, games, seed, progress)
    }

    fn self_play(&self, play: &SelfPlay, progress: &Progress) -> Result<Played, Stopped> {
        crate::profile::play_held(self, play, progress)
    }

    fn solve(&self, plan: &SolvePlan<'_>, watch: &dyn Watch) -> Result<Solved, Error> {
        crate::solve::solve_held(self, plan, watch)
    }

    fn value(&self, plan: &ValuePlan<'_>, watch: &dyn Watch) -> Result<ValueReport, Error> {
        crate::value::value_held(self, plan, watch)
    }

    fn table_stones(&self, table: &std::path::Path) -> Result<u32, Error> {
        Ok(crate::solve::open_table(self, table)?.most_stones())
    }

    fn probe(
        &self,
        table: &std::path::Path,
        budget: u64,
        watch: &dyn Watch,
    ) -> Result<crate::ProbeReport, Error> {
        crate::probe::probe_held(self, table, budget, watch)
    }
}
