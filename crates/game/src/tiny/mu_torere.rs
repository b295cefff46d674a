//! Mū tōrere (Māori): stones on a star move to its only empty point, and who cannot move loses.
//! Nothing is ever captured, so the whole game is one long loop with a few exits.

use crate::certifiable::{from_ternary, ternary_digits, to_ternary};
use crate::notation::Grid;
use crate::ranking::{Binomials, Pairs, SquarePermutations};
use crate::{
    Capabilities, Certifiable, Entry, Game, Guided, Indexed, NoOptions, NotationError, Numbering,
    Player, PositionIndex, Symmetry,
};

/// Mū tōrere with 4, 8, 12 or 16 points around the centre, all but one point occupied. The game of
/// the Māori has 8.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MuTorere {
    points: u8,
}

/// Point 0 is the centre (pūtahi), the others (kewai) follow clockwise, the top one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Star {
    stones: [u32; 2],
    side: Player,
}

/// A stone moves to the empty point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    from: u8,
    to: u8,
}

const LETTERS: [char; 2] = ['x', 'o'];
const SIDES: &str = "`x` or `o`";
const CENTRE: u8 = 0;

impl MuTorere {
    fn all_points(self) -> u32 {
        (2 << self.points) - 1
    }

    /// The points beside a point of the ring.
    fn neighbours(self, point: u8) -> [u8; 2] {
        let ring = |offset: u8| (point - 1 + offset) % self.points + 1;
        [ring(1), ring(self.points - 1)]
    }

    fn empty_point(self, position: &Star) -> u8 {
        let [first, second] = position.stones;
        (self.all_points() & !(first | second)).trailing_zeros() as u8
    }

    /// Whether a stone of the player to move may go from a point to the empty one.
    fn may_step(self, position: &Star, from: u8, to: u8) -> bool {
        let enemy = position.stones[(!position.side).index()];
        match (from, to) {
            (CENTRE, _) => true,
            // Only from beside an enemy stone, or the game would be over at its first move.
            (_, CENTRE) => self.neighbours(from).iter().any(|beside| enemy >> beside & 1 == 1),
            _ => self.neighbours(to).contains(&from),
        }
    }

    fn letter(position: &Star, point: u8, empty: char) -> char {
        match position.stones.map(|stones| stones >> point & 1) {
            [1, _] => LETTERS[0],
            [_, 1] => LETTERS[1],
            _ => empty,
        }
    }

    fn ring(self, position: &Star, empty: char) -> String {
        (1..=self.points).map(|point| MuTorere::letter(position, point, empty)).collect()
    }

    /// Where a point goes: the ring is seen as the edge of a square with its first corner at the
    /// top, of whose points a quarter lies on each side.
    fn image_of_point(self, symmetry: Symmetry, point: u8) -> u8 {
        if point == CENTRE {
            return CENTRE;
        }
        let quarter = self.points / 4;
        // Clockwise by so many quarters, after a reflection in the diagonal through the corner.
        let (reflects, quarters) = match symmetry {
            Symmetry::Identity => (false, 0),
            Symmetry::Rotate90 => (false, 1),
            Symmetry::Rotate180 => (false, 2),
            Symmetry::Rotate270 => (false, 3),
            Symmetry::FlipDiagonal => (true, 0),
            Symmetry::FlipHorizontal => (true, 1),
            Symmetry::FlipAntidiagonal => (true, 2),
            Symmetry::FlipVertical => (true, 3),
        };
        let index = point - 1;
        let index = if reflects { self.points - index } else { index };
        (index + quarters * quarter) % self.points + 1
    }
}

impl Game for MuTorere {
    const NAME: &'static str = "mu-torere";
    const SUMMARY: &'static str = "Move to the empty point of the star until the opponent cannot";
    const PLAYERS: [&'static str; 2] = ["x", "o"];
    const NOTATION: &'static str = "`4`, `8`, `12` or `16` points; or the points clockwise from the top as `x`, `o` and `.`, `/`, the centre, a space, `x` or `o` to move";
    const EXAMPLES: &'static [&'static str] = &["8", "xoxoxo.x/o x"];
    const CYCLIC: bool = true;

    type Position = Star;
    type Move = Step;
    type Undo = ();
    type Key = u64;
    type Options = NoOptions;

