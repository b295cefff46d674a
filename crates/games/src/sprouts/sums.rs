//! Sprouts for searches with nimbers: lands as they are kept, without text.

use papamu_game::sums::{Generator, PartLists, Sums, TooMany};
use papamu_game::{Game, NotationError, Value};

use super::{Drawing, Sprouts, code, moves, notation};

/// More are not made: they would take gigabytes.
pub(super) const MOST_OPTIONS: u64 = 1 << 22;

/// Normal play: a position is a sum of lands.
#[derive(Clone, Copy, Debug)]
pub struct Lands;

impl Sums for Lands {
    fn parts_of(&self, position: &str) -> Result<PartLists, NotationError> {
        let mut generator = moves::Generator::default();
        let (drawn, mut lands) =
            (generator.lands(&notation::read(position)?), PartLists::default());
        drawn.list(0).for_each(|land| lands.part(|form| generator.canonical(land, form)));
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

impl Generator for moves::Generator {
    fn options(&mut self, land: &[u8], options: &mut PartLists) -> Result<(), TooMany> {
        if moves::most_options(land) > MOST_OPTIONS {
            return Err(TooMany);
        }
        moves::Generator::options(self, land, options);
        Ok(())
    }

    fn canonical(&mut self, land: &[u8], form: &mut Vec<u8>) {
        moves::Generator::canonical(self, land, form);
    }
}

/// Misere play: nimbers say nothing about sums, so a position is one part, its lands one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Wholes;

impl Sums for Wholes {
    fn parts_of(&self, position: &str) -> Result<PartLists, NotationError> {
        let drawing = Sprouts::read(position)?.1;
        let mut whole = PartLists::default();
        whole.part(|bytes| drawing.append_to(bytes));
        whole.end();
        Ok(whole)
    }

    fn generator(&self) -> Box<dyn Generator + '_> {
        Box::new(*self)
    }

    fn write(&self, position: &[u8]) -> String {
        Sprouts::new(true).write(&Drawing::of_bytes(position))
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

impl Generator for Wholes {
    fn options(&mut self, position: &[u8], options: &mut PartLists) -> Result<(), TooMany> {
        let drawing = Drawing::of_bytes(position);
        if drawing.0.iter().any(|land| moves::most_options(land) > MOST_OPTIONS) {
            return Err(TooMany);
        }
        for option in drawing.options() {
            options.part(|bytes| option.append_to(bytes));
            options.end();
        }
        Ok(())
    }
}
