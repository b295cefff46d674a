//! Isomorphism of lands. Two lands are the same if their spots, boundaries and regions correspond
//! and all walks go the same way round, where all boundaries of a region may be walked the other
//! way together.
//!
//! A land has a form, and two lands have the same form exactly if they are the same. The only
//! difficulty is to match the shared spots. So shared spots get colours that describe how they
//! differ, finer and finer. Where spots still look alike, each of them in turn gets a colour of its
//! own. The form is the least of all completely coloured lands.

use super::{Boundary, Position, Region};
use crate::steps::{Steps, TooManySteps};

/// What a walk meets, without the numbers of spots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Token {
    /// A spot met once, by its digit.
    Digit(u8),
    /// A spot met twice in this boundary, by the number of steps until it is met again.
    Again(usize),
    /// A spot that is met in another region, too, by its number or its colour.
    Shared(usize),
}

/// A boundary in tokens. `shared` tells which spots are shared.
pub fn tokens(boundary: &Boundary, lives: &[u8], shared: impl Fn(usize) -> bool) -> Vec<Token> {
    let length = boundary.len();
    let token = |(place, &spot): (usize, &usize)| {
        let steps = (1..length).find(|steps| boundary[(place + steps) % length] == spot);
        match steps {
            Some(steps) => Token::Again(steps),
            None if shared(spot) => Token::Shared(spot),
            None => Token::Digit(3 - lives[spot]),
        }
    };
    boundary.iter().enumerate().map(token).collect()
}

/// A cycle read from one of its places.
fn rotation<T: Copy>(cycle: &[T], from: usize) -> Vec<T> {
    [&cycle[from..], &cycle[..from]].concat()
}

/// The least rotation of a cycle.
pub fn least_rotation<T: Copy + Ord>(cycle: &[T]) -> Vec<T> {
    let read = |from: usize| cycle[from..].iter().chain(&cycle[..from]);
    let mut least = 0;
    for from in 1..cycle.len() {
        if read(from).lt(read(least)) {
            least = from;
        }
    }
    rotation(cycle, least)
}

/// A region in tokens, sorted.
type Key = Vec<Vec<Token>>;

/// The numbers of boundaries, meetings and lives of each region. Equal lands have the same shape,
/// and a shape is found much faster than a form.
pub type Shape = Vec<[usize; 3]>;

/// A land in tokens, with each region walked both ways.
struct Land {
    /// Shared spots are numbered from 0.
    regions: Vec<[Key; 2]>,
    shared: usize,
    /// The steps that one look at the whole land takes.
    look: u64,
}

/// The colour of each shared spot: the number of spots with a lesser colour. So a spot with a
/// colour of its own keeps it when others become finer.
type Colours = Vec<usize>;

impl Position {
    /// The shape of a land.
    pub fn shape(&self) -> Shape {
        let sizes = |region: &Region| {
            let meetings = region.iter().map(Vec::len).sum();
            let lives = region.iter().flatten().map(|&spot| usize::from(self.lives[spot])).sum();
            [region.len(), meetings, lives]
        };
        let mut shape: Shape = self.regions.iter().map(sizes).collect();
        shape.sort_unstable();
        shape
    }

    /// The form of a land: the same land, in an order that depends only on its isomorphism class.
    /// For lands that are known to be small.
    pub fn form(&self) -> Position {
        self.form_within(&mut Steps::up_to(u64::MAX)).unwrap_or_default()
    }