    fn read(text: &str) -> Result<(Self, Star), NotationError> {
        let text = text.trim();
        let bad = |problem: &str| NotationError::Position {
            text: text.to_owned(),
            problem: problem.to_owned(),
        };
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let points = match text {
                "4" => 4,
                "8" => 8,
                "12" => 12,
                "16" => 16,
                _ => {
                    let problem = "mu-torere has 4, 8, 12 or 16 points around the centre";
                    return Err(NotationError::Size {
                        size: text.to_owned(),
                        problem: problem.to_owned(),
                    });
                }
            };
            let half = (1 << (points / 2)) - 1;
            let stones = [half << 1, half << (points / 2 + 1)];
            return Ok((MuTorere { points }, Star { stones, side: Player::First }));
        }
        let (ring, rest) = text.split_once('/').ok_or_else(|| bad("the centre is missing"))?;
        if !matches!(ring.len(), 4 | 8 | 12 | 16) {
            return Err(bad("there are 4, 8, 12 or 16 points around the centre"));
        }
        // One row of letters: the centre, then the ring.
        let (centre, side) = rest.split_once(' ').unwrap_or((rest, ""));
        if centre.chars().count() != 1 {
            return Err(bad("the centre is one point"));
        }
        let row = Grid::read(&format!("{centre}{ring} {side}"), SIDES)?;
        let game = MuTorere { points: ring.len() as u8 };
        let stones = row.planes(LETTERS, "`x`, `o` and `.`")?.map(|stones| stones as u32);
        let side = row.player(LETTERS, SIDES)?;
        if stones.map(u32::count_ones) != [u32::from(game.points) / 2; 2] {
            return Err(bad("each side has half as many stones as there are points around"));
        }
        Ok((game, Star { stones, side }))
    }

    fn write(&self, position: &Star) -> String {
        let centre = MuTorere::letter(position, CENTRE, '.');
        format!("{}/{centre} {}", self.ring(position, '.'), LETTERS[position.side.index()])
    }

    /// All moves go to the same point.
    fn write_move(&self, _: &Star, step: &Step) -> String {
        let name = |point: u8| if point == CENTRE { "c".to_owned() } else { point.to_string() };
        format!("{}-{}", name(step.from), name(step.to))
    }

    fn draw(&self, position: &Star) -> String {
        let centre = MuTorere::letter(position, CENTRE, '·');
        format!("{}  around  {centre}", self.ring(position, '·'))
    }

    fn to_move(&self, position: &Star) -> Player {
        position.side
    }

    fn moves(&self, position: &Star, moves: &mut Vec<Step>) {
        let to = self.empty_point(position);
        let own = position.stones[position.side.index()];
        let movable = (0..=self.points).filter(|&from| own >> from & 1 == 1);
        let movable = movable.filter(|&from| self.may_step(position, from, to));
        moves.extend(movable.map(|from| Step { from, to }));
    }

    fn is_legal(&self, position: &Star, step: &Step) -> bool {
        let cells: Vec<char> =
            (0..=self.points).map(|point| MuTorere::letter(position, point, '.')).collect();
        let own = LETTERS[position.side.index()];
        let enemy = LETTERS[(!position.side).index()];
        let (from, to) = (usize::from(step.from), usize::from(step.to));
        let points = usize::from(self.points);
        let distance = from.abs_diff(to);
        let are_beside =
            |a: usize, b: usize| matches!(a.abs_diff(b), 1) || a.abs_diff(b) == points - 1;
        cells.get(from) == Some(&own)
            && cells.get(to) == Some(&'.')
            && match (from, to) {
                (0, _) => true,
                (_, 0) => {
                    (1..=points).any(|point| are_beside(point, from) && cells[point] == enemy)
                }
                _ => distance == 1 || distance == points - 1,
            }
    }

    fn play(&self, position: &mut Star, step: &Step) {
        position.stones[position.side.index()] ^= 1 << step.from | 1 << step.to;
        position.side = !position.side;
    }

    fn undo(&self, position: &mut Star, step: &Step, (): ()) {
        position.side = !position.side;
        position.stones[position.side.index()] ^= 1 << step.from | 1 << step.to;
    }

    fn symmetries(&self) -> &[Symmetry] {
        &Symmetry::ALL
    }

    fn image(&self, symmetry: Symmetry, position: &Star) -> Star {
        let image = |stones: u32| {
            let points = (0..=self.points).filter(|&point| stones >> point & 1 == 1);
            points.fold(0, |image, point| image | 1 << self.image_of_point(symmetry, point))
        };
        Star { stones: position.stones.map(image), side: position.side }
    }

    fn image_of_move(&self, symmetry: Symmetry, step: &Step) -> Step {
        let [from, to] = [step.from, step.to].map(|point| self.image_of_point(symmetry, point));
        Step { from, to }
    }

    fn key(&self, position: &Star) -> u64 {
        let Star { stones: [first, second], side } = self.canonical(position);
        u64::from(first) << 33 | u64::from(second) << 1 | side.index() as u64
    }
}

