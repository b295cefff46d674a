//! Exact values of regions as an oracle of searches: a position that has fallen apart into small regions is decided by the
//! sum of their values.

use std::any::Any;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use papamu_game::{Game, Player, Value};
use papamu_games::Konane;
use papamu_games::konane::Position;
use papamu_search::problem::Oracle;
use papamu_values::Value as GameValue;
use papamu_values::konane::{Evaluator, Regions};

use crate::failure::Failure;

/// Decides positions all of whose regions have at most so many squares.
pub(crate) struct RegionValues<'r> {
    regions: &'r Regions,
    most_squares: u32,
    /// One for each thread that is at work.
    evaluators: Mutex<Vec<Evaluator<'r>>>,
    hits: AtomicU64,
    /// There is no memory for more values: nothing is decided any more.
    is_full: AtomicBool,
}

impl<'r> RegionValues<'r> {
    /// For searches of a game, which must be Konane on a board of up to 8x8.
    pub(crate) fn new<G: Game>(
        game: &G,
        regions: &'r Regions,
        most_squares: u32,
    ) -> Result<RegionValues<'r>, Failure> {
        let konane = (game as &dyn Any).downcast_ref::<Konane>();
        if konane.is_none_or(|game| game.board().stride != ROW) {
            let problem = "values of regions are for konane on boards of up to 8x8";
            return Err(Failure::Arguments(problem.to_owned()));
        }
        let evaluators = Mutex::default();
        let (hits, is_full) = (AtomicU64::new(0), AtomicBool::new(false));
        Ok(RegionValues { regions, most_squares, evaluators, hits, is_full })
    }

    /// How many positions were decided.
    pub(crate) fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// Whether the player to move wins, if the regions are small and there is memory left.
    fn wins(&self, game: &Konane, position: &Position) -> Option<bool> {
        let mut evaluators = self.evaluators.lock().ok()?;
        let evaluator = evaluators.pop();
        drop(evaluators);
        let mut evaluator = evaluator.unwrap_or_else(|| Evaluator::new(self.regions));
        let board = game.board();
        let [black, white] = [board.black, board.white].map(|stones| stones & position.occupied);
        let value = evaluator.of_small_regions(board.squares, [black, white], self.most_squares);
        self.evaluators.lock().ok()?.push(evaluator);
        if value.is_err() {
            self.is_full.store(true, Ordering::Relaxed);
        }
        let value = value.ok()??;
        let forms = self.regions.forms();
        // Left, who has the black stones, wins if he begins unless the value is at most zero.
        let loses = match position.side {
            Player::First => forms.is_at_most(value, GameValue::ZERO),
            Player::Second => forms.is_at_most(GameValue::ZERO, value),
        };
        loses.ok().map(|loses| !loses)
    }
}

/// Squares from row to row.
const ROW: u32 = 8;

impl<G: Game> Oracle<G> for RegionValues<'_> {
    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        // G is Konane, as was seen at first; only the compiler does not know it.
        let game = (game as &dyn Any).downcast_ref::<Konane>()?;
        let position = (position as &dyn Any).downcast_ref::<Position>()?;
        if self.is_full.load(Ordering::Relaxed) || game.is_removal(position) {
            return None;
        }
        let wins = self.wins(game, position)?;
        self.hits.fetch_add(1, Ordering::Relaxed);
        Some(if wins { Value::Win } else { Value::Loss })
    }
}
