//! The checker of rules finds what is wrong: each mutant of tic-tac-toe breaks one law.

use papamu_game::rules::{Law, check};
use papamu_game::tiny::{Dodgem, Kayles, TicTacToe};
use papamu_game::{Game, NotationError, Player, Progress, Symmetry, Value};

type Board = <TicTacToe as Game>::Position;
type Key = (Option<Board>, usize);

/// A way to get the rules wrong.
trait Fault: Clone + std::fmt::Debug + Send + Sync + 'static {
    const BREAKS: Law;

    fn moves(game: &TicTacToe, board: &Board, moves: &mut Vec<u8>) {
        game.moves(board, moves);
    }
    fn count_moves(game: &TicTacToe, board: &Board) -> usize {
        game.count_moves(board)
    }
    fn undo(game: &TicTacToe, board: &mut Board, mv: &u8) {
        game.undo(board, mv, ());
    }
    fn to_move(game: &TicTacToe, board: &Board) -> Player {
        game.to_move(board)
    }
    fn write(game: &TicTacToe, board: &Board) -> String {
        game.write(board)
    }
    fn write_move(game: &TicTacToe, board: &Board, mv: &u8) -> String {
        game.write_move(board, mv)
    }
    fn image_of_move(game: &TicTacToe, symmetry: Symmetry, mv: &u8) -> u8 {
        game.image_of_move(symmetry, mv)
    }
    fn final_value(game: &TicTacToe, board: &Board) -> Value {
        game.final_value(board)
    }
    fn key(game: &TicTacToe, board: &Board) -> Key {
        (Some(game.key(board)), 0)
    }
    fn parts(game: &TicTacToe, board: &Board) -> Vec<Board> {
        game.parts(board)
    }
}

#[derive(Clone, Debug)]
struct Mutant<F>(std::marker::PhantomData<F>);

impl<F: Fault> Game for Mutant<F> {
    const NAME: &'static str = "mutant";
    const SUMMARY: &'static str = "";
    const PLAYERS: [&'static str; 2] = ["x", "o"];
    const NOTATION: &'static str = "";
    const EXAMPLES: &'static [&'static str] = &[];
    type Position = Board;
    type Move = u8;
    type Undo = ();
    type Key = Key;

    fn read(text: &str) -> Result<(Self, Board), NotationError> {
        TicTacToe::read(text).map(|(_, board)| (Mutant(std::marker::PhantomData), board))
    }
    fn write(&self, board: &Board) -> String {
        F::write(&TicTacToe, board)
    }
    fn write_move(&self, board: &Board, mv: &u8) -> String {
        F::write_move(&TicTacToe, board, mv)
    }
    fn to_move(&self, board: &Board) -> Player {
        F::to_move(&TicTacToe, board)
    }
    fn moves(&self, board: &Board, moves: &mut Vec<u8>) {
        F::moves(&TicTacToe, board, moves);
    }
    fn count_moves(&self, board: &Board) -> usize {
        F::count_moves(&TicTacToe, board)
    }
    fn is_legal(&self, board: &Board, mv: &u8) -> bool {
        TicTacToe.is_legal(board, mv)
    }
    fn play(&self, board: &mut Board, mv: &u8) {
        TicTacToe.play(board, mv);
    }
    fn undo(&self, board: &mut Board, mv: &u8, (): ()) {
        F::undo(&TicTacToe, board, mv);
    }
    fn final_value(&self, board: &Board) -> Value {
        F::final_value(&TicTacToe, board)
    }
    fn symmetries(&self) -> &[Symmetry] {
        &Symmetry::ALL
    }
    fn image(&self, symmetry: Symmetry, board: &Board) -> Board {
        TicTacToe.image(symmetry, board)
    }
    fn image_of_move(&self, symmetry: Symmetry, mv: &u8) -> u8 {
        F::image_of_move(&TicTacToe, symmetry, mv)
    }
    fn key(&self, board: &Board) -> Key {
        F::key(&TicTacToe, board)
    }
    fn parts(&self, board: &Board) -> Vec<Board> {
        F::parts(&TicTacToe, board)
    }
}

