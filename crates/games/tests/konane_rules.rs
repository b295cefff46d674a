//! Konane's move generator and notation against a naive implementation on arrays of squares.

mod data;

use papamu_base::Progress;
use papamu_game::{Game, Guided, Player, rules};
use papamu_games::Konane;
use papamu_games::konane::Position;
use proptest::prelude::*;

/// The rules once more, one square at a time.
struct Naive {
    /// `None` is an empty square; black is `Some(true)`.
    squares: Vec<Vec<Option<bool>>>,
    black_moves: bool,
}

impl Naive {
    fn from_text(text: &str) -> Naive {
        let (board, side) = text.split_once(' ').expect("a side to move");
        let square = |letter| match letter {
            'x' => Some(true),
            'o' => Some(false),
            _ => None,
        };
        let squares = board.split('/').map(|row| row.chars().map(square).collect()).collect();
        Naive { squares, black_moves: side == "b" }
    }

    fn at(&self, row: isize, col: isize) -> Option<Option<bool>> {
        let row = self.squares.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(col).ok()?).copied()
    }

    fn name(&self, row: isize, col: isize) -> String {
        let letters = ["", "a", "b"][col as usize / 26];
        let letter = char::from(b'a' + (col % 26) as u8);
        format!("{letters}{letter}{}", self.squares.len() as isize - row)
    }

    fn moves(&self) -> Vec<String> {
        let (rows, cols) = (self.squares.len() as isize, self.squares[0].len() as isize);
        let all: Vec<(isize, isize)> =
            (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))).collect();
        let empty: Vec<(isize, isize)> =
            all.iter().copied().filter(|&(row, col)| self.at(row, col) == Some(None)).collect();
        let mut moves = Vec::new();
        if empty.is_empty() && self.black_moves {
            for &(row, col) in all.iter().filter(|(row, col)| (row + col) % 2 == 0) {
                let edge = |i, length| i == 0 || i == length - 1;
                let middle = |i, length| i == (length - 1) / 2 || i == length / 2;
                if edge(row, rows) && edge(col, cols) || middle(row, rows) && middle(col, cols) {
                    moves.push(self.name(row, col));
                }
            }
        } else if let (&[(row, col)], false) = (&empty[..], self.black_moves)
            && (row + col) % 2 == 0
        {
            for (row, col) in [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)] {
                if self.at(row, col) == Some(Some(false)) {
                    moves.push(self.name(row, col));
                }
            }
        } else {
            for &(row, col) in &all {
                if self.at(row, col) != Some(Some(self.black_moves)) {
                    continue;
                }
                for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                    let (mut r, mut c) = (row, col);
                    while self.at(r + down, c + right) == Some(Some(!self.black_moves))
                        && self.at(r + 2 * down, c + 2 * right) == Some(None)
                    {
                        (r, c) = (r + 2 * down, c + 2 * right);
                        moves.push(format!("{}-{}", self.name(row, col), self.name(r, c)));
                    }
                }
            }
        }
        moves.sort();
        moves
    }
}

