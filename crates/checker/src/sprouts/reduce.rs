//! The reduction: what no move can use is removed, and positions that play alike are written alike.

use super::{Boundary, Position, Region};

impl Position {
    /// Reduces the position.
    pub fn reduce(&mut self) {
        // One pass is enough: no step creates work for an earlier one.
        self.clear_boundaries();
        self.clear_regions();
        self.simplify_regions();
    }

    /// Removes dead spots, merges adjacent meetings with the same spot, and removes empty
    /// boundaries.
    fn clear_boundaries(&mut self) {
        for boundary in self.regions.iter_mut().flatten() {
            boundary.retain(|&spot| self.lives[spot] > 0);
            boundary.dedup();
            if boundary.len() > 1 && boundary.first() == boundary.last() {
                boundary.pop();
            }
        }
        for region in &mut self.regions {
            region.retain(|boundary| !boundary.is_empty());
        }
    }

    /// Removes regions with fewer than two lives, because a move takes two.
    fn clear_regions(&mut self) {
        self.regions.retain(|region| lives_of(&spots(region), &self.lives) > 1);
    }

    /// In a region with two or three lives the arrangement of the spots does not matter.
    fn simplify_regions(&mut self) {
        let mut seen_in = vec![0; self.lives.len()];
        for region in &self.regions {
            spots(region).iter().for_each(|&spot| seen_in[spot] += 1);
        }
        for region in &mut self.regions {
            let spots = spots(region);
            if lives_of(&spots, &self.lives) > 3 {
                continue;
            }
            let (shared, own): (Vec<usize>, Vec<usize>) =
                spots.into_iter().partition(|&spot| seen_in[spot] > 1);
            let mut boundary = Boundary::new();
            if !own.is_empty() {
                boundary.push(self.lives.len());
                self.lives.push(own.iter().map(|&spot| self.lives[spot]).sum());
            }
            boundary.extend(shared);
            *region = vec![boundary];
        }
    }

    /// The lands: regions that share spots, directly or through others, belong to the same land.
    /// Spots are renumbered in each.
    pub fn lands(&self) -> Vec<Position> {
        let mut regions_of = vec![Vec::new(); self.lives.len()];
        for (i, region) in self.regions.iter().enumerate() {
            region.iter().flatten().for_each(|&spot| regions_of[spot].push(i));
        }
        let mut lands = Vec::new();
        let mut taken = vec![false; self.regions.len()];
        let mut number = vec![None; self.lives.len()];
        for first in 0..self.regions.len() {
            let mut land = Position::default();
            let mut waiting = vec![first];
            while let Some(i) = waiting.pop() {
                if std::mem::replace(&mut taken[i], true) {
                    continue;
                }
                let mut renumber = |&spot: &usize| {
                    waiting.extend(regions_of[spot].iter().filter(|other| !taken[**other]));
                    *number[spot].get_or_insert_with(|| {
                        land.lives.push(self.lives[spot]);
                        land.lives.len() - 1
                    })
                };
                let renumbered = self.regions[i]
                    .iter()
                    .map(|boundary| boundary.iter().map(&mut renumber).collect())
                    .collect();
                land.regions.push(renumbered);
            }
            if !land.regions.is_empty() {
                lands.push(land);
            }
        }
        lands
    }
}

fn lives_of(spots: &[usize], lives: &[u8]) -> u32 {
    spots.iter().map(|&spot| u32::from(lives[spot])).sum()
}

/// The spots of a region, without repetitions.
fn spots(region: &Region) -> Vec<usize> {
    let mut spots: Vec<usize> = region.iter().flatten().copied().collect();
    spots.sort_unstable();
    spots.dedup();
    spots
}
