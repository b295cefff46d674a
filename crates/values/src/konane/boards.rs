//! All positions of small boards, random ones, and lists of positions as text.

use papamu_base::{Progress, Stopped};
use papamu_game::NotationError;
use papamu_games::konane::{Setup, Square};
use rayon::prelude::*;
use thiserror::Error;

/// The colours that stones may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// Those of a real game: black where row + column is even, counted from the top left corner.
    Game,
    /// Any stone on any square.
    Any,
}

impl Colours {
    /// What a square may hold.
    fn kinds(self) -> u64 {
        match self {
            Colours::Game => 2,
            Colours::Any => 3,
        }
    }
}

/// The most positions that are listed.
pub const MOST_BOARDS: u64 = 100_000_000;

/// Why a board's positions cannot be listed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BadBoard {
    /// There is no such board.
    #[error(transparent)]
    Size(#[from] NotationError),
    /// The board has too many positions.
    #[error("{rows}x{columns} has more than {MOST_BOARDS} positions")]
    TooMany {
        /// Rows of the board.
        rows: usize,
        /// Columns of the board.
        columns: usize,
    },
}

/// The positions of a board, by number.
#[derive(Clone, Debug)]
pub struct Boards {
    full: Setup,
    colours: Colours,
    count: u64,
}

impl Boards {
    /// All positions of a board with stones of these colours.
    pub fn new(rows: usize, columns: usize, colours: Colours) -> Result<Boards, BadBoard> {
        let full = Setup::full(rows, columns)?;
        let count = colours.kinds().checked_pow((rows * columns) as u32);
        let count = count.filter(|&count| count <= MOST_BOARDS);
        let count = count.ok_or(BadBoard::TooMany { rows, columns })?;
        Ok(Boards { full, colours, count })
    }

    /// The number of positions.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The position with that number.
    pub fn get(&self, index: u64) -> Setup {
        let kinds = self.colours.kinds();
        let square = |i: usize| match (index / kinds.pow(i as u32) % kinds, self.colours) {
            (0, _) => Square::Empty,
            (_, Colours::Game) => self.full.squares()[i],
            (1, Colours::Any) => Square::Black,
            (_, Colours::Any) => Square::White,
        };
        self.full.map(square)
    }

    /// One position of each orbit under the symmetries of the board and the exchange of colours, in
    /// order, computed by the threads of the current pool. The progress counts positions.
    pub fn up_to_symmetry(&self, progress: &Progress) -> Result<Vec<Setup>, Stopped> {
        progress.add_total(self.count);
        let must_alternate = self.colours == Colours::Game;
        let least = |index: u64| {
            let stopped = progress.stop().check().err();
            progress.add(1);
            let setup = self.get(index);
            match stopped {
                Some(stopped) => Some(Err(stopped)),
                None => setup.is_least_image(must_alternate).then_some(Ok(setup)),
            }
        };
        (0..self.count).into_par_iter().filter_map(least).collect()
    }
}

/// Random positions in the colours of a real game: each square is occupied or empty with equal
/// probability. The same seed gives the same positions.
pub fn random(
    rows: usize,
    columns: usize,
    count: usize,
    seed: u64,
) -> Result<Vec<Setup>, NotationError> {
    let full = Setup::full(rows, columns)?;
    let mut random = fastrand::Rng::with_seed(seed);
    let mut setup = || {
        let mut setup = full.clone();
        for row in 0..rows {
            for column in 0..columns {
                if random.bool() {
                    setup.set(row, column, Square::Empty);
                }
            }
        }
        setup
    };
    Ok((0..count).map(|_| setup()).collect())
}

/// A line of a list that is no position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct BadLine {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: NotationError,
}

/// Reads positions, one on each line. Empty lines and comments, which begin with `#` and a space,
/// are skipped.
pub fn read_list(text: &str) -> Result<Vec<Setup>, BadLine> {
    let lines = text.lines().zip(1..).map(|(line, number)| (line.trim(), number));
    // `#` before anything else is a wall.
    let is_comment = |line: &str| line == "#" || line.starts_with("# ");
    let lines = lines.filter(|(line, _)| !line.is_empty() && !is_comment(line));
    let read = |(text, line)| Setup::read(text).map_err(|problem| BadLine { line, problem });
    lines.map(read).collect()
}

#[cfg(test)]
mod tests {
    use papamu_base::Stop;

    use super::*;

    /// Burnside's lemma gives the number of orbits; here they are counted by listing all images.
    #[test]
    fn one_board_of_each_class_is_listed() {
        for (rows, columns, colours) in [
            (2, 2, Colours::Any),
            (2, 3, Colours::Any),
            (3, 3, Colours::Game),
            (3, 4, Colours::Game),
        ] {
            let boards = Boards::new(rows, columns, colours).expect("small");
            let progress = Progress::new();
            let listed = boards.up_to_symmetry(&progress).expect("not stopped");
            assert_eq!(progress.done(), boards.count());
            let mut reached = std::collections::HashSet::new();
            for setup in &listed {
                for symmetry in papamu_game::Symmetry::ALL {
                    let image = setup.image(symmetry);
                    for image in [image.exchanged(), image] {
                        let is_ours = colours == Colours::Any || image.alternates();
                        if image.columns() == columns && is_ours {
                            reached.insert(image);
                        }
                    }
                }
            }
            assert_eq!(reached.len() as u64, boards.count(), "{rows}x{columns}");
            assert!(listed.len() as u64 * 2 < boards.count());
        }
    }

    #[test]
    fn too_many_boards_are_refused() {
        let error = Boards::new(5, 6, Colours::Game).expect_err("too many");
        assert_eq!(error.to_string(), "5x6 has more than 100000000 positions");
        assert!(matches!(Boards::new(17, 17, Colours::Any), Err(BadBoard::Size(_))));
    }

    #[test]
    fn listing_can_be_stopped() {
        let stop = Stop::new();
        stop.set();
        let boards = Boards::new(3, 3, Colours::Any).expect("small");
        assert_eq!(boards.up_to_symmetry(&Progress::with_stop(&stop)), Err(Stopped));
    }

    #[test]
    fn random_boards_follow_from_the_seed() {
        let boards = random(4, 5, 10, 7).expect("small");
        assert_eq!(random(4, 5, 10, 7), Ok(boards.clone()));
        assert!(boards.iter().all(Setup::alternates) && boards[0] != boards[1]);
    }

    #[test]
    fn lists_skip_comments_and_keep_walls() {
        let read = read_list("# two positions\n\n xo. \n#\n#x.\n").expect("a list");
        let texts: Vec<String> = read.iter().map(Setup::to_string).collect();
        assert_eq!(texts, ["xo.", "#x."]);
        let error = read_list("xo.\nxq").expect_err("a bad line");
        assert!(error.to_string().starts_with("line 2: unknown letter `q` on b1"), "{error}");
    }
}
