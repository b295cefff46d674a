//! The checker of rules finds every fault: each mutant of tic-tac-toe and each wrong capability of
//! a tiny game breaks one law.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use papamu_base::{Progress, Stop, Stopped};
use papamu_game::rules::{CheckError, Law, Report, Violation, check};
use papamu_game::sums::{ByText, ComponentLists, Generator, Sums, SumsOf, TooManyOptions};
use papamu_game::tiny::{CarIndex, Cram, Dodgem, Domineering, Kayles, MuTorere, TicTacToe};
use papamu_game::{
    Capabilities, Entry, Game, Guided, Indexed, MakeIndex, NoOptions, NotationError, Numbering,
    Player, PositionIndex, RuleOptions, Survey, Symmetry, Threats, UnknownOptions, Value,
    index_of_game, threats_by_moves,
};

type Board = <TicTacToe as Game>::Position;

/// The violation that ended a check.
fn violation(checked: Result<Report, CheckError>) -> Violation {
    match checked {
        Err(CheckError::Broken(violation)) => *violation,
        other => panic!("no law is broken: {other:?}"),
    }
}

/// Options of the rules, the last of which cannot be told from the first by its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Rules {
    #[default]
    Standard,
    Other,
    Unwritten,
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Rules::Other { "other" } else { "standard" })
    }
}

impl FromStr for Rules {
    type Err = UnknownOptions;

    fn from_str(text: &str) -> Result<Rules, UnknownOptions> {
        match text {
            "standard" => Ok(Rules::Standard),
            "other" => Ok(Rules::Other),
            _ => Err(UnknownOptions { text: text.to_owned(), known: "`standard` or `other`" }),
        }
    }
}

impl RuleOptions for Rules {}

