//! The values of all positions up to some size, by retrograde analysis.
//!
//! Positions of one size are solved after all smaller ones. Among them a position is won if a move
//! wins, and lost if all moves lose; whatever is never found to be either is a draw, because both
//! players can go on for ever, or one of its moves leads to a draw.

use std::ops::Range;

use crate::games::{Game, Position};
use crate::layout::Layout;
use crate::reader::Problem;

/// The most positions of a database, those of both players to move and all images counted.
pub const MOST_POSITIONS: u128 = 50_000_000;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Unknown,
    Won(u8),
    Draw,
}

/// The values of all positions up to some size.
pub struct Database {
    layout: Layout,
    values: Vec<Value>,
}

impl Database {
    /// The positions of a database, or the problem if they are too many.
    pub fn plan(game: &dyn Game, largest: u64) -> Result<Layout, Problem> {
        let layout = Layout::new(game, largest);
        if layout.count() <= MOST_POSITIONS {
            return Ok(layout);
        }
        Err(Problem::Format(format!(
            "a database of size {largest} has {} positions, more than {MOST_POSITIONS}",
            layout.count()
        )))
    }

    /// Finds the values; nothing if `go_on` says no.
    pub fn build(game: &dyn Game, layout: Layout, go_on: &dyn Fn() -> bool) -> Option<Database> {
        let values = vec![Value::Unknown; layout.count() as usize];
        let mut database = Database { layout, values };
        for layer in database.layout.layers() {
            database.solve(game, layer, go_on)?;
        }
        Some(database)
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.values.len() as u64
    }

    /// The winner of a position, none if it is a draw; nothing if it is not in the database.
    pub fn winner(&self, position: &Position) -> Option<Option<usize>> {
        match self.values[self.layout.index(position)?] {
            Value::Unknown => None,
            Value::Won(player) => Some(Some(player.into())),
            Value::Draw => Some(None),
        }
    }

    /// The indices of the positions after all moves.
    fn after(&self, game: &dyn Game, index: usize) -> impl Iterator<Item = usize> {
        let after = game.after(&self.layout.position(index)).into_iter();
        after.map(|next| self.layout.index(&next).expect("no move makes a position larger"))
    }

    /// Solves the positions of one size; nothing if `go_on` says no.
    fn solve(
        &mut self,
        game: &dyn Game,
        layer: Range<usize>,
        go_on: &dyn Fn() -> bool,
    ) -> Option<()> {
        // For each position of the layer, the number of moves that are not known to lose, and of
        // moves of the layer that lead to it.
        let mut open = vec![0_u16; layer.len()];
        let mut arrivals = vec![0_u32; layer.len() + 1];
        let mut found = Vec::new();
        for index in layer.clone() {
            polled(index, go_on)?;
            let side = self.layout.side(index) as u8;
            let mut value = Value::Unknown;
            let mut is_end = true;
            for next in self.after(game, index) {
                is_end = false;
                match self.values[next] {
                    _ if layer.contains(&next) => {
                        arrivals[next - layer.start] += 1;
                        open[index - layer.start] += 1;
                    }
                    Value::Won(winner) if winner == side => value = Value::Won(side),
                    Value::Won(_) => (),
                    _ => open[index - layer.start] += 1,
                }
            }
            if is_end {
                let winner = game.winner(&self.layout.position(index));
                value = winner.map_or(Value::Draw, |winner| Value::Won(winner as u8));
            } else if value == Value::Unknown && open[index - layer.start] == 0 {
                value = Value::Won(1 - side);
            }
            if value != Value::Unknown {
                found.push((index, value));
            }
        }
        let before = self.arrivals(game, &layer, arrivals, go_on)?;
        // Only now, so that every move inside the layer was counted above.
        for &(index, value) in &found {
            self.values[index] = value;
        }
        while let Some((index, value)) = found.pop() {
            let Value::Won(winner) = value else { continue };
            for &from in before.of(index - layer.start) {
                let from = layer.start + from as usize;
                if self.values[from] != Value::Unknown {
                    continue;
                }
                let side = self.layout.side(from) as u8;
                open[from - layer.start] -= 1;
                let is_lost = open[from - layer.start] == 0;
                if winner == side || is_lost {
                    let value = Value::Won(winner);
                    self.values[from] = value;
                    found.push((from, value));
                }
            }
        }
        for value in &mut self.values[layer] {
            if *value == Value::Unknown {
                *value = Value::Draw;
            }
        }
        Some(())
    }

    /// The moves inside a layer, by where they lead; `count` has how many lead to each position,
    /// and one place more.
    fn arrivals(
        &self,
        game: &dyn Game,
        layer: &Range<usize>,
        count: Vec<u32>,
        go_on: &dyn Fn() -> bool,
    ) -> Option<Arrivals> {
        // First where the places of each position end; to fill them from behind makes that where
        // they begin.
        let mut begin = count;
        let mut total = 0;
        for place in &mut begin {
            total += *place;
            *place = total;
        }
        let mut from = vec![0; total as usize];
        if total > 0 {
            for index in layer.clone() {
                polled(index, go_on)?;
                for next in self.after(game, index).filter(|next| layer.contains(next)) {
                    let place = &mut begin[next - layer.start];
                    *place -= 1;
                    from[*place as usize] = (index - layer.start) as u32;
                }
            }
        }
        Some(Arrivals { begin, from })
    }
}

/// Asks now and then whether to go on; nothing if not.
fn polled(index: usize, go_on: &dyn Fn() -> bool) -> Option<()> {
    (!index.is_multiple_of(4096) || go_on()).then_some(())
}

/// For each position, the positions from which moves lead to it.
struct Arrivals {
    begin: Vec<u32>,
    from: Vec<u32>,
}

impl Arrivals {
    fn of(&self, position: usize) -> &[u32] {
        &self.from[self.begin[position] as usize..self.begin[position + 1] as usize]
    }
}
