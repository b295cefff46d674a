//! Clobber (M. Albert, J. Grossman, R. Nowakowski, 2001) with all verbs of papamu: move a stone of
//! yours onto a neighbouring stone of your opponent, which it takes; whoever cannot move loses.

use std::process::ExitCode;

use papamu::kit::BenchCase;
use papamu::{Kit, Registered, Registry};
use papamu_game::notation::{Grid, read_size, square_name};
use papamu_game::{Game, Guided, NoOptions, NotationError, Player};
use papamu_search::options::{Algorithm, Options};

/// The board. Square (row, column) is bit `row * cols + column`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Clobber {
    rows: usize,
    cols: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Position {
    stones: [u64; 2],
    side: Player,
}

type Jump = (u8, u8);

const LETTERS: [char; 2] = ['x', 'o'];
const SIDES: &str = "`x` or `o`";

impl Clobber {
    fn new(rows: usize, cols: usize, size: &str) -> Result<Clobber, NotationError> {
        if rows.checked_mul(cols).is_some_and(|squares| (1..=63).contains(&squares)) {
            return Ok(Clobber { rows, cols });
        }
        let problem = "a board has 1 to 63 squares".to_owned();
        Err(NotationError::Size { size: size.to_owned(), problem })
    }

    fn are_neighbours(&self, a: u8, b: u8) -> bool {
        let place = |square: u8| (usize::from(square) / self.cols, usize::from(square) % self.cols);
        let (a, b) = (place(a), place(b));
        a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1
    }

    fn squares(&self) -> impl Iterator<Item = u8> + Clone {
        0..(self.rows * self.cols) as u8
    }

    /// The same stones with the other player to move.
    fn null_move(&self, position: &Position) -> Option<Position> {
        Some(Position { side: !position.side, ..*position })
    }
}

impl Game for Clobber {
    const NAME: &'static str = "clobber";
    const SUMMARY: &'static str = "Take neighbouring stones; who cannot, loses";
    const PLAYERS: [&'static str; 2] = ["black", "white"];
    const NOTATION: &'static str = "`3x4` (rows x columns) is the start; or rows of `x`, `o`, `.` joined by `/`, a space, `x` or `o` to move";
    const EXAMPLES: &'static [&'static str] = &["3x3", "xo./.xo x"];

    type Position = Position;
    type Move = Jump;
    type Undo = Position;
    type Key = u128;
    type Options = NoOptions;

    fn read(text: &str) -> Result<(Clobber, Position), NotationError> {
        if let Some((rows, cols)) = read_size(text.trim()) {
            let game = Clobber::new(rows, cols, text.trim())?;
            let colour = |square: u8| usize::from(square) / cols + usize::from(square) % cols;
            let set = |parity: usize| {
                let own = game.squares().filter(|&square| colour(square) % 2 == parity);
                own.fold(0, |set, square| set | 1 << square)
            };
            return Ok((game, Position { stones: [set(0), set(1)], side: Player::First }));
        }
        let grid = Grid::read(text, SIDES)?;
        let game = Clobber::new(grid.rows, grid.cols, &format!("{}x{}", grid.rows, grid.cols))?;
        let stones = grid.planes(LETTERS, "`x`, `o` and `.`")?;
        Ok((game, Position { stones, side: grid.player(LETTERS, SIDES)? }))
    }

    fn write(&self, position: &Position) -> String {
        let cells = Grid::letters(position.stones, LETTERS, '.', self.rows * self.cols);
        Grid::write(self.cols, &cells, LETTERS[position.side.index()])
    }

    fn write_move(&self, _: &Position, &(from, to): &Jump) -> String {
        let name = |square: u8| {
            square_name(self.rows, usize::from(square) / self.cols, usize::from(square) % self.cols)
        };
        format!("{}-{}", name(from), name(to))
    }

    fn draw(&self, position: &Position) -> String {
        let cells = Grid::letters(position.stones, ['●', '○'], '·', self.rows * self.cols);
        Grid::draw(self.cols, &cells)
    }

    fn to_move(&self, position: &Position) -> Player {
        position.side
    }

    fn moves(&self, position: &Position, moves: &mut Vec<Jump>) {
        let pairs = self.squares().flat_map(|from| self.squares().map(move |to| (from, to)));
        moves.extend(pairs.filter(|jump| self.is_legal(position, jump)));
    }

    fn is_legal(&self, position: &Position, &(from, to): &Jump) -> bool {
        let has = |player: Player, square| position.stones[player.index()] >> square & 1 == 1;
        has(position.side, from) && has(!position.side, to) && self.are_neighbours(from, to)
    }

    fn play(&self, position: &mut Position, &(from, to): &Jump) -> Position {
        let before = *position;
        position.stones[before.side.index()] ^= 1 << from | 1 << to;
        position.stones[(!before.side).index()] ^= 1 << to;
        position.side = !before.side;
        before
    }

    fn undo(&self, position: &mut Position, _: &Jump, before: Position) {
        *position = before;
    }

    fn key(&self, position: &Position) -> u128 {
        let [black, white] = position.stones.map(u128::from);
        black | white << 63 | (position.side.index() as u128) << 126
    }
}

impl Guided for Clobber {}

impl Registered for Clobber {
    fn kit() -> Kit<Clobber> {
        let case =
            |position, algorithm| BenchCase { position, algorithm, options: Options::default() };
        Kit::new()
            .null_move(Clobber::null_move)
            .bench([case("3x4", Algorithm::DfPn), case("3x3", Algorithm::Pns)])
    }
}

fn main() -> ExitCode {
    papamu_cli::run(Registry::standard().with::<Clobber>())
}
