//! Mū tōrere: stones move to the only empty point of a star, and who cannot move has lost.

use super::{
    Game, Position, Root, Shape, from_ternary, least_ternary, read_points, show_points, split_root,
};

/// A star with 4, 8, 12 or 16 points around its centre, which is point 0.
pub(super) struct MuTorere {
    ring: usize,
    /// For each symmetry, the image of every point.
    symmetries: Vec<Vec<usize>>,
}

impl MuTorere {
    pub(super) fn read(root: &str) -> Result<Root, String> {
        let (board, side) = split_root(root, ["x", "o"])?;
        let Some((around, centre)) = board.split_once('/') else {
            return Err("the centre of the root is missing".to_owned());
        };
        let ring = around.len();
        if ![4, 8, 12, 16].contains(&ring) || centre.len() != 1 {
            return Err("the root does not have 4, 8, 12 or 16 points and a centre".to_owned());
        }
        let points = read_points(&format!("{centre}{around}"), ['x', 'o'])?;
        let position = Position { points, side };
        if position.pieces() != [ring / 2; 2] {
            return Err(format!("in the root a player does not have {} stones", ring / 2));
        }
        let goes = |point: usize, reflects: bool, quarters: usize| match point {
            0 => 0,
            _ => {
                let index = if reflects { ring - (point - 1) } else { point - 1 };
                (index + quarters * ring / 4) % ring + 1
            }
        };
        let kinds = [false, true].into_iter().flat_map(|r| (0..4).map(move |q| (r, q)));
        let symmetries = kinds
            .map(|(reflects, quarters)| (0..=ring).map(|i| goes(i, reflects, quarters)).collect())
            .collect();
        Ok((Box::new(MuTorere { ring, symmetries }), position))
    }

    /// The two points beside a point of the ring.
    fn beside(&self, point: usize) -> [usize; 2] {
        [if point == 1 { self.ring } else { point - 1 }, point % self.ring + 1]
    }

    /// Whether a stone of a player may move to the empty point.
    fn may_move(&self, points: &[u8], side: usize, from: usize, to: usize) -> bool {
        let enemy = 2 - side as u8;
        match (from, to) {
            (0, _) => true,
            (_, 0) => self.beside(from).iter().any(|&point| points[point] == enemy),
            _ => self.beside(from).contains(&to),
        }
    }
}

impl Game for MuTorere {
    fn points(&self) -> usize {
        self.ring + 1
    }

    fn limit(&self) -> u128 {
        3_u128.pow(self.points() as u32)
    }

    fn number(&self, position: &Position) -> u128 {
        least_ternary(&position.points, &self.symmetries)
    }

    fn position(&self, number: u128, side: usize) -> Option<Position> {
        let position = Position { points: from_ternary(number, self.points()), side };
        (position.pieces() == [self.ring / 2; 2]).then_some(position)
    }

    fn after(&self, position: &Position) -> Vec<Position> {
        let Position { points, side } = position;
        let Some(to) = points.iter().position(|&point| point == 0) else { return Vec::new() };
        let own = (0..points.len()).filter(|&from| usize::from(points[from]) == side + 1);
        own.filter(|&from| self.may_move(points, *side, from, to))
            .map(|from| {
                let mut after = Position { side: 1 - side, ..position.clone() };
                after.points.swap(from, to);
                after
            })
            .collect()
    }

    fn winner(&self, position: &Position) -> Option<usize> {
        Some(1 - position.side)
    }

    fn shapes(&self) -> Vec<Shape> {
        [0, 1].map(|side| Shape { pieces: [self.ring / 2; 2], side }).to_vec()
    }

    fn size(&self, [x, o]: [usize; 2]) -> usize {
        x + o
    }

    fn show(&self, number: u128, side: usize) -> String {
        let points = from_ternary(number, self.points());
        let [centre, around] = [&points[..1], &points[1..]].map(|p| show_points(p, ['x', 'o']));
        format!("{around}/{centre} {}", ["x", "o"][side])
    }
}
