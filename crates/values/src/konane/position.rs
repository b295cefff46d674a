//! The value of a [`Setup`], its independent regions, and the moves of both players.

use papamu_game::Player;
use papamu_games::konane::{Setup, Square};

use super::bits::{Bits, U256};
use super::evaluator::Evaluator;
use super::normal::Large;
use super::stones::{Layout, Stones};
use crate::forms::{Halt, Value};

/// An independent region of a position, on a board of its own with walls around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The square of the whole board at its top left corner.
    pub at: String,
    /// The region.
    pub setup: Setup,
}

/// A move and the position after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The move, from square to square.
    pub name: String,
    /// The position after it.
    pub after: Setup,
}

impl Evaluator<'_> {
    /// The value of a position: whoever cannot jump loses, Left has the black stones. The side to
    /// move does not matter.
    pub fn value(&mut self, setup: &Setup) -> Result<Value, Halt> {
        // Known values take no step, so without this one they would not notice the limits.
        self.forms().step()?;
        let (layout, stones) = stones(setup);
        self.forget_unfinished();
        self.position(&layout, stones)
    }
}

/// The moves of a player.
pub fn moves(setup: &Setup, player: Player) -> Vec<Move> {
    let (layout, stones) = stones(setup);
    let own = |stones: Large| [stones.black, stones.white][player.index()];
    let place = |set: U256| {
        let square = set.first() as usize;
        (square / setup.columns(), square % setup.columns())
    };
    let mut moves = Vec::new();
    let result = layout.for_each_option(stones, |mover, after| {
        if mover == player.index() {
            let (before, now) = (own(stones), own(after));
            let name = setup.jump_name(place(before & !now), place(now & !before));
            moves.push(Move { name, after: with(setup, after) });
        }
        Ok(())
    });
    debug_assert_eq!(result, Ok(()));
    moves
}

/// The independent regions. Stones that can never matter are in none of them.
pub fn regions(setup: &Setup) -> Vec<Region> {
    let (layout, stones) = stones(setup);
    let mut regions = Vec::new();
    let result = layout.for_each_region(stones, |region| {
        let rows = || region.usable.squares().map(|square| square as usize / setup.columns());
        let columns = || region.usable.squares().map(|square| square as usize % setup.columns());
        let (top, left) = (rows().min().unwrap_or(0), columns().min().unwrap_or(0));
        let (bottom, right) = (rows().max().unwrap_or(0), columns().max().unwrap_or(0));
        regions.push(Region {
            at: setup.name(top, left),
            setup: with(setup, region).part((top, left), (bottom, right)),
        });
        Ok(())
    });
    debug_assert_eq!(result, Ok(()));
    regions
}

/// The region of each square, row by row.
pub fn region_of_squares(setup: &Setup) -> Vec<Option<usize>> {
    let (layout, stones) = stones(setup);
    let mut regions = vec![None; setup.squares().len()];
    let mut count = 0;
    let result = layout.for_each_region(stones, |region| {
        region.usable.squares().for_each(|square| regions[square as usize] = Some(count));
        count += 1;
        Ok(())
    });
    debug_assert_eq!(result, Ok(()));
    regions
}

/// The same board with other stones and no side to move.
fn with(setup: &Setup, stones: Large) -> Setup {
    let square = |i: usize| {
        let is_in = |set: U256| !(set & U256::square(i as u32)).is_empty();
        match (is_in(stones.usable), is_in(stones.black), is_in(stones.white)) {
            (false, ..) => Square::Wall,
            (_, true, _) => Square::Black,
            (_, _, true) => Square::White,
            _ => Square::Empty,
        }
    };
    setup.map(square).with_side(None)
}

/// The board as sets of squares.
pub(super) fn stones(setup: &Setup) -> (Layout<U256>, Large) {
    let set = |keep: &dyn Fn(Square) -> bool| {
        let squares = setup.squares().iter().enumerate().filter(|(_, square)| keep(**square));
        squares.fold(U256::default(), |set, (i, _)| set | U256::square(i as u32))
    };
    let stones = Stones {
        usable: set(&|square| square != Square::Wall),
        black: set(&|square| square == Square::Black),
        white: set(&|square| square == Square::White),
    };
    (Layout::new(setup.columns() as u32), stones)
}