/// Any board with any occupancy: sparse, dense and everything between.
fn any_position() -> impl Strategy<Value = (usize, usize, u64, bool)> {
    let sizes = (1..=64_usize).prop_flat_map(|rows| (Just(rows), 1..=64 / rows));
    let small = (1..=8_usize, 1..=8_usize);
    let occupancy = prop_oneof![
        any::<u64>(),
        (any::<u64>(), any::<u64>()).prop_map(|(a, b)| a & b),
        (any::<u64>(), any::<u64>()).prop_map(|(a, b)| a | b),
        (any::<u64>(), any::<u64>(), any::<u64>()).prop_map(|(a, b, c)| a | b | c),
        (0..64_u32, 0..64_u32).prop_map(|(a, b)| !(1_u64 << a) & !(1 << b)),
        Just(u64::MAX),
    ];
    (prop_oneof![sizes, small], occupancy, any::<bool>())
        .prop_map(|((rows, cols), occupied, black)| (rows, cols, occupied, black))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn generated_moves_are_the_naive_ones((rows, cols, occupied, black) in any_position()) {
        let game = Konane::new(rows, cols).expect("a board");
        let side = if black { Player::First } else { Player::Second };
        let position = Position { occupied: occupied & game.board().squares, side };
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        prop_assert_eq!(game.count_moves(&position), moves.len());
        let mut texts: Vec<String> =
            moves.iter().map(|mv| game.write_move(&position, mv)).collect();
        texts.sort();
        prop_assert_eq!(texts, Naive::from_text(&game.write(&position)).moves());
        let wins = moves.iter().any(|mv| {
            let mut child = position;
            game.play(&mut child, mv);
            game.count_moves(&child) == 0
        });
        prop_assert_eq!(game.has_immediate_win(&position), wins);
        let survey = game.survey(&position);
        prop_assert_eq!((survey.moves, survey.has_immediate_win), (moves.len(), wins));
        // A decided position needs no estimate.
        let undecided = !moves.is_empty() && !wins;
        prop_assert_eq!(survey.evaluation, game.evaluate(&position).filter(|_| undecided));
    }

    #[test]
    fn positions_round_trip((rows, cols, occupied, black) in any_position()) {
        let game = Konane::new(rows, cols).expect("a board");
        let side = if black { Player::First } else { Player::Second };
        let position = Position { occupied: occupied & game.board().squares, side };
        let (read_game, read) = Konane::read(&game.write(&position)).expect("own notation");
        prop_assert_eq!(read, position);
        prop_assert_eq!(read_game.board(), game.board());
    }

    #[test]
    fn reading_never_panics(text in "[xo./bw 0-9x\\PC]{0,80}") {
        let _ = Konane::read(&text);
    }

    #[test]
    fn reading_moves_never_panics(text in "[a-h1-8\\-\\PC]{0,12}") {
        let game = Konane::new(5, 5).expect("a board");
        let _ = game.read_move(&game.start(), &text);
    }

    /// A move is legal exactly if the generator gives it: the walk from square to square accepts no
    /// others.
    #[test]
    fn no_other_move_is_legal((rows, cols, occupied, black) in any_position()) {
        let game = Konane::new(rows, cols).expect("a board");
        let side = if black { Player::First } else { Player::Second };
        let position = Position { occupied: occupied & game.board().squares, side };
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        for from in 0..=64 {
            for to in 0..=64 {
                let mv = papamu_games::konane::Jump { from, to };
                prop_assert_eq!(game.is_legal(&position, &mv), moves.contains(&mv));
            }
        }
    }
}

#[test]
fn first_moves_are_corners_and_centre() {
    let openings = data::lines("openings.csv");
    assert_eq!(openings.len(), 64);
    for fields in openings {
        let (rows, cols): (usize, usize) =
            (fields[0].parse().expect("rows"), fields[1].parse().expect("columns"));
        let game = Konane::new(rows, cols).expect("a board");
        let mut moves = Vec::new();
        game.moves(&game.start(), &mut moves);
        assert_eq!(moves.len().to_string(), fields[2], "{rows}x{cols}");
        let mut squares: Vec<String> = moves
            .iter()
            .map(|mv| {
                let (row, col) = game.board().row_and_col(mv.from);
                format!("({row};{col})")
            })
            .collect();
        squares.sort();
        assert_eq!(squares.join(" "), fields[3], "{rows}x{cols}");
    }
}

#[test]
fn laws_hold_on_boards_of_all_shapes() {
    for size in ["1x1", "2x2", "3x3", "4x4", "5x5", "6x5", "5x6", "7x7", "8x8", "1x40", "40x1"]
        .into_iter()
        .chain(["2x24", "24x2", "3x16", "16x3", "4x12", "12x4", "1x64", "64x1", "9x7", "7x9"])
    {
        let (game, start) = Konane::read(size).expect("a board");
        let result = rules::check(&game, &start, &Konane::CAPABILITIES, 20, 7, &Progress::new());
        if let Err(violation) = result {
            panic!("{size}: {violation}");
        }
    }
}

/// The side to move and the missing stones tell the phase: removals, then jumps.
#[test]
fn phases_follow_from_the_position() {
    let texts = |position: &str| {
        let (game, position) = Konane::read(position).expect("a position");
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        let mut texts: Vec<String> =
            moves.iter().map(|mv| game.write_move(&position, mv)).collect();
        texts.sort();
        texts
    };
    assert_eq!(texts("xox/oxo/xox b"), ["a1", "a3", "b2", "c1", "c3"]);
    assert_eq!(texts("xox/oxo/xox w"), [""; 0]);
    assert_eq!(texts("xox/o.o/xox w"), ["a2", "b1", "b3", "c2"]);
    // One stone missing with the wrong side to move, or the wrong colour missing: jumps.
    assert_eq!(texts("xox/o.o/xox b"), [""; 0]);
    assert_eq!(texts("x.x/oxo/xox w"), ["b1-b3"]);
    assert_eq!(texts("x.x/oxo/xox b"), [""; 0]);
    // Every prefix of a multi-jump is a move of its own.
    assert_eq!(texts("xo.o. b"), ["a1-c1", "a1-e1"]);
}