macro_rules! mutant {
    ($name:ident breaks $law:ident: $($body:item)*) => {
        #[test]
        #[allow(non_snake_case, reason = "the test is named after the mutant")]
        fn $name() {
            #[derive(Clone, Debug)]
            struct $name;
            impl Fault for $name {
                const BREAKS: Law = Law::$law;
                $($body)*
            }
            let (game, start) = Mutant::<$name>::read("start").expect("start");
            let violation = check(&game, &start, 50, 1, &Progress::new()).expect_err("broken");
            assert_eq!(violation.law, $name::BREAKS, "{violation}");
        }
    };
}

fn marks(game: &TicTacToe, board: &Board) -> usize {
    game.write(board).split(' ').next().map_or(0, |rows| rows.matches(['x', 'o']).count())
}

mutant! { MovesOntoTakenSquares breaks MovesAreLegal:
    fn moves(game: &TicTacToe, board: &Board, moves: &mut Vec<u8>) {
        moves.extend(if marks(game, board) < 9 { 0..9 } else { 0..0 });
    }
    fn count_moves(game: &TicTacToe, board: &Board) -> usize {
        if marks(game, board) < 9 { 9 } else { 0 }
    }
}
mutant! { RepeatsAMove breaks MovesAreDistinct:
    fn moves(game: &TicTacToe, board: &Board, moves: &mut Vec<u8>) {
        game.moves(board, moves);
        moves.extend(moves.first().copied());
    }
    fn count_moves(game: &TicTacToe, board: &Board) -> usize {
        let moves = game.count_moves(board);
        moves + moves.min(1)
    }
}
mutant! { Miscounts breaks MovesAreCounted:
    fn count_moves(game: &TicTacToe, board: &Board) -> usize {
        let moves = game.count_moves(board);
        if moves == 4 { 5 } else { moves }
    }
}
mutant! { ForgetsToUndo breaks UndoRestores:
    fn undo(game: &TicTacToe, board: &mut Board, mv: &u8) {
        if *mv != 8 {
            game.undo(board, mv, ());
        }
    }
}
mutant! { MovesTwiceInARow breaks PlayersAlternate:
    fn to_move(game: &TicTacToe, board: &Board) -> Player {
        if marks(game, board) == 3 { Player::First } else { game.to_move(board) }
    }
}
mutant! { WritesAnotherPosition breaks PositionsRoundTrip:
    fn write(game: &TicTacToe, board: &Board) -> String {
        match marks(game, board) {
            2 => "xo./.../... x".to_owned(),
            _ => game.write(board),
        }
    }
}
mutant! { WritesMovesAlike breaks MovesRoundTrip:
    fn write_move(game: &TicTacToe, board: &Board, mv: &u8) -> String {
        game.write_move(board, &(*mv).min(7))
    }
}
mutant! { MirrorsMovesWrongly breaks SymmetriesCommute:
    fn image_of_move(game: &TicTacToe, symmetry: Symmetry, mv: &u8) -> u8 {
        game.image_of_move(symmetry.inverse(), mv)
    }
}
mutant! { PrefersTheTopLeftCorner breaks SymmetriesKeepValues:
    fn final_value(game: &TicTacToe, board: &Board) -> Value {
        if game.write(board).starts_with('x') { Value::Win } else { game.final_value(board) }
    }
}
mutant! { KeyIgnoresSymmetry breaks KeysMatch:
    fn key(_: &TicTacToe, board: &Board) -> Key {
        (Some(*board), 0)
    }
}
mutant! { KeyIgnoresNoughts breaks KeysSeparate:
    fn key(game: &TicTacToe, board: &Board) -> Key {
        (None, marks(game, board))
    }
}
mutant! { FallsApartForEver breaks PartsAreWhole:
    fn parts(_: &TicTacToe, board: &Board) -> Vec<Board> {
        vec![*board, *board]
    }
}

#[test]
fn tiny_games_keep_all_laws() {
    fn holds<G: Game>(text: &str) {
        let (game, start) = G::read(text).expect("a position");
        if let Err(violation) = check(&game, &start, 100, 3, &Progress::new()) {
            panic!("{} {text}: {violation}", G::NAME);
        }
    }
    holds::<TicTacToe>("start");
    holds::<Kayles>("12");
    holds::<Kayles>("5+3+3");
    holds::<Dodgem>("3x3");
    holds::<Dodgem>("5x5");
}