    /// The form of any land, unless it takes too many steps: among hundreds of spots that look
    /// alike there are hundreds of choices, for each of them as many again, and so on.
    pub fn form_within(&self, steps: &mut Steps) -> Result<Position, TooManySteps> {
        let land = Land::new(self, steps)?;
        let mut least = None;
        let mut waiting = vec![land.refine(vec![0; land.shared], steps)?];
        while let Some(colours) = waiting.pop() {
            let alike = first_tie(&colours);
            if alike.is_empty() {
                let keys = land.keys(&colours, steps)?;
                if least.as_ref().is_none_or(|least| keys < *least) {
                    least = Some(keys);
                }
                continue;
            }
            // If two choices lead to the same complete colouring, then spots of the same colour
            // correspond. The land looks the same from either choice, and one is enough.
            let mut outcomes = Vec::new();
            for spot in alike {
                let chosen = land.choose(&colours, spot, steps)?;
                let outcome = land.any_outcome(chosen.clone(), steps)?;
                steps.take(land.look.saturating_mul(outcomes.len() as u64))?;
                if !outcomes.contains(&outcome) {
                    outcomes.push(outcome);
                    waiting.push(chosen);
                }
            }
        }
        Ok(position(&least.unwrap_or_default(), land.shared))
    }
}

impl Land {
    fn new(position: &Position, steps: &mut Steps) -> Result<Land, TooManySteps> {
        steps.take(2 * (position.size() + position.squares()))?;
        // The region in which a spot was met first, and its number if it was met in another one.
        let mut first: Vec<Option<usize>> = vec![None; position.lives.len()];
        let mut numbers: Vec<Option<usize>> = vec![None; position.lives.len()];
        let mut shared = 0;
        for (i, region) in position.regions.iter().enumerate() {
            for &spot in region.iter().flatten() {
                if *first[spot].get_or_insert(i) != i {
                    numbers[spot] = Some(shared);
                    shared += 1;
                }
            }
        }
        let in_tokens = |boundary: &Boundary| {
            let mut tokens = tokens(boundary, &position.lives, |spot| numbers[spot].is_some());
            for token in &mut tokens {
                if let Token::Shared(spot) = token {
                    *spot = numbers[*spot].unwrap_or_default();
                }
            }
            tokens
        };
        let both_ways = |region: &Region| {
            let back = region.iter().map(|boundary| boundary.iter().rev().copied().collect());
            [region.iter().map(in_tokens).collect(), back.map(|b| in_tokens(&b)).collect()]
        };
        let regions: Vec<[Key; 2]> = position.regions.iter().map(both_ways).collect();
        let look = position.size() + position.squares() + (regions.len() * shared) as u64;
        Ok(Land { regions, shared, look })
    }

    /// The regions in colours, each walked in the direction that makes it less.
    fn keys(&self, colours: &Colours, steps: &mut Steps) -> Result<Vec<Key>, TooManySteps> {
        steps.take(2 * self.look)?;
        let less = |[there, back]: &[Key; 2]| key(there, colours).min(key(back, colours));
        let mut keys: Vec<Key> = self.regions.iter().map(less).collect();
        keys.sort();
        Ok(keys)
    }

    /// Refines colours by what spots see in their two regions, until nothing changes.
    fn refine(&self, mut colours: Colours, steps: &mut Steps) -> Result<Colours, TooManySteps> {
        let mut number = count(&colours);
        while number < self.shared {
            // The views of all shared spots are compared, and each is an allocation of its own.
            steps.take(4 * self.look + 16 * self.shared as u64)?;
            let mut sights = vec![Vec::new(); self.shared];
            let both = |ways: &[Key; 2]| [key(&ways[0], &colours), key(&ways[1], &colours)];
            let keys: Vec<[Key; 2]> = self.regions.iter().map(both).collect();
            let lesser: Vec<&Key> = keys.iter().map(|[there, back]| there.min(back)).collect();
            let mut order = lesser.clone();
            order.sort();
            for ((ways, keys), less) in self.regions.iter().zip(&keys).zip(&lesser) {
                let rank = order.partition_point(|key| key < less);
                // What a spot sees here, in the direction that makes the region less, or in both if
                // they tie.
                let mut seen: Vec<Option<Vec<Token>>> = vec![None; self.shared];
                for (way, _) in ways.iter().zip(keys).filter(|(_, key)| key == less) {
                    for boundary in way {
                        let coloured = coloured(boundary, &colours);
                        for (from, token) in boundary.iter().enumerate() {
                            if let Token::Shared(spot) = *token {
                                let sight = rotation(&coloured, from);
                                if seen[spot].as_ref().is_none_or(|other| sight < *other) {
                                    seen[spot] = Some(sight);
                                }
                            }
                        }
                    }
                }
                for (spot, sight) in seen.into_iter().enumerate() {
                    sights[spot].extend(sight.map(|sight| (rank, sight)));
                }
            }
            sights.iter_mut().for_each(|sights| sights.sort());
            let look = |spot: usize| (colours[spot], &sights[spot]);
            let mut order: Vec<usize> = (0..self.shared).collect();
            order.sort_by(|a, b| look(*a).cmp(&look(*b)));
            let mut finer = vec![0; self.shared];
            for (place, &spot) in order.iter().enumerate() {
                let same = place > 0 && look(order[place - 1]) == look(spot);
                finer[spot] = if same { finer[order[place - 1]] } else { place };
            }
            colours = finer;
            let before = std::mem::replace(&mut number, count(&colours));
            if number == before {
                break;
            }
        }
        Ok(colours)
    }

