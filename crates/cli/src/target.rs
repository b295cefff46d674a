//! The game and the position that a verb works on.

use clap::Args;
use papamu_game::Game;
use papamu_games::Visitor;

use crate::failure::Failure;
use crate::output::Output;

/// Game and position as given by the user.
#[derive(Args)]
pub(crate) struct Target {
    /// Name of the game; `papamu games` lists them
    game: String,

    /// Position in the notation of the game; a board size such as 6x6 is the start
    #[arg(required = true, num_args = 1..)]
    position: Vec<String>,
}

/// A verb that works on a position of any game.
pub(crate) trait PositionVerb {
    fn run<G: Game>(&self, subject: Subject<G>, output: &mut Output) -> Result<(), Failure>;
}

/// A position that has been read, with the rules that belong to it.
pub(crate) struct Subject<G: Game> {
    pub(crate) game: G,
    pub(crate) position: G::Position,
    /// The position as the user wrote it.
    pub(crate) text: String,
}

impl<G: Game> Subject<G> {
    pub(crate) fn read(text: &str) -> Result<Subject<G>, Failure> {
        let (game, position) = G::read(text)?;
        Ok(Subject { game, position, text: text.to_owned() })
    }
}

impl Target {
    /// Reads the position and does the verb.
    pub(crate) fn run(&self, verb: &impl PositionVerb, output: &mut Output) -> Result<(), Failure> {
        let text = self.position.join(" ");
        papamu_games::visit(&self.game, Read { text: text.trim(), verb, output })?
    }
}

struct Read<'a, V> {
    text: &'a str,
    verb: &'a V,
    output: &'a mut Output,
}

impl<V: PositionVerb> Visitor for Read<'_, V> {
    type Output = Result<(), Failure>;

    fn visit<G: Game>(self) -> Result<(), Failure> {
        self.verb.run(Subject::<G>::read(self.text)?, self.output)
    }
}
