//! Partial results for a position whose value is out of reach: bounds from the number of stones,
//! and the winner, by a search that uses exact values once all regions that are left are small.

use hashbrown::{DefaultHashBuilder, HashMap};
use papamu_base::memory::make_room;
use papamu_game::Player;
use papamu_games::konane::Setup;

use super::bits::{Bits, U256};
use super::evaluator::{Evaluator, Regions};
use super::normal::Large;
use super::position::stones;
use super::stones::{Layout, Stones};
use crate::compare::Outcome;
use crate::forms::{Halt, Value};

/// What was found out about a position before time or memory ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Partial {
    /// A lower and an upper bound of the value.
    pub bounds: Option<[Value; 2]>,
    /// Whether Left and Right win if they begin.
    pub wins: [Option<bool>; 2],
}

impl Partial {
    /// Finds as much as the limits of the store allow. Only a stop is an error.
    pub fn new(setup: &Setup, regions: &Regions) -> Result<Partial, Halt> {
        let mut evaluator = Evaluator::new(regions);
        let mut outcomes = Outcomes::new(&mut evaluator);
        Ok(Partial {
            bounds: in_time(outcomes.bounds(setup))?,
            wins: [
                in_time(outcomes.wins(setup, Player::First))?,
                in_time(outcomes.wins(setup, Player::Second))?,
            ],
        })
    }

    /// The outcome, if it is known for both players.
    pub fn outcome(&self) -> Option<Outcome> {
        let [left, right] = self.wins;
        Some(match (left?, right?) {
            (true, false) => Outcome::Left,
            (false, true) => Outcome::Right,
            (true, true) => Outcome::Next,
            (false, false) => Outcome::Previous,
        })
    }
}

/// `None` if time or memory ended before.
fn in_time<T>(result: Result<T, Halt>) -> Result<Option<T>, Halt> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(Halt::Time | Halt::Memory) => Ok(None),
        Err(halt) => Err(halt),
    }
}

/// The most squares of a region that is evaluated exactly: the largest take some milliseconds.
pub const TRACTABLE_SQUARES: u32 = 20;

/// Searches for the winner.
pub struct Outcomes<'e, 'r> {
    evaluator: &'e mut Evaluator<'r>,
    /// Whether the player who begins wins, by the stones that matter and the player.
    known: HashMap<(Large, usize), bool>,
}

/// The regions of a position.
struct Rest {
    /// The sum of the small regions.
    value: Value,
    /// All stones in regions.
    stones: Large,
    /// The stones of both players in the regions that are not small.
    large: [u32; 2],
}

impl<'e, 'r> Outcomes<'e, 'r> {
    /// An empty memory. The limits are those of the evaluator's store.
    pub fn new(evaluator: &'e mut Evaluator<'r>) -> Outcomes<'e, 'r> {
        Outcomes { evaluator, known: HashMap::with_hasher(DefaultHashBuilder::default()) }
    }

    /// Whether a player wins if he begins.
    pub fn wins(&mut self, setup: &Setup, player: Player) -> Result<bool, Halt> {
        self.evaluator.forms().step()?;
        let (layout, stones) = stones(setup);
        self.search(&layout, stones, player.index())
    }

    /// Bounds of the value: every move of a player captures a stone of the other, and a game in
    /// which a player has at most n moves is worth at most n to him.
    pub fn bounds(&mut self, setup: &Setup) -> Result<[Value; 2], Halt> {
        self.evaluator.forms().step()?;
        let (layout, stones) = stones(setup);
        let Rest { value, large: [black, white], .. } = self.rest(&layout, stones)?;
        let forms = self.evaluator.forms();
        let [lower, upper] = [-i64::from(black), i64::from(white)].map(|n| forms.integer(n));
        Ok([forms.add(value, lower?)?, forms.add(value, upper?)?])
    }

    fn rest(&mut self, layout: &Layout<U256>, stones: Large) -> Result<Rest, Halt> {
        let nothing =
            Stones { usable: U256::default(), black: U256::default(), white: U256::default() };
        let mut rest = Rest { value: Value::ZERO, stones: nothing, large: [0, 0] };
        let forms = self.evaluator.forms();
        layout.for_each_region(stones, |region| {
            let Stones { usable, black, white } = region;
            rest.stones.usable |= usable;
            rest.stones.black |= black;
            rest.stones.white |= white;
            if usable.squares().count() as u32 <= TRACTABLE_SQUARES {
                rest.value = forms.add(rest.value, self.evaluator.position(layout, region)?)?;
            } else {
                rest.large[0] += black.squares().count() as u32;
                rest.large[1] += white.squares().count() as u32;
            }
            Ok(())
        })?;
        Ok(rest)
    }

    /// Whether the player (0 is Black) wins if he begins.
    fn search(
        &mut self,
        layout: &Layout<U256>,
        stones: Large,
        player: usize,
    ) -> Result<bool, Halt> {
        let Rest { value, stones, large } = self.rest(layout, stones)?;
        let forms = self.evaluator.forms();
        if large == [0, 0] {
            // Left, moving first, wins unless the value is at most zero.
            let loses = match player {
                0 => forms.is_at_most(value, Value::ZERO)?,
                _ => forms.is_at_most(Value::ZERO, value)?,
            };
            return Ok(!loses);
        }
        if let Some(&wins) = self.known.get(&(stones, player)) {
            return Ok(wins);
        }
        forms.remember(2 * size_of::<(Large, usize, bool)>() as u64)?;
        let mut options = Vec::new();
        layout.for_each_option(stones, |mover, after| {
            if mover == player {
                let mut replies = 0;
                layout.for_each_option(after, |mover, _| {
                    replies += usize::from(mover != player);
                    Ok(())
                })?;
                options.push((replies, after));
            }
            Ok(())
        })?;
        // A player without a reply has lost, and one with few replies is close to it.
        options.sort_by_key(|&(replies, _)| replies);
        let mut wins = false;
        for (_, after) in options {
            if !self.search(layout, after, 1 - player)? {
                wins = true;
                break;
            }
        }
        let limit_bytes = usize::try_from(forms.limits().memory_bytes).unwrap_or(usize::MAX);
        make_room(&mut self.known, 0, limit_bytes)?;
        self.known.insert((stones, player), wins);
        Ok(wins)
    }
}
