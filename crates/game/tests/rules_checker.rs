//! The checker of rules finds what is wrong: each mutant of tic-tac-toe breaks one law.

use papamu_base::Progress;
use papamu_game::rules::{Law, check};
use papamu_game::tiny::{Cram, Dodgem, Domineering, Kayles, TicTacToe};
use papamu_game::{Game, NotationError, Player, Symmetry, Value};

type Board = <TicTacToe as Game>::Position;

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
    fn key(game: &TicTacToe, board: &Board) -> u64 {
        game.key(board)
    }
    fn parts(game: &TicTacToe, board: &Board) -> Vec<Board> {
        game.parts(board)
    }
    fn canonical(game: &TicTacToe, board: &Board) -> Board {
        game.canonical(board)
    }
    fn evaluate(game: &TicTacToe, board: &Board) -> Option<f32> {
        game.evaluate(board)
    }
    fn symmetries() -> &'static [Symmetry] {
        &Symmetry::ALL
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
    type Key = u64;

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
        F::symmetries()
    }
    fn canonical(&self, board: &Board) -> Board {
        F::canonical(&TicTacToe, board)
    }
    fn evaluate(&self, board: &Board) -> Option<f32> {
        F::evaluate(&TicTacToe, board)
    }
    fn image(&self, symmetry: Symmetry, board: &Board) -> Board {
        TicTacToe.image(symmetry, board)
    }
    fn image_of_move(&self, symmetry: Symmetry, mv: &u8) -> u8 {
        F::image_of_move(&TicTacToe, symmetry, mv)
    }
    fn key(&self, board: &Board) -> u64 {
        F::key(&TicTacToe, board)
    }
    fn parts(&self, board: &Board) -> Vec<Board> {
        F::parts(&TicTacToe, board)
    }
}

/// Dodgem under another name, without its warning about cycles.
#[derive(Clone, Debug)]
struct Endless(Dodgem);

impl Game for Endless {
    const NAME: &'static str = "endless";
    const SUMMARY: &'static str = "";
    const PLAYERS: [&'static str; 2] = Dodgem::PLAYERS;
    const NOTATION: &'static str = "";
    const EXAMPLES: &'static [&'static str] = &[];
    type Position = <Dodgem as Game>::Position;
    type Move = <Dodgem as Game>::Move;
    type Undo = ();
    type Key = u128;

    fn read(text: &str) -> Result<(Self, Self::Position), NotationError> {
        Dodgem::read(text).map(|(game, position)| (Endless(game), position))
    }
    fn write(&self, position: &Self::Position) -> String {
        self.0.write(position)
    }
    fn write_move(&self, position: &Self::Position, mv: &Self::Move) -> String {
        self.0.write_move(position, mv)
    }
    fn to_move(&self, position: &Self::Position) -> Player {
        self.0.to_move(position)
    }
    fn moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>) {
        self.0.moves(position, moves);
    }
    fn is_legal(&self, position: &Self::Position, mv: &Self::Move) -> bool {
        self.0.is_legal(position, mv)
    }
    fn play(&self, position: &mut Self::Position, mv: &Self::Move) {
        self.0.play(position, mv);
    }
    fn undo(&self, position: &mut Self::Position, mv: &Self::Move, (): ()) {
        self.0.undo(position, mv, ());
    }
    fn final_value(&self, position: &Self::Position) -> Value {
        self.0.final_value(position)
    }
    fn key(&self, position: &Self::Position) -> u128 {
        self.0.key(position)
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

mutant! { MovesOntoTakenSquares breaks LegalMovesAreGenerated:
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
    fn key(game: &TicTacToe, board: &Board) -> u64 {
        game.write(board).bytes().fold(0, |key, byte| key * 5 + u64::from(byte) % 7)
    }
}
mutant! { KeyIgnoresNoughts breaks KeysSeparate:
    fn key(game: &TicTacToe, board: &Board) -> u64 {
        marks(game, board) as u64
    }
}
mutant! { FallsApartForEver breaks PartsAddUp:
    fn parts(_: &TicTacToe, board: &Board) -> Vec<Board> {
        vec![*board, *board]
    }
}

mutant! { NeverTakesTheCentre breaks LegalMovesAreGenerated:
    fn moves(game: &TicTacToe, board: &Board, moves: &mut Vec<u8>) {
        game.moves(board, moves);
        if marks(game, board) > 0 {
            moves.retain(|&mv| mv != 4);
        }
    }
    fn count_moves(game: &TicTacToe, board: &Board) -> usize {
        let mut moves = Vec::new();
        Self::moves(game, board, &mut moves);
        moves.len()
    }
}
mutant! { LosesItsParts breaks PartsAddUp:
    fn parts(_: &TicTacToe, _: &Board) -> Vec<Board> {
        Vec::new()
    }
}
mutant! { CanonicalFormIsConstant breaks KeysMatch:
    fn canonical(_: &TicTacToe, _: &Board) -> Board {
        TicTacToe::read("start").expect("start").1
    }
}
mutant! { PrefersTheTopRow breaks SymmetriesKeepEvaluations:
    fn evaluate(game: &TicTacToe, board: &Board) -> Option<f32> {
        Some(if game.write(board).starts_with('x') { 1.0 } else { 0.0 })
    }
}
mutant! { LacksSymmetries breaks SymmetriesAreAGroup:
    fn symmetries() -> &'static [Symmetry] {
        &[Symmetry::Identity, Symmetry::Rotate90]
    }
}

/// Dodgem that claims to end.
#[test]
fn cycles_must_be_declared() {
    let (game, start) = Endless::read("3x3").expect("start");
    let violation = check(&game, &start, 50, 1, &Progress::new()).expect_err("broken");
    assert_eq!(violation.law, Law::PlayEnds, "{violation}");
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
    for text in ["1x1", "1x9", "9x1", "4x4", "5x4", "2x8", "..#./..#./##../.... h"] {
        holds::<Domineering>(text);
    }
    for text in ["1x1", "1x9", "9x1", "4x4", "5x4", "2x8", "..#./..#./##../...."] {
        holds::<Cram>(text);
    }
}