    /// Gives one spot a colour of its own.
    fn choose(
        &self,
        colours: &Colours,
        spot: usize,
        steps: &mut Steps,
    ) -> Result<Colours, TooManySteps> {
        let mut chosen = colours.clone();
        for other in (0..chosen.len()).filter(|&other| other != spot) {
            if chosen[other] == chosen[spot] {
                chosen[other] += 1;
            }
        }
        self.refine(chosen, steps)
    }

    /// The land coloured completely, with arbitrary choices.
    fn any_outcome(
        &self,
        mut colours: Colours,
        steps: &mut Steps,
    ) -> Result<Vec<Key>, TooManySteps> {
        while let [spot, ..] = first_tie(&colours)[..] {
            colours = self.choose(&colours, spot, steps)?;
        }
        self.keys(&colours, steps)
    }
}

fn coloured(boundary: &[Token], colours: &Colours) -> Vec<Token> {
    let colour = |token: &Token| match *token {
        Token::Shared(spot) => Token::Shared(colours[spot]),
        token => token,
    };
    boundary.iter().map(colour).collect()
}

/// A region in colours, with each boundary rotated and all of them sorted.
fn key(region: &Key, colours: &Colours) -> Key {
    let boundaries = region.iter().map(|boundary| least_rotation(&coloured(boundary, colours)));
    let mut key: Key = boundaries.collect();
    key.sort();
    key
}

/// The number of colours.
fn count(colours: &Colours) -> usize {
    let mut used = vec![false; colours.len()];
    colours.iter().for_each(|colour| used[*colour] = true);
    used.iter().filter(|used| **used).count()
}

/// The spots of the first colour that several spots have.
fn first_tie(colours: &Colours) -> Vec<usize> {
    let mut spots = vec![Vec::new(); colours.len()];
    colours.iter().enumerate().for_each(|(spot, &colour)| spots[colour].push(spot));
    spots.into_iter().find(|spots| spots.len() > 1).unwrap_or_default()
}

/// The land with these regions, in which all colours are different.
fn position(keys: &[Key], shared: usize) -> Position {
    let mut land = Position { lives: vec![1; shared], regions: Vec::new() };
    for key in keys {
        let mut region = Region::new();
        for tokens in key {
            let mut boundary = Boundary::new();
            for (place, token) in tokens.iter().enumerate() {
                let spot = match *token {
                    Token::Shared(colour) => colour,
                    Token::Again(steps) if place + steps >= tokens.len() => {
                        boundary[place + steps - tokens.len()]
                    }
                    Token::Again(_) | Token::Digit(_) => {
                        let lives = if let Token::Digit(digit) = token { 3 - digit } else { 1 };
                        land.lives.push(lives);
                        land.lives.len() - 1
                    }
                };
                boundary.push(spot);
            }
            region.push(boundary);
        }
        land.regions.push(region);
    }
    land
}