impl Guided for MuTorere {}

/// The stars up to symmetry. Nothing is ever captured, so all are of one class.
#[derive(Clone, Debug)]
pub struct StarIndex {
    game: MuTorere,
    pairs: Pairs,
}

impl Indexed for MuTorere {
    type Index = StarIndex;

    fn board(&self) -> String {
        self.points.to_string()
    }

    fn index(&self, most_stones: u32) -> Option<StarIndex> {
        let points = u32::from(self.points);
        let image = |symmetry, point| self.image_of_point(symmetry, point);
        let group: SquarePermutations = Symmetry::ALL
            .map(|symmetry| (0..=self.points).map(|point| image(symmetry, point)).collect())
            .to_vec();
        let squares = (1 << (points + 1)) - 1;
        let pairs = Pairs::up_to(&Binomials::new(), squares, [points / 2; 2], group)?;
        (most_stones >= points).then_some(StarIndex { game: *self, pairs })
    }
}

impl PositionIndex<MuTorere> for StarIndex {
    fn layout(&self) -> &'static str {
        "x, o, side to move"
    }

    fn classes(&self) -> u32 {
        1
    }

    fn class_name(&self, _: u32) -> String {
        "all".to_owned()
    }

    fn stones(&self, _: u32) -> u32 {
        self.game.points.into()
    }

    fn entries(&self, _: u32) -> u64 {
        2 * self.pairs.len()
    }

    #[inline]
    fn entry(&self, position: &Star) -> Option<Entry> {
        let pair = self.pairs.rank(position.stones.map(u64::from));
        Some(Entry { class: 0, index: 2 * pair + position.side.index() as u64 })
    }

    #[inline]
    fn position(&self, entry: Entry) -> Option<Star> {
        let stones = self.pairs.unrank(entry.index / 2)?.map(|stones| stones as u32);
        let side = if entry.index.is_multiple_of(2) { Player::First } else { Player::Second };
        (entry.class == 0).then_some(Star { stones, side })
    }

    fn has_unmoves(&self) -> bool {
        true
    }

    /// A stone goes back to the empty point, if it could have come from there.
    #[inline]
    fn predecessors(&self, position: &Star, predecessors: &mut Vec<Star>) {
        let from = self.game.empty_point(position);
        let mover = !position.side;
        let mut stones = position.stones[mover.index()];
        while stones != 0 {
            let to = stones.trailing_zeros() as u8;
            let mut before = Star { side: mover, ..*position };
            before.stones[mover.index()] ^= 1 << from | 1 << to;
            if self.game.may_step(&before, from, to) {
                predecessors.push(before);
            }
            stones &= stones - 1;
        }
    }
}

impl MuTorere {
    /// What it has beyond its rules.
    pub const CAPABILITIES: Capabilities<MuTorere> =
        Capabilities { numbering: Some(Numbering::of_game()), ..Capabilities::NONE };
}

impl Certifiable for MuTorere {
    type Number = u64;

    fn certificate_number(&self, position: &Star) -> u64 {
        let points = u32::from(self.points) + 1;
        let number =
            |star: Star| to_ternary(ternary_digits(star.stones.map(u64::from), points)) as u64;
        let images = Symmetry::ALL.iter().map(|&symmetry| number(self.image(symmetry, position)));
        images.fold(number(*position), u64::min)
    }

    fn position_of_number(&self, number: u64, mover: Player) -> Option<Star> {
        let stones = from_ternary(number.into(), u32::from(self.points) + 1)?;
        let stones = stones.map(|stones| stones as u32);
        let fit = stones.map(u32::count_ones) == [u32::from(self.points) / 2; 2];
        fit.then_some(Star { stones, side: mover })
    }

    /// Nothing is ever captured.
    fn size(&self, _: &Star) -> u64 {
        self.points.into()
    }

    fn move_order(&self, step: &Step) -> u64 {
        step.from.into()
    }
}
