//! Sprouts for searches with nimbers: lands as bytes, without text.

use papamu_game::sums::{ComponentLists, Generator, Sums, SumsOf, TooManyOptions};
use papamu_game::{Ending, Game, NotationError, Value};

use super::{Drawing, Sprouts, code, moves, notation};

/// Lands with more options are refused: they would take gigabytes.
pub(super) const MOST_OPTIONS: u64 = 1 << 22;

/// Normal play: a position is a sum of lands.
#[derive(Clone, Copy, Debug)]
pub struct Lands;

impl Sums for Lands {
    fn read(&self, position: &str) -> Result<ComponentLists, NotationError> {
        let mut generator = moves::Generator::default();
        let (drawn, mut lands) =
            (generator.lands(&notation::read(position)?), ComponentLists::default());
        drawn.list(0).for_each(|land| lands.component(|form| generator.canonical(land, form)));
        lands.end();
        Ok(lands)
    }

    fn generator(&self) -> Box<dyn Generator + '_> {
        Box::new(moves::Generator::default())
    }

    fn write(&self, land: &[u8]) -> String {
        notation::write_land(land)
    }

    fn weight(&self, land: &[u8]) -> u32 {
        code::lives(land) as u32
    }

    fn has_nimbers(&self) -> bool {
        true
    }

    fn is_certifiable(&self) -> bool {
        true
    }
}

impl SumsOf<Sprouts> for Lands {
    fn components(&self, drawing: &Drawing) -> ComponentLists {
        let mut generator = moves::Generator::default();
        let mut lands = ComponentLists::default();
        // The canonical form of positions is exact, that of searches is quick: they may differ.
        for land in &drawing.0 {
            lands.component(|form| generator.canonical(land, form));
        }
        lands.end();
        lands
    }
}

impl Generator for moves::Generator {
    fn options(&mut self, land: &[u8], options: &mut ComponentLists) -> Result<(), TooManyOptions> {
        if moves::most_options(land) > MOST_OPTIONS {
            return Err(TooManyOptions);
        }
        moves::Generator::options(self, land, options);
        Ok(())
    }

    fn canonical(&mut self, land: &[u8], form: &mut Vec<u8>) {
        moves::Generator::canonical(self, land, form);
    }
}

/// Misere play: nimbers say nothing about sums, so a position is a single component, its lands one
/// after the other.
#[derive(Clone, Copy, Debug)]
pub struct Wholes;

impl Sums for Wholes {
    fn read(&self, position: &str) -> Result<ComponentLists, NotationError> {
        Ok(self.components(&Sprouts::read(position)?.1))
    }

    fn generator(&self) -> Box<dyn Generator + '_> {
        Box::new(*self)
    }

    fn write(&self, position: &[u8]) -> String {
        Sprouts::new(Ending::Misere).write(&Drawing::of_bytes(position))
    }

    fn weight(&self, position: &[u8]) -> u32 {
        Drawing::of_bytes(position).lives() as u32
    }

    fn has_nimbers(&self) -> bool {
        false
    }

    fn final_value(&self, _: &[u8]) -> Value {
        Value::Win
    }
}

impl SumsOf<Sprouts> for Wholes {
    fn components(&self, drawing: &Drawing) -> ComponentLists {
        let mut whole = ComponentLists::default();
        whole.component(|bytes| drawing.append_to(bytes));
        whole.end();
        whole
    }
}

impl Generator for Wholes {
    fn options(
        &mut self,
        position: &[u8],
        options: &mut ComponentLists,
    ) -> Result<(), TooManyOptions> {
        let drawing = Drawing::of_bytes(position);
        if drawing.0.iter().any(|land| moves::most_options(land) > MOST_OPTIONS) {
            return Err(TooManyOptions);
        }
        for option in drawing.options() {
            options.component(|bytes| option.append_to(bytes));
            options.end();
        }
        Ok(())
    }
}