/// A way to get the rules wrong.
trait Fault: PartialEq + Clone + fmt::Debug + Send + Sync + 'static {
    const BREAKS: Law;
    const DRAWS: bool = true;
    const IMPARTIAL: bool = false;

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
    fn has_immediate_win(game: &TicTacToe, board: &Board) -> bool {
        game.has_immediate_win(board)
    }
    fn survey(mutant: &Mutant<Self>, board: &Board) -> Survey {
        let moves = mutant.count_moves(board);
        let has_immediate_win = moves > 0 && mutant.has_immediate_win(board);
        Survey { moves, has_immediate_win, evaluation: mutant.evaluate(board) }
    }
    fn threats(mutant: &Mutant<Self>, board: &Board, depth: u32) -> Threats {
        threats_by_moves(mutant, board, depth)
    }
    fn options(_: &Mutant<Self>) -> Rules {
        Rules::Standard
    }
    fn key(game: &TicTacToe, board: &Board) -> u64 {
        game.key(board)
    }
    fn key_of_run(_: &Mutant<Self>, board: &Board) -> u64 {
        Self::key(&TicTacToe, board)
    }
    fn null_move(_: &TicTacToe, _: &Board) -> Option<Board> {
        None
    }
    fn components(_: &TicTacToe, board: &Board) -> Vec<Board> {
        vec![*board]
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

#[derive(Clone, Debug, PartialEq)]
struct Mutant<F> {
    /// Made from a text, not the one that the check began with.
    is_read_anew: bool,
    fault: PhantomData<F>,
}

impl<F: Fault> Mutant<F> {
    const CAPABILITIES: Capabilities<Mutant<F>> = Capabilities {
        null_move: Some(|_, board| F::null_move(&TicTacToe, board)),
        components: Some(|_, board| F::components(&TicTacToe, board)),
        ..Capabilities::NONE
    };
}

impl<F: Fault> Game for Mutant<F> {
    const NAME: &'static str = "mutant";
    const SUMMARY: &'static str = "";
    const PLAYERS: [&'static str; 2] = ["x", "o"];
    const NOTATION: &'static str = "";
    const EXAMPLES: &'static [&'static str] = &[];
    const IMPARTIAL: bool = F::IMPARTIAL;
    const DRAWS: bool = F::DRAWS;
    type Position = Board;
    type Move = u8;
    type Undo = ();
    type Key = u64;
    type Options = Rules;

    fn options(&self) -> Rules {
        F::options(self)
    }
    fn read(text: &str) -> Result<(Self, Board), NotationError> {
        let (_, board) = TicTacToe::read(text)?;
        Ok((Mutant { is_read_anew: true, fault: PhantomData }, board))
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
    fn has_immediate_win(&self, board: &Board) -> bool {
        F::has_immediate_win(&TicTacToe, board)
    }
    fn symmetries(&self) -> &[Symmetry] {
        F::symmetries()
    }
    fn canonical(&self, board: &Board) -> Board {
        F::canonical(&TicTacToe, board)
    }
    fn image(&self, symmetry: Symmetry, board: &Board) -> Board {
        TicTacToe.image(symmetry, board)
    }
    fn image_of_move(&self, symmetry: Symmetry, mv: &u8) -> u8 {
        F::image_of_move(&TicTacToe, symmetry, mv)
    }
    fn key(&self, board: &Board) -> u64 {
        F::key_of_run(self, board)
    }
}

impl<F: Fault> Guided for Mutant<F> {
    fn evaluate(&self, board: &Board) -> Option<f32> {
        F::evaluate(&TicTacToe, board)
    }
    fn survey(&self, board: &Board) -> Survey {
        F::survey(self, board)
    }
    fn threats(&self, board: &Board, depth: u32) -> Threats {
        F::threats(self, board, depth)
    }
}

/// Dodgem under another name, without declaring cycles.
#[derive(Clone, Debug, PartialEq)]
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
    type Options = NoOptions;

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

impl Guided for Endless {}

macro_rules! mutant {
    ($name:ident breaks $law:ident: $($body:item)*) => {
        #[test]
        #[allow(non_snake_case, reason = "the test is named after the mutant")]
        fn $name() {
            #[derive(Clone, Debug, PartialEq)]
            struct $name;
            impl Fault for $name {
                const BREAKS: Law = Law::$law;
                $($body)*
            }
            let (_, start) = TicTacToe::read("start").expect("start");
            let game = Mutant::<$name> { is_read_anew: false, fault: PhantomData };
            let capabilities = Mutant::<$name>::CAPABILITIES;
            let checked = check(&game, &start, &capabilities, 50, 1, &Progress::new());
            let violation = violation(checked);
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
mutant! { FallsApartForEver breaks ComponentsAddUp:
    fn components(_: &TicTacToe, board: &Board) -> Vec<Board> {
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
mutant! { LosesItsComponents breaks ComponentsAddUp:
    fn components(_: &TicTacToe, _: &Board) -> Vec<Board> {
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

mutant! { OverlooksWins breaks ImmediateWins:
    fn has_immediate_win(_: &TicTacToe, _: &Board) -> bool {
        false
    }
}
mutant! { SurveysCarelessly breaks SurveyAgrees:
    fn survey(mutant: &Mutant<Self>, board: &Board) -> Survey {
        let evaluation = mutant.evaluate(board);
        Survey { moves: mutant.count_moves(board), has_immediate_win: false, evaluation }
    }
}
mutant! { SeesNoThreats breaks ThreatsAgree:
    fn threats(_: &Mutant<Self>, _: &Board, _: u32) -> Threats {
        Threats::Safe(1)
    }
}
mutant! { HidesItsDraws breaks DrawsAreDeclared:
    const DRAWS: bool = false;
}
mutant! { DrawsAnImpartialGame breaks NormalPlay:
    const IMPARTIAL: bool = true;
    fn to_move(_: &TicTacToe, _: &Board) -> Player {
        Player::First
    }
}
mutant! { PassesToItself breaks NullMovesCancel:
    fn null_move(_: &TicTacToe, board: &Board) -> Option<Board> {
        Some(*board)
    }
}
mutant! { KeyIsOfOneRun breaks KeysAreStable:
    fn key_of_run(mutant: &Mutant<Self>, board: &Board) -> u64 {
        TicTacToe.key(board) << 1 | u64::from(mutant.is_read_anew)
    }
}
mutant! { TextLosesTheOptions breaks OptionsRoundTrip:
    fn options(mutant: &Mutant<Self>) -> Rules {
        if mutant.is_read_anew { Rules::Standard } else { Rules::Other }
    }
}
mutant! { OptionsAreWrittenAlike breaks OptionsRoundTrip:
    fn options(_: &Mutant<Self>) -> Rules {
        Rules::Unwritten
    }
}

/// The mutants are wrong only because of their faults: without one, all laws hold.
#[test]
fn a_mutant_without_a_fault_keeps_all_laws() {
    #[derive(Clone, Debug, PartialEq)]
    struct Faultless;
    impl Fault for Faultless {
        const BREAKS: Law = Law::PlayEnds;
    }
    let (_, start) = TicTacToe::read("start").expect("start");
    let game = Mutant::<Faultless> { is_read_anew: false, fault: PhantomData };
    let report = check(&game, &start, &Mutant::CAPABILITIES, 50, 1, &Progress::new());
    assert_eq!(report.expect("no fault").games, 50);
}

/// The law that capabilities of a game break, if they break one.
fn broken_law<G: Guided>(text: &str, capabilities: &Capabilities<G>) -> Option<Law> {
    let (game, start) = G::read(text).expect("a position");
    match check(&game, &start, capabilities, 50, 1, &Progress::new()) {
        Ok(_) => None,
        checked => Some(violation(checked).law),
    }
}

/// The next move of whoever is to move after a null move.
fn domino_after_null_move(
    game: &Domineering,
    floor: &<Domineering as Game>::Position,
) -> Option<<Domineering as Game>::Position> {
    let mut passed = game.null_move(floor)?;
    let mut moves = Vec::new();
    game.moves(floor, &mut moves);
    if let Some(mv) = moves.first() {
        game.play(&mut passed, mv);
        passed = game.null_move(&passed)?;
    }
    Some(passed)
}

#[test]
fn null_moves_that_do_more_than_pass_are_found() {
    let with = |null_move| Capabilities { null_move, ..Domineering::CAPABILITIES };
    assert_eq!(broken_law("3x4", &with(Some(Domineering::null_move))), None);
    let wrong = broken_law("3x4", &with(Some(domino_after_null_move)));
    assert_eq!(wrong, Some(Law::NullMovesCancel));
    // There and not back again.
    let one_way: Capabilities<Domineering> = with(Some(|game, floor| {
        let is_first = game.to_move(floor) == Player::First;
        if is_first { game.null_move(floor) } else { None }
    }));
    assert_eq!(broken_law("3x4", &one_way), Some(Law::NullMovesCancel));
}

#[test]
fn components_that_do_not_add_up_are_found() {
    let wrong: Capabilities<Kayles> = Capabilities {
        components: Some(|game, rows| {
            let mut components = game.components(rows);
            components.truncate(2);
            components
        }),
        ..Capabilities::NONE
    };
    assert_eq!(broken_law("5+3", &wrong), Some(Law::ComponentsAddUp));
    assert_eq!(broken_law("2+1", &wrong), None, "there never are three rows");
    // In a partizan game it is the opponent's turn in the components that wait.
    let no_waiting = Capabilities { null_move: None, ..Domineering::CAPABILITIES };
    assert_eq!(broken_law("..#./..#. v", &no_waiting), Some(Law::ComponentsAddUp));
    // Rows that are sums themselves.
    let wrong: Capabilities<Kayles> = Capabilities {
        components: Some(|game, rows| [game.components(rows), game.components(rows)].concat()),
        ..Capabilities::NONE
    };
    assert_eq!(broken_law("3", &wrong), Some(Law::ComponentsAddUp));
}

/// Ways for searches with nimbers to see Kayles.
#[derive(Clone, Copy, PartialEq)]
enum View {
    Right,
    OverlooksARow,
    OverlooksAnOption,
    InventsAnOption,
    WritesNoRow,
}

struct SeenBy {
    view: View,
    sums: ByText<Kayles>,
}

impl SeenBy {
    fn make(view: View) -> Box<dyn SumsOf<Kayles>> {
        Box::new(SeenBy { view, sums: ByText::new(Kayles, Kayles::CAPABILITIES) })
    }
}

/// All lists but the one with that number.
fn without(lists: &ComponentLists, index: usize) -> ComponentLists {
    let mut rest = ComponentLists::default();
    for list in (0..lists.len()).filter(|&i| i != index) {
        lists.list(list).for_each(|code| rest.component(|bytes| bytes.extend_from_slice(code)));
        rest.end();
    }
    rest
}

impl Sums for SeenBy {
    fn read(&self, position: &str) -> Result<ComponentLists, NotationError> {
        self.sums.read(position)
    }
    fn generator(&self) -> Box<dyn Generator + '_> {
        Box::new(self)
    }
    fn write(&self, component: &[u8]) -> String {
        match self.view {
            View::WritesNoRow => "a row".to_owned(),
            _ => self.sums.write(component),
        }
    }
    fn has_nimbers(&self) -> bool {
        true
    }
}

impl SumsOf<Kayles> for SeenBy {
    fn components(&self, rows: &<Kayles as Game>::Position) -> ComponentLists {
        let all = self.sums.components(rows);
        if self.view != View::OverlooksARow {
            return all;
        }
        let mut components = ComponentLists::default();
        let seen = all.list(0).skip(1);
        seen.for_each(|code| components.component(|bytes| bytes.extend_from_slice(code)));
        components.end();
        components
    }
}

impl Generator for &SeenBy {
    fn options(
        &mut self,
        component: &[u8],
        options: &mut ComponentLists,
    ) -> Result<(), TooManyOptions> {
        self.sums.generator().options(component, options)?;
        match self.view {
            View::OverlooksAnOption => *options = without(options, 0),
            View::InventsAnOption => {
                options.component(|bytes| bytes.extend_from_slice(b"7"));
                options.end();
            }
            _ => {}
        }
        Ok(())
    }
}

#[test]
fn sums_that_disagree_with_the_rules_are_found() {
    let law = |sums| broken_law("7+4", &Capabilities { sums: Some(sums), ..Kayles::CAPABILITIES });
    assert_eq!(law(|_| SeenBy::make(View::Right)), None);
    assert_eq!(law(|_| SeenBy::make(View::OverlooksARow)), Some(Law::SumsAgree));
    assert_eq!(law(|_| SeenBy::make(View::OverlooksAnOption)), Some(Law::SumsAgree));
    assert_eq!(law(|_| SeenBy::make(View::InventsAnOption)), Some(Law::SumsAgree));
    assert_eq!(law(|_| SeenBy::make(View::WritesNoRow)), Some(Law::SumsAgree));
}

/// The rows of a board as a number to the base 3.
fn raw_number(game: &TicTacToe, board: &Board) -> u128 {
    let text = game.write(board);
    let marks = text.bytes().take(11).filter(|&byte| byte != b'/');
    marks.fold(0, |number, mark| {
        number * 3 + u128::from(mark == b'x') + 2 * u128::from(mark == b'o')
    })
}

/// Numbers as certificates might have them.
const NUMBERING: Numbering<TicTacToe> = Numbering {
    number: |game, board| raw_number(game, &game.canonical(board)),
    position: |_, number, mover| {
        let marks: Vec<u128> = (0..9).map(|i| number / 3_u128.pow(8 - i) % 3).collect();
        let row =
            |row: &[u128]| -> String { row.iter().map(|&m| ['.', 'x', 'o'][m as usize]).collect() };
        let rows: Vec<String> = marks.chunks(3).map(row).collect();
        let side = TicTacToe::PLAYERS[mover.index()];
        Some(TicTacToe::read(&format!("{} {side}", rows.join("/"))).ok()?.1)
    },
    stage: |_, number| Some((0..9).filter(|&i| number / 3_u128.pow(i) % 3 == 0).count() as u32),
    size: |game, board| game.write(board).bytes().filter(|&byte| byte == b'.').count() as u64,
    move_order: |_, &square| square.into(),
};

/// The index of Dodgem with something wrong.
struct WrongIndex(CarIndex, Wrong);

#[derive(Clone, Copy, PartialEq)]
enum Wrong {
    Nothing,
    LeadsElsewhere,
    LeadsNowhere,
    SharesEntries,
    Rises,
    OverlooksUnmoves,
    InventsUnmoves,
}

type Cars = <Dodgem as Game>::Position;

impl PositionIndex<Dodgem> for WrongIndex {
    fn layout(&self) -> &'static str {
        self.0.layout()
    }
    fn classes(&self) -> u32 {
        self.0.classes()
    }
    fn class_name(&self, class: u32) -> String {
        self.0.class_name(class)
    }
    fn stones(&self, class: u32) -> u32 {
        self.0.stones(class)
    }
    fn entries(&self, class: u32) -> u64 {
        self.0.entries(self.turned(class))
    }
    fn entry(&self, position: &Cars) -> Option<Entry> {
        let Entry { class, index } = self.0.entry(position)?;
        let shared = if self.1 == Wrong::SharesEntries { index & !1 } else { index };
        Some(Entry { class: self.turned(class), index: shared })
    }
    fn position(&self, Entry { class, index }: Entry) -> Option<Cars> {
        let index = if self.1 == Wrong::LeadsElsewhere { index ^ 1 } else { index };
        let position = self.0.position(Entry { class: self.turned(class), index });
        position.filter(|_| self.1 != Wrong::LeadsNowhere)
    }
    fn has_unmoves(&self) -> bool {
        true
    }
    fn predecessors(&self, position: &Cars, predecessors: &mut Vec<Cars>) {
        self.0.predecessors(position, predecessors);
        match self.1 {
            Wrong::OverlooksUnmoves => drop(predecessors.pop()),
            Wrong::InventsUnmoves => predecessors.push(*position),
            _ => (),
        }
    }
}

impl WrongIndex {
    fn turned(&self, class: u32) -> u32 {
        if self.1 == Wrong::Rises { self.0.classes() - 1 - class } else { class }
    }
}

#[test]
fn wrong_indexes_are_found() {
    fn make(game: &Dodgem, wrong: Wrong) -> Option<(Box<dyn PositionIndex<Dodgem>>, String)> {
        Some((Box::new(WrongIndex(game.index(u32::MAX)?, wrong)), game.board()))
    }
    let law = |index: MakeIndex<Dodgem>| {
        broken_law("4x4", &Capabilities { index: Some(index), ..Capabilities::NONE })
    };
    assert_eq!(law(|game| make(game, Wrong::Nothing)), None);
    let [back, rises, reverse] =
        [Law::EntriesLeadBack, Law::ClassesNeverRise, Law::UnmovesReverseMoves].map(Some);
    assert_eq!(law(|game| make(game, Wrong::LeadsElsewhere)), back);
    assert_eq!(law(|game| make(game, Wrong::LeadsNowhere)), back);
    assert_eq!(law(|game| make(game, Wrong::SharesEntries)), reverse);
    assert_eq!(law(|game| make(game, Wrong::Rises)), rises);
    assert_eq!(law(|game| make(game, Wrong::OverlooksUnmoves)), reverse);
    assert_eq!(law(|game| make(game, Wrong::InventsUnmoves)), reverse);
    let board = |game: &Dodgem| Some((index_of_game(game)?.0, "5x5".to_owned()));
    assert_eq!(law(board), back);
}

/// Indexes of the tiny games keep the laws, from every start.
#[test]
fn indexes_keep_the_laws() {
    fn law<G: Indexed + Guided>(boards: &[&str]) {
        let with = Capabilities { index: Some(index_of_game::<G>), ..Capabilities::NONE };
        for board in boards {
            assert_eq!(broken_law(board, &with), None, "{} {board}", G::NAME);
        }
    }
    law::<Dodgem>(&["3x3", "4x4", "5x5"]);
    law::<MuTorere>(&["4", "8", "12"]);
    law::<TicTacToe>(&["start"]);
}

#[test]
fn numbers_that_are_not_exact_are_found() {
    let law = |numbering| {
        broken_law("start", &Capabilities { numbering: Some(numbering), ..Capabilities::NONE })
    };
    assert_eq!(law(NUMBERING), None);
    let exact = Some(Law::NumbersAreExact);
    // Images have numbers of their own.
    assert_eq!(law(Numbering { number: raw_number, ..NUMBERING }), exact);
    // One number for two positions.
    let number: fn(&TicTacToe, &Board) -> u128 = |game, board| (NUMBERING.number)(game, board) / 3;
    assert_eq!(law(Numbering { number, ..NUMBERING }), exact);
    // Nowhere to go back to, and to the wrong place.
    assert_eq!(law(Numbering { position: |_, _, _| None, ..NUMBERING }), exact);
    let start = |_: &TicTacToe, _: u128, _: Player| Some(TicTacToe::read("start").ok()?.1);
    assert_eq!(law(Numbering { position: start, ..NUMBERING }), exact);
    // Moves that do not get nearer to the end, and moves that cannot be told apart.
    assert_eq!(law(Numbering { stage: |_, _| Some(5), ..NUMBERING }), exact);
    assert_eq!(law(Numbering { stage: |_, _| None, ..NUMBERING }), exact);
    // Moves that make a position larger.
    let marks = |_: &TicTacToe, board: &Board| 9 - (NUMBERING.size)(&TicTacToe, board);
    assert_eq!(law(Numbering { size: marks, ..NUMBERING }), exact);
    assert_eq!(law(Numbering { move_order: |_, &square| (square / 2).into(), ..NUMBERING }), exact);
}

/// Dodgem that claims to end.
#[test]
fn cycles_must_be_declared() {
    let (game, start) = Endless::read("3x3").expect("start");
    let violation = violation(check(&game, &start, &Capabilities::NONE, 50, 1, &Progress::new()));
    assert_eq!(violation.law, Law::PlayEnds, "{violation}");
}

#[test]
fn tiny_games_keep_all_laws() {
    fn holds<G: Guided>(text: &str, capabilities: &Capabilities<G>) {
        let (game, start) = G::read(text).expect("a position");
        if let Err(violation) = check(&game, &start, capabilities, 100, 3, &Progress::new()) {
            panic!("{} {text}: {violation}", G::NAME);
        }
    }
    holds("start", &TicTacToe::CAPABILITIES);
    holds("12", &Kayles::CAPABILITIES);
    holds("5+3+3", &Kayles::CAPABILITIES);
    holds("3x3", &Dodgem::CAPABILITIES);
    holds("5x5", &Dodgem::CAPABILITIES);
    holds("7x7", &Dodgem::CAPABILITIES);
    for points in ["4", "8", "12", "16"] {
        holds(points, &MuTorere::CAPABILITIES);
    }
    for text in ["1x1", "1x9", "9x1", "4x4", "5x4", "2x8", "..#./..#./##../.... h"] {
        holds(text, &Domineering::CAPABILITIES);
    }
    for text in ["1x1", "1x9", "9x1", "4x4", "5x4", "2x8", "..#./..#./##../...."] {
        holds(text, &Cram::CAPABILITIES);
    }
}

/// Random games of Dodgem hardly end: a check of very many does because it is stopped.
#[test]
fn checks_end_when_they_are_stopped() {
    let (game, start) = Dodgem::read("7x7").expect("start");
    let stop = Stop::new();
    let progress = Progress::with_stop(&stop);
    let run = || check(&game, &start, &Capabilities::NONE, u64::MAX, 3, &progress);
    std::thread::scope(|scope| {
        let checked = scope.spawn(run);
        while progress.done() == 0 {
            std::thread::yield_now();
        }
        stop.set();
        let checked = checked.join().expect("no panic");
        assert_eq!(checked, Err(CheckError::Stopped(Stopped)));
    });
    let done = progress.done();
    assert_eq!(run(), Err(CheckError::Stopped(Stopped)), "stopped before it began");
    assert_eq!(progress.done(), done);
}
