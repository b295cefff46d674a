//! Who wins a position whose value is out of reach: a search that takes exact values where all that is left is small, and
//! bounds of the value from the number of stones.

use hashbrown::{DefaultHashBuilder, HashMap};
use papamu_base::memory::make_room;

use super::bits::{Bits, U256};
use super::evaluator::Evaluator;
use super::grid::{Grid, Square};
use super::normal::Large;
use super::stones::{Layout, Stones};
use crate::forms::{Halt, Value};

/// Regions of up to so many squares are valued: the largest take some milliseconds.
pub const TRACTABLE_SQUARES: u32 = 20;

/// Searches who wins.
pub struct Outcomes<'e, 'r> {
    evaluator: &'e mut Evaluator<'r>,
    /// Whether the player who begins wins, by the stones that matter and who begins.
    known: HashMap<(Large, usize), bool>,
}

/// What is left of a position.
struct Rest {
    /// The sum of the small regions.
    value: Value,
    /// All stones in regions.
    stones: Large,
    /// Stones of both players in the regions that are not small.
    large: [u32; 2],
}

impl<'e, 'r> Outcomes<'e, 'r> {
    /// Nothing is known yet. The limits are those of the evaluator's store.
    pub fn new(evaluator: &'e mut Evaluator<'r>) -> Outcomes<'e, 'r> {
        Outcomes { evaluator, known: HashMap::with_hasher(DefaultHashBuilder::default()) }
    }

    /// Whether Black or White wins if he begins.
    pub fn wins(&mut self, grid: &Grid, player: Square) -> Result<bool, Halt> {
        let (layout, stones) = grid.stones();
        self.search(&layout, stones, usize::from(player == Square::White))
    }

    /// Values between which that of the position is: every move of a player takes a stone of the other, and who can make
    /// no more than n moves is no better off than n.
    pub fn bounds(&mut self, grid: &Grid) -> Result<[Value; 2], Halt> {
        let (layout, stones) = grid.stones();
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
            // Left wins if he begins unless the value is at most zero.
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
        // Who has no reply has lost, and who has few is near it.
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
