//! The moves.
//!
//! A curve between two boundaries of a region joins them. A curve from a boundary to itself divides
//! the region, and every other boundary comes to lie on one side or the other. Boundaries that are
//! alike are distributed by number, so that twelve isolated spots are not four thousand sets.

use std::ops::ControlFlow;

use super::form::{Token, least_rotation, tokens};
use super::{Boundary, Position, Region};

/// Boundaries of one region that are alike, by their places in the region.
type Alike = Vec<usize>;

impl Position {
    /// Shows every position after a move, unreduced and with repetitions, until it is told to stop.
    pub fn moves(&self, mut show: impl FnMut(Position) -> ControlFlow<()>) -> ControlFlow<()> {
        let shared = self.shared();
        for i in 0..self.regions.len() {
            let groups = self.groups(&self.regions[i], &shared);
            self.joins(i, &groups, &mut show)?;
            self.cuts(i, &groups, &mut show)?;
        }
        ControlFlow::Continue(())
    }

    /// An upper bound of the number of positions that [`Position::moves`] shows.
    pub fn moves_at_most(&self) -> u64 {
        let shared = self.shared();
        let mut all = 0_u64;
        for region in &self.regions {
            let spots = region.iter().map(Vec::len).sum::<usize>() as u64;
            let ways = self
                .groups(region, &shared)
                .iter()
                .fold(1_u64, |ways, group| ways.saturating_mul(group.len() as u64 + 1));
            all = all.saturating_add(ways.saturating_mul((spots + 1).saturating_pow(2)));
        }
        all
    }

    /// Curves between two boundaries of a region.
    fn joins(
        &self,
        i: usize,
        groups: &[Alike],
        show: &mut impl FnMut(Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let region = &self.regions[i];
        let new = self.lives.len();
        // One pair for each pair of groups, and one within a group.
        let pairs = groups.iter().enumerate().flat_map(|(g, group)| {
            let others = groups[g + 1..].iter().map(|other| other[0]);
            group.get(1).copied().into_iter().chain(others).map(|other| (group[0], other))
        });
        for (a, b) in pairs {
            let (first, second) = (&region[a], &region[b]);
            let rest = region.iter().enumerate().filter(|(place, _)| *place != a && *place != b);
            let rest: Region = rest.map(|(_, boundary)| boundary.clone()).collect();
            for x in 0..first.len() {
                for y in 0..second.len() {
                    let mut joined = self.round(first, x);
                    joined.push(new);
                    joined.extend(self.round(second, y));
                    joined.push(new);
                    let mut region = rest.clone();
                    region.push(joined);
                    self.show_after(i, vec![region], [first[x], second[y]], show)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Curves from a boundary of a region to itself.
    fn cuts(
        &self,
        i: usize,
        groups: &[Alike],
        show: &mut impl FnMut(Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let region = &self.regions[i];
        let new = self.lives.len();
        for (g, group) in groups.iter().enumerate() {
            let cut = &region[group[0]];
            let mut others = groups.to_vec();
            others[g].remove(0);
            for x in 0..cut.len() {
                for y in x..cut.len() {
                    // Tested before the other boundaries are distributed, in perhaps thousands of
                    // ways.
                    if !self.can_end([cut[x], cut[y]]) {
                        continue;
                    }
                    let (one, other) = if x < y {
                        let outside = cut[y..].iter().chain(&cut[..=x]);
                        (cut[x..=y].to_vec(), outside.copied().collect())
                    } else {
                        (vec![cut[x]], self.round(cut, x))
                    };
                    let sides = [one, other].map(|mut side| {
                        side.push(new);
                        side
                    });
                    for dealt in Dealt::new(&others) {
                        let regions = sides.iter().zip(dealt).map(|(side, places)| {
                            let mut side = vec![side.clone()];
                            side.extend(places.into_iter().map(|place| region[place].clone()));
                            side
                        });
                        self.show_after(i, regions.collect(), [cut[x], cut[y]], show)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// A boundary from one of its meetings all the way round and back to it. An isolated spot is
    /// met only once.
    fn round(&self, boundary: &Boundary, from: usize) -> Boundary {
        if self.lives[boundary[from]] == 3 {
            return boundary.clone();
        }
        boundary[from..].iter().chain(&boundary[..=from]).copied().collect()
    }

    /// Whether both ends of a curve have a life to spare.
    fn can_end(&self, [one, other]: [usize; 2]) -> bool {
        self.lives[one].min(self.lives[other]) > u8::from(one == other)
    }

    /// Shows the position in which these regions replace the given one, if both ends have a life to
    /// spare.
    fn show_after(
        &self,
        i: usize,
        regions: Vec<Region>,
        ends: [usize; 2],
        show: &mut impl FnMut(Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !self.can_end(ends) {
            return ControlFlow::Continue(());
        }
        let mut after = self.clone();
        ends.iter().for_each(|&end| after.lives[end] -= 1);
        after.lives.push(1);
        after.regions.swap_remove(i);
        after.regions.extend(regions);
        show(after)
    }

    /// Groups the boundaries of a region. Boundaries without shared spots that are rotations of
    /// each other are alike. Every other boundary is a group of its own.
    fn groups(&self, region: &Region, shared: &[bool]) -> Vec<Alike> {
        let mut groups: Vec<(Option<Vec<Token>>, Alike)> = Vec::new();
        for (place, boundary) in region.iter().enumerate() {
            let tokens = tokens(boundary, &self.lives, |spot| shared[spot]);
            let alone = tokens.iter().any(|token| matches!(token, Token::Shared(_)));
            let turned = (!alone).then(|| least_rotation(&tokens));
            match groups.iter_mut().find(|(key, _)| key.is_some() && *key == turned) {
                Some((_, group)) => group.push(place),
                None => groups.push((turned, vec![place])),
            }
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }

    /// Which spots are met in two regions.
    fn shared(&self) -> Vec<bool> {
        let mut first = vec![None; self.lives.len()];
        let mut shared = vec![false; self.lives.len()];
        for (i, region) in self.regions.iter().enumerate() {
            for &spot in region.iter().flatten() {
                shared[spot] |= *first[spot].get_or_insert(i) != i;
            }
        }
        shared
    }
}

/// All ways to distribute groups over two sides, with any number of each group on the first.
struct Dealt<'a> {
    groups: &'a [Alike],
    /// The number of each group on the first side; `None` after the last way.
    to_first: Option<Vec<usize>>,
}

impl Dealt<'_> {
    fn new(groups: &[Alike]) -> Dealt<'_> {
        Dealt { groups, to_first: Some(vec![0; groups.len()]) }
    }
}

impl Iterator for Dealt<'_> {
    type Item = [Vec<usize>; 2];

    fn next(&mut self) -> Option<[Vec<usize>; 2]> {
        let to_first = self.to_first.as_mut()?;
        let mut sides = [Vec::new(), Vec::new()];
        for (group, &count) in self.groups.iter().zip(&*to_first) {
            let (first, second) = group.split_at(count);
            sides[0].extend(first);
            sides[1].extend(second);
        }
        // The next number of a mixed-radix counter.
        match to_first.iter().zip(self.groups).position(|(&count, group)| count < group.len()) {
            Some(place) => {
                to_first[..place].fill(0);
                to_first[place] += 1;
            }
            None => self.to_first = None,
        }
        Some(sides)
    }
}
